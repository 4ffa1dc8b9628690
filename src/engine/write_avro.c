/*
 * Avro files: rows fetched from DuckDB, encoded by the codec, one file at a time in memory. As with
 * Iceberg's own Avro files, the manifest knows nothing of their columns but the row count.
 *
 * Spec: iceberg#avro (Appendix A).
 */
#include "engine/writer.h"

/* ---- the schema ---- */

typedef struct schema_printer {
    nilas_buf *out;
    nilas_map named; // fixed types that are defined already
    nilas_arena *arena;
} schema_printer;

static nilas_code print_type(schema_printer *p, const nilas_ice_type *type, int32_t id,
                             nilas_error *err);

/** Names that Avro does not allow are spelled as Iceberg spells them, the real one beside. */
static void print_name(nilas_buf *out, nilas_str name) {
    nilas_buf_add_text(out, "\"name\":\"");
    bool changed = nilas_ice_avro_name_print(out, name);
    nilas_buf_add_text(out, "\"");
    if (changed) {
        nilas_buf_add_text(out, ",\"iceberg-field-name\":");
        nilas_json_print_string(out, name);
    }
}

static nilas_code print_optional(schema_printer *p, const nilas_ice_field *field,
                                 nilas_error *err) {
    nilas_buf_add_text(p->out, field->required ? "" : "[\"null\",");
    NILAS_TRY(print_type(p, field->type, field->id, err));
    nilas_buf_add_text(p->out, field->required ? "" : "]");
    return NILAS_OK;
}

static nilas_code print_record(schema_printer *p, nilas_str name, const nilas_ice_field *fields,
                               size_t count, nilas_error *err) {
    nilas_buf_print(p->out, "{\"type\":\"record\",\"name\":\"%.*s\",\"fields\":[", NILAS_FMT(name));
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(p->out, i > 0 ? ",{" : "{");
        print_name(p->out, fields[i].name);
        nilas_buf_add_text(p->out, ",\"type\":");
        NILAS_TRY(print_optional(p, &fields[i], err));
        nilas_buf_print(p->out, "%s,\"field-id\":%d}",
                        fields[i].required ? "" : ",\"default\":null", fields[i].id);
    }
    nilas_buf_add_text(p->out, "]}");
    return NILAS_OK;
}

static nilas_code print_map(schema_printer *p, const nilas_ice_type *type, nilas_error *err) {
    const nilas_ice_field *key = &type->fields[0], *value = &type->fields[1];
    nilas_ice_field pair[2] = {*key, *value};
    nilas_str name;

    pair[0].required = true;
    if (key->type->kind == NILAS_ICE_STRING) {
        nilas_buf_add_text(p->out, "{\"type\":\"map\",\"values\":");
        NILAS_TRY(print_optional(p, value, err));
        nilas_buf_print(p->out, ",\"key-id\":%d,\"value-id\":%d}", key->id, value->id);
        return NILAS_OK;
    }
    pair[0].name = NILAS_STR("key");
    pair[1].name = NILAS_STR("value");
    NILAS_TRY(nilas_str_print(p->arena, &name, err, "k%d_v%d", key->id, value->id));
    nilas_buf_add_text(p->out, "{\"type\":\"array\",\"logicalType\":\"map\",\"items\":");
    NILAS_TRY(print_record(p, name, pair, 2, err));
    nilas_buf_add_text(p->out, "}");
    return NILAS_OK;
}

/** A fixed is defined once, and named from then on. */
static nilas_code print_fixed(schema_printer *p, nilas_str name, int32_t size,
                              const char *properties, nilas_error *err) {
    static int defined;

    if (nilas_map_find(&p->named, name) != NULL) {
        nilas_buf_print(p->out, "\"%.*s\"", NILAS_FMT(name));
        return NILAS_OK;
    }
    nilas_buf_print(p->out, "{\"type\":\"fixed\",\"name\":\"%.*s\",\"size\":%d%s}", NILAS_FMT(name),
                    size, properties);
    return nilas_map_put(&p->named, name, &defined, err);
}

