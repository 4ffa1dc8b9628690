/**
 * Small tables made by hand: manifests, manifest lists and metadata.json in a directory of its own,
 * as a test describes them.
 *
 * Columns: 1 id long, 2 p string, 3 x double. Spec 0 is unpartitioned, spec 1 is identity(p), spec
 * 2 is void(p). Manifests added with make_manifest() belong to the snapshots made after them.
 */
#ifndef NILAS_TEST_UNIT_SCAN_BUILD_H
#define NILAS_TEST_UNIT_SCAN_BUILD_H

#include <ftw.h>
#include <unistd.h>

#include "codec/codec.h"
#include "scan/scan.h"
#include "test.h"

#define ABSENT (-1)

typedef struct made_entry {
    int status;                // NILAS_ENTRY_…; the default 0 is EXISTING
    long long snapshot_id;     // 0: null, inherited
    long long sequence_number; // 0: null, inherited
    int content;
    const char *path;
    const char *format;     // NULL: PARQUET
    const char *p;          // partition; NULL: null
    long long record_count; // 0: 10
    bool has_id_stats;      // of column id
    long long id_lower, id_upper, id_nulls;
    const char *path_lower, *path_upper; // bounds of file_path in a position delete file
    int equality_id;                     // 0: none
    const char *referenced;
    long long content_offset, content_size; // 0: null
} made_entry;

typedef struct made_manifest {
    int content, spec_id;
    long long sequence_number;
    long long added_snapshot_id;
    const made_entry *entries;
    size_t entry_count;
    const char *p_lower, *p_upper; // partition summary; NULL: none
    bool unknown_counts;
} made_manifest;

typedef struct made_table {
    char root[64];
    nilas_arena *arena;
    nilas_io *io;
    nilas_table *table;
    int format_version;
    NILAS_ARRAY_OF(nilas_value) listed; // manifest list entries so far
    nilas_buf snapshots;
    long long current, last_sequence_number;
    size_t manifest_count;
    nilas_error err;
    bool failed;
} made_table;

static const char made_manifest_schema[] =
    "{\"type\":\"record\",\"name\":\"manifest_entry\",\"fields\":["
    "{\"name\":\"status\",\"type\":\"int\",\"field-id\":0},"
    "{\"name\":\"snapshot_id\",\"type\":[\"null\",\"long\"],\"field-id\":1},"
    "{\"name\":\"sequence_number\",\"type\":[\"null\",\"long\"],\"field-id\":3},"
    "{\"name\":\"file_sequence_number\",\"type\":[\"null\",\"long\"],\"field-id\":4},"
    "{\"name\":\"data_file\",\"field-id\":2,\"type\":{\"type\":\"record\",\"name\":\"r2\","
    "\"fields\":["
    "{\"name\":\"content\",\"type\":\"int\",\"field-id\":134},"
    "{\"name\":\"file_path\",\"type\":\"string\",\"field-id\":100},"
    "{\"name\":\"file_format\",\"type\":\"string\",\"field-id\":101},"
    "{\"name\":\"partition\",\"field-id\":102,\"type\":{\"type\":\"record\",\"name\":\"r102\","
    "\"fields\":[%s]}},"
    "{\"name\":\"record_count\",\"type\":\"long\",\"field-id\":103},"
    "{\"name\":\"file_size_in_bytes\",\"type\":\"long\",\"field-id\":104},"
    "{\"name\":\"value_counts\",\"field-id\":109,\"type\":[\"null\",{\"type\":\"array\","
    "\"logicalType\":\"map\",\"items\":{\"type\":\"record\",\"name\":\"k119_v120\",\"fields\":["
    "{\"name\":\"key\",\"type\":\"int\",\"field-id\":119},"
    "{\"name\":\"value\",\"type\":\"long\",\"field-id\":120}]}}]},"
    "{\"name\":\"null_value_counts\",\"field-id\":110,\"type\":[\"null\",{\"type\":\"array\","
    "\"logicalType\":\"map\",\"items\":{\"type\":\"record\",\"name\":\"k121_v122\",\"fields\":["
    "{\"name\":\"key\",\"type\":\"int\",\"field-id\":121},"
    "{\"name\":\"value\",\"type\":\"long\",\"field-id\":122}]}}]},"
    "{\"name\":\"lower_bounds\",\"field-id\":125,\"type\":[\"null\",{\"type\":\"array\","
    "\"logicalType\":\"map\",\"items\":{\"type\":\"record\",\"name\":\"k126_v127\",\"fields\":["
    "{\"name\":\"key\",\"type\":\"int\",\"field-id\":126},"
    "{\"name\":\"value\",\"type\":\"bytes\",\"field-id\":127}]}}]},"
    "{\"name\":\"upper_bounds\",\"field-id\":128,\"type\":[\"null\",{\"type\":\"array\","
    "\"logicalType\":\"map\",\"items\":{\"type\":\"record\",\"name\":\"k129_v130\",\"fields\":["
    "{\"name\":\"key\",\"type\":\"int\",\"field-id\":129},"
    "{\"name\":\"value\",\"type\":\"bytes\",\"field-id\":130}]}}]},"
    "{\"name\":\"equality_ids\",\"field-id\":135,\"type\":[\"null\",{\"type\":\"array\","
    "\"items\":\"int\",\"element-id\":136}]},"
    "{\"name\":\"referenced_data_file\",\"type\":[\"null\",\"string\"],\"field-id\":143},"
    "{\"name\":\"content_offset\",\"type\":[\"null\",\"long\"],\"field-id\":144},"
    "{\"name\":\"content_size_in_bytes\",\"type\":[\"null\",\"long\"],\"field-id\":145}]}}]}";

