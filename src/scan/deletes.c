/*
 * The delete index: from a data file's path, partition and data sequence number to the delete files
 * that apply.
 *
 *   - An equality delete applies to strictly older data (data sequence number < the delete's) of
 *     the same spec and partition, or of any when the delete's spec is unpartitioned.
 *   - A deletion vector applies to the data file that it names (data sequence number <= its own)
 *     and supersedes position deletes of that file.
 *   - A position delete applies to data as old or older: to the file that it names, else to files
 *     of the same spec and partition whose path its bounds of file_path may hold.
 *
 * Spec: iceberg#scan-planning, iceberg#delete-files.
 */
#include "scan/deletes.h"

#include <stdlib.h>

typedef struct delete_list { // sorted by sequence number once built
    const nilas_delete_file **items;
    size_t count, capacity;
} delete_list;

typedef struct path_deletes {
    const nilas_delete_file *vector;
    delete_list positions;
} path_deletes;

typedef struct partition_deletes partition_deletes;
struct partition_deletes {
    partition_deletes *next; // of the same hash
    int32_t spec_id;
    const nilas_value *partition;
    delete_list positions, equalities;
};

struct nilas_scan__delete_index {
    const nilas_metadata *metadata;
    nilas_map by_path;      // path -> path_deletes
    nilas_map by_partition; // hash of spec and partition -> partition_deletes
    delete_list global_equalities;
    delete_list found; // of the task being matched
    // The last partition looked up: tasks of one manifest mostly share it.
    const nilas_value *last_items;
    int32_t last_spec_id;
    partition_deletes *last;
    bool has_last;
};

// ---- what a delete file is about ----------------------------------------------------------------

static bool is_vector(const nilas_data_file *file) {
    return file->content == NILAS_FILE_POSITION_DELETES &&
           nilas_str_is(file->file_format, "PUFFIN");
}

static bool path_bounds(const nilas_data_file *file, nilas_str *out_lower, nilas_str *out_upper) {
    return nilas_bound_find(file->lower_bounds, file->lower_bound_count,
                            NILAS_FIELD_DELETE_FILE_PATH, out_lower) &&
           nilas_bound_find(file->upper_bounds, file->upper_bound_count,
                            NILAS_FIELD_DELETE_FILE_PATH, out_upper);
}

nilas_str nilas_scan__referenced_path(const nilas_data_file *file) {
    nilas_str lower, upper;

    if (file->referenced_data_file.size > 0) {
        return file->referenced_data_file;
    }
    return path_bounds(file, &lower, &upper) && nilas_str_equal(lower, upper) ? lower
                                                                              : NILAS_STR_EMPTY;
}

/** Whether UTF-8 and UTF-16 order agree: writers compared in either, and only beyond U+FFFF they
 * differ. */
static bool has_one_order(nilas_str text) {
    for (size_t i = 0; i < text.size; i++) {
        if ((uint8_t)text.data[i] >= 0xf0) {
            return false;
        }
    }
    return true;
}

bool nilas_scan__may_name_path(const nilas_data_file *file, nilas_str path) {
    nilas_str lower, upper;

    if (!path_bounds(file, &lower, &upper) || nilas_str_compare(lower, upper) > 0) {
        return true;
    }
    if (!has_one_order(lower) || !has_one_order(upper) || !has_one_order(path)) {
        return true;
    }
    return nilas_str_compare(lower, path) <= 0 && nilas_str_compare(path, upper) <= 0;
}

/** A spec without fields, or with void ones only. */
static bool is_unpartitioned(const nilas_partition_spec *spec) {
    for (size_t i = 0; i < spec->field_count; i++) {
        if (spec->fields[i].transform.kind != NILAS_TRANSFORM_VOID) {
            return false;
        }
    }
    return true;
}

// ---- building -----------------------------------------------------------------------------------

static int64_t partition_hash(int32_t spec_id, const nilas_value *partition) {
    return (int64_t)(nilas_value_hash(partition) * 31U + (uint32_t)spec_id);
}

static partition_deletes *find_partition(const nilas_scan__delete_index *index, int32_t spec_id,
                                         const nilas_value *partition) {
    partition_deletes *at =
        nilas_map_find_int(&index->by_partition, partition_hash(spec_id, partition));

    while (at != NULL && (at->spec_id != spec_id || !nilas_value_equal(at->partition, partition))) {
        at = at->next;
    }
    return at;
}

static nilas_code get_partition(nilas_scan__delete_index *index, nilas_arena *arena,
                                const nilas_data_file *file, partition_deletes **out,
                                nilas_error *err) {
    partition_deletes *made = find_partition(index, file->spec_id, &file->partition);

    if (made == NULL) {
        int64_t hash = partition_hash(file->spec_id, &file->partition);
        NILAS_NEW(arena, &made, err);
        made->spec_id = file->spec_id;
        made->partition = &file->partition;
        made->next = nilas_map_find_int(&index->by_partition, hash);
        NILAS_TRY(nilas_map_put_int(&index->by_partition, hash, made, err));
    }
    *out = made;
    return NILAS_OK;
}

