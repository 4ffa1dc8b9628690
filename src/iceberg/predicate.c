/* Predicates: building, negating and printing them. */
#include "iceberg/predicate.h"

#include "iceberg/evaluate.h"
#include "iceberg/parse.h"

const nilas_predicate nilas_predicate_true = {.kind = NILAS_PREDICATE_TRUE};
const nilas_predicate nilas_predicate_false = {.kind = NILAS_PREDICATE_FALSE};

static nilas_code combine(nilas_arena *arena, nilas_predicate_kind kind, nilas_predicate *a,
                          nilas_predicate *b, nilas_predicate **out, nilas_error *err) {
    nilas_predicate *made;

    nilas_assert(a != NULL && b != NULL);
    NILAS_NEW(arena, &made, err);
    made->kind = kind;
    made->left = a;
    made->right = b;
    *out = made;
    return NILAS_OK;
}

nilas_code nilas_predicate_and(nilas_arena *arena, nilas_predicate *a, nilas_predicate *b,
                               nilas_predicate **out, nilas_error *err) {
    if (a->kind == NILAS_PREDICATE_TRUE || b->kind == NILAS_PREDICATE_FALSE) {
        *out = b;
        return NILAS_OK;
    }
    if (b->kind == NILAS_PREDICATE_TRUE || a->kind == NILAS_PREDICATE_FALSE) {
        *out = a;
        return NILAS_OK;
    }
    return combine(arena, NILAS_PREDICATE_AND, a, b, out, err);
}

nilas_code nilas_predicate_or(nilas_arena *arena, nilas_predicate *a, nilas_predicate *b,
                              nilas_predicate **out, nilas_error *err) {
    if (a->kind == NILAS_PREDICATE_FALSE || b->kind == NILAS_PREDICATE_TRUE) {
        *out = b;
        return NILAS_OK;
    }
    if (b->kind == NILAS_PREDICATE_FALSE || a->kind == NILAS_PREDICATE_TRUE) {
        *out = a;
        return NILAS_OK;
    }
    return combine(arena, NILAS_PREDICATE_OR, a, b, out, err);
}

nilas_predicate_kind nilas_iceberg__negated(nilas_predicate_kind kind) {
    switch (kind) {
    case NILAS_PREDICATE_TRUE: return NILAS_PREDICATE_FALSE;
    case NILAS_PREDICATE_FALSE: return NILAS_PREDICATE_TRUE;
    case NILAS_PREDICATE_AND: return NILAS_PREDICATE_OR;
    case NILAS_PREDICATE_OR: return NILAS_PREDICATE_AND;
    case NILAS_PREDICATE_NOT: return NILAS_PREDICATE_NOT;
    case NILAS_PREDICATE_IS_NULL: return NILAS_PREDICATE_NOT_NULL;
    case NILAS_PREDICATE_NOT_NULL: return NILAS_PREDICATE_IS_NULL;
    case NILAS_PREDICATE_IS_NAN: return NILAS_PREDICATE_NOT_NAN;
    case NILAS_PREDICATE_NOT_NAN: return NILAS_PREDICATE_IS_NAN;
    case NILAS_PREDICATE_LT: return NILAS_PREDICATE_GT_EQ;
    case NILAS_PREDICATE_LT_EQ: return NILAS_PREDICATE_GT;
    case NILAS_PREDICATE_GT: return NILAS_PREDICATE_LT_EQ;
    case NILAS_PREDICATE_GT_EQ: return NILAS_PREDICATE_LT;
    case NILAS_PREDICATE_EQ: return NILAS_PREDICATE_NOT_EQ;
    case NILAS_PREDICATE_NOT_EQ: return NILAS_PREDICATE_EQ;
    case NILAS_PREDICATE_IN: return NILAS_PREDICATE_NOT_IN;
    case NILAS_PREDICATE_NOT_IN: return NILAS_PREDICATE_IN;
    case NILAS_PREDICATE_STARTS_WITH: return NILAS_PREDICATE_NOT_STARTS_WITH;
    case NILAS_PREDICATE_NOT_STARTS_WITH: return NILAS_PREDICATE_STARTS_WITH;
    }
    nilas_assert_failed("every kind has its negation", __FILE__, __LINE__);
}

static nilas_code push_not(nilas_arena *arena, const nilas_predicate *a, bool negated,
                           nilas_predicate **out, nilas_error *err) {
    nilas_predicate *made;

    if (a->kind == NILAS_PREDICATE_NOT) {
        return push_not(arena, a->left, !negated, out, err);
    }
    if (a->kind == NILAS_PREDICATE_AND || a->kind == NILAS_PREDICATE_OR) {
        nilas_predicate *left;
        nilas_predicate *right;
        bool is_and = (a->kind == NILAS_PREDICATE_AND) != negated;
        NILAS_TRY(push_not(arena, a->left, negated, &left, err));
        NILAS_TRY(push_not(arena, a->right, negated, &right, err));
        return is_and ? nilas_predicate_and(arena, left, right, out, err)
                      : nilas_predicate_or(arena, left, right, out, err);
    }
    NILAS_NEW(arena, &made, err);
    *made = *a;
    made->kind = negated ? nilas_iceberg__negated(a->kind) : a->kind;
    *out = made;
    return NILAS_OK;
}

