/**
 * compute_table_stats: how many different values columns have, as theta sketches in a Puffin file
 * that the table's metadata names.
 */
#include "session/procedure_stats.h"

#define THETA_BLOB "apache-datasketches-theta-v1"

typedef struct stats_column {
    const nilas_ice_field *field;
    NILAS_ARRAY_OF(nilas_str) path; // names from the top
    nilas_theta *sketch;
} stats_column;

typedef struct table_stats {
    nilas_procedure_call *call;
    nilas_arena *arena;
    const nilas_snapshot *snapshot;
    const nilas_schema *schema; // the snapshot's
    NILAS_ARRAY_OF(stats_column) columns;
    nilas_arena *scratch; // of decimals' bytes
} table_stats;

/* --- which snapshot, which columns
 * ---------------------------------------------------------------- */

nilas_code nilas_stats__snapshot(nilas_procedure_call *call, const nilas_snapshot **out,
                                 nilas_error *err) {
    NILAS_TRY(nilas_call__load(call, err));
    const nilas_metadata *metadata = call->table->metadata;
    *out = nilas_metadata_current_snapshot(metadata);
    if (nilas_call__has(call, "snapshot_id")) {
        int64_t id = nilas_call__int(call, "snapshot_id", -1);
        *out = nilas_metadata_snapshot(metadata, id);
        NILAS_REQUIRE(*out != NULL, err, NILAS_INVALID, "Snapshot not found: %lld", (long long)id);
    }
    return NILAS_OK;
}

/** Names from the top of the schema to a field that is in no list and no map. */
static nilas_code find_path(table_stats *state, const nilas_ice_type *type, stats_column *column,
                            bool *out_found, nilas_error *err) {
    *out_found = false;
    for (size_t i = 0; i < type->field_count && !*out_found; i++) {
        const nilas_ice_field *field = &type->fields[i];
        size_t depth = column->path.count;
        NILAS_PUSH(state->arena, &column->path, field->name, err);
        *out_found = field->id == column->field->id;
        if (!*out_found && field->type->kind == NILAS_ICE_STRUCT) {
            NILAS_TRY(find_path(state, field->type, column, out_found, err));
        }
        column->path.count = *out_found ? column->path.count : depth;
    }
    return NILAS_OK;
}

static nilas_code add_column(table_stats *state, const nilas_ice_field *field, nilas_error *err) {
    stats_column column = {.field = field};
    bool found;
    for (size_t i = 0; i < state->columns.count; i++) {
        if (state->columns.items[i].field == field) {
            return NILAS_OK;
        }
    }
    NILAS_TRY(find_path(state, &state->schema->type, &column, &found, err));
    NILAS_REQUIRE(found, err, NILAS_UNSUPPORTED,
                  "compute_table_stats does not support columns inside lists and maps: %.*s",
                  NILAS_FMT(field->name));
    NILAS_TRY(nilas_theta_new(state->arena, &column.sketch, err));
    NILAS_PUSH(state->arena, &state->columns, column, err);
    return NILAS_OK;
}

static void print_schema(nilas_buf *out, const nilas_schema *schema) {
    nilas_buf_add_text(out, "table {");
    for (size_t i = 0; i < schema->type.field_count; i++) {
        const nilas_ice_field *field = &schema->type.fields[i];
        nilas_buf_print(out, "\n  %d: %.*s: %s ", field->id, NILAS_FMT(field->name),
                        field->required ? "required" : "optional");
        nilas_ice_type_print(out, field->type);
    }
    nilas_buf_add_text(out, schema->type.field_count > 0 ? "\n}" : "}");
}

