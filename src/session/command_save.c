/**
 * DataFrame.write.save(path) and its kin: json, csv, text and Parquet files in a folder, named and
 * marked as Spark does.
 *
 * What a line looks like is said by to_json() and to_csv(), so that files and functions agree. New
 * files are complete before old ones go: a reader of the same folder, this query too, never finds
 * it empty.
 */
#include "session/private.h"

typedef struct save_format {
    const char *name;  // of the source
    const char *shown; // in messages
    const char *extension;
    const char *function; // that makes the line; NULL: none
} save_format;

static const save_format formats[] = {
    {"json", "JSON", "json", "to_json"},
    {"csv", "CSV", "csv", "to_csv"},
    {"text", "Text", "txt", NULL},
    {"parquet", "Parquet", "parquet", NULL},
};

typedef struct save_state {
    nilas_run *run;
    const save_format *format;
    const nilas_type *type; // of the rows
    bool *is_partition;     // by column
    nilas_str folder;
    nilas_save_options options;
    NILAS_ARRAY_OF(nilas_str) before; // files that were there
} save_state;

static nilas_str option_of(const save_state *state, const char *key) {
    const nilas_statement *s = state->run->statement;
    return nilas_option_find(s->options, s->option_count, key);
}

// ---- what is asked for --------------------------------------------------------------------------

static nilas_code find_format(save_state *state, bool *is_noop, nilas_error *err) {
    nilas_str name = state->run->statement->provider;
    nilas_str long_form = NILAS_STR("org.apache.spark.sql.");
    if (name.size == 0) {
        name = nilas_session_setting(state->run->session, "spark.sql.sources.default");
    }
    if (name.size == 0) {
        name = NILAS_STR("parquet"); // Spark's default
    }
    if (nilas_str_starts(name, long_form)) {
        name = nilas_str_slice(name, long_form.size, name.size);
    }
    *is_noop = nilas_str_is_nocase(name, "noop");
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (nilas_str_is_nocase(name, formats[i].name)) {
            state->format = &formats[i];
        }
    }
    bool refused = nilas_str_is_nocase(name, "orc") || nilas_str_is_nocase(name, "avro") ||
                   nilas_str_is_nocase(name, "xml") || nilas_str_is_nocase(name, "jdbc") ||
                   nilas_str_is_nocase(name, "delta");
    if (state->format != NULL || *is_noop) {
        return NILAS_OK;
    }
    if (refused) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
                             "Saving as %.*s is not supported by nilas.", NILAS_FMT(name));
    }
    return nilas_fail_at(
        err, NILAS_INVALID, "DATA_SOURCE_NOT_FOUND", -1,
        "Failed to find the data source: %.*s. Make sure the provider name is correct and the "
        "package is properly registered and compatible with your Spark version.",
        NILAS_FMT(state->run->statement->provider));
}

/** What each format can hold. */
static bool can_hold(const save_format *format, const nilas_type *type) {
    bool is_nested = type->kind >= NILAS_TYPE_ARRAY;
    bool is_text = format->extension[0] == 't';
    if (is_text) {
        return type->kind == NILAS_TYPE_STRING;
    }
    if (format->extension[0] == 'c') {
        return !is_nested && type->kind != NILAS_TYPE_VARIANT && type->kind != NILAS_TYPE_VOID;
    }
    bool is_parquet = format->function == NULL;
    bool is_interval = type->kind == NILAS_TYPE_INTERVAL ||
                       type->kind == NILAS_TYPE_INTERVAL_DAY_TIME ||
                       type->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH;
    if (is_parquet &&
        (type->kind == NILAS_TYPE_VOID || type->kind == NILAS_TYPE_VARIANT || is_interval)) {
        return false;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        if (!can_hold(format, type->fields[i].type)) {
            return false;
        }
    }
    return type->kind != NILAS_TYPE_INTERVAL;
}

