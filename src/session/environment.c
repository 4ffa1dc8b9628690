/** What the binder asks of its surroundings, answered by the session: catalogs, views, settings,
 * the engine's values. */
#include <pwd.h>
#include <unistd.h>

#include "session/private.h"

static nilas_code find_catalog(void *context, nilas_str name, nilas_catalog **out,
                               nilas_error *err) {
    nilas_run *run = context;
    return nilas_session__catalog(run->session, name, out, err);
}

static nilas_str setting(void *context, const char *key) {
    nilas_run *run = context;
    return nilas_session_setting(run->session, key);
}

static nilas_code evaluate(void *context, const nilas_bound_expr *expr, nilas_value *out,
                           nilas_error *err) {
    nilas_run *run = context;
    return nilas_engine_evaluate(run->session->engine, run->stmt, expr, out, err);
}

static nilas_code infer_files(void *context, nilas_file_scan *scan, nilas_error *err) {
    nilas_run *run = context;
    scan->folder_values_are_text = nilas_str_is_nocase(
        nilas_session_setting(run->session,
                              "spark.sql.sources.partitionColumnTypeInference.enabled"),
        "false");
    return nilas_engine_infer_files(run->session->engine, run->stmt, scan, err);
}

static nilas_code local_type(void *context, nilas_str data, const nilas_type **out,
                             nilas_error *err) {
    nilas_run *run = context;
    return nilas_engine_local_type(run->stmt, data, out, err);
}

static nilas_code parse_query(void *context, nilas_str text, nilas_query **out, nilas_error *err) {
    nilas_run *run = context;
    nilas_sql_options options;
    nilas_statement *statement;
    NILAS_TRY(nilas_session__sql_options(run->session, &options));
    NILAS_TRY(nilas_sql_parse(run->stmt, text, &options, &statement, err));
    NILAS_REQUIRE(statement->kind == NILAS_STATEMENT_QUERY, err, NILAS_CORRUPT,
                  "the text of a view is not a query: %.*s", NILAS_FMT(text));
    *out = statement->query;
    return NILAS_OK;
}

static nilas_code parse_name(void *context, nilas_str text, nilas_str **out_parts,
                             size_t *out_count, nilas_error *err) {
    nilas_run *run = context;
    return nilas_sql_parse_name(run->stmt, text, out_parts, out_count, err);
}

static void release_table(void *context) {
    nilas_table_unref(context);
}

/** Load once a statement, so that a self-join sees one version. */
static nilas_code load_table(void *context, nilas_catalog *catalog, const nilas_str *identifier,
                             size_t count, nilas_table **out, nilas_error *err) {
    nilas_run *run = context;
    NILAS_AUTO_BUF key = NILAS_BUF_INIT(1 << 20);
    nilas_str key_text;
    nilas_buf_add(&key, nilas_catalog_name(catalog));
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_char(&key, '\x1f');
        nilas_buf_add(&key, identifier[i]);
    }
    nilas_table *table = nilas_map_find(&run->tables, nilas_buf_view(&key));
    if (table == NULL) {
        NILAS_TRY(nilas_buf_finish(&key, run->stmt, &key_text, err));
        NILAS_TRY(nilas_catalog_load_table(catalog, identifier, count, &table, err));
        nilas_code code = nilas_arena_on_release(run->stmt, release_table, table, err);
        if (code != NILAS_OK) {
            nilas_table_unref(table);
            return code;
        }
        NILAS_TRY(nilas_map_put(&run->tables, key_text, table, err));
    }
    *out = nilas_table_ref(table);
    return NILAS_OK;
}

/** Where names resolve inside a view. */
typedef struct view_scope {
    const struct view_scope *outer; // of the view that reads it; NULL: the statement does
    const nilas_session_view *view;
    // The views that it, or the nearest around it that was made of a DataFrame, saw when it was
    // made; NULL: the views of now.
    const nilas_view_body *frozen;
} view_scope;

static bool is_view(const nilas_session_view *view, nilas_str name, bool global) {
    return view->global == global && nilas_str_equal_nocase(view->name, name);
}

static const nilas_session_view *find_view(const nilas_session_view *list, const nilas_str *parts,
                                           size_t count) {
    bool global = count == 2 && nilas_str_is_nocase(parts[0], "global_temp");
    if (count != 1 && !global) {
        return NULL;
    }
    for (const nilas_session_view *view = list; view != NULL; view = view->next) {
        if (is_view(view, parts[count - 1], global)) {
            return view;
        }
    }
    return NULL;
}