static const char made_list_schema[] =
    "{\"type\":\"record\",\"name\":\"manifest_file\",\"fields\":["
    "{\"name\":\"manifest_path\",\"type\":\"string\",\"field-id\":500},"
    "{\"name\":\"manifest_length\",\"type\":\"long\",\"field-id\":501},"
    "{\"name\":\"partition_spec_id\",\"type\":\"int\",\"field-id\":502},"
    "{\"name\":\"content\",\"type\":\"int\",\"field-id\":517},"
    "{\"name\":\"sequence_number\",\"type\":\"long\",\"field-id\":515},"
    "{\"name\":\"min_sequence_number\",\"type\":\"long\",\"field-id\":516},"
    "{\"name\":\"added_snapshot_id\",\"type\":\"long\",\"field-id\":503},"
    "{\"name\":\"added_files_count\",\"type\":[\"null\",\"int\"],\"field-id\":504},"
    "{\"name\":\"existing_files_count\",\"type\":[\"null\",\"int\"],\"field-id\":505},"
    "{\"name\":\"deleted_files_count\",\"type\":[\"null\",\"int\"],\"field-id\":506},"
    "{\"name\":\"added_rows_count\",\"type\":[\"null\",\"long\"],\"field-id\":512},"
    "{\"name\":\"existing_rows_count\",\"type\":[\"null\",\"long\"],\"field-id\":513},"
    "{\"name\":\"partitions\",\"field-id\":507,\"type\":[\"null\",{\"type\":\"array\",\"element-"
    "id\":"
    "508,\"items\":{\"type\":\"record\",\"name\":\"r508\",\"fields\":["
    "{\"name\":\"contains_null\",\"type\":\"boolean\",\"field-id\":509},"
    "{\"name\":\"lower_bound\",\"type\":[\"null\",\"bytes\"],\"field-id\":510},"
    "{\"name\":\"upper_bound\",\"type\":[\"null\",\"bytes\"],\"field-id\":511}]}}]}]}";

