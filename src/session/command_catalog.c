/**
 * spark.catalog: the answers that no statement gives in the same form, with the columns that
 * DataFrame programs expect. Names are those of Spark's case classes.
 */
#include "session/private.h"

/** A namespace that a function is asked about. */
typedef struct place {
    nilas_catalog *catalog;
    nilas_str catalog_name;
    nilas_str *parts;
    size_t count;
} place;

static nilas_code find_place(nilas_run *run, const nilas_str *parts, size_t count, place *out,
                             nilas_error *err) {
    if (count == 0) {
        out->catalog_name = run->session->current_catalog;
        out->parts = run->session->current_namespace;
        out->count = run->session->namespace_count;
        NILAS_TRY(nilas_session__catalog(run->session, out->catalog_name, &out->catalog, err));
    } else {
        NILAS_TRY(nilas_bind_identifier(&run->environment, parts, count, true, &out->catalog,
                                        &out->catalog_name, &out->parts, &out->count, err));
    }
    NILAS_REQUIRE(out->catalog != NULL, err, NILAS_NOT_FOUND,
                  "the catalog \"%.*s\" is not configured", NILAS_FMT(out->catalog_name));
    return NILAS_OK;
}

static nilas_code place_exists(const place *at, bool *out, nilas_error *err) {
    nilas_error inner = NILAS_ERROR_INIT;
    nilas_code code =
        nilas_catalog_namespace_exists(at->catalog, at->parts, at->count, out, &inner);
    bool is_default = nilas_catalog_is_session(at->catalog) && at->count == 1 &&
                      nilas_str_is_nocase(at->parts[0], "default");
    if (code == NILAS_NOT_FOUND || code == NILAS_INVALID) {
        *out = false;
    } else if (code != NILAS_OK) {
        *err = inner;
        return code;
    }
    *out = *out || is_default;
    return NILAS_OK;
}

static nilas_code fail_no_place(nilas_run *run, const place *at, nilas_error *err) {
    nilas_str *full;
    NILAS_NEW_ARRAY(run->stmt, &full, at->count + 1, err);
    full[0] = at->catalog_name;
    nilas_copy(full + 1, at->parts, at->count * sizeof(*full));
    return nilas_session__fail_no_namespace(full, at->count + 1, -1, err);
}

// ---- single values ------------------------------------------------------------------------------

static nilas_code answer(nilas_run *run, nilas_type_kind kind, nilas_value value,
                         nilas_error *err) {
    static const char *const names[] = {"value"};
    nilas_command_rows rows;
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, &kind, 1, err));
    NILAS_TRY(nilas_session__rows_add(&rows, &value, err));
    return nilas_session__rows_end(&rows, err);
}

static nilas_code answer_text(nilas_run *run, nilas_str text, nilas_error *err) {
    nilas_str copy; // what it names may change while the result is read
    NILAS_TRY(nilas_str_copy(run->stmt, text, &copy, err));
    return answer(run, NILAS_TYPE_STRING, nilas_value_of_str(copy), err);
}

static nilas_code answer_bool(nilas_run *run, bool value, nilas_error *err) {
    return answer(run, NILAS_TYPE_BOOLEAN, nilas_value_of_bool(value), err);
}

static nilas_code current_catalog(nilas_run *run, nilas_error *err) {
    return answer_text(run, run->session->current_catalog, err);
}

static nilas_code current_database(nilas_run *run, nilas_error *err) {
    nilas_str text;
    NILAS_TRY(nilas_session__dotted(run->stmt, run->session->current_namespace,
                                    run->session->namespace_count, &text, err));
    return answer_text(run, text, err);
}

static nilas_code database_exists(nilas_run *run, nilas_error *err) {
    const nilas_statement *s = run->statement;
    place at;
    bool exists;
    NILAS_TRY(find_place(run, s->namespace_parts, s->namespace_part_count, &at, err));
    NILAS_TRY(place_exists(&at, &exists, err));
    return answer_bool(run, exists, err);
}

// ---- catalogs and databases ---------------------------------------------------------------------

static bool wanted(const nilas_run *run, nilas_str name) {
    return !run->statement->has_pattern || nilas_session__matches(run->statement->pattern, name);
}

