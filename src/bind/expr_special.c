/*
 * Calls whose meaning is the binder's: count(*), struct and named_struct, casts written as
 * functions, typeof, the session's values (current_timestamp, current_user …), grouping; and the
 * calls with a syntax of their own: EXTRACT, POSITION, TRIM, SUBSTRING, OVERLAY.
 */
#include "bind/expr.h"

// ---- values of the session -------------------------------------------------------------------

typedef struct session_value {
    const char *name, *shown;
    bool is_bare; // may stand without parentheses
} session_value;

static const session_value session_values[] = {
    {"current_timestamp", "current_timestamp()", true},
    {"now", "now()", false},
    {"localtimestamp", "localtimestamp()", true},
    {"current_date", "current_date()", true},
    {"curdate", "current_date()", false},
    {"current_user", "current_user()", true},
    {"user", "user()", true},
    {"session_user", "session_user()", true},
    {"current_catalog", "current_catalog()", false},
    {"current_database", "current_schema()", false},
    {"current_schema", "current_schema()", false},
    {"current_timezone", "current_timezone()", false},
};

static const session_value *find_session_value(nilas_str name) {
    for (size_t i = 0; i < sizeof(session_values) / sizeof(session_values[0]); i++) {
        if (nilas_str_is_nocase(name, session_values[i].name)) {
            return &session_values[i];
        }
    }
    return NULL;
}

bool nilas_bind__is_session_value(nilas_str name) {
    const session_value *found = find_session_value(name);
    return found != NULL && found->is_bare;
}

static nilas_code current_namespace(nilas_binder *binder, nilas_value *out, nilas_error *err) {
    const nilas_bind_environment *environment = binder->environment;
    nilas_str text = NILAS_STR_EMPTY;
    NILAS_TRY(nilas_str_join(binder->arena, environment->current_namespace,
                             environment->current_namespace_count, NILAS_STR("."), &text, err));
    *out = nilas_value_of_str(text);
    return NILAS_OK;
}

static nilas_type_kind time_value(const nilas_bind_environment *environment, nilas_str name,
                                  nilas_value *out) {
    int64_t now = environment->now_micros;
    int64_t shift = (int64_t)nilas_zone_offset_at(environment->zone, now) * NILAS_MICROS_PER_SECOND;
    if (nilas_str_is_nocase(name, "current_timestamp") || nilas_str_is_nocase(name, "now")) {
        *out = nilas_value_of_int(now);
        return NILAS_TYPE_TIMESTAMP;
    }
    if (nilas_str_is_nocase(name, "localtimestamp")) {
        *out = nilas_value_of_int(now + shift);
        return NILAS_TYPE_TIMESTAMP_NTZ;
    }
    if (nilas_str_is_nocase(name, "current_date") || nilas_str_is_nocase(name, "curdate")) {
        *out = nilas_value_of_int(nilas_floor_div(now + shift, NILAS_MICROS_PER_DAY));
        return NILAS_TYPE_DATE;
    }
    return NILAS_TYPE_VOID;
}

nilas_code nilas_bind__session_value(nilas_bind_scope *scope, nilas_str name, int32_t offset,
                                     nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    const nilas_bind_environment *environment = binder->environment;
    const session_value *found = find_session_value(name);
    nilas_value value = NILAS_NULL_VALUE;
    *out = NULL;
    if (found == NULL) {
        return NILAS_OK;
    }
    nilas_type_kind kind = time_value(environment, name, &value);
    if (kind == NILAS_TYPE_VOID) {
        kind = NILAS_TYPE_STRING;
        bool is_user = nilas_str_ends(nilas_str_of(found->name), NILAS_STR("user"));
        if (is_user) {
            value = nilas_value_of_str(environment->user);
        } else if (strcmp(found->name, "current_catalog") == 0) {
            value = nilas_value_of_str(environment->current_catalog);
        } else if (strcmp(found->name, "current_timezone") == 0) {
            value = nilas_value_of_str(nilas_zone_name(environment->zone));
        } else {
            NILAS_TRY(current_namespace(binder, &value, err));
        }
    }
    NILAS_TRY(nilas_bind__literal(binder, nilas_type_of(kind), &value, out, err));
    (*out)->shown = nilas_str_of(found->shown);
    (*out)->offset = offset;
    return NILAS_OK;
}

