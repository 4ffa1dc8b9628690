/** CREATE and REPLACE TABLE, CREATE NAMESPACE, DROP, and which CREATE is which. */
#include "sql/statement.h"

// ---- clauses of CREATE TABLE --------------------------------------------------------------------

typedef struct table_clauses {
    bool options, partitioned, skewed, clustered, bucketed, row_format, file_format, location,
        comment, collation, properties, like_provider;
} table_clauses;

/* Keep a clause of Hive as it is written. */
static nilas_code keep_text(nilas_sql__parser *p, nilas_statement *table, int32_t start) {
    nilas_str pieces[2] = {table->row_format, nilas_sql__text_from(p, start)};
    if (table->row_format.size == 0) {
        table->row_format = pieces[1];
        return NILAS_OK;
    }
    return nilas_str_join(p->stmt, pieces, 2, NILAS_STR(" "), &table->row_format, p->err);
}

static nilas_code provider(nilas_sql__parser *p, nilas_statement *statement) {
    nilas_str *parts;
    size_t count;
    if (!nilas_sql__accept(p, NILAS_KW_USING)) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_sql__name(p, &parts, &count));
    return nilas_str_join(p->stmt, parts, count, NILAS_STR("."), &statement->provider, p->err);
}

/* A transform, or a column with its type as in Hive. */
static nilas_code partition_field(nilas_sql__parser *p, nilas_partition_item *item) {
    *item = (nilas_partition_item){0};
    int next = nilas_sql__peek(p, 1);
    bool transform = next == TOKEN_COMMA || next == TOKEN_RIGHT_PAREN || next == TOKEN_DOT ||
                     next == TOKEN_LEFT_PAREN;
    if (transform) {
        int32_t offset = nilas_sql__offset(p);
        NILAS_TRY(nilas_sql__transform(p, &item->transform));
        const nilas_expr *call = item->transform;
        if (call->kind == NILAS_EXPR_CALL && nilas_str_is_nocase(call->parts[0], "bucket") &&
            (call->args[0]->kind != NILAS_EXPR_LITERAL ||
             call->args[0]->value.kind != NILAS_VALUE_INT)) {
            nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0031",
                              "Invalid number of buckets: %.*s.",
                              (int)(call->args[0]->end_offset - call->args[0]->offset),
                              p->text.data + call->args[0]->offset);
        }
        return NILAS_OK;
    }
    NILAS_NEW(p->stmt, &item->column, p->err);
    return nilas_sql__column_def(p, item->column);
}