static nilas_code list_catalogs(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"name", "description"};
    nilas_command_rows rows;
    nilas_session__names list = {0};
    NILAS_TRY(nilas_session__used_catalogs(run, &list, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 2, err));
    for (size_t i = 0; i < list.count; i++) {
        if (wanted(run, list.items[i])) {
            nilas_str cells[2] = {list.items[i], {0}};
            NILAS_TRY(nilas_session__rows_add_texts(&rows, cells, err));
        }
    }
    return nilas_session__rows_end(&rows, err);
}

static const char *const database_columns[] = {"name", "catalog", "description", "locationUri"};

static nilas_code add_database(nilas_run *run, nilas_command_rows *rows, const place *at,
                               nilas_error *err) {
    nilas_property *properties = NULL;
    size_t count = 0;
    nilas_error ignored = NILAS_ERROR_INIT; // a default namespace that nobody made has none
    nilas_str cells[4] = {{0}, at->catalog_name, {0}, {0}};
    NILAS_TRY(nilas_session__dotted(run->stmt, at->parts, at->count, &cells[0], err));
    if (nilas_catalog_namespace_properties(at->catalog, run->stmt, at->parts, at->count,
                                           &properties, &count, &ignored) != NILAS_OK) {
        count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_is(properties[i].key, "comment")) {
            cells[2] = properties[i].value;
        } else if (nilas_str_is(properties[i].key, "location")) {
            cells[3] = properties[i].value;
        }
    }
    return nilas_session__rows_add_texts(rows, cells, err);
}

static nilas_code list_databases(nilas_run *run, nilas_error *err) {
    place root = {.catalog_name = run->session->current_catalog};
    nilas_identifier *list;
    size_t count;
    nilas_command_rows rows;
    NILAS_TRY(nilas_session__catalog(run->session, root.catalog_name, &root.catalog, err));
    NILAS_REQUIRE(root.catalog != NULL, err, NILAS_NOT_FOUND,
                  "the catalog \"%.*s\" is not configured", NILAS_FMT(root.catalog_name));
    NILAS_TRY(nilas_catalog_list_namespaces(root.catalog, run->stmt, NULL, 0, &list, &count, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, database_columns, NULL, 4, err));
    for (size_t i = 0; i < count; i++) {
        place at = root;
        nilas_str text;
        at.parts = list[i].parts;
        at.count = list[i].count;
        NILAS_TRY(nilas_session__dotted(run->stmt, at.parts, at.count, &text, err));
        if (wanted(run, text)) {
            NILAS_TRY(add_database(run, &rows, &at, err));
        }
    }
    return nilas_session__rows_end(&rows, err);
}

static nilas_code get_database(nilas_run *run, nilas_error *err) {
    const nilas_statement *s = run->statement;
    place at;
    bool exists;
    nilas_command_rows rows;
    NILAS_TRY(find_place(run, s->namespace_parts, s->namespace_part_count, &at, err));
    NILAS_TRY(place_exists(&at, &exists, err));
    if (!exists) {
        return fail_no_place(run, &at, err);
    }
    NILAS_TRY(nilas_session__rows_begin(run, &rows, database_columns, NULL, 4, err));
    NILAS_TRY(add_database(run, &rows, &at, err));
    return nilas_session__rows_end(&rows, err);
}

// ---- tables -------------------------------------------------------------------------------------

/** One row of listTables(). */
typedef struct table_row {
    nilas_str name;
    nilas_str catalog; // data NULL: none, as for temporary views
    const nilas_str *parts;
    size_t count; // of the namespace
    nilas_str description;
    const char *type;
    bool is_temporary;
} table_row;

/* Tables and functions are listed alike, but for the name of one column. */
static nilas_code begin_objects(nilas_run *run, nilas_command_rows *rows, const char *sort,
                                nilas_error *err) {
    const char *const names[] = {"name",        "catalog", "namespace",
                                 "description", sort,      "isTemporary"};
    static const nilas_type_kind kinds[] = {NILAS_TYPE_STRING, NILAS_TYPE_STRING,
                                            NILAS_TYPE_STRING, NILAS_TYPE_STRING,
                                            NILAS_TYPE_STRING, NILAS_TYPE_BOOLEAN};
    const nilas_type *list;
    NILAS_TRY(nilas_session__rows_begin(run, rows, names, kinds, 6, err));
    NILAS_TRY(nilas_type_array(run->stmt, nilas_type_of(NILAS_TYPE_STRING), true, &list, err));
    rows->type->fields[2].type = list;
    return NILAS_OK;
}

