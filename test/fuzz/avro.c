/**
 * Avro containers: read whole, by parts as a manifest is, and by one field that is mostly absent.
 * Whatever the bytes, the outcome is values or an error, within the memory of the arenas.
 */
#include "codec/codec.h"

#define MEMORY_BYTES (256UL << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Touch each value, so that a sanitizer sees what it points to. */
static uint64_t touch(const nilas_value *value) {
    return nilas_value_hash(value);
}

static nilas_code read_all(nilas_str bytes, const nilas_avro_wanted *wanted, bool copy) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, MEMORY_BYTES);
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, MEMORY_BYTES);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_avro_file *file;
    nilas_avro_plan *plan;
    const nilas_value *record;
    uint64_t sum = 0;

    NILAS_TRY(nilas_avro_open(arena, bytes, "fuzz", &file, &err));
    NILAS_TRY(nilas_avro_plan_new(arena, file, wanted, &plan, &err));
    for (size_t i = 0; i < 100000; i++) {
        NILAS_TRY(nilas_avro_next(file, plan, copy, scratch, &record, &err));
        if (record == NULL) {
            break;
        }
        sum += touch(record);
        nilas_arena_reset(scratch);
    }
    return sum == 1 ? NILAS_CANCELLED : NILAS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const int32_t keys[] = {1, 2, 5};
    nilas_avro_wanted summary = {.field_id = 509};
    nilas_avro_wanted list = {.children = &summary, .child_count = 1};
    nilas_avro_wanted file_parts[] = {
        {.field_id = 100},
        {.field_id = 102},
        {.field_id = 125, .keys = keys, .key_count = 3},
        {.field_id = 507, .children = &list, .child_count = 1},
    };
    nilas_avro_wanted parts[] = {
        {.field_id = 0, .name = {"status", 6}},
        {.field_id = 2, .name = {"data_file", 9}, .children = file_parts, .child_count = 4},
        {.field_id = 507, .children = &list, .child_count = 1},
    };
    nilas_avro_wanted by_parts = {.children = parts, .child_count = 3};
    nilas_avro_wanted none = {.children = &summary, .child_count = 1};
    nilas_str bytes = {.data = (const char *)data, .size = size};

    (void)read_all(bytes, NULL, true);
    (void)read_all(bytes, &by_parts, false);
    (void)read_all(bytes, &none, false);
    return 0;
}
