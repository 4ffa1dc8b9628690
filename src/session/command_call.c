/**
 * CALL catalog.system.name(…): finds the procedure, brings arguments into the order of its
 * parameters as Spark does, gives them its types and runs it.
 */
#include "session/procedure.h"

/* --- arguments in the order of the parameters
 * --------------------------------------------------- */

static size_t count_parameters(const nilas_procedure *procedure) {
    size_t count = 0;
    while (count < NILAS_PARAMETER_LIMIT && procedure->parameters[count].name != NULL) {
        count++;
    }
    return count;
}

static size_t find_parameter(const nilas_procedure *procedure, nilas_str name) {
    size_t count = count_parameters(procedure);
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_is(name, procedure->parameters[i].name)) {
            return i;
        }
    }
    return SIZE_MAX;
}

static nilas_code fail_unrecognized(const nilas_procedure *procedure, nilas_str name,
                                    int32_t offset, nilas_error *err) {
    NILAS_AUTO_BUF known = NILAS_BUF_INIT(4096);
    for (size_t i = 0; i < count_parameters(procedure); i++) {
        nilas_buf_print(&known, "%s`%s`", i > 0 ? " " : "", procedure->parameters[i].name);
    }
    return nilas_fail_at(
        err, NILAS_INVALID, "UNRECOGNIZED_PARAMETER_NAME", offset,
        "Cannot invoke routine `%s` because the routine call included a named argument reference "
        "for the argument named `%.*s`, but this routine does not include any signature containing "
        "an argument with this name. Did you mean one of the following? [%.*s].",
        procedure->name, NILAS_FMT(name), NILAS_FMT(nilas_buf_view(&known)));
}

static nilas_code fail_duplicate(const nilas_procedure *procedure, nilas_str name, bool positional,
                                 int32_t offset, nilas_error *err) {
    return nilas_fail_at(
        err, NILAS_INVALID,
        positional ? "DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.BOTH_POSITIONAL_AND_NAMED"
                   : "DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT.DOUBLE_NAMED_ARGUMENT_REFERENCE",
        offset,
        "Call to routine `%s` is invalid because it includes multiple argument assignments to the "
        "same parameter name `%.*s`. %s",
        procedure->name, NILAS_FMT(name),
        positional ? "A positional argument and named argument both referred to the same "
                     "parameter. Please remove the named argument referring to this parameter."
                   : "More than one named argument referred to the same parameter. Please assign "
                     "a value only once.");
}

static bool is_named(const nilas_statement *statement, size_t index) {
    return statement->arg_names != NULL && statement->arg_names[index].size > 0;
}

/** Positional arguments come first; `args` gets the expression of each parameter, or NULL. */
static nilas_code arrange(const nilas_procedure *procedure, const nilas_statement *statement,
                          nilas_expr **args, nilas_error *err) {
    size_t positional = 0;
    while (positional < statement->arg_count && !is_named(statement, positional)) {
        positional++;
    }
    for (size_t i = positional; i < statement->arg_count; i++) {
        if (!is_named(statement, i)) {
            return nilas_fail_at(
                err, NILAS_INVALID, "UNEXPECTED_POSITIONAL_ARGUMENT", statement->args[i]->offset,
                "Cannot invoke routine `%s` because it contains positional argument(s) following "
                "the named argument assigned to `%.*s`; please rearrange them so the positional "
                "arguments come first and then retry the query again.",
                procedure->name, NILAS_FMT(statement->arg_names[i - 1]));
        }
    }
    size_t known = count_parameters(procedure);
    if (positional > known) {
        return nilas_fail_at(err, NILAS_INVALID, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
                             statement->offset,
                             "The `%s` requires %zu parameters but the actual number is %zu. "
                             "Please, refer to "
                             "'https://spark.apache.org/docs/latest/sql-ref-functions.html' for "
                             "a fix.",
                             procedure->name, known, statement->arg_count);
    }
    for (size_t i = 0; i < statement->arg_count; i++) {
        size_t at = i;
        if (i >= positional) {
            nilas_str name = statement->arg_names[i];
            at = find_parameter(procedure, name);
            if (at == SIZE_MAX) {
                return fail_unrecognized(procedure, name, statement->args[i]->offset, err);
            }
            if (args[at] != NULL) {
                return fail_duplicate(procedure, name, at < positional, statement->args[i]->offset,
                                      err);
            }
        }
        args[at] = statement->args[i];
    }
    for (size_t i = 0; i < known; i++) {
        if (args[i] == NULL && procedure->parameters[i].required) {
            return nilas_fail_at(
                err, NILAS_INVALID, "REQUIRED_PARAMETER_NOT_FOUND", statement->offset,
                "Cannot invoke routine `%s` because the parameter named `%s` is required, but the "
                "routine call did not supply a value. Please update the routine call to supply an "
                "argument value (either positionally at index %zu or by name) and retry the query "
                "again.",
                procedure->name, procedure->parameters[i].name, i - positional);
        }
    }
    return NILAS_OK;
}