/** A column by its exact dotted name. */
static nilas_code find_column(table_stats *state, nilas_str name, const nilas_ice_field **out,
                              nilas_error *err) {
    const nilas_ice_field *field = nilas_schema_find_name(state->schema, name);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_str own = NILAS_STR_EMPTY;
    if (field != NULL) {
        NILAS_TRY(nilas_schema_name_of(state->arena, state->schema, field->id, &own, err));
    }
    if (field == NULL || !nilas_str_equal(own, name)) {
        print_schema(&text, state->schema);
        return nilas_fail(err, NILAS_INVALID, "Can't find column %.*s in %.*s", NILAS_FMT(name),
                          NILAS_FMT(nilas_buf_view(&text)));
    }
    nilas_ice_type_print(&text, field->type);
    NILAS_REQUIRE(!nilas_ice_is_nested(field->type), err, NILAS_INVALID,
                  "Can't compute stats on non-primitive type column: %.*s (%.*s)", NILAS_FMT(name),
                  NILAS_FMT(nilas_buf_view(&text)));
    *out = field;
    return NILAS_OK;
}

static nilas_code choose_columns(table_stats *state, nilas_error *err) {
    const nilas_value *named = nilas_call__value(state->call, "columns");
    if (!nilas_value_is_null(named)) {
        NILAS_REQUIRE(named->count > 0, err, NILAS_INVALID, "Columns cannot be null/empty");
        for (size_t i = 0; i < named->count; i++) {
            const nilas_ice_field *field;
            NILAS_REQUIRE(!nilas_value_is_null(&named->items[i]), err, NILAS_INVALID,
                          "Columns cannot be null/empty");
            NILAS_TRY(find_column(state, named->items[i].text, &field, err));
            NILAS_TRY(add_column(state, field, err));
        }
        return NILAS_OK;
    }
    for (size_t i = 0; i < state->schema->type.field_count; i++) {
        if (!nilas_ice_is_nested(state->schema->type.fields[i].type)) {
            NILAS_TRY(add_column(state, &state->schema->type.fields[i], err));
        }
    }
    NILAS_REQUIRE(state->columns.count > 0, err, NILAS_INVALID,
                  "No columns found to compute stats");
    return NILAS_OK;
}

/* --- the sketches
 * --------------------------------------------------------------------------------- */

/** Spark reads uuid as text; its bytes are what is counted. */
static const nilas_ice_type *counted_type(const nilas_ice_type *type) {
    return type->kind == NILAS_ICE_UUID    ? nilas_ice_primitive(NILAS_ICE_STRING)
           : type->kind == NILAS_ICE_FIXED ? nilas_ice_primitive(NILAS_ICE_BINARY)
                                           : type;
}

static nilas_code add_decimal(table_stats *state, const stats_column *column,
                              const nilas_value *value, nilas_error *err) {
    nilas_str bytes;
    NILAS_TRY(nilas_ice_value_encode(state->scratch, column->field->type, value, &bytes, err));
    nilas_theta_add(column->sketch, bytes.data, bytes.size);
    nilas_arena_reset(state->scratch);
    return NILAS_OK;
}

/** Iceberg's bytes of a single value, most without a copy. NaN has some, too; as a bound it has
 * none. */
static nilas_code add_value(table_stats *state, const stats_column *column,
                            const nilas_value *value, nilas_error *err) {
    int32_t narrow;
    float single;
    switch (column->field->type->kind) {
    case NILAS_ICE_BOOLEAN: nilas_theta_add(column->sketch, &value->boolean, 1); return NILAS_OK;
    case NILAS_ICE_INT:
    case NILAS_ICE_DATE:
        narrow = (int32_t)value->integer;
        nilas_theta_add(column->sketch, &narrow, sizeof(narrow));
        return NILAS_OK;
    case NILAS_ICE_FLOAT:
        single = (float)value->real;
        nilas_theta_add(column->sketch, &single, sizeof(single));
        return NILAS_OK;
    case NILAS_ICE_DOUBLE:
        nilas_theta_add(column->sketch, &value->real, sizeof(value->real));
        return NILAS_OK;
    case NILAS_ICE_DECIMAL: return add_decimal(state, column, value, err);
    case NILAS_ICE_STRING:
    case NILAS_ICE_UUID:
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY:
        nilas_theta_add(column->sketch, value->text.data, value->text.size);
        return NILAS_OK;
    default: nilas_theta_add(column->sketch, &value->integer, 8); return NILAS_OK;
    }
}

