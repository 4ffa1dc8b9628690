/** spark.catalog: statements where SQL has one that does the same, else catalog functions. */
#include "connect/plan.h"

static nilas_code new_statement(nilas_connect__plan *plan, nilas_statement_kind kind,
                                nilas_statement **out) {
    NILAS_TRY(nilas_statement_new(plan->stmt, kind, -1, out, plan->err));
    (*out)->parts_offset = -1;
    return NILAS_OK;
}

/** A function and what it is asked about; NULL: not given. */
typedef struct question {
    nilas_catalog_function function;
    const char *name;     // a table, a function, a view
    const char *database; // that the name stands in, or that is listed
    const char *pattern;
} question;

static nilas_code ask(nilas_connect__plan *plan, const question *q, nilas_statement **out) {
    nilas_statement *s;
    NILAS_TRY(new_statement(plan, NILAS_STATEMENT_CATALOG, &s));
    s->catalog_function = q->function;
    if (q->name != NULL) {
        NILAS_TRY(nilas_connect__table_name(plan, q->name, &s->parts, &s->part_count));
    }
    if (q->database != NULL) {
        NILAS_TRY(nilas_connect__table_name(plan, q->database, &s->namespace_parts,
                                            &s->namespace_part_count));
    }
    s->has_pattern = q->pattern != NULL;
    s->pattern = nilas_connect__text(q->pattern);
    *out = s;
    return NILAS_OK;
}

/* The member of a oneof of one. */
#define GIVEN(message, member) ((message)->_##member##_case != 0 ? (message)->member : NULL)

static nilas_code ask_function(nilas_connect__plan *plan, const Sc__Catalog *from,
                               nilas_statement **out, bool *taken) {
    question q = {0};
    *taken = true;
    switch (from->cat_type_case) {
    case SC__CATALOG__CAT_TYPE_CURRENT_CATALOG: q.function = NILAS_CATALOG_CURRENT_CATALOG; break;
    case SC__CATALOG__CAT_TYPE_CURRENT_DATABASE: q.function = NILAS_CATALOG_CURRENT_DATABASE; break;
    case SC__CATALOG__CAT_TYPE_LIST_CATALOGS:
        q = (question){.function = NILAS_CATALOG_LIST_CATALOGS,
                       .pattern = GIVEN(from->list_catalogs, pattern)};
        break;
    case SC__CATALOG__CAT_TYPE_LIST_DATABASES:
        q = (question){.function = NILAS_CATALOG_LIST_DATABASES,
                       .pattern = GIVEN(from->list_databases, pattern)};
        break;
    case SC__CATALOG__CAT_TYPE_GET_DATABASE:
        q = (question){.function = NILAS_CATALOG_GET_DATABASE,
                       .database = from->get_database->db_name};
        break;
    case SC__CATALOG__CAT_TYPE_DATABASE_EXISTS:
        q = (question){.function = NILAS_CATALOG_DATABASE_EXISTS,
                       .database = from->database_exists->db_name};
        break;
    case SC__CATALOG__CAT_TYPE_LIST_FUNCTIONS:
        q = (question){.function = NILAS_CATALOG_LIST_FUNCTIONS,
                       .database = GIVEN(from->list_functions, db_name),
                       .pattern = GIVEN(from->list_functions, pattern)};
        break;
    case SC__CATALOG__CAT_TYPE_GET_FUNCTION:
        q = (question){.function = NILAS_CATALOG_GET_FUNCTION,
                       .name = from->get_function->function_name,
                       .database = GIVEN(from->get_function, db_name)};
        break;
    case SC__CATALOG__CAT_TYPE_FUNCTION_EXISTS:
        q = (question){.function = NILAS_CATALOG_FUNCTION_EXISTS,
                       .name = from->function_exists->function_name,
                       .database = GIVEN(from->function_exists, db_name)};
        break;
    default: *taken = false; return NILAS_OK;
    }
    return ask(plan, &q, out);
}