static nilas_code text_cell(nilas_run *run, nilas_str text, nilas_value *out, nilas_error *err) {
    *out = NILAS_NULL_VALUE;
    if (text.data != NULL) {
        nilas_str copy;
        NILAS_TRY(nilas_str_copy(run->stmt, text, &copy, err));
        *out = nilas_value_of_str(copy);
    }
    return NILAS_OK;
}

static nilas_code add_table(nilas_run *run, nilas_command_rows *rows, const table_row *row,
                            nilas_error *err) {
    nilas_value cells[6];
    NILAS_TRY(text_cell(run, row->name, &cells[0], err));
    NILAS_TRY(text_cell(run, row->catalog, &cells[1], err));
    cells[2] = (nilas_value){.kind = NILAS_VALUE_LIST};
    NILAS_NEW_ARRAY(run->stmt, &cells[2].items, row->count, err);
    cells[2].count = row->count;
    for (size_t i = 0; i < row->count; i++) {
        NILAS_TRY(text_cell(run, row->parts[i], &cells[2].items[i], err));
    }
    NILAS_TRY(text_cell(run, row->description, &cells[3], err));
    NILAS_TRY(text_cell(run, nilas_str_of(row->type), &cells[4], err));
    cells[5] = nilas_value_of_bool(row->is_temporary);
    return nilas_session__rows_add(rows, cells, err);
}

static const nilas_str global_namespace[] = {{.data = "global_temp", .size = 11}};

static nilas_code add_views_of_session(nilas_run *run, nilas_command_rows *rows, bool global,
                                       nilas_error *err) {
    for (const nilas_session_view *view = run->session->views; view != NULL; view = view->next) {
        if (view->global != global || !wanted(run, view->name)) {
            continue;
        }
        table_row row = {.name = view->name,
                         .parts = global_namespace,
                         .count = global ? 1 : 0,
                         .type = "TEMPORARY",
                         .is_temporary = true};
        NILAS_TRY(add_table(run, rows, &row, err));
    }
    return NILAS_OK;
}

/** The comment and the sort of a table, as far as it can be loaded. */
static void describe_table(nilas_run *run, const place *at, const nilas_identifier *identifier,
                           table_row *row) {
    nilas_table *table = NULL;
    nilas_error ignored = NILAS_ERROR_INIT;
    if (nilas_catalog_load_table(at->catalog, identifier->parts, identifier->count, &table,
                                 &ignored) != NILAS_OK) {
        return;
    }
    nilas_str none = {0};
    nilas_str comment = nilas_metadata_property(table->metadata, "comment", none);
    nilas_str copy;
    if (comment.data != NULL && nilas_str_copy(run->stmt, comment, &copy, &ignored) == NILAS_OK) {
        row->description = copy;
    }
    row->type = "MANAGED";
    nilas_table_unref(table);
}

static nilas_code add_identifiers(nilas_run *run, nilas_command_rows *rows, const place *at,
                                  bool views, nilas_error *err) {
    nilas_identifier *list;
    size_t count;
    nilas_code code = views ? nilas_catalog_list_views(at->catalog, run->stmt, at->parts, at->count,
                                                       &list, &count, err)
                            : nilas_catalog_list_tables(at->catalog, run->stmt, at->parts,
                                                        at->count, &list, &count, err);
    NILAS_TRY(code);
    for (size_t i = 0; i < count; i++) {
        table_row row = {.name = list[i].parts[list[i].count - 1],
                         .catalog = at->catalog_name,
                         .parts = at->parts,
                         .count = at->count,
                         .type = views ? "VIEW" : NULL};
        if (!wanted(run, row.name)) {
            continue;
        }
        if (!views) {
            describe_table(run, at, &list[i], &row);
        }
        NILAS_TRY(add_table(run, rows, &row, err));
    }
    return NILAS_OK;
}

