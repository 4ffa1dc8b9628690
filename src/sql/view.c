/** CREATE VIEW, CREATE TEMPORARY VIEW … USING, CREATE FUNCTION. */
#include "sql/statement.h"

// ---- CREATE VIEW --------------------------------------------------------------------------------

/* (a COMMENT '…', b): columns without types. */
static nilas_code view_columns(nilas_sql__parser *p, nilas_statement *view) {
    NILAS_ARRAY_OF(nilas_column_def) columns = {0};
    nilas_sql__strs names = {0};
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    do {
        nilas_column_def column = {.offset = nilas_sql__offset(p), .part_count = 1};
        NILAS_NEW(p->stmt, &column.parts, p->err);
        NILAS_TRY(nilas_sql__identifier(p, column.parts));
        if (nilas_sql__accept(p, NILAS_KW_COMMENT)) {
            column.has_comment = true;
            NILAS_TRY(nilas_sql__string(p, &column.comment));
        }
        NILAS_PUSH(p->stmt, &columns, column, p->err);
        NILAS_PUSH(p->stmt, &names, column.parts[0], p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    view->column_defs = columns.items;
    view->column_def_count = columns.count;
    view->columns = names.items;
    view->column_count = names.count;
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

/* WITH SCHEMA BINDING, …: kept in `value`. */
static nilas_code schema_binding(nilas_sql__parser *p, nilas_str *out) {
    p->position += 2;
    int32_t start = nilas_sql__offset(p);
    if (nilas_sql__accept2(p, NILAS_KW_TYPE, NILAS_KW_EVOLUTION)) {
        *out = NILAS_STR("TYPE EVOLUTION");
        return NILAS_OK;
    }
    bool known = nilas_sql__accept(p, NILAS_KW_BINDING) ||
                 nilas_sql__accept(p, NILAS_KW_COMPENSATION) ||
                 nilas_sql__accept(p, NILAS_KW_EVOLUTION);
    if (!known) {
        return nilas_sql__unexpected(p);
    }
    return nilas_str_upper(p->stmt, nilas_sql__text_from(p, start), out, p->err);
}

typedef struct view_clauses {
    bool comment, binding, collation, partitioned, properties;
} view_clauses;

static nilas_code view_clause(nilas_sql__parser *p, nilas_statement *view, view_clauses *seen,
                              bool *taken) {
    *taken = true;
    if (nilas_sql__accept(p, NILAS_KW_COMMENT)) {
        nilas_sql__check_once(p, &seen->comment, "COMMENT");
        view->has_comment = true;
        return nilas_sql__string(p, &view->comment);
    }
    if (nilas_sql__at2(p, NILAS_KW_WITH, NILAS_KW_SCHEMA)) {
        nilas_sql__check_once(p, &seen->binding, "WITH SCHEMA");
        view->has_value = true;
        return schema_binding(p, &view->value);
    }
    if (nilas_sql__accept2(p, NILAS_KW_PARTITIONED, NILAS_KW_ON)) {
        nilas_str *names;
        size_t count;
        nilas_sql__check_once(p, &seen->partitioned, "PARTITIONED ON");
        nilas_sql__reject_operation(p, view->offset, "CREATE VIEW ... PARTITIONED ON");
        return nilas_sql__identifier_list(p, &names, &count);
    }
    if (nilas_sql__accept(p, NILAS_KW_TBLPROPERTIES)) {
        nilas_sql__check_once(p, &seen->properties, "TBLPROPERTIES");
        NILAS_TRY(nilas_sql__properties(p, &view->properties, &view->property_count));
        nilas_sql__check_values(p, view->properties, view->property_count, true);
        nilas_sql__check_table_properties(p, view->properties, view->property_count);
        return NILAS_OK;
    }
    return nilas_sql__collation_spec(p, &view->key, taken);
}

static void check_temporary_name(nilas_sql__parser *p, const nilas_statement *view) {
    if (!view->temporary || view->part_count < 2) {
        return;
    }
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(0);
    nilas_name_print_quoted(&name, view->parts, view->part_count);
    nilas_sql__reject(p, view->offset, "TEMP_VIEW_NAME_TOO_MANY_NAME_PARTS",
                      "CREATE TEMPORARY VIEW or the corresponding Dataset APIs only accept "
                      "single-part view names, but got: %.*s.",
                      NILAS_FMT(nilas_buf_view(&name)));
}

static void check_view(nilas_sql__parser *p, const nilas_statement *view) {
    if (view->if_not_exists && view->or_replace) {
        nilas_sql__reject(p, view->offset, "_LEGACY_ERROR_TEMP_0052",
                          "CREATE VIEW with both IF NOT EXISTS and REPLACE is not allowed.");
    }
    if (view->if_not_exists && view->temporary) {
        nilas_sql__reject(p, view->offset, "_LEGACY_ERROR_TEMP_0053",
                          "It is not allowed to define a TEMPORARY view with IF NOT EXISTS.");
    }
    if (view->temporary && view->property_count > 0) {
        nilas_sql__reject_operation(p, view->offset,
                                    "TBLPROPERTIES can't coexist with CREATE TEMPORARY VIEW");
    }
    check_temporary_name(p, view);
}

/* [(schema)] USING provider [OPTIONS (…)]. */
static nilas_code view_using(nilas_sql__parser *p, nilas_statement *view) {
    view->kind = NILAS_STATEMENT_CREATE_TEMP_VIEW_USING;
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__table_elements(p, view));
    }
    nilas_str *parts;
    size_t count;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_USING));
    NILAS_TRY(nilas_sql__name(p, &parts, &count));
    NILAS_TRY(nilas_str_join(p->stmt, parts, count, NILAS_STR("."), &view->provider, p->err));
    if (nilas_sql__accept(p, NILAS_KW_OPTIONS)) {
        NILAS_TRY(nilas_sql__properties(p, &view->properties, &view->property_count));
    }
    if (view->part_count > 1) {
        nilas_sql__reject(p, view->offset, "_LEGACY_ERROR_TEMP_0064",
                          "Specifying database name or other qualifiers are not allowed for "
                          "temporary views: %.*s.",
                          NILAS_FMT(view->parts[0]));
    }
    return NILAS_OK;
}

