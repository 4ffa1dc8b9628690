/** SHOW and DESCRIBE. */
#include "sql/statement.h"

// ---- SHOW ---------------------------------------------------------------------------------------

static nilas_code new_show(nilas_sql__parser *p, nilas_statement_kind kind, size_t words,
                           nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, kind, out));
    p->position += words;
    return NILAS_OK;
}

/* SHOW … [IN ns] [LIKE 'p']. */
static nilas_code show_list(nilas_sql__parser *p, nilas_statement_kind kind,
                            nilas_statement **out) {
    NILAS_TRY(new_show(p, kind, 2, out));
    NILAS_TRY(nilas_sql__in_namespace(p, *out));
    return nilas_sql__like_pattern(p, *out);
}

static nilas_code show_namespaces(nilas_sql__parser *p, nilas_statement **out) {
    return show_list(p, NILAS_STATEMENT_SHOW_NAMESPACES, out);
}

static nilas_code show_tables(nilas_sql__parser *p, nilas_statement **out) {
    return show_list(p, NILAS_STATEMENT_SHOW_TABLES, out);
}

static nilas_code show_views(nilas_sql__parser *p, nilas_statement **out) {
    return show_list(p, NILAS_STATEMENT_SHOW_VIEWS, out);
}

static nilas_code show_catalogs(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(new_show(p, NILAS_STATEMENT_SHOW_CATALOGS, 2, out));
    return nilas_sql__like_pattern(p, *out);
}

static nilas_code show_table_extended(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(new_show(p, NILAS_STATEMENT_SHOW_TABLE_EXTENDED, 2, out));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_EXTENDED));
    NILAS_TRY(nilas_sql__in_namespace(p, *out));
    if (!nilas_sql__at(p, NILAS_KW_LIKE)) {
        return nilas_sql__unexpected(p);
    }
    NILAS_TRY(nilas_sql__like_pattern(p, *out));
    if (nilas_sql__at_partition_spec(p)) {
        return nilas_sql__partition_spec(p, &(*out)->partition, &(*out)->partition_count);
    }
    return NILAS_OK;
}

static nilas_code show_properties(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(new_show(p, NILAS_STATEMENT_SHOW_TBLPROPERTIES, 2, out));
    NILAS_TRY(nilas_sql__object(p, *out));
    if (nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        (*out)->has_key = true;
        NILAS_TRY(nilas_sql__property_key(p, &(*out)->key));
        return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
    }
    return NILAS_OK;
}

static nilas_code show_create_table(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(new_show(p, NILAS_STATEMENT_SHOW_CREATE_TABLE, 2, out));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TABLE));
    NILAS_TRY(nilas_sql__object(p, *out));
    (*out)->as_serde = nilas_sql__accept2(p, NILAS_KW_AS, NILAS_KW_SERDE);
    return NILAS_OK;
}

static nilas_code show_columns(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(new_show(p, NILAS_STATEMENT_SHOW_COLUMNS, 2, out));
    if (!nilas_sql__accept(p, NILAS_KW_FROM) && !nilas_sql__accept(p, NILAS_KW_IN)) {
        return nilas_sql__unexpected(p);
    }
    NILAS_TRY(nilas_sql__object(p, *out));
    if (nilas_sql__accept(p, NILAS_KW_FROM) || nilas_sql__accept(p, NILAS_KW_IN)) {
        return nilas_sql__name(p, &(*out)->namespace_parts, &(*out)->namespace_part_count);
    }
    return NILAS_OK;
}

static nilas_code show_partitions(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(new_show(p, NILAS_STATEMENT_SHOW_PARTITIONS, 2, out));
    NILAS_TRY(nilas_sql__object(p, *out));
    if (nilas_sql__at_partition_spec(p)) {
        return nilas_sql__partition_spec(p, &(*out)->partition, &(*out)->partition_count);
    }
    return NILAS_OK;
}

static nilas_code show_current(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(new_show(p, NILAS_STATEMENT_SHOW_CURRENT_NAMESPACE, 2, out));
    return nilas_sql__accept_namespace_word(p) ? NILAS_OK : nilas_sql__unexpected(p);
}

