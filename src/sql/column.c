/** Columns, constraints and partition transforms of CREATE TABLE and ALTER TABLE. */
#include "sql/statement.h"

// ---- constraints: parsed, kept as text ----------------------------------------------------------

bool nilas_sql__at_constraint(const nilas_sql__parser *p) {
    int next = nilas_sql__peek(p, 1);
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_CONSTRAINT: {
        int third = nilas_sql__peek(p, 2);
        return nilas_sql__is_identifier(p, 1) &&
               (third == NILAS_KW_CHECK || third == NILAS_KW_UNIQUE || third == NILAS_KW_PRIMARY ||
                third == NILAS_KW_FOREIGN || third == NILAS_KW_REFERENCES);
    }
    case NILAS_KW_CHECK:
    case NILAS_KW_UNIQUE: return next == TOKEN_LEFT_PAREN;
    case NILAS_KW_PRIMARY:
    case NILAS_KW_FOREIGN: return next == NILAS_KW_KEY;
    default: return false;
    }
}

static nilas_code reference_spec(nilas_sql__parser *p) {
    nilas_str *parts;
    size_t count;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_REFERENCES));
    NILAS_TRY(nilas_sql__name(p, &parts, &count));
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        return nilas_sql__identifier_list(p, &parts, &count);
    }
    return NILAS_OK;
}

static nilas_code constraint_characteristics(nilas_sql__parser *p) {
    for (;;) {
        int32_t offset = nilas_sql__offset(p);
        if (nilas_sql__accept(p, NILAS_KW_ENFORCED)) {
            (void)offset;
        } else if (nilas_sql__accept2(p, NILAS_KW_NOT, NILAS_KW_ENFORCED)) {
            continue;
        } else if (!nilas_sql__accept(p, NILAS_KW_RELY) && !nilas_sql__accept(p, NILAS_KW_NORELY)) {
            return NILAS_OK;
        }
    }
}

static nilas_code constraint_body(nilas_sql__parser *p, bool of_column) {
    nilas_str *names;
    size_t count;
    nilas_expr *condition;
    if (nilas_sql__accept(p, NILAS_KW_CHECK)) {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
        NILAS_TRY(nilas_sql__expression(p, &condition));
        return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
    }
    if (of_column && nilas_sql__at(p, NILAS_KW_REFERENCES)) {
        return reference_spec(p);
    }
    if (!of_column && nilas_sql__accept2(p, NILAS_KW_FOREIGN, NILAS_KW_KEY)) {
        NILAS_TRY(nilas_sql__identifier_list(p, &names, &count));
        return reference_spec(p);
    }
    if (!nilas_sql__accept(p, NILAS_KW_UNIQUE)) {
        NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_PRIMARY, NILAS_KW_KEY));
    }
    return of_column ? NILAS_OK : nilas_sql__identifier_list(p, &names, &count);
}

nilas_code nilas_sql__constraint(nilas_sql__parser *p, bool of_column) {
    nilas_str name;
    if (nilas_sql__accept(p, NILAS_KW_CONSTRAINT)) {
        NILAS_TRY(nilas_sql__captured_identifier(p, &name));
    }
    NILAS_TRY(constraint_body(p, of_column));
    return constraint_characteristics(p);
}

// ---- columns of CREATE TABLE --------------------------------------------------------------------

static nilas_code identity_options(nilas_sql__parser *p) {
    if (!nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        return NILAS_OK;
    }
    while (!nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
        bool known = nilas_sql__accept2(p, NILAS_KW_START, NILAS_KW_WITH) ||
                     nilas_sql__accept2(p, NILAS_KW_INCREMENT, NILAS_KW_BY);
        if (!known) {
            return nilas_sql__unexpected(p);
        }
        nilas_sql__accept(p, TOKEN_MINUS);
        if (!nilas_sql__accept(p, TOKEN_INTEGER) && !nilas_sql__accept(p, TOKEN_BIGINT)) {
            return nilas_sql__unexpected(p);
        }
    }
    p->position++;
    return NILAS_OK;
}

/* GENERATED ALWAYS AS (expression), or AS IDENTITY, which leaves the text in `generated` as a
 * column of that name. */
static nilas_code generation(nilas_sql__parser *p, nilas_column_def *column) {
    bool by_default = nilas_sql__accept2(p, NILAS_KW_BY, NILAS_KW_DEFAULT);
    if (!by_default) {
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_ALWAYS));
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_AS));
    if (!by_default && nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__expression(p, &column->generated));
        return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
    }
    p->unsupported = "identity columns";
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_IDENTITY));
    return identity_options(p);
}

static nilas_code column_option(nilas_sql__parser *p, nilas_column_def *column, bool *taken) {
    int kind = nilas_sql__peek(p, 0);
    bool negated = kind == NILAS_KW_NOT || kind == TOKEN_BANG;
    bool seen;
    *taken = true;
    if (negated && nilas_sql__peek(p, 1) == NILAS_KW_NULL) {
        seen = column->not_null;
        nilas_sql__check_once(p, &seen, "NOT NULL");
        p->position += 2;
        column->not_null = true;
        return NILAS_OK;
    }
    if (nilas_sql__accept(p, NILAS_KW_DEFAULT)) {
        seen = column->default_value != NULL;
        nilas_sql__check_once(p, &seen, "DEFAULT");
        return nilas_sql__expression(p, &column->default_value);
    }
    if (nilas_sql__accept(p, NILAS_KW_COMMENT)) {
        nilas_sql__check_once(p, &column->has_comment, "COMMENT");
        return nilas_sql__string(p, &column->comment);
    }
    if (nilas_sql__accept(p, NILAS_KW_GENERATED)) {
        seen = column->generated != NULL;
        nilas_sql__check_once(p, &seen, "GENERATED ALWAYS AS");
        return generation(p, column);
    }
    *taken = false;
    return NILAS_OK;
}

