/** Statements: everything that can stand before a semicolon. One node type; `kind` says which
 *  members count. */
#ifndef NILAS_TREE_STATEMENT_H
#define NILAS_TREE_STATEMENT_H

#include "tree/query.h"

typedef enum nilas_statement_kind {
    NILAS_STATEMENT_QUERY,   // query
    NILAS_STATEMENT_EXPLAIN, // explain_mode, statement
    // key (empty: SET alone), value, has_value; SET -v: `extended`
    NILAS_STATEMENT_SET,
    NILAS_STATEMENT_SET_TIME_ZONE, // value (text) or expr (an INTERVAL), or local
    NILAS_STATEMENT_RESET,         // key, or empty: all
    // parts: namespace with or without catalog;  USE [NAMESPACE|DATABASE|SCHEMA] — is_namespace
    NILAS_STATEMENT_USE,
    NILAS_STATEMENT_SET_CATALOG,         // parts[0]
    NILAS_STATEMENT_SHOW_NAMESPACES,     // parts (IN …, may be none), pattern
    NILAS_STATEMENT_SHOW_CATALOGS,       // pattern
    NILAS_STATEMENT_SHOW_TABLES,         // parts, pattern
    NILAS_STATEMENT_SHOW_TABLE_EXTENDED, // parts, pattern, partition
    NILAS_STATEMENT_SHOW_VIEWS,          // parts, pattern
    NILAS_STATEMENT_SHOW_TBLPROPERTIES,  // parts, key
    NILAS_STATEMENT_SHOW_CREATE_TABLE,   // parts; as_serde
    NILAS_STATEMENT_SHOW_COLUMNS,        // parts = table, namespace_parts
    NILAS_STATEMENT_SHOW_PARTITIONS,     // parts, partition
    NILAS_STATEMENT_SHOW_FUNCTIONS,      // scope (USER, SYSTEM, ALL in value), parts, pattern
    NILAS_STATEMENT_SHOW_CURRENT_NAMESPACE,
    // parts, extended, formatted, partition, column (columns), as_json
    NILAS_STATEMENT_DESCRIBE_TABLE,
    NILAS_STATEMENT_DESCRIBE_NAMESPACE, // parts, extended
    NILAS_STATEMENT_DESCRIBE_FUNCTION,  // parts, extended
    NILAS_STATEMENT_DESCRIBE_QUERY,     // query
    // parts, columns (with comments), query, temporary, global, or_replace, if_not_exists,
    // properties, comment
    NILAS_STATEMENT_CREATE_VIEW,
    // parts, provider, properties (OPTIONS), column_defs, or_replace, global
    NILAS_STATEMENT_CREATE_TEMP_VIEW_USING,
    NILAS_STATEMENT_DROP_VIEW,  // parts, if_exists
    NILAS_STATEMENT_ALTER_VIEW, // parts, alter actions in `alterations` or query
    NILAS_STATEMENT_CACHE_TABLE,
    NILAS_STATEMENT_UNCACHE_TABLE,
    NILAS_STATEMENT_CLEAR_CACHE,
    NILAS_STATEMENT_REFRESH_TABLE, // parts
    NILAS_STATEMENT_ANALYZE_TABLE,
    // parts, column_defs, provider, partitioning, properties, location, comment, query, like_parts,
    // or_replace, if_not_exists, replace_only, options, clustered…
    NILAS_STATEMENT_CREATE_TABLE,
    NILAS_STATEMENT_DROP_TABLE, // parts, if_exists, purge
    NILAS_STATEMENT_TRUNCATE_TABLE,
    NILAS_STATEMENT_ALTER_TABLE,      // parts, alterations
    NILAS_STATEMENT_RENAME_TABLE,     // parts, new_parts, is_view
    NILAS_STATEMENT_CREATE_NAMESPACE, // parts, if_not_exists, comment, location, properties
    NILAS_STATEMENT_DROP_NAMESPACE,   // parts, if_exists, cascade
    NILAS_STATEMENT_ALTER_NAMESPACE,
    // parts, overwrite, columns, by_name, partition, query, replace_where, if_not_exists, options
    NILAS_STATEMENT_INSERT,
    NILAS_STATEMENT_DELETE, // parts, alias, where
    NILAS_STATEMENT_UPDATE, // parts, alias, assignments, where
    // parts, alias, source (query), condition, merge clauses, with_schema_evolution
    NILAS_STATEMENT_MERGE,
    NILAS_STATEMENT_CALL,       // parts, args
    NILAS_STATEMENT_COMMENT_ON, // value; namespace or table
    NILAS_STATEMENT_DECLARE_VARIABLE,
    NILAS_STATEMENT_SET_VARIABLE,
    NILAS_STATEMENT_DROP_VARIABLE,
    NILAS_STATEMENT_EXECUTE_IMMEDIATE,
    // df.write.save(path): query, provider (json, csv, text, parquet), location, columns =
    // partitionBy, options, save_mode
    NILAS_STATEMENT_SAVE_FILES,
    // spark.catalog.*: catalog_function, with parts (a name), pattern, value (a path)
    NILAS_STATEMENT_CATALOG,
    // parsed as Spark does, refused by name: `value` names the feature (scripting, UDF
    // registration, LOAD DATA, …); text kept in `text`
    NILAS_STATEMENT_UNSUPPORTED,
} nilas_statement_kind;

