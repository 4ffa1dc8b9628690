/**
 * remove_orphan_files: files below the table's location that no version of its metadata names.
 *
 * The folder is listed first and the table loaded after it, so that a file of a commit that happens
 * in between is seen as needed; files younger than `older_than` may belong to a commit on its way.
 */
#include "session/procedure.h"

#define DAY_MS            86400000
#define DEFAULT_AGE_DAYS  3
#define SMALLEST_AGE_DAYS 1

typedef enum mismatch_mode { MISMATCH_ERROR, MISMATCH_IGNORE, MISMATCH_DELETE } mismatch_mode;

typedef struct orphan_search {
    nilas_procedure_call *call;
    nilas_arena *arena;
    nilas_io *io;
    int64_t older_than_ms;
    nilas_str location; // as it was given
    mismatch_mode mode;
    bool is_given;             // the list is a view's, not a folder's
    nilas_map partition_names; // "_x=" folders are data, other hidden ones are not
    NILAS_ARRAY_OF(nilas_str) listed;
} orphan_search;

/* --- names of files, apart from how their scheme is spelled
 * ------------------------------------------ */

typedef struct file_name {
    nilas_str scheme, authority, path;
} file_name;

/** "file:///a/b" and "/a/b" name the same file. */
static file_name split_location(nilas_str location) {
    file_name name = {
        .scheme = nilas_io_scheme(location), .authority = NILAS_STR_EMPTY, .path = location};
    if (name.scheme.size == 0) {
        return name;
    }
    name.path = nilas_str_slice(location, name.scheme.size + 1, location.size);
    if (nilas_str_starts(name.path, NILAS_STR("//"))) {
        size_t slash = nilas_str_find(name.path, NILAS_STR("/"), 2);
        slash = slash == SIZE_MAX ? name.path.size : slash;
        name.authority = nilas_str_slice(name.path, 2, slash - 2);
        name.path = nilas_str_slice(name.path, slash, name.path.size);
    }
    return name;
}

/** The name that `equal_schemes` or `equal_authorities` give it: 's3a,s3n' => 's3'. */
static nilas_str canonical(const nilas_procedure_call *call, const char *parameter,
                           nilas_str name) {
    const nilas_value *map = nilas_call__value(call, parameter);
    bool is_scheme = nilas_str_is(nilas_str_of(parameter), "equal_schemes");
    for (size_t i = 0; !nilas_value_is_null(map) && i < map->count; i++) {
        nilas_str names = map->items[2 * i].text;
        for (size_t from = 0; from <= names.size;) {
            size_t comma = nilas_str_find(names, NILAS_STR(","), from);
            comma = comma == SIZE_MAX ? names.size : comma;
            nilas_str one = nilas_str_trim(nilas_str_slice(names, from, comma - from));
            if (nilas_str_equal(one, name)) {
                return map->items[2 * i + 1].text;
            }
            from = comma + 1;
        }
    }
    bool is_s3 = nilas_str_is(name, "s3a") || nilas_str_is(name, "s3n");
    return is_scheme && is_s3 ? NILAS_STR("s3") : name;
}

static bool same_part(const nilas_procedure_call *call, const char *parameter, nilas_str valid,
                      nilas_str listed) {
    return valid.size == 0 || nilas_str_equal_nocase(canonical(call, parameter, valid),
                                                     canonical(call, parameter, listed));
}

/* --- what is there
 * ----------------------------------------------------------------------------------- */

/** Hidden folders are other programs' own, unless a partition column's name begins so. */
static bool is_hidden(const orphan_search *search, nilas_str name) {
    if (!nilas_str_starts(name, NILAS_STR("_")) && !nilas_str_starts(name, NILAS_STR("."))) {
        return false;
    }
    size_t equals = nilas_str_find(name, NILAS_STR("="), 0);
    return equals == SIZE_MAX ||
           nilas_map_find(&search->partition_names, nilas_str_slice(name, 0, equals)) == NULL;
}

