/** INSERT, DELETE, UPDATE, MERGE, and FROM … INSERT … INSERT …. */
#include "sql/statement.h"

// ---- INSERT -------------------------------------------------------------------------------------

/* INSERT OVERWRITE [LOCAL] DIRECTORY …: parsed, refused by name. */
static nilas_code insert_directory(nilas_sql__parser *p, nilas_statement *insert) {
    bool taken;
    nilas_str text;
    nilas_str *parts;
    size_t count;
    p->unsupported = "INSERT OVERWRITE DIRECTORY";
    nilas_sql__accept(p, NILAS_KW_LOCAL);
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_DIRECTORY));
    if (nilas_sql__at_string(p, 0)) {
        NILAS_TRY(nilas_sql__string(p, &text));
    }
    if (nilas_sql__accept(p, NILAS_KW_USING)) {
        NILAS_TRY(nilas_sql__name(p, &parts, &count));
        if (nilas_sql__accept(p, NILAS_KW_OPTIONS)) {
            return nilas_sql__properties(p, &insert->options, &insert->option_count);
        }
        return NILAS_OK;
    }
    NILAS_TRY(nilas_sql__row_format(p, &taken));
    return nilas_sql__file_format(p, &taken);
}

static nilas_code insert_columns(nilas_sql__parser *p, nilas_statement *insert) {
    if (nilas_sql__accept2(p, NILAS_KW_BY, NILAS_KW_NAME)) {
        insert->by_name = true;
        return NILAS_OK;
    }
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN) && !nilas_sql__looks_like_query(p, 0)) {
        return nilas_sql__identifier_list(p, &insert->columns, &insert->column_count);
    }
    return NILAS_OK;
}

static nilas_code insert_target(nilas_sql__parser *p, nilas_statement *insert) {
    bool table = nilas_sql__at(p, NILAS_KW_TABLE) && nilas_sql__is_identifier(p, 1);
    p->position += table;
    NILAS_TRY(nilas_sql__object(p, insert));
    if (nilas_sql__at2(p, NILAS_KW_WITH, TOKEN_LEFT_PAREN)) {
        p->position++;
        NILAS_TRY(nilas_sql__properties(p, &insert->options, &insert->option_count));
    }
    if (nilas_sql__at_partition_spec(p)) {
        NILAS_TRY(nilas_sql__partition_spec(p, &insert->partition, &insert->partition_count));
    }
    NILAS_TRY(nilas_sql__if_not_exists(p, &insert->if_not_exists));
    if (insert->if_not_exists && !insert->overwrite) {
        nilas_sql__reject_operation(p, insert->offset, "INSERT INTO ... IF NOT EXISTS");
    }
    if (!insert->overwrite && nilas_sql__accept2(p, NILAS_KW_REPLACE, NILAS_KW_WHERE)) {
        return nilas_sql__expression(p, &insert->replace_where);
    }
    return insert_columns(p, insert);
}

/* INSERT INTO|OVERWRITE …, up to its query. */
static nilas_code insert_into(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_INSERT, out));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_INSERT));
    (*out)->overwrite = nilas_sql__accept(p, NILAS_KW_OVERWRITE);
    if (!(*out)->overwrite) {
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_INTO));
    }
    bool directory = nilas_sql__at2(p, NILAS_KW_LOCAL, NILAS_KW_DIRECTORY) ||
                     (nilas_sql__at(p, NILAS_KW_DIRECTORY) &&
                      (nilas_sql__at_string(p, 1) || nilas_sql__peek(p, 1) == NILAS_KW_USING));
    if ((*out)->overwrite && directory) {
        return insert_directory(p, *out);
    }
    return insert_target(p, *out);
}

static nilas_code with_ctes(nilas_sql__parser *p, const nilas_statement *ctes,
                            nilas_query **in_out) {
    if (ctes->cte_count == 0) {
        return NILAS_OK;
    }
    nilas_query *with;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_WITH, (*in_out)->offset, &with));
    with->ctes = ctes->ctes;
    with->cte_count = ctes->cte_count;
    with->recursive = ctes->recursive;
    with->input = *in_out;
    with->end_offset = nilas_sql__end(p);
    *in_out = with;
    return NILAS_OK;
}

static nilas_code parse_insert(nilas_sql__parser *p, const nilas_statement *ctes,
                               nilas_statement **out) {
    NILAS_TRY(insert_into(p, out));
    NILAS_TRY(nilas_sql__query(p, &(*out)->query));
    return with_ctes(p, ctes, &(*out)->query);
}