static nilas_code ask_table(nilas_connect__plan *plan, const Sc__Catalog *from,
                            nilas_statement **out, bool *taken) {
    question q = {0};
    *taken = true;
    switch (from->cat_type_case) {
    case SC__CATALOG__CAT_TYPE_LIST_TABLES:
        q = (question){.function = NILAS_CATALOG_LIST_TABLES,
                       .database = GIVEN(from->list_tables, db_name),
                       .pattern = GIVEN(from->list_tables, pattern)};
        break;
    case SC__CATALOG__CAT_TYPE_LIST_VIEWS:
        q = (question){.function = NILAS_CATALOG_LIST_VIEWS,
                       .database = GIVEN(from->list_views, db_name),
                       .pattern = GIVEN(from->list_views, pattern)};
        break;
    case SC__CATALOG__CAT_TYPE_GET_TABLE:
        q = (question){.function = NILAS_CATALOG_GET_TABLE,
                       .name = from->get_table->table_name,
                       .database = GIVEN(from->get_table, db_name)};
        break;
    case SC__CATALOG__CAT_TYPE_TABLE_EXISTS:
        q = (question){.function = NILAS_CATALOG_TABLE_EXISTS,
                       .name = from->table_exists->table_name,
                       .database = GIVEN(from->table_exists, db_name)};
        break;
    case SC__CATALOG__CAT_TYPE_LIST_COLUMNS:
        q = (question){.function = NILAS_CATALOG_LIST_COLUMNS,
                       .name = from->list_columns->table_name,
                       .database = GIVEN(from->list_columns, db_name)};
        break;
    case SC__CATALOG__CAT_TYPE_IS_CACHED:
        q = (question){.function = NILAS_CATALOG_IS_CACHED, .name = from->is_cached->table_name};
        break;
    case SC__CATALOG__CAT_TYPE_DROP_TEMP_VIEW:
        q = (question){.function = NILAS_CATALOG_DROP_TEMP_VIEW,
                       .pattern = from->drop_temp_view->view_name};
        break;
    case SC__CATALOG__CAT_TYPE_DROP_GLOBAL_TEMP_VIEW:
        q = (question){.function = NILAS_CATALOG_DROP_GLOBAL_TEMP_VIEW,
                       .pattern = from->drop_global_temp_view->view_name};
        break;
    case SC__CATALOG__CAT_TYPE_GET_TABLE_PROPERTIES:
        q = (question){.function = NILAS_CATALOG_GET_TABLE_PROPERTIES,
                       .name = from->get_table_properties->table_name};
        break;
    case SC__CATALOG__CAT_TYPE_GET_CREATE_TABLE_STRING:
        q = (question){.function = NILAS_CATALOG_GET_CREATE_TABLE_STRING,
                       .name = from->get_create_table_string->table_name};
        break;
    default: *taken = false; return NILAS_OK;
    }
    return ask(plan, &q, out);
}

// ---- statements ---------------------------------------------------------------------------------

static nilas_code about_table(nilas_connect__plan *plan, nilas_statement_kind kind,
                              const char *name, nilas_statement **out) {
    NILAS_TRY(new_statement(plan, kind, out));
    return nilas_connect__table_name(plan, name, &(*out)->parts, &(*out)->part_count);
}

static nilas_code set_current(nilas_connect__plan *plan, const Sc__Catalog *from,
                              nilas_statement **out) {
    if (from->cat_type_case == SC__CATALOG__CAT_TYPE_SET_CURRENT_DATABASE) {
        NILAS_TRY(about_table(plan, NILAS_STATEMENT_USE, from->set_current_database->db_name, out));
        (*out)->is_namespace = true;
        return NILAS_OK;
    }
    NILAS_TRY(new_statement(plan, NILAS_STATEMENT_SET_CATALOG, out));
    NILAS_NEW(plan->stmt, &(*out)->parts, plan->err);
    (*out)->parts[0] = nilas_connect__text(from->set_current_catalog->catalog_name);
    (*out)->part_count = 1;
    return NILAS_OK;
}

