/*
 * Planning: a snapshot's manifests -> those that may match -> their live entries -> tasks with
 * their deletes.
 *
 * Data and delete manifests are read in one parallel loop. Tasks are written to their final place
 * when the manifest list foretells their number, so that they exist once; most of planning a big
 * table is touching its memory. The delete index is built afterwards.
 */
#include "scan/deletes.h"
#include "scan/entries.h"
#include "scan/incremental.h"

#define MAX_FORETOLD_TASKS (1U << 20) // beyond, tasks are collected in chunks first

typedef struct planning {
    nilas_arena *stmt;
    const nilas_table *table;
    const nilas_scan_options *options;
    nilas_evaluator **evaluators; // by place of their spec in the metadata; made when first needed
    nilas_map *snapshot_ids;      // of an incremental read, else NULL
    NILAS_ARRAY_OF(nilas_scan__source) sources; // data manifests, then delete manifests
    size_t data_source_count;
    nilas_scan_plan *plan;
} planning;

static void planner_done(planning *planner) {
    for (size_t i = 0; i < planner->sources.count; i++) {
        nilas_scan__source_done(&planner->sources.items[i]);
    }
}

// ---- which manifests ----------------------------------------------------------------------------

static bool is_constant(const nilas_predicate *filter) {
    return filter == NULL || filter->kind == NILAS_PREDICATE_TRUE;
}

static nilas_code find_evaluator(planning *planner, int32_t spec_id, nilas_str manifest,
                                 const nilas_evaluator **out, nilas_error *err) {
    const nilas_metadata *metadata = planner->table->metadata;
    const nilas_scan_options *options = planner->options;

    for (size_t i = 0; i < metadata->spec_count; i++) {
        if (metadata->specs[i]->spec_id != spec_id) {
            continue;
        }
        if (is_constant(options->filter)) {
            *out = NULL;
            return NILAS_OK;
        }
        if (planner->evaluators == NULL) {
            NILAS_NEW_ARRAY(planner->stmt, &planner->evaluators, metadata->spec_count, err);
        }
        if (planner->evaluators[i] == NULL) {
            NILAS_TRY(nilas_evaluator_new(planner->stmt, metadata, options->schema,
                                          metadata->specs[i], options->filter,
                                          &planner->evaluators[i], err));
        }
        *out = planner->evaluators[i];
        return NILAS_OK;
    }
    return nilas_fail(err, NILAS_CORRUPT,
                      "manifest \"%.*s\" has partition spec %d, which the table has not",
                      NILAS_FMT(manifest), spec_id);
}

/** Whether the partition tuple alone decides the predicate: every column of it is an identity field
 * of the spec, or the predicate is about the very transform of a field. Then statistics need not be
 * decoded. */
static bool partition_decides(const nilas_predicate *predicate, const nilas_partition_spec *spec) {
    switch (predicate->kind) {
    case NILAS_PREDICATE_TRUE:
    case NILAS_PREDICATE_FALSE: return true;
    case NILAS_PREDICATE_AND:
    case NILAS_PREDICATE_OR:
        return partition_decides(predicate->left, spec) &&
               partition_decides(predicate->right, spec);
    case NILAS_PREDICATE_NOT: return partition_decides(predicate->left, spec);
    default: break;
    }
    for (size_t i = 0; i < spec->field_count; i++) {
        const nilas_partition_field *field = &spec->fields[i];
        bool same = predicate->has_transform
                        ? field->transform.kind == predicate->transform.kind &&
                              field->transform.width == predicate->transform.width &&
                              field->transform.kind != NILAS_TRANSFORM_UNKNOWN
                        : field->transform.kind == NILAS_TRANSFORM_IDENTITY;
        if (same && field->source_count == 1 && field->source_id == predicate->field_id) {
            return true;
        }
    }
    return false;
}

/** Whether a manifest may list live files; unknown counts may be any. */
static bool may_be_live(const nilas_manifest_file *manifest) {
    return manifest->added_files_count != 0 || manifest->existing_files_count != 0;
}

