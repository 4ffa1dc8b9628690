/** Room-private: small helpers of the JSON readers. */
#ifndef NILAS_ICEBERG_PARSE_H
#define NILAS_ICEBERG_PARSE_H

#include "iceberg/metadata.h"

/** A member that must be there and fit 32 bits. */
nilas_code nilas_iceberg__get_int32(const nilas_json *object, const char *name, int32_t *out,
                                    nilas_error *err);
/** Untouched when absent or null. */
nilas_code nilas_iceberg__find_int32(const nilas_json *object, const char *name, int32_t *out,
                                     nilas_error *err);
/** Untouched when absent or null; NILAS_CORRUPT when it is no array. */
nilas_code nilas_iceberg__find_array(const nilas_json *object, const char *name,
                                     const nilas_json **out, nilas_error *err);
/** Array of 32-bit integers; *out_count 0 when absent. */
nilas_code nilas_iceberg__find_int32_list(nilas_arena *arena, const nilas_json *object,
                                          const char *name, int32_t **out, size_t *out_count,
                                          nilas_error *err);
/** Object of texts, in file order; numbers and booleans become their text, null members are left
 *  out. */
nilas_code nilas_iceberg__parse_properties(nilas_arena *arena, const nilas_json *object,
                                           nilas_property **out, size_t *out_count,
                                           nilas_error *err);
/** Append the dotted name of a field; false, and nothing appended, when the schema lacks it. */
bool nilas_iceberg__print_name(nilas_buf *out, const nilas_schema *schema, int32_t field_id);
/** A struct type as a schema has it. */
nilas_code nilas_iceberg__parse_struct(nilas_arena *arena, const nilas_json *json,
                                       nilas_ice_type *out, nilas_error *err);
/** A spec object, or the bare array of its fields (`is_fields`), which is spec 0. */
nilas_code nilas_iceberg__parse_spec(nilas_arena *arena, const nilas_json *json, bool is_fields,
                                     nilas_partition_spec **out, nilas_error *err);
nilas_code nilas_iceberg__parse_sort_order(nilas_arena *arena, const nilas_json *json,
                                           nilas_sort_order **out, nilas_error *err);
nilas_code nilas_iceberg__parse_snapshot(nilas_arena *arena, const nilas_json *json,
                                         nilas_snapshot *out, nilas_error *err);
/** `refs`, with "main" made up where it is missing; checked against the current snapshot. */
nilas_code nilas_iceberg__parse_refs(nilas_arena *arena, const nilas_json *json,
                                     nilas_metadata *metadata, nilas_error *err);
nilas_code nilas_iceberg__parse_logs(nilas_arena *arena, const nilas_json *json,
                                     nilas_metadata *metadata, nilas_error *err);
nilas_code nilas_iceberg__parse_statistics(nilas_arena *arena, const nilas_json *json,
                                           nilas_metadata *metadata, nilas_error *err);

/** JSON of a spec's fields, of a sort order, of a snapshot. */
void nilas_iceberg__print_spec_fields(nilas_buf *out, const nilas_partition_spec *spec);
void nilas_iceberg__print_sort_order(nilas_buf *out, const nilas_sort_order *order);
void nilas_iceberg__print_snapshot(nilas_buf *out, const nilas_snapshot *snapshot);

#endif
