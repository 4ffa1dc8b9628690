/** Files as tables of Spark SQL: json, csv, parquet, text. */
#ifndef NILAS_ENGINE_FILES_SQL_H
#define NILAS_ENGINE_FILES_SQL_H

#include "engine/render.h"

/** A partition column: the key of key=value folders. */
typedef struct nilas_file_key {
    nilas_str name;
    const nilas_type *type;
    nilas_str *values; // by file; data NULL: null
} nilas_file_key;

/** What inference found out about a file scan; hangs at nilas_file_scan.source. */
typedef struct nilas_file_source {
    nilas_str *files;
    size_t file_count; // local paths; never empty
    nilas_str *csv_columns;
    size_t csv_column_count; // names of the first line, or _c0 …
    nilas_file_key *keys;    // outermost first
    size_t key_count;
    const nilas_type *data_schema; // of what the files themselves hold
} nilas_file_source;

/** Files below the paths, as Spark lists them: folders recursively, without names that start with
 *  "_" or "."; in order. @return NILAS_NOT_FOUND PATH_NOT_FOUND */
nilas_code nilas_files__list(nilas_arena *arena, const nilas_file_scan *scan,
                             nilas_file_source **out, nilas_error *err);
/** Find the key=value folders between each file and its base (a folder without a slash at its
 * end). When there are some, files outside of them do not count (files_partition.c).
 * @return NILAS_INVALID  folders do not agree */
nilas_code nilas_files__find_keys(nilas_arena *arena, const nilas_str *bases,
                                  nilas_file_source *source, nilas_error *err);
/** Put the keys into scan->schema, which the user gave or the files have; sets data_schema. */
nilas_code nilas_files__add_keys(nilas_arena *arena, nilas_file_scan *scan, bool is_given,
                                 nilas_file_source *source, nilas_error *err);
/** The key of this name; NULL: none. */
const nilas_file_key *nilas_files__key(const nilas_file_source *source, nilas_str name);
/** Append the value of the key of this name for a row, by file_index; false: there is none. */
bool nilas_files__print_key(nilas_buf *out, const nilas_file_source *source, nilas_str name);
/** An option's value, key without case; `fallback` when it is not given. */
nilas_str nilas_files__option(const nilas_file_scan *scan, const char *key, const char *fallback);
bool nilas_files__flag(const nilas_file_scan *scan, const char *key, bool fallback);
/** Append "['/a', '/b']". */
void nilas_files__print_list(nilas_buf *out, const nilas_file_source *source);
/** Append "read_csv(…)" of text columns of the source's names. */
void nilas_files__print_read_csv(nilas_buf *out, const nilas_file_scan *scan,
                                 const nilas_file_source *source);
/** Names of a CSV source's columns, from its first line (files_csv.c). */
nilas_code nilas_files__read_csv_columns(nilas_arena *arena, const nilas_file_scan *scan,
                                         nilas_file_source *source, nilas_error *err);
/** Infer the types of CSV columns by looking at every value. */
nilas_code nilas_files__infer_csv(nilas_job *job, nilas_arena *arena, const nilas_file_scan *scan,
                                  const nilas_file_source *source, const nilas_type **out,
                                  nilas_error *err);
/** Infer a JSON schema as Spark does (files_json.c). */
nilas_code nilas_files__infer_json(nilas_job *job, nilas_arena *arena, const nilas_file_scan *scan,
                                   const nilas_file_source *source, const nilas_type **out,
                                   nilas_error *err);
/** Schema of Parquet files: that of the first (files_parquet.c). */
nilas_code nilas_files__infer_parquet(nilas_arena *arena, const nilas_file_source *source,
                                      const nilas_type **out, nilas_error *err);
nilas_code nilas_files__render_parquet(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                       const nilas_file_source *source, nilas_error *err);
/** Run a query of one text cell; data NULL when it is null. */
nilas_code nilas_files__query_text(nilas_job *job, nilas_arena *arena, nilas_str sql,
                                   nilas_str *out, nilas_error *err);

#endif
