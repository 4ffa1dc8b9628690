/*
 * Manifests as Avro bytes: one record an entry, with the fields of the table's format version, and
 * what the manifest's line in the list says about them: counts, lowest sequence number, a summary
 * of each partition field.
 */
#include "iceberg/manifest_write.h"

#include <math.h>

#include "iceberg/avro_schema_text.h"
#include "iceberg/parse.h"

#define ALL NILAS_IN_ALL
#define V23 NILAS_IN_V23

#define FIELD(id, name, shape, inner_id, required, versions, doc)                                  \
    {id, name, NILAS_SHAPE_##shape, inner_id, required, versions, doc},

static const nilas_field_text file_fields[] = {
    NILAS_DATA_FILE_FIELDS_FIRST(FIELD){105, "block_size_in_bytes", NILAS_SHAPE_LONG, 0, true,
                                        NILAS_IN_V1, NULL},
    NILAS_DATA_FILE_FIELDS_REST(FIELD)};
#define FILE_FIELDS   (sizeof(file_fields) / sizeof(file_fields[0]))
#define V1_BLOCK_SIZE (64LL << 20) // as Iceberg writes: the field is required and means nothing

static const nilas_field_text entry_fields[] = {
    {0, "status", NILAS_SHAPE_INT, 0, true, ALL, NULL},
    {1, "snapshot_id", NILAS_SHAPE_LONG, 0, false, ALL, NULL},
    {3, "sequence_number", NILAS_SHAPE_LONG, 0, false, V23, NULL},
    {4, "file_sequence_number", NILAS_SHAPE_LONG, 0, false, V23, NULL},
};
#define ENTRY_FIELDS (sizeof(entry_fields) / sizeof(entry_fields[0]))

typedef struct partition_stats {
    bool contains_null, contains_nan;
    bool has_bounds;
    nilas_value lower, upper; // in the writer's arena
} partition_stats;

struct nilas_manifest_writer {
    nilas_arena *arena;
    nilas_arena *scratch; // of one entry
    nilas_manifest_writer_options options;
    int32_t version;
    const nilas_ice_type *partition;
    nilas_avro_writer *avro;
    partition_stats *stats; // a field each
    nilas_manifest_file line;
    int64_t min_sequence_number; // of live files that have one; -1: none yet
    size_t count;
};

// ---- the header ---------------------------------------------------------------------------------

/** The codec by its property: Java says gzip where Avro says deflate. */
static nilas_code parse_codec(nilas_str name, nilas_compression *out, nilas_error *err) {
    if (name.size == 0 || nilas_str_is_nocase(name, "gzip")) {
        *out = NILAS_COMPRESSION_DEFLATE;
    } else if (nilas_str_is_nocase(name, "zstd")) {
        *out = NILAS_COMPRESSION_ZSTD;
    } else if (nilas_str_is_nocase(name, "snappy")) {
        *out = NILAS_COMPRESSION_SNAPPY;
    } else if (nilas_str_is_nocase(name, "uncompressed") || nilas_str_is_nocase(name, "none")) {
        *out = NILAS_COMPRESSION_NONE;
    } else {
        return nilas_fail(err, NILAS_INVALID, "Unsupported compression codec: %.*s",
                          NILAS_FMT(name));
    }
    return NILAS_OK;
}

static void print_avro(nilas_buf *out, const nilas_fields_text *entry,
                       const nilas_fields_text *file) {
    nilas_buf_add_text(out, "{\"type\":\"record\",\"name\":\"manifest_entry\",\"fields\":[");
    nilas_iceberg__print_avro_fields(out, entry);
    nilas_buf_add_text(
        out, ",{\"name\":\"data_file\",\"type\":{\"type\":\"record\",\"name\":\"r2\",\"fields\":[");
    nilas_iceberg__print_avro_fields(out, file);
    nilas_buf_add_text(out, "]},\"field-id\":2}]}");
}

static void print_iceberg(nilas_buf *out, const nilas_fields_text *entry,
                          const nilas_fields_text *file) {
    nilas_buf_add_text(out, "{\"type\":\"struct\",\"schema-id\":0,\"fields\":[");
    nilas_iceberg__print_schema_fields(out, entry);
    nilas_buf_add_text(out, ",{\"id\":2,\"name\":\"data_file\",\"required\":true,"
                            "\"type\":{\"type\":\"struct\",\"fields\":[");
    nilas_iceberg__print_schema_fields(out, file);
    nilas_buf_add_text(out, "]}}]}");
}

/** Take what was printed into the arena and empty the buffer. */
static nilas_code take(nilas_buf *buf, nilas_arena *arena, nilas_str *out, nilas_error *err) {
    NILAS_TRY(nilas_buf_finish(buf, arena, out, err));
    nilas_buf_clear(buf);
    return NILAS_OK;
}

static nilas_code open_avro(nilas_manifest_writer *writer, const nilas_partition_spec *spec,
                            nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    const nilas_metadata *metadata = writer->options.metadata;
    nilas_fields_text entry = {entry_fields, ENTRY_FIELDS, writer->version, NULL};
    nilas_fields_text file = {file_fields, FILE_FIELDS, writer->version, writer->partition};
    nilas_avro_property properties[6] = {
        {NILAS_STR("schema"), NILAS_STR_EMPTY},
        {NILAS_STR("partition-spec"), NILAS_STR_EMPTY},
        {NILAS_STR("partition-spec-id"), NILAS_STR_EMPTY},
        {NILAS_STR("format-version"), NILAS_STR_EMPTY},
        {NILAS_STR("iceberg.schema"), NILAS_STR_EMPTY},
        {NILAS_STR("content"),
         writer->options.content == NILAS_MANIFEST_DATA ? NILAS_STR("data") : NILAS_STR("deletes")},
    };
    nilas_compression codec;
    nilas_str avro;

    NILAS_TRY(parse_codec(
        nilas_metadata_property(metadata, "write.manifest.compression-codec", NILAS_STR_EMPTY),
        &codec, err));
    nilas_schema_print(&text, nilas_metadata_current_schema(metadata));
    NILAS_TRY(take(&text, writer->arena, &properties[0].value, err));
    nilas_iceberg__print_spec_fields(&text, spec);
    NILAS_TRY(take(&text, writer->arena, &properties[1].value, err));
    nilas_buf_print(&text, "%d", spec->spec_id);
    NILAS_TRY(take(&text, writer->arena, &properties[2].value, err));
    nilas_buf_print(&text, "%d", writer->version);
    NILAS_TRY(take(&text, writer->arena, &properties[3].value, err));
    print_iceberg(&text, &entry, &file);
    NILAS_TRY(take(&text, writer->arena, &properties[4].value, err));
    print_avro(&text, &entry, &file);
    NILAS_TRY(take(&text, writer->arena, &avro, err));
    return nilas_avro_writer_new(writer->arena, avro, properties, writer->version > 1 ? 6 : 5,
                                 codec, -1, &writer->avro, err);
}

nilas_code nilas_manifest_writer_new(nilas_arena *arena,
                                     const nilas_manifest_writer_options *options,
                                     nilas_manifest_writer **out, nilas_error *err) {
    const nilas_partition_spec *spec = nilas_metadata_spec(options->metadata, options->spec_id);
    nilas_manifest_writer *writer;

    NILAS_REQUIRE(spec != NULL, err, NILAS_INVALID, "Cannot find partition spec %d",
                  options->spec_id);
    NILAS_REQUIRE(options->metadata->format_version > 1 || options->content == NILAS_MANIFEST_DATA,
                  err, NILAS_INVALID, "Cannot write delete files in a v1 table");
    NILAS_NEW(arena, &writer, err);
    writer->arena = arena;
    writer->options = *options;
    writer->version = options->metadata->format_version;
    writer->min_sequence_number = -1;
    writer->scratch = nilas_arena_new(arena, 0);
    NILAS_REQUIRE(writer->scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_spec_partition_type(arena, options->metadata, spec, &writer->partition, err));
    NILAS_NEW_ARRAY(arena, &writer->stats, writer->partition->field_count, err);
    writer->line = (nilas_manifest_file){.path = NILAS_STR_EMPTY,
                                         .partition_spec_id = options->spec_id,
                                         .content = options->content,
                                         .sequence_number = -1,
                                         .min_sequence_number = -1,
                                         .added_snapshot_id = options->snapshot_id,
                                         .first_row_id = -1};
    NILAS_TRY(open_avro(writer, spec, err));
    *out = writer;
    return NILAS_OK;
}

// ---- entries ------------------------------------------------------------------------------------

static nilas_value int_or_null(int64_t v) {
    return v < 0 ? NILAS_NULL_VALUE : nilas_value_of_int(v);
}

static nilas_code counts_value(nilas_arena *arena, const nilas_int_count *list, size_t count,
                               bool present, nilas_value *out, nilas_error *err) {
    *out = NILAS_NULL_VALUE;
    if (!present) {
        return NILAS_OK;
    }
    out->kind = NILAS_VALUE_MAP;
    out->count = 0;
    NILAS_NEW_ARRAY(arena, &out->items, 2 * count, err);
    for (size_t i = 0; i < count; i++) {
        if (list[i].count >= 0) { // a null value means the same as none
            out->items[2 * out->count] = nilas_value_of_int(list[i].field_id);
            out->items[2 * out->count + 1] = nilas_value_of_int(list[i].count);
            out->count++;
        }
    }
    return NILAS_OK;
}

static nilas_code bounds_value(nilas_arena *arena, const nilas_bound *list, size_t count,
                               bool present, nilas_value *out, nilas_error *err) {
    *out = NILAS_NULL_VALUE;
    if (!present) {
        return NILAS_OK;
    }
    out->kind = NILAS_VALUE_MAP;
    out->count = 0;
    NILAS_NEW_ARRAY(arena, &out->items, 2 * count, err);
    for (size_t i = 0; i < count; i++) {
        if (list[i].bytes.data != NULL) {
            out->items[2 * out->count] = nilas_value_of_int(list[i].field_id);
            out->items[2 * out->count + 1] = nilas_value_of_bytes(list[i].bytes);
            out->count++;
        }
    }
    return NILAS_OK;
}

static nilas_code lists_value(nilas_arena *arena, const nilas_data_file *file, bool offsets,
                              nilas_value *out, nilas_error *err) {
    size_t count = offsets ? file->split_offset_count : file->equality_id_count;

    *out = NILAS_NULL_VALUE;
    if (!(offsets ? file->has_split_offsets : file->has_equality_ids)) {
        return NILAS_OK;
    }
    out->kind = NILAS_VALUE_LIST;
    out->count = count;
    NILAS_NEW_ARRAY(arena, &out->items, count, err);
    for (size_t i = 0; i < count; i++) {
        out->items[i] =
            nilas_value_of_int(offsets ? file->split_offsets[i] : file->equality_ids[i]);
    }
    return NILAS_OK;
}

/** What is a map or a list. */
static nilas_code nested_value(nilas_arena *arena, const nilas_data_file *file, int field_id,
                               nilas_value *out, nilas_error *err) {
    switch (field_id) {
    case 108:
        return counts_value(arena, file->column_sizes, file->column_size_count,
                            file->has_column_sizes, out, err);
    case 109:
        return counts_value(arena, file->value_counts, file->value_count_count,
                            file->has_value_counts, out, err);
    case 110:
        return counts_value(arena, file->null_value_counts, file->null_value_count_count,
                            file->has_null_value_counts, out, err);
    case 137:
        return counts_value(arena, file->nan_value_counts, file->nan_value_count_count,
                            file->has_nan_value_counts, out, err);
    case 125:
        return bounds_value(arena, file->lower_bounds, file->lower_bound_count,
                            file->has_lower_bounds, out, err);
    case 128:
        return bounds_value(arena, file->upper_bounds, file->upper_bound_count,
                            file->has_upper_bounds, out, err);
    case 132: return lists_value(arena, file, true, out, err);
    default: nilas_assert(field_id == 135); return lists_value(arena, file, false, out, err);
    }
}

static nilas_code file_value(nilas_manifest_writer *writer, const nilas_manifest_entry *entry,
                             int field_id, nilas_value *out, nilas_error *err) {
    const nilas_data_file *file = &entry->file;

    switch (field_id) {
    case 134: *out = nilas_value_of_int(file->content); break;
    case 100: *out = nilas_value_of_str(file->file_path); break;
    case 101: *out = nilas_value_of_str(file->file_format); break;
    case 102:
        *out = file->partition;
        if (writer->partition->field_count == 0) {
            *out = (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = NULL, .count = 0};
        }
        break;
    case 103: *out = nilas_value_of_int(file->record_count); break;
    case 104: *out = nilas_value_of_int(file->file_size_in_bytes); break;
    case 105: *out = nilas_value_of_int(V1_BLOCK_SIZE); break;
    case 131:
        *out = file->key_metadata.data != NULL ? nilas_value_of_bytes(file->key_metadata)
                                               : NILAS_NULL_VALUE;
        break;
    case 140: *out = int_or_null(file->sort_order_id); break;
    case 142:
        *out = int_or_null(entry->status == NILAS_ENTRY_ADDED || file->content != NILAS_FILE_DATA
                               ? -1
                               : file->first_row_id);
        break;
    case 143:
        *out = file->referenced_data_file.size > 0 ? nilas_value_of_str(file->referenced_data_file)
                                                   : NILAS_NULL_VALUE;
        break;
    // Only a deletion vector has a place inside its file; 0 is one, but no size is.
    case 144:
        *out = int_or_null(file->content_size_in_bytes > 0 ? file->content_offset : -1);
        break;
    case 145:
        *out = int_or_null(file->content_size_in_bytes > 0 ? file->content_size_in_bytes : -1);
        break;
    default: return nested_value(writer->scratch, file, field_id, out, err);
    }
    return NILAS_OK;
}

static nilas_code check_entry(const nilas_manifest_writer *writer,
                              const nilas_manifest_entry *entry, nilas_error *err) {
    const nilas_data_file *file = &entry->file;
    bool is_data = file->content == NILAS_FILE_DATA;

    NILAS_REQUIRE(is_data == (writer->options.content == NILAS_MANIFEST_DATA), err, NILAS_INVALID,
                  "file \"%.*s\" has content %d, which is not that of its manifest",
                  NILAS_FMT(file->file_path), file->content);
    NILAS_REQUIRE(writer->partition->field_count == 0 ||
                      (file->partition.kind == NILAS_VALUE_STRUCT &&
                       file->partition.count == writer->partition->field_count),
                  err, NILAS_INVALID, "the partition of \"%.*s\" must have %zu values (spec %d)",
                  NILAS_FMT(file->file_path), writer->partition->field_count,
                  writer->options.spec_id);
    NILAS_REQUIRE(file->record_count >= 0 && file->file_size_in_bytes >= 0, err, NILAS_INVALID,
                  "file \"%.*s\" has no record count or size", NILAS_FMT(file->file_path));
    NILAS_REQUIRE(writer->version == 1 || entry->status != NILAS_ENTRY_EXISTING ||
                      entry->sequence_number >= 0,
                  err, NILAS_INVALID, "existing file \"%.*s\" has no sequence number",
                  NILAS_FMT(file->file_path));
    return NILAS_OK;
}

static bool is_nan(const nilas_value *value) {
    return (value->kind == NILAS_VALUE_FLOAT || value->kind == NILAS_VALUE_DOUBLE) &&
           isnan(value->real);
}

static nilas_code note_partition(nilas_manifest_writer *writer, const nilas_value *tuple,
                                 nilas_error *err) {
    for (size_t i = 0; i < writer->partition->field_count; i++) {
        partition_stats *stats = &writer->stats[i];
        const nilas_value *value = &tuple->items[i];
        if (nilas_value_is_null(value)) {
            stats->contains_null = true;
        } else if (is_nan(value)) {
            stats->contains_nan = true;
        } else if (!stats->has_bounds) {
            NILAS_TRY(nilas_value_copy(writer->arena, value, &stats->lower, err));
            stats->upper = stats->lower;
            stats->has_bounds = true;
        } else if (nilas_value_compare(value, &stats->lower) < 0) {
            NILAS_TRY(nilas_value_copy(writer->arena, value, &stats->lower, err));
        } else if (nilas_value_compare(value, &stats->upper) > 0) {
            NILAS_TRY(nilas_value_copy(writer->arena, value, &stats->upper, err));
        }
    }
    return NILAS_OK;
}

static void note_counts(nilas_manifest_writer *writer, const nilas_manifest_entry *entry) {
    nilas_manifest_file *line = &writer->line;
    int64_t rows = entry->file.record_count;

    switch (entry->status) {
    case NILAS_ENTRY_ADDED:
        line->added_files_count++;
        line->added_rows_count += rows;
        break;
    case NILAS_ENTRY_EXISTING:
        line->existing_files_count++;
        line->existing_rows_count += rows;
        break;
    case NILAS_ENTRY_DELETED:
        line->deleted_files_count++;
        line->deleted_rows_count += rows;
        break;
    }
    if (entry->status != NILAS_ENTRY_DELETED && entry->sequence_number >= 0 &&
        (writer->min_sequence_number < 0 || entry->sequence_number < writer->min_sequence_number)) {
        writer->min_sequence_number = entry->sequence_number;
    }
    writer->count++;
}

nilas_code nilas_manifest_writer_add(nilas_manifest_writer *writer,
                                     const nilas_manifest_entry *entry, nilas_error *err) {
    nilas_value file_values[FILE_FIELDS], values[ENTRY_FIELDS + 1];
    nilas_value record = {.kind = NILAS_VALUE_STRUCT, .items = values};
    nilas_value file = {.kind = NILAS_VALUE_STRUCT, .items = file_values};
    bool added = entry->status == NILAS_ENTRY_ADDED;

    NILAS_TRY(check_entry(writer, entry, err));
    nilas_arena_reset(writer->scratch);
    for (size_t i = 0; i < FILE_FIELDS; i++) {
        if ((file_fields[i].versions & (1 << writer->version)) != 0) {
            NILAS_TRY(file_value(writer, entry, file_fields[i].id, &file_values[file.count], err));
            file.count++;
        }
    }
    values[record.count++] = nilas_value_of_int(entry->status);
    values[record.count++] = int_or_null(entry->snapshot_id);
    if (writer->version > 1) {
        values[record.count++] = int_or_null(entry->sequence_number);
        values[record.count++] = int_or_null(added ? -1 : entry->file_sequence_number);
    }
    values[record.count++] = file;
    nilas_code code = nilas_avro_write(writer->avro, &record, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "of \"%.*s\"", NILAS_FMT(entry->file.file_path));
        return code;
    }
    NILAS_TRY(note_partition(writer, &entry->file.partition, err));
    note_counts(writer, entry);
    return NILAS_OK;
}