/* --- their values --------------------------------------------------------------------------------
 */

static nilas_code parameter_type(nilas_arena *arena, nilas_parameter_kind kind,
                                 const nilas_type **out, nilas_error *err) {
    const nilas_type *text = nilas_type_of(NILAS_TYPE_STRING);
    switch (kind) {
    case NILAS_PARAMETER_STRING: *out = text; return NILAS_OK;
    case NILAS_PARAMETER_LONG: *out = nilas_type_of(NILAS_TYPE_BIGINT); return NILAS_OK;
    case NILAS_PARAMETER_INT: *out = nilas_type_of(NILAS_TYPE_INT); return NILAS_OK;
    case NILAS_PARAMETER_BOOLEAN: *out = nilas_type_of(NILAS_TYPE_BOOLEAN); return NILAS_OK;
    case NILAS_PARAMETER_TIMESTAMP: *out = nilas_type_of(NILAS_TYPE_TIMESTAMP); return NILAS_OK;
    case NILAS_PARAMETER_LONGS:
        return nilas_type_array(arena, nilas_type_of(NILAS_TYPE_BIGINT), true, out, err);
    case NILAS_PARAMETER_STRINGS: return nilas_type_array(arena, text, true, out, err);
    case NILAS_PARAMETER_MAP: return nilas_type_map(arena, text, text, true, out, err);
    }
    return nilas_fail(err, NILAS_INVALID, "unknown kind of parameter");
}

/** Whether Spark casts an argument by itself: as where a function expects the type; of what is
 * inside arrays and maps text becomes nothing else. */
static bool is_accepted(const nilas_type *from, const nilas_type *to, bool ansi, bool is_inside) {
    if (from->field_count > 0 && from->kind == to->kind && from->field_count == to->field_count) {
        bool accepted = true;
        for (size_t i = 0; i < from->field_count; i++) {
            accepted =
                accepted && is_accepted(from->fields[i].type, to->fields[i].type, ansi, true);
        }
        return accepted;
    }
    return !(is_inside && nilas_type_is_string(from) && !nilas_type_is_string(to)) &&
           nilas_type_can_coerce(from, to, ansi);
}

/** Refuse an argument of a type that Spark does not cast to the parameter's. */
static nilas_code check_type(nilas_run *run, nilas_expr *arg, size_t index, const nilas_type *type,
                             nilas_error *err) {
    static const char *const ordinals[] = {"first", "second", "third"};
    NILAS_AUTO_BUF required = NILAS_BUF_INIT(65536);
    NILAS_AUTO_BUF found = NILAS_BUF_INIT(65536);
    NILAS_AUTO_BUF ordinal = NILAS_BUF_INIT(32);
    nilas_query *query;
    nilas_plan *plan;
    NILAS_TRY(nilas_query_new(run->stmt, NILAS_QUERY_SELECT, run->statement->offset, &query, err));
    NILAS_NEW_ARRAY(run->stmt, &query->exprs, 1, err);
    query->exprs[0] = arg;
    query->expr_count = 1;
    NILAS_TRY(nilas_bind_query(&run->environment, query, &plan, err));
    if (plan->output_count != 1 ||
        is_accepted(plan->outputs[0].type, type, run->environment.ansi, false)) {
        return NILAS_OK;
    }
    if (index < 3) {
        nilas_buf_add_text(&ordinal, ordinals[index]);
    } else {
        nilas_buf_print(&ordinal, "%zuth", index + 1);
    }
    nilas_type_print_sql(&required, type);
    nilas_type_print_sql(&found, plan->outputs[0].type);
    return nilas_fail_at(
        err, NILAS_INVALID, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", run->statement->offset,
        "Cannot resolve CALL due to data type mismatch: The %.*s parameter requires "
        "the \"%.*s\" type, however \"%.*s\" has the type \"%.*s\".",
        NILAS_FMT(nilas_buf_view(&ordinal)), NILAS_FMT(nilas_buf_view(&required)),
        NILAS_FMT(plan->outputs[0].name), NILAS_FMT(nilas_buf_view(&found)));
}