static nilas_code on_row(void *context, const nilas_value *items, nilas_error *err) {
    table_stats *state = context;
    for (size_t i = 0; i < state->columns.count; i++) {
        if (!nilas_value_is_null(&items[i])) {
            NILAS_TRY(add_value(state, &state->columns.items[i], &items[i], err));
        }
    }
    return NILAS_OK;
}

static nilas_code read_rows(table_stats *state, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    NILAS_AUTO_BUF query = NILAS_BUF_INIT(0);
    nilas_ice_type types = {.kind = NILAS_ICE_STRUCT, .field_count = state->columns.count};
    nilas_str sql, table;
    nilas_plan *plan;
    NILAS_NEW_ARRAY(state->arena, &types.fields, state->columns.count, err);
    nilas_buf_add_text(&query, "SELECT ");
    for (size_t i = 0; i < state->columns.count; i++) {
        const stats_column *column = &state->columns.items[i];
        nilas_buf_add_text(&query, i > 0 ? ", " : "");
        nilas_name_print_quoted(&query, column->path.items, column->path.count);
        types.fields[i] = *column->field;
        types.fields[i].type = counted_type(column->field->type);
    }
    NILAS_TRY(nilas_call__table_name(call, &table, err));
    nilas_buf_print(&query, " FROM %.*s VERSION AS OF %lld", NILAS_FMT(table),
                    (long long)state->snapshot->snapshot_id);
    NILAS_TRY(nilas_buf_finish(&query, state->arena, &sql, err));
    NILAS_TRY(nilas_call__bind(call, sql, &plan, err));
    return nilas_engine_each(call->run->session->engine, state->arena, plan, &types, on_row, state,
                             err);
}

/* --- the file
 * ------------------------------------------------------------------------------------- */

static nilas_code parse_json(nilas_arena *arena, nilas_buf *text, const nilas_json **out,
                             nilas_error *err) {
    nilas_json *json;
    NILAS_TRY(nilas_buf_check(text, err));
    NILAS_NEW(arena, &json, err);
    NILAS_TRY(nilas_json_parse(arena, nilas_buf_view(text), "statistics", json, err));
    *out = json;
    return NILAS_OK;
}

static nilas_code make_blob(table_stats *state, const stats_column *column, nilas_puffin_part *out,
                            nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(4096);
    nilas_str bytes;
    double estimate;
    NILAS_TRY(nilas_theta_finish(column->sketch, &bytes, &estimate, err));
    nilas_buf_print(&text, "{\"ndv\":\"%lld\"}", (long long)estimate);
    *out = (nilas_puffin_part){.blob = {.type = NILAS_STR(THETA_BLOB),
                                        .field_count = 1,
                                        .snapshot_id = state->snapshot->snapshot_id,
                                        .sequence_number = state->snapshot->sequence_number,
                                        .compression = NILAS_COMPRESSION_ZSTD}};
    NILAS_TRY(parse_json(state->arena, &text, &out->blob.properties, err));
    NILAS_NEW_ARRAY(state->arena, &out->blob.field_ids, 1, err);
    out->blob.field_ids[0] = column->field->id;
    return nilas_compress(state->arena, NILAS_COMPRESSION_ZSTD, -1, bytes, &out->data, err);
}

