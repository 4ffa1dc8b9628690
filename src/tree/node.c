/** Constructors and the walker: what everyone who builds or reads a tree starts from. */
#include "tree/tree.h"

nilas_code nilas_expr_new(nilas_arena *stmt, nilas_expr_kind kind, int32_t offset, nilas_expr **out,
                          nilas_error *err) {
    nilas_expr *expr;
    NILAS_NEW(stmt, &expr, err);
    expr->kind = kind;
    expr->offset = offset;
    expr->end_offset = offset;
    *out = expr;
    return NILAS_OK;
}

nilas_code nilas_query_new(nilas_arena *stmt, nilas_query_kind kind, int32_t offset,
                           nilas_query **out, nilas_error *err) {
    nilas_query *query;
    NILAS_NEW(stmt, &query, err);
    query->kind = kind;
    query->offset = offset;
    query->end_offset = offset;
    *out = query;
    return NILAS_OK;
}

nilas_code nilas_statement_new(nilas_arena *stmt, nilas_statement_kind kind, int32_t offset,
                               nilas_statement **out, nilas_error *err) {
    nilas_statement *statement;
    NILAS_NEW(stmt, &statement, err);
    statement->kind = kind;
    statement->offset = offset;
    *out = statement;
    return NILAS_OK;
}

typedef struct walk {
    bool (*visit)(void *context, nilas_expr *expr);
    void *context;
} walk;

static bool walk_expr(const walk *w, nilas_expr *expr);

static bool walk_list(const walk *w, nilas_expr *const *exprs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!walk_expr(w, exprs[i])) {
            return false;
        }
    }
    return true;
}

static bool walk_window(const walk *w, const nilas_window *window) {
    if (window == NULL) {
        return true;
    }
    return walk_list(w, window->partition_by, window->partition_by_count) &&
           walk_list(w, window->order_by, window->order_by_count) &&
           walk_expr(w, window->start.offset) && walk_expr(w, window->end.offset);
}

static bool walk_expr(const walk *w, nilas_expr *expr) {
    while (expr != NULL) {
        if (!w->visit(w->context, expr)) {
            return false;
        }
        if (expr->kind != NILAS_EXPR_BINARY) {
            return walk_list(w, expr->args, expr->arg_count) && walk_expr(w, expr->filter) &&
                   walk_list(w, expr->order_by, expr->order_by_count) &&
                   walk_window(w, expr->window);
        }

        nilas_assert(expr->arg_count == 2);
        if (!walk_expr(w, expr->args[1])) {
            return false;
        }
        expr = expr->args[0];
    }
    return true;
}

bool nilas_expr_walk(nilas_expr *expr, bool (*visit)(void *context, nilas_expr *expr),
                     void *context) {
    walk w = {.visit = visit, .context = context};
    return walk_expr(&w, expr);
}

