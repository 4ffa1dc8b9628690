/**
 * A binder's surroundings made up for tests: two catalogs ("local", and "spark_catalog", a
 * session catalog) whose tables are given by name, views, settings, a clock; expressions are
 * written as text.
 */
#ifndef NILAS_TEST_BIND_SURROUNDINGS_H
#define NILAS_TEST_BIND_SURROUNDINGS_H

#include "bind/expr.h"
#include "sql/sql.h"
#include "test.h"

typedef struct test_table {
    const char *name; // "local.db.t"
    nilas_table *table;
} test_table;

typedef struct surroundings {
    nilas_arena *arena;
    nilas_bind_environment environment;
    nilas_io *io;
    nilas_catalog *local, *session;
    const test_table *tables;
    size_t table_count;
    const nilas_temp_view *views;
    size_t view_count;
    const char *wap_branch;
} surroundings;

static nilas_code test_find_catalog(void *context, nilas_str name, nilas_catalog **out,
                                    nilas_error *err) {
    surroundings *s = context;
    (void)err;
    *out = nilas_str_is(name, "local")           ? s->local
           : nilas_str_is(name, "spark_catalog") ? s->session
                                                 : NULL;
    return NILAS_OK;
}

static nilas_code test_load_table(void *context, nilas_catalog *catalog, const nilas_str *parts,
                                  size_t count, nilas_table **out, nilas_error *err) {
    surroundings *s = context;
    NILAS_AUTO_BUF name = {0};
    nilas_buf_add(&name, nilas_catalog_name(catalog));
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_char(&name, '.');
        nilas_buf_add(&name, parts[i]);
    }
    for (size_t i = 0; i < s->table_count; i++) {
        if (nilas_str_is(nilas_buf_view(&name), s->tables[i].name)) {
            *out = nilas_table_ref(s->tables[i].table);
            return NILAS_OK;
        }
    }
    return nilas_fail(err, NILAS_NOT_FOUND, "no such table");
}

static const nilas_temp_view *test_find_view(void *context, const void *scope,
                                             const nilas_str *parts, size_t count) {
    surroundings *s = context;
    (void)scope;
    for (size_t i = 0; i < s->view_count; i++) {
        if (count == 1 && nilas_str_equal(parts[0], s->views[i].name)) {
            return &s->views[i];
        }
    }
    return NULL;
}

static nilas_str test_setting(void *context, const char *key) {
    surroundings *s = context;
    bool is_wap = strcmp(key, "spark.wap.branch") == 0 && s->wap_branch != NULL;
    return is_wap ? nilas_str_of(s->wap_branch) : (nilas_str){0};
}

static nilas_code test_parse_name(void *context, nilas_str text, nilas_str **out, size_t *out_count,
                                  nilas_error *err) {
    surroundings *s = context;
    return nilas_sql_parse_name(s->arena, text, out, out_count, err);
}

static nilas_catalog *test_catalog(nilas_io *io, const char *name, const char *implementation) {
    nilas_property properties[] = {{NILAS_STR("type"), NILAS_STR("hadoop")},
                                   {NILAS_STR("warehouse"), NILAS_STR("/nonexistent/warehouse")}};
    nilas_catalog_options options = {.name = nilas_str_of(name),
                                     .implementation = nilas_str_of(implementation),
                                     .properties = properties,
                                     .property_count = 2,
                                     .io = io};
    nilas_error err = NILAS_ERROR_INIT;
    nilas_catalog *catalog = NULL;
    CHECK_OK(nilas_catalog_open(&options, &catalog, &err), err);
    return catalog;
}

/** UTC, ANSI, current spark_catalog.default; tables and views are the caller's to add. */
static void surroundings_init(surroundings *s) {
    static const nilas_str default_namespace[] = {{"default", 7}};
    *s = (surroundings){.arena = nilas_arena_new(NULL, 0)};
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_OK(nilas_io_new(&s->io, &err), err);
    s->local = test_catalog(s->io, "local", "org.apache.iceberg.spark.SparkCatalog");
    s->session =
        test_catalog(s->io, "spark_catalog", "org.apache.iceberg.spark.SparkSessionCatalog");
    s->environment = (nilas_bind_environment){.context = s,
                                              .io = s->io,
                                              .stmt = s->arena,
                                              .current_catalog = NILAS_STR("spark_catalog"),
                                              .current_namespace = default_namespace,
                                              .current_namespace_count = 1,
                                              .zone = nilas_zone_find(NILAS_STR("UTC")),
                                              .ansi = true,
                                              .now_micros = 1700000000000000,
                                              .user = NILAS_STR("somebody"),
                                              .find_catalog = test_find_catalog,
                                              .find_temp_view = test_find_view,
                                              .setting = test_setting,
                                              .parse_name = test_parse_name,
                                              .load_table = test_load_table};
}

static void surroundings_done(surroundings *s) {
    nilas_arena_free(s->arena);
    nilas_catalog_free(s->local);
    nilas_catalog_free(s->session);
    nilas_io_free(s->io);
}

__attribute__((unused)) static nilas_code test_parse_expr(surroundings *s, const char *text,
                                                          nilas_expr **out, nilas_error *err) {
    nilas_sql_options options = {0};
    s->environment.statement_text = nilas_str_of(text);
    return nilas_sql_parse_expr(s->arena, nilas_str_of(text), &options, out, err);
}

/** Columns of a made-up table "t", by a schema text: "id bigint, s string". */
__attribute__((unused)) static nilas_scope_column *
test_columns(surroundings *s, nilas_binder *binder, const char *schema, size_t *out_count) {
    static const nilas_str qualifier[] = {{"t", 1}};
    const nilas_type *type = NULL;
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    *out_count = 0;
    CHECK_OK(nilas_sql_parse_type(s->arena, nilas_str_of(schema), &type, &err), err);
    if (type == NULL ||
        nilas_arena_alloc_array(s->arena, type->field_count, sizeof(nilas_scope_column), &memory,
                                &err) != NILAS_OK) {
        return NULL;
    }
    nilas_scope_column *columns = memory;
    for (size_t i = 0; i < type->field_count; i++) {
        columns[i] = (nilas_scope_column){.qualifier = qualifier, .qualifier_count = 1};
        columns[i].attribute = (nilas_attribute){.id = binder->next_id++,
                                                 .name = type->fields[i].name,
                                                 .type = type->fields[i].type,
                                                 .nullable = true};
    }
    *out_count = type->field_count;
    return columns;
}

#endif
