/*
 * Position deletes: Parquet delete files through DuckDB, Avro ones through our reader, deletion
 * vectors from their Puffin files; all become one set of deleted rows per data file before the
 * query starts.
 */
#include "engine/scan_functions.h"
#include "engine/scan_source.h"

#include <pthread.h>
#include <stdlib.h>

/* More deleted than one row in so many: a bit per row is as small as the bitmap, and faster. */
#define DENSE_FACTOR 64

/** A data file with position deletes. */
typedef struct deleted_file deleted_file;
struct deleted_file {
    const nilas_scan_task *task;
    nilas_deleted_rows *rows;
    deleted_file *next; // of the same path: a file that is listed twice is read twice
    bool is_wrong;      // a position beyond the record count
};

typedef NILAS_ARRAY_OF(const nilas_delete_file *) delete_files;

typedef struct delete_loader {
    nilas_scan_source *s;
    int32_t number;       // in the registry
    pthread_mutex_t lock; // of the bitmaps, while DuckDB's threads fill them
    nilas_code failed;
    nilas_error failure;
    nilas_map by_path; // file path as spelled, and its local form -> deleted_file
    NILAS_ARRAY_OF(deleted_file *) files;
    delete_files avro, of_one_file,
        of_many;                 // of_…: Parquet, by whether the manifest names the one data file
    const delete_files *reading; // what file_index counts in
} delete_loader;

void nilas_deleted_rows__done(nilas_deleted_rows *rows) {
    nilas_bitmap_free(rows->bitmap);
    free(rows->bits);
    *rows = (nilas_deleted_rows){0};
}

/** Release callback of a group's array. */
static void free_deleted(void *context) {
    nilas_scan_group *group = context;
    for (size_t i = 0; i < group->tasks.count; i++) {
        nilas_deleted_rows__done(&group->deleted[i]);
    }
}

/* ---- which data files, which delete files ---- */

static nilas_code add_file(delete_loader *l, const nilas_scan_task *task, nilas_deleted_rows *rows,
                           nilas_error *err) {
    deleted_file *file;
    NILAS_NEW(l->s->stmt, &file, err);
    *file = (deleted_file){
        .task = task, .rows = rows, .next = nilas_map_find(&l->by_path, task->file.file_path)};
    NILAS_TRY(nilas_bitmap_new(&rows->bitmap, err));
    NILAS_PUSH(l->s->stmt, &l->files, file, err);
    NILAS_TRY(nilas_map_put(&l->by_path, task->file.file_path, file, err));
    nilas_str local;
    if (nilas_io_local_path(l->s->stmt, task->file.file_path, &local, NULL) == NILAS_OK &&
        !nilas_str_equal(local, task->file.file_path)) {
        NILAS_TRY(
            nilas_map_put(&l->by_path, local, file, err)); // writers spell one path in several ways
    }
    return NILAS_OK;
}

static nilas_code collect_files(delete_loader *l, nilas_error *err) {
    for (size_t g = 0; g < l->s->groups.count; g++) {
        nilas_scan_group *group = l->s->groups.items[g];
        if (!group->has_position_deletes) {
            continue;
        }
        NILAS_NEW_ARRAY(l->s->stmt, &group->deleted, group->tasks.count, err);
        NILAS_TRY(nilas_arena_on_release(l->s->stmt, free_deleted, group, err));
        for (size_t i = 0; i < group->tasks.count; i++) {
            const nilas_scan_task *task = group->tasks.items[i];
            bool any = false;
            for (size_t d = 0; d < task->delete_count; d++) {
                any = any || task->deletes[d]->file.content == NILAS_FILE_POSITION_DELETES;
            }
            if (any) {
                NILAS_TRY(add_file(l, task, &group->deleted[i], err));
            }
        }
    }
    return NILAS_OK;
}

static bool applies_to(const nilas_delete_file *delete_file, const nilas_scan_task *task) {
    for (size_t i = 0; i < task->delete_count; i++) {
        if (task->deletes[i] == delete_file) {
            return true;
        }
    }
    return false;
}

static nilas_code load_vector(delete_loader *l, const nilas_delete_file *delete_file,
                              nilas_error *err) {
    NILAS_AUTO(nilas_bitmap) positions = NULL;
    NILAS_TRY(nilas_scan_load_deletion_vector(l->s->table, delete_file, &positions, err));
    for (size_t i = 0; i < l->files.count; i++) {
        if (applies_to(delete_file, l->files.items[i]->task)) {
            NILAS_TRY(nilas_bitmap_merge(l->files.items[i]->rows->bitmap, positions, err));
        }
    }
    return NILAS_OK;
}

