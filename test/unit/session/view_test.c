/* Temporary views of DataFrames keep the views that they saw; views of SQL read what is there. */
#include "unit/session/frames.h"

/** A source that is a text; released sources are counted. */
typedef struct text_source {
    frames *f;
    const char *text;
} text_source;

static int released;

static nilas_code make_text(void *context, nilas_arena *stmt, const nilas_query **out,
                            nilas_error *err) {
    (void)stmt;
    (void)err;
    const text_source *source = context;
    *out = frames_sql(source->f, source->text);
    return NILAS_OK;
}

static void release_text(void *context) {
    released++;
    free(context);
}

static nilas_code copy_text(void *context, void *owner, nilas_view_source *out, nilas_error *err);

static nilas_view_source source_of(frames *f, const char *text) {
    text_source *made = malloc(sizeof(*made));
    *made = (text_source){.f = f, .text = text};
    return (nilas_view_source){
        .make = make_text, .release = release_text, .copy = copy_text, .context = made};
}

static nilas_code copy_text(void *context, void *owner, nilas_view_source *out, nilas_error *err) {
    (void)err;
    *out = source_of(owner, ((const text_source *)context)->text);
    return NILAS_OK;
}

static void put(frames *f, const char *name, bool global, const char *text) {
    nilas_view_options options = {.name = nilas_str_of(name), .global = global, .replace = true};
    nilas_view_source source = source_of(f, text);
    CHECK_OK(nilas_session_create_view(f->session, &options, &source, &f->err), f->err);
}

static nilas_code run(frames *f, const char *text, nilas_error *err) {
    NILAS_AUTO(nilas_result) result = NULL;
    return nilas_session_run(f->session, nilas_str_of(text), &result, err);
}

NILAS_TEST(a_view_of_a_frame_may_replace_the_one_it_reads) {
    frames f;
    frames_init(&f);
    released = 0;
    put(&f, "v", false, "SELECT 0 AS x");
    for (int i = 0; i < 50; i++) {
        put(&f, "v", false, "SELECT x + 1 AS x FROM v");
    }
    CHECK_FRAME(&f, frames_sql(&f, "SELECT l.x FROM v l JOIN V r ON l.x = r.x"), "x int!\n{50}");
    put(&f, "g", true, "SELECT 1 AS x");
    put(&f, "g", true, "SELECT x + 1 AS x FROM global_temp.g");
    CHECK_FRAME(&f, frames_sql(&f, "SELECT * FROM global_temp.g"), "x int!\n{2}");
    frames_done(&f);
    CHECK_INT(released, 53);
}

NILAS_TEST(views_that_nobody_can_read_go) {
    frames f;
    frames_init(&f);
    released = 0;
    put(&f, "v", false, "SELECT 0 AS x");
    put(&f, "v", false, "SELECT x + 1 AS x FROM v");
    put(&f, "other", false, "SELECT 1 AS x");
    put(&f, "v", false, "SELECT x + 1 AS x FROM v");
    put(&f, "other", false, "SELECT 2 AS x"); // no view reads the first
    CHECK_INT(released, 1);
    put(&f, "v", false, "SELECT 7 AS x");
    CHECK_INT(released, 4);
    frames_done(&f);
    CHECK_INT(released, 6);
}

NILAS_TEST(a_view_of_a_frame_keeps_what_it_saw) {
    frames f;
    frames_init(&f);
    put(&f, "a", false, "SELECT 1 AS x");
    CHECK_OK(run(&f, "CREATE TEMPORARY VIEW t AS SELECT x + 10 AS x FROM a", &f.err), f.err);
    put(&f, "b", false, "SELECT t.x + a.x AS x FROM t, a");
    CHECK_OK(run(&f, "CREATE OR REPLACE TEMPORARY VIEW a AS SELECT 2 AS x", &f.err), f.err);
    CHECK_FRAME(&f, frames_sql(&f, "SELECT * FROM b"), "x int!\n{12}");
    CHECK_FRAME(&f, frames_sql(&f, "SELECT * FROM t"), "x int!\n{12}"); // a text reads a of now
    CHECK_OK(run(&f, "DROP VIEW t", &f.err), f.err);
    CHECK_OK(run(&f, "DROP VIEW a", &f.err), f.err);
    CHECK_FRAME(&f, frames_sql(&f, "SELECT * FROM b"), "x int!\n{12}");
    CHECK_FRAME_FAILS(&f, frames_sql(&f, "SELECT * FROM a"), "TABLE_OR_VIEW_NOT_FOUND");
    frames_done(&f);
}

NILAS_TEST(a_clone_has_what_views_saw) {
    frames f;
    frames_init(&f);
    released = 0;
    put(&f, "v", false, "SELECT 1 AS x");
    put(&f, "v", false, "SELECT x + 1 AS x FROM v");
    frames second = {.err = NILAS_ERROR_INIT, .arena = nilas_arena_new(NULL, 0)};
    nilas_session_options options = {0};
    CHECK_OK(nilas_session_clone(f.session, &options, &second, &second.session, &f.err), f.err);
    frames_done(&f);
    CHECK_INT(released, 2);
    CHECK_FRAME(&second, frames_sql(&second, "SELECT * FROM v"), "x int!\n{2}");
    frames_done(&second);
    CHECK_INT(released, 4);
}

NILAS_TEST(a_view_of_a_text_does_not_read_itself) {
    frames f;
    frames_init(&f);
    CHECK_OK(run(&f, "CREATE TEMPORARY VIEW v AS SELECT 1 AS x", &f.err), f.err);
    CHECK_OK(run(&f, "CREATE TEMPORARY VIEW w AS SELECT * FROM v", &f.err), f.err);
    CHECK_FAILS(run(&f, "CREATE OR REPLACE TEMPORARY VIEW v AS SELECT * FROM v", &f.err),
                NILAS_INVALID, f.err, "Recursive view `v` detected (cycle: `v` -> `v`).");
    f.err = (nilas_error)NILAS_ERROR_INIT;
    CHECK_FAILS(run(&f, "CREATE OR REPLACE TEMPORARY VIEW v AS SELECT * FROM w", &f.err),
                NILAS_INVALID, f.err, "Recursive view `v` detected (cycle: `v` -> `w` -> `v`).");
    CHECK_FRAME(&f, frames_sql(&f, "SELECT * FROM w"), "x int!\n{1}");
    frames_done(&f);
}
