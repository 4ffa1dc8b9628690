/** Catalogs and namespaces: USE, SHOW NAMESPACES, SHOW TABLES, SHOW VIEWS, DESCRIBE NAMESPACE. */
#include <stdlib.h>

#include "session/private.h"

/** Catalog and namespace that a name without a table means; no parts: the current ones. */
static nilas_code resolve_namespace(nilas_run *run, nilas_catalog **out_catalog,
                                    nilas_str *out_name, nilas_str **out_parts, size_t *out_count,
                                    nilas_error *err) {
    const nilas_statement *statement = run->statement;
    if (statement->part_count == 0) {
        *out_name = run->session->current_catalog;
        *out_parts = run->session->current_namespace;
        *out_count = run->session->namespace_count;
        NILAS_TRY(nilas_session__catalog(run->session, *out_name, out_catalog, err));
    } else {
        NILAS_TRY(nilas_bind_identifier(&run->environment, statement->parts, statement->part_count,
                                        true, out_catalog, out_name, out_parts, out_count, err));
    }
    NILAS_REQUIRE(*out_catalog != NULL, err, NILAS_NOT_FOUND,
                  "Catalog '%.*s' plugin class not found: spark.sql.catalog.%.*s is not defined",
                  NILAS_FMT(*out_name), NILAS_FMT(*out_name));
    return NILAS_OK;
}

static nilas_code set_current(nilas_run *run, nilas_str name, const nilas_str *parts, size_t count,
                              nilas_error *err) {
    NILAS_TRY(nilas_session__use(run->session, name, parts, count, err));
    return nilas_session__no_rows(run, err);
}

static nilas_code use_catalog(nilas_run *run, nilas_str name, nilas_catalog *catalog,
                              nilas_error *err) {
    nilas_str initial = nilas_catalog_default_namespace(catalog);
    bool is_session = nilas_catalog_is_session(catalog) || nilas_str_is(name, "spark_catalog");
    return set_current(run, name, &initial, is_session ? 1 : 0, err);
}

nilas_code nilas_command__use(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    nilas_catalog *catalog = NULL;
    if (statement->part_count == 1 && !statement->is_namespace) {
        NILAS_TRY(nilas_session__catalog(run->session, statement->parts[0], &catalog, err));
        if (catalog != NULL) {
            return use_catalog(run, nilas_catalog_name(catalog), catalog, err);
        }
        if (statement->kind == NILAS_STATEMENT_SET_CATALOG) {
            return nilas_fail_at(err, NILAS_NOT_FOUND, "CATALOG_NOT_FOUND", statement->parts_offset,
                                 "The catalog `%.*s` not found. Consider to set the SQL config "
                                 "\"spark.sql.catalog.%.*s\" to a catalog plugin.",
                                 NILAS_FMT(statement->parts[0]), NILAS_FMT(statement->parts[0]));
        }
    }
    nilas_str name;
    nilas_str *parts;
    size_t count;
    bool exists;
    NILAS_TRY(resolve_namespace(run, &catalog, &name, &parts, &count, err));
    NILAS_TRY(nilas_catalog_namespace_exists(catalog, parts, count, &exists, err));
    if (!exists && !(count == 1 && nilas_str_is_nocase(parts[0], "default") &&
                     nilas_str_is(name, "spark_catalog"))) {
        nilas_str *full;
        NILAS_NEW_ARRAY(run->stmt, &full, count + 1, err);
        full[0] = name;
        for (size_t i = 0; i < count; i++) {
            full[i + 1] = parts[i];
        }
        return nilas_session__fail_no_namespace(full, count + 1, statement->parts_offset, err);
    }
    return set_current(run, name, parts, count, err);
}