/* FROM … INSERT … SELECT … INSERT …: a chain of INSERTs that share one FROM. */
static nilas_code parse_multi_insert(nilas_sql__parser *p, nilas_query *from,
                                     const nilas_statement *ctes, nilas_statement **out) {
    nilas_statement *last = NULL;
    while (nilas_sql__at(p, NILAS_KW_INSERT)) {
        nilas_statement *insert;
        NILAS_TRY(insert_into(p, &insert));
        NILAS_TRY(nilas_sql__select_body(p, from, &insert->query));
        NILAS_TRY(nilas_sql__organize(p, false, insert->query, &insert->query));
        if (last == NULL) {
            insert->ctes = ctes->ctes;
            insert->cte_count = ctes->cte_count;
            insert->recursive = ctes->recursive;
            *out = insert;
        } else {
            last->next = insert;
        }
        last = insert;
    }
    if (last == NULL) {
        return nilas_sql__unexpected(p);
    }
    return NILAS_OK;
}

// ---- DELETE and UPDATE --------------------------------------------------------------------------

static nilas_code target_alias(nilas_sql__parser *p, nilas_statement *statement) {
    nilas_str *columns = NULL;
    size_t count = 0;
    NILAS_TRY(
        nilas_sql__table_alias(p, &statement->alias, &statement->has_alias, &columns, &count));
    if (count > 0) {
        nilas_sql__reject(p, statement->offset, "COLUMN_ALIASES_NOT_ALLOWED",
                          "Column aliases are not allowed in %s.",
                          statement->kind == NILAS_STATEMENT_DELETE
                              ? "DELETE"
                              : (statement->kind == NILAS_STATEMENT_UPDATE ? "UPDATE" : "MERGE"));
    }
    return NILAS_OK;
}

static nilas_code parse_where(nilas_sql__parser *p, nilas_statement *statement) {
    if (!nilas_sql__accept(p, NILAS_KW_WHERE)) {
        return NILAS_OK;
    }
    return nilas_sql__expression(p, &statement->where);
}

static nilas_code parse_delete(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_DELETE, out));
    p->position++;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_FROM));
    NILAS_TRY(nilas_sql__object(p, *out));
    NILAS_TRY(target_alias(p, *out));
    return parse_where(p, *out);
}

/* DEFAULT stands for itself as the value of an assignment. */
static nilas_code assigned_value(nilas_sql__parser *p, nilas_expr **out) {
    int next = nilas_sql__peek(p, 1);
    bool ends = next == TOKEN_END || next == TOKEN_COMMA || next == TOKEN_RIGHT_PAREN ||
                next == TOKEN_SEMICOLON || next == NILAS_KW_WHERE || next == NILAS_KW_WHEN;
    if (nilas_sql__at(p, NILAS_KW_DEFAULT) && ends) {
        NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_DEFAULT, nilas_sql__offset(p), out));
        p->position++;
        return NILAS_OK;
    }
    return nilas_sql__expression(p, out);
}

nilas_code nilas_sql__assignments(nilas_sql__parser *p, nilas_assignment **out, size_t *out_count) {
    NILAS_ARRAY_OF(nilas_assignment) assignments = {0};
    do {
        nilas_assignment assignment = {.offset = nilas_sql__offset(p)};
        NILAS_TRY(nilas_sql__name(p, &assignment.parts, &assignment.part_count));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_EQ));
        NILAS_TRY(assigned_value(p, &assignment.value));
        NILAS_PUSH(p->stmt, &assignments, assignment, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = assignments.items;
    *out_count = assignments.count;
    return NILAS_OK;
}

static nilas_code parse_update(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_UPDATE, out));
    p->position++;
    NILAS_TRY(nilas_sql__object(p, *out));
    bool alias = !nilas_sql__at(p, NILAS_KW_SET) || nilas_sql__peek(p, 1) == NILAS_KW_SET;
    if (alias) {
        NILAS_TRY(target_alias(p, *out));
    }
    NILAS_TRY(nilas_sql__expect_named(p, NILAS_KW_SET));
    NILAS_TRY(nilas_sql__assignments(p, &(*out)->assignments, &(*out)->assignment_count));
    return parse_where(p, *out);
}

// ---- MERGE --------------------------------------------------------------------------------------

