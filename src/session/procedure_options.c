/** Options and filters of the procedures that rewrite files. */
#include "session/procedure_rewrite.h"

#define DEFAULT_DATA_BYTES   (512LL << 20)
#define DEFAULT_DELETE_BYTES (64LL << 20)
#define DEFAULT_GROUP_BYTES  (100LL << 30)
#define DEFAULT_INPUT_FILES  5
#define DEFAULT_DELETE_RATIO 0.3

static const struct {
    const char *name;
    int known;
} known_options[] = {
    {"max-concurrent-file-group-rewrites", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"partial-progress.enabled", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"partial-progress.max-commits", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"partial-progress.max-failed-commits", NILAS_REWRITE_DATA},
    {"use-starting-sequence-number", NILAS_REWRITE_DATA},
    {"rewrite-job-order", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"target-file-size-bytes", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"min-file-size-bytes", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"max-file-size-bytes", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"min-input-files", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"rewrite-all", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"max-file-group-size-bytes", NILAS_REWRITE_DATA | NILAS_REWRITE_DELETES},
    {"max-files-to-rewrite", NILAS_REWRITE_DATA},
    {"delete-file-threshold", NILAS_REWRITE_DATA},
    {"delete-ratio-threshold", NILAS_REWRITE_DATA},
    {"output-spec-id", NILAS_REWRITE_DATA},
    {"remove-dangling-deletes", NILAS_REWRITE_DATA},
    {"compression-factor", NILAS_REWRITE_SORT | NILAS_REWRITE_ZORDER},
    {"shuffle-partitions-per-file", NILAS_REWRITE_SORT | NILAS_REWRITE_ZORDER},
    {"var-length-contribution", NILAS_REWRITE_ZORDER},
    {"max-output-size", NILAS_REWRITE_ZORDER},
};

static bool is_known(nilas_str name, int known) {
    for (size_t i = 0; i < sizeof(known_options) / sizeof(known_options[0]); i++) {
        if (nilas_str_is(name, known_options[i].name)) {
            return (known_options[i].known & known) != 0;
        }
    }
    return false;
}

static nilas_code check_names(const nilas_procedure_call *call, int known, const char *strategy,
                              nilas_error *err) {
    const nilas_value *map = nilas_call__value(call, "options");
    NILAS_AUTO_BUF unknown = NILAS_BUF_INIT(65536);
    for (size_t i = 0; !nilas_value_is_null(map) && i < map->count; i++) {
        if (!is_known(map->items[2 * i].text, known)) {
            nilas_buf_print(&unknown, "%s%.*s", unknown.size > 0 ? ", " : "",
                            NILAS_FMT(map->items[2 * i].text));
        }
    }
    NILAS_REQUIRE(unknown.size == 0, err, NILAS_INVALID,
                  "Cannot use options [%.*s], they are not supported by the action or the rewriter "
                  "%s",
                  NILAS_FMT(nilas_buf_view(&unknown)), strategy);
    return NILAS_OK;
}

static nilas_code read_long(const nilas_procedure_call *call, const char *name, int64_t smallest,
                            int64_t *value, nilas_error *err) {
    nilas_str text = nilas_call__map_value(call, "options", name);
    if (text.data == NULL) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(nilas_str_to_int64(text, value), err, NILAS_INVALID, "For input string: \"%.*s\"",
                  NILAS_FMT(text));
    NILAS_REQUIRE(*value >= smallest, err, NILAS_INVALID, "'%s' is set to %lld but must be %s 0",
                  name, (long long)*value, smallest > 0 ? ">" : ">=");
    return NILAS_OK;
}

static void read_bool(const nilas_procedure_call *call, const char *name, bool *value) {
    nilas_str text = nilas_call__map_value(call, "options", name);
    if (text.data != NULL) {
        *value = nilas_str_is_nocase(text, "true");
    }
}

