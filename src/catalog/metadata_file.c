/*
 * Metadata files as bytes and names. What is written is parsed once more before it goes out: a file
 * that we could not read again must never become the table.
 */

#include "catalog/ops.h"

nilas_code nilas_catalog__encode_metadata(nilas_arena *arena, const nilas_metadata *metadata,
                                          nilas_str *out_bytes, const char **out_ending,
                                          nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str codec =
        nilas_metadata_property(metadata, "write.metadata.compression-codec", NILAS_STR("none"));
    bool gzip = nilas_str_is_nocase(codec, "gzip");
    nilas_metadata *again;
    nilas_str text;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_REQUIRE(gzip || nilas_str_is_nocase(codec, "none"), err, NILAS_INVALID,
                  "Invalid codec name: %.*s", NILAS_FMT(codec));
    NILAS_TRY(nilas_metadata_print(arena, metadata, &text, err));
    nilas_code code = nilas_metadata_parse(scratch, text, metadata->metadata_location, &again, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "(before it was written)");
        return code;
    }
    nilas_assert(again->snapshot_count == metadata->snapshot_count);
    nilas_assert(again->current_snapshot_id == metadata->current_snapshot_id);

    *out_ending = gzip ? ".gz.metadata.json" : ".metadata.json";
    if (gzip) {
        NILAS_TRY(nilas_compress(arena, NILAS_COMPRESSION_GZIP, -1, text, &text, err));
    }
    *out_bytes = text;
    return NILAS_OK;
}

nilas_code nilas_catalog__metadata_folder(nilas_arena *arena, const nilas_metadata *metadata,
                                          nilas_str *out, nilas_error *err) {
    nilas_str given = nilas_metadata_property(metadata, "write.metadata.path", NILAS_STR_EMPTY);
    nilas_str plain;

    NILAS_TRY(nilas_catalog__plain_location(arena, given.size > 0 ? given : metadata->location,
                                            &plain, err));
    if (given.size > 0) {
        *out = plain;
        return NILAS_OK;
    }
    return nilas_io_join(arena, plain, NILAS_STR("metadata"), out, err);
}

static nilas_str last_part(nilas_str path) {
    size_t start = path.size;

    while (start > 0 && path.data[start - 1] != '/') {
        start--;
    }
    return nilas_str_slice(path, start, path.size);
}

/** The number that a name begins with; -1 when it begins with none. */
static int64_t version_of(nilas_str location) {
    nilas_str name = last_part(location);
    size_t dash = nilas_str_find(name, NILAS_STR("-"), 0);
    int64_t version;

    if (dash == SIZE_MAX || !nilas_str_to_int64(nilas_str_slice(name, 0, dash), &version) ||
        version < 0) {
        return -1;
    }
    return version;
}

nilas_code nilas_catalog_new_uuid(nilas_arena *arena, nilas_str *out, nilas_error *err) {
    nilas_uuid uuid;

    NILAS_TRY(nilas_uuid_new(&uuid, err));
    return nilas_str_copy(arena, nilas_str_of(uuid.text), out, err);
}

nilas_code nilas_catalog__metadata_path(nilas_arena *arena, nilas_str folder,
                                        nilas_str base_location, const char *ending, nilas_str *out,
                                        nilas_error *err) {
    int64_t version = base_location.size > 0 ? version_of(base_location) + 1 : 0;
    nilas_str uuid, name;

    NILAS_TRY(nilas_catalog_new_uuid(arena, &uuid, err));
    NILAS_TRY(nilas_str_print(arena, &name, err, "%05lld-%.*s%s", (long long)version,
                              NILAS_FMT(uuid), ending));
    return nilas_io_join(arena, folder, name, out, err);
}