static nilas_code get_path(nilas_scan__delete_index *index, nilas_arena *arena, nilas_str path,
                           path_deletes **out, nilas_error *err) {
    path_deletes *made = nilas_map_find(&index->by_path, path);

    if (made == NULL) {
        NILAS_NEW(arena, &made, err);
        NILAS_TRY(nilas_map_put(&index->by_path, path, made, err));
    }
    *out = made;
    return NILAS_OK;
}

static nilas_code add_vector(nilas_scan__delete_index *index, nilas_arena *arena,
                             const nilas_delete_file *deletes, nilas_error *err) {
    const nilas_data_file *file = &deletes->file;
    path_deletes *of;

    NILAS_REQUIRE(file->referenced_data_file.size > 0, err, NILAS_CORRUPT,
                  "deletion vector in \"%.*s\" does not name the data file that it is about",
                  NILAS_FMT(file->file_path));
    NILAS_TRY(get_path(index, arena, file->referenced_data_file, &of, err));
    NILAS_REQUIRE(of->vector == NULL, err, NILAS_CORRUPT,
                  "Can't index multiple DVs for %.*s: \"%.*s\" and \"%.*s\"",
                  NILAS_FMT(file->referenced_data_file), NILAS_FMT(of->vector->file.file_path),
                  NILAS_FMT(file->file_path));
    of->vector = deletes;
    return NILAS_OK;
}

static nilas_code add_delete(nilas_scan__delete_index *index, nilas_arena *arena,
                             const nilas_delete_file *deletes, nilas_error *err) {
    const nilas_data_file *file = &deletes->file;
    const nilas_partition_spec *spec = nilas_metadata_spec(index->metadata, file->spec_id);
    partition_deletes *partition;

    NILAS_REQUIRE(spec != NULL, err, NILAS_CORRUPT,
                  "delete file \"%.*s\" names partition spec %d, which the table has not",
                  NILAS_FMT(file->file_path), file->spec_id);
    NILAS_REQUIRE(file->content != NILAS_FILE_DATA, err, NILAS_CORRUPT,
                  "data file \"%.*s\" is listed in a delete manifest", NILAS_FMT(file->file_path));
    if (is_vector(file)) {
        return add_vector(index, arena, deletes, err);
    }
    if (file->content == NILAS_FILE_EQUALITY_DELETES) {
        NILAS_REQUIRE(file->equality_id_count > 0, err, NILAS_CORRUPT,
                      "equality delete file \"%.*s\" names no columns", NILAS_FMT(file->file_path));
        if (is_unpartitioned(spec)) {
            NILAS_PUSH(arena, &index->global_equalities, deletes, err);
            return NILAS_OK;
        }
        NILAS_TRY(get_partition(index, arena, file, &partition, err));
        NILAS_PUSH(arena, &partition->equalities, deletes, err);
        return NILAS_OK;
    }

    nilas_str path = nilas_scan__referenced_path(file);
    if (path.size > 0) {
        path_deletes *of;
        NILAS_TRY(get_path(index, arena, path, &of, err));
        NILAS_PUSH(arena, &of->positions, deletes, err);
        return NILAS_OK;
    }
    NILAS_TRY(get_partition(index, arena, file, &partition, err));
    NILAS_PUSH(arena, &partition->positions, deletes, err);
    return NILAS_OK;
}

