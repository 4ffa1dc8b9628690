/*
 * Manifest entries -> tasks, one manifest a step, on several threads.
 *
 * A worker owns two arenas while it reads a manifest: one whose content stays for the statement
 * (paths, partitions), one for decoding that is reset for each manifest. No lock is taken in the
 * loop over entries. Files of one partition follow each other in most manifests, so the last
 * partition's copy and verdicts are kept.
 */
#include "scan/entries.h"

#define FIRST_CHUNK_TASKS 8
#define MAX_CHUNK_TASKS   256
#define CANCEL_STEP       1024 // entries between two looks at the flag
#define SMALL_READ_BYTES                                                                           \
    (128 << 10) // manifests below this in sum are read sooner than a thread is started

typedef struct reading { // all workers share it
    const nilas_table *table;
    nilas_scan__source *sources;
    const nilas_scan__entry_options *options;
    nilas_arena *kept[NILAS_LIMIT_WORKERS];
    nilas_arena *scratch[NILAS_LIMIT_WORKERS];
    uint32_t worker_count;
    atomic_uint_fast64_t busy; // bit i: arenas i are in use
} reading;

typedef struct entry_context { // one manifest being read
    const reading *reader;
    nilas_scan__source *source;
    nilas_arena *kept;
    nilas_value partition; // copy of the last one, in `kept`
    bool has_partition, partition_may_match, partition_all_match;
    nilas_code code;
    nilas_error *err;
} entry_context;

static nilas_str intern_format(nilas_str format) {
    static const nilas_str known[] = {{"PARQUET", 7}, {"AVRO", 4}, {"ORC", 3}, {"PUFFIN", 6}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (nilas_str_equal(format, known[i])) {
            return known[i];
        }
    }
    return (nilas_str){0};
}

/** Keep the partition and what the filter says of it, unless it is the last entry's. */
static nilas_code see_partition(entry_context *context, const nilas_manifest_entry *entry,
                                nilas_error *err) {
    const nilas_evaluator *evaluator = context->source->evaluator;

    if (context->has_partition && nilas_value_equal(&context->partition, &entry->file.partition)) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_value_copy(context->kept, &entry->file.partition, &context->partition, err));
    context->has_partition = true;
    context->partition_may_match =
        evaluator == NULL || nilas_evaluator_partition(evaluator, &context->partition);
    context->partition_all_match =
        evaluator == NULL || nilas_evaluator_partition_all(evaluator, &context->partition);
    return NILAS_OK;
}

static nilas_code add_to_chunk(nilas_scan__source *source, nilas_scan_task **out,
                               nilas_error *err) {
    nilas_scan__chunk *last = source->last;

    if (last == NULL || last->count == last->capacity) {
        size_t capacity = last == NULL ? FIRST_CHUNK_TASKS : last->capacity * 4;
        capacity = capacity > MAX_CHUNK_TASKS ? MAX_CHUNK_TASKS : capacity;
        void *memory;
        if (source->arena == NULL) {
            source->arena = nilas_arena_new(NULL, 0);
            NILAS_REQUIRE(source->arena != NULL, err, NILAS_NOMEM, "out of memory");
        }
        NILAS_TRY(nilas_arena_alloc(
            source->arena, sizeof(*last) + capacity * sizeof(last->tasks[0]), &memory, err));
        nilas_scan__chunk *made = memory;
        made->capacity = capacity;
        if (last != NULL) {
            last->next = made;
        } else {
            source->first = made;
        }
        source->last = last = made;
    }
    *out = &last->tasks[last->count++];
    return NILAS_OK;
}

static nilas_code add_task(nilas_scan__source *source, nilas_scan_task **out, nilas_error *err) {
    if (source->slice_count < source->slice_capacity) {
        *out = &source->slice[source->slice_count++];
    } else {
        NILAS_TRY(add_to_chunk(source, out, err));
    }
    source->task_count++;
    return NILAS_OK;
}

/** Copy what a task needs of the entry's file: few bytes unless statistics or sizes are asked for.
 */
static nilas_code copy_file(entry_context *context, const nilas_manifest_entry *entry,
                            nilas_data_file *out, nilas_error *err) {
    const nilas_scan__entry_options *options = context->reader->options;
    const nilas_data_file *file = &entry->file;

    if (context->source->with_stats || options->with_sizes) {
        nilas_manifest_entry copy;
        NILAS_TRY(nilas_manifest_entry_copy(context->kept, entry, &copy, err));
        *out = copy.file;
        out->partition = context->partition;
        return NILAS_OK;
    }

    *out = (nilas_data_file){
        .content = file->content,
        .file_format = intern_format(file->file_format),
        .spec_id = file->spec_id,
        .partition = context->partition,
        .record_count = file->record_count,
        .file_size_in_bytes = file->file_size_in_bytes,
        .sort_order_id = file->sort_order_id,
        .first_row_id = file->first_row_id,
        .content_offset = file->content_offset,
        .content_size_in_bytes = file->content_size_in_bytes,
    };
    NILAS_TRY(nilas_str_copy(context->kept, file->file_path, &out->file_path, err));
    if (out->file_format.data == NULL) {
        NILAS_TRY(nilas_str_copy(context->kept, file->file_format, &out->file_format, err));
    }
    if (file->key_metadata.data != NULL) { // whoever reads the file must know that he can't
        NILAS_TRY(nilas_str_copy(context->kept, file->key_metadata, &out->key_metadata, err));
    }
    return NILAS_OK;
}

