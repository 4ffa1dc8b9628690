/**
 * DataFrame.na: missing values filled, rows with missing values dropped, values replaced. Missing
 * is null, and for floating point NaN too.
 */
#include "bind/frame.h"

/** Which columns of the input the operation is about. */
static nilas_code choose_columns(nilas_binder *binder, const nilas_query *query,
                                 const nilas_bound_relation *input, bool **out, nilas_error *err) {
    bool *chosen;
    NILAS_NEW_ARRAY(binder->arena, &chosen, input->column_count, err);
    for (size_t i = 0; i < input->column_count; i++) {
        chosen[i] = query->column_count == 0;
    }
    for (size_t c = 0; c < query->column_count; c++) {
        size_t index;
        nilas_code code = nilas_bind__named_column(binder, input, query->columns[c], &index, err);
        if (code == NILAS_UNSUPPORTED && query->kind != NILAS_QUERY_NA_DROP) {
            continue; // a field of a struct, which is not looked into
        }
        NILAS_TRY(code);
        chosen[index] = true;
    }
    *out = chosen;
    return NILAS_OK;
}

static bool is_floating(const nilas_type *type) {
    return type->kind == NILAS_TYPE_FLOAT || type->kind == NILAS_TYPE_DOUBLE;
}

/** A literal as an expression of exactly this type. */
static nilas_code literal_as(nilas_binder *binder, const nilas_expr *literal,
                             const nilas_type *type, nilas_bound_expr **out, nilas_error *err) {
    nilas_bind_scope scope = {.binder = binder, .clause = "SELECT"};
    NILAS_TRY(nilas_bind__expr(&scope, literal, out, err));
    if (!nilas_type_equal((*out)->type, type)) {
        NILAS_TRY(nilas_bind__cast(binder, *out, type, nilas_bind__mode(binder), out, err));
    }
    return NILAS_OK;
}

/* --- fill --- */

/** One value for all columns goes to those that are of its sort. */
static bool takes_value(const nilas_type *value, const nilas_type *column) {
    if (nilas_type_is_numeric(value)) {
        return nilas_type_is_numeric(column);
    }
    return nilas_type_is_string(value) ? nilas_type_is_string(column) : value->kind == column->kind;
}

/** coalesce(nanvl(column, null), value). */
static nilas_code fill_column(nilas_binder *binder, nilas_bound_expr *column,
                              const nilas_expr *value, nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *args[2] = {column, NULL};
    if (is_floating(column->type)) {
        nilas_value null = NILAS_NULL_VALUE;
        NILAS_TRY(nilas_bind__literal(binder, column->type, &null, &args[1], err));
        NILAS_TRY(nilas_bind__call(binder, "nanvl", args, 2, -1, &args[0], err));
    }
    NILAS_TRY(literal_as(binder, value, column->type, &args[1], err));
    NILAS_TRY(nilas_bind__call(binder, "coalesce", args, 2, -1, out, err));
    // In Spark casts to decimals may give null, and those of fractions to integers.
    bool is_risky = column->type->kind == NILAS_TYPE_DECIMAL ||
                    (!nilas_type_is_integral(value->type) && nilas_type_is_numeric(value->type) &&
                     nilas_type_is_integral(column->type));
    bool may_fail = is_risky && !nilas_type_can_upcast(value->type, column->type);
    (*out)->nullable = (*out)->nullable || may_fail;
    return NILAS_OK;
}

nilas_code nilas_bind__na_fill(nilas_binder *binder, nilas_bind_scope *outer,
                               const nilas_query *query, nilas_bound_relation *out,
                               nilas_error *err) {
    nilas_bound_expr **exprs;
    nilas_str *names;
    const nilas_expr **values;
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, out, err));
    NILAS_TRY(nilas_bind__refs(binder, out, &exprs, err));
    NILAS_TRY(nilas_bind__names(binder, out, &names, err));
    NILAS_NEW_ARRAY(binder->arena, &values, out->column_count, err);
    if (query->expr_count == 1) {
        const nilas_expr *value = query->exprs[0];
        bool *chosen;
        NILAS_TRY(choose_columns(binder, query, out, &chosen, err));
        for (size_t i = 0; i < out->column_count; i++) {
            bool takes = chosen[i] && takes_value(value->type, exprs[i]->type);
            values[i] = takes ? value : NULL;
        }
    } else {
        for (size_t c = 0; c < query->column_count && c < query->expr_count; c++) {
            size_t index;
            NILAS_TRY(nilas_bind__named_column(binder, out, query->columns[c], &index, err));
            values[index] = query->exprs[c];
        }
    }
    for (size_t i = 0; i < out->column_count; i++) {
        if (values[i] != NULL) {
            NILAS_TRY(fill_column(binder, exprs[i], values[i], &exprs[i], err));
        }
    }
    return nilas_bind__replace_columns(binder, out, exprs, names, out->column_count, err);
}

/* --- drop --- */

