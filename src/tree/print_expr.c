/**
 * Expressions as text. Every node has a level of the grammar; an operand of a lower level than its
 * place demands is put
 * into parentheses. Long chains of binary operators are printed from a list of their left spine,
 * without recursion.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tree/print.h"

/* Levels of the grammar, weakest first. */
enum {
    LEVEL_LOOSE, // ALIAS, SORT, LAMBDA: only where the grammar names them
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_PREDICATE,
    LEVEL_COMPARISON,
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_SHIFT,
    LEVEL_ADD,
    LEVEL_MULTIPLY,
    LEVEL_UNARY,
    LEVEL_PRIMARY,
    LEVEL_POSTFIX, // what may stand before [ . :: without parentheses
};

static const struct {
    const char *text;
    int level;
} operators[] = {
    [NILAS_OP_OR] = {"OR", LEVEL_OR},
    [NILAS_OP_AND] = {"AND", LEVEL_AND},
    [NILAS_OP_NOT] = {"NOT ", LEVEL_NOT},
    [NILAS_OP_EQ] = {"=", LEVEL_COMPARISON},
    [NILAS_OP_NULL_SAFE_EQ] = {"<=>", LEVEL_COMPARISON},
    [NILAS_OP_NOT_EQ] = {"<>", LEVEL_COMPARISON},
    [NILAS_OP_LT] = {"<", LEVEL_COMPARISON},
    [NILAS_OP_LT_EQ] = {"<=", LEVEL_COMPARISON},
    [NILAS_OP_GT] = {">", LEVEL_COMPARISON},
    [NILAS_OP_GT_EQ] = {">=", LEVEL_COMPARISON},
    [NILAS_OP_ADD] = {"+", LEVEL_ADD},
    [NILAS_OP_SUBTRACT] = {"-", LEVEL_ADD},
    [NILAS_OP_MULTIPLY] = {"*", LEVEL_MULTIPLY},
    [NILAS_OP_DIVIDE] = {"/", LEVEL_MULTIPLY},
    [NILAS_OP_MODULO] = {"%", LEVEL_MULTIPLY},
    [NILAS_OP_DIV] = {"DIV", LEVEL_MULTIPLY},
    [NILAS_OP_BIT_AND] = {"&", LEVEL_BIT_AND},
    [NILAS_OP_BIT_OR] = {"|", LEVEL_BIT_OR},
    [NILAS_OP_BIT_XOR] = {"^", LEVEL_BIT_XOR},
    [NILAS_OP_SHIFT_LEFT] = {"<<", LEVEL_SHIFT},
    [NILAS_OP_SHIFT_RIGHT] = {">>", LEVEL_SHIFT},
    [NILAS_OP_SHIFT_RIGHT_UNSIGNED] = {">>>", LEVEL_SHIFT},
    [NILAS_OP_CONCAT] = {"||", LEVEL_ADD},
    [NILAS_OP_NEGATE] = {"-", LEVEL_UNARY},
    [NILAS_OP_PLUS] = {"+", LEVEL_UNARY},
    [NILAS_OP_BIT_NOT] = {"~", LEVEL_UNARY},
    [NILAS_OP_LIKE] = {"LIKE", LEVEL_PREDICATE},
    [NILAS_OP_ILIKE] = {"ILIKE", LEVEL_PREDICATE},
    [NILAS_OP_RLIKE] = {"RLIKE", LEVEL_PREDICATE},
    [NILAS_OP_IS_NULL] = {"NULL", LEVEL_PREDICATE},
    [NILAS_OP_IS_TRUE] = {"TRUE", LEVEL_PREDICATE},
    [NILAS_OP_IS_FALSE] = {"FALSE", LEVEL_PREDICATE},
    [NILAS_OP_IS_UNKNOWN] = {"UNKNOWN", LEVEL_PREDICATE},
    [NILAS_OP_IS_DISTINCT] = {"DISTINCT FROM", LEVEL_PREDICATE},
    [NILAS_OP_VARIANT_GET] = {":", LEVEL_POSTFIX},
};

