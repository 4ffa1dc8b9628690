/*
 * Bound expressions as DuckDB SQL. Operators are functions too: their templates come from the
 * function room.
 */
#include "engine/cast.h"
#include "engine/ordered.h"
#include "engine/render.h"
#include "engine/template.h"

int32_t nilas_render__number(nilas_render *r) {
    return ++r->job->alias_count;
}

nilas_code nilas_render__expr_text(nilas_render *r, const nilas_bound_expr *expr, nilas_str *out,
                                   nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    NILAS_TRY(nilas_render__expr(r, &text, expr, err));
    return nilas_buf_finish(&text, r->stmt, out, err);
}

static nilas_code render_cast(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                              nilas_error *err) {
    nilas_str inner;
    NILAS_TRY(nilas_render__expr_text(r, expr->args[0], &inner, err));
    return expr->by_name ? nilas_engine__print_store_cast(out, expr->args[0]->type, expr->type,
                                                          expr->cast_mode, inner, err)
                         : nilas_engine__print_cast(out, expr->args[0]->type, expr->type,
                                                    expr->cast_mode, inner, err);
}

static nilas_code render_case(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                              nilas_error *err) {
    size_t pairs = (expr->arg_count - (expr->has_else ? 1 : 0)) / 2;
    nilas_buf_add_text(out, "CASE");
    for (size_t i = 0; i < pairs; i++) {
        nilas_buf_add_text(out, " WHEN ");
        NILAS_TRY(nilas_render__expr(r, out, expr->args[2 * i], err));
        nilas_buf_add_text(out, " THEN ");
        NILAS_TRY(nilas_render__expr(r, out, expr->args[2 * i + 1], err));
    }
    if (expr->has_else) {
        nilas_buf_add_text(out, " ELSE ");
        NILAS_TRY(nilas_render__expr(r, out, expr->args[expr->arg_count - 1], err));
    }
    nilas_buf_add_text(out, " END");
    return NILAS_OK;
}

