/**
 * Iceberg's extensions of ALTER TABLE: partition fields, write order, identifier fields, branches
 * and tags. Most of their
 * words are no keywords of Spark's. Their errors carry no condition, as those of Iceberg's own
 * parser.
 */
#include "sql/statement.h"

#include <stdio.h>

static nilas_code skip_rest(nilas_sql__parser *p) {
    p->position = p->token_count - 1;
    return NILAS_OK;
}

/* Iceberg's parser names what it wanted. */
static nilas_code mismatched(nilas_sql__parser *p, const char *expected) {
    nilas_sql__reject(p, nilas_sql__offset(p), NULL, "mismatched input '%.*s' expecting %s",
                      NILAS_FMT(nilas_sql__token_text(p, 0)), expected);
    return skip_rest(p);
}

// ---- partition fields ---------------------------------------------------------------------------

static nilas_code field_name(nilas_sql__parser *p, nilas_alteration *a) {
    if (!nilas_sql__accept(p, NILAS_KW_AS)) {
        return NILAS_OK;
    }
    a->has_field_name = true;
    return nilas_sql__identifier(p, &a->field_name);
}

static nilas_code add_field(nilas_sql__parser *p, nilas_alteration *a) {
    a->kind = NILAS_ALTER_ADD_PARTITION_FIELD;
    p->position += 3;
    NILAS_TRY(nilas_sql__transform(p, &a->transform));
    return field_name(p, a);
}

static nilas_code drop_field(nilas_sql__parser *p, nilas_alteration *a) {
    a->kind = NILAS_ALTER_DROP_PARTITION_FIELD;
    p->position += 3;
    return nilas_sql__transform(p, &a->transform);
}

static nilas_code replace_field(nilas_sql__parser *p, nilas_alteration *a) {
    a->kind = NILAS_ALTER_REPLACE_PARTITION_FIELD;
    p->position += 3;
    NILAS_TRY(nilas_sql__transform(p, &a->transform));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_WITH));
    NILAS_TRY(nilas_sql__transform(p, &a->new_transform));
    return field_name(p, a);
}

// ---- write order --------------------------------------------------------------------------------

static nilas_code ordered_by(nilas_sql__parser *p, nilas_alteration *a) {
    nilas_sql__exprs fields = {0};
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_BY));
    bool parentheses = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
    do {
        nilas_expr *transform, *field;
        NILAS_TRY(nilas_sql__transform(p, &transform));
        NILAS_TRY(nilas_sql__sort_item(p, transform, &field));
        NILAS_PUSH(p->stmt, &fields, field, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    a->order_by = fields.items;
    a->order_by_count = fields.count;
    return parentheses ? nilas_sql__expect(p, TOKEN_RIGHT_PAREN) : NILAS_OK;
}

static nilas_code write_order(nilas_sql__parser *p, nilas_alteration *a) {
    a->kind = NILAS_ALTER_WRITE_ORDER;
    p->position++;
    for (;;) {
        if (nilas_sql__accept_word(p, "distributed")) {
            NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_BY, NILAS_KW_PARTITION));
            a->distributed_by_partition = true;
        } else if (nilas_sql__accept_word(p, "unordered")) {
            a->unordered = true;
        } else if (nilas_sql__at_word(p, 0, "locally") || nilas_sql__at_word(p, 0, "ordered")) {
            a->locally = nilas_sql__accept_word(p, "locally");
            NILAS_TRY(nilas_sql__expect_word(p, "ordered"));
            NILAS_TRY(ordered_by(p, a));
        } else {
            return NILAS_OK;
        }
    }
}

// ---- identifier fields --------------------------------------------------------------------------

static nilas_code identifier_fields(nilas_sql__parser *p, nilas_alteration *a) {
    a->kind = nilas_sql__at(p, NILAS_KW_SET) ? NILAS_ALTER_SET_IDENTIFIER_FIELDS
                                             : NILAS_ALTER_DROP_IDENTIFIER_FIELDS;
    p->position += 3;
    return nilas_sql__names(p, &a->field_parts, &a->field_part_counts, &a->field_count);
}

// ---- branches and tags --------------------------------------------------------------------------

static nilas_code take_number(nilas_sql__parser *p, int64_t *out) {
    bool negative = nilas_sql__accept(p, TOKEN_MINUS);
    if (!nilas_sql__at(p, TOKEN_INTEGER) && !nilas_sql__at(p, TOKEN_BIGINT)) {
        return nilas_sql__unexpected(p);
    }
    nilas_str digits = nilas_sql__token_text(p, 0);
    digits.size -= nilas_sql__at(p, TOKEN_BIGINT);
    if (!nilas_str_to_int64(digits, out)) {
        nilas_sql__reject(p, nilas_sql__offset(p), NULL, "For input string: \"%.*s\"",
                          NILAS_FMT(digits));
        *out = 0;
    }
    *out = negative ? -*out : *out;
    p->position++;
    return NILAS_OK;
}

/* The unit after a number: DAYS, HOURS or MINUTES; the time in milliseconds. */
static nilas_code take_duration(nilas_sql__parser *p, int64_t number, int64_t *out) {
    int64_t unit;
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_DAYS: unit = 86400000; break;
    case NILAS_KW_HOURS: unit = 3600000; break;
    case NILAS_KW_MINUTES: unit = 60000; break;
    default: *out = 0; return mismatched(p, "{'DAYS', 'HOURS', 'MINUTES'}");
    }
    if (__builtin_mul_overflow(number, unit, out)) {
        nilas_sql__reject(p, nilas_sql__offset(p), NULL, "the retention %lld is too long",
                          (long long)number);
    }
    p->position++;
    return NILAS_OK;
}