/** Bytes that hold every number of a precision. */
static int32_t decimal_size(int32_t precision) {
    nilas_int128 most = nilas_power_of_ten((uint32_t)precision);
    int32_t size = 1;

    while (size < 16 && (most >> (8 * size - 1)) != 0) {
        size++;
    }
    return size;
}

static nilas_code print_fixed_type(schema_printer *p, const nilas_ice_type *type,
                                   nilas_error *err) {
    nilas_str name, properties;

    if (type->kind == NILAS_ICE_UUID) {
        return print_fixed(p, NILAS_STR("uuid_fixed"), 16, ",\"logicalType\":\"uuid\"", err);
    }
    if (type->kind == NILAS_ICE_FIXED) {
        NILAS_TRY(nilas_str_print(p->arena, &name, err, "fixed_%d", type->length));
        return print_fixed(p, name, type->length, "", err);
    }
    NILAS_TRY(nilas_str_print(p->arena, &name, err, "decimal_%d_%d", type->precision, type->scale));
    NILAS_TRY(nilas_str_print(p->arena, &properties, err,
                              ",\"logicalType\":\"decimal\",\"precision\":%d,\"scale\":%d",
                              type->precision, type->scale));
    return print_fixed(p, name, decimal_size(type->precision), properties.data, err);
}

static const char *plain_type(const nilas_ice_type *type) {
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: return "\"boolean\"";
    case NILAS_ICE_INT: return "\"int\"";
    case NILAS_ICE_LONG: return "\"long\"";
    case NILAS_ICE_FLOAT: return "\"float\"";
    case NILAS_ICE_DOUBLE: return "\"double\"";
    case NILAS_ICE_STRING: return "\"string\"";
    case NILAS_ICE_BINARY: return "\"bytes\"";
    case NILAS_ICE_DATE: return "{\"type\":\"int\",\"logicalType\":\"date\"}";
    case NILAS_ICE_TIME: return "{\"type\":\"long\",\"logicalType\":\"time-micros\"}";
    case NILAS_ICE_TIMESTAMP:
        return "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\",\"adjust-to-utc\":false}";
    case NILAS_ICE_TIMESTAMPTZ:
        return "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\",\"adjust-to-utc\":true}";
    case NILAS_ICE_TIMESTAMP_NS:
        return "{\"type\":\"long\",\"logicalType\":\"timestamp-nanos\",\"adjust-to-utc\":false}";
    case NILAS_ICE_TIMESTAMPTZ_NS:
        return "{\"type\":\"long\",\"logicalType\":\"timestamp-nanos\",\"adjust-to-utc\":true}";
    default: return NULL;
    }
}

