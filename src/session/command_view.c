/** Temporary views: made, replaced, dropped; CACHE TABLE as a view where it names one. */
#include "session/ddl.h"

/** The place of a view in the list; *slot NULL: there is none. */
static nilas_session_view **find_slot(nilas_session *session, nilas_str name, bool global) {
    nilas_session_view **slot = &session->views;
    while (*slot != NULL &&
           ((*slot)->global != global || !nilas_str_equal_nocase((*slot)->name, name))) {
        slot = &(*slot)->next;
    }
    return slot;
}

const nilas_session_view *nilas_session__find_view(const nilas_session *session, nilas_str name,
                                                   bool global) {
    return *find_slot((nilas_session *)(uintptr_t)session, name, global);
}

static nilas_code fill_view(const nilas_session *session, nilas_session_view *view, nilas_str name,
                            nilas_str text, nilas_error *err) {
    nilas_arena *arena = view->body->arena;
    NILAS_TRY(nilas_str_copy(arena, name, &view->name, err));
    NILAS_TRY(nilas_str_copy(arena, text, &view->text, err));
    NILAS_TRY(nilas_str_copy(arena, session->current_catalog, &view->catalog, err));
    NILAS_NEW_ARRAY(arena, &view->current_namespace, session->namespace_count, err);
    for (size_t i = 0; i < session->namespace_count; i++) {
        NILAS_TRY(
            nilas_str_copy(arena, session->current_namespace[i], &view->current_namespace[i], err));
    }
    view->namespace_count = session->namespace_count;
    return NILAS_OK;
}

static nilas_code new_view(nilas_session_view **out, nilas_error *err) {
    nilas_arena *arena = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory for a view");
    struct {
        nilas_session_view view;
        nilas_view_body body;
    } * made;
    void *memory = NULL;
    nilas_code code = nilas_arena_alloc(arena, sizeof(*made), &memory, err);
    if (code != NILAS_OK) {
        nilas_arena_free(arena);
        return code;
    }
    made = memory;
    made->body.arena = arena;
    atomic_init(&made->body.references, 1);
    made->view.body = &made->body;
    *out = &made->view;
    return NILAS_OK;
}

/** Take the view of a place out of the list; statements that saw it keep it. */
static void take_out(nilas_session_view **slot) {
    nilas_session_view *view = *slot;
    *slot = view->next;
    view->next = NULL;
    nilas_session one = {.views = view};
    nilas_session__clear_views(&one);
}

nilas_code nilas_session__new_view(const nilas_session *session, const nilas_view_options *options,
                                   const nilas_view_content *content, nilas_session_view **out,
                                   nilas_error *err) {
    nilas_session_view *view;
    NILAS_TRY(new_view(&view, err));
    nilas_code code = fill_view(session, view, options->name, content->text, err);
    if (code == NILAS_OK) {
        code = nilas_session__share_views(view->body->arena, content->seen, &view->body->seen, err);
    }
    if (code != NILAS_OK) {
        nilas_session one = {.views = view};
        nilas_session__clear_views(&one);
        return code;
    }
    view->global = options->global;
    if (content->source != NULL) {
        view->body->source = *content->source;
    }
    *out = view;
    return NILAS_OK;
}

static nilas_code put_view(nilas_session *session, const nilas_view_options *options,
                           const nilas_view_content *content, nilas_error *err) {
    nilas_session_view *view;
    NILAS_TRY(nilas_session__new_view(session, options, content, &view, err));
    nilas_session_view **slot = find_slot(session, options->name, options->global);
    if (*slot != NULL) {
        take_out(slot);
    }
    view->next = *slot;
    *slot = view;
    return NILAS_OK;
}

nilas_code nilas_session__put_view(nilas_session *session, const nilas_view_options *options,
                                   const nilas_view_content *content, nilas_error *err) {
    nilas_session *changed = nilas_session__begin_change(session);
    nilas_code code = put_view(changed, options, content, err);
    return nilas_session__end_change(session, code, err);
}

bool nilas_session__drop_view(nilas_session *session, nilas_str name, bool global) {
    nilas_error ignored = NILAS_ERROR_INIT;
    nilas_session *changed = nilas_session__begin_change(session);
    nilas_session_view **slot = find_slot(changed, name, global);
    bool found = *slot != NULL;
    if (found) {
        take_out(slot);
    }
    return nilas_session__end_change(session, NILAS_OK, &ignored) == NILAS_OK && found;
}

nilas_code nilas_session__fail_view_exists(nilas_str name, int32_t offset, nilas_error *err) {
    return nilas_fail_at(
        err, NILAS_EXISTS, "TEMP_TABLE_OR_VIEW_ALREADY_EXISTS", offset,
        "Cannot create the temporary view `%.*s` because it already exists. Choose a different "
        "name, drop or replace the existing view, or add the IF NOT EXISTS clause to tolerate "
        "pre-existing views.",
        NILAS_FMT(name));
}

