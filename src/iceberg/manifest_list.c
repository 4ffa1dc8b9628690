/*
 * The manifests of a snapshot: its manifest list, or the inline paths that old version 1 snapshots
 * have.
 *
 * Lists are read by field id alone. Which version wrote one is never asked: what a file lacks takes
 * the default of Appendix E, and a list whose header says nothing about its version still gives its
 * delete manifests.
 */
#include "iceberg/manifest.h"

#include "iceberg/decode.h"

/* ---- manifest list files --------------------------------------------------------------------- */

// Positions in the record that is asked for; the order of `fields` below.
enum {
    AT_PATH,
    AT_LENGTH,
    AT_SPEC,
    AT_CONTENT,
    AT_SEQUENCE,
    AT_MIN_SEQUENCE,
    AT_SNAPSHOT,
    AT_ADDED_FILES,
    AT_EXISTING_FILES,
    AT_DELETED_FILES,
    AT_ADDED_ROWS,
    AT_EXISTING_ROWS,
    AT_DELETED_ROWS,
    AT_PARTITIONS,
    AT_KEY,
    AT_FIRST_ROW,
    FIELD_COUNT,
};

static const nilas_str added_files_names[] = {{.data = "added_data_files_count", .size = 22}};
static const nilas_str existing_files_names[] = {{.data = "existing_data_files_count", .size = 25}};
static const nilas_str deleted_files_names[] = {{.data = "deleted_data_files_count", .size = 24}};

#define NAMED(text) .name = {.data = (text), .size = sizeof(text) - 1}

static nilas_avro_wanted summary_fields[] = {
    {.field_id = 509, NAMED("contains_null")},
    {.field_id = 518, NAMED("contains_nan")},
    {.field_id = 510, NAMED("lower_bound")},
    {.field_id = 511, NAMED("upper_bound")},
};
static nilas_avro_wanted summary_element[] = {
    {.field_id = 508, NAMED("element"), .children = summary_fields, .child_count = 4},
};
static nilas_avro_wanted fields[FIELD_COUNT] = {
    [AT_PATH] = {.field_id = 500, NAMED("manifest_path"), .required = true},
    [AT_LENGTH] = {.field_id = 501, NAMED("manifest_length")},
    [AT_SPEC] = {.field_id = 502, NAMED("partition_spec_id"), .required = true},
    [AT_CONTENT] = {.field_id = 517, NAMED("content")},
    [AT_SEQUENCE] = {.field_id = 515, NAMED("sequence_number")},
    [AT_MIN_SEQUENCE] = {.field_id = 516, NAMED("min_sequence_number")},
    [AT_SNAPSHOT] = {.field_id = 503, NAMED("added_snapshot_id")},
    [AT_ADDED_FILES] = {.field_id = 504,
                        NAMED("added_files_count"),
                        .aliases = added_files_names,
                        .alias_count = 1},
    [AT_EXISTING_FILES] = {.field_id = 505,
                           NAMED("existing_files_count"),
                           .aliases = existing_files_names,
                           .alias_count = 1},
    [AT_DELETED_FILES] = {.field_id = 506,
                          NAMED("deleted_files_count"),
                          .aliases = deleted_files_names,
                          .alias_count = 1},
    [AT_ADDED_ROWS] = {.field_id = 512, NAMED("added_rows_count")},
    [AT_EXISTING_ROWS] = {.field_id = 513, NAMED("existing_rows_count")},
    [AT_DELETED_ROWS] = {.field_id = 514, NAMED("deleted_rows_count")},
    [AT_PARTITIONS] = {.field_id = 507,
                       NAMED("partitions"),
                       .children = summary_element,
                       .child_count = 1},
    [AT_KEY] = {.field_id = 519, NAMED("key_metadata")},
    [AT_FIRST_ROW] = {.field_id = 520, NAMED("first_row_id")},
};
static const nilas_avro_wanted wanted_list = {
    .field_id = -1, .children = fields, .child_count = FIELD_COUNT};

/** The integer at a position, `absent` when null. */
static nilas_code get_int(const nilas_value *record, size_t position, int64_t absent, int64_t *out,
                          nilas_error *err) {
    const nilas_value *value = &record->items[position];

    NILAS_REQUIRE(value->kind == NILAS_VALUE_INT || value->kind == NILAS_VALUE_NULL, err,
                  NILAS_CORRUPT, "field \"%s\" must be an integer", fields[position].name.data);
    *out = value->kind == NILAS_VALUE_INT ? value->integer : absent;
    return NILAS_OK;
}

static nilas_code get_int32(const nilas_value *record, size_t position, int64_t absent,
                            int32_t *out, nilas_error *err) {
    int64_t wide;

    NILAS_TRY(get_int(record, position, absent, &wide, err));
    NILAS_REQUIRE(wide >= INT32_MIN && wide <= INT32_MAX, err, NILAS_CORRUPT,
                  "field \"%s\" must be a 32-bit integer, found %lld", fields[position].name.data,
                  (long long)wide);
    *out = (int32_t)wide;
    return NILAS_OK;
}

