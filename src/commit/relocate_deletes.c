/*
 * Delete files that hold paths of data files, with the paths moved: Puffin files of deletion
 * vectors, and position deletes in Avro. (Those in Parquet are the engine's.)
 */
#include "commit/relocate.h"

// ---- deletion vectors ---------------------------------------------------------------------------

/** The blob's properties with another "referenced-data-file". */
static nilas_code move_reference(nilas_arena *arena, const nilas_relocation *to,
                                 const nilas_json **properties, nilas_error *err) {
    const nilas_json *before = *properties;
    nilas_json *moved;

    if (before == NULL) {
        return NILAS_OK;
    }
    NILAS_NEW(arena, &moved, err);
    *moved = *before;
    NILAS_NEW_ARRAY(arena, &moved->items, before->count, err);
    for (size_t i = 0; i < before->count; i++) {
        moved->items[i] = before->items[i];
        if (nilas_str_is(before->names[i], "referenced-data-file") &&
            nilas_str_starts(before->items[i].text, to->source_prefix)) {
            NILAS_TRY(nilas_relocation_target(arena, to, before->items[i].text,
                                              &moved->items[i].text, err));
        }
    }
    *properties = moved;
    return NILAS_OK;
}

nilas_code nilas_relocate_vectors(nilas_arena *arena, const nilas_relocation *to, nilas_str file,
                                  nilas_str *out, nilas_offset_pair **out_offsets,
                                  size_t *out_count, nilas_error *err) {
    nilas_puffin_blob *blobs;
    nilas_puffin_part *parts;
    size_t count;

    NILAS_TRY(nilas_puffin_parse(arena, file, "a file of deletion vectors", &blobs, &count, err));
    NILAS_NEW_ARRAY(arena, &parts, count, err);
    NILAS_NEW_ARRAY(arena, out_offsets, count, err);
    for (size_t i = 0; i < count; i++) {
        nilas_assert(blobs[i].offset >= 0 &&
                     blobs[i].offset + blobs[i].length <= (int64_t)file.size);
        parts[i] = (nilas_puffin_part){
            .blob = blobs[i],
            .data = nilas_str_slice(file, (size_t)blobs[i].offset, (size_t)blobs[i].length)};
        NILAS_TRY(move_reference(arena, to, &parts[i].blob.properties, err));
    }
    NILAS_TRY(nilas_puffin_print(arena, parts, count, out, err));
    for (size_t i = 0; i < count; i++) {
        (*out_offsets)[i] =
            (nilas_offset_pair){.before = blobs[i].offset, .after = parts[i].blob.offset};
    }
    *out_count = count;
    return NILAS_OK;
}

// ---- Avro ---------------------------------------------------------------------------------------

static size_t find_path(const nilas_avro_schema *schema) {
    for (size_t i = 0; schema->kind == NILAS_AVRO_RECORD && i < schema->field_count; i++) {
        const nilas_avro_field *field = &schema->fields[i];
        if (field->field_id == NILAS_FIELD_DELETE_FILE_PATH ||
            (field->field_id < 0 && nilas_str_is(field->name, "file_path"))) {
            return i;
        }
    }
    return SIZE_MAX;
}

static nilas_compression codec_of(const nilas_avro_file *file) {
    nilas_str name = NILAS_STR_EMPTY;

    (void)nilas_avro_file_property(file, "avro.codec", &name);
    return nilas_str_is(name, "deflate")     ? NILAS_COMPRESSION_DEFLATE
           : nilas_str_is(name, "snappy")    ? NILAS_COMPRESSION_SNAPPY
           : nilas_str_is(name, "zstandard") ? NILAS_COMPRESSION_ZSTD
                                             : NILAS_COMPRESSION_NONE;
}

nilas_code nilas_relocate_avro_deletes(nilas_arena *arena, const nilas_relocation *to,
                                       nilas_str file, nilas_str location, nilas_str *out,
                                       nilas_error *err) {
    nilas_avro_file *from;
    nilas_avro_plan *plan;
    nilas_avro_writer *writer;
    nilas_str schema, name;
    nilas_avro_property content = {NILAS_STR("delete-type"), NILAS_STR("position")};
    const nilas_avro_wanted everything = {.field_id = -1};

    NILAS_TRY(nilas_str_print(arena, &name, err, "\"%.*s\"", NILAS_FMT(location)));
    NILAS_TRY(nilas_avro_open(arena, file, name.data, &from, err));
    NILAS_TRY(nilas_avro_plan_new(arena, from, &everything, &plan, err));
    size_t path = find_path(nilas_avro_file_schema(from));
    NILAS_REQUIRE(path != SIZE_MAX && nilas_avro_file_property(from, "avro.schema", &schema), err,
                  NILAS_CORRUPT, "%s is not a file of position deletes", name.data);
    NILAS_TRY(nilas_avro_writer_new(arena, schema, &content, 1, codec_of(from), -1, &writer, err));
    while (true) {
        NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
        const nilas_value *record;
        NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
        NILAS_TRY(nilas_avro_next(from, plan, true, scratch, &record, err));
        if (record == NULL) {
            break;
        }
        nilas_value *own = &record->items[path];
        NILAS_REQUIRE(nilas_str_starts(own->text, to->source_prefix), err, NILAS_UNSUPPORTED,
                      "Expected delete file to be under the source prefix: %.*s but was %.*s",
                      NILAS_FMT(to->source_prefix), NILAS_FMT(own->text));
        NILAS_TRY(nilas_relocation_target(scratch, to, own->text, &own->text, err));
        NILAS_TRY(nilas_avro_write(writer, record, err));
    }
    return nilas_avro_writer_finish(writer, out, err);
}
