/** Recursive CTEs and their limit of iterations. */
#ifndef NILAS_ENGINE_RECURSION_H
#define NILAS_ENGINE_RECURSION_H

#include "engine/render.h"

/** Register nilas_recursion_enter(id, level) and nilas_recursion_level(id). */
nilas_code nilas_engine__register_recursion(duckdb_connection connection, nilas_registry *registry,
                                            nilas_error *err);

#endif
