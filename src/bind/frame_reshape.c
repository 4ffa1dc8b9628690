/**
 * Frames whose columns depend on rows: the values of a pivot and of transpose() are asked for while
 * the query is bound. And unpivot() with its columns by expression.
 */
#include <stdlib.h>

#include "bind/frame.h"

/** Value of a query of one row and one column over the frame's input. */
static nilas_code ask(nilas_binder *binder, const nilas_query *query,
                      const nilas_bound_relation *input, nilas_str sql, nilas_value *out,
                      const nilas_type **out_type, nilas_error *err) {
    const nilas_bind_environment *environment = binder->environment;
    nilas_bound_relation answer;
    nilas_bound_expr *value;
    nilas_bound_relation shape = *input;
    shape.plan = NULL; // bound anew: the plan asked is not the query's own
    NILAS_TRY(nilas_bind__frame_sql(binder, query, &shape, sql, &answer, err));
    NILAS_TRY(nilas_bind__push(binder, answer.plan, err));
    NILAS_TRY(nilas_bind__prune(binder, answer.plan, err));
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_SUBQUERY, -1, &value, err));
    value->plan = answer.plan;
    value->type = answer.columns[0].attribute.type;
    value->nullable = true;
    NILAS_REQUIRE(environment->evaluate != NULL, err, NILAS_UNSUPPORTED,
                  "there is no engine here to ask for values");
    NILAS_TRY(environment->evaluate(environment->context, value, out, err));
    *out_type = value->type;
    return NILAS_OK;
}

/* --- distinct values --- */

static int compare_values(const void *a, const void *b) {
    const nilas_value *left = a;
    const nilas_value *right = b;
    bool left_null = nilas_value_is_null(left);
    bool right_null = nilas_value_is_null(right);
    if (left_null || right_null) {
        return (right_null ? 1 : 0) - (left_null ? 1 : 0);
    }
    if (left->kind >= NILAS_VALUE_LIST) { // parts in order; the pivot of several columns
        for (size_t i = 0; i < left->count && i < right->count; i++) {
            int order = compare_values(&left->items[i], &right->items[i]);
            if (order != 0) {
                return order;
            }
        }
        return (left->count > right->count) - (left->count < right->count);
    }
    return nilas_value_compare(left, right);
}

static nilas_code fail_too_many(int64_t limit, nilas_error *err) {
    return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1324", -1,
                         "The pivot column has more than %lld distinct values, this could indicate "
                         "an error. If this was intended, set spark.sql.pivotMaxValues to at least "
                         "the number of distinct values of the pivot column.",
                         (long long)limit);
}

static int64_t limit_of(const nilas_binder *binder, const char *key, int64_t usual) {
    int64_t limit = usual;
    nilas_str text = NILAS_STR_EMPTY;
    if (binder->environment->setting != NULL) {
        text = binder->environment->setting(binder->environment->context, key);
    }
    return text.size > 0 && nilas_str_to_int64(text, &limit) ? limit : usual;
}

nilas_code nilas_bind__distinct_values(nilas_binder *binder, const nilas_query *query,
                                       const nilas_bound_relation *input, nilas_str distinct,
                                       nilas_values *out, nilas_error *err) {
    int64_t limit = limit_of(binder, "spark.sql.pivotMaxValues", 10000);
    nilas_str sql;
    nilas_value list;
    const nilas_type *type;
    NILAS_TRY(nilas_str_print(binder->arena, &sql, err,
                              "SELECT collect_list(struct(v)) AS l FROM (%.*s LIMIT %lld)",
                              NILAS_FMT(distinct), (long long)limit + 1));
    NILAS_TRY(ask(binder, query, input, sql, &list, &type, err));
    size_t count = nilas_value_is_null(&list) ? 0 : list.count;
    if ((int64_t)count > limit) {
        return fail_too_many(limit, err);
    }
    NILAS_NEW_ARRAY(binder->arena, &out->items, count, err);
    for (size_t i = 0; i < count; i++) {
        out->items[i] = list.items[i].items[0];
    }
    if (count > 0) {
        qsort(out->items, count, sizeof(*out->items), compare_values);
    }
    out->count = count;
    out->type = type->fields[0].type->fields[0].type;
    return NILAS_OK;
}

