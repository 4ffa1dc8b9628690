/*
 * Parquet files by DuckDB's COPY, and the row about each file that RETURN_STATS gives back.
 *
 * What COPY does not tell is asked of the file itself: how many NaNs (only where there are some),
 * and where row groups begin (only where there are several).
 */
#include "engine/writer.h"

#define FIRST_ROW_GROUP_OFFSET 4 // after the magic bytes

nilas_code nilas_write__execute(nilas_job *job, nilas_str sql, nilas_error *err) {
    NILAS_AUTO_QUERY_RUN run = {0};
    bool more = true;

    NILAS_TRY(nilas_job__start(job, sql, &run, err));
    while (more) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(job, &run, &chunk, err));
        more = chunk != NULL;
    }
    return NILAS_OK;
}

/* ---- the statement ---- */

static nilas_code print_columns(const nilas_writer *w, nilas_buf *out, const nilas_write_rows *rows,
                                nilas_error *err) {
    bool any = false;

    for (size_t i = 0; i < w->columns.count; i++) {
        const nilas_ice_field *field = &w->columns.items[i];
        if (field->type->kind == NILAS_ICE_UNKNOWN) { // always null, and never stored
            continue;
        }
        nilas_buf_add_text(out, any ? ", CAST(" : "CAST(");
        nilas_buf_add(out, rows->columns[i]);
        nilas_buf_add_text(out, " AS ");
        NILAS_TRY(nilas_write__print_type(out, field->type, err));
        nilas_buf_add_text(out, ") AS ");
        nilas_render__identifier(out, field->name);
        any = true;
    }
    NILAS_REQUIRE(any, err, NILAS_UNSUPPORTED, "a table without columns cannot be written");
    return NILAS_OK;
}

static void print_schema_metadata(const nilas_writer *w, nilas_buf *out) {
    NILAS_AUTO_BUF json = NILAS_BUF_INIT(0);

    nilas_schema_print(&json, w->schema);
    nilas_buf_add_text(out, ", KV_METADATA {\"iceberg.schema\": ");
    nilas_render__text(out, nilas_buf_view(&json));
    nilas_buf_add_text(out, "}");
}

static void print_options(const nilas_writer *w, nilas_buf *out) {
    const nilas_write_format *format = &w->format;
    nilas_ice_type type = {
        .kind = NILAS_ICE_STRUCT, .fields = w->columns.items, .field_count = w->columns.count};

    nilas_buf_print(out,
                    "FORMAT parquet, RETURN_STATS, COMPRESSION %.*s, "
                    "ROW_GROUP_SIZE %lld, STRING_DICTIONARY_PAGE_SIZE_LIMIT %lld, "
                    "PARQUET_VERSION %s, WRITE_BLOOM_FILTER %s",
                    NILAS_FMT(format->codec), (long long)format->row_group_rows,
                    (long long)format->dictionary_bytes, format->is_version_2 ? "v2" : "v1",
                    format->has_bloom_filter ? "true" : "false");
    if (format->has_bloom_filter && format->bloom_filter_fpp > 0) {
        nilas_buf_print(out, ", BLOOM_FILTER_FALSE_POSITIVE_RATIO %g", format->bloom_filter_fpp);
    }
    if (format->level >= 0 && nilas_str_is(format->codec, "zstd")) {
        nilas_buf_print(out, ", COMPRESSION_LEVEL %lld", (long long)format->level);
    }
    nilas_buf_add_text(out, ", FIELD_IDS ");
    nilas_write__print_field_ids(out, &type, -1);
    print_schema_metadata(w, out);
}

/** "COPY (SELECT …) TO '…' (…)". `directory` and `name`: files of the target size below it. */
static nilas_code print_copy(const nilas_writer *w, const nilas_write_rows *rows, nilas_str target,
                             const nilas_str *name, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);

    nilas_buf_add_text(&sql, "COPY (SELECT ");
    NILAS_TRY(print_columns(w, &sql, rows, err));
    nilas_buf_add_text(&sql, " FROM (");
    nilas_buf_add(&sql, rows->sql);
    nilas_buf_add_text(&sql, ") AS w) TO ");
    nilas_render__text(&sql, target);
    nilas_buf_add_text(&sql, " (");
    print_options(w, &sql);
    nilas_buf_add_text(&sql, ", WRITE_EMPTY_FILE false");
    if (name != NULL) {
        nilas_buf_print(&sql, ", FILE_SIZE_BYTES %lld, OVERWRITE_OR_IGNORE true, FILENAME_PATTERN ",
                        (long long)w->format.file_bytes);
        NILAS_AUTO_BUF pattern = NILAS_BUF_INIT(4096);
        nilas_buf_add(&pattern, *name);
        nilas_buf_add_text(&pattern, "{i}");
        nilas_render__text(&sql, nilas_buf_view(&pattern));
    } else {
        nilas_buf_add_text(&sql, ", USE_TMP_FILE false");
    }
    nilas_buf_add_char(&sql, ')');
    return nilas_buf_finish(&sql, w->stmt, out, err);
}