/* LIKE pattern, where the pattern may be the legacy form: a name. */
static nilas_code functions_pattern(nilas_sql__parser *p, nilas_statement *show) {
    int32_t offset = nilas_sql__offset(p);
    bool like = nilas_sql__accept(p, NILAS_KW_LIKE);
    if (nilas_sql__at_string(p, 0)) {
        show->has_pattern = true;
        return nilas_sql__string(p, &show->pattern);
    }
    if (!like && !nilas_sql__is_identifier(p, 0)) {
        return NILAS_OK;
    }
    nilas_str *parts;
    size_t count;
    NILAS_TRY(nilas_sql__name(p, &parts, &count));
    if (show->part_count > 0) {
        nilas_sql__reject(
            p, offset, "INVALID_SQL_SYNTAX.SHOW_FUNCTIONS_INVALID_PATTERN",
            "Invalid SQL syntax: Invalid pattern in SHOW FUNCTIONS: `%.*s`. It must be "
            "a \"STRING\" literal.",
            NILAS_FMT(parts[0]));
    }
    show->has_pattern = true;
    show->pattern = parts[count - 1];
    show->parts = parts;
    show->part_count = count - 1;
    return NILAS_OK;
}

/* SHOW [USER|SYSTEM|ALL] FUNCTIONS. */
static nilas_code show_functions(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *show;
    NILAS_TRY(new_show(p, NILAS_STATEMENT_SHOW_FUNCTIONS, 1, &show));
    int32_t offset = nilas_sql__offset(p);
    if (!nilas_sql__at(p, NILAS_KW_FUNCTIONS)) {
        nilas_str scope;
        NILAS_TRY(nilas_sql__simple_identifier(p, &scope));
        NILAS_TRY(nilas_str_upper(p->stmt, scope, &show->value, p->err));
        show->has_value = true;
        bool known = nilas_str_is(show->value, "USER") || nilas_str_is(show->value, "SYSTEM") ||
                     nilas_str_is(show->value, "ALL");
        if (!known) {
            nilas_sql__reject(p, offset, "INVALID_SQL_SYNTAX.SHOW_FUNCTIONS_INVALID_SCOPE",
                              "Invalid SQL syntax: SHOW `%.*s` FUNCTIONS not supported.",
                              NILAS_FMT(scope));
        }
    }
    NILAS_TRY(nilas_sql__expect_named(p, NILAS_KW_FUNCTIONS));
    NILAS_TRY(nilas_sql__in_namespace(p, show));
    *out = show;
    return functions_pattern(p, show);
}

static const struct {
    int first, second;
    nilas_sql__statement_parser parse;
} shows[] = {
    {NILAS_KW_NAMESPACES, 0, show_namespaces},
    {NILAS_KW_DATABASES, 0, show_namespaces},
    {NILAS_KW_SCHEMAS, 0, show_namespaces},
    {NILAS_KW_TABLES, 0, show_tables},
    {NILAS_KW_TABLE, NILAS_KW_EXTENDED, show_table_extended},
    {NILAS_KW_VIEWS, 0, show_views},
    {NILAS_KW_CATALOGS, 0, show_catalogs},
    {NILAS_KW_TBLPROPERTIES, 0, show_properties},
    {NILAS_KW_CREATE, NILAS_KW_TABLE, show_create_table},
    {NILAS_KW_COLUMNS, 0, show_columns},
    {NILAS_KW_PARTITIONS, 0, show_partitions},
};

/* Statements of Hive that the grammar takes only to refuse them. */
static const struct {
    int word;
    const char *name;
} native_shows[] = {
    {NILAS_KW_GRANT, "SHOW GRANT"},
    {NILAS_KW_ROLE, "SHOW ROLE GRANT"},
    {NILAS_KW_ROLES, "SHOW ROLES"},
    {NILAS_KW_PRINCIPALS, "SHOW PRINCIPALS"},
    {NILAS_KW_COMPACTIONS, "SHOW COMPACTIONS"},
    {NILAS_KW_TRANSACTIONS, "SHOW TRANSACTIONS"},
    {NILAS_KW_INDEXES, "SHOW INDEXES"},
    {NILAS_KW_LOCKS, "SHOW LOCKS"},
};

