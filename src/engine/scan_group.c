/*
 * Tasks into groups that one reader reads alike: the same format, the same physical schema, and
 * equality deletes or none. Groups come in the order of their first task, so equal tasks give equal
 * SQL.
 */
#include "engine/scan_source.h"

#include <pthread.h>

/** Schemas met so far, by signature; filled by several threads. */
typedef struct schema_pool {
    nilas_scan_source *s;
    const nilas_scan_task *tasks;
    pthread_mutex_t lock;
    nilas_map by_signature;         // -> nilas_parquet_schema
    nilas_parquet_schema **of_task; // per task, NULL for Avro
} schema_pool;

static nilas_code check_task(const nilas_scan_task *task, nilas_error *err) {
    const nilas_data_file *file = &task->file;
    NILAS_REQUIRE(file->key_metadata.data == NULL, err, NILAS_UNSUPPORTED,
                  "data file \"%.*s\" is encrypted", NILAS_FMT(file->file_path));
    NILAS_REQUIRE(nilas_str_is(file->file_format, "PARQUET") ||
                      nilas_str_is(file->file_format, "AVRO"),
                  err, NILAS_UNSUPPORTED, "reading %.*s data files is not supported: \"%.*s\"",
                  NILAS_FMT(file->file_format), NILAS_FMT(file->file_path));
    return NILAS_OK;
}

/** The pool's copy of a schema. Called under the lock. */
static nilas_code intern_schema(schema_pool *pool, const nilas_parquet_schema *schema,
                                nilas_parquet_schema **out, nilas_error *err) {
    *out = nilas_map_find(&pool->by_signature, schema->signature);
    if (*out == NULL) {
        NILAS_NEW(pool->s->stmt, out, err);
        NILAS_TRY(nilas_parquet__copy_schema(pool->s->stmt, schema, *out, err));
        NILAS_TRY(nilas_map_put(&pool->by_signature, (*out)->signature, *out, err));
    }
    return NILAS_OK;
}

static nilas_code read_task_schema(void *context, size_t index, nilas_error *err) {
    schema_pool *pool = context;
    const nilas_data_file *file = &pool->tasks[index].file;
    if (nilas_cancelled(pool->s->r->job->engine->options.cancel)) {
        return nilas_fail(err, NILAS_CANCELLED, "the query was cancelled");
    }
    if (!nilas_str_is(file->file_format, "PARQUET")) {
        return NILAS_OK;
    }
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    nilas_parquet_schema schema;
    NILAS_TRY(nilas_parquet__read_schema(pool->s->table->io, scratch, file->file_path,
                                         file->file_size_in_bytes, &schema, err));
    pthread_mutex_lock(&pool->lock);
    nilas_code code = intern_schema(pool, &schema, &pool->of_task[index], err);
    pthread_mutex_unlock(&pool->lock);
    return code;
}

static bool has_delete_of(const nilas_scan_task *task, nilas_file_content content) {
    for (size_t i = 0; i < task->delete_count; i++) {
        if (task->deletes[i]->file.content == content) {
            return true;
        }
    }
    return false;
}

static nilas_code find_group(nilas_scan_source *s, nilas_scan_groups *groups,
                             const nilas_parquet_schema *schema, bool has_equality,
                             nilas_scan_group **out, nilas_error *err) {
    for (size_t i = 0; i < groups->count; i++) {
        nilas_scan_group *group = groups->items[i];
        bool same_reader = schema == NULL ? group->is_avro
                                          : group->schema.signature.data == schema->signature.data;
        if (same_reader && group->has_equality_deletes == has_equality) {
            *out = group;
            return NILAS_OK;
        }
    }
    nilas_scan_group *group;
    NILAS_NEW(s->stmt, &group, err);
    group->table = s->table;
    group->is_avro = schema == NULL;
    group->has_equality_deletes = has_equality;
    group->slot_count = NILAS_SLOT_FIRST_FREE;
    if (schema != NULL) {
        group->schema = *schema;
    }
    NILAS_TRY(nilas_job__register(s->r->job, NILAS_REGISTRY_SCAN, group, &group->number, err));
    NILAS_PUSH(s->stmt, groups, group, err);
    *out = group;
    return NILAS_OK;
}

nilas_code nilas_source__group_tasks(nilas_scan_source *s, const nilas_scan_task *tasks,
                                     size_t count, nilas_scan_groups *out, nilas_error *err) {
    schema_pool pool = {.s = s, .tasks = tasks, .lock = PTHREAD_MUTEX_INITIALIZER};
    nilas_map_init(&pool.by_signature, s->stmt, false);
    NILAS_NEW_ARRAY(s->stmt, &pool.of_task, count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(check_task(&tasks[i], err));
    }
    uint32_t workers = s->r->job->engine->options.worker_count;
    workers = workers != 0 ? workers : nilas_cpu_count();
    workers = count < 8 ? 1 : workers; // a thread costs more than a few footers
    NILAS_TRY(nilas_parallel_for(workers, count, read_task_schema, &pool, err));
    for (size_t i = 0; i < count; i++) {
        nilas_scan_group *group = NULL;
        NILAS_TRY(find_group(s, out, pool.of_task[i],
                             has_delete_of(&tasks[i], NILAS_FILE_EQUALITY_DELETES), &group, err));
        group->has_position_deletes =
            group->has_position_deletes || has_delete_of(&tasks[i], NILAS_FILE_POSITION_DELETES);
        NILAS_PUSH(s->stmt, &group->tasks, &tasks[i], err);
    }
    return NILAS_OK;
}
