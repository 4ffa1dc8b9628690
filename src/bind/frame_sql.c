/**
 * Frames that are said in SQL over their input: the text names the input `_frame` and its columns
 * c0, c1 …, whatever they are called.
 */
#include "bind/frame.h"

nilas_code nilas_bind__frame_input(nilas_binder *binder, nilas_bind_scope *outer,
                                   const nilas_query *query, nilas_bound_relation *out,
                                   nilas_error *err) {
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    return nilas_bind__visible_only(binder, out, err);
}

nilas_code nilas_bind__names(nilas_binder *binder, const nilas_bound_relation *relation,
                             nilas_str **out, nilas_error *err) {
    NILAS_NEW_ARRAY(binder->arena, out, relation->column_count, err);
    for (size_t i = 0; i < relation->column_count; i++) {
        (*out)[i] = relation->columns[i].attribute.name;
    }
    return NILAS_OK;
}

nilas_code nilas_bind__named_column(nilas_binder *binder, const nilas_bound_relation *input,
                                    nilas_str name, size_t *out, nilas_error *err) {
    const nilas_bind_environment *environment = binder->environment;
    nilas_bind_scope scope;
    nilas_bound_expr *ref;
    nilas_str *parts = &name;
    size_t count = 1;
    size_t consumed;
    if (environment->parse_name != NULL) {
        NILAS_TRY(environment->parse_name(environment->context, name, &parts, &count, err));
    }
    nilas_bind__scope_of(&scope, binder, input, NULL, "SELECT");
    NILAS_TRY(nilas_bind__find_column(&scope, parts, count, -1, &ref, &consumed, err));
    for (size_t i = 0; i < input->column_count; i++) {
        if (consumed == count && ref->kind == NILAS_BOUND_COLUMN &&
            input->columns[i].attribute.id == ref->attribute_id) {
            *out = i;
            return NILAS_OK;
        }
    }
    return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
                         "fields of structs are not taken here, but `%.*s` is one.",
                         NILAS_FMT(name));
}

nilas_code nilas_bind__frame_sql(nilas_binder *binder, const nilas_query *query,
                                 const nilas_bound_relation *input, nilas_str sql,
                                 nilas_bound_relation *out, nilas_error *err) {
    const nilas_bind_environment *environment = binder->environment;
    nilas_query *parsed;
    nilas_cte *cte;
    NILAS_REQUIRE(environment->parse_query != NULL, err, NILAS_UNSUPPORTED,
                  "this operation is not supported here");
    NILAS_TRY(environment->parse_query(environment->context, sql, &parsed, err));
    NILAS_NEW(binder->arena, &cte, err);
    *cte = (nilas_cte){.name = NILAS_STR("_frame"), .query = query->input, .offset = -1};
    NILAS_NEW_ARRAY(binder->arena, &cte->columns, input->column_count, err);
    cte->column_count = input->column_count;
    for (size_t i = 0; i < input->column_count; i++) {
        NILAS_TRY(nilas_str_print(binder->arena, &cte->columns[i], err, "c%zu", i));
    }
    nilas_bound_relation first = *input;
    nilas_cte_frame frame = {
        .cte = cte, .outer = binder->ctes, .bound = first.plan != NULL ? &first : NULL};
    nilas_cte_frame *saved = binder->ctes;
    binder->ctes = &frame;
    nilas_code code = nilas_bind__query(binder, NULL, parsed, out, err);
    binder->ctes = saved;
    NILAS_TRY(code);
    NILAS_TRY(nilas_bind__visible_only(binder, out, err));
    for (size_t i = 0; i < out->column_count; i++) {
        out->columns[i].qualifier_count = 0;
    }
    return NILAS_OK;
}

void nilas_bind__rename(nilas_bound_relation *relation, const nilas_str *names) {
    for (size_t i = 0; i < relation->column_count; i++) {
        relation->columns[i].attribute.name = names[i];
        relation->plan->outputs[i].name = names[i];
    }
}

void nilas_bind__set_nullable(nilas_bound_relation *relation, bool nullable) {
    for (size_t i = 0; i < relation->column_count; i++) {
        relation->columns[i].attribute.nullable = nullable;
        relation->plan->outputs[i].nullable = nullable;
    }
}
