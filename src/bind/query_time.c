/**
 * window() and session_window(): windows of time that a SELECT puts its rows into. The SELECT gets
 * one column more below it, named as the function; wherever the call stands it means that column.
 *
 * window() gives each row the windows that its time falls into, as a generator. session_window()
 * finds where the gap before a row is too long, numbers the sessions of each group and takes the
 * first and last time of each: three selects below, each with one column more.
 */
#include "bind/expr.h"
#include "bind/query.h"

static bool is_time_window(const nilas_expr *expr) {
    return expr->kind == NILAS_EXPR_CALL && expr->part_count == 1 && expr->window == NULL &&
           (nilas_str_is_nocase(expr->parts[0], "window") ||
            nilas_str_is_nocase(expr->parts[0], "session_window"));
}

typedef struct search {
    const nilas_expr *first, *other; // a call, and another one that is not equal to it
} search;

static bool visit(void *context, nilas_expr *expr) {
    search *found = context;
    if (!is_time_window(expr)) {
        return true;
    }
    if (found->first == NULL) {
        found->first = expr;
    } else if (!nilas_expr_equal(found->first, expr)) {
        found->other = expr;
    }
    return true;
}

static void look_through(nilas_expr *const *exprs, size_t count, search *found) {
    for (size_t i = 0; i < count; i++) {
        (void)nilas_expr_walk(exprs[i], visit, found);
    }
}

/* --- durations --- */

static nilas_code fail_duration(const nilas_expr *call, const char *why, nilas_error *err) {
    return nilas_fail_at(err, NILAS_INVALID, "CANNOT_PARSE_INTERVAL", call->offset,
                         "Unable to parse the durations of `%.*s`: %s. Please, ensure that the "
                         "value provided is in a valid format for defining an interval.",
                         NILAS_FMT(call->parts[0]), why);
}

/** Microseconds of a constant: a text ("10 minutes") or an interval. */
static nilas_code duration_of(nilas_bind_scope *scope, const nilas_expr *call, size_t index,
                              int64_t *out, nilas_error *err) {
    nilas_bound_expr *bound = NULL;
    nilas_value value = NILAS_NULL_VALUE;
    NILAS_TRY(nilas_bind__expr(scope, call->args[index], &bound, err));
    NILAS_REQUIRE(nilas_bind__is_literal(bound), err, NILAS_UNSUPPORTED,
                  "%.*s() with a duration that is no constant is not supported",
                  NILAS_FMT(call->parts[0]));
    value = bound->value;
    if (value.kind == NILAS_VALUE_STRING) {
        if (nilas_bind__interval_text(scope, value.text, call->offset, &bound, err) != NILAS_OK) {
            return fail_duration(call, "they are no intervals", err);
        }
        value = bound->value;
    }
    if (bound->type->kind != NILAS_TYPE_INTERVAL_DAY_TIME || value.kind != NILAS_VALUE_INT) {
        return fail_duration(call, "intervals of months are not supported", err);
    }
    *out = value.integer;
    return NILAS_OK;
}

static nilas_code fail_constraint(const nilas_expr *call, const char *left, const char *right,
                                  nilas_error *err) {
    const char *condition = strcmp(right, "> 0") == 0
                                ? "DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE"
                                : "DATATYPE_MISMATCH.PARAMETER_CONSTRAINT_VIOLATION";
    return nilas_fail_at(err, NILAS_INVALID, condition, call->offset,
                         "Cannot resolve \"window\" due to data type mismatch: The %s must be %s.",
                         left, right);
}