static bool is_bytes(const nilas_value *value) {
    return value->kind == NILAS_VALUE_BINARY || value->kind == NILAS_VALUE_STRING;
}

/** A summary that is null or has other types than it should keeps its manifest: nothing is known
 *  then. */
static nilas_field_summary read_summary(const nilas_value *value) {
    nilas_field_summary summary = {.contains_null = true};

    if (value->kind != NILAS_VALUE_STRUCT || value->count != 4) {
        summary.has_contains_nan = summary.contains_nan = true;
        return summary;
    }
    if (value->items[0].kind == NILAS_VALUE_BOOL) {
        summary.contains_null = value->items[0].boolean;
    }
    if (value->items[1].kind == NILAS_VALUE_BOOL) {
        summary.has_contains_nan = true;
        summary.contains_nan = value->items[1].boolean;
    }
    if (is_bytes(&value->items[2])) {
        summary.lower_bound = value->items[2].text;
    }
    if (is_bytes(&value->items[3])) {
        summary.upper_bound = value->items[3].text;
    }
    return summary;
}

static nilas_code read_partitions(nilas_arena *arena, const nilas_value *list,
                                  nilas_manifest_file *out, nilas_error *err) {
    if (list->kind != NILAS_VALUE_LIST) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &out->partitions, list->count, err);
    for (size_t i = 0; i < list->count; i++) {
        out->partitions[i] = read_summary(&list->items[i]);
    }
    out->partition_count = list->count;
    out->has_partitions = true;
    return NILAS_OK;
}

static nilas_code read_counts(const nilas_value *record, nilas_manifest_file *out,
                              nilas_error *err) {
    NILAS_TRY(get_int32(record, AT_ADDED_FILES, -1, &out->added_files_count, err));
    NILAS_TRY(get_int32(record, AT_EXISTING_FILES, -1, &out->existing_files_count, err));
    NILAS_TRY(get_int32(record, AT_DELETED_FILES, -1, &out->deleted_files_count, err));
    NILAS_TRY(get_int(record, AT_ADDED_ROWS, -1, &out->added_rows_count, err));
    NILAS_TRY(get_int(record, AT_EXISTING_ROWS, -1, &out->existing_rows_count, err));
    return get_int(record, AT_DELETED_ROWS, -1, &out->deleted_rows_count, err);
}

static nilas_code read_record(nilas_arena *arena, const nilas_value *record,
                              nilas_manifest_file *out, nilas_error *err) {
    int64_t content;

    NILAS_REQUIRE(is_bytes(&record->items[AT_PATH]), err, NILAS_CORRUPT,
                  "field \"manifest_path\" must be a string");
    out->path = record->items[AT_PATH].text;
    NILAS_TRY(get_int(record, AT_LENGTH, -1, &out->length, err));
    NILAS_TRY(get_int32(record, AT_SPEC, 0, &out->partition_spec_id, err));
    NILAS_TRY(get_int(record, AT_CONTENT, NILAS_MANIFEST_DATA, &content, err));
    NILAS_REQUIRE(content == NILAS_MANIFEST_DATA || content == NILAS_MANIFEST_DELETES, err,
                  NILAS_CORRUPT, "content of manifest \"%.*s\" must be 0 or 1, found %lld",
                  NILAS_FMT(out->path), (long long)content);
    out->content = (nilas_manifest_content)content;
    NILAS_TRY(get_int(record, AT_SEQUENCE, 0, &out->sequence_number, err));
    NILAS_TRY(get_int(record, AT_MIN_SEQUENCE, 0, &out->min_sequence_number, err));
    NILAS_TRY(get_int(record, AT_SNAPSHOT, -1, &out->added_snapshot_id, err));
    NILAS_TRY(read_counts(record, out, err));
    NILAS_TRY(read_partitions(arena, &record->items[AT_PARTITIONS], out, err));
    if (is_bytes(&record->items[AT_KEY])) {
        out->key_metadata = record->items[AT_KEY].text;
    }
    return get_int(record, AT_FIRST_ROW, -1, &out->first_row_id, err);
}

typedef NILAS_ARRAY_OF(nilas_manifest_file) manifest_files;

