/** Views of catalogs that have them (Iceberg views): CREATE, ALTER, DROP, and what DESCRIBE and
 * SHOW say of them. */
#include <stdlib.h>

#include "session/ddl.h"

static nilas_code fail_exists(const nilas_ddl_name *name, int32_t offset, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_name_print(&text, name->parts, name->count);
    return nilas_fail_at(err, NILAS_EXISTS, "VIEW_ALREADY_EXISTS", offset,
                         "Cannot create view %.*s because it already exists. Choose a different "
                         "name, drop or replace the existing object, or add the IF NOT EXISTS "
                         "clause to tolerate pre-existing objects.",
                         NILAS_FMT(nilas_buf_view(&text)));
}

nilas_code nilas_ddl__fail_no_view(const nilas_str *parts, size_t count, int32_t offset,
                                   nilas_error *err) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    nilas_name_print(&name, parts, count);
    return nilas_fail_at(err, NILAS_NOT_FOUND, "VIEW_NOT_FOUND", offset,
                         "The view %.*s cannot be found. Verify the spelling and correctness of "
                         "the schema and catalog.\nIf you did not qualify the name with a schema, "
                         "verify the current_schema() output, or qualify the name with the correct "
                         "schema and catalog.\nTo tolerate the error on drop use DROP VIEW IF "
                         "EXISTS.",
                         NILAS_FMT(nilas_buf_view(&name)));
}