/** Size, slide and start of a window(). */
static nilas_code durations_of(nilas_bind_scope *scope, const nilas_expr *call, int64_t out[3],
                               nilas_error *err) {
    NILAS_TRY(duration_of(scope, call, 1, &out[0], err));
    out[1] = out[0];
    out[2] = 0;
    for (size_t i = 2; i < call->arg_count; i++) {
        NILAS_TRY(duration_of(scope, call, i, &out[i - 1], err));
    }
    if (out[0] <= 0) {
        return fail_constraint(call, "`window_duration`", "> 0", err);
    }
    if (out[1] <= 0) {
        return fail_constraint(call, "`slide_duration`", "> 0", err);
    }
    if (out[1] > out[0]) {
        return fail_constraint(call, "`slide_duration`", "<= the `window_duration`", err);
    }
    if (out[2] >= out[1] || out[2] <= -out[1]) {
        return fail_constraint(call, "`abs(start_time)`", "< the `slide_duration`", err);
    }
    return NILAS_OK;
}

/* --- window() --- */

static nilas_code add_windows(nilas_binder *binder, nilas_bind_scope *scope, const nilas_expr *call,
                              nilas_bound_relation *from, nilas_error *err) {
    nilas_bound_expr *args[4] = {0};
    int64_t durations[3];
    nilas_bound_expr *generator = NULL;
    size_t first = 0;
    if (call->arg_count < 2 || call->arg_count > 4) {
        return nilas_fail_at(
            err, NILAS_INVALID, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", call->offset,
            "The `window` requires [2, 3, 4] parameters but the actual number is %zu. Please, "
            "refer to 'https://spark.apache.org/docs/latest/sql-ref-functions.html' for a fix.",
            call->arg_count);
    }
    NILAS_TRY(nilas_bind__expr(scope, call->args[0], &args[0], err));
    NILAS_TRY(durations_of(scope, call, durations, err));
    for (size_t i = 0; i < 3; i++) {
        nilas_value value = nilas_value_of_int(durations[i]);
        NILAS_TRY(nilas_bind__literal(binder, nilas_type_of(NILAS_TYPE_BIGINT), &value,
                                      &args[i + 1], err));
    }
    NILAS_TRY(nilas_bind__call(binder, "window", args, 4, call->offset, &generator, err));
    return nilas_bind__generate(binder, from, generator, false, NULL, 0, call->offset, &first, err);
}

/* --- session_window(): trees of the selects below --- */

typedef struct builder {
    nilas_binder *binder;
    nilas_bind_scope *outer;
    const nilas_expr *call;
    int64_t gap_micros;
    nilas_expr **keys; // of the groups, beside the session
    size_t key_count;
    nilas_error *err;
} builder;

static nilas_expr *node(builder *b, nilas_expr_kind kind, size_t count) {
    nilas_expr *out = NULL;
    if (nilas_expr_new(b->binder->arena, kind, b->call->offset, &out, b->err) != NILAS_OK) {
        return NULL;
    }
    if (nilas_arena_alloc_array(b->binder->arena, count + 1, sizeof(nilas_expr *),
                                (void **)&out->args, b->err) != NILAS_OK ||
        nilas_arena_alloc_array(b->binder->arena, 1, sizeof(nilas_str), (void **)&out->parts,
                                b->err) != NILAS_OK) {
        return NULL;
    }
    out->arg_count = count;
    return out;
}

/** A node with a name and up to two operands; NULL when out of memory, as are all that take it. */
static nilas_expr *named(builder *b, nilas_expr_kind kind, const char *name, nilas_expr *first,
                         nilas_expr *second) {
    size_t count = second != NULL ? 2 : first != NULL ? 1 : 0;
    nilas_expr *out = node(b, kind, count);
    if (out != NULL) {
        out->parts[0] = nilas_str_of(name);
        out->part_count = 1;
        out->args[0] = first;
        if (second != NULL) {
            out->args[1] = second;
        }
    }
    return out;
}

static nilas_expr *column(builder *b, const char *name) {
    return named(b, NILAS_EXPR_COLUMN, name, NULL, NULL);
}

static nilas_expr *binary(builder *b, nilas_operator op, nilas_expr *left, nilas_expr *right) {
    nilas_expr *out = node(b, NILAS_EXPR_BINARY, 2);
    if (out != NULL) {
        out->op = op;
        out->args[0] = left;
        out->args[1] = right;
    }
    return out;
}

