/** Private to the procedures that rewrite files: options, and which files are worth it. */
#ifndef NILAS_SESSION_PROCEDURE_REWRITE_H
#define NILAS_SESSION_PROCEDURE_REWRITE_H

#include "session/procedure.h"

/** Iceberg's options of rewrite_data_files and rewrite_position_delete_files. */
typedef struct nilas_rewrite_options {
    int64_t target_bytes, min_bytes, max_bytes;
    int64_t min_input_files, max_files, max_group_bytes, max_group_files;
    int64_t delete_file_threshold;
    double delete_ratio_threshold;
    bool rewrite_all, use_starting_sequence_number, remove_dangling_deletes;
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

#endif