/** `bytes` and the strings of the result live in `arena`. */
static nilas_code decode_list(nilas_arena *arena, nilas_str bytes, nilas_str path,
                              manifest_files *out, nilas_error *err) {
    nilas_str what;
    nilas_avro_file *file;
    nilas_avro_plan *plan;
    const nilas_value *record;

    NILAS_TRY(nilas_str_print(arena, &what, err, "manifest list \"%.*s\"", NILAS_FMT(path)));
    NILAS_TRY(nilas_avro_open(arena, bytes, what.data, &file, err));
    NILAS_TRY(nilas_avro_plan_new(arena, file, &wanted_list, &plan, err));
    for (;;) {
        nilas_manifest_file manifest = {0};
        NILAS_TRY(nilas_avro_next(file, plan, true, arena, &record, err));
        if (record == NULL) {
            return NILAS_OK;
        }
        nilas_code code = read_record(arena, record, &manifest, err);
        if (code != NILAS_OK) {
            nilas_error_append(err, "in manifest list \"%.*s\"", NILAS_FMT(path));
            return code;
        }
        NILAS_PUSH(arena, out, manifest, err);
    }
}

nilas_code nilas_manifest_list_decode(nilas_arena *arena, nilas_str bytes, nilas_str path,
                                      nilas_manifest_file **out, size_t *out_count,
                                      nilas_error *err) {
    manifest_files list = {0};

    NILAS_TRY(nilas_iceberg__check_avro(bytes, "manifest list", path, err));
    NILAS_TRY(decode_list(arena, bytes, path, &list, err));
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}

/* ---- inline manifests of version 1 ----------------------------------------------------------- */

/** What a list would have told comes from the manifest's own header; counts stay unknown. */
static nilas_code describe_inline(nilas_io *io, nilas_arena *arena, nilas_arena *scratch,
                                  nilas_str path, int64_t spec_id, nilas_manifest_file *out,
                                  nilas_error *err) {
    nilas_str bytes;
    nilas_str what;
    nilas_str text;
    nilas_avro_file *file;

    NILAS_TRY(nilas_io_read(io, scratch, path, (size_t)NILAS_LIMIT_MANIFEST_BYTES, &bytes, err));
    NILAS_TRY(nilas_iceberg__check_avro(bytes, "manifest", path, err));
    NILAS_TRY(nilas_str_print(scratch, &what, err, "manifest \"%.*s\"", NILAS_FMT(path)));
    NILAS_TRY(nilas_avro_open(scratch, bytes, what.data, &file, err));
    if (nilas_avro_file_property(file, "partition-spec-id", &text)) {
        NILAS_REQUIRE(nilas_str_to_int64(text, &spec_id) && spec_id >= INT32_MIN &&
                          spec_id <= INT32_MAX,
                      err, NILAS_CORRUPT,
                      "partition-spec-id of manifest \"%.*s\" must be an integer, found \"%.*s\"",
                      NILAS_FMT(path), NILAS_FMT(text));
    }
    *out = (nilas_manifest_file){
        .length = (int64_t)bytes.size,
        .partition_spec_id = (int32_t)spec_id,
        .added_snapshot_id = -1,
        .added_files_count = -1,
        .existing_files_count = -1,
        .deleted_files_count = -1,
        .added_rows_count = -1,
        .existing_rows_count = -1,
        .deleted_rows_count = -1,
        .first_row_id = -1,
    };
    return nilas_str_copy(arena, path, &out->path, err);
}

static nilas_code load_inline(nilas_io *io, nilas_arena *arena, const nilas_metadata *metadata,
                              const nilas_snapshot *snapshot, nilas_manifest_file **out,
                              size_t *out_count, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(arena, 0);
    int32_t spec_id = nilas_metadata_spec(metadata, 0) != NULL
                          ? 0
                          : metadata->default_spec_id; // of headers without one
    nilas_manifest_file *list;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_NEW_ARRAY(arena, &list, snapshot->manifest_count, err);
    for (size_t i = 0; i < snapshot->manifest_count; i++) {
        NILAS_TRY(
            describe_inline(io, arena, scratch, snapshot->manifests[i], spec_id, &list[i], err));
        nilas_arena_reset(scratch);
    }
    *out = list;
    *out_count = snapshot->manifest_count;
    return NILAS_OK;
}

nilas_code nilas_snapshot_manifests(nilas_io *io, nilas_arena *arena,
                                    const nilas_metadata *metadata, const nilas_snapshot *snapshot,
                                    nilas_manifest_file **out, size_t *out_count,
                                    nilas_error *err) {
    nilas_str bytes;

    if (snapshot->manifest_list.size == 0) {
        return load_inline(io, arena, metadata, snapshot, out, out_count, err);
    }
    NILAS_REQUIRE(snapshot->key_id.size == 0, err, NILAS_UNSUPPORTED,
                  "the manifest list \"%.*s\" is encrypted (key \"%.*s\")",
                  NILAS_FMT(snapshot->manifest_list), NILAS_FMT(snapshot->key_id));
    NILAS_TRY(nilas_io_read(io, arena, snapshot->manifest_list, (size_t)NILAS_LIMIT_MANIFEST_BYTES,
                            &bytes, err));
    return nilas_manifest_list_decode(arena, bytes, snapshot->manifest_list, out, out_count, err);
}
