/*
 * Table metadata as JSON, in the order in which Iceberg's Java library writes it.
 *
 * Members of the file it was parsed from that are not modelled here follow at the end, so that a
 * rewrite loses nothing.
 */
#include "iceberg/parse.h"

static void print_str(nilas_buf *out, const char *name, nilas_str text) {
    nilas_buf_print(out, ",\"%s\":", name);
    nilas_json_print_string(out, text);
}

static void print_int(nilas_buf *out, const char *name, int64_t value) {
    nilas_buf_print(out, ",\"%s\":%lld", name, (long long)value);
}

static void print_head(nilas_buf *out, const nilas_metadata *metadata) {
    nilas_buf_print(out, "{\"format-version\":%d", metadata->format_version);
    if (metadata->table_uuid.size > 0) {
        print_str(out, "table-uuid", metadata->table_uuid);
    }
    print_str(out, "location", metadata->location);
    if (metadata->format_version > 1) {
        print_int(out, "last-sequence-number", metadata->last_sequence_number);
    }
    print_int(out, "last-updated-ms", metadata->last_updated_ms);
    print_int(out, "last-column-id", metadata->last_column_id);
}

static void print_schemas(nilas_buf *out, const nilas_metadata *metadata) {
    if (metadata->format_version == 1) {
        nilas_buf_add_text(out, ",\"schema\":");
        nilas_schema_print(out, nilas_metadata_current_schema(metadata));
    }
    print_int(out, "current-schema-id", metadata->current_schema_id);
    nilas_buf_add_text(out, ",\"schemas\":[");
    for (size_t i = 0; i < metadata->schema_count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_schema_print(out, metadata->schemas[i]);
    }
    nilas_buf_add_text(out, "]");
}

static void print_specs(nilas_buf *out, const nilas_metadata *metadata) {
    if (metadata->format_version == 1) {
        nilas_buf_add_text(out, ",\"partition-spec\":");
        nilas_iceberg__print_spec_fields(out,
                                         nilas_metadata_spec(metadata, metadata->default_spec_id));
    }
    print_int(out, "default-spec-id", metadata->default_spec_id);
    nilas_buf_add_text(out, ",\"partition-specs\":[");
    for (size_t i = 0; i < metadata->spec_count; i++) {
        nilas_buf_print(out, "%s{\"spec-id\":%d,\"fields\":", i > 0 ? "," : "",
                        metadata->specs[i]->spec_id);
        nilas_iceberg__print_spec_fields(out, metadata->specs[i]);
        nilas_buf_add_text(out, "}");
    }
    nilas_buf_add_text(out, "]");
    print_int(out, "last-partition-id", metadata->last_partition_id);
    print_int(out, "default-sort-order-id", metadata->default_sort_order_id);
    nilas_buf_add_text(out, ",\"sort-orders\":[");
    for (size_t i = 0; i < metadata->sort_order_count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_iceberg__print_sort_order(out, metadata->sort_orders[i]);
    }
    nilas_buf_add_text(out, "]");
}

static void print_properties(nilas_buf *out, const nilas_metadata *metadata) {
    nilas_buf_add_text(out, ",\"properties\":{");
    for (size_t i = 0; i < metadata->property_count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_json_print_string(out, metadata->properties[i].key);
        nilas_buf_add_text(out, ":");
        nilas_json_print_string(out, metadata->properties[i].value);
    }
    nilas_buf_add_text(out, "}");
}

static void print_ref(nilas_buf *out, const nilas_ref *ref) {
    nilas_json_print_string(out, ref->name);
    nilas_buf_print(out, ":{\"snapshot-id\":%lld,\"type\":\"%s\"", (long long)ref->snapshot_id,
                    ref->is_tag ? "tag" : "branch");
    if (ref->min_snapshots_to_keep != -1) {
        print_int(out, "min-snapshots-to-keep", ref->min_snapshots_to_keep);
    }
    if (ref->max_snapshot_age_ms != -1) {
        print_int(out, "max-snapshot-age-ms", ref->max_snapshot_age_ms);
    }
    if (ref->max_ref_age_ms != -1) {
        print_int(out, "max-ref-age-ms", ref->max_ref_age_ms);
    }
    nilas_buf_add_text(out, "}");
}