static nilas_code list_tables(nilas_run *run, nilas_error *err) {
    const nilas_statement *s = run->statement;
    bool views_only = s->catalog_function == NILAS_CATALOG_LIST_VIEWS;
    bool global =
        s->namespace_part_count == 1 && nilas_str_is_nocase(s->namespace_parts[0], "global_temp");
    nilas_command_rows rows;
    place at;
    bool exists;
    NILAS_TRY(begin_objects(run, &rows, "tableType", err));
    if (!global) {
        NILAS_TRY(find_place(run, s->namespace_parts, s->namespace_part_count, &at, err));
        NILAS_TRY(place_exists(&at, &exists, err));
        if (!exists && at.count > 0) {
            return fail_no_place(run, &at, err);
        }
        if (exists && !views_only) {
            NILAS_TRY(add_identifiers(run, &rows, &at, false, err));
        }
        if (exists) {
            NILAS_TRY(add_identifiers(run, &rows, &at, true, err));
        }
    }
    if (global || nilas_catalog_is_session(at.catalog) ||
        nilas_str_is(at.catalog_name, "spark_catalog")) {
        NILAS_TRY(add_views_of_session(run, &rows, global, err));
        if (global) {
            NILAS_TRY(add_views_of_session(run, &rows, false, err));
        }
    }
    return nilas_session__rows_end(&rows, err);
}

/** The relation that the name means; with a database given it stands in the session's catalog. */
static nilas_code find_relation(nilas_run *run, nilas_relation *out, nilas_error *err) {
    const nilas_statement *s = run->statement;
    nilas_str *parts = s->parts;
    size_t count = s->part_count;
    if (s->namespace_part_count > 0) {
        count = 1 + s->namespace_part_count + s->part_count;
        NILAS_NEW_ARRAY(run->stmt, &parts, count, err);
        parts[0] = NILAS_STR("spark_catalog");
        nilas_copy(parts + 1, s->namespace_parts, s->namespace_part_count * sizeof(*parts));
        nilas_copy(parts + 1 + s->namespace_part_count, s->parts, s->part_count * sizeof(*parts));
    }
    return nilas_bind_relation(&run->environment, parts, count, -1, NULL, NULL, 0, out, err);
}

static nilas_code table_exists(nilas_run *run, nilas_error *err) {
    nilas_relation relation;
    nilas_error inner = NILAS_ERROR_INIT;
    nilas_code code = find_relation(run, &relation, &inner);
    if (code == NILAS_OK) {
        return answer_bool(run, true, err);
    }
    bool absent =
        code == NILAS_NOT_FOUND ||
        (inner.condition != NULL && strcmp(inner.condition, "REQUIRES_SINGLE_PART_NAMESPACE") == 0);
    if (absent) {
        return answer_bool(run, false, err);
    }
    *err = inner;
    return code;
}

static nilas_code get_table(nilas_run *run, nilas_error *err) {
    nilas_relation relation;
    nilas_command_rows rows;
    NILAS_TRY(find_relation(run, &relation, err));
    NILAS_TRY(begin_objects(run, &rows, "tableType", err));
    const nilas_statement *s = run->statement;
    table_row row = {.name = s->parts[s->part_count - 1]};
    if (relation.kind == NILAS_RELATION_TEMP_VIEW || relation.temp_view != NULL) {
        row.type = "TEMPORARY";
        row.is_temporary = true;
        row.parts = global_namespace;
        row.count = s->part_count > 1 ? 1 : 0;
    } else {
        row.catalog = relation.catalog_name;
        row.parts = relation.identifier;
        row.count = relation.identifier_count > 0 ? relation.identifier_count - 1 : 0;
        row.type = relation.kind == NILAS_RELATION_VIEW ? "VIEW" : "MANAGED";
    }
    if (relation.table != NULL) {
        nilas_str none = {0};
        row.description = nilas_metadata_property(relation.table->metadata, "comment", none);
    }
    NILAS_TRY(add_table(run, &rows, &row, err));
    return nilas_session__rows_end(&rows, err);
}

// ---- columns ------------------------------------------------------------------------------------

