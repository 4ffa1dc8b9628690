/* Growth of arena arrays, by doubling. */
#include "base/array.h"

#include <string.h>

nilas_code nilas_array_grow(nilas_arena *arena, void *items_pointer, size_t count, size_t *capacity,
                            size_t item_size, nilas_error *err) {
    size_t grown_capacity = *capacity < 4 ? 8 : *capacity * 2;
    void *grown;
    void *old;

    nilas_assert(count <= *capacity);
    nilas_assert(*capacity <= SIZE_MAX / 2);
    NILAS_TRY(nilas_arena_alloc_array(arena, grown_capacity, item_size, &grown, err));
    // The pointer's own type is unknown here; its representation is copied instead of read through
    // a wrong type.
    memcpy(&old, items_pointer, sizeof(old));
    if (count != 0) {
        memcpy(grown, old, count * item_size);
    }
    memcpy(items_pointer, &grown, sizeof(grown));
    *capacity = grown_capacity;
    return NILAS_OK;
}