/* The level of each kind; 0 where the operator decides or the kind is loose. */
static const uint8_t kind_levels[] = {
    [NILAS_EXPR_LITERAL] = LEVEL_PRIMARY,       [NILAS_EXPR_TYPED_LITERAL] = LEVEL_PRIMARY,
    [NILAS_EXPR_INTERVAL] = LEVEL_PRIMARY,      [NILAS_EXPR_COLUMN] = LEVEL_POSTFIX,
    [NILAS_EXPR_STAR] = LEVEL_PRIMARY,          [NILAS_EXPR_CALL] = LEVEL_POSTFIX,
    [NILAS_EXPR_BETWEEN] = LEVEL_PREDICATE,     [NILAS_EXPR_IN] = LEVEL_PREDICATE,
    [NILAS_EXPR_IN_QUERY] = LEVEL_PREDICATE,    [NILAS_EXPR_EXISTS] = LEVEL_NOT,
    [NILAS_EXPR_SUBQUERY] = LEVEL_POSTFIX,      [NILAS_EXPR_LIKE] = LEVEL_PREDICATE,
    [NILAS_EXPR_IS] = LEVEL_PREDICATE,          [NILAS_EXPR_CASE] = LEVEL_PRIMARY,
    [NILAS_EXPR_CAST] = LEVEL_POSTFIX,          [NILAS_EXPR_SUBSCRIPT] = LEVEL_POSTFIX,
    [NILAS_EXPR_FIELD] = LEVEL_POSTFIX,         [NILAS_EXPR_LAMBDA] = LEVEL_LOOSE,
    [NILAS_EXPR_ROW] = LEVEL_POSTFIX,           [NILAS_EXPR_ALIAS] = LEVEL_LOOSE,
    [NILAS_EXPR_PARAMETER] = LEVEL_PRIMARY,     [NILAS_EXPR_EXTRACT] = LEVEL_POSTFIX,
    [NILAS_EXPR_POSITION] = LEVEL_POSTFIX,      [NILAS_EXPR_TRIM] = LEVEL_POSTFIX,
    [NILAS_EXPR_SUBSTRING] = LEVEL_POSTFIX,     [NILAS_EXPR_OVERLAY] = LEVEL_POSTFIX,
    [NILAS_EXPR_COLLATE] = LEVEL_PRIMARY,       [NILAS_EXPR_IDENTIFIER] = LEVEL_POSTFIX,
    [NILAS_EXPR_DEFAULT] = LEVEL_POSTFIX,       [NILAS_EXPR_SORT] = LEVEL_LOOSE,
    [NILAS_EXPR_GROUPING_SETS] = LEVEL_POSTFIX, [NILAS_EXPR_ROLLUP] = LEVEL_POSTFIX,
    [NILAS_EXPR_CUBE] = LEVEL_POSTFIX,          [NILAS_EXPR_REGEX] = LEVEL_PRIMARY,
    [NILAS_EXPR_UPDATE_FIELD] = LEVEL_POSTFIX,
};

static int level_of(const nilas_expr *expr) {
    if (expr->kind == NILAS_EXPR_UNARY || expr->kind == NILAS_EXPR_BINARY) {
        return operators[expr->op].level;
    }
    return kind_levels[expr->kind];
}

static void print_at(nilas_buf *out, const nilas_expr *expr, int level) {
    bool parentheses = level_of(expr) < level;
    if (parentheses) {
        nilas_buf_add_char(out, '(');
    }
    nilas_expr_print(out, expr);
    if (parentheses) {
        nilas_buf_add_char(out, ')');
    }
}

void nilas_tree__print_exprs(nilas_buf *out, nilas_expr *const *exprs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            nilas_buf_add_text(out, ", ");
        }
        nilas_expr_print(out, exprs[i]);
    }
}

static void print_list(nilas_buf *out, nilas_expr *const *exprs, size_t count) {
    nilas_buf_add_char(out, '(');
    nilas_tree__print_exprs(out, exprs, count);
    nilas_buf_add_char(out, ')');
}

void nilas_tree__print_args(nilas_buf *out, nilas_expr *const *args, const nilas_str *arg_names,
                            size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            nilas_buf_add_text(out, ", ");
        }
        if (arg_names != NULL && arg_names[i].size > 0) {
            nilas_tree__print_name(out, arg_names[i]);
            nilas_buf_add_text(out, " => ");
        }
        nilas_expr_print(out, args[i]);
    }
}

