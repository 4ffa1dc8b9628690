/* Constants: literals and their common casts need no DuckDB. */
#include "plans.h"

NILAS_TEST(casts_of_literals_do_not_load_duckdb) {
    run r;
    nilas_value value = NILAS_NULL_VALUE;
    run_init(&r, 2);
    nilas_bound_expr *cast = made_expr(&r, NILAS_BOUND_CAST, NILAS_TYPE_TIMESTAMP);
    cast->args = (nilas_bound_expr *[]){text_literal(&r, "1970-01-02 00:00:01")};
    cast->arg_count = 1;
    CHECK_OK(nilas_engine_evaluate(r.engine, r.arena, cast, &value, &r.err), r.err);
    CHECK_INT(value.integer, 86401000000);
    cast->type = nilas_type_of(NILAS_TYPE_DATE);
    cast->args[0] = text_literal(&r, "1970-01-03");
    CHECK_OK(nilas_engine_evaluate(r.engine, r.arena, cast, &value, &r.err), r.err);
    CHECK_INT(value.integer, 2);
    CHECK_OK(nilas_engine_evaluate(r.engine, r.arena, int_literal(&r, 9), &value, &r.err), r.err);
    CHECK_INT(value.integer, 9);
    CHECK(!r.engine->uses_database);
    run_done(&r);
}

NILAS_TEST(other_constants_are_asked_of_duckdb) {
    run r;
    nilas_value value = NILAS_NULL_VALUE;
    run_init(&r, 2);
    nilas_bound_expr *when = made_expr(&r, NILAS_BOUND_LITERAL, NILAS_TYPE_BOOLEAN);
    when->value = nilas_value_of_bool(false);
    nilas_bound_expr *choice = made_expr(&r, NILAS_BOUND_CASE, NILAS_TYPE_STRING);
    choice->args = (nilas_bound_expr *[]){when, text_literal(&r, "a"), text_literal(&r, "b")};
    choice->arg_count = 3;
    choice->has_else = true;
    CHECK_OK(nilas_engine_evaluate(r.engine, r.arena, choice, &value, &r.err), r.err);
    CHECK_STR(value.text, "b");
    run_done(&r);
}