/* --- unpivot --- */

static nilas_code add_value(nilas_binder *binder, const nilas_scope_column *column,
                            nilas_unpivot_value *out, nilas_error *err) {
    NILAS_NEW(binder->arena, &out->columns, err);
    out->column_count = 1;
    return nilas_bind__ref_expr(binder, &column->attribute, &out->columns[0], err);
}

/** All columns that are not among the ids. */
static nilas_code other_columns(nilas_binder *binder, const nilas_bound_relation *input,
                                nilas_bound_expr *const *ids, size_t id_count,
                                nilas_unpivot *unpivot, nilas_error *err) {
    NILAS_NEW_ARRAY(binder->arena, &unpivot->values, input->column_count, err);
    for (size_t i = 0; i < input->column_count; i++) {
        bool is_id = false;
        for (size_t k = 0; k < id_count; k++) {
            is_id = is_id || (ids[k]->kind == NILAS_BOUND_COLUMN &&
                              ids[k]->attribute_id == input->columns[i].attribute.id);
        }
        if (!is_id) {
            NILAS_TRY(add_value(binder, &input->columns[i],
                                &unpivot->values[unpivot->value_count++], err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_bind__frame_unpivot(nilas_binder *binder, nilas_bind_scope *outer,
                                     const nilas_query *query, nilas_bound_relation *out,
                                     nilas_error *err) {
    nilas_unpivot unpivot = *query->unpivot;
    nilas_bind_scope scope;
    nilas_bound_expr **exprs;
    nilas_bound_expr *stack;
    size_t first;
    nilas_str names[2] = {unpivot.name_column, unpivot.value_columns[0]};
    nilas_str *shown;
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, out, err));
    nilas_bind__scope_of(&scope, binder, out, outer, "UNPIVOT");
    size_t ids = query->expr_count;
    NILAS_NEW_ARRAY(binder->arena, &exprs, ids + 2, err);
    NILAS_NEW_ARRAY(binder->arena, &shown, ids + 2, err);
    for (size_t i = 0; i < ids; i++) {
        NILAS_TRY(nilas_bind__expr(&scope, query->exprs[i], &exprs[i], err));
        NILAS_TRY(nilas_bind__shown_name(binder, query->exprs[i], exprs[i], &shown[i], err));
    }
    if (unpivot.value_count == 0) {
        NILAS_TRY(other_columns(binder, out, exprs, ids, &unpivot, err));
    }
    if (unpivot.value_count == 0) {
        return nilas_fail_at(err, NILAS_INVALID, "UNPIVOT_REQUIRES_VALUE_COLUMNS", query->offset,
                             "At least one value column needs to be specified for UNPIVOT, all "
                             "columns specified as ids.");
    }
    NILAS_TRY(nilas_bind__unpivot_stack(binder, &scope, &unpivot, &stack, err));
    NILAS_TRY(
        nilas_bind__generate(binder, out, stack, false, names, 2, query->offset, &first, err));
    nilas_bind__set_unpivoted_nullable(out, first, stack);
    for (size_t i = 0; i < 2; i++) {
        NILAS_TRY(nilas_bind__column_ref(binder, &out->columns[first + i].attribute,
                                         &exprs[ids + i], err));
        shown[ids + i] = names[i];
    }
    return nilas_bind__replace_columns(binder, out, exprs, shown, ids + 2, err);
}

/* --- transpose --- */

/** The column whose values become names; the first when none is given. */
static nilas_code index_column(nilas_binder *binder, const nilas_query *query,
                               const nilas_bound_relation *input, size_t *out, nilas_error *err) {
    nilas_bind_scope scope;
    nilas_bound_expr *bound;
    *out = 0;
    if (query->expr_count > 1) {
        return nilas_fail_at(err, NILAS_INVALID, "TRANSPOSE_INVALID_INDEX_COLUMN", query->offset,
                             "Invalid index column for TRANSPOSE because: Only one index column is "
                             "allowed.");
    }
    if (query->expr_count == 0) {
        return NILAS_OK;
    }
    nilas_bind__scope_of(&scope, binder, input, NULL, "TRANSPOSE");
    NILAS_TRY(nilas_bind__expr(&scope, query->exprs[0], &bound, err));
    for (size_t i = 0; i < input->column_count; i++) {
        if (bound->kind == NILAS_BOUND_COLUMN &&
            bound->attribute_id == input->columns[i].attribute.id) {
            *out = i;
            return NILAS_OK;
        }
    }
    return nilas_fail_at(err, NILAS_INVALID, "TRANSPOSE_INVALID_INDEX_COLUMN", query->offset,
                         "Invalid index column for TRANSPOSE because: Index column must be an "
                         "atomic attribute.");
}

/** The type that all columns but the index get; string when there are none. */
static nilas_code cell_type(nilas_binder *binder, const nilas_bound_relation *input, size_t index,
                            const nilas_type **out, nilas_error *err) {
    const nilas_type *common = NULL;
    for (size_t i = 0; i < input->column_count; i++) {
        const nilas_type *type = input->columns[i].attribute.type;
        const nilas_type *next = type;
        if (i == index) {
            continue;
        }
        if (common != NULL) {
            // As Spark's widening without casts of strings.
            bool strings = nilas_type_is_string(common) != nilas_type_is_string(type);
            NILAS_TRY(nilas_type_common(binder->arena, common, type, true, &next, err));
            next = strings ? NULL : next;
        }
        if (next == NULL) {
            nilas_str a = nilas_bind__type_text(binder, common);
            nilas_str b = nilas_bind__type_text(binder, type);
            return nilas_fail_at(err, NILAS_INVALID, "TRANSPOSE_NO_LEAST_COMMON_TYPE", -1,
                                 "Transpose requires non-index columns to share a least common "
                                 "type, but \"%.*s\" and \"%.*s\" do not.",
                                 NILAS_FMT(a), NILAS_FMT(b));
        }
        common = next;
    }
    *out = common != NULL ? common : nilas_type_of(NILAS_TYPE_STRING);
    return NILAS_OK;
}

typedef struct transposing {
    nilas_binder *binder;
    const nilas_bound_relation *input;
    size_t index;           // the column whose values become names
    const nilas_type *cell; // of all other columns
} transposing;

/** All rows as a list: index as text, then the other columns as one type, sorted by the index. */
static nilas_code ask_rows(const transposing *t, const nilas_query *query, nilas_value *out,
                           nilas_error *err) {
    nilas_binder *binder = t->binder;
    const nilas_bound_relation *input = t->input;
    size_t index = t->index;
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(1 << 24);
    NILAS_AUTO_BUF type = NILAS_BUF_INIT(65536);
    const nilas_type *ignored;
    nilas_str text;
    int64_t limit = limit_of(binder, "spark.sql.transposeMaxValues", 500);
    nilas_type_print_sql(&type, t->cell);
    nilas_buf_print(&sql, "SELECT collect_list(struct(c%zu AS i, CAST(c%zu AS STRING) AS k", index,
                    index);
    for (size_t i = 0; i < input->column_count; i++) {
        if (i != index) {
            nilas_buf_print(&sql, ", CAST(c%zu AS %.*s) AS v%zu", i,
                            NILAS_FMT(nilas_buf_view(&type)), i);
        }
    }
    nilas_buf_print(&sql, ")) AS l FROM (SELECT * FROM _frame WHERE c%zu IS NOT NULL LIMIT %lld)",
                    index, (long long)limit + 1);
    NILAS_TRY(nilas_buf_finish(&sql, binder->arena, &text, err));
    NILAS_TRY(ask(binder, query, input, text, out, &ignored, err));
    if (nilas_value_is_null(out)) {
        *out = (nilas_value){.kind = NILAS_VALUE_LIST};
    }
    if ((int64_t)out->count > limit) {
        return nilas_fail_at(err, NILAS_INVALID, "TRANSPOSE_EXCEED_ROW_LIMIT", -1,
                             "Number of rows exceeds the allowed limit of %lld for TRANSPOSE. If "
                             "this was intended, set spark.sql.transposeMaxValues to at least the "
                             "current row count.",
                             (long long)limit);
    }
    return NILAS_OK;
}

static int compare_rows(const void *a, const void *b) {
    const nilas_value *left = a;
    const nilas_value *right = b;
    return compare_values(&left->items[0], &right->items[0]);
}

/** VALUES: a row for each column but the index, its name first. */
static nilas_code transposed(const transposing *t, const nilas_value *rows,
                             nilas_bound_relation *out, nilas_error *err) {
    nilas_binder *binder = t->binder;
    const nilas_bound_relation *input = t->input;
    size_t index = t->index;
    const nilas_type *cell = t->cell;
    nilas_plan *plan;
    size_t width = rows->count + 1;
    size_t height = input->column_count - 1;
    bool empty = height == 0;
    NILAS_TRY(
        nilas_bind__plan(binder, empty ? NILAS_PLAN_EMPTY : NILAS_PLAN_VALUES, NULL, &plan, err));
    NILAS_NEW_ARRAY(binder->arena, &plan->outputs, width, err);
    NILAS_NEW_ARRAY(binder->arena, &out->columns, width, err);
    NILAS_NEW_ARRAY(binder->arena, &plan->exprs, width * height, err);
    plan->row_count = height;
    plan->expr_count = width * height;
    plan->output_count = out->column_count = width;
    out->plan = plan;
    for (size_t c = 0; c < width; c++) {
        nilas_str name = c == 0 ? NILAS_STR("key") : rows->items[c - 1].items[1].text;
        const nilas_type *type = c == 0 ? nilas_type_of(NILAS_TYPE_STRING) : cell;
        plan->outputs[c] = nilas_bind__attribute(binder, name, type, c > 0);
        out->columns[c] = (nilas_scope_column){.attribute = plan->outputs[c]};
    }
    size_t next = 0;
    for (size_t i = 0; i < input->column_count; i++) {
        if (i == index) {
            continue;
        }
        size_t member = 2 + (i > index ? i - 1 : i);
        NILAS_TRY(nilas_bind__string_literal(binder, input->columns[i].attribute.name,
                                             &plan->exprs[next++], err));
        for (size_t r = 0; r < rows->count; r++) {
            NILAS_TRY(nilas_bind__literal(binder, cell, &rows->items[r].items[member],
                                          &plan->exprs[next++], err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_bind__transpose(nilas_binder *binder, nilas_bind_scope *outer,
                                 const nilas_query *query, nilas_bound_relation *out,
                                 nilas_error *err) {
    nilas_bound_relation input;
    transposing t = {.binder = binder, .input = &input};
    nilas_value rows;
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, &input, err));
    NILAS_REQUIRE(input.column_count > 0, err, NILAS_INVALID,
                  "transpose needs a frame with columns");
    NILAS_TRY(index_column(binder, query, &input, &t.index, err));
    NILAS_TRY(cell_type(binder, &input, t.index, &t.cell, err));
    NILAS_TRY(ask_rows(&t, query, &rows, err));
    if (rows.count > 0) {
        qsort(rows.items, rows.count, sizeof(*rows.items), compare_rows);
    }
    *out = (nilas_bound_relation){0};
    return transposed(&t, &rows, out, err);
}