static nilas_code partitioned_by(nilas_sql__parser *p, nilas_statement *table) {
    NILAS_ARRAY_OF(nilas_partition_item) items = {0};
    bool columns = false;
    bool transforms = false;
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    do {
        nilas_partition_item item;
        NILAS_TRY(partition_field(p, &item));
        columns = columns || item.column != NULL;
        transforms = transforms || item.transform != NULL;
        NILAS_PUSH(p->stmt, &items, item, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    if (columns && transforms) {
        nilas_sql__reject_operation(
            p, offset, "PARTITION BY: Cannot mix partition expressions and partition columns");
    }
    table->partitioning = items.items;
    table->partitioning_count = items.count;
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

/* CLUSTER BY (a, b.c). */
static nilas_code clustered_by(nilas_sql__parser *p, nilas_statement *table) {
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__names(p, &table->key_parts, &table->key_part_counts, &table->key_count));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

static nilas_code hive_clause(nilas_sql__parser *p, nilas_statement *table, table_clauses *seen,
                              bool *taken) {
    int32_t start = nilas_sql__offset(p);
    bool present = false;
    if (nilas_sql__at2(p, NILAS_KW_SKEWED, NILAS_KW_BY)) {
        nilas_sql__check_once(p, &seen->skewed, "SKEWED BY");
        NILAS_TRY(nilas_sql__skew_spec(p));
    } else if (nilas_sql__at2(p, NILAS_KW_CLUSTERED, NILAS_KW_BY)) {
        nilas_sql__check_once(p, &seen->bucketed, "CLUSTERED BY");
        NILAS_TRY(nilas_sql__bucket_spec(p));
    } else if (nilas_sql__at2(p, NILAS_KW_ROW, NILAS_KW_FORMAT)) {
        nilas_sql__check_once(p, &seen->row_format, "ROW FORMAT");
        NILAS_TRY(nilas_sql__row_format(p, &present));
    } else if (nilas_sql__at(p, NILAS_KW_STORED)) {
        nilas_sql__check_once(p, &seen->file_format, "STORED AS/BY");
        NILAS_TRY(nilas_sql__file_format(p, &present));
    } else {
        *taken = false;
        return NILAS_OK;
    }
    *taken = true;
    return keep_text(p, table, start);
}

static nilas_code text_clause(nilas_sql__parser *p, nilas_statement *table, table_clauses *seen,
                              bool *taken) {
    *taken = true;
    if (nilas_sql__accept(p, NILAS_KW_LOCATION)) {
        nilas_sql__check_once(p, &seen->location, "LOCATION");
        table->has_location = true;
        return nilas_sql__string(p, &table->location);
    }
    if (nilas_sql__accept(p, NILAS_KW_COMMENT)) {
        nilas_sql__check_once(p, &seen->comment, "COMMENT");
        table->has_comment = true;
        return nilas_sql__string(p, &table->comment);
    }
    if (nilas_sql__accept(p, NILAS_KW_TBLPROPERTIES)) {
        nilas_sql__check_once(p, &seen->properties, "TBLPROPERTIES");
        NILAS_TRY(nilas_sql__properties(p, &table->properties, &table->property_count));
        nilas_sql__check_table_properties(p, table->properties, table->property_count);
        nilas_sql__check_values(p, table->properties, table->property_count, true);
        return NILAS_OK;
    }
    NILAS_TRY(nilas_sql__collation_spec(p, &table->value, taken));
    table->has_value = table->has_value || *taken;
    return NILAS_OK;
}

static nilas_code table_clause(nilas_sql__parser *p, nilas_statement *table, table_clauses *seen,
                               bool *taken) {
    *taken = true;
    if (nilas_sql__accept(p, NILAS_KW_OPTIONS)) {
        nilas_sql__check_once(p, &seen->options, "OPTIONS");
        return nilas_sql__expression_properties(p, &table->options, &table->option_count);
    }
    if (nilas_sql__accept2(p, NILAS_KW_PARTITIONED, NILAS_KW_BY)) {
        nilas_sql__check_once(p, &seen->partitioned, "PARTITIONED BY");
        return partitioned_by(p, table);
    }
    if (nilas_sql__accept2(p, NILAS_KW_CLUSTER, NILAS_KW_BY)) {
        nilas_sql__check_once(p, &seen->clustered, "CLUSTER BY");
        return clustered_by(p, table);
    }
    NILAS_TRY(text_clause(p, table, seen, taken));
    return *taken ? NILAS_OK : hive_clause(p, table, seen, taken);
}

/* With a query, the columns are the query's. */
static void check_as_select(nilas_sql__parser *p, const nilas_statement *table) {
    if (table->query == NULL) {
        return;
    }
    bool replace = table->replace_only || table->or_replace;
    if (table->column_def_count > 0) {
        nilas_sql__reject_operation(p, table->offset,
                                    replace ? "Schema may not be specified in a Replace Table As "
                                              "Select (RTAS) statement"
                                            : "Schema may not be specified in a Create Table As "
                                              "Select (CTAS) statement");
    }
    if (table->partitioning_count > 0 && table->partitioning[0].column != NULL) {
        nilas_sql__reject_operation(
            p, table->offset,
            "Partition column types may not be specified in Create Table As Select (CTAS)");
    }
}

static void check_clauses(nilas_sql__parser *p, const nilas_statement *table,
                          const table_clauses *seen) {
    if (seen->clustered && seen->bucketed) {
        nilas_sql__reject(p, table->offset, "SPECIFY_CLUSTER_BY_WITH_BUCKETING_IS_NOT_ALLOWED",
                          "Cannot specify both CLUSTER BY and CLUSTERED BY INTO BUCKETS.");
    }
    if (seen->clustered && seen->partitioned) {
        nilas_sql__reject(p, table->offset, "SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED",
                          "Cannot specify both CLUSTER BY and PARTITIONED BY.");
    }
    if (table->provider.size > 0 && (seen->row_format || seen->file_format)) {
        nilas_sql__reject_operation(p, table->offset,
                                    "CREATE TABLE ... USING ... with ROW FORMAT or STORED AS");
    }
    check_as_select(p, table);
    if (table->temporary) {
        nilas_sql__reject_operation(p, table->offset,
                                    table->query != NULL
                                        ? "CREATE TEMPORARY TABLE ... AS ..., use CREATE TEMPORARY "
                                          "VIEW instead"
                                        : "CREATE TEMPORARY TABLE ..., use CREATE TEMPORARY VIEW "
                                          "instead");
    }
}

/* CREATE TABLE a LIKE b …. */
static nilas_code table_like(nilas_sql__parser *p, nilas_statement *table) {
    table_clauses seen = {0};
    bool taken = true;
    NILAS_TRY(nilas_sql__name(p, &table->like_parts, &table->like_part_count));
    while (taken) {
        if (nilas_sql__at(p, NILAS_KW_USING)) {
            nilas_sql__check_once(p, &seen.like_provider, "PROVIDER");
            NILAS_TRY(provider(p, table));
            continue;
        }
        taken = nilas_sql__at(p, NILAS_KW_LOCATION) || nilas_sql__at(p, NILAS_KW_TBLPROPERTIES) ||
                nilas_sql__at(p, NILAS_KW_STORED) || nilas_sql__at(p, NILAS_KW_ROW);
        if (taken) {
            NILAS_TRY(table_clause(p, table, &seen, &taken));
        }
    }
    return NILAS_OK;
}

/* "(a INT, …)", or the query of CREATE TABLE t (SELECT …). */
static nilas_code table_columns(nilas_sql__parser *p, nilas_statement *table) {
    if (!nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        return NILAS_OK;
    }
    nilas_sql__mark start = nilas_sql__set_mark(p);
    nilas_code code = nilas_sql__table_elements(p, table);
    if (code == NILAS_INVALID && nilas_sql__peek(p, 0) != TOKEN_END) {
        nilas_sql__back_to(p, &start);
        return nilas_sql__looks_like_query(p, 0) ? NILAS_OK : code;
    }
    return code;
}

static nilas_code table_body(nilas_sql__parser *p, nilas_statement *table) {
    table_clauses seen = {0};
    bool taken = true;
    NILAS_TRY(table_columns(p, table));
    NILAS_TRY(provider(p, table));
    while (taken) {
        NILAS_TRY(table_clause(p, table, &seen, &taken));
    }
    if (nilas_sql__accept(p, NILAS_KW_AS) || nilas_sql__at_query(p)) {
        NILAS_TRY(nilas_sql__query(p, &table->query));
    }
    check_clauses(p, table, &seen);
    return NILAS_OK;
}

nilas_code nilas_sql__create_table(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *table;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_CREATE_TABLE, &table));
    bool create = nilas_sql__accept(p, NILAS_KW_CREATE);
    table->or_replace = create && nilas_sql__accept2(p, NILAS_KW_OR, NILAS_KW_REPLACE);
    table->replace_only = !create && nilas_sql__accept(p, NILAS_KW_REPLACE);
    table->temporary = create && nilas_sql__accept(p, NILAS_KW_TEMPORARY);
    table->external = create && nilas_sql__accept(p, NILAS_KW_EXTERNAL);
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TABLE));
    if (create && !table->or_replace) {
        NILAS_TRY(nilas_sql__if_not_exists(p, &table->if_not_exists));
    }
    NILAS_TRY(nilas_sql__object(p, table));
    *out = table;
    bool like = create && !table->or_replace && !table->temporary && !table->external &&
                table->part_count <= 2; // Spark's LIKE knows only tables of the session's catalog
    if (like && nilas_sql__accept(p, NILAS_KW_LIKE)) {
        return table_like(p, table);
    }
    return table_body(p, table);
}

