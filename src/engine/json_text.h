/** JSON for the functions of Spark: values of any type printed, paths followed, schemas inferred.
 *  */
#ifndef NILAS_ENGINE_JSON_TEXT_H
#define NILAS_ENGINE_JSON_TEXT_H

#include "engine/cell.h"
#include "engine/text_options.h"

/** to_json's text of a value: null members are left out, times in the session's zone. */
void nilas_engine__print_json(nilas_row *row, const nilas_text_options *options,
                              const nilas_cell *cell, idx_t at);
/** Follow "$.a.b[0]['c']" (also [*]); NULL when the path is malformed or leads nowhere. */
const nilas_json *nilas_engine__follow_path(nilas_arena *arena, const nilas_json *json,
                                            nilas_str path);
/** The SQL text of the schema that Spark infers; `is_variant` as schema_of_variant says it. */
void nilas_engine__print_json_schema(nilas_buf *out, nilas_arena *arena, const nilas_json *json,
                                     bool is_variant);
/** The schema that all of several variants fit. */
void nilas_engine__print_variants_schema(nilas_buf *out, nilas_arena *arena,
                                         const nilas_json *values, size_t count);

#endif
