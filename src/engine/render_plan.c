/*
 * Plans as nested SELECTs, one function a kind. To add a kind: a function here and a line in
 * render_kind().
 */
#include "engine/local.h"
#include "engine/template.h"

/** "c1, c2", or the placeholder when there is no output. */
static void print_outputs(nilas_buf *out, const nilas_plan *plan) {
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_print(out, "%sc%d", i > 0 ? ", " : "", plan->outputs[i].id);
    }
    if (plan->output_count == 0) {
        nilas_buf_add_text(out, "NULL AS \"_\"");
    }
}

/** "(SELECT …) AS t7". */
static nilas_code render_input(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                               nilas_error *err) {
    nilas_assert(plan != NULL);
    nilas_buf_add_char(out, '(');
    NILAS_TRY(nilas_render__plan(r, out, plan, err));
    nilas_buf_print(out, ") AS t%d", nilas_render__number(r));
    return NILAS_OK;
}

static nilas_code render_expr_as(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                 int32_t id, nilas_error *err) {
    NILAS_TRY(nilas_render__expr(r, out, expr, err));
    nilas_buf_print(out, " AS c%d", id);
    return NILAS_OK;
}

static bool is_float(const nilas_type *type) {
    return type->kind == NILAS_TYPE_FLOAT || type->kind == NILAS_TYPE_DOUBLE;
}

/** Spark groups -0.0 with 0.0 and shows 0.0; adding zero makes it so. */
static nilas_code render_key(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                             nilas_error *err) {
    bool normalize = is_float(expr->type);
    nilas_buf_add_text(out, normalize ? "(" : "");
    NILAS_TRY(nilas_render__expr(r, out, expr, err));
    if (normalize) {
        nilas_buf_add_text(out, expr->type->kind == NILAS_TYPE_FLOAT ? " + CAST(0 AS FLOAT))"
                                                                     : " + CAST(0 AS DOUBLE))");
    }
    return NILAS_OK;
}

/** Outputs by name, floats normalized: for DISTINCT and set operations. */
static void print_normalized_outputs(nilas_buf *out, const nilas_plan *plan) {
    for (size_t i = 0; i < plan->output_count; i++) {
        const nilas_attribute *attribute = &plan->outputs[i];
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (is_float(attribute->type)) {
            nilas_buf_print(out, "c%d + CAST(0 AS %s) AS c%d", attribute->id,
                            attribute->type->kind == NILAS_TYPE_FLOAT ? "FLOAT" : "DOUBLE",
                            attribute->id);
        } else {
            nilas_buf_print(out, "c%d", attribute->id);
        }
    }
    if (plan->output_count == 0) {
        nilas_buf_add_text(out, "NULL AS \"_\"");
    }
}

void nilas_render__no_rows(nilas_buf *out, const nilas_plan *plan) {
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", CAST(NULL AS " : "CAST(NULL AS ");
        nilas_render__type(out, plan->outputs[i].type);
        nilas_buf_print(out, ") AS c%d", plan->outputs[i].id);
    }
    nilas_buf_add_text(out, plan->output_count == 0 ? "NULL AS \"_\" WHERE false" : " WHERE false");
}