// ---- literals -----------------------------------------------------------------------------------

/* The shortest digits that read back as the same number. The parser compares a float's digits with
 * the largest float as they stand, so rounding them up would put that one out of range. */
static void print_real(nilas_buf *out, double real, bool is_float) {
    char text[64];
    for (int digits = is_float ? 6 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, real);
        double back = strtod(text, NULL);
        bool same = is_float ? (double)strtof(text, NULL) == real && fabs(back) <= (double)FLT_MAX
                             : back == real;
        if (same) {
            break;
        }
    }
    nilas_buf_add_text(out, text);
    nilas_buf_add_char(out, is_float ? 'F' : 'D');
}

static void print_special_real(nilas_buf *out, double real, bool is_float) {
    const char *name = isnan(real) ? "NaN" : (real > 0 ? "Infinity" : "-Infinity");
    nilas_buf_print(out, "CAST('%s' AS %s)", name, is_float ? "FLOAT" : "DOUBLE");
}

static void print_hex(nilas_buf *out, nilas_str bytes) {
    nilas_buf_add_text(out, "X'");
    for (size_t i = 0; i < bytes.size; i++) {
        nilas_buf_print(out, "%02X", (unsigned char)bytes.data[i]);
    }
    nilas_buf_add_char(out, '\'');
}

static const char *integer_suffix(const nilas_type *type) {
    switch (type != NULL ? type->kind : NILAS_TYPE_INT) {
    case NILAS_TYPE_TINYINT: return "Y";
    case NILAS_TYPE_SMALLINT: return "S";
    case NILAS_TYPE_BIGINT: return "L";
    default: return "";
    }
}

static void print_integer(nilas_buf *out, const nilas_expr *expr) {
    if (expr->type != NULL && expr->type->kind == NILAS_TYPE_DATE) {
        nilas_buf_add_text(out, "DATE '");
        nilas_date_print(out, expr->value.integer);
        nilas_buf_add_char(out, '\'');
        return;
    }
    nilas_buf_print(out, "%lld%s", (long long)expr->value.integer, integer_suffix(expr->type));
}

static void print_literal(nilas_buf *out, const nilas_expr *expr) {
    const nilas_value *value = &expr->value;
    switch (value->kind) {
    case NILAS_VALUE_NULL: nilas_buf_add_text(out, "NULL"); break;
    case NILAS_VALUE_BOOL: nilas_buf_add_text(out, value->boolean ? "TRUE" : "FALSE"); break;
    case NILAS_VALUE_INT: print_integer(out, expr); break;
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE:
        if (isfinite(value->real)) {
            print_real(out, value->real, value->kind == NILAS_VALUE_FLOAT);
        } else {
            print_special_real(out, value->real, value->kind == NILAS_VALUE_FLOAT);
        }
        break;
    case NILAS_VALUE_DECIMAL:
        nilas_decimal_print(out, value->decimal, value->scale);
        nilas_buf_add_text(out, value->scale == 0 ? "BD" : "");
        break;
    case NILAS_VALUE_STRING: nilas_string_literal_print(out, value->text); break;
    case NILAS_VALUE_BINARY: print_hex(out, value->text); break;
    default: nilas_buf_add_text(out, "NULL"); break; // nested values come from no text
    }
}

static void print_typed_literal(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add(out, expr->parts[0]);
    nilas_buf_add_char(out, ' ');
    nilas_string_literal_print(out, expr->value.text);
}

static void print_unit(nilas_buf *out, nilas_interval_unit unit) {
    for (const char *c = nilas_interval_unit_name(unit); *c != '\0'; c++) {
        nilas_buf_add_char(out, (char)(*c - 'a' + 'A'));
    }
}

/* The grammar takes only bare numbers here, no suffix. */
static void print_interval_value(nilas_buf *out, const nilas_expr *arg) {
    switch (arg->value.kind) {
    case NILAS_VALUE_INT: nilas_buf_print(out, "%lld", (long long)arg->value.integer); break;
    case NILAS_VALUE_DECIMAL: nilas_decimal_print(out, arg->value.decimal, arg->value.scale); break;
    default: nilas_expr_print(out, arg); break;
    }
}

