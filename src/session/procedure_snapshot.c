/**
 * snapshot: an Iceberg table over Parquet files that stay where they are; migrate: refused, with
 * Iceberg's reason.
 *
 * In Spark both begin with a table of files in its session catalog. Here the files are named:
 * `parquet`.`path`; columns, their types and partitions are what Spark would have found in them.
 */
#include "session/procedure_import.h"

typedef struct shot {
    nilas_procedure_call *call;
    nilas_ddl_name name; // of the new table
    nilas_import import;
    nilas_schema schema;
    nilas_partition_spec spec;
    nilas_property_list properties;
    nilas_table *staged; // the table before its rows
    nilas_data_file *files;
    size_t file_count;
} shot;

/* --- what a table is made of
 * ---------------------------------------------------------------------- */

/** Of all folders' values, as Spark finds it. */
static nilas_code key_type(const nilas_import *import, size_t key, const nilas_ice_type **out,
                           nilas_error *err) {
    nilas_str *values;
    const nilas_type *type;
    int32_t next_id = 0;
    NILAS_NEW_ARRAY(import->arena, &values, import->found.count, err);
    for (size_t i = 0; i < import->found.count; i++) {
        values[i] = import->found.items[i].values[key];
    }
    NILAS_TRY(nilas_engine_folder_type(import->arena, values, import->found.count, &type, err));
    return nilas_bind_spark_type(import->arena, type, &next_id, out, err);
}

/** Which key of the folders has this name; key_count: none. */
static size_t key_of(const nilas_import *import, nilas_str name) {
    size_t at = 0;
    while (at < import->key_count && !nilas_str_equal_nocase(import->keys[at], name)) {
        at++;
    }
    return at;
}

/** The column and the partition field of a key. */
static nilas_code make_key(shot *state, size_t key, nilas_ice_field *out, nilas_error *err) {
    nilas_str name = state->import.keys[key];
    int32_t id = 1000000 + (int32_t)key;
    const nilas_ice_type *type;
    NILAS_TRY(key_type(&state->import, key, &type, err));
    state->spec.fields[key] = (nilas_partition_field){
        .source_id = id,
        .name = name,
        .transform = {.kind = NILAS_TRANSFORM_IDENTITY, .text = NILAS_STR("identity")},
    };
    *out = (nilas_ice_field){.id = id, .name = name, .type = type};
    return NILAS_OK;
}

/** Columns of the first file, then the folders' keys; a key that the file holds, too, keeps its
 * place there, as in a read of the folder. */
static nilas_code make_schema(shot *state, nilas_error *err) {
    nilas_run *run = state->call->run;
    const nilas_import *import = &state->import;
    const nilas_ice_type *type;
    nilas_ice_field *fields;
    int32_t next_id = 0;
    size_t count = 0;
    if (import->found.count == 0) {
        return nilas_fail_at(err, NILAS_INVALID, "UNABLE_TO_INFER_SCHEMA", run->statement->offset,
                             "Unable to infer schema for Parquet. It must be specified manually.");
    }
    nilas_file_scan scan = {
        .format = NILAS_STR("parquet"), .paths = &import->found.items[0].location, .path_count = 1};
    NILAS_TRY(run->environment.infer_files(run->environment.context, &scan, err));
    NILAS_TRY(nilas_bind_spark_type(run->stmt, scan.schema, &next_id, &type, err));
    NILAS_NEW_ARRAY(run->stmt, &fields, type->field_count + import->key_count, err);
    NILAS_NEW_ARRAY(run->stmt, &state->spec.fields, import->key_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        size_t key = key_of(import, type->fields[i].name);
        fields[count] = type->fields[i];
        if (key < import->key_count) {
            NILAS_TRY(make_key(state, key, &fields[count], err));
        }
        count++;
    }
    for (size_t i = 0; i < import->key_count; i++) {
        if (state->spec.fields[i].name.data == NULL) { // in no file
            NILAS_TRY(make_key(state, i, &fields[count++], err));
        }
    }
    state->spec.field_count = import->key_count;
    state->schema.type =
        (nilas_ice_type){.kind = NILAS_ICE_STRUCT, .fields = fields, .field_count = count};
    return NILAS_OK;
}