static nilas_code render_values(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                nilas_error *err) {
    nilas_assert(plan->expr_count == plan->row_count * plan->output_count);
    if (plan->row_count == 0 || plan->output_count == 0) {
        nilas_render__no_rows(out, plan);
        return NILAS_OK;
    }
    nilas_buf_add_text(out, "SELECT * FROM (VALUES ");
    for (size_t i = 0; i < plan->expr_count; i++) {
        bool starts_row = i % plan->output_count == 0;
        nilas_buf_add_text(out, !starts_row ? ", " : i == 0 ? "(" : "), (");
        NILAS_TRY(nilas_render__expr(r, out, plan->exprs[i], err));
    }
    nilas_buf_print(out, ")) AS t%d(", nilas_render__number(r));
    print_outputs(out, plan);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code render_table_function(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                        nilas_error *err) {
    nilas_assert(plan->expr_count == 1);
    nilas_buf_add_text(out, "SELECT * FROM ");
    NILAS_TRY(nilas_render__call(r, out, plan->exprs[0], err));
    nilas_buf_print(out, " AS t%d(", nilas_render__number(r));
    print_outputs(out, plan);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code render_project(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                 nilas_error *err) {
    nilas_assert(plan->expr_count == plan->output_count);
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < plan->expr_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        NILAS_TRY(render_expr_as(r, out, plan->exprs[i], plan->outputs[i].id, err));
    }
    if (plan->expr_count == 0) {
        nilas_buf_add_text(out, "NULL AS \"_\"");
    }
    if (plan->input == NULL || plan->input->kind == NILAS_PLAN_ONE_ROW) {
        return NILAS_OK;
    }
    nilas_buf_add_text(out, " FROM ");
    return render_input(r, out, plan->input, err);
}

static nilas_code render_filter(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                nilas_error *err) {
    nilas_buf_add_text(out, "SELECT * FROM ");
    NILAS_TRY(render_input(r, out, plan->input, err));
    nilas_buf_add_text(out, " WHERE ");
    return nilas_render__condition(r, out, plan->condition, err);
}

static void print_grouping_sets(nilas_buf *out, const nilas_plan *plan, int32_t first_key) {
    nilas_buf_add_text(out, " GROUP BY GROUPING SETS (");
    for (size_t s = 0; s < plan->set_count; s++) {
        nilas_buf_add_text(out, s > 0 ? ", (" : "(");
        const char *separator = "";
        for (size_t g = 0; g < plan->group_count; g++) {
            if ((plan->sets[s] >> g & 1) != 0) {
                nilas_buf_print(out, "%sg%d", separator, first_key + (int32_t)g);
                separator = ", ";
            }
        }
        nilas_buf_add_char(out, ')');
    }
    nilas_buf_add_char(out, ')');
}

static void print_grouping_id(nilas_buf *out, const nilas_plan *plan, int32_t first_key) {
    if (plan->group_count == 0) {
        nilas_buf_add_text(out, "CAST(0 AS BIGINT)");
    } else {
        nilas_buf_add_text(out, "CAST(GROUPING_ID(");
        for (size_t g = 0; g < plan->group_count; g++) {
            nilas_buf_print(out, "%sg%d", g > 0 ? ", " : "", first_key + (int32_t)g);
        }
        nilas_buf_add_text(out, ") AS BIGINT)");
    }
    nilas_buf_print(out, " AS c%d", plan->outputs[plan->output_count - 1].id);
}

/** The select list over the keys g<first_key>… */
static nilas_code render_aggregate_list(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                        int32_t first_key, nilas_error *err) {
    const char *separator = "";
    for (size_t g = 0; g < plan->group_count; g++) {
        nilas_buf_print(out, "%sg%d AS c%d", separator, first_key + (int32_t)g,
                        plan->outputs[g].id);
        separator = ", ";
    }
    for (size_t i = 0; i < plan->expr_count; i++) {
        nilas_buf_add_text(out, separator);
        NILAS_TRY(
            render_expr_as(r, out, plan->exprs[i], plan->outputs[plan->group_count + i].id, err));
        separator = ", ";
    }
    if (plan->has_grouping_id) {
        nilas_buf_add_text(out, separator);
        print_grouping_id(out, plan, first_key);
        separator = ", ";
    }
    if (separator[0] == '\0') {
        nilas_buf_add_text(out, "NULL AS \"_\"");
    }
    return NILAS_OK;
}

/** Keys are computed below and get names: a constant key would else be taken for a position. */
static nilas_code render_keys(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                              int32_t first_key, nilas_error *err) {
    nilas_buf_add_text(out, "(SELECT *");
    for (size_t g = 0; g < plan->group_count; g++) {
        nilas_buf_add_text(out, ", ");
        NILAS_TRY(render_key(r, out, plan->groups[g], err));
        nilas_buf_print(out, " AS g%d", first_key + (int32_t)g);
    }
    nilas_buf_add_text(out, " FROM ");
    NILAS_TRY(render_input(r, out, plan->input, err));
    nilas_buf_print(out, ") AS t%d", nilas_render__number(r));
    return NILAS_OK;
}

static nilas_code render_aggregate(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                   nilas_error *err) {
    nilas_assert(plan->output_count ==
                 plan->group_count + plan->expr_count + (plan->has_grouping_id ? 1 : 0));
    int32_t first_key = r->job->alias_count + 1;
    r->job->alias_count += (int32_t)plan->group_count;
    nilas_buf_add_text(out, "SELECT ");
    NILAS_TRY(render_aggregate_list(r, out, plan, first_key, err));
    nilas_buf_add_text(out, " FROM ");
    NILAS_TRY(plan->group_count > 0 ? render_keys(r, out, plan, first_key, err)
                                    : render_input(r, out, plan->input, err));
    if (plan->set_count > 0) {
        print_grouping_sets(out, plan, first_key);
    } else if (plan->group_count > 0) {
        nilas_buf_add_text(out, " GROUP BY ");
        for (size_t g = 0; g < plan->group_count; g++) {
            nilas_buf_print(out, "%sg%d", g > 0 ? ", " : "", first_key + (int32_t)g);
        }
    } else if (plan->expr_count == 0) {
        nilas_buf_add_text(out, " GROUP BY GROUPING SETS (())"); // no key and no aggregate: one row
    }
    return NILAS_OK;
}

static nilas_code render_window_plan(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                     nilas_error *err) {
    size_t inputs = plan->input->output_count;
    nilas_assert(plan->output_count == inputs + plan->expr_count);
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < inputs; i++) {
        nilas_buf_print(out, "c%d, ", plan->outputs[i].id);
    }
    for (size_t i = 0; i < plan->expr_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        NILAS_TRY(render_expr_as(r, out, plan->exprs[i], plan->outputs[inputs + i].id, err));
    }
    nilas_buf_add_text(out, " FROM ");
    return render_input(r, out, plan->input, err);
}

