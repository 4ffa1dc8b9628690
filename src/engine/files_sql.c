/*
 * File sources: which files, with which options, read by which function of DuckDB. Malformed
 * records give rows of nulls, as Spark's PERMISSIVE mode does.
 */
#include "engine/files_sql.h"

#include <glob.h>
#include <stdlib.h>

#include "engine/cast.h"

#define JSON_OBJECT_LIMIT_BYTES (256 << 20)

/* ---- options ---- */

nilas_str nilas_files__option(const nilas_file_scan *scan, const char *key, const char *fallback) {
    nilas_str value = nilas_option_find(scan->options, scan->option_count, key);
    return value.data != NULL ? value : nilas_str_of(fallback);
}

bool nilas_files__flag(const nilas_file_scan *scan, const char *key, bool fallback) {
    return nilas_str_is_nocase(nilas_files__option(scan, key, fallback ? "true" : "false"), "true");
}

/* ---- which files ---- */

typedef struct file_lister {
    nilas_arena *arena;
    nilas_io *io;
    NILAS_ARRAY_OF(nilas_str) files;
    NILAS_ARRAY_OF(nilas_str) bases; // of each file: where its partitions begin
    nilas_str base;                  // of the files that are being listed
    nilas_str base_option;           // the option basePath; data NULL: none
    int depth;
} file_lister;

static int compare_names(const void *a, const void *b) {
    return nilas_str_compare(((const nilas_io_entry *)a)->name, ((const nilas_io_entry *)b)->name);
}

static bool is_hidden(nilas_str name) {
    return name.size > 0 &&
           (name.data[0] == '.' ||
            (name.data[0] == '_' && nilas_str_find(name, NILAS_STR("="), 0) == SIZE_MAX));
}

static nilas_code add_file(file_lister *l, nilas_str path, nilas_error *err) {
    NILAS_PUSH(l->arena, &l->files, path, err);
    NILAS_PUSH(l->arena, &l->bases, l->base, err);
    return NILAS_OK;
}

static nilas_str without_slash(nilas_str path) {
    while (path.size > 0 && path.data[path.size - 1] == '/') {
        path.size--;
    }
    return path;
}

/** A folder that was given is the base of its files; of a file it is the folder around it. */
static nilas_code set_base(file_lister *l, nilas_str path, bool is_folder, nilas_error *err) {
    nilas_str base = l->base_option;
    l->base = without_slash(path);
    if (base.data != NULL) {
        bool is_below = nilas_str_starts(l->base, base) &&
                        (l->base.size == base.size || l->base.data[base.size] == '/');
        NILAS_REQUIRE(is_below, err, NILAS_INVALID, "Wrong basePath %.*s for the root path: %.*s",
                      NILAS_FMT(base), NILAS_FMT(path));
        l->base = base;
        return NILAS_OK;
    }
    while (!is_folder && l->base.size > 0 && l->base.data[l->base.size - 1] != '/') {
        l->base.size--;
    }
    l->base = without_slash(l->base);
    return NILAS_OK;
}

static nilas_code list_folder(file_lister *l, nilas_str folder, nilas_error *err) {
    nilas_io_entry *entries;
    size_t count = 0;
    NILAS_REQUIRE(l->depth < NILAS_LIMIT_TYPE_DEPTH, err, NILAS_LIMIT,
                  "folders nest too deeply: \"%.*s\"", NILAS_FMT(folder));
    NILAS_TRY(nilas_io_list(l->io, l->arena, folder, &entries, &count, err));
    qsort(entries, count, sizeof(*entries), compare_names);
    l->depth++;
    for (size_t i = 0; i < count; i++) {
        if (is_hidden(entries[i].name)) {
            continue;
        }
        if (entries[i].stat.is_directory) {
            NILAS_TRY(list_folder(l, entries[i].location, err));
        } else {
            nilas_str path;
            NILAS_TRY(nilas_io_local_path(l->arena, entries[i].location, &path, err));
            NILAS_TRY(add_file(l, path, err));
        }
    }
    l->depth--;
    return NILAS_OK;
}

static bool is_pattern(nilas_str path) {
    for (size_t i = 0; i < path.size; i++) {
        if (path.data[i] == '*' || path.data[i] == '?' || path.data[i] == '[') {
            return true;
        }
    }
    return false;
}

static nilas_code list_path(file_lister *l, nilas_str given, nilas_error *err);

/** The matches of a pattern, each as if it had been given. */
static nilas_code list_pattern(file_lister *l, nilas_str pattern, nilas_error *err) {
    glob_t found = {0};
    nilas_str text;
    NILAS_TRY(nilas_str_copy(l->arena, pattern, &text, err)); // ends with NUL
    int failed = glob(text.data, 0, NULL, &found);
    nilas_code code = NILAS_OK;
    for (size_t i = 0; failed == 0 && i < found.gl_pathc && code == NILAS_OK; i++) {
        nilas_str path;
        code = nilas_str_copy(l->arena, nilas_str_of(found.gl_pathv[i]), &path, err);
        code = code == NILAS_OK ? list_path(l, path, err) : code;
    }
    globfree(&found);
    if (failed == GLOB_NOMATCH) {
        return nilas_fail_at(err, NILAS_NOT_FOUND, "PATH_NOT_FOUND", -1,
                             "Path does not exist: file:%.*s.", NILAS_FMT(pattern));
    }
    return code;
}