nilas_code nilas_command__show_namespaces(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"namespace"};
    nilas_catalog *catalog;
    nilas_str name;
    nilas_str *parts = NULL;
    size_t count = 0;
    nilas_identifier *list;
    size_t list_count;
    nilas_command_rows rows;
    if (run->statement->part_count == 0) {
        name = run->session->current_catalog;
        NILAS_TRY(nilas_session__catalog(run->session, name, &catalog, err));
        NILAS_REQUIRE(catalog != NULL, err, NILAS_NOT_FOUND,
                      "the current catalog \"%.*s\" is not configured", NILAS_FMT(name));
    } else {
        NILAS_TRY(resolve_namespace(run, &catalog, &name, &parts, &count, err));
    }
    nilas_code code =
        nilas_catalog_list_namespaces(catalog, run->stmt, parts, count, &list, &list_count, err);
    if (code == NILAS_NOT_FOUND) {
        nilas_str *full;
        bool qualified = nilas_catalog_is_session(catalog);
        NILAS_NEW_ARRAY(run->stmt, &full, count + 1, err);
        full[0] = name;
        for (size_t i = 0; i < count; i++) {
            full[i + 1] = parts[i];
        }
        return nilas_session__fail_no_namespace(qualified ? full : full + 1,
                                                qualified ? count + 1 : count,
                                                run->statement->parts_offset, err);
    }
    NILAS_TRY(code);
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 1, err));
    for (size_t i = 0; i < list_count; i++) {
        nilas_str text;
        NILAS_TRY(nilas_session__dotted(run->stmt, list[i].parts, list[i].count, &text, err));
        if (!run->statement->has_pattern || nilas_session__matches(run->statement->pattern, text)) {
            NILAS_TRY(nilas_session__rows_add_texts(&rows, &text, err));
        }
    }
    return nilas_session__rows_end(&rows, err);
}

static int compare_names(const void *a, const void *b) {
    return nilas_str_compare(*(const nilas_str *)a, *(const nilas_str *)b);
}

nilas_code nilas_session__used_catalogs(nilas_run *run, nilas_session__names *out,
                                        nilas_error *err) {
    nilas_str session_catalog = NILAS_STR("spark_catalog");
    NILAS_PUSH(run->stmt, out, session_catalog, err);
    nilas_str *opened;
    size_t opened_count;
    NILAS_TRY(nilas_session__catalog_names(run->session, run->stmt, &opened, &opened_count, err));
    for (size_t i = 0; i < opened_count; i++) {
        if (!nilas_str_equal(opened[i], session_catalog)) {
            NILAS_PUSH(run->stmt, out, opened[i], err);
        }
    }
    qsort(out->items, out->count, sizeof(out->items[0]), compare_names);
    return NILAS_OK;
}

nilas_code nilas_command__show_catalogs(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"catalog"};
    nilas_command_rows rows;
    nilas_session__names list = {0};
    NILAS_TRY(nilas_session__used_catalogs(run, &list, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 1, err));
    for (size_t i = 0; i < list.count; i++) {
        if (!run->statement->has_pattern ||
            nilas_session__matches(run->statement->pattern, list.items[i])) {
            NILAS_TRY(nilas_session__rows_add_texts(&rows, &list.items[i], err));
        }
    }
    return nilas_session__rows_end(&rows, err);
}

static nilas_code list_tables(nilas_run *run, nilas_catalog **out_catalog,
                              nilas_str *out_catalog_name, nilas_str *out_namespace,
                              nilas_identifier **out, size_t *out_count, nilas_error *err) {
    nilas_str *parts;
    size_t count;
    NILAS_TRY(resolve_namespace(run, out_catalog, out_catalog_name, &parts, &count, err));
    if (count > 1 && nilas_catalog_is_session(*out_catalog)) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(4096);
        nilas_name_print(&text, parts, count);
        return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1126",
                             run->statement->parts_offset,
                             "Nested databases are not supported by v1 session catalog: %.*s.",
                             NILAS_FMT(nilas_buf_view(&text)));
    }
    nilas_code code =
        nilas_catalog_list_tables(*out_catalog, run->stmt, parts, count, out, out_count, err);
    if (code == NILAS_NOT_FOUND && (err == NULL || err->message[0] == '\0')) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(4096);
        nilas_name_print(&text, parts, count);
        return nilas_fail_at(err, NILAS_NOT_FOUND, NULL, run->statement->parts_offset,
                             "Namespace does not exist: %.*s", NILAS_FMT(nilas_buf_view(&text)));
    }
    NILAS_TRY(code);
    return nilas_session__dotted(run->stmt, parts, count, out_namespace, err);
}

