/* A manifest's Avro schema resolved into the steps that decode its entries. */
#include "iceberg/decode.h"

typedef struct known_field {
    int32_t field_id;
    const char *name;
    nilas_decode_op op;
    uint32_t offset;
    int columns;   // read only when one of these is wanted; 0: always
    bool required; // by every version of the format, and by us
} known_field;

#define ENTRY(member)                                                                              \
    (uint32_t)(offsetof(nilas_decoded, entry) + offsetof(nilas_manifest_entry, member))
#define FILE_MEMBER(member)                                                                        \
    (uint32_t)(offsetof(nilas_decoded, entry) + offsetof(nilas_manifest_entry, file) +             \
               offsetof(nilas_data_file, member))

/* The lists of a data file all have the shape of nilas_decode_list. */
#define CHECK_LIST(items_member, count_member, has_member)                                         \
    _Static_assert(                                                                                \
        offsetof(nilas_data_file, count_member) - offsetof(nilas_data_file, items_member) ==       \
                offsetof(nilas_decode_list, count) &&                                              \
            offsetof(nilas_data_file, has_member) - offsetof(nilas_data_file, items_member) ==     \
                offsetof(nilas_decode_list, present),                                              \
        "nilas_decode_list lies over " #items_member)
CHECK_LIST(column_sizes, column_size_count, has_column_sizes);
CHECK_LIST(value_counts, value_count_count, has_value_counts);
CHECK_LIST(null_value_counts, null_value_count_count, has_null_value_counts);
CHECK_LIST(nan_value_counts, nan_value_count_count, has_nan_value_counts);
CHECK_LIST(lower_bounds, lower_bound_count, has_lower_bounds);
CHECK_LIST(upper_bounds, upper_bound_count, has_upper_bounds);
CHECK_LIST(split_offsets, split_offset_count, has_split_offsets);
CHECK_LIST(equality_ids, equality_id_count, has_equality_ids);

static const known_field entry_fields[] = {
    {0, "status", NILAS_DECODE_INT32, offsetof(nilas_decoded, status), 0, true},
    {1, "snapshot_id", NILAS_DECODE_INT64, ENTRY(snapshot_id), 0, false},
    {3, "sequence_number", NILAS_DECODE_INT64, ENTRY(sequence_number), 0, false},
    {4, "file_sequence_number", NILAS_DECODE_INT64, ENTRY(file_sequence_number), 0, false},
    {2, "data_file", NILAS_DECODE_RECORD, 0, 0, true},
};

static const known_field file_fields[] = {
    {134, "content", NILAS_DECODE_INT32, offsetof(nilas_decoded, content), 0, false},
    {100, "file_path", NILAS_DECODE_TEXT, FILE_MEMBER(file_path), 0, true},
    {101, "file_format", NILAS_DECODE_TEXT, FILE_MEMBER(file_format), 0, true},
    {102, "partition", NILAS_DECODE_PARTITION, 0, 0, false},
    {103, "record_count", NILAS_DECODE_INT64, FILE_MEMBER(record_count), 0, true},
    {104, "file_size_in_bytes", NILAS_DECODE_INT64, FILE_MEMBER(file_size_in_bytes), 0, false},
    {108, "column_sizes", NILAS_DECODE_COUNTS, FILE_MEMBER(column_sizes), NILAS_MANIFEST_SIZES,
     false},
    {109, "value_counts", NILAS_DECODE_COUNTS, FILE_MEMBER(value_counts), NILAS_MANIFEST_STATS,
     false},
    {110, "null_value_counts", NILAS_DECODE_COUNTS, FILE_MEMBER(null_value_counts),
     NILAS_MANIFEST_STATS, false},
    {137, "nan_value_counts", NILAS_DECODE_COUNTS, FILE_MEMBER(nan_value_counts),
     NILAS_MANIFEST_STATS, false},
    {125, "lower_bounds", NILAS_DECODE_BOUNDS, FILE_MEMBER(lower_bounds), NILAS_MANIFEST_STATS,
     false},
    {128, "upper_bounds", NILAS_DECODE_BOUNDS, FILE_MEMBER(upper_bounds), NILAS_MANIFEST_STATS,
     false},
    {131, "key_metadata", NILAS_DECODE_TEXT, FILE_MEMBER(key_metadata), 0, false},
    {132, "split_offsets", NILAS_DECODE_INT64_LIST, FILE_MEMBER(split_offsets),
     NILAS_MANIFEST_SIZES, false},
    {135, "equality_ids", NILAS_DECODE_INT32_LIST, FILE_MEMBER(equality_ids), 0, false},
    {140, "sort_order_id", NILAS_DECODE_INT32, FILE_MEMBER(sort_order_id), NILAS_MANIFEST_SIZES,
     false},
    {142, "first_row_id", NILAS_DECODE_INT64, FILE_MEMBER(first_row_id), 0, false},
    {143, "referenced_data_file", NILAS_DECODE_TEXT, FILE_MEMBER(referenced_data_file), 0, false},
    {144, "content_offset", NILAS_DECODE_INT64, FILE_MEMBER(content_offset), 0, false},
    {145, "content_size_in_bytes", NILAS_DECODE_INT64, FILE_MEMBER(content_size_in_bytes), 0,
     false},
};
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

typedef struct planner {
    nilas_arena *arena;
    const nilas_partition_spec *spec;
    const nilas_ice_type *partition_type;
    int columns;
    nilas_error *err;
} planner;

static nilas_code plan_field(planner *plan, const known_field *known, nilas_decode_step *out);

/** Look through a union with null. Other unions stay what they are. */
static void unwrap(const nilas_avro_schema *schema, nilas_decode_step *out) {
    out->schema = schema;
    out->null_branch = -1;
    if (schema->kind != NILAS_AVRO_UNION || schema->field_count != 2) {
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        if (schema->fields[i].schema->kind == NILAS_AVRO_NULL) {
            out->null_branch = (int8_t)i;
            out->schema = schema->fields[1 - i].schema;
        }
    }
}

static bool has_ids(const nilas_avro_schema *record) {
    for (size_t i = 0; i < record->field_count; i++) {
        if (record->fields[i].field_id >= 0) {
            return true;
        }
    }
    return false;
}

static const known_field *find_known(const known_field *known, size_t count,
                                     const nilas_avro_field *field, bool by_id) {
    for (size_t i = 0; i < count; i++) {
        if (by_id ? known[i].field_id == field->field_id
                  : nilas_str_is(field->name, known[i].name)) {
            return &known[i];
        }
    }
    return NULL;
}

static bool is_integer(const nilas_avro_schema *schema) {
    return schema->kind == NILAS_AVRO_INT || schema->kind == NILAS_AVRO_LONG;
}

static bool is_text(const nilas_avro_schema *schema) {
    return schema->kind == NILAS_AVRO_STRING || schema->kind == NILAS_AVRO_BYTES;
}

static void plan_skip(const nilas_avro_schema *schema, nilas_decode_step *out) {
    out->op = NILAS_DECODE_SKIP;
    out->null_branch = -1;
    out->schema = schema;
}

/** As plan_skip(); the maps and lists that make up most of a manifest get their own fast way. */
static void plan_skip_list(const nilas_avro_schema *schema, nilas_decode_step *out) {
    nilas_decode_step list = *out;

    plan_skip(schema, out);
    unwrap(schema, &list);
    if (list.schema->kind != NILAS_AVRO_ARRAY) {
        return;
    }
    const nilas_avro_schema *item = list.schema->fields[0].schema;
    bool is_pair = item->kind == NILAS_AVRO_RECORD && item->field_count == 2 &&
                   is_integer(item->fields[0].schema);
    if (is_integer(item) || (is_pair && is_integer(item->fields[1].schema))) {
        *out = list;
        out->op = NILAS_DECODE_SKIP_NUMBERS;
        out->skip_numbers = is_pair ? 2 : 1;
    } else if (is_pair && is_text(item->fields[1].schema)) {
        *out = list;
        out->op = NILAS_DECODE_SKIP_BOUNDS;
    }
}

/** One step for each field of a record, skipping what is unknown or not wanted. */
static nilas_code plan_record(planner *plan, const nilas_avro_schema *record,
                              const known_field *known, size_t count, nilas_decode_step *out) {
    bool by_id = has_ids(record);
    uint64_t found = 0;

    nilas_assert(count <= 64); // a bit each in `found`
    out->child_count = record->field_count;
    NILAS_NEW_ARRAY(plan->arena, &out->children, record->field_count, plan->err);
    for (size_t i = 0; i < record->field_count; i++) {
        const known_field *field = find_known(known, count, &record->fields[i], by_id);
        nilas_decode_step *step = &out->children[i];
        plan_skip_list(record->fields[i].schema, step);
        if (field != NULL && (field->columns == 0 || (field->columns & plan->columns) != 0)) {
            unwrap(record->fields[i].schema, step);
            NILAS_TRY(plan_field(plan, field, step));
        }
        found |= field != NULL ? 1ULL << (field - known) : 0;
    }
    for (size_t i = 0; i < count; i++) {
        NILAS_REQUIRE(!known[i].required || (found & 1ULL << i) != 0, plan->err, NILAS_CORRUPT,
                      "the manifest's schema lacks field %d \"%s\"", known[i].field_id,
                      known[i].name);
    }
    return NILAS_OK;
}

static nilas_code wrong_type(planner *plan, const known_field *known, const char *expected) {
    return nilas_fail(plan->err, NILAS_CORRUPT,
                      "field %d \"%s\" of the manifest's schema must be %s", known->field_id,
                      known->name, expected);
}

/** A map with integer keys is an array of records of key and value. */
static nilas_code plan_map(planner *plan, const known_field *known, nilas_decode_step *out) {
    const nilas_avro_schema *item =
        out->schema->kind == NILAS_AVRO_ARRAY ? out->schema->fields[0].schema : NULL;
    bool counts = known->op == NILAS_DECODE_COUNTS;

    if (item == NULL || item->kind != NILAS_AVRO_RECORD || item->field_count != 2) {
        return wrong_type(plan, known, "an array of keys and values");
    }
    out->child_count = 2;
    NILAS_NEW_ARRAY(plan->arena, &out->children, 2, plan->err);
    out->is_plain = true;
    for (size_t i = 0; i < 2; i++) {
        nilas_decode_step *step = &out->children[i];
        unwrap(item->fields[i].schema, step);
        step->op = i == 0 ? NILAS_DECODE_KEY : counts ? NILAS_DECODE_INT64 : NILAS_DECODE_TEXT;
        if (i == 0 || counts ? !is_integer(step->schema) : !is_text(step->schema)) {
            return wrong_type(plan, known,
                              counts ? "a map of int to long" : "a map of int to binary");
        }
        out->is_plain = out->is_plain && step->null_branch == -1;
    }
    return NILAS_OK;
}

/* ---- partition tuples ------------------------------------------------------------------------ */

static int64_t timestamp_factor(const nilas_avro_schema *schema, nilas_ice_kind kind) {
    bool nanos = kind == NILAS_ICE_TIMESTAMP_NS || kind == NILAS_ICE_TIMESTAMPTZ_NS;

    if (kind < NILAS_ICE_TIMESTAMP || kind > NILAS_ICE_TIMESTAMPTZ_NS) {
        return 1;
    }
    if (nilas_str_is(schema->logical_type, "date")) { // written before the column was promoted
        return NILAS_MICROS_PER_DAY * (nanos ? 1000 : 1);
    }
    if (nilas_str_is(schema->logical_type, "timestamp-millis")) {
        return nanos ? 1000000 : 1000;
    }
    return nanos && nilas_str_is(schema->logical_type, "timestamp-micros") ? 1000 : 1;
}

/** Whether values of an Avro type can stand for an Iceberg type. */
static bool suits(const nilas_avro_schema *schema, const nilas_ice_type *type) {
    bool bytes = schema->kind == NILAS_AVRO_BYTES || schema->kind == NILAS_AVRO_FIXED;

    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: return schema->kind == NILAS_AVRO_BOOLEAN;
    case NILAS_ICE_FLOAT: return schema->kind == NILAS_AVRO_FLOAT;
    case NILAS_ICE_DOUBLE:
        return schema->kind == NILAS_AVRO_FLOAT || schema->kind == NILAS_AVRO_DOUBLE;
    case NILAS_ICE_DECIMAL: return bytes && schema->fixed_size <= 16;
    case NILAS_ICE_STRING: return is_text(schema);
    case NILAS_ICE_UUID: return schema->kind == NILAS_AVRO_FIXED && schema->fixed_size == 16;
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY: return bytes;
    case NILAS_ICE_INT:
    case NILAS_ICE_LONG:
    case NILAS_ICE_DATE:
    case NILAS_ICE_TIME:
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ:
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS: return is_integer(schema);
    default: return true;
    }
}

