/*
 * Reading by options, as spark.read.format(…).option(…).load(path) does: views USING iceberg,
 * json, csv …, the options of FROM t WITH (…), and files named in FROM (json.`path`).
 */
#include "bind/relation.h"

nilas_code nilas_bind__read_options(const nilas_option *options, size_t count,
                                    nilas_read_options *out) {
    struct {
        const char *key;
        nilas_str *value;
    } known[] = {
        {"snapshot-id", &out->snapshot_id},
        {"as-of-timestamp", &out->as_of_timestamp},
        {"branch", &out->branch},
        {"tag", &out->tag},
        {"versionAsOf", &out->version_as_of},
        {"timestampAsOf", &out->timestamp_as_of},
        {"start-snapshot-id", &out->start_snapshot_id},
        {"end-snapshot-id", &out->end_snapshot_id},
        {"start-timestamp", &out->start_timestamp},
        {"end-timestamp", &out->end_timestamp},
    };
    *out = (nilas_read_options){0};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
            if (nilas_str_is_nocase(options[i].key, known[k].key)) {
                bool is_empty = options[i].value.data == NULL;
                *known[k].value = is_empty ? NILAS_STR_EMPTY : options[i].value;
            }
        }
    }
    return NILAS_OK;
}

static nilas_str or_null(nilas_str text) {
    return text.data != NULL ? text : NILAS_STR("null");
}

static nilas_code check_long(nilas_str text, nilas_error *err) {
    int64_t number = 0;
    NILAS_REQUIRE(text.data == NULL || nilas_str_to_int64(text, &number), err, NILAS_INVALID,
                  "For input string: \"%.*s\"", NILAS_FMT(text));
    return NILAS_OK;
}

nilas_code nilas_bind__option_selector(nilas_arena *arena, const nilas_read_options *options,
                                       nilas_str *out, nilas_error *err) {
    const struct {
        nilas_str value;
        const char *prefix;
    } selectors[] = {{options->snapshot_id, "snapshot_id_"},
                     {options->as_of_timestamp, "at_timestamp_"},
                     {options->branch, "branch_"},
                     {options->tag, "tag_"}};
    size_t found = 0;
    *out = NILAS_STR_EMPTY;
    NILAS_TRY(check_long(options->snapshot_id, err));
    NILAS_TRY(check_long(options->as_of_timestamp, err));
    for (size_t i = 0; i < sizeof(selectors) / sizeof(selectors[0]); i++) {
        if (selectors[i].value.data != NULL) {
            found++;
            NILAS_TRY(nilas_str_print(arena, out, err, "%s%.*s", selectors[i].prefix,
                                      NILAS_FMT(selectors[i].value)));
        }
    }
    NILAS_REQUIRE(
        found <= 1, err, NILAS_INVALID,
        "Can specify only one of snapshot-id (%.*s), as-of-timestamp (%.*s), branch (%.*s), "
        "tag (%.*s)",
        NILAS_FMT(or_null(options->snapshot_id)), NILAS_FMT(or_null(options->as_of_timestamp)),
        NILAS_FMT(or_null(options->branch)), NILAS_FMT(or_null(options->tag)));
    return NILAS_OK;
}

// ---- iceberg ---------------------------------------------------------------------------------

static nilas_str find_option(const nilas_temp_view *view, const char *key) {
    return nilas_option_find(view->options, view->option_count, key);
}

static nilas_code load_by_path(const nilas_bind_environment *environment, nilas_str path,
                               nilas_str selector, nilas_bind_choice *choice, nilas_relation *out,
                               nilas_error *err) {
    if (selector.size > 0) {
        NILAS_TRY(nilas_str_print(environment->stmt, &path, err, "%.*s#%.*s", NILAS_FMT(path),
                                  NILAS_FMT(selector)));
    }
    NILAS_NEW_ARRAY(environment->stmt, &out->identifier, 1, err);
    out->identifier[0] = path;
    out->identifier_count = 1;
    nilas_code code = nilas_bind__load_path(environment, path, choice, err);
    if (code == NILAS_NOT_FOUND) {
        return nilas_bind__fail_not_found(environment, &path, 1, -1, err);
    }
    return code;
}

static nilas_code load_by_name(const nilas_bind_environment *environment, nilas_str name,
                               nilas_str selector, nilas_bind_choice *choice, nilas_relation *out,
                               nilas_error *err) {
    nilas_str *parts = NULL;
    size_t count = 0;
    nilas_error why = NILAS_ERROR_INIT;
    if (environment->parse_name == NULL ||
        environment->parse_name(environment->context, name, &parts, &count, &why) != NILAS_OK ||
        count == 0) {
        const char *condition = name.size == 0 ? "PARSE_EMPTY_STATEMENT" : "PARSE_SYNTAX_ERROR";
        return nilas_fail_at(err, NILAS_INVALID, condition, -1,
                             "Cannot parse path or identifier: %.*s", NILAS_FMT(name));
    }
    nilas_str *full = NULL;
    NILAS_TRY(nilas_bind_identifier(environment, parts, count, false, &out->catalog,
                                    &out->catalog_name, &full, &out->identifier_count, err));
    NILAS_NEW_ARRAY(environment->stmt, &out->identifier, out->identifier_count + 1, err);
    for (size_t i = 0; i < out->identifier_count; i++) {
        out->identifier[i] = full[i];
    }
    if (selector.size > 0) {
        out->identifier[out->identifier_count++] = selector;
    }
    nilas_code code = NILAS_NOT_FOUND;
    if (out->catalog != NULL) {
        code = nilas_bind__load(environment, out->catalog, out->identifier, out->identifier_count,
                                choice, err);
    }
    if (code == NILAS_NOT_FOUND) {
        return nilas_bind__word_not_found(environment, out, out->identifier, out->identifier_count,
                                          -1, err);
    }
    return code;
}