static nilas_code unix_timestamp_now(nilas_binder *binder, int32_t offset, nilas_bound_expr **out,
                                     nilas_error *err) {
    int64_t seconds = nilas_floor_div(binder->environment->now_micros, NILAS_MICROS_PER_SECOND);
    nilas_value value = nilas_value_of_int(seconds);
    NILAS_TRY(nilas_bind__literal(binder, nilas_type_of(NILAS_TYPE_BIGINT), &value, out, err));
    (*out)->shown = NILAS_STR("unix_timestamp(current_timestamp(), yyyy-MM-dd HH:mm:ss)");
    (*out)->offset = offset;
    return NILAS_OK;
}

// ---- structs ---------------------------------------------------------------------------------

static nilas_code new_struct(nilas_binder *binder, nilas_bound_expr **members,
                             const nilas_str *names, size_t count, nilas_bound_expr **out,
                             nilas_error *err) {
    nilas_type_field *fields = NULL;
    nilas_bound_expr *node = NULL;
    NILAS_NEW_ARRAY(binder->arena, &fields, count, err);
    for (size_t i = 0; i < count; i++) {
        fields[i] = (nilas_type_field){
            .name = names[i], .type = members[i]->type, .nullable = members[i]->nullable};
    }
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_STRUCT, -1, &node, err));
    NILAS_TRY(nilas_type_struct(binder->arena, fields, count, &node->type, err));
    node->args = members;
    node->arg_count = count;
    *out = node;
    return NILAS_OK;
}

/** The name of a struct's member: its alias, its column or field, else "colN". */
static nilas_code member_name(nilas_binder *binder, const nilas_expr *expr,
                              const nilas_bound_expr *bound, size_t index, nilas_str *out,
                              nilas_error *err) {
    if (expr != NULL && expr->kind == NILAS_EXPR_ALIAS) {
        *out = expr->parts[0];
        return NILAS_OK;
    }
    if ((bound->kind == NILAS_BOUND_COLUMN || bound->kind == NILAS_BOUND_FIELD ||
         bound->kind == NILAS_BOUND_PARAMETER) &&
        bound->name.size > 0) {
        *out = bound->name;
        return NILAS_OK;
    }
    return nilas_str_print(binder->arena, out, err, "col%zu", index + 1);
}

nilas_code nilas_bind__row(nilas_bind_scope *scope, nilas_expr *const *args, size_t count,
                           nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    NILAS_ARRAY_OF(nilas_bound_expr *) members = {0};
    NILAS_ARRAY_OF(nilas_str) names = {0};
    for (size_t i = 0; i < count; i++) {
        if (args[i]->kind == NILAS_EXPR_STAR) {
            nilas_bound_expr **columns = NULL;
            nilas_str *column_names = NULL;
            size_t column_count = 0;
            NILAS_TRY(nilas_bind__expand_star(scope, args[i], &columns, &column_names,
                                              &column_count, err));
            for (size_t k = 0; k < column_count; k++) {
                NILAS_PUSH(binder->arena, &members, columns[k], err);
                NILAS_PUSH(binder->arena, &names, column_names[k], err);
            }
            continue;
        }
        nilas_bound_expr *member = NULL;
        nilas_str name = NILAS_STR_EMPTY;
        NILAS_TRY(nilas_bind__expr(scope, args[i], &member, err));
        NILAS_TRY(member_name(binder, args[i], member, members.count, &name, err));
        if (args[i]->kind == NILAS_EXPR_ALIAS && member->shown.data == NULL) {
            nilas_str text = nilas_bind__text(binder, member);
            NILAS_TRY(nilas_str_print(binder->arena, &member->shown, err, "%.*s AS %.*s",
                                      NILAS_FMT(text), NILAS_FMT(name)));
        }
        NILAS_PUSH(binder->arena, &members, member, err);
        NILAS_PUSH(binder->arena, &names, name, err);
    }
    return new_struct(binder, members.items, names.items, members.count, out, err);
}