static nilas_expr *literal(builder *b, const nilas_type *type, int64_t value) {
    nilas_expr *out = node(b, NILAS_EXPR_LITERAL, 0);
    if (out != NULL) {
        out->type = type;
        out->value = nilas_value_of_int(value);
    }
    return out;
}

static nilas_expr *later(builder *b, nilas_expr *time) {
    return binary(b, NILAS_OP_ADD, time,
                  literal(b, nilas_type_of(NILAS_TYPE_INTERVAL_DAY_TIME), b->gap_micros));
}

#define TIME    "_session_time"
#define BEGINS  "_session_begins"
#define SESSION "_session_number"

/** name(argument) OVER (PARTITION BY keys [, number] [ORDER BY time]). */
static nilas_expr *over(builder *b, const char *name, const char *argument, bool in_session,
                        bool running) {
    nilas_expr *out = named(b, NILAS_EXPR_CALL, name, column(b, argument), NULL);
    nilas_window *window = NULL;
    void *memory = NULL;
    if (out == NULL ||
        nilas_arena_alloc(b->binder->arena, sizeof(*window), &memory, b->err) != NILAS_OK) {
        return NULL;
    }
    window = memory;
    if (nilas_arena_alloc_array(b->binder->arena, b->key_count + 2, sizeof(nilas_expr *), &memory,
                                b->err) != NILAS_OK) {
        return NULL;
    }
    window->partition_by = memory;
    nilas_copy(window->partition_by, b->keys, b->key_count * sizeof(nilas_expr *));
    window->partition_by_count = b->key_count;
    if (in_session) {
        window->partition_by[window->partition_by_count++] = column(b, SESSION);
    }
    if (running) {
        window->order_by = window->partition_by + window->partition_by_count;
        window->order_by[0] = named(b, NILAS_EXPR_SORT, "", column(b, TIME), NULL);
        window->order_by_count = 1;
        window->has_frame = !nilas_str_is(out->parts[0], "lag");
        window->start.kind = NILAS_FRAME_UNBOUNDED_PRECEDING;
        window->end.kind = NILAS_FRAME_CURRENT_ROW;
    }
    out->window = window;
    return out;
}

/** SELECT *, expr AS name FROM …; the new column stays out of `*`. */
static nilas_code add_column(builder *b, nilas_bound_relation *from, nilas_expr *expr,
                             const char *name) {
    nilas_expr *exprs[2] = {named(b, NILAS_EXPR_STAR, "", NULL, NULL),
                            named(b, NILAS_EXPR_ALIAS, name, expr, NULL)};
    if (exprs[0] == NULL || exprs[1] == NULL || expr == NULL) {
        return NILAS_NOMEM;
    }
    exprs[0]->part_count = 0;
    for (size_t i = 0; i < from->column_count; i++) {
        bool ours = nilas_str_starts(from->columns[i].attribute.name, NILAS_STR("_session_"));
        from->columns[i].hidden = from->columns[i].hidden && !ours; // `*` passes ours on
    }
    nilas_select select = {
        .from = *from, .exprs = exprs, .expr_count = 2, .offset = b->call->offset};
    NILAS_TRY(nilas_bind__select(b->binder, b->outer, &select, from, b->err));
    for (size_t i = 0; i < from->column_count; i++) {
        bool ours = nilas_str_starts(from->columns[i].attribute.name, NILAS_STR("_session_"));
        from->columns[i].hidden = from->columns[i].hidden || ours;
    }
    return NILAS_OK;
}

static nilas_code type_of(builder *b, const nilas_bound_relation *from, const nilas_expr *expr,
                          const nilas_type **out) {
    nilas_bind_scope scope;
    nilas_bound_expr *bound = NULL;
    nilas_bind__scope_of(&scope, b->binder, from, b->outer, "SELECT");
    NILAS_TRY(nilas_bind__expr(&scope, expr, &bound, b->err));
    *out = bound->type;
    return NILAS_OK;
}

