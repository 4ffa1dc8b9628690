/* Plans as SQL, and that this SQL does what the plan means. */
#include "plans.h"

NILAS_TEST(values_and_limits_are_said_with_exact_types) {
    run r;
    run_init(&r, 2);
    nilas_plan *limit = made_plan(&r, NILAS_PLAN_LIMIT, VALUES_OF(&r, 7, 1, INT64_MIN));
    limit->limit = 1;
    CHECK_TEXT(sql_of(&r, limit), "SELECT * FROM (SELECT * FROM (VALUES (CAST(1 AS INTEGER)), "
                                  "(CAST(NULL AS INTEGER))) AS t1(c7)) AS t2 LIMIT 1");
    CHECK_TEXT(run_plan(&r, limit), "1");
    run_done(&r);
}

NILAS_TEST(sorts_say_where_nulls_go_and_leave_out_literals) {
    run r;
    run_init(&r, 2);
    nilas_plan *sort = made_plan(&r, NILAS_PLAN_SORT, VALUES_OF(&r, 1, 2, INT64_MIN, 3));
    add_expr(&r, sort, sort_key(&r, int_literal(&r, 1), false, true));
    add_expr(&r, sort, sort_key(&r, column(&r, 1, NILAS_TYPE_INT), false, true));
    CHECK_TEXT(run_plan(&r, sort), "null 2 3");
    sort->exprs[1]->nulls_first = false;
    sort->exprs[1]->descending = true;
    CHECK_CONTAINS(sql_of(&r, sort), "ORDER BY c1 DESC NULLS LAST");
    CHECK_TEXT(run_plan(&r, sort), "3 2 null");
    run_done(&r);
}

NILAS_TEST(a_tail_is_the_last_rows_in_their_order) {
    run r;
    run_init(&r, 2);
    nilas_plan *tail = made_plan(&r, NILAS_PLAN_LIMIT, VALUES_OF(&r, 1, 5, 4, 3));
    tail->is_tail = true;
    tail->limit = 2;
    CHECK_TEXT(run_plan(&r, tail), "4 3");
    run_done(&r);
}

NILAS_TEST(set_operations_keep_counts_and_give_fresh_columns) {
    run r;
    run_init(&r, 2);
    nilas_plan *except = made_plan(&r, NILAS_PLAN_SET_OP, VALUES_OF(&r, 1, 1, 1, 2));
    except->right = VALUES_OF(&r, 2, 1);
    except->outputs = NULL;
    except->output_count = 0;
    add_output(&r, except, 3, nilas_type_of(NILAS_TYPE_INT));
    except->set_op = NILAS_SET_EXCEPT;
    except->all = true;
    CHECK_TEXT(sorted(&r, run_plan(&r, except)), "1 2");
    except->all = false;
    CHECK_TEXT(run_plan(&r, except), "2");
    except->set_op = NILAS_SET_UNION;
    except->all = true;
    CHECK_TEXT(run_plan(&r, except), "1 1 2 1");
    run_done(&r);
}

NILAS_TEST(negative_zero_is_zero_in_distinct_rows) {
    run r;
    run_init(&r, 2);
    nilas_plan *values = made_plan(&r, NILAS_PLAN_VALUES, NULL);
    add_output(&r, values, 1, nilas_type_of(NILAS_TYPE_DOUBLE));
    for (size_t i = 0; i < 2; i++) {
        nilas_bound_expr *literal = made_expr(&r, NILAS_BOUND_LITERAL, NILAS_TYPE_DOUBLE);
        literal->value = nilas_value_of_double(i == 0 ? -0.0 : 0.0);
        add_expr(&r, values, literal);
    }
    values->row_count = 2;
    CHECK_TEXT(run_plan(&r, values), "-0 0");
    CHECK_TEXT(run_plan(&r, made_plan(&r, NILAS_PLAN_DISTINCT, values)), "0");
    run_done(&r);
}

