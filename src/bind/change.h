/**
 * Bound changes: INSERT, DELETE, UPDATE, MERGE as plans of rows to write and rows to delete.
 */
#ifndef NILAS_BIND_CHANGE_H
#define NILAS_BIND_CHANGE_H

#include "bind/bind.h" // includes this one at its end

/** What each row of a row-level change asks for; the value of its first column (int). */
typedef enum nilas_change_action {
    NILAS_CHANGE_DELETE = 0, // drop the target row
    NILAS_CHANGE_UPDATE = 1, // drop the target row, write the new one
    NILAS_CHANGE_INSERT = 2, // write a new row; no target row
    NILAS_CHANGE_NONE = 3,   // MERGE: matched, but no clause takes it; counts for cardinality only
} nilas_change_action;

typedef enum nilas_change_kind {
    NILAS_CHANGE_KIND_INSERT,
    NILAS_CHANGE_KIND_DELETE,
    NILAS_CHANGE_KIND_UPDATE,
    NILAS_CHANGE_KIND_MERGE
} nilas_change_kind;

/** A schema that grows with a write, in the same commit. */
typedef struct nilas_growth {
    const nilas_table *base; // as it was when the statement was bound
    nilas_table *table;      // as it will be: what the statement reads and writes
    const nilas_schema *schema;
    int32_t last_column_id;
} nilas_growth;

typedef struct nilas_bound_change {
    nilas_change_kind kind;
    nilas_relation target;      // the table (its branch: `branch`)
    nilas_str branch;           // empty: main
    const nilas_growth *growth; // NULL: the schema stays; else `target` is growth->table
    /**
     * INSERT: the rows, one output per column of the table's current schema, in order and of its
     * types (store assignment done). Else: outputs are: action (int), _file (string, null for
     * inserts), _pos (bigint), then one per column of the schema (null for deletes); on v3 tables
     * then _row_id (bigint) and _last_updated_sequence_number (bigint, null for changed rows), so
     * that lineage survives.
     */
    nilas_plan *plan;
    const nilas_predicate *filter; // DELETE, UPDATE: the pushed condition on the target (NULL:
                                   // none); `filter_is_exact` tells whether it is all of it
    bool filter_is_exact;          // a DELETE may then be tried on metadata alone
    bool check_cardinality;        // MERGE: a target row that two source rows match is
                                   // MERGE_CARDINALITY_VIOLATION
    // INSERT OVERWRITE, INSERT … REPLACE WHERE:
    bool overwrite, dynamic;
    const nilas_predicate *overwrite_filter; // static partition values or REPLACE WHERE; NULL with
                                             // overwrite: everything
} nilas_bound_change;

/** Bind INSERT, DELETE, UPDATE, MERGE. Errors as Spark: INCOMPATIBLE_DATA_FOR_TABLE.*,
 * INSERT_COLUMN_ARITY_MISMATCH.*, … */
nilas_code nilas_bind_change(const nilas_bind_environment *environment,
                             const nilas_statement *statement, nilas_bound_change *out,
                             nilas_error *err);

/** Rows of a query brought to a table schema by position or by name, with Spark's store assignment
 * (policy ANSI, LEGACY, STRICT). */
nilas_code nilas_bind_store(const nilas_bind_environment *environment, nilas_str table_name,
                            const nilas_schema *schema, const nilas_query *query,
                            const nilas_str *columns, size_t column_count, bool by_name,
                            nilas_plan **out, nilas_error *err);

/** Iceberg type of a Spark type, ids assigned from *next_id up (tinyint, smallint -> int; char,
 * varchar -> string; …). */
nilas_code nilas_bind_spark_type(nilas_arena *arena, const nilas_type *type, int32_t *next_id,
                                 const nilas_ice_type **out, nilas_error *err);
/** A partition or sort transform expression (bucket(16, id), days(ts), category) against a schema.
 */
nilas_code nilas_bind_transform(const nilas_bind_environment *environment,
                                const nilas_schema *schema, const nilas_expr *expr,
                                int32_t *out_source_id, nilas_transform *out_transform,
                                nilas_error *err);
/** Find the table that a write names: also `t.branch_x`; metadata tables and views are refused in
 * Spark's words. */
nilas_code nilas_bind_target(const nilas_bind_environment *environment, const nilas_str *parts,
                             size_t count, int32_t offset, nilas_relation *out,
                             nilas_str *out_branch, nilas_error *err);

#endif
