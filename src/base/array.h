/**
 * Growing arrays in an arena. Declare any struct with members `items`, `count`, `capacity` (size_t)
 * and push:
 *
 *     struct { nilas_expr **items; size_t count, capacity; } list = {0};
 *     NILAS_PUSH(arena, &list, expr, err);
 *
 * Growth copies into new arena memory; old items stay readable.
 */
#ifndef NILAS_BASE_ARRAY_H
#define NILAS_BASE_ARRAY_H

#include "base/arena.h"

#define NILAS_ARRAY_OF(type)                                                                       \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

nilas_code nilas_array_grow(nilas_arena *arena, void *items_pointer, size_t count, size_t *capacity,
                            size_t item_size, nilas_error *err);

#define NILAS_PUSH(arena, list, item, err)                                                         \
    do {                                                                                           \
        if ((list)->count == (list)->capacity) {                                                   \
            NILAS_TRY(nilas_array_grow((arena), &(list)->items, (list)->count, &(list)->capacity,  \
                                       sizeof(*(list)->items), (err)));                            \
        }                                                                                          \
        (list)->items[(list)->count++] = (item);                                                   \
    } while (0)

#endif
