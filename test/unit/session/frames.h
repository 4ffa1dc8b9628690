/**
 * Queries of DataFrames, built node by node over SQL texts, and what they give as text: a line of
 * the schema ("a int!, b string": `!` not null), then a line for each row as
 * CAST(struct(*) AS STRING) shows it.
 */
#ifndef NILAS_TEST_UNIT_SESSION_FRAMES_H
#define NILAS_TEST_UNIT_SESSION_FRAMES_H

#include "session/session.h"
#include "test.h"

typedef struct frames {
    nilas_session *session;
    nilas_arena *arena; // of the trees that are made
    nilas_error err;
    int64_t plan_id;
} frames;

__attribute__((unused)) static void frames_init(frames *f) {
    *f = (frames){.err = NILAS_ERROR_INIT};
    const nilas_property settings[] = {{NILAS_STR("spark.sql.session.timeZone"), NILAS_STR("UTC")}};
    nilas_session_options options = {.settings = settings, .setting_count = 1};
    f->arena = nilas_arena_new(NULL, 0);
    CHECK_OK(nilas_session_new(&options, &f->session, &f->err), f->err);
}

__attribute__((unused)) static void frames_done(frames *f) {
    nilas_arena_free(f->arena); // what it holds is the session's
    nilas_session_free(f->session);
}

__attribute__((unused)) static nilas_query *frames_sql(frames *f, const char *text) {
    nilas_sql_options options = {0};
    nilas_statement *statement = NULL;
    if (nilas_sql_parse(f->arena, nilas_str_of(text), &options, &statement, &f->err) != NILAS_OK) {
        nilas_test_fail(__FILE__, __LINE__, "%s: %s", text, f->err.message);
        exit(1);
    }
    return statement->query;
}

__attribute__((unused)) static nilas_query *frames_over(frames *f, nilas_query_kind kind,
                                                        nilas_query *input) {
    nilas_query *query = NULL;
    CHECK_OK(nilas_query_new(f->arena, kind, -1, &query, &f->err), f->err);
    query->input = input;
    query->plan_id = ++f->plan_id;
    return query;
}

/** "a, b + 1 AS c" as expressions. */
__attribute__((unused)) static void frames_exprs(frames *f, nilas_query *query, const char *list) {
    nilas_str text = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(f->arena, &text, &f->err, "SELECT %s", list), f->err);
    nilas_query *parsed = frames_sql(f, text.data);
    query->exprs = parsed->exprs;
    query->expr_count = parsed->expr_count;
}

/** One expression. */
__attribute__((unused)) static nilas_expr *frames_expr(frames *f, const char *text) {
    nilas_query holder = {0};
    frames_exprs(f, &holder, text);
    return holder.exprs[0];
}

/** "a b c": names. */
__attribute__((unused)) static void frames_columns(frames *f, nilas_query *query,
                                                   const char *names) {
    void *memory = NULL;
    CHECK_OK(
        nilas_arena_alloc_array(f->arena, strlen(names) + 1, sizeof(nilas_str), &memory, &f->err),
        f->err);
    query->columns = memory;
    for (const char *at = names; *at != '\0';) {
        size_t size = strcspn(at, " ");
        query->columns[query->column_count++] = (nilas_str){.data = at, .size = size};
        at += size + (at[size] != '\0' ? 1 : 0);
    }
}

/** A column of the frame with this plan id. */
__attribute__((unused)) static nilas_expr *frames_column(frames *f, const nilas_query *frame,
                                                         const char *name) {
    nilas_expr *expr = frames_expr(f, name);
    expr->plan_id = frame->plan_id;
    return expr;
}

static void frames_print_type(nilas_buf *out, const nilas_type *type) {
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_buf_print(out, "%s%.*s ", i > 0 ? ", " : "", NILAS_FMT(type->fields[i].name));
        nilas_type_print(out, type->fields[i].type);
        nilas_buf_add_text(out, type->fields[i].nullable ? "" : "!");
    }
}

