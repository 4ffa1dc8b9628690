/**
 * Statements: which parser takes which first word, the words they share, and the short statements.
 * Everything that Spark
 * parses and we do not do becomes NILAS_STATEMENT_UNSUPPORTED with the feature's name.
 */
#include "sql/statement.h"

// ---- shared words -------------------------------------------------------------------------------

nilas_code nilas_sql__new_statement(nilas_sql__parser *p, nilas_statement_kind kind,
                                    nilas_statement **out) {
    return nilas_statement_new(p->stmt, kind, nilas_sql__offset(p), out, p->err);
}

nilas_code nilas_sql__unsupported(nilas_sql__parser *p, const char *feature,
                                  nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_UNSUPPORTED, out));
    (*out)->value = nilas_str_of(feature);
    return NILAS_OK;
}

nilas_code nilas_sql__unsupported_rest(nilas_sql__parser *p, const char *feature,
                                       nilas_statement **out) {
    NILAS_TRY(nilas_sql__unsupported(p, feature, out));
    while (!nilas_sql__at(p, TOKEN_END) && !nilas_sql__at(p, TOKEN_SEMICOLON)) {
        p->position++;
    }
    return NILAS_OK;
}

nilas_code nilas_sql__object(nilas_sql__parser *p, nilas_statement *statement) {
    statement->parts_offset = nilas_sql__offset(p);
    return nilas_sql__reference(p, &statement->parts, &statement->part_count,
                                &statement->identifier);
}

nilas_code nilas_sql__in_namespace(nilas_sql__parser *p, nilas_statement *statement) {
    if (nilas_sql__accept(p, NILAS_KW_FROM) || nilas_sql__accept(p, NILAS_KW_IN)) {
        return nilas_sql__object(p, statement);
    }
    return NILAS_OK;
}

nilas_code nilas_sql__like_pattern(nilas_sql__parser *p, nilas_statement *statement) {
    bool like = nilas_sql__accept(p, NILAS_KW_LIKE);
    if (!like && !nilas_sql__at_string(p, 0)) {
        return NILAS_OK;
    }
    statement->has_pattern = true;
    return nilas_sql__string(p, &statement->pattern);
}

bool nilas_sql__at_namespace_word(const nilas_sql__parser *p, size_t ahead) {
    int kind = nilas_sql__peek(p, ahead);
    return kind == NILAS_KW_NAMESPACE || kind == NILAS_KW_DATABASE || kind == NILAS_KW_SCHEMA;
}

bool nilas_sql__accept_namespace_word(nilas_sql__parser *p) {
    bool at = nilas_sql__at_namespace_word(p, 0);
    p->position += at;
    return at;
}

bool nilas_sql__accept_not(nilas_sql__parser *p) {
    return nilas_sql__accept(p, NILAS_KW_NOT) || nilas_sql__accept(p, TOKEN_BANG);
}

nilas_code nilas_sql__if_exists(nilas_sql__parser *p, bool *out) {
    *out = nilas_sql__accept2(p, NILAS_KW_IF, NILAS_KW_EXISTS);
    return NILAS_OK;
}

nilas_code nilas_sql__if_not_exists(nilas_sql__parser *p, bool *out) {
    int next = nilas_sql__peek(p, 1);
    *out = nilas_sql__at(p, NILAS_KW_IF) && (next == NILAS_KW_NOT || next == TOKEN_BANG);
    if (!*out) {
        return NILAS_OK;
    }
    p->position += 2;
    return nilas_sql__expect(p, NILAS_KW_EXISTS);
}

bool nilas_sql__at_query(const nilas_sql__parser *p) {
    size_t ahead = nilas_sql__at(p, NILAS_KW_AS);
    return nilas_sql__looks_like_query(p, ahead);
}

void nilas_sql__check_once(nilas_sql__parser *p, bool *seen, const char *clause) {
    if (*seen) {
        nilas_sql__reject(p, nilas_sql__offset(p), "DUPLICATE_CLAUSES",
                          "Found duplicate clauses: %s. Please, remove one of them.", clause);
    }
    *seen = true;
}

// ---- PARTITION (…) ------------------------------------------------------------------------------

bool nilas_sql__at_partition_spec(const nilas_sql__parser *p) {
    return nilas_sql__at2(p, NILAS_KW_PARTITION, TOKEN_LEFT_PAREN);
}

static nilas_code parse_partition_value(nilas_sql__parser *p, nilas_expr **out) {
    if (nilas_sql__at(p, NILAS_KW_DEFAULT)) {
        NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_DEFAULT, nilas_sql__offset(p), out));
        p->position++;
        return NILAS_OK;
    }
    return nilas_sql__value_expression(p, out);
}

