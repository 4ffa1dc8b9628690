/* Tables: one immutable version of metadata, counted by its users. */
#include "iceberg/metadata.h"

nilas_code nilas_table_new(nilas_arena *arena, nilas_io *io, nilas_str catalog,
                           const nilas_str *identifier, size_t identifier_count,
                           nilas_metadata *metadata, nilas_table **out_table, nilas_error *err) {
    nilas_table *table;
    nilas_str *parts;

    nilas_assert(metadata != NULL);
    // The table lives in its own arena; freeing the arena is all that unref has to do.
    NILAS_NEW(arena, &table, err);
    NILAS_NEW_ARRAY(arena, &parts, identifier_count, err);
    for (size_t i = 0; i < identifier_count; i++) {
        NILAS_TRY(nilas_str_copy(arena, identifier[i], &parts[i], err));
    }
    NILAS_TRY(nilas_str_copy(arena, catalog, &table->catalog, err));
    table->arena = arena;
    table->io = io;
    table->identifier = parts;
    table->identifier_count = identifier_count;
    table->metadata = metadata;
    table->references = 1;
    *out_table = table;
    return NILAS_OK;
}

nilas_table *nilas_table_ref(nilas_table *table) {
    int before = __atomic_fetch_add(&table->references, 1, __ATOMIC_RELAXED);

    nilas_assert(before > 0);
    return table;
}

void nilas_table_unref(nilas_table *table) {
    if (table == NULL) {
        return;
    }
    int before = __atomic_fetch_sub(&table->references, 1, __ATOMIC_ACQ_REL);
    nilas_assert(before > 0);
    if (before == 1) {
        nilas_arena_free(table->arena);
    }
}
