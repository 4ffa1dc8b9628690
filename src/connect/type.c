/** Types of plans. */
#include "connect/plan.h"

nilas_code nilas_connect__type_of_message(nilas_arena *arena, const Sc__DataType *message,
                                          const nilas_type **out, nilas_error *err) {
    return nilas_session_type_of_message(arena, message, nilas_connect__type_of_text, out, err);
}

nilas_code nilas_connect__type(nilas_connect__plan *plan, const Sc__DataType *message,
                               const nilas_type **out) {
    return nilas_connect__type_of_message(plan->stmt, message, out, plan->err);
}
