/** A directory of its own for a test, a writable catalog over it, and tables of (id, category). */
#ifndef NILAS_TEST_UNIT_COMMIT_PLACE_H
#define NILAS_TEST_UNIT_COMMIT_PLACE_H

#include <ftw.h>
#include <unistd.h>

#include "commit/commit.h"
#include "test.h"

typedef struct place {
    char root[64];
    bool sqlite;
    bool partitioned;     // by identity(category)
    bool files_are_there; // make_file() need not write them
    const char *version;  // of the format
    nilas_arena *arena;
    nilas_io *io;
    nilas_catalog *catalog;
    nilas_error err;
} place;

__attribute__((unused)) static const nilas_str TABLE[] = {{.data = "db", .size = 2},
                                                          {.data = "t", .size = 1}};

__attribute__((unused)) static void open_catalog(place *at) {
    char warehouse[128], uri[160];
    nilas_property properties[3];

    snprintf(warehouse, sizeof(warehouse), "%s/wh", at->root);
    snprintf(uri, sizeof(uri), "jdbc:sqlite:%s/catalog.db", at->root);
    properties[0] =
        (nilas_property){NILAS_STR("type"), at->sqlite ? NILAS_STR("jdbc") : NILAS_STR("hadoop")};
    properties[1] = (nilas_property){NILAS_STR("warehouse"), nilas_str_of(warehouse)};
    properties[2] = (nilas_property){NILAS_STR("uri"), nilas_str_of(uri)};
    nilas_catalog_options options = {.name = NILAS_STR("c"),
                                     .implementation =
                                         NILAS_STR("org.apache.iceberg.spark.SparkCatalog"),
                                     .properties = properties,
                                     .property_count = 3,
                                     .io = at->io};
    CHECK_OK(nilas_catalog_open(&options, &at->catalog, &at->err), at->err);
}

