/*
 * When a table is read: VERSION AS OF, TIMESTAMP AS OF, suffixes of the name, read options,
 * incremental ranges; and with which schema.
 *
 * A snapshot id, a timestamp and a tag are read with the snapshot's schema; a branch, the plain
 * table and an incremental range with the table's current schema. What Spark refuses is refused
 * in its words and order.
 */
#include "bind/expr.h"
#include "bind/relation.h"

// ---- suffixes --------------------------------------------------------------------------------

static bool after_prefix(nilas_str text, const char *prefix, nilas_str *rest) {
    nilas_str start = nilas_str_of(prefix);
    if (!nilas_str_starts(text, start)) {
        return false;
    }
    *rest = nilas_str_slice(text, start.size, text.size);
    return true;
}

static bool is_digits(nilas_str text) {
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
    }
    return text.size > 0;
}

/** Old writers made negative snapshot ids. */
static bool is_integer(nilas_str text) {
    bool has_sign = text.size > 0 && text.data[0] == '-';
    return is_digits(has_sign ? nilas_str_slice(text, 1, text.size - 1) : text);
}

static nilas_code parse_long(nilas_str text, int64_t *out, nilas_error *err) {
    if (!nilas_str_to_int64(text, out)) {
        return nilas_fail(err, NILAS_INVALID, "For input string: \"%.*s\"", NILAS_FMT(text));
    }
    return NILAS_OK;
}

/** A time before the first snapshot is the user's mistake, not a table that is absent. */
static nilas_code snapshot_at(const nilas_table *table, int64_t timestamp_ms, int64_t *out_id,
                              nilas_error *err) {
    const nilas_snapshot *snapshot = NULL;
    nilas_code code = nilas_metadata_snapshot_as_of(table->metadata, timestamp_ms, &snapshot, err);
    if (code == NILAS_NOT_FOUND) {
        if (err != NULL) {
            err->code = NILAS_INVALID;
        }
        return NILAS_INVALID;
    }
    NILAS_TRY(code);
    *out_id = snapshot->snapshot_id;
    return NILAS_OK;
}

nilas_code nilas_bind__selector(nilas_bind_choice *choice, nilas_str selector, bool *out_known,
                                nilas_error *err) {
    nilas_str rest = NILAS_STR_EMPTY;
    int64_t number = 0;
    *out_known = true;
    if (after_prefix(selector, "at_timestamp_", &rest) && is_digits(rest)) {
        NILAS_TRY(parse_long(rest, &number, err));
        choice->has_snapshot = true;
        return snapshot_at(choice->table, number, &choice->snapshot_id, err);
    }
    if (after_prefix(selector, "snapshot_id_", &rest) && is_integer(rest)) {
        choice->has_snapshot = true;
        return parse_long(rest, &choice->snapshot_id, err);
    }
    if (after_prefix(selector, "branch_", &rest)) {
        choice->has_branch = true;
        choice->branch = rest;
        return NILAS_OK;
    }
    if (after_prefix(selector, "tag_", &rest)) {
        const nilas_ref *ref = nilas_metadata_ref(choice->table->metadata, rest);
        *out_known = ref != NULL;
        if (ref != NULL) {
            choice->has_snapshot = true;
            choice->snapshot_id = ref->snapshot_id;
        }
        return NILAS_OK;
    }
    *out_known = false;
    return NILAS_OK;
}

// ---- VERSION AS OF ---------------------------------------------------------------------------

static nilas_code require_free(const nilas_bind_choice *choice, nilas_error *err) {
    if (choice->metadata_table == NILAS_METADATA_CHANGES) {
        return nilas_fail(err, NILAS_UNSUPPORTED, "AS OF is not supported for changelogs");
    }
    NILAS_REQUIRE(!choice->has_snapshot && !choice->has_branch, err, NILAS_INVALID,
                  "Cannot do time-travel based on both table identifier and AS OF");
    return NILAS_OK;
}

