/**
 * What a name means: columns of FROM by qualifier and name, lateral aliases, the queries around;
 * and the star.
 *
 * A qualifier matches when it is a suffix of the column's own ("t", "db.t", "c.db.t"). Longer
 * qualifiers are tried first, as Spark does, so that `a.b` is column b of table a before it is
 * field b of column a.
 */
#include "bind/query.h"

typedef struct column_match {
    const nilas_scope_column *column;
    size_t count;
} column_match;

static bool qualifier_matches(const nilas_binder *binder, const nilas_scope_column *column,
                              const nilas_str *parts, size_t count) {
    if (count > column->qualifier_count) {
        return false;
    }
    const nilas_str *tail = column->qualifier + (column->qualifier_count - count);
    for (size_t i = 0; i < count; i++) {
        if (!nilas_bind__same_name(binder, tail[i], parts[i])) {
            return false;
        }
    }
    return true;
}

/** Columns are looked for in this order. */
typedef enum column_sort { COLUMN_VISIBLE, COLUMN_HIDDEN, COLUMN_MISSING } column_sort;

static column_sort sort_of(const nilas_scope_column *column) {
    return column->missing ? COLUMN_MISSING : column->hidden ? COLUMN_HIDDEN : COLUMN_VISIBLE;
}

/** Count the columns of one sort that `parts` names as qualifier and column name; one
 * attribute counts once. */
static column_match match_columns(const nilas_bind_scope *scope, const nilas_str *parts,
                                  size_t count, column_sort sort) {
    column_match match = {0};
    for (size_t i = 0; i < scope->column_count; i++) {
        const nilas_scope_column *column = &scope->columns[i];
        if (sort_of(column) != sort ||
            !nilas_bind__same_name(scope->binder, column->attribute.name, parts[count - 1]) ||
            !qualifier_matches(scope->binder, column, parts, count - 1)) {
            continue;
        }
        if (match.column == NULL ||
            !nilas_bind__is_same_column(scope->binder, match.column->attribute.id,
                                        column->attribute.id)) {
            match.count++;
        }
        match.column = column;
    }
    return match;
}

static nilas_code fail_ambiguous(const nilas_bind_scope *scope, const nilas_str *parts,
                                 size_t count, size_t used, int32_t offset, nilas_error *err) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(4096);
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&name, parts, count);
    for (size_t i = 0; i < scope->column_count; i++) {
        const nilas_scope_column *column = &scope->columns[i];
        if (!column->hidden &&
            nilas_bind__same_name(scope->binder, column->attribute.name, parts[used - 1]) &&
            qualifier_matches(scope->binder, column, parts, used - 1)) {
            nilas_buf_add_text(&list, list.size > 0 ? ", " : "");
            nilas_name_print_quoted(&list, column->qualifier, column->qualifier_count);
            nilas_buf_add_text(&list, column->qualifier_count > 0 ? "." : "");
            nilas_name_print_quoted(&list, &column->attribute.name, 1);
        }
    }
    return nilas_fail_at(err, NILAS_INVALID, "AMBIGUOUS_REFERENCE", offset,
                         "Reference %.*s is ambiguous, could be: [%.*s].",
                         NILAS_FMT(nilas_buf_view(&name)), NILAS_FMT(nilas_buf_view(&list)));
}

/** Look in one scope's columns. *out stays NULL when nothing matches. */
static nilas_code find_here(nilas_bind_scope *scope, const nilas_str *parts, size_t count,
                            int32_t offset, const nilas_scope_column **out, size_t *consumed,
                            nilas_error *err) {
    for (size_t used = count; used >= 1; used--) {
        for (column_sort sort = COLUMN_VISIBLE;
             sort <= (scope->takes_missing ? COLUMN_MISSING : COLUMN_HIDDEN); sort++) {
            column_match match = match_columns(scope, parts, used, sort);
            if (match.count > 1) {
                return fail_ambiguous(scope, parts, count, used, offset, err);
            }
            if (match.count == 1) {
                *out = match.column;
                *consumed = used;
                return NILAS_OK;
            }
        }
    }
    return NILAS_OK;
}