static nilas_code show_native(nilas_sql__parser *p, const char *name, nilas_statement **out) {
    nilas_sql__reject_operation(p, nilas_sql__offset(p), name);
    return nilas_sql__unsupported_rest(p, name, out);
}

nilas_code nilas_sql__show(nilas_sql__parser *p, nilas_statement **out) {
    int word = nilas_sql__peek(p, 1);
    int next = nilas_sql__peek(p, 2);
    if (next != NILAS_KW_FUNCTIONS) {
        for (size_t i = 0; i < sizeof(shows) / sizeof(shows[0]); i++) {
            if (shows[i].first == word && (shows[i].second == 0 || shows[i].second == next)) {
                return shows[i].parse(p, out);
            }
        }
        for (size_t i = 0; i < sizeof(native_shows) / sizeof(native_shows[0]); i++) {
            if (native_shows[i].word == word) {
                return show_native(p, native_shows[i].name, out);
            }
        }
        if (word == NILAS_KW_CURRENT) {
            return next == NILAS_KW_ROLES ? show_native(p, "SHOW CURRENT ROLES", out)
                                          : show_current(p, out);
        }
    }
    return show_functions(p, out);
}

// ---- DESCRIBE -----------------------------------------------------------------------------------

/* Any operator can be described. */
static nilas_code describe_function(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *describe;
    NILAS_TRY(new_show(p, NILAS_STATEMENT_DESCRIBE_FUNCTION, 2, &describe));
    describe->extended = nilas_sql__at(p, NILAS_KW_EXTENDED) && !nilas_sql__is_bare_word(p);
    p->position += describe->extended;
    *out = describe;
    int kind = nilas_sql__peek(p, 0);
    if (nilas_sql__is_identifier(p, 0) && kind != NILAS_KW_OR && kind != NILAS_KW_AND &&
        kind != NILAS_KW_IN && kind != NILAS_KW_NOT) {
        return nilas_sql__object(p, describe);
    }
    NILAS_NEW(p->stmt, &describe->parts, p->err);
    describe->part_count = 1;
    if (nilas_sql__at_string(p, 0)) {
        return nilas_sql__string(p, describe->parts);
    }
    bool word =
        kind == NILAS_KW_OR || kind == NILAS_KW_AND || kind == NILAS_KW_IN || kind == NILAS_KW_NOT;
    if (!word && (kind < TOKEN_BANG || kind > TOKEN_HAT)) {
        return nilas_sql__unexpected(p);
    }
    describe->parts[0] = nilas_sql__token_text(p, 0);
    p->position++;
    return NILAS_OK;
}

static nilas_code describe_namespace(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(new_show(p, NILAS_STATEMENT_DESCRIBE_NAMESPACE, 2, out));
    (*out)->extended = nilas_sql__at(p, NILAS_KW_EXTENDED) && nilas_sql__is_identifier(p, 1);
    p->position += (*out)->extended;
    return nilas_sql__object(p, *out);
}

static nilas_code describe_query(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(new_show(p, NILAS_STATEMENT_DESCRIBE_QUERY, 1, out));
    bool word = nilas_sql__at(p, NILAS_KW_QUERY) && nilas_sql__looks_like_query(p, 1);
    p->position += word;
    return nilas_sql__query(p, &(*out)->query);
}

static void check_partition_values(nilas_sql__parser *p, const nilas_statement *describe) {
    for (size_t i = 0; i < describe->partition_count; i++) {
        if (describe->partition[i].value == NULL) {
            nilas_sql__reject(p, describe->offset, "INVALID_SQL_SYNTAX.EMPTY_PARTITION_VALUE",
                              "Invalid SQL syntax: Partition key `%.*s` must set value.",
                              NILAS_FMT(describe->partition[i].name));
        }
    }
}