/** The value of SELECT CAST(arg AS type). */
static nilas_code fold(nilas_run *run, nilas_expr *arg, const nilas_type *type, nilas_value *out,
                       nilas_error *err) {
    nilas_query *query;
    nilas_expr *cast;
    nilas_plan *plan;
    NILAS_TRY(nilas_query_new(run->stmt, NILAS_QUERY_SELECT, run->statement->offset, &query, err));
    NILAS_TRY(nilas_expr_new(run->stmt, NILAS_EXPR_CAST, run->statement->offset, &cast, err));
    NILAS_NEW_ARRAY(run->stmt, &cast->args, 1, err);
    NILAS_NEW_ARRAY(run->stmt, &query->exprs, 1, err);
    cast->args[0] = arg;
    cast->arg_count = 1;
    cast->type = type;
    cast->op = NILAS_OP_CAST;
    query->exprs[0] = cast;
    query->expr_count = 1;
    NILAS_TRY(nilas_bind_query(&run->environment, query, &plan, err));
    bool is_constant = plan->kind == NILAS_PLAN_PROJECT && plan->expr_count == 1 &&
                       plan->input != NULL && plan->input->kind == NILAS_PLAN_ONE_ROW;
    if (!is_constant) {
        return nilas_fail_at(err, NILAS_INVALID, "NON_FOLDABLE_ARGUMENT", arg->offset,
                             "The arguments of a procedure must be constants.");
    }
    return nilas_engine_evaluate(run->session->engine, run->stmt, plan->exprs[0], out, err);
}

static nilas_code bind_arguments(nilas_procedure_call *call, nilas_error *err) {
    nilas_expr *args[NILAS_PARAMETER_LIMIT] = {NULL};
    nilas_run *run = call->run;
    NILAS_TRY(arrange(call->procedure, run->statement, args, err));
    for (size_t i = 0; i < NILAS_PARAMETER_LIMIT; i++) {
        call->values[i] = NILAS_NULL_VALUE;
        if (args[i] != NULL) {
            const nilas_type *type;
            NILAS_TRY(parameter_type(run->stmt, call->procedure->parameters[i].kind, &type, err));
            NILAS_TRY(check_type(run, args[i], i, type, err));
            NILAS_TRY(fold(run, args[i], type, &call->values[i], err));
        }
        NILAS_REQUIRE(!call->procedure->parameters[i].required ||
                          !nilas_value_is_null(&call->values[i]) || call->procedure->takes_null,
                      err, NILAS_INVALID, "Parameter '%s' is not set",
                      call->procedure->parameters[i].name);
    }
    return NILAS_OK;
}

const nilas_value *nilas_call__value(const nilas_procedure_call *call, const char *name) {
    size_t at = find_parameter(call->procedure, nilas_str_of(name));
    nilas_assert(at != SIZE_MAX);
    return &call->values[at];
}

bool nilas_call__has(const nilas_procedure_call *call, const char *name) {
    return !nilas_value_is_null(nilas_call__value(call, name));
}

nilas_str nilas_call__text(const nilas_procedure_call *call, const char *name, nilas_str fallback) {
    const nilas_value *value = nilas_call__value(call, name);
    return nilas_value_is_null(value) ? fallback : value->text;
}

int64_t nilas_call__int(const nilas_procedure_call *call, const char *name, int64_t fallback) {
    const nilas_value *value = nilas_call__value(call, name);
    return nilas_value_is_null(value) ? fallback : value->integer;
}

bool nilas_call__bool(const nilas_procedure_call *call, const char *name, bool fallback) {
    const nilas_value *value = nilas_call__value(call, name);
    return nilas_value_is_null(value) ? fallback : value->boolean;
}