static nilas_code merge_update(nilas_sql__parser *p, nilas_merge_clause *clause) {
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_SET));
    if (nilas_sql__at(p, TOKEN_ASTERISK) && clause->match == NILAS_MERGE_MATCHED) {
        p->position++;
        clause->action = NILAS_MERGE_UPDATE_STAR;
        return NILAS_OK;
    }
    clause->action = NILAS_MERGE_UPDATE;
    return nilas_sql__assignments(p, &clause->assignments, &clause->assignment_count);
}

/* INSERT (a, b) VALUES (1, DEFAULT), as assignments. */
static nilas_code merge_values(nilas_sql__parser *p, nilas_merge_clause *clause) {
    NILAS_ARRAY_OF(nilas_assignment) assignments = {0};
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    do {
        nilas_assignment assignment = {.offset = nilas_sql__offset(p)};
        NILAS_TRY(nilas_sql__name(p, &assignment.parts, &assignment.part_count));
        NILAS_PUSH(p->stmt, &assignments, assignment, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    NILAS_TRY(nilas_sql__expect2(p, TOKEN_RIGHT_PAREN, NILAS_KW_VALUES));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    size_t count = 0;
    do {
        nilas_expr *value;
        NILAS_TRY(assigned_value(p, &value));
        if (count < assignments.count) {
            assignments.items[count].value = value;
        }
        count++;
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    if (count != assignments.count) {
        nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0006",
                          "The number of inserted values cannot match the fields.");
    }
    clause->assignments = assignments.items;
    clause->assignment_count = assignments.count;
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

static nilas_code merge_insert(nilas_sql__parser *p, nilas_merge_clause *clause) {
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_INSERT));
    if (nilas_sql__accept(p, TOKEN_ASTERISK)) {
        clause->action = NILAS_MERGE_INSERT_STAR;
        return NILAS_OK;
    }
    clause->action = NILAS_MERGE_INSERT;
    return merge_values(p, clause);
}

static nilas_code merge_action(nilas_sql__parser *p, nilas_merge_clause *clause) {
    if (clause->match == NILAS_MERGE_NOT_MATCHED) {
        return merge_insert(p, clause);
    }
    if (nilas_sql__accept(p, NILAS_KW_UPDATE)) {
        return merge_update(p, clause);
    }
    clause->action = NILAS_MERGE_DELETE;
    return nilas_sql__expect(p, NILAS_KW_DELETE);
}

static nilas_code merge_clause(nilas_sql__parser *p, nilas_merge_clause *clause) {
    *clause = (nilas_merge_clause){.match = NILAS_MERGE_MATCHED};
    p->position++;
    bool matched = !nilas_sql__accept_not(p);
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_MATCHED));
    if (!matched) {
        clause->match = NILAS_MERGE_NOT_MATCHED;
        if (nilas_sql__accept2(p, NILAS_KW_BY, NILAS_KW_SOURCE)) {
            clause->match = NILAS_MERGE_NOT_MATCHED_BY_SOURCE;
        } else {
            nilas_sql__accept2(p, NILAS_KW_BY, NILAS_KW_TARGET);
        }
    }
    if (nilas_sql__accept(p, NILAS_KW_AND)) {
        NILAS_TRY(nilas_sql__expression(p, &clause->condition));
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_THEN));
    return merge_action(p, clause);
}

/* Of each kind of match, only the last clause may come without a condition. */
static void check_merge(nilas_sql__parser *p, const nilas_statement *merge) {
    static const char *const conditions[] = {
        [NILAS_MERGE_MATCHED] = "NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION",
        [NILAS_MERGE_NOT_MATCHED] = "NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION",
        [NILAS_MERGE_NOT_MATCHED_BY_SOURCE] =
            "NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION",
    };
    static const char *const names[] = {
        [NILAS_MERGE_MATCHED] = "MATCHED",
        [NILAS_MERGE_NOT_MATCHED] = "NOT MATCHED [BY TARGET]",
        [NILAS_MERGE_NOT_MATCHED_BY_SOURCE] = "NOT MATCHED BY SOURCE",
    };
    if (merge->merge_clause_count == 0) {
        nilas_sql__reject(p, merge->offset, "MERGE_WITHOUT_WHEN",
                          "There must be at least one WHEN clause in a MERGE statement.");
    }
    for (size_t i = 0; i + 1 < merge->merge_clause_count; i++) {
        nilas_merge_match match = merge->merge_clauses[i].match;
        if (merge->merge_clauses[i].condition == NULL &&
            merge->merge_clauses[i + 1].match == match) {
            nilas_sql__reject(p, merge->offset, conditions[match],
                              "When there are more than one %s clauses in a MERGE statement, only "
                              "the last %s clause can omit the condition.",
                              names[match], names[match]);
        }
    }
}

