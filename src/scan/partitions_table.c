/*
 * The table partitions: live files of a snapshot, counted by spec and partition tuple, data apart
 * from deletes.
 *
 * Files of different specs are different partitions even when their tuples look the same in the
 * union struct.
 */
#include "scan/partition.h"
#include "scan/tables.h"

#define COUNT_OF(columns) (sizeof(columns) / sizeof((columns)[0]))

static const nilas_scan__column partitions_columns[] = {
    {.id = 1, .required = true, .name = "partition", .kind = NILAS_SCAN__GIVEN},
    {.id = 4, .required = true, .name = "spec_id", .kind = NILAS_SCAN__INT},
    {.id = 2,
     .required = true,
     .name = "record_count",
     .kind = NILAS_SCAN__LONG,
     .doc = "Count of records in data files"},
    {.id = 3,
     .required = true,
     .name = "file_count",
     .kind = NILAS_SCAN__INT,
     .doc = "Count of data files"},
    {.id = 11,
     .required = true,
     .name = "total_data_file_size_in_bytes",
     .kind = NILAS_SCAN__LONG,
     .doc = "Total size in bytes of data files"},
    {.id = 5,
     .required = true,
     .name = "position_delete_record_count",
     .kind = NILAS_SCAN__LONG,
     .doc = "Count of records in position delete files"},
    {.id = 6,
     .required = true,
     .name = "position_delete_file_count",
     .kind = NILAS_SCAN__INT,
     .doc = "Count of position delete files"},
    {.id = 7,
     .required = true,
     .name = "equality_delete_record_count",
     .kind = NILAS_SCAN__LONG,
     .doc = "Count of records in equality delete files"},
    {.id = 8,
     .required = true,
     .name = "equality_delete_file_count",
     .kind = NILAS_SCAN__INT,
     .doc = "Count of equality delete files"},
    {.id = 9,
     .name = "last_updated_at",
     .kind = NILAS_SCAN__TIMESTAMPTZ,
     .doc = "Commit time of snapshot that last updated this partition"},
    {.id = 10,
     .name = "last_updated_snapshot_id",
     .kind = NILAS_SCAN__LONG,
     .doc = "Id of snapshot that last updated this partition"},
};
#define PARTITION_COLUMN_COUNT 2 // partition, spec_id: absent when the table was never partitioned

typedef struct partition_counts partition_counts;
struct partition_counts {
    partition_counts *next; // of the same hash
    int32_t spec_id;
    nilas_value partition;
    int64_t records[3], files[3]; // by content
    int64_t data_bytes;
    const nilas_snapshot *last_update;
};

typedef struct partition_list {
    nilas_arena *arena;
    const nilas_metadata *metadata;
    nilas_map by_hash;
    NILAS_ARRAY_OF(partition_counts *) items; // in order of appearance
    partition_counts *last;                   // files of one partition follow each other
    nilas_code code;
    nilas_error *err;
} partition_list;

static nilas_code partitions_type(nilas_arena *arena, const nilas_ice_type *partition,
                                  const nilas_ice_type **out, nilas_error *err) {
    bool partitioned = partition->field_count > 0;
    size_t skip = partitioned ? 0 : PARTITION_COLUMN_COUNT;
    nilas_ice_type *type;

    NILAS_TRY(nilas_scan__struct_type(arena, partitions_columns + skip,
                                      COUNT_OF(partitions_columns) - skip, &partition, &type, err));
    *out = type;
    return NILAS_OK;
}

nilas_code nilas_scan__partitions_type(nilas_arena *arena, const nilas_table *table,
                                       nilas_metadata_table kind, const nilas_ice_type **out,
                                       nilas_error *err) {
    const nilas_ice_type *partition;

    (void)kind;
    NILAS_TRY(nilas_metadata_partition_type(arena, table->metadata, &partition, err));
    return partitions_type(arena, partition, out, err);
}

static bool is_partition(const partition_counts *counts, const nilas_data_file *file) {
    return counts->spec_id == file->spec_id &&
           nilas_value_equal(&counts->partition, &file->partition);
}

static nilas_code get_counts(partition_list *list, const nilas_data_file *file,
                             partition_counts **out, nilas_error *err) {
    if (list->last != NULL && is_partition(list->last, file)) {
        *out = list->last;
        return NILAS_OK;
    }
    int64_t hash = (int64_t)(nilas_value_hash(&file->partition) * 31U + (uint32_t)file->spec_id);
    partition_counts *first = nilas_map_find_int(&list->by_hash, hash);
    for (partition_counts *at = first; at != NULL; at = at->next) {
        if (is_partition(at, file)) {
            *out = list->last = at;
            return NILAS_OK;
        }
    }

    partition_counts *made;
    NILAS_NEW(list->arena, &made, err);
    made->spec_id = file->spec_id;
    made->next = first;
    NILAS_TRY(nilas_value_copy(list->arena, &file->partition, &made->partition, err));
    NILAS_TRY(nilas_map_put_int(&list->by_hash, hash, made, err));
    NILAS_PUSH(list->arena, &list->items, made, err);
    *out = list->last = made;
    return NILAS_OK;
}

