/* Columns of the files to be written: DuckDB's types and field ids for them, leaves with their
 * metrics modes. */
#include "engine/writer.h"

/* ---- types and ids ---- */

static void print_decimal(nilas_buf *out, const nilas_ice_type *type) {
    nilas_buf_print(out, "DECIMAL(%d, %d)", type->precision, type->scale);
}

static nilas_code print_nested(nilas_buf *out, const nilas_ice_type *type, nilas_error *err) {
    if (type->kind == NILAS_ICE_LIST) {
        NILAS_TRY(nilas_write__print_type(out, type->fields[0].type, err));
        nilas_buf_add_text(out, "[]");
        return NILAS_OK;
    }
    nilas_buf_add_text(out, type->kind == NILAS_ICE_MAP ? "MAP(" : "STRUCT(");
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (type->kind == NILAS_ICE_STRUCT) {
            nilas_render__identifier(out, type->fields[i].name);
            nilas_buf_add_char(out, ' ');
        }
        NILAS_TRY(nilas_write__print_type(out, type->fields[i].type, err));
    }
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

nilas_code nilas_write__print_type(nilas_buf *out, const nilas_ice_type *type, nilas_error *err) {
    const char *name = NULL;

    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: name = "BOOLEAN"; break;
    case NILAS_ICE_INT: name = "INTEGER"; break;
    case NILAS_ICE_LONG: name = "BIGINT"; break;
    case NILAS_ICE_FLOAT: name = "FLOAT"; break;
    case NILAS_ICE_DOUBLE: name = "DOUBLE"; break;
    case NILAS_ICE_DECIMAL: print_decimal(out, type); return NILAS_OK;
    case NILAS_ICE_DATE: name = "DATE"; break;
    case NILAS_ICE_TIME: name = "TIME"; break;
    case NILAS_ICE_TIMESTAMP: name = "TIMESTAMP"; break;
    case NILAS_ICE_TIMESTAMPTZ: name = "TIMESTAMP WITH TIME ZONE"; break;
    case NILAS_ICE_TIMESTAMP_NS: name = "TIMESTAMP_NS"; break;
    case NILAS_ICE_STRING: name = "VARCHAR"; break;
    case NILAS_ICE_UUID: name = "UUID"; break;
    case NILAS_ICE_BINARY: name = "BLOB"; break;
    case NILAS_ICE_STRUCT:
    case NILAS_ICE_LIST:
    case NILAS_ICE_MAP: return print_nested(out, type, err);
    default: {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
        nilas_ice_type_print(&text, type);
        return nilas_fail(err, NILAS_UNSUPPORTED,
                          "writing columns of type %.*s to Parquet is not supported%s",
                          NILAS_FMT(nilas_buf_view(&text)),
                          type->kind == NILAS_ICE_FIXED
                              ? ": the engine's writer has no byte arrays of fixed length; "
                                "write.format.default = avro holds them"
                              : "");
    }
    }
    nilas_buf_add_text(out, name);
    return NILAS_OK;
}

static void print_member_id(nilas_buf *out, const nilas_ice_type *parent, size_t i) {
    static const char *const map_names[] = {"key", "value"};
    const nilas_ice_field *field = &parent->fields[i];

    if (parent->kind == NILAS_ICE_STRUCT) {
        nilas_render__identifier(out, field->name);
    } else {
        nilas_buf_add_text(out, parent->kind == NILAS_ICE_LIST ? "element" : map_names[i]);
    }
    nilas_buf_add_text(out, ": ");
    if (nilas_ice_is_nested(field->type)) {
        nilas_write__print_field_ids(out, field->type, field->id);
    } else {
        nilas_buf_print(out, "%d", field->id);
    }
}

void nilas_write__print_field_ids(nilas_buf *out, const nilas_ice_type *type, int32_t own_id) {
    const char *separator = "";

    nilas_buf_add_char(out, '{');
    if (own_id >= 0) {
        nilas_buf_print(out, "__duckdb_field_id: %d", own_id);
        separator = ", ";
    }
    for (size_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].type->kind == NILAS_ICE_UNKNOWN) {
            continue;
        }
        nilas_buf_add_text(out, separator);
        print_member_id(out, type, i);
        separator = ", ";
    }
    nilas_buf_add_char(out, '}');
}

/* ---- metrics modes ---- */

static nilas_code parse_mode(nilas_str text, nilas_metrics_mode *out, nilas_error *err) {
    int64_t length = 0;
    nilas_str prefix = NILAS_STR("truncate(");

    *out = (nilas_metrics_mode){.kind = NILAS_METRICS_FULL};
    if (nilas_str_is_nocase(text, "none")) {
        out->kind = NILAS_METRICS_NONE;
    } else if (nilas_str_is_nocase(text, "counts")) {
        out->kind = NILAS_METRICS_COUNTS;
    } else if (nilas_str_starts_nocase(text, prefix) && nilas_str_ends(text, NILAS_STR(")")) &&
               nilas_str_to_int64(nilas_str_slice(text, prefix.size, text.size - prefix.size - 1),
                                  &length) &&
               length > 0 && length <= INT32_MAX) {
        *out = (nilas_metrics_mode){.kind = NILAS_METRICS_TRUNCATE, .length = (int32_t)length};
    } else if (!nilas_str_is_nocase(text, "full")) {
        return nilas_fail(err, NILAS_INVALID, "Invalid metrics mode: %.*s", NILAS_FMT(text));
    }
    return NILAS_OK;
}

