/**
 * Bound plans as DuckDB SQL.
 *
 * Each plan becomes one SELECT whose columns are exactly the plan's outputs, named c<attribute id>;
 * a plan without outputs gives one column "_" of nulls. Plans nest as subselects; names never
 * clash, because attribute ids are unique, so outer references need no qualifier. Other names (t1,
 * g2 …) are numbered through the job.
 */
#ifndef NILAS_ENGINE_RENDER_H
#define NILAS_ENGINE_RENDER_H

#include "engine/job.h"

typedef struct nilas_recursion nilas_recursion;
typedef struct nilas_scan_source nilas_scan_source;

typedef struct nilas_render {
    nilas_job *job;
    nilas_arena *stmt;
    bool dry;                                     // for EXPLAIN: delete files are not read
    int depth;                                    // of nested plans and expressions
    NILAS_ARRAY_OF(nilas_recursion *) recursions; // being rendered, innermost last
    NILAS_ARRAY_OF(nilas_scan_source *) scans;    // every table scan rendered so far, in order
    // a scan whose files are known already, from the try to answer by metadata
    const nilas_bound_scan *planned;
    nilas_scan_plan *planned_files;
    const nilas_bound_scan *limited; // a scan of which only the first rows are wanted
    int64_t limited_to;
} nilas_render;

/**
 * The whole query of a plan: outputs in order, each surely of the carrier of its type (engine.c).
 */
nilas_code nilas_engine__print_query(nilas_render *r, const nilas_plan *plan, nilas_str *out,
                                     nilas_error *err);
/** Append the plan's SELECT, without parentheses. */
nilas_code nilas_render__plan(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                              nilas_error *err);
/** Append a SELECT that gives no rows but the plan's columns. */
void nilas_render__no_rows(nilas_buf *out, const nilas_plan *plan);
/** Append an expression that stands anywhere an operand may stand. */
nilas_code nilas_render__expr(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                              nilas_error *err);
/** As nilas_render__expr(), into the statement's arena. */
nilas_code nilas_render__expr_text(nilas_render *r, const nilas_bound_expr *expr, nilas_str *out,
                                   nilas_error *err);
/**
 * Append a condition of a WHERE or ON: where null means false, row-value IN may be said as EXISTS.
 */
nilas_code nilas_render__condition(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                   nilas_error *err);
/**
 * Append SORT nodes, separated by commas; literal keys order nothing and are left out. Tells how
 * many were printed.
 */
nilas_code nilas_render__sort_keys(nilas_render *r, nilas_buf *out, nilas_bound_expr *const *keys,
                                   size_t count, size_t *out_printed, nilas_error *err);
/** Append a call; a window function with its OVER (render_call.c). */
nilas_code nilas_render__call(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                              nilas_error *err);
nilas_code nilas_render__window(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                nilas_error *err);

/** Append a SCAN or FILE_SCAN plan (scan_sql.c, files_sql.c). */
nilas_code nilas_render__scan(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                              nilas_error *err);
nilas_code nilas_render__file_scan(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                   nilas_error *err);
/** Append a RECURSIVE or RECURSION plan (recursion.c). */
nilas_code nilas_render__recursive(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                   nilas_error *err);
nilas_code nilas_render__recursion(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                   nilas_error *err);

/** Append the carrier of a type; struct<>, which DuckDB does not have, is an integer. */
void nilas_render__type(nilas_buf *out, const nilas_type *type);
/** Append a literal of exactly the carrier of `type` (render_literal.c). */
void nilas_render__literal(nilas_buf *out, const nilas_type *type, const nilas_value *value);
/** Append text as an SQL string, any bytes but invalid UTF-8; and as a quoted identifier. */
void nilas_render__text(nilas_buf *out, nilas_str text);
void nilas_render__identifier(nilas_buf *out, nilas_str name);
/** Append a local path as an SQL string that DuckDB's readers do not take for a pattern. */
void nilas_render__path(nilas_buf *out, nilas_str path);
/** A number for a name of ours. */
int32_t nilas_render__number(nilas_render *r);

#endif
