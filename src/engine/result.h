/** Results: what nilas_result is inside, and Arrow arrays as engine.h promises them. */
#ifndef NILAS_ENGINE_RESULT_H
#define NILAS_ENGINE_RESULT_H

#include "engine/engine.h"
#include "engine/job.h"

struct nilas_result {
    nilas_arena *stmt;      // owned, or NULL
    const nilas_type *type; // struct of the columns
    nilas_code (*next)(nilas_result *result, struct ArrowArray *out, nilas_error *err);
    void (*close)(nilas_result *result); // before the arena goes; or NULL
    void *state;
    struct ArrowSchema schema; // of the batches; not there (release NULL): as the type has it
    int32_t shown_column;      // -1: all
};

/**
 * A result over a running query; takes over `job` and `run` (they are emptied) and `stmt` on
 * success.
 */
nilas_code nilas_result__of_query(nilas_arena *stmt, nilas_job *job, nilas_query_run *run,
                                  const nilas_type *type, nilas_result **out, nilas_error *err);

nilas_code nilas_result__new(nilas_arena *stmt, const nilas_type *type, nilas_result **out,
                             nilas_error *err);

/** Arrow schema of a Spark type (arrow_schema.c). */
nilas_code nilas_arrow__make_schema(const nilas_type *type, struct ArrowSchema *out,
                                    nilas_error *err);
/** An Arrow struct array of rows: row_count structs' items, row after row (arrow_build.c). */
nilas_code nilas_arrow__build(const nilas_type *type, const nilas_value *values, size_t row_count,
                              struct ArrowArray *out, nilas_error *err);
/**
 * Make an array exported by DuckDB what the schema says: void and empty structs have no carrier
 * there.
 */
void nilas_arrow__fix(struct ArrowArray *array, const nilas_type *type);
/** The value at a row of an array of a Spark type, copied into the arena (arrow_value.c). */
nilas_code nilas_arrow__read_value(nilas_arena *arena, const struct ArrowArray *array,
                                   const nilas_type *type, int64_t row, nilas_value *out,
                                   nilas_error *err);

#endif
