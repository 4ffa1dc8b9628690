/** Partition transforms: identity, bucket[N], truncate[W], year, month, day, hour, void; unknown
 *  ones are kept by name. */
#ifndef NILAS_ICEBERG_TRANSFORM_H
#define NILAS_ICEBERG_TRANSFORM_H

#include "iceberg/type.h"

typedef enum nilas_transform_kind {
    NILAS_TRANSFORM_IDENTITY,
    NILAS_TRANSFORM_BUCKET,
    NILAS_TRANSFORM_TRUNCATE,
    NILAS_TRANSFORM_YEAR,
    NILAS_TRANSFORM_MONTH,
    NILAS_TRANSFORM_DAY,
    NILAS_TRANSFORM_HOUR,
    NILAS_TRANSFORM_VOID,
    NILAS_TRANSFORM_UNKNOWN,
} nilas_transform_kind;

typedef struct nilas_transform {
    nilas_transform_kind kind;
    int32_t width;  // N of bucket, W of truncate
    nilas_str text; // as in the metadata: "bucket[16]"
} nilas_transform;

nilas_code nilas_transform_parse(nilas_arena *arena, nilas_str text, nilas_transform *out,
                                 nilas_error *err);
/** Result type for a source type; day gives date (as Iceberg shows it), bucket/year/month/hour
 *  int; void and identity and truncate the source's; unknown string. NILAS_INVALID when the
 *  transform does not take the source type. */
nilas_code nilas_transform_result_type(const nilas_transform *transform,
                                       const nilas_ice_type *source, const nilas_ice_type **out,
                                       nilas_error *err);
/** Null stays null (void always null). Text results live in the arena or in the input.
 *  NILAS_INVALID for a source type or value that the transform does not take, or hours beyond an
 *  int; NILAS_UNSUPPORTED for an unknown transform. */
nilas_code nilas_transform_apply(nilas_arena *arena, const nilas_transform *transform,
                                 const nilas_ice_type *source, const nilas_value *value,
                                 nilas_value *out, nilas_error *err);
/** Human text of a partition value as Iceberg prints it in paths and summaries: "2021-01-01",
 *  "2021-01-01-03", "2021-01", base64 of binary, "null". */
void nilas_transform_print_value(nilas_buf *out, const nilas_transform *transform,
                                 const nilas_ice_type *result_type, const nilas_value *value);

#endif
