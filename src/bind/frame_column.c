/**
 * Columns that name the frame they come from: `df.a` in a query built from `df`, and `df["*"]`.
 *
 * While a query is bound, the frames below it are kept in a list, newest first, each with its
 * columns as they were. A column that an operator passes on gets a new id and remembers the old
 * one, so that a frame's column can be found again among the columns of any operator above. As in
 * Spark, a column that its frame has but the operator's input no longer has is looked up by name.
 */
#include "bind/frame.h"

nilas_code nilas_bind__add_frame(nilas_binder *binder, int64_t plan_id,
                                 const nilas_bound_relation *relation, nilas_error *err) {
    nilas_bound_frame *frame;
    NILAS_NEW(binder->arena, &frame, err);
    frame->next = binder->frames;
    frame->plan_id = plan_id;
    frame->depth = binder->depth;
    frame->column_count = relation->column_count;
    NILAS_NEW_ARRAY(binder->arena, &frame->columns, relation->column_count, err);
    for (size_t i = 0; i < relation->column_count; i++) {
        frame->columns[i] = relation->columns[i];
    }
    binder->frames = frame;
    return NILAS_OK;
}

nilas_code nilas_bind__pass_on(nilas_binder *binder, int32_t id, int32_t origin, nilas_error *err) {
    while (binder->origins.count <= (size_t)id) {
        NILAS_PUSH(binder->arena, &binder->origins, 0, err);
    }
    binder->origins.items[id] = origin;
    return NILAS_OK;
}

static int32_t origin_of(const nilas_binder *binder, int32_t id) {
    return (size_t)id < binder->origins.count ? binder->origins.items[id] : 0;
}

static bool descends_from(const nilas_binder *binder, int32_t id, int32_t ancestor) {
    while (id != 0 && id != ancestor) {
        id = origin_of(binder, id);
    }
    return id == ancestor;
}

bool nilas_bind__is_same_column(const nilas_binder *binder, int32_t a, int32_t b) {
    while (origin_of(binder, a) != 0) {
        a = origin_of(binder, a);
    }
    return descends_from(binder, b, a);
}

nilas_code nilas_bind__keep_missing(nilas_binder *binder, const nilas_bound_relation *input,
                                    nilas_plan *project, nilas_bound_relation *out,
                                    nilas_error *err) {
    nilas_assert(project->kind == NILAS_PLAN_PROJECT && project->input == input->plan);
    size_t room = out->column_count + input->column_count;
    size_t count = out->column_count;
    size_t outputs = project->output_count;
    nilas_scope_column *columns;
    nilas_bound_expr **exprs;
    nilas_attribute *attributes;
    NILAS_NEW_ARRAY(binder->arena, &columns, room, err);
    NILAS_NEW_ARRAY(binder->arena, &exprs, outputs + input->column_count, err);
    NILAS_NEW_ARRAY(binder->arena, &attributes, outputs + input->column_count, err);
    for (size_t i = 0; i < count; i++) {
        columns[i] = out->columns[i];
    }
    for (size_t i = 0; i < outputs; i++) {
        exprs[i] = project->exprs[i];
        attributes[i] = project->outputs[i];
    }
    for (int missing = 0; missing <= 1; missing++) { // what was seen hides what was missing before
        size_t seen = count;
        for (size_t i = 0; i < input->column_count; i++) {
            nilas_scope_column column = input->columns[i];
            bool shadowed = column.missing != (missing == 1) || (column.hidden && !column.missing);
            for (size_t k = 0; k < seen && !shadowed; k++) {
                shadowed =
                    nilas_bind__same_name(binder, columns[k].attribute.name, column.attribute.name);
            }
            if (shadowed) {
                continue;
            }
            NILAS_TRY(nilas_bind__column_ref(binder, &column.attribute, &exprs[outputs], err));
            attributes[outputs++] = column.attribute;
            column.hidden = column.missing = true;
            columns[count++] = column;
        }
    }
    project->exprs = exprs;
    project->outputs = attributes;
    project->expr_count = project->output_count = outputs;
    out->columns = columns;
    out->column_count = count;
    return NILAS_OK;
}

void nilas_bind__drop_missing(nilas_bound_relation *relation) {
    size_t count = 0;
    while (count < relation->column_count && !relation->columns[count].missing) {
        count++;
    }
    relation->column_count = count; // they stand last
}

/* --- df.a --- */

/** A frame's column as the operator's input has it. */
typedef struct candidate {
    const nilas_scope_column *column; // NULL: it has none
    size_t consumed;                  // parts of the name
    size_t direct, deeper;            // how many frames gave one: the input itself, or below it
    bool has_frame;
} candidate;

static const nilas_scope_column *find_descendant(const nilas_bind_scope *scope, int32_t id,
                                                 bool hidden) {
    for (const nilas_bind_scope *layer = scope; layer != NULL; layer = layer->fallback) {
        for (size_t i = 0; i < layer->column_count; i++) {
            const nilas_scope_column *column = &layer->columns[i];
            if (!column->missing && (hidden || !column->hidden) &&
                descends_from(scope->binder, column->attribute.id, id)) {
                return column;
            }
        }
    }
    return NULL;
}