static nilas_code read_sizes(const nilas_procedure_call *call, bool is_data,
                             nilas_rewrite_options *out, nilas_error *err) {
    const nilas_metadata *metadata = call->table->metadata;
    const char *property =
        is_data ? "write.target-file-size-bytes" : "write.delete.target-file-size-bytes";
    nilas_str text = nilas_metadata_property(metadata, property, NILAS_STR_EMPTY);
    out->target_bytes = is_data ? DEFAULT_DATA_BYTES : DEFAULT_DELETE_BYTES;
    if (text.size > 0) {
        NILAS_REQUIRE(nilas_str_to_int64(text, &out->target_bytes) && out->target_bytes > 0, err,
                      NILAS_INVALID, "%s must be a positive number: %.*s", property,
                      NILAS_FMT(text));
    }
    NILAS_TRY(read_long(call, "target-file-size-bytes", 1, &out->target_bytes, err));
    out->min_bytes = (int64_t)((double)out->target_bytes * 0.75);
    out->max_bytes = (int64_t)((double)out->target_bytes * 1.80);
    NILAS_TRY(read_long(call, "min-file-size-bytes", 0, &out->min_bytes, err));
    NILAS_TRY(read_long(call, "max-file-size-bytes", 1, &out->max_bytes, err));
    NILAS_REQUIRE(out->target_bytes > out->min_bytes, err, NILAS_INVALID,
                  "'target-file-size-bytes' (%lld) must be > 'min-file-size-bytes' (%lld), all new "
                  "files will be smaller than the min threshold",
                  (long long)out->target_bytes, (long long)out->min_bytes);
    NILAS_REQUIRE(out->target_bytes < out->max_bytes, err, NILAS_INVALID,
                  "'target-file-size-bytes' (%lld) must be < 'max-file-size-bytes' (%lld), all new "
                  "files will be larger than the max threshold",
                  (long long)out->target_bytes, (long long)out->max_bytes);
    return NILAS_OK;
}

static nilas_code read_spec(const nilas_procedure_call *call, nilas_rewrite_options *out,
                            nilas_error *err) {
    const nilas_metadata *metadata = call->table->metadata;
    int64_t spec_id = metadata->default_spec_id;
    NILAS_TRY(read_long(call, "output-spec-id", 0, &spec_id, err));
    NILAS_REQUIRE(nilas_metadata_spec(metadata, (int32_t)spec_id) != NULL, err, NILAS_INVALID,
                  "Cannot use output spec id %lld because the table does not contain a reference "
                  "to this spec-id.",
                  (long long)spec_id);
    out->output_spec_id = (int32_t)spec_id;
    return NILAS_OK;
}

static nilas_code read_ratio(const nilas_procedure_call *call, nilas_rewrite_options *out,
                             nilas_error *err) {
    nilas_str text = nilas_call__map_value(call, "options", "delete-ratio-threshold");
    out->delete_ratio_threshold = DEFAULT_DELETE_RATIO;
    if (text.data == NULL) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(nilas_str_to_double(text, &out->delete_ratio_threshold), err, NILAS_INVALID,
                  "For input string: \"%.*s\"", NILAS_FMT(text));
    NILAS_REQUIRE(out->delete_ratio_threshold > 0 && out->delete_ratio_threshold <= 1, err,
                  NILAS_INVALID, "'delete-ratio-threshold' is set to %.*s but must be > 0 and <= 1",
                  NILAS_FMT(text));
    return NILAS_OK;
}

