/** The entry points of the translation. */
#include "connect/plan.h"

nilas_code nilas_connect__missing(nilas_connect__plan *plan, const char *what) {
    return nilas_fail(plan->err, NILAS_INVALID, "the plan lacks the %s", what);
}

nilas_code nilas_connect__refuse(nilas_connect__plan *plan, const char *what) {
    return nilas_fail_at(plan->err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
                         "%s: not supported by nilas.", what);
}

static bool is_on(nilas_session *session, const char *key) {
    return session != NULL && nilas_session_is_set(session, key);
}

void nilas_connect__plan_init(nilas_connect__plan *plan, const nilas_translation *translation,
                              nilas_error *err) {
    nilas_session *session = translation->session;
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

static nilas_code refuse_command(nilas_connect__plan *plan, const Sc__Command *command) {
    static const struct {
        Sc__Command__CommandTypeCase kind;
        const char *what;
    } refused[] = {
        {SC__COMMAND__COMMAND_TYPE_REGISTER_FUNCTION, "A user-defined function: user code"},
        {SC__COMMAND__COMMAND_TYPE_REGISTER_TABLE_FUNCTION,
         "A user-defined table function: user code"},
        {SC__COMMAND__COMMAND_TYPE_REGISTER_DATA_SOURCE, "A Python data source: user code"},
        {SC__COMMAND__COMMAND_TYPE_WRITE_STREAM_OPERATION_START, "writeStream: streaming"},
        {SC__COMMAND__COMMAND_TYPE_STREAMING_QUERY_COMMAND, "A streaming query"},
        {SC__COMMAND__COMMAND_TYPE_STREAMING_QUERY_MANAGER_COMMAND, "spark.streams: streaming"},
        {SC__COMMAND__COMMAND_TYPE_STREAMING_QUERY_LISTENER_BUS_COMMAND,
         "Listeners of streaming queries"},
        {SC__COMMAND__COMMAND_TYPE_CREATE_RESOURCE_PROFILE_COMMAND, "Resource profiles"},
        {SC__COMMAND__COMMAND_TYPE_ML_COMMAND, "Machine learning (pyspark.ml)"},
        {SC__COMMAND__COMMAND_TYPE_EXECUTE_EXTERNAL_COMMAND, "An external command"},
        {SC__COMMAND__COMMAND_TYPE_PIPELINE_COMMAND, "Declarative pipelines"},
        {SC__COMMAND__COMMAND_TYPE_EXTENSION, "An extension of the protocol"},
    };
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (refused[i].kind == command->command_type_case) {
            return nilas_connect__refuse(plan, refused[i].what);
        }
    }
    return nilas_connect__missing(plan, "kind of a command");
}

nilas_code nilas_connect__translate_command(const nilas_translation *translation,
                                            const Sc__Command *command, nilas_statement **out,
                                            nilas_error *err) {
    nilas_connect__plan plan;
    nilas_connect__plan_init(&plan, translation, err);
    // every kind is a message, so that one test serves all
    if (command == NULL || command->command_type_case == SC__COMMAND__COMMAND_TYPE__NOT_SET ||
        command->write_operation == NULL) {
        return nilas_connect__missing(&plan, "kind of a command");
    }
    switch (command->command_type_case) {
    case SC__COMMAND__COMMAND_TYPE_WRITE_OPERATION:
        return nilas_connect__write(&plan, command->write_operation, out);
    case SC__COMMAND__COMMAND_TYPE_WRITE_OPERATION_V2:
        return nilas_connect__write_v2(&plan, command->write_operation_v2, out);
    case SC__COMMAND__COMMAND_TYPE_MERGE_INTO_TABLE_COMMAND:
        return nilas_connect__merge(&plan, command->merge_into_table_command, out);
    case SC__COMMAND__COMMAND_TYPE_SQL_COMMAND:
        return nilas_connect__translate_sql(translation, command->sql_command, out, err);
    default: return refuse_command(&plan, command);
    }
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
    if (relation != NULL && relation->rel_type_case == SC__RELATION__REL_TYPE_CATALOG) {
        return nilas_connect__catalog(&plan, relation->catalog, out);
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