/** The query as it was written; a tree that did not come from text is printed. */
static nilas_code query_text(nilas_run *run, nilas_str *out, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    const nilas_query *query = statement->query;
    size_t from = (size_t)(query->offset - statement->offset);
    size_t to = (size_t)(query->end_offset - statement->offset);
    if (statement->text.size > 0 && query->offset >= statement->offset &&
        to <= statement->text.size && from < to) {
        *out = nilas_str_slice(statement->text, from, to - from);
        return NILAS_OK;
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_query_print(&text, query);
    return nilas_buf_finish(&text, run->stmt, out, err);
}

/** Columns of the query under the names that the statement gives them. */
static nilas_code view_schema(nilas_run *run, const nilas_schema **out, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    nilas_plan *plan;
    nilas_schema *schema;
    nilas_type_field *fields;
    const nilas_type *type;
    const nilas_ice_type *ice;
    int32_t next_id = 0;
    NILAS_TRY(nilas_bind_query(&run->environment, statement->query, &plan, err));
    if (statement->column_def_count > 0 && statement->column_def_count != plan->output_count) {
        bool few = statement->column_def_count > plan->output_count;
        return nilas_fail_at(err, NILAS_INVALID,
                             few ? "CREATE_VIEW_COLUMN_ARITY_MISMATCH.NOT_ENOUGH_DATA_COLUMNS"
                                 : "CREATE_VIEW_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS",
                             statement->offset,
                             "Cannot create the view: it has %zu columns and the query %zu.",
                             statement->column_def_count, plan->output_count);
    }
    NILAS_NEW_ARRAY(run->stmt, &fields, plan->output_count, err);
    for (size_t i = 0; i < plan->output_count; i++) {
        fields[i] = (nilas_type_field){.name = plan->outputs[i].name,
                                       .type = plan->outputs[i].type,
                                       .nullable = plan->outputs[i].nullable};
        if (statement->column_def_count > 0) {
            fields[i].name = statement->column_defs[i].parts[0];
            fields[i].has_comment = statement->column_defs[i].has_comment;
            fields[i].comment = statement->column_defs[i].comment;
        }
    }
    NILAS_TRY(nilas_type_struct(run->stmt, fields, plan->output_count, &type, err));
    NILAS_TRY(nilas_bind_spark_type(run->stmt, type, &next_id, &ice, err));
    NILAS_NEW(run->stmt, &schema, err);
    schema->type = *ice;
    *out = schema;
    return NILAS_OK;
}

static nilas_code view_properties(nilas_run *run, nilas_view_definition *view, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    NILAS_ARRAY_OF(nilas_property) list = {0};
    for (size_t i = 0; i < statement->property_count; i++) {
        nilas_property property = {.key = statement->properties[i].key,
                                   .value = statement->properties[i].value};
        NILAS_PUSH(run->stmt, &list, property, err);
    }
    if (statement->has_comment) {
        nilas_property property = {.key = NILAS_STR("comment"), .value = statement->comment};
        NILAS_PUSH(run->stmt, &list, property, err);
    }
    view->properties = list.items;
    view->property_count = list.count;
    return NILAS_OK;
}

nilas_code nilas_command__create_catalog_view(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    nilas_ddl_name name;
    nilas_error inner = NILAS_ERROR_INIT;
    nilas_view_definition view = {
        .dialect = NILAS_STR("spark"),
        .default_catalog = run->session->current_catalog,
        .default_namespace = run->session->current_namespace,
        .default_namespace_count = run->session->namespace_count,
    };
    NILAS_TRY(nilas_ddl__name(run, statement->parts, statement->part_count, &name, err));
    NILAS_TRY(query_text(run, &view.sql, err));
    NILAS_TRY(view_schema(run, &view.schema, err));
    NILAS_TRY(view_properties(run, &view, err));
    nilas_code code = nilas_catalog_put_view(name.catalog, name.parts, name.count, &view,
                                             statement->or_replace, &inner);
    if (code == NILAS_EXISTS && statement->if_not_exists) {
        return nilas_session__no_rows(run, err);
    }
    if (code == NILAS_EXISTS) {
        return fail_exists(&name, statement->parts_offset, err);
    }
    if (code != NILAS_OK) {
        *err = inner;
        return code;
    }
    return nilas_session__no_rows(run, err);
}

nilas_code nilas_command__drop_catalog_view(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    nilas_ddl_name name;
    nilas_error inner = NILAS_ERROR_INIT;
    NILAS_TRY(nilas_ddl__name(run, statement->parts, statement->part_count, &name, err));
    nilas_code code = nilas_catalog_drop_view(name.catalog, name.parts, name.count, &inner);
    if (code == NILAS_NOT_FOUND || (code == NILAS_UNSUPPORTED && statement->if_exists)) {
        return statement->if_exists
                   ? nilas_session__no_rows(run, err)
                   : nilas_ddl__fail_no_view(name.parts, name.count, statement->parts_offset, err);
    }
    if (code != NILAS_OK) {
        *err = inner;
        return code;
    }
    return nilas_session__no_rows(run, err);
}

nilas_code nilas_command__alter_view(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    nilas_ddl_name name;
    NILAS_TRY(nilas_ddl__name(run, statement->parts, statement->part_count, &name, err));
    NILAS_REQUIRE(statement->alteration_count > 0, err, NILAS_UNSUPPORTED,
                  "this ALTER VIEW is not supported");
    const nilas_alteration *alteration = &statement->alterations[0];
    bool sets = alteration->kind == NILAS_ALTER_SET_PROPERTIES;
    if (alteration->kind == NILAS_ALTER_VIEW_QUERY) {
        return nilas_fail_at(
            err, NILAS_UNSUPPORTED, NULL, statement->offset,
            "ALTER VIEW <viewName> AS is not supported. Use CREATE OR REPLACE VIEW instead");
    }
    if (!sets && alteration->kind != NILAS_ALTER_UNSET_PROPERTIES) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", statement->offset,
                             "This ALTER VIEW clause is not supported.");
    }
    nilas_property *changes;
    NILAS_NEW_ARRAY(run->stmt, &changes, alteration->property_count, err);
    for (size_t i = 0; i < alteration->property_count; i++) {
        changes[i].key = alteration->properties[i].key;
        changes[i].value = sets ? alteration->properties[i].value : (nilas_str){0};
    }
    nilas_code code = nilas_catalog_alter_view(name.catalog, name.parts, name.count, changes,
                                               alteration->property_count, err);
    if (code == NILAS_NOT_FOUND) {
        return nilas_ddl__fail_no_view(name.parts, name.count, statement->parts_offset, err);
    }
    NILAS_TRY(code);
    return nilas_session__no_rows(run, err);
}

/* --- what is said of a view
 * ------------------------------------------------------------------------ */

static int compare_properties(const void *a, const void *b) {
    return nilas_str_compare(((const nilas_property *)a)->key, ((const nilas_property *)b)->key);
}

nilas_code nilas_ddl__view_properties(nilas_arena *arena, const nilas_view *view,
                                      nilas_property **out, size_t *out_count, nilas_error *err) {
    static const char *const hidden[] = {"comment", "owner", "create_engine_version",
                                         "engine_version", "spark.query-column-names"};
    NILAS_ARRAY_OF(nilas_property) list = {0};
    nilas_property fixed[] = {{NILAS_STR("format-version"), NILAS_STR("1")},
                              {NILAS_STR("location"), view->location},
                              {NILAS_STR("provider"), NILAS_STR("iceberg")}};
    for (size_t i = 0; i < 3; i++) {
        NILAS_PUSH(arena, &list, fixed[i], err);
    }
    for (size_t i = 0; i < view->property_count; i++) {
        bool skip = false;
        for (size_t h = 0; h < sizeof(hidden) / sizeof(hidden[0]); h++) {
            skip = skip || nilas_str_is(view->properties[i].key, hidden[h]);
        }
        if (!skip) {
            NILAS_PUSH(arena, &list, view->properties[i], err);
        }
    }
    qsort(list.items, list.count, sizeof(list.items[0]), compare_properties);
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}

