/*
 * Reading manifests: blocks in turn, entries in turn, with what entries inherit from their
 * manifest's line in the list.
 */
#include "iceberg/manifest.h"

#include "iceberg/decode.h"

typedef struct manifest_reader {
    nilas_arena *arena;
    const nilas_manifest_file *manifest;
    nilas_manifest_visit visit;
    nilas_decode_step *root;
    nilas_decode_pool pool;
    nilas_decoder decoder;
    int64_t next_row_id; // -1: the manifest assigns none
    int32_t spec_id;
} manifest_reader;

nilas_code nilas_iceberg__check_avro(nilas_str bytes, const char *what, nilas_str path,
                                     nilas_error *err) {
    NILAS_REQUIRE(!nilas_str_starts(bytes, NILAS_STR("AGS1")), err, NILAS_UNSUPPORTED,
                  "%s \"%.*s\" is encrypted", what, NILAS_FMT(path));
    NILAS_REQUIRE(!nilas_str_starts(bytes, NILAS_STR("PAR1")), err, NILAS_UNSUPPORTED,
                  "%s \"%.*s\" is a Parquet file, as format version 4 writes them", what,
                  NILAS_FMT(path));
    return NILAS_OK;
}

/* ---- what entries inherit -------------------------------------------------------------------- */

static bool fail_entry(manifest_reader *reader, const char *reason) {
    reader->decoder.reason = reason;
    return false;
}

/** Numbers are inherited by added files, and by all files of version 1 manifests, which have the
 *  number 0. */
static bool inherit_numbers(manifest_reader *reader, nilas_manifest_entry *entry) {
    const nilas_manifest_file *manifest = reader->manifest;
    bool inherits = manifest->sequence_number == 0 || entry->status == NILAS_ENTRY_ADDED;

    if (entry->snapshot_id == -1) {
        entry->snapshot_id = manifest->added_snapshot_id;
    }
    if (entry->sequence_number == -1 && inherits) {
        entry->sequence_number = manifest->sequence_number;
    }
    if (entry->file_sequence_number == -1 && inherits) {
        entry->file_sequence_number = manifest->sequence_number;
    }
    if (entry->sequence_number == -1 && entry->status == NILAS_ENTRY_EXISTING) {
        return fail_entry(
            reader, "an existing file has no sequence number, and only added files inherit one");
    }
    return true;
}

/** Data files without a first row id take the next ones of their manifest; without one there,
 *  none is valid. */
static void inherit_row_id(manifest_reader *reader, nilas_manifest_entry *entry) {
    nilas_data_file *file = &entry->file;

    if (reader->manifest->first_row_id == -1 || file->content != NILAS_FILE_DATA) {
        file->first_row_id = -1;
        return;
    }
    if (entry->status != NILAS_ENTRY_DELETED && file->first_row_id == -1) {
        file->first_row_id = reader->next_row_id;
        if (__builtin_add_overflow(reader->next_row_id, file->record_count, &reader->next_row_id)) {
            reader->next_row_id = INT64_MAX;
        }
    }
}

