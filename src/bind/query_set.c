/**
 * Set operations and common table expressions, recursive ones too.
 *
 * A CTE is bound again at each reference, so that each has attribute ids of its own; only a
 * recursion is one operator.
 */
#include "bind/expr.h"
#include "bind/query.h"

nilas_code nilas_bind__cast_columns(nilas_binder *binder, nilas_bound_relation *relation,
                                    const nilas_type *const *types, nilas_error *err) {
    NILAS_TRY(nilas_bind__visible_only(binder, relation, err));
    size_t count = relation->column_count;
    bool same = true;
    for (size_t i = 0; i < count; i++) {
        same = same && nilas_type_equal(relation->columns[i].attribute.type, types[i]);
    }
    if (same) {
        return NILAS_OK;
    }
    nilas_bound_expr **exprs;
    nilas_str *names;
    nilas_scope_column *columns;
    NILAS_NEW_ARRAY(binder->arena, &exprs, count, err);
    NILAS_NEW_ARRAY(binder->arena, &names, count, err);
    NILAS_NEW_ARRAY(binder->arena, &columns, count, err);
    for (size_t i = 0; i < count; i++) {
        nilas_bound_expr *ref;
        NILAS_TRY(nilas_bind__column_ref(binder, &relation->columns[i].attribute, &ref, err));
        NILAS_TRY(nilas_bind__coerce(binder, ref, types[i], &exprs[i], err));
        names[i] = relation->columns[i].attribute.name;
        columns[i] = relation->columns[i];
    }
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__project(binder, relation->plan, exprs, names, count, &plan, err));
    for (size_t i = 0; i < count; i++) {
        if (exprs[i]->kind == NILAS_BOUND_COLUMN) {
            NILAS_TRY(
                nilas_bind__pass_on(binder, plan->outputs[i].id, columns[i].attribute.id, err));
        }
        columns[i].attribute = plan->outputs[i];
    }
    *relation = (nilas_bound_relation){.plan = plan, .columns = columns, .column_count = count};
    return NILAS_OK;
}

static const char *set_op_name(nilas_set_op op) {
    return op == NILAS_SET_UNION ? "UNION" : op == NILAS_SET_INTERSECT ? "INTERSECT" : "EXCEPT";
}

/** By name each name stands for one column. */
static nilas_code check_names_once(nilas_binder *binder, const nilas_bound_relation *side,
                                   int32_t offset, nilas_error *err) {
    for (size_t i = 0; i < side->column_count; i++) {
        for (size_t k = 0; k < i; k++) {
            nilas_str name = side->columns[i].attribute.name;
            if (nilas_bind__same_name(binder, side->columns[k].attribute.name, name)) {
                NILAS_AUTO_BUF lower = NILAS_BUF_INIT(65536);
                nilas_buf_add_lower(&lower, name);
                return nilas_fail_at(err, NILAS_INVALID, "COLUMN_ALREADY_EXISTS", offset,
                                     "The column `%.*s` already exists. Choose another name or "
                                     "rename the existing column.",
                                     NILAS_FMT(nilas_buf_view(&lower)));
            }
        }
    }
    return NILAS_OK;
}

static nilas_code fail_no_name(const nilas_bound_relation *right, nilas_str name, int32_t offset,
                               nilas_error *err) {
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(65536);
    for (size_t i = 0; i < right->column_count; i++) {
        nilas_buf_add_text(&list, i > 0 ? ", " : "");
        nilas_buf_add(&list, right->columns[i].attribute.name);
    }
    return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1201", offset,
                         "Cannot resolve column name \"%.*s\" among (%.*s).", NILAS_FMT(name),
                         NILAS_FMT(nilas_buf_view(&list)));
}

/** Put the right side's columns into the left's order by name; what one side lacks is an error. */
static nilas_code order_by_name(nilas_binder *binder, const nilas_bound_relation *left,
                                nilas_bound_relation *right, int32_t offset, nilas_error *err) {
    nilas_scope_column *columns;
    NILAS_NEW_ARRAY(binder->arena, &columns, right->column_count, err);
    for (size_t i = 0; i < left->column_count && i < right->column_count; i++) {
        size_t k = 0;
        while (k < right->column_count &&
               !nilas_bind__same_name(binder, right->columns[k].attribute.name,
                                      left->columns[i].attribute.name)) {
            k++;
        }
        if (k == right->column_count) {
            return fail_no_name(right, left->columns[i].attribute.name, offset, err);
        }
        columns[i] = right->columns[k];
    }
    if (left->column_count == right->column_count) {
        right->columns = columns;
        // visible_only compares with the plan's own order and adds a PROJECT when it differs
        NILAS_TRY(nilas_bind__visible_only(binder, right, err));
    }
    return NILAS_OK;
}

