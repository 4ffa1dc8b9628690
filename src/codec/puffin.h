/** Puffin files: footer and blobs (statistics, deletion vectors). */
#ifndef NILAS_CODEC_PUFFIN_H
#define NILAS_CODEC_PUFFIN_H

#include "codec/compress.h"
#include "codec/json.h"

typedef struct nilas_puffin_blob {
    nilas_str type; // "deletion-vector-v1", "apache-datasketches-theta-v1", …
    int32_t *field_ids;
    size_t field_count;
    int64_t snapshot_id, sequence_number;
    int64_t offset, length; // in the file
    nilas_compression compression;
    const nilas_json *properties; // object of strings, or NULL
} nilas_puffin_blob;

/** Parse a whole file's footer. */
nilas_code nilas_puffin_parse(nilas_arena *arena, nilas_str file, const char *what,
                              nilas_puffin_blob **out, size_t *out_count, nilas_error *err);

typedef struct nilas_puffin_part { // a blob to write: data as stored (already encoded)
    nilas_puffin_blob blob;        // offset and length are filled by the writer
    nilas_str data;
} nilas_puffin_part;
nilas_code nilas_puffin_print(nilas_arena *arena, nilas_puffin_part *parts, size_t part_count,
                              nilas_str *out, nilas_error *err);

#endif
