/**
 * Building plans: nodes, fresh attributes, projections, scopes over relations.
 *
 * Attribute ids are unique in a statement, so a plan can be cut and joined without renaming.
 */
#include "bind/query.h"

nilas_code nilas_bind__plan(nilas_binder *binder, nilas_plan_kind kind, nilas_plan *input,
                            nilas_plan **out, nilas_error *err) {
    nilas_plan *plan;
    NILAS_NEW(binder->arena, &plan, err);
    plan->kind = kind;
    plan->limit = -1;
    if (input != NULL) {
        plan->input = input;
        plan->outputs = input->outputs;
        plan->output_count = input->output_count;
    }
    *out = plan;
    return NILAS_OK;
}

nilas_attribute nilas_bind__attribute(nilas_binder *binder, nilas_str name, const nilas_type *type,
                                      bool nullable) {
    nilas_assert(type != NULL);
    return (nilas_attribute){
        .id = binder->next_id++, .name = name, .type = type, .nullable = nullable};
}

nilas_code nilas_bind__add_output(nilas_binder *binder, nilas_plan *plan, nilas_attribute attribute,
                                  nilas_error *err) {
    // Outputs may be shared with the input's array, so that a new array is made each time; plans
    // are narrow.
    nilas_attribute *outputs;
    NILAS_NEW_ARRAY(binder->arena, &outputs, plan->output_count + 1, err);
    if (plan->output_count > 0) {
        memcpy(outputs, plan->outputs, plan->output_count * sizeof(*outputs));
    }
    outputs[plan->output_count] = attribute;
    plan->outputs = outputs;
    plan->output_count++;
    return NILAS_OK;
}

nilas_code nilas_bind__project(nilas_binder *binder, nilas_plan *input, nilas_bound_expr **exprs,
                               const nilas_str *names, size_t count, nilas_plan **out,
                               nilas_error *err) {
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_PROJECT, input, &plan, err));
    NILAS_NEW_ARRAY(binder->arena, &plan->outputs, count, err);
    plan->output_count = count;
    plan->exprs = exprs;
    plan->expr_count = count;
    for (size_t i = 0; i < count; i++) {
        plan->outputs[i] =
            nilas_bind__attribute(binder, names[i], exprs[i]->type, exprs[i]->nullable);
    }
    *out = plan;
    return NILAS_OK;
}

nilas_code nilas_bind__visible_only(nilas_binder *binder, nilas_bound_relation *relation,
                                    nilas_error *err) {
    size_t count = 0;
    bool same = relation->column_count == relation->plan->output_count;
    for (size_t i = 0; i < relation->column_count; i++) {
        const nilas_scope_column *column = &relation->columns[i];
        same = same && !column->hidden && column->attribute.id == relation->plan->outputs[i].id;
        count += column->hidden ? 0 : 1;
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
    size_t next = 0;
    for (size_t i = 0; i < relation->column_count; i++) {
        if (!relation->columns[i].hidden) {
            NILAS_TRY(
                nilas_bind__column_ref(binder, &relation->columns[i].attribute, &exprs[next], err));
            names[next] = relation->columns[i].attribute.name;
            columns[next++] = relation->columns[i];
        }
    }
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__project(binder, relation->plan, exprs, names, count, &plan, err));
    for (size_t i = 0; i < count; i++) {
        plan->outputs[i].has_comment = columns[i].attribute.has_comment;
        plan->outputs[i].auto_named = columns[i].attribute.auto_named;
        plan->outputs[i].comment = columns[i].attribute.comment;
        NILAS_TRY(nilas_bind__pass_on(binder, plan->outputs[i].id, columns[i].attribute.id, err));
        columns[i].attribute = plan->outputs[i];
    }
    *relation = (nilas_bound_relation){.plan = plan, .columns = columns, .column_count = count};
    return NILAS_OK;
}

void nilas_bind__scope_of(nilas_bind_scope *scope, nilas_binder *binder,
                          const nilas_bound_relation *relation, nilas_bind_scope *outer,
                          const char *clause) {
    *scope = (nilas_bind_scope){
        .binder = binder,
        .columns = relation->columns,
        .column_count = relation->column_count,
        .outer = outer,
        .clause = clause,
        .frames = binder->frames,
        .frames_end = binder->frames_outside,
        .depth = binder->depth,
    };
}

bool nilas_bind__same_name(const nilas_binder *binder, nilas_str a, nilas_str b) {
    return binder->environment->case_sensitive ? nilas_str_equal(a, b)
                                               : nilas_str_equal_nocase(a, b);
}

nilas_code nilas_plan__each_expr(nilas_plan *plan,
                                 nilas_code (*body)(void *context, nilas_bound_expr **expr,
                                                    nilas_error *err),
                                 void *context, nilas_error *err) {
    for (size_t i = 0; i < plan->expr_count; i++) {
        NILAS_TRY(body(context, &plan->exprs[i], err));
    }
    for (size_t i = 0; i < plan->group_count; i++) {
        NILAS_TRY(body(context, &plan->groups[i], err));
    }
    if (plan->condition != NULL) {
        NILAS_TRY(body(context, &plan->condition, err));
    }
    return NILAS_OK;
}

nilas_code nilas_plan_type(nilas_arena *arena, const nilas_plan *plan, const nilas_type **out,
                           nilas_error *err) {
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(arena, &fields, plan->output_count, err);
    for (size_t i = 0; i < plan->output_count; i++) {
        fields[i] = (nilas_type_field){
            .name = plan->outputs[i].name,
            .type = plan->outputs[i].type,
            .nullable = plan->outputs[i].nullable,
            .has_comment = plan->outputs[i].has_comment,
            .auto_named = plan->outputs[i].auto_named,
            .comment = plan->outputs[i].comment,
        };
    }
    return nilas_type_struct(arena, fields, plan->output_count, out, err);
}