static nilas_code print_type(schema_printer *p, const nilas_ice_type *type, int32_t id,
                             nilas_error *err) {
    nilas_str name;
    const char *plain = plain_type(type);

    if (plain != NULL) {
        nilas_buf_add_text(p->out, plain);
        return NILAS_OK;
    }
    switch (type->kind) {
    case NILAS_ICE_DECIMAL:
    case NILAS_ICE_UUID:
    case NILAS_ICE_FIXED: return print_fixed_type(p, type, err);
    case NILAS_ICE_STRUCT:
        NILAS_TRY(nilas_str_print(p->arena, &name, err, "r%d", id));
        return print_record(p, name, type->fields, type->field_count, err);
    case NILAS_ICE_LIST:
        nilas_buf_add_text(p->out, "{\"type\":\"array\",\"items\":");
        NILAS_TRY(print_optional(p, &type->fields[0], err));
        nilas_buf_print(p->out, ",\"element-id\":%d}", type->fields[0].id);
        return NILAS_OK;
    case NILAS_ICE_MAP: return print_map(p, type, err);
    default: break;
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_ice_type_print(&text, type);
    return nilas_fail(err, NILAS_UNSUPPORTED,
                      "writing columns of type %.*s to Avro is not supported",
                      NILAS_FMT(nilas_buf_view(&text)));
}

/* ---- the rows ---- */

static nilas_code open_file(const nilas_writer *w, nilas_arena *arena, nilas_avro_writer **out,
                            nilas_error *err) {
    NILAS_AUTO_BUF schema = NILAS_BUF_INIT(0);
    NILAS_AUTO_BUF iceberg = NILAS_BUF_INIT(0);
    schema_printer p = {.out = &schema, .arena = arena};
    bool is_data = w->content == NILAS_FILE_DATA;
    nilas_str text;

    nilas_map_init(&p.named, arena, false);
    NILAS_TRY(print_record(&p, NILAS_STR("table"), w->columns.items, w->columns.count, err));
    NILAS_TRY(nilas_buf_finish(&schema, arena, &text, err));
    nilas_schema_print(&iceberg, w->schema);
    nilas_avro_property properties[] = {
        {NILAS_STR("iceberg.schema"), nilas_buf_view(&iceberg)},
        {NILAS_STR("delete-type"), NILAS_STR("position")},
    };
    return nilas_avro_writer_new(arena, text, properties, is_data ? 1 : 2, w->format.avro_codec, -1,
                                 out, err);
}

static nilas_code print_select(const nilas_writer *w, const nilas_write_rows *rows, nilas_str *out,
                               nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);

    nilas_buf_add_text(&sql, "SELECT ");
    for (size_t i = 0; i < w->columns.count; i++) {
        nilas_buf_add_text(&sql, i > 0 ? ", " : "");
        nilas_buf_add(&sql, rows->columns[i]);
    }
    nilas_buf_add_text(&sql, " FROM (");
    nilas_buf_add(&sql, rows->sql);
    nilas_buf_add_text(&sql, ") AS w");
    return nilas_buf_finish(&sql, w->stmt, out, err);
}

static nilas_code add_rows(const nilas_writer *w, nilas_avro_writer *file, nilas_arena *scratch,
                           duckdb_data_chunk chunk, nilas_error *err) {
    nilas_value *items;
    nilas_value row = {.kind = NILAS_VALUE_STRUCT, .count = w->columns.count};

    NILAS_NEW_ARRAY(scratch, &items, w->columns.count, err);
    row.items = items;
    for (idx_t at = 0; at < duckdb_data_chunk_get_size(chunk); at++) {
        for (size_t i = 0; i < w->columns.count; i++) {
            NILAS_TRY(nilas_engine__read_vector(scratch, duckdb_data_chunk_get_vector(chunk, i),
                                                w->columns.items[i].type, at, &items[i], err));
        }
        NILAS_TRY(nilas_avro_write(file, &row, err));
    }
    return NILAS_OK;
}

static nilas_code fill_file(const nilas_writer *w, nilas_str sql, nilas_avro_writer *file,
                            int64_t *out_count, nilas_error *err) {
    NILAS_AUTO_QUERY_RUN run = {0};
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_job__start(w->job, sql, &run, err));
    *out_count = 0;
    while (true) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(w->job, &run, &chunk, err));
        if (chunk == NULL) {
            return NILAS_OK;
        }
        nilas_arena_reset(scratch);
        NILAS_TRY(add_rows(w, file, scratch, chunk, err));
        *out_count += (int64_t)duckdb_data_chunk_get_size(chunk);
    }
}

nilas_code nilas_write__avro(nilas_writer *w, const nilas_write_rows *rows,
                             const nilas_value *partition, nilas_str location, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_data_file entry = nilas_write__new_entry(w, partition, location);
    nilas_avro_writer *file;
    nilas_str sql, bytes;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(open_file(w, arena, &file, err));
    NILAS_TRY(print_select(w, rows, &sql, err));
    NILAS_TRY(fill_file(w, sql, file, &entry.record_count, err));
    NILAS_TRY(nilas_avro_writer_finish(file, &bytes, err));
    NILAS_TRY(nilas_io_write(w->table->io, location, bytes, false, err));
    entry.file_size_in_bytes = (int64_t)bytes.size;
    NILAS_PUSH(w->stmt, &w->files, entry, err);
    return NILAS_OK;
}