static const nilas_metrics_mode default_mode = {.kind = NILAS_METRICS_TRUNCATE, .length = 16};

/** Columns that files are sorted by have bounds at least. */
static bool is_sorted_by(const nilas_writer *w, int32_t field_id) {
    for (size_t i = 0; w->order != NULL && i < w->order->field_count; i++) {
        const nilas_sort_field *field = &w->order->fields[i];
        if (field->source_id == field_id && field->transform.kind != NILAS_TRANSFORM_BUCKET) {
            return true;
        }
    }
    return false;
}

/** Mode of a column by the table's properties; `is_first` of those that get metrics unasked. */
static nilas_code find_mode(const nilas_writer *w, const nilas_ice_field *field, bool is_first,
                            nilas_metrics_mode *out, nilas_error *err) {
    const nilas_metadata *metadata = w->table->metadata;
    nilas_str fallback =
        nilas_metadata_property(metadata, "write.metadata.metrics.default", (nilas_str){0});
    nilas_str dotted, key;

    *out = is_first ? default_mode : (nilas_metrics_mode){.kind = NILAS_METRICS_NONE};
    if (w->content == NILAS_FILE_POSITION_DELETES) { // paths must be found by their bounds
        out->kind = NILAS_METRICS_FULL;
        return NILAS_OK;
    }
    if (fallback.data != NULL) {
        NILAS_TRY(parse_mode(fallback, out, err));
    }
    if (out->kind <= NILAS_METRICS_COUNTS && is_sorted_by(w, field->id)) {
        *out = default_mode;
    }
    if (nilas_schema_name_of(w->stmt, w->schema, field->id, &dotted, NULL) != NILAS_OK) {
        return NILAS_OK; // row lineage
    }
    NILAS_TRY(nilas_str_print(w->stmt, &key, err, "write.metadata.metrics.column.%.*s",
                              NILAS_FMT(dotted)));
    nilas_str own = nilas_metadata_property(metadata, key.data, (nilas_str){0});
    return own.data != NULL ? parse_mode(own, out, err) : NILAS_OK;
}

/* ---- leaves ---- */

typedef struct leaf_walk {
    nilas_writer *writer;
    size_t limit; // of leaves that get metrics unasked
} leaf_walk;

static nilas_code add_leaves(leaf_walk *walk, const nilas_ice_field *field, nilas_str path,
                             bool is_repeated, nilas_error *err) {
    static const char *const names[] = {"key", "value"};
    nilas_writer *w = walk->writer;
    const nilas_ice_type *type = field->type;

    if (!nilas_ice_is_nested(type)) {
        nilas_write_leaf leaf = {.field = field, .path = path, .is_repeated = is_repeated};
        if (type->kind == NILAS_ICE_UNKNOWN) {
            return NILAS_OK;
        }
        NILAS_TRY(find_mode(w, field, w->leaves.count < walk->limit, &leaf.mode, err));
        NILAS_PUSH(w->stmt, &w->leaves, leaf, err);
        return NILAS_OK;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_AUTO_BUF inner = NILAS_BUF_INIT(1 << 20);
        nilas_str copy, name = type->fields[i].name;
        if (type->kind != NILAS_ICE_STRUCT) {
            name = nilas_str_of(type->kind == NILAS_ICE_LIST ? "element" : names[i]);
        }
        nilas_buf_add(&inner, path);
        nilas_buf_add_char(&inner, '.');
        nilas_render__identifier(&inner, name);
        NILAS_TRY(nilas_buf_finish(&inner, w->stmt, &copy, err));
        NILAS_TRY(add_leaves(walk, &type->fields[i], copy,
                             is_repeated || type->kind != NILAS_ICE_STRUCT, err));
    }
    return NILAS_OK;
}

nilas_code nilas_write__find_leaves(nilas_writer *w, nilas_error *err) {
    leaf_walk walk = {.writer = w, .limit = 100};
    nilas_str limit = nilas_metadata_property(
        w->table->metadata, "write.metadata.metrics.max-inferred-column-defaults", (nilas_str){0});
    int64_t number = 0;

    if (limit.data != NULL && nilas_str_to_int64(limit, &number) && number >= 0) {
        walk.limit = (size_t)number;
    }
    for (size_t i = 0; i < w->columns.count; i++) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(1 << 20);
        nilas_str path;
        nilas_render__identifier(&name, w->columns.items[i].name);
        NILAS_TRY(nilas_buf_finish(&name, w->stmt, &path, err));
        NILAS_TRY(add_leaves(&walk, &w->columns.items[i], path, false, err));
    }
    nilas_map_init(&w->leaf_by_path, w->stmt, false);
    for (size_t i = 0; i < w->leaves.count; i++) {
        NILAS_TRY(
            nilas_map_put(&w->leaf_by_path, w->leaves.items[i].path, &w->leaves.items[i], err));
    }
    return NILAS_OK;
}
