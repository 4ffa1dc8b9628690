/**
 * CREATE TABLE, REPLACE TABLE, both AS SELECT; DROP TABLE; RENAME.
 *
 * AS SELECT binds the query first, so that a table is made only for a query that means something;
 * its files are written before the table is committed, and table and first snapshot appear
 * together.
 */
#include "session/ddl.h"

typedef struct create_state {
    nilas_run *run;
    nilas_ddl_name name;
    nilas_table *existing; // of REPLACE and CREATE OR REPLACE, when there is one
    const nilas_schema *schema;
    nilas_partition_spec *spec;
    nilas_property *properties;
    size_t property_count;
    nilas_written written; // AS SELECT
    nilas_session_summary summary;
    bool has_rows;
} create_state;

/* --- what the statement asks for -----------------------------------------------------------------
 */

/** USING parquet, avro or orc in an Iceberg catalog is an Iceberg table of that file format; in the
 * session catalog it would be another kind of table. */
static bool names_file_format(const create_state *state) {
    nilas_str provider = state->run->statement->provider;
    bool is_format = nilas_str_is_nocase(provider, "parquet") ||
                     nilas_str_is_nocase(provider, "avro") || nilas_str_is_nocase(provider, "orc");
    return is_format && !nilas_str_is(state->name.catalog_name, "spark_catalog");
}

static nilas_code check_provider(const create_state *state, nilas_error *err) {
    nilas_str provider = state->run->statement->provider;
    if (provider.size == 0 || nilas_str_is_nocase(provider, "iceberg") ||
        names_file_format(state)) {
        return NILAS_OK;
    }
    return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE.TABLE_OPERATION",
                         state->run->statement->offset,
                         "Only Iceberg tables can be created: USING %.*s is not supported.",
                         NILAS_FMT(provider));
}

nilas_code nilas_ddl__put_property(nilas_arena *arena, nilas_property_list *list, nilas_str key,
                                   nilas_str value, nilas_error *err) {
    for (size_t i = 0; i < list->count; i++) {
        if (nilas_str_equal(list->items[i].key, key)) {
            list->items[i].value = value;
            return NILAS_OK;
        }
    }
    nilas_property property = {.key = key, .value = value};
    NILAS_PUSH(arena, list, property, err);
    return NILAS_OK;
}

nilas_code nilas_ddl__put_catalog_properties(nilas_run *run, nilas_str catalog_name,
                                             const char *kind, nilas_property_list *list,
                                             nilas_error *err) {
    const nilas_settings *settings = &run->session->settings;
    NILAS_AUTO_BUF prefix = NILAS_BUF_INIT(65536);
    nilas_buf_print(&prefix, "spark.sql.catalog.%.*s.%s", NILAS_FMT(catalog_name), kind);
    nilas_str head = nilas_buf_view(&prefix);
    for (size_t i = 0; i < settings->count; i++) {
        nilas_str key = nilas_str_of(settings->items[i].key);
        if (nilas_str_starts(key, head)) {
            NILAS_TRY(nilas_ddl__put_property(run->stmt, list,
                                              nilas_str_slice(key, head.size, key.size),
                                              nilas_str_of(settings->items[i].value), err));
        }
    }
    return NILAS_OK;
}

