/**
 * A hash map from text (or int64) to pointers, in an arena; iteration in insertion order. Keys are
 * borrowed.
 */
#ifndef NILAS_BASE_MAP_H
#define NILAS_BASE_MAP_H

#include "base/arena.h"

typedef struct nilas_map_entry {
    nilas_str key;
    int64_t number; // the key of an int map
    void *value;
} nilas_map_entry;

typedef struct nilas_map {
    nilas_arena *arena;
    nilas_map_entry *entries; // [0, count) in insertion order; a removed entry has value NULL
    size_t count;
    size_t capacity;
    uint32_t *slots;
    size_t slot_count;
    bool fold_case; // keys compare without case
} nilas_map;

void nilas_map_init(nilas_map *map, nilas_arena *arena, bool fold_case);
/** Insert or replace; `value` must not be NULL. */
nilas_code nilas_map_put(nilas_map *map, nilas_str key, void *value, nilas_error *err);
/** NULL when absent. */
void *nilas_map_find(const nilas_map *map, nilas_str key);
/** Returns whether it was there. */
bool nilas_map_remove(nilas_map *map, nilas_str key);
nilas_code nilas_map_put_int(nilas_map *map, int64_t key, void *value, nilas_error *err);
void *nilas_map_find_int(const nilas_map *map, int64_t key);

#endif