static void print_interval(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add_text(out, "INTERVAL");
    for (size_t i = 0; i < expr->arg_count; i++) {
        nilas_buf_add_char(out, ' ');
        print_interval_value(out, expr->args[i]);
        nilas_buf_add_char(out, ' ');
        print_unit(out, expr->units[i]);
    }
    if (expr->has_to_unit) {
        nilas_buf_add_text(out, " TO ");
        print_unit(out, expr->to_unit);
    }
}

// ---- operators ----------------------------------------------------------------------------------

/* Print a left-leaning chain: collect its spine, print the leftmost operand, then operator and
 * right operand of each. */
static void print_binary(nilas_buf *out, const nilas_expr *expr) {
    NILAS_AUTO_BUF spine = NILAS_BUF_INIT(SIZE_MAX);
    const nilas_expr *left = expr;
    do {
        nilas_buf_add_bytes(&spine, &left, sizeof(left));
        expr = left;
        left = left->args[0];
    } while (left->kind == NILAS_EXPR_BINARY && level_of(left) >= level_of(expr));
    if (spine.failed != NILAS_OK) {
        out->failed = spine.failed;
        return;
    }

    print_at(out, left, level_of(expr));
    for (size_t i = spine.size / sizeof(left); i > 0; i--) {
        memcpy(&expr, spine.data + (i - 1) * sizeof(expr), sizeof(expr));
        nilas_buf_print(out, " %s ", operators[expr->op].text);
        print_at(out, expr->args[1], level_of(expr) + 1);
    }
}

static void print_unary(nilas_buf *out, const nilas_expr *expr) {
    const nilas_expr *arg = expr->args[0];
    if (expr->op == NILAS_OP_VARIANT_GET) {
        print_at(out, arg, LEVEL_POSTFIX);
        nilas_buf_add_char(out, ':');
        nilas_buf_add(out, expr->value.text);
        return;
    }

    // "-5" and "-5[0]" are literals with a sign, and "--" begins a comment
    bool bare = arg->kind == NILAS_EXPR_COLUMN || arg->kind == NILAS_EXPR_CALL;
    int level = expr->op == NILAS_OP_NOT ? LEVEL_NOT : LEVEL_UNARY;
    nilas_buf_add_text(out, operators[expr->op].text);
    print_at(out, arg, expr->op == NILAS_OP_NEGATE && !bare ? LEVEL_POSTFIX + 1 : level);
}

static void print_between(nilas_buf *out, const nilas_expr *expr) {
    print_at(out, expr->args[0], LEVEL_COMPARISON);
    nilas_buf_add_text(out, expr->negated ? " NOT BETWEEN " : " BETWEEN ");
    print_at(out, expr->args[1], LEVEL_COMPARISON);
    nilas_buf_add_text(out, " AND ");
    print_at(out, expr->args[2], LEVEL_COMPARISON);
}

static void print_in(nilas_buf *out, const nilas_expr *expr) {
    print_at(out, expr->args[0], LEVEL_COMPARISON);
    nilas_buf_add_text(out, expr->negated ? " NOT IN " : " IN ");
    print_list(out, expr->args + 1, expr->arg_count - 1);
}

static void print_subquery(nilas_buf *out, const nilas_query *query) {
    nilas_buf_add_char(out, '(');
    nilas_query_print(out, query);
    nilas_buf_add_char(out, ')');
}

static void print_in_query(nilas_buf *out, const nilas_expr *expr) {
    if (expr->arg_count == 1) {
        print_at(out, expr->args[0], LEVEL_COMPARISON);
    } else {
        print_list(out, expr->args, expr->arg_count);
    }
    nilas_buf_add_text(out, expr->negated ? " NOT IN " : " IN ");
    print_subquery(out, expr->query);
}

static void print_exists(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add_text(out, "EXISTS ");
    print_subquery(out, expr->query);
}

