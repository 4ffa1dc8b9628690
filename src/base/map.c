/*
 * Open addressing with linear probing over slots that hold entry numbers (plus one; 0 is free).
 * Entries stay in insertion order. A removed entry keeps its slot (value NULL), which doubles as
 * the tombstone; putting the key again revives it at its old place in the order.
 */
#include "base/map.h"

#define FIRST_SLOTS 16U

void nilas_map_init(nilas_map *map, nilas_arena *arena, bool fold_case) {
    *map = (nilas_map){.arena = arena, .fold_case = fold_case};
}

/**
 * Lower-casing for the hash needs only to send equal keys to one place: letters beyond ASCII all
 * count the same.
 */
static uint64_t hash_folded(nilas_str key) {
    uint64_t hash = 1469598103934665603ULL;

    for (size_t i = 0; i < key.size; i++) {
        unsigned char c = (unsigned char)key.data[i];
        if (c >= 0x80) {
            continue;
        }
        // A dotted capital I folds to the ASCII letter i, so that letter must not count either.
        c = c >= 'A' && c <= 'Z' ? (unsigned char)(c + 32) : c;
        if (c != 'i') {
            hash = (hash ^ c) * 1099511628211ULL;
        }
    }
    return hash ^ (hash >> 32);
}

static uint64_t hash_int(int64_t key) {
    uint64_t hash = (uint64_t)key * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 32);
}

static uint64_t hash_entry(const nilas_map *map, nilas_str key, int64_t number) {
    if (key.data == NULL) {
        return hash_int(number);
    }
    return map->fold_case ? hash_folded(key) : nilas_str_hash(key);
}

static bool same_key(const nilas_map *map, const nilas_map_entry *entry, nilas_str key,
                     int64_t number) {
    if (key.data == NULL || entry->key.data == NULL) {
        return key.data == NULL && entry->key.data == NULL && entry->number == number;
    }
    return map->fold_case ? nilas_str_equal_nocase(entry->key, key)
                          : nilas_str_equal(entry->key, key);
}

/** The slot of the key, or the free slot where it belongs. */
static size_t find_slot(const nilas_map *map, nilas_str key, int64_t number) {
    size_t mask = map->slot_count - 1;
    size_t slot = (size_t)hash_entry(map, key, number) & mask;

    nilas_assert(map->slot_count > map->count);
    while (map->slots[slot] != 0 &&
           !same_key(map, &map->entries[map->slots[slot] - 1], key, number)) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static nilas_code grow(nilas_map *map, nilas_error *err) {
    size_t slot_count = map->slot_count != 0 ? map->slot_count * 2 : FIRST_SLOTS;
    size_t capacity = slot_count / 2;
    nilas_map_entry *entries;
    uint32_t *slots;

    NILAS_REQUIRE(slot_count <= UINT32_MAX / 2, err, NILAS_LIMIT, "a map has more than %zu keys",
                  map->count);
    NILAS_NEW_ARRAY(map->arena, &entries, capacity, err);
    NILAS_NEW_ARRAY(map->arena, &slots, slot_count, err);
    if (map->count != 0) {
        memcpy(entries, map->entries, map->count * sizeof(*entries));
    }
    map->entries = entries;
    map->capacity = capacity;
    map->slots = slots;
    map->slot_count = slot_count;

    size_t mask = slot_count - 1;
    for (size_t i = 0; i < map->count; i++) {
        size_t slot = (size_t)hash_entry(map, entries[i].key, entries[i].number) & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = (uint32_t)i + 1;
    }
    return NILAS_OK;
}

static nilas_code put(nilas_map *map, nilas_str key, int64_t number, void *value,
                      nilas_error *err) {
    nilas_assert(map->arena != NULL);
    nilas_assert(value != NULL);

    if (map->slot_count != 0) {
        size_t slot = find_slot(map, key, number);
        if (map->slots[slot] != 0) {
            map->entries[map->slots[slot] - 1].value = value;
            return NILAS_OK;
        }
    }
    if (map->count == map->capacity) {
        NILAS_TRY(grow(map, err));
    }
    size_t slot = find_slot(map, key, number);
    map->entries[map->count] = (nilas_map_entry){.key = key, .number = number, .value = value};
    map->slots[slot] = (uint32_t)++map->count;
    return NILAS_OK;
}

static nilas_map_entry *find_entry(const nilas_map *map, nilas_str key, int64_t number) {
    if (map->slot_count == 0) {
        return NULL;
    }
    size_t slot = find_slot(map, key, number);
    return map->slots[slot] != 0 ? &map->entries[map->slots[slot] - 1] : NULL;
}

/** Text keys always carry a pointer: without one the key would be taken for a number. */
static nilas_str with_pointer(nilas_str key) {
    return key.data != NULL ? key : NILAS_STR_EMPTY;
}

nilas_code nilas_map_put(nilas_map *map, nilas_str key, void *value, nilas_error *err) {
    return put(map, with_pointer(key), 0, value, err);
}

nilas_code nilas_map_put_int(nilas_map *map, int64_t key, void *value, nilas_error *err) {
    return put(map, (nilas_str){0}, key, value, err);
}

void *nilas_map_find(const nilas_map *map, nilas_str key) {
    nilas_map_entry *entry = find_entry(map, with_pointer(key), 0);
    return entry != NULL ? entry->value : NULL;
}

void *nilas_map_find_int(const nilas_map *map, int64_t key) {
    nilas_map_entry *entry = find_entry(map, (nilas_str){0}, key);
    return entry != NULL ? entry->value : NULL;
}

bool nilas_map_remove(nilas_map *map, nilas_str key) {
    nilas_map_entry *entry = find_entry(map, with_pointer(key), 0);

    if (entry == NULL || entry->value == NULL) {
        return false;
    }
    entry->value = NULL;
    return true;
}