/** "COPY (SELECT …, number AS p) TO '…' (PARTITION_BY p, …)": a file a number. */
static nilas_code print_partition_copy(const nilas_writer *w, const nilas_write_rows *rows,
                                       nilas_str target, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);

    nilas_buf_add_text(&sql, "COPY (SELECT ");
    NILAS_TRY(print_columns(w, &sql, rows, err));
    nilas_buf_add_text(&sql, ", ");
    nilas_write__print_partition(w, rows, &sql);
    nilas_buf_add_text(&sql, " AS " NILAS_PARTITION_NUMBER " FROM (");
    nilas_buf_add(&sql, rows->sql);
    nilas_buf_add_text(&sql, ") AS w) TO ");
    nilas_render__text(&sql, target);
    nilas_buf_add_text(&sql, " (");
    print_options(w, &sql);
    nilas_buf_add_text(&sql,
                       ", OVERWRITE_OR_IGNORE true, PARTITION_BY (" NILAS_PARTITION_NUMBER "))");
    return nilas_buf_finish(&sql, w->stmt, out, err);
}

/* ---- its result ---- */

static int64_t number_of(nilas_str text) {
    int64_t number = -1;

    return nilas_str_to_int64(text, &number) ? number : -1;
}

/** One entry of the inner map: MAP(VARCHAR, VARCHAR). */
static nilas_code take_stat(const nilas_writer *w, nilas_str key, nilas_str value,
                            nilas_column_stats *out, nilas_error *err) {
    if (nilas_str_is(key, "column_size_bytes")) {
        out->size_bytes = number_of(value);
    } else if (nilas_str_is(key, "num_values")) {
        out->value_count = number_of(value);
    } else if (nilas_str_is(key, "null_count")) {
        out->null_count = number_of(value);
    } else if (nilas_str_is(key, "has_nan")) {
        out->has_nan_flag = true;
        out->has_nan = !nilas_str_is(value, "false");
    } else if (nilas_str_is(key, "min")) {
        NILAS_TRY(nilas_str_copy(w->stmt, value, &out->lower, err));
    } else if (nilas_str_is(key, "max")) {
        NILAS_TRY(nilas_str_copy(w->stmt, value, &out->upper, err));
    }
    return NILAS_OK;
}

/** The MAP(VARCHAR, MAP(VARCHAR, VARCHAR)) of one file. */
static nilas_code read_stats(const nilas_writer *w, duckdb_vector vector, idx_t row,
                             nilas_column_stats *stats, nilas_error *err) {
    const duckdb_list_entry *columns = duckdb_vector_get_data(vector);
    duckdb_vector entry = duckdb_list_vector_get_child(vector);
    const void *names = duckdb_vector_get_data(duckdb_struct_vector_get_child(entry, 0));
    duckdb_vector inner = duckdb_struct_vector_get_child(entry, 1);
    const duckdb_list_entry *facts = duckdb_vector_get_data(inner);
    duckdb_vector fact = duckdb_list_vector_get_child(inner);
    const void *keys = duckdb_vector_get_data(duckdb_struct_vector_get_child(fact, 0));
    const void *values = duckdb_vector_get_data(duckdb_struct_vector_get_child(fact, 1));

    for (size_t i = 0; i < w->leaves.count; i++) {
        stats[i] = (nilas_column_stats){
            .size_bytes = -1, .value_count = -1, .null_count = -1, .nan_count = -1};
    }
    for (idx_t c = 0; c < columns[row].length; c++) {
        idx_t at = columns[row].offset + c;
        const nilas_write_leaf *leaf =
            nilas_map_find(&w->leaf_by_path, nilas_engine__string_at(names, at));
        for (idx_t f = 0; leaf != NULL && f < facts[at].length; f++) {
            idx_t place = facts[at].offset + f;
            NILAS_TRY(take_stat(w, nilas_engine__string_at(keys, place),
                                nilas_engine__string_at(values, place),
                                &stats[leaf - w->leaves.items], err));
        }
    }
    return NILAS_OK;
}