static nilas_code check_columns(const save_state *state, nilas_error *err) {
    size_t data = 0;
    for (size_t i = 0; i < state->type->field_count; i++) {
        const nilas_type_field *field = &state->type->fields[i];
        for (size_t k = 0; k < i; k++) {
            if (nilas_str_equal_nocase(state->type->fields[k].name, field->name)) {
                return nilas_fail_at(err, NILAS_INVALID, "COLUMN_ALREADY_EXISTS", -1,
                                     "The column `%.*s` already exists. Choose another name or "
                                     "rename the existing column.",
                                     NILAS_FMT(field->name));
            }
        }
        if (state->is_partition[i]) {
            continue;
        }
        data++;
        if (!can_hold(state->format, field->type)) {
            NILAS_AUTO_BUF type = NILAS_BUF_INIT(1 << 20);
            nilas_type_print_sql(&type, field->type);
            return nilas_fail_at(
                err, NILAS_INVALID, "UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE", -1,
                "The %s datasource doesn't support the column `%.*s` of the type \"%.*s\".",
                state->format->shown, NILAS_FMT(field->name), NILAS_FMT(nilas_buf_view(&type)));
        }
    }
    if (data == 0) {
        return nilas_fail_at(err, NILAS_INVALID, "ALL_PARTITION_COLUMNS_NOT_ALLOWED", -1,
                             "Cannot use all columns for partition columns.");
    }
    NILAS_REQUIRE(state->format->extension[0] != 't' || data == 1, err, NILAS_INVALID,
                  "Text data source supports only a single column, and you have %zu columns.",
                  data);
    return NILAS_OK;
}

static nilas_code find_partitions(save_state *state, nilas_error *err) {
    const nilas_statement *s = state->run->statement;
    NILAS_NEW_ARRAY(state->run->stmt, &state->is_partition, state->type->field_count, err);
    for (size_t p = 0; p < s->column_count; p++) {
        bool found = false;
        for (size_t i = 0; i < state->type->field_count; i++) {
            if (nilas_str_equal_nocase(state->type->fields[i].name, s->columns[p])) {
                state->is_partition[i] = true;
                found = true;
            }
        }
        NILAS_REQUIRE(found, err, NILAS_INVALID, "Partition column `%.*s` not found in schema.",
                      NILAS_FMT(s->columns[p]));
    }
    state->options.partition_count = s->column_count;
    return NILAS_OK;
}

static nilas_code find_codec(save_state *state, nilas_error *err) {
    static const struct {
        const char *name, *codec, *lines, *parquet; // the last two: what comes before the extension
    } codecs[] = {
        {"none", "uncompressed", "", ""},      {"uncompressed", "uncompressed", "", ""},
        {"gzip", "gzip", ".gz", "gz."},        {"zstd", "zstd", ".zst", "zstd."},
        {"snappy", "snappy", NULL, "snappy."},
    };
    bool parquet = state->format->extension[0] == 'p';
    nilas_str wanted = option_of(state, "compression");
    if (wanted.data == NULL) {
        wanted = parquet ? NILAS_STR("snappy") : NILAS_STR("none");
    }
    for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
        if (!nilas_str_is_nocase(wanted, codecs[i].name) || (!parquet && codecs[i].lines == NULL)) {
            continue;
        }
        nilas_str extension;
        NILAS_TRY(nilas_str_print(state->run->stmt, &extension, err, "%s%s%s",
                                  parquet ? codecs[i].parquet : "", state->format->extension,
                                  parquet ? "" : codecs[i].lines));
        state->options.compression = codecs[i].codec;
        state->options.extension = extension.data;
        return NILAS_OK;
    }
    return nilas_fail_at(
        err, NILAS_UNSUPPORTED, "CODEC_NOT_AVAILABLE.WITH_AVAILABLE_CODECS_SUGGESTION", -1,
        "The codec %.*s is not available. Available codecs are %s.", NILAS_FMT(wanted),
        parquet ? "none, gzip, snappy, zstd" : "none, gzip, zstd");
}

static nilas_code check_options(save_state *state, nilas_error *err) {
    nilas_str encoding = option_of(state, "encoding");
    nilas_str line_end = option_of(state, "lineSep");
    bool utf8 = encoding.data == NULL || nilas_str_is_nocase(encoding, "UTF-8") ||
                nilas_str_is_nocase(encoding, "UTF8");
    NILAS_REQUIRE(utf8, err, NILAS_UNSUPPORTED, "saving with the encoding %.*s is not supported",
                  NILAS_FMT(encoding));
    NILAS_REQUIRE(line_end.data == NULL || nilas_str_is(line_end, "\n"), err, NILAS_UNSUPPORTED,
                  "saving with another line separator is not supported");
    state->options.lines = state->format->extension[0] != 'p';
    return find_codec(state, err);
}

// ---- the rows -----------------------------------------------------------------------------------

static nilas_code new_call(nilas_arena *stmt, const char *name, size_t count, nilas_expr **out,
                           nilas_error *err) {
    nilas_expr *call;
    NILAS_TRY(nilas_expr_new(stmt, NILAS_EXPR_CALL, -1, &call, err));
    NILAS_NEW(stmt, &call->parts, err);
    call->parts[0] = nilas_str_of(name);
    call->part_count = 1;
    NILAS_NEW_ARRAY(stmt, &call->args, count, err);
    call->arg_count = count;
    *out = call;
    return NILAS_OK;
}