static bool find_lambda_parameter(nilas_bind_scope *scope, nilas_str name,
                                  const nilas_lambda_frame **out_frame, size_t *out_index) {
    for (const nilas_lambda_frame *frame = scope->lambda; frame != NULL; frame = frame->outer) {
        for (size_t i = 0; i < frame->count; i++) {
            if (nilas_bind__same_name(scope->binder, frame->names[i], name)) {
                *out_frame = frame;
                *out_index = i;
                return true;
            }
        }
    }
    return false;
}

/** Edit distance of two names, letters folded; long names are cut, which only changes the order of
 * suggestions. */
static size_t edit_distance(nilas_str a, nilas_str b) {
    enum { MAX = 64 };
    size_t row[MAX + 1];
    size_t n = a.size < MAX ? a.size : MAX;
    size_t m = b.size < MAX ? b.size : MAX;
    for (size_t j = 0; j <= m; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t substitute = diagonal + ((a.data[i - 1] | 32) == (b.data[j - 1] | 32) ? 0 : 1);
            diagonal = row[j];
            size_t best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            row[j] = substitute < best ? substitute : best;
        }
    }
    return row[m];
}

/** The five nearest names, as Spark lists them: qualified when the name asked for was. */
static void print_suggestions(nilas_buf *out, const nilas_bind_scope *scope, const nilas_str *parts,
                              size_t count) {
    enum { SHOWN = 5 };
    const nilas_scope_column *best[SHOWN];
    size_t distance[SHOWN];
    size_t found = 0;
    for (size_t i = 0; i < scope->column_count; i++) {
        const nilas_scope_column *column = &scope->columns[i];
        if (column->hidden) {
            continue;
        }
        size_t d = edit_distance(column->attribute.name, parts[count - 1]);
        size_t at = found < SHOWN ? found : SHOWN;
        while (at > 0 && distance[at - 1] > d) {
            at--;
        }
        if (at >= SHOWN) {
            continue;
        }
        found = found < SHOWN ? found + 1 : SHOWN;
        for (size_t k = found - 1; k > at; k--) {
            best[k] = best[k - 1];
            distance[k] = distance[k - 1];
        }
        best[at] = column;
        distance[at] = d;
    }
    for (size_t i = 0; i < found; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (count > 1 && best[i]->qualifier_count > 0) {
            nilas_name_print_quoted(out, &best[i]->qualifier[best[i]->qualifier_count - 1], 1);
            nilas_buf_add_char(out, '.');
        }
        nilas_name_print_quoted(out, &best[i]->attribute.name, 1);
    }
}

static nilas_code fail_unresolved(const nilas_bind_scope *scope, const nilas_str *parts,
                                  size_t count, int32_t offset, nilas_error *err) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(4096);
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&name, parts, count);
    print_suggestions(&list, scope, parts, count);
    if (list.size == 0 && scope->fallback != NULL) {
        print_suggestions(&list, scope->fallback, parts, count);
    }
    if (list.size == 0) {
        return nilas_fail_at(
            err, NILAS_INVALID, "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", offset,
            "A column, variable, or function parameter with name %.*s cannot be resolved.",
            NILAS_FMT(nilas_buf_view(&name)));
    }
    return nilas_fail_at(
        err, NILAS_INVALID, "UNRESOLVED_COLUMN.WITH_SUGGESTION", offset,
        "A column, variable, or function parameter with name %.*s cannot be resolved. "
        "Did you mean one of the following? [%.*s].",
        NILAS_FMT(nilas_buf_view(&name)), NILAS_FMT(nilas_buf_view(&list)));
}

static nilas_code lambda_reference(nilas_bind_scope *scope, const nilas_lambda_frame *frame,
                                   size_t index, int32_t offset, nilas_bound_expr **out,
                                   nilas_error *err) {
    nilas_bound_expr *expr;
    NILAS_NEW(scope->binder->arena, &expr, err);
    *expr = (nilas_bound_expr){
        .kind = NILAS_BOUND_PARAMETER,
        .type = frame->types[index],
        .nullable = frame->nullable[index],
        .offset = offset,
        .attribute_id = frame->ids[index],
        .name = frame->names[index],
    };
    *out = expr;
    return NILAS_OK;
}

