/**
 * A scan while it is made into SQL: its tasks in groups that one reader reads alike, and what the
 * SQL asks about each file at run time through nilas_… functions.
 */
#ifndef NILAS_ENGINE_SCAN_SOURCE_H
#define NILAS_ENGINE_SCAN_SOURCE_H

#include "engine/parquet_footer.h"
#include "engine/render.h"
#include "engine/rows_function.h"

/** Deleted positions of one file: a bit per row when many, else a bitmap; both NULL: none. */
typedef struct nilas_deleted_rows {
    nilas_bitmap *bitmap;
    uint8_t *bits; // malloc'd
    uint64_t bit_count;
} nilas_deleted_rows;

/** Numbers per file that SQL asks for by slot; INT64_MIN is null. */
typedef enum nilas_file_slot {
    NILAS_SLOT_SPEC_ID,
    NILAS_SLOT_SEQUENCE_NUMBER,
    NILAS_SLOT_FIRST_ROW_ID,
    NILAS_SLOT_LINEAGE,
    NILAS_SLOT_SCOPE,
    NILAS_SLOT_IS_REMOVAL, // of a changelog
    NILAS_SLOT_CHANGE_ORDINAL,
    NILAS_SLOT_COMMIT_SNAPSHOT_ID,
    NILAS_SLOT_FIRST_FREE, // then one per column whose value comes from the partition
} nilas_file_slot;
#define NILAS_SLOT_LIMIT 64
#define NILAS_SLOT_NULL  INT64_MIN

/**
 * Files that one reader reads alike. Registered: the functions find it by its number while the
 * query runs.
 */
typedef struct nilas_scan_group {
    int32_t number;
    bool is_avro, has_equality_deletes, has_position_deletes;
    nilas_parquet_schema schema;                   // of every Parquet file here
    NILAS_ARRAY_OF(const nilas_scan_task *) tasks; // file_index is the position here
    nilas_deleted_rows *deleted;                   // per task, or NULL
    int64_t *slots[NILAS_SLOT_LIMIT];              // per slot: NULL or per task
    int32_t slot_count;
    nilas_rows_source rows;       // Avro
    nilas_ice_field *avro_fields; // what the Avro reader gives, _pos last
    size_t avro_field_count;
    nilas_table *table;
} nilas_scan_group;

typedef NILAS_ARRAY_OF(nilas_scan_group *) nilas_scan_groups;

/** Equality deletes of one set of columns and one scope kind. */
typedef struct nilas_equality_set {
    int32_t number; // of the SQL name e<number>
    const int32_t *field_ids;
    size_t field_count; // sorted
    bool is_global;     // of an unpartitioned spec: applies to every partition
    NILAS_ARRAY_OF(const nilas_delete_file *) files;
} nilas_equality_set;

struct nilas_scan_source {
    nilas_render *r;
    nilas_arena *stmt;
    const nilas_plan *plan;
    const nilas_bound_scan *scan;
    nilas_table *table;
    nilas_scan_plan *files;
    const nilas_name_mapping *mapping; // or NULL
    nilas_scan_groups groups;
    NILAS_ARRAY_OF(nilas_equality_set *) equality;
    nilas_map scopes; // of partitioned equality deletes, by hash of the partition
    int64_t scope_count;
    NILAS_ARRAY_OF(const nilas_ice_field *) keys; // columns that equality deletes compare
};

/**
 * Read schemas and put tasks into groups (scan_group.c). Refuses ORC, encrypted and unknown files
 * by name.
 */
nilas_code nilas_source__group_tasks(nilas_scan_source *s, const nilas_scan_task *tasks,
                                     size_t count, nilas_scan_groups *out, nilas_error *err);
/** How fields are found in a file: by id, by the mapping of the struct they stand in, by name. */
typedef struct nilas_field_match {
    bool has_ids;
    const nilas_name_mapping *mapping; // or NULL
} nilas_field_match;
/** The member of a group that is the field; NULL when there is none (scan_field.c). */
const nilas_parquet_node *nilas_source__find_member(const nilas_field_match *by,
                                                    const nilas_parquet_node *group,
                                                    const nilas_ice_field *field);
/** The mapping of a field's own members; NULL when there is none. */
const nilas_name_mapping *nilas_source__mapping_below(const nilas_name_mapping *mapping,
                                                      int32_t field_id);
