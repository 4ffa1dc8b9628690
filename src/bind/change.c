/**
 * INSERT, DELETE and UPDATE as plans: rows to write, and rows to drop by file and position. MERGE
 * is in merge.c.
 */
#include "bind/row_change.h"

#include "bind/expr.h"
#include "bind/grow.h"

/* --- what all row-level changes share ------------------------------------------------------------
 */

static nilas_scope_column *find_hidden(nilas_bound_relation *relation, const char *name) {
    for (size_t i = 0; i < relation->column_count; i++) {
        if (relation->columns[i].hidden &&
            nilas_str_is(relation->columns[i].attribute.name, name)) {
            return &relation->columns[i];
        }
    }
    return NULL;
}

/** Iceberg's words for DELETE differ from those for other writes. */
static nilas_code check_delete_target(nilas_binder *binder, const nilas_statement *statement,
                                      nilas_error *err) {
    nilas_relation target = {0};
    nilas_time_travel none = {0};
    if (statement->kind != NILAS_STATEMENT_DELETE) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_bind_relation(binder->environment, statement->parts, statement->part_count,
                                  statement->parts_offset, &none, NULL, 0, &target, err));
    if (target.metadata_table != NILAS_METADATA_NONE) {
        return nilas_fail_at(err, NILAS_INVALID, NULL, statement->parts_offset,
                             "Cannot delete from a metadata table");
    }
    if (target.is_time_travel && target.branch.size == 0 && target.snapshot != NULL) {
        return nilas_fail_at(err, NILAS_INVALID, NULL, statement->parts_offset,
                             "Cannot delete from table at a specific snapshot: %lld",
                             (long long)target.snapshot->snapshot_id);
    }
    return NILAS_OK;
}

nilas_code nilas_bind__open_change(nilas_row_change *change, nilas_binder *binder,
                                   const nilas_statement *statement, nilas_bound_change *out,
                                   nilas_error *err) {
    *change = (nilas_row_change){.binder = binder, .statement = statement, .out = out};
    NILAS_TRY(check_delete_target(binder, statement, err));
    NILAS_TRY(nilas_bind_target(binder->environment, statement->parts, statement->part_count,
                                statement->parts_offset, &out->target, &out->branch, err));
    const nilas_metadata *metadata = out->target.table->metadata;
    change->schema = nilas_metadata_current_schema(metadata);
    change->has_lineage = metadata->format_version >= 3;
    nilas_query *table;
    NILAS_TRY(
        nilas_query_new(binder->arena, NILAS_QUERY_TABLE, statement->parts_offset, &table, err));
    table->parts = statement->parts;
    table->part_count = statement->part_count;
    NILAS_TRY(nilas_bind__table(binder, NULL, table, &change->target, err));
    change->scan = change->target.plan;
    if (statement->has_alias) {
        NILAS_TRY(nilas_bind__apply_alias(binder, &change->target, statement->alias, true, NULL, 0,
                                          statement->parts_offset, err));
    }
    const nilas_scope_column *file = find_hidden(&change->target, "_file");
    const nilas_scope_column *pos = find_hidden(&change->target, "_pos");
    if (file == NULL || pos == NULL) {
        return nilas_fail(err, NILAS_UNSUPPORTED,
                          "a table with a column named _file or _pos cannot be changed by row");
    }
    change->file = file->attribute;
    change->pos = pos->attribute;
    if (change->has_lineage) {
        const nilas_scope_column *row_id = find_hidden(&change->target, "_row_id");
        change->has_lineage = row_id != NULL;
        change->row_id = row_id != NULL ? row_id->attribute : (nilas_attribute){0};
    }
    // Error messages of UPDATE and MERGE name the table ``, as Spark's do.
    NILAS_TRY(nilas_bind__store_init(&change->store, binder, NILAS_STR("``"), change->schema));
    change->store.by_name = true;
    return NILAS_OK;
}

nilas_code nilas_bind__int_literal(nilas_binder *binder, int64_t value, nilas_bound_expr **out,
                                   nilas_error *err) {
    nilas_value v = nilas_value_of_int(value);
    return nilas_bind__literal(binder, nilas_type_of(NILAS_TYPE_INT), &v, out, err);
}

