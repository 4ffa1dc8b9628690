/**
 * Footers of Parquet files: whatever the bytes, the outcome is a schema or an error, within the
 * memory of the arena; a copy of a schema has its signature.
 */
#include "engine/engine.h"
#include "engine/parquet_footer.h"

#define MEMORY_BYTES (256UL << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(nilas_str footer) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, MEMORY_BYTES);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_parquet_schema schema;
    nilas_parquet_schema copy;

    if (nilas_parquet__parse_schema(arena, footer, NILAS_STR("fuzz"), &schema, &err) != NILAS_OK) {
        nilas_assert(err.message[0] != '\0');
        return;
    }
    if (nilas_parquet__copy_schema(arena, &schema, &copy, &err) == NILAS_OK) {
        nilas_assert(nilas_str_equal(schema.signature, copy.signature));
        nilas_assert(schema.root.child_count == copy.root.child_count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    parse((nilas_str){.data = (const char *)data, .size = size});
    return 0;
}
