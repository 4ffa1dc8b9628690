/** What the tests of this folder share: a scratch arena, parsed pieces, and reproducible chance. */
#ifndef NILAS_TEST_ICEBERG_MAKE_H
#define NILAS_TEST_ICEBERG_MAKE_H

#include "iceberg/iceberg.h"
#include "test.h"

/** An arena for one test: NILAS_AUTO(nilas_arena) arena = make_arena(); */
__attribute__((unused)) static nilas_arena *make_arena(void) {
    nilas_arena *arena = nilas_arena_new(NULL, 0);

    nilas_assert(arena != NULL);
    return arena;
}

__attribute__((unused)) static const nilas_ice_type *make_type(nilas_arena *arena,
                                                               const char *json) {
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_ice_type *type = NULL;
    nilas_json *tree = NULL;
    void *memory;

    nilas_assert(nilas_arena_alloc(arena, sizeof(*tree), &memory, &err) == NILAS_OK);
    tree = memory;
    nilas_assert(nilas_json_parse(arena, nilas_str_of(json), "type", tree, &err) == NILAS_OK);
    nilas_assert(nilas_ice_type_parse(arena, tree, &type, &err) == NILAS_OK);
    return type;
}

__attribute__((unused)) static nilas_metadata *make_metadata(nilas_arena *arena, const char *json) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_metadata *metadata = NULL;

    if (nilas_metadata_parse(arena, nilas_str_of(json), NILAS_STR("/t/metadata/v1.metadata.json"),
                             &metadata, &err) != NILAS_OK) {
        printf("    %s\n", err.message);
    }
    return metadata;
}

__attribute__((unused)) static nilas_transform make_transform(nilas_arena *arena,
                                                              const char *text) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_transform transform = {0};

    nilas_assert(nilas_transform_parse(arena, nilas_str_of(text), &transform, &err) == NILAS_OK);
    return transform;
}

/** xorshift: the same numbers on every machine. */
typedef struct chance {
    uint64_t state;
} chance;

__attribute__((unused)) static uint64_t chance_next(chance *c) {
    c->state ^= c->state << 13;
    c->state ^= c->state >> 7;
    c->state ^= c->state << 17;
    return c->state;
}

/** In [0, bound). */
__attribute__((unused)) static uint64_t chance_below(chance *c, uint64_t bound) {
    return chance_next(c) % bound;
}

#endif