/* Whether "(" begins a list of columns with types. */
static bool at_typed_columns(const nilas_sql__parser *p) {
    int third = nilas_sql__peek(p, 2);
    return nilas_sql__at(p, TOKEN_LEFT_PAREN) && nilas_sql__is_identifier(p, 1) &&
           third != TOKEN_COMMA && third != TOKEN_RIGHT_PAREN && third != NILAS_KW_COMMENT;
}

nilas_code nilas_sql__create_view(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *view;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_CREATE_VIEW, &view));
    *out = view;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_CREATE));
    view->or_replace = nilas_sql__accept2(p, NILAS_KW_OR, NILAS_KW_REPLACE);
    view->global = nilas_sql__accept(p, NILAS_KW_GLOBAL);
    view->temporary = nilas_sql__accept(p, NILAS_KW_TEMPORARY);
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_VIEW));
    NILAS_TRY(nilas_sql__if_not_exists(p, &view->if_not_exists));
    NILAS_TRY(nilas_sql__object(p, view));
    bool using = view->temporary && !view->if_not_exists &&
                 (nilas_sql__at(p, NILAS_KW_USING) || at_typed_columns(p));
    if (using) {
        return view_using(p, view);
    }
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(view_columns(p, view));
    }
    if (view->temporary && nilas_sql__at(p, NILAS_KW_USING)) {
        return nilas_sql__unexpected(p);
    }
    view_clauses seen = {0};
    bool taken = true;
    while (taken) {
        NILAS_TRY(view_clause(p, view, &seen, &taken));
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_AS));
    NILAS_TRY(nilas_sql__query(p, &view->query));
    check_view(p, view);
    return NILAS_OK;
}

// ---- CREATE FUNCTION: parsed, refused by name ---------------------------------------------------