static nilas_code add_source(planning *planner, const nilas_manifest_file *manifest,
                             nilas_error *err) {
    nilas_scan_counts *counts = &planner->plan->counts;
    bool is_data = manifest->content == NILAS_MANIFEST_DATA;
    nilas_scan__source source = {.manifest = manifest,
                                 .with_stats = planner->options->with_stats || !is_data};

    NILAS_TRY(find_evaluator(planner, manifest->partition_spec_id, manifest->path,
                             &source.evaluator, err));
    *(is_data ? &counts->manifests_total : &counts->delete_manifests_total) += 1;
    if (source.evaluator != NULL && !nilas_evaluator_manifest(source.evaluator, manifest)) {
        *(is_data ? &counts->manifests_dropped : &counts->delete_manifests_dropped) += 1;
        return NILAS_OK;
    }
    source.needs_metrics = source.evaluator != NULL &&
                           !partition_decides(planner->options->filter,
                                              nilas_metadata_spec(planner->table->metadata,
                                                                  manifest->partition_spec_id));
    NILAS_PUSH(planner->stmt, &planner->sources, source, err);
    return NILAS_OK;
}

static bool has_live_deletes(const nilas_manifest_file *manifests, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (manifests[i].content == NILAS_MANIFEST_DELETES && may_be_live(&manifests[i])) {
            return true;
        }
    }
    return false;
}

/** How many manifests from the first on surely hold the rows that are asked for. */
static size_t count_needed(const nilas_scan_options *options, const nilas_manifest_file *manifests,
                           size_t count) {
    int64_t rows = 0;
    if (options->row_limit <= 0 || options->filter != NULL || has_live_deletes(manifests, count)) {
        return count;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t added = manifests[i].added_rows_count, existing = manifests[i].existing_rows_count;
        bool known = manifests[i].content == NILAS_MANIFEST_DATA && added >= 0 && existing >= 0;
        if (known && (__builtin_add_overflow(rows, added, &rows) ||
                      __builtin_add_overflow(rows, existing, &rows))) {
            return count;
        }
        if (rows >= options->row_limit) {
            return i + 1;
        }
    }
    return count;
}

/** Add the manifests of one content in the list's order. */
static nilas_code add_sources(planning *planner, const nilas_manifest_file *manifests, size_t count,
                              nilas_manifest_content content, nilas_error *err) {
    for (size_t i = 0; i < count; i++) {
        if (manifests[i].content == content && may_be_live(&manifests[i])) {
            NILAS_TRY(add_source(planner, &manifests[i], err));
        }
    }
    return NILAS_OK;
}

static nilas_code choose_snapshot_manifests(planning *planner, nilas_error *err) {
    const nilas_table *table = planner->table;
    nilas_manifest_file *manifests;
    size_t count;

    NILAS_TRY(nilas_snapshot_manifests(table->io, planner->stmt, table->metadata,
                                       planner->options->snapshot, &manifests, &count, err));
    count = count_needed(planner->options, manifests, count);
    NILAS_TRY(add_sources(planner, manifests, count, NILAS_MANIFEST_DATA, err));
    planner->data_source_count = planner->sources.count;
    // Without data files there is nothing to delete from.
    return planner->data_source_count > 0
               ? add_sources(planner, manifests, count, NILAS_MANIFEST_DELETES, err)
               : NILAS_OK;
}

static nilas_code choose_append_manifests(planning *planner, nilas_error *err) {
    const nilas_scan_options *options = planner->options;
    const nilas_snapshot **snapshots;
    nilas_manifest_file *manifests;
    size_t snapshot_count, count;

    NILAS_TRY(nilas_scan__append_snapshots(planner->stmt, planner->table->metadata,
                                           options->from_snapshot_id, options->to_snapshot_id,
                                           &snapshots, &snapshot_count, err));
    NILAS_NEW(planner->stmt, &planner->snapshot_ids, err);
    nilas_map_init(planner->snapshot_ids, planner->stmt, false);
    for (size_t i = 0; i < snapshot_count; i++) {
        NILAS_TRY(
            nilas_map_put_int(planner->snapshot_ids, snapshots[i]->snapshot_id, planner, err));
    }
    NILAS_TRY(nilas_scan__append_manifests(planner->stmt, planner->table, snapshots, snapshot_count,
                                           planner->snapshot_ids, &manifests, &count, err));
    NILAS_TRY(add_sources(planner, manifests, count, NILAS_MANIFEST_DATA, err));
    planner->data_source_count = planner->sources.count;
    return NILAS_OK;
}

