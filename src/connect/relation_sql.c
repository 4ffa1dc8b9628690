/** SQL text in plans: its arguments, and the DataFrames that it names. */
#include "connect/plan.h"

/** The arguments of one text: by name or by position. */
typedef struct arguments {
    nilas_str *names; // NULL: by position
    nilas_expr **values;
    size_t count;
} arguments;

static nilas_code named_arguments(nilas_connect__plan *plan, const Sc__SQL *message,
                                  arguments *out) {
    size_t old = message->n_args; // literals only: clients before 4.0
    out->count = old + message->n_named_arguments;
    NILAS_NEW_ARRAY(plan->stmt, &out->names, out->count, plan->err);
    NILAS_NEW_ARRAY(plan->stmt, &out->values, out->count, plan->err);
    for (size_t i = 0; i < old; i++) {
        out->names[i] = nilas_connect__text(message->args[i]->key);
        NILAS_TRY(nilas_connect__literal(plan, message->args[i]->value, &out->values[i]));
    }
    for (size_t i = 0; i < message->n_named_arguments; i++) {
        out->names[old + i] = nilas_connect__text(message->named_arguments[i]->key);
        NILAS_TRY(
            nilas_connect__expr(plan, message->named_arguments[i]->value, &out->values[old + i]));
    }
    return NILAS_OK;
}

static nilas_code positional_arguments(nilas_connect__plan *plan, const Sc__SQL *message,
                                       arguments *out) {
    size_t old = message->n_pos_args;
    out->count = old + message->n_pos_arguments;
    NILAS_NEW_ARRAY(plan->stmt, &out->values, out->count, plan->err);
    for (size_t i = 0; i < old; i++) {
        NILAS_TRY(nilas_connect__literal(plan, message->pos_args[i], &out->values[i]));
    }
    for (size_t i = 0; i < message->n_pos_arguments; i++) {
        NILAS_TRY(nilas_connect__expr(plan, message->pos_arguments[i], &out->values[old + i]));
    }
    return NILAS_OK;
}

nilas_code nilas_connect__sql(nilas_connect__plan *plan, const Sc__SQL *message,
                              nilas_statement **out) {
    nilas_statement *statement;
    arguments given = {0};
    NILAS_TRY(nilas_sql_parse(plan->stmt, nilas_connect__text(message->query), &plan->options,
                              &statement, plan->err));
    if (message->n_args + message->n_named_arguments > 0) {
        NILAS_TRY(named_arguments(plan, message, &given));
    } else if (message->n_pos_args + message->n_pos_arguments > 0) {
        NILAS_TRY(positional_arguments(plan, message, &given));
    }
    if (given.count > 0) {
        nilas_statement_bind_parameters(statement, given.names, given.values, given.count);
    }
    *out = statement;
    return NILAS_OK;
}

/* spark.sql("… {df}", df=df): the DataFrames are named queries before the text. */
static nilas_code sql_with_frames(nilas_connect__plan *plan, const Sc__WithRelations *message,
                                  nilas_query **out) {
    nilas_query *with;
    NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_WITH, &with));
    NILAS_NEW_ARRAY(plan->stmt, &with->ctes, message->n_references, plan->err);
    for (size_t i = 0; i < message->n_references; i++) {
        const Sc__Relation *reference = message->references[i];
        if (reference->rel_type_case != SC__RELATION__REL_TYPE_SUBQUERY_ALIAS ||
            reference->subquery_alias == NULL) {
            continue; // named by its plan id
        }
        nilas_cte *cte = &with->ctes[with->cte_count++];
        cte->name = nilas_connect__text(reference->subquery_alias->alias);
        cte->offset = -1;
        NILAS_TRY(nilas_connect__relation(plan, reference->subquery_alias->input, &cte->query));
    }
    NILAS_TRY(nilas_connect__relation(plan, message->root, &with->input));
    *out = with->cte_count > 0 ? with : with->input;
    return NILAS_OK;
}

nilas_code nilas_connect__with_relations(nilas_connect__plan *plan,
                                         const Sc__WithRelations *message, nilas_query **out) {
    const nilas_connect__references here = {.with = message, .outer = plan->references};
    if (message->root == NULL) {
        return nilas_connect__missing(plan, "root of a relation with references");
    }
    plan->references = &here;
    nilas_code code = message->root->rel_type_case == SC__RELATION__REL_TYPE_SQL
                          ? sql_with_frames(plan, message, out)
                          : nilas_connect__relation(plan, message->root, out);
    plan->references = here.outer;
    return code;
}
