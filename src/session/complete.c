/** Names for the shell's completion. Nothing here may fail loudly: what cannot be listed gives no
 * names. */
#include "session/private.h"

typedef struct name_list {
    nilas_arena *arena;
    nilas_str head; // what is typed before the last dot, with the dot
    nilas_str tail; // the part being typed
    NILAS_ARRAY_OF(nilas_str) names;
} name_list;

static nilas_code add_name(name_list *list, nilas_str name, nilas_error *err) {
    if (!nilas_str_starts_nocase(name, list->tail)) {
        return NILAS_OK;
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_str copy;
    nilas_buf_add(&text, list->head);
    nilas_identifier_print(&text, name);
    NILAS_TRY(nilas_buf_finish(&text, list->arena, &copy, err));
    NILAS_PUSH(list->arena, &list->names, copy, err);
    return NILAS_OK;
}

static nilas_code add_children(name_list *list, nilas_catalog *catalog, const nilas_str *parts,
                               size_t count, nilas_error *err) {
    nilas_identifier *children;
    size_t child_count;
    if (nilas_catalog_list_namespaces(catalog, list->arena, parts, count, &children, &child_count,
                                      err) == NILAS_OK) {
        for (size_t i = 0; i < child_count; i++) {
            NILAS_TRY(add_name(list, children[i].parts[children[i].count - 1], err));
        }
    }
    if (count > 0 && nilas_catalog_list_tables(catalog, list->arena, parts, count, &children,
                                               &child_count, err) == NILAS_OK) {
        for (size_t i = 0; i < child_count; i++) {
            NILAS_TRY(add_name(list, children[i].parts[children[i].count - 1], err));
        }
    }
    return NILAS_OK;
}

/** Columns of a table, and its metadata tables. */
static nilas_code add_table(name_list *list, nilas_catalog *catalog, const nilas_str *parts,
                            size_t count, nilas_error *err) {
    NILAS_AUTO(nilas_table) table = NULL;
    NILAS_TRY(nilas_catalog_load_table(catalog, parts, count, &table, err));
    const nilas_schema *schema = nilas_metadata_current_schema(table->metadata);
    for (size_t i = 0; i < schema->type.field_count; i++) {
        NILAS_TRY(add_name(list, schema->type.fields[i].name, err));
    }
    for (int kind = NILAS_METADATA_NONE + 1; kind < NILAS_METADATA_CHANGES; kind++) {
        NILAS_TRY(add_name(
            list, nilas_str_of(nilas_metadata_table_name((nilas_metadata_table)kind)), err));
    }
    return NILAS_OK;
}

static nilas_code add_roots(nilas_session *session, name_list *list, nilas_error *err) {
    nilas_str prefix = NILAS_STR("spark.sql.catalog.");
    for (size_t i = 0; i < session->settings.count; i++) {
        nilas_str key = nilas_str_of(session->settings.items[i].key);
        if (nilas_str_starts(key, prefix) &&
            nilas_str_find(key, NILAS_STR("."), prefix.size) == SIZE_MAX) {
            NILAS_TRY(add_name(list, nilas_str_slice(key, prefix.size, key.size), err));
        }
    }
    for (const nilas_session_view *view = session->views; view != NULL; view = view->next) {
        NILAS_TRY(add_name(list, view->name, err));
    }
    nilas_catalog *catalog;
    NILAS_TRY(nilas_session__catalog(session, session->current_catalog, &catalog, err));
    if (catalog == NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(
        add_children(list, catalog, session->current_namespace, session->namespace_count, err));
    return session->namespace_count > 0 ? add_children(list, catalog, NULL, 0, err) : NILAS_OK;
}

static nilas_code collect(nilas_session *session, name_list *list, nilas_str prefix,
                          nilas_error *err) {
    size_t dot = prefix.size;
    while (dot > 0 && prefix.data[dot - 1] != '.') {
        dot--;
    }
    list->head = nilas_str_slice(prefix, 0, dot);
    list->tail = nilas_str_slice(prefix, dot, prefix.size);
    if (dot == 0) {
        return add_roots(session, list, err);
    }
    nilas_str *parts;
    size_t count;
    nilas_catalog *catalog;
    NILAS_TRY(nilas_sql_parse_name(list->arena, nilas_str_slice(prefix, 0, dot - 1), &parts, &count,
                                   err));
    NILAS_TRY(nilas_session__catalog(session, parts[0], &catalog, err));
    size_t skip = catalog != NULL ? 1 : 0;
    if (catalog == NULL) {
        NILAS_TRY(nilas_session__catalog(session, session->current_catalog, &catalog, err));
        NILAS_REQUIRE(catalog != NULL, err, NILAS_NOT_FOUND, "no current catalog");
    }
    NILAS_TRY(add_children(list, catalog, parts + skip, count - skip, err));
    return count > skip ? add_table(list, catalog, parts + skip, count - skip, err) : NILAS_OK;
}

void nilas_session_complete(nilas_session *session, nilas_arena *arena, nilas_str prefix,
                            nilas_str **out, size_t *out_count) {
    name_list list = {.arena = arena};
    nilas_error ignored = NILAS_ERROR_INIT;
    nilas_session *fork;
    nilas_code code = nilas_session__fork(session, NULL, arena, &fork, &ignored);
    if (code == NILAS_OK) {
        code = collect(fork, &list, prefix, &ignored);
        nilas_session__return_catalogs(fork);
    }
    *out = list.names.items;
    *out_count = list.names.count;
}