static bool is_partition_column(const nilas_relation *relation, nilas_str name) {
    if (relation->table == NULL || relation->kind != NILAS_RELATION_TABLE) {
        return false;
    }
    const nilas_metadata *metadata = relation->table->metadata;
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, metadata->default_spec_id);
    for (size_t i = 0; spec != NULL && i < spec->field_count; i++) {
        const nilas_ice_field *field =
            nilas_schema_find_id(relation->schema, spec->fields[i].source_id);
        if (field != NULL && spec->fields[i].transform.kind == NILAS_TRANSFORM_IDENTITY &&
            nilas_str_equal(field->name, name)) {
            return true;
        }
    }
    return false;
}

static nilas_code columns_of(nilas_run *run, const nilas_type **out, nilas_error *err) {
    const nilas_statement *s = run->statement;
    nilas_query *query;
    nilas_plan *plan;
    NILAS_TRY(nilas_query_new(run->stmt, NILAS_QUERY_TABLE, -1, &query, err));
    query->parts = s->parts;
    query->part_count = s->part_count;
    NILAS_TRY(nilas_bind_query(&run->environment, query, &plan, err));
    return nilas_plan_type(run->stmt, plan, out, err);
}

static nilas_code list_columns(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"name",        "description", "dataType", "nullable",
                                        "isPartition", "isBucket",    "isCluster"};
    static const nilas_type_kind kinds[] = {
        NILAS_TYPE_STRING,  NILAS_TYPE_STRING,  NILAS_TYPE_STRING, NILAS_TYPE_BOOLEAN,
        NILAS_TYPE_BOOLEAN, NILAS_TYPE_BOOLEAN, NILAS_TYPE_BOOLEAN};
    nilas_relation relation;
    nilas_command_rows rows;
    const nilas_type *type;
    NILAS_TRY(find_relation(run, &relation, err));
    NILAS_TRY(columns_of(run, &type, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, kinds, 7, err));
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_type_field *field = &type->fields[i];
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
        nilas_value cells[7];
        nilas_str none = {0};
        nilas_type_print(&text, field->type);
        NILAS_TRY(nilas_buf_check(&text, err));
        NILAS_TRY(text_cell(run, field->name, &cells[0], err));
        NILAS_TRY(text_cell(run, field->has_comment ? field->comment : none, &cells[1], err));
        NILAS_TRY(text_cell(run, nilas_buf_view(&text), &cells[2], err));
        cells[3] = nilas_value_of_bool(field->nullable);
        cells[4] = nilas_value_of_bool(is_partition_column(&relation, field->name));
        cells[5] = nilas_value_of_bool(false);
        cells[6] = nilas_value_of_bool(false);
        NILAS_TRY(nilas_session__rows_add(&rows, cells, err));
    }
    return nilas_session__rows_end(&rows, err);
}

// ---- functions ----------------------------------------------------------------------------------

/* There are no classes here; the name of the function stands for its usage. */
static nilas_code add_function(nilas_run *run, nilas_command_rows *rows, nilas_str name,
                               nilas_error *err) {
    nilas_value cells[6] = {[5] = nilas_value_of_bool(true)};
    NILAS_TRY(text_cell(run, name, &cells[0], err));
    cells[3] = cells[0];
    cells[4] = nilas_value_of_str(NILAS_STR(""));
    return nilas_session__rows_add(rows, cells, err);
}

static nilas_code list_functions(nilas_run *run, nilas_error *err) {
    nilas_command_rows rows;
    size_t count;
    const char *const *builtin = nilas_function_names(&count);
    NILAS_TRY(begin_objects(run, &rows, "className", err));
    for (size_t i = 0; i < count; i++) {
        if (wanted(run, nilas_str_of(builtin[i]))) {
            NILAS_TRY(add_function(run, &rows, nilas_str_of(builtin[i]), err));
        }
    }
    return nilas_session__rows_end(&rows, err);
}

static bool has_function(const nilas_run *run) {
    const nilas_statement *s = run->statement;
    return s->namespace_part_count == 0 && s->part_count == 1 && nilas_function_exists(s->parts[0]);
}

static nilas_code function_exists(nilas_run *run, nilas_error *err) {
    return answer_bool(run, has_function(run), err);
}

