/**
 * engine: bound plan + file tasks -> DuckDB SQL -> Arrow batches. The one room that knows DuckDB.
 */
#ifndef NILAS_ENGINE_ENGINE_H
#define NILAS_ENGINE_ENGINE_H

#include "bind/bind.h"
#include "engine/arrow.h"

/**
 * What one session, or one statement of it, asks of DuckDB. libduckdb is loaded on the first need;
 * all engines of the process share one database with its threads and its memory. One thread at a
 * time per engine; several engines at once.
 */
typedef struct nilas_engine nilas_engine;

typedef struct nilas_engine_options {
    const nilas_zone *zone; // session time zone; may be changed by nilas_engine_set_zone
    bool ansi;
    uint32_t worker_count; // 0: processors; of the database: what the first engine says
    nilas_cancel *cancel;  // or NULL; a running query is interrupted when set
    /** Called now and then with 0..1 (or -1 unknown) while a query runs; or NULL. From the caller's
     * thread. */
    void (*progress)(void *context, double fraction);
    void *progress_context;
} nilas_engine_options;

nilas_code nilas_engine_new(nilas_engine **out, const nilas_engine_options *options,
                            nilas_error *err);
/**
 * An engine for one statement of a session, with its own zone, cancel and progress. `parent` is the
 * session's: borrowed, and used by many threads at once; it keeps the database open between
 * statements.
 */
nilas_code nilas_engine_fork(nilas_engine *parent, const nilas_engine_options *options,
                             nilas_engine **out, nilas_error *err);
void nilas_engine_free(nilas_engine *engine);
NILAS_DEFINE_AUTO(nilas_engine, nilas_engine_free);
void nilas_engine_set_zone(nilas_engine *engine, const nilas_zone *zone);
void nilas_engine_set_ansi(nilas_engine *engine, bool ansi);

/**
 * A result: a Spark struct type and a pull stream of Arrow batches, of bounded memory. Holds what
 * it needs, a connection of its own too, so that results of one engine may be read in turns; free
 * when done, before the engine.
 *
 * The Arrow formats are exactly these, at every depth:
 *
 *     boolean b            tinyint c   smallint s   int i   bigint l   float f   double g
 *     decimal d:p,s        string, char, varchar, variant u            binary z
 *     date tdD             time ttu    timestamp tsu:UTC               timestamp_ntz tsu:
 *     interval year to month tiM       interval day to second tDu      interval (legacy) tin
 *     array +l             map +m      struct +s (struct<> has no children)     void n
 */
typedef struct nilas_result nilas_result;
const nilas_type *nilas_result_type(const nilas_result *result); // struct of the columns
/** Next batch as an Arrow struct array, moved to the caller, who releases it; out->release NULL at
 * the end. */
nilas_code nilas_result_next(nilas_result *result, struct ArrowArray *out, nilas_error *err);
/** Arrow schema of the batches, moved to the caller. */
nilas_code nilas_result_schema(nilas_result *result, struct ArrowSchema *out, nilas_error *err);
/** Say that spark-sql prints only the column at this position (SHOW TABLES prints only names), in
 * the forms that repeat what spark-sql prints (tsv, json). -1, the default: all columns. */
void nilas_result_show_only(nilas_result *result, int32_t column);
int32_t nilas_result_shown_column(const nilas_result *result);
void nilas_result_free(nilas_result *result);
NILAS_DEFINE_AUTO(nilas_result, nilas_result_free);

/** Run a plan. Plans, renders, executes; answers from metadata alone without loading DuckDB where
 * that is exact. `stmt` is taken over by the result (freed with it) on success only. */
nilas_code nilas_engine_run(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                            nilas_result **out, nilas_error *err);
/** A result of rows in memory (SHOW, DESCRIBE, CALL …): `rows` has row_count structs' items, row
 * after row. Takes over `stmt`. */
nilas_code nilas_result_of_rows(nilas_arena *stmt, const nilas_type *type,
                                const nilas_value *values, size_t row_count, nilas_result **out,
                                nilas_error *err);
/** Arrow IPC streams that come from elsewhere, one after the other, all of one schema. */
typedef struct nilas_result_source {
    /** The next stream, valid until the next call; data NULL at the end. */
    nilas_code (*next)(void *context, nilas_str *out, nilas_error *err);
    void (*close)(void *context); // once; or NULL
    void *context;
} nilas_result_source;
/**
 * A result of streams, whose bytes are checked in full. Its Arrow formats are those of the streams:
 * what reads it must not take the list above for granted. The first stream is read at once.
 *
 * @param type    of the columns, or NULL: as the first stream says.
 * @param source  taken over in every case; `stmt` on success.
 * @return NILAS_CORRUPT  not an Arrow stream; and what `source` fails with
 */
nilas_code nilas_result_of_streams(nilas_arena *stmt, const nilas_type *type,
                                   const nilas_result_source *source, nilas_result **out,
                                   nilas_error *err);
/** A result without columns and rows. */
nilas_code nilas_result_empty(nilas_result **out, nilas_error *err);

/** Value of a constant expression (no columns). Literals and casts of literals do not load DuckDB.
 */
nilas_code nilas_engine_evaluate(nilas_engine *engine, nilas_arena *arena,
                                 const nilas_bound_expr *expr, nilas_value *out, nilas_error *err);
/** Infer the Spark schema of files: JSON (columns sorted by name, bigint, double, string, arrays,
 * structs), CSV (header, inferSchema, sep … options), Parquet. Fills scan->schema, or completes a
 * given one: keys of key=value folders are columns after the others. */
nilas_code nilas_engine_infer_files(nilas_engine *engine, nilas_arena *arena, nilas_file_scan *scan,
                                    nilas_error *err);

/** The Spark type that holds all values of key=value folders (data NULL: null): int, bigint,
 * decimal, double, date, timestamp, else string. */
nilas_code nilas_engine_folder_type(nilas_arena *arena, const nilas_str *values, size_t count,
                                    const nilas_type **out, nilas_error *err);

/** Each row of a plan, in the order it gives them.
 *
 * @param types  a field for each output, of the Iceberg type whose carrier the output is
 * @param body   gets the row's values, which live until it returns; a failure ends the walk */
nilas_code nilas_engine_each(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                             const nilas_ice_type *types,
                             nilas_code (*body)(void *context, const nilas_value *items,
                                                nilas_error *err),
                             void *context, nilas_error *err);

/** Complete data files, whose paths are set, with what their Parquet footers say: rows, and by the
 * table's metrics modes sizes, counts and bounds of the current schema's columns. These are found
 * by field id, else by the table's name mapping, else by name. NILAS_CORRUPT names the file. */
nilas_code nilas_engine_import_parquet(nilas_arena *arena, const nilas_table *table,
                                       nilas_data_file *files, size_t count, nilas_error *err);

/** Spark type of a local relation's rows, by the schema of its Arrow IPC stream. */
nilas_code nilas_engine_local_type(nilas_arena *arena, nilas_str data, const nilas_type **out,
                                   nilas_error *err);

/** The physical plan for EXPLAIN: per scan the snapshot, files kept and dropped by which rule,
 * deletes applied, pushed filter; with `formatted` also the DuckDB SQL. */
nilas_code nilas_engine_explain(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                                bool extended, nilas_str *out, nilas_error *err);

/** Locations of the data files that a plan's scans would read, each once. */
nilas_code nilas_engine_input_files(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                                    nilas_str **out, size_t *out_count, nilas_error *err);

#include "engine/save.h"
#include "engine/write.h"

#endif