static void print_like(nilas_buf *out, const nilas_expr *expr) {
    print_at(out, expr->args[0], LEVEL_COMPARISON);
    nilas_buf_print(out, expr->negated ? " NOT %s " : " %s ", operators[expr->op].text);
    if (expr->quantifier != NILAS_QUANTIFIER_NONE) {
        nilas_buf_add_text(out, expr->quantifier == NILAS_QUANTIFIER_ANY ? "ANY " : "ALL ");
        print_list(out, expr->args + 1, expr->arg_count - 1);
        return;
    }

    print_at(out, expr->args[1], LEVEL_COMPARISON);
    if (expr->escape.data != NULL) {
        nilas_buf_add_text(out, " ESCAPE ");
        nilas_string_literal_print(out, expr->escape);
    }
}

static void print_is(nilas_buf *out, const nilas_expr *expr) {
    print_at(out, expr->args[0], LEVEL_COMPARISON);
    nilas_buf_print(out, expr->negated ? " IS NOT %s" : " IS %s", operators[expr->op].text);
    if (expr->op == NILAS_OP_IS_DISTINCT) {
        nilas_buf_add_char(out, ' ');
        print_at(out, expr->args[1], LEVEL_COMPARISON);
    }
}

static void print_case(nilas_buf *out, const nilas_expr *expr) {
    size_t next = 0;
    nilas_buf_add_text(out, "CASE");
    if (expr->has_operand) {
        nilas_buf_add_char(out, ' ');
        nilas_expr_print(out, expr->args[next++]);
    }
    while (next + 1 < expr->arg_count) {
        nilas_buf_add_text(out, " WHEN ");
        nilas_expr_print(out, expr->args[next++]);
        nilas_buf_add_text(out, " THEN ");
        nilas_expr_print(out, expr->args[next++]);
    }
    if (expr->has_else) {
        nilas_buf_add_text(out, " ELSE ");
        nilas_expr_print(out, expr->args[next]);
    }
    nilas_buf_add_text(out, " END");
}

static void print_cast(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add_text(out, expr->op == NILAS_OP_TRY_CAST ? "TRY_CAST(" : "CAST(");
    nilas_expr_print(out, expr->args[0]);
    nilas_buf_add_text(out, " AS ");
    nilas_type_print_sql(out, expr->type);
    nilas_buf_add_char(out, ')');
}

// ---- names, calls and special forms -------------------------------------------------------------

static void print_column(nilas_buf *out, const nilas_expr *expr) {
    nilas_tree__print_parts(out, expr->parts, expr->part_count);
}

static void print_star(nilas_buf *out, const nilas_expr *expr) {
    nilas_tree__print_parts(out, expr->parts, expr->part_count);
    nilas_buf_add_text(out, expr->part_count > 0 ? ".*" : "*");
    if (expr->arg_count > 0) {
        nilas_buf_add_text(out, " EXCEPT ");
        print_list(out, expr->args, expr->arg_count);
    }
}

static bool takes_unit(const nilas_expr *expr) {
    static const char *const names[] = {"timestampadd", "dateadd",   "date_add", "timestampdiff",
                                        "datediff",     "date_diff", "timediff"};
    if (expr->part_count != 1 || expr->arg_count != 3 ||
        expr->args[0]->kind != NILAS_EXPR_LITERAL ||
        expr->args[0]->value.kind != NILAS_VALUE_STRING) {
        return false;
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (nilas_str_is_nocase(expr->parts[0], names[i])) {
            return true;
        }
    }
    return false;
}

static void print_call_args(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add_text(out, expr->distinct ? "(DISTINCT " : "(");
    if (takes_unit(expr)) {
        nilas_buf_add(out, expr->args[0]->value.text);
        nilas_buf_add_text(out, ", ");
        nilas_tree__print_args(out, expr->args + 1, NULL, 2);
    } else {
        nilas_tree__print_args(out, expr->args, expr->arg_names, expr->arg_count);
    }
    nilas_buf_add_char(out, ')');
}