nilas_code nilas_sql__partition_spec(nilas_sql__parser *p, nilas_partition_item **out,
                                     size_t *out_count) {
    NILAS_ARRAY_OF(nilas_partition_item) items = {0};
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_PARTITION, TOKEN_LEFT_PAREN));
    do {
        nilas_partition_item item = {.has_name = true};
        NILAS_TRY(nilas_sql__identifier(p, &item.name));
        if (nilas_sql__accept(p, TOKEN_EQ)) {
            NILAS_TRY(parse_partition_value(p, &item.value));
        }
        NILAS_PUSH(p->stmt, &items, item, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = items.items;
    *out_count = items.count;
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

// ---- short statements ---------------------------------------------------------------------------

static nilas_code parse_query(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_QUERY, out));
    return nilas_sql__query(p, &(*out)->query);
}

static nilas_code parse_query_or_dml(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__dml(p, out));
    return *out != NULL ? NILAS_OK : parse_query(p, out);
}

static nilas_code parse_use(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_USE, out));
    p->position++;
    bool word = nilas_sql__at_namespace_word(p, 0) && nilas_sql__is_identifier(p, 1);
    (*out)->is_namespace = word;
    p->position += word;
    return nilas_sql__object(p, *out);
}

static nilas_explain_mode explain_mode(int keyword) {
    switch (keyword) {
    case NILAS_KW_LOGICAL: return NILAS_EXPLAIN_LOGICAL;
    case NILAS_KW_FORMATTED: return NILAS_EXPLAIN_FORMATTED;
    case NILAS_KW_EXTENDED: return NILAS_EXPLAIN_EXTENDED;
    case NILAS_KW_CODEGEN: return NILAS_EXPLAIN_CODEGEN;
    case NILAS_KW_COST: return NILAS_EXPLAIN_COST;
    default: return NILAS_EXPLAIN_SIMPLE;
    }
}

static nilas_code parse_explain(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *explain;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_EXPLAIN, &explain));
    p->position++;
    explain->explain_mode = explain_mode(nilas_sql__peek(p, 0));
    p->position += explain->explain_mode != NILAS_EXPLAIN_SIMPLE;
    if (explain->explain_mode == NILAS_EXPLAIN_LOGICAL) {
        nilas_sql__reject_operation(p, explain->offset, "EXPLAIN LOGICAL");
    }
    NILAS_TRY(nilas_sql__enter(p));
    int32_t start = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__statement(p, &explain->statement));
    explain->statement->text = nilas_sql__text_from(p, start);
    nilas_sql__leave(p);
    *out = explain;
    return NILAS_OK;
}

static nilas_code parse_cache(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_CACHE_TABLE, out));
    p->position++;
    (*out)->lazy = nilas_sql__accept(p, NILAS_KW_LAZY);
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TABLE));
    NILAS_TRY(nilas_sql__object(p, *out));
    if (nilas_sql__accept(p, NILAS_KW_OPTIONS)) {
        NILAS_TRY(nilas_sql__properties(p, &(*out)->options, &(*out)->option_count));
    }
    if (nilas_sql__accept(p, NILAS_KW_AS) || nilas_sql__at_query(p)) {
        return nilas_sql__query(p, &(*out)->query);
    }
    return NILAS_OK;
}

static nilas_code parse_uncache(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_UNCACHE_TABLE, out));
    p->position++;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TABLE));
    NILAS_TRY(nilas_sql__if_exists(p, &(*out)->if_exists));
    return nilas_sql__object(p, *out);
}

static nilas_code parse_clear(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_CLEAR_CACHE, out));
    p->position++;
    return nilas_sql__expect(p, NILAS_KW_CACHE);
}

static nilas_code parse_refresh(nilas_sql__parser *p, nilas_statement **out) {
    if (nilas_sql__peek(p, 1) == NILAS_KW_TABLE && nilas_sql__peek(p, 2) != TOKEN_END) {
        NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_REFRESH_TABLE, out));
        p->position += 2;
        return nilas_sql__object(p, *out);
    }
    bool function = nilas_sql__peek(p, 1) == NILAS_KW_FUNCTION;
    return nilas_sql__unsupported_rest(p, function ? "REFRESH FUNCTION" : "REFRESH of a path", out);
}

static nilas_code parse_truncate(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_TRUNCATE_TABLE, out));
    p->position++;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TABLE));
    NILAS_TRY(nilas_sql__object(p, *out));
    if (nilas_sql__at_partition_spec(p)) {
        return nilas_sql__partition_spec(p, &(*out)->partition, &(*out)->partition_count);
    }
    return NILAS_OK;
}

/* COMPUTE STATISTICS [NOSCAN | FOR COLUMNS … | FOR ALL COLUMNS]; what follows is kept in
 * `columns` and `value`. */
