/** Bound plans and expressions made by hand, in the run's arena. */
#ifndef NILAS_TEST_UNIT_ENGINE_PLANS_H
#define NILAS_TEST_UNIT_ENGINE_PLANS_H

#include "engine/render.h"
#include "run.h"

__attribute__((unused)) static void *made_zeroed(run *r, size_t size) {
    void *memory = NULL;
    CHECK_OK(nilas_arena_alloc(r->arena, size, &memory, &r->err), r->err);
    return memory;
}

__attribute__((unused)) static nilas_bound_expr *made_expr(run *r, nilas_bound_kind kind,
                                                           nilas_type_kind type) {
    nilas_bound_expr *expr = made_zeroed(r, sizeof(*expr));
    expr->kind = kind;
    expr->type = nilas_type_of(type);
    expr->nullable = true;
    expr->offset = -1;
    return expr;
}

__attribute__((unused)) static nilas_bound_expr *int_literal(run *r, int64_t number) {
    nilas_bound_expr *expr = made_expr(r, NILAS_BOUND_LITERAL, NILAS_TYPE_INT);
    expr->value = nilas_value_of_int(number);
    return expr;
}

__attribute__((unused)) static nilas_bound_expr *text_literal(run *r, const char *text) {
    nilas_bound_expr *expr = made_expr(r, NILAS_BOUND_LITERAL, NILAS_TYPE_STRING);
    expr->value = text != NULL ? nilas_value_of_str(nilas_str_of(text)) : NILAS_NULL_VALUE;
    return expr;
}

__attribute__((unused)) static nilas_bound_expr *column(run *r, int32_t id, nilas_type_kind type) {
    nilas_bound_expr *expr = made_expr(r, NILAS_BOUND_COLUMN, type);
    expr->attribute_id = id;
    return expr;
}

__attribute__((unused)) static nilas_bound_expr *sort_key(run *r, nilas_bound_expr *key,
                                                          bool descending, bool nulls_first) {
    nilas_bound_expr *expr = made_expr(r, NILAS_BOUND_SORT, key->type->kind);
    expr->args = made_zeroed(r, sizeof(*expr->args));
    expr->args[0] = key;
    expr->arg_count = 1;
    expr->descending = descending;
    expr->nulls_first = nulls_first;
    return expr;
}

__attribute__((unused)) static nilas_plan *made_plan(run *r, nilas_plan_kind kind,
                                                     nilas_plan *input) {
    nilas_plan *plan = made_zeroed(r, sizeof(*plan));
    plan->kind = kind;
    plan->input = input;
    plan->limit = -1;
    if (input != NULL) {
        plan->outputs = input->outputs;
        plan->output_count = input->output_count;
    }
    return plan;
}

__attribute__((unused)) static void add_output(run *r, nilas_plan *plan, int32_t id,
                                               const nilas_type *type) {
    nilas_attribute *outputs = made_zeroed(r, (plan->output_count + 1) * sizeof(*outputs));
    if (plan->output_count > 0) {
        memcpy(outputs, plan->outputs, plan->output_count * sizeof(*outputs));
    }
    outputs[plan->output_count++] =
        (nilas_attribute){.id = id, .name = NILAS_STR("x"), .type = type, .nullable = true};
    plan->outputs = outputs;
}

__attribute__((unused)) static void add_expr(run *r, nilas_plan *plan, nilas_bound_expr *expr) {
    nilas_bound_expr **exprs = made_zeroed(r, (plan->expr_count + 1) * sizeof(*exprs));
    if (plan->expr_count > 0) {
        memcpy(exprs, plan->exprs, plan->expr_count * sizeof(*exprs));
    }
    exprs[plan->expr_count++] = expr;
    plan->exprs = exprs;
}

/** VALUES of one column c<id>: numbers, INT64_MIN for null. */
#define VALUES_OF(r, id, ...)                                                                      \
    values_of((r), (id), (const int64_t[]){__VA_ARGS__},                                           \
              sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
__attribute__((unused)) static nilas_plan *values_of(run *r, int32_t id, const int64_t *numbers,
                                                     size_t count) {
    nilas_plan *plan = made_plan(r, NILAS_PLAN_VALUES, NULL);
    add_output(r, plan, id, nilas_type_of(NILAS_TYPE_INT));
    for (size_t i = 0; i < count; i++) {
        nilas_bound_expr *literal = int_literal(r, numbers[i]);
        if (numbers[i] == INT64_MIN) {
            literal->value = NILAS_NULL_VALUE;
        }
        add_expr(r, plan, literal);
    }
    plan->row_count = count;
    return plan;
}

/** SQL of a plan, as the engine would send it. */
__attribute__((unused)) static const char *sql_of(run *r, const nilas_plan *plan) {
    NILAS_AUTO_JOB job = {.engine = r->engine, .stmt = r->arena};
    nilas_render render = {.job = &job, .stmt = r->arena, .dry = true};
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    nilas_str text = NILAS_STR_EMPTY;
    CHECK_OK(nilas_render__plan(&render, &sql, plan, &r->err), r->err);
    CHECK_OK(nilas_buf_finish(&sql, r->arena, &text, &r->err), r->err);
    return text.data;
}

#endif