nilas_code nilas_predicate_negate(nilas_arena *arena, const nilas_predicate *a,
                                  nilas_predicate **out, nilas_error *err) {
    return push_not(arena, a, true, out, err);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_term(nilas_buf *out, const nilas_predicate *leaf, const nilas_schema *schema) {
    static const char *const names[] = {
        [NILAS_TRANSFORM_YEAR] = "years",        [NILAS_TRANSFORM_MONTH] = "months",
        [NILAS_TRANSFORM_DAY] = "days",          [NILAS_TRANSFORM_HOUR] = "hours",
        [NILAS_TRANSFORM_BUCKET] = "bucket",     [NILAS_TRANSFORM_TRUNCATE] = "truncate",
        [NILAS_TRANSFORM_IDENTITY] = "identity", [NILAS_TRANSFORM_VOID] = "void",
        [NILAS_TRANSFORM_UNKNOWN] = "unknown",
    };

    if (leaf->has_transform) {
        nilas_buf_print(out, "%s(", names[leaf->transform.kind]);
        if (leaf->transform.width > 0) {
            nilas_buf_print(out, "%d, ", leaf->transform.width);
        }
    }
    if (!nilas_iceberg__print_name(out, schema, leaf->field_id)) {
        nilas_buf_print(out, "field %d", leaf->field_id);
    }
    nilas_buf_add_text(out, leaf->has_transform ? ")" : "");
}

static void print_quoted(nilas_buf *out, nilas_str text) {
    nilas_buf_add_text(out, "'");
    for (size_t i = 0; i < text.size; i++) {
        nilas_buf_add_text(out, text.data[i] == '\'' ? "'" : "");
        nilas_buf_add_char(out, text.data[i]);
    }
    nilas_buf_add_text(out, "'");
}

/** Results of transforms stay numbers; dates and times of columns are quoted ISO text. */
static void print_literal(nilas_buf *out, const nilas_predicate *leaf, const nilas_value *value) {
    bool is_number = leaf->has_transform || leaf->type->kind <= NILAS_ICE_DOUBLE;

    if (value->kind == NILAS_VALUE_STRING) {
        print_quoted(out, value->text);
    } else if (value->kind == NILAS_VALUE_INT && is_number) {
        nilas_buf_print(out, "%lld", (long long)value->integer);
    } else if (value->kind == NILAS_VALUE_DECIMAL) {
        nilas_decimal_print(out, value->decimal, value->scale);
    } else if (leaf->has_transform || leaf->type->kind <= NILAS_ICE_DOUBLE) {
        nilas_ice_value_print(out, leaf->type, value);
    } else {
        NILAS_AUTO_BUF json = NILAS_BUF_INIT(0);
        nilas_ice_value_print(&json, leaf->type, value);
        print_quoted(out,
                     nilas_str_slice(nilas_buf_view(&json), 1, json.size >= 2 ? json.size - 2 : 0));
    }
}

static void print_literals(nilas_buf *out, const nilas_predicate *leaf) {
    for (size_t i = 0; i < leaf->literal_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        print_literal(out, leaf, &leaf->literals[i]);
    }
}

static void print_leaf(nilas_buf *out, const nilas_predicate *leaf, const nilas_schema *schema) {
    static const char *const operators[] = {
        [NILAS_PREDICATE_IS_NULL] = " IS NULL",
        [NILAS_PREDICATE_NOT_NULL] = " IS NOT NULL",
        [NILAS_PREDICATE_IS_NAN] = " IS NaN",
        [NILAS_PREDICATE_NOT_NAN] = " IS NOT NaN",
        [NILAS_PREDICATE_LT] = " < ",
        [NILAS_PREDICATE_LT_EQ] = " <= ",
        [NILAS_PREDICATE_GT] = " > ",
        [NILAS_PREDICATE_GT_EQ] = " >= ",
        [NILAS_PREDICATE_EQ] = " = ",
        [NILAS_PREDICATE_NOT_EQ] = " != ",
        [NILAS_PREDICATE_IN] = " IN (",
        [NILAS_PREDICATE_NOT_IN] = " NOT IN (",
        [NILAS_PREDICATE_STARTS_WITH] = " STARTS WITH ",
        [NILAS_PREDICATE_NOT_STARTS_WITH] = " NOT STARTS WITH ",
    };

    print_term(out, leaf, schema);
    nilas_buf_add_text(out, operators[leaf->kind]);
    if (nilas_iceberg__is_comparison(leaf->kind)) {
        print_literals(out, leaf);
    }
    if (leaf->kind == NILAS_PREDICATE_IN || leaf->kind == NILAS_PREDICATE_NOT_IN) {
        nilas_buf_add_text(out, ")");
    }
}

void nilas_predicate_print(nilas_buf *out, const nilas_predicate *predicate,
                           const nilas_schema *schema) {
    switch (predicate->kind) {
    case NILAS_PREDICATE_TRUE: nilas_buf_add_text(out, "true"); break;
    case NILAS_PREDICATE_FALSE: nilas_buf_add_text(out, "false"); break;
    case NILAS_PREDICATE_NOT:
        nilas_buf_add_text(out, "NOT (");
        nilas_predicate_print(out, predicate->left, schema);
        nilas_buf_add_text(out, ")");
        break;
    case NILAS_PREDICATE_AND:
    case NILAS_PREDICATE_OR:
        nilas_buf_add_text(out, "(");
        nilas_predicate_print(out, predicate->left, schema);
        nilas_buf_add_text(out, predicate->kind == NILAS_PREDICATE_AND ? " AND " : " OR ");
        nilas_predicate_print(out, predicate->right, schema);
        nilas_buf_add_text(out, ")");
        break;
    default: print_leaf(out, predicate, schema); break;
    }
}