static nilas_code iceberg_source(const nilas_bind_environment *environment,
                                 const nilas_temp_view *view, nilas_relation *out,
                                 nilas_error *err) {
    nilas_read_options options = {0};
    nilas_bind_choice choice = {0};
    nilas_str selector = NILAS_STR_EMPTY;
    nilas_str path = view->path_count > 0 ? view->paths[0] : find_option(view, "path");
    NILAS_REQUIRE(path.data != NULL && view->path_count < 2, err, NILAS_INVALID,
                  "Cannot open table: path is not set");
    NILAS_TRY(nilas_bind__read_options(view->options, view->option_count, &options));
    NILAS_TRY(nilas_bind__option_selector(environment->stmt, &options, &selector, err));
    bool is_path = nilas_str_find(path, NILAS_STR("/"), 0) != SIZE_MAX;
    if (options.version_as_of.data != NULL && options.timestamp_as_of.data != NULL) {
        return nilas_bind__travel_by_options(environment, &options, &choice,
                                             err); // refused before loading
    }
    if (is_path) {
        NILAS_TRY(load_by_path(environment, path, selector, &choice, out, err));
    } else {
        NILAS_TRY(load_by_name(environment, path, selector, &choice, out, err));
        out->identifier_count -= selector.size > 0 ? 1 : 0;
    }
    NILAS_TRY(nilas_bind__travel_by_options(environment, &options, &choice, err));
    return nilas_bind__choose(environment, &choice, &options, out, err);
}

// ---- files -----------------------------------------------------------------------------------

bool nilas_bind__is_file_format(nilas_str name) {
    static const char *const formats[] = {"json", "csv", "parquet", "text", "orc", "avro"};
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (nilas_str_is_nocase(name, formats[i])) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_bind__files(const nilas_bind_environment *environment,
                             const nilas_file_scan *files, nilas_relation *out, nilas_error *err) {
    nilas_file_scan *copy = NULL;
    nilas_assert(files->path_count > 0);
    NILAS_NEW(environment->stmt, &copy, err);
    *copy = *files;
    NILAS_TRY(nilas_str_lower(environment->stmt, files->format, &copy->format, err));
    if (nilas_str_is(copy->format, "orc") || nilas_str_is(copy->format, "avro")) {
        return nilas_fail(err, NILAS_UNSUPPORTED, "reading %.*s files by path is not supported yet",
                          NILAS_FMT(copy->format));
    }
    NILAS_NEW_ARRAY(environment->stmt, &copy->paths, files->path_count, err);
    nilas_copy(copy->paths, files->paths, files->path_count * sizeof(*files->paths));
    out->kind = NILAS_RELATION_FILES;
    out->files = copy;
    if (environment->infer_files != NULL) { // of a given schema only the partitions are added
        return environment->infer_files(environment->context, copy, err);
    }
    return NILAS_OK;
}

nilas_code nilas_bind__source(const nilas_bind_environment *environment,
                              const nilas_temp_view *view, nilas_relation *out, nilas_error *err) {
    out->temp_view = view;
    if (nilas_str_is_nocase(view->provider, "iceberg") ||
        nilas_str_is_nocase(view->provider, "org.apache.iceberg.spark.source.IcebergSource")) {
        return iceberg_source(environment, view, out, err);
    }
    nilas_str format = view->provider;
    nilas_str long_form = NILAS_STR("org.apache.spark.sql.");
    if (nilas_str_starts(format, long_form)) {
        format = nilas_str_slice(format, long_form.size, format.size);
    }
    if (!nilas_bind__is_file_format(format)) {
        return nilas_fail_at(
            err, NILAS_INVALID, "DATA_SOURCE_NOT_FOUND", -1,
            "Failed to find the data source: %.*s. Make sure the provider name is correct and the "
            "package is properly registered and compatible with your Spark version.",
            NILAS_FMT(view->provider));
    }
    nilas_str path = find_option(view, "path");
    if (path.data == NULL && view->path_count == 0) {
        return nilas_fail_at(
            err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1141", -1,
            "Unable to infer schema for %.*s. It must be specified manually: the option `path` is "
            "missing.",
            NILAS_FMT(format));
    }
    bool listed = view->path_count > 0;
    nilas_file_scan files = {.format = format,
                             .paths = listed ? (nilas_str *)(uintptr_t)view->paths : &path,
                             .path_count = listed ? view->path_count : 1,
                             .options = view->options,
                             .option_count = view->option_count,
                             .schema = view->schema};
    return nilas_bind__files(environment, &files, out, err);
}