/* WITH SNAPSHOT RETENTION [n SNAPSHOTS] [n DAYS]. */
static nilas_code snapshot_retention(nilas_sql__parser *p, nilas_ref_clause *ref) {
    if (!nilas_sql__at(p, NILAS_KW_WITH) || ref->is_tag) {
        return NILAS_OK;
    }
    p->position++;
    NILAS_TRY(nilas_sql__expect_word(p, "snapshot"));
    NILAS_TRY(nilas_sql__expect_word(p, "retention"));
    int64_t number;
    ref->has_snapshot_retention = true;
    NILAS_TRY(take_number(p, &number));
    if (nilas_sql__accept_word(p, "snapshots")) {
        ref->has_min_snapshots = true;
        ref->min_snapshots = number;
        if (!nilas_sql__at(p, TOKEN_INTEGER)) {
            return NILAS_OK;
        }
        NILAS_TRY(take_number(p, &number));
    }
    ref->has_max_age = true;
    return take_duration(p, number, &ref->max_age_ms);
}

static nilas_code ref_options(nilas_sql__parser *p, nilas_ref_clause *ref) {
    int64_t number;
    if (nilas_sql__accept(p, NILAS_KW_AS)) {
        NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_OF, NILAS_KW_VERSION));
        ref->has_snapshot = true;
        NILAS_TRY(take_number(p, &ref->snapshot_id));
    }
    if (nilas_sql__accept_word(p, "retain")) {
        ref->has_retain = true;
        NILAS_TRY(take_number(p, &number));
        NILAS_TRY(take_duration(p, number, &ref->retain_ms));
    }
    return snapshot_retention(p, ref);
}

static nilas_code ref_name(nilas_sql__parser *p, nilas_ref_clause *ref, bool *valid) {
    *valid = nilas_sql__is_identifier(p, 0);
    if (*valid) {
        return nilas_sql__identifier(p, &ref->name);
    }
    nilas_sql__reject(p, nilas_sql__offset(p), NULL, "no viable alternative at input '%.*s'",
                      NILAS_FMT(nilas_sql__token_text(p, 0)));
    return skip_rest(p);
}

/* CREATE [OR REPLACE] | REPLACE, then BRANCH or TAG. */
static nilas_code create_ref(nilas_sql__parser *p, nilas_alteration *a) {
    nilas_ref_clause *ref = &a->ref;
    bool valid;
    a->kind = NILAS_ALTER_CREATE_REF;
    bool create = nilas_sql__accept(p, NILAS_KW_CREATE);
    ref->or_replace = create && nilas_sql__accept2(p, NILAS_KW_OR, NILAS_KW_REPLACE);
    ref->replace_only = !create && nilas_sql__accept(p, NILAS_KW_REPLACE);
    ref->is_tag = nilas_sql__at_word(p, 0, "tag");
    p->position++;
    if (create && !ref->or_replace) {
        NILAS_TRY(nilas_sql__if_not_exists(p, &ref->if_not_exists));
    }
    NILAS_TRY(ref_name(p, ref, &valid));
    return valid ? ref_options(p, ref) : NILAS_OK;
}

static nilas_code drop_ref(nilas_sql__parser *p, nilas_alteration *a) {
    bool valid;
    a->kind = NILAS_ALTER_DROP_REF;
    a->ref.is_tag = nilas_sql__at_word(p, 1, "tag");
    p->position += 2;
    NILAS_TRY(nilas_sql__if_exists(p, &a->ref.if_exists));
    return ref_name(p, &a->ref, &valid);
}

// ---- which one ----------------------------------------------------------------------------------

static bool at_ref_word(const nilas_sql__parser *p, size_t ahead) {
    return nilas_sql__at_word(p, ahead, "branch") || nilas_sql__at_word(p, ahead, "tag");
}

static bool at_create_ref(const nilas_sql__parser *p) {
    if (nilas_sql__at(p, NILAS_KW_CREATE)) {
        bool or_replace =
            nilas_sql__peek(p, 1) == NILAS_KW_OR && nilas_sql__peek(p, 2) == NILAS_KW_REPLACE;
        return at_ref_word(p, or_replace ? 3 : 1);
    }
    return nilas_sql__at(p, NILAS_KW_REPLACE) && at_ref_word(p, 1);
}

typedef nilas_code (*iceberg_action)(nilas_sql__parser *p, nilas_alteration *a);

/* Actions on PARTITION FIELD and IDENTIFIER FIELDS. */
static iceberg_action find_field_action(const nilas_sql__parser *p) {
    int kind = nilas_sql__peek(p, 0);
    int next = nilas_sql__peek(p, 1);
    if (next == NILAS_KW_IDENTIFIER && nilas_sql__peek(p, 2) == NILAS_KW_FIELDS) {
        bool known = kind == NILAS_KW_SET || kind == NILAS_KW_DROP;
        return known ? identifier_fields : NULL;
    }
    if (next != NILAS_KW_PARTITION || !nilas_sql__at_word(p, 2, "field")) {
        return NULL;
    }
    switch (kind) {
    case NILAS_KW_ADD: return add_field;
    case NILAS_KW_DROP: return drop_field;
    case NILAS_KW_REPLACE: return replace_field;
    default: return NULL;
    }
}

static iceberg_action find_action(const nilas_sql__parser *p) {
    if (at_create_ref(p)) {
        return create_ref;
    }
    if (nilas_sql__at(p, NILAS_KW_DROP) && at_ref_word(p, 1)) {
        return drop_ref;
    }
    return nilas_sql__at_word(p, 0, "write") ? write_order : find_field_action(p);
}

nilas_code nilas_sql__alter_iceberg(nilas_sql__parser *p, nilas_alteration *a, bool *taken) {
    iceberg_action action = find_action(p);
    *taken = action != NULL;
    return *taken ? action(p, a) : NILAS_OK;
}