int64_t nilas_call__millis(const nilas_procedure_call *call, const char *name, int64_t fallback) {
    const nilas_value *value = nilas_call__value(call, name);
    return nilas_value_is_null(value) ? fallback : nilas_floor_div(value->integer, 1000);
}

nilas_str nilas_call__map_value(const nilas_procedure_call *call, const char *name,
                                const char *key) {
    const nilas_value *map = nilas_call__value(call, name);
    for (size_t i = 0; !nilas_value_is_null(map) && i < map->count; i++) {
        if (nilas_str_is(map->items[2 * i].text, key)) {
            return map->items[2 * i + 1].text;
        }
    }
    return (nilas_str){.data = NULL};
}

/* --- the table
 * ---------------------------------------------------------------------------------- */

nilas_code nilas_call__identifier(nilas_procedure_call *call, const char *name, nilas_str **out,
                                  size_t *out_count, nilas_error *err) {
    nilas_run *run = call->run;
    nilas_session *session = run->session;
    nilas_str text = nilas_call__text(call, name, NILAS_STR_EMPTY);
    nilas_catalog *named = NULL;
    nilas_str *parts;
    size_t count;
    NILAS_REQUIRE(text.size > 0, err, NILAS_INVALID,
                  "Cannot handle an empty identifier for parameter '%s'", name);
    nilas_error ignored = NILAS_ERROR_INIT;
    NILAS_REQUIRE(nilas_sql_parse_name(run->stmt, text, &parts, &count, &ignored) == NILAS_OK, err,
                  NILAS_INVALID, "Cannot parse identifier for parameter '%s': %.*s", name,
                  NILAS_FMT(text));
    if (count > 1) {
        NILAS_TRY(nilas_session__catalog(session, parts[0], &named, err));
    }
    if (named != NULL) {
        nilas_str within;
        NILAS_TRY(nilas_session__dotted(run->stmt, parts + 1, count - 1, &within, err));
        NILAS_REQUIRE(named == call->catalog, err, NILAS_INVALID,
                      "Cannot run procedure in catalog '%.*s': '%.*s' is a table in catalog "
                      "'%.*s'",
                      NILAS_FMT(call->catalog_name), NILAS_FMT(within), NILAS_FMT(parts[0]));
        parts++;
        count--;
    }
    size_t inherited =
        count == 1 && named == NULL && nilas_str_equal(session->current_catalog, call->catalog_name)
            ? session->namespace_count
            : 0;
    NILAS_NEW_ARRAY(run->stmt, out, inherited + count, err);
    nilas_copy(*out, session->current_namespace, inherited * sizeof(**out));
    nilas_copy(*out + inherited, parts, count * sizeof(**out));
    *out_count = inherited + count;
    return NILAS_OK;
}

nilas_code nilas_call__load(nilas_procedure_call *call, nilas_error *err) {
    nilas_run *run = call->run;
    nilas_error inner = NILAS_ERROR_INIT;
    NILAS_TRY(
        nilas_call__identifier(call, "table", &call->identifier, &call->identifier_count, err));
    nilas_code code =
        run->environment.load_table(run->environment.context, call->catalog, call->identifier,
                                    call->identifier_count, &call->table, &inner);
    if (code == NILAS_NOT_FOUND) {
        nilas_str name;
        NILAS_TRY(
            nilas_session__dotted(run->stmt, call->identifier, call->identifier_count, &name, err));
        return nilas_fail_at(err, NILAS_NOT_FOUND, "TABLE_OR_VIEW_NOT_FOUND",
                             run->statement->offset, "Couldn't load table '%.*s' in catalog '%.*s'",
                             NILAS_FMT(name), NILAS_FMT(call->catalog_name));
    }
    if (code != NILAS_OK) {
        *err = inner;
        return code;
    }
    // The statement's own cache keeps it alive.
    nilas_table_unref(call->table);
    return NILAS_OK;
}