static nilas_code null_of(nilas_binder *binder, const nilas_type *type, nilas_bound_expr **out,
                          nilas_error *err) {
    nilas_value null = NILAS_NULL_VALUE;
    return nilas_bind__literal(binder, type, &null, out, err);
}

nilas_code nilas_bind__change_width(const nilas_row_change *change, size_t *out) {
    *out = 3 + change->schema->type.field_count + (change->has_lineage ? 2 : 0);
    return NILAS_OK;
}

nilas_code nilas_bind__change_row(nilas_row_change *change, nilas_bound_expr *action,
                                  nilas_bound_expr **values, nilas_bound_expr **out,
                                  nilas_error *err) {
    nilas_binder *binder = change->binder;
    size_t count = change->schema->type.field_count;
    out[0] = action;
    NILAS_TRY(nilas_bind__column_ref(binder, &change->file, &out[1], err));
    NILAS_TRY(nilas_bind__column_ref(binder, &change->pos, &out[2], err));
    for (size_t i = 0; i < count; i++) {
        if (values != NULL) {
            out[3 + i] = values[i];
            continue;
        }
        const nilas_type *type;
        NILAS_TRY(
            nilas_bind_ice_type(binder->arena, change->schema->type.fields[i].type, &type, err));
        NILAS_TRY(null_of(binder, type, &out[3 + i], err));
    }
    if (change->has_lineage) {
        NILAS_TRY(nilas_bind__column_ref(binder, &change->row_id, &out[3 + count], err));
        NILAS_TRY(null_of(binder, nilas_type_of(NILAS_TYPE_BIGINT), &out[4 + count], err));
    }
    return NILAS_OK;
}

nilas_code nilas_bind__close_change(nilas_row_change *change, nilas_plan *input,
                                    nilas_bound_expr **row, nilas_error *err) {
    nilas_binder *binder = change->binder;
    size_t width;
    nilas_str *names;
    NILAS_TRY(nilas_bind__change_width(change, &width));
    NILAS_NEW_ARRAY(binder->arena, &names, width, err);
    names[0] = NILAS_STR("_action");
    names[1] = NILAS_STR("_file");
    names[2] = NILAS_STR("_pos");
    size_t count = change->schema->type.field_count;
    for (size_t i = 0; i < count; i++) {
        names[3 + i] = change->schema->type.fields[i].name;
    }
    if (change->has_lineage) {
        names[3 + count] = NILAS_STR("_row_id");
        names[4 + count] = NILAS_STR("_last_updated_sequence_number");
    }
    nilas_bound_change *out = change->out;
    NILAS_TRY(nilas_bind__project(binder, input, row, names, width, &out->plan, err));
    NILAS_TRY(nilas_bind__push(binder, out->plan, err));
    NILAS_TRY(nilas_bind__prune(binder, out->plan, err));
    out->filter = change->scan->scan->filter;
    out->filter_is_exact = change->scan->scan->filter_is_exact;
    return NILAS_OK;
}

/** WHERE of DELETE and UPDATE; without one the plan stays as it is. */
static nilas_code bind_where(nilas_row_change *change, nilas_plan **out, nilas_error *err) {
    *out = change->target.plan;
    if (change->statement->where == NULL) {
        return NILAS_OK;
    }
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, change->binder, &change->target, NULL, "WHERE");
    scope.no_aggregates = scope.no_windows = scope.no_generators = true;
    nilas_plan *filter;
    NILAS_TRY(nilas_bind__plan(change->binder, NILAS_PLAN_FILTER, *out, &filter, err));
    NILAS_TRY(nilas_bind__condition(&scope, change->statement->where, &filter->condition, err));
    NILAS_TRY(nilas_bind__require_deterministic(change->binder, filter->condition, err));
    *out = filter;
    return NILAS_OK;
}

static bool is_random(void *context, const nilas_bound_expr *expr) {
    (void)context;
    return expr->kind != NILAS_BOUND_CALL ||
           (expr->function->flags & NILAS_FUNCTION_NONDETERMINISTIC) == 0;
}