static nilas_code list_path(file_lister *l, nilas_str given, nilas_error *err) {
    nilas_io_stat stat;
    nilas_str path;
    NILAS_TRY(nilas_io_local_path(l->arena, given, &path, err));
    bool exists = false;
    NILAS_TRY(nilas_io_exists(l->io, given, &exists, err));
    if (!exists && is_pattern(path)) {
        return list_pattern(l, path, err);
    }
    if (!exists) {
        return nilas_fail_at(err, NILAS_NOT_FOUND, "PATH_NOT_FOUND", -1,
                             "Path does not exist: file:%.*s.", NILAS_FMT(path));
    }
    NILAS_TRY(nilas_io_stat_file(l->io, given, &stat, err));
    NILAS_TRY(set_base(l, path, stat.is_directory, err));
    return stat.is_directory ? list_folder(l, given, err) : add_file(l, path, err);
}

nilas_code nilas_files__list(nilas_arena *arena, const nilas_file_scan *scan,
                             nilas_file_source **out, nilas_error *err) {
    NILAS_AUTO(nilas_io) io = NULL;
    NILAS_TRY(nilas_io_new(&io, err));
    file_lister l = {.arena = arena, .io = io};
    nilas_str base = nilas_option_find(scan->options, scan->option_count, "basePath");
    if (base.data != NULL) {
        NILAS_TRY(nilas_io_local_path(arena, base, &l.base_option, err));
        l.base_option = without_slash(l.base_option);
    }
    for (size_t i = 0; i < scan->path_count; i++) {
        NILAS_TRY(list_path(&l, scan->paths[i], err));
    }
    nilas_file_source *source;
    NILAS_NEW(arena, &source, err);
    source->files = l.files.items;
    source->file_count = l.files.count;
    *out = source;
    return nilas_files__flag(scan, "recursiveFileLookup", false)
               ? NILAS_OK
               : nilas_files__find_keys(arena, l.bases.items, source, err);
}

/* ---- reading ---- */

void nilas_files__print_list(nilas_buf *out, const nilas_file_source *source) {
    nilas_buf_add_char(out, '[');
    for (size_t i = 0; i < source->file_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_render__path(out, source->files[i]);
    }
    nilas_buf_add_char(out, ']');
}

static void print_output(nilas_buf *out, const nilas_plan *plan, size_t output, bool cast) {
    const nilas_attribute *attribute = &plan->outputs[output];
    nilas_buf_add_text(out, output > 0 ? ", " : "");
    if (nilas_files__print_key(out, plan->file_scan->source, attribute->name)) {
        nilas_buf_print(out, " AS c%d", attribute->id);
        return;
    }
    nilas_buf_add_text(out, cast ? "TRY_CAST(" : "");
    nilas_render__identifier(out, attribute->name);
    if (cast) {
        nilas_buf_add_text(out, " AS ");
        nilas_engine__print_type(out, attribute->type);
        nilas_buf_add_char(out, ')');
    }
    nilas_buf_print(out, " AS c%d", attribute->id);
}

static void print_outputs(nilas_buf *out, const nilas_plan *plan, bool cast) {
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        print_output(out, plan, i, cast);
    }
    nilas_buf_add_text(out, plan->output_count == 0 ? "NULL AS \"_\" FROM " : " FROM ");
}

static void render_json(nilas_buf *out, const nilas_plan *plan, const nilas_file_source *source) {
    const nilas_file_scan *scan = plan->file_scan;
    print_outputs(out, plan, false);
    nilas_buf_add_text(out, "read_json(");
    nilas_files__print_list(out, source);
    bool multi_line = nilas_files__flag(scan, "multiLine", false);
    nilas_buf_print(out,
                    ", format = '%s', ignore_errors = %s, maximum_object_size = %d, columns = {",
                    multi_line ? "auto" : "newline_delimited", multi_line ? "false" : "true",
                    JSON_OBJECT_LIMIT_BYTES);
    for (size_t i = 0; i < source->data_schema->field_count; i++) {
        NILAS_AUTO_BUF type = NILAS_BUF_INIT(0);
        nilas_engine__print_type(&type, source->data_schema->fields[i].type);
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_render__identifier(out, source->data_schema->fields[i].name);
        nilas_buf_add_text(out, ": ");
        nilas_render__text(out, nilas_buf_view(&type));
    }
    nilas_buf_add_text(out, "})");
}

static void render_text(nilas_buf *out, const nilas_plan *plan, const nilas_file_source *source) {
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (!nilas_files__print_key(out, source, plan->outputs[i].name)) {
            nilas_buf_add_text(out, "coalesce(line, '')");
        }
        nilas_buf_print(out, " AS c%d", plan->outputs[i].id);
    }
    nilas_buf_add_text(out, plan->output_count == 0 ? "NULL AS \"_\" FROM " : " FROM ");
    nilas_buf_add_text(out, "read_csv(");
    nilas_files__print_list(out, source);
    nilas_buf_print(out,
                    ", auto_detect = false, header = false, delim = '\x1f\x1e', quote = '', escape "
                    "= '', max_line_size = %d, "
                    "columns = {'line': 'VARCHAR'})",
                    JSON_OBJECT_LIMIT_BYTES);
}