static nilas_code list_folder(orphan_search *search, nilas_str folder, int depth,
                              nilas_error *err) {
    nilas_io_entry *entries;
    size_t count;
    NILAS_REQUIRE(depth < 256, err, NILAS_LIMIT, "folders are nested too deeply at \"%.*s\"",
                  NILAS_FMT(folder));
    NILAS_TRY(nilas_io_list(search->io, search->arena, folder, &entries, &count, err));
    for (size_t i = 0; i < count; i++) {
        if (is_hidden(search, entries[i].name)) {
            continue;
        }
        if (entries[i].stat.is_directory) {
            NILAS_TRY(list_folder(search, entries[i].location, depth + 1, err));
        } else if (entries[i].stat.modified_ms < search->older_than_ms) {
            NILAS_PUSH(search->arena, &search->listed, entries[i].location, err);
        }
    }
    return NILAS_OK;
}

/** As Spark's DataType prints; what is nested prints as in SQL. */
static void print_type(nilas_buf *out, const nilas_type *type) {
    static const char *const names[] = {
        [NILAS_TYPE_BOOLEAN] = "BooleanType",     [NILAS_TYPE_TINYINT] = "ByteType",
        [NILAS_TYPE_SMALLINT] = "ShortType",      [NILAS_TYPE_INT] = "IntegerType",
        [NILAS_TYPE_BIGINT] = "LongType",         [NILAS_TYPE_FLOAT] = "FloatType",
        [NILAS_TYPE_DOUBLE] = "DoubleType",       [NILAS_TYPE_DATE] = "DateType",
        [NILAS_TYPE_TIMESTAMP] = "TimestampType", [NILAS_TYPE_TIMESTAMP_NTZ] = "TimestampNTZType",
        [NILAS_TYPE_STRING] = "StringType",       [NILAS_TYPE_BINARY] = "BinaryType",
    };
    size_t kind = (size_t)type->kind;
    if (kind < sizeof(names) / sizeof(names[0]) && names[kind] != NULL) {
        nilas_buf_add_text(out, names[kind]);
    } else {
        nilas_type_print(out, type);
    }
}

/** The view must have a column of this name and type. */
static nilas_code check_view(const orphan_search *search, const nilas_plan *plan, const char *name,
                             nilas_type_kind kind, nilas_error *err) {
    NILAS_AUTO_BUF names = NILAS_BUF_INIT(1 << 20);
    NILAS_AUTO_BUF type = NILAS_BUF_INIT(1 << 20);
    for (size_t i = 0; i < plan->output_count; i++) {
        const nilas_attribute *output = &plan->outputs[i];
        nilas_buf_add_text(&names, i > 0 ? ", " : "");
        nilas_name_print_quoted(&names, &output->name, 1);
        if (nilas_str_is(output->name, name)) {
            print_type(&type, output->type);
            NILAS_REQUIRE(output->type->kind == kind, err, NILAS_INVALID,
                          "Invalid %s column: %.*s is not a %s", name,
                          NILAS_FMT(nilas_buf_view(&type)),
                          kind == NILAS_TYPE_STRING ? "string" : "timestamp");
            return NILAS_OK;
        }
    }
    return nilas_fail_at(err, NILAS_INVALID, "FIELD_NOT_FOUND",
                         search->call->run->statement->offset, "No such struct field `%s` in %.*s.",
                         name, NILAS_FMT(nilas_buf_view(&names)));
}

static nilas_code on_listed(void *context, const nilas_value *items, nilas_error *err) {
    orphan_search *search = context;
    nilas_str copy;
    if (nilas_value_is_null(&items[0]) || nilas_value_is_null(&items[1]) ||
        !nilas_str_starts(items[0].text, search->location) ||
        nilas_floor_div(items[1].integer, 1000) >= search->older_than_ms) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_str_copy(search->arena, items[0].text, &copy, err));
    NILAS_PUSH(search->arena, &search->listed, copy, err);
    return NILAS_OK;
}