nilas_code nilas_bind__require_deterministic(nilas_binder *binder, const nilas_bound_expr *expr,
                                             nilas_error *err) {
    if (nilas_bind__visit(expr, is_random, NULL)) {
        return NILAS_OK;
    }
    nilas_str shown;
    NILAS_TRY(nilas_bind__shown(binder, expr, &shown, err));
    return nilas_fail_at(err, NILAS_INVALID, "INVALID_NON_DETERMINISTIC_EXPRESSIONS", expr->offset,
                         "The operator expects a deterministic expression, but the actual "
                         "expression is \"%.*s\".",
                         NILAS_FMT(shown));
}

/* --- INSERT --------------------------------------------------------------------------------------
 */

/** Whether the table is partitioned by the column as it is. */
static bool is_partition_column(const nilas_metadata *metadata, int32_t field_id) {
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, metadata->default_spec_id);
    for (size_t i = 0; spec != NULL && i < spec->field_count; i++) {
        if (spec->fields[i].source_id == field_id &&
            spec->fields[i].transform.kind == NILAS_TRANSFORM_IDENTITY) {
            return true;
        }
    }
    return false;
}

typedef struct insert_state {
    nilas_binder *binder;
    const nilas_statement *statement;
    nilas_bound_change *out;
    nilas_store store;
    nilas_bound_expr **fixed; // by schema position, as it was before rows brought columns
    size_t fixed_capacity;
    size_t fixed_count;
} insert_state;

static nilas_code bind_partition_item(insert_state *state, const nilas_partition_item *item,
                                      nilas_error *err) {
    const nilas_schema *schema = state->store.schema;
    size_t at = 0;
    while (at < schema->type.field_count &&
           !nilas_bind__same_name(state->binder, schema->type.fields[at].name, item->name)) {
        at++;
    }
    if (at == schema->type.field_count ||
        !is_partition_column(state->out->target.table->metadata, schema->type.fields[at].id)) {
        return nilas_fail_at(err, NILAS_INVALID, "NON_PARTITION_COLUMN", state->statement->offset,
                             "PARTITION clause cannot contain the non-partition column: `%.*s`.",
                             NILAS_FMT(item->name));
    }
    if (item->value == NULL) {
        return NILAS_OK; // dynamic: the query gives it
    }
    nilas_bind_scope scope = {.binder = state->binder, .clause = "PARTITION"};
    const nilas_type *type;
    nilas_bound_expr *value;
    nilas_value folded;
    NILAS_TRY(nilas_bind__expr(&scope, item->value, &value, err));
    NILAS_TRY(nilas_bind_ice_type(state->binder->arena, schema->type.fields[at].type, &type, err));
    NILAS_TRY(nilas_bind__cast(state->binder, value, type, NILAS_CAST_ANSI, &value, err));
    NILAS_TRY(nilas_bind__fold(state->binder, value, &folded, err));
    NILAS_TRY(nilas_bind__literal(state->binder, type, &folded, &state->fixed[at], err));
    state->fixed_count++;
    return NILAS_OK;
}

/** k = v AND …, of the PARTITION clause's fixed values; NULL: everything. */
static nilas_code fixed_filter(insert_state *state, nilas_error *err) {
    nilas_arena *arena = state->binder->arena;
    const nilas_schema *schema = state->store.schema;
    nilas_predicate *all = NULL;
    // Columns that the rows brought stand behind these and are not fixed.
    for (size_t i = 0; i < state->fixed_capacity; i++) {
        if (state->fixed[i] == NULL) {
            continue;
        }
        nilas_predicate *one;
        NILAS_NEW(arena, &one, err);
        bool is_null = nilas_value_is_null(&state->fixed[i]->value);
        *one = (nilas_predicate){
            .kind = is_null ? NILAS_PREDICATE_IS_NULL : NILAS_PREDICATE_EQ,
            .field_id = schema->type.fields[i].id,
            .type = schema->type.fields[i].type,
            .literals = is_null ? NULL : &state->fixed[i]->value,
            .literal_count = is_null ? 0 : 1,
        };
        if (all == NULL) {
            all = one;
        } else {
            NILAS_TRY(nilas_predicate_and(arena, all, one, &all, err));
        }
    }
    state->out->overwrite_filter = all;
    return NILAS_OK;
}