// ---- CREATE NAMESPACE ---------------------------------------------------------------------------

static nilas_code namespace_clause(nilas_sql__parser *p, nilas_statement *create,
                                   table_clauses *seen, bool *taken) {
    int next = nilas_sql__peek(p, 1);
    *taken = true;
    if (nilas_sql__at(p, NILAS_KW_WITH) &&
        (next == NILAS_KW_DBPROPERTIES || next == NILAS_KW_PROPERTIES)) {
        nilas_sql__check_once(p, &seen->properties, "WITH PROPERTIES");
        p->position += 2;
        NILAS_TRY(nilas_sql__properties(p, &create->properties, &create->property_count));
        nilas_sql__check_namespace_properties(p, create->properties, create->property_count);
        nilas_sql__check_values(p, create->properties, create->property_count, true);
        return NILAS_OK;
    }
    if (nilas_sql__at(p, NILAS_KW_TBLPROPERTIES)) {
        *taken = false;
        return NILAS_OK;
    }
    return text_clause(p, create, seen, taken);
}

static nilas_code create_namespace(nilas_sql__parser *p, nilas_statement **out) {
    table_clauses seen = {0};
    bool taken = true;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_CREATE_NAMESPACE, out));
    p->position += 2;
    NILAS_TRY(nilas_sql__if_not_exists(p, &(*out)->if_not_exists));
    NILAS_TRY(nilas_sql__object(p, *out));
    while (taken) {
        NILAS_TRY(namespace_clause(p, *out, &seen, &taken));
    }
    return NILAS_OK;
}