static nilas_code place_view(nilas_run *run, const nilas_session_view *view, nilas_temp_view *out,
                             nilas_error *err) {
    NILAS_TRY(nilas_str_copy(run->stmt, view->name, &out->name, err));
    NILAS_TRY(nilas_str_copy(run->stmt, view->catalog, &out->catalog, err));
    NILAS_NEW_ARRAY(run->stmt, &out->current_namespace, view->namespace_count, err);
    for (size_t i = 0; i < view->namespace_count; i++) {
        NILAS_TRY(
            nilas_str_copy(run->stmt, view->current_namespace[i], &out->current_namespace[i], err));
    }
    out->namespace_count = view->namespace_count;
    return NILAS_OK;
}

/** Make the view's query again, from its source or its own statement's text, so that its tree lives
 * as long as this statement. */
static nilas_code load_view(nilas_run *run, const nilas_session_view *view, nilas_temp_view *out,
                            nilas_error *err) {
    nilas_sql_options options;
    nilas_statement *statement;
    nilas_str text;
    NILAS_TRY(place_view(run, view, out, err));
    if (view->body->source.make != NULL) {
        return view->body->source.make(view->body->source.context, run->stmt, &out->query, err);
    }
    NILAS_TRY(nilas_session__sql_options(run->session, &options));
    NILAS_TRY(nilas_str_copy(run->stmt, view->text, &text, err));
    NILAS_TRY(nilas_sql_parse(run->stmt, text, &options, &statement, err));
    out->query = statement->query;
    out->text = text;
    out->provider = statement->provider;
    out->options = statement->properties;
    out->option_count = statement->property_count;
    bool using = statement->kind == NILAS_STATEMENT_CREATE_TEMP_VIEW_USING;
    NILAS_NEW_ARRAY(run->stmt, &out->column_names, statement->column_def_count, err);
    NILAS_NEW_ARRAY(run->stmt, &out->column_comments, statement->column_def_count, err);
    NILAS_NEW_ARRAY(run->stmt, &out->has_column_comments, statement->column_def_count, err);
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(run->stmt, &fields, statement->column_def_count, err);
    for (size_t i = 0; i < statement->column_def_count; i++) {
        const nilas_column_def *column = &statement->column_defs[i];
        out->column_names[i] = column->parts[0];
        out->column_comments[i] = column->comment;
        out->has_column_comments[i] = column->has_comment;
        fields[i] = (nilas_type_field){
            .name = column->parts[0], .type = column->type, .nullable = !column->not_null};
    }
    if (using && statement->column_def_count > 0) {
        return nilas_type_struct(run->stmt, fields, statement->column_def_count, &out->schema, err);
    }
    out->column_count = using ? 0 : statement->column_def_count;
    return NILAS_OK;
}

static void add_path(nilas_buf *out, const nilas_session_view *view) {
    nilas_buf_add_text(out, view->global ? "`global_temp`.`" : "`");
    nilas_buf_add(out, view->name);
    nilas_buf_add_char(out, '`');
}

/** From the view that is made to itself. */
static nilas_code fail_recursive(const nilas_session_view *view, const view_scope *scope,
                                 nilas_error *err) {
    NILAS_AUTO_BUF cycle = NILAS_BUF_INIT(65536);
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    const view_scope *between[NILAS_LIMIT_VIEW_DEPTH];
    size_t count = 0;
    for (; scope != NULL && count < NILAS_LIMIT_VIEW_DEPTH; scope = scope->outer) {
        between[count++] = scope;
    }
    add_path(&name, view);
    while (count > 0) {
        nilas_buf_add_text(&cycle, " -> ");
        add_path(&cycle, between[--count]->view);
    }
    nilas_buf_add_text(&cycle, " -> ");
    add_path(&cycle, view);
    NILAS_TRY(nilas_buf_check(&name, err));
    NILAS_TRY(nilas_buf_check(&cycle, err));
    return nilas_fail_at(err, NILAS_INVALID, "RECURSIVE_VIEW", -1,
                         "Recursive view %.*s detected (cycle: %.*s%.*s).",
                         NILAS_FMT(nilas_buf_view(&name)), NILAS_FMT(nilas_buf_view(&name)),
                         NILAS_FMT(nilas_buf_view(&cycle)));
}