static nilas_code travel_to_version(nilas_bind_choice *choice, nilas_str version,
                                    nilas_error *err) {
    const nilas_metadata *metadata = choice->table->metadata;
    const nilas_ref *ref = nilas_metadata_ref(metadata, version);
    int64_t number = 0;
    bool is_number = nilas_str_to_int64(version, &number);
    NILAS_TRY(require_free(choice, err));
    if (is_number && (ref == NULL || nilas_metadata_snapshot(metadata, number) != NULL)) {
        choice->has_snapshot = true;
        choice->snapshot_id = number;
        return NILAS_OK;
    }
    NILAS_REQUIRE(ref != NULL, err, NILAS_INVALID,
                  "Cannot find matching snapshot ID or reference name for version %.*s",
                  NILAS_FMT(version));
    if (ref->is_tag) {
        choice->has_snapshot = true;
        choice->snapshot_id = ref->snapshot_id;
    } else {
        choice->has_branch = true;
        choice->branch = version;
    }
    return NILAS_OK;
}

// ---- TIMESTAMP AS OF -------------------------------------------------------------------------

static bool is_no_column(void *context, nilas_expr *expr) {
    (void)context;
    return expr->kind != NILAS_EXPR_COLUMN ||
           (expr->part_count == 1 && nilas_bind__is_session_value(expr->parts[0]));
}

static bool is_deterministic(void *context, const nilas_bound_expr *expr) {
    (void)context;
    return expr->kind != NILAS_BOUND_CALL ||
           (expr->function->flags & NILAS_FUNCTION_NONDETERMINISTIC) == 0;
}

static nilas_code fail_expression(nilas_binder *binder, const nilas_bound_expr *bound,
                                  const char *condition, const char *why, nilas_error *err) {
    nilas_str text = nilas_bind__text(binder, bound);
    return nilas_fail_at(err, NILAS_INVALID, condition, -1,
                         "The time travel timestamp expression \"%.*s\" is invalid. %s",
                         NILAS_FMT(text), why);
}

/** Micros of a bound expression, by a cast that gives null where it fails. */
static nilas_code timestamp_of(nilas_binder *binder, nilas_bound_expr *bound, int64_t *out,
                               nilas_error *err) {
    const nilas_type *timestamp = nilas_type_of(NILAS_TYPE_TIMESTAMP);
    static const char condition[] = "INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.INPUT";
    static const char why[] = "Cannot be casted to the \"TIMESTAMP\" type.";
    if (!nilas_bind__visit(bound, is_deterministic, NULL)) {
        return fail_expression(binder, bound,
                               "INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.NON_DETERMINISTIC",
                               "Must be deterministic.", err);
    }
    if (!nilas_type_equal(bound->type, timestamp) &&
        !nilas_type_can_cast(bound->type, timestamp, true)) {
        return fail_expression(binder, bound, condition, why, err);
    }
    nilas_value value = NILAS_NULL_VALUE;
    if (bound->kind == NILAS_BOUND_LITERAL && nilas_type_is_string(bound->type)) {
        if (!nilas_bind__cast_value(binder->arena, binder->environment->zone, &bound->value,
                                    bound->type, timestamp, &value)) {
            return fail_expression(binder, bound, condition, why, err);
        }
    } else {
        nilas_bound_expr *cast = bound;
        if (!nilas_type_equal(bound->type, timestamp)) {
            NILAS_TRY(nilas_bind__cast(binder, bound, timestamp, NILAS_CAST_TRY, &cast, err));
        }
        NILAS_TRY(nilas_bind__fold(binder, cast, &value, err));
    }
    if (nilas_value_is_null(&value)) {
        return fail_expression(binder, bound, condition, why, err);
    }
    *out = value.integer;
    return NILAS_OK;
}

static nilas_code travel_to_micros(nilas_bind_choice *choice, int64_t micros, nilas_error *err) {
    NILAS_TRY(require_free(choice, err));
    NILAS_TRY(snapshot_at(choice->table, micros / 1000, &choice->snapshot_id, err));
    choice->has_snapshot = true;
    return NILAS_OK;
}

static nilas_code travel_to_expression(const nilas_bind_environment *environment, nilas_expr *expr,
                                       nilas_bind_choice *choice, nilas_error *err) {
    nilas_binder binder = {.environment = environment, .arena = environment->stmt, .next_id = 1};
    nilas_bind_scope scope = {.binder = &binder,
                              .clause = "TIMESTAMP AS OF",
                              .no_aggregates = true,
                              .no_windows = true,
                              .no_generators = true};
    nilas_bound_expr *bound = NULL;
    int64_t micros = 0;
    if (!nilas_expr_walk(expr, is_no_column, NULL)) {
        return nilas_fail_at(
            err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_0056", expr->offset,
            "Invalid time travel spec: timestamp expression cannot refer to any columns.");
    }
    NILAS_TRY(nilas_bind__expr(&scope, expr, &bound, err));
    NILAS_TRY(timestamp_of(&binder, bound, &micros, err));
    return travel_to_micros(choice, micros, err);
}