static nilas_code get_function(nilas_run *run, nilas_error *err) {
    const nilas_statement *s = run->statement;
    nilas_command_rows rows;
    if (!has_function(run)) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(1 << 20);
        nilas_name_print_quoted(&name, s->parts, s->part_count);
        return nilas_fail_at(err, NILAS_NOT_FOUND, "UNRESOLVED_ROUTINE", -1,
                             "Cannot resolve routine %.*s on search path [`system`.`builtin`, "
                             "`system`.`session`, `%.*s`].",
                             NILAS_FMT(nilas_buf_view(&name)),
                             NILAS_FMT(run->session->current_catalog));
    }
    NILAS_TRY(begin_objects(run, &rows, "className", err));
    NILAS_TRY(add_function(run, &rows, s->parts[0], err));
    return nilas_session__rows_end(&rows, err);
}

// ---- views, and what DESCRIBE and SHOW say otherwise --------------------------------------------

static nilas_code drop_view(nilas_run *run, nilas_error *err) {
    bool global = run->statement->catalog_function == NILAS_CATALOG_DROP_GLOBAL_TEMP_VIEW;
    return answer_bool(run, nilas_session__drop_view(run->session, run->statement->pattern, global),
                       err);
}

/* Nothing is cached. The table must be there. */
static nilas_code is_cached(nilas_run *run, nilas_error *err) {
    nilas_relation relation;
    NILAS_TRY(find_relation(run, &relation, err));
    return answer_bool(run, false, err);
}

static nilas_code table_properties(nilas_run *run, nilas_error *err) {
    nilas_statement *show;
    NILAS_TRY(nilas_statement_new(run->stmt, NILAS_STATEMENT_SHOW_TBLPROPERTIES, -1, &show, err));
    show->parts = run->statement->parts;
    show->part_count = run->statement->part_count;
    show->parts_offset = -1;
    run->statement = show;
    return nilas_command__show_tblproperties(run, err);
}

static nilas_code create_string(nilas_run *run, nilas_error *err) {
    nilas_statement *show;
    NILAS_TRY(nilas_statement_new(run->stmt, NILAS_STATEMENT_SHOW_CREATE_TABLE, -1, &show, err));
    show->parts = run->statement->parts;
    show->part_count = run->statement->part_count;
    show->parts_offset = -1;
    run->statement = show;
    return nilas_command__show_create_table(run, err);
}

nilas_code nilas_command__catalog(nilas_run *run, nilas_error *err) {
    static nilas_code (*const functions[])(nilas_run * run, nilas_error * err) = {
        [NILAS_CATALOG_CURRENT_CATALOG] = current_catalog,
        [NILAS_CATALOG_LIST_CATALOGS] = list_catalogs,
        [NILAS_CATALOG_CURRENT_DATABASE] = current_database,
        [NILAS_CATALOG_LIST_DATABASES] = list_databases,
        [NILAS_CATALOG_GET_DATABASE] = get_database,
        [NILAS_CATALOG_DATABASE_EXISTS] = database_exists,
        [NILAS_CATALOG_LIST_TABLES] = list_tables,
        [NILAS_CATALOG_LIST_VIEWS] = list_tables,
        [NILAS_CATALOG_GET_TABLE] = get_table,
        [NILAS_CATALOG_TABLE_EXISTS] = table_exists,
        [NILAS_CATALOG_LIST_COLUMNS] = list_columns,
        [NILAS_CATALOG_LIST_FUNCTIONS] = list_functions,
        [NILAS_CATALOG_GET_FUNCTION] = get_function,
        [NILAS_CATALOG_FUNCTION_EXISTS] = function_exists,
        [NILAS_CATALOG_IS_CACHED] = is_cached,
        [NILAS_CATALOG_DROP_TEMP_VIEW] = drop_view,
        [NILAS_CATALOG_DROP_GLOBAL_TEMP_VIEW] = drop_view,
        [NILAS_CATALOG_GET_TABLE_PROPERTIES] = table_properties,
        [NILAS_CATALOG_GET_CREATE_TABLE_STRING] = create_string,
    };
    nilas_catalog_function function = run->statement->catalog_function;
    nilas_assert((size_t)function < sizeof(functions) / sizeof(functions[0]));
    return functions[function](run, err);
}
