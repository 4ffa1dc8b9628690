/*
 * Merge-on-read: positions of dropped rows in position-delete files (version 2) or deletion vectors
 * (version 3).
 *
 * A file has at most one deletion vector, so a new one takes over what the old one and any
 * position-delete file say of it. Position deletes that are about one file are likewise merged into
 * the new ones unless the table asks for one delete file a partition.
 *
 * Spec: iceberg#position-delete-files, iceberg#deletion-vectors.
 */
#include "engine/change.h"

/* ---- positions ---- */

static nilas_code add_chunk(nilas_change_run *run, duckdb_data_chunk chunk, nilas_error *err) {
    const void *paths = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
    const int64_t *positions = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 1));
    idx_t count = duckdb_data_chunk_get_size(chunk);
    nilas_changed_file *file = NULL;

    for (idx_t from = 0, to; from < count; from = to) {
        nilas_str path = nilas_engine__string_at(paths, from);
        file = nilas_map_find(&run->file_by_path, path);
        nilas_assert(file != NULL && file->positions != NULL);
        for (to = from + 1; to < count; to++) {
            nilas_str next = nilas_engine__string_at(paths, to);
            if (!nilas_str_equal(path, next)) {
                break;
            }
        }
        NILAS_TRY(nilas_bitmap_add_many(file->positions, positions + from, to - from, err));
    }
    return NILAS_OK;
}

static nilas_code read_positions(nilas_change_run *run, nilas_error *err) {
    NILAS_AUTO_QUERY_RUN query = {0};
    nilas_str sql;

    for (size_t i = 0; i < run->files.count; i++) {
        NILAS_TRY(nilas_bitmap_new(&run->files.items[i]->positions, err));
    }
    NILAS_TRY(nilas_str_print(run->stmt, &sql, err,
                              "SELECT c%d, c%d FROM " NILAS_CHANGE_TABLE
                              " WHERE c%d IN " NILAS_CHANGE_DROPS " ORDER BY 1, 2",
                              nilas_change__column(run, 1), nilas_change__column(run, 2),
                              nilas_change__column(run, 0)));
    NILAS_TRY(nilas_job__start(run->job, sql, &query, err));
    while (true) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(run->job, &query, &chunk, err));
        if (chunk == NULL) {
            return NILAS_OK;
        }
        NILAS_TRY(add_chunk(run, chunk, err));
    }
}

/** What was deleted of the file before. */
static nilas_code merge_old(nilas_changed_file *file, nilas_error *err) {
    const nilas_deleted_rows *old = file->deleted;

    if (old == NULL) {
        return NILAS_OK;
    }
    if (old->bitmap != NULL) {
        return nilas_bitmap_merge(file->positions, old->bitmap, err);
    }
    for (uint64_t at = 0; at < old->bit_count; at++) {
        if ((old->bits[at >> 3] >> (at & 7) & 1) != 0) {
            NILAS_TRY(nilas_bitmap_add(file->positions, at, err));
        }
    }
    return NILAS_OK;
}

/** Old deletes of this file alone go: the new ones say the same and more. */
static nilas_code replace_old(nilas_change_run *run, nilas_changed_file *file, bool always_merge,
                              nilas_error *err) {
    size_t before = run->removed_deletes.count;

    for (size_t d = 0; d < file->task->delete_count; d++) {
        const nilas_delete_file *old = file->task->deletes[d];
        if (nilas_change__is_own_delete(old, file->task->file.file_path)) {
            NILAS_PUSH(run->stmt, &run->removed_deletes, old->file, err);
        }
    }
    return always_merge || run->removed_deletes.count > before ? merge_old(file, err) : NILAS_OK;
}

/* ---- deletion vectors ---- */

static nilas_code make_blob(nilas_change_run *run, const nilas_changed_file *file,
                            nilas_puffin_part *out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    nilas_str json;
    nilas_json *properties;

    nilas_buf_add_text(&text, "{\"referenced-data-file\":");
    nilas_json_print_string(&text, file->task->file.file_path);
    nilas_buf_print(&text, ",\"cardinality\":\"%llu\"}",
                    (unsigned long long)nilas_bitmap_count(file->positions));
    NILAS_TRY(nilas_buf_finish(&text, run->stmt, &json, err));
    NILAS_NEW(run->stmt, &properties, err);
    NILAS_TRY(nilas_json_parse(run->stmt, json, "a blob's properties", properties, err));
    *out = (nilas_puffin_part){.blob = {.type = NILAS_STR("deletion-vector-v1"),
                                        .field_count = 1,
                                        .snapshot_id = -1, // both come with the commit
                                        .sequence_number = -1,
                                        .compression = NILAS_COMPRESSION_NONE,
                                        .properties = properties}};
    NILAS_NEW_ARRAY(run->stmt, &out->blob.field_ids, 1, err);
    out->blob.field_ids[0] = NILAS_FIELD_POS;
    return nilas_deletion_vector_encode(run->stmt, file->positions, &out->data, err);
}