/** Files that a view names, below the location as text. */
static nilas_code list_view(orphan_search *search, nilas_str name, nilas_error *err) {
    NILAS_AUTO_BUF query = NILAS_BUF_INIT(65536);
    nilas_ice_field fields[2] = {{.id = 1, .type = nilas_ice_primitive(NILAS_ICE_STRING)},
                                 {.id = 2, .type = nilas_ice_primitive(NILAS_ICE_TIMESTAMPTZ)}};
    nilas_ice_type types = {.kind = NILAS_ICE_STRUCT, .fields = fields, .field_count = 2};
    nilas_str *parts, all, sql;
    nilas_plan *plan;
    size_t count;
    NILAS_TRY(nilas_sql_parse_name(search->arena, name, &parts, &count, err));
    nilas_name_print_quoted(&query, parts, count);
    NILAS_TRY(nilas_str_print(search->arena, &all, err, "SELECT * FROM %.*s",
                              NILAS_FMT(nilas_buf_view(&query))));
    NILAS_TRY(nilas_call__bind(search->call, all, &plan, err));
    NILAS_TRY(check_view(search, plan, "file_path", NILAS_TYPE_STRING, err));
    NILAS_TRY(check_view(search, plan, "last_modified", NILAS_TYPE_TIMESTAMP, err));
    NILAS_TRY(nilas_str_print(search->arena, &sql, err, "SELECT file_path, last_modified FROM %.*s",
                              NILAS_FMT(nilas_buf_view(&query))));
    NILAS_TRY(nilas_call__bind(search->call, sql, &plan, err));
    search->is_given = true;
    return nilas_engine_each(search->call->run->session->engine, search->arena, plan, &types,
                             on_listed, search, err);
}

static nilas_code list_files(orphan_search *search, nilas_error *err) {
    nilas_str view = nilas_call__text(search->call, "file_list_view", (nilas_str){.data = NULL});
    nilas_str folder;
    if (view.data != NULL) {
        return list_view(search, view, err);
    }
    bool exists;
    NILAS_TRY(nilas_catalog_file_location(search->arena, search->location, &folder, err));
    NILAS_TRY(nilas_io_exists(search->io, folder, &exists, err));
    NILAS_REQUIRE(exists, err, NILAS_NOT_FOUND, "File %.*s does not exist",
                  NILAS_FMT(search->location));
    return list_folder(search, folder, 0, err);
}

static nilas_code collect_partition_names(orphan_search *search, nilas_error *err) {
    const nilas_metadata *metadata = search->call->table->metadata;
    nilas_map_init(&search->partition_names, search->arena, false);
    for (size_t i = 0; i < metadata->spec_count; i++) {
        for (size_t k = 0; k < metadata->specs[i]->field_count; k++) {
            NILAS_TRY(nilas_map_put(&search->partition_names, metadata->specs[i]->fields[k].name,
                                    search, err));
        }
    }
    return NILAS_OK;
}

/* --- what is needed
 * ---------------------------------------------------------------------------------- */

static nilas_code add_metadata_files(nilas_reachable *needed, const nilas_table *table,
                                     nilas_error *err) {
    const nilas_metadata *metadata = table->metadata;
    nilas_str folder, hint;
    NILAS_TRY(
        nilas_reachable__add(needed, metadata->metadata_location, NILAS_REACHABLE_OTHER, err));
    for (size_t i = 0; i < metadata->metadata_log_count; i++) {
        NILAS_TRY(nilas_reachable__add(needed, metadata->metadata_log[i].metadata_file,
                                       NILAS_REACHABLE_OTHER, err));
    }
    NILAS_TRY(
        nilas_io_join(needed->arena, metadata->location, NILAS_STR("metadata"), &folder, err));
    NILAS_TRY(nilas_io_join(needed->arena, folder, NILAS_STR("version-hint.text"), &hint, err));
    return nilas_reachable__add(needed, hint, NILAS_REACHABLE_OTHER, err);
}