static nilas_code new_text(nilas_arena *stmt, nilas_str text, nilas_expr **out, nilas_error *err) {
    NILAS_TRY(nilas_expr_new(stmt, NILAS_EXPR_LITERAL, -1, out, err));
    (*out)->type = nilas_type_of(NILAS_TYPE_STRING);
    (*out)->value = nilas_value_of_str(text);
    return NILAS_OK;
}

static nilas_code new_column(nilas_arena *stmt, nilas_str name, nilas_expr **out,
                             nilas_error *err) {
    NILAS_TRY(nilas_expr_new(stmt, NILAS_EXPR_COLUMN, -1, out, err));
    NILAS_NEW(stmt, &(*out)->parts, err);
    (*out)->parts[0] = name;
    (*out)->part_count = 1;
    return NILAS_OK;
}

static nilas_code new_alias(nilas_arena *stmt, nilas_expr *expr, nilas_str name, nilas_expr **out,
                            nilas_error *err) {
    NILAS_TRY(nilas_expr_new(stmt, NILAS_EXPR_ALIAS, -1, out, err));
    NILAS_NEW(stmt, &(*out)->args, err);
    (*out)->args[0] = expr;
    (*out)->arg_count = 1;
    NILAS_NEW(stmt, &(*out)->parts, err);
    (*out)->parts[0] = name;
    (*out)->part_count = 1;
    return NILAS_OK;
}

/** Options that are about values, as the map that to_json() and to_csv() take; NULL: none. */
static nilas_code value_options(const save_state *state, nilas_expr **out, nilas_error *err) {
    static const char *const others[] = {
        "path",    "header", "compression",       "encoding",   "charset",
        "lineSep", "mode",   "maxRecordsPerFile", "inferSchema"};
    const nilas_statement *s = state->run->statement;
    nilas_arena *stmt = state->run->stmt;
    nilas_expr *map;
    NILAS_TRY(new_call(stmt, "map", 2 * s->option_count, &map, err));
    map->arg_count = 0;
    for (size_t i = 0; i < s->option_count; i++) {
        bool skip = false;
        for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
            skip = skip || nilas_str_is_nocase(s->options[i].key, others[k]);
        }
        if (!skip) {
            NILAS_TRY(new_text(stmt, s->options[i].key, &map->args[map->arg_count++], err));
            NILAS_TRY(new_text(stmt, s->options[i].value, &map->args[map->arg_count++], err));
        }
    }
    *out = map->arg_count > 0 ? map : NULL;
    return NILAS_OK;
}

/** The first line of CSV files: the names, quoted where they need it. */
static nilas_code header_line(const save_state *state, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF line = NILAS_BUF_INIT(1 << 20);
    nilas_str separator = option_of(state, "sep");
    separator = separator.data != NULL ? separator : option_of(state, "delimiter");
    separator = separator.data != NULL ? separator : NILAS_STR(",");
    for (size_t i = 0; i < state->type->field_count; i++) {
        nilas_str name = state->type->fields[i].name;
        bool quoted = nilas_str_find(name, separator, 0) != SIZE_MAX ||
                      nilas_str_find(name, NILAS_STR("\""), 0) != SIZE_MAX ||
                      nilas_str_find(name, NILAS_STR("\n"), 0) != SIZE_MAX;
        if (state->is_partition[i]) {
            continue;
        }
        if (line.size > 0) {
            nilas_buf_add(&line, separator);
        }
        nilas_buf_add_text(&line, quoted ? "\"" : "");
        for (size_t k = 0; k < name.size; k++) {
            nilas_buf_add_text(&line, quoted && name.data[k] == '"' ? "\\" : "");
            nilas_buf_add_char(&line, name.data[k]);
        }
        nilas_buf_add_text(&line, quoted ? "\"" : "");
    }
    return nilas_buf_finish(&line, state->run->stmt, out, err);
}

/** One line of all columns that make no folders. */
static nilas_code line_expr(save_state *state, nilas_expr **out, nilas_error *err) {
    nilas_arena *stmt = state->run->stmt;
    nilas_expr *row;
    nilas_expr *line;
    nilas_expr *map;
    nilas_str name = NILAS_STR("value");
    NILAS_TRY(new_call(stmt, "struct", state->type->field_count, &row, err));
    row->arg_count = 0;
    for (size_t i = 0; i < state->type->field_count; i++) {
        if (!state->is_partition[i]) {
            NILAS_TRY(
                new_column(stmt, state->type->fields[i].name, &row->args[row->arg_count++], err));
        }
    }
    NILAS_TRY(value_options(state, &map, err));
    NILAS_TRY(new_call(stmt, state->format->function, map != NULL ? 2 : 1, &line, err));
    line->args[0] = row;
    if (map != NULL) {
        line->args[1] = map;
    }
    if (nilas_str_is_nocase(option_of(state, "header"), "true") &&
        state->format->extension[0] == 'c') {
        state->options.header = true;
        NILAS_TRY(header_line(state, &name, err));
    }
    return new_alias(stmt, line, name, out, err);
}