/**
 * The column of a group's reader that holds a field: NULL when the files lack it (scan_field.c).
 */
const nilas_parquet_node *nilas_source__find_column(const nilas_scan_source *s,
                                                    const nilas_scan_group *group,
                                                    const nilas_ice_field *field,
                                                    size_t *out_index);
/**
 * Append the value of the reader's column k<index> as the carrier of the field's Spark type; the
 * column is one that nilas_source__find_column() found for the field.
 */
nilas_code nilas_source__print_field(const nilas_scan_source *s, nilas_buf *out,
                                     const nilas_scan_group *group, const nilas_ice_field *field,
                                     size_t index, nilas_error *err);
/** Append the value of a column that the files lack: initial default or null, of the right type. */
nilas_code nilas_source__print_default(nilas_arena *arena, nilas_buf *out,
                                       const nilas_ice_field *field, nilas_error *err);
/** Append an expression of a field for a group, wherever the value comes from (scan_column.c). */
nilas_code nilas_source__print_column(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                      const nilas_ice_field *field, nilas_error *err);
/** A value of an Iceberg type as the literal of its Spark type. */
nilas_code nilas_source__print_value(nilas_arena *arena, nilas_buf *out, const nilas_ice_type *type,
                                     const nilas_value *value, nilas_error *err);
/**
 * The value's Spark form: uuid becomes text, nanoseconds microseconds; nested values member by
 * member.
 */
nilas_code nilas_source__spark_value(nilas_arena *arena, const nilas_ice_type *type,
                                     const nilas_value *value, nilas_value *out, nilas_error *err);
/** Make a slot's array if it is not there, all null. */
nilas_code nilas_source__make_slot(nilas_arena *arena, nilas_scan_group *group, int32_t slot,
                                   nilas_error *err);
/** Append "read_parquet(…) AS p(…)" or "nilas_rows(…) AS p": what the group's columns are read
 *  from. For Avro, `fields` are those that nilas_source__print_column() will ask for. */
nilas_code nilas_source__print_reader(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                      nilas_error *err);
/**
 * Say which ordinary fields an Avro group must give, before any column is printed; no-op for
 * Parquet.
 */
nilas_code nilas_source__open_avro(nilas_scan_source *s, nilas_scan_group *group,
                                   const nilas_ice_field *const *fields, size_t count,
                                   nilas_error *err);
/** A field by id: in the read schema, else in the newest schema that has it; NULL when none has. */
const nilas_ice_field *nilas_source__find_field(const nilas_scan_source *s, int32_t field_id);

/** Load position deletes and deletion vectors of all groups (scan_deletes.c). */
nilas_code nilas_source__load_deletes(nilas_scan_source *s, nilas_error *err);
void nilas_deleted_rows__done(nilas_deleted_rows *rows);

/** Find the equality deletes of the scan: sets, scopes and key columns (scan_equality.c). */
/*
 * `s` then has keys, equality, and slots for sequence numbers and scopes in the groups concerned.
 */
nilas_code nilas_source__plan_equality(nilas_scan_source *s, nilas_error *err);
/** Append "WITH e1 AS MATERIALIZED (…), … ", nothing when there are none. */
nilas_code nilas_source__print_equality_tables(nilas_scan_source *s, nilas_buf *out,
                                               nilas_error *err);
/**
 * Append the joins against them to a FROM whose rows have k<id>, sq and scope; anti joins, or left
 * joins when `mark`.
 */
nilas_code nilas_source__print_equality_joins(nilas_scan_source *s, nilas_buf *out, bool mark,
                                              nilas_error *err);

/** Append "read_parquet([…]) AS p(k0, …)" for files of one schema. */
nilas_code nilas_source__print_read_parquet(nilas_arena *arena, nilas_buf *out,
                                            const nilas_str *locations, size_t count,
                                            const nilas_parquet_schema *schema, nilas_error *err);

/** Plan the files of a scan, as its bound plan asks. */
nilas_code nilas_source__plan_files(nilas_arena *stmt, const nilas_engine *engine,
                                    const nilas_bound_scan *scan, bool with_stats,
                                    nilas_scan_plan **out, nilas_error *err);

#endif