/** Whether the scan is about this entry at all. */
static bool is_wanted(const entry_context *context, const nilas_manifest_entry *entry) {
    const nilas_map *snapshot_ids = context->reader->options->snapshot_ids;

    if (snapshot_ids != NULL) {
        return entry->status == NILAS_ENTRY_ADDED &&
               nilas_map_find_int(snapshot_ids, entry->snapshot_id) != NULL;
    }
    return entry->status != NILAS_ENTRY_DELETED;
}

static nilas_code take_entry(entry_context *context, const nilas_manifest_entry *entry,
                             nilas_error *err) {
    nilas_scan__source *source = context->source;
    nilas_scan_task *task;

    if (!is_wanted(context, entry)) {
        return NILAS_OK;
    }
    if (source->files_total++ % CANCEL_STEP == 0 &&
        nilas_cancelled(context->reader->options->cancel)) {
        return nilas_fail(err, NILAS_CANCELLED, "cancelled while planning");
    }

    NILAS_TRY(see_partition(context, entry, err));
    if (!context->partition_may_match) {
        source->dropped_by_partition++;
        return NILAS_OK;
    }
    // Bounds of a delete file say what it holds, not which rows it removes: only data files are
    // dropped by them.
    bool by_metrics = source->needs_metrics && entry->file.content == NILAS_FILE_DATA;
    if (by_metrics && !nilas_evaluator_metrics(source->evaluator, &entry->file)) {
        source->dropped_by_metrics++;
        return NILAS_OK;
    }

    NILAS_TRY(add_task(source, &task, err));
    NILAS_TRY(copy_file(context, entry, &task->file, err));
    task->snapshot_id = entry->snapshot_id;
    task->sequence_number = entry->sequence_number;
    task->file_sequence_number = entry->file_sequence_number;
    task->all_rows_match = context->partition_all_match ||
                           (by_metrics && nilas_evaluator_all(source->evaluator, &entry->file));
    return NILAS_OK;
}

static bool on_entry(void *pointer, const nilas_manifest_entry *entry) {
    entry_context *context = pointer;

    context->code = take_entry(context, entry, context->err);
    return context->code == NILAS_OK;
}

/** Take a pair of arenas that no other worker uses; there are as many as workers. */
static uint32_t take_arenas(reading *reader) {
    for (;;) {
        uint_fast64_t busy = atomic_load(&reader->busy);
        uint32_t slot = 0;
        while (slot < reader->worker_count && (busy >> slot & 1U) != 0) {
            slot++;
        }
        nilas_assert(slot < reader->worker_count);
        if (atomic_compare_exchange_weak(&reader->busy, &busy, busy | (uint_fast64_t)1 << slot)) {
            return slot;
        }
    }
}

static nilas_code read_source(void *pointer, size_t index, nilas_error *err) {
    reading *reader = pointer;
    nilas_scan__source *source = &reader->sources[index];
    uint32_t slot = take_arenas(reader);
    entry_context context = {
        .reader = reader, .source = source, .kept = reader->kept[slot], .err = err};
    int columns = (source->needs_metrics || source->with_stats ? NILAS_MANIFEST_STATS : 0) |
                  (reader->options->with_sizes ? NILAS_MANIFEST_SIZES : 0);

    nilas_code code =
        nilas_manifest_read(reader->table->io, reader->scratch[slot], reader->table->metadata,
                            source->manifest, columns, false, on_entry, &context, err);
    nilas_arena_reset(reader->scratch[slot]);
    atomic_fetch_and(&reader->busy, ~((uint_fast64_t)1 << slot));
    NILAS_TRY(context.code);
    return code;
}

static uint32_t choose_workers(const nilas_scan__source *sources, size_t count, uint32_t asked) {
    int64_t bytes = 0;

    for (size_t i = 0; i < count && bytes < SMALL_READ_BYTES; i++) {
        bytes += sources[i].manifest->length > 0 ? sources[i].manifest->length : SMALL_READ_BYTES;
    }
    if (bytes < SMALL_READ_BYTES) {
        return 1;
    }
    uint32_t workers = asked != 0 ? asked : nilas_cpu_count();
    workers = workers > NILAS_LIMIT_WORKERS ? NILAS_LIMIT_WORKERS : workers;
    return workers > count ? (uint32_t)count : workers;
}

nilas_code nilas_scan__read_sources(nilas_arena *stmt, const nilas_table *table,
                                    nilas_scan__source *sources, size_t count,
                                    const nilas_scan__entry_options *options, nilas_error *err) {
    reading reader = {.table = table, .sources = sources, .options = options};
    NILAS_AUTO(nilas_arena) decoding = nilas_arena_new(stmt, 0);

    if (count == 0) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(decoding != NULL, err, NILAS_NOMEM, "out of memory");
    reader.worker_count = choose_workers(sources, count, options->worker_count);
    for (uint32_t i = 0; i < reader.worker_count; i++) {
        reader.kept[i] = nilas_arena_new(stmt, 0);
        reader.scratch[i] = nilas_arena_new(decoding, 0);
        NILAS_REQUIRE(reader.kept[i] != NULL && reader.scratch[i] != NULL, err, NILAS_NOMEM,
                      "out of memory");
    }
    return nilas_parallel_for(reader.worker_count, count, read_source, &reader, err);
}

void nilas_scan__source_done(nilas_scan__source *source) {
    nilas_arena_free(source->arena);
    source->arena = NULL;
    source->first = source->last = NULL;
}