nilas_code nilas_bind__travel(const nilas_bind_environment *environment,
                              const nilas_time_travel *time_travel, nilas_bind_choice *choice,
                              nilas_error *err) {
    if (time_travel == NULL) {
        return NILAS_OK;
    }
    switch (time_travel->kind) {
    case NILAS_TRAVEL_VERSION: return travel_to_version(choice, time_travel->version, err);
    case NILAS_TRAVEL_TIMESTAMP:
        return travel_to_expression(environment, time_travel->timestamp, choice, err);
    case NILAS_TRAVEL_NONE: break;
    }
    return NILAS_OK;
}

nilas_code nilas_bind__travel_by_options(const nilas_bind_environment *environment,
                                         const nilas_read_options *options,
                                         nilas_bind_choice *choice, nilas_error *err) {
    if (options->version_as_of.data != NULL && options->timestamp_as_of.data != NULL) {
        return nilas_fail_at(
            err, NILAS_INVALID, "INVALID_TIME_TRAVEL_SPEC", -1,
            "Cannot specify both version and timestamp when time travelling the table.");
    }
    if (options->version_as_of.data != NULL) {
        return travel_to_version(choice, options->version_as_of, err);
    }
    if (options->timestamp_as_of.data == NULL) {
        return NILAS_OK;
    }
    nilas_value text = nilas_value_of_str(options->timestamp_as_of);
    nilas_value value = NILAS_NULL_VALUE;
    if (!nilas_bind__cast_value(environment->stmt, environment->zone, &text,
                                nilas_type_of(NILAS_TYPE_STRING),
                                nilas_type_of(NILAS_TYPE_TIMESTAMP), &value)) {
        return nilas_fail_at(
            err, NILAS_INVALID, "INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.OPTION", -1,
            "The time travel timestamp expression \"%.*s\" is invalid. Timestamp string in the "
            "options must be able to cast to TIMESTAMP type.",
            NILAS_FMT(options->timestamp_as_of));
    }
    return travel_to_micros(choice, value.integer, err);
}

// ---- incremental ranges ----------------------------------------------------------------------

static bool is_parent_ancestor(const nilas_metadata *metadata, int64_t snapshot_id,
                               int64_t parent_id) {
    const nilas_snapshot *snapshot = nilas_metadata_snapshot(metadata, snapshot_id);
    for (size_t steps = 0; snapshot != NULL && steps <= metadata->snapshot_count; steps++) {
        if (snapshot->parent_id == parent_id) {
            return true;
        }
        snapshot = nilas_metadata_snapshot(metadata, snapshot->parent_id);
    }
    return false;
}

static nilas_code check_range(const nilas_bind_choice *choice, const nilas_read_options *options,
                              bool has_snapshot, nilas_error *err) {
    bool has_start = options->start_snapshot_id.data != NULL;
    bool has_end = options->end_snapshot_id.data != NULL;
    NILAS_REQUIRE(
        !has_snapshot || (!has_start && !has_end), err, NILAS_INVALID,
        "Cannot set start-snapshot-id and end-snapshot-id for incremental scans when either "
        "snapshot-id or as-of-timestamp is set");
    NILAS_REQUIRE(
        has_start || !has_end || choice->metadata_table == NILAS_METADATA_CHANGES, err,
        NILAS_INVALID,
        "Cannot set only end-snapshot-id for incremental scans. Please, set start-snapshot-id "
        "too.");
    NILAS_REQUIRE(
        choice->metadata_table == NILAS_METADATA_CHANGES ||
            (options->start_timestamp.data == NULL && options->end_timestamp.data == NULL),
        err, NILAS_INVALID,
        "Cannot set start-timestamp or end-timestamp for incremental scans and batch scan. "
        "They are only valid for changelog scans.");
    return NILAS_OK;
}