/** Everything that the newest version of the table names, by path without scheme. */
static nilas_code collect_needed(orphan_search *search, nilas_map *out, nilas_error *err) {
    nilas_procedure_call *call = search->call;
    NILAS_AUTO(nilas_table) newest = NULL;
    nilas_reachable needed;
    NILAS_TRY(nilas_catalog_load_table(call->catalog, call->identifier, call->identifier_count,
                                       &newest, err));
    nilas_reachable__init(&needed, search->arena);
    for (size_t i = 0; i < newest->metadata->snapshot_count; i++) {
        NILAS_TRY(nilas_reachable__add_snapshot(&needed, newest, &newest->metadata->snapshots[i],
                                                NULL, err));
    }
    NILAS_TRY(nilas_reachable__add_statistics(&needed, newest->metadata, err));
    NILAS_TRY(add_metadata_files(&needed, newest, err));
    nilas_map_init(out, search->arena, false);
    for (size_t i = 0; i < needed.files.count; i++) {
        nilas_str *location;
        NILAS_NEW(search->arena, &location, err);
        *location = needed.files.entries[i].key;
        NILAS_TRY(nilas_map_put(out, split_location(*location).path, location, err));
    }
    return NILAS_OK;
}

/* --- the difference
 * ---------------------------------------------------------------------------------- */

static nilas_code parse_mode(const nilas_procedure_call *call, mismatch_mode *out,
                             nilas_error *err) {
    static const char *const names[] = {"ERROR", "IGNORE", "DELETE"};
    nilas_str text = nilas_call__text(call, "prefix_mismatch_mode", NILAS_STR("ERROR"));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (nilas_str_is_nocase(text, names[i])) {
            *out = (mismatch_mode)i;
            return NILAS_OK;
        }
    }
    return nilas_fail(err, NILAS_INVALID, "Invalid mode: %.*s", NILAS_FMT(text));
}

/** "(file, s3)", once each. */
static void note_conflict(nilas_buf *conflicts, nilas_str valid, nilas_str listed) {
    NILAS_AUTO_BUF pair = NILAS_BUF_INIT(65536);
    nilas_buf_print(&pair, "(%.*s, %.*s)", NILAS_FMT(valid),
                    NILAS_FMT(listed.size > 0 ? listed : NILAS_STR("null")));
    if (nilas_str_find(nilas_buf_view(conflicts), nilas_buf_view(&pair), 0) == SIZE_MAX) {
        nilas_buf_add_text(conflicts, conflicts->size > 0 ? ", " : "");
        nilas_buf_add(conflicts, nilas_buf_view(&pair));
    }
}

/** Whether a file is nobody's; names that differ in scheme or authority only are conflicts. */
static bool judge(const orphan_search *search, const nilas_map *needed, mismatch_mode mode,
                  nilas_str listed, nilas_buf *conflicts) {
    file_name name = split_location(listed);
    const nilas_str *location = nilas_map_find(needed, name.path);
    if (location == NULL) {
        return true;
    }
    file_name valid = split_location(*location);
    nilas_str scheme = name.scheme.size > 0 || search->is_given ? name.scheme : NILAS_STR("file");
    bool same_scheme = same_part(search->call, "equal_schemes", valid.scheme, scheme);
    bool same_authority =
        same_part(search->call, "equal_authorities", valid.authority, name.authority);
    if (!same_scheme && mode == MISMATCH_ERROR) {
        note_conflict(conflicts, canonical(search->call, "equal_schemes", valid.scheme),
                      canonical(search->call, "equal_schemes", scheme));
    }
    if (!same_authority && mode == MISMATCH_ERROR) {
        note_conflict(conflicts, canonical(search->call, "equal_authorities", valid.authority),
                      canonical(search->call, "equal_authorities", name.authority));
    }
    return mode == MISMATCH_DELETE && (!same_scheme || !same_authority);
}

