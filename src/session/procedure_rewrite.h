/** Private to the procedures that rewrite files: options, and which files are worth it. */
#ifndef NILAS_SESSION_PROCEDURE_REWRITE_H
#define NILAS_SESSION_PROCEDURE_REWRITE_H

#include "session/procedure.h"

/** Which group comes first; "none" is the order of their partitions. */
typedef enum nilas_rewrite_job_order {
    NILAS_REWRITE_NONE,
    NILAS_REWRITE_BYTES_ASC,
    NILAS_REWRITE_BYTES_DESC,
    NILAS_REWRITE_FILES_ASC,
    NILAS_REWRITE_FILES_DESC,
} nilas_rewrite_job_order;

/** Iceberg's options of rewrite_data_files and rewrite_position_delete_files. */
typedef struct nilas_rewrite_options {
    int64_t target_bytes, min_bytes, max_bytes;
    int64_t min_input_files, max_files, max_group_bytes;
    int64_t delete_file_threshold;
    double delete_ratio_threshold;
    bool rewrite_all, use_starting_sequence_number, remove_dangling_deletes;
    bool partial_progress;
    int64_t max_commits, max_failed_commits;
    nilas_rewrite_job_order job_order;
    int32_t output_spec_id;
} nilas_rewrite_options;

/** Which options a strategy knows; bits. */
typedef enum nilas_rewrite_known {
    NILAS_REWRITE_DATA = 1 << 0,
    NILAS_REWRITE_DELETES = 1 << 1,
    NILAS_REWRITE_SORT = 1 << 2,
    NILAS_REWRITE_ZORDER = 1 << 3,
} nilas_rewrite_known;

/** Read the parameter "options"; unknown ones are refused with the strategy's name. */
nilas_code nilas_rewrite__read_options(const nilas_procedure_call *call, int known,
                                       const char *strategy, nilas_rewrite_options *out,
                                       nilas_error *err);
/** The predicate of the parameter "where"; NULL: everything. *out_nothing: it is never true. */
nilas_code nilas_rewrite__read_where(nilas_procedure_call *call, const nilas_predicate **out,
                                     bool *out_nothing, nilas_error *err);
/** How rows are ordered (procedure_order.c): the order for the writer, or the expression of a
 *  z-order for ORDER BY (data NULL: none). `known`: the bits of the strategy. */
typedef struct nilas_rewrite_order {
    const nilas_sort_order *order;
    nilas_str *zorder_names;
    size_t zorder_count;
    int known;
    const char *strategy;
} nilas_rewrite_order;
nilas_code nilas_rewrite__read_order(nilas_procedure_call *call, nilas_rewrite_order *out,
                                     nilas_error *err);
/** Append "SELECT … FROM table [ORDER BY …]": all columns, then row lineage when asked for. */
nilas_code nilas_rewrite__print_query(nilas_procedure_call *call, const nilas_rewrite_order *order,
                                      bool with_lineage, nilas_str *out, nilas_error *err);
/** The one scan of a plan; NULL when it has none. */
nilas_bound_scan *nilas_rewrite__find_scan(nilas_plan *plan);
/** "`local`.`db`.`t`". */
nilas_code nilas_rewrite__quoted_name(nilas_procedure_call *call, nilas_str *out, nilas_error *err);

/* --- groups (procedure_rewrite_groups.c) */

/** A file that may be rewritten. */
typedef struct nilas_rewrite_item {
    nilas_str key; // of its partition
    int64_t bytes;
    bool has_deleted; // many deletes apply to it: a reason to rewrite its group
    const void *file; // the caller's
} nilas_rewrite_item;

typedef struct nilas_rewrite_group {
    const void **files; // of the items
    size_t count;
    int64_t bytes;
    void *output; // of the caller's `write`
    bool is_committed;
} nilas_rewrite_group;

typedef struct nilas_rewrite_groups {
    nilas_rewrite_group *items; // in the order of their work
    size_t count;
    size_t planned; // before "max-files-to-rewrite" cut them
} nilas_rewrite_groups;

/** Files into groups, those that are worth it. */
nilas_code nilas_rewrite__plan_groups(nilas_arena *arena, const nilas_rewrite_options *options,
                                      const nilas_rewrite_item *items, size_t count,
                                      nilas_rewrite_groups *out, nilas_error *err);

/** What is done with a group. `write` leaves nothing behind when it fails; `discard` deletes what
 *  it wrote. */
typedef struct nilas_rewrite_job {
    nilas_arena *arena;
    const nilas_rewrite_options *options;
    void *context;
    nilas_code (*write)(void *context, nilas_rewrite_group *group, nilas_error *err);
    nilas_code (*commit)(void *context, nilas_rewrite_group **groups, size_t count,
                         nilas_error *err);
    void (*discard)(void *context, const nilas_rewrite_group *group);
    int64_t failed_files; // of groups that were not written (out)
} nilas_rewrite_job;

/** Write all groups and commit them, at once or in parts; is_committed tells which. */
nilas_code nilas_rewrite__run_groups(nilas_rewrite_job *job, nilas_rewrite_groups *groups,
                                     nilas_error *err);

#endif