static nilas_code options_of(nilas_connect__plan *plan, void *entries, size_t count,
                             nilas_option **out) {
    Sc__CreateTable__OptionsEntry **from = entries;
    NILAS_NEW_ARRAY(plan->stmt, out, count, plan->err);
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = (nilas_option){.key = nilas_connect__text(from[i]->key),
                                   .value = nilas_connect__text(from[i]->value),
                                   .has_value = true};
    }
    return NILAS_OK;
}

static nilas_code column_defs(nilas_connect__plan *plan, const Sc__DataType *schema,
                              nilas_statement *create) {
    const nilas_type *type;
    NILAS_TRY(nilas_connect__type(plan, schema, &type));
    NILAS_REQUIRE(type->kind == NILAS_TYPE_STRUCT, plan->err, NILAS_INVALID,
                  "the schema of a table must be a struct");
    NILAS_NEW_ARRAY(plan->stmt, &create->column_defs, type->field_count, plan->err);
    create->column_def_count = type->field_count;
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_type_field *field = &type->fields[i];
        nilas_column_def *column = &create->column_defs[i];
        NILAS_NEW(plan->stmt, &column->parts, plan->err);
        column->parts[0] = field->name;
        column->part_count = 1;
        column->type = field->type;
        column->not_null = !field->nullable;
        column->has_comment = field->has_comment;
        column->comment = field->comment;
        column->offset = -1;
    }
    return NILAS_OK;
}

static nilas_code create_table(nilas_connect__plan *plan, const Sc__CreateTable *from,
                               nilas_statement **out) {
    NILAS_TRY(about_table(plan, NILAS_STATEMENT_CREATE_TABLE, from->table_name, out));
    nilas_statement *create = *out;
    create->provider = nilas_connect__text(GIVEN(from, source));
    create->has_location = from->_path_case != SC__CREATE_TABLE___PATH__NOT_SET;
    create->location = nilas_connect__text(GIVEN(from, path));
    create->has_comment = from->_description_case != SC__CREATE_TABLE___DESCRIPTION__NOT_SET &&
                          from->description[0] != '\0';
    create->comment = nilas_connect__text(GIVEN(from, description));
    NILAS_TRY(options_of(plan, from->options, from->n_options, &create->options));
    create->option_count = from->n_options;
    if (from->_schema_case != SC__CREATE_TABLE___SCHEMA__NOT_SET && from->schema != NULL) {
        NILAS_TRY(column_defs(plan, from->schema, create));
    }
    return NILAS_OK;
}

static nilas_code database(nilas_connect__plan *plan, const Sc__Catalog *from,
                           nilas_statement **out) {
    if (from->cat_type_case == SC__CATALOG__CAT_TYPE_CREATE_DATABASE) {
        const Sc__CreateDatabase *create = from->create_database;
        NILAS_TRY(about_table(plan, NILAS_STATEMENT_CREATE_NAMESPACE, create->db_name, out));
        (*out)->if_not_exists = create->if_not_exists;
        NILAS_TRY(options_of(plan, create->properties, create->n_properties, &(*out)->properties));
        (*out)->property_count = create->n_properties;
        return NILAS_OK;
    }
    const Sc__DropDatabase *drop = from->drop_database;
    NILAS_TRY(about_table(plan, NILAS_STATEMENT_DROP_NAMESPACE, drop->db_name, out));
    (*out)->if_exists = drop->if_exists;
    (*out)->cascade = drop->cascade;
    return NILAS_OK;
}