static nilas_code parse_statistics(nilas_sql__parser *p, nilas_statement *analyze) {
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_COMPUTE, NILAS_KW_STATISTICS));
    if (nilas_sql__accept2(p, NILAS_KW_FOR, NILAS_KW_COLUMNS)) {
        return nilas_sql__identifier_seq(p, &analyze->columns, &analyze->column_count);
    }
    if (nilas_sql__accept2(p, NILAS_KW_FOR, NILAS_KW_ALL)) {
        analyze->not_columns = true;
        return nilas_sql__expect(p, NILAS_KW_COLUMNS);
    }
    if (!nilas_sql__is_identifier(p, 0)) {
        return NILAS_OK;
    }
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__identifier(p, &analyze->value));
    analyze->has_value = true;
    if (!nilas_str_is_nocase(analyze->value, "noscan")) {
        nilas_sql__reject(
            p, offset, "INVALID_SQL_SYNTAX.ANALYZE_TABLE_UNEXPECTED_NOSCAN",
            "Invalid SQL syntax: ANALYZE TABLE(S) ... COMPUTE STATISTICS ... %.*s must "
            "be either NOSCAN or empty.",
            NILAS_FMT(analyze->value));
    }
    return NILAS_OK;
}

/* ANALYZE TABLE t …; ANALYZE TABLES [IN ns] …, which has is_namespace. */
static nilas_code parse_analyze(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_ANALYZE_TABLE, out));
    p->position++;
    (*out)->is_namespace = nilas_sql__accept(p, NILAS_KW_TABLES);
    if ((*out)->is_namespace) {
        NILAS_TRY(nilas_sql__in_namespace(p, *out));
        return parse_statistics(p, *out);
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TABLE));
    NILAS_TRY(nilas_sql__object(p, *out));
    if (nilas_sql__at_partition_spec(p)) {
        NILAS_TRY(nilas_sql__partition_spec(p, &(*out)->partition, &(*out)->partition_count));
    }
    return parse_statistics(p, *out);
}

nilas_code nilas_sql__call_procedure(nilas_sql__parser *p, nilas_statement **out) {
    nilas_sql__exprs args = {0};
    nilas_sql__strs names = {0};
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_CALL, out));
    p->position++;
    NILAS_TRY(nilas_sql__object(p, *out));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__call_args(p, false, &args, &names));
    (*out)->args = args.items;
    (*out)->arg_count = args.count;
    (*out)->arg_names = names.items;
    return NILAS_OK;
}

static nilas_code parse_comment(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_COMMENT_ON, out));
    p->position++;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_ON));
    (*out)->is_namespace = nilas_sql__accept_namespace_word(p);
    if (!(*out)->is_namespace) {
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TABLE));
    }
    NILAS_TRY(nilas_sql__object(p, *out));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_IS));
    if (nilas_sql__accept(p, NILAS_KW_NULL)) {
        return NILAS_OK;
    }
    (*out)->has_value = true;
    return nilas_sql__string(p, &(*out)->value);
}

// ---- refused by name ----------------------------------------------------------------------------

static nilas_code parse_load(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *load;
    NILAS_TRY(nilas_sql__unsupported(p, "LOAD DATA", &load));
    p->position++;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_DATA));
    nilas_sql__accept(p, NILAS_KW_LOCAL);
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_INPATH));
    NILAS_TRY(nilas_sql__string(p, &load->location));
    nilas_sql__accept(p, NILAS_KW_OVERWRITE);
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_INTO, NILAS_KW_TABLE));
    NILAS_TRY(nilas_sql__object(p, load));
    *out = load;
    if (nilas_sql__at_partition_spec(p)) {
        return nilas_sql__partition_spec(p, &load->partition, &load->partition_count);
    }
    return NILAS_OK;
}

static nilas_code parse_repair(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__unsupported(p, "REPAIR TABLE", out));
    nilas_sql__accept(p, NILAS_KW_MSCK);
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_REPAIR, NILAS_KW_TABLE));
    NILAS_TRY(nilas_sql__object(p, *out));
    bool option = nilas_sql__accept(p, NILAS_KW_ADD) || nilas_sql__accept(p, NILAS_KW_DROP) ||
                  nilas_sql__accept(p, NILAS_KW_SYNC);
    return option ? nilas_sql__expect(p, NILAS_KW_PARTITIONS) : NILAS_OK;
}

/* ADD JAR, LIST FILES, …. */
static nilas_code parse_resource(nilas_sql__parser *p, nilas_statement **out) {
    if (!nilas_sql__is_identifier(p, 1)) {
        p->position++;
        return nilas_sql__unexpected(p);
    }
    return nilas_sql__unsupported_rest(p, "ADD and LIST of files, jars and archives", out);
}