// ---- tasks and deletes --------------------------------------------------------------------------

static void add_counts(planning *planner) {
    nilas_scan_counts *counts = &planner->plan->counts;

    for (size_t i = 0; i < planner->sources.count; i++) {
        const nilas_scan__source *source = &planner->sources.items[i];
        if (i < planner->data_source_count) {
            counts->files_total += source->files_total;
            counts->files_dropped_by_partition += source->dropped_by_partition;
            counts->files_dropped_by_metrics += source->dropped_by_metrics;
            planner->plan->task_count += source->task_count;
        } else {
            counts->delete_files_total += source->files_total;
        }
    }
}

/** Tasks of a manifest by its list's counts; 0 when unknown. A task takes at least a byte of the
 *  manifest, so that a lying count costs no more than a lying length. */
static size_t foretell_tasks(const nilas_manifest_file *manifest) {
    int64_t added = manifest->added_files_count, existing = manifest->existing_files_count;
    bool known = added >= 0 && existing >= 0 && manifest->length >= added + existing;

    return known ? (size_t)(added + existing) : 0;
}

/**
 * Give each data manifest its slice of the tasks' final place, when the manifest list foretells
 * their number. Then tasks are written where they belong, by all workers, and exist once. Pages of
 * the place that no task comes to are never touched.
 */
static nilas_code cut_slices(planning *planner, nilas_error *err) {
    size_t total = 0;

    for (size_t i = 0; i < planner->data_source_count; i++) {
        total += foretell_tasks(planner->sources.items[i].manifest);
    }
    if (total > MAX_FORETOLD_TASKS) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(planner->stmt, &planner->plan->tasks, total, err);
    size_t at = 0;
    for (size_t i = 0; i < planner->data_source_count; i++) {
        nilas_scan__source *source = &planner->sources.items[i];
        source->slice = &planner->plan->tasks[at];
        source->slice_capacity = foretell_tasks(source->manifest);
        at += source->slice_capacity;
    }
    return NILAS_OK;
}

/** Close the gaps between slices; with tasks beyond their slice, move all to a new place. */
static nilas_code gather_tasks(planning *planner, nilas_error *err) {
    nilas_scan_plan *plan = planner->plan;
    nilas_scan_task *tasks = plan->tasks;
    bool in_slices = true;
    size_t at = 0;

    for (size_t i = 0; i < planner->data_source_count; i++) {
        in_slices = in_slices && planner->sources.items[i].first == NULL;
    }
    if (!in_slices) {
        NILAS_NEW_ARRAY(planner->stmt, &tasks, plan->task_count, err);
    }
    for (size_t i = 0; i < planner->data_source_count; i++) {
        nilas_scan__source *source = &planner->sources.items[i];
        if (source->slice_count > 0 && source->slice != &tasks[at]) {
            memmove(&tasks[at], source->slice, source->slice_count * sizeof(tasks[0]));
        }
        at += source->slice_count;
        for (const nilas_scan__chunk *chunk = source->first; chunk != NULL; chunk = chunk->next) {
            memcpy(&tasks[at], chunk->tasks, chunk->count * sizeof(tasks[0]));
            at += chunk->count;
        }
        nilas_scan__source_done(source);
    }
    nilas_assert(at == plan->task_count);
    plan->tasks = tasks;
    return NILAS_OK;
}

static nilas_code add_task_counts(nilas_scan_plan *plan, nilas_error *err) {
    for (size_t i = 0; i < plan->task_count; i++) {
        const nilas_data_file *file = &plan->tasks[i].file;
        NILAS_REQUIRE(file->content == NILAS_FILE_DATA, err, NILAS_CORRUPT,
                      "delete file \"%.*s\" is listed in a data manifest",
                      NILAS_FMT(file->file_path));
        plan->counts.rows_total += file->record_count;
        plan->counts.bytes_total += file->file_size_in_bytes;
    }
    return NILAS_OK;
}