__attribute__((unused)) static void make_place(place *at, bool sqlite) {
    *at = (place){.sqlite = sqlite, .version = "2", .err = NILAS_ERROR_INIT};
    // In memory where there is such a place: hundreds of small commits are synced.
    snprintf(at->root, sizeof(at->root), "%s/nilas-commit-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    CHECK(mkdtemp(at->root) != NULL);
    at->arena = nilas_arena_new(NULL, 0);
    CHECK_OK(nilas_io_new(&at->io, &at->err), at->err);
    open_catalog(at);
}

__attribute__((unused)) static int remove_entry(const char *path, const struct stat *status,
                                                int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

__attribute__((unused)) static void place_done(place *at) {
    nilas_catalog_free(at->catalog);
    nilas_io_free(at->io);
    nilas_arena_free(at->arena);
    if (getenv("NILAS_KEEP") == NULL) {
        (void)nftw(at->root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    } else {
        printf("kept %s\n", at->root);
    }
}

/** db.t (id bigint, category string) with further properties. */
__attribute__((unused)) static nilas_code create_table(place *at, const nilas_property *more,
                                                       size_t more_count) {
    static nilas_ice_field fields[2];
    static nilas_partition_field by;
    nilas_property properties[8] = {{NILAS_STR("format-version"), nilas_str_of(at->version)}};

    fields[0] = (nilas_ice_field){
        .id = 1, .name = NILAS_STR("id"), .type = nilas_ice_primitive(NILAS_ICE_LONG)};
    fields[1] = (nilas_ice_field){
        .id = 2, .name = NILAS_STR("category"), .type = nilas_ice_primitive(NILAS_ICE_STRING)};
    by = (nilas_partition_field){
        .source_id = 2,
        .name = NILAS_STR("category"),
        .transform = {.kind = NILAS_TRANSFORM_IDENTITY, .text = NILAS_STR("identity")}};
    nilas_schema schema = {.type = {.kind = NILAS_ICE_STRUCT, .fields = fields, .field_count = 2}};
    nilas_partition_spec spec = {.fields = &by, .field_count = at->partitioned ? 1 : 0};
    for (size_t i = 0; i < more_count; i++) {
        properties[i + 1] = more[i];
    }
    nilas_create_options options = {.catalog = at->catalog,
                                    .identifier = TABLE,
                                    .identifier_count = 2,
                                    .schema = &schema,
                                    .spec = &spec,
                                    .properties = properties,
                                    .property_count = more_count + 1};
    return nilas_commit_create(&options, NULL, &at->err);
}

__attribute__((unused)) static void need_table(place *at) {
    nilas_str db = NILAS_STR("db");

    CHECK_OK(nilas_catalog_create_namespace(at->catalog, &db, 1, NULL, 0, &at->err), at->err);
    CHECK_OK(create_table(at, NULL, 0), at->err);
}

__attribute__((unused)) static nilas_table *load(place *at) {
    nilas_table *table = NULL;

    CHECK_OK(nilas_catalog_load_table(at->catalog, TABLE, 2, &table, &at->err), at->err);
    return table;
}

/** A file that is there, `rows` rows with ids from `low` upwards, in a category. */
__attribute__((unused)) static nilas_data_file make_file(place *at, const char *name, int64_t rows,
                                                         int64_t low, const char *category) {
    nilas_data_file file = {.content = NILAS_FILE_DATA,
                            .file_format = NILAS_STR("PARQUET"),
                            .record_count = rows,
                            .file_size_in_bytes = 100,
                            .sort_order_id = -1,
                            .first_row_id = -1,
                            .content_offset = -1,
                            .content_size_in_bytes = -1};
    nilas_value id = nilas_value_of_int(low);
    nilas_str bytes;

    CHECK_OK(
        nilas_str_print(at->arena, &file.file_path, &at->err, "%s/data/%s.parquet", at->root, name),
        at->err);
    if (!at->files_are_there) {
        CHECK_OK(nilas_io_write(at->io, file.file_path, nilas_str_of(name), true, &at->err),
                 at->err);
    }
    if (at->partitioned) {
        file.partition = (nilas_value){.kind = NILAS_VALUE_STRUCT, .count = 1};
        file.partition.items = calloc(1, sizeof(nilas_value)); // small, and tests are short
        file.partition.items[0] =
            category != NULL ? nilas_value_of_str(nilas_str_of(category)) : NILAS_NULL_VALUE;
        CHECK_OK(nilas_value_copy(at->arena, &file.partition, &id, &at->err), at->err);
        free(file.partition.items);
        file.partition = id;
    }
    file.has_lower_bounds = file.has_upper_bounds = file.has_value_counts = true;
    file.has_null_value_counts = true;
    CHECK_OK(nilas_arena_alloc(at->arena, 2 * sizeof(nilas_bound), (void **)&file.lower_bounds,
                               &at->err),
             at->err);
    file.upper_bounds = file.lower_bounds + 1;
    CHECK_OK(nilas_arena_alloc(at->arena, 2 * sizeof(nilas_int_count), (void **)&file.value_counts,
                               &at->err),
             at->err);
    file.null_value_counts = file.value_counts + 1;
    file.lower_bound_count = file.upper_bound_count = 1;
    file.value_count_count = file.null_value_count_count = 1;
    file.value_counts[0] = (nilas_int_count){.field_id = 1, .count = rows};
    file.null_value_counts[0] = (nilas_int_count){.field_id = 1, .count = 0};
    id = nilas_value_of_int(low);
    CHECK_OK(nilas_ice_value_encode(at->arena, nilas_ice_primitive(NILAS_ICE_LONG), &id, &bytes,
                                    &at->err),
             at->err);
    file.lower_bounds[0] = (nilas_bound){.field_id = 1, .bytes = bytes};
    id = nilas_value_of_int(low + rows - 1);
    CHECK_OK(nilas_ice_value_encode(at->arena, nilas_ice_primitive(NILAS_ICE_LONG), &id, &bytes,
                                    &at->err),
             at->err);
    file.upper_bounds[0] = (nilas_bound){.field_id = 1, .bytes = bytes};
    return file;
}

/** A position delete file about one data file; `vector` a deletion vector. */
__attribute__((unused)) static nilas_data_file
make_deletes(place *at, const char *name, const nilas_data_file *data, bool vector) {
    nilas_data_file file = make_file(at, name, 1, 0, "x");

    file.content = NILAS_FILE_POSITION_DELETES;
    file.partition = data->partition;
    file.referenced_data_file = data->file_path;
    file.has_lower_bounds = file.has_upper_bounds = file.has_value_counts = false;
    file.has_null_value_counts = false;
    if (vector) {
        file.file_format = NILAS_STR("PUFFIN");
        file.content_offset = 4;
        file.content_size_in_bytes = 40;
    }
    return file;
}

__attribute__((unused)) static nilas_code apply_snapshot(void *context, nilas_update *update,
                                                         nilas_error *err) {
    return nilas_update_snapshot(update, context, NULL, err);
}

/** Commit one snapshot to db.t. */
__attribute__((unused)) static nilas_code commit_change(place *at,
                                                        const nilas_snapshot_change *change) {
    nilas_commit_options options = {.catalog = at->catalog,
                                    .identifier = TABLE,
                                    .identifier_count = 2,
                                    .apply = apply_snapshot,
                                    .context = (void *)change};
    return nilas_commit(&options, NULL, &at->err);
}

__attribute__((unused)) static nilas_code append(place *at, const nilas_data_file *file) {
    nilas_snapshot_change change = {
        .added = file, .added_count = 1, .append_manifests_merge = true};
    return commit_change(at, &change);
}

/** The live data files of a snapshot (NULL: the current one) as "name:sequence" joined by blanks,
 * with "+n" for n deletes; "!" when a file is gone. */
__attribute__((unused)) static const char *live(place *at, const nilas_table *table,
                                                const nilas_snapshot *snapshot) {
    nilas_buf text = NILAS_BUF_INIT(0);
    nilas_scan_plan *plan;
    nilas_str out = NILAS_STR_EMPTY;
    nilas_scan_options options = {
        .snapshot = snapshot != NULL ? snapshot : nilas_metadata_current_snapshot(table->metadata),
        .schema = nilas_metadata_current_schema(table->metadata),
        .worker_count = 1};

    if (nilas_scan_plan_new(at->arena, table, &options, &plan, &at->err) != NILAS_OK) {
        return at->err.message;
    }
    for (size_t i = 0; i < plan->task_count; i++) {
        const nilas_scan_task *task = &plan->tasks[i];
        nilas_str path = task->file.file_path;
        bool there = false;
        size_t slash = path.size;
        while (slash > 0 && path.data[slash - 1] != '/') {
            slash--;
        }
        (void)nilas_io_exists(at->io, path, &there, NULL);
        nilas_buf_print(&text, "%s%s%.*s:%lld", i > 0 ? " " : "", there ? "" : "!",
                        (int)(path.size - slash - strlen(".parquet")), path.data + slash,
                        (long long)task->sequence_number);
        if (task->delete_count > 0) {
            nilas_buf_print(&text, "+%zu", task->delete_count);
        }
    }
    CHECK_OK(nilas_buf_finish(&text, at->arena, &out, &at->err), at->err);
    nilas_buf_done(&text);
    return out.data;
}

/** live() of the newest version. */
__attribute__((unused)) static const char *live_now(place *at) {
    nilas_table *table = load(at);
    const char *found = table != NULL ? live(at, table, NULL) : at->err.message;
    nilas_table_unref(table);
    return found;
}

/** A value of the current snapshot's summary; "" when absent. */
__attribute__((unused)) static const char *summary_of(place *at, const char *key) {
    nilas_table *table = load(at);
    const nilas_snapshot *snapshot = nilas_metadata_current_snapshot(table->metadata);
    nilas_str found = NILAS_STR_EMPTY;

    for (size_t i = 0; i < snapshot->summary_count; i++) {
        if (nilas_str_is(snapshot->summary[i].key, key)) {
            found = snapshot->summary[i].value;
        }
    }
    if (strcmp(key, "operation") == 0) {
        found = snapshot->operation;
    }
    CHECK_OK(nilas_str_copy(at->arena, found, &found, &at->err), at->err);
    nilas_table_unref(table);
    return found.data;
}

#endif