static nilas_code common_types(nilas_binder *binder, const nilas_query *query,
                               const nilas_bound_relation *left, const nilas_bound_relation *right,
                               const nilas_type ***out, nilas_error *err) {
    const nilas_type **types;
    NILAS_NEW_ARRAY(binder->arena, &types, left->column_count, err);
    for (size_t i = 0; i < left->column_count; i++) {
        const nilas_type *a = left->columns[i].attribute.type;
        const nilas_type *b = right->columns[i].attribute.type;
        NILAS_TRY(
            nilas_type_common(binder->arena, a, b, binder->environment->ansi, &types[i], err));
        if (types[i] == NULL) {
            NILAS_AUTO_BUF a_text = NILAS_BUF_INIT(4096);
            NILAS_AUTO_BUF b_text = NILAS_BUF_INIT(4096);
            nilas_type_print_sql(&a_text, a);
            nilas_type_print_sql(&b_text, b);
            return nilas_fail_at(err, NILAS_INVALID, "INCOMPATIBLE_COLUMN_TYPE", query->offset,
                                 "%s can only be performed on tables with compatible column types. "
                                 "The %zu. column of the second table is "
                                 "\"%.*s\" type which is not compatible with \"%.*s\" at the same "
                                 "column of the first table.",
                                 set_op_name(query->set_op), i + 1,
                                 NILAS_FMT(nilas_buf_view(&b_text)),
                                 NILAS_FMT(nilas_buf_view(&a_text)));
        }
    }
    *out = types;
    return NILAS_OK;
}

static nilas_code set_outputs(nilas_binder *binder, nilas_plan *plan,
                              const nilas_bound_relation *left, const nilas_bound_relation *right,
                              nilas_bound_relation *out, nilas_error *err) {
    size_t count = left->column_count;
    NILAS_NEW_ARRAY(binder->arena, &plan->outputs, count, err);
    NILAS_NEW_ARRAY(binder->arena, &out->columns, count, err);
    plan->output_count = count;
    for (size_t i = 0; i < count; i++) {
        const nilas_attribute *attribute = &left->columns[i].attribute;
        bool nullable =
            attribute->nullable || (right != NULL && right->columns[i].attribute.nullable);
        plan->outputs[i] =
            nilas_bind__attribute(binder, attribute->name, attribute->type, nullable);
        NILAS_TRY(nilas_bind__pass_on(binder, plan->outputs[i].id, attribute->id, err));
        out->columns[i] = (nilas_scope_column){.attribute = plan->outputs[i],
                                               .qualifier = left->columns[i].qualifier,
                                               .qualifier_count = left->columns[i].qualifier_count};
    }
    out->plan = plan;
    out->column_count = count;
    return NILAS_OK;
}