static nilas_str view_comment(const nilas_view *view) {
    for (size_t i = 0; i < view->property_count; i++) {
        if (nilas_str_is(view->properties[i].key, "comment")) {
            return view->properties[i].value;
        }
    }
    return (nilas_str){0};
}

nilas_code nilas_ddl__print_create_view(nilas_arena *arena, const nilas_relation *relation,
                                        nilas_buf *out, nilas_error *err) {
    const nilas_view *view = relation->view;
    nilas_str name;
    nilas_property *properties;
    size_t count;
    NILAS_TRY(nilas_session__relation_quoted(arena, relation, &name, err));
    nilas_buf_print(out, "CREATE VIEW %.*s (", NILAS_FMT(name));
    for (size_t i = 0; i < view->schema->type.field_count; i++) {
        const nilas_ice_field *field = &view->schema->type.fields[i];
        nilas_buf_add_text(out, i > 0 ? ",\n  " : "\n  ");
        nilas_session__print_name(out, field->name);
        if (field->has_doc) {
            nilas_buf_print(out, " COMMENT '%.*s'", NILAS_FMT(field->doc));
        }
    }
    nilas_buf_add_text(out, ")\n");
    nilas_str comment = view_comment(view);
    if (comment.data != NULL) {
        nilas_buf_print(out, "COMMENT '%.*s'\n", NILAS_FMT(comment));
    }
    NILAS_TRY(nilas_ddl__view_properties(arena, view, &properties, &count, err));
    for (size_t i = 0; i < count; i++) {
        nilas_buf_print(out, "%s'%.*s' = '%.*s'", i == 0 ? "TBLPROPERTIES (\n  " : ",\n  ",
                        NILAS_FMT(properties[i].key), NILAS_FMT(properties[i].value));
    }
    nilas_buf_print(out, ")\nAS\n%.*s\n", NILAS_FMT(view->sql));
    return NILAS_OK;
}

nilas_code nilas_ddl__describe_view(nilas_command_rows *rows, const nilas_relation *relation,
                                    nilas_error *err) {
    const nilas_view *view = relation->view;
    nilas_arena *arena = rows->run->stmt;
    nilas_property *properties;
    size_t count;
    NILAS_AUTO_BUF columns = NILAS_BUF_INIT(1 << 20);
    NILAS_AUTO_BUF shown = NILAS_BUF_INIT(1 << 20);
    NILAS_AUTO_BUF place = NILAS_BUF_INIT(1 << 20);
    NILAS_TRY(nilas_ddl__view_properties(arena, view, &properties, &count, err));
    for (size_t i = 0; i < view->schema->type.field_count; i++) {
        nilas_buf_print(&columns, "%s%.*s", i > 0 ? ", " : "[",
                        NILAS_FMT(view->schema->type.fields[i].name));
    }
    for (size_t i = 0; i < count; i++) {
        nilas_buf_print(&shown, "%s'%.*s' = '%.*s'", i > 0 ? ", " : "[",
                        NILAS_FMT(properties[i].key), NILAS_FMT(properties[i].value));
    }
    nilas_buf_add_text(&columns, "]");
    nilas_buf_add_text(&shown, "]");
    nilas_buf_add(&place, relation->catalog_name);
    for (size_t i = 0; i + 1 < relation->identifier_count; i++) {
        nilas_buf_print(&place, ".%.*s", NILAS_FMT(relation->identifier[i]));
    }
    nilas_str comment = view_comment(view);
    const nilas_str lines[][3] = {
        {NILAS_STR(""), NILAS_STR(""), NILAS_STR("")},
        {NILAS_STR("# Detailed View Information"), NILAS_STR(""), NILAS_STR("")},
        {NILAS_STR("Comment"), comment.data != NULL ? comment : NILAS_STR(""), NILAS_STR("")},
        {NILAS_STR("View Catalog and Namespace"), nilas_buf_view(&place), NILAS_STR("")},
        {NILAS_STR("View Query Output Columns"), nilas_buf_view(&columns), NILAS_STR("")},
        {NILAS_STR("View Properties"), nilas_buf_view(&shown), NILAS_STR("")},
        {NILAS_STR("Created By"), NILAS_STR("nilas " NILAS_VERSION), NILAS_STR("")},
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        NILAS_TRY(nilas_session__rows_add_texts(rows, lines[i], err));
    }
    return NILAS_OK;
}