static void check_json(nilas_sql__parser *p, const nilas_statement *describe) {
    if (!describe->as_json) {
        return;
    }
    if (describe->column_count > 0) {
        nilas_sql__reject(p, describe->offset, "UNSUPPORTED_FEATURE.DESC_TABLE_COLUMN_JSON",
                          "The feature is not supported: DESC TABLE COLUMN AS JSON not supported "
                          "for individual columns.");
    } else if (!describe->extended && !describe->formatted) {
        nilas_str table =
            describe->part_count > 0 ? describe->parts[describe->part_count - 1] : NILAS_STR_EMPTY;
        nilas_sql__reject(
            p, describe->offset, "DESCRIBE_JSON_NOT_EXTENDED",
            "DESCRIBE TABLE ... AS JSON only supported when [EXTENDED|FORMATTED] is "
            "specified.\nFor example: DESCRIBE EXTENDED %.*s AS JSON is supported but "
            "DESCRIBE %.*s AS JSON is not.",
            NILAS_FMT(table), NILAS_FMT(table));
    }
}

static nilas_code describe_table(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *describe;
    NILAS_TRY(new_show(p, NILAS_STATEMENT_DESCRIBE_TABLE, 1, &describe));
    bool word = nilas_sql__at(p, NILAS_KW_TABLE) && nilas_sql__is_identifier(p, 1);
    p->position += word;
    describe->extended = nilas_sql__at(p, NILAS_KW_EXTENDED) && nilas_sql__is_identifier(p, 1);
    describe->formatted = nilas_sql__at(p, NILAS_KW_FORMATTED) && nilas_sql__is_identifier(p, 1);
    p->position += describe->extended || describe->formatted;
    NILAS_TRY(nilas_sql__object(p, describe));
    if (nilas_sql__at_partition_spec(p)) {
        NILAS_TRY(nilas_sql__partition_spec(p, &describe->partition, &describe->partition_count));
        check_partition_values(p, describe);
    }
    bool json = nilas_sql__at2(p, NILAS_KW_AS, NILAS_KW_JSON);
    if (nilas_sql__is_identifier(p, 0) && !json) {
        NILAS_TRY(nilas_sql__name(p, &describe->columns, &describe->column_count));
    }
    describe->as_json = nilas_sql__accept2(p, NILAS_KW_AS, NILAS_KW_JSON);
    check_json(p, describe);
    *out = describe;
    return NILAS_OK;
}

/* A query that could also be the name of a table is tried as a query first, unless TABLE begins
 * it. */
static nilas_code describe_query_or_table(nilas_sql__parser *p, nilas_statement **out) {
    nilas_sql__mark start = nilas_sql__set_mark(p);
    bool query = nilas_sql__looks_like_query(p, 1) ||
                 (nilas_sql__peek(p, 1) == NILAS_KW_QUERY && nilas_sql__looks_like_query(p, 2));
    if (query && nilas_sql__peek(p, 1) != NILAS_KW_TABLE) {
        nilas_code code = describe_query(p, out);
        bool ends = nilas_sql__at(p, TOKEN_END) || nilas_sql__at(p, TOKEN_SEMICOLON);
        if (code != NILAS_INVALID && (code != NILAS_OK || ends)) {
            return code;
        }
        if (code == NILAS_OK) {
            (void)!nilas_sql__unexpected(p);
        }
        nilas_sql__back_to(p, &start);
    }
    return describe_table(p, out);
}

nilas_code nilas_sql__describe(nilas_sql__parser *p, nilas_statement **out) {
    bool named = nilas_sql__peek(p, 2) != TOKEN_END && nilas_sql__peek(p, 2) != TOKEN_DOT &&
                 nilas_sql__peek(p, 2) != TOKEN_SEMICOLON;
    if (nilas_sql__peek(p, 1) == NILAS_KW_FUNCTION && named) {
        return describe_function(p, out);
    }
    if (nilas_sql__at_namespace_word(p, 1) && named && nilas_sql__is_identifier(p, 2)) {
        return describe_namespace(p, out);
    }
    if (nilas_sql__peek(p, 1) == NILAS_KW_PROCEDURE && named) {
        return nilas_sql__unsupported_rest(p, "DESCRIBE PROCEDURE", out);
    }
    return describe_query_or_table(p, out);
}
