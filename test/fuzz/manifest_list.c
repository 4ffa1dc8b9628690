/* Any bytes as a manifest list. */
#include "iceberg/iceberg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, (size_t)256 << 20);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_manifest_file *list;
    size_t count;

    nilas_assert(arena != NULL);
    if (nilas_manifest_list_decode(arena, (nilas_str){.data = (const char *)data, .size = size},
                                   NILAS_STR("input"), &list, &count, &err) != NILAS_OK) {
        nilas_assert(err.message[0] != '\0');
    }
    return 0;
}