static nilas_code keep_times(builder *b, nilas_bound_relation *from) {
    nilas_bind_scope scope;
    nilas_bound_expr *condition = NULL;
    nilas_plan *plan = NULL;
    nilas_expr *given = node(b, NILAS_EXPR_IS, 1);
    NILAS_REQUIRE(given != NULL, b->err, NILAS_NOMEM, "out of memory");
    given->op = NILAS_OP_IS_NULL;
    given->negated = true;
    given->args[0] = column(b, TIME);
    nilas_bind__scope_of(&scope, b->binder, from, b->outer, "SELECT");
    NILAS_TRY(nilas_bind__condition(&scope, given, &condition, b->err));
    NILAS_TRY(nilas_bind__plan(b->binder, NILAS_PLAN_FILTER, from->plan, &plan, b->err));
    plan->condition = condition;
    from->plan = plan;
    return NILAS_OK;
}

/** struct(first AS start, last + gap AS end) */
static nilas_expr *session_of(builder *b, nilas_expr *first, nilas_expr *last) {
    return named(b, NILAS_EXPR_CALL, "struct", named(b, NILAS_EXPR_ALIAS, "start", first, NULL),
                 named(b, NILAS_EXPR_ALIAS, "end", later(b, last), NULL));
}

static nilas_code add_sessions(builder *b, nilas_bound_relation *from, bool grouped) {
    nilas_expr *time = b->call->args[0];
    const nilas_type *type = NULL;
    NILAS_TRY(type_of(b, from, time, &type));
    bool is_time = type->kind == NILAS_TYPE_TIMESTAMP || type->kind == NILAS_TYPE_TIMESTAMP_NTZ;
    if (nilas_type_is_string(type) || type->kind == NILAS_TYPE_DATE) {
        time = named(b, NILAS_EXPR_CALL, "timestamp", time, NULL);
        is_time = true;
    }
    if (!is_time) {
        return nilas_fail_at(b->err, NILAS_INVALID, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
                             b->call->offset,
                             "Cannot resolve \"session_window\" due to data type mismatch: The "
                             "first parameter requires the \"TIMESTAMP\" type.");
    }
    NILAS_TRY(add_column(b, from, time, TIME));
    NILAS_TRY(keep_times(b, from));
    if (!grouped) { // a session for each row
        return add_column(b, from, session_of(b, column(b, TIME), column(b, TIME)),
                          "session_window");
    }
    // within the gap behind the row before: the same session
    nilas_expr *begins = node(b, NILAS_EXPR_CASE, 3);
    NILAS_REQUIRE(begins != NULL, b->err, NILAS_NOMEM, "out of memory");
    begins->has_else = true;
    begins->args[0] =
        binary(b, NILAS_OP_LT_EQ, column(b, TIME), later(b, over(b, "lag", TIME, false, true)));
    begins->args[1] = literal(b, nilas_type_of(NILAS_TYPE_INT), 0);
    begins->args[2] = literal(b, nilas_type_of(NILAS_TYPE_INT), 1);
    NILAS_TRY(add_column(b, from, begins, BEGINS));
    NILAS_TRY(add_column(b, from, over(b, "sum", BEGINS, false, true), SESSION));
    return add_column(
        b, from,
        session_of(b, over(b, "min", TIME, true, false), over(b, "max", TIME, true, false)),
        "session_window");
}

/** What a group is: an expression, or the number of an item of the list. */
static nilas_expr *group_of(const nilas_select *select, nilas_expr *group) {
    bool number = group->kind == NILAS_EXPR_LITERAL && group->value.kind == NILAS_VALUE_INT;
    if (!number || group->value.integer < 1 ||
        (uint64_t)group->value.integer > select->expr_count) {
        return group;
    }
    nilas_expr *item = select->exprs[group->value.integer - 1];
    return item->kind == NILAS_EXPR_ALIAS ? item->args[0] : item;
}