nilas_code nilas_bind__find_column(nilas_bind_scope *scope, const nilas_str *parts, size_t count,
                                   int32_t offset, nilas_bound_expr **out, size_t *consumed,
                                   nilas_error *err) {
    nilas_assert(count > 0);
    const nilas_lambda_frame *frame;
    size_t index;
    if (find_lambda_parameter(scope, parts[0], &frame, &index)) {
        *consumed = 1;
        return lambda_reference(scope, frame, index, offset, out, err);
    }
    for (nilas_bind_scope *at = scope; at != NULL; at = at->outer) {
        for (nilas_bind_scope *layer = at; layer != NULL; layer = layer->fallback) {
            const nilas_scope_column *column = NULL;
            NILAS_TRY(find_here(layer, parts, count, offset, &column, consumed, err));
            if (column != NULL) {
                NILAS_TRY(nilas_bind__column_ref(scope->binder, &column->attribute, out, err));
                (*out)->offset = offset;
                return NILAS_OK;
            }
            for (size_t i = layer->alias_count; i-- > 0;) {
                if (nilas_bind__same_name(scope->binder, layer->alias_names[i], parts[0])) {
                    *consumed = 1;
                    *out = layer->alias_exprs[i];
                    return NILAS_OK;
                }
            }
        }
    }
    return fail_unresolved(scope, parts, count, offset, err);
}

typedef struct star_list {
    NILAS_ARRAY_OF(nilas_bound_expr *) exprs;
    NILAS_ARRAY_OF(nilas_str) names;
} star_list;

/** `s.*` of a struct column: its fields. */
static nilas_code expand_struct(nilas_bind_scope *scope, const nilas_expr *star, star_list *list,
                                nilas_error *err) {
    nilas_arena *arena = scope->binder->arena;
    nilas_expr *column;
    NILAS_TRY(nilas_expr_new(arena, NILAS_EXPR_COLUMN, star->offset, &column, err));
    column->parts = star->parts;
    column->part_count = star->part_count;
    nilas_bound_expr *value;
    nilas_code code = nilas_bind__expr(scope, column, &value, err);
    if (code != NILAS_OK || value->type->kind != NILAS_TYPE_STRUCT) {
        NILAS_AUTO_BUF target = NILAS_BUF_INIT(4096);
        NILAS_AUTO_BUF columns = NILAS_BUF_INIT(65536);
        nilas_name_print_quoted(&target, star->parts, star->part_count);
        print_suggestions(&columns, scope, star->parts, 1);
        return nilas_fail_at(err, NILAS_INVALID, "CANNOT_RESOLVE_STAR_EXPAND", star->offset,
                             "Cannot resolve %.*s.* given input columns %.*s. Please check that "
                             "the specified table or struct "
                             "exists and is accessible in the input columns.",
                             NILAS_FMT(nilas_buf_view(&target)),
                             NILAS_FMT(nilas_buf_view(&columns)));
    }
    for (size_t i = 0; i < value->type->field_count; i++) {
        nilas_bound_expr *field;
        NILAS_NEW(arena, &field, err);
        *field = (nilas_bound_expr){.kind = NILAS_BOUND_FIELD,
                                    .type = value->type->fields[i].type,
                                    .nullable = value->nullable || value->type->fields[i].nullable,
                                    .offset = star->offset,
                                    .index = (int32_t)i,
                                    .arg_count = 1};
        NILAS_NEW_ARRAY(arena, &field->args, 1, err);
        field->args[0] = value;
        NILAS_PUSH(arena, &list->exprs, field, err);
        NILAS_PUSH(arena, &list->names, value->type->fields[i].name, err);
    }
    return NILAS_OK;
}