/** Upper case, as Iceberg shows it. */
static bool normalize_format(manifest_reader *reader, nilas_str *format) {
    static const nilas_str known[] = {{"PARQUET", 7}, {"AVRO", 4}, {"ORC", 3}, {"PUFFIN", 6}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (nilas_str_equal(*format, known[i]) || nilas_str_is_nocase(*format, known[i].data)) {
            *format = known[i];
            return true;
        }
    }
    char *upper = nilas_iceberg__pool_take(&reader->pool, format->size);
    if (upper == NULL) {
        reader->decoder.no_memory = true;
        return fail_entry(reader, "out of memory");
    }
    for (size_t i = 0; i < format->size; i++) {
        char c = format->data[i];
        upper[i] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    format->data = upper;
    return true;
}

static bool finish_entry(manifest_reader *reader, nilas_decoded *decoded) {
    nilas_manifest_entry *entry = &decoded->entry;

    if (decoded->status < NILAS_ENTRY_EXISTING || decoded->status > NILAS_ENTRY_DELETED) {
        return fail_entry(reader, "status must be 0, 1 or 2");
    }
    if (decoded->content < NILAS_FILE_DATA || decoded->content > NILAS_FILE_EQUALITY_DELETES) {
        return fail_entry(reader, "content must be 0, 1 or 2");
    }
    if (entry->file.file_path.data == NULL || entry->file.file_format.data == NULL) {
        return fail_entry(reader, "file_path or file_format is null");
    }
    entry->status = (nilas_entry_status)decoded->status;
    entry->file.content = (nilas_file_content)decoded->content;
    entry->file.spec_id = reader->spec_id;
    if (!inherit_numbers(reader, entry)) {
        return false;
    }
    inherit_row_id(reader, entry);
    return normalize_format(reader, &entry->file.file_format);
}

/* ---- walking --------------------------------------------------------------------------------- */

static nilas_code report(const manifest_reader *reader, const nilas_avro_block *block,
                         int64_t index, size_t left, nilas_error *err) {
    const nilas_decoder *decoder = &reader->decoder;

    if (decoder->no_memory) {
        return nilas_fail(err, NILAS_NOMEM, "out of memory while reading manifest \"%.*s\"",
                          NILAS_FMT(reader->manifest->path));
    }
    return nilas_fail(
        err, NILAS_CORRUPT,
        "manifest \"%.*s\": block %zu, entry %lld, %zu bytes before the block's end: %s",
        NILAS_FMT(reader->manifest->path), block->number, (long long)index, left, decoder->reason);
}

/** All entries of a block. *out_more false: the body wants no more. */
static nilas_code walk_block(manifest_reader *reader, const nilas_avro_block *block, bool *out_more,
                             nilas_error *err) {
    static const nilas_decoded absent = {
        .status = -1,
        .entry = {.snapshot_id = -1,
                  .sequence_number = -1,
                  .file_sequence_number = -1,
                  .file = {.file_size_in_bytes = -1,
                           .record_count = -1,
                           .sort_order_id = -1,
                           .first_row_id = -1,
                           .referenced_data_file = {.data = "", .size = 0},
                           .content_offset = -1,
                           .content_size_in_bytes = -1}},
    };
    nilas_decoder *decoder = &reader->decoder;
    nilas_decoded local;
    nilas_decoded *decoded = &local;

    decoder->at = (const uint8_t *)block->bytes.data;
    decoder->end = decoder->at + block->bytes.size;
    for (int64_t i = 0; i < block->count; i++) {
        if (reader->visit.keep) {
            decoded = nilas_iceberg__pool_take(&reader->pool, sizeof(*decoded));
            NILAS_REQUIRE(decoded != NULL, err, NILAS_NOMEM,
                          "out of memory while reading manifest \"%.*s\"",
                          NILAS_FMT(reader->manifest->path));
        } else {
            reader->pool.used = 0;
        }
        *decoded = absent;
        if (!nilas_iceberg__decode_entry(decoder, reader->root, decoded) ||
            !finish_entry(reader, decoded)) {
            return report(reader, block, i, (size_t)(decoder->end - decoder->at), err);
        }
        if (!reader->visit.body(reader->visit.context, &decoded->entry)) {
            *out_more = false;
            return NILAS_OK;
        }
    }
    NILAS_REQUIRE(decoder->at == decoder->end, err, NILAS_CORRUPT,
                  "manifest \"%.*s\": block %zu has %zu bytes more than its %lld entries take",
                  NILAS_FMT(reader->manifest->path), block->number,
                  (size_t)(decoder->end - decoder->at), (long long)block->count);
    return NILAS_OK;
}

static nilas_code walk(manifest_reader *reader, nilas_avro_file *file, nilas_error *err) {
    nilas_avro_block block;
    bool more = true;

    do {
        NILAS_TRY(
            nilas_avro_next_block(file, reader->visit.keep ? reader->arena : NULL, &block, err));
        if (block.number > 0) {
            NILAS_TRY(walk_block(reader, &block, &more, err));
        }
    } while (more && block.number > 0);
    return NILAS_OK;
}

/** The spec that the manifest's tuples have, and its plan. */
static nilas_code plan(manifest_reader *reader, nilas_arena *scratch,
                       const nilas_metadata *metadata, const nilas_avro_file *file,
                       nilas_error *err) {
    const nilas_partition_spec *spec =
        nilas_metadata_spec(metadata, reader->manifest->partition_spec_id);
    const nilas_ice_type *type;

    NILAS_REQUIRE(spec != NULL, err, NILAS_CORRUPT, "the table has no partition spec %d",
                  reader->manifest->partition_spec_id);
    NILAS_TRY(nilas_spec_partition_type(scratch, metadata, spec, &type, err));
    reader->spec_id = spec->spec_id;
    reader->decoder.partition_count = spec->field_count;
    return nilas_iceberg__plan_manifest(scratch, nilas_avro_file_schema(file), spec, type,
                                        reader->visit.columns, &reader->root, err);
}

nilas_code nilas_manifest_decode(nilas_arena *arena, const nilas_metadata *metadata,
                                 const nilas_manifest_file *manifest, nilas_str bytes,
                                 const nilas_manifest_visit *visit, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(arena, 0);
    manifest_reader reader = {.arena = arena,
                              .manifest = manifest,
                              .visit = *visit,
                              .pool = {.arena = visit->keep ? arena : scratch},
                              .next_row_id = manifest->first_row_id};
    nilas_avro_file *file;
    nilas_str what;

    nilas_assert(visit->body != NULL);
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_iceberg__check_avro(bytes, "manifest", manifest->path, err));
    NILAS_TRY(nilas_str_print(scratch, &what, err, "manifest \"%.*s\"", NILAS_FMT(manifest->path)));
    NILAS_TRY(nilas_avro_open(scratch, bytes, what.data, &file, err));
    nilas_code code = plan(&reader, scratch, metadata, file, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "in manifest \"%.*s\"", NILAS_FMT(manifest->path));
        return code;
    }
    reader.decoder.pool = &reader.pool;
    return walk(&reader, file, err);
}