static const char *join_words(nilas_join_kind kind, bool has_condition) {
    switch (kind) {
    case NILAS_JOIN_LEFT: return " LEFT JOIN ";
    case NILAS_JOIN_RIGHT: return " RIGHT JOIN ";
    case NILAS_JOIN_FULL: return " FULL JOIN ";
    case NILAS_JOIN_LEFT_SEMI: return " SEMI JOIN ";
    case NILAS_JOIN_LEFT_ANTI: return " ANTI JOIN ";
    default: return has_condition ? " JOIN " : " CROSS JOIN ";
    }
}

static nilas_code render_join(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                              nilas_error *err) {
    const char *words = join_words(plan->join_kind, plan->condition != NULL);
    nilas_buf_add_text(out, "SELECT ");
    print_outputs(out, plan);
    nilas_buf_add_text(out, " FROM ");
    NILAS_TRY(render_input(r, out, plan->input, err));
    nilas_buf_add_text(out, words);
    nilas_buf_add_text(out, plan->lateral ? "LATERAL " : "");
    NILAS_TRY(render_input(r, out, plan->right, err));
    if (strcmp(words, " CROSS JOIN ") == 0) {
        return NILAS_OK;
    }
    nilas_buf_add_text(out, " ON ");
    if (plan->condition == NULL) {
        nilas_buf_add_text(out, "true");
        return NILAS_OK;
    }
    return nilas_render__condition(r, out, plan->condition, err);
}