/** The text of a partition's folder: nulls and empty texts have one of their own. */
static nilas_code folder_expr(save_state *state, const nilas_type_field *field, nilas_expr **out,
                              nilas_error *err) {
    nilas_arena *stmt = state->run->stmt;
    nilas_expr *cast;
    nilas_expr *no_empty;
    nilas_expr *whole;
    NILAS_TRY(nilas_expr_new(stmt, NILAS_EXPR_CAST, -1, &cast, err));
    NILAS_NEW(stmt, &cast->args, err);
    cast->arg_count = 1;
    cast->op = NILAS_OP_CAST;
    cast->type = nilas_type_of(NILAS_TYPE_STRING);
    NILAS_TRY(new_column(stmt, field->name, &cast->args[0], err));
    NILAS_TRY(new_call(stmt, "nullif", 2, &no_empty, err));
    no_empty->args[0] = cast;
    NILAS_TRY(new_text(stmt, NILAS_STR_EMPTY, &no_empty->args[1], err));
    NILAS_TRY(new_call(stmt, "coalesce", 2, &whole, err));
    whole->args[0] = no_empty;
    NILAS_TRY(new_text(stmt, NILAS_STR("__HIVE_DEFAULT_PARTITION__"), &whole->args[1], err));
    return new_alias(stmt, whole, field->name, out, err);
}

static nilas_code make_query(save_state *state, nilas_query **out, nilas_error *err) {
    nilas_arena *stmt = state->run->stmt;
    const nilas_statement *s = state->run->statement;
    nilas_query *query;
    NILAS_TRY(nilas_query_new(stmt, NILAS_QUERY_PIPE_SELECT, -1, &query, err));
    query->input = s->query;
    NILAS_NEW_ARRAY(stmt, &query->exprs, state->type->field_count + 1, err);
    if (state->format->function != NULL) {
        NILAS_TRY(line_expr(state, &query->exprs[query->expr_count++], err));
    }
    for (size_t i = 0; i < state->type->field_count; i++) {
        if (!state->is_partition[i] && state->format->function == NULL) {
            NILAS_TRY(new_column(stmt, state->type->fields[i].name,
                                 &query->exprs[query->expr_count++], err));
        }
    }
    for (size_t p = 0; p < s->column_count; p++) {
        for (size_t i = 0; i < state->type->field_count; i++) {
            if (nilas_str_equal_nocase(state->type->fields[i].name, s->columns[p])) {
                NILAS_TRY(folder_expr(state, &state->type->fields[i],
                                      &query->exprs[query->expr_count++], err));
            }
        }
    }
    *out = query;
    return NILAS_OK;
}

// ---- the folder ---------------------------------------------------------------------------------

/** Call `visit` for each file below a folder, deepest first. */
static nilas_code each_file(save_state *state, nilas_str folder, int depth,
                            nilas_code (*visit)(save_state *state, nilas_str file,
                                                nilas_error *err),
                            nilas_error *err) {
    nilas_io_entry *entries;
    size_t count;
    NILAS_REQUIRE(depth < NILAS_LIMIT_TYPE_DEPTH, err, NILAS_LIMIT, "folders nest too deep");
    NILAS_TRY(
        nilas_io_list(state->run->session->io, state->run->stmt, folder, &entries, &count, err));
    for (size_t i = 0; i < count; i++) {
        if (entries[i].stat.is_directory) {
            NILAS_TRY(each_file(state, entries[i].location, depth + 1, visit, err));
        } else {
            NILAS_TRY(visit(state, entries[i].location, err));
        }
    }
    return NILAS_OK;
}

static nilas_code remember(save_state *state, nilas_str file, nilas_error *err) {
    NILAS_PUSH(state->run->stmt, &state->before, file, err);
    return NILAS_OK;
}

static nilas_code delete_new(save_state *state, nilas_str file, nilas_error *err) {
    (void)err;
    for (size_t i = 0; i < state->before.count; i++) {
        if (nilas_str_equal(state->before.items[i], file)) {
            return NILAS_OK;
        }
    }
    nilas_error ignored = NILAS_ERROR_INIT; // best effort: the first error is what counts
    (void)nilas_io_delete(state->run->session->io, file, &ignored);
    return NILAS_OK;
}