/** By sequence number, then by place in the input, so that equal input gives equal plans. */
static int compare_deletes(const void *a, const void *b) {
    const nilas_delete_file *x = *(const nilas_delete_file *const *)a;
    const nilas_delete_file *y = *(const nilas_delete_file *const *)b;

    if (x->sequence_number != y->sequence_number) {
        return x->sequence_number < y->sequence_number ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

static void sort_list(delete_list *list) {
    if (list->count > 1) {
        qsort(list->items, list->count, sizeof(list->items[0]), compare_deletes);
    }
}

nilas_code nilas_scan__delete_index_new(nilas_arena *arena, const nilas_metadata *metadata,
                                        const nilas_delete_file *deletes, size_t count,
                                        nilas_scan__delete_index **out, nilas_error *err) {
    nilas_scan__delete_index *index;

    NILAS_NEW(arena, &index, err);
    index->metadata = metadata;
    nilas_map_init(&index->by_path, arena, false);
    nilas_map_init(&index->by_partition, arena, false);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(add_delete(index, arena, &deletes[i], err));
    }

    sort_list(&index->global_equalities);
    for (size_t i = 0; i < index->by_path.count; i++) {
        sort_list(&((path_deletes *)index->by_path.entries[i].value)->positions);
    }
    for (size_t i = 0; i < index->by_partition.count; i++) {
        for (partition_deletes *at = index->by_partition.entries[i].value; at != NULL;
             at = at->next) {
            sort_list(&at->positions);
            sort_list(&at->equalities);
        }
    }
    *out = index;
    return NILAS_OK;
}

// ---- matching -----------------------------------------------------------------------------------

/** First delete whose sequence number is at least `sequence_number`. */
static size_t lower_bound(const delete_list *list, int64_t sequence_number) {
    size_t low = 0, high = list->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle]->sequence_number < sequence_number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/** Equality deletes remove rows of strictly older files only. */
static nilas_code find_equalities(nilas_scan__delete_index *index, nilas_arena *arena,
                                  const delete_list *list, const nilas_scan_task *task,
                                  nilas_error *err) {
    for (size_t i = lower_bound(list, task->sequence_number + 1); i < list->count; i++) {
        NILAS_PUSH(arena, &index->found, list->items[i], err);
    }
    return NILAS_OK;
}

/** Position deletes remove rows of older files and of files of the same commit. `by_path`: the list
 * is this file's own. */
static nilas_code find_positions(nilas_scan__delete_index *index, nilas_arena *arena,
                                 const delete_list *list, bool by_path, const nilas_scan_task *task,
                                 nilas_error *err) {
    for (size_t i = lower_bound(list, task->sequence_number); i < list->count; i++) {
        if (by_path || nilas_scan__may_name_path(&list->items[i]->file, task->file.file_path)) {
            NILAS_PUSH(arena, &index->found, list->items[i], err);
        }
    }
    return NILAS_OK;
}

static partition_deletes *partition_of(nilas_scan__delete_index *index,
                                       const nilas_scan_task *task) {
    const nilas_data_file *file = &task->file;
    bool has_items = file->partition.kind == NILAS_VALUE_STRUCT && file->partition.items != NULL;

    if (index->by_partition.count == 0) {
        return NULL;
    }
    if (!has_items) {
        return find_partition(index, file->spec_id, &file->partition);
    }
    if (!index->has_last || index->last_spec_id != file->spec_id ||
        index->last_items != file->partition.items) {
        index->last = find_partition(index, file->spec_id, &file->partition);
        index->last_items = file->partition.items;
        index->last_spec_id = file->spec_id;
        index->has_last = true;
    }
    return index->last;
}

static int compare_places(const void *a, const void *b) {
    const nilas_delete_file *x = *(const nilas_delete_file *const *)a;
    const nilas_delete_file *y = *(const nilas_delete_file *const *)b;

    return x < y ? -1 : x > y;
}

/** Hand the found deletes to the task and empty the list for the next one. */
static nilas_code give_found(nilas_scan__delete_index *index, nilas_arena *arena,
                             nilas_scan_task *task, nilas_error *err) {
    delete_list *found = &index->found;

    task->deletes = NULL;
    task->delete_count = found->count;
    if (found->count > 0) {
        qsort(found->items, found->count, sizeof(found->items[0]), compare_places);
        NILAS_NEW_ARRAY(arena, &task->deletes, found->count, err);
        memcpy(task->deletes, found->items, found->count * sizeof(found->items[0]));
    }
    found->count = 0;
    return NILAS_OK;
}

nilas_code nilas_scan__match_deletes(nilas_scan__delete_index *index, nilas_arena *arena,
                                     nilas_scan_task *task, nilas_error *err) {
    const partition_deletes *partition = partition_of(index, task);
    const path_deletes *path =
        index->by_path.count > 0 ? nilas_map_find(&index->by_path, task->file.file_path) : NULL;

    index->found.count = 0;
    NILAS_TRY(find_equalities(index, arena, &index->global_equalities, task, err));
    if (partition != NULL) {
        NILAS_TRY(find_equalities(index, arena, &partition->equalities, task, err));
    }

    if (path != NULL && path->vector != NULL) {
        NILAS_REQUIRE(path->vector->sequence_number >= task->sequence_number, err, NILAS_CORRUPT,
                      "DV data sequence number (%lld) must be greater than or equal to data file "
                      "sequence number (%lld): "
                      "\"%.*s\" for \"%.*s\"",
                      (long long)path->vector->sequence_number, (long long)task->sequence_number,
                      NILAS_FMT(path->vector->file.file_path), NILAS_FMT(task->file.file_path));
        NILAS_PUSH(arena, &index->found, path->vector, err);
        return give_found(index, arena, task, err);
    }
    if (path != NULL) {
        NILAS_TRY(find_positions(index, arena, &path->positions, true, task, err));
    }
    if (partition != NULL) {
        NILAS_TRY(find_positions(index, arena, &partition->positions, false, task, err));
    }
    return give_found(index, arena, task, err);
}
