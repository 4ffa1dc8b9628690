/**
 * bind: names -> tables, columns and functions; a Spark type for every expression; implicit casts;
 * snapshots; filters pushed down to scans.
 */
#ifndef NILAS_BIND_BIND_H
#define NILAS_BIND_BIND_H

#include "bind/bound.h"
#include "catalog/catalog.h"

/** What a temporary view is. */
typedef struct nilas_temp_view {
    nilas_str name;
    const nilas_query *query; // its text's tree (session arena); or NULL when it is a source:
    nilas_str text;
    nilas_str provider; // "iceberg", "json", "csv", "parquet"
    const nilas_option *options;
    size_t option_count;
    const nilas_type *schema; // given with the view, or NULL
    // where to read, when not by the option "path"
    const nilas_str *paths;
    size_t path_count;
    nilas_str *column_names;
    size_t column_count; // CREATE VIEW v (a, b)
    nilas_str *column_comments;
    bool *has_column_comments;
    // where names inside the view resolve: the catalog and namespace that were current at its
    // creation
    nilas_str catalog;
    nilas_str *current_namespace;
    size_t namespace_count;
    const void *scope;        // of view names inside it: what find_temp_view() is asked with
    const nilas_error *error; // why the view cannot be read, or NULL
} nilas_temp_view;

/** What the binder needs from its surroundings; filled by `session`. Callbacks get `context`. */
typedef struct nilas_bind_environment {
    void *context;
    nilas_io *io;
    nilas_arena *stmt;
    nilas_str statement_text;
    nilas_str current_catalog;
    const nilas_str *current_namespace;
    size_t current_namespace_count;
    const nilas_zone *zone; // session time zone
    bool ansi, case_sensitive;
    int64_t now_micros; // one clock for the whole statement (current_timestamp())
    nilas_str user;     // current_user()
    /** A catalog by name; NULL in *out when no such catalog is configured. Errors when its settings
     * are wrong. */
    nilas_code (*find_catalog)(void *context, nilas_str name, nilas_catalog **out,
                               nilas_error *err);
    /** A temporary view by name (parts: one, or "global_temp" and one); NULL when there is none.
     * `scope`: of the view around the name; NULL: the name is the statement's own. */
    const nilas_temp_view *(*find_temp_view)(void *context, const void *scope,
                                             const nilas_str *parts, size_t count);
    const void *view_scope; // of the temporary view that is being bound; NULL
    /** A setting's value; data NULL when it is not set and has no default. */
    nilas_str (*setting)(void *context, const char *key);
    /** Value of a constant expression, by the engine. */
    nilas_code (*evaluate)(void *context, const nilas_bound_expr *expr, nilas_value *out,
                           nilas_error *err);
    /** Schema of files (json, csv, parquet, text): fills schema and source of `scan`. */
    nilas_code (*infer_files)(void *context, nilas_file_scan *scan, nilas_error *err);
    /** Spark type of an Arrow IPC stream's rows. May be NULL. */
    nilas_code (*local_type)(void *context, nilas_str data, const nilas_type **out,
                             nilas_error *err);
    /** Parse the text of a catalog's view into a query in the statement's arena. */
    nilas_code (*parse_query)(void *context, nilas_str text, nilas_query **out, nilas_error *err);
    /** Parse a dotted name with back quotes (IDENTIFIER('…')). */
    nilas_code (*parse_name)(void *context, nilas_str text, nilas_str **out_parts,
                             size_t *out_count, nilas_error *err);
    /** Load a table, or take it from the statement's own cache, so that one statement sees one
     * version. May be NULL. */
    nilas_code (*load_table)(void *context, nilas_catalog *catalog, const nilas_str *identifier,
                             size_t count, nilas_table **out, nilas_error *err);
    const struct nilas_growth *growth; // the binder's own: the version that a write will make of a
                                       // table stands for it; NULL
} nilas_bind_environment;

/** Bind a query: a plan whose outputs are the result's columns. Errors carry Spark's condition and
 * the offset. */
nilas_code nilas_bind_query(const nilas_bind_environment *environment, const nilas_query *query,
                            nilas_plan **out, nilas_error *err);

/** Spark struct type of a plan's outputs. */
nilas_code nilas_plan_type(nilas_arena *arena, const nilas_plan *plan, const nilas_type **out,
                           nilas_error *err);

/** What a name in FROM (or of DESCRIBE, SHOW …) refers to. */
typedef enum nilas_relation_kind {
    NILAS_RELATION_TABLE,
    NILAS_RELATION_METADATA_TABLE,
    NILAS_RELATION_TEMP_VIEW,
    NILAS_RELATION_VIEW,
    NILAS_RELATION_FILES
} nilas_relation_kind;
typedef struct nilas_relation {
    nilas_relation_kind kind;
    nilas_catalog *catalog; // NULL for path tables, files, temp views
    nilas_str catalog_name;
    nilas_str *identifier;
    size_t identifier_count; // namespace and name within the catalog (without metadata-table or
                             // time-travel suffix)
    nilas_table *table;
    nilas_metadata_table metadata_table;
    const nilas_snapshot *snapshot; // chosen by suffix, clause or option; else the current one
    const nilas_schema *schema;     // to read with
    bool is_time_travel, incremental;
    nilas_str branch; // named by suffix, clause or option; empty when none (or main)
    int64_t from_snapshot_id, to_snapshot_id;
    const nilas_temp_view *temp_view;
    nilas_view *view;
    nilas_file_scan *files;
} nilas_relation;

/** TABLE_OR_VIEW_NOT_FOUND in Spark's words; `name` as it is to be shown, quoted. */
nilas_code nilas_bind_table_not_found(nilas_str name, int32_t offset, nilas_error *err);
/** Resolve a table name with its time travel and options. NILAS_NOT_FOUND with
 * TABLE_OR_VIEW_NOT_FOUND in Spark's words. */
nilas_code nilas_bind_relation(const nilas_bind_environment *environment, const nilas_str *parts,
                               size_t count, int32_t offset, const nilas_time_travel *time_travel,
                               const nilas_option *options, size_t option_count,
                               nilas_relation *out, nilas_error *err);
/** Split a name into catalog and the rest by Spark's rule (a first part that names a catalog is the
 * catalog; one part gets the current namespace). */
nilas_code nilas_bind_identifier(const nilas_bind_environment *environment, const nilas_str *parts,
                                 size_t count, bool is_namespace, nilas_catalog **out_catalog,
                                 nilas_str *out_catalog_name, nilas_str **out_parts,
                                 size_t *out_count, nilas_error *err);

/** Spark type of an Iceberg type (uuid -> string, fixed -> binary, timestamptz -> timestamp …);
 * time, geometry … are NILAS_UNSUPPORTED with Iceberg's words ("Spark does not support time
 * fields"). */
nilas_code nilas_bind_ice_type(nilas_arena *arena, const nilas_ice_type *type,
                               const nilas_type **out, nilas_error *err);

/** The plan as text, one operator a line, for EXPLAIN. */
void nilas_plan_print(nilas_buf *out, const nilas_plan *plan);

#include "bind/change.h"

#endif
