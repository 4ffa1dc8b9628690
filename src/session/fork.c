/*
 * Statements at the same time. A session may be changed while statements run on it; so each sees a
 * copy of what the session was when it began: settings, views, where names resolve. A change is
 * made to the session, under its lock, and then seen by the statement that made it.
 *
 * A catalog serves one statement at a time: it is lent, and a second statement has a second one.
 */
#include "session/private.h"

/** As deep as views of DataFrames read each other: binding bounded that when they were made. */
static void release_body(nilas_view_body *body) {
    if (atomic_fetch_sub(&body->references, 1) != 1) {
        return;
    }
    for (const nilas_session_view *view = body->seen; view != NULL; view = view->next) {
        release_body(view->body);
    }
    if (body->source.release != NULL) {
        body->source.release(body->source.context);
    }
    nilas_arena_free(body->arena); // the body itself lives there
}

void nilas_session__clear_views(nilas_session *session) {
    while (session->views != NULL) {
        nilas_session_view *view = session->views;
        session->views = view->next;
        release_body(view->body);
    }
}

nilas_code nilas_session__share_views(nilas_arena *arena, const nilas_session_view *from,
                                      nilas_session_view **list, nilas_error *err) {
    nilas_session_view **tail = list;
    while (*tail != NULL) {
        tail = &(*tail)->next;
    }
    for (const nilas_session_view *view = from; view != NULL; view = view->next) {
        nilas_session_view *copy;
        NILAS_NEW(arena, &copy, err);
        *copy = *view;
        copy->next = NULL;
        atomic_fetch_add(&view->body->references, 1);
        *tail = copy;
        tail = &copy->next;
    }
    return NILAS_OK;
}

static nilas_code copy_place(nilas_session *fork, nilas_error *err) {
    const nilas_session *owner = fork->owner;
    nilas_arena *arena = fork->arena;
    NILAS_TRY(nilas_str_copy(arena, owner->current_catalog, &fork->current_catalog, err));
    NILAS_NEW_ARRAY(arena, &fork->current_namespace, owner->namespace_count, err);
    for (size_t i = 0; i < owner->namespace_count; i++) {
        NILAS_TRY(
            nilas_str_copy(arena, owner->current_namespace[i], &fork->current_namespace[i], err));
    }
    fork->namespace_count = owner->namespace_count;
    return NILAS_OK;
}

static void release_settings(void *context) {
    nilas_settings_done(context);
}

/** What was copied before stays as long as the statement, which may point into it. */
static nilas_code copy_settings(nilas_session *fork, nilas_error *err) {
    nilas_settings *copy;
    NILAS_NEW(fork->arena, &copy, err);
    NILAS_TRY(nilas_settings_clone(&fork->owner->settings, copy, err));
    nilas_code code = nilas_arena_on_release(fork->arena, release_settings, copy, err);
    if (code != NILAS_OK) {
        nilas_settings_done(copy);
        return code;
    }
    fork->settings = *copy;
    return NILAS_OK;
}

/** The session is locked. */
static nilas_code copy_state(nilas_session *fork, nilas_error *err) {
    NILAS_TRY(copy_settings(fork, err));
    fork->zone = fork->owner->zone;
    NILAS_TRY(nilas_session__share_views(fork->arena, fork->owner->views, &fork->views, err));
    return copy_place(fork, err);
}

static void release_fork(void *context) {
    nilas_session *fork = context;
    nilas_session__return_catalogs(fork);
    nilas_engine_free(fork->engine);
    nilas_session__clear_views(fork);
}

static nilas_code make_engine(nilas_session *fork, const nilas_session_request *request,
                              nilas_error *err) {
    nilas_engine_options options = fork->owner->engine_options;
    fork->cancel = fork->owner->cancel;
    if (request != NULL && request->cancel != NULL) {
        fork->cancel = request->cancel;
    }
    if (request != NULL && request->progress != NULL) {
        options.progress = request->progress;
        options.progress_context = request->progress_context;
    }
    options.cancel = fork->cancel;
    options.zone = fork->zone;
    options.ansi = nilas_settings_is_true(&fork->settings, "spark.sql.ansi.enabled");
    return nilas_engine_fork(fork->owner->engine, &options, &fork->engine, err);
}

nilas_code nilas_session__fork(nilas_session *session, const nilas_session_request *request,
                               nilas_arena *stmt, nilas_session **out, nilas_error *err) {
    nilas_session *fork;
    nilas_session *owner = session->owner != NULL ? session->owner : session;
    NILAS_NEW(stmt, &fork, err);
    NILAS_TRY(nilas_arena_on_release(stmt, release_fork, fork, err));
    fork->owner = owner;
    fork->arena = stmt;
    fork->io = owner->io;
    pthread_mutex_lock(&owner->lock);
    nilas_code code = copy_state(fork, err);
    pthread_mutex_unlock(&owner->lock);
    NILAS_TRY(code);
    NILAS_TRY(make_engine(fork, request, err));
    *out = fork;
    return NILAS_OK;
}

void nilas_session__return_catalogs(nilas_session *fork) {
    pthread_mutex_lock(&fork->owner->lock);
    for (size_t i = 0; i < fork->lent.count; i++) {
        fork->lent.items[i]->is_lent = false;
    }
    fork->lent.count = 0;
    pthread_mutex_unlock(&fork->owner->lock);
}

nilas_session *nilas_session__begin_change(nilas_session *session) {
    nilas_session *owner = session->owner != NULL ? session->owner : session;
    pthread_mutex_lock(&owner->lock);
    return owner;
}

nilas_code nilas_session__end_change(nilas_session *session, nilas_code code, nilas_error *err) {
    nilas_session *owner = session->owner != NULL ? session->owner : session;
    if (session != owner) {
        nilas_session__clear_views(session);
        nilas_error ignored = NILAS_ERROR_INIT;
        nilas_code copied = copy_state(session, code == NILAS_OK ? err : &ignored);
        code = code == NILAS_OK ? copied : code;
    }
    pthread_mutex_unlock(&owner->lock);
    return code;
}
