/* Any bytes as metadata.json: an error with words, or metadata that survives printing and
 * parsing. */
#include <stdlib.h>

#include "iceberg/iceberg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(nilas_arena *arena, const nilas_metadata *metadata) {
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_ice_type *type;
    const nilas_name_mapping *mapping;
    const nilas_snapshot *snapshot;
    nilas_metadata *again;
    nilas_str first;
    nilas_str second;

    if (nilas_metadata_print(arena, metadata, &first, &err) != NILAS_OK) {
        return;
    }
    nilas_assert(nilas_metadata_parse(arena, first, NILAS_STR("again"), &again, &err) == NILAS_OK);
    nilas_assert(nilas_metadata_print(arena, again, &second, &err) == NILAS_OK);
    nilas_assert(nilas_str_equal(first, second));
    (void)!nilas_metadata_partition_type(arena, metadata, &type, &err);
    (void)!nilas_metadata_name_mapping(arena, metadata, &mapping, &err);
    (void)!nilas_metadata_snapshot_as_of(metadata, 1500, &snapshot, &err);
    (void)nilas_metadata_is_ancestor(metadata, metadata->current_snapshot_id, 1);
    for (size_t i = 0; i < metadata->spec_count; i++) {
        (void)!nilas_spec_partition_type(arena, metadata, metadata->specs[i], &type, &err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, (size_t)256 << 20);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_metadata *metadata;

    nilas_assert(arena != NULL);
    if (nilas_metadata_parse(arena, (nilas_str){.data = (const char *)data, .size = size},
                             NILAS_STR("input"), &metadata, &err) == NILAS_OK) {
        check_again(arena, metadata);
    } else {
        nilas_assert(err.message[0] != '\0');
    }
    return 0;
}