// ---- which CREATE -------------------------------------------------------------------------------

/* The first keyword after CREATE that names what is created, past OR REPLACE, GLOBAL, TEMPORARY. */
static int created_kind(const nilas_sql__parser *p) {
    size_t ahead = nilas_sql__at(p, NILAS_KW_CREATE);
    for (;; ahead++) {
        switch (nilas_sql__peek(p, ahead)) {
        case NILAS_KW_OR:
        case NILAS_KW_REPLACE:
        case NILAS_KW_GLOBAL:
        case NILAS_KW_TEMPORARY:
        case NILAS_KW_EXTERNAL: break;
        default: return nilas_sql__peek(p, ahead);
        }
    }
}

static nilas_code create_other(nilas_sql__parser *p, int kind, nilas_statement **out) {
    switch (kind) {
    case NILAS_KW_ROLE:
        nilas_sql__reject_operation(p, nilas_sql__offset(p), "CREATE ROLE");
        return nilas_sql__unsupported_rest(p, "CREATE ROLE", out);
    case NILAS_KW_MACRO:
        nilas_sql__reject_operation(p, nilas_sql__offset(p), "CREATE TEMPORARY MACRO");
        return nilas_sql__unsupported_rest(p, "CREATE TEMPORARY MACRO", out);
    case NILAS_KW_INDEX: return nilas_sql__unsupported_rest(p, "CREATE INDEX", out);
    case NILAS_KW_MATERIALIZED: return nilas_sql__unsupported_rest(p, "materialized views", out);
    case NILAS_KW_STREAMING: return nilas_sql__unsupported_rest(p, "streaming tables", out);
    case NILAS_KW_FLOW: return nilas_sql__unsupported_rest(p, "CREATE FLOW", out);
    default: p->position++; return nilas_sql__unexpected(p);
    }
}