/** REPLACE WHERE: the condition must be one that files can be judged by. */
static nilas_code replace_filter(insert_state *state, nilas_error *err) {
    const nilas_statement *statement = state->statement;
    nilas_row_change probe;
    nilas_bound_change ignored = {0};
    nilas_bound_expr *condition;
    nilas_predicate *predicate;
    bool exact;
    NILAS_TRY(nilas_bind__open_change(&probe, state->binder, statement, &ignored, err));
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, state->binder, &probe.target, NULL, "WHERE");
    NILAS_TRY(nilas_bind__condition(&scope, statement->replace_where, &condition, err));
    const nilas_pushdown_input input = {
        .zone = state->binder->environment->zone,
        .scan = probe.scan->scan,
        .outputs = probe.scan->outputs,
        .output_count = probe.scan->output_count,
    };
    NILAS_TRY(
        nilas_bind__pushdown(state->binder->arena, condition, &input, &predicate, &exact, err));
    if (predicate == NULL || !exact) {
        return nilas_fail_at(err, NILAS_INVALID, NULL, statement->replace_where->offset,
                             "Cannot overwrite by filter: it cannot be turned into a condition "
                             "on whole files");
    }
    state->out->overwrite_filter = predicate;
    return NILAS_OK;
}

static bool has_partitions(const nilas_metadata *metadata) {
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, metadata->default_spec_id);
    for (size_t i = 0; spec != NULL && i < spec->field_count; i++) {
        if (spec->fields[i].transform.kind != NILAS_TRANSFORM_VOID) {
            return true;
        }
    }
    return false;
}

/** The statement decides, else the session; the write option overwrite-mode makes a replacement of
 * everything dynamic. */
static bool wants_dynamic(const insert_state *state) {
    const nilas_bind_environment *environment = state->binder->environment;
    const nilas_statement *statement = state->statement;
    nilas_str mode =
        nilas_option_find(statement->options, statement->option_count, "overwrite-mode");
    if (state->fixed_count == 0 && nilas_str_is_nocase(mode, "dynamic")) {
        return true;
    }
    if (statement->overwrite_mode != NILAS_OVERWRITE_BY_SESSION) {
        return statement->overwrite_mode == NILAS_OVERWRITE_DYNAMIC;
    }
    return nilas_str_is_nocase(
        environment->setting(environment->context, "spark.sql.sources.partitionOverwriteMode"),
        "dynamic");
}

/** What an overwrite replaces: by filter, or (dynamic) the partitions that get rows. */
static nilas_code bind_overwrite(insert_state *state, nilas_error *err) {
    nilas_bound_change *out = state->out;
    if (state->statement->replace_where != NULL) {
        out->overwrite = true;
        return replace_filter(state, err);
    }
    out->overwrite = state->statement->overwrite;
    if (!out->overwrite) {
        return NILAS_OK;
    }
    const nilas_metadata *metadata = out->target.table->metadata;
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, metadata->default_spec_id);
    out->dynamic =
        wants_dynamic(state) && has_partitions(metadata) && state->fixed_count < spec->field_count;
    return out->dynamic ? NILAS_OK : fixed_filter(state, err);
}

/** Columns that the rows are brought to: those of a metadata table too, which is refused later. */
static nilas_code insert_schema(nilas_binder *binder, const nilas_relation *target,
                                const nilas_schema **out, nilas_error *err) {
    if (target->metadata_table != NILAS_METADATA_NONE) {
        const nilas_ice_type *type;
        nilas_schema *schema;
        NILAS_TRY(nilas_metadata_table_type(binder->arena, target->table, target->metadata_table,
                                            &type, err));
        NILAS_NEW(binder->arena, &schema, err);
        schema->type = *type;
        *out = schema;
        return NILAS_OK;
    }
    NILAS_REQUIRE(target->table != NULL, err, NILAS_INVALID, "only tables can be written to");
    *out = target->is_time_travel && target->branch.size == 0
               ? target->schema
               : nilas_metadata_current_schema(target->table->metadata);
    return NILAS_OK;
}

