/** df.mergeInto(): MERGE INTO. */
#include "connect/plan.h"

static nilas_code assignment(nilas_connect__plan *plan, const Sc__MergeAction__Assignment *from,
                             nilas_assignment *out) {
    nilas_expr *key;
    NILAS_TRY(nilas_connect__expr(plan, from->key, &key));
    NILAS_REQUIRE(key->kind == NILAS_EXPR_COLUMN, plan->err, NILAS_INVALID,
                  "the key of an assignment of a merge must be a column");
    out->parts = key->parts;
    out->part_count = key->part_count;
    out->offset = -1;
    return nilas_connect__expr(plan, from->value, &out->value);
}

static bool action_of(Sc__MergeAction__ActionType type, nilas_merge_action *out) {
    switch (type) {
    case SC__MERGE_ACTION__ACTION_TYPE__ACTION_TYPE_DELETE: *out = NILAS_MERGE_DELETE; return true;
    case SC__MERGE_ACTION__ACTION_TYPE__ACTION_TYPE_INSERT: *out = NILAS_MERGE_INSERT; return true;
    case SC__MERGE_ACTION__ACTION_TYPE__ACTION_TYPE_INSERT_STAR:
        *out = NILAS_MERGE_INSERT_STAR;
        return true;
    case SC__MERGE_ACTION__ACTION_TYPE__ACTION_TYPE_UPDATE: *out = NILAS_MERGE_UPDATE; return true;
    case SC__MERGE_ACTION__ACTION_TYPE__ACTION_TYPE_UPDATE_STAR:
        *out = NILAS_MERGE_UPDATE_STAR;
        return true;
    default: return false;
    }
}

static nilas_code clause(nilas_connect__plan *plan, const Sc__Expression *message,
                         nilas_merge_match match, nilas_merge_clause *out) {
    if (message == NULL || message->expr_type_case != SC__EXPRESSION__EXPR_TYPE_MERGE_ACTION ||
        message->merge_action == NULL) {
        return nilas_connect__missing(plan, "action of a merge");
    }
    const Sc__MergeAction *from = message->merge_action;
    *out = (nilas_merge_clause){.match = match};
    if (!action_of(from->action_type, &out->action)) {
        return nilas_connect__missing(plan, "action of a merge");
    }
    if (from->_condition_case != SC__MERGE_ACTION___CONDITION__NOT_SET) {
        NILAS_TRY(nilas_connect__expr(plan, from->condition, &out->condition));
    }
    NILAS_NEW_ARRAY(plan->stmt, &out->assignments, from->n_assignments, plan->err);
    out->assignment_count = from->n_assignments;
    for (size_t i = 0; i < from->n_assignments; i++) {
        NILAS_TRY(assignment(plan, from->assignments[i], &out->assignments[i]));
    }
    return NILAS_OK;
}

nilas_code nilas_connect__merge(nilas_connect__plan *plan, const Sc__MergeIntoTableCommand *from,
                                nilas_statement **out) {
    const struct {
        Sc__Expression *const *items;
        size_t count;
        nilas_merge_match match;
    } lists[] = {
        {from->match_actions, from->n_match_actions, NILAS_MERGE_MATCHED},
        {from->not_matched_actions, from->n_not_matched_actions, NILAS_MERGE_NOT_MATCHED},
        {from->not_matched_by_source_actions, from->n_not_matched_by_source_actions,
         NILAS_MERGE_NOT_MATCHED_BY_SOURCE},
    };
    const size_t list_count = sizeof(lists) / sizeof(lists[0]);
    nilas_statement *merge;
    size_t total = 0;
    for (size_t l = 0; l < list_count; l++) {
        total += lists[l].count;
    }
    if (total == 0) {
        return nilas_fail_at(plan->err, NILAS_INVALID, "NO_MERGE_ACTION_SPECIFIED", -1,
                             "df.mergeInto needs to be followed by at least one of "
                             "whenMatched/whenNotMatched/whenNotMatchedBySource.");
    }
    NILAS_TRY(nilas_statement_new(plan->stmt, NILAS_STATEMENT_MERGE, -1, &merge, plan->err));
    merge->parts_offset = -1;
    NILAS_TRY(nilas_connect__table_name(plan, from->target_table_name, &merge->parts,
                                        &merge->part_count));
    NILAS_TRY(nilas_connect__relation(plan, from->source_table_plan, &merge->source));
    NILAS_TRY(nilas_connect__expr(plan, from->merge_condition, &merge->condition));
    merge->with_schema_evolution = from->with_schema_evolution;
    NILAS_NEW_ARRAY(plan->stmt, &merge->merge_clauses, total, plan->err);
    for (size_t l = 0; l < list_count; l++) {
        for (size_t i = 0; i < lists[l].count; i++) {
            NILAS_TRY(clause(plan, lists[l].items[i], lists[l].match,
                             &merge->merge_clauses[merge->merge_clause_count++]));
        }
    }
    *out = merge;
    return NILAS_OK;
}
