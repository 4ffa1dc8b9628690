/* Values of constant expressions: literals and common casts of them here, the rest by DuckDB. */
#include "engine/render.h"
#include "engine/result.h"

/** Casts of literals that time travel and options use; false: not one of them. */
static bool cast_literal(const nilas_engine *engine, const nilas_bound_expr *expr,
                         nilas_value *out) {
    const nilas_bound_expr *inner = expr->args[0];
    const nilas_value *value = &inner->value;
    if (value->kind == NILAS_VALUE_NULL || nilas_type_equal(inner->type, expr->type)) {
        *out = *value;
        return true;
    }
    bool to_wider_integer = nilas_type_is_integral(inner->type) &&
                            nilas_type_is_integral(expr->type) &&
                            expr->type->kind > inner->type->kind;
    if (to_wider_integer) {
        *out = *value;
        return true;
    }
    if (value->kind != NILAS_VALUE_STRING || engine->options.zone == NULL) {
        return false;
    }
    int64_t number = 0;
    bool has_zone = false;
    if (expr->type->kind == NILAS_TYPE_TIMESTAMP &&
        nilas_timestamp_parse(value->text, engine->options.zone, &number, &has_zone)) {
        *out =
            nilas_value_of_int(has_zone ? number : nilas_zone_to_utc(engine->options.zone, number));
        return true;
    }
    if (expr->type->kind == NILAS_TYPE_DATE && nilas_date_parse(value->text, &number)) {
        *out = nilas_value_of_int(number);
        return true;
    }
    return false;
}

static nilas_code read_first(nilas_arena *arena, nilas_result *result, nilas_value *out,
                             nilas_error *err) {
    struct ArrowArray batch = {0};
    NILAS_TRY(nilas_result_next(result, &batch, err));
    NILAS_REQUIRE(batch.release != NULL, err, NILAS_ENGINE, "a constant expression gave no value");
    nilas_code code = nilas_arrow__read_value(arena, batch.children[0],
                                              result->type->fields[0].type, 0, out, err);
    batch.release(&batch);
    return code;
}

/** Run "SELECT expr" in an arena of its own. */
static nilas_code evaluate_by_query(nilas_engine *engine, nilas_arena *arena,
                                    const nilas_bound_expr *expr, nilas_value *out,
                                    nilas_error *err) {
    nilas_attribute output = {
        .id = 0, .name = NILAS_STR("value"), .type = expr->type, .nullable = true};
    nilas_bound_expr *exprs[1] = {(nilas_bound_expr *)expr};
    nilas_plan one_row = {.kind = NILAS_PLAN_ONE_ROW};
    nilas_plan plan = {.kind = NILAS_PLAN_PROJECT,
                       .outputs = &output,
                       .output_count = 1,
                       .input = &one_row,
                       .exprs = exprs,
                       .expr_count = 1};
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(stmt != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_AUTO(nilas_result) result = NULL;
    nilas_code code = nilas_engine_run(engine, stmt, &plan, &result, err);
    if (code != NILAS_OK) {
        nilas_arena_free(stmt);
        return code;
    }
    return read_first(arena, result, out, err);
}

nilas_code nilas_engine_evaluate(nilas_engine *engine, nilas_arena *arena,
                                 const nilas_bound_expr *expr, nilas_value *out, nilas_error *err) {
    if (expr->kind == NILAS_BOUND_LITERAL) {
        return nilas_value_copy(arena, &expr->value, out, err);
    }
    nilas_value value;
    if (expr->kind == NILAS_BOUND_CAST && expr->args[0]->kind == NILAS_BOUND_LITERAL &&
        cast_literal(engine, expr, &value)) {
        return nilas_value_copy(arena, &value, out, err);
    }
    return evaluate_by_query(engine, arena, expr, out, err);
}