static nilas_code add_temp_views(nilas_run *run, nilas_command_rows *rows, nilas_error *err) {
    for (const nilas_session_view *view = run->session->views; view != NULL; view = view->next) {
        bool global = run->statement->part_count == 1 &&
                      nilas_str_is_nocase(run->statement->parts[0], "global_temp");
        if (view->global != global ||
            (run->statement->has_pattern &&
             !nilas_session__matches(run->statement->pattern, view->name))) {
            continue;
        }
        nilas_str name;
        NILAS_TRY(nilas_str_copy(run->stmt, view->name, &name, err));
        nilas_value cells[3] = {
            nilas_value_of_str(view->global ? NILAS_STR("global_temp") : NILAS_STR("")),
            nilas_value_of_str(name), nilas_value_of_bool(true)};
        NILAS_TRY(nilas_session__rows_add(rows, cells, err));
    }
    return NILAS_OK;
}

nilas_code nilas_command__show_tables(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"namespace", "tableName", "isTemporary"};
    static const nilas_type_kind kinds[] = {NILAS_TYPE_STRING, NILAS_TYPE_STRING,
                                            NILAS_TYPE_BOOLEAN};
    nilas_command_rows rows;
    nilas_catalog *catalog;
    nilas_str catalog_name;
    nilas_str in_namespace;
    nilas_identifier *list;
    size_t count;
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, kinds, 3, err));
    for (size_t i = 0; i < 3; i++) {
        rows.type->fields[i].nullable = false;
    }
    NILAS_TRY(list_tables(run, &catalog, &catalog_name, &in_namespace, &list, &count, err));
    for (size_t i = 0; i < count; i++) {
        nilas_str name = list[i].parts[list[i].count - 1];
        if (run->statement->has_pattern && !nilas_session__matches(run->statement->pattern, name)) {
            continue;
        }
        nilas_value cells[3] = {nilas_value_of_str(in_namespace), nilas_value_of_str(name),
                                nilas_value_of_bool(false)};
        NILAS_TRY(nilas_session__rows_add(&rows, cells, err));
    }
    if (nilas_catalog_is_session(catalog) || nilas_str_is(catalog_name, "spark_catalog")) {
        NILAS_TRY(add_temp_views(run, &rows, err));
    }
    NILAS_TRY(nilas_session__rows_end(&rows, err));
    nilas_result_show_only(run->result, 1);
    return NILAS_OK;
}

nilas_code nilas_command__show_views(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"namespace", "viewName", "isTemporary"};
    static const nilas_type_kind kinds[] = {NILAS_TYPE_STRING, NILAS_TYPE_STRING,
                                            NILAS_TYPE_BOOLEAN};
    nilas_command_rows rows;
    nilas_catalog *catalog;
    nilas_str catalog_name;
    nilas_str *parts;
    size_t part_count;
    nilas_identifier *list;
    size_t count;
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, kinds, 3, err));
    NILAS_TRY(resolve_namespace(run, &catalog, &catalog_name, &parts, &part_count, err));
    NILAS_TRY(nilas_catalog_list_views(catalog, run->stmt, parts, part_count, &list, &count, err));
    nilas_str in_namespace;
    NILAS_TRY(nilas_session__dotted(run->stmt, parts, part_count, &in_namespace, err));
    for (size_t i = 0; i < count; i++) {
        nilas_str name = list[i].parts[list[i].count - 1];
        if (run->statement->has_pattern && !nilas_session__matches(run->statement->pattern, name)) {
            continue;
        }
        nilas_value cells[3] = {nilas_value_of_str(in_namespace), nilas_value_of_str(name),
                                nilas_value_of_bool(false)};
        NILAS_TRY(nilas_session__rows_add(&rows, cells, err));
    }
    NILAS_TRY(add_temp_views(run, &rows, err));
    return nilas_session__rows_end(&rows, err);
}

