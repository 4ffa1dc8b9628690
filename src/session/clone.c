/** A second session that begins where another one stands. */
#include "session/private.h"

static nilas_code copy_settings(nilas_arena *arena, const nilas_session *from,
                                nilas_session_options *options, nilas_error *err) {
    nilas_property *settings;
    NILAS_NEW_ARRAY(arena, &settings, from->settings.count, err);
    for (size_t i = 0; i < from->settings.count; i++) {
        settings[i].key = nilas_str_of(from->settings.items[i].key);
        settings[i].value = nilas_str_of(from->settings.items[i].value);
    }
    options->settings = settings;
    options->setting_count = from->settings.count;
    return NILAS_OK;
}

/** A view like this one, in no list yet. Its names go on resolving where they did. */
static nilas_code copy_alone(nilas_session *to, const nilas_session_view *view,
                             const nilas_session_view *seen, void *owner, nilas_session_view **out,
                             nilas_error *err) {
    nilas_view_options options = {.name = view->name, .global = view->global, .replace = true};
    nilas_view_source source = {0};
    nilas_view_content content = {.text = view->text, .seen = seen};
    NILAS_TRY(
        nilas_session__use(to, view->catalog, view->current_namespace, view->namespace_count, err));
    if (view->body->source.make == NULL) {
        return nilas_session__new_view(to, &options, &content, out, err);
    }
    NILAS_REQUIRE(view->body->source.copy != NULL, err, NILAS_UNSUPPORTED,
                  "the temporary view %.*s cannot be cloned", NILAS_FMT(view->name));
    NILAS_TRY(view->body->source.copy(view->body->source.context, owner, &source, err));
    content.source = &source;
    nilas_code code = nilas_session__new_view(to, &options, &content, out, err);
    if (code != NILAS_OK && source.release != NULL) {
        source.release(source.context);
    }
    return code;
}

static nilas_code copy_views(nilas_session *to, const nilas_session_view *from, void *owner,
                             nilas_session_view **list, nilas_error *err);

/** With copies of what it saw. */
static nilas_code copy_view(nilas_session *to, const nilas_session_view *view, void *owner,
                            nilas_session_view **out, nilas_error *err) {
    nilas_session seen = {0};
    nilas_code code = copy_views(to, view->body->seen, owner, &seen.views, err);
    if (code == NILAS_OK) {
        code = copy_alone(to, view, seen.views, owner, out, err);
    }
    nilas_session__clear_views(&seen);
    return code;
}

/** As deep as views of DataFrames read each other: binding bounded that when they were made. */
static nilas_code copy_views(nilas_session *to, const nilas_session_view *from, void *owner,
                             nilas_session_view **list, nilas_error *err) {
    for (const nilas_session_view *view = from; view != NULL; view = view->next) {
        NILAS_TRY(copy_view(to, view, owner, list, err));
        list = &(*list)->next;
    }
    return NILAS_OK;
}

static nilas_code fill(nilas_session *to, const nilas_session *from, void *owner,
                       nilas_error *err) {
    NILAS_TRY(copy_views(to, from->views, owner, &to->views, err));
    return nilas_session__use(to, from->current_catalog, from->current_namespace,
                              from->namespace_count, err);
}

nilas_code nilas_session_clone(nilas_session *from, const nilas_session_options *options,
                               void *owner, nilas_session **out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_session) to = NULL;
    nilas_session_options copied = *options;
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory for a session");
    pthread_mutex_lock(&from->lock);
    nilas_code code = copy_settings(arena, from, &copied, err);
    if (code == NILAS_OK) {
        code = nilas_session_new(&copied, &to, err);
    }
    if (code == NILAS_OK) {
        code = fill(to, from, owner, err);
    }
    pthread_mutex_unlock(&from->lock);
    NILAS_TRY(code);
    *out = to;
    to = NULL;
    return NILAS_OK;
}