static nilas_code bind_named_struct(nilas_bind_scope *scope, const nilas_expr *expr,
                                    nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    size_t count = expr->arg_count / 2;
    nilas_bound_expr **members = NULL;
    nilas_str *names = NULL;
    if (expr->arg_count % 2 != 0 || expr->arg_count == 0) {
        return nilas_fail_at(
            err, NILAS_INVALID, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", expr->offset,
            "The `named_struct` requires 2n (n > 0) parameters but the actual number is %zu. "
            "Please, refer to 'https://spark.apache.org/docs/latest/sql-ref-functions.html' "
            "for a fix.",
            expr->arg_count);
    }
    NILAS_NEW_ARRAY(binder->arena, &members, count, err);
    NILAS_NEW_ARRAY(binder->arena, &names, count, err);
    for (size_t i = 0; i < count; i++) {
        nilas_bound_expr *name = NULL;
        nilas_value value = NILAS_NULL_VALUE;
        NILAS_TRY(nilas_bind__expr(scope, expr->args[2 * i], &name, err));
        NILAS_TRY(nilas_bind__expr(scope, expr->args[2 * i + 1], &members[i], err));
        nilas_code code = nilas_bind__fold(binder, name, &value, err);
        if (code != NILAS_OK || value.kind != NILAS_VALUE_STRING) {
            nilas_str text = nilas_bind__text(binder, name);
            return nilas_fail_at(
                err, NILAS_INVALID, "DATATYPE_MISMATCH.CREATE_NAMED_STRUCT_WITHOUT_FOLDABLE_STRING",
                expr->offset,
                "Cannot resolve \"named_struct\" due to data type mismatch: Only foldable "
                "\"STRING\" "
                "expressions are allowed to appear at odd position, but they are [\"%.*s\"].",
                NILAS_FMT(text));
        }
        names[i] = value.text;
    }
    return new_struct(binder, members, names, count, out, err);
}

// ---- casts as functions, typeof, grouping ----------------------------------------------------

static const nilas_type *cast_function_type(nilas_str name) {
    static const struct {
        const char *name;
        nilas_type_kind kind;
    } casts[] = {{"boolean", NILAS_TYPE_BOOLEAN},   {"tinyint", NILAS_TYPE_TINYINT},
                 {"smallint", NILAS_TYPE_SMALLINT}, {"int", NILAS_TYPE_INT},
                 {"bigint", NILAS_TYPE_BIGINT},     {"float", NILAS_TYPE_FLOAT},
                 {"double", NILAS_TYPE_DOUBLE},     {"decimal", NILAS_TYPE_DECIMAL},
                 {"date", NILAS_TYPE_DATE},         {"timestamp", NILAS_TYPE_TIMESTAMP},
                 {"binary", NILAS_TYPE_BINARY},     {"string", NILAS_TYPE_STRING}};
    for (size_t i = 0; i < sizeof(casts) / sizeof(casts[0]); i++) {
        if (nilas_str_is(name, casts[i].name)) {
            return nilas_type_of(casts[i].kind);
        }
    }
    return NULL;
}

static nilas_code bind_cast_function(nilas_bind_scope *scope, const nilas_expr *expr,
                                     const nilas_type *type, nilas_bound_expr **out,
                                     nilas_error *err) {
    nilas_bound_expr *arg = NULL;
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &arg, err));
    nilas_str text = nilas_bind__text(scope->binder, arg);
    NILAS_TRY(nilas_bind__checked_cast(scope->binder, expr, arg, type, out, err));
    (*out)->implicit = true; // result columns show only what is cast
    (*out)->shown = text;
    return NILAS_OK;
}

static bool is_no_aggregate(void *context, const nilas_bound_expr *expr) {
    (void)context;
    return expr->kind != NILAS_BOUND_WINDOW &&
           (expr->kind != NILAS_BOUND_CALL || (expr->function->kind != NILAS_FUNCTION_AGGREGATE &&
                                               expr->function->kind != NILAS_FUNCTION_GENERATOR));
}

/**
 * A literal, unless there is an aggregate below: dropping it would change the rows of the query.
 */