/** Fields whose values never matter may have any type, and may be missing. */
static bool is_free(const nilas_partition_field *field, const nilas_ice_type *type) {
    return field->transform.kind == NILAS_TRANSFORM_VOID ||
           field->transform.kind == NILAS_TRANSFORM_UNKNOWN || type->kind == NILAS_ICE_UNKNOWN;
}

static nilas_code plan_value(planner *plan, size_t position, nilas_decode_step *out) {
    const nilas_partition_field *field = &plan->spec->fields[position];
    const nilas_ice_type *type = plan->partition_type->fields[position].type;
    bool is_plain_value =
        out->schema->kind >= NILAS_AVRO_BOOLEAN && out->schema->kind <= NILAS_AVRO_FIXED;

    out->op = NILAS_DECODE_VALUE;
    out->offset = (uint32_t)position;
    out->factor = timestamp_factor(out->schema, type->kind);
    out->scale =
        type->kind == NILAS_ICE_DECIMAL ? (uint32_t)type->scale : (uint32_t)out->schema->scale;
    out->kind = type->kind;
    if (is_free(field, type)) {
        out->kind = NILAS_ICE_UNKNOWN;
        if (!is_plain_value || field->transform.kind == NILAS_TRANSFORM_VOID) {
            out->op = NILAS_DECODE_SKIP;
        }
        return NILAS_OK;
    }
    if (!is_plain_value || !suits(out->schema, type)) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
        nilas_ice_type_print(&text, type);
        return nilas_fail(
            plan->err, NILAS_CORRUPT,
            "partition field %d \"%.*s\" of the manifest's schema must be %.*s, found Avro kind %d",
            field->field_id, NILAS_FMT(field->name), NILAS_FMT(nilas_buf_view(&text)),
            (int)out->schema->kind);
    }
    return NILAS_OK;
}