static nilas_code count_entry(partition_list *list, const nilas_manifest_entry *entry,
                              nilas_error *err) {
    const nilas_data_file *file = &entry->file;
    partition_counts *counts;

    if (entry->status == NILAS_ENTRY_DELETED) {
        return NILAS_OK;
    }
    NILAS_TRY(get_counts(list, file, &counts, err));
    nilas_assert(file->content <= NILAS_FILE_EQUALITY_DELETES);
    counts->records[file->content] += file->record_count;
    counts->files[file->content]++;
    if (file->content == NILAS_FILE_DATA) {
        counts->data_bytes += file->file_size_in_bytes;
    }
    const nilas_snapshot *snapshot = nilas_metadata_snapshot(list->metadata, entry->snapshot_id);
    if (snapshot != NULL && (counts->last_update == NULL ||
                             snapshot->timestamp_ms > counts->last_update->timestamp_ms)) {
        counts->last_update = snapshot;
    }
    return NILAS_OK;
}

static bool on_entry(void *context, const nilas_manifest_entry *entry) {
    partition_list *list = context;

    list->code = count_entry(list, entry, list->err);
    return list->code == NILAS_OK;
}

static nilas_code count_partitions(nilas_arena *stmt, const nilas_scan__table_options *options,
                                   partition_list *list, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(stmt, 0);
    const nilas_table *table = options->table;
    nilas_manifest_file *manifests;
    size_t count;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_scan__collect_manifests(stmt, table, options->snapshot, false, &manifests,
                                            &count, err));
    for (size_t i = 0; i < count; i++) {
        list->last = NULL;
        nilas_code code = nilas_manifest_read(table->io, scratch, table->metadata, &manifests[i], 0,
                                              false, on_entry, list, err);
        NILAS_TRY(list->code);
        NILAS_TRY(code);
        nilas_arena_reset(scratch);
    }
    return NILAS_OK;
}

static nilas_code fill_row(nilas_arena *stmt, const nilas_scan__union *partition,
                           const partition_counts *counts, nilas_value *items, nilas_error *err) {
    if (partition->type->field_count > 0) {
        NILAS_TRY(nilas_scan__union_of(stmt, partition, counts->spec_id, &counts->partition,
                                       &items[0], err));
        items[1] = nilas_value_of_int(counts->spec_id);
        items += PARTITION_COLUMN_COUNT;
    }
    items[0] = nilas_value_of_int(counts->records[NILAS_FILE_DATA]);
    items[1] = nilas_value_of_int(counts->files[NILAS_FILE_DATA]);
    items[2] = nilas_value_of_int(counts->data_bytes);
    items[3] = nilas_value_of_int(counts->records[NILAS_FILE_POSITION_DELETES]);
    items[4] = nilas_value_of_int(counts->files[NILAS_FILE_POSITION_DELETES]);
    items[5] = nilas_value_of_int(counts->records[NILAS_FILE_EQUALITY_DELETES]);
    items[6] = nilas_value_of_int(counts->files[NILAS_FILE_EQUALITY_DELETES]);
    if (counts->last_update != NULL) {
        items[7] = nilas_value_of_int(counts->last_update->timestamp_ms * 1000);
        items[8] = nilas_value_of_int(counts->last_update->snapshot_id);
    }
    return NILAS_OK;
}

nilas_code nilas_scan__partitions_rows(nilas_arena *stmt, const nilas_scan__table_options *options,
                                       nilas_rows **out, nilas_error *err) {
    partition_list list = {.arena = stmt, .metadata = options->table->metadata, .err = err};
    const nilas_ice_type *type;
    nilas_scan__union *partition;
    nilas_value *rows;

    nilas_map_init(&list.by_hash, stmt, false);
    NILAS_TRY(nilas_scan__union_new(stmt, options->table->metadata, &partition, err));
    NILAS_TRY(partitions_type(stmt, partition->type, &type, err));
    NILAS_TRY(count_partitions(stmt, options, &list, err));
    NILAS_NEW_ARRAY(stmt, &rows, list.items.count, err);
    for (size_t i = 0; i < list.items.count; i++) {
        NILAS_TRY(nilas_scan__new_struct(stmt, type->field_count, &rows[i], err));
        NILAS_TRY(fill_row(stmt, partition, list.items.items[i], rows[i].items, err));
    }
    return nilas_scan__fixed_rows(stmt, type, rows, list.items.count, out, err);
}