/** A switch that a write option sets, or else the session: "true" or "false". */
static bool find_switch(const insert_state *state, const char *option, const char *setting,
                        bool fallback) {
    const nilas_bind_environment *environment = state->binder->environment;
    nilas_str value =
        nilas_option_find(state->statement->options, state->statement->option_count, option);
    if (value.data == NULL) {
        value = environment->setting(environment->context, setting);
    }
    return value.data == NULL ? fallback : nilas_str_is_nocase(value, "true");
}

static nilas_code insert_rows(insert_state *state, const nilas_store_rows *rows, nilas_error *err) {
    static const char merge[] = "spark.sql.iceberg.merge-schema";
    const nilas_table *table = state->out->target.table;
    nilas_str accepts = nilas_metadata_property(table->metadata, "write.spark.accept-any-schema",
                                                NILAS_STR("false"));
    if (!nilas_str_is_nocase(accepts, "true") ||
        state->out->target.metadata_table != NILAS_METADATA_NONE) {
        return nilas_bind__store_rows(&state->store, rows, &state->out->plan, err);
    }
    nilas_accept accept = {
        .table = table,
        .merge_schema = find_switch(state, "merge-schema", merge, false) ||
                        find_switch(state, "mergeSchema", merge, false),
        .check_nullability =
            find_switch(state, "check-nullability", "spark.sql.iceberg.check-nullability", true),
        .check_ordering =
            find_switch(state, "check-ordering", "spark.sql.iceberg.check-ordering", true),
    };
    return nilas_bind__accept_rows(&state->store, rows, &accept, &state->out->plan,
                                   &state->out->growth, err);
}

static nilas_code bind_insert(nilas_binder *binder, const nilas_statement *statement,
                              nilas_bound_change *out, nilas_error *err) {
    insert_state state = {.binder = binder, .statement = statement, .out = out};
    nilas_time_travel none = {0};
    const nilas_schema *schema;
    out->kind = NILAS_CHANGE_KIND_INSERT;
    NILAS_TRY(nilas_bind_relation(binder->environment, statement->parts, statement->part_count,
                                  statement->parts_offset, &none, NULL, 0, &out->target, err));
    if (out->target.kind == NILAS_RELATION_VIEW) {
        NILAS_AUTO_BUF view = NILAS_BUF_INIT(65536);
        nilas_name_print_quoted(&view, statement->parts, statement->part_count);
        return nilas_fail_at(err, NILAS_NOT_FOUND, "TABLE_OR_VIEW_NOT_FOUND",
                             statement->parts_offset,
                             "The table or view %.*s cannot be found: rows cannot be written to a "
                             "view.",
                             NILAS_FMT(nilas_buf_view(&view)));
    }
    NILAS_TRY(insert_schema(binder, &out->target, &schema, err));
    nilas_str *full;
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    NILAS_NEW_ARRAY(binder->arena, &full, out->target.identifier_count + 1, err);
    full[0] = out->target.catalog_name;
    nilas_copy(full + 1, out->target.identifier, out->target.identifier_count * sizeof(*full));
    nilas_name_print_quoted(&name, full, out->target.identifier_count + 1);
    nilas_str table_name;
    NILAS_TRY(nilas_buf_finish(&name, binder->arena, &table_name, err));
    NILAS_TRY(nilas_bind__store_init(&state.store, binder, table_name, schema));
    state.store.by_name = statement->by_name;
    state.fixed_capacity = schema->type.field_count;
    NILAS_NEW_ARRAY(binder->arena, &state.fixed, state.fixed_capacity, err);
    for (size_t i = 0; i < statement->partition_count; i++) {
        NILAS_TRY(bind_partition_item(&state, &statement->partition[i], err));
    }
    nilas_store_rows rows = {
        .query = statement->query,
        .columns = statement->columns,
        .column_count = statement->column_count,
        .by_name = statement->by_name,
        .fixed = state.fixed,
        .fixed_count = state.fixed_capacity,
    };
    NILAS_TRY(insert_rows(&state, &rows, err));
    // What is written is judged before where to, as Spark does.
    NILAS_TRY(nilas_bind_target(binder->environment, statement->parts, statement->part_count,
                                statement->parts_offset, &out->target, &out->branch, err));
    if (out->growth != NULL) {
        out->target.table = out->growth->table;
    }
    NILAS_TRY(bind_overwrite(&state, err));
    NILAS_TRY(nilas_bind__push(binder, out->plan, err));
    return nilas_bind__prune(binder, out->plan, err);
}