static nilas_code collect_properties(create_state *state, nilas_error *err) {
    const nilas_statement *statement = state->run->statement;
    nilas_arena *arena = state->run->stmt;
    nilas_property_list list = {0};
    NILAS_TRY(nilas_ddl__check_properties(statement->properties, statement->property_count,
                                          statement->offset, err));
    NILAS_TRY(nilas_ddl__put_catalog_properties(state->run, state->name.catalog_name,
                                                "table-default.", &list, err));
    NILAS_TRY(nilas_ddl__put_property(arena, &list, NILAS_STR("owner"),
                                      state->run->environment.user, err));
    if (names_file_format(state)) {
        nilas_str format;
        NILAS_TRY(nilas_str_lower(arena, statement->provider, &format, err));
        NILAS_TRY(
            nilas_ddl__put_property(arena, &list, NILAS_STR("write.format.default"), format, err));
    }
    for (size_t i = 0; i < statement->option_count; i++) {
        nilas_str key;
        NILAS_TRY(
            nilas_str_print(arena, &key, err, "option.%.*s", NILAS_FMT(statement->options[i].key)));
        NILAS_TRY(nilas_ddl__put_property(arena, &list, key, statement->options[i].value, err));
        NILAS_TRY(nilas_ddl__put_property(arena, &list, statement->options[i].key,
                                          statement->options[i].value, err));
    }
    for (size_t i = 0; i < statement->property_count; i++) {
        NILAS_TRY(nilas_ddl__put_property(arena, &list, statement->properties[i].key,
                                          statement->properties[i].value, err));
    }
    if (statement->has_comment) {
        NILAS_TRY(
            nilas_ddl__put_property(arena, &list, NILAS_STR("comment"), statement->comment, err));
    }
    NILAS_TRY(nilas_ddl__put_catalog_properties(state->run, state->name.catalog_name,
                                                "table-override.", &list, err));
    // What Iceberg writes into new tables, so that old readers know the codec.
    bool has_codec = false;
    for (size_t i = 0; i < list.count; i++) {
        has_codec = has_codec || nilas_str_is(list.items[i].key, "write.parquet.compression-codec");
    }
    if (!has_codec) {
        NILAS_TRY(nilas_ddl__put_property(
            arena, &list, NILAS_STR("write.parquet.compression-codec"), NILAS_STR("zstd"), err));
    }
    state->properties = list.items;
    state->property_count = list.count;
    return NILAS_OK;
}

/** Everything in a query's result may be null in the table that is made of it. */
static nilas_code nullable_type(nilas_arena *arena, const nilas_type *type, const nilas_type **out,
                                nilas_error *err) {
    *out = type;
    if (type->field_count == 0) {
        return NILAS_OK;
    }
    nilas_type *copy;
    NILAS_NEW(arena, &copy, err);
    *copy = *type;
    NILAS_NEW_ARRAY(arena, &copy->fields, type->field_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        copy->fields[i] = type->fields[i];
        copy->fields[i].nullable = !(type->kind == NILAS_TYPE_MAP && i == 0);
        NILAS_TRY(nullable_type(arena, type->fields[i].type, &copy->fields[i].type, err));
    }
    *out = copy;
    return NILAS_OK;
}

static nilas_code check_duplicates(const nilas_run *run, const nilas_type *type, nilas_error *err) {
    for (size_t i = 0; i < type->field_count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (nilas_str_equal_nocase(type->fields[i].name, type->fields[k].name)) {
                return nilas_fail_at(err, NILAS_INVALID, "COLUMN_ALREADY_EXISTS",
                                     run->statement->offset,
                                     "The column `%.*s` already exists. Choose another name or "
                                     "rename the existing column.",
                                     NILAS_FMT(type->fields[k].name));
            }
        }
    }
    return NILAS_OK;
}

static nilas_code columns_type(create_state *state, const nilas_type **out, nilas_error *err) {
    nilas_run *run = state->run;
    const nilas_statement *statement = run->statement;
    if (statement->query != NULL) {
        nilas_plan *plan;
        const nilas_type *type;
        if (statement->column_def_count > 0) {
            return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_0035", statement->offset,
                                 "Operation not allowed: Schema may not be specified in a Create "
                                 "Table As Select (CTAS) statement.");
        }
        NILAS_TRY(nilas_bind_query(&run->environment, statement->query, &plan, err));
        NILAS_TRY(nilas_plan_type(run->stmt, plan, &type, err));
        NILAS_TRY(check_duplicates(run, type, err));
        return nullable_type(run->stmt, type, out, err);
    }
    size_t count = statement->column_def_count;
    nilas_column_def *columns;
    NILAS_NEW_ARRAY(run->stmt, &columns, count + statement->partitioning_count, err);
    nilas_copy(columns, statement->column_defs, count * sizeof(*columns));
    for (size_t i = 0; i < statement->partitioning_count; i++) {
        if (statement->partitioning[i].column != NULL) {
            columns[count++] = *statement->partitioning[i].column;
        }
    }
    return nilas_ddl__columns_type(run, columns, count, out, err);
}