static nilas_code select_range(const nilas_bind_choice *choice, const nilas_read_options *options,
                               nilas_relation *out, nilas_error *err) {
    const nilas_metadata *metadata = choice->table->metadata;
    int64_t from = 0;
    int64_t to = metadata->current_snapshot_id;
    NILAS_TRY(parse_long(options->start_snapshot_id, &from, err));
    if (choice->metadata_table != NILAS_METADATA_NONE) {
        return nilas_fail(err, NILAS_UNSUPPORTED, "Incremental append scan is not supported");
    }
    if (options->end_snapshot_id.data != NULL) {
        NILAS_TRY(parse_long(options->end_snapshot_id, &to, err));
        NILAS_REQUIRE(nilas_metadata_snapshot(metadata, to) != NULL, err, NILAS_INVALID,
                      "Cannot find the end snapshot: %lld", (long long)to);
    }
    out->snapshot = nilas_metadata_snapshot(metadata, to);
    NILAS_REQUIRE(out->snapshot != NULL, err, NILAS_INVALID,
                  "End snapshot is not set and table has no current snapshot");
    NILAS_REQUIRE(
        is_parent_ancestor(metadata, to, from), err, NILAS_INVALID,
        "Starting snapshot (exclusive) %lld is not a parent ancestor of end snapshot %lld",
        (long long)from, (long long)to);
    out->incremental = true;
    out->from_snapshot_id = from;
    out->to_snapshot_id = to;
    out->schema = nilas_metadata_current_schema(metadata);
    return NILAS_OK;
}

// ---- the choice ------------------------------------------------------------------------------

/** spark.wap.branch, when the table allows it and has the branch; else data NULL. */
static nilas_str wap_branch(const nilas_bind_environment *environment,
                            const nilas_metadata *metadata) {
    nilas_str none = {0};
    nilas_str enabled = nilas_metadata_property(metadata, "write.wap.enabled", NILAS_STR("false"));
    if (environment->setting == NULL || !nilas_str_is_nocase(enabled, "true")) {
        return none;
    }
    nilas_str branch = environment->setting(environment->context, "spark.wap.branch");
    return branch.data != NULL && nilas_metadata_ref(metadata, branch) != NULL ? branch : none;
}

static bool is_all_table(nilas_metadata_table kind) {
    return kind >= NILAS_METADATA_ALL_DATA_FILES && kind <= NILAS_METADATA_ALL_ENTRIES;
}

static nilas_code fail_all_table(nilas_metadata_table kind, nilas_error *err) {
    char name[40] = {0};
    const char *lower = nilas_metadata_table_name(kind);
    for (size_t i = 0; lower[i] != '\0' && i + 1 < sizeof(name); i++) {
        name[i] = lower[i] >= 'a' && lower[i] <= 'z' ? (char)(lower[i] - 'a' + 'A') : lower[i];
    }
    return nilas_fail(err, NILAS_UNSUPPORTED, "Cannot select snapshot in table: %s", name);
}

static nilas_code select_snapshot(const nilas_bind_choice *choice, nilas_relation *out,
                                  nilas_error *err) {
    const nilas_metadata *metadata = choice->table->metadata;
    if (is_all_table(choice->metadata_table)) {
        return fail_all_table(choice->metadata_table, err);
    }
    out->snapshot = nilas_metadata_snapshot(metadata, choice->snapshot_id);
    NILAS_REQUIRE(out->snapshot != NULL, err, NILAS_INVALID, "Cannot find snapshot with ID %lld",
                  (long long)choice->snapshot_id);
    out->schema = nilas_metadata_schema_of(metadata, out->snapshot);
    out->is_time_travel = true;
    return NILAS_OK;
}

static nilas_code select_branch(const nilas_bind_choice *choice, nilas_relation *out,
                                nilas_error *err) {
    const nilas_metadata *metadata = choice->table->metadata;
    const nilas_ref *ref = nilas_metadata_ref(metadata, choice->branch);
    out->schema = nilas_metadata_current_schema(metadata);
    out->snapshot = nilas_metadata_current_snapshot(metadata);
    if (nilas_str_is(choice->branch, "main")) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(ref != NULL, err, NILAS_INVALID, "Cannot use branch (does not exist): %.*s",
                  NILAS_FMT(choice->branch));
    out->is_time_travel = true;
    out->branch = choice->branch;
    out->snapshot = nilas_metadata_snapshot(metadata, ref->snapshot_id);
    NILAS_REQUIRE(out->snapshot != NULL, err, NILAS_INVALID, "Cannot find snapshot with ID %lld",
                  (long long)ref->snapshot_id);
    if (ref->is_tag) {
        out->schema = nilas_metadata_schema_of(metadata, out->snapshot);
    }
    return NILAS_OK;
}

