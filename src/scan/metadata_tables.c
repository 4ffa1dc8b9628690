/*
 * Metadata tables: their names, and who makes their type and rows. position_deletes has its type
 * and its files here; its rows are read by the engine. changes has a type only.
 */
#include "scan/partition.h"
#include "scan/tables.h"

#define COUNT_OF(columns) (sizeof(columns) / sizeof((columns)[0]))

static nilas_scan__type_function position_deletes_type, changes_type;

typedef struct table_kind {
    const char *name;
    nilas_scan__type_function *type;
    nilas_scan__rows_function *rows; // NULL: not made here
} table_kind;

static const table_kind kinds[] = {
    [NILAS_METADATA_ENTRIES] = {"entries", nilas_scan__entries_type, nilas_scan__files_rows},
    [NILAS_METADATA_FILES] = {"files", nilas_scan__files_type, nilas_scan__files_rows},
    [NILAS_METADATA_DATA_FILES] = {"data_files", nilas_scan__files_type, nilas_scan__files_rows},
    [NILAS_METADATA_DELETE_FILES] = {"delete_files", nilas_scan__files_type,
                                     nilas_scan__files_rows},
    [NILAS_METADATA_HISTORY] = {"history", nilas_scan__history_type, nilas_scan__history_rows},
    [NILAS_METADATA_LOG_ENTRIES] = {"metadata_log_entries", nilas_scan__log_entries_type,
                                    nilas_scan__log_entries_rows},
    [NILAS_METADATA_SNAPSHOTS] = {"snapshots", nilas_scan__snapshots_type,
                                  nilas_scan__snapshots_rows},
    [NILAS_METADATA_REFS] = {"refs", nilas_scan__refs_type, nilas_scan__refs_rows},
    [NILAS_METADATA_MANIFESTS] = {"manifests", nilas_scan__manifests_type,
                                  nilas_scan__manifests_rows},
    [NILAS_METADATA_PARTITIONS] = {"partitions", nilas_scan__partitions_type,
                                   nilas_scan__partitions_rows},
    [NILAS_METADATA_POSITION_DELETES] = {"position_deletes", position_deletes_type, NULL},
    [NILAS_METADATA_ALL_DATA_FILES] = {"all_data_files", nilas_scan__files_type,
                                       nilas_scan__files_rows},
    [NILAS_METADATA_ALL_DELETE_FILES] = {"all_delete_files", nilas_scan__files_type,
                                         nilas_scan__files_rows},
    [NILAS_METADATA_ALL_FILES] = {"all_files", nilas_scan__files_type, nilas_scan__files_rows},
    [NILAS_METADATA_ALL_MANIFESTS] = {"all_manifests", nilas_scan__manifests_type,
                                      nilas_scan__manifests_rows},
    [NILAS_METADATA_ALL_ENTRIES] = {"all_entries", nilas_scan__entries_type,
                                    nilas_scan__files_rows},
    [NILAS_METADATA_CHANGES] = {"changes", changes_type, NULL},
};

nilas_metadata_table nilas_metadata_table_find(nilas_str name) {
    for (size_t i = NILAS_METADATA_ENTRIES; i < COUNT_OF(kinds); i++) {
        if (nilas_str_is_nocase(name, kinds[i].name)) {
            return (nilas_metadata_table)i;
        }
    }
    return NILAS_METADATA_NONE;
}

const char *nilas_metadata_table_name(nilas_metadata_table kind) {
    nilas_assert(kind > NILAS_METADATA_NONE && kind < COUNT_OF(kinds));
    return kinds[kind].name;
}

nilas_code nilas_metadata_table_type(nilas_arena *arena, const nilas_table *table,
                                     nilas_metadata_table kind, const nilas_ice_type **out,
                                     nilas_error *err) {
    nilas_assert(kind > NILAS_METADATA_NONE && kind < COUNT_OF(kinds));
    return kinds[kind].type(arena, table, kind, out, err);
}

nilas_code nilas_metadata_table_rows(nilas_arena *stmt, const nilas_table *table,
                                     nilas_metadata_table kind, const nilas_snapshot *snapshot,
                                     const bool *wanted, nilas_rows **out, nilas_error *err) {
    nilas_assert(kind > NILAS_METADATA_NONE && kind < COUNT_OF(kinds));
    NILAS_REQUIRE(kinds[kind].rows != NULL, err, NILAS_UNSUPPORTED,
                  "the rows of the metadata table %s are not read here", kinds[kind].name);
    return kinds[kind].rows(
        stmt,
        &(nilas_scan__table_options){
            .table = table, .kind = kind, .snapshot = snapshot, .wanted = wanted},
        out, err);
}

// ---- position_deletes ---------------------------------------------------------------------------