typedef enum nilas_explain_mode {
    NILAS_EXPLAIN_SIMPLE,
    NILAS_EXPLAIN_EXTENDED,
    NILAS_EXPLAIN_CODEGEN,
    NILAS_EXPLAIN_COST,
    NILAS_EXPLAIN_FORMATTED,
    NILAS_EXPLAIN_LOGICAL
} nilas_explain_mode;

/** What saving does where something is already. */
typedef enum nilas_save_mode {
    NILAS_SAVE_ERROR_IF_EXISTS,
    NILAS_SAVE_APPEND,
    NILAS_SAVE_OVERWRITE,
    NILAS_SAVE_IGNORE,
} nilas_save_mode;

/** What INSERT OVERWRITE replaces. */
typedef enum nilas_overwrite_mode {
    NILAS_OVERWRITE_BY_SESSION, // as spark.sql.sources.partitionOverwriteMode says
    NILAS_OVERWRITE_STATIC,     // everything, or what PARTITION names
    NILAS_OVERWRITE_DYNAMIC,    // the partitions that get rows
} nilas_overwrite_mode;

/** The functions of spark.catalog that no SQL statement answers in the same form. */
typedef enum nilas_catalog_function {
    NILAS_CATALOG_CURRENT_CATALOG,
    NILAS_CATALOG_LIST_CATALOGS,
    NILAS_CATALOG_CURRENT_DATABASE,
    NILAS_CATALOG_LIST_DATABASES,
    NILAS_CATALOG_GET_DATABASE,
    NILAS_CATALOG_DATABASE_EXISTS,
    NILAS_CATALOG_LIST_TABLES,
    NILAS_CATALOG_LIST_VIEWS,
    NILAS_CATALOG_GET_TABLE,
    NILAS_CATALOG_TABLE_EXISTS,
    NILAS_CATALOG_LIST_COLUMNS,
    NILAS_CATALOG_LIST_FUNCTIONS,
    NILAS_CATALOG_GET_FUNCTION,
    NILAS_CATALOG_FUNCTION_EXISTS,
    NILAS_CATALOG_IS_CACHED,
    NILAS_CATALOG_DROP_TEMP_VIEW,
    NILAS_CATALOG_DROP_GLOBAL_TEMP_VIEW,
    NILAS_CATALOG_GET_TABLE_PROPERTIES,
    NILAS_CATALOG_GET_CREATE_TABLE_STRING,
} nilas_catalog_function;

typedef struct nilas_column_def {
    nilas_str *parts;
    size_t part_count;      // ALTER … ADD COLUMN point.z
    const nilas_type *type; // NULL in view column lists
    bool not_null, has_comment, has_position, first;
    nilas_str comment, after;
    nilas_expr *default_value, *generated;
    int32_t offset;
} nilas_column_def;