static nilas_code make_properties(shot *state, nilas_error *err) {
    nilas_run *run = state->call->run;
    const nilas_value *given = nilas_call__value(state->call, "properties");
    nilas_property_list *list = &state->properties;
    NILAS_TRY(nilas_ddl__put_property(run->stmt, list, NILAS_STR("write.parquet.compression-codec"),
                                      NILAS_STR("zstd"), err));
    NILAS_TRY(nilas_ddl__put_catalog_properties(run, state->name.catalog_name, "table-default.",
                                                list, err));
    for (size_t i = 0; !nilas_value_is_null(given) && i < given->count; i++) {
        NILAS_TRY(nilas_ddl__put_property(run->stmt, list, given->items[2 * i].text,
                                          given->items[2 * i + 1].text, err));
    }
    NILAS_TRY(
        nilas_ddl__put_property(run->stmt, list, NILAS_STR("gc.enabled"), NILAS_STR("false"), err));
    NILAS_TRY(
        nilas_ddl__put_property(run->stmt, list, NILAS_STR("snapshot"), NILAS_STR("true"), err));
    return nilas_ddl__put_catalog_properties(run, state->name.catalog_name, "table-override.", list,
                                             err);
}

static bool has_property(const nilas_property_list *list, const char *key) {
    for (size_t i = 0; i < list->count; i++) {
        if (nilas_str_is(list->items[i].key, key)) {
            return true;
        }
    }
    return false;
}

/* --- the source
 * ----------------------------------------------------------------------------------- */

/** A name as Iceberg writes it into its messages: "db.t". */
static nilas_code dotted(const nilas_procedure_call *call, const nilas_ddl_name *name,
                         nilas_str *out, nilas_error *err) {
    return nilas_session__dotted(call->run->stmt, name->parts, name->count, out, err);
}

static bool is_session_catalog(const nilas_ddl_name *name) {
    return nilas_str_is_nocase(name->catalog_name, "spark_catalog");
}

/** There are no tables of files in a session catalog here: say what stands there instead. */
static nilas_code fail_source(nilas_procedure_call *call, const nilas_ddl_name *name,
                              nilas_error *err) {
    NILAS_AUTO(nilas_table) table = NULL;
    nilas_error inner = NILAS_ERROR_INIT;
    nilas_str text;
    NILAS_TRY(dotted(call, name, &text, err));
    nilas_code code =
        nilas_catalog_load_table(name->catalog, name->parts, name->count, &table, &inner);
    if (code == NILAS_OK) {
        return nilas_fail(err, NILAS_INVALID, "Cannot use non-v1 table '%.*s' as a source",
                          NILAS_FMT(text));
    }
    if (code == NILAS_NOT_FOUND) {
        return nilas_fail(err, NILAS_NOT_FOUND, "Cannot find source table '%.*s'", NILAS_FMT(text));
    }
    *err = inner;
    return code;
}

static nilas_code list_source(shot *state, nilas_str text, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    nilas_ddl_name source;
    nilas_str *parts;
    size_t count;
    NILAS_TRY(nilas_sql_parse_name(call->run->stmt, text, &parts, &count, err));
    if (nilas_import__is_files(parts, count)) {
        return nilas_import__list(&state->import, call, parts, false, err);
    }
    NILAS_TRY(nilas_ddl__name(call->run, parts, count, &source, err));
    NILAS_REQUIRE(is_session_catalog(&source), err, NILAS_INVALID,
                  "Cannot snapshot a table that isn't in the session catalog (i.e. "
                  "spark_catalog). Found source catalog: %.*s.",
                  NILAS_FMT(source.catalog_name));
    return fail_source(call, &source, err);
}