static nilas_code gather_deletes(planning *planner, nilas_delete_file **out, size_t *out_count,
                                 nilas_error *err) {
    nilas_delete_file *deletes;
    size_t count = 0, at = 0;

    for (size_t i = planner->data_source_count; i < planner->sources.count; i++) {
        count += planner->sources.items[i].task_count;
    }
    NILAS_NEW_ARRAY(planner->stmt, &deletes, count, err);
    for (size_t i = planner->data_source_count; i < planner->sources.count; i++) {
        for (const nilas_scan__chunk *chunk = planner->sources.items[i].first; chunk != NULL;
             chunk = chunk->next) {
            for (size_t t = 0; t < chunk->count; t++) {
                deletes[at++] =
                    (nilas_delete_file){.file = chunk->tasks[t].file,
                                        .sequence_number = chunk->tasks[t].sequence_number,
                                        .snapshot_id = chunk->tasks[t].snapshot_id,
                                        .index = SIZE_MAX};
            }
        }
        nilas_scan__source_done(&planner->sources.items[i]);
    }
    nilas_assert(at == count);
    *out = deletes;
    *out_count = count;
    return NILAS_OK;
}

/** Keep the delete files that some task needs, in the order of their manifests, and point the tasks
 * at them. */
static nilas_code keep_used_deletes(planning *planner, nilas_delete_file *deletes, size_t count,
                                    nilas_error *err) {
    nilas_scan_plan *plan = planner->plan;

    for (size_t t = 0; t < plan->task_count; t++) {
        for (size_t d = 0; d < plan->tasks[t].delete_count; d++) {
            deletes[plan->tasks[t].deletes[d] - deletes].index = 0;
        }
    }
    for (size_t d = 0; d < count; d++) {
        if (deletes[d].index != SIZE_MAX) {
            deletes[d].index = plan->delete_count++;
        }
    }
    NILAS_NEW_ARRAY(planner->stmt, &plan->deletes, plan->delete_count, err);
    for (size_t d = 0; d < count; d++) {
        if (deletes[d].index != SIZE_MAX) {
            plan->deletes[deletes[d].index] = deletes[d];
        }
    }
    for (size_t t = 0; t < plan->task_count; t++) {
        for (size_t d = 0; d < plan->tasks[t].delete_count; d++) {
            plan->tasks[t].deletes[d] = &plan->deletes[plan->tasks[t].deletes[d]->index];
        }
    }
    plan->counts.delete_files_applied = plan->delete_count;
    return NILAS_OK;
}

static nilas_code match_deletes(planning *planner, nilas_error *err) {
    nilas_scan_plan *plan = planner->plan;
    nilas_scan__delete_index *index;
    nilas_delete_file *deletes;
    size_t count;

    NILAS_TRY(gather_deletes(planner, &deletes, &count, err));
    if (count == 0 || plan->task_count == 0) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_scan__delete_index_new(planner->stmt, planner->table->metadata, deletes, count,
                                           &index, err));
    for (size_t t = 0; t < plan->task_count; t++) {
        NILAS_TRY(nilas_scan__match_deletes(index, planner->stmt, &plan->tasks[t], err));
    }
    return keep_used_deletes(planner, deletes, count, err);
}

nilas_code nilas_scan_plan_new(nilas_arena *stmt, const nilas_table *table,
                               const nilas_scan_options *options, nilas_scan_plan **out,
                               nilas_error *err) {
    __attribute__((cleanup(planner_done)))
    planning planner = {.stmt = stmt, .table = table, .options = options};

    nilas_assert(is_constant(options->filter) || options->schema != NULL);
    NILAS_NEW(stmt, &planner.plan, err);
    if (options->incremental) {
        NILAS_TRY(choose_append_manifests(&planner, err));
    } else if (options->snapshot != NULL) {
        NILAS_TRY(choose_snapshot_manifests(&planner, err));
    }

    nilas_scan__entry_options entry_options = {
        .with_stats = options->with_stats,
        .with_sizes = options->with_sizes,
        .snapshot_ids = planner.snapshot_ids,
        .worker_count = options->worker_count,
        .cancel = options->cancel,
    };
    NILAS_TRY(cut_slices(&planner, err));
    NILAS_TRY(nilas_scan__read_sources(stmt, table, planner.sources.items, planner.sources.count,
                                       &entry_options, err));
    add_counts(&planner);
    NILAS_TRY(gather_tasks(&planner, err));
    NILAS_TRY(add_task_counts(planner.plan, err));
    NILAS_TRY(match_deletes(&planner, err));
    *out = planner.plan;
    return NILAS_OK;
}
