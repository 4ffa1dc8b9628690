/* What is written is read back the same: entries of every version, partitions of every type. */
#include "iceberg/iceberg.h"
#include "test.h"

typedef struct fixture {
    nilas_arena *arena;
    nilas_metadata *metadata;
    nilas_error err;
} fixture;

/** One column of each type, each an identity partition field, in a format version. */
static void make(fixture *at, int version) {
    static const char *const types[] = {
        "boolean",   "int",         "long", "float",  "double",        "date",     "time",
        "timestamp", "timestamptz", "uuid", "string", "decimal(9, 2)", "fixed[3]", "binary"};
    size_t count = sizeof(types) / sizeof(types[0]);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);

    *at = (fixture){.arena = nilas_arena_new(NULL, 0), .err = NILAS_ERROR_INIT};
    nilas_buf_print(&text,
                    "{\"format-version\":%d,\"location\":\"/t\",\"last-column-id\":99,"
                    "\"last-updated-ms\":1,\"current-schema-id\":0,\"schemas\":[{\"type\":"
                    "\"struct\",\"schema-id\":0,\"fields\":[",
                    version);
    for (size_t i = 0; i < count; i++) {
        nilas_buf_print(&text,
                        "%s{\"id\":%zu,\"name\":\"c-%zu\",\"required\":false,\"type\":\"%s\"}",
                        i > 0 ? "," : "", i + 1, i, types[i]);
    }
    nilas_buf_add_text(&text, "]}],\"default-spec-id\":0,\"partition-specs\":[{\"spec-id\":0,"
                              "\"fields\":[");
    for (size_t i = 0; i < count; i++) {
        nilas_buf_print(&text,
                        "%s{\"source-id\":%zu,\"field-id\":%zu,\"name\":\"c-%zu\",\"transform\":"
                        "\"identity\"}",
                        i > 0 ? "," : "", i + 1, 1000 + i, i);
    }
    nilas_buf_add_text(&text, "]}],\"sort-orders\":[{\"order-id\":0,\"fields\":[]}],"
                              "\"default-sort-order-id\":0,\"snapshots\":[]}");
    CHECK_OK(nilas_metadata_parse(at->arena, nilas_buf_view(&text), NILAS_STR("/t/m.json"),
                                  &at->metadata, &at->err),
             at->err);
}

#define FIELDS 14

static nilas_value tuple[FIELDS];

/** A value of each type; `n` tells two apart. */
static nilas_value partition_of(int n) {
    tuple[0] = nilas_value_of_bool(n % 2 == 0);
    tuple[1] = nilas_value_of_int(-5 + n);
    tuple[2] = nilas_value_of_int(1LL << (40 + n));
    tuple[3] = nilas_value_of_float(1.5F + (float)n);
    tuple[4] = nilas_value_of_double(-2.25 * n);
    tuple[5] = nilas_value_of_int(18000 + n);
    tuple[6] = nilas_value_of_int(1000 * n);
    tuple[7] = nilas_value_of_int(-1000000LL * n);
    tuple[8] = nilas_value_of_int(1700000000000000LL + n);
    tuple[9] = nilas_value_of_bytes(NILAS_STR("0123456789abcdef"));
    tuple[10] = n == 1 ? NILAS_NULL_VALUE : nilas_value_of_str(NILAS_STR("gr\xc3\xbc\xc3\x9f"));
    tuple[11] = nilas_value_of_decimal(-12345 + n, 2);
    tuple[12] = nilas_value_of_bytes(NILAS_STR("abc"));
    tuple[13] = nilas_value_of_bytes(NILAS_STR("\0\x01"));
    return (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = tuple, .count = FIELDS};
}

