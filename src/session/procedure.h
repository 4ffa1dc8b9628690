/**
 * Private to the session room: the procedures of CALL catalog.system.name(…).
 *
 * A procedure is a row of a table: its name, its parameters in Iceberg's order, the columns of its
 * answer, and the function that runs it. command_call.c binds the arguments; the functions stand in
 * procedure_*.c.
 */
#ifndef NILAS_SESSION_PROCEDURE_H
#define NILAS_SESSION_PROCEDURE_H

#include "session/ddl.h"

typedef enum nilas_parameter_kind {
    NILAS_PARAMETER_STRING,
    NILAS_PARAMETER_LONG,
    NILAS_PARAMETER_INT,
    NILAS_PARAMETER_BOOLEAN,
    NILAS_PARAMETER_TIMESTAMP, // microseconds
    NILAS_PARAMETER_LONGS,     // array<bigint>
    NILAS_PARAMETER_STRINGS,   // array<string>
    NILAS_PARAMETER_MAP,       // map<string,string>
} nilas_parameter_kind;

typedef struct nilas_parameter {
    const char *name;
    nilas_parameter_kind kind;
    bool required;
} nilas_parameter;

#define NILAS_PARAMETER_LIMIT 12
#define NILAS_OUTPUT_LIMIT    6

typedef struct nilas_procedure_call nilas_procedure_call;

typedef struct nilas_procedure {
    const char *name;
    nilas_parameter parameters[NILAS_PARAMETER_LIMIT]; // up to the first without a name
    const char *outputs[NILAS_OUTPUT_LIMIT];           // up to the first NULL
    nilas_type_kind output_kinds[NILAS_OUTPUT_LIMIT];
    bool takes_null; // NULL for a required parameter is its own to refuse
    nilas_code (*run)(nilas_procedure_call *call, nilas_error *err);
} nilas_procedure;

/** One call on its way. */
struct nilas_procedure_call {
    nilas_run *run;
    const nilas_procedure *procedure;
    nilas_catalog *catalog;
    nilas_str catalog_name;
    nilas_value values[NILAS_PARAMETER_LIMIT]; // null: not given, or given as NULL
    nilas_str *identifier;                     // of the table, once it is asked for
    size_t identifier_count;
    nilas_table *table; // released with the statement
    nilas_command_rows rows;
};

/* --- arguments and answers (command_call.c) */

/** The value of a parameter; null when it was not given. The parameter must exist. */
const nilas_value *nilas_call__value(const nilas_procedure_call *call, const char *name);
bool nilas_call__has(const nilas_procedure_call *call, const char *name);
nilas_str nilas_call__text(const nilas_procedure_call *call, const char *name, nilas_str fallback);
int64_t nilas_call__int(const nilas_procedure_call *call, const char *name, int64_t fallback);
bool nilas_call__bool(const nilas_procedure_call *call, const char *name, bool fallback);
/** A timestamp in milliseconds. */
int64_t nilas_call__millis(const nilas_procedure_call *call, const char *name, int64_t fallback);
/** The value of a key in a map parameter; data NULL when it is not there. */
nilas_str nilas_call__map_value(const nilas_procedure_call *call, const char *name,
                                const char *key);

/** Read the name that a parameter gives, within the catalog of the call. */
nilas_code nilas_call__identifier(nilas_procedure_call *call, const char *name, nilas_str **out,
                                  size_t *out_count, nilas_error *err);
/** Load the table of the parameter "table": call->identifier and call->table. */
nilas_code nilas_call__load(nilas_procedure_call *call, nilas_error *err);
/** "catalog.db.t" of the call's table, with back quotes where needed. */
nilas_code nilas_call__table_name(nilas_procedure_call *call, nilas_str *out, nilas_error *err);
/** Commit a change of the call's table. *out (or NULL) is released with the statement. */
nilas_code nilas_call__commit(nilas_procedure_call *call,
                              nilas_code (*apply)(void *context, nilas_update *update,
                                                  nilas_error *err),
                              void *context, nilas_table **out, nilas_error *err);
/** Bind the text of a query of ours. */
nilas_code nilas_call__bind(nilas_procedure_call *call, nilas_str text, nilas_plan **out,
                            nilas_error *err);
/** One row of the answer. */
nilas_code nilas_call__answer(nilas_procedure_call *call, const nilas_value *cells,
                              nilas_error *err);
/** The summary entries that say who made a snapshot. */
nilas_code nilas_call__summary(nilas_procedure_call *call, nilas_property **out, size_t *out_count,
                               nilas_error *err);
static inline nilas_value nilas_call__id_or_null(int64_t snapshot_id) {
    return snapshot_id < 0 ? NILAS_NULL_VALUE : nilas_value_of_int(snapshot_id);
}

/* --- the files that a table needs (procedure_files.c) */

typedef enum nilas_reachable_kind {
    NILAS_REACHABLE_DATA,
    NILAS_REACHABLE_POSITION_DELETES,
    NILAS_REACHABLE_EQUALITY_DELETES,
    NILAS_REACHABLE_MANIFEST,
    NILAS_REACHABLE_MANIFEST_LIST,
    NILAS_REACHABLE_STATISTICS,
    NILAS_REACHABLE_OTHER, // metadata files, version hint
    NILAS_REACHABLE_KINDS,
} nilas_reachable_kind;

typedef struct nilas_reachable {
    nilas_arena *arena;
    nilas_map files; // path -> its kind, see nilas_reachable__kind()
} nilas_reachable;
void nilas_reachable__init(nilas_reachable *files, nilas_arena *arena);
nilas_code nilas_reachable__add(nilas_reachable *files, nilas_str path, nilas_reachable_kind kind,
                                nilas_error *err);
nilas_reachable_kind nilas_reachable__kind(const nilas_map_entry *entry);
/** Add what a snapshot needs, but not the manifests that are keys of `known` (or NULL), nor what
 *  only they name. */
nilas_code nilas_reachable__add_snapshot(nilas_reachable *files, const nilas_table *table,
                                         const nilas_snapshot *snapshot, const nilas_map *known,
                                         nilas_error *err);
/** Take away the live files of a manifest. */
nilas_code nilas_reachable__subtract(nilas_reachable *files, const nilas_table *table,
                                     const nilas_manifest_file *manifest, nilas_error *err);
/** Add statistics files of the table. */
nilas_code nilas_reachable__add_statistics(nilas_reachable *files, const nilas_metadata *metadata,
                                           nilas_error *err);
/** Whether deleting files is allowed (gc.enabled); `words` begin the refusal. */
nilas_code nilas_reachable__check_gc(const nilas_metadata *metadata, const char *words,
                                     nilas_error *err);

/* --- one function per procedure */

nilas_code nilas_procedure__rollback_to_snapshot(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__rollback_to_timestamp(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__set_current_snapshot(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__cherrypick_snapshot(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__publish_changes(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__fast_forward(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__ancestors_of(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__expire_snapshots(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__remove_orphan_files(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__rewrite_data_files(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__rewrite_manifests(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__rewrite_position_deletes(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__snapshot(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__migrate(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__add_files(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__register_table(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__create_changelog_view(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__compute_table_stats(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__compute_partition_stats(nilas_procedure_call *call, nilas_error *err);
nilas_code nilas_procedure__rewrite_table_path(nilas_procedure_call *call, nilas_error *err);

/** The procedure of a name, without case; NULL when there is none (procedure.c). */
const nilas_procedure *nilas_procedure__find(nilas_str name);

nilas_code nilas_command__call(nilas_run *run, nilas_error *err); // command_call.c

#endif