static nilas_code read_job_order(const nilas_procedure_call *call, nilas_rewrite_job_order *out,
                                 nilas_error *err) {
    static const char *const orders[] = {[NILAS_REWRITE_NONE] = "none",
                                         [NILAS_REWRITE_BYTES_ASC] = "bytes-asc",
                                         [NILAS_REWRITE_BYTES_DESC] = "bytes-desc",
                                         [NILAS_REWRITE_FILES_ASC] = "files-asc",
                                         [NILAS_REWRITE_FILES_DESC] = "files-desc"};
    nilas_str text = nilas_call__map_value(call, "options", "rewrite-job-order");
    *out = NILAS_REWRITE_NONE;
    for (size_t i = 0; text.data != NULL && i < sizeof(orders) / sizeof(orders[0]); i++) {
        if (nilas_str_is_nocase(text, orders[i])) {
            *out = (nilas_rewrite_job_order)i;
            return NILAS_OK;
        }
    }
    NILAS_REQUIRE(text.data == NULL, err, NILAS_INVALID, "Invalid rewrite job order name: %.*s",
                  NILAS_FMT(text));
    return NILAS_OK;
}

/** How groups come to commits, and how many at the same time: there is one, whatever this says. */
static nilas_code read_progress(const nilas_procedure_call *call, nilas_rewrite_options *out,
                                nilas_error *err) {
    int64_t together = 5;
    out->max_commits = 10;
    read_bool(call, "partial-progress.enabled", &out->partial_progress);
    NILAS_TRY(read_long(call, "partial-progress.max-commits", INT64_MIN, &out->max_commits, err));
    out->max_failed_commits = out->max_commits;
    NILAS_TRY(read_long(call, "partial-progress.max-failed-commits", INT64_MIN,
                        &out->max_failed_commits, err));
    NILAS_TRY(read_long(call, "max-concurrent-file-group-rewrites", INT64_MIN, &together, err));
    NILAS_REQUIRE(together >= 1, err, NILAS_INVALID,
                  "Cannot set max-concurrent-file-group-rewrites to %lld, the value must be "
                  "positive.",
                  (long long)together);
    NILAS_REQUIRE(!out->partial_progress || out->max_commits > 0, err, NILAS_INVALID,
                  "Cannot set partial-progress.max-commits to %lld, the value must be positive "
                  "when partial-progress.enabled is true",
                  (long long)out->max_commits);
    return NILAS_OK;
}

static nilas_code read_max_files(const nilas_procedure_call *call, nilas_rewrite_options *out,
                                 nilas_error *err) {
    out->max_files = INT64_MAX;
    NILAS_TRY(read_long(call, "max-files-to-rewrite", INT64_MIN, &out->max_files, err));
    NILAS_REQUIRE(out->max_files > 0, err, NILAS_INVALID,
                  "Cannot set max-files-to-rewrite to %lld, the value must be positive integer.",
                  (long long)out->max_files);
    return NILAS_OK;
}

/** What tunes Spark's shuffles and keys has to be right, and changes nothing here. */
static nilas_code check_shuffle(const nilas_procedure_call *call, nilas_error *err) {
    nilas_str factor = nilas_call__map_value(call, "options", "compression-factor");
    double number = 1;
    int64_t partitions = 1, variable = 8, output = INT32_MAX;
    NILAS_REQUIRE(factor.data == NULL || nilas_str_to_double(factor, &number), err, NILAS_INVALID,
                  "For input string: \"%.*s\"", NILAS_FMT(factor));
    NILAS_REQUIRE(number > 0, err, NILAS_INVALID,
                  "'compression-factor' is set to %.*s but must be > 0", NILAS_FMT(factor));
    NILAS_TRY(read_long(call, "shuffle-partitions-per-file", 1, &partitions, err));
    NILAS_TRY(read_long(call, "var-length-contribution", INT64_MIN, &variable, err));
    NILAS_REQUIRE(variable > 0, err, NILAS_INVALID,
                  "Cannot use less than 1 byte for variable length types with ZOrder, "
                  "'var-length-contribution' was set to %lld",
                  (long long)variable);
    NILAS_TRY(read_long(call, "max-output-size", INT64_MIN, &output, err));
    NILAS_REQUIRE(output > 0, err, NILAS_INVALID,
                  "Cannot have the interleaved ZOrder value use less than 1 byte, "
                  "'max-output-size' was set to %lld",
                  (long long)output);
    return NILAS_OK;
}

