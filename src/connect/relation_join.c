/** Relations of two inputs: joins and set operations. */
#include "connect/plan.h"

static nilas_code join_kind(nilas_connect__plan *plan, Sc__Join__JoinType type,
                            nilas_join_kind *out) {
    switch (type) {
    case SC__JOIN__JOIN_TYPE__JOIN_TYPE_INNER: *out = NILAS_JOIN_INNER; return NILAS_OK;
    case SC__JOIN__JOIN_TYPE__JOIN_TYPE_FULL_OUTER: *out = NILAS_JOIN_FULL; return NILAS_OK;
    case SC__JOIN__JOIN_TYPE__JOIN_TYPE_LEFT_OUTER: *out = NILAS_JOIN_LEFT; return NILAS_OK;
    case SC__JOIN__JOIN_TYPE__JOIN_TYPE_RIGHT_OUTER: *out = NILAS_JOIN_RIGHT; return NILAS_OK;
    case SC__JOIN__JOIN_TYPE__JOIN_TYPE_LEFT_ANTI: *out = NILAS_JOIN_LEFT_ANTI; return NILAS_OK;
    case SC__JOIN__JOIN_TYPE__JOIN_TYPE_LEFT_SEMI: *out = NILAS_JOIN_LEFT_SEMI; return NILAS_OK;
    case SC__JOIN__JOIN_TYPE__JOIN_TYPE_CROSS: *out = NILAS_JOIN_CROSS; return NILAS_OK;
    default: return nilas_connect__missing(plan, "kind of a join");
    }
}

static nilas_code new_join(nilas_connect__plan *plan, const Sc__Relation *left,
                           const Sc__Relation *right, nilas_query_kind kind, nilas_query **out) {
    nilas_query *join;
    NILAS_TRY(nilas_connect__new_query(plan, kind, &join));
    NILAS_TRY(nilas_connect__relation(plan, left, &join->left));
    NILAS_TRY(nilas_connect__relation(plan, right, &join->right));
    *out = join;
    return NILAS_OK;
}

nilas_code nilas_connect__join(nilas_connect__plan *plan, const Sc__Relation *message,
                               nilas_query **out) {
    const Sc__Join *from = message->join;
    nilas_query *join;
    NILAS_TRY(new_join(plan, from->left, from->right, NILAS_QUERY_JOIN, &join));
    NILAS_TRY(join_kind(plan, from->join_type, &join->join_kind));
    NILAS_REQUIRE(from->join_condition == NULL || from->n_using_columns == 0, plan->err,
                  NILAS_INVALID, "a join of the plan has both a condition and USING columns");
    if (from->join_condition != NULL) {
        NILAS_TRY(nilas_connect__expr(plan, from->join_condition, &join->condition));
    }
    NILAS_TRY(
        nilas_connect__texts(plan, from->using_columns, from->n_using_columns, &join->columns));
    join->column_count = from->n_using_columns;
    *out = join;
    return NILAS_OK;
}

nilas_code nilas_connect__lateral_join(nilas_connect__plan *plan, const Sc__Relation *message,
                                       nilas_query **out) {
    const Sc__LateralJoin *from = message->lateral_join;
    nilas_query *join;
    NILAS_TRY(new_join(plan, from->left, from->right, NILAS_QUERY_JOIN, &join));
    NILAS_TRY(join_kind(plan, from->join_type, &join->join_kind));
    join->lateral = true;
    if (join->join_kind != NILAS_JOIN_INNER && join->join_kind != NILAS_JOIN_LEFT &&
        join->join_kind != NILAS_JOIN_CROSS) {
        return nilas_fail_at(plan->err, NILAS_INVALID, "UNSUPPORTED_JOIN_TYPE", -1,
                             "Unsupported join type of a lateral join. Supported join types "
                             "include: 'inner', 'leftouter', 'left', 'left_outer', 'cross'.");
    }
    if (from->join_condition != NULL) {
        NILAS_TRY(nilas_connect__expr(plan, from->join_condition, &join->condition));
    }
    *out = join;
    return NILAS_OK;
}

nilas_code nilas_connect__as_of_join(nilas_connect__plan *plan, const Sc__Relation *message,
                                     nilas_query **out) {
    const Sc__AsOfJoin *from = message->as_of_join;
    nilas_query *join;
    NILAS_TRY(new_join(plan, from->left, from->right, NILAS_QUERY_AS_OF_JOIN, &join));
    NILAS_NEW_ARRAY(plan->stmt, &join->exprs, 2, plan->err);
    join->expr_count = 2;
    NILAS_TRY(nilas_connect__expr(plan, from->left_as_of, &join->exprs[0]));
    NILAS_TRY(nilas_connect__expr(plan, from->right_as_of, &join->exprs[1]));
    if (from->join_expr != NULL) {
        NILAS_TRY(nilas_connect__expr(plan, from->join_expr, &join->condition));
    }
    if (from->tolerance != NULL) {
        NILAS_TRY(nilas_connect__expr(plan, from->tolerance, &join->tolerance));
    }
    NILAS_TRY(
        nilas_connect__texts(plan, from->using_columns, from->n_using_columns, &join->columns));
    join->column_count = from->n_using_columns;
    join->text = nilas_connect__text(from->join_type);
    join->direction = nilas_connect__text(from->direction);
    join->allow_exact = from->allow_exact_matches;
    *out = join;
    return NILAS_OK;
}

nilas_code nilas_connect__set_op(nilas_connect__plan *plan, const Sc__Relation *message,
                                 nilas_query **out) {
    const Sc__SetOperation *from = message->set_op;
    nilas_query *query;
    NILAS_TRY(new_join(plan, from->left_input, from->right_input, NILAS_QUERY_SET_OP, &query));
    switch (from->set_op_type) {
    case SC__SET_OPERATION__SET_OP_TYPE__SET_OP_TYPE_INTERSECT:
        query->set_op = NILAS_SET_INTERSECT;
        break;
    case SC__SET_OPERATION__SET_OP_TYPE__SET_OP_TYPE_UNION: query->set_op = NILAS_SET_UNION; break;
    case SC__SET_OPERATION__SET_OP_TYPE__SET_OP_TYPE_EXCEPT:
        query->set_op = NILAS_SET_EXCEPT;
        break;
    default: return nilas_connect__missing(plan, "kind of a set operation");
    }
    query->all = from->_is_all_case != SC__SET_OPERATION___IS_ALL__NOT_SET && from->is_all;
    query->by_name = from->_by_name_case != SC__SET_OPERATION___BY_NAME__NOT_SET && from->by_name;
    query->allow_missing =
        from->_allow_missing_columns_case != SC__SET_OPERATION___ALLOW_MISSING_COLUMNS__NOT_SET &&
        from->allow_missing_columns;
    NILAS_REQUIRE(!query->by_name || query->set_op == NILAS_SET_UNION, plan->err, NILAS_INVALID,
                  "only UNION goes by name");
    *out = query;
    return NILAS_OK;
}