typedef struct nilas_partition_item { // PARTITIONED BY, PARTITION FIELD, and PARTITION (k = v)
    nilas_expr *transform;            // COLUMN, or CALL bucket(16, id)
    nilas_column_def *column;         // Hive style: PARTITIONED BY (d date)
    nilas_str name;
    bool has_name; // PARTITION (name [= value])
    nilas_expr *value;
} nilas_partition_item;

typedef struct nilas_assignment {
    nilas_str *parts;
    size_t part_count;
    nilas_expr *value;
    int32_t offset;
} nilas_assignment;

typedef enum nilas_merge_match {
    NILAS_MERGE_MATCHED,
    NILAS_MERGE_NOT_MATCHED,
    NILAS_MERGE_NOT_MATCHED_BY_SOURCE
} nilas_merge_match;
typedef enum nilas_merge_action {
    NILAS_MERGE_DELETE,
    NILAS_MERGE_UPDATE,
    NILAS_MERGE_UPDATE_STAR,
    NILAS_MERGE_INSERT,
    NILAS_MERGE_INSERT_STAR
} nilas_merge_action;
typedef struct nilas_merge_clause {
    nilas_merge_match match;
    nilas_merge_action action;
    nilas_expr *condition;
    nilas_assignment *assignments;
    size_t assignment_count;
} nilas_merge_clause;

typedef enum nilas_alter_kind {
    NILAS_ALTER_ADD_COLUMNS,
    NILAS_ALTER_DROP_COLUMNS,
    NILAS_ALTER_RENAME_COLUMN,
    NILAS_ALTER_COLUMN,
    NILAS_ALTER_REPLACE_COLUMNS,
    NILAS_ALTER_SET_PROPERTIES,
    NILAS_ALTER_UNSET_PROPERTIES,
    NILAS_ALTER_SET_LOCATION,
    NILAS_ALTER_ADD_PARTITION_FIELD,
    NILAS_ALTER_DROP_PARTITION_FIELD,
    NILAS_ALTER_REPLACE_PARTITION_FIELD,
    NILAS_ALTER_WRITE_ORDER,
    NILAS_ALTER_SET_IDENTIFIER_FIELDS,
    NILAS_ALTER_DROP_IDENTIFIER_FIELDS,
    NILAS_ALTER_CREATE_REF,
    NILAS_ALTER_DROP_REF,
    NILAS_ALTER_ADD_PARTITION,
    NILAS_ALTER_DROP_PARTITION,
    NILAS_ALTER_RENAME_PARTITION,
    NILAS_ALTER_RECOVER_PARTITIONS,
    NILAS_ALTER_CLUSTER_BY,
    NILAS_ALTER_ADD_CONSTRAINT,
    NILAS_ALTER_DROP_CONSTRAINT,
    NILAS_ALTER_COLLATION,
    NILAS_ALTER_SET_SERDE,
    NILAS_ALTER_VIEW_QUERY,
    NILAS_ALTER_VIEW_SCHEMA_BINDING,
} nilas_alter_kind;

typedef enum nilas_column_change {
    NILAS_CHANGE_TYPE = 1 << 0,
    NILAS_CHANGE_COMMENT = 1 << 1,
    NILAS_CHANGE_POSITION = 1 << 2,
    NILAS_CHANGE_SET_NOT_NULL = 1 << 3,
    NILAS_CHANGE_DROP_NOT_NULL = 1 << 4,
    NILAS_CHANGE_SET_DEFAULT = 1 << 5,
    NILAS_CHANGE_DROP_DEFAULT = 1 << 6,
} nilas_column_change;

typedef struct nilas_ref_clause { // CREATE/REPLACE/DROP BRANCH|TAG
    bool is_tag, or_replace, replace_only, if_not_exists, if_exists;
    nilas_str name;
    bool has_snapshot;
    int64_t snapshot_id;
    bool has_retain;
    int64_t retain_ms;
    bool has_snapshot_retention;
    bool has_min_snapshots;
    int64_t min_snapshots;
    bool has_max_age;
    int64_t max_age_ms;
} nilas_ref_clause;

