/**
 * Structural equality of expressions and queries. Offsets do not count. Left spines of binary
 * operators and set operations
 * are compared in a loop, so that chains of thousands need no stack.
 */
#include "tree/equal.h"

bool nilas_tree__equal_strs(const nilas_str *a, size_t a_count, const nilas_str *b,
                            size_t b_count) {
    if (a_count != b_count) {
        return false;
    }
    for (size_t i = 0; i < a_count; i++) {
        if (!nilas_str_equal(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

bool nilas_tree__equal_expr(const nilas_expr *a, const nilas_expr *b) {
    return a == b || (a != NULL && b != NULL && nilas_expr_equal(a, b));
}

bool nilas_tree__equal_query(const nilas_query *a, const nilas_query *b) {
    return a == b || (a != NULL && b != NULL && nilas_query_equal(a, b));
}

bool nilas_tree__equal_type(const nilas_type *a, const nilas_type *b) {
    return a == b || (a != NULL && b != NULL && nilas_type_equal(a, b));
}

bool nilas_tree__equal_exprs(nilas_expr *const *a, size_t a_count, nilas_expr *const *b,
                             size_t b_count) {
    if (a_count != b_count) {
        return false;
    }
    for (size_t i = 0; i < a_count; i++) {
        if (!nilas_tree__equal_expr(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

bool nilas_tree__equal_arg_names(const nilas_str *a, const nilas_str *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        nilas_str left = a != NULL ? a[i] : NILAS_STR_EMPTY;
        nilas_str right = b != NULL ? b[i] : NILAS_STR_EMPTY;
        if (!nilas_str_equal(left, right)) {
            return false;
        }
    }
    return true;
}

bool nilas_tree__equal_options(const nilas_option *a, size_t a_count, const nilas_option *b,
                               size_t b_count) {
    if (a_count != b_count) {
        return false;
    }
    for (size_t i = 0; i < a_count; i++) {
        if (!nilas_str_equal(a[i].key, b[i].key) || a[i].has_value != b[i].has_value ||
            !nilas_str_equal(a[i].value, b[i].value) ||
            !nilas_tree__equal_expr(a[i].expr, b[i].expr)) {
            return false;
        }
    }
    return true;
}

// ---- expressions --------------------------------------------------------------------------------

static bool bounds_equal(const nilas_frame_bound *a, const nilas_frame_bound *b) {
    return a->kind == b->kind && nilas_tree__equal_expr(a->offset, b->offset);
}

static bool windows_equal(const nilas_window *a, const nilas_window *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return nilas_str_equal(a->name, b->name) && a->is_reference == b->is_reference &&
           nilas_tree__equal_exprs(a->partition_by, a->partition_by_count, b->partition_by,
                                   b->partition_by_count) &&
           nilas_tree__equal_exprs(a->order_by, a->order_by_count, b->order_by,
                                   b->order_by_count) &&
           a->has_frame == b->has_frame && a->is_range == b->is_range &&
           bounds_equal(&a->start, &b->start) && bounds_equal(&a->end, &b->end);
}

static uint32_t expr_flags(const nilas_expr *e) {
    const bool flags[] = {e->negated,     e->distinct,        e->ignore_nulls,       e->has_operand,
                          e->has_else,    e->has_call,        e->has_to_unit,        e->descending,
                          e->nulls_first, e->has_nulls_order, e->escape.data != NULL};
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof(flags); i++) {
        bits |= (uint32_t)flags[i] << i;
    }
    return bits;
}

static bool units_equal(const nilas_expr *a, const nilas_expr *b) {
    if (a->kind != NILAS_EXPR_INTERVAL) {
        return true;
    }
    for (size_t i = 0; i < a->arg_count; i++) {
        if (a->units[i] != b->units[i]) {
            return false;
        }
    }
    return a->to_unit == b->to_unit;
}

/* Everything but the operands. */
static bool heads_equal(const nilas_expr *a, const nilas_expr *b) {
    return a->kind == b->kind && a->op == b->op && a->quantifier == b->quantifier &&
           a->ordinal == b->ordinal && a->arg_count == b->arg_count && a->plan_id == b->plan_id &&
           a->is_metadata == b->is_metadata && expr_flags(a) == expr_flags(b) &&
           nilas_tree__equal_strs(a->parts, a->part_count, b->parts, b->part_count) &&
           nilas_tree__equal_type(a->type, b->type) && nilas_value_equal(&a->value, &b->value) &&
           nilas_str_equal(a->escape, b->escape) && units_equal(a, b) &&
           nilas_tree__equal_arg_names(a->arg_names, b->arg_names, a->arg_count);
}

bool nilas_expr_equal(const nilas_expr *a, const nilas_expr *b) {
    while (a->kind == NILAS_EXPR_BINARY && b->kind == NILAS_EXPR_BINARY) {
        nilas_assert(a->arg_count == 2 && b->arg_count == 2);
        if (a->op != b->op || !nilas_expr_equal(a->args[1], b->args[1])) {
            return false;
        }
        a = a->args[0];
        b = b->args[0];
    }
    return heads_equal(a, b) &&
           nilas_tree__equal_exprs(a->args, a->arg_count, b->args, b->arg_count) &&
           nilas_tree__equal_expr(a->filter, b->filter) &&
           nilas_tree__equal_exprs(a->order_by, a->order_by_count, b->order_by,
                                   b->order_by_count) &&
           windows_equal(a->window, b->window) && nilas_tree__equal_query(a->query, b->query);
}

// ---- queries ------------------------------------------------------------------------------------

bool nilas_tree__equal_ctes(const nilas_cte *a, size_t a_count, const nilas_cte *b,
                            size_t b_count) {
    if (a_count != b_count) {
        return false;
    }
    for (size_t i = 0; i < a_count; i++) {
        if (!nilas_str_equal(a[i].name, b[i].name) ||
            !nilas_tree__equal_strs(a[i].columns, a[i].column_count, b[i].columns,
                                    b[i].column_count) ||
            !nilas_tree__equal_expr(a[i].max_recursion_level, b[i].max_recursion_level) ||
            !nilas_query_equal(a[i].query, b[i].query)) {
            return false;
        }
    }
    return true;
}

static bool time_travel_equal(const nilas_time_travel *a, const nilas_time_travel *b) {
    return a->kind == b->kind && nilas_str_equal(a->version, b->version) &&
           a->version_is_string == b->version_is_string &&
           nilas_tree__equal_expr(a->timestamp, b->timestamp);
}

static bool samples_equal(const nilas_sample *a, const nilas_sample *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return a->kind == b->kind && nilas_tree__equal_expr(a->amount, b->amount) &&
           nilas_str_equal(a->text, b->text) && a->numerator == b->numerator &&
           a->denominator == b->denominator && nilas_tree__equal_expr(a->bucket_on, b->bucket_on) &&
           nilas_tree__equal_expr(a->seed, b->seed) && a->with_replacement == b->with_replacement &&
           a->lower == b->lower && a->deterministic_order == b->deterministic_order;
}

static bool unpivots_equal(const nilas_unpivot *a, const nilas_unpivot *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    if (a->include_nulls != b->include_nulls || a->multi_value != b->multi_value ||
        a->ids_given != b->ids_given || a->value_count != b->value_count ||
        !nilas_str_equal(a->name_column, b->name_column) ||
        !nilas_tree__equal_strs(a->value_columns, a->value_column_count, b->value_columns,
                                b->value_column_count)) {
        return false;
    }
    for (size_t i = 0; i < a->value_count; i++) {
        const nilas_unpivot_value *left = &a->values[i];
        const nilas_unpivot_value *right = &b->values[i];
        if (left->has_alias != right->has_alias || !nilas_str_equal(left->alias, right->alias) ||
            !nilas_tree__equal_exprs(left->columns, left->column_count, right->columns,
                                     right->column_count)) {
            return false;
        }
    }
    return true;
}

static bool group_by_equal(const nilas_group_by *a, const nilas_group_by *b) {
    return a->present == b->present && a->with_rollup == b->with_rollup &&
           a->with_cube == b->with_cube && a->all == b->all &&
           nilas_tree__equal_exprs(a->exprs, a->expr_count, b->exprs, b->expr_count) &&
           nilas_tree__equal_expr(a->grouping_sets, b->grouping_sets);
}

static bool named_windows_equal(const nilas_query *a, const nilas_query *b) {
    if (a->window_count != b->window_count) {
        return false;
    }
    for (size_t i = 0; i < a->window_count; i++) {
        if (!nilas_str_equal(a->windows[i].name, b->windows[i].name) ||
            !windows_equal(a->windows[i].window, b->windows[i].window)) {
            return false;
        }
    }
    return true;
}

static bool hints_equal(const nilas_query *a, const nilas_query *b) {
    if (a->hint_count != b->hint_count) {
        return false;
    }
    for (size_t i = 0; i < a->hint_count; i++) {
        if (!nilas_str_equal(a->hints[i].name, b->hints[i].name) ||
            !nilas_tree__equal_exprs(a->hints[i].args, a->hints[i].arg_count, b->hints[i].args,
                                     b->hints[i].arg_count)) {
            return false;
        }
    }
    return true;
}

static uint32_t query_flags(const nilas_query *q) {
    const bool flags[] = {q->distinct,  q->all,        q->by_name,       q->natural,    q->lateral,
                          q->outer,     q->recursive,  q->only_table,    q->or_add,     q->lenient,
                          q->has_alias, q->has_number, q->allow_missing, q->allow_exact};
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof(flags); i++) {
        bits |= (uint32_t)flags[i] << i;
    }
    return bits;
}

static bool query_clauses_equal(const nilas_query *a, const nilas_query *b) {
    return nilas_tree__equal_exprs(a->exprs, a->expr_count, b->exprs, b->expr_count) &&
           nilas_tree__equal_arg_names(a->arg_names, b->arg_names, a->expr_count) &&
           nilas_tree__equal_expr(a->where, b->where) &&
           nilas_tree__equal_expr(a->having, b->having) &&
           nilas_tree__equal_expr(a->condition, b->condition) &&
           nilas_tree__equal_expr(a->limit, b->limit) &&
           nilas_tree__equal_expr(a->limit_offset, b->limit_offset) &&
           group_by_equal(&a->group_by, &b->group_by) && named_windows_equal(a, b) &&
           hints_equal(a, b);
}

static bool query_names_equal(const nilas_query *a, const nilas_query *b) {
    return nilas_tree__equal_strs(a->parts, a->part_count, b->parts, b->part_count) &&
           nilas_tree__equal_expr(a->identifier, b->identifier) &&
           time_travel_equal(&a->time_travel, &b->time_travel) &&
           nilas_tree__equal_options(a->options, a->option_count, b->options, b->option_count) &&
           nilas_str_equal(a->alias, b->alias) &&
           nilas_tree__equal_strs(a->columns, a->column_count, b->columns, b->column_count) &&
           nilas_tree__equal_strs(a->new_columns, a->new_columns != NULL ? a->column_count : 0,
                                  b->new_columns, b->new_columns != NULL ? b->column_count : 0);
}

/* What only DataFrames say. Ids of plans are names of the maker's and do not count. */
static bool frames_equal(const nilas_query *a, const nilas_query *b) {
    if (a->number_count != b->number_count || a->number != b->number || a->ratio != b->ratio) {
        return false;
    }
    for (size_t i = 0; i < a->number_count; i++) {
        if (a->numbers[i] != b->numbers[i]) {
            return false;
        }
    }
    return nilas_str_equal(a->data, b->data) && (a->data.data == NULL) == (b->data.data == NULL) &&
           nilas_tree__equal_type(a->type, b->type) && nilas_str_equal(a->text, b->text) &&
           nilas_str_equal(a->direction, b->direction) &&
           nilas_tree__equal_expr(a->tolerance, b->tolerance);
}

static bool query_parts_equal(const nilas_query *a, const nilas_query *b) {
    return a->sort_kind == b->sort_kind && a->join_kind == b->join_kind &&
           query_flags(a) == query_flags(b) && query_clauses_equal(a, b) &&
           query_names_equal(a, b) && frames_equal(a, b) &&
           nilas_tree__equal_ctes(a->ctes, a->cte_count, b->ctes, b->cte_count) &&
           nilas_tree__equal_exprs(a->pivot_columns, a->pivot_column_count, b->pivot_columns,
                                   b->pivot_column_count) &&
           nilas_tree__equal_exprs(a->pivot_values, a->pivot_value_count, b->pivot_values,
                                   b->pivot_value_count) &&
           unpivots_equal(a->unpivot, b->unpivot) && samples_equal(a->sample, b->sample);
}

bool nilas_query_equal(const nilas_query *a, const nilas_query *b) {
    while (a->kind == NILAS_QUERY_SET_OP && b->kind == NILAS_QUERY_SET_OP) {
        if (a->set_op != b->set_op || a->all != b->all || a->by_name != b->by_name ||
            a->allow_missing != b->allow_missing || !nilas_query_equal(a->right, b->right)) {
            return false;
        }
        a = a->left;
        b = b->left;
    }
    return a->kind == b->kind && query_parts_equal(a, b) &&
           nilas_tree__equal_query(a->input, b->input) &&
           nilas_tree__equal_query(a->left, b->left) && nilas_tree__equal_query(a->right, b->right);
}