static nilas_code class_function(nilas_sql__parser *p) {
    nilas_str text;
    NILAS_TRY(nilas_sql__string(p, &text));
    if (!nilas_sql__accept(p, NILAS_KW_USING)) {
        return NILAS_OK;
    }
    do {
        NILAS_TRY(nilas_sql__identifier(p, &text));
        NILAS_TRY(nilas_sql__string(p, &text));
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    return NILAS_OK;
}

static nilas_code function_parameter(nilas_sql__parser *p, const nilas_statement *function) {
    nilas_column_def parameter;
    const char *before = p->unsupported;
    p->unsupported = NULL;
    NILAS_TRY(nilas_sql__column_def(p, &parameter));
    bool generated = parameter.generated != NULL;
    if (p->unsupported != NULL && nilas_str_is(nilas_str_of(p->unsupported), "identity columns")) {
        generated = true;
    } else if (p->unsupported != NULL) {
        nilas_sql__reject(
            p, function->offset, "INVALID_SQL_SYNTAX.CREATE_FUNC_WITH_COLUMN_CONSTRAINTS",
            "Invalid SQL syntax: CREATE FUNCTION with constraints on parameters is not "
            "allowed.");
    }
    if (generated) {
        nilas_sql__reject(
            p, function->offset,
            "INVALID_SQL_SYNTAX.CREATE_FUNC_WITH_GENERATED_COLUMNS_AS_PARAMETERS",
            "Invalid SQL syntax: CREATE FUNCTION with generated columns as parameters "
            "is not allowed.");
    }
    p->unsupported = before;
    return NILAS_OK;
}

static nilas_code function_parameters(nilas_sql__parser *p, const nilas_statement *function) {
    p->position++;
    if (nilas_sql__accept(p, TOKEN_RIGHT_PAREN)) {
        return NILAS_OK;
    }
    do {
        NILAS_TRY(function_parameter(p, function));
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

static nilas_code function_returns(nilas_sql__parser *p) {
    const nilas_type *type;
    if (!nilas_sql__at(p, NILAS_KW_RETURNS) || nilas_sql__peek(p, 1) == NILAS_KW_NULL) {
        return NILAS_OK;
    }
    p->position++;
    if (!nilas_sql__accept(p, NILAS_KW_TABLE)) {
        return nilas_sql__type(p, &type);
    }
    if (!nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        return NILAS_OK; // the columns are those of the query
    }
    NILAS_TRY(nilas_sql__schema(p, &type));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

static nilas_code null_call(nilas_sql__parser *p, bool returns) {
    p->position += returns ? 2 : 1;
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_ON, NILAS_KW_NULL));
    return nilas_sql__expect(p, NILAS_KW_INPUT);
}

static bool accept_data_access(nilas_sql__parser *p) {
    if (nilas_sql__accept2(p, NILAS_KW_NO, NILAS_KW_SQL) ||
        nilas_sql__accept2(p, NILAS_KW_CONTAINS, NILAS_KW_SQL) ||
        nilas_sql__accept2(p, NILAS_KW_NOT, NILAS_KW_DETERMINISTIC) ||
        nilas_sql__accept(p, NILAS_KW_DETERMINISTIC)) {
        return true;
    }
    bool data = nilas_sql__accept2(p, NILAS_KW_READS, NILAS_KW_SQL) ||
                nilas_sql__accept2(p, NILAS_KW_MODIFIES, NILAS_KW_SQL);
    return data && nilas_sql__accept(p, NILAS_KW_DATA);
}

static nilas_code function_characteristic(nilas_sql__parser *p, bool *taken) {
    nilas_str text;
    *taken = true;
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_LANGUAGE: p->position++; return nilas_sql__identifier(p, &text);
    case NILAS_KW_SPECIFIC: p->position++; return nilas_sql__captured_identifier(p, &text);
    case NILAS_KW_COMMENT: p->position++; return nilas_sql__string(p, &text);
    case NILAS_KW_CALLED: return null_call(p, false);
    case NILAS_KW_RETURNS: return null_call(p, true);
    case NILAS_KW_SQL:
        p->position++;
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_SECURITY));
        return nilas_sql__accept(p, NILAS_KW_INVOKER) ? NILAS_OK
                                                      : nilas_sql__expect(p, NILAS_KW_DEFINER);
    default: *taken = accept_data_access(p); return NILAS_OK;
    }
}

static nilas_code sql_function(nilas_sql__parser *p, nilas_statement *function) {
    bool taken = true;
    NILAS_TRY(function_parameters(p, function));
    NILAS_TRY(function_returns(p));
    while (taken) {
        NILAS_TRY(function_characteristic(p, &taken));
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_RETURN));
    if (nilas_sql__looks_like_query(p, 0)) {
        nilas_sql__mark start = nilas_sql__set_mark(p);
        nilas_code code = nilas_sql__query(p, &function->query);
        bool ends = nilas_sql__at(p, TOKEN_END) || nilas_sql__at(p, TOKEN_SEMICOLON);
        if (code != NILAS_INVALID && (code != NILAS_OK || ends)) {
            return code;
        }
        nilas_sql__back_to(p, &start);
    }
    return nilas_sql__expression(p, &function->expr);
}

static void check_function(nilas_sql__parser *p, const nilas_statement *function, bool replace) {
    if (function->if_not_exists && replace) {
        nilas_sql__reject(p, function->offset,
                          "INVALID_SQL_SYNTAX.CREATE_ROUTINE_WITH_IF_NOT_EXISTS_AND_REPLACE",
                          "Invalid SQL syntax: Cannot create a routine with both IF NOT EXISTS and "
                          "REPLACE specified.");
    }
    if (function->temporary && function->if_not_exists) {
        nilas_sql__reject(p, function->offset,
                          "INVALID_SQL_SYNTAX.CREATE_TEMP_FUNC_WITH_IF_NOT_EXISTS",
                          "Invalid SQL syntax: CREATE TEMPORARY FUNCTION with IF NOT EXISTS is not "
                          "allowed.");
    }
    if (function->temporary && function->part_count > 1) {
        nilas_sql__reject(p, function->offset, "INVALID_SQL_SYNTAX.CREATE_TEMP_FUNC_WITH_DATABASE",
                          "Invalid SQL syntax: CREATE TEMPORARY FUNCTION with specifying a "
                          "database(`%.*s`) is not allowed.",
                          NILAS_FMT(function->parts[0]));
    }
}

nilas_code nilas_sql__create_function(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *function;
    NILAS_TRY(nilas_sql__unsupported(p, "CREATE FUNCTION", &function));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_CREATE));
    bool replace = nilas_sql__accept2(p, NILAS_KW_OR, NILAS_KW_REPLACE);
    function->temporary = nilas_sql__accept(p, NILAS_KW_TEMPORARY);
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_FUNCTION));
    NILAS_TRY(nilas_sql__if_not_exists(p, &function->if_not_exists));
    NILAS_TRY(nilas_sql__object(p, function));
    check_function(p, function, replace);
    *out = function;
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        return sql_function(p, function);
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_AS));
    return class_function(p);
}