static nilas_code bind_typeof(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr *arg = NULL;
    NILAS_AUTO_BUF type = {0};
    nilas_str type_text = NILAS_STR_EMPTY;
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &arg, err));
    nilas_type_print(&type, arg->type);
    NILAS_TRY(nilas_buf_finish(&type, binder->arena, &type_text, err));
    nilas_str text = nilas_bind__text(binder, arg);
    nilas_bound_expr *name = NULL;
    NILAS_TRY(nilas_bind__string_literal(binder, type_text, &name, err));
    if (!nilas_bind__visit(arg, is_no_aggregate, NULL)) {
        nilas_bound_expr *when[3] = {NULL, name, NULL};
        NILAS_TRY(nilas_bind__call(binder, "isnull", &arg, 1, expr->offset, &when[0], err));
        NILAS_TRY(nilas_bind__copy(binder->arena, name, &when[2], err));
        NILAS_TRY(nilas_bind__call(binder, "if", when, 3, expr->offset, &name, err));
    }
    NILAS_TRY(nilas_str_print(binder->arena, &name->shown, err, "typeof(%.*s)", NILAS_FMT(text)));
    *out = name;
    return NILAS_OK;
}

/** count(*) counts rows: it is count(1). count(DISTINCT *) counts different rows, so its star stays
 * a list of columns. */
static nilas_code bind_count_star(nilas_bind_scope *scope, const nilas_expr *expr,
                                  nilas_bound_expr **out, nilas_error *err) {
    const nilas_expr *star = expr->args[0];
    if (star->part_count > 0) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(4096);
        nilas_name_print(&name, star->parts, star->part_count);
        return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1021", star->offset,
                             "count(%.*s.*) is not allowed. Please use count(*) or expand the "
                             "columns manually, e.g. count(col1, col2).",
                             NILAS_FMT(nilas_buf_view(&name)));
    }
    if (expr->distinct) {
        return NILAS_OK;
    }
    nilas_expr one = {.kind = NILAS_EXPR_LITERAL,
                      .offset = expr->args[0]->offset,
                      .type = nilas_type_of(NILAS_TYPE_INT),
                      .value = nilas_value_of_int(1)};
    nilas_expr *args[1] = {&one};
    nilas_expr call = *expr;
    call.args = args;
    return nilas_bind__call_expr(scope, &call, out, err);
}

/** The file of a table's rows, when only one table is there; else *out stays NULL. */
static nilas_code bind_file_name(nilas_bind_scope *scope, nilas_bound_expr **out,
                                 nilas_error *err) {
    const nilas_scope_column *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < scope->column_count; i++) {
        const nilas_scope_column *column = &scope->columns[i];
        if (column->hidden && nilas_str_is(column->attribute.name, "_file")) {
            found = column;
            count++;
        }
    }
    if (count != 1) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_bind__column_ref(scope->binder, &found->attribute, out, err));
    (*out)->shown = NILAS_STR("input_file_name()");
    (*out)->name = NILAS_STR_EMPTY;
    return NILAS_OK;
}

/** Calls without arguments: the session's values, the file of a row, and now as a number. */
static nilas_code bind_without_arguments(nilas_bind_scope *scope, const nilas_expr *expr,
                                         nilas_str name, nilas_bound_expr **out, nilas_error *err) {
    if (nilas_str_is(name, "unix_timestamp")) {
        return unix_timestamp_now(scope->binder, expr->offset, out, err);
    }
    if (nilas_str_is(name, "input_file_name")) {
        return bind_file_name(scope, out, err);
    }
    return nilas_bind__session_value(scope, name, expr->offset, out, err);
}

/** nullif(a, b) is a unless a = b: it keeps the type of a. */
static nilas_code bind_nullif(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr **args = NULL;
    nilas_bound_expr *choice[3] = {NULL, NULL, NULL};
    NILAS_TRY(nilas_bind__exprs(scope, expr->args, 2, &args, err));
    nilas_str texts[2] = {nilas_bind__text(binder, args[0]), nilas_bind__text(binder, args[1])};
    NILAS_TRY(nilas_bind__copy(binder->arena, args[0], &choice[2], err));
    NILAS_TRY(nilas_bind__call(binder, "=", args, 2, expr->offset, &choice[0], err));
    nilas_value null = NILAS_NULL_VALUE;
    NILAS_TRY(nilas_bind__literal(binder, choice[2]->type, &null, &choice[1], err));
    NILAS_TRY(nilas_bind__call(binder, "if", choice, 3, expr->offset, out, err));
    return nilas_str_print(binder->arena, &(*out)->shown, err, "nullif(%.*s, %.*s)",
                           NILAS_FMT(texts[0]), NILAS_FMT(texts[1]));
}