/** Of a location without scheme and last slashes. */
static nilas_str bare_path(nilas_str location) {
    nilas_str scheme = nilas_io_scheme(location);
    nilas_str path =
        scheme.size == 0 ? location : nilas_str_slice(location, scheme.size + 1, location.size);
    while (nilas_str_starts(path, NILAS_STR("//"))) {
        path = nilas_str_slice(path, 1, path.size);
    }
    while (path.size > 1 && path.data[path.size - 1] == '/') {
        path.size--;
    }
    return path;
}

static bool is_within(nilas_str inner, nilas_str outer) {
    return nilas_str_starts(inner, outer) &&
           (inner.size == outer.size || inner.data[outer.size] == '/');
}

static nilas_code check_apart(const shot *state, nilas_error *err) {
    nilas_str given = nilas_call__text(state->call, "location", (nilas_str){.data = NULL});
    nilas_str target = bare_path(state->staged->metadata->location);
    nilas_str source = bare_path(state->import.root);
    NILAS_REQUIRE(given.data == NULL || !nilas_str_equal(bare_path(given), source), err,
                  NILAS_INVALID,
                  "The snapshot table location cannot be same as the source table location. This "
                  "would mix snapshot table files with original table files.");
    NILAS_REQUIRE(!is_within(target, source) && !is_within(source, target), err, NILAS_INVALID,
                  "Cannot create a snapshot at location %.*s because it would overlap with source "
                  "table location %.*s. Overlapping snapshot and source would mix table files.",
                  NILAS_FMT(state->staged->metadata->location), NILAS_FMT(state->import.root));
    return NILAS_OK;
}

/* --- the table
 * ------------------------------------------------------------------------------------ */

static nilas_code apply_files(void *context, nilas_update *update, nilas_error *err) {
    shot *state = context;
    nilas_property *summary;
    nilas_snapshot made;
    size_t summary_count;
    NILAS_TRY(nilas_call__summary(state->call, &summary, &summary_count, err));
    nilas_snapshot_change change = {
        .operation = "append",
        .added = state->files,
        .added_count = state->file_count,
        .data_sequence_number = -1,
        .read_snapshot_id = -1,
        .summary = summary,
        .summary_count = summary_count,
    };
    return nilas_update_snapshot(update, &change, &made, err);
}

static void release_table(void *context) {
    nilas_table_unref(context);
}

/** The table with its name mapping, which needs its field ids. */
static nilas_code stage(shot *state, nilas_create_options *options, nilas_error *err) {
    nilas_arena *arena = state->call->run->stmt;
    nilas_str mapping;
    NILAS_TRY(nilas_commit_stage_create(options, &state->staged, err));
    if (!has_property(&state->properties, NILAS_NAME_MAPPING)) {
        const nilas_schema *schema = nilas_metadata_current_schema(state->staged->metadata);
        nilas_code code = nilas_import__mapping(arena, schema, &mapping, err);
        nilas_table_unref(state->staged);
        NILAS_TRY(code);
        NILAS_TRY(nilas_ddl__put_property(arena, &state->properties, NILAS_STR(NILAS_NAME_MAPPING),
                                          mapping, err));
        options->properties = state->properties.items;
        options->property_count = state->properties.count;
        NILAS_TRY(nilas_commit_stage_create(options, &state->staged, err));
    }
    nilas_code code = nilas_arena_on_release(arena, release_table, state->staged, err);
    if (code != NILAS_OK) {
        nilas_table_unref(state->staged);
    }
    return code;
}

static nilas_code create_table(shot *state, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    nilas_create_options options = {
        .catalog = state->name.catalog,
        .identifier = state->name.parts,
        .identifier_count = state->name.count,
        .schema = &state->schema,
        .spec = &state->spec,
        .location = nilas_call__text(call, "location", NILAS_STR_EMPTY),
        .properties = state->properties.items,
        .property_count = state->properties.count,
    };
    NILAS_TRY(stage(state, &options, err));
    NILAS_TRY(check_apart(state, err));
    const nilas_metadata *metadata = state->staged->metadata;
    NILAS_TRY(nilas_import__files(&state->import, state->staged,
                                  nilas_metadata_spec(metadata, metadata->default_spec_id), NULL,
                                  &state->files, &state->file_count, err));
    options.apply = apply_files;
    options.context = state;
    nilas_code code = nilas_commit_create(&options, NULL, err);
    if (code == NILAS_EXISTS) {
        nilas_str name;
        NILAS_TRY(dotted(call, &state->name, &name, err));
        return nilas_fail_at(err, NILAS_EXISTS, NULL, call->run->statement->offset,
                             "Cannot create table %.*s as it already exists", NILAS_FMT(name));
    }
    return code;
}

