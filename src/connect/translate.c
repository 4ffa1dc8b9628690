/** The entry points of the translation. */
#include "connect/plan.h"

nilas_code nilas_connect__missing(nilas_connect__plan *plan, const char *what) {
    return nilas_fail(plan->err, NILAS_INVALID, "the plan lacks the %s", what);
}

nilas_code nilas_connect__refuse(nilas_connect__plan *plan, const char *what) {
    return nilas_fail_at(plan->err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
                         "%s: not supported by nilas.", what);
}

static bool is_on(const nilas_session *session, const char *key) {
    return session != NULL && nilas_str_is_nocase(nilas_session_setting(session, key), "true");
}

void nilas_connect__plan_init(nilas_connect__plan *plan, const nilas_translation *translation,
                              nilas_error *err) {
    const nilas_session *session = translation->session;
    *plan = (nilas_connect__plan){
        .stmt = translation->stmt,
        .host = translation,
        .options = {.ansi_reserved = is_on(session, "spark.sql.ansi.enforceReservedKeywords"),
                    .double_quoted_identifiers =
                        is_on(session, "spark.sql.ansi.doubleQuotedIdentifiers"),
                    .escaped_string_literals =
                        is_on(session, "spark.sql.parser.escapedStringLiterals"),
                    .legacy_exponent_decimal =
                        is_on(session, "spark.sql.legacy.exponentLiteralAsDecimal.enabled")},
        .err = err,
    };
}

nilas_code nilas_connect__translate_relation(const nilas_translation *translation,
                                             const Sc__Relation *relation, nilas_query **out,
                                             nilas_error *err) {
    nilas_connect__plan plan;
    nilas_connect__plan_init(&plan, translation, err);
    return nilas_connect__relation(&plan, relation, out);
}

static nilas_code as_statement(nilas_connect__plan *plan, const Sc__Relation *relation,
                               nilas_statement **out) {
    nilas_statement *statement;
    NILAS_TRY(nilas_statement_new(plan->stmt, NILAS_STATEMENT_QUERY, -1, &statement, plan->err));
    NILAS_TRY(nilas_connect__relation(plan, relation, &statement->query));
    *out = statement;
    return NILAS_OK;
}

nilas_code nilas_connect__translate_root(const nilas_translation *translation,
                                         const Sc__Relation *relation, nilas_statement **out,
                                         nilas_error *err) {
    nilas_connect__plan plan;
    nilas_connect__plan_init(&plan, translation, err);
    if (relation != NULL && relation->rel_type_case == SC__RELATION__REL_TYPE_SQL &&
        relation->sql != NULL) {
        return nilas_connect__sql(&plan, relation->sql, out);
    }
    return as_statement(&plan, relation, out);
}

nilas_code nilas_connect__translate_sql(const nilas_translation *translation,
                                        const Sc__SqlCommand *command, nilas_statement **out,
                                        nilas_error *err) {
    nilas_connect__plan plan;
    if (command->input != NULL) {
        return nilas_connect__translate_root(translation, command->input, out, err);
    }
    nilas_connect__plan_init(&plan, translation, err);
    Sc__SQL sql = SC__SQL__INIT; // what clients before 4.0 send flat
    sql.query = command->sql;
    sql.n_args = command->n_args;
    sql.args = (Sc__SQL__ArgsEntry **)command->args; // entries of the same shape
    sql.n_pos_args = command->n_pos_args;
    sql.pos_args = command->pos_args;
    sql.n_named_arguments = command->n_named_arguments;
    sql.named_arguments = (Sc__SQL__NamedArgumentsEntry **)command->named_arguments;
    sql.n_pos_arguments = command->n_pos_arguments;
    sql.pos_arguments = command->pos_arguments;
    return nilas_connect__sql(&plan, &sql, out);
}
