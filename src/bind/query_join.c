/**
 * Joins: condition, USING, NATURAL, LATERAL. The merged columns of USING stand first; the other
 * side's stay reachable by their qualifier.
 */
#include "bind/query.h"

typedef struct using_pair {
    size_t left, right; // positions in the sides' columns
} using_pair;

/** Position of the one visible column of the name; errors as Spark words them. */
static nilas_code find_using(nilas_binder *binder, const nilas_bound_relation *side,
                             const char *which, nilas_str name, int32_t offset, size_t *out,
                             nilas_error *err) {
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < side->column_count; i++) {
        if (side->columns[i].hidden ||
            !nilas_bind__same_name(binder, side->columns[i].attribute.name, name)) {
            continue;
        }
        if (found != SIZE_MAX) {
            return nilas_fail_at(err, NILAS_INVALID, "AMBIGUOUS_REFERENCE", offset,
                                 "Reference `%.*s` is ambiguous.", NILAS_FMT(name));
        }
        found = i;
    }
    if (found == SIZE_MAX) {
        NILAS_AUTO_BUF list = NILAS_BUF_INIT(65536);
        for (size_t i = 0; i < side->column_count; i++) {
            if (!side->columns[i].hidden) {
                nilas_buf_add_text(&list, list.size > 0 ? ", " : "");
                nilas_name_print_quoted(&list, &side->columns[i].attribute.name, 1);
            }
        }
        return nilas_fail_at(err, NILAS_INVALID, "UNRESOLVED_USING_COLUMN_FOR_JOIN", offset,
                             "USING column `%.*s` cannot be resolved on the %s side of the join. "
                             "The %s-side columns: [%.*s].",
                             NILAS_FMT(name), which, which, NILAS_FMT(nilas_buf_view(&list)));
    }
    *out = found;
    return NILAS_OK;
}

static bool visible_in(nilas_binder *binder, const nilas_bound_relation *side, nilas_str name) {
    for (size_t i = 0; i < side->column_count; i++) {
        if (!side->columns[i].hidden &&
            nilas_bind__same_name(binder, side->columns[i].attribute.name, name)) {
            return true;
        }
    }
    return false;
}

/** Names to join on: the USING list, or for NATURAL what both sides have. */
static nilas_code using_names(nilas_binder *binder, const nilas_query *query,
                              const nilas_bound_relation *left, const nilas_bound_relation *right,
                              const nilas_str **out, size_t *out_count, nilas_error *err) {
    if (!query->natural) {
        *out = query->columns;
        *out_count = query->column_count;
        return NILAS_OK;
    }
    nilas_str *names;
    size_t count = 0;
    NILAS_NEW_ARRAY(binder->arena, &names, left->column_count, err);
    for (size_t i = 0; i < left->column_count; i++) {
        if (!left->columns[i].hidden &&
            visible_in(binder, right, left->columns[i].attribute.name)) {
            names[count++] = left->columns[i].attribute.name;
        }
    }
    *out = names;
    *out_count = count;
    return NILAS_OK;
}

/** and_all: left.a = right.a AND …; NULL for no pair. */
static nilas_code using_condition(nilas_binder *binder, const nilas_bound_relation *left,
                                  const nilas_bound_relation *right, const using_pair *pairs,
                                  size_t count, int32_t offset, nilas_bound_expr **out,
                                  nilas_error *err) {
    *out = NULL;
    for (size_t i = 0; i < count; i++) {
        nilas_bound_expr *sides[2];
        nilas_bound_expr *equal;
        NILAS_TRY(nilas_bind__column_ref(binder, &left->columns[pairs[i].left].attribute, &sides[0],
                                         err));
        NILAS_TRY(nilas_bind__column_ref(binder, &right->columns[pairs[i].right].attribute,
                                         &sides[1], err));
        NILAS_TRY(nilas_bind__call(binder, "=", sides, 2, offset, &equal, err));
        if (*out == NULL) {
            *out = equal;
        } else {
            nilas_bound_expr *both[2] = {*out, equal};
            NILAS_TRY(nilas_bind__call(binder, "and", both, 2, offset, out, err));
        }
    }
    return NILAS_OK;
}