/** The groups beside the session. */
static nilas_code find_keys(builder *b, const nilas_select *select) {
    const nilas_group_by *group = select->group_by;
    bool plain =
        !group->all && !group->with_cube && !group->with_rollup && group->grouping_sets == NULL;
    NILAS_NEW_ARRAY(b->binder->arena, &b->keys, group->expr_count, b->err);
    for (size_t i = 0; i < group->expr_count; i++) {
        nilas_expr *key = group_of(select, group->exprs[i]);
        plain = plain && key->kind != NILAS_EXPR_ROLLUP && key->kind != NILAS_EXPR_CUBE &&
                key->kind != NILAS_EXPR_GROUPING_SETS && key->kind != NILAS_EXPR_STAR;
        if (!is_time_window(key)) {
            b->keys[b->key_count++] = key;
        }
    }
    NILAS_REQUIRE(plain, b->err, NILAS_UNSUPPORTED,
                  "session_window() with ALL, ROLLUP, CUBE or GROUPING SETS is not supported");
    return NILAS_OK;
}

static nilas_code add_session_window(nilas_binder *binder, nilas_bind_scope *scope,
                                     const nilas_expr *call, nilas_select *select,
                                     nilas_error *err) {
    builder b = {.binder = binder, .outer = scope->outer, .call = call, .err = err};
    if (call->arg_count != 2) {
        return nilas_fail_at(
            err, NILAS_INVALID, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", call->offset,
            "The `session_window` requires 2 parameters but the actual number is %zu. Please, "
            "refer to 'https://spark.apache.org/docs/latest/sql-ref-functions.html' for a fix.",
            call->arg_count);
    }
    bool grouped = select->group_by != NULL && select->group_by->present;
    NILAS_TRY(duration_of(scope, call, 1, &b.gap_micros, err));
    if (grouped) {
        NILAS_TRY(find_keys(&b, select));
    }
    return add_sessions(&b, &select->from, grouped);
}

nilas_code nilas_bind__time_window(nilas_binder *binder, nilas_bind_scope *outer,
                                   nilas_select *select, nilas_time_window *out, nilas_error *err) {
    search found = {0};
    look_through(select->exprs, select->expr_count, &found);
    if (select->group_by != NULL) {
        look_through(select->group_by->exprs, select->group_by->expr_count, &found);
    }
    if (select->having != NULL) {
        (void)nilas_expr_walk((nilas_expr *)select->having, visit, &found);
    }
    *out = (nilas_time_window){.call = found.first};
    if (found.first == NULL) {
        return NILAS_OK;
    }
    if (found.other != NULL) {
        return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1039", found.other->offset,
                             "Multiple time/session window expressions would result in a cartesian "
                             "product of rows, therefore they are currently not supported.");
    }
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, &select->from, outer, "SELECT");
    scope.no_aggregates = scope.no_windows = scope.no_generators = true;
    bool is_session = nilas_str_is_nocase(found.first->parts[0], "session_window");
    NILAS_TRY(is_session ? add_session_window(binder, &scope, found.first, select, err)
                         : add_windows(binder, &scope, found.first, &select->from, err));
    nilas_scope_column *column_of_window = &select->from.columns[select->from.column_count - 1];
    column_of_window->hidden = true;
    out->attribute = column_of_window->attribute;
    return NILAS_OK;
}

nilas_code nilas_bind__time_window_ref(nilas_bind_scope *scope, const nilas_expr *expr,
                                       nilas_bound_expr **out, nilas_error *err) {
    *out = NULL;
    for (const nilas_bind_scope *at = scope; at != NULL && is_time_window(expr);
         at = at->fallback) {
        if (at->time_window != NULL && at->time_window->call != NULL &&
            nilas_expr_equal(at->time_window->call, expr)) {
            return nilas_bind__column_ref(scope->binder, &at->time_window->attribute, out, err);
        }
    }
    if (is_time_window(expr)) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, NULL, expr->offset,
                             "%.*s() is supported in the select list, GROUP BY and HAVING",
                             NILAS_FMT(expr->parts[0]));
    }
    return NILAS_OK;
}