static nilas_code parse_optional(nilas_str text, int64_t *out, nilas_error *err) {
    return text.data == NULL ? NILAS_OK : parse_long(text, out, err);
}

static nilas_code check_changes(const nilas_read_options *options, int64_t start_ms, int64_t end_ms,
                                nilas_error *err) {
    bool has_start = options->start_timestamp.data != NULL;
    bool has_end = options->end_timestamp.data != NULL;
    NILAS_REQUIRE(!has_start || options->start_snapshot_id.data == NULL, err, NILAS_INVALID,
                  "Cannot set both start-snapshot-id and start-timestamp for changelogs");
    NILAS_REQUIRE(!has_end || options->end_snapshot_id.data == NULL, err, NILAS_INVALID,
                  "Cannot set both end-snapshot-id and end-timestamp for changelogs");
    NILAS_REQUIRE(!has_start || !has_end || start_ms < end_ms, err, NILAS_INVALID,
                  "Cannot set start-timestamp to be greater than end-timestamp for changelogs");
    return NILAS_OK;
}

/** The newest snapshot of the current history that is not after the time; -1: none. */
static int64_t newest_until(const nilas_metadata *metadata, int64_t time_ms) {
    const nilas_snapshot *at = nilas_metadata_current_snapshot(metadata);
    for (size_t steps = 0; at != NULL && steps <= metadata->snapshot_count; steps++) {
        if (at->timestamp_ms <= time_ms) {
            return at->snapshot_id;
        }
        at = nilas_metadata_snapshot(metadata, at->parent_id);
    }
    return -1;
}

/** The range of a changelog: after the start, up to the end; by default all of the history. */
static nilas_code select_changes(const nilas_bind_choice *choice, const nilas_read_options *options,
                                 nilas_relation *out, nilas_error *err) {
    const nilas_metadata *metadata = choice->table->metadata;
    int64_t from = -1;
    int64_t to = metadata->current_snapshot_id;
    int64_t start_ms = 0;
    int64_t end_ms = 0;
    NILAS_TRY(parse_optional(options->start_snapshot_id, &from, err));
    NILAS_TRY(parse_optional(options->end_snapshot_id, &to, err));
    NILAS_TRY(parse_optional(options->start_timestamp, &start_ms, err));
    NILAS_TRY(parse_optional(options->end_timestamp, &end_ms, err));
    NILAS_TRY(check_changes(options, start_ms, end_ms, err));
    if (options->start_timestamp.data != NULL) {
        from = newest_until(metadata, start_ms);
    }
    if (options->end_timestamp.data != NULL) {
        to = newest_until(metadata, end_ms);
    }
    bool by_time = options->start_timestamp.data != NULL || options->end_timestamp.data != NULL;
    out->incremental = true;
    out->from_snapshot_id = from;
    out->to_snapshot_id = by_time && from == to ? -1 : to;
    return NILAS_OK;
}

nilas_code nilas_bind__choose(const nilas_bind_environment *environment,
                              const nilas_bind_choice *choice, const nilas_read_options *options,
                              nilas_relation *out, nilas_error *err) {
    const nilas_metadata *metadata = choice->table->metadata;
    bool is_table = choice->metadata_table == NILAS_METADATA_NONE;
    nilas_str wap = wap_branch(environment, metadata);
    out->kind = is_table ? NILAS_RELATION_TABLE : NILAS_RELATION_METADATA_TABLE;
    out->table = choice->table;
    out->metadata_table = choice->metadata_table;
    if (choice->has_branch) {
        NILAS_TRY(select_branch(choice, out, err));
    } else if (choice->has_snapshot) {
        NILAS_TRY(select_snapshot(choice, out, err));
    } else if (wap.data != NULL) {
        nilas_bind_choice audited = *choice;
        audited.branch = wap;
        NILAS_TRY(select_branch(&audited, out, err));
    } else {
        out->snapshot = nilas_metadata_current_snapshot(metadata);
        out->schema = nilas_metadata_current_schema(metadata);
    }
    NILAS_REQUIRE(out->schema != NULL, err, NILAS_CORRUPT,
                  "the table's schema is missing in its metadata");
    NILAS_TRY(check_range(choice, options, choice->has_snapshot, err));
    if (choice->metadata_table == NILAS_METADATA_CHANGES) {
        return select_changes(choice, options, out, err);
    }
    if (options->start_snapshot_id.data != NULL) {
        return select_range(choice, options, out, err);
    }
    return NILAS_OK;
}