/* --- DELETE and UPDATE ---------------------------------------------------------------------------
 */

static nilas_code bind_delete(nilas_binder *binder, const nilas_statement *statement,
                              nilas_bound_change *out, nilas_error *err) {
    nilas_row_change change;
    nilas_plan *plan;
    nilas_bound_expr **row;
    nilas_bound_expr *action;
    size_t width;
    out->kind = NILAS_CHANGE_KIND_DELETE;
    NILAS_TRY(nilas_bind__open_change(&change, binder, statement, out, err));
    NILAS_TRY(bind_where(&change, &plan, err));
    NILAS_TRY(nilas_bind__change_width(&change, &width));
    NILAS_NEW_ARRAY(binder->arena, &row, width, err);
    NILAS_TRY(nilas_bind__int_literal(binder, NILAS_CHANGE_DELETE, &action, err));
    NILAS_TRY(nilas_bind__change_row(&change, action, NULL, row, err));
    NILAS_TRY(nilas_bind__close_change(&change, plan, row, err));
    if (statement->where == NULL) {
        out->filter = NULL;
        out->filter_is_exact = true; // every row
    }
    return NILAS_OK;
}

static nilas_code bind_update(nilas_binder *binder, const nilas_statement *statement,
                              nilas_bound_change *out, nilas_error *err) {
    nilas_row_change change;
    nilas_plan *plan;
    nilas_bound_expr **row;
    nilas_bound_expr **values;
    nilas_bound_expr *action;
    size_t width;
    out->kind = NILAS_CHANGE_KIND_UPDATE;
    NILAS_TRY(nilas_bind__open_change(&change, binder, statement, out, err));
    NILAS_TRY(bind_where(&change, &plan, err));
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, &change.target, NULL, "UPDATE");
    scope.no_aggregates = scope.no_windows = scope.no_generators = true;
    NILAS_TRY(nilas_bind__assign(&change, &scope, statement->assignments,
                                 statement->assignment_count, &values, err));
    NILAS_TRY(nilas_bind__change_width(&change, &width));
    NILAS_NEW_ARRAY(binder->arena, &row, width, err);
    NILAS_TRY(nilas_bind__int_literal(binder, NILAS_CHANGE_UPDATE, &action, err));
    NILAS_TRY(nilas_bind__change_row(&change, action, values, row, err));
    return nilas_bind__close_change(&change, plan, row, err);
}

nilas_code nilas_bind_change(const nilas_bind_environment *environment,
                             const nilas_statement *statement, nilas_bound_change *out,
                             nilas_error *err) {
    nilas_binder binder = {.environment = environment, .arena = environment->stmt, .next_id = 1};
    *out = (nilas_bound_change){0};
    switch (statement->kind) {
    case NILAS_STATEMENT_INSERT: return bind_insert(&binder, statement, out, err);
    case NILAS_STATEMENT_DELETE: return bind_delete(&binder, statement, out, err);
    case NILAS_STATEMENT_UPDATE: return bind_update(&binder, statement, out, err);
    case NILAS_STATEMENT_MERGE: return nilas_bind__merge(&binder, statement, out, err);
    default: break;
    }
    return nilas_fail(err, NILAS_UNSUPPORTED, "%s is not a change of rows",
                      nilas_statement_name(statement->kind));
}