/* What may follow the arguments of a function, in the grammar's order. */
static void print_call_tail(nilas_buf *out, const nilas_expr *expr) {
    if (expr->order_by_count > 0) {
        nilas_buf_add_text(out, " WITHIN GROUP (ORDER BY ");
        nilas_tree__print_exprs(out, expr->order_by, expr->order_by_count);
        nilas_buf_add_char(out, ')');
    }
    if (expr->filter != NULL) {
        nilas_buf_add_text(out, " FILTER (WHERE ");
        nilas_expr_print(out, expr->filter);
        nilas_buf_add_char(out, ')');
    }
    if (expr->ignore_nulls) {
        nilas_buf_add_text(out, " IGNORE NULLS");
    }
    if (expr->window != NULL) {
        nilas_buf_add_text(out, " OVER ");
        nilas_tree__print_window(out, expr->window);
    }
}

static void print_call(nilas_buf *out, const nilas_expr *expr) {
    nilas_tree__print_function_name(out, expr->parts, expr->part_count);
    print_call_args(out, expr);
    print_call_tail(out, expr);
}

static void print_identifier(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add_text(out, "IDENTIFIER(");
    nilas_expr_print(out, expr->args[0]);
    nilas_buf_add_char(out, ')');
    if (expr->has_call) {
        nilas_buf_add_text(out, expr->distinct ? "(DISTINCT " : "(");
        const nilas_str *names = expr->arg_names != NULL ? expr->arg_names + 1 : NULL;
        nilas_tree__print_args(out, expr->args + 1, names, expr->arg_count - 1);
        nilas_buf_add_char(out, ')');
        print_call_tail(out, expr);
    }
}

/* PARTITION BY and ORDER BY of a TABLE argument. */
static void print_table_partitioning(nilas_buf *out, const nilas_window *window) {
    if (window->partition_by_count == 0) {
        nilas_buf_add_text(out, " WITH SINGLE PARTITION");
    } else {
        nilas_buf_add_text(out, " PARTITION BY ");
        print_list(out, window->partition_by, window->partition_by_count);
    }
    if (window->order_by_count > 0) {
        nilas_buf_add_text(out, " ORDER BY ");
        print_list(out, window->order_by, window->order_by_count);
    }
}

static void print_subquery_expr(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add_text(out, expr->has_call ? "TABLE" : "");
    print_subquery(out, expr->query);
    if (expr->has_call && expr->window != NULL) {
        print_table_partitioning(out, expr->window);
    }
}

static void print_subscript(nilas_buf *out, const nilas_expr *expr) {
    print_at(out, expr->args[0], LEVEL_POSTFIX);
    nilas_buf_add_char(out, '[');
    print_at(out, expr->args[1], LEVEL_COMPARISON);
    nilas_buf_add_char(out, ']');
}

static void print_field(nilas_buf *out, const nilas_expr *expr) {
    print_at(out, expr->args[0], LEVEL_POSTFIX);
    nilas_buf_add_char(out, '.');
    nilas_tree__print_name(out, expr->parts[0]);
}

static void print_lambda(nilas_buf *out, const nilas_expr *expr) {
    if (expr->part_count == 1) {
        nilas_tree__print_name(out, expr->parts[0]);
    } else {
        nilas_tree__print_name_list(out, expr->parts, expr->part_count);
    }
    nilas_buf_add_text(out, " -> ");
    nilas_expr_print(out, expr->args[0]);
}

static void print_row(nilas_buf *out, const nilas_expr *expr) {
    print_list(out, expr->args, expr->arg_count);
}

static void print_alias(nilas_buf *out, const nilas_expr *expr) {
    print_at(out, expr->args[0], LEVEL_OR);
    nilas_buf_add_text(out, " AS ");
    if (expr->part_count == 1) {
        nilas_tree__print_name(out, expr->parts[0]);
    } else {
        nilas_tree__print_name_list(out, expr->parts, expr->part_count);
    }
}

static void print_parameter(nilas_buf *out, const nilas_expr *expr) {
    if (expr->part_count == 0) {
        nilas_buf_add_char(out, '?');
    } else {
        nilas_buf_add_char(out, ':');
        nilas_tree__print_name(out, expr->parts[0]);
    }
}

static void print_extract(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add_text(out, "EXTRACT(");
    nilas_identifier_print(out, expr->parts[0]);
    nilas_buf_add_text(out, " FROM ");
    print_at(out, expr->args[0], LEVEL_COMPARISON);
    nilas_buf_add_char(out, ')');
}