nilas_code nilas_sql__create(nilas_sql__parser *p, nilas_statement **out) {
    int kind = created_kind(p);
    if (nilas_sql__at(p, NILAS_KW_CREATE) && nilas_sql__at_namespace_word(p, 1)) {
        return create_namespace(p, out);
    }
    switch (kind) {
    case NILAS_KW_TABLE: return nilas_sql__create_table(p, out);
    case NILAS_KW_VIEW: return nilas_sql__create_view(p, out);
    case NILAS_KW_FUNCTION: return nilas_sql__create_function(p, out);
    default: return create_other(p, kind, out);
    }
}

// ---- DROP ---------------------------------------------------------------------------------------

static nilas_code drop_object(nilas_sql__parser *p, nilas_statement_kind kind,
                              nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, kind, out));
    p->position += 2;
    NILAS_TRY(nilas_sql__if_exists(p, &(*out)->if_exists));
    return nilas_sql__object(p, *out);
}

static nilas_code drop_namespace(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(drop_object(p, NILAS_STATEMENT_DROP_NAMESPACE, out));
    (*out)->cascade = nilas_sql__accept(p, NILAS_KW_CASCADE);
    if (!(*out)->cascade) {
        nilas_sql__accept(p, NILAS_KW_RESTRICT);
    }
    return NILAS_OK;
}

static nilas_code drop_function(nilas_sql__parser *p, bool temporary, nilas_statement **out) {
    nilas_statement *drop;
    NILAS_TRY(nilas_sql__unsupported(p, "DROP FUNCTION", &drop));
    p->position += temporary ? 3 : 2;
    NILAS_TRY(nilas_sql__if_exists(p, &drop->if_exists));
    NILAS_TRY(nilas_sql__object(p, drop));
    if (temporary && drop->part_count > 1) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(0);
        nilas_name_print_quoted(&name, drop->parts, drop->part_count);
        nilas_sql__reject(p, drop->offset, "INVALID_SQL_SYNTAX.MULTI_PART_NAME",
                          "Invalid SQL syntax: DROP TEMPORARY FUNCTION with multiple part "
                          "name(%.*s) is not allowed.",
                          NILAS_FMT(nilas_buf_view(&name)));
    }
    *out = drop;
    return NILAS_OK;
}

static nilas_code drop_native(nilas_sql__parser *p, const char *name, nilas_statement **out) {
    nilas_sql__reject_operation(p, nilas_sql__offset(p), name);
    return nilas_sql__unsupported_rest(p, name, out);
}

static nilas_code drop_temporary(nilas_sql__parser *p, nilas_statement **out) {
    switch (nilas_sql__peek(p, 2)) {
    case NILAS_KW_VARIABLE:
    case NILAS_KW_VAR: return nilas_sql__drop_variable(p, out);
    case NILAS_KW_FUNCTION: return drop_function(p, true, out);
    case NILAS_KW_MACRO: return drop_native(p, "DROP TEMPORARY MACRO", out);
    default: p->position += 2; return nilas_sql__unexpected(p);
    }
}

nilas_code nilas_sql__drop(nilas_sql__parser *p, nilas_statement **out) {
    if (nilas_sql__at_namespace_word(p, 1)) {
        return drop_namespace(p, out);
    }
    switch (nilas_sql__peek(p, 1)) {
    case NILAS_KW_TABLE:
        NILAS_TRY(drop_object(p, NILAS_STATEMENT_DROP_TABLE, out));
        (*out)->purge = nilas_sql__accept(p, NILAS_KW_PURGE);
        return NILAS_OK;
    case NILAS_KW_VIEW: return drop_object(p, NILAS_STATEMENT_DROP_VIEW, out);
    case NILAS_KW_FUNCTION: return drop_function(p, false, out);
    case NILAS_KW_TEMPORARY: return drop_temporary(p, out);
    case NILAS_KW_INDEX: return nilas_sql__unsupported_rest(p, "DROP INDEX", out);
    case NILAS_KW_ROLE: return drop_native(p, "DROP ROLE", out);
    default: p->position++; return nilas_sql__unexpected(p);
    }
}
