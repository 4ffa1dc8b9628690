/** Private to the session room: what the commands that change tables share. */
#ifndef NILAS_SESSION_DDL_H
#define NILAS_SESSION_DDL_H

#include "commit/commit.h"
#include "session/private.h"

/** The catalog and the name within it that a statement means, without looking whether it is there.
 */
typedef struct nilas_ddl_name {
    nilas_catalog *catalog;
    nilas_str catalog_name;
    nilas_str *parts;
    size_t count;
} nilas_ddl_name;
nilas_code nilas_ddl__name(nilas_run *run, const nilas_str *parts, size_t count,
                           nilas_ddl_name *out, nilas_error *err);
/** TABLE_OR_VIEW_ALREADY_EXISTS, TABLE_OR_VIEW_NOT_FOUND: the name as Spark shows it there (without
 * the catalog, quoted). */
nilas_code nilas_ddl__fail_exists(const nilas_ddl_name *name, int32_t offset, nilas_error *err);
nilas_code nilas_ddl__fail_not_found(const nilas_ddl_name *name, int32_t offset, nilas_error *err);

/** Load the table that a statement is about; views and metadata tables are refused. */
nilas_code nilas_ddl__table(nilas_run *run, nilas_relation *out, nilas_error *err);

/** Commit a change of the relation's table: `apply` is called for each attempt. */
nilas_code nilas_ddl__commit(nilas_run *run, const nilas_relation *relation,
                             nilas_code (*apply)(void *context, nilas_update *update,
                                                 nilas_error *err),
                             void *context, nilas_error *err);

/* schema_edit.c: a schema that can be changed */

typedef struct nilas_schema_edit {
    nilas_arena *arena;
    nilas_schema *schema;   // a deep copy; fields may be changed in place
    int32_t last_column_id; // grows with each added field
    bool case_sensitive;
} nilas_schema_edit;
nilas_code nilas_schema_edit__open(nilas_schema_edit *edit, nilas_arena *arena,
                                   const nilas_metadata *metadata, bool case_sensitive,
                                   nilas_error *err);
/** Find a field by its parts ("point", "x"; lists' "element", maps' "value"); NULL when absent.
 * *out_parent is the type it stands in. */
nilas_ice_field *nilas_schema_edit__find(nilas_schema_edit *edit, const nilas_str *parts,
                                         size_t count, nilas_ice_type **out_parent);
nilas_code nilas_schema_edit__add(nilas_schema_edit *edit, const nilas_column_def *column,
                                  nilas_error *err);
nilas_code nilas_schema_edit__drop(nilas_schema_edit *edit, const nilas_str *parts, size_t count,
                                   bool if_exists, int32_t offset, nilas_error *err);
nilas_code nilas_schema_edit__rename(nilas_schema_edit *edit, const nilas_str *parts, size_t count,
                                     nilas_str new_name, int32_t offset, nilas_error *err);
/** `changes`: nilas_column_change bits. */
nilas_code nilas_schema_edit__change(nilas_schema_edit *edit, const nilas_column_def *column,
                                     int changes, nilas_error *err);
nilas_code nilas_schema_edit__replace(nilas_schema_edit *edit, const nilas_column_def *columns,
                                      size_t count, nilas_error *err);
/** Spark struct of column definitions: COLUMN_ALREADY_EXISTS for duplicates. */
nilas_code nilas_ddl__columns_type(nilas_run *run, const nilas_column_def *columns, size_t count,
                                   const nilas_type **out, nilas_error *err);

/* partitioning.c: specs and orders from statements */

/** Spec of PARTITIONED BY; source ids refer to `schema`. */
nilas_code nilas_ddl__spec(nilas_run *run, const nilas_schema *schema,
                           const nilas_partition_item *items, size_t count,
                           nilas_partition_spec **out, nilas_error *err);
/** Iceberg's name for a partition field: "ts_day", "id_bucket", "category". */
nilas_code nilas_ddl__partition_name(nilas_arena *arena, nilas_str source_name,
                                     const nilas_transform *transform, nilas_str *out,
                                     nilas_error *err);
typedef NILAS_ARRAY_OF(nilas_property) nilas_property_list;
/** Set a property; a key that is there gets the value (command_create.c). */
nilas_code nilas_ddl__put_property(nilas_arena *arena, nilas_property_list *list, nilas_str key,
                                   nilas_str value, nilas_error *err);
/** Set what the catalog's settings "table-default." (to be put first) or "table-override." (last)
 * say. */
nilas_code nilas_ddl__put_catalog_properties(nilas_run *run, nilas_str catalog_name,
                                             const char *kind, nilas_property_list *list,
                                             nilas_error *err);
/** Table properties of a statement checked: reserved ones are refused. */
nilas_code nilas_ddl__check_properties(const nilas_option *properties, size_t count, int32_t offset,
                                       nilas_error *err);

/* command_catalog_view.c */
nilas_code nilas_command__create_catalog_view(nilas_run *run, nilas_error *err);
nilas_code nilas_command__drop_catalog_view(nilas_run *run, nilas_error *err);
nilas_code nilas_command__alter_view(nilas_run *run, nilas_error *err);
nilas_code nilas_ddl__fail_no_view(const nilas_str *parts, size_t count, int32_t offset,
                                   nilas_error *err);
/** Properties of a view as Spark shows them, sorted. */
nilas_code nilas_ddl__view_properties(nilas_arena *arena, const nilas_view *view,
                                      nilas_property **out, size_t *out_count, nilas_error *err);
nilas_code nilas_ddl__print_create_view(nilas_arena *arena, const nilas_relation *relation,
                                        nilas_buf *out, nilas_error *err);
nilas_code nilas_ddl__describe_view(nilas_command_rows *rows, const nilas_relation *relation,
                                    nilas_error *err);

nilas_code nilas_command__create_namespace(nilas_run *run,
                                           nilas_error *err); // command_namespace_ddl.c
nilas_code nilas_command__drop_namespace(nilas_run *run, nilas_error *err);
nilas_code nilas_command__alter_namespace(nilas_run *run, nilas_error *err);
nilas_code nilas_command__create_table(nilas_run *run, nilas_error *err); // command_create.c
nilas_code nilas_command__drop_table(nilas_run *run, nilas_error *err);
nilas_code nilas_command__rename_table(nilas_run *run, nilas_error *err);
nilas_code nilas_command__comment_on(nilas_run *run, nilas_error *err); // command_alter.c
nilas_code nilas_command__alter_table(nilas_run *run, nilas_error *err);

#endif
