/*
 * Puffin files: magic, blobs, footer. The footer is found from the end; every number in it is
 * checked against the file before anything is read through it.
 *
 * Spec: puffin#file-structure, puffin#footer-structure, puffin#footer-payload.
 */
#include "codec/puffin.h"

#define MAGIC                   NILAS_STR("PFA1")
#define TAIL_BYTES              12U // payload size, flags, magic
#define FLAG_PAYLOAD_COMPRESSED 1U

#ifndef NILAS_VERSION
#define NILAS_VERSION "dev"
#endif

// ---- reading ------------------------------------------------------------------------------------

/** The footer's payload, and where the footer starts. */
static nilas_code find_payload(nilas_str file, const char *what, nilas_str *payload,
                               size_t *footer_offset, nilas_error *err) {
    NILAS_REQUIRE(file.size >= 2 * MAGIC.size + TAIL_BYTES, err, NILAS_CORRUPT,
                  "%s: a Puffin file of at least %zu bytes expected, found %zu", what,
                  2 * MAGIC.size + TAIL_BYTES, file.size);
    NILAS_REQUIRE(nilas_str_starts(file, MAGIC) && nilas_str_ends(file, MAGIC), err, NILAS_CORRUPT,
                  "%s: magic \"PFA1\" expected at offset 0 and at the end", what);

    nilas_reader reader = nilas_reader_of(file, what);
    uint32_t size;
    uint32_t flags;
    reader.position = file.size - TAIL_BYTES;
    NILAS_TRY(nilas_reader_u32le(&reader, &size, err));
    NILAS_TRY(nilas_reader_u32le(&reader, &flags, err));
    NILAS_REQUIRE(size <= file.size - 2 * MAGIC.size - TAIL_BYTES, err, NILAS_CORRUPT,
                  "%s: footer of %u bytes expected, the file has %zu", what, size, file.size);
    NILAS_REQUIRE(size <= NILAS_LIMIT_PUFFIN_FOOTER_BYTES, err, NILAS_LIMIT,
                  "%s: footer of %u bytes, the limit is %lld", what, size,
                  NILAS_LIMIT_PUFFIN_FOOTER_BYTES);

    *footer_offset = file.size - TAIL_BYTES - size - MAGIC.size;
    NILAS_REQUIRE(nilas_str_equal(nilas_str_slice(file, *footer_offset, MAGIC.size), MAGIC), err,
                  NILAS_CORRUPT, "%s: magic \"PFA1\" expected at offset %zu", what, *footer_offset);
    // Only now: in a file that was cut these are any four bytes.
    NILAS_REQUIRE((flags & ~FLAG_PAYLOAD_COMPRESSED) == 0, err, NILAS_UNSUPPORTED,
                  "%s: footer flags %08x at offset %zu are not supported", what, flags,
                  file.size - 8);
    NILAS_REQUIRE((flags & FLAG_PAYLOAD_COMPRESSED) == 0, err, NILAS_UNSUPPORTED,
                  "%s: a footer compressed with lz4 is not supported yet", what);
    *payload = nilas_str_slice(file, *footer_offset + MAGIC.size, size);
    return NILAS_OK;
}

static nilas_code read_field_ids(nilas_arena *arena, const nilas_json *json, nilas_puffin_blob *out,
                                 nilas_error *err) {
    const nilas_json *fields;

    NILAS_TRY(nilas_json_get_array(json, "fields", &fields, err));
    NILAS_NEW_ARRAY(arena, &out->field_ids, fields->count, err);
    for (size_t i = 0; i < fields->count; i++) {
        const nilas_json *field = &fields->items[i];
        NILAS_REQUIRE(field->kind == NILAS_JSON_INT && field->integer >= INT32_MIN &&
                          field->integer <= INT32_MAX,
                      err, NILAS_CORRUPT, "member \"fields\": item %zu is no 32-bit integer", i);
        out->field_ids[i] = (int32_t)field->integer;
    }
    out->field_count = fields->count;
    return NILAS_OK;
}

static nilas_code read_compression(const nilas_json *json, nilas_compression *out,
                                   nilas_error *err) {
    nilas_str codec = NILAS_STR_EMPTY;

    NILAS_TRY(nilas_json_find_str(json, "compression-codec", &codec, err));
    if (codec.size == 0) {
        *out = NILAS_COMPRESSION_NONE;
    } else if (nilas_str_is_nocase(codec, "zstd")) {
        *out = NILAS_COMPRESSION_ZSTD;
    } else if (nilas_str_is_nocase(codec, "lz4")) {
        *out = NILAS_COMPRESSION_LZ4;
    } else {
        return nilas_fail(err, NILAS_UNSUPPORTED, "compression-codec \"%.*s\" is not supported",
                          NILAS_FMT(codec));
    }
    return NILAS_OK;
}