/** A tree that did not come from text is printed: the view keeps its statement as text. */
static nilas_code statement_text(nilas_run *run, nilas_str *out, nilas_error *err) {
    if (run->statement->text.size > 0) {
        *out = run->statement->text;
        return NILAS_OK;
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_statement_print(&text, run->statement);
    return nilas_buf_finish(&text, run->stmt, out, err);
}

/** Bind `SELECT * FROM view`, so that what is wrong with a view is said when it is made. */
static nilas_code check_view(nilas_run *run, nilas_str name, bool global, nilas_error *err) {
    nilas_query *table;
    nilas_plan *plan;
    nilas_str global_temp = NILAS_STR("global_temp");
    NILAS_TRY(nilas_query_new(run->stmt, NILAS_QUERY_TABLE, run->statement->offset, &table, err));
    NILAS_NEW_ARRAY(run->stmt, &table->parts, 2, err);
    table->parts[0] = global ? global_temp : name;
    table->parts[1] = name;
    table->part_count = global ? 2 : 1;
    return nilas_bind_query(&run->environment, table, &plan, err);
}

/** Bind the query of a view before the old one goes: it may not read that one, by itself or by
 *  views that it reads. */
static nilas_code check_query(nilas_run *run, nilas_str name, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    nilas_view_making making = {.name = name, .global = statement->global, .from_text = true};
    nilas_plan *plan;
    run->making = &making;
    nilas_code code = nilas_bind_query(&run->environment, statement->query, &plan, err);
    run->making = NULL;
    NILAS_TRY(code);
    if (statement->column_def_count > 0 && statement->column_def_count != plan->output_count) {
        return nilas_fail_at(err, NILAS_INVALID,
                             statement->column_def_count > plan->output_count
                                 ? "CREATE_VIEW_COLUMN_ARITY_MISMATCH.NOT_ENOUGH_DATA_COLUMNS"
                                 : "CREATE_VIEW_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS",
                             statement->offset,
                             "Cannot create view `%.*s`, the view has %zu columns and the query "
                             "%zu.",
                             NILAS_FMT(name), statement->column_def_count, plan->output_count);
    }
    return NILAS_OK;
}

nilas_code nilas_command__create_view(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    if (!statement->temporary && statement->kind == NILAS_STATEMENT_CREATE_VIEW) {
        return nilas_command__create_catalog_view(run, err);
    }
    nilas_str name = statement->parts[statement->part_count - 1];
    bool exists = nilas_session__find_view(run->session, name, statement->global) != NULL;
    if (exists && !statement->or_replace) {
        if (statement->if_not_exists) {
            return nilas_session__no_rows(run, err);
        }
        return nilas_session__fail_view_exists(name, statement->offset, err);
    }
    nilas_str text;
    NILAS_TRY(statement_text(run, &text, err));
    if (statement->query != NULL) {
        NILAS_TRY(check_query(run, name, err));
    }
    nilas_view_options options = {.name = name, .global = statement->global};
    nilas_view_content content = {.text = text};
    NILAS_TRY(nilas_session__put_view(run->session, &options, &content, err));
    if (statement->query == NULL) {
        nilas_code code = check_view(run, name, statement->global, err);
        if (code != NILAS_OK) {
            (void)nilas_session__drop_view(run->session, name, statement->global);
            return code;
        }
    }
    return nilas_session__no_rows(run, err);
}

nilas_code nilas_command__drop_view(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    bool global =
        statement->part_count == 2 && nilas_str_is_nocase(statement->parts[0], "global_temp");
    if ((statement->part_count == 1 || global) &&
        nilas_session__drop_view(run->session, statement->parts[statement->part_count - 1],
                                 global)) {
        return nilas_session__no_rows(run, err);
    }
    return nilas_command__drop_catalog_view(run, err);
}

nilas_code nilas_command__cache_table(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    if (statement->query == NULL) {
        nilas_relation relation;
        NILAS_TRY(nilas_session__relation(run, &relation, err));
        return nilas_session__no_rows(run, err);
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_str copy;
    nilas_plan *plan;
    NILAS_TRY(nilas_bind_query(&run->environment, statement->query, &plan, err));
    nilas_buf_add_text(&text, "CREATE TEMPORARY VIEW ");
    nilas_identifier_print(&text, statement->parts[0]);
    nilas_buf_add_text(&text, " AS ");
    nilas_query_print(&text, statement->query);
    NILAS_TRY(nilas_buf_finish(&text, run->stmt, &copy, err));
    nilas_view_options options = {.name = statement->parts[0]};
    nilas_view_content content = {.text = copy};
    NILAS_TRY(nilas_session__put_view(run->session, &options, &content, err));
    return nilas_session__no_rows(run, err);
}