nilas_code nilas_command__show_current_namespace(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"catalog", "namespace"};
    nilas_command_rows rows;
    nilas_str cells[2] = {run->session->current_catalog, NILAS_STR("")};
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 2, err));
    NILAS_TRY(nilas_session__dotted(run->stmt, run->session->current_namespace,
                                    run->session->namespace_count, &cells[1], err));
    NILAS_TRY(nilas_session__rows_add_texts(&rows, cells, err));
    return nilas_session__rows_end(&rows, err);
}

static nilas_code add_pair(nilas_command_rows *rows, const char *name, nilas_str value,
                           nilas_error *err) {
    nilas_str cells[2] = {nilas_str_of(name), value};
    return nilas_session__rows_add_texts(rows, cells, err);
}

static int compare_properties(const void *a, const void *b) {
    return nilas_str_compare(((const nilas_property *)a)->key, ((const nilas_property *)b)->key);
}

/** Comment, Location, Owner first, then the other properties as "((k,v), …)" when asked for. */
static nilas_code add_namespace_facts(nilas_run *run, nilas_command_rows *rows,
                                      nilas_property *properties, size_t count, nilas_error *err) {
    static const struct {
        const char *key, *shown;
    } known[] = {{"comment", "Comment"}, {"location", "Location"}, {"owner", "Owner"}};
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    size_t others = 0;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < count; i++) {
            if (nilas_str_is(properties[i].key, known[k].key)) {
                NILAS_TRY(add_pair(rows, known[k].shown, properties[i].value, err));
            }
        }
    }
    if (!run->statement->extended) {
        return NILAS_OK;
    }
    qsort(properties, count, sizeof(properties[0]), compare_properties);
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_is(properties[i].key, "comment") ||
            nilas_str_is(properties[i].key, "location") ||
            nilas_str_is(properties[i].key, "owner")) {
            continue;
        }
        nilas_buf_add_text(&text, others++ == 0 ? "(" : ", ");
        nilas_buf_print(&text, "(%.*s,%.*s)", NILAS_FMT(properties[i].key),
                        NILAS_FMT(nilas_settings_is_secret(properties[i].key)
                                      ? NILAS_STR("*********(redacted)")
                                      : properties[i].value));
    }
    nilas_buf_add_text(&text, others > 0 ? ")" : "");
    NILAS_TRY(nilas_buf_check(&text, err));
    return add_pair(rows, "Properties", nilas_buf_view(&text), err);
}

nilas_code nilas_command__describe_namespace(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"info_name", "info_value"};
    nilas_catalog *catalog;
    nilas_str name;
    nilas_str *parts;
    size_t count;
    nilas_property *properties;
    size_t property_count;
    nilas_command_rows rows;
    nilas_str dotted;
    NILAS_TRY(resolve_namespace(run, &catalog, &name, &parts, &count, err));
    bool exists;
    NILAS_TRY(nilas_catalog_namespace_exists(catalog, parts, count, &exists, err));
    if (!exists) {
        return nilas_session__fail_no_namespace(parts, count, run->statement->parts_offset, err);
    }
    NILAS_TRY(nilas_catalog_namespace_properties(catalog, run->stmt, parts, count, &properties,
                                                 &property_count, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 2, err));
    NILAS_TRY(nilas_session__dotted(run->stmt, parts, count, &dotted, err));
    NILAS_TRY(add_pair(&rows, "Catalog Name", name, err));
    NILAS_TRY(add_pair(&rows, "Namespace Name", dotted, err));
    NILAS_TRY(add_namespace_facts(run, &rows, properties, property_count, err));
    return nilas_session__rows_end(&rows, err);
}