static nilas_code frames_print_rows(nilas_buf *out, nilas_result *result, nilas_error *err) {
    while (true) {
        struct ArrowArray batch = {0};
        NILAS_TRY(nilas_result_next(result, &batch, err));
        if (batch.release == NULL) {
            return NILAS_OK;
        }
        const struct ArrowArray *cells = batch.children[0];
        const int32_t *offsets = cells->buffers[1];
        for (int64_t i = 0; i < batch.length; i++) {
            int64_t at = batch.offset + cells->offset + i;
            nilas_buf_add_char(out, '\n');
            nilas_buf_add_bytes(out, (const char *)cells->buffers[2] + offsets[at],
                                (size_t)(offsets[at + 1] - offsets[at]));
        }
        batch.release(&batch);
    }
}

/** Columns c0, c1 …, so that names that are there twice do not matter. */
static void frames_number(frames *f, nilas_query *alias, size_t count) {
    void *memory = NULL;
    CHECK_OK(nilas_arena_alloc_array(f->arena, count, sizeof(nilas_str), &memory, &f->err), f->err);
    alias->columns = memory;
    alias->column_count = count;
    for (size_t i = 0; i < count; i++) {
        CHECK_OK(nilas_str_print(f->arena, &alias->columns[i], &f->err, "c%zu", i), f->err);
    }
}

/** Run a query of `f`; its tree may be used again. */
__attribute__((unused)) static nilas_code frames_run(frames *f, nilas_query *query, nilas_buf *out,
                                                     nilas_error *err) {
    const nilas_type *type;
    NILAS_TRY(nilas_session_analyze(f->session, f->arena, query, &type, err));
    frames_print_type(out, type);
    NILAS_AUTO(nilas_result) result = NULL;
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    nilas_query *named = frames_over(f, NILAS_QUERY_ALIAS, query);
    frames_number(f, named, type->field_count);
    nilas_query *shown = frames_over(f, NILAS_QUERY_PIPE_SELECT, named);
    nilas_statement *statement = NULL;
    frames_exprs(f, shown, "CAST(struct(*) AS STRING) AS row");
    CHECK_OK(nilas_statement_new(f->arena, NILAS_STATEMENT_QUERY, -1, &statement, err), *err);
    statement->query = shown;
    const nilas_session_request request = {.stmt = stmt, .statement = statement};
    NILAS_TRY(nilas_session_execute(f->session, &request, &result, err));
    return frames_print_rows(out, result, err);
}

/** Check what a query gives; `expected` is schema and rows joined by newlines. */
#define CHECK_FRAME(f, query, expected)                                                            \
    do {                                                                                           \
        NILAS_AUTO_BUF frame_text = NILAS_BUF_INIT(0);                                             \
        nilas_error frame_err = NILAS_ERROR_INIT;                                                  \
        nilas_code frame_code = frames_run((f), (query), &frame_text, &frame_err);                 \
        CHECK_OK(frame_code, frame_err);                                                           \
        if (frame_code == NILAS_OK) {                                                              \
            CHECK_STR(nilas_buf_view(&frame_text), expected);                                      \
        }                                                                                          \
    } while (false)

/** Check that a query is refused with Spark's condition. */
#define CHECK_FRAME_FAILS(f, query, expected_condition)                                            \
    do {                                                                                           \
        NILAS_AUTO_BUF frame_text = NILAS_BUF_INIT(0);                                             \
        nilas_error frame_err = NILAS_ERROR_INIT;                                                  \
        nilas_code frame_code = frames_run((f), (query), &frame_text, &frame_err);                 \
        CHECK(frame_code != NILAS_OK);                                                             \
        CHECK_STR(                                                                                 \
            nilas_str_of(frame_err.condition != NULL ? frame_err.condition : frame_err.message),   \
            expected_condition);                                                                   \
    } while (false)

#endif