static nilas_code is_there(nilas_binder *binder, nilas_bound_expr *column, nilas_bound_expr **out,
                           nilas_error *err) {
    NILAS_TRY(nilas_bind__call(binder, "isnotnull", &column, 1, -1, out, err));
    if (!is_floating(column->type)) {
        return NILAS_OK;
    }
    nilas_bound_expr *both[2] = {*out, NULL};
    NILAS_TRY(nilas_bind__call(binder, "isnan", &column, 1, -1, &both[1], err));
    NILAS_TRY(nilas_bind__not(binder, both[1], -1, &both[1], err));
    return nilas_bind__call(binder, "and", both, 2, -1, out, err);
}

static nilas_code int_literal(nilas_binder *binder, int64_t number, nilas_bound_expr **out,
                              nilas_error *err) {
    nilas_value value = nilas_value_of_int(number);
    return nilas_bind__literal(binder, nilas_type_of(NILAS_TYPE_INT), &value, out, err);
}

/** if(there, 1, 0). */
static nilas_code count_one(nilas_binder *binder, nilas_bound_expr *there, nilas_bound_expr **out,
                            nilas_error *err) {
    nilas_bound_expr *args[3] = {there, NULL, NULL};
    NILAS_TRY(int_literal(binder, 1, &args[1], err));
    NILAS_TRY(int_literal(binder, 0, &args[2], err));
    return nilas_bind__call(binder, "if", args, 3, -1, out, err);
}

nilas_code nilas_bind__na_drop(nilas_binder *binder, nilas_bind_scope *outer,
                               const nilas_query *query, nilas_bound_relation *out,
                               nilas_error *err) {
    bool *chosen;
    nilas_bound_expr **refs;
    nilas_bound_expr *sum = NULL;
    nilas_plan *plan;
    int64_t count = 0;
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, out, err));
    NILAS_TRY(choose_columns(binder, query, out, &chosen, err));
    NILAS_TRY(nilas_bind__refs(binder, out, &refs, err));
    NILAS_TRY(int_literal(binder, 0, &sum, err));
    for (size_t i = 0; i < out->column_count; i++) {
        nilas_bound_expr *terms[2] = {sum, NULL};
        if (!chosen[i]) {
            continue;
        }
        count++;
        NILAS_TRY(is_there(binder, refs[i], &terms[1], err));
        NILAS_TRY(count_one(binder, terms[1], &terms[1], err));
        NILAS_TRY(nilas_bind__call(binder, "+", terms, 2, -1, &sum, err));
    }
    nilas_bound_expr *sides[2] = {sum, NULL};
    NILAS_TRY(int_literal(binder, query->has_number ? query->number : count, &sides[1], err));
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_FILTER, out->plan, &plan, err));
    NILAS_TRY(nilas_bind__call(binder, ">=", sides, 2, -1, &plan->condition, err));
    out->plan = plan;
    return NILAS_OK;
}

/* --- replace --- */

/** Numbers go through double, as Spark keeps them. */
static nilas_code replacement(nilas_binder *binder, const nilas_expr *literal,
                              const nilas_type *type, nilas_bound_expr **out, nilas_error *err) {
    if (nilas_type_is_numeric(literal->type)) {
        NILAS_TRY(literal_as(binder, literal, nilas_type_of(NILAS_TYPE_DOUBLE), out, err));
        return nilas_bind__cast(binder, *out, type, nilas_bind__mode(binder), out, err);
    }
    return literal_as(binder, literal, type, out, err);
}

/** CASE WHEN column = old THEN new … ELSE column END. */
static nilas_code replace_values(nilas_binder *binder, const nilas_query *query,
                                 nilas_bound_expr **column, nilas_error *err) {
    nilas_bound_expr *node;
    const nilas_type *type = (*column)->type;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_CASE, -1, &node, err));
    NILAS_NEW_ARRAY(binder->arena, &node->args, query->expr_count + 1, err);
    node->nullable = (*column)->nullable;
    for (size_t i = 0; i + 1 < query->expr_count; i += 2) {
        nilas_bound_expr *sides[2] = {*column, NULL};
        NILAS_TRY(replacement(binder, query->exprs[i], type, &sides[1], err));
        NILAS_TRY(nilas_bind__call(binder, "=", sides, 2, -1, &node->args[i], err));
        NILAS_TRY(replacement(binder, query->exprs[i + 1], type, &node->args[i + 1], err));
        node->nullable = node->nullable || node->args[i + 1]->nullable;
    }
    node->arg_count = query->expr_count + 1;
    node->args[query->expr_count] = *column;
    node->has_else = true;
    node->type = type;
    *column = node;
    return NILAS_OK;
}

nilas_code nilas_bind__na_replace(nilas_binder *binder, nilas_bind_scope *outer,
                                  const nilas_query *query, nilas_bound_relation *out,
                                  nilas_error *err) {
    bool *chosen;
    nilas_bound_expr **exprs;
    nilas_str *names;
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, out, err));
    NILAS_TRY(choose_columns(binder, query, out, &chosen, err));
    NILAS_TRY(nilas_bind__refs(binder, out, &exprs, err));
    NILAS_TRY(nilas_bind__names(binder, out, &names, err));
    for (size_t i = 0; i < out->column_count && query->expr_count > 1; i++) {
        if (chosen[i] && takes_value(query->exprs[0]->type, exprs[i]->type)) {
            NILAS_TRY(replace_values(binder, query, &exprs[i], err));
        }
    }
    return nilas_bind__replace_columns(binder, out, exprs, names, out->column_count, err);
}