/* --- SHOW TABLE EXTENDED --- */

static nilas_code extended_text(nilas_run *run, const nilas_relation *relation, nilas_str catalog,
                                nilas_str in_namespace, nilas_str name, nilas_str *out,
                                nilas_error *err) {
    nilas_property *properties;
    size_t count;
    const nilas_type *type;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(0);
    NILAS_TRY(nilas_session__table_properties(run->stmt, relation, &properties, &count, err));
    NILAS_TRY(nilas_session__relation_type(run, relation, &type, err));
    nilas_str owner = nilas_metadata_property(relation->table->metadata, "owner", NILAS_STR(""));
    nilas_buf_print(&text,
                    "Catalog: %.*s\nNamespace: %.*s\nTable: %.*s\nType: MANAGED\nLocation: "
                    "%.*s\nProvider: iceberg\n",
                    NILAS_FMT(catalog), NILAS_FMT(in_namespace), NILAS_FMT(name),
                    NILAS_FMT(relation->table->metadata->location));
    if (owner.size > 0) {
        nilas_buf_print(&text, "Owner: %.*s\n", NILAS_FMT(owner));
    }
    for (size_t i = 0; i < count; i++) {
        nilas_buf_print(&list, "%s%.*s=%.*s", i > 0 ? "," : "", NILAS_FMT(properties[i].key),
                        NILAS_FMT(properties[i].value));
    }
    // Spark joins the characters of the text, not its parts.
    nilas_buf_add_text(&text, "Table Properties: [[");
    for (size_t i = 0; i < list.size; i++) {
        nilas_buf_print(&text, ", %c", list.data[i]);
    }
    nilas_buf_add_text(&text, ", ]]\nSchema: ");
    nilas_type_print_tree(&text, type, 0);
    nilas_buf_add_text(&text, "\n");
    return nilas_buf_finish(&text, run->stmt, out, err);
}

nilas_code nilas_command__show_table_extended(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"namespace", "tableName", "isTemporary", "information"};
    static const nilas_type_kind kinds[] = {NILAS_TYPE_STRING, NILAS_TYPE_STRING,
                                            NILAS_TYPE_BOOLEAN, NILAS_TYPE_STRING};
    nilas_command_rows rows;
    nilas_catalog *catalog;
    nilas_str catalog_name;
    nilas_str in_namespace;
    nilas_identifier *list;
    size_t count;
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, kinds, 4, err));
    NILAS_TRY(list_tables(run, &catalog, &catalog_name, &in_namespace, &list, &count, err));
    for (size_t i = 0; i < count; i++) {
        nilas_str name = list[i].parts[list[i].count - 1];
        if (run->statement->has_pattern && !nilas_session__matches(run->statement->pattern, name)) {
            continue;
        }
        nilas_str *full;
        nilas_relation relation = {0};
        nilas_time_travel none = {0};
        NILAS_NEW_ARRAY(run->stmt, &full, list[i].count + 1, err);
        full[0] = catalog_name;
        nilas_copy(full + 1, list[i].parts, list[i].count * sizeof(*full));
        NILAS_TRY(nilas_bind_relation(&run->environment, full, list[i].count + 1, -1, &none, NULL,
                                      0, &relation, err));
        nilas_value cells[4] = {nilas_value_of_str(in_namespace), nilas_value_of_str(name),
                                nilas_value_of_bool(false)};
        nilas_str text;
        NILAS_TRY(extended_text(run, &relation, catalog_name, in_namespace, name, &text, err));
        cells[3] = nilas_value_of_str(text);
        NILAS_TRY(nilas_session__rows_add(&rows, cells, err));
    }
    return nilas_session__rows_end(&rows, err);
}