static size_t find_position(const nilas_partition_spec *spec, const nilas_avro_field *field,
                            bool by_id) {
    for (size_t i = 0; i < spec->field_count; i++) {
        if (by_id ? spec->fields[i].field_id == field->field_id
                  : nilas_str_equal(spec->fields[i].name, field->name)) {
            return i;
        }
    }
    return SIZE_MAX;
}

static nilas_code plan_partition(planner *plan, nilas_decode_step *out) {
    const nilas_avro_schema *record = out->schema;
    bool by_id = has_ids(record);
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    bool *seen;

    NILAS_REQUIRE(scratch != NULL, plan->err, NILAS_NOMEM, "out of memory");
    NILAS_NEW_ARRAY(scratch, &seen, plan->spec->field_count, plan->err);
    out->child_count = record->field_count;
    NILAS_NEW_ARRAY(plan->arena, &out->children, record->field_count, plan->err);
    for (size_t i = 0; i < record->field_count; i++) {
        size_t position = find_position(plan->spec, &record->fields[i], by_id);
        nilas_decode_step *step = &out->children[i];
        plan_skip(record->fields[i].schema, step);
        if (position != SIZE_MAX && !seen[position]) {
            seen[position] = true;
            unwrap(record->fields[i].schema, step);
            NILAS_TRY(plan_value(plan, position, step));
            if (step->op == NILAS_DECODE_SKIP) {
                plan_skip(record->fields[i].schema, step); // skipping looks at the union itself
            }
        }
    }
    for (size_t i = 0; i < plan->spec->field_count; i++) {
        const nilas_partition_field *field = &plan->spec->fields[i];
        NILAS_REQUIRE(seen[i] || is_free(field, plan->partition_type->fields[i].type), plan->err,
                      NILAS_CORRUPT,
                      "the manifest's partition tuple lacks field %d \"%.*s\" of partition spec %d",
                      field->field_id, NILAS_FMT(field->name), plan->spec->spec_id);
    }
    return NILAS_OK;
}