static bool has_map(const nilas_type *type) {
    if (type->kind == NILAS_TYPE_MAP) {
        return true;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        if (has_map(type->fields[i].type)) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_bind__check_no_maps(nilas_binder *binder, const nilas_bound_relation *relation,
                                     int32_t offset, nilas_error *err) {
    for (size_t i = 0; i < relation->column_count; i++) {
        const nilas_attribute *attribute = &relation->columns[i].attribute;
        if (has_map(attribute->type)) {
            nilas_str type = nilas_bind__type_text(binder, attribute->type);
            return nilas_fail_at(
                err, NILAS_INVALID, "UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE", offset,
                "The feature is not supported: Cannot have MAP type columns in DataFrame which "
                "calls set operations (INTERSECT, EXCEPT, etc.), but the type of column `%.*s` is "
                "\"%.*s\".",
                NILAS_FMT(attribute->name), NILAS_FMT(type));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_bind__set_op(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_query *query, nilas_bound_relation *out,
                              nilas_error *err) {
    nilas_bound_relation left;
    nilas_bound_relation right;
    NILAS_TRY(nilas_bind__query(binder, outer, query->left, &left, err));
    NILAS_TRY(nilas_bind__query(binder, outer, query->right, &right, err));
    NILAS_TRY(nilas_bind__visible_only(binder, &left, err));
    NILAS_TRY(nilas_bind__visible_only(binder, &right, err));
    if (query->by_name) {
        NILAS_TRY(check_names_once(binder, &left, query->offset, err));
        NILAS_TRY(check_names_once(binder, &right, query->offset, err));
    }
    if (query->by_name && query->allow_missing) {
        NILAS_TRY(nilas_bind__align_by_name(binder, &left, &right, err));
    } else if (query->by_name) {
        NILAS_TRY(order_by_name(binder, &left, &right, query->offset, err));
    }
    if (left.column_count != right.column_count) {
        return nilas_fail_at(err, NILAS_INVALID, "NUM_COLUMNS_MISMATCH", query->offset,
                             "%s can only be performed on inputs with the same number of columns, "
                             "but the first input has %zu columns and "
                             "the second input has %zu columns.",
                             set_op_name(query->set_op), left.column_count, right.column_count);
    }
    const nilas_type **types;
    NILAS_TRY(common_types(binder, query, &left, &right, &types, err));
    NILAS_TRY(nilas_bind__cast_columns(binder, &left, types, err));
    NILAS_TRY(nilas_bind__cast_columns(binder, &right, types, err));
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_SET_OP, left.plan, &plan, err));
    plan->right = right.plan;
    plan->set_op = query->set_op;
    plan->all = query->all;
    NILAS_TRY(set_outputs(binder, plan, &left, &right, out, err));
    bool compares = query->set_op != NILAS_SET_UNION || !query->all;
    return compares ? nilas_bind__check_no_maps(binder, out, query->offset, err) : NILAS_OK;
}

/** Push the CTEs in order, so that each sees those before it, then bind the query; the frames end
 * with the call. */
nilas_code nilas_bind__with(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err) {
    nilas_cte_frame *saved = binder->ctes;
    for (size_t i = 0; i < query->cte_count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (nilas_bind__same_name(binder, query->ctes[i].name, query->ctes[k].name)) {
                binder->ctes = saved;
                return nilas_fail_at(err, NILAS_INVALID, "DUPLICATED_CTE_NAMES",
                                     query->ctes[i].offset,
                                     "CTE definition can't have duplicate names: `%.*s`.",
                                     NILAS_FMT(query->ctes[i].name));
            }
        }
        nilas_cte_frame *frame;
        NILAS_NEW(binder->arena, &frame, err);
        *frame = (nilas_cte_frame){
            .cte = &query->ctes[i], .recursive = query->recursive, .outer = binder->ctes};
        binder->ctes = frame;
    }
    nilas_code code = nilas_bind__query(binder, outer, query->input, out, err);
    binder->ctes = saved;
    return code;
}

/** The name inside its own step: what the last round gave. */
static nilas_code bind_recursion(nilas_binder *binder, nilas_cte_frame *frame,
                                 nilas_bound_relation *out, nilas_error *err) {
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_RECURSION, NULL, &plan, err));
    plan->recursion_id = frame->recursion_id;
    frame->was_used = true;
    NILAS_NEW_ARRAY(binder->arena, &plan->outputs, frame->attribute_count, err);
    NILAS_NEW_ARRAY(binder->arena, &out->columns, frame->attribute_count, err);
    plan->output_count = out->column_count = frame->attribute_count;
    for (size_t i = 0; i < frame->attribute_count; i++) {
        const nilas_attribute *attribute = &frame->attributes[i];
        plan->outputs[i] = nilas_bind__attribute(binder, attribute->name, attribute->type, true);
        out->columns[i] = (nilas_scope_column){.attribute = plan->outputs[i]};
    }
    out->plan = plan;
    return NILAS_OK;
}

static const nilas_query *recursive_union(const nilas_query *query) {
    while (query->kind == NILAS_QUERY_ALIAS && query->alias.size == 0) {
        query = query->input;
    }
    return query->kind == NILAS_QUERY_SET_OP && query->set_op == NILAS_SET_UNION ? query : NULL;
}