static nilas_code make_schema(create_state *state, nilas_error *err) {
    const nilas_type *type;
    const nilas_ice_type *ice;
    nilas_schema *schema;
    int32_t next_id = 0; // as Spark counts; the commit gives the final ids
    NILAS_TRY(columns_type(state, &type, err));
    NILAS_TRY(nilas_bind_spark_type(state->run->stmt, type, &next_id, &ice, err));
    NILAS_NEW(state->run->stmt, &schema, err);
    schema->type = *ice;
    state->schema = schema;
    return NILAS_OK;
}

/* --- CREATE
 * --------------------------------------------------------------------------------------- */

/** The table's first snapshot, or the one that replaces its rows. */
static nilas_code add_rows(create_state *state, nilas_update *update, nilas_error *err) {
    if (!state->has_rows) {
        return NILAS_OK;
    }
    nilas_snapshot ignored;
    nilas_snapshot_change change = {
        .operation = state->existing != NULL ? "overwrite" : "append",
        .added = state->written.files,
        .added_count = state->written.file_count,
        .data_sequence_number = -1,
        .read_snapshot_id = -1,
        .summary = state->summary.items,
        .summary_count = state->summary.count,
    };
    return nilas_update_snapshot(update, &change, &ignored, err);
}

static nilas_code apply_rows(void *context, nilas_update *update, nilas_error *err) {
    return add_rows(context, update, err);
}

/** Write the query's rows for a table that is not there yet (or is to be replaced). */
static nilas_code write_rows(create_state *state, const nilas_table *table, nilas_error *err) {
    nilas_run *run = state->run;
    const nilas_schema *schema = nilas_metadata_current_schema(table->metadata);
    nilas_plan *plan;
    nilas_str name;
    NILAS_TRY(nilas_session__dotted(run->stmt, state->name.parts, state->name.count, &name, err));
    NILAS_TRY(nilas_bind_store(&run->environment, name, schema, run->statement->query, NULL, 0,
                               false, &plan, err));
    nilas_write_options options;
    NILAS_TRY(nilas_session__write_options(run, table, run->statement->write_options,
                                           run->statement->write_option_count, &options, err));
    state->summary = (nilas_session_summary){0};
    NILAS_TRY(nilas_session__write_summary(run, &options, &state->summary, err));
    NILAS_TRY(
        nilas_engine_write(run->session->engine, run->stmt, plan, &options, &state->written, err));
    state->has_rows = true;
    return NILAS_OK;
}

static nilas_code create(create_state *state, nilas_error *err) {
    nilas_run *run = state->run;
    const nilas_statement *statement = run->statement;
    nilas_create_options options = {
        .catalog = state->name.catalog,
        .identifier = state->name.parts,
        .identifier_count = state->name.count,
        .schema = state->schema,
        .spec = state->spec,
        .location = statement->has_location ? statement->location : NILAS_STR_EMPTY,
        .properties = state->properties,
        .property_count = state->property_count,
    };
    NILAS_AUTO(nilas_table) staged = NULL;
    if (statement->query != NULL) {
        NILAS_TRY(nilas_commit_stage_create(&options, &staged, err));
        const nilas_metadata *metadata = staged->metadata;
        NILAS_TRY(write_rows(state, staged, err));
        options.apply = apply_rows;
        options.context = state;
        options.location = metadata->location;
    }
    nilas_code code = nilas_commit_create(&options, NULL, err);
    if (code != NILAS_OK && code != NILAS_UNCERTAIN && state->has_rows) {
        nilas_engine_discard(run->session->engine, staged, state->written.files,
                             state->written.file_count);
        state->has_rows = false;
    }
    if (code == NILAS_EXISTS) {
        return nilas_ddl__fail_exists(&state->name, statement->parts_offset, err);
    }
    NILAS_TRY(code);
    return nilas_session__no_rows(run, err);
}

