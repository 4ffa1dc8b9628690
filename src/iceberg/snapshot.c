/* Snapshots, references, logs and statistics files: JSON in and out. */
#include "iceberg/parse.h"

/** The summary without "operation", which has its own place. */
static nilas_code parse_summary(nilas_arena *arena, const nilas_json *json, nilas_snapshot *out,
                                nilas_error *err) {
    size_t kept = 0;

    out->operation = NILAS_STR_EMPTY;
    NILAS_TRY(nilas_iceberg__parse_properties(arena, nilas_json_find(json, "summary"),
                                              &out->summary, &out->summary_count, err));
    for (size_t i = 0; i < out->summary_count; i++) {
        if (nilas_str_is(out->summary[i].key, "operation")) {
            out->operation = out->summary[i].value;
        } else {
            out->summary[kept++] = out->summary[i];
        }
    }
    out->summary_count = kept;
    return NILAS_OK;
}

static nilas_code parse_manifests(nilas_arena *arena, const nilas_json *json, nilas_snapshot *out,
                                  nilas_error *err) {
    const nilas_json *list = NULL;

    out->manifest_list = NILAS_STR_EMPTY;
    NILAS_TRY(nilas_json_find_str(json, "manifest-list", &out->manifest_list, err));
    NILAS_TRY(nilas_iceberg__find_array(json, "manifests", &list, err));
    if (out->manifest_list.size > 0 || list == NULL) {
        NILAS_REQUIRE(out->manifest_list.size > 0, err, NILAS_CORRUPT,
                      "snapshot %lld has neither \"manifest-list\" nor \"manifests\"",
                      (long long)out->snapshot_id);
        return NILAS_OK;
    }
    out->manifest_count = list->count;
    NILAS_NEW_ARRAY(arena, &out->manifests, list->count, err);
    for (size_t i = 0; i < list->count; i++) {
        NILAS_REQUIRE(list->items[i].kind == NILAS_JSON_STRING, err, NILAS_CORRUPT,
                      "\"manifests\" of snapshot %lld must hold strings",
                      (long long)out->snapshot_id);
        out->manifests[i] = list->items[i].text;
    }
    return NILAS_OK;
}

nilas_code nilas_iceberg__parse_snapshot(nilas_arena *arena, const nilas_json *json,
                                         nilas_snapshot *out, nilas_error *err) {
    *out = (nilas_snapshot){.parent_id = -1,
                            .schema_id = -1,
                            .first_row_id = -1,
                            .added_rows = -1,
                            .key_id = NILAS_STR_EMPTY};
    NILAS_TRY(nilas_json_get_int(json, "snapshot-id", &out->snapshot_id, err));
    NILAS_TRY(nilas_json_find_int(json, "parent-snapshot-id", &out->parent_id, err));
    NILAS_TRY(nilas_json_find_int(json, "sequence-number", &out->sequence_number, err));
    NILAS_TRY(nilas_json_get_int(json, "timestamp-ms", &out->timestamp_ms, err));
    NILAS_TRY(nilas_iceberg__find_int32(json, "schema-id", &out->schema_id, err));
    NILAS_TRY(nilas_json_find_int(json, "first-row-id", &out->first_row_id, err));
    NILAS_TRY(nilas_json_find_int(json, "added-rows", &out->added_rows, err));
    NILAS_TRY(nilas_json_find_str(json, "key-id", &out->key_id, err));
    NILAS_TRY(parse_summary(arena, json, out, err));
    return parse_manifests(arena, json, out, err);
}

/* ---- references ------------------------------------------------------------------------------ */

static nilas_code parse_ref(nilas_str name, const nilas_json *json, nilas_ref *out,
                            nilas_error *err) {
    nilas_str type = NILAS_STR("branch");

    *out = (nilas_ref){
        .name = name, .max_ref_age_ms = -1, .max_snapshot_age_ms = -1, .min_snapshots_to_keep = -1};
    NILAS_TRY(nilas_json_get_int(json, "snapshot-id", &out->snapshot_id, err));
    NILAS_TRY(nilas_json_find_str(json, "type", &type, err));
    NILAS_TRY(nilas_json_find_int(json, "max-ref-age-ms", &out->max_ref_age_ms, err));
    NILAS_TRY(nilas_json_find_int(json, "max-snapshot-age-ms", &out->max_snapshot_age_ms, err));
    NILAS_TRY(
        nilas_iceberg__find_int32(json, "min-snapshots-to-keep", &out->min_snapshots_to_keep, err));
    out->is_tag = nilas_str_is_nocase(type, "tag");
    NILAS_REQUIRE(out->is_tag || nilas_str_is_nocase(type, "branch"), err, NILAS_CORRUPT,
                  "Invalid snapshot ref type: %.*s of \"%.*s\"", NILAS_FMT(type), NILAS_FMT(name));
    return NILAS_OK;
}