typedef struct nilas_alteration {
    nilas_alter_kind kind;
    int32_t offset;
    // ADD, REPLACE, ALTER COLUMN (with changes), DROP (parts only)
    nilas_column_def *columns;
    size_t column_count;
    int *changes; // nilas_column_change bits per column
    bool if_exists, if_not_exists;
    nilas_str new_name;
    bool has_new_name;
    nilas_option *properties;
    size_t property_count;
    nilas_str location;
    nilas_expr *transform, *new_transform; // partition fields
    nilas_str field_name;
    bool has_field_name;                               // AS name
    bool distributed_by_partition, locally, unordered; // WRITE …
    nilas_expr **order_by;
    size_t order_by_count; // SORT nodes
    // IDENTIFIER FIELDS
    nilas_str **field_parts;
    size_t *field_part_counts;
    size_t field_count;
    nilas_ref_clause ref;
    nilas_partition_item **partitions;
    size_t *partition_item_counts;
    size_t partition_count;
    nilas_query *query;
    nilas_str text; // constraint text, serde
} nilas_alteration;

typedef struct nilas_statement nilas_statement;
struct nilas_statement {
    nilas_statement_kind kind;
    int32_t offset;
    nilas_str text; // the statement's own text, without the semicolon
    nilas_query *query;
    nilas_statement *statement; // of EXPLAIN
    nilas_explain_mode explain_mode;
    nilas_str *parts;
    size_t part_count;
    int32_t parts_offset;
    nilas_expr *identifier; // IDENTIFIER(…) in the place of `parts`
    nilas_str *new_parts;
    size_t new_part_count;
    nilas_str *namespace_parts;
    size_t namespace_part_count;
    nilas_str *like_parts;
    size_t like_part_count;
    nilas_str key, value, pattern, provider, location, comment, alias;
    bool has_value, has_pattern, has_comment, has_location, has_alias, has_key;
    bool extended, formatted, as_json, is_namespace, is_view, temporary, global, or_replace,
        replace_only, if_not_exists, if_exists;
    bool external; // CREATE EXTERNAL TABLE
    bool purge, cascade, overwrite, by_name, local, lazy, as_serde, not_columns,
        with_schema_evolution;
    nilas_column_def *column_defs;
    size_t column_def_count;
    nilas_str *columns;
    size_t column_count;
    nilas_partition_item *partitioning;
    size_t partitioning_count;
    nilas_partition_item *partition;
    size_t partition_count;
    nilas_option *properties;
    size_t property_count; // TBLPROPERTIES; OPTIONS of a temp view
    nilas_option *options;
    size_t option_count; // OPTIONS of a table; WITH of an insert
    nilas_option *write_options;
    size_t write_option_count; // of the rows of a CREATE TABLE AS (df.writeTo().option())
    nilas_alteration *alterations;
    size_t alteration_count;
    nilas_expr *where, *replace_where, *condition, *expr;
    nilas_assignment *assignments;
    size_t assignment_count;
    nilas_query *source; // of MERGE
    nilas_merge_clause *merge_clauses;
    size_t merge_clause_count;
    nilas_expr **args;
    size_t arg_count; // CALL, EXECUTE IMMEDIATE
    nilas_str *arg_names;
    nilas_save_mode save_mode;
    nilas_overwrite_mode overwrite_mode;
    nilas_catalog_function catalog_function;
    bool or_append; // CREATE TABLE AS: add the rows by name when the table is there
    nilas_statement *next; // multi-insert: FROM … INSERT … INSERT …
    // before DELETE, UPDATE, MERGE and a multi-insert; a single INSERT has them in `query`
    nilas_cte *ctes;
    size_t cte_count;
    bool recursive;
    // ROW FORMAT, STORED AS, CLUSTERED BY and SKEWED BY as written (Hive tables)
    nilas_str row_format;
    // CLUSTER BY (a, b.c) of a table; INTO and targets of variables
    nilas_str **key_parts;
    size_t *key_part_counts;
    size_t key_count;
};

nilas_code nilas_statement_new(nilas_arena *stmt, nilas_statement_kind kind, int32_t offset,
                               nilas_statement **out, nilas_error *err);
/** Name of a kind in words for messages: "CREATE TABLE", "SHOW TABLES". */
const char *nilas_statement_name(nilas_statement_kind kind);

#endif