nilas_code nilas_manifest_read(nilas_io *io, nilas_arena *arena, const nilas_metadata *metadata,
                               const nilas_manifest_file *manifest, int columns, bool keep,
                               bool (*body)(void *context, const nilas_manifest_entry *entry),
                               void *context, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = keep ? NULL : nilas_arena_new(arena, 0);
    nilas_str bytes;

    NILAS_REQUIRE(keep || scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_io_read(io, keep ? arena : scratch, manifest->path,
                            (size_t)NILAS_LIMIT_MANIFEST_BYTES, &bytes, err));
    return nilas_manifest_decode(
        arena, metadata, manifest, bytes,
        &(nilas_manifest_visit){.columns = columns, .keep = keep, .body = body, .context = context},
        err);
}

/* ---- copies and look-ups --------------------------------------------------------------------- */

static nilas_code copy_bytes(nilas_arena *arena, const void *from, size_t size, void **out,
                             nilas_error *err) {
    void *copy;

    if (from == NULL) {
        *out = NULL;
        return NILAS_OK;
    }
    NILAS_TRY(nilas_arena_alloc(arena, size, &copy, err));
    memcpy(copy, from, size);
    *out = copy;
    return NILAS_OK;
}

static nilas_code copy_str(nilas_arena *arena, nilas_str *text, nilas_error *err) {
    return text->data == NULL ? NILAS_OK : nilas_str_copy(arena, *text, text, err);
}

/** Bounds with their bytes behind them, in one allocation. */
static nilas_code copy_bounds(nilas_arena *arena, nilas_bound **bounds, size_t count,
                              nilas_error *err) {
    const nilas_bound *from = *bounds;
    size_t total = count * sizeof(nilas_bound);
    void *made;

    if (from == NULL) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < count; i++) {
        total += from[i].bytes.size;
    }
    NILAS_TRY(nilas_arena_alloc(arena, total, &made, err));
    nilas_bound *copy = made;
    char *at = (char *)(copy + count);
    for (size_t i = 0; i < count; i++) {
        copy[i] = from[i];
        if (from[i].bytes.data != NULL) {
            memcpy(at, from[i].bytes.data, from[i].bytes.size);
            copy[i].bytes.data = at;
            at += from[i].bytes.size;
        }
    }
    *bounds = copy;
    return NILAS_OK;
}

#define COPY_LIST(list, list_count)                                                                \
    copy_bytes(arena, (list), (list_count) * sizeof(*(list)), (void **)&(list), err)

static nilas_code copy_lists(nilas_arena *arena, nilas_data_file *file, nilas_error *err) {
    NILAS_TRY(COPY_LIST(file->column_sizes, file->column_size_count));
    NILAS_TRY(COPY_LIST(file->value_counts, file->value_count_count));
    NILAS_TRY(COPY_LIST(file->null_value_counts, file->null_value_count_count));
    NILAS_TRY(COPY_LIST(file->nan_value_counts, file->nan_value_count_count));
    NILAS_TRY(COPY_LIST(file->split_offsets, file->split_offset_count));
    NILAS_TRY(COPY_LIST(file->equality_ids, file->equality_id_count));
    NILAS_TRY(copy_bounds(arena, &file->lower_bounds, file->lower_bound_count, err));
    return copy_bounds(arena, &file->upper_bounds, file->upper_bound_count, err);
}

nilas_code nilas_manifest_entry_copy(nilas_arena *arena, const nilas_manifest_entry *entry,
                                     nilas_manifest_entry *out, nilas_error *err) {
    nilas_manifest_entry copy = *entry;
    nilas_data_file *file = &copy.file;

    NILAS_TRY(copy_str(arena, &file->file_path, err));
    NILAS_TRY(copy_str(arena, &file->file_format, err));
    NILAS_TRY(copy_str(arena, &file->key_metadata, err));
    NILAS_TRY(copy_str(arena, &file->referenced_data_file, err));
    NILAS_TRY(nilas_value_copy(arena, &entry->file.partition, &file->partition, err));
    NILAS_TRY(copy_lists(arena, file, err));
    *out = copy;
    return NILAS_OK;
}

/* Lists are mostly the ids from 1 upwards, so the id's own place is looked at first. */

bool nilas_int_count_find(const nilas_int_count *list, size_t count, int32_t field_id,
                          int64_t *out) {
    size_t guess = (size_t)field_id - 1;

    if (guess < count && list[guess].field_id == field_id && list[guess].count >= 0) {
        *out = list[guess].count;
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (list[i].field_id == field_id && list[i].count >= 0) {
            *out = list[i].count;
            return true;
        }
    }
    return false;
}

bool nilas_bound_find(const nilas_bound *list, size_t count, int32_t field_id, nilas_str *out) {
    size_t guess = (size_t)field_id - 1;

    if (guess < count && list[guess].field_id == field_id && list[guess].bytes.data != NULL) {
        *out = list[guess].bytes;
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (list[i].field_id == field_id && list[i].bytes.data != NULL) {
            *out = list[i].bytes;
            return true;
        }
    }
    return false;
}