static nilas_code merge_source(nilas_sql__parser *p, nilas_statement *merge) {
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__paren_query(p, &merge->source));
    } else {
        NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_TABLE, nilas_sql__offset(p), &merge->source));
        NILAS_TRY(nilas_sql__reference(p, &merge->source->parts, &merge->source->part_count,
                                       &merge->source->identifier));
        merge->source->end_offset = nilas_sql__end(p);
    }
    return nilas_sql__new_alias(p, merge->source, &merge->source);
}

static nilas_code parse_merge(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *merge;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_MERGE, &merge));
    p->position++;
    if (nilas_sql__accept2(p, NILAS_KW_WITH, NILAS_KW_SCHEMA)) {
        merge->with_schema_evolution = true;
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_EVOLUTION));
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_INTO));
    NILAS_TRY(nilas_sql__object(p, merge));
    NILAS_TRY(target_alias(p, merge));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_USING));
    NILAS_TRY(merge_source(p, merge));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_ON));
    NILAS_TRY(nilas_sql__expression(p, &merge->condition));
    NILAS_ARRAY_OF(nilas_merge_clause) clauses = {0};
    nilas_merge_match last = NILAS_MERGE_MATCHED;
    while (nilas_sql__at(p, NILAS_KW_WHEN)) {
        size_t start = p->position;
        nilas_merge_clause clause;
        NILAS_TRY(merge_clause(p, &clause));
        if (clause.match < last) {
            p->position = start + 1; // the grammar wants them in this order
            return nilas_sql__unexpected(p);
        }
        last = clause.match;
        NILAS_PUSH(p->stmt, &clauses, clause, p->err);
    }
    merge->merge_clauses = clauses.items;
    merge->merge_clause_count = clauses.count;
    check_merge(p, merge);
    *out = merge;
    return NILAS_OK;
}

// ---- which one ----------------------------------------------------------------------------------

static nilas_code parse_changes(nilas_sql__parser *p, const nilas_statement *ctes,
                                nilas_statement **out) {
    nilas_code code;
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_DELETE: code = parse_delete(p, out); break;
    case NILAS_KW_UPDATE: code = parse_update(p, out); break;
    default: code = parse_merge(p, out); break;
    }
    NILAS_TRY(code);
    (*out)->ctes = ctes->ctes;
    (*out)->cte_count = ctes->cte_count;
    (*out)->recursive = ctes->recursive;
    return NILAS_OK;
}

/* FROM … may go on as a query; then *out stays NULL. */
static nilas_code from_first(nilas_sql__parser *p, const nilas_statement *ctes,
                             nilas_statement **out) {
    nilas_query *from;
    nilas_code code = nilas_sql__from(p, &from);
    if (code == NILAS_INVALID || (code == NILAS_OK && !nilas_sql__at(p, NILAS_KW_INSERT))) {
        return NILAS_OK;
    }
    NILAS_TRY(code);
    return parse_multi_insert(p, from, ctes, out);
}

nilas_code nilas_sql__dml(nilas_sql__parser *p, nilas_statement **out) {
    nilas_sql__mark start = nilas_sql__set_mark(p);
    nilas_statement ctes = {0};
    nilas_code code = NILAS_OK;
    *out = NULL;
    if (nilas_sql__at(p, NILAS_KW_WITH)) {
        code = nilas_sql__ctes(p, &ctes.ctes, &ctes.cte_count, &ctes.recursive);
    }
    if (code == NILAS_OK) {
        switch (nilas_sql__peek(p, 0)) {
        case NILAS_KW_INSERT: return parse_insert(p, &ctes, out);
        case NILAS_KW_DELETE:
        case NILAS_KW_UPDATE:
        case NILAS_KW_MERGE: return parse_changes(p, &ctes, out);
        case NILAS_KW_FROM: code = from_first(p, &ctes, out); break;
        default: break;
        }
    }
    if (*out == NULL && (code == NILAS_OK || code == NILAS_INVALID)) {
        nilas_sql__back_to(p, &start);
        return NILAS_OK;
    }
    return code;
}
