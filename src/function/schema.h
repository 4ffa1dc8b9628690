/** Schemas in text, as from_json and variant_get take them: "a INT, b ARRAY<STRING>", "STRUCT<a:
 *  INT>", "array<int>". */
#ifndef NILAS_FUNCTION_SCHEMA_H
#define NILAS_FUNCTION_SCHEMA_H

#include "tree/tree.h"

/** A type, or a list of columns (which gives a struct). NULL in *out when the text is not one. */
nilas_code nilas_function__parse_schema(nilas_arena *arena, nilas_str text, const nilas_type **out,
                                        nilas_error *err);

#endif