static bool left_is_nullable(nilas_join_kind kind) {
    return kind == NILAS_JOIN_RIGHT || kind == NILAS_JOIN_FULL;
}
static bool right_is_nullable(nilas_join_kind kind) {
    return kind == NILAS_JOIN_LEFT || kind == NILAS_JOIN_FULL;
}
static bool is_half_join(nilas_join_kind kind) {
    return kind == NILAS_JOIN_LEFT_SEMI || kind == NILAS_JOIN_LEFT_ANTI;
}

/** Outputs and columns of the join: left's, then right's (not for semi and anti). */
static nilas_code join_columns(nilas_binder *binder, nilas_plan *plan,
                               const nilas_bound_relation *left, const nilas_bound_relation *right,
                               nilas_bound_relation *out, nilas_error *err) {
    bool half = is_half_join(plan->join_kind);
    size_t count = left->column_count + (half ? 0 : right->column_count);
    size_t output_count = left->plan->output_count + (half ? 0 : right->plan->output_count);
    NILAS_NEW_ARRAY(binder->arena, &out->columns, count, err);
    NILAS_NEW_ARRAY(binder->arena, &plan->outputs, output_count, err);
    plan->output_count = output_count;
    out->column_count = count;
    out->plan = plan;
    for (size_t i = 0; i < left->plan->output_count; i++) {
        plan->outputs[i] = left->plan->outputs[i];
        plan->outputs[i].nullable = plan->outputs[i].nullable || left_is_nullable(plan->join_kind);
    }
    for (size_t i = left->plan->output_count; i < output_count; i++) {
        plan->outputs[i] = right->plan->outputs[i - left->plan->output_count];
        plan->outputs[i].nullable = plan->outputs[i].nullable || right_is_nullable(plan->join_kind);
    }
    for (size_t i = 0; i < count; i++) {
        bool from_left = i < left->column_count;
        out->columns[i] = from_left ? left->columns[i] : right->columns[i - left->column_count];
        nilas_attribute *attribute = &out->columns[i].attribute;
        attribute->nullable =
            attribute->nullable ||
            (from_left ? left_is_nullable(plan->join_kind) : right_is_nullable(plan->join_kind));
    }
    return NILAS_OK;
}

/** The merged column of a USING pair: left's, right's for a right join, the first that is not null
 * for a full join. */
static nilas_code merge_full(nilas_binder *binder, nilas_bound_relation *join,
                             const using_pair *pairs, size_t count, size_t left_count,
                             nilas_attribute *merged, int32_t offset, nilas_error *err) {
    size_t kept = join->plan->output_count;
    nilas_bound_expr **exprs;
    nilas_attribute *outputs;
    NILAS_NEW_ARRAY(binder->arena, &exprs, kept + count, err);
    NILAS_NEW_ARRAY(binder->arena, &outputs, kept + count, err);
    for (size_t i = 0; i < kept; i++) {
        NILAS_TRY(nilas_bind__column_ref(binder, &join->plan->outputs[i], &exprs[i], err));
        outputs[i] = join->plan->outputs[i];
        outputs[i].id = binder->next_id++;
    }
    for (size_t i = 0; i < count; i++) {
        nilas_bound_expr *sides[2];
        NILAS_TRY(nilas_bind__column_ref(binder, &join->columns[pairs[i].left].attribute, &sides[0],
                                         err));
        NILAS_TRY(nilas_bind__column_ref(
            binder, &join->columns[left_count + pairs[i].right].attribute, &sides[1], err));
        NILAS_TRY(nilas_bind__call(binder, "coalesce", sides, 2, offset, &exprs[kept + i], err));
        merged[i] = nilas_bind__attribute(binder, join->columns[pairs[i].left].attribute.name,
                                          exprs[kept + i]->type, exprs[kept + i]->nullable);
        outputs[kept + i] = merged[i];
    }
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_PROJECT, join->plan, &plan, err));
    for (size_t i = 0; i < join->column_count; i++) {
        for (size_t k = 0; k < kept; k++) {
            if (join->columns[i].attribute.id == join->plan->outputs[k].id) {
                join->columns[i].attribute.id = outputs[k].id;
                break;
            }
        }
    }
    plan->outputs = outputs;
    plan->exprs = exprs;
    plan->output_count = plan->expr_count = kept + count;
    join->plan = plan;
    return NILAS_OK;
}