static nilas_code read_files(const nilas_writer *w, duckdb_data_chunk chunk,
                             nilas_copied_files *out, nilas_error *err) {
    const void *paths = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
    const uint64_t *counts = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 1));
    const uint64_t *sizes = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 2));

    for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); row++) {
        nilas_copied_file file = {.count = (int64_t)counts[row], .size_bytes = (int64_t)sizes[row]};
        NILAS_TRY(nilas_str_copy(w->stmt, nilas_engine__string_at(paths, row), &file.path, err));
        NILAS_NEW_ARRAY(w->stmt, &file.stats, w->leaves.count, err);
        NILAS_TRY(read_stats(w, duckdb_data_chunk_get_vector(chunk, 4), row, file.stats, err));
        NILAS_PUSH(w->stmt, out, file, err);
    }
    return NILAS_OK;
}

static nilas_code run_copy(const nilas_writer *w, nilas_str sql, nilas_copied_files *out,
                           nilas_error *err) {
    NILAS_AUTO_QUERY_RUN run = {0};

    NILAS_TRY(nilas_job__start(w->job, sql, &run, err));
    while (true) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(w->job, &run, &chunk, err));
        if (chunk == NULL) {
            return NILAS_OK;
        }
        NILAS_TRY(read_files(w, chunk, out, err));
    }
}

/* ---- what COPY does not tell ---- */

/** One row of BIGINTs, the columns of a query. */
static nilas_code query_numbers(const nilas_writer *w, nilas_str sql, int64_t *out, size_t count,
                                nilas_error *err) {
    NILAS_AUTO_QUERY_RUN run = {0};
    NILAS_AUTO_CHUNK chunk = NULL;

    NILAS_TRY(nilas_job__start(w->job, sql, &run, err));
    NILAS_TRY(nilas_job__fetch(w->job, &run, &chunk, err));
    NILAS_REQUIRE(chunk != NULL && duckdb_data_chunk_get_column_count(chunk) == count, err,
                  NILAS_ENGINE, "a query about a new file gave no answer");
    for (size_t i = 0; i < count; i++) {
        out[i] = ((int64_t *)duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, i)))[0];
    }
    return NILAS_OK;
}

static bool must_count_nans(const nilas_write_leaf *leaf, const nilas_column_stats *stats) {
    return stats->has_nan_flag && stats->has_nan && !leaf->is_repeated &&
           leaf->mode.kind != NILAS_METRICS_NONE;
}

static nilas_code count_nans(const nilas_writer *w, nilas_copied_file *file, nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    size_t count = 0;
    int64_t *numbers;
    nilas_str text;

    nilas_buf_add_text(&sql, "SELECT ");
    for (size_t i = 0; i < w->leaves.count; i++) {
        const nilas_write_leaf *leaf = &w->leaves.items[i];
        if (file->stats[i].has_nan_flag && !file->stats[i].has_nan) {
            file->stats[i].nan_count = 0;
        } else if (must_count_nans(leaf, &file->stats[i])) {
            nilas_buf_print(&sql, "%scount(*) FILTER (WHERE isnan(%.*s))", count > 0 ? ", " : "",
                            NILAS_FMT(leaf->path));
            count++;
        }
    }
    if (count == 0) {
        return NILAS_OK;
    }
    nilas_buf_add_text(&sql, " FROM read_parquet(");
    nilas_render__path(&sql, file->path);
    nilas_buf_add_text(&sql, ", hive_partitioning = false)");
    NILAS_TRY(nilas_buf_finish(&sql, w->stmt, &text, err));
    NILAS_NEW_ARRAY(w->stmt, &numbers, count, err);
    NILAS_TRY(query_numbers(w, text, numbers, count, err));
    for (size_t i = 0; i < w->leaves.count; i++) {
        if (must_count_nans(&w->leaves.items[i], &file->stats[i])) {
            file->stats[i].nan_count = *numbers++;
        }
    }
    return NILAS_OK;
}

