/*
 * Rows of any partitions in no order: DuckDB keeps a file open for each partition while the rows
 * stream, in a folder by itself; then each file is moved to its place.
 *
 * When there are more partitions than files may be open, nothing of this is kept, and the rows are
 * sorted instead (write_ranges.c).
 */
#include <sys/resource.h>

#include "engine/writer.h"

#define MOST_OPEN_FILES 1000
#define TOO_LARGE       1.8 // times the target size, as Iceberg's compaction sees it

/** Half of what the process may open is left to everything else. */
static size_t find_limit(void) {
    struct rlimit limit = {0};

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur / 2 > MOST_OPEN_FILES) {
        return MOST_OPEN_FILES;
    }
    return limit.rlim_cur > 4 ? (size_t)limit.rlim_cur / 2 : 2;
}

/* ---- the folder ---- */

static nilas_code begin_staging(nilas_writer *w, nilas_error *err) {
    nilas_str name;

    NILAS_TRY(nilas_str_print(w->stmt, &name, err, "nilas-%.*s", NILAS_FMT(w->uuid)));
    NILAS_TRY(nilas_commit_data_location(w->stmt, w->table->metadata, NULL, NULL, name, &w->staging,
                                         err));
    return nilas_io_make_directory(w->table->io, w->staging, err);
}

/** Best effort: its folders have files or nothing, and no folders. */
static void remove_folder(nilas_writer *w, nilas_str folder, int depth) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_entry *entries = NULL;
    size_t count = 0;

    if (scratch == NULL ||
        nilas_io_list(w->table->io, scratch, folder, &entries, &count, NULL) != NILAS_OK) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (entries[i].stat.is_directory && depth > 0) {
            remove_folder(w, entries[i].location, depth - 1);
        } else {
            nilas_code ignored = nilas_io_delete(w->table->io, entries[i].location, NULL);
            (void)ignored;
        }
    }
    nilas_code ignored = nilas_io_delete(w->table->io, folder, NULL);
    (void)ignored;
}

void nilas_write__remove_staging(nilas_writer *w) {
    if (w->staging.size > 0) {
        remove_folder(w, w->staging, 1);
        w->staging = NILAS_STR_EMPTY;
    }
}

/* ---- a file finds its place ---- */

/** The number in "…/nilas_partition=5/data_0.parquet"; -1: there is none. */
static int64_t find_number(nilas_str path) {
    static const char mark[] = "/" NILAS_PARTITION_NUMBER "=";
    int64_t number = -1;
    size_t end = path.size;

    while (end > 0 && path.data[end - 1] != '/') {
        end--;
    }
    size_t from = end > 0 ? end - 1 : 0;
    while (from > 0 && path.data[from - 1] != '=') {
        from--;
    }
    size_t start = from >= strlen(mark) ? from - strlen(mark) : 0;
    bool is_ours = nilas_str_starts(nilas_str_slice(path, start, path.size), nilas_str_of(mark));
    return is_ours && nilas_str_to_int64(nilas_str_slice(path, from, end - 1 - from), &number)
               ? number
               : -1;
}

/** A file that is much too large is read again, and cut. */
static nilas_code cut_file(nilas_writer *w, const nilas_copied_file *file,
                           const nilas_value *partition, nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    nilas_write_rows rows = {0};

    nilas_buf_add_text(&sql, "SELECT * FROM read_parquet(");
    nilas_render__path(&sql, file->path);
    nilas_buf_add_text(&sql, ", hive_partitioning = false)");
    NILAS_TRY(nilas_buf_finish(&sql, w->stmt, &rows.sql, err));
    NILAS_NEW_ARRAY(w->stmt, &rows.columns, w->columns.count, err);
    for (size_t i = 0; i < w->columns.count; i++) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(0);
        nilas_render__identifier(&name, w->columns.items[i].name);
        NILAS_TRY(nilas_buf_finish(&name, w->stmt, &rows.columns[i], err));
    }
    return nilas_write__stream(w, &rows, partition, err);
}

static nilas_code place_file(nilas_writer *w, nilas_copied_file *file, nilas_error *err) {
    int64_t number = find_number(file->path);
    nilas_str location;

    NILAS_REQUIRE(number >= 0 && (size_t)number < w->keys->tuples.count, err, NILAS_ENGINE,
                  "a file of no partition was written: %.*s", NILAS_FMT(file->path));
    const nilas_value *partition = &w->keys->tuples.items[number];
    if ((double)file->size_bytes > TOO_LARGE * (double)w->format.file_bytes) {
        return cut_file(w, file, partition, err);
    }
    NILAS_TRY(nilas_writer__next_location(w, partition, NILAS_STR_EMPTY, w->format.extension,
                                          &location, err));
    NILAS_TRY(nilas_io_make_directory(w->table->io, nilas_write__folder_of(location), err));
    NILAS_TRY(nilas_io_move_new(w->table->io, file->path, location, err));
    NILAS_TRY(nilas_io_local_path(w->stmt, location, &file->path, err));
    return nilas_write__add_parquet(w, file, partition, location, err);
}

/* ---- entry ---- */

static nilas_code copy_rows(nilas_writer *w, const nilas_write_rows *rows, size_t limit,
                            nilas_copied_files *files, nilas_error *err) {
    nilas_str text;

    NILAS_TRY(
        nilas_str_print(w->stmt, &text, err, "SET partitioned_write_max_open_files = %zu", limit));
    NILAS_TRY(nilas_write__execute(w->job, text, err));
    return nilas_write__parquet_partitions(w, rows, w->staging, files, err);
}

nilas_code nilas_write__partitioned(nilas_writer *w, const nilas_write_rows *rows, bool *out_done,
                                    nilas_error *err) {
    nilas_copied_files files = {0};
    nilas_error own = NILAS_ERROR_INIT;

    w->keys->limit = find_limit();
    NILAS_TRY(begin_staging(w, err));
    nilas_code code = copy_rows(w, rows, w->keys->limit, &files, &own);
    w->keys->limit = 0;
    *out_done = code == NILAS_OK;
    if (code != NILAS_OK && w->keys->is_full) {
        nilas_write__remove_staging(w);
        return NILAS_OK;
    }
    if (code != NILAS_OK) {
        *err = own;
        return code;
    }
    for (size_t i = 0; i < files.count; i++) {
        NILAS_TRY(place_file(w, &files.items[i], err));
    }
    nilas_write__remove_staging(w);
    return NILAS_OK;
}