nilas_code nilas_rewrite__read_options(const nilas_procedure_call *call, int known,
                                       const char *strategy, nilas_rewrite_options *out,
                                       nilas_error *err) {
    *out = (nilas_rewrite_options){
        .min_input_files = DEFAULT_INPUT_FILES,
        .max_group_bytes = DEFAULT_GROUP_BYTES,
        .delete_file_threshold = INT32_MAX,
        .use_starting_sequence_number = true,
    };
    NILAS_TRY(check_names(call, known, strategy, err));
    NILAS_TRY(read_sizes(call, (known & NILAS_REWRITE_DATA) != 0, out, err));
    NILAS_TRY(read_spec(call, out, err));
    NILAS_TRY(read_ratio(call, out, err));
    NILAS_TRY(read_job_order(call, &out->job_order, err));
    NILAS_TRY(read_long(call, "min-input-files", 1, &out->min_input_files, err));
    NILAS_TRY(read_max_files(call, out, err));
    NILAS_TRY(read_long(call, "max-file-group-size-bytes", 1, &out->max_group_bytes, err));
    NILAS_TRY(read_long(call, "delete-file-threshold", 0, &out->delete_file_threshold, err));
    NILAS_TRY(read_progress(call, out, err));
    NILAS_TRY(check_shuffle(call, err));
    read_bool(call, "rewrite-all", &out->rewrite_all);
    read_bool(call, "use-starting-sequence-number", &out->use_starting_sequence_number);
    read_bool(call, "remove-dangling-deletes", &out->remove_dangling_deletes);
    return NILAS_OK;
}

/* --- where
 * -------------------------------------------------------------------------------------------- */

nilas_code nilas_rewrite__quoted_name(nilas_procedure_call *call, nilas_str *out,
                                      nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    nilas_name_print_quoted(&text, &call->catalog_name, 1);
    nilas_buf_add_char(&text, '.');
    nilas_name_print_quoted(&text, call->identifier, call->identifier_count);
    return nilas_buf_finish(&text, call->run->stmt, out, err);
}

nilas_bound_scan *nilas_rewrite__find_scan(nilas_plan *plan) {
    while (plan != NULL && plan->kind != NILAS_PLAN_SCAN) {
        plan = plan->input;
    }
    return plan != NULL ? plan->scan : NULL;
}

nilas_code nilas_rewrite__read_where(nilas_procedure_call *call, const nilas_predicate **out,
                                     bool *out_nothing, nilas_error *err) {
    nilas_str where = nilas_call__text(call, "where", (nilas_str){.data = NULL});
    nilas_str name, text;
    nilas_plan *plan;
    *out = NULL;
    *out_nothing = false;
    if (where.data == NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_rewrite__quoted_name(call, &name, err));
    NILAS_TRY(nilas_str_print(call->run->stmt, &text, err, "SELECT * FROM %.*s WHERE %.*s",
                              NILAS_FMT(name), NILAS_FMT(where)));
    nilas_code code = nilas_call__bind(call, text, &plan, err);
    if (code != NILAS_OK) {
        err->sql_offset = call->run->statement->offset; // of another text
        nilas_error_append(err, "(Cannot parse predicates in where option: %.*s)",
                           NILAS_FMT(where));
        return code;
    }
    bool is_filtered = false;
    for (nilas_plan *at = plan; at != NULL && at->kind != NILAS_PLAN_SCAN; at = at->input) {
        is_filtered = is_filtered || at->kind == NILAS_PLAN_FILTER;
    }
    const nilas_bound_scan *scan = nilas_rewrite__find_scan(plan);
    *out_nothing = scan == NULL;
    NILAS_REQUIRE(scan == NULL || !is_filtered || scan->filter_is_exact, err, NILAS_INVALID,
                  "Cannot translate Spark expression: %.*s to data source filter",
                  NILAS_FMT(where));
    *out = scan != NULL ? scan->filter : NULL;
    return NILAS_OK;
}