/* --- REPLACE
 * -------------------------------------------------------------------------------------- */

static void discard_rows(create_state *state) {
    if (state->has_rows) {
        nilas_engine_discard(state->run->session->engine, state->existing, state->written.files,
                             state->written.file_count);
        state->has_rows = false;
    }
}

/** The rows are written for the version being made: its columns have their final ids. */
static nilas_code apply_replace(void *context, nilas_update *update, nilas_error *err) {
    create_state *state = context;
    const nilas_statement *statement = state->run->statement;
    discard_rows(state); // of an attempt that lost
    NILAS_TRY(nilas_update_replace(
        update, state->schema, state->spec, NULL, state->properties, state->property_count,
        statement->has_location ? statement->location : NILAS_STR_EMPTY, err));
    if (statement->query != NULL) {
        nilas_metadata metadata = *nilas_update_metadata(update);
        nilas_table next = *state->existing;
        next.metadata = &metadata;
        NILAS_TRY(write_rows(state, &next, err));
    }
    return add_rows(state, update, err);
}

static nilas_code replace(create_state *state, nilas_error *err) {
    nilas_run *run = state->run;
    nilas_commit_options options = {
        .catalog = state->name.catalog,
        .identifier = state->name.parts,
        .identifier_count = state->name.count,
        .cancel = run->session->cancel,
        .apply = apply_replace,
        .context = state,
    };
    nilas_code code = nilas_commit(&options, NULL, err);
    if (code != NILAS_OK && code != NILAS_UNCERTAIN) {
        discard_rows(state);
    }
    NILAS_TRY(code);
    return nilas_session__no_rows(run, err);
}

static nilas_code find_existing(create_state *state, nilas_error *err) {
    nilas_error ignored = NILAS_ERROR_INIT;
    nilas_code code = nilas_catalog_load_table(state->name.catalog, state->name.parts,
                                               state->name.count, &state->existing, &ignored);
    if (code == NILAS_OK || code == NILAS_NOT_FOUND) {
        return NILAS_OK;
    }
    *err = ignored;
    return code;
}

/** DataFrame.write.mode("append").saveAsTable(): what is there stays, rows come to it by name. */
static nilas_code append(create_state *state, nilas_error *err) {
    const nilas_statement *statement = state->run->statement;
    nilas_statement *insert;
    NILAS_TRY(nilas_statement_new(state->run->stmt, NILAS_STATEMENT_INSERT, statement->offset,
                                  &insert, err));
    insert->parts = statement->parts;
    insert->part_count = statement->part_count;
    insert->parts_offset = statement->parts_offset;
    insert->query = statement->query;
    insert->by_name = true;
    insert->options = statement->write_options;
    insert->option_count = statement->write_option_count;
    state->run->statement = insert;
    return nilas_command__change(state->run, err);
}

static nilas_code create_or_replace(create_state *state, nilas_error *err) {
    const nilas_statement *statement = state->run->statement;
    bool replaces = statement->or_replace || statement->replace_only;
    if (state->existing != NULL && !replaces) {
        if (statement->or_append) {
            return append(state, err);
        }
        if (statement->if_not_exists) {
            return nilas_session__no_rows(state->run, err);
        }
        return nilas_ddl__fail_exists(&state->name, statement->parts_offset, err);
    }
    if (state->existing == NULL && statement->replace_only) {
        nilas_ddl_name bare = state->name;
        return nilas_ddl__fail_not_found(&bare, statement->parts_offset, err);
    }
    NILAS_TRY(check_provider(state, err));
    NILAS_TRY(collect_properties(state, err));
    NILAS_TRY(make_schema(state, err));
    NILAS_TRY(nilas_ddl__spec(state->run, state->schema, statement->partitioning,
                              statement->partitioning_count, &state->spec, err));
    return state->existing != NULL ? replace(state, err) : create(state, err);
}