static void print_snapshots(nilas_buf *out, const nilas_metadata *metadata) {
    // "No snapshot" was -1 before it was null.
    if (metadata->current_snapshot_id == -1 && metadata->format_version >= 3) {
        nilas_buf_add_text(out, ",\"current-snapshot-id\":null");
    } else {
        print_int(out, "current-snapshot-id", metadata->current_snapshot_id);
    }
    if (metadata->format_version >= 3) {
        print_int(out, "next-row-id", metadata->next_row_id);
    }
    nilas_buf_add_text(out, ",\"refs\":{");
    for (size_t i = 0; i < metadata->ref_count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        print_ref(out, &metadata->refs[i]);
    }
    nilas_buf_add_text(out, "},\"snapshots\":[");
    for (size_t i = 0; i < metadata->snapshot_count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_iceberg__print_snapshot(out, &metadata->snapshots[i]);
    }
    nilas_buf_add_text(out, "]");
}

static void print_statistics(nilas_buf *out, const char *name, const nilas_statistics_file *files,
                             size_t count) {
    nilas_buf_print(out, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        if (files[i].json != NULL) {
            nilas_json_print(out, files[i].json, 0);
            continue;
        }
        nilas_buf_print(out, "{\"snapshot-id\":%lld", (long long)files[i].snapshot_id);
        print_str(out, "statistics-path", files[i].path);
        print_int(out, "file-size-in-bytes", files[i].file_size);
        nilas_buf_add_text(out, "}");
    }
    nilas_buf_add_text(out, "]");
}

static void print_logs(nilas_buf *out, const nilas_metadata *metadata) {
    nilas_buf_add_text(out, ",\"snapshot-log\":[");
    for (size_t i = 0; i < metadata->snapshot_log_count; i++) {
        const nilas_log_entry *entry = &metadata->snapshot_log[i];
        nilas_buf_print(out, "%s{\"timestamp-ms\":%lld,\"snapshot-id\":%lld}", i > 0 ? "," : "",
                        (long long)entry->timestamp_ms, (long long)entry->snapshot_id);
    }
    nilas_buf_add_text(out, "],\"metadata-log\":[");
    for (size_t i = 0; i < metadata->metadata_log_count; i++) {
        const nilas_metadata_log_entry *entry = &metadata->metadata_log[i];
        nilas_buf_print(out, "%s{\"timestamp-ms\":%lld", i > 0 ? "," : "",
                        (long long)entry->timestamp_ms);
        print_str(out, "metadata-file", entry->metadata_file);
        nilas_buf_add_text(out, "}");
    }
    nilas_buf_add_text(out, "]");
}

static bool is_modelled(nilas_str name) {
    static const char *const names[] = {
        "format-version",
        "table-uuid",
        "location",
        "last-sequence-number",
        "last-updated-ms",
        "last-column-id",
        "schema",
        "current-schema-id",
        "schemas",
        "partition-spec",
        "default-spec-id",
        "partition-specs",
        "last-partition-id",
        "default-sort-order-id",
        "sort-orders",
        "properties",
        "current-snapshot-id",
        "next-row-id",
        "refs",
        "snapshots",
        "statistics",
        "partition-statistics",
        "snapshot-log",
        "metadata-log",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (nilas_str_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

static void print_unmodelled(nilas_buf *out, const nilas_json *json) {
    for (size_t i = 0; json != NULL && i < json->count; i++) {
        if (!is_modelled(json->names[i])) {
            nilas_buf_add_text(out, ",");
            nilas_json_print_string(out, json->names[i]);
            nilas_buf_add_text(out, ":");
            nilas_json_print(out, &json->items[i], 0);
        }
    }
}

nilas_code nilas_metadata_print(nilas_arena *arena, const nilas_metadata *metadata, nilas_str *out,
                                nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT((size_t)NILAS_LIMIT_METADATA_BYTES);

    print_head(&text, metadata);
    print_schemas(&text, metadata);
    print_specs(&text, metadata);
    print_properties(&text, metadata);
    print_snapshots(&text, metadata);
    print_statistics(&text, "statistics", metadata->statistics, metadata->statistics_count);
    print_statistics(&text, "partition-statistics", metadata->partition_statistics,
                     metadata->partition_statistics_count);
    print_logs(&text, metadata);
    print_unmodelled(&text, metadata->json);
    nilas_buf_add_text(&text, "}");
    return nilas_buf_finish(&text, arena, out, err);
}