#define MADE_OK(made, call)                                                                        \
    do {                                                                                           \
        if (!(made)->failed && (call) != NILAS_OK) {                                               \
            (made)->failed = NILAS_TEST_FAIL("%s: %s", #call, (made)->err.message);                \
        }                                                                                          \
    } while (0)

static nilas_value made_text(const char *text) {
    return text != NULL ? nilas_value_of_str(nilas_str_of(text)) : NILAS_NULL_VALUE;
}

static nilas_value made_int(long long number) {
    return number != 0 ? nilas_value_of_int(number) : NILAS_NULL_VALUE;
}

static nilas_value *made_items(made_table *made, size_t count) {
    void *items = NULL;
    MADE_OK(made,
            nilas_arena_alloc_array(made->arena, count, sizeof(nilas_value), &items, &made->err));
    return items;
}

static nilas_value made_struct(made_table *made, size_t count) {
    return (nilas_value){
        .kind = NILAS_VALUE_STRUCT, .items = made_items(made, count), .count = count};
}

static nilas_value made_map(made_table *made, int key, nilas_value value) {
    nilas_value *items = made_items(made, 2);
    items[0] = nilas_value_of_int(key);
    items[1] = value;
    return (nilas_value){.kind = NILAS_VALUE_MAP, .items = items, .count = 1};
}

static nilas_value made_long_bytes(made_table *made, long long number) {
    nilas_str bytes = NILAS_STR_EMPTY;
    nilas_value value = nilas_value_of_int(number);
    MADE_OK(made, nilas_ice_value_encode(made->arena, nilas_ice_primitive(NILAS_ICE_LONG), &value,
                                         &bytes, &made->err));
    return nilas_value_of_bytes(bytes);
}

__attribute__((unused)) static void make_table(made_table *made, int format_version) {
    *made =
        (made_table){.format_version = format_version, .current = ABSENT, .err = NILAS_ERROR_INIT};
    snprintf(made->root, sizeof(made->root), "/tmp/nilas-scan-XXXXXX");
    if (mkdtemp(made->root) == NULL) {
        made->failed = NILAS_TEST_FAIL("no directory for the test");
    }
    made->arena = nilas_arena_new(NULL, 0);
    MADE_OK(made, nilas_io_new(&made->io, &made->err));
}

static int made_remove(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

__attribute__((unused)) static void made_done(made_table *made) {
    nilas_table_unref(made->table);
    nilas_io_free(made->io);
    nilas_buf_done(&made->snapshots);
    nilas_arena_free(made->arena);
    (void)nftw(made->root, made_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static nilas_value made_partition(made_table *made, int spec_id, const char *p) {
    nilas_value partition = made_struct(made, spec_id == 0 ? 0 : 1);
    if (spec_id == 1) {
        partition.items[0] = made_text(p);
    }
    return partition;
}

static void made_statistics(made_table *made, const made_entry *entry, nilas_value *file) {
    if (entry->has_id_stats) {
        file[6] =
            made_map(made, 1, nilas_value_of_int(entry->record_count ? entry->record_count : 10));
        file[7] = made_map(made, 1, nilas_value_of_int(entry->id_nulls));
        file[8] = made_map(made, 1, made_long_bytes(made, entry->id_lower));
        file[9] = made_map(made, 1, made_long_bytes(made, entry->id_upper));
    }
    if (entry->path_lower != NULL) {
        file[8] = made_map(made, NILAS_FIELD_DELETE_FILE_PATH,
                           nilas_value_of_bytes(nilas_str_of(entry->path_lower)));
        file[9] = made_map(made, NILAS_FIELD_DELETE_FILE_PATH,
                           nilas_value_of_bytes(nilas_str_of(entry->path_upper)));
    }
}

static nilas_value made_record(made_table *made, const made_entry *entry, int spec_id) {
    nilas_value record = made_struct(made, 5);
    nilas_value *items = record.items;
    items[0] = nilas_value_of_int(entry->status);
    items[1] = made_int(entry->snapshot_id);
    items[2] = items[3] = made_int(entry->sequence_number);
    items[4] = made_struct(made, 14);
    nilas_value *file = items[4].items;
    file[0] = nilas_value_of_int(entry->content);
    file[1] = made_text(entry->path);
    file[2] = made_text(entry->format != NULL ? entry->format : "PARQUET");
    file[3] = made_partition(made, spec_id, entry->p);
    file[4] = nilas_value_of_int(entry->record_count != 0 ? entry->record_count : 10);
    file[5] = nilas_value_of_int(1000);
    made_statistics(made, entry, file);
    if (entry->equality_id != 0) {
        file[10] =
            (nilas_value){.kind = NILAS_VALUE_LIST, .items = made_items(made, 1), .count = 1};
        file[10].items[0] = nilas_value_of_int(entry->equality_id);
    }
    file[11] = made_text(entry->referenced);
    file[12] =
        entry->content_size != 0 ? nilas_value_of_int(entry->content_offset) : NILAS_NULL_VALUE;
    file[13] = made_int(entry->content_size);
    return record;
}

static nilas_str made_manifest_bytes(made_table *made, const made_manifest *manifest) {
    static const char p_field[] =
        "{\"name\":\"p\",\"type\":[\"null\",\"string\"],\"field-id\":1000}";
    nilas_avro_property properties[] = {
        {NILAS_STR("format-version"), NILAS_STR("2")},
        {NILAS_STR("content"),
         manifest->content == NILAS_MANIFEST_DATA ? NILAS_STR("data") : NILAS_STR("deletes")},
    };
    nilas_avro_writer *writer = NULL;
    nilas_str schema = NILAS_STR_EMPTY, bytes = NILAS_STR_EMPTY;

    MADE_OK(made, nilas_str_print(made->arena, &schema, &made->err, made_manifest_schema,
                                  manifest->spec_id == 0 ? "" : p_field));
    MADE_OK(made, nilas_avro_writer_new(made->arena, schema, properties, 2,
                                        NILAS_COMPRESSION_DEFLATE, -1, &writer, &made->err));
    for (size_t i = 0; i < manifest->entry_count && !made->failed; i++) {
        nilas_value record = made_record(made, &manifest->entries[i], manifest->spec_id);
        MADE_OK(made, nilas_avro_write(writer, &record, &made->err));
    }
    MADE_OK(made, nilas_avro_writer_finish(writer, &bytes, &made->err));
    return bytes;
}

static int made_count(const made_manifest *manifest, int status) {
    int count = 0;
    for (size_t i = 0; i < manifest->entry_count; i++) {
        count += manifest->entries[i].status == status;
    }
    return count;
}

static nilas_value made_summaries(made_table *made, const made_manifest *manifest) {
    nilas_value list = NILAS_NULL_VALUE;
    if (manifest->p_lower != NULL) {
        list = (nilas_value){.kind = NILAS_VALUE_LIST, .items = made_items(made, 1), .count = 1};
        list.items[0] = made_struct(made, 3);
        list.items[0].items[0] = nilas_value_of_bool(false);
        list.items[0].items[1] = nilas_value_of_bytes(nilas_str_of(manifest->p_lower));
        list.items[0].items[2] = nilas_value_of_bytes(nilas_str_of(manifest->p_upper));
    }
    return list;
}

/** Rows of a manifest's entries with a status; no more than fits. */
static inline int64_t made_rows(const made_manifest *manifest, int status) {
    int64_t rows = 0;
    for (size_t i = 0; i < manifest->entry_count; i++) {
        const made_entry *entry = &manifest->entries[i];
        int64_t own = entry->record_count != 0 ? entry->record_count : 10;
        rows += entry->status == status ? own : 0;
    }
    return rows;
}

/** Write a manifest; the snapshots made from now on list it. */
__attribute__((unused)) static void make_manifest(made_table *made, const made_manifest *manifest) {
    nilas_str bytes = made_manifest_bytes(made, manifest);
    nilas_str path = NILAS_STR_EMPTY;

    MADE_OK(made, nilas_str_print(made->arena, &path, &made->err, "%s/metadata/m%zu.avro",
                                  made->root, made->manifest_count++));
    MADE_OK(made, nilas_io_write(made->io, path, bytes, false, &made->err));
    nilas_value listed = made_struct(made, 13);
    nilas_value *items = listed.items;
    items[0] = nilas_value_of_str(path);
    items[1] = nilas_value_of_int((int64_t)bytes.size);
    items[2] = nilas_value_of_int(manifest->spec_id);
    items[3] = nilas_value_of_int(manifest->content);
    items[4] = items[5] = nilas_value_of_int(manifest->sequence_number);
    items[6] = nilas_value_of_int(manifest->added_snapshot_id);
    if (!manifest->unknown_counts) {
        items[7] = nilas_value_of_int(made_count(manifest, NILAS_ENTRY_ADDED));
        items[8] = nilas_value_of_int(made_count(manifest, NILAS_ENTRY_EXISTING));
        items[9] = nilas_value_of_int(made_count(manifest, NILAS_ENTRY_DELETED));
        items[10] = nilas_value_of_int(made_rows(manifest, NILAS_ENTRY_ADDED));
        items[11] = nilas_value_of_int(made_rows(manifest, NILAS_ENTRY_EXISTING));
    }
    items[12] = made_summaries(made, manifest);
    nilas_code code = nilas_array_grow(made->arena, &made->listed.items, made->listed.count,
                                       &made->listed.capacity, sizeof(nilas_value), &made->err);
    MADE_OK(made, code);
    made->listed.items[made->listed.count++] = listed;
}

/** Write a manifest list of all manifests so far, and note the snapshot; it is the current one. */
__attribute__((unused)) static void make_snapshot(made_table *made, long long id, long long parent,
                                                  long long sequence_number,
                                                  const char *operation) {
    nilas_avro_property version = {NILAS_STR("format-version"), NILAS_STR("2")};
    nilas_avro_writer *writer = NULL;
    nilas_str bytes = NILAS_STR_EMPTY, path = NILAS_STR_EMPTY;

    MADE_OK(made, nilas_avro_writer_new(made->arena, nilas_str_of(made_list_schema), &version, 1,
                                        NILAS_COMPRESSION_NONE, -1, &writer, &made->err));
    for (size_t i = 0; i < made->listed.count && !made->failed; i++) {
        MADE_OK(made, nilas_avro_write(writer, &made->listed.items[i], &made->err));
    }
    MADE_OK(made, nilas_avro_writer_finish(writer, &bytes, &made->err));
    MADE_OK(made, nilas_str_print(made->arena, &path, &made->err, "%s/metadata/snap-%lld.avro",
                                  made->root, id));
    MADE_OK(made, nilas_io_write(made->io, path, bytes, false, &made->err));
    nilas_buf_print(&made->snapshots, "%s{\"snapshot-id\":%lld,",
                    made->snapshots.size > 0 ? "," : "", id);
    if (parent != ABSENT) {
        nilas_buf_print(&made->snapshots, "\"parent-snapshot-id\":%lld,", parent);
    }
    nilas_buf_print(&made->snapshots,
                    "\"sequence-number\":%lld,\"timestamp-ms\":%lld,\"manifest-list\":\"%s\","
                    "\"summary\":{\"operation\":\"%s\"},\"schema-id\":0}",
                    sequence_number, 1000 * sequence_number, path.data, operation);
    made->current = id;
    made->last_sequence_number = sequence_number;
}

/** Write metadata.json with these properties ("" for none) and load the table. */
__attribute__((unused)) static const nilas_table *load_made(made_table *made,
                                                            const char *properties) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_str path = NILAS_STR_EMPTY;
    nilas_arena *arena = nilas_arena_new(NULL, 0);
    nilas_metadata *metadata = NULL;

    nilas_buf_print(
        &text,
        "{\"format-version\":%d,\"table-uuid\":\"9c12d441-03fe-4693-9a96-a0705ddf69c1\","
        "\"location\":\"%s\",\"last-sequence-number\":%lld,\"last-updated-ms\":9000,"
        "\"last-column-id\":3,\"current-schema-id\":0,\"schemas\":[{\"type\":\"struct\","
        "\"schema-id\":0,\"fields\":["
        "{\"id\":1,\"name\":\"id\",\"required\":false,\"type\":\"long\"},"
        "{\"id\":2,\"name\":\"p\",\"required\":false,\"type\":\"string\"},"
        "{\"id\":3,\"name\":\"x\",\"required\":false,\"type\":\"double\"}]}],"
        "\"default-spec-id\":1,\"partition-specs\":[{\"spec-id\":0,\"fields\":[]},"
        "{\"spec-id\":1,\"fields\":[{\"source-id\":2,\"field-id\":1000,\"name\":\"p\","
        "\"transform\":\"identity\"}]},"
        "{\"spec-id\":2,\"fields\":[{\"source-id\":2,\"field-id\":1000,\"name\":\"p\","
        "\"transform\":\"void\"}]}],\"last-partition-id\":1000,"
        "\"default-sort-order-id\":0,\"sort-orders\":[{\"order-id\":0,\"fields\":[]}],"
        "\"properties\":{%s},\"next-row-id\":0,\"snapshots\":[%.*s]",
        made->format_version, made->root, made->last_sequence_number, properties,
        NILAS_FMT(nilas_buf_view(&made->snapshots)));
    if (made->current != ABSENT) {
        nilas_buf_print(&text, ",\"current-snapshot-id\":%lld", made->current);
    }
    nilas_buf_add_char(&text, '}');
    MADE_OK(made, nilas_str_print(made->arena, &path, &made->err, "%s/metadata/v1.metadata.json",
                                  made->root));
    MADE_OK(made, nilas_io_write(made->io, path, nilas_buf_view(&text), true, &made->err));
    MADE_OK(made, nilas_metadata_load(made->io, arena, path, &metadata, &made->err));
    nilas_str name = NILAS_STR("made");
    MADE_OK(made, nilas_table_new(arena, made->io, NILAS_STR_EMPTY, &name, 1, metadata,
                                  &made->table, &made->err));
    return made->table;
}

/** Plan the current snapshot, without a filter. */
__attribute__((unused)) static nilas_scan_plan *plan_made(made_table *made, uint32_t workers) {
    nilas_scan_plan *plan = NULL;
    nilas_scan_options options = {
        .snapshot = nilas_metadata_current_snapshot(made->table->metadata),
        .worker_count = workers,
    };
    MADE_OK(made, nilas_scan_plan_new(made->arena, made->table, &options, &plan, &made->err));
    return plan;
}

/** Paths of the deletes of a data file's task, joined by blanks; "?" when there is no task. */
__attribute__((unused)) static const char *deletes_of(made_table *made, const nilas_scan_plan *plan,
                                                      const char *path) {
    for (size_t t = 0; plan != NULL && t < plan->task_count; t++) {
        const nilas_scan_task *task = &plan->tasks[t];
        nilas_str joined = NILAS_STR_EMPTY;
        if (!nilas_str_is(task->file.file_path, path)) {
            continue;
        }
        for (size_t d = 0; d < task->delete_count; d++) {
            MADE_OK(made,
                    nilas_str_print(made->arena, &joined, &made->err, "%s%s%.*s", joined.data,
                                    d > 0 ? " " : "", NILAS_FMT(task->deletes[d]->file.file_path)));
        }
        return joined.data;
    }
    return "?";
}

#endif