/** A schema may be said by a constant expression, such as schema_of_json('…'). */
static nilas_code bind_from_text(nilas_bind_scope *scope, const nilas_expr *expr, const char *name,
                                 nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr **args = NULL;
    NILAS_TRY(nilas_bind__exprs(scope, expr->args, expr->arg_count, &args, err));
    nilas_str text = nilas_bind__text(binder, args[0]);
    if (args[1]->kind == NILAS_BOUND_CALL) {
        nilas_value schema = NILAS_NULL_VALUE;
        NILAS_TRY(nilas_bind__fold(binder, args[1], &schema, err));
        NILAS_TRY(nilas_bind__literal(binder, args[1]->type, &schema, &args[1], err));
    }
    NILAS_TRY(nilas_bind__call(binder, name, args, expr->arg_count, expr->offset, out, err));
    bool is_map = (*out)->type->kind == NILAS_TYPE_MAP; // Spark names it so
    return is_map ? nilas_str_print(binder->arena, &(*out)->shown, err, "entries")
                  : nilas_str_print(binder->arena, &(*out)->shown, err, "%s(%.*s)", name,
                                    NILAS_FMT(text));
}

/** The collation that a text was just given is a constant; *out stays NULL for all other texts. */
static nilas_code bind_collation(nilas_bind_scope *scope, const nilas_expr *expr,
                                 nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr *arg = NULL;
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &arg, err));
    bool collated = arg->kind == NILAS_BOUND_CALL && arg->arg_count == 2 &&
                    strcmp(arg->function->name, "collate") == 0 &&
                    nilas_bind__is_literal(arg->args[1]) &&
                    arg->args[1]->value.kind == NILAS_VALUE_STRING;
    if (!collated) {
        return NILAS_OK;
    }
    nilas_str name = NILAS_STR_EMPTY;
    nilas_str text = nilas_bind__text(binder, arg);
    NILAS_TRY(nilas_str_upper(binder->arena, arg->args[1]->value.text, &name, err));
    NILAS_TRY(nilas_str_print(binder->arena, &name, err, "SYSTEM.BUILTIN.%.*s", NILAS_FMT(name)));
    NILAS_TRY(nilas_bind__string_literal(binder, name, out, err));
    return nilas_str_print(binder->arena, &(*out)->shown, err, "collation(%.*s)", NILAS_FMT(text));
}

static nilas_code bind_struct(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr **out, nilas_error *err) {
    NILAS_TRY(nilas_bind__row(scope, expr->args, expr->arg_count, out, err));
    (*out)->name = NILAS_STR("struct");
    return NILAS_OK;
}

/** Calls whose name and number of arguments say enough; *out stays NULL for all others. */
static nilas_code bind_by_name(nilas_bind_scope *scope, const nilas_expr *expr, nilas_str name,
                               nilas_bound_expr **out, nilas_error *err) {
    bool reads_text = expr->arg_count == 2 || expr->arg_count == 3;
    if (nilas_str_is(name, "struct")) {
        return bind_struct(scope, expr, out, err);
    }
    if (nilas_str_is(name, "named_struct")) {
        return bind_named_struct(scope, expr, out, err);
    }
    if (reads_text && nilas_str_is(name, "from_json")) {
        return bind_from_text(scope, expr, "from_json", out, err);
    }
    if (reads_text && nilas_str_is(name, "from_csv")) {
        return bind_from_text(scope, expr, "from_csv", out, err);
    }
    if (expr->arg_count == 1 && nilas_str_is(name, "collation")) {
        return bind_collation(scope, expr, out, err);
    }
    return expr->arg_count == 2 && nilas_str_is(name, "nullif") ? bind_nullif(scope, expr, out, err)
                                                                : NILAS_OK;
}