/* Statements of Hive that Spark's grammar knows only to refuse: "Operation not allowed: grant". */
static const struct {
    int first, second;
    const char *name;
} native_commands[] = {
    {NILAS_KW_GRANT, 0, "GRANT"},
    {NILAS_KW_REVOKE, 0, "REVOKE"},
    {NILAS_KW_EXPORT, NILAS_KW_TABLE, "EXPORT TABLE"},
    {NILAS_KW_IMPORT, NILAS_KW_TABLE, "IMPORT TABLE"},
    {NILAS_KW_LOCK, NILAS_KW_TABLE, "LOCK TABLE"},
    {NILAS_KW_LOCK, NILAS_KW_DATABASE, "LOCK DATABASE"},
    {NILAS_KW_UNLOCK, NILAS_KW_TABLE, "UNLOCK TABLE"},
    {NILAS_KW_UNLOCK, NILAS_KW_DATABASE, "UNLOCK DATABASE"},
    {NILAS_KW_START, NILAS_KW_TRANSACTION, "START TRANSACTION"},
    {NILAS_KW_COMMIT, 0, "COMMIT"},
    {NILAS_KW_ROLLBACK, 0, "ROLLBACK"},
    {NILAS_KW_DFS, 0, "DFS"},
};

static nilas_code parse_native(nilas_sql__parser *p, nilas_statement **out) {
    for (size_t i = 0; i < sizeof(native_commands) / sizeof(native_commands[0]); i++) {
        int second = native_commands[i].second;
        if (nilas_sql__at(p, native_commands[i].first) &&
            (second == 0 || nilas_sql__peek(p, 1) == second)) {
            nilas_sql__reject_operation(p, nilas_sql__offset(p), native_commands[i].name);
            return nilas_sql__unsupported_rest(p, native_commands[i].name, out);
        }
    }
    p->position++;
    return nilas_sql__unexpected(p);
}

// ---- dispatch -----------------------------------------------------------------------------------

static const struct {
    int keyword;
    nilas_sql__statement_parser parse;
} statements[] = {
    {NILAS_KW_WITH, parse_query_or_dml},
    {NILAS_KW_FROM, parse_query_or_dml},
    {NILAS_KW_INSERT, nilas_sql__dml},
    {NILAS_KW_DELETE, nilas_sql__dml},
    {NILAS_KW_UPDATE, nilas_sql__dml},
    {NILAS_KW_MERGE, nilas_sql__dml},
    {NILAS_KW_EXPLAIN, parse_explain},
    {NILAS_KW_USE, parse_use},
    {NILAS_KW_SET, nilas_sql__set},
    {NILAS_KW_RESET, nilas_sql__reset},
    {NILAS_KW_SHOW, nilas_sql__show},
    {NILAS_KW_DESC, nilas_sql__describe},
    {NILAS_KW_DESCRIBE, nilas_sql__describe},
    {NILAS_KW_CREATE, nilas_sql__create},
    {NILAS_KW_REPLACE, nilas_sql__create},
    {NILAS_KW_DROP, nilas_sql__drop},
    {NILAS_KW_ALTER, nilas_sql__alter},
    {NILAS_KW_CALL, nilas_sql__call_procedure},
    {NILAS_KW_CACHE, parse_cache},
    {NILAS_KW_UNCACHE, parse_uncache},
    {NILAS_KW_CLEAR, parse_clear},
    {NILAS_KW_REFRESH, parse_refresh},
    {NILAS_KW_TRUNCATE, parse_truncate},
    {NILAS_KW_ANALYZE, parse_analyze},
    {NILAS_KW_COMMENT, parse_comment},
    {NILAS_KW_DECLARE, nilas_sql__declare},
    {NILAS_KW_EXECUTE, nilas_sql__execute_immediate},
    {NILAS_KW_BEGIN, nilas_sql__script},
    {NILAS_KW_LOAD, parse_load},
    {NILAS_KW_MSCK, parse_repair},
    {NILAS_KW_REPAIR, parse_repair},
    {NILAS_KW_ADD, parse_resource},
    {NILAS_KW_LIST, parse_resource},
    {NILAS_KW_GRANT, parse_native},
    {NILAS_KW_REVOKE, parse_native},
    {NILAS_KW_EXPORT, parse_native},
    {NILAS_KW_IMPORT, parse_native},
    {NILAS_KW_LOCK, parse_native},
    {NILAS_KW_UNLOCK, parse_native},
    {NILAS_KW_START, parse_native},
    {NILAS_KW_COMMIT, parse_native},
    {NILAS_KW_ROLLBACK, parse_native},
    {NILAS_KW_DFS, parse_native},
};

nilas_code nilas_sql__statement(nilas_sql__parser *p, nilas_statement **out) {
    int kind = nilas_sql__peek(p, 0);
    *out = NULL;
    for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
        if (statements[i].keyword == kind) {
            NILAS_TRY(statements[i].parse(p, out));
            nilas_assert(*out != NULL);
            return NILAS_OK;
        }
    }
    return parse_query(p, out);
}