/* "NAME(a WORD b WORD c)": POSITION, SUBSTRING and OVERLAY differ only in their words. */
static void print_worded(nilas_buf *out, const nilas_expr *expr, const char *const words[4]) {
    nilas_buf_add_text(out, words[0]);
    for (size_t i = 0; i < expr->arg_count; i++) {
        nilas_buf_add_text(out, i > 0 ? words[i] : "");
        print_at(out, expr->args[i], LEVEL_COMPARISON);
    }
    nilas_buf_add_char(out, ')');
}

static void print_position(nilas_buf *out, const nilas_expr *expr) {
    static const char *const words[4] = {"POSITION(", " IN "};
    print_worded(out, expr, words);
}

static void print_substring(nilas_buf *out, const nilas_expr *expr) {
    static const char *const words[4] = {"SUBSTRING(", " FROM ", " FOR "};
    print_worded(out, expr, words);
}

static void print_overlay(nilas_buf *out, const nilas_expr *expr) {
    static const char *const words[4] = {"OVERLAY(", " PLACING ", " FROM ", " FOR "};
    print_worded(out, expr, words);
}

static void print_trim(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add_text(out, "TRIM(");
    if (expr->part_count > 0) {
        nilas_buf_add(out, expr->parts[0]);
        nilas_buf_add_char(out, ' ');
    }
    if (expr->arg_count > 1) {
        print_at(out, expr->args[1], LEVEL_COMPARISON);
        nilas_buf_add_char(out, ' ');
    }
    nilas_buf_add_text(out, "FROM ");
    print_at(out, expr->args[0], LEVEL_COMPARISON);
    nilas_buf_add_char(out, ')');
}

static void print_collate(nilas_buf *out, const nilas_expr *expr) {
    print_at(out, expr->args[0], LEVEL_POSTFIX);
    nilas_buf_add_text(out, " COLLATE ");
    nilas_tree__print_parts(out, expr->parts, expr->part_count);
}

static void print_default(nilas_buf *out, const nilas_expr *expr) {
    (void)expr;
    nilas_buf_add_text(out, "DEFAULT");
}

static void print_sort(nilas_buf *out, const nilas_expr *expr) {
    print_at(out, expr->args[0], LEVEL_OR);
    if (expr->descending) {
        nilas_buf_add_text(out, " DESC");
    }
    if (expr->has_nulls_order) {
        nilas_buf_add_text(out, expr->nulls_first ? " NULLS FIRST" : " NULLS LAST");
    }
}

static void print_grouping(nilas_buf *out, const nilas_expr *expr) {
    const char *word = expr->kind == NILAS_EXPR_ROLLUP ? "ROLLUP" : "CUBE";
    nilas_buf_add_text(out, expr->kind == NILAS_EXPR_GROUPING_SETS ? "GROUPING SETS " : word);
    print_list(out, expr->args, expr->arg_count);
}

/* As Spark reads a quoted regular expression in a select list. */
static void print_regex(nilas_buf *out, const nilas_expr *expr) {
    nilas_identifier_print(out, expr->value.text);
}

static void print_update_field(nilas_buf *out, const nilas_expr *expr) {
    nilas_buf_add_text(out, "update_fields(");
    nilas_expr_print(out, expr->args[0]);
    nilas_buf_add_text(out, expr->arg_count > 1 ? ", WithField(" : ", DropField(");
    nilas_tree__print_parts(out, expr->parts, expr->part_count);
    if (expr->arg_count > 1) {
        nilas_buf_add_text(out, ", ");
        nilas_expr_print(out, expr->args[1]);
    }
    nilas_buf_add_text(out, "))");
}