static nilas_code render_struct(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                nilas_error *err) {
    nilas_assert(expr->type->kind == NILAS_TYPE_STRUCT &&
                 expr->type->field_count == expr->arg_count);
    if (expr->arg_count == 0) {
        nilas_buf_add_text(out, "0"); // struct<> has no carrier: any value that is not null
        return NILAS_OK;
    }
    nilas_buf_add_text(out, "struct_pack(");
    for (size_t i = 0; i < expr->arg_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_render__identifier(out, expr->type->fields[i].name);
        nilas_buf_add_text(out, " := ");
        NILAS_TRY(nilas_render__expr(r, out, expr->args[i], err));
    }
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code render_lambda(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                nilas_error *err) {
    nilas_buf_add_text(out, "lambda ");
    for (size_t i = 0; i < expr->parameter_count; i++) {
        nilas_buf_print(out, "%sc%d", i > 0 ? ", " : "", expr->parameter_ids[i]);
    }
    nilas_buf_add_text(out, ": ");
    return nilas_render__expr(r, out, expr->args[0], err);
}

static nilas_code render_subselect(nilas_render *r, nilas_buf *out, const char *before,
                                   const nilas_plan *plan, nilas_error *err) {
    nilas_buf_add_text(out, before);
    nilas_buf_add_char(out, '(');
    NILAS_TRY(nilas_render__plan(r, out, plan, err));
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

/** "a = c1 AND b = c2" between the values of an IN and the outputs of its query. */
static nilas_code render_row_equality(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                      nilas_error *err) {
    nilas_assert(expr->arg_count == expr->plan->output_count);
    for (size_t i = 0; i < expr->arg_count; i++) {
        nilas_buf_add_text(out, i > 0 ? " AND " : "");
        NILAS_TRY(nilas_render__expr(r, out, expr->args[i], err));
        nilas_buf_print(out, " = c%d", expr->plan->outputs[i].id);
    }
    return NILAS_OK;
}

static nilas_code render_in_as_exists(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                      nilas_error *err) {
    NILAS_TRY(render_subselect(r, out, "EXISTS (SELECT 1 FROM ", expr->plan, err));
    nilas_buf_print(out, " AS t%d WHERE ", nilas_render__number(r));
    NILAS_TRY(render_row_equality(r, out, expr, err));
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

/** Null-aware: true if some row is equal, else null if some comparison is null, else false. */
static nilas_code render_in_rows(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                 nilas_error *err) {
    int32_t inner = nilas_render__number(r);
    nilas_buf_print(out,
                    "(SELECT CASE WHEN bool_or(m%d) THEN true WHEN bool_or(m%d IS NULL) THEN NULL "
                    "ELSE false END FROM (SELECT (",
                    inner, inner);
    NILAS_TRY(render_row_equality(r, out, expr, err));
    nilas_buf_print(out, ") AS m%d FROM ", inner);
    NILAS_TRY(render_subselect(r, out, "", expr->plan, err));
    nilas_buf_print(out, " AS t%d) AS t%d)", nilas_render__number(r), nilas_render__number(r));
    return NILAS_OK;
}

static bool row_in_is_never_null(const nilas_bound_expr *expr) {
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (expr->args[i]->nullable || expr->plan->outputs[i].nullable) {
            return false;
        }
    }
    return true;
}

static nilas_code render_in_query(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                  nilas_error *err) {
    if (expr->arg_count > 1) {
        return row_in_is_never_null(expr) ? render_in_as_exists(r, out, expr, err)
                                          : render_in_rows(r, out, expr, err);
    }
    NILAS_TRY(nilas_render__expr(r, out, expr->args[0], err));
    return render_subselect(r, out, " IN ", expr->plan, err);
}

static nilas_code render_field(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                               nilas_error *err) {
    nilas_buf_add_text(out, "struct_extract_at(");
    NILAS_TRY(nilas_render__expr(r, out, expr->args[0], err));
    nilas_buf_print(out, ", %d)", expr->index + 1);
    return NILAS_OK;
}

/** Spark compares structs member by member with null as the smallest; DuckDB puts a null member
 * last: so the members are sorted one after the other. */
static void print_sort_term(nilas_buf *out, nilas_str sql, const nilas_type *type, bool descending,
                            bool nulls_first) {
    if (type->kind != NILAS_TYPE_STRUCT || type->field_count == 0) {
        nilas_engine__print_sort_value(out, sql, type);
        nilas_buf_print(out, " %s NULLS %s", descending ? "DESC" : "ASC",
                        nulls_first ? "FIRST" : "LAST");
        return;
    }
    nilas_buf_print(out, "(%.*s IS NULL) %s", NILAS_FMT(sql), nulls_first ? "DESC" : "ASC");
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_AUTO_BUF member = NILAS_BUF_INIT(0);
        nilas_buf_print(&member, "struct_extract_at(%.*s, %zu)", NILAS_FMT(sql), i + 1);
        nilas_buf_add_text(out, ", ");
        print_sort_term(out, nilas_buf_view(&member), type->fields[i].type, descending,
                        !descending);
    }
}

static nilas_code render_sort_key(nilas_render *r, nilas_buf *out, const nilas_bound_expr *key,
                                  nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    NILAS_TRY(nilas_render__expr(r, &sql, key->args[0], err));
    NILAS_TRY(nilas_buf_check(&sql, err));
    print_sort_term(out, nilas_buf_view(&sql), key->args[0]->type, key->descending,
                    key->nulls_first);
    return NILAS_OK;
}

nilas_code nilas_render__sort_keys(nilas_render *r, nilas_buf *out, nilas_bound_expr *const *keys,
                                   size_t count, size_t *out_printed, nilas_error *err) {
    size_t printed = 0;
    for (size_t i = 0; i < count; i++) {
        nilas_assert(keys[i]->kind == NILAS_BOUND_SORT);
        if (keys[i]->args[0]->kind == NILAS_BOUND_LITERAL) {
            continue;
        }
        nilas_buf_add_text(out, printed > 0 ? ", " : "");
        NILAS_TRY(render_sort_key(r, out, keys[i], err));
        printed++;
    }
    *out_printed = printed;
    return NILAS_OK;
}

static nilas_code render_kind(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                              nilas_error *err) {
    switch (expr->kind) {
    case NILAS_BOUND_LITERAL: nilas_render__literal(out, expr->type, &expr->value); return NILAS_OK;
    case NILAS_BOUND_COLUMN:
    case NILAS_BOUND_PARAMETER: nilas_buf_print(out, "c%d", expr->attribute_id); return NILAS_OK;
    case NILAS_BOUND_CALL: return nilas_render__call(r, out, expr, err);
    case NILAS_BOUND_WINDOW: return nilas_render__window(r, out, expr, err);
    case NILAS_BOUND_CAST: return render_cast(r, out, expr, err);
    case NILAS_BOUND_CASE: return render_case(r, out, expr, err);
    case NILAS_BOUND_FIELD: return render_field(r, out, expr, err);
    case NILAS_BOUND_STRUCT: return render_struct(r, out, expr, err);
    case NILAS_BOUND_LAMBDA: return render_lambda(r, out, expr, err);
    case NILAS_BOUND_SUBQUERY: return render_subselect(r, out, "", expr->plan, err);
    case NILAS_BOUND_EXISTS: return render_subselect(r, out, "EXISTS ", expr->plan, err);
    case NILAS_BOUND_IN_QUERY: return render_in_query(r, out, expr, err);
    case NILAS_BOUND_SORT: return render_sort_key(r, out, expr, err);
    }
    nilas_assert_failed("a kind of bound expression that is known", __FILE__, __LINE__);
}

/** Kinds whose text needs no parentheses of its own. */
static bool is_closed(nilas_bound_kind kind) {
    switch (kind) {
    case NILAS_BOUND_CASE:
    case NILAS_BOUND_IN_QUERY:
    case NILAS_BOUND_CALL:
    case NILAS_BOUND_WINDOW:
    case NILAS_BOUND_CAST: return false;
    default: return true;
    }
}

nilas_code nilas_render__expr(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                              nilas_error *err) {
    NILAS_REQUIRE(r->depth < 4 * NILAS_LIMIT_SQL_DEPTH, err, NILAS_LIMIT,
                  "the expression is nested too deeply");
    r->depth++;
    bool closed = is_closed(expr->kind);
    if (!closed) {
        nilas_buf_add_char(out, '(');
    }
    NILAS_TRY(render_kind(r, out, expr, err));
    if (!closed) {
        nilas_buf_add_char(out, ')');
    }
    r->depth--;
    return NILAS_OK;
}

static bool is_and(const nilas_bound_expr *expr) {
    return expr->kind == NILAS_BOUND_CALL && expr->arg_count == 2 &&
           strcmp(expr->function->name, "and") == 0;
}

nilas_code nilas_render__condition(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                   nilas_error *err) {
    if (is_and(expr)) {
        r->depth++;
        NILAS_REQUIRE(r->depth < 4 * NILAS_LIMIT_SQL_DEPTH, err, NILAS_LIMIT,
                      "the condition is nested too deeply");
        NILAS_TRY(nilas_render__condition(r, out, expr->args[0], err));
        nilas_buf_add_text(out, " AND ");
        NILAS_TRY(nilas_render__condition(r, out, expr->args[1], err));
        r->depth--;
        return NILAS_OK;
    }
    if (expr->kind == NILAS_BOUND_IN_QUERY && expr->arg_count > 1) {
        return render_in_as_exists(r, out, expr, err);
    }
    return nilas_render__expr(r, out, expr, err);
}