static nilas_code render_set_side(nilas_render *r, nilas_buf *out, const nilas_plan *side, bool all,
                                  nilas_error *err) {
    nilas_buf_add_text(out, "(SELECT ");
    if (all) {
        print_outputs(out, side);
    } else {
        print_normalized_outputs(out, side);
    }
    nilas_buf_add_text(out, " FROM ");
    NILAS_TRY(render_input(r, out, side, err));
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code render_set_op(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                nilas_error *err) {
    static const char *const words[] = {[NILAS_SET_UNION] = " UNION ",
                                        [NILAS_SET_INTERSECT] = " INTERSECT ",
                                        [NILAS_SET_EXCEPT] = " EXCEPT "};
    nilas_assert(plan->input->output_count == plan->output_count &&
                 plan->right->output_count == plan->output_count);
    nilas_buf_add_text(out, "SELECT * FROM (");
    NILAS_TRY(render_set_side(r, out, plan->input, plan->all, err));
    nilas_buf_add_text(out, words[plan->set_op]);
    nilas_buf_add_text(out, plan->all ? "ALL " : "");
    NILAS_TRY(render_set_side(r, out, plan->right, plan->all, err));
    nilas_buf_print(out, ") AS t%d", nilas_render__number(r));
    if (plan->output_count > 0) {
        nilas_buf_add_char(out, '(');
        print_outputs(out, plan);
        nilas_buf_add_char(out, ')');
    }
    return NILAS_OK;
}

static nilas_code render_sort(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                              nilas_error *err) {
    nilas_buf_add_text(out, "SELECT * FROM ");
    NILAS_TRY(render_input(r, out, plan->input, err));
    NILAS_AUTO_BUF keys = NILAS_BUF_INIT(0);
    size_t printed = 0;
    NILAS_TRY(nilas_render__sort_keys(r, &keys, plan->exprs, plan->expr_count, &printed, err));
    if (printed > 0) {
        nilas_buf_add_text(out, " ORDER BY ");
        nilas_buf_add(out, nilas_buf_view(&keys));
    }
    return nilas_buf_check(&keys, err);
}

/** The last rows in their order: counted from the end. */
static nilas_code render_tail(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                              nilas_error *err) {
    int32_t n = nilas_render__number(r);
    nilas_buf_add_text(out, "SELECT ");
    print_outputs(out, plan);
    nilas_buf_print(
        out, " FROM (SELECT *, row_number() OVER () AS r%d, count(*) OVER () AS n%d FROM ", n, n);
    NILAS_TRY(render_input(r, out, plan->input, err));
    nilas_buf_print(out, ") AS t%d WHERE r%d > n%d - %lld ORDER BY r%d", nilas_render__number(r), n,
                    n, (long long)(plan->limit < 0 ? INT64_MAX : plan->limit), n);
    return NILAS_OK;
}

/** A LIMIT with only projections between it and a scan: the scan may leave the last files out. */
static void limit_scan(nilas_render *r, const nilas_plan *plan) {
    const nilas_plan *below = plan->input;
    int64_t offset = plan->limit_offset > 0 ? plan->limit_offset : 0;
    while (below->kind == NILAS_PLAN_PROJECT) {
        below = below->input;
    }
    if (below->kind == NILAS_PLAN_SCAN && below->scan->filter == NULL && plan->limit >= 0 &&
        plan->limit <= INT64_MAX - offset) {
        r->limited = below->scan;
        r->limited_to = plan->limit + offset;
    }
}

static nilas_code render_limit(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                               nilas_error *err) {
    if (plan->is_tail) {
        return render_tail(r, out, plan, err);
    }
    limit_scan(r, plan);
    if (plan->input->kind == NILAS_PLAN_SORT) { // DuckDB sees a top-N
        NILAS_TRY(render_sort(r, out, plan->input, err));
    } else {
        nilas_buf_add_text(out, "SELECT * FROM ");
        NILAS_TRY(render_input(r, out, plan->input, err));
    }
    r->limited = NULL;
    if (plan->limit >= 0) {
        nilas_buf_print(out, " LIMIT %lld", (long long)plan->limit);
    }
    if (plan->limit_offset > 0) {
        nilas_buf_print(out, " OFFSET %lld", (long long)plan->limit_offset);
    }
    return NILAS_OK;
}

static nilas_code render_distinct(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                  nilas_error *err) {
    nilas_buf_add_text(out, "SELECT DISTINCT ");
    if (plan->expr_count > 0) {
        nilas_buf_add_text(out, "ON (");
        for (size_t i = 0; i < plan->expr_count; i++) {
            nilas_buf_add_text(out, i > 0 ? ", " : "");
            NILAS_TRY(render_key(r, out, plan->exprs[i], err));
        }
        nilas_buf_add_text(out, ") ");
        print_outputs(out, plan);
    } else {
        print_normalized_outputs(out, plan);
    }
    nilas_buf_add_text(out, " FROM ");
    return render_input(r, out, plan->input, err);
}

/** A generator gives a list of structs: unnested beside the input's columns, then taken apart. */
static nilas_code render_generate(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                  nilas_error *err) {
    size_t inputs = plan->input->output_count;
    int32_t g = nilas_render__number(r);
    nilas_assert(plan->expr_count == 1 && plan->output_count >= inputs);
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < inputs; i++) {
        nilas_buf_print(out, "c%d, ", plan->outputs[i].id);
    }
    for (size_t i = inputs; i < plan->output_count; i++) {
        nilas_buf_print(out, "%sstruct_extract_at(g%d, %zu) AS c%d", i > inputs ? ", " : "", g,
                        i - inputs + 1, plan->outputs[i].id);
    }
    nilas_buf_print(out, " FROM (SELECT * EXCLUDE (l%d), unnest(", g);
    nilas_buf_print(out, plan->outer ? "CASE WHEN len(l%d) > 0 THEN l%d ELSE [NULL] END" : "l%d", g,
                    g);
    nilas_buf_print(out, ") AS g%d FROM (SELECT *, ", g);
    NILAS_TRY(nilas_render__expr(r, out, plan->exprs[0], err));
    nilas_buf_print(out, " AS l%d FROM ", g);
    NILAS_TRY(render_input(r, out, plan->input, err));
    nilas_buf_print(out, ") AS t%d) AS t%d", nilas_render__number(r), nilas_render__number(r));
    return NILAS_OK;
}