static nilas_code check_main(const nilas_metadata *metadata, const nilas_ref *main_ref,
                             nilas_error *err) {
    if (main_ref != NULL) {
        NILAS_REQUIRE(main_ref->snapshot_id == metadata->current_snapshot_id, err, NILAS_CORRUPT,
                      "Current snapshot ID does not match main branch (%lld != %lld)",
                      (long long)metadata->current_snapshot_id, (long long)main_ref->snapshot_id);
    }
    return NILAS_OK;
}

nilas_code nilas_iceberg__parse_refs(nilas_arena *arena, const nilas_json *json,
                                     nilas_metadata *metadata, nilas_error *err) {
    const nilas_json *refs = nilas_json_find(json, "refs");
    size_t count = refs != NULL && refs->kind == NILAS_JSON_OBJECT ? refs->count : 0;
    const nilas_ref *main_ref = NULL;

    NILAS_REQUIRE(refs == NULL || refs->kind == NILAS_JSON_OBJECT || refs->kind == NILAS_JSON_NULL,
                  err, NILAS_CORRUPT, "\"refs\" must be an object");
    NILAS_NEW_ARRAY(arena, &metadata->refs, count + 1, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(parse_ref(refs->names[i], &refs->items[i], &metadata->refs[i], err));
        if (nilas_str_is(refs->names[i], "main")) {
            main_ref = &metadata->refs[i];
        }
    }
    NILAS_TRY(check_main(metadata, main_ref, err));
    if (main_ref == NULL && nilas_metadata_current_snapshot(metadata) != NULL) {
        metadata->refs[count++] = (nilas_ref){.name = NILAS_STR("main"),
                                              .snapshot_id = metadata->current_snapshot_id,
                                              .max_ref_age_ms = -1,
                                              .max_snapshot_age_ms = -1,
                                              .min_snapshots_to_keep = -1};
    }
    metadata->ref_count = count;
    return NILAS_OK;
}

/* ---- logs and statistics --------------------------------------------------------------------- */

static nilas_code parse_snapshot_log(nilas_arena *arena, const nilas_json *log,
                                     nilas_metadata *metadata, nilas_error *err) {
    metadata->snapshot_log_count = log->count;
    NILAS_NEW_ARRAY(arena, &metadata->snapshot_log, log->count, err);
    for (size_t i = 0; i < log->count; i++) {
        NILAS_TRY(nilas_json_get_int(&log->items[i], "snapshot-id",
                                     &metadata->snapshot_log[i].snapshot_id, err));
        NILAS_TRY(nilas_json_get_int(&log->items[i], "timestamp-ms",
                                     &metadata->snapshot_log[i].timestamp_ms, err));
    }
    return NILAS_OK;
}

static nilas_code parse_metadata_log(nilas_arena *arena, const nilas_json *log,
                                     nilas_metadata *metadata, nilas_error *err) {
    metadata->metadata_log_count = log->count;
    NILAS_NEW_ARRAY(arena, &metadata->metadata_log, log->count, err);
    for (size_t i = 0; i < log->count; i++) {
        NILAS_TRY(nilas_json_get_str(&log->items[i], "metadata-file",
                                     &metadata->metadata_log[i].metadata_file, err));
        NILAS_TRY(nilas_json_get_int(&log->items[i], "timestamp-ms",
                                     &metadata->metadata_log[i].timestamp_ms, err));
    }
    return NILAS_OK;
}

nilas_code nilas_iceberg__parse_logs(nilas_arena *arena, const nilas_json *json,
                                     nilas_metadata *metadata, nilas_error *err) {
    const nilas_json *log = NULL;

    NILAS_TRY(nilas_iceberg__find_array(json, "snapshot-log", &log, err));
    if (log != NULL) {
        NILAS_TRY(parse_snapshot_log(arena, log, metadata, err));
    }
    log = NULL;
    NILAS_TRY(nilas_iceberg__find_array(json, "metadata-log", &log, err));
    if (log != NULL) {
        NILAS_TRY(parse_metadata_log(arena, log, metadata, err));
    }
    return NILAS_OK;
}