/** Where row groups begin: known without looking when there is only one. */
static nilas_code find_split_offsets(const nilas_writer *w, const nilas_copied_file *file,
                                     nilas_data_file *entry, nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    NILAS_AUTO_QUERY_RUN run = {0};
    NILAS_ARRAY_OF(int64_t) list = {0};
    NILAS_AUTO_CHUNK chunk = NULL;
    nilas_str text;

    entry->has_split_offsets = true;
    nilas_buf_add_text(&sql, "SELECT CAST(least(coalesce(dictionary_page_offset, "
                             "data_page_offset), data_page_offset) AS BIGINT) FROM "
                             "parquet_metadata(");
    nilas_render__path(&sql, file->path);
    nilas_buf_add_text(&sql, ") WHERE column_id = 0 ORDER BY row_group_id");
    NILAS_TRY(nilas_buf_finish(&sql, w->stmt, &text, err));
    if (file->count <= w->format.row_group_rows) {
        NILAS_PUSH(w->stmt, &list, FIRST_ROW_GROUP_OFFSET, err);
    } else {
        NILAS_TRY(nilas_job__start(w->job, text, &run, err));
        NILAS_TRY(nilas_job__fetch(w->job, &run, &chunk, err));
    }
    while (chunk != NULL) {
        const int64_t *offsets = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
        for (idx_t i = 0; i < duckdb_data_chunk_get_size(chunk); i++) {
            NILAS_PUSH(w->stmt, &list, offsets[i], err);
        }
        duckdb_destroy_data_chunk(&chunk);
        NILAS_TRY(nilas_job__fetch(w->job, &run, &chunk, err));
    }
    entry->split_offsets = list.items;
    entry->split_offset_count = list.count;
    return NILAS_OK;
}

/* ---- entry ---- */

/** The file's location: of several, the last part is DuckDB's number of it. */
static nilas_code locate(const nilas_writer *w, const nilas_copied_file *file, nilas_str location,
                         const nilas_str *directory, nilas_str *out, nilas_error *err) {
    size_t name = file->path.size;

    if (directory == NULL) {
        *out = location;
        return NILAS_OK;
    }
    while (name > 0 && file->path.data[name - 1] != '/') {
        name--;
    }
    return nilas_io_join(w->stmt, *directory, nilas_str_slice(file->path, name, file->path.size),
                         out, err);
}

nilas_code nilas_write__add_parquet(nilas_writer *w, nilas_copied_file *file,
                                    const nilas_value *partition, nilas_str location,
                                    nilas_error *err) {
    nilas_data_file entry = nilas_write__new_entry(w, partition, location);

    entry.record_count = file->count;
    entry.file_size_in_bytes = file->size_bytes;
    NILAS_TRY(count_nans(w, file, err));
    NILAS_TRY(find_split_offsets(w, file, &entry, err));
    NILAS_TRY(nilas_write__fill_metrics(w, file->stats, &entry, err));
    NILAS_PUSH(w->stmt, &w->files, entry, err);
    return NILAS_OK;
}

nilas_code nilas_write__parquet(nilas_writer *w, const nilas_write_rows *rows,
                                const nilas_value *partition, nilas_str location,
                                const nilas_str *directory, nilas_error *err) {
    nilas_copied_files files = {0};
    nilas_str target, sql, name = {0};

    NILAS_TRY(
        nilas_io_local_path(w->stmt, directory != NULL ? *directory : location, &target, err));
    if (directory != NULL) {
        name = nilas_str_slice(location, directory->size + 1, location.size);
    }
    NILAS_TRY(print_copy(w, rows, target, directory != NULL ? &name : NULL, &sql, err));
    NILAS_TRY(run_copy(w, sql, &files, err));
    for (size_t i = 0; i < files.count; i++) {
        nilas_str own;
        NILAS_TRY(locate(w, &files.items[i], location, directory, &own, err));
        if (files.items[i].count > 0) {
            NILAS_TRY(nilas_write__add_parquet(w, &files.items[i], partition, own, err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_write__parquet_partitions(nilas_writer *w, const nilas_write_rows *rows,
                                           nilas_str directory, nilas_copied_files *out,
                                           nilas_error *err) {
    nilas_str target, sql;

    NILAS_TRY(nilas_io_local_path(w->stmt, directory, &target, err));
    NILAS_TRY(print_partition_copy(w, rows, target, &sql, err));
    return run_copy(w, sql, out, err);
}