NILAS_TEST(an_anti_join_keeps_rows_that_compare_to_null) {
    run r;
    run_init(&r, 2);
    nilas_plan *join = made_plan(&r, NILAS_PLAN_JOIN, VALUES_OF(&r, 1, 1, INT64_MIN));
    join->right = VALUES_OF(&r, 2, INT64_MIN, 2);
    join->join_kind = NILAS_JOIN_LEFT_ANTI;
    nilas_bound_expr *in = made_expr(&r, NILAS_BOUND_CASE, NILAS_TYPE_BOOLEAN);
    in->args = (nilas_bound_expr *[]){column(&r, 1, NILAS_TYPE_BOOLEAN),
                                      column(&r, 2, NILAS_TYPE_BOOLEAN)};
    in->arg_count = 2;
    join->condition = in;
    CHECK_CONTAINS(sql_of(&r, join), " ANTI JOIN ");
    join->condition = NULL;
    CHECK_TEXT(run_plan(&r, join), "");
    join->right = made_plan(&r, NILAS_PLAN_EMPTY, NULL);
    CHECK_TEXT(run_plan(&r, join), "1 null");
    run_done(&r);
}

NILAS_TEST(grouping_sets_group_constants_too) {
    run r;
    run_init(&r, 2);
    nilas_plan *aggregate = made_plan(&r, NILAS_PLAN_AGGREGATE, VALUES_OF(&r, 1, 5, 5));
    aggregate->outputs = NULL;
    aggregate->output_count = 0;
    add_output(&r, aggregate, 2, nilas_type_of(NILAS_TYPE_INT));
    add_output(&r, aggregate, 3, nilas_type_of(NILAS_TYPE_INT));
    add_output(&r, aggregate, 4, nilas_type_of(NILAS_TYPE_BIGINT));
    aggregate->groups = (nilas_bound_expr *[]){column(&r, 1, NILAS_TYPE_INT), int_literal(&r, 1)};
    aggregate->group_count = 2;
    aggregate->sets = (uint64_t[]){3, 1, 0};
    aggregate->set_count = 3;
    aggregate->has_grouping_id = true;
    CHECK_TEXT(sorted(&r, run_plan(&r, aggregate)), "5,1,0 5,null,1 null,null,3");
    run_done(&r);
}

NILAS_TEST(rows_of_several_values_in_a_query_know_null) {
    run r;
    run_init(&r, 2);
    nilas_plan *pairs = made_plan(&r, NILAS_PLAN_VALUES, NULL);
    add_output(&r, pairs, 5, nilas_type_of(NILAS_TYPE_INT));
    add_output(&r, pairs, 6, nilas_type_of(NILAS_TYPE_INT));
    nilas_bound_expr *null = int_literal(&r, 0);
    null->value = NILAS_NULL_VALUE;
    add_expr(&r, pairs, int_literal(&r, 1));
    add_expr(&r, pairs, null);
    add_expr(&r, pairs, int_literal(&r, 3));
    add_expr(&r, pairs, int_literal(&r, 4));
    pairs->row_count = 2;
    nilas_plan *project = made_plan(&r, NILAS_PLAN_PROJECT, VALUES_OF(&r, 1, 1, 3, 5));
    project->outputs = NULL;
    project->output_count = 0;
    nilas_bound_expr *in = made_expr(&r, NILAS_BOUND_IN_QUERY, NILAS_TYPE_BOOLEAN);
    in->args = (nilas_bound_expr *[]){column(&r, 1, NILAS_TYPE_INT), int_literal(&r, 4)};
    in->arg_count = 2;
    in->plan = pairs;
    add_expr(&r, project, in);
    add_output(&r, project, 9, nilas_type_of(NILAS_TYPE_BOOLEAN));
    CHECK_TEXT(run_plan(&r, project), "null true false");
    run_done(&r);
}

NILAS_TEST(a_plan_nested_beyond_the_limit_is_refused) {
    run r;
    run_init(&r, 2);
    nilas_plan *plan = VALUES_OF(&r, 1, 1);
    for (int i = 0; i < 4 * NILAS_LIMIT_SQL_DEPTH + 1; i++) {
        plan = made_plan(&r, NILAS_PLAN_DISTINCT, plan);
    }
    CHECK_TEXT(run_plan(&r, plan), "?");
    CHECK_INT(r.err.code, NILAS_LIMIT);
    run_done(&r);
}