nilas_code nilas_call__table_name(nilas_procedure_call *call, nilas_str *out, nilas_error *err) {
    nilas_arena *arena = call->run->stmt;
    nilas_str *parts;
    NILAS_NEW_ARRAY(arena, &parts, call->identifier_count + 1, err);
    parts[0] = call->catalog_name;
    nilas_copy(parts + 1, call->identifier, call->identifier_count * sizeof(*parts));
    return nilas_session__dotted(arena, parts, call->identifier_count + 1, out, err);
}

static void release_table(void *context) {
    nilas_table_unref(context);
}

nilas_code nilas_call__commit(nilas_procedure_call *call,
                              nilas_code (*apply)(void *context, nilas_update *update,
                                                  nilas_error *err),
                              void *context, nilas_table **out, nilas_error *err) {
    nilas_commit_options options = {
        .catalog = call->catalog,
        .identifier = call->identifier,
        .identifier_count = call->identifier_count,
        .cancel = call->run->session->cancel,
        .apply = apply,
        .context = context,
    };
    if (out == NULL) {
        return nilas_commit(&options, NULL, err);
    }
    NILAS_TRY(nilas_commit(&options, out, err));
    nilas_code code = nilas_arena_on_release(call->run->stmt, release_table, *out, err);
    if (code != NILAS_OK) {
        nilas_table_unref(*out);
        err->code = NILAS_UNCERTAIN; // the commit has happened
        return NILAS_UNCERTAIN;
    }
    return NILAS_OK;
}

nilas_code nilas_call__bind(nilas_procedure_call *call, nilas_str text, nilas_plan **out,
                            nilas_error *err) {
    nilas_run *run = call->run;
    nilas_query *query;
    NILAS_TRY(run->environment.parse_query(run->environment.context, text, &query, err));
    return nilas_bind_query(&run->environment, query, out, err);
}

/* --- the answer
 * --------------------------------------------------------------------------------- */

nilas_code nilas_call__answer(nilas_procedure_call *call, const nilas_value *cells,
                              nilas_error *err) {
    return nilas_session__rows_add(&call->rows, cells, err);
}

nilas_code nilas_call__summary(nilas_procedure_call *call, nilas_property **out, size_t *out_count,
                               nilas_error *err) {
    NILAS_NEW_ARRAY(call->run->stmt, out, 2, err);
    (*out)[0] = (nilas_property){NILAS_STR("engine-name"), NILAS_STR("nilas")};
    (*out)[1] = (nilas_property){NILAS_STR("engine-version"), NILAS_STR(NILAS_VERSION)};
    *out_count = 2;
    return NILAS_OK;
}

static nilas_code begin_answer(nilas_procedure_call *call, nilas_error *err) {
    const nilas_procedure *procedure = call->procedure;
    size_t width = 0;
    while (width < NILAS_OUTPUT_LIMIT && procedure->outputs[width] != NULL) {
        width++;
    }
    return nilas_session__rows_begin(call->run, &call->rows, procedure->outputs,
                                     procedure->output_kinds, width, err);
}

static nilas_code find_procedure(nilas_procedure_call *call, nilas_error *err) {
    nilas_run *run = call->run;
    const nilas_statement *statement = run->statement;
    nilas_ddl_name name;
    NILAS_TRY(nilas_ddl__name(run, statement->parts, statement->part_count, &name, err));
    call->catalog = name.catalog;
    call->catalog_name = name.catalog_name;
    if (name.count == 2 && nilas_str_is_nocase(name.parts[0], "system")) {
        call->procedure = nilas_procedure__find(name.parts[1]);
    }
    if (call->procedure != NULL) {
        return NILAS_OK;
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&text, &name.catalog_name, 1);
    nilas_buf_add_char(&text, '.');
    nilas_name_print_quoted(&text, name.parts, name.count);
    return nilas_fail_at(err, NILAS_NOT_FOUND, "FAILED_TO_LOAD_ROUTINE", statement->parts_offset,
                         "Failed to load routine %.*s.", NILAS_FMT(nilas_buf_view(&text)));
}

nilas_code nilas_command__call(nilas_run *run, nilas_error *err) {
    nilas_procedure_call call = {.run = run};
    NILAS_TRY(find_procedure(&call, err));
    NILAS_TRY(bind_arguments(&call, err));
    NILAS_TRY(begin_answer(&call, err));
    NILAS_TRY(call.procedure->run(&call, err));
    return nilas_session__rows_end(&call.rows, err);
}