/** A view that is being made meets another. */
static nilas_code meet(nilas_run *run, const nilas_session_view *view, const view_scope *scope,
                       nilas_error *err) {
    nilas_view_making *making = run->making;
    if (making->from_text) {
        return is_view(view, making->name, making->global) ? fail_recursive(view, scope, err)
                                                           : NILAS_OK;
    }
    if (scope != NULL && scope->frozen != NULL) {
        return NILAS_OK; // kept by the view around it
    }
    for (const nilas_session_view *seen = making->seen; seen != NULL; seen = seen->next) {
        if (seen->body == view->body) {
            return NILAS_OK;
        }
    }
    nilas_session_view *seen;
    NILAS_NEW(run->stmt, &seen, err);
    *seen = *view; // its body is held by what this statement sees of the session
    seen->next = making->seen;
    making->seen = seen;
    return NILAS_OK;
}

static nilas_code use_view(nilas_run *run, const nilas_session_view *view, const view_scope *scope,
                           nilas_temp_view *out, nilas_error *err) {
    view_scope *inner;
    if (run->making != NULL) {
        NILAS_TRY(meet(run, view, scope, err));
    }
    NILAS_NEW(run->stmt, &inner, err);
    *inner = (view_scope){.outer = scope, .view = view};
    if (view->body->source.make != NULL) {
        inner->frozen = view->body;
    } else if (scope != NULL) {
        inner->frozen = scope->frozen;
    }
    NILAS_TRY(load_view(run, view, out, err));
    out->scope = inner;
    return NILAS_OK;
}

static const nilas_temp_view *find_temp_view(void *context, const void *scope,
                                             const nilas_str *parts, size_t count) {
    nilas_run *run = context;
    const view_scope *around = scope;
    bool is_frozen = around != NULL && around->frozen != NULL;
    const nilas_session_view *view =
        find_view(is_frozen ? around->frozen->seen : run->session->views, parts, count);
    static const nilas_error no_memory = {
        .code = NILAS_NOMEM, .sql_offset = -1, .message = "out of memory for a view"};
    static const nilas_temp_view without_memory = {.error = &no_memory};
    if (view == NULL) {
        return NULL;
    }
    void *memory;
    void *error;
    nilas_error local = NILAS_ERROR_INIT;
    if (nilas_arena_alloc(run->stmt, sizeof(nilas_temp_view), &memory, &local) != NILAS_OK ||
        nilas_arena_alloc(run->stmt, sizeof(nilas_error), &error, &local) != NILAS_OK) {
        return &without_memory;
    }
    nilas_temp_view *out = memory;
    if (use_view(run, view, around, out, &local) != NILAS_OK) {
        memcpy(error, &local, sizeof(local));
        out->error = error;
    }
    return out;
}

static nilas_str user_name(nilas_arena *stmt) {
    struct passwd space;
    struct passwd *entry = NULL;
    char text[4096];
    if (getpwuid_r(geteuid(), &space, text, sizeof(text), &entry) != 0) {
        entry = NULL;
    }
    nilas_str name = NILAS_STR("unknown");
    nilas_error ignored = NILAS_ERROR_INIT;
    if (entry != NULL &&
        nilas_str_copy(stmt, nilas_str_of(entry->pw_name), &name, &ignored) != NILAS_OK) {
        return NILAS_STR("unknown");
    }
    return name;
}

void nilas_session__environment(nilas_run *run, int64_t now_micros) {
    const nilas_session *session = run->session;
    run->environment = (nilas_bind_environment){
        .context = run,
        .io = session->io,
        .stmt = run->stmt,
        .statement_text = run->statement->text,
        .current_catalog = session->current_catalog,
        .current_namespace = session->current_namespace,
        .current_namespace_count = session->namespace_count,
        .zone = session->zone,
        .ansi = nilas_settings_is_true(&session->settings, "spark.sql.ansi.enabled"),
        .case_sensitive = nilas_settings_is_true(&session->settings, "spark.sql.caseSensitive"),
        .now_micros = now_micros,
        .user = user_name(run->stmt),
        .find_catalog = find_catalog,
        .find_temp_view = find_temp_view,
        .setting = setting,
        .evaluate = evaluate,
        .infer_files = infer_files,
        .local_type = local_type,
        .parse_query = parse_query,
        .parse_name = parse_name,
        .load_table = load_table,
    };
}