static nilas_code read_blob(nilas_arena *arena, const nilas_json *json, size_t footer_offset,
                            nilas_puffin_blob *out, nilas_error *err) {
    NILAS_TRY(nilas_json_get_str(json, "type", &out->type, err));
    NILAS_TRY(read_field_ids(arena, json, out, err));
    NILAS_TRY(nilas_json_get_int(json, "snapshot-id", &out->snapshot_id, err));
    NILAS_TRY(nilas_json_get_int(json, "sequence-number", &out->sequence_number, err));
    NILAS_TRY(nilas_json_get_int(json, "offset", &out->offset, err));
    NILAS_TRY(nilas_json_get_int(json, "length", &out->length, err));
    NILAS_TRY(read_compression(json, &out->compression, err));
    NILAS_TRY(nilas_json_find_object(json, "properties", &out->properties, err));
    NILAS_REQUIRE(out->offset >= (int64_t)MAGIC.size && out->length >= 0 &&
                      out->offset <= (int64_t)footer_offset &&
                      out->length <= (int64_t)footer_offset - out->offset,
                  err, NILAS_CORRUPT, "bytes [%lld, +%lld) lie outside the blobs, which end at %zu",
                  (long long)out->offset, (long long)out->length, footer_offset);
    return NILAS_OK;
}

nilas_code nilas_puffin_parse(nilas_arena *arena, nilas_str file, const char *what,
                              nilas_puffin_blob **out, size_t *out_count, nilas_error *err) {
    nilas_str payload;
    size_t footer_offset;
    nilas_json *footer;
    const nilas_json *list;

    NILAS_TRY(find_payload(file, what, &payload, &footer_offset, err));
    NILAS_NEW(arena, &footer, err);
    NILAS_TRY(nilas_json_parse(arena, payload, what, footer, err));
    nilas_code code = nilas_json_get_array(footer, "blobs", &list, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "in the footer of %s", what);
        return code;
    }

    nilas_puffin_blob *blobs;
    NILAS_NEW_ARRAY(arena, &blobs, list->count, err);
    for (size_t i = 0; i < list->count; i++) {
        code = read_blob(arena, &list->items[i], footer_offset, &blobs[i], err);
        if (code != NILAS_OK) {
            nilas_error_append(err, "in blob %zu of %s", i, what);
            return code;
        }
    }
    *out = blobs;
    *out_count = list->count;
    return NILAS_OK;
}

// ---- writing ------------------------------------------------------------------------------------

static nilas_code print_blob(nilas_buf *out, const nilas_puffin_blob *blob, nilas_error *err) {
    NILAS_REQUIRE(blob->compression == NILAS_COMPRESSION_NONE ||
                      blob->compression == NILAS_COMPRESSION_ZSTD ||
                      blob->compression == NILAS_COMPRESSION_LZ4,
                  err, NILAS_INVALID, "a Puffin blob is stored plain or compressed by zstd or lz4");

    nilas_buf_add_text(out, "{\"type\":");
    nilas_json_print_string(out, blob->type);
    nilas_buf_add_text(out, ",\"fields\":[");
    for (size_t i = 0; i < blob->field_count; i++) {
        nilas_buf_print(out, "%s%d", i > 0 ? "," : "", blob->field_ids[i]);
    }
    nilas_buf_print(
        out, "],\"snapshot-id\":%lld,\"sequence-number\":%lld,\"offset\":%lld,\"length\":%lld",
        (long long)blob->snapshot_id, (long long)blob->sequence_number, (long long)blob->offset,
        (long long)blob->length);
    if (blob->compression != NILAS_COMPRESSION_NONE) {
        nilas_buf_print(out, ",\"compression-codec\":\"%s\"",
                        blob->compression == NILAS_COMPRESSION_ZSTD ? "zstd" : "lz4");
    }
    if (blob->properties != NULL) {
        nilas_buf_add_text(out, ",\"properties\":");
        nilas_json_print(out, blob->properties, 0);
    }
    nilas_buf_add_char(out, '}');
    return NILAS_OK;
}

static void add_u32le(nilas_buf *out, uint32_t v) {
    for (unsigned i = 0; i < 4; i++) {
        nilas_buf_add_char(out, (char)(v >> (8 * i)));
    }
}

nilas_code nilas_puffin_print(nilas_arena *arena, nilas_puffin_part *parts, size_t part_count,
                              nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF file = NILAS_BUF_INIT(SIZE_MAX);
    NILAS_AUTO_BUF payload = NILAS_BUF_INIT(NILAS_LIMIT_PUFFIN_FOOTER_BYTES);

    nilas_buf_add(&file, MAGIC);
    nilas_buf_add_text(&payload, "{\"blobs\":[");
    for (size_t i = 0; i < part_count; i++) {
        parts[i].blob.offset = (int64_t)file.size;
        parts[i].blob.length = (int64_t)parts[i].data.size;
        nilas_buf_add(&file, parts[i].data);
        nilas_buf_add_text(&payload, i > 0 ? "," : "");
        NILAS_TRY(print_blob(&payload, &parts[i].blob, err));
    }
    nilas_buf_add_text(&payload, "],\"properties\":{\"created-by\":\"nilas " NILAS_VERSION "\"}}");
    NILAS_TRY(nilas_buf_check(&payload, err));

    nilas_buf_add(&file, MAGIC);
    nilas_buf_add(&file, nilas_buf_view(&payload));
    add_u32le(&file, (uint32_t)payload.size);
    add_u32le(&file, 0);
    nilas_buf_add(&file, MAGIC);
    return nilas_buf_finish(&file, arena, out, err);
}