static nilas_manifest_entry entry_of(nilas_entry_status status, int n) {
    static nilas_int_count counts[] = {{1, 10}, {2, 20}};
    static nilas_bound bounds[] = {{1, {"\x01", 1}}, {2, {"ab", 2}}};
    static int64_t offsets[] = {4, 1000};

    return (nilas_manifest_entry){.status = status,
                                  .snapshot_id = 7,
                                  .sequence_number = status == NILAS_ENTRY_ADDED ? -1 : 3 + n,
                                  .file_sequence_number = status == NILAS_ENTRY_ADDED ? -1 : 4 + n,
                                  .file = {.file_path = NILAS_STR("/t/data/a.parquet"),
                                           .file_format = NILAS_STR("PARQUET"),
                                           .partition = partition_of(n),
                                           .record_count = 100 + n,
                                           .file_size_in_bytes = 1000,
                                           .column_sizes = counts,
                                           .column_size_count = 2,
                                           .has_column_sizes = true,
                                           .value_counts = counts,
                                           .value_count_count = 1,
                                           .has_value_counts = true,
                                           .lower_bounds = bounds,
                                           .lower_bound_count = 2,
                                           .has_lower_bounds = true,
                                           .upper_bounds = bounds,
                                           .upper_bound_count = 0,
                                           .has_upper_bounds = true,
                                           .split_offsets = offsets,
                                           .split_offset_count = 2,
                                           .has_split_offsets = true,
                                           .sort_order_id = 1,
                                           .first_row_id = 50,
                                           .content_offset = -1,
                                           .content_size_in_bytes = -1}};
}

typedef struct found {
    nilas_manifest_entry entries[8];
    size_t count;
} found;

static bool keep_entry(void *context, const nilas_manifest_entry *entry) {
    found *to = context;
    to->entries[to->count++] = *entry;
    return to->count < 8;
}

/** Write three entries and read them. */
static void round_trip(fixture *at, nilas_manifest_file *line, found *out) {
    nilas_manifest_writer_options options = {
        .metadata = at->metadata, .content = NILAS_MANIFEST_DATA, .snapshot_id = 7};
    nilas_manifest_writer *writer;
    nilas_str bytes;

    CHECK_OK(nilas_manifest_writer_new(at->arena, &options, &writer, &at->err), at->err);
    for (int n = 0; n < 3; n++) {
        nilas_manifest_entry entry = entry_of((nilas_entry_status)n, n);
        CHECK_OK(nilas_manifest_writer_add(writer, &entry, &at->err), at->err);
    }
    CHECK_INT(nilas_manifest_writer_count(writer), 3);
    CHECK_OK(nilas_manifest_writer_finish(writer, &bytes, line, &at->err), at->err);
    line->path = NILAS_STR("/t/m.avro");
    nilas_manifest_file read = *line;
    read.sequence_number = read.sequence_number < 0 ? 9 : read.sequence_number; // as a list would
    nilas_manifest_visit visit = {
        .columns = NILAS_MANIFEST_ALL, .keep = true, .body = keep_entry, .context = out};
    CHECK_OK(nilas_manifest_decode(at->arena, at->metadata, &read, bytes, &visit, &at->err),
             at->err);
}

static void check_version(int version) {
    fixture at;
    nilas_manifest_file line;
    found read = {.count = 0};

    make(&at, version);
    round_trip(&at, &line, &read);
    CHECK_INT(line.added_files_count, 1);
    CHECK_INT(line.existing_files_count, 1);
    CHECK_INT(line.deleted_files_count, 1);
    CHECK_INT(line.added_rows_count, 101);
    CHECK_INT(line.existing_rows_count, 100);
    CHECK_INT(line.partition_count, FIELDS);
    CHECK(line.partitions[10].contains_null && !line.partitions[9].contains_null);
    REQUIRE(read.count == 3);
    for (int n = 0; n < 3; n++) {
        nilas_manifest_entry expected = entry_of((nilas_entry_status)n, n);
        const nilas_manifest_entry *entry = &read.entries[n];
        CHECK_INT(entry->status, n);
        CHECK_INT(entry->snapshot_id, 7);
        CHECK_BYTES(entry->file.file_path, expected.file.file_path);
        CHECK_INT(entry->file.record_count, 100 + n);
        CHECK_INT(entry->file.column_size_count, 2);
        CHECK_INT(entry->file.value_count_count, 1);
        CHECK(!entry->file.has_null_value_counts);
        CHECK(entry->file.has_upper_bounds && entry->file.upper_bound_count == 0);
        CHECK_STR(entry->file.lower_bounds[1].bytes, "ab");
        CHECK_INT(entry->file.split_offsets[1], 1000);
        CHECK_INT(entry->file.sort_order_id, 1);
        for (size_t i = 0; i < FIELDS; i++) {
            if (!nilas_value_equal(&entry->file.partition.items[i], &tuple[i])) {
                NILAS_TEST_FAIL("version %d, entry %d: partition value %zu differs", version, n, i);
            }
        }
    }
    if (version > 1) {
        CHECK_INT(read.entries[0].sequence_number, 3);
        CHECK_INT(read.entries[0].file_sequence_number, 4);
        CHECK_INT(read.entries[1].sequence_number, 9); // inherited
        CHECK_INT(line.min_sequence_number, 3);
    }
    nilas_arena_free(at.arena);
}

