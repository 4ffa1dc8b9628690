/** Parts of the implicit casts that only this room uses. */
#ifndef NILAS_FUNCTION_COERCE_H
#define NILAS_FUNCTION_COERCE_H

#include "tree/tree.h"

/** Common type without string promotion and without looking into nested types
 *  (findTightestCommonType, and decimals). */
nilas_code nilas_function__common_tight(nilas_arena *arena, const nilas_type *a,
                                        const nilas_type *b, bool ansi, const nilas_type **out,
                                        nilas_error *err);
/** What a string and a value of another type become together; NULL when they do not meet. */
const nilas_type *nilas_function__common_with_string(const nilas_type *other, bool ansi);

#endif
