/* Any bytes as a manifest of one of several specs, its entries then evaluated: the same entries
 * whether kept or not. */
#include "iceberg/iceberg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Spec 0: unpartitioned; 1: identity(c); 2: day(ts), bucket(id); 3: unknown and void. */
static const char table[] =
    "{\"format-version\":3,\"location\":\"/t\",\"schemas\":[{\"type\":\"struct\",\"schema-id\":0,"
    "\"fields\":[{\"id\":1,\"name\":\"id\",\"required\":false,\"type\":\"long\"},{\"id\":2,"
    "\"name\":\"c\",\"required\":false,\"type\":\"string\"},{\"id\":3,\"name\":\"ts\","
    "\"required\":false,\"type\":\"timestamptz\"},{\"id\":4,\"name\":\"d\",\"required\":false,"
    "\"type\":\"double\"}]}],\"current-schema-id\":0,\"partition-specs\":[{\"spec-id\":0,"
    "\"fields\":[]},{\"spec-id\":1,\"fields\":[{\"source-id\":2,\"field-id\":1000,\"name\":\"c\","
    "\"transform\":\"identity\"}]},{\"spec-id\":2,\"fields\":[{\"source-id\":3,\"field-id\":1001,"
    "\"name\":\"ts_day\",\"transform\":\"day\"},{\"source-id\":1,\"field-id\":1002,\"name\":\"b\","
    "\"transform\":\"bucket[4]\"}]},{\"spec-id\":3,\"fields\":[{\"source-id\":1,"
    "\"field-id\":1003,\"name\":\"z\",\"transform\":\"zorder\"},{\"source-id\":1,"
    "\"field-id\":1004,\"name\":\"v\",\"transform\":\"void\"}]}],\"default-spec-id\":0}";
#define SPEC_COUNT 4

typedef struct walk {
    nilas_arena *arena;
    nilas_evaluator *evaluator;
    size_t count;
    uint64_t hash;
} walk;

static bool look(void *context, const nilas_manifest_entry *entry) {
    walk *w = context;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_manifest_entry copy;

    w->count++;
    w->hash = w->hash * 31 + nilas_str_hash(entry->file.file_path) +
              (uint64_t)entry->file.record_count + nilas_value_hash(&entry->file.partition) +
              entry->file.lower_bound_count;
    (void)nilas_evaluator_partition(w->evaluator, &entry->file.partition);
    (void)nilas_evaluator_metrics(w->evaluator, &entry->file);
    (void)nilas_evaluator_all(w->evaluator, &entry->file);
    (void)!nilas_manifest_entry_copy(w->arena, entry, &copy, &err);
    return true;
}

static nilas_code walk_once(walk *w, const nilas_metadata *metadata, nilas_str bytes,
                            int32_t spec_id, bool keep) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_manifest_file manifest = {
        .path = NILAS_STR("input"), .partition_spec_id = spec_id, .first_row_id = 10};
    nilas_manifest_visit visit = {
        .columns = NILAS_MANIFEST_ALL, .keep = keep, .body = look, .context = w};

    nilas_code code = nilas_manifest_decode(w->arena, metadata, &manifest, bytes, &visit, &err);
    nilas_assert(code == NILAS_OK || err.message[0] != '\0');
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, (size_t)512 << 20);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str bytes = {.data = (const char *)data, .size = size};
    nilas_value literal = nilas_value_of_int(5);
    nilas_predicate leaf = {.kind = NILAS_PREDICATE_LT,
                            .field_id = 1,
                            .type = nilas_ice_primitive(NILAS_ICE_LONG),
                            .literals = &literal,
                            .literal_count = 1};
    nilas_metadata *metadata;

    nilas_assert(arena != NULL);
    nilas_assert(nilas_metadata_parse(arena, nilas_str_of(table), NILAS_STR("table"), &metadata,
                                      &err) == NILAS_OK);
    for (int32_t spec_id = 0; spec_id < SPEC_COUNT; spec_id++) {
        walk first = {.arena = arena};
        nilas_assert(nilas_evaluator_new(arena, metadata, nilas_metadata_current_schema(metadata),
                                         nilas_metadata_spec(metadata, spec_id), &leaf,
                                         &first.evaluator, &err) == NILAS_OK);
        walk second = first;
        nilas_code code = walk_once(&first, metadata, bytes, spec_id, false);
        nilas_assert(walk_once(&second, metadata, bytes, spec_id, true) == code);
        nilas_assert(first.count == second.count && first.hash == second.hash);
    }
    return 0;
}