static void (*const printers[])(nilas_buf *out, const nilas_expr *expr) = {
    [NILAS_EXPR_LITERAL] = print_literal,
    [NILAS_EXPR_TYPED_LITERAL] = print_typed_literal,
    [NILAS_EXPR_INTERVAL] = print_interval,
    [NILAS_EXPR_COLUMN] = print_column,
    [NILAS_EXPR_STAR] = print_star,
    [NILAS_EXPR_CALL] = print_call,
    [NILAS_EXPR_UNARY] = print_unary,
    [NILAS_EXPR_BINARY] = print_binary,
    [NILAS_EXPR_BETWEEN] = print_between,
    [NILAS_EXPR_IN] = print_in,
    [NILAS_EXPR_IN_QUERY] = print_in_query,
    [NILAS_EXPR_EXISTS] = print_exists,
    [NILAS_EXPR_SUBQUERY] = print_subquery_expr,
    [NILAS_EXPR_LIKE] = print_like,
    [NILAS_EXPR_IS] = print_is,
    [NILAS_EXPR_CASE] = print_case,
    [NILAS_EXPR_CAST] = print_cast,
    [NILAS_EXPR_SUBSCRIPT] = print_subscript,
    [NILAS_EXPR_FIELD] = print_field,
    [NILAS_EXPR_LAMBDA] = print_lambda,
    [NILAS_EXPR_ROW] = print_row,
    [NILAS_EXPR_ALIAS] = print_alias,
    [NILAS_EXPR_PARAMETER] = print_parameter,
    [NILAS_EXPR_EXTRACT] = print_extract,
    [NILAS_EXPR_POSITION] = print_position,
    [NILAS_EXPR_TRIM] = print_trim,
    [NILAS_EXPR_SUBSTRING] = print_substring,
    [NILAS_EXPR_OVERLAY] = print_overlay,
    [NILAS_EXPR_COLLATE] = print_collate,
    [NILAS_EXPR_IDENTIFIER] = print_identifier,
    [NILAS_EXPR_DEFAULT] = print_default,
    [NILAS_EXPR_SORT] = print_sort,
    [NILAS_EXPR_TIME_TRAVEL_REF] = print_column,
    [NILAS_EXPR_GROUPING_SETS] = print_grouping,
    [NILAS_EXPR_ROLLUP] = print_grouping,
    [NILAS_EXPR_CUBE] = print_grouping,
    [NILAS_EXPR_REGEX] = print_regex,
    [NILAS_EXPR_UPDATE_FIELD] = print_update_field,
};

void nilas_expr_print(nilas_buf *out, const nilas_expr *expr) {
    nilas_assert((size_t)expr->kind < sizeof(printers) / sizeof(printers[0]));
    printers[expr->kind](out, expr);
}

// ---- windows ------------------------------------------------------------------------------------

static void print_bound(nilas_buf *out, const nilas_frame_bound *bound) {
    static const char *const words[] = {
        [NILAS_FRAME_UNBOUNDED_PRECEDING] = "UNBOUNDED PRECEDING",
        [NILAS_FRAME_PRECEDING] = " PRECEDING",
        [NILAS_FRAME_CURRENT_ROW] = "CURRENT ROW",
        [NILAS_FRAME_FOLLOWING] = " FOLLOWING",
        [NILAS_FRAME_UNBOUNDED_FOLLOWING] = "UNBOUNDED FOLLOWING",
    };
    if (bound->offset != NULL) {
        print_at(out, bound->offset, LEVEL_OR);
    }
    nilas_buf_add_text(out, words[bound->kind]);
}

static void print_window_parts(nilas_buf *out, const nilas_window *window) {
    const char *gap = "";
    if (window->partition_by_count > 0) {
        nilas_buf_add_text(out, "PARTITION BY ");
        nilas_tree__print_exprs(out, window->partition_by, window->partition_by_count);
        gap = " ";
    }
    if (window->order_by_count > 0) {
        nilas_buf_print(out, "%sORDER BY ", gap);
        nilas_tree__print_exprs(out, window->order_by, window->order_by_count);
        gap = " ";
    }
    if (window->has_frame) {
        nilas_buf_print(out, "%s%s BETWEEN ", gap, window->is_range ? "RANGE" : "ROWS");
        print_bound(out, &window->start);
        nilas_buf_add_text(out, " AND ");
        print_bound(out, &window->end);
    }
}

void nilas_tree__print_window(nilas_buf *out, const nilas_window *window) {
    if (window->is_reference) {
        nilas_tree__print_name(out, window->name);
        return;
    }
    nilas_buf_add_char(out, '(');
    if (window->name.size > 0) {
        nilas_tree__print_name(out, window->name);
    } else {
        print_window_parts(out, window);
    }
    nilas_buf_add_char(out, ')');
}