static nilas_code add_vector(nilas_change_run *run, const nilas_changed_file *file,
                             const nilas_puffin_blob *blob, nilas_str location, int64_t size,
                             nilas_error *err) {
    nilas_data_file entry = {
        .content = NILAS_FILE_POSITION_DELETES,
        .file_path = location,
        .file_format = NILAS_STR("PUFFIN"),
        .spec_id = file->task->file.spec_id,
        .partition = file->task->file.partition,
        .record_count = (int64_t)nilas_bitmap_count(file->positions),
        .file_size_in_bytes = size,
        .sort_order_id = -1,
        .first_row_id = -1,
        .referenced_data_file = file->task->file.file_path,
        .content_offset = blob->offset,
        .content_size_in_bytes = blob->length,
    };

    NILAS_PUSH(run->stmt, &run->added_deletes, entry, err);
    return NILAS_OK;
}

static nilas_code write_vectors(nilas_change_run *run, const nilas_writer_options *how,
                                nilas_error *err) {
    nilas_puffin_part *parts;
    nilas_writer *writer;
    nilas_str location, bytes;

    NILAS_TRY(nilas_change__new_writer(run, how, &writer, err));
    NILAS_NEW_ARRAY(run->stmt, &parts, run->files.count, err);
    for (size_t i = 0; i < run->files.count; i++) {
        NILAS_TRY(replace_old(run, run->files.items[i], true, err));
        NILAS_TRY(make_blob(run, run->files.items[i], &parts[i], err));
    }
    NILAS_TRY(nilas_puffin_print(run->stmt, parts, run->files.count, &bytes, err));
    NILAS_TRY(nilas_writer__next_location(writer, NULL, NILAS_STR("-deletes"), NILAS_STR(".puffin"),
                                          &location, err));
    NILAS_TRY(nilas_io_write(run->options.table->io, location, bytes, false, err));
    for (size_t i = 0; i < run->files.count; i++) {
        NILAS_TRY(add_vector(run, run->files.items[i], &parts[i].blob, location,
                             (int64_t)bytes.size, err));
    }
    return NILAS_OK;
}

/* ---- position deletes ---- */

/** Rows (file_path, pos) of some files, one part each. */
typedef struct position_source {
    nilas_rows_source source;
    nilas_changed_file **files;
} position_source;

typedef struct position_rows {
    nilas_rows rows;
    int64_t *positions;
    size_t count, next;
    nilas_value items[2], row;
} position_rows;

static bool keep_position(void *context, uint64_t position) {
    position_rows *rows = context;

    rows->positions[rows->count++] = (int64_t)position;
    return true;
}

static nilas_code next_position(nilas_rows *base, nilas_arena *scratch, const nilas_value **out_row,
                                nilas_error *err) {
    position_rows *rows = base->state;

    (void)scratch;
    (void)err;
    *out_row = NULL;
    if (rows->next < rows->count) {
        rows->items[1] = nilas_value_of_int(rows->positions[rows->next++]);
        *out_row = &rows->row;
    }
    return NILAS_OK;
}

static nilas_code open_positions(void *context, size_t part, nilas_arena *arena, nilas_rows **out,
                                 nilas_error *err) {
    const position_source *source = context;
    const nilas_changed_file *file = source->files[part];
    position_rows *rows;

    NILAS_NEW(arena, &rows, err);
    NILAS_NEW_ARRAY(arena, &rows->positions, (size_t)nilas_bitmap_count(file->positions), err);
    nilas_bitmap_each(file->positions, keep_position, rows);
    rows->items[0] = nilas_value_of_str(file->task->file.file_path);
    rows->row = (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = rows->items, .count = 2};
    rows->rows = (nilas_rows){
        .type = source->source.type, .row_count_hint = -1, .next = next_position, .state = rows};
    *out = &rows->rows;
    return NILAS_OK;
}