static nilas_code open_folder(save_state *state, bool *skip, nilas_error *err) {
    const nilas_statement *s = state->run->statement;
    nilas_io *io = state->run->session->io;
    bool exists;
    *skip = false;
    NILAS_REQUIRE(s->has_location && s->location.size > 0, err, NILAS_INVALID,
                  "'path' is not specified.");
    NILAS_TRY(nilas_io_local_path(state->run->stmt, s->location, &state->folder, err));
    NILAS_TRY(nilas_io_exists(io, state->folder, &exists, err));
    if (!exists) {
        return nilas_io_make_directory(io, state->folder, err);
    }
    if (s->save_mode == NILAS_SAVE_ERROR_IF_EXISTS) {
        return nilas_fail_at(err, NILAS_EXISTS, "PATH_ALREADY_EXISTS", -1,
                             "Path file:%.*s already exists. Set mode as \"overwrite\" to "
                             "overwrite the existing path.",
                             NILAS_FMT(state->folder));
    }
    *skip = s->save_mode == NILAS_SAVE_IGNORE;
    nilas_io_stat stat;
    NILAS_TRY(nilas_io_stat_file(io, state->folder, &stat, err));
    NILAS_REQUIRE(stat.is_directory || *skip, err, NILAS_EXISTS,
                  "%.*s is a file, not a folder that files can be saved in",
                  NILAS_FMT(state->folder));
    return *skip ? NILAS_OK : each_file(state, state->folder, 0, remember, err);
}

static nilas_code finish_folder(save_state *state, nilas_error *err) {
    nilas_io *io = state->run->session->io;
    nilas_str mark;
    bool replaces = state->run->statement->save_mode == NILAS_SAVE_OVERWRITE;
    for (size_t i = 0; replaces && i < state->before.count; i++) {
        NILAS_TRY(nilas_io_delete(io, state->before.items[i], err));
    }
    NILAS_TRY(nilas_io_join(state->run->stmt, state->folder, NILAS_STR("_SUCCESS"), &mark, err));
    return nilas_io_write(io, mark, NILAS_STR_EMPTY, true, err);
}

// ---- the statement ------------------------------------------------------------------------------

/** Rows are made and dropped: format("noop"). */
static nilas_code run_and_drop(nilas_run *run, nilas_error *err) {
    nilas_plan *plan;
    NILAS_TRY(nilas_bind_query(&run->environment, run->statement->query, &plan, err));
    nilas_arena *rows = nilas_arena_new(NULL, 0); // taken over by the result
    NILAS_REQUIRE(rows != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_AUTO(nilas_result) result = NULL;
    nilas_code code = nilas_engine_run(run->session->engine, rows, plan, &result, err);
    if (code != NILAS_OK) {
        nilas_arena_free(rows);
        return code;
    }
    for (;;) {
        struct ArrowArray batch = {0};
        NILAS_TRY(nilas_result_next(result, &batch, err));
        if (batch.release == NULL) {
            return nilas_session__no_rows(run, err);
        }
        batch.release(&batch);
    }
}

nilas_code nilas_command__save_files(nilas_run *run, nilas_error *err) {
    save_state state = {.run = run};
    nilas_plan *plan;
    nilas_query *query;
    bool is_noop;
    bool skip;
    NILAS_TRY(find_format(&state, &is_noop, err));
    if (is_noop) {
        return run_and_drop(run, err);
    }
    NILAS_TRY(nilas_bind_query(&run->environment, run->statement->query, &plan, err));
    NILAS_TRY(nilas_plan_type(run->stmt, plan, &state.type, err));
    NILAS_TRY(find_partitions(&state, err));
    NILAS_TRY(check_columns(&state, err));
    NILAS_TRY(check_options(&state, err));
    NILAS_TRY(make_query(&state, &query, err));
    NILAS_TRY(nilas_bind_query(&run->environment, query, &plan, err));
    NILAS_TRY(open_folder(&state, &skip, err));
    if (skip) {
        return nilas_session__no_rows(run, err);
    }
    state.options.folder = state.folder;
    nilas_code code = nilas_engine_save(run->session->engine, run->stmt, plan, &state.options, err);
    if (code == NILAS_OK) {
        code = finish_folder(&state, err);
    } else {
        nilas_error ignored = NILAS_ERROR_INIT;
        (void)each_file(&state, state.folder, 0, delete_new, &ignored);
    }
    NILAS_TRY(code);
    return nilas_session__no_rows(run, err);
}