/** A file without any tuple would otherwise read as the partition of nulls. */
static nilas_code check_partition(planner *plan, const nilas_decode_step *file) {
    bool found = false;

    for (size_t i = 0; i < file->child_count; i++) {
        found = found || file->children[i].op == NILAS_DECODE_PARTITION;
    }
    for (size_t i = 0; !found && i < plan->spec->field_count; i++) {
        NILAS_REQUIRE(
            is_free(&plan->spec->fields[i], plan->partition_type->fields[i].type), plan->err,
            NILAS_CORRUPT,
            "the manifest's schema lacks field 102 \"partition\", which partition spec %d needs",
            plan->spec->spec_id);
    }
    return NILAS_OK;
}

/* ---- one field ------------------------------------------------------------------------------- */

static nilas_code plan_list(planner *plan, const known_field *known, nilas_decode_step *out) {
    if (out->schema->kind != NILAS_AVRO_ARRAY || !is_integer(out->schema->fields[0].schema)) {
        return wrong_type(plan, known, "a list of integers");
    }
    return NILAS_OK;
}

static nilas_code plan_field(planner *plan, const known_field *known, nilas_decode_step *out) {
    out->op = known->op;
    out->offset = known->offset;
    switch (known->op) {
    case NILAS_DECODE_INT32:
    case NILAS_DECODE_INT64:
        return is_integer(out->schema) ? NILAS_OK : wrong_type(plan, known, "an integer");
    case NILAS_DECODE_TEXT:
        return is_text(out->schema) ? NILAS_OK : wrong_type(plan, known, "a string or bytes");
    case NILAS_DECODE_COUNTS:
    case NILAS_DECODE_BOUNDS: return plan_map(plan, known, out);
    case NILAS_DECODE_INT64_LIST:
    case NILAS_DECODE_INT32_LIST: return plan_list(plan, known, out);
    default: break;
    }
    if (out->schema->kind != NILAS_AVRO_RECORD) {
        return wrong_type(plan, known, "a struct");
    }
    if (known->op == NILAS_DECODE_PARTITION) {
        return plan_partition(plan, out);
    }
    NILAS_TRY(plan_record(plan, out->schema, file_fields, COUNT_OF(file_fields), out));
    return check_partition(plan, out);
}

nilas_code nilas_iceberg__plan_manifest(nilas_arena *arena, const nilas_avro_schema *schema,
                                        const nilas_partition_spec *spec,
                                        const nilas_ice_type *partition_type, int columns,
                                        nilas_decode_step **out, nilas_error *err) {
    planner plan = {.arena = arena,
                    .spec = spec,
                    .partition_type = partition_type,
                    .columns = columns,
                    .err = err};
    nilas_decode_step *root;

    nilas_assert(partition_type->field_count == spec->field_count);
    NILAS_REQUIRE(schema->kind == NILAS_AVRO_RECORD, err, NILAS_CORRUPT,
                  "the manifest's schema must be a struct");
    NILAS_NEW(arena, &root, err);
    root->op = NILAS_DECODE_RECORD;
    root->null_branch = -1;
    root->schema = schema;
    NILAS_TRY(plan_record(&plan, schema, entry_fields, COUNT_OF(entry_fields), root));
    *out = root;
    return NILAS_OK;
}