size_t nilas_manifest_writer_size(const nilas_manifest_writer *writer) {
    return nilas_avro_writer_size(writer->avro);
}

size_t nilas_manifest_writer_count(const nilas_manifest_writer *writer) {
    return writer->count;
}

static nilas_code summarize(nilas_manifest_writer *writer, nilas_error *err) {
    nilas_manifest_file *line = &writer->line;

    line->partition_count = writer->partition->field_count;
    line->has_partitions = true;
    NILAS_NEW_ARRAY(writer->arena, &line->partitions, line->partition_count, err);
    for (size_t i = 0; i < line->partition_count; i++) {
        const partition_stats *stats = &writer->stats[i];
        const nilas_ice_type *type = writer->partition->fields[i].type;
        nilas_field_summary *summary = &line->partitions[i];
        *summary = (nilas_field_summary){.contains_null = stats->contains_null,
                                         .has_contains_nan = true,
                                         .contains_nan = stats->contains_nan};
        if (stats->has_bounds && type->kind != NILAS_ICE_UNKNOWN) {
            NILAS_TRY(nilas_ice_value_encode(writer->arena, type, &stats->lower,
                                             &summary->lower_bound, err));
            NILAS_TRY(nilas_ice_value_encode(writer->arena, type, &stats->upper,
                                             &summary->upper_bound, err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_manifest_writer_finish(nilas_manifest_writer *writer, nilas_str *out_bytes,
                                        nilas_manifest_file *out, nilas_error *err) {
    NILAS_TRY(summarize(writer, err));
    NILAS_TRY(nilas_avro_writer_finish(writer->avro, out_bytes, err));
    writer->line.length = (int64_t)out_bytes->size;
    writer->line.min_sequence_number = writer->min_sequence_number;
    if (writer->version == 1) {
        writer->line.sequence_number = writer->line.min_sequence_number = 0;
    }
    *out = writer->line;
    return NILAS_OK;
}

// ---- manifest lists -----------------------------------------------------------------------------

static const nilas_field_text list_fields[] = {
    {500, "manifest_path", NILAS_SHAPE_STRING, 0, true, ALL, "Location URI with FS scheme"},
    {501, "manifest_length", NILAS_SHAPE_LONG, 0, true, ALL, "Total file size in bytes"},
    {502, "partition_spec_id", NILAS_SHAPE_INT, 0, true, ALL, "Spec ID used to write"},
    {517, "content", NILAS_SHAPE_INT, 0, true, V23, "Contents of the manifest: 0=data, 1=deletes"},
    {515, "sequence_number", NILAS_SHAPE_LONG, 0, true, V23,
     "Sequence number when the manifest was added"},
    {516, "min_sequence_number", NILAS_SHAPE_LONG, 0, true, V23,
     "Lowest sequence number in the manifest"},
    {503, "added_snapshot_id", NILAS_SHAPE_LONG, 0, true, ALL,
     "Snapshot ID that added the manifest"},
    {504, "added_files_count", NILAS_SHAPE_INT, 0, true, V23, "Added entry count"},
    {505, "existing_files_count", NILAS_SHAPE_INT, 0, true, V23, "Existing entry count"},
    {506, "deleted_files_count", NILAS_SHAPE_INT, 0, true, V23, "Deleted entry count"},
    {512, "added_rows_count", NILAS_SHAPE_LONG, 0, true, V23, "Added rows count"},
    {513, "existing_rows_count", NILAS_SHAPE_LONG, 0, true, V23, "Existing rows count"},
    {514, "deleted_rows_count", NILAS_SHAPE_LONG, 0, true, V23, "Deleted rows count"},
    {504, "added_files_count", NILAS_SHAPE_INT, 0, false, NILAS_IN_V1, "Added entry count"},
    {505, "existing_files_count", NILAS_SHAPE_INT, 0, false, NILAS_IN_V1, "Existing entry count"},
    {506, "deleted_files_count", NILAS_SHAPE_INT, 0, false, NILAS_IN_V1, "Deleted entry count"},
    {507, "partitions", NILAS_SHAPE_SUMMARIES, 508, false, ALL, "Summary for each partition"},
    {512, "added_rows_count", NILAS_SHAPE_LONG, 0, false, NILAS_IN_V1, "Added rows count"},
    {513, "existing_rows_count", NILAS_SHAPE_LONG, 0, false, NILAS_IN_V1, "Existing rows count"},
    {514, "deleted_rows_count", NILAS_SHAPE_LONG, 0, false, NILAS_IN_V1, "Deleted rows count"},
    {519, "key_metadata", NILAS_SHAPE_BYTES, 0, false, ALL, "Encryption key metadata blob"},
    {520, "first_row_id", NILAS_SHAPE_LONG, 0, false, NILAS_IN_V3,
     "Starting row ID to assign to new rows in ADDED data files"},
};
#define LIST_FIELDS (sizeof(list_fields) / sizeof(list_fields[0]))

static nilas_value bytes_or_null(nilas_str bytes) {
    return bytes.data != NULL ? nilas_value_of_bytes(bytes) : NILAS_NULL_VALUE;
}

static nilas_code summaries_value(nilas_arena *arena, const nilas_manifest_file *manifest,
                                  nilas_value *out, nilas_error *err) {
    *out = NILAS_NULL_VALUE;
    if (!manifest->has_partitions) {
        return NILAS_OK;
    }
    out->kind = NILAS_VALUE_LIST;
    out->count = manifest->partition_count;
    NILAS_NEW_ARRAY(arena, &out->items, out->count, err);
    for (size_t i = 0; i < out->count; i++) {
        const nilas_field_summary *summary = &manifest->partitions[i];
        nilas_value *item = &out->items[i];
        item->kind = NILAS_VALUE_STRUCT;
        item->count = 4;
        NILAS_NEW_ARRAY(arena, &item->items, 4, err);
        item->items[0] = nilas_value_of_bool(summary->contains_null);
        item->items[1] = summary->has_contains_nan ? nilas_value_of_bool(summary->contains_nan)
                                                   : NILAS_NULL_VALUE;
        item->items[2] = bytes_or_null(summary->lower_bound);
        item->items[3] = bytes_or_null(summary->upper_bound);
    }
    return NILAS_OK;
}

/** Counts that an old list does not tell cannot be made up: null in version 1, refused later. */
static nilas_code count_value(const nilas_field_text *field, int64_t count, nilas_value *out,
                              nilas_error *err) {
    NILAS_REQUIRE(count >= 0 || !field->required, err, NILAS_UNSUPPORTED,
                  "a manifest has no %s, which this format version requires", field->name);
    *out = int_or_null(count);
    return NILAS_OK;
}

static nilas_code line_value(nilas_arena *arena, const nilas_field_text *field,
                             const nilas_manifest_file *manifest, nilas_value *out,
                             nilas_error *err) {
    switch (field->id) {
    case 500: *out = nilas_value_of_str(manifest->path); break;
    case 501: *out = nilas_value_of_int(manifest->length); break;
    case 502: *out = nilas_value_of_int(manifest->partition_spec_id); break;
    case 517: *out = nilas_value_of_int(manifest->content); break;
    case 515: *out = nilas_value_of_int(manifest->sequence_number); break;
    case 516: *out = nilas_value_of_int(manifest->min_sequence_number); break;
    case 503: *out = nilas_value_of_int(manifest->added_snapshot_id); break;
    case 504: return count_value(field, manifest->added_files_count, out, err);
    case 505: return count_value(field, manifest->existing_files_count, out, err);
    case 506: return count_value(field, manifest->deleted_files_count, out, err);
    case 512: return count_value(field, manifest->added_rows_count, out, err);
    case 513: return count_value(field, manifest->existing_rows_count, out, err);
    case 514: return count_value(field, manifest->deleted_rows_count, out, err);
    case 507: return summaries_value(arena, manifest, out, err);
    case 519: *out = bytes_or_null(manifest->key_metadata); break;
    default:
        nilas_assert(field->id == 520);
        *out = int_or_null(manifest->first_row_id);
        break;
    }
    return NILAS_OK;
}

static nilas_code write_line(nilas_avro_writer *avro, nilas_arena *scratch, int32_t version,
                             const nilas_manifest_file *manifest, nilas_error *err) {
    nilas_value values[LIST_FIELDS];
    nilas_value record = {.kind = NILAS_VALUE_STRUCT, .items = values};

    for (size_t i = 0; i < LIST_FIELDS; i++) {
        if ((list_fields[i].versions & (1 << version)) != 0) {
            NILAS_TRY(line_value(scratch, &list_fields[i], manifest, &values[record.count], err));
            record.count++;
        }
    }
    return nilas_avro_write(avro, &record, err);
}

/** Numbers that wait for the commit, and v3's row ids: existing rows count too, for files of
 *  before version 3 have none yet. */
static nilas_code settle_line(const nilas_manifest_list_options *options,
                              nilas_manifest_file *manifest, int64_t *next_row_id,
                              nilas_error *err) {
    if (manifest->sequence_number < 0) {
        nilas_assert(manifest->added_snapshot_id == options->snapshot_id);
        manifest->sequence_number = options->sequence_number;
    }
    if (manifest->min_sequence_number < 0) {
        manifest->min_sequence_number = manifest->sequence_number;
    }
    if (options->format_version < 3 || manifest->content != NILAS_MANIFEST_DATA ||
        manifest->first_row_id >= 0) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(manifest->existing_rows_count >= 0 && manifest->added_rows_count >= 0, err,
                  NILAS_UNSUPPORTED,
                  "manifest \"%.*s\" does not count its rows, so they can have no row ids",
                  NILAS_FMT(manifest->path));
    manifest->first_row_id = *next_row_id;
    *next_row_id += manifest->existing_rows_count + manifest->added_rows_count;
    return NILAS_OK;
}

static nilas_code open_list(nilas_arena *arena, const nilas_manifest_list_options *options,
                            nilas_avro_writer **out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_fields_text fields = {list_fields, LIST_FIELDS, options->format_version, NULL};
    nilas_avro_property properties[6];
    size_t count = 0;
    nilas_compression codec;
    nilas_str avro;

#define ADD(name, format, what)                                                                    \
    do {                                                                                           \
        properties[count].key = NILAS_STR(name);                                                   \
        nilas_buf_print(&text, format, what);                                                      \
        NILAS_TRY(take(&text, arena, &properties[count++].value, err));                            \
    } while (0)
    NILAS_TRY(parse_codec(options->compression, &codec, err));
    ADD("snapshot-id", "%lld", (long long)options->snapshot_id);
    if (options->parent_id >= 0) {
        ADD("parent-snapshot-id", "%lld", (long long)options->parent_id);
    } else {
        ADD("parent-snapshot-id", "%s", "null");
    }
    if (options->format_version > 1) {
        ADD("sequence-number", "%lld", (long long)options->sequence_number);
    }
    if (options->format_version > 2) {
        ADD("first-row-id", "%lld", (long long)options->next_row_id);
    }
    ADD("format-version", "%d", options->format_version);
#undef ADD
    nilas_buf_add_text(&text, "{\"type\":\"struct\",\"schema-id\":0,\"fields\":[");
    nilas_iceberg__print_schema_fields(&text, &fields);
    nilas_buf_add_text(&text, "]}");
    properties[count].key = NILAS_STR("iceberg.schema");
    NILAS_TRY(take(&text, arena, &properties[count++].value, err));
    nilas_buf_add_text(&text, "{\"type\":\"record\",\"name\":\"manifest_file\",\"fields\":[");
    nilas_iceberg__print_avro_fields(&text, &fields);
    nilas_buf_add_text(&text, "]}");
    NILAS_TRY(take(&text, arena, &avro, err));
    nilas_assert(count <= sizeof(properties) / sizeof(properties[0]));
    return nilas_avro_writer_new(arena, avro, properties, count, codec, -1, out, err);
}

nilas_code nilas_manifest_list_encode(nilas_arena *arena,
                                      const nilas_manifest_list_options *options,
                                      nilas_manifest_file *manifests, size_t count,
                                      nilas_str *out_bytes, int64_t *out_next_row_id,
                                      nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    int64_t next_row_id = options->next_row_id;
    nilas_avro_writer *avro;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    nilas_assert(options->format_version >= 1 && options->format_version <= 3);
    NILAS_TRY(open_list(arena, options, &avro, err));
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(settle_line(options, &manifests[i], &next_row_id, err));
        NILAS_TRY(write_line(avro, scratch, options->format_version, &manifests[i], err));
        nilas_arena_reset(scratch);
    }
    NILAS_TRY(nilas_avro_writer_finish(avro, out_bytes, err));
    *out_next_row_id = next_row_id;
    return NILAS_OK;
}
