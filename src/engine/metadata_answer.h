/** count, min and max of a table from metadata alone, without DuckDB. */
#ifndef NILAS_ENGINE_METADATA_ANSWER_H
#define NILAS_ENGINE_METADATA_ANSWER_H

#include "engine/render.h"

/**
 * Try to answer a plan from manifests: one row of count(*), count(column), min(column), max(column)
 * over a table, with a filter that metadata decides for every file.
 *
 * @param out_values  set when *out_answered: one value per output of the plan, in the arena
 * @param r           gets the planned files when they were planned in vain, so that the scan need
 * not plan again
 */
nilas_code nilas_engine__answer_from_metadata(nilas_render *r, const nilas_plan *plan,
                                              bool *out_answered, nilas_value **out_values,
                                              nilas_error *err);

#endif
