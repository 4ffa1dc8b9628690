/*
 * A set of hashes below theta. When it holds twice as many as are to be kept, theta becomes the
 * first that is too many: every value had the same chance to be below it.
 */
#include "codec/theta.h"

#include <stdlib.h>

#include "codec/hash.h"

#define SEED       9001 // DataSketches' default
#define SLOT_COUNT (NILAS_THETA_ENTRIES * 4)
#define FULL       (NILAS_THETA_ENTRIES * 2)
#define NO_THETA   ((uint64_t)INT64_MAX)

enum {
    SERIAL_VERSION = 3,
    FAMILY_COMPACT = 3,
    FLAG_READ_ONLY = 2,
    FLAG_EMPTY = 4,
    FLAG_COMPACT = 8,
    FLAG_ORDERED = 16,
    FLAG_SINGLE = 32,
};

struct nilas_theta {
    nilas_arena *arena;
    uint64_t theta; // hashes are below
    size_t count;
    uint64_t slots[SLOT_COUNT];  // 0: free
    uint64_t sorted[SLOT_COUNT]; // scratch
};

nilas_code nilas_theta_new(nilas_arena *arena, nilas_theta **out, nilas_error *err) {
    nilas_theta *sketch;

    NILAS_NEW(arena, &sketch, err);
    sketch->arena = arena;
    sketch->theta = NO_THETA;
    *out = sketch;
    return NILAS_OK;
}

/** False when it is there already. */
static bool insert(nilas_theta *sketch, uint64_t hash) {
    size_t at = (size_t)(hash % SLOT_COUNT);

    nilas_assert(hash != 0 && sketch->count < SLOT_COUNT);
    while (sketch->slots[at] != 0 && sketch->slots[at] != hash) {
        at = (at + 1) % SLOT_COUNT;
    }
    bool is_new = sketch->slots[at] == 0;
    sketch->slots[at] = hash;
    sketch->count += is_new;
    return is_new;
}

static int compare(const void *a, const void *b) {
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

static void sort(nilas_theta *sketch) {
    size_t count = 0;

    for (size_t i = 0; i < SLOT_COUNT; i++) {
        if (sketch->slots[i] != 0) {
            sketch->sorted[count++] = sketch->slots[i];
        }
    }
    nilas_assert(count == sketch->count);
    qsort(sketch->sorted, count, sizeof(sketch->sorted[0]), compare);
}

/** Keep as many as are to be kept; `sorted` is what stays. */
static void shrink(nilas_theta *sketch) {
    sort(sketch);
    if (sketch->count <= NILAS_THETA_ENTRIES) {
        return;
    }
    sketch->theta = sketch->sorted[NILAS_THETA_ENTRIES];
    sketch->count = 0;
    memset(sketch->slots, 0, sizeof(sketch->slots));
    for (size_t i = 0; i < NILAS_THETA_ENTRIES; i++) {
        (void)insert(sketch, sketch->sorted[i]);
    }
}

void nilas_theta_add(nilas_theta *sketch, const void *bytes, size_t size) {
    uint64_t hash[2];

    if (size == 0) {
        return;
    }
    nilas_murmur3_128(bytes, size, SEED, hash);
    uint64_t own = hash[0] >> 1;
    if (own == 0 || own >= sketch->theta) {
        return;
    }
    if (insert(sketch, own) && sketch->count >= FULL) {
        shrink(sketch);
    }
}

static void add_le(nilas_buf *out, uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; i++) {
        nilas_buf_add_char(out, (char)(value >> (8 * i)));
    }
}

/** What stands first tells whether other hashes can be compared with these. */
static uint16_t seed_hash(void) {
    static const unsigned char seed[8] = {SEED & 255, SEED >> 8};
    uint64_t hash[2];

    nilas_murmur3_128(seed, sizeof(seed), 0, hash);
    return (uint16_t)hash[0];
}

nilas_code nilas_theta_finish(nilas_theta *sketch, nilas_str *out, double *out_estimate,
                              nilas_error *err) {
    NILAS_AUTO_BUF bytes = NILAS_BUF_INIT(SLOT_COUNT * sizeof(uint64_t));
    int flags = FLAG_READ_ONLY | FLAG_COMPACT | FLAG_ORDERED;

    shrink(sketch);
    bool is_exact = sketch->theta == NO_THETA;
    bool is_single = is_exact && sketch->count == 1;
    bool is_empty = is_exact && sketch->count == 0;
    flags |= is_empty ? FLAG_EMPTY : is_single ? FLAG_SINGLE : 0;

    add_le(&bytes, !is_exact ? 3 : is_single || is_empty ? 1 : 2, 1);
    add_le(&bytes, SERIAL_VERSION, 1);
    add_le(&bytes, FAMILY_COMPACT, 1);
    add_le(&bytes, 0, 2); // sizes of tables, which compact sketches do not have
    add_le(&bytes, (uint64_t)flags, 1);
    add_le(&bytes, is_empty ? 0 : seed_hash(), 2);
    if (!is_single && !is_empty) {
        add_le(&bytes, sketch->count, 4);
        add_le(&bytes, 0x3f800000, 4); // 1.0f: all values were taken
    }
    if (!is_exact) {
        add_le(&bytes, sketch->theta, 8);
    }
    for (size_t i = 0; i < sketch->count; i++) {
        add_le(&bytes, sketch->sorted[i], 8);
    }
    *out_estimate =
        is_exact ? (double)sketch->count : (double)sketch->count / ((double)sketch->theta / 0x1p63);
    return nilas_buf_finish(&bytes, sketch->arena, out, err);
}