/** The entry of the metadata: what the footer says of the blobs, too. */
static nilas_code make_entry(table_stats *state, const nilas_puffin_part *parts, nilas_str location,
                             size_t file_size, nilas_statistics_file *out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    const nilas_puffin_blob *last = &parts[state->columns.count - 1].blob;
    *out = (nilas_statistics_file){.snapshot_id = state->snapshot->snapshot_id,
                                   .path = location,
                                   .file_size = (int64_t)file_size,
                                   .footer_size = (int64_t)file_size - last->offset - last->length};
    nilas_buf_print(&text,
                    "{\"snapshot-id\":%lld,\"statistics-path\":", (long long)out->snapshot_id);
    nilas_json_print_string(&text, location);
    nilas_buf_print(&text,
                    ",\"file-size-in-bytes\":%lld,\"file-footer-size-in-bytes\":%lld,"
                    "\"blob-metadata\":[",
                    (long long)out->file_size, (long long)out->footer_size);
    for (size_t i = 0; i < state->columns.count; i++) {
        const nilas_puffin_blob *blob = &parts[i].blob;
        nilas_buf_print(&text,
                        "%s{\"type\":\"" THETA_BLOB "\",\"snapshot-id\":%lld,"
                        "\"sequence-number\":%lld,\"fields\":[%d],\"properties\":",
                        i > 0 ? "," : "", (long long)blob->snapshot_id,
                        (long long)blob->sequence_number, blob->field_ids[0]);
        nilas_json_print(&text, blob->properties, 0);
        nilas_buf_add_char(&text, '}');
    }
    nilas_buf_add_text(&text, "]}");
    return parse_json(state->arena, &text, &out->json, err);
}

static nilas_code write_file(table_stats *state, nilas_statistics_file *out, nilas_error *err) {
    const nilas_table *table = state->call->table;
    nilas_puffin_part *parts;
    nilas_str uuid, name, location, bytes;
    NILAS_NEW_ARRAY(state->arena, &parts, state->columns.count, err);
    for (size_t i = 0; i < state->columns.count; i++) {
        NILAS_TRY(make_blob(state, &state->columns.items[i], &parts[i], err));
    }
    NILAS_TRY(nilas_puffin_print(state->arena, parts, state->columns.count, &bytes, err));
    NILAS_TRY(nilas_commit_new_uuid(state->arena, &uuid, err));
    NILAS_TRY(nilas_str_print(state->arena, &name, err, "%lld-%.*s.stats",
                              (long long)state->snapshot->snapshot_id, NILAS_FMT(uuid)));
    NILAS_TRY(nilas_commit_metadata_location(state->arena, table->metadata, name, &location, err));
    NILAS_TRY(make_entry(state, parts, location, bytes.size, out, err));
    return nilas_io_write(table->io, location, bytes, false, err);
}

/* --- registering
 * ---------------------------------------------------------------------------------- */

typedef struct registration {
    const nilas_statistics_file *file;
    bool of_partitions;
} registration;

static nilas_code apply_registration(void *context, nilas_update *update, nilas_error *err) {
    const registration *own = context;
    return nilas_update_statistics(update, own->file, own->of_partitions, err);
}

nilas_code nilas_stats__register(nilas_procedure_call *call, const nilas_statistics_file *file,
                                 bool of_partitions, nilas_error *err) {
    registration own = {.file = file, .of_partitions = of_partitions};
    nilas_code code = nilas_call__commit(call, apply_registration, &own, NULL, err);
    if (code != NILAS_OK && code != NILAS_UNCERTAIN) {
        nilas_error ignored = NILAS_ERROR_INIT;
        (void)!nilas_io_delete(call->table->io, file->path, &ignored); // nobody names it
    }
    NILAS_TRY(code);
    nilas_value cell = nilas_value_of_str(file->path);
    return nilas_call__answer(call, &cell, err);
}

nilas_code nilas_procedure__compute_table_stats(nilas_procedure_call *call, nilas_error *err) {
    table_stats state = {.call = call, .arena = call->run->stmt};
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_statistics_file file;
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    state.scratch = scratch;
    NILAS_TRY(nilas_stats__snapshot(call, &state.snapshot, err));
    if (state.snapshot == NULL) {
        return NILAS_OK;
    }
    state.schema = nilas_metadata_schema_of(call->table->metadata, state.snapshot);
    NILAS_TRY(choose_columns(&state, err));
    NILAS_TRY(read_rows(&state, err));
    NILAS_TRY(write_file(&state, &file, err));
    return nilas_stats__register(call, &file, false, err);
}