NILAS_TEST(entries_are_read_back_as_they_were) {
    check_version(1);
    check_version(2);
    check_version(3);
}

NILAS_TEST(what_does_not_fit_its_manifest_is_refused) {
    fixture at;
    nilas_manifest_writer *writer;
    make(&at, 2);
    nilas_manifest_writer_options options = {
        .metadata = at.metadata, .content = NILAS_MANIFEST_DATA, .snapshot_id = 7};
    REQUIRE_OK(nilas_manifest_writer_new(at.arena, &options, &writer, &at.err), at.err);
    nilas_manifest_entry entry = entry_of(NILAS_ENTRY_EXISTING, 0);
    entry.sequence_number = -1;
    CHECK_FAILS(nilas_manifest_writer_add(writer, &entry, &at.err), NILAS_INVALID, at.err,
                "has no sequence number");
    entry = entry_of(NILAS_ENTRY_ADDED, 0);
    entry.file.partition.count = 2;
    CHECK_FAILS(nilas_manifest_writer_add(writer, &entry, &at.err), NILAS_INVALID, at.err,
                "must have 14 values");
    entry = entry_of(NILAS_ENTRY_ADDED, 0);
    entry.file.content = NILAS_FILE_POSITION_DELETES;
    CHECK_CODE(nilas_manifest_writer_add(writer, &entry, &at.err), NILAS_INVALID, at.err);
    CHECK_INT(nilas_manifest_writer_count(writer), 0);
    options.spec_id = 4;
    CHECK_FAILS(nilas_manifest_writer_new(at.arena, &options, &writer, &at.err), NILAS_INVALID,
                at.err, "Cannot find partition spec 4");
    nilas_arena_free(at.arena);
    make(&at, 1);
    options = (nilas_manifest_writer_options){
        .metadata = at.metadata, .content = NILAS_MANIFEST_DELETES, .snapshot_id = 7};
    CHECK_CODE(nilas_manifest_writer_new(at.arena, &options, &writer, &at.err), NILAS_INVALID,
               at.err);
    nilas_arena_free(at.arena);
}

NILAS_TEST(lists_settle_numbers_and_row_ids) {
    for (int version = 1; version <= 3; version++) {
        fixture at;
        nilas_manifest_file lines[2], *read;
        found entries = {.count = 0};
        nilas_str bytes;
        size_t count = 0;
        int64_t next = 0;
        make(&at, version);
        round_trip(&at, &lines[0], &entries);
        lines[1] = lines[0];
        lines[1].sequence_number = 2;
        lines[1].first_row_id = 11;
        nilas_manifest_list_options options = {.format_version = version,
                                               .snapshot_id = 7,
                                               .parent_id = -1,
                                               .sequence_number = 9,
                                               .next_row_id = 500};
        CHECK_OK(nilas_manifest_list_encode(at.arena, &options, lines, 2, &bytes, &next, &at.err),
                 at.err);
        CHECK_OK(nilas_manifest_list_decode(at.arena, bytes, NILAS_STR("/t/list.avro"), &read,
                                            &count, &at.err),
                 at.err);
        REQUIRE(count == 2);
        CHECK_STR(read[0].path, "/t/m.avro");
        CHECK_INT(read[0].length, lines[0].length);
        CHECK_INT(read[0].added_snapshot_id, 7);
        CHECK_INT(read[0].existing_rows_count, 100);
        CHECK_INT(read[0].partition_count, FIELDS);
        CHECK_BYTES(read[0].partitions[11].lower_bound, lines[0].partitions[11].lower_bound);
        CHECK_INT(read[0].sequence_number, version == 1 ? 0 : 9);
        CHECK_INT(read[1].sequence_number, version == 1 ? 0 : 2);
        CHECK_INT(read[0].first_row_id, version == 3 ? 500 : -1);
        CHECK_INT(read[1].first_row_id, version == 3 ? 11 : -1);
        CHECK_INT(next, version == 3 ? 701 : 500);
        nilas_arena_free(at.arena);
    }
}