static bool at_column_constraint(const nilas_sql__parser *p) {
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_CONSTRAINT:
    case NILAS_KW_CHECK:
    case NILAS_KW_UNIQUE:
    case NILAS_KW_PRIMARY:
    case NILAS_KW_REFERENCES: return true;
    default: return false;
    }
}

nilas_code nilas_sql__column_def(nilas_sql__parser *p, nilas_column_def *out) {
    *out = (nilas_column_def){.offset = nilas_sql__offset(p), .part_count = 1};
    NILAS_NEW(p->stmt, &out->parts, p->err);
    NILAS_TRY(nilas_sql__captured_identifier(p, out->parts));
    NILAS_TRY(nilas_sql__type(p, &out->type));
    bool taken = true;
    while (taken) {
        NILAS_TRY(column_option(p, out, &taken));
        if (!taken && at_column_constraint(p)) {
            NILAS_TRY(nilas_sql__constraint(p, true));
            p->unsupported = "constraints of columns";
            taken = true;
        }
    }
    return NILAS_OK;
}

nilas_code nilas_sql__table_elements(nilas_sql__parser *p, nilas_statement *statement) {
    NILAS_ARRAY_OF(nilas_column_def) columns = {0};
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    do {
        if (nilas_sql__at_constraint(p)) {
            NILAS_TRY(nilas_sql__constraint(p, false));
            p->unsupported = "table constraints";
            continue;
        }
        nilas_column_def column;
        NILAS_TRY(nilas_sql__column_def(p, &column));
        NILAS_PUSH(p->stmt, &columns, column, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    statement->column_defs = columns.items;
    statement->column_def_count = columns.count;
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

// ---- columns of ALTER TABLE ---------------------------------------------------------------------

nilas_code nilas_sql__column_position(nilas_sql__parser *p, nilas_column_def *column, bool *taken) {
    bool first = nilas_sql__at(p, NILAS_KW_FIRST);
    bool after = nilas_sql__at(p, NILAS_KW_AFTER);
    *taken = first || after;
    if (!*taken) {
        return NILAS_OK;
    }
    nilas_sql__check_once(p, &column->has_position, "FIRST|AFTER");
    p->position++;
    column->first = first;
    return after ? nilas_sql__captured_identifier(p, &column->after) : NILAS_OK;
}

static nilas_code column_with_position(nilas_sql__parser *p, nilas_column_def *column) {
    *column = (nilas_column_def){.offset = nilas_sql__offset(p)};
    NILAS_TRY(nilas_sql__name(p, &column->parts, &column->part_count));
    NILAS_TRY(nilas_sql__type(p, &column->type));
    bool taken = true;
    while (taken) {
        NILAS_TRY(nilas_sql__column_position(p, column, &taken));
        if (!taken && !nilas_sql__at(p, NILAS_KW_GENERATED)) {
            NILAS_TRY(column_option(p, column, &taken));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_sql__column_defs_with_position(nilas_sql__parser *p, nilas_column_def **out,
                                                size_t *out_count) {
    NILAS_ARRAY_OF(nilas_column_def) columns = {0};
    do {
        nilas_column_def column;
        NILAS_TRY(column_with_position(p, &column));
        NILAS_PUSH(p->stmt, &columns, column, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = columns.items;
    *out_count = columns.count;
    return NILAS_OK;
}

// ---- transforms ---------------------------------------------------------------------------------

static nilas_code transform_argument(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    if (nilas_sql__is_identifier(p, 0) && !nilas_sql__at_string(p, 1)) {
        nilas_str *parts;
        size_t count;
        NILAS_TRY(nilas_sql__name(p, &parts, &count));
        return nilas_sql__column(p, parts, count, offset, out);
    }
    return nilas_sql__value_expression(p, out);
}

nilas_code nilas_sql__transform(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str *parts;
    size_t count;
    NILAS_TRY(nilas_sql__name(p, &parts, &count));
    if (count > 1 || !nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        return nilas_sql__column(p, parts, count, offset, out);
    }

    nilas_expr *call;
    nilas_sql__exprs args = {0};
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_CALL, offset, &call));
    p->position++;
    do {
        nilas_expr *arg;
        NILAS_TRY(transform_argument(p, &arg));
        NILAS_PUSH(p->stmt, &args, arg, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    call->parts = parts;
    call->part_count = 1;
    call->args = args.items;
    call->arg_count = args.count;
    call->end_offset = nilas_sql__end(p);
    *out = call;
    return NILAS_OK;
}

nilas_code nilas_sql__collation_spec(nilas_sql__parser *p, nilas_str *out, bool *taken) {
    *taken = nilas_sql__accept2(p, NILAS_KW_DEFAULT, NILAS_KW_COLLATION);
    return *taken ? nilas_sql__identifier(p, out) : NILAS_OK;
}