static nilas_code drop(nilas_connect__plan *plan, const Sc__Catalog *from, nilas_statement **out) {
    if (from->cat_type_case == SC__CATALOG__CAT_TYPE_DROP_VIEW) {
        NILAS_TRY(about_table(plan, NILAS_STATEMENT_DROP_VIEW, from->drop_view->view_name, out));
        (*out)->if_exists = from->drop_view->if_exists;
        return NILAS_OK;
    }
    NILAS_TRY(about_table(plan, NILAS_STATEMENT_DROP_TABLE, from->drop_table->table_name, out));
    (*out)->if_exists = from->drop_table->if_exists;
    (*out)->purge = from->drop_table->purge;
    return NILAS_OK;
}

static nilas_code say(nilas_connect__plan *plan, const Sc__Catalog *from, nilas_statement **out) {
    switch (from->cat_type_case) {
    case SC__CATALOG__CAT_TYPE_SET_CURRENT_DATABASE:
    case SC__CATALOG__CAT_TYPE_SET_CURRENT_CATALOG: return set_current(plan, from, out);
    case SC__CATALOG__CAT_TYPE_CREATE_TABLE: return create_table(plan, from->create_table, out);
    case SC__CATALOG__CAT_TYPE_CREATE_DATABASE:
    case SC__CATALOG__CAT_TYPE_DROP_DATABASE: return database(plan, from, out);
    case SC__CATALOG__CAT_TYPE_DROP_TABLE:
    case SC__CATALOG__CAT_TYPE_DROP_VIEW: return drop(plan, from, out);
    case SC__CATALOG__CAT_TYPE_CACHE_TABLE:
        return about_table(plan, NILAS_STATEMENT_CACHE_TABLE, from->cache_table->table_name, out);
    case SC__CATALOG__CAT_TYPE_UNCACHE_TABLE:
        return about_table(plan, NILAS_STATEMENT_UNCACHE_TABLE, from->uncache_table->table_name,
                           out);
    case SC__CATALOG__CAT_TYPE_CLEAR_CACHE:
        return new_statement(plan, NILAS_STATEMENT_CLEAR_CACHE, out);
    case SC__CATALOG__CAT_TYPE_REFRESH_BY_PATH:
        return new_statement(plan, NILAS_STATEMENT_CLEAR_CACHE, out); // nothing is kept by path
    case SC__CATALOG__CAT_TYPE_REFRESH_TABLE:
        return about_table(plan, NILAS_STATEMENT_REFRESH_TABLE, from->refresh_table->table_name,
                           out);
    case SC__CATALOG__CAT_TYPE_TRUNCATE_TABLE:
        return about_table(plan, NILAS_STATEMENT_TRUNCATE_TABLE, from->truncate_table->table_name,
                           out);
    case SC__CATALOG__CAT_TYPE_ANALYZE_TABLE:
        return about_table(plan, NILAS_STATEMENT_ANALYZE_TABLE, from->analyze_table->table_name,
                           out);
    case SC__CATALOG__CAT_TYPE_LIST_PARTITIONS:
        return about_table(plan, NILAS_STATEMENT_SHOW_PARTITIONS, from->list_partitions->table_name,
                           out);
    case SC__CATALOG__CAT_TYPE_CREATE_EXTERNAL_TABLE:
        return nilas_connect__refuse(plan, "spark.catalog.createExternalTable()");
    case SC__CATALOG__CAT_TYPE_RECOVER_PARTITIONS:
        return nilas_connect__refuse(plan, "spark.catalog.recoverPartitions()");
    default: return nilas_connect__missing(plan, "function of a catalog");
    }
}

nilas_code nilas_connect__catalog(nilas_connect__plan *plan, const Sc__Catalog *from,
                                  nilas_statement **out) {
    bool taken;
    if (from == NULL || from->cat_type_case == SC__CATALOG__CAT_TYPE__NOT_SET ||
        from->list_tables == NULL) {
        return nilas_connect__missing(plan, "function of a catalog");
    }
    NILAS_TRY(ask_function(plan, from, out, &taken));
    if (!taken) {
        NILAS_TRY(ask_table(plan, from, out, &taken));
    }
    return taken ? NILAS_OK : say(plan, from, out);
}