static nilas_code make_schema(nilas_arena *arena, nilas_schema **out, nilas_error *err) {
    nilas_schema *schema;
    nilas_ice_field *fields;

    NILAS_NEW(arena, &schema, err);
    NILAS_NEW_ARRAY(arena, &fields, 2, err);
    fields[0] = (nilas_ice_field){.id = NILAS_FIELD_DELETE_FILE_PATH,
                                  .required = true,
                                  .name = NILAS_STR("file_path"),
                                  .type = nilas_ice_primitive(NILAS_ICE_STRING)};
    fields[1] = (nilas_ice_field){.id = NILAS_FIELD_DELETE_FILE_POS,
                                  .required = true,
                                  .name = NILAS_STR("pos"),
                                  .type = nilas_ice_primitive(NILAS_ICE_LONG)};
    schema->type = (nilas_ice_type){.kind = NILAS_ICE_STRUCT, .fields = fields, .field_count = 2};
    *out = schema;
    return NILAS_OK;
}

/** One delete file for data files of one partition. */
static nilas_code write_positions(nilas_change_run *run, const nilas_writer_options *how,
                                  nilas_changed_file **files, size_t count, nilas_error *err) {
    const nilas_data_file *first = &files[0]->task->file;
    nilas_writer_options options = *how;
    nilas_str columns[2] = {NILAS_STR("k0"), NILAS_STR("k1")};
    nilas_write_rows rows = {.columns = columns, .is_ordered = true};
    position_source *source;
    nilas_writer *writer;
    int32_t number = 0;

    options.spec = nilas_metadata_spec(run->options.table->metadata, first->spec_id);
    NILAS_TRY(nilas_change__new_writer(run, &options, &writer, err));
    NILAS_NEW(run->stmt, &source, err);
    source->files = files;
    source->source = (nilas_rows_source){.type = &how->schema->type,
                                         .part_count = count,
                                         .row_count_hint = -1,
                                         .open = open_positions,
                                         .context = source};
    NILAS_TRY(nilas_rows_source__init(run->stmt, &source->source, err));
    NILAS_TRY(nilas_job__register(run->job, NILAS_REGISTRY_ROWS, &source->source, &number, err));
    NILAS_TRY(nilas_str_print(run->stmt, &rows.sql, err,
                              "SELECT k0, k1 FROM nilas_rows(%d) ORDER BY k0, k1", number));
    NILAS_TRY(nilas_writer__write_file(writer, &rows, &first->partition, err));
    for (size_t i = 0; i < writer->files.count; i++) {
        nilas_data_file entry = writer->files.items[i];
        if (count == 1 && !writer->format.is_avro) { // as readers of the bounds would find out
            entry.referenced_data_file = first->file_path;
        }
        NILAS_PUSH(run->stmt, &run->added_deletes, entry, err);
    }
    return NILAS_OK;
}

static bool same_partition(const nilas_changed_file *a, const nilas_changed_file *b) {
    return a->task->file.spec_id == b->task->file.spec_id &&
           nilas_value_equal(&a->task->file.partition, &b->task->file.partition);
}

static nilas_code write_by_partition(nilas_change_run *run, const nilas_writer_options *how,
                                     nilas_error *err) {
    bool *done;

    NILAS_NEW_ARRAY(run->stmt, &done, run->files.count, err);
    for (size_t i = 0; i < run->files.count; i++) {
        NILAS_ARRAY_OF(nilas_changed_file *) list = {0};
        for (size_t k = i; !done[i] && k < run->files.count; k++) {
            if (!done[k] && same_partition(run->files.items[i], run->files.items[k])) {
                NILAS_PUSH(run->stmt, &list, run->files.items[k], err);
                done[k] = k != i;
            }
        }
        if (list.count > 0) {
            NILAS_TRY(write_positions(run, how, list.items, list.count, err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_change__write_deletes(nilas_change_run *run, nilas_error *err) {
    const nilas_metadata *metadata = run->options.table->metadata;
    nilas_writer_options how = {.write = &run->options, .content = NILAS_FILE_POSITION_DELETES};
    nilas_str granularity = nilas_write__option(&run->options, "delete-granularity",
                                                "write.delete.granularity", "file");
    nilas_schema *schema;

    if (run->files.count == 0) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(nilas_str_is_nocase(granularity, "file") ||
                      nilas_str_is_nocase(granularity, "partition"),
                  err, NILAS_INVALID, "Unknown delete granularity: %.*s", NILAS_FMT(granularity));
    NILAS_TRY(make_schema(run->stmt, &schema, err));
    how.schema = schema;
    NILAS_TRY(read_positions(run, err));
    if (metadata->format_version >= 3) {
        return write_vectors(run, &how, err);
    }
    if (nilas_str_is_nocase(granularity, "partition")) {
        return write_by_partition(run, &how, err);
    }
    for (size_t i = 0; i < run->files.count; i++) {
        NILAS_TRY(replace_old(run, run->files.items[i], false, err));
        NILAS_TRY(write_positions(run, &how, &run->files.items[i], 1, err));
    }
    return NILAS_OK;
}