static nilas_code parse_files(nilas_arena *arena, const nilas_json *json, const char *name,
                              nilas_statistics_file **out, size_t *out_count, nilas_error *err) {
    const nilas_json *list = NULL;

    NILAS_TRY(nilas_iceberg__find_array(json, name, &list, err));
    if (list == NULL) {
        return NILAS_OK;
    }
    *out_count = list->count;
    NILAS_NEW_ARRAY(arena, out, list->count, err);
    for (size_t i = 0; i < list->count; i++) {
        nilas_statistics_file *file = &(*out)[i];
        file->json = &list->items[i];
        NILAS_TRY(nilas_json_get_int(file->json, "snapshot-id", &file->snapshot_id, err));
        NILAS_TRY(nilas_json_get_str(file->json, "statistics-path", &file->path, err));
        NILAS_TRY(nilas_json_find_int(file->json, "file-size-in-bytes", &file->file_size, err));
        NILAS_TRY(
            nilas_json_find_int(file->json, "file-footer-size-in-bytes", &file->footer_size, err));
    }
    return NILAS_OK;
}

nilas_code nilas_iceberg__parse_statistics(nilas_arena *arena, const nilas_json *json,
                                           nilas_metadata *metadata, nilas_error *err) {
    NILAS_TRY(parse_files(arena, json, "statistics", &metadata->statistics,
                          &metadata->statistics_count, err));
    return parse_files(arena, json, "partition-statistics", &metadata->partition_statistics,
                       &metadata->partition_statistics_count, err);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_summary(nilas_buf *out, const nilas_snapshot *snapshot) {
    const char *separator = "";

    nilas_buf_add_text(out, ",\"summary\":{");
    if (snapshot->operation.size > 0) {
        nilas_buf_add_text(out, "\"operation\":");
        nilas_json_print_string(out, snapshot->operation);
        separator = ",";
    }
    for (size_t i = 0; i < snapshot->summary_count; i++) {
        nilas_buf_add_text(out, separator);
        nilas_json_print_string(out, snapshot->summary[i].key);
        nilas_buf_add_text(out, ":");
        nilas_json_print_string(out, snapshot->summary[i].value);
        separator = ",";
    }
    nilas_buf_add_text(out, "}");
}

static void print_manifests(nilas_buf *out, const nilas_snapshot *snapshot) {
    if (snapshot->manifest_list.size > 0) {
        nilas_buf_add_text(out, ",\"manifest-list\":");
        nilas_json_print_string(out, snapshot->manifest_list);
        return;
    }
    nilas_buf_add_text(out, ",\"manifests\":[");
    for (size_t i = 0; i < snapshot->manifest_count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_json_print_string(out, snapshot->manifests[i]);
    }
    nilas_buf_add_text(out, "]");
}

static void print_optional(nilas_buf *out, const char *name, int64_t value, int64_t absent) {
    if (value != absent) {
        nilas_buf_print(out, ",\"%s\":%lld", name, (long long)value);
    }
}

void nilas_iceberg__print_snapshot(nilas_buf *out, const nilas_snapshot *snapshot) {
    nilas_buf_print(out, "{\"snapshot-id\":%lld", (long long)snapshot->snapshot_id);
    print_optional(out, "sequence-number", snapshot->sequence_number, 0);
    print_optional(out, "parent-snapshot-id", snapshot->parent_id, -1);
    nilas_buf_print(out, ",\"timestamp-ms\":%lld", (long long)snapshot->timestamp_ms);
    if (snapshot->operation.size > 0 || snapshot->summary_count > 0) {
        print_summary(out, snapshot);
    }
    print_manifests(out, snapshot);
    print_optional(out, "schema-id", snapshot->schema_id, -1);
    print_optional(out, "first-row-id", snapshot->first_row_id, -1);
    print_optional(out, "added-rows", snapshot->added_rows, -1);
    if (snapshot->key_id.size > 0) {
        nilas_buf_add_text(out, ",\"key-id\":");
        nilas_json_print_string(out, snapshot->key_id);
    }
    nilas_buf_add_text(out, "}");
}