static nilas_code position_deletes_type(nilas_arena *arena, const nilas_table *table,
                                        nilas_metadata_table kind, const nilas_ice_type **out,
                                        nilas_error *err) {
    static const nilas_scan__column columns[] = {
        {.id = NILAS_FIELD_DELETE_FILE_PATH,
         .required = true,
         .name = "file_path",
         .kind = NILAS_SCAN__STRING,
         .doc = "Path of a file in which a deleted row is stored"},
        {.id = NILAS_FIELD_DELETE_FILE_POS,
         .required = true,
         .name = "pos",
         .kind = NILAS_SCAN__LONG,
         .doc = "Ordinal position of a deleted row in the data file"},
        {.id = NILAS_FIELD_DELETE_FILE_ROW,
         .name = "row",
         .kind = NILAS_SCAN__GIVEN,
         .doc = "Deleted row values"},
        {.id = NILAS_FIELD_PARTITION,
         .required = true,
         .name = "partition",
         .kind = NILAS_SCAN__GIVEN,
         .doc = "Partition that position delete row belongs to"},
        {.id = NILAS_FIELD_SPEC_ID,
         .required = true,
         .name = "spec_id",
         .kind = NILAS_SCAN__INT,
         .doc = "Spec ID used to track the file containing a row"},
        {.id = NILAS_FIELD_FILE,
         .required = true,
         .name = "delete_file_path",
         .kind = NILAS_SCAN__STRING,
         .doc = "Path of the file in which a row is stored"},
        {.id = NILAS_FIELD_PARTITION - 1,
         .name = "content_offset",
         .kind = NILAS_SCAN__LONG,
         .doc = "The offset in the DV where the content starts"},
        {.id = NILAS_FIELD_PARTITION - 2,
         .name = "content_size_in_bytes",
         .kind = NILAS_SCAN__LONG,
         .doc = "The length in bytes of the DV blob"},
    };
    size_t count = table->metadata->format_version >= 3 ? COUNT_OF(columns) : COUNT_OF(columns) - 2;
    const nilas_ice_type *partition;
    nilas_ice_type *type;

    (void)kind;
    NILAS_TRY(nilas_metadata_partition_type(arena, table->metadata, &partition, err));
    const nilas_ice_type *given[] = {&nilas_metadata_current_schema(table->metadata)->type,
                                     partition->field_count > 0 ? partition : NULL};
    NILAS_TRY(nilas_scan__struct_type(arena, columns, count, given, &type, err));
    *out = type;
    return NILAS_OK;
}

typedef struct delete_list {
    nilas_arena *arena;
    NILAS_ARRAY_OF(nilas_delete_file) items;
    nilas_code code;
    nilas_error *err;
} delete_list;

static nilas_code take_delete(delete_list *list, const nilas_manifest_entry *entry,
                              nilas_error *err) {
    if (entry->status == NILAS_ENTRY_DELETED ||
        entry->file.content != NILAS_FILE_POSITION_DELETES) {
        return NILAS_OK;
    }
    nilas_delete_file file = {.file = entry->file,
                              .sequence_number = entry->sequence_number,
                              .snapshot_id = entry->snapshot_id,
                              .index = list->items.count};
    NILAS_PUSH(list->arena, &list->items, file, err);
    return NILAS_OK;
}

static bool on_delete(void *context, const nilas_manifest_entry *entry) {
    delete_list *list = context;

    list->code = take_delete(list, entry, list->err);
    return list->code == NILAS_OK;
}

nilas_code nilas_scan_position_deletes(nilas_arena *stmt, const nilas_table *table,
                                       const nilas_snapshot *snapshot, nilas_delete_file **out,
                                       size_t *out_count, nilas_error *err) {
    delete_list list = {.arena = stmt, .err = err};
    nilas_manifest_file *manifests;
    size_t count;

    NILAS_TRY(nilas_scan__collect_manifests(stmt, table, snapshot, false, &manifests, &count, err));
    for (size_t i = 0; i < count; i++) {
        if (manifests[i].content != NILAS_MANIFEST_DELETES) {
            continue;
        }
        nilas_code code = nilas_manifest_read(table->io, stmt, table->metadata, &manifests[i],
                                              NILAS_MANIFEST_STATS, true, on_delete, &list, err);
        NILAS_TRY(list.code);
        NILAS_TRY(code);
    }
    *out = list.items.items;
    *out_count = list.items.count;
    return NILAS_OK;
}

// ---- changes ------------------------------------------------------------------------------------

static nilas_code changes_type(nilas_arena *arena, const nilas_table *table,
                               nilas_metadata_table kind, const nilas_ice_type **out,
                               nilas_error *err) {
    static const nilas_ice_field changes[] = {
        {.id = NILAS_FIELD_CHANGE_TYPE,
         .required = true,
         .name = {"_change_type", 12},
         .doc = {"Record type in changelog", 24},
         .has_doc = true},
        {.id = NILAS_FIELD_CHANGE_ORDINAL,
         .required = true,
         .name = {"_change_ordinal", 15},
         .doc = {"Change ordinal in changelog", 27},
         .has_doc = true},
        {.id = NILAS_FIELD_COMMIT_SNAPSHOT_ID,
         .required = true,
         .name = {"_commit_snapshot_id", 19},
         .doc = {"Commit snapshot ID", 18},
         .has_doc = true},
    };
    static const nilas_ice_kind change_kinds[] = {NILAS_ICE_STRING, NILAS_ICE_INT, NILAS_ICE_LONG};
    const nilas_ice_type *row = &nilas_metadata_current_schema(table->metadata)->type;
    nilas_ice_type *type;

    (void)kind;
    NILAS_NEW(arena, &type, err);
    type->kind = NILAS_ICE_STRUCT;
    type->field_count = row->field_count + COUNT_OF(changes);
    NILAS_NEW_ARRAY(arena, &type->fields, type->field_count, err);
    memcpy(type->fields, row->fields, row->field_count * sizeof(type->fields[0]));
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        type->fields[row->field_count + i] = changes[i];
        type->fields[row->field_count + i].type = nilas_ice_primitive(change_kinds[i]);
    }
    *out = type;
    return NILAS_OK;
}