static nilas_code look_into(const nilas_bind_scope *scope, const nilas_bound_frame *frame,
                            const nilas_expr *expr, candidate *found) {
    nilas_bind_scope inside = {
        .binder = scope->binder, .columns = frame->columns, .column_count = frame->column_count};
    nilas_bound_expr *ref;
    size_t consumed;
    nilas_error ignored = NILAS_ERROR_INIT;
    found->has_frame = true;
    nilas_code code = nilas_bind__find_column(&inside, expr->parts, expr->part_count, expr->offset,
                                              &ref, &consumed, &ignored);
    if (code == NILAS_NOMEM) {
        return code;
    }
    if (code != NILAS_OK || ref->kind != NILAS_BOUND_COLUMN) {
        return NILAS_OK; // then by name
    }
    const nilas_scope_column *column = find_descendant(scope, ref->attribute_id, expr->is_metadata);
    if (column == NULL) {
        return NILAS_OK;
    }
    bool direct = frame->depth == scope->depth + 1;
    if (direct || found->direct == 0) {
        found->column = column;
        found->consumed = consumed;
    }
    found->direct += direct ? 1 : 0;
    found->deeper += direct ? 0 : 1;
    return NILAS_OK;
}

static nilas_code fail_ambiguous(const nilas_expr *expr, nilas_error *err) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    nilas_expr_print(&name, expr);
    return nilas_fail_at(
        err, NILAS_INVALID, "AMBIGUOUS_COLUMN_REFERENCE", expr->offset,
        "Column \"%.*s\" is ambiguous. It's because you joined several DataFrame together, and "
        "some of these DataFrames are the same.\nThis column points to one of the DataFrames but "
        "Spark is unable to figure out which one.\nPlease alias the DataFrames with different "
        "names "
        "via `DataFrame.alias` before joining them,\nand specify the column using qualified name, "
        "e.g. `df.alias(\"a\").join(df.alias(\"b\"), col(\"a.id\") > col(\"b.id\"))`.",
        NILAS_FMT(nilas_buf_view(&name)));
}

static nilas_code fail_foreign(const nilas_expr *expr, nilas_error *err) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    if (expr->kind == NILAS_EXPR_STAR) {
        nilas_buf_add_text(&name, "unresolveddataframestar()");
    } else {
        nilas_expr_print(&name, expr);
    }
    return nilas_fail_at(err, NILAS_INVALID, "CANNOT_RESOLVE_DATAFRAME_COLUMN", expr->offset,
                         "Cannot resolve dataframe column \"%.*s\". It's probably because of "
                         "illegal references like `df1.select(df2.col(\"a\"))`.",
                         NILAS_FMT(nilas_buf_view(&name)));
}

/** A COLUMN of nilas_bind__ref_expr(). */
static nilas_code find_bound(nilas_bind_scope *scope, const nilas_expr *expr,
                             nilas_bound_expr **out, nilas_error *err) {
    for (size_t i = 0; i < scope->column_count; i++) {
        if (scope->columns[i].attribute.id == expr->ordinal) {
            return nilas_bind__column_ref(scope->binder, &scope->columns[i].attribute, out, err);
        }
    }
    return nilas_fail(err, NILAS_ENGINE, "a column of the input is not there");
}

nilas_code nilas_bind__find_frame_column(nilas_bind_scope *scope, const nilas_expr *expr,
                                         nilas_bound_expr **out, size_t *consumed,
                                         nilas_error *err) {
    if (expr->plan_id == NILAS_BOUND_PLAN_ID) {
        *consumed = 1;
        return find_bound(scope, expr, out, err);
    }
    for (const nilas_bind_scope *at = scope; at != NULL; at = at->outer) {
        candidate found = {0};
        for (const nilas_bound_frame *frame = at->frames; frame != at->frames_end;
             frame = frame->next) {
            if (frame->plan_id == expr->plan_id) {
                NILAS_TRY(look_into(at, frame, expr, &found));
            }
        }
        if (found.direct > 1 || (found.direct == 0 && found.deeper > 1)) {
            return fail_ambiguous(expr, err);
        }
        if (found.column != NULL) {
            *consumed = found.consumed;
            NILAS_TRY(nilas_bind__column_ref(scope->binder, &found.column->attribute, out, err));
            (*out)->offset = expr->offset;
            return NILAS_OK;
        }
        if (found.has_frame) {
            *out = NULL;
            return NILAS_OK;
        }
    }
    return fail_foreign(expr, err);
}

/* --- df["*"] --- */

/** Whether all visible columns of the frame are there; then where. */
static bool all_descend(const nilas_bind_scope *scope, const nilas_bound_frame *frame,
                        const nilas_scope_column **out, size_t *out_count) {
    size_t count = 0;
    for (size_t i = 0; i < frame->column_count; i++) {
        if (frame->columns[i].hidden) {
            continue;
        }
        out[count] = find_descendant(scope, frame->columns[i].attribute.id, true);
        if (out[count++] == NULL) {
            return false;
        }
    }
    *out_count = count;
    return true;
}

nilas_code nilas_bind__expand_frame(nilas_bind_scope *scope, const nilas_expr *star,
                                    const nilas_scope_column ***out, size_t *out_count,
                                    nilas_error *err) {
    const nilas_scope_column **columns = NULL;
    bool found = false;
    for (const nilas_bound_frame *frame = scope->frames; frame != scope->frames_end;
         frame = frame->next) {
        const nilas_scope_column **list;
        if (frame->plan_id != star->plan_id) {
            continue;
        }
        NILAS_NEW_ARRAY(scope->binder->arena, &list, frame->column_count, err);
        if (!all_descend(scope, frame, list, out_count)) {
            continue;
        }
        if (found) {
            return fail_ambiguous(star, err);
        }
        found = true;
        columns = list;
    }
    if (!found) {
        return fail_foreign(star, err);
    }
    *out = columns;
    return NILAS_OK;
}