static nilas_code sort_delete_file(delete_loader *l, const nilas_delete_file *delete_file,
                                   nilas_error *err) {
    const nilas_data_file *file = &delete_file->file;
    NILAS_REQUIRE(file->key_metadata.data == NULL, err, NILAS_UNSUPPORTED,
                  "delete file \"%.*s\" is encrypted", NILAS_FMT(file->file_path));
    if (nilas_str_is(file->file_format, "PUFFIN")) {
        return load_vector(l, delete_file, err);
    }
    if (nilas_str_is(file->file_format, "PARQUET")) {
        delete_files *list = file->referenced_data_file.size > 0 ? &l->of_one_file : &l->of_many;
        NILAS_PUSH(l->s->stmt, list, delete_file, err);
        return NILAS_OK;
    }
    NILAS_REQUIRE(nilas_str_is(file->file_format, "AVRO"), err, NILAS_UNSUPPORTED,
                  "reading %.*s delete files is not supported: \"%.*s\"",
                  NILAS_FMT(file->file_format), NILAS_FMT(file->file_path));
    NILAS_PUSH(l->s->stmt, &l->avro, delete_file, err);
    return NILAS_OK;
}

/* ---- rows of delete files ---- */

static deleted_file *find_file(delete_loader *l, nilas_str path) {
    deleted_file *file = nilas_map_find(&l->by_path, path);
    if (file == NULL) {
        nilas_str local;
        NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
        if (scratch != NULL && nilas_io_local_path(scratch, path, &local, NULL) == NILAS_OK) {
            file = nilas_map_find(&l->by_path, local);
        }
    }
    return file;
}

/** Rows [from, to) of a chunk: one delete file, one path. */
static nilas_code add_run(delete_loader *l, const nilas_delete_file *delete_file, nilas_str path,
                          const int64_t *positions, size_t count, nilas_error *err) {
    for (deleted_file *file = find_file(l, path); file != NULL; file = file->next) {
        if (applies_to(delete_file, file->task)) {
            NILAS_TRY(nilas_bitmap_add_many(file->rows->bitmap, positions, count, err));
        }
    }
    return NILAS_OK;
}

/** Paths repeat, mostly as pointers into one dictionary entry. */
static bool same_path(nilas_str a, nilas_str b) {
    return a.size == b.size && (a.data == b.data || memcmp(a.data, b.data, a.size) == 0);
}

static nilas_code add_chunk(delete_loader *l, duckdb_data_chunk chunk, nilas_error *err) {
    const void *paths = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 1));
    const int64_t *positions = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 2));
    const uint64_t *files = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 3));
    idx_t count = duckdb_data_chunk_get_size(chunk);
    for (idx_t from = 0; from < count;) {
        nilas_str path = nilas_engine__string_at(paths, from);
        idx_t to = from + 1;
        while (to < count && files[to] == files[from] &&
               same_path(nilas_engine__string_at(paths, to), path)) {
            to++;
        }
        nilas_assert(files[from] < l->reading->count);
        const nilas_delete_file *file = l->reading->items[files[from]];
        path = path.size > 0 ? path : file->file.referenced_data_file;
        NILAS_TRY(add_run(l, file, path, positions + from, to - from, err));
        from = to;
    }
    return NILAS_OK;
}

/** nilas_add_deletes(loader, file_path, pos, file_index) -> false: takes rows of delete files where
 *  DuckDB reads them, so that their paths are never copied into a result. */
static void run_add_deletes(duckdb_function_info info, duckdb_data_chunk input,
                            duckdb_vector output) {
    delete_loader *l =
        nilas_registry__called(info, input, NILAS_REGISTRY_DELETES, "a scan is no longer open");
    if (l == NULL) {
        return;
    }
    memset(duckdb_vector_get_data(output), 0, duckdb_data_chunk_get_size(input));
    pthread_mutex_lock(&l->lock);
    if (l->failed == NILAS_OK) {
        l->failed = add_chunk(l, input, &l->failure);
    }
    nilas_code code = l->failed;
    pthread_mutex_unlock(&l->lock);
    if (code != NILAS_OK) {
        duckdb_scalar_function_set_error(info, l->failure.message);
    }
}

nilas_code nilas_engine__register_deletes(duckdb_connection connection, nilas_registry *registry,
                                          nilas_error *err) {
    static const nilas_registry_function function = {
        .name = "nilas_add_deletes",
        .run = run_add_deletes,
        .parameters = {DUCKDB_TYPE_INTEGER, DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_BIGINT,
                       DUCKDB_TYPE_UBIGINT},
        .result = DUCKDB_TYPE_BOOLEAN,
        .is_volatile = true,
    };
    return nilas_registry__register(connection, registry, &function, err);
}

/** Paths are read only when they are not known: copying them is most of the work. */
static nilas_code print_delete_query(delete_loader *l, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    bool with_paths = l->reading == &l->of_many;
    nilas_str *locations;
    NILAS_NEW_ARRAY(l->s->stmt, &locations, l->reading->count, err);
    for (size_t i = 0; i < l->reading->count; i++) {
        locations[i] = l->reading->items[i]->file.file_path;
    }
    nilas_buf_print(
        &sql,
        "SELECT count(*) FROM (SELECT %s AS f, CAST(pos AS BIGINT) AS p, file_index AS i FROM ",
        with_paths ? "file_path" : "''");
    NILAS_TRY(nilas_source__print_read_parquet(l->s->stmt, &sql, locations, l->reading->count, NULL,
                                               err));
    nilas_buf_print(&sql, " WHERE pos IS NOT NULL%s) WHERE nilas_add_deletes(%d, f, p, i)",
                    with_paths ? " AND file_path IS NOT NULL" : "", l->number);
    return nilas_buf_finish(&sql, l->s->stmt, out, err);
}