nilas_code nilas_bind__special(nilas_bind_scope *scope, const nilas_expr *expr, nilas_str name,
                               nilas_bound_expr **out, nilas_error *err) {
    NILAS_TRY(nilas_bind__time_window_ref(scope, expr, out, err));
    if (*out != NULL || (expr->window != NULL && !nilas_str_is(name, "count"))) {
        return NILAS_OK;
    }
    if (expr->arg_count == 0) {
        return bind_without_arguments(scope, expr, name, out, err);
    }
    NILAS_TRY(bind_by_name(scope, expr, name, out, err));
    if (*out != NULL) {
        return NILAS_OK;
    }
    if (expr->arg_count != 1) {
        return NILAS_OK;
    }
    const nilas_expr *arg = expr->args[0];
    if (nilas_str_is(name, "count") && arg->kind == NILAS_EXPR_STAR) {
        return bind_count_star(scope, expr, out, err);
    }
    if (nilas_str_is(name, "typeof")) {
        return bind_typeof(scope, expr, out, err);
    }
    const nilas_type *type = cast_function_type(name);
    return type != NULL ? bind_cast_function(scope, expr, type, out, err) : NILAS_OK;
}

// ---- calls with a syntax of their own --------------------------------------------------------

static nilas_code bind_extract(nilas_bind_scope *scope, const nilas_expr *expr,
                               nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr *args[2] = {0};
    const char *name = nilas_function_exists(NILAS_STR("extract")) ? "extract" : "date_part";
    NILAS_TRY(nilas_bind__string_literal(binder, expr->parts[0], &args[0], err));
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &args[1], err));
    nilas_str text = nilas_bind__text(binder, args[1]);
    NILAS_TRY(nilas_bind__call(binder, name, args, 2, expr->offset, out, err));
    return nilas_str_print(binder->arena, &(*out)->shown, err, "extract(%.*s FROM %.*s)",
                           NILAS_FMT(expr->parts[0]), NILAS_FMT(text));
}

static nilas_code bind_trim(nilas_bind_scope *scope, const nilas_expr *expr,
                            nilas_bound_expr **args, nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_str side = expr->part_count > 0 ? expr->parts[0] : NILAS_STR("BOTH");
    bool is_leading = nilas_str_is_nocase(side, "LEADING");
    bool is_trailing = nilas_str_is_nocase(side, "TRAILING");
    if (expr->arg_count == 1) {
        const char *name = is_leading ? "ltrim" : is_trailing ? "rtrim" : "trim";
        return nilas_bind__call(binder, name, args, 1, expr->offset, out, err);
    }
    nilas_str source = nilas_bind__text(binder, args[0]);
    nilas_str characters = nilas_bind__text(binder, args[1]);
    nilas_bound_expr *swapped[2] = {
        args[1], args[0]}; // ltrim(characters, source), btrim(source, characters)
    const char *name = is_leading ? "ltrim" : is_trailing ? "rtrim" : "btrim";
    bool is_both = !is_leading && !is_trailing;
    NILAS_TRY(nilas_bind__call(binder, name, is_both ? args : swapped, 2, expr->offset, out, err));
    return nilas_str_print(binder->arena, &(*out)->shown, err, "TRIM(%s %.*s FROM %.*s)",
                           is_leading    ? "LEADING"
                           : is_trailing ? "TRAILING"
                                         : "BOTH",
                           NILAS_FMT(characters), NILAS_FMT(source));
}

nilas_code nilas_bind__syntax_call(nilas_bind_scope *scope, const nilas_expr *expr,
                                   nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr **args = NULL;
    if (expr->kind == NILAS_EXPR_EXTRACT) {
        return bind_extract(scope, expr, out, err);
    }
    NILAS_TRY(nilas_bind__exprs(scope, expr->args, expr->arg_count, &args, err));
    if (expr->kind == NILAS_EXPR_TRIM) {
        return bind_trim(scope, expr, args, out, err);
    }
    const char *name = expr->kind == NILAS_EXPR_POSITION    ? "locate"
                       : expr->kind == NILAS_EXPR_SUBSTRING ? "substring"
                                                            : "overlay";
    return nilas_bind__call(scope->binder, name, args, expr->arg_count, expr->offset, out, err);
}