/** Put the merged columns first, the rest in order, and hide the sides' own. */
static nilas_code order_using(nilas_binder *binder, nilas_join_kind kind,
                              nilas_bound_relation *join, const using_pair *pairs, size_t count,
                              size_t left_count, int32_t offset, nilas_error *err) {
    nilas_attribute *merged;
    NILAS_NEW_ARRAY(binder->arena, &merged, count, err);
    if (kind == NILAS_JOIN_FULL) {
        NILAS_TRY(merge_full(binder, join, pairs, count, left_count, merged, offset, err));
    }
    nilas_scope_column *columns;
    NILAS_NEW_ARRAY(binder->arena, &columns, join->column_count + count, err);
    size_t next = count;
    bool *is_key;
    NILAS_NEW_ARRAY(binder->arena, &is_key, join->column_count, err);
    for (size_t i = 0; i < count; i++) {
        size_t left = pairs[i].left;
        size_t right = left_count + pairs[i].right;
        is_key[left] = true;
        columns[i] = join->columns[kind == NILAS_JOIN_RIGHT ? right : left];
        if (!is_half_join(kind)) {
            is_key[right] = true;
        }
        if (kind == NILAS_JOIN_FULL) {
            columns[i] = (nilas_scope_column){.attribute = merged[i]};
        }
    }
    for (size_t i = 0; i < join->column_count; i++) {
        nilas_scope_column column = join->columns[i];
        bool chosen = false;
        for (size_t k = 0; k < count; k++) {
            chosen = chosen || columns[k].attribute.id == column.attribute.id;
        }
        if (chosen) {
            continue;
        }
        column.hidden = column.hidden || is_key[i];
        columns[next++] = column;
    }
    join->columns = columns;
    join->column_count = next;
    return NILAS_OK;
}

static nilas_code bind_using(nilas_binder *binder, const nilas_query *query, nilas_plan *plan,
                             const nilas_bound_relation *left, const nilas_bound_relation *right,
                             nilas_bound_relation *out, nilas_error *err) {
    const nilas_str *names;
    size_t count;
    using_pair *pairs;
    NILAS_TRY(using_names(binder, query, left, right, &names, &count, err));
    NILAS_NEW_ARRAY(binder->arena, &pairs, count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(find_using(binder, left, "left", names[i], query->offset, &pairs[i].left, err));
        NILAS_TRY(
            find_using(binder, right, "right", names[i], query->offset, &pairs[i].right, err));
    }
    NILAS_TRY(
        using_condition(binder, left, right, pairs, count, query->offset, &plan->condition, err));
    NILAS_TRY(join_columns(binder, plan, left, right, out, err));
    return order_using(binder, plan->join_kind, out, pairs, count, left->column_count,
                       query->offset, err);
}

nilas_code nilas_bind__join(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err) {
    nilas_bound_relation left;
    nilas_bound_relation right;
    NILAS_TRY(nilas_bind__query(binder, outer, query->left, &left, err));
    nilas_bind__drop_missing(&left);
    nilas_bind_scope lateral;
    nilas_bind__scope_of(&lateral, binder, &left, outer, "LATERAL");
    NILAS_TRY(
        nilas_bind__query(binder, query->lateral ? &lateral : outer, query->right, &right, err));
    nilas_bind__drop_missing(&right);
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_JOIN, left.plan, &plan, err));
    plan->right = right.plan;
    plan->join_kind = query->join_kind;
    plan->lateral = query->lateral;
    if (query->natural || query->column_count > 0) {
        return bind_using(binder, query, plan, &left, &right, out, err);
    }
    if (query->condition != NULL) {
        nilas_bound_relation both;
        nilas_plan probe = {.join_kind = NILAS_JOIN_INNER};
        nilas_bind_scope scope;
        NILAS_TRY(join_columns(binder, &probe, &left, &right, &both, err));
        nilas_bind__scope_of(&scope, binder, &both, outer, "JOIN");
        scope.no_aggregates = scope.no_windows = scope.no_generators = true;
        NILAS_TRY(nilas_bind__condition(&scope, query->condition, &plan->condition, err));
    }
    return join_columns(binder, plan, &left, &right, out, err);
}