nilas_code nilas_procedure__snapshot(nilas_procedure_call *call, nilas_error *err) {
    shot state = {.call = call};
    nilas_str source = nilas_call__text(call, "source_table", NILAS_STR_EMPTY);
    nilas_str table = nilas_call__text(call, "table", NILAS_STR_EMPTY);
    nilas_str *parts;
    size_t count;
    NILAS_REQUIRE(source.size > 0, err, NILAS_INVALID,
                  "Cannot handle an empty identifier for argument source_table");
    NILAS_REQUIRE(table.size > 0, err, NILAS_INVALID,
                  "Cannot handle an empty identifier for argument table");
    NILAS_REQUIRE(!nilas_str_equal(source, table), err, NILAS_INVALID,
                  "Cannot create a snapshot with the same name as the source of the snapshot.");
    NILAS_REQUIRE(nilas_call__int(call, "parallelism", 1) > 0, err, NILAS_INVALID,
                  "Parallelism should be larger than 0");
    NILAS_TRY(list_source(&state, source, err));
    NILAS_TRY(nilas_sql_parse_name(call->run->stmt, table, &parts, &count, err));
    NILAS_TRY(nilas_ddl__name(call->run, parts, count, &state.name, err));
    NILAS_TRY(make_schema(&state, err));
    NILAS_TRY(make_properties(&state, err));
    NILAS_TRY(create_table(&state, err));
    nilas_value cell = nilas_value_of_int((int64_t)state.file_count);
    return nilas_call__answer(call, &cell, err);
}

/* --- migrate
 * -------------------------------------------------------------------------------------- */

static nilas_str class_of_catalog(const nilas_session *session, nilas_str name) {
    NILAS_AUTO_BUF key = NILAS_BUF_INIT(4096);
    nilas_buf_print(&key, "spark.sql.catalog.%.*s", NILAS_FMT(name));
    nilas_str class = nilas_settings_find(&session->settings, nilas_buf_view(&key));
    return class.data != NULL ? class : NILAS_STR("org.apache.iceberg.spark.SparkSessionCatalog");
}

nilas_code nilas_procedure__migrate(nilas_procedure_call *call, nilas_error *err) {
    nilas_str table = nilas_call__text(call, "table", NILAS_STR_EMPTY);
    nilas_ddl_name name;
    nilas_str *parts;
    size_t count;
    NILAS_REQUIRE(table.size > 0, err, NILAS_INVALID,
                  "Cannot handle an empty identifier for argument table");
    NILAS_TRY(nilas_sql_parse_name(call->run->stmt, table, &parts, &count, err));
    if (nilas_import__is_files(parts, count)) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE",
                             call->run->statement->offset,
                             "migrate gives a table of files in Spark's session catalog to Iceberg "
                             "under the same name, and nilas has no such catalog: files without a "
                             "name become a table by snapshot or add_files.");
    }
    NILAS_TRY(nilas_ddl__name(call->run, parts, count, &name, err));
    NILAS_REQUIRE(is_session_catalog(&name) || nilas_catalog_is_session(name.catalog), err,
                  NILAS_INVALID,
                  "Cannot migrate a table from a non-Iceberg Spark Session Catalog. Found %.*s of "
                  "class %.*s as the source catalog.",
                  NILAS_FMT(name.catalog_name),
                  NILAS_FMT(class_of_catalog(call->run->session, name.catalog_name)));
    return fail_source(call, &name, err);
}