/** Names of the recursion's columns: the CTE's list, else the anchor's. */
static nilas_code name_anchor(nilas_binder *binder, const nilas_cte *cte,
                              nilas_bound_relation *anchor, nilas_error *err) {
    NILAS_TRY(nilas_bind__visible_only(binder, anchor, err));
    return nilas_bind__apply_alias(binder, anchor, cte->name, true, cte->columns, cte->column_count,
                                   cte->offset, err);
}

/** Bind WITH RECURSIVE's query; *done false when it does not refer to itself after all. */
static nilas_code bind_recursive(nilas_binder *binder, nilas_bind_scope *outer,
                                 nilas_cte_frame *definition, const nilas_query *query, bool *done,
                                 nilas_bound_relation *out, nilas_error *err) {
    nilas_bound_relation anchor;
    nilas_bound_relation step;
    nilas_cte_frame inner = *definition;
    *done = false;
    NILAS_TRY(nilas_bind__query(binder, outer, query->left, &anchor, err));
    NILAS_TRY(name_anchor(binder, definition->cte, &anchor, err));
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_RECURSIVE, anchor.plan, &plan, err));
    inner.recursion_id = binder->next_id++;
    inner.outer = definition->outer;
    inner.attribute_count = anchor.column_count;
    NILAS_NEW_ARRAY(binder->arena, &inner.attributes, anchor.column_count, err);
    const nilas_type **types;
    NILAS_NEW_ARRAY(binder->arena, &types, anchor.column_count, err);
    for (size_t i = 0; i < anchor.column_count; i++) {
        inner.attributes[i] = anchor.columns[i].attribute;
        types[i] = anchor.columns[i].attribute.type;
    }
    nilas_cte_frame *saved = binder->ctes;
    binder->ctes = &inner;
    nilas_code code = nilas_bind__query(binder, outer, query->right, &step, err);
    binder->ctes = saved;
    NILAS_TRY(code);
    if (!inner.was_used) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_bind__visible_only(binder, &step, err));
    if (step.column_count != anchor.column_count) {
        return nilas_fail_at(err, NILAS_INVALID, "NUM_COLUMNS_MISMATCH", query->offset,
                             "UNION can only be performed on inputs with the same number of "
                             "columns, but the first input has %zu columns and "
                             "the second input has %zu columns.",
                             anchor.column_count, step.column_count);
    }
    NILAS_TRY(nilas_bind__cast_columns(binder, &step, types, err));
    plan->right = step.plan;
    plan->recursion_id = inner.recursion_id;
    plan->all = query->all;
    plan->max_depth = 100; // spark.sql.cteRecursionLevelLimit
    *done = true;
    return set_outputs(binder, plan, &anchor, &step, out, err);
}

nilas_code nilas_bind__cte_reference(nilas_binder *binder, nilas_bind_scope *outer,
                                     nilas_cte_frame *frame, nilas_str name,
                                     nilas_bound_relation *out, nilas_error *err) {
    if (frame->recursion_id != 0) {
        NILAS_TRY(bind_recursion(binder, frame, out, err));
        return nilas_bind__apply_alias(binder, out, name, true, NULL, 0, frame->cte->offset, err);
    }
    const nilas_cte *cte = frame->cte;
    const nilas_query *unions = frame->recursive ? recursive_union(cte->query) : NULL;
    nilas_cte_frame *saved = binder->ctes;
    bool done = false;
    nilas_code code = NILAS_OK;
    binder->ctes = frame->outer;
    if (unions != NULL) {
        code = bind_recursive(binder, outer, frame, unions, &done, out, err);
    }
    if (frame->bound != NULL) {
        *out = *frame->bound;
        frame->bound = NULL; // another reference needs columns of its own
    } else if (code == NILAS_OK && !done) {
        code = nilas_bind__query(binder, outer, cte->query, out, err);
    }
    binder->ctes = saved;
    NILAS_TRY(code);
    NILAS_TRY(nilas_bind__visible_only(binder, out, err));
    return nilas_bind__apply_alias(binder, out, name, true, done ? NULL : cte->columns,
                                   done ? 0 : cte->column_count, cte->offset, err);
}