/** Whether an EXCEPT item names the column; the last part is its name. */
static bool is_excepted(nilas_bind_scope *scope, const nilas_expr *star,
                        const nilas_scope_column *column, bool *used) {
    for (size_t i = 0; i < star->arg_count; i++) {
        const nilas_expr *item = star->args[i];
        if (item->part_count > 0 &&
            nilas_bind__same_name(scope->binder, item->parts[item->part_count - 1],
                                  column->attribute.name) &&
            qualifier_matches(scope->binder, column, item->parts, item->part_count - 1)) {
            used[i] = true;
            return true;
        }
    }
    return false;
}

/** Metadata columns are never part of a star; the other side of USING is, under its qualifier. */
static bool is_starred(const nilas_bind_scope *scope, const nilas_expr *star,
                       const nilas_scope_column *column) {
    nilas_str name = column->attribute.name;
    if (column->missing || (column->hidden && star->part_count == 0)) {
        return false;
    }
    return qualifier_matches(scope->binder, column, star->parts, star->part_count) &&
           !(column->hidden && name.size > 0 && name.data[0] == '_');
}

/** `df["*"]`. */
static nilas_code expand_frame(nilas_bind_scope *scope, const nilas_expr *star,
                               nilas_bound_expr ***out, nilas_str **out_names, size_t *out_count,
                               nilas_error *err) {
    const nilas_scope_column **columns;
    size_t count;
    NILAS_TRY(nilas_bind__expand_frame(scope, star, &columns, &count, err));
    NILAS_NEW_ARRAY(scope->binder->arena, out, count, err);
    NILAS_NEW_ARRAY(scope->binder->arena, out_names, count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_bind__column_ref(scope->binder, &columns[i]->attribute, &(*out)[i], err));
        (*out)[i]->offset = star->offset;
        (*out_names)[i] = columns[i]->attribute.name;
    }
    *out_count = count;
    return NILAS_OK;
}

nilas_code nilas_bind__expand_star(nilas_bind_scope *scope, const nilas_expr *star,
                                   nilas_bound_expr ***out, nilas_str **out_names,
                                   size_t *out_count, nilas_error *err) {
    nilas_arena *arena = scope->binder->arena;
    star_list list = {0};
    bool *used;
    bool matched = false;
    if (star->plan_id != 0) {
        return expand_frame(scope, star, out, out_names, out_count, err);
    }
    NILAS_NEW_ARRAY(arena, &used, star->arg_count, err);
    for (size_t i = 0; i < scope->column_count; i++) {
        const nilas_scope_column *column = &scope->columns[i];
        if (!is_starred(scope, star, column)) {
            continue;
        }
        matched = true;
        if (is_excepted(scope, star, column, used)) {
            continue;
        }
        nilas_bound_expr *ref;
        NILAS_TRY(nilas_bind__column_ref(scope->binder, &column->attribute, &ref, err));
        ref->offset = star->offset;
        NILAS_PUSH(arena, &list.exprs, ref, err);
        NILAS_PUSH(arena, &list.names, column->attribute.name, err);
    }
    if (star->part_count > 0 && !matched) {
        NILAS_TRY(expand_struct(scope, star, &list, err));
    }
    for (size_t i = 0; i < star->arg_count; i++) {
        if (!used[i] && star->args[i]->part_count > 0) {
            return fail_unresolved(scope, star->args[i]->parts, star->args[i]->part_count,
                                   star->args[i]->offset, err);
        }
    }
    *out = list.exprs.items;
    *out_names = list.names.items;
    *out_count = list.exprs.count;
    return NILAS_OK;
}

nilas_code nilas_bind__find_window(nilas_bind_scope *scope, nilas_str name, int32_t offset,
                                   const nilas_window **out, nilas_error *err) {
    for (size_t i = 0; i < scope->window_count; i++) {
        if (nilas_bind__same_name(scope->binder, scope->windows[i].name, name)) {
            *out = scope->windows[i].window;
            return NILAS_OK;
        }
    }
    return nilas_fail_at(err, NILAS_INVALID, "MISSING_WINDOW_SPECIFICATION", offset,
                         "Window specification is not defined in the WINDOW clause for `%.*s`. For "
                         "more information about WINDOW "
                         "clauses, please refer to 'sql-ref-syntax-qry-select-window'.",
                         NILAS_FMT(name));
}