nilas_code nilas_command__create_table(nilas_run *run, nilas_error *err) {
    create_state state = {.run = run};
    if (run->statement->like_part_count > 0) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", run->statement->offset,
                             "CREATE TABLE … LIKE is not supported, as in Spark 4.0.");
    }
    NILAS_TRY(
        nilas_ddl__name(run, run->statement->parts, run->statement->part_count, &state.name, err));
    NILAS_TRY(find_existing(&state, err));
    nilas_code code = create_or_replace(&state, err);
    nilas_table_unref(state.existing);
    return code;
}

/* --- DROP, RENAME --- */

nilas_code nilas_command__drop_table(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    nilas_ddl_name name;
    nilas_error inner = NILAS_ERROR_INIT;
    NILAS_TRY(nilas_ddl__name(run, statement->parts, statement->part_count, &name, err));
    nilas_code code =
        nilas_catalog_drop_table(name.catalog, name.parts, name.count, statement->purge, &inner);
    if (code == NILAS_NOT_FOUND) {
        // DROP TABLE t.files succeeds and does nothing, as in Iceberg.
        bool is_metadata = name.count > 2 && nilas_metadata_table_find(
                                                 name.parts[name.count - 1]) != NILAS_METADATA_NONE;
        if (statement->if_exists || is_metadata) {
            return nilas_session__no_rows(run, err);
        }
        return nilas_ddl__fail_not_found(&name, statement->parts_offset, err);
    }
    if (code != NILAS_OK) {
        *err = inner;
        return code;
    }
    return nilas_session__no_rows(run, err);
}

nilas_code nilas_command__rename_table(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    nilas_ddl_name from;
    nilas_ddl_name to = {.parts = statement->new_parts, .count = statement->new_part_count};
    nilas_error inner = NILAS_ERROR_INIT;
    NILAS_TRY(nilas_ddl__name(run, statement->parts, statement->part_count, &from, err));
    if (!statement->is_view) {
        NILAS_AUTO(nilas_table) table = NULL;
        nilas_code found =
            nilas_catalog_load_table(from.catalog, from.parts, from.count, &table, &inner);
        if (found == NILAS_NOT_FOUND) {
            return nilas_ddl__fail_not_found(&from, statement->parts_offset, err);
        }
        inner = (nilas_error)NILAS_ERROR_INIT;
    }
    // A table's new name is read within the catalog, one part stays in its namespace; a view's is
    // read as any name.
    if (statement->is_view) {
        NILAS_TRY(nilas_ddl__name(run, statement->new_parts, statement->new_part_count, &to, err));
        NILAS_REQUIRE(to.catalog == from.catalog, err, NILAS_INVALID,
                      "Cannot move view between catalogs: from=%.*s and to=%.*s",
                      NILAS_FMT(from.catalog_name), NILAS_FMT(to.catalog_name));
    } else if (to.count == 1) {
        NILAS_NEW_ARRAY(run->stmt, &to.parts, from.count, err);
        nilas_copy(to.parts, from.parts, from.count * sizeof(*to.parts));
        to.parts[from.count - 1] = statement->new_parts[0];
        to.count = from.count;
    }
    nilas_code code = statement->is_view
                          ? nilas_catalog_rename_view(from.catalog, from.parts, from.count,
                                                      to.parts, to.count, &inner)
                          : nilas_catalog_rename_table(from.catalog, from.parts, from.count,
                                                       to.parts, to.count, &inner);
    if (code == NILAS_NOT_FOUND && inner.message[0] == '\0') {
        return nilas_ddl__fail_not_found(&from, statement->parts_offset, err);
    }
    if (code == NILAS_EXISTS) {
        return nilas_ddl__fail_exists(&to, statement->parts_offset, err);
    }
    if (code != NILAS_OK) {
        *err = inner;
        return code;
    }
    return nilas_session__no_rows(run, err);
}