nilas_code nilas_render__file_scan(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                   nilas_error *err) {
    nilas_file_scan *scan = plan->file_scan;
    nilas_assert(scan != NULL && scan->schema != NULL);
    nilas_file_source *source = scan->source;
    if (source == NULL) {
        NILAS_TRY(nilas_files__list(r->stmt, scan, &source, err));
        NILAS_TRY(nilas_files__add_keys(r->stmt, scan, true, source, err));
        scan->source = source;
    }
    if (source->file_count == 0) {
        nilas_render__no_rows(out, plan);
        return NILAS_OK;
    }
    if (nilas_str_is_nocase(scan->format, "json")) {
        render_json(out, plan, source);
        return NILAS_OK;
    }
    if (nilas_str_is_nocase(scan->format, "text")) {
        render_text(out, plan, source);
        return NILAS_OK;
    }
    if (nilas_str_is_nocase(scan->format, "parquet")) {
        return nilas_files__render_parquet(r, out, plan, source, err);
    }
    NILAS_REQUIRE(nilas_str_is_nocase(scan->format, "csv"), err, NILAS_UNSUPPORTED,
                  "reading %.*s files is not supported", NILAS_FMT(scan->format));
    NILAS_NEW_ARRAY(r->stmt, &source->csv_columns, source->data_schema->field_count,
                    err); // a given schema names the columns
    source->csv_column_count = source->data_schema->field_count;
    for (size_t i = 0; i < source->csv_column_count; i++) {
        source->csv_columns[i] = source->data_schema->fields[i].name;
    }
    print_outputs(out, plan, true);
    nilas_files__print_read_csv(out, scan, source);
    return NILAS_OK;
}

/* ---- inference ---- */

nilas_code nilas_files__query_text(nilas_job *job, nilas_arena *arena, nilas_str sql,
                                   nilas_str *out, nilas_error *err) {
    NILAS_AUTO_QUERY_RUN run = {0};
    NILAS_AUTO_CHUNK chunk = NULL;
    NILAS_TRY(nilas_job__start(job, sql, &run, err));
    NILAS_TRY(nilas_job__fetch(job, &run, &chunk, err));
    *out = (nilas_str){0};
    if (chunk == NULL || duckdb_data_chunk_get_size(chunk) == 0) {
        return NILAS_OK;
    }
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, 0);
    uint64_t *validity = duckdb_vector_get_validity(vector);
    if (validity != NULL && !duckdb_validity_row_is_valid(validity, 0)) {
        return NILAS_OK;
    }
    nilas_str text = nilas_engine__string_at(duckdb_vector_get_data(vector), 0);
    return nilas_str_copy(arena, text, out, err);
}

static nilas_code infer(nilas_job *job, nilas_arena *arena, nilas_file_scan *scan,
                        nilas_file_source *source, const nilas_type **out, nilas_error *err) {
    if (nilas_str_is_nocase(scan->format, "text")) {
        nilas_type_field value = {
            .name = NILAS_STR("value"), .type = nilas_type_of(NILAS_TYPE_STRING), .nullable = true};
        return nilas_type_struct(arena, &value, 1, out, err);
    }
    if (source->file_count == 0) {
        return nilas_fail_at(err, NILAS_INVALID, "UNABLE_TO_INFER_SCHEMA", -1,
                             "Unable to infer schema for %.*s. It must be specified manually.",
                             NILAS_FMT(scan->format));
    }
    if (nilas_str_is_nocase(scan->format, "json")) {
        return nilas_files__infer_json(job, arena, scan, source, out, err);
    }
    if (nilas_str_is_nocase(scan->format, "csv")) {
        NILAS_TRY(nilas_files__read_csv_columns(arena, scan, source, err));
        return nilas_files__infer_csv(job, arena, scan, source, out, err);
    }
    NILAS_REQUIRE(nilas_str_is_nocase(scan->format, "parquet"), err, NILAS_UNSUPPORTED,
                  "reading %.*s files is not supported", NILAS_FMT(scan->format));
    return nilas_files__infer_parquet(arena, source, out, err);
}

nilas_code nilas_engine_infer_files(nilas_engine *engine, nilas_arena *arena, nilas_file_scan *scan,
                                    nilas_error *err) {
    NILAS_AUTO_JOB job = {.engine = engine, .stmt = arena};
    nilas_file_source *source = NULL;
    NILAS_TRY(nilas_files__list(arena, scan, &source, err));
    bool is_given = scan->schema != NULL;
    if (!is_given) {
        NILAS_TRY(infer(&job, arena, scan, source, &scan->schema, err));
    }
    NILAS_TRY(nilas_files__add_keys(arena, scan, is_given, source, err));
    scan->source = source;
    return NILAS_OK;
}