static const char *const statement_names[] = {
    [NILAS_STATEMENT_QUERY] = "SELECT",
    [NILAS_STATEMENT_EXPLAIN] = "EXPLAIN",
    [NILAS_STATEMENT_SET] = "SET",
    [NILAS_STATEMENT_SET_TIME_ZONE] = "SET TIME ZONE",
    [NILAS_STATEMENT_RESET] = "RESET",
    [NILAS_STATEMENT_USE] = "USE",
    [NILAS_STATEMENT_SET_CATALOG] = "SET CATALOG",
    [NILAS_STATEMENT_SHOW_NAMESPACES] = "SHOW NAMESPACES",
    [NILAS_STATEMENT_SHOW_CATALOGS] = "SHOW CATALOGS",
    [NILAS_STATEMENT_SHOW_TABLES] = "SHOW TABLES",
    [NILAS_STATEMENT_SHOW_TABLE_EXTENDED] = "SHOW TABLE EXTENDED",
    [NILAS_STATEMENT_SHOW_VIEWS] = "SHOW VIEWS",
    [NILAS_STATEMENT_SHOW_TBLPROPERTIES] = "SHOW TBLPROPERTIES",
    [NILAS_STATEMENT_SHOW_CREATE_TABLE] = "SHOW CREATE TABLE",
    [NILAS_STATEMENT_SHOW_COLUMNS] = "SHOW COLUMNS",
    [NILAS_STATEMENT_SHOW_PARTITIONS] = "SHOW PARTITIONS",
    [NILAS_STATEMENT_SHOW_FUNCTIONS] = "SHOW FUNCTIONS",
    [NILAS_STATEMENT_SHOW_CURRENT_NAMESPACE] = "SHOW CURRENT NAMESPACE",
    [NILAS_STATEMENT_DESCRIBE_TABLE] = "DESCRIBE TABLE",
    [NILAS_STATEMENT_DESCRIBE_NAMESPACE] = "DESCRIBE NAMESPACE",
    [NILAS_STATEMENT_DESCRIBE_FUNCTION] = "DESCRIBE FUNCTION",
    [NILAS_STATEMENT_DESCRIBE_QUERY] = "DESCRIBE QUERY",
    [NILAS_STATEMENT_CREATE_VIEW] = "CREATE VIEW",
    [NILAS_STATEMENT_CREATE_TEMP_VIEW_USING] = "CREATE TEMPORARY VIEW",
    [NILAS_STATEMENT_DROP_VIEW] = "DROP VIEW",
    [NILAS_STATEMENT_ALTER_VIEW] = "ALTER VIEW",
    [NILAS_STATEMENT_CACHE_TABLE] = "CACHE TABLE",
    [NILAS_STATEMENT_UNCACHE_TABLE] = "UNCACHE TABLE",
    [NILAS_STATEMENT_CLEAR_CACHE] = "CLEAR CACHE",
    [NILAS_STATEMENT_REFRESH_TABLE] = "REFRESH TABLE",
    [NILAS_STATEMENT_ANALYZE_TABLE] = "ANALYZE TABLE",
    [NILAS_STATEMENT_CREATE_TABLE] = "CREATE TABLE",
    [NILAS_STATEMENT_SAVE_FILES] = "save",
    [NILAS_STATEMENT_CATALOG] = "spark.catalog",
    [NILAS_STATEMENT_DROP_TABLE] = "DROP TABLE",
    [NILAS_STATEMENT_TRUNCATE_TABLE] = "TRUNCATE TABLE",
    [NILAS_STATEMENT_ALTER_TABLE] = "ALTER TABLE",
    [NILAS_STATEMENT_RENAME_TABLE] = "ALTER TABLE ... RENAME TO",
    [NILAS_STATEMENT_CREATE_NAMESPACE] = "CREATE NAMESPACE",
    [NILAS_STATEMENT_DROP_NAMESPACE] = "DROP NAMESPACE",
    [NILAS_STATEMENT_ALTER_NAMESPACE] = "ALTER NAMESPACE",
    [NILAS_STATEMENT_INSERT] = "INSERT",
    [NILAS_STATEMENT_DELETE] = "DELETE",
    [NILAS_STATEMENT_UPDATE] = "UPDATE",
    [NILAS_STATEMENT_MERGE] = "MERGE",
    [NILAS_STATEMENT_CALL] = "CALL",
    [NILAS_STATEMENT_COMMENT_ON] = "COMMENT ON",
    [NILAS_STATEMENT_DECLARE_VARIABLE] = "DECLARE VARIABLE",
    [NILAS_STATEMENT_SET_VARIABLE] = "SET VARIABLE",
    [NILAS_STATEMENT_DROP_VARIABLE] = "DROP TEMPORARY VARIABLE",
    [NILAS_STATEMENT_EXECUTE_IMMEDIATE] = "EXECUTE IMMEDIATE",
    [NILAS_STATEMENT_UNSUPPORTED] = "unsupported statement",
};

nilas_str nilas_option_find(const nilas_option *options, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_is_nocase(options[i].key, key)) {
            return options[i].value.data != NULL ? options[i].value : NILAS_STR_EMPTY;
        }
    }
    return (nilas_str){0};
}

const char *nilas_statement_name(nilas_statement_kind kind) {
    nilas_assert((size_t)kind < sizeof(statement_names) / sizeof(statement_names[0]));
    return statement_names[kind];
}