static nilas_code answer_orphans(const orphan_search *search, const nilas_map *needed,
                                 nilas_error *err) {
    bool dry_run = nilas_call__bool(search->call, "dry_run", false);
    NILAS_ARRAY_OF(nilas_str) orphans = {0};
    NILAS_AUTO_BUF conflicts = NILAS_BUF_INIT(1 << 20);
    // All are judged before the first is deleted: an error deletes nothing.
    for (size_t i = 0; i < search->listed.count; i++) {
        if (judge(search, needed, search->mode, search->listed.items[i], &conflicts)) {
            NILAS_PUSH(search->arena, &orphans, search->listed.items[i], err);
        }
    }
    NILAS_REQUIRE(conflicts.size == 0, err, NILAS_INVALID,
                  "Unable to determine whether certain files are orphan. Metadata references files "
                  "that match listed/provided files except for authority/scheme. Please, inspect "
                  "the conflicting authorities/schemes and provide which of them are equal by "
                  "further configuring the action via equalSchemes() and equalAuthorities() "
                  "methods. Set the prefix mismatch mode to 'NONE' to ignore remaining locations "
                  "with conflicting authorities/schemes or to 'DELETE' iff you are ABSOLUTELY "
                  "confident that remaining conflicting authorities/schemes are different. It will "
                  "be impossible to recover deleted files. Conflicting authorities/schemes: "
                  "[%.*s].",
                  NILAS_FMT(nilas_buf_view(&conflicts)));
    for (size_t i = 0; i < orphans.count; i++) {
        nilas_error ignored = NILAS_ERROR_INIT;
        nilas_str shown = orphans.items[i];
        if (nilas_io_scheme(shown).size == 0 && !search->is_given) { // as Hadoop spells it
            NILAS_TRY(nilas_str_print(search->arena, &shown, err, "file:%.*s", NILAS_FMT(shown)));
        }
        nilas_value cell = nilas_value_of_str(shown);
        NILAS_TRY(nilas_call__answer(search->call, &cell, err));
        if (!dry_run && nilas_io_delete(search->io, orphans.items[i], &ignored) != NILAS_OK) {
            continue; // it stays, and is found again
        }
    }
    return NILAS_OK;
}

static nilas_code check_arguments(nilas_procedure_call *call, int64_t now_ms, nilas_error *err) {
    int64_t older_than_ms = nilas_call__millis(call, "older_than", 0);
    NILAS_REQUIRE(!nilas_call__has(call, "older_than") ||
                      now_ms - older_than_ms >= SMALLEST_AGE_DAYS * (int64_t)DAY_MS,
                  err, NILAS_INVALID,
                  "Cannot remove orphan files with an interval less than 24 hours. Executing this "
                  "procedure with a short interval may corrupt the table if other operations are "
                  "happening at the same time. If you are absolutely confident that no concurrent "
                  "operations will be affected by removing orphan files with such a short "
                  "interval, you can use the Action API to remove orphan files with an arbitrary "
                  "interval.");
    NILAS_REQUIRE(nilas_call__int(call, "max_concurrent_deletes", 1) > 0, err, NILAS_INVALID,
                  "max_concurrent_deletes should have value > 0, value: %lld",
                  (long long)nilas_call__int(call, "max_concurrent_deletes", 1));
    return nilas_reachable__check_gc(call->table->metadata, "Cannot delete orphan files", err);
}

nilas_code nilas_procedure__remove_orphan_files(nilas_procedure_call *call, nilas_error *err) {
    int64_t now_ms = nilas_floor_div(call->run->environment.now_micros, 1000);
    nilas_map needed;
    NILAS_TRY(nilas_call__load(call, err));
    NILAS_TRY(check_arguments(call, now_ms, err));
    orphan_search search = {
        .call = call,
        .arena = call->run->stmt,
        .io = call->table->io,
        .older_than_ms =
            nilas_call__millis(call, "older_than", now_ms - DEFAULT_AGE_DAYS * (int64_t)DAY_MS),
    };
    search.location = nilas_call__text(call, "location", call->table->metadata->location);
    NILAS_TRY(parse_mode(call, &search.mode, err));
    NILAS_TRY(collect_partition_names(&search, err));
    NILAS_TRY(list_files(&search, err));
    NILAS_TRY(collect_needed(&search, &needed, err));
    return answer_orphans(&search, &needed, err);
}