static nilas_code render_sample(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                nilas_error *err) {
    NILAS_REQUIRE(!plan->with_replacement, err, NILAS_UNSUPPORTED,
                  "sampling with replacement is not supported");
    double percent = plan->sample_fraction * 100;
    percent = percent < 0 ? 0 : percent > 100 ? 100 : percent;
    nilas_buf_add_text(out, "SELECT * FROM ");
    NILAS_TRY(render_input(r, out, plan->input, err));
    nilas_buf_print(out, " TABLESAMPLE BERNOULLI (%.17g PERCENT)", percent);
    if (plan->has_seed) {
        nilas_buf_print(out, " REPEATABLE (%lld)", (long long)(plan->seed & INT32_MAX));
    }
    return NILAS_OK;
}

static nilas_code render_relation(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                  nilas_error *err) {
    switch (plan->kind) {
    case NILAS_PLAN_ONE_ROW: nilas_buf_add_text(out, "SELECT NULL AS \"_\""); return NILAS_OK;
    case NILAS_PLAN_SCAN: return nilas_render__scan(r, out, plan, err);
    case NILAS_PLAN_FILE_SCAN: return nilas_render__file_scan(r, out, plan, err);
    case NILAS_PLAN_LOCAL: return nilas_render__local(r, out, plan, err);
    case NILAS_PLAN_VALUES: return render_values(r, out, plan, err);
    case NILAS_PLAN_TABLE_FUNCTION: return render_table_function(r, out, plan, err);
    case NILAS_PLAN_RECURSIVE: return nilas_render__recursive(r, out, plan, err);
    case NILAS_PLAN_RECURSION: return nilas_render__recursion(r, out, plan, err);
    default: nilas_render__no_rows(out, plan); return NILAS_OK;
    }
}

static nilas_code render_kind(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                              nilas_error *err) {
    switch (plan->kind) {
    case NILAS_PLAN_PROJECT: return render_project(r, out, plan, err);
    case NILAS_PLAN_FILTER: return render_filter(r, out, plan, err);
    case NILAS_PLAN_AGGREGATE: return render_aggregate(r, out, plan, err);
    case NILAS_PLAN_WINDOW: return render_window_plan(r, out, plan, err);
    case NILAS_PLAN_JOIN: return render_join(r, out, plan, err);
    case NILAS_PLAN_SET_OP: return render_set_op(r, out, plan, err);
    case NILAS_PLAN_SORT: return render_sort(r, out, plan, err);
    case NILAS_PLAN_LIMIT: return render_limit(r, out, plan, err);
    case NILAS_PLAN_DISTINCT: return render_distinct(r, out, plan, err);
    case NILAS_PLAN_GENERATE: return render_generate(r, out, plan, err);
    case NILAS_PLAN_SAMPLE: return render_sample(r, out, plan, err);
    default: return render_relation(r, out, plan, err);
    }
}

nilas_code nilas_render__plan(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                              nilas_error *err) {
    NILAS_REQUIRE(r->depth < 4 * NILAS_LIMIT_SQL_DEPTH, err, NILAS_LIMIT,
                  "the query is nested too deeply");
    r->depth++;
    NILAS_TRY(render_kind(r, out, plan, err));
    r->depth--;
    return NILAS_OK;
}