static nilas_code run_delete_query(delete_loader *l, nilas_error *err) {
    nilas_str sql;
    NILAS_AUTO_QUERY_RUN run = {0};
    NILAS_AUTO_CHUNK chunk = NULL;
    NILAS_TRY(print_delete_query(l, &sql, err));
    NILAS_TRY(nilas_job__start(l->s->r->job, sql, &run, err));
    return nilas_job__fetch(l->s->r->job, &run, &chunk, err);
}

static nilas_code load_parquet(delete_loader *l, const delete_files *files, nilas_error *err) {
    if (files->count == 0) {
        return NILAS_OK;
    }
    nilas_registry *registry = l->s->r->job->engine->registry;
    l->reading = files;
    NILAS_TRY(nilas_registry__add(registry, NILAS_REGISTRY_DELETES, l, &l->number, err));
    nilas_code code = run_delete_query(l, err);
    nilas_registry__remove(registry, l->number);
    if (l->failed != NILAS_OK && err != NULL) {
        *err = l->failure;
    }
    return l->failed != NILAS_OK ? l->failed : code;
}

static nilas_code load_avro(delete_loader *l, const nilas_delete_file *delete_file,
                            nilas_error *err) {
    const nilas_ice_field fields[2] = {
        {.id = NILAS_FIELD_DELETE_FILE_PATH,
         .required = true,
         .name = NILAS_STR("file_path"),
         .type = nilas_ice_primitive(NILAS_ICE_STRING)},
        {.id = NILAS_FIELD_DELETE_FILE_POS,
         .required = true,
         .name = NILAS_STR("pos"),
         .type = nilas_ice_primitive(NILAS_ICE_LONG)},
    };
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(arena != NULL && scratch != NULL, err, NILAS_NOMEM, "out of memory");
    nilas_rows *rows = NULL;
    NILAS_TRY(nilas_scan_avro_rows(arena, l->s->table, delete_file->file.file_path, fields, 2,
                                   &rows, err));
    nilas_code code = NILAS_OK;
    const nilas_value *row = NULL;
    do {
        nilas_arena_reset(scratch);
        code = rows->next(rows, scratch, &row, err);
        if (code == NILAS_OK && row != NULL && row->items[0].kind == NILAS_VALUE_STRING &&
            row->items[1].kind == NILAS_VALUE_INT) {
            code = add_run(l, delete_file, row->items[0].text, &row->items[1].integer, 1, err);
        }
    } while (code == NILAS_OK && row != NULL);
    if (rows->close != NULL) {
        rows->close(rows);
    }
    return code;
}

/* ---- the form that the scan looks into ---- */

static bool set_bit(void *context, uint64_t position) {
    deleted_file *file = context;
    if (position >= file->rows->bit_count) {
        file->is_wrong = true;
        return false;
    }
    file->rows->bits[position >> 3] |= (uint8_t)(1u << (position & 7));
    return true;
}

static nilas_code make_dense(deleted_file *file, nilas_error *err) {
    nilas_deleted_rows *rows = file->rows;
    uint64_t count = nilas_bitmap_count(rows->bitmap);
    int64_t row_count = file->task->file.record_count;
    if (count == 0 || row_count <= 0 || count < (uint64_t)row_count / DENSE_FACTOR) {
        return NILAS_OK;
    }
    rows->bits = calloc(1, (size_t)row_count / 8 + 1);
    NILAS_REQUIRE(rows->bits != NULL, err, NILAS_NOMEM, "out of memory");
    rows->bit_count = (uint64_t)row_count;
    nilas_bitmap_each(rows->bitmap, set_bit, file);
    if (file->is_wrong) { // the manifest's record count is too small: trust the positions
        free(rows->bits);
        rows->bits = NULL;
    } else {
        nilas_bitmap_free(rows->bitmap);
        rows->bitmap = NULL;
    }
    return NILAS_OK;
}

nilas_code nilas_source__load_deletes(nilas_scan_source *s, nilas_error *err) {
    delete_loader l = {.s = s, .lock = PTHREAD_MUTEX_INITIALIZER};
    nilas_map_init(&l.by_path, s->stmt, false);
    NILAS_TRY(collect_files(&l, err));
    if (l.files.count == 0 || s->r->dry) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < s->files->delete_count; i++) {
        if (s->files->deletes[i].file.content == NILAS_FILE_POSITION_DELETES) {
            NILAS_TRY(sort_delete_file(&l, &s->files->deletes[i], err));
        }
    }
    NILAS_TRY(load_parquet(&l, &l.of_one_file, err));
    NILAS_TRY(load_parquet(&l, &l.of_many, err));
    for (size_t i = 0; i < l.avro.count; i++) {
        NILAS_TRY(load_avro(&l, l.avro.items[i], err));
    }
    for (size_t i = 0; i < l.files.count; i++) {
        NILAS_TRY(make_dense(l.files.items[i], err));
    }
    return NILAS_OK;
}
