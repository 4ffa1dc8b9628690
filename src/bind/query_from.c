/**
 * What stands in FROM: tables and metadata tables, views, files, inline tables, table-valued
 * functions, LATERAL VIEW.
 */
#include "bind/query.h"
#include "bind/relation.h"

/** The metadata columns of a table scan (specification: reserved field ids), in Spark's order. */
static const struct {
    const char *name;
    int32_t field_id;
    int32_t min_version;
} metadata_columns[] = {
    {"_spec_id", NILAS_FIELD_SPEC_ID, 1},
    {"_partition", NILAS_FIELD_PARTITION, 1},
    {"_file", NILAS_FIELD_FILE, 1},
    {"_pos", NILAS_FIELD_POS, 1},
    {"_deleted", NILAS_FIELD_DELETED, 1},
    {"_row_id", NILAS_FIELD_ROW_ID, 3},
    {"_last_updated_sequence_number", NILAS_FIELD_LAST_UPDATED_SEQUENCE_NUMBER, 3},
};

static nilas_code metadata_column_type(nilas_binder *binder, const nilas_table *table,
                                       int32_t field_id, const nilas_ice_type **out,
                                       nilas_error *err) {
    switch (field_id) {
    case NILAS_FIELD_FILE: *out = nilas_ice_primitive(NILAS_ICE_STRING); return NILAS_OK;
    case NILAS_FIELD_SPEC_ID: *out = nilas_ice_primitive(NILAS_ICE_INT); return NILAS_OK;
    case NILAS_FIELD_DELETED: *out = nilas_ice_primitive(NILAS_ICE_BOOLEAN); return NILAS_OK;
    case NILAS_FIELD_PARTITION:
        return nilas_metadata_partition_type(binder->arena, table->metadata, out, err);
    default: *out = nilas_ice_primitive(NILAS_ICE_LONG); return NILAS_OK;
    }
}

static bool metadata_column_is_nullable(int32_t field_id) {
    return field_id == NILAS_FIELD_PARTITION || field_id == NILAS_FIELD_ROW_ID ||
           field_id == NILAS_FIELD_LAST_UPDATED_SEQUENCE_NUMBER;
}

/** Columns of one scan while they are collected; the three arrays run in parallel. */
typedef struct scan_columns {
    nilas_scope_column *scope;
    nilas_attribute *outputs;
    nilas_scan_column *columns;
    size_t count;
} scan_columns;

static nilas_code add_scan_column(nilas_binder *binder, scan_columns *list,
                                  const nilas_ice_field *field, bool hidden, nilas_error *err) {
    const nilas_type *type;
    NILAS_TRY(nilas_bind_ice_type(binder->arena, field->type, &type, err));
    nilas_attribute attribute = nilas_bind__attribute(binder, field->name, type, !field->required);
    attribute.has_comment = field->has_doc;
    attribute.comment = field->doc;
    list->outputs[list->count] = attribute;
    list->columns[list->count].field = field;
    list->scope[list->count] = (nilas_scope_column){.attribute = attribute, .hidden = hidden};
    list->count++;
    return NILAS_OK;
}

/** A real column of the name hides the metadata column. */
static bool has_column(const nilas_ice_type *type, const char *name) {
    for (size_t i = 0; i < type->field_count; i++) {
        if (nilas_str_is_nocase(type->fields[i].name, name)) {
            return true;
        }
    }
    return false;
}

static nilas_code add_metadata_columns(nilas_binder *binder, scan_columns *list,
                                       const nilas_relation *relation, nilas_error *err) {
    for (size_t i = 0; i < sizeof(metadata_columns) / sizeof(metadata_columns[0]); i++) {
        if (relation->table->metadata->format_version < metadata_columns[i].min_version ||
            has_column(&relation->schema->type, metadata_columns[i].name)) {
            continue;
        }
        nilas_ice_field *field;
        NILAS_NEW(binder->arena, &field, err);
        field->id = metadata_columns[i].field_id;
        field->name = nilas_str_of(metadata_columns[i].name);
        field->required = !metadata_column_is_nullable(field->id);
        nilas_code code =
            metadata_column_type(binder, relation->table, field->id, &field->type, err);
        if (code == NILAS_UNSUPPORTED) {
            continue; // no _partition under an unknown transform; the rows can still be read
        }
        NILAS_TRY(code);
        NILAS_TRY(add_scan_column(binder, list, field, true, err));
    }
    return NILAS_OK;
}

static nilas_code qualifier_of(nilas_binder *binder, const nilas_relation *relation,
                               nilas_str **out, size_t *out_count, nilas_error *err) {
    size_t extra = (relation->catalog_name.size > 0 ? 1 : 0) +
                   (relation->metadata_table != NILAS_METADATA_NONE ? 1 : 0);
    nilas_str *parts;
    size_t count = 0;
    NILAS_NEW_ARRAY(binder->arena, &parts, relation->identifier_count + extra, err);
    if (relation->catalog_name.size > 0) {
        parts[count++] = relation->catalog_name;
    }
    for (size_t i = 0; i < relation->identifier_count; i++) {
        parts[count++] = relation->identifier[i];
    }
    if (relation->metadata_table != NILAS_METADATA_NONE) {
        parts[count++] = nilas_str_of(nilas_metadata_table_name(relation->metadata_table));
    }
    *out = parts;
    *out_count = count;
    return NILAS_OK;
}

static nilas_code set_qualifier(nilas_bound_relation *relation, const nilas_str *parts,
                                size_t count) {
    for (size_t i = 0; i < relation->column_count; i++) {
        relation->columns[i].qualifier = parts;
        relation->columns[i].qualifier_count = count;
    }
    return NILAS_OK;
}

/** Options that mean something to a scan here; the others tune Spark's executors. */
static void read_scan_options(nilas_bound_scan *scan, const nilas_query *query) {
    for (size_t i = 0; i < query->option_count; i++) {
        int64_t number;
        if (!nilas_str_to_int64(query->options[i].value, &number)) {
            continue;
        }
        if (nilas_str_is_nocase(query->options[i].key, "split-size")) {
            scan->split_size_bytes = number;
        } else if (nilas_str_is_nocase(query->options[i].key, "batch-size")) {
            scan->batch_size = number;
        }
    }
}

static nilas_code bind_scan(nilas_binder *binder, const nilas_relation *relation,
                            const nilas_query *query, nilas_bound_relation *out, nilas_error *err) {
    const nilas_ice_type *type = NULL;
    if (relation->metadata_table != NILAS_METADATA_NONE) {
        NILAS_TRY(nilas_metadata_table_type(binder->arena, relation->table,
                                            relation->metadata_table, &type, err));
    } else {
        type = &relation->schema->type;
    }
    size_t room = type->field_count + sizeof(metadata_columns) / sizeof(metadata_columns[0]);
    scan_columns list = {0};
    NILAS_NEW_ARRAY(binder->arena, &list.scope, room, err);
    NILAS_NEW_ARRAY(binder->arena, &list.outputs, room, err);
    NILAS_NEW_ARRAY(binder->arena, &list.columns, room, err);
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_TRY(add_scan_column(binder, &list, &type->fields[i], false, err));
    }
    if (relation->metadata_table == NILAS_METADATA_NONE) {
        NILAS_TRY(add_metadata_columns(binder, &list, relation, err));
    }
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_SCAN, NULL, &plan, err));
    NILAS_NEW(binder->arena, &plan->scan, err);
    plan->outputs = list.outputs;
    plan->output_count = list.count;
    *plan->scan = (nilas_bound_scan){
        .table = relation->table,
        .metadata_table = relation->metadata_table,
        .snapshot = relation->snapshot,
        .schema = relation->schema,
        .incremental = relation->incremental,
        .from_snapshot_id = relation->from_snapshot_id,
        .to_snapshot_id = relation->to_snapshot_id,
        .is_time_travel = relation->is_time_travel,
        .columns = list.columns,
        .column_count = list.count,
        .options = query->options,
        .option_count = query->option_count,
    };
    read_scan_options(plan->scan, query);
    nilas_str *parts;
    size_t part_count;
    NILAS_TRY(qualifier_of(binder, relation, &parts, &part_count, err));
    NILAS_TRY(
        nilas_str_join(binder->arena, parts, part_count, NILAS_STR("."), &plan->scan->name, err));
    *out = (nilas_bound_relation){.plan = plan, .columns = list.scope, .column_count = list.count};
    return set_qualifier(out, parts, part_count);
}

static nilas_code bind_files(nilas_binder *binder, nilas_file_scan *files,
                             nilas_bound_relation *out, nilas_error *err) {
    if (files->schema == NULL) {
        NILAS_TRY(binder->environment->infer_files(binder->environment->context, files, err));
    }
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_FILE_SCAN, NULL, &plan, err));
    plan->file_scan = files;
    size_t count = files->schema->field_count;
    NILAS_NEW_ARRAY(binder->arena, &plan->outputs, count, err);
    NILAS_NEW_ARRAY(binder->arena, &out->columns, count, err);
    plan->output_count = count;
    for (size_t i = 0; i < count; i++) {
        const nilas_type_field *field = &files->schema->fields[i];
        plan->outputs[i] = nilas_bind__attribute(binder, field->name, field->type, field->nullable);
        out->columns[i] = (nilas_scope_column){.attribute = plan->outputs[i]};
    }
    out->plan = plan;
    out->column_count = count;
    return NILAS_OK;
}

/** Bind a view's query where the view was made: without CTEs of the outside, in its own catalog and
 * namespace. */
static nilas_code bind_view_query(nilas_binder *binder, const nilas_query *query, nilas_str catalog,
                                  const nilas_str *current_namespace, size_t namespace_count,
                                  nilas_bound_relation *out, nilas_error *err) {
    NILAS_REQUIRE(binder->view_depth < NILAS_LIMIT_VIEW_DEPTH, err, NILAS_LIMIT,
                  "views are nested more than %d deep (a cycle?)", NILAS_LIMIT_VIEW_DEPTH);
    nilas_bind_environment inner = *binder->environment;
    if (catalog.size > 0) {
        inner.current_catalog = catalog;
        inner.current_namespace = current_namespace;
        inner.current_namespace_count = namespace_count;
    }
    const nilas_bind_environment *saved_environment = binder->environment;
    struct nilas_cte_frame *saved_ctes = binder->ctes;
    const nilas_bound_frame *saved_frames = binder->frames;
    binder->environment = &inner;
    binder->ctes = NULL;
    binder->view_depth++;
    nilas_code code = nilas_bind__query(binder, NULL, query, out, err);
    binder->view_depth--;
    binder->ctes = saved_ctes;
    binder->frames = saved_frames;
    binder->environment = saved_environment;
    NILAS_TRY(code);
    return nilas_bind__visible_only(binder, out, err);
}

static nilas_code bind_temp_view(nilas_binder *binder, const nilas_temp_view *view, int32_t offset,
                                 nilas_bound_relation *out, nilas_error *err) {
    const nilas_bind_environment *saved = binder->environment;
    nilas_bind_environment scoped = *saved;
    scoped.view_scope = view->scope;
    binder->environment = &scoped;
    nilas_code code = bind_view_query(binder, view->query, view->catalog, view->current_namespace,
                                      view->namespace_count, out, err);
    binder->environment = saved;
    NILAS_TRY(code);
    NILAS_TRY(nilas_bind__apply_alias(binder, out, view->name, true, view->column_names,
                                      view->column_count, offset, err));
    for (size_t i = 0; i < view->column_count && view->has_column_comments != NULL; i++) {
        out->columns[i].attribute.has_comment = view->has_column_comments[i];
        out->columns[i].attribute.comment = view->column_comments[i];
    }
    return NILAS_OK;
}

static nilas_code bind_catalog_view(nilas_binder *binder, const nilas_relation *relation,
                                    int32_t offset, nilas_bound_relation *out, nilas_error *err) {
    nilas_view *view = relation->view;
    nilas_query *query;
    NILAS_TRY(
        binder->environment->parse_query(binder->environment->context, view->sql, &query, err));
    nilas_str catalog =
        view->default_catalog.size > 0 ? view->default_catalog : relation->catalog_name;
    NILAS_TRY(bind_view_query(binder, query, catalog, view->default_namespace,
                              view->default_namespace_count, out, err));
    size_t count = view->schema->type.field_count;
    nilas_str *names;
    NILAS_NEW_ARRAY(binder->arena, &names, count, err);
    for (size_t i = 0; i < count; i++) {
        names[i] = view->schema->type.fields[i].name;
    }
    return nilas_bind__apply_alias(binder, out,
                                   relation->identifier[relation->identifier_count - 1], true,
                                   names, count, offset, err);
}

static nilas_cte_frame *find_cte(const nilas_binder *binder, const nilas_query *query) {
    if (query->part_count != 1 || query->identifier != NULL) {
        return NULL;
    }
    for (nilas_cte_frame *frame = binder->ctes; frame != NULL; frame = frame->outer) {
        if (nilas_bind__same_name(binder, frame->cte->name, query->parts[0])) {
            return frame;
        }
    }
    return NULL;
}

/** IDENTIFIER(expr): the name is the value of expr, a constant string. */
static nilas_code identifier_parts(nilas_binder *binder, nilas_bind_scope *outer,
                                   const nilas_query *query, nilas_query *out, nilas_error *err) {
    nilas_bind_scope scope = {.binder = binder, .outer = outer, .clause = "IDENTIFIER"};
    nilas_bound_expr *bound;
    nilas_value value;
    NILAS_TRY(nilas_bind__expr(&scope, query->identifier->args[0], &bound, err));
    NILAS_TRY(nilas_bind__fold(binder, bound, &value, err));
    if (value.kind != NILAS_VALUE_STRING) {
        return nilas_fail_at(err, NILAS_INVALID, "NOT_A_CONSTANT_STRING.WRONG_TYPE", query->offset,
                             "The expression used for the routine or clause `IDENTIFIER` must be a "
                             "constant STRING which is NOT NULL.");
    }
    *out = *query;
    out->identifier = NULL;
    return binder->environment->parse_name(binder->environment->context, value.text, &out->parts,
                                           &out->part_count, err);
}

static nilas_code bind_resolved(nilas_binder *binder, const nilas_relation *relation,
                                const nilas_query *query, nilas_bound_relation *out,
                                nilas_error *err) {
    const nilas_temp_view *view = relation->temp_view;
    nilas_query source = *query;
    if (relation->kind == NILAS_RELATION_TEMP_VIEW) {
        return bind_temp_view(binder, view, query->offset, out, err);
    }
    if (relation->kind == NILAS_RELATION_VIEW) {
        return bind_catalog_view(binder, relation, query->offset, out, err);
    }
    if (view != NULL) { // CREATE TEMPORARY VIEW … USING: its options are the scan's
        source.options = (nilas_option *)(uintptr_t)view->options;
        source.option_count = view->option_count;
    }
    if (relation->kind == NILAS_RELATION_FILES) {
        NILAS_TRY(bind_files(binder, relation->files, out, err));
    } else {
        NILAS_TRY(bind_scan(binder, relation, &source, out, err));
    }
    if (view == NULL || query->kind == NILAS_QUERY_SOURCE) {
        return NILAS_OK;
    }
    return nilas_bind__apply_alias(binder, out, view->name, true, NULL, 0, query->offset, err);
}

/** spark.read.format(…).options(…).load(…): as a view USING the format. */
nilas_code nilas_bind__source_query(nilas_binder *binder, nilas_bind_scope *outer,
                                    const nilas_query *query, nilas_bound_relation *out,
                                    nilas_error *err) {
    (void)outer;
    const nilas_bind_environment *environment = binder->environment;
    nilas_temp_view *view;
    nilas_relation relation = {0};
    NILAS_NEW(binder->arena, &view, err);
    view->provider = query->text;
    if (view->provider.size == 0) {
        view->provider = environment->setting(environment->context, "spark.sql.sources.default");
    }
    if (view->provider.size == 0) {
        view->provider = NILAS_STR("parquet"); // Spark's default
    }
    view->options = query->options;
    view->option_count = query->option_count;
    view->schema = query->type;
    view->paths = query->columns;
    view->path_count = query->column_count;
    NILAS_TRY(nilas_bind__source(environment, view, &relation, err));
    return bind_resolved(binder, &relation, query, out, err);
}

nilas_code nilas_bind__table(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out,
                             nilas_error *err) {
    nilas_query named;
    if (query->identifier != NULL) {
        NILAS_TRY(identifier_parts(binder, outer, query, &named, err));
        query = &named;
    }
    nilas_cte_frame *frame = find_cte(binder, query);
    if (frame != NULL && query->time_travel.kind != NILAS_TRAVEL_NONE) {
        return nilas_fail_at(err, NILAS_INVALID, "UNSUPPORTED_FEATURE.TIME_TRAVEL", query->offset,
                             "The feature is not supported: Time travel on the relation: `%.*s`.",
                             NILAS_FMT(query->parts[0]));
    }
    if (frame != NULL) {
        return nilas_bind__cte_reference(binder, outer, frame, query->parts[0], out, err);
    }
    nilas_relation relation = {0};
    NILAS_TRY(nilas_bind_relation(binder->environment, query->parts, query->part_count,
                                  query->offset, &query->time_travel, query->options,
                                  query->option_count, &relation, err));
    return bind_resolved(binder, &relation, query, out, err);
}

nilas_code nilas_bind__apply_alias(nilas_binder *binder, nilas_bound_relation *relation,
                                   nilas_str alias, bool has_alias, const nilas_str *columns,
                                   size_t column_count, int32_t offset, nilas_error *err) {
    nilas_scope_column *copy;
    NILAS_NEW_ARRAY(binder->arena, &copy, relation->column_count, err);
    size_t visible = 0;
    for (size_t i = 0; i < relation->column_count; i++) {
        copy[i] = relation->columns[i];
        visible += copy[i].hidden ? 0 : 1;
    }
    if (column_count > 0 && column_count != visible) {
        return nilas_fail_at(err, NILAS_INVALID, "ASSIGNMENT_ARITY_MISMATCH", offset,
                             "The number of columns or variables assigned or aliased: %zu does not "
                             "match the number of source "
                             "expressions: %zu.",
                             column_count, visible);
    }
    nilas_str *qualifier;
    NILAS_NEW(binder->arena, &qualifier, err);
    *qualifier = alias;
    size_t next = 0;
    for (size_t i = 0; i < relation->column_count; i++) {
        if (has_alias) {
            copy[i].qualifier = qualifier;
            copy[i].qualifier_count = 1;
        }
        if (column_count > 0 && !copy[i].hidden) {
            copy[i].attribute.name = columns[next++];
        }
    }
    relation->columns = copy;
    return NILAS_OK;
}

/** Least common types of the columns of an inline table. */
static nilas_code common_row_types(nilas_binder *binder, nilas_bound_expr **cells, size_t rows,
                                   size_t width, const nilas_type **out, int32_t offset,
                                   nilas_error *err) {
    for (size_t column = 0; column < width; column++) {
        out[column] = cells[column]->type;
        for (size_t row = 1; row < rows; row++) {
            const nilas_type *common;
            NILAS_TRY(nilas_type_common(binder->arena, out[column],
                                        cells[row * width + column]->type,
                                        binder->environment->ansi, &common, err));
            if (common == NULL) {
                return nilas_fail_at(err, NILAS_INVALID,
                                     "INVALID_INLINE_TABLE.INCOMPATIBLE_TYPES_IN_INLINE_TABLE",
                                     offset,
                                     "Invalid inline table. Found incompatible types in the column "
                                     "`col%zu` for inline table.",
                                     column + 1);
            }
            out[column] = common;
        }
    }
    return NILAS_OK;
}

static size_t row_width(const nilas_expr *row) {
    return row->kind == NILAS_EXPR_ROW ? row->arg_count : 1;
}

static nilas_code bind_cells(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_expr **cells, size_t width,
                             nilas_error *err) {
    nilas_bind_scope scope = {.binder = binder,
                              .outer = outer,
                              .clause = "VALUES",
                              .no_aggregates = true,
                              .no_windows = true,
                              .no_generators = true};
    for (size_t i = 0; i < query->expr_count; i++) {
        const nilas_expr *row = query->exprs[i];
        if (row_width(row) != width) {
            return nilas_fail_at(err, NILAS_INVALID, "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH",
                                 row->offset,
                                 "Invalid inline table. Inline table expected %zu columns but "
                                 "found %zu columns in row %zu.",
                                 width, row_width(row), i);
        }
        for (size_t k = 0; k < width; k++) {
            NILAS_TRY(nilas_bind__expr(&scope, row->kind == NILAS_EXPR_ROW ? row->args[k] : row,
                                       &cells[i * width + k], err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_bind__values(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_query *query, nilas_bound_relation *out,
                              nilas_error *err) {
    size_t width = row_width(query->exprs[0]);
    nilas_plan *plan;
    const nilas_type **types;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_VALUES, NULL, &plan, err));
    plan->row_count = query->expr_count;
    plan->expr_count = plan->row_count * width;
    NILAS_NEW_ARRAY(binder->arena, &plan->exprs, plan->expr_count, err);
    NILAS_NEW_ARRAY(binder->arena, &types, width, err);
    NILAS_TRY(bind_cells(binder, outer, query, plan->exprs, width, err));
    NILAS_TRY(
        common_row_types(binder, plan->exprs, plan->row_count, width, types, query->offset, err));
    NILAS_NEW_ARRAY(binder->arena, &plan->outputs, width, err);
    NILAS_NEW_ARRAY(binder->arena, &out->columns, width, err);
    plan->output_count = width;
    for (size_t column = 0; column < width; column++) {
        bool nullable = false;
        for (size_t row = 0; row < plan->row_count; row++) {
            nilas_bound_expr **cell = &plan->exprs[row * width + column];
            nullable = nullable || (*cell)->nullable;
            NILAS_TRY(nilas_bind__coerce(binder, *cell, types[column], cell, err));
        }
        nilas_str name;
        NILAS_TRY(nilas_str_print(binder->arena, &name, err, "col%zu", column + 1));
        plan->outputs[column] = nilas_bind__attribute(binder, name, types[column], nullable);
        out->columns[column] = (nilas_scope_column){.attribute = plan->outputs[column]};
    }
    out->plan = plan;
    out->column_count = width;
    return NILAS_OK;
}

/** Columns of a generator or table function, from its struct type. */
static nilas_code function_columns(nilas_binder *binder, const nilas_bound_expr *call,
                                   const nilas_str *names, size_t name_count, bool nullable,
                                   nilas_scope_column *out, int32_t offset, nilas_error *err) {
    const nilas_type *type = call->type;
    if (name_count > 0 && name_count != type->field_count) {
        return nilas_fail_at(err, NILAS_INVALID, "UDTF_ALIAS_NUMBER_MISMATCH", offset,
                             "The number of aliases supplied in the AS clause does not match the "
                             "number of columns output by the "
                             "UDTF. Expected %zu aliases, but got %zu.",
                             type->field_count, name_count);
    }
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_type_field *field = &type->fields[i];
        out[i].attribute = nilas_bind__attribute(binder, name_count > 0 ? names[i] : field->name,
                                                 field->type, nullable || field->nullable);
    }
    return NILAS_OK;
}

nilas_code nilas_bind__generate(nilas_binder *binder, nilas_bound_relation *relation,
                                nilas_bound_expr *generator, bool outer, const nilas_str *names,
                                size_t name_count, int32_t offset, size_t *out_first,
                                nilas_error *err) {
    nilas_assert(generator->type->kind == NILAS_TYPE_STRUCT);
    size_t added = generator->type->field_count;
    nilas_scope_column *columns;
    NILAS_NEW_ARRAY(binder->arena, &columns, relation->column_count + added, err);
    for (size_t i = 0; i < relation->column_count; i++) {
        columns[i] = relation->columns[i];
    }
    outer = outer || nilas_str_ends(nilas_str_of(generator->function->name), NILAS_STR("_outer"));
    NILAS_TRY(function_columns(binder, generator, names, name_count, outer,
                               columns + relation->column_count, offset, err));
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_GENERATE, relation->plan, &plan, err));
    NILAS_NEW_ARRAY(binder->arena, &plan->exprs, 1, err);
    plan->exprs[0] = generator;
    plan->expr_count = 1;
    plan->outer = outer;
    for (size_t i = 0; i < added; i++) {
        NILAS_TRY(nilas_bind__add_output(binder, plan,
                                         columns[relation->column_count + i].attribute, err));
    }
    *out_first = relation->column_count;
    *relation = (nilas_bound_relation){
        .plan = plan, .columns = columns, .column_count = relation->column_count + added};
    return NILAS_OK;
}

nilas_code nilas_bind__table_function(nilas_binder *binder, nilas_bind_scope *outer,
                                      const nilas_query *query, nilas_bound_relation *out,
                                      nilas_error *err) {
    nilas_function_kind kind;
    nilas_str name = query->parts[query->part_count - 1];
    if (query->part_count != 1 || !nilas_function_find_kind(name, &kind) ||
        (kind != NILAS_FUNCTION_TABLE && kind != NILAS_FUNCTION_GENERATOR)) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(4096);
        nilas_name_print_quoted(&text, query->parts, query->part_count);
        return nilas_fail_at(
            err, NILAS_NOT_FOUND, "UNRESOLVABLE_TABLE_VALUED_FUNCTION", query->offset,
            "Could not resolve %.*s to a table-valued function. Please make sure that %.*s is "
            "defined as a "
            "table-valued function and that all required parameters are provided correctly.",
            NILAS_FMT(nilas_buf_view(&text)), NILAS_FMT(nilas_buf_view(&text)));
    }
    nilas_expr *call;
    NILAS_TRY(nilas_expr_new(binder->arena, NILAS_EXPR_CALL, query->offset, &call, err));
    call->parts = query->parts;
    call->part_count = query->part_count;
    call->args = query->exprs;
    call->arg_count = query->expr_count;
    call->arg_names = query->arg_names;
    nilas_bind_scope scope = {.binder = binder,
                              .outer = outer,
                              .clause = "FROM",
                              .takes_table_function = true,
                              .no_aggregates = true,
                              .no_windows = true};
    nilas_bound_expr *bound;
    NILAS_TRY(nilas_bind__expr(&scope, call, &bound, err));
    if (kind == NILAS_FUNCTION_GENERATOR) {
        size_t first;
        NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_ONE_ROW, NULL, &out->plan, err));
        NILAS_TRY(
            nilas_bind__generate(binder, out, bound, false, NULL, 0, query->offset, &first, err));
        return NILAS_OK;
    }
    size_t count = bound->type->field_count;
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_TABLE_FUNCTION, NULL, &plan, err));
    NILAS_NEW_ARRAY(binder->arena, &plan->exprs, 1, err);
    plan->exprs[0] = bound;
    plan->expr_count = 1;
    NILAS_NEW_ARRAY(binder->arena, &out->columns, count, err);
    NILAS_TRY(function_columns(binder, bound, NULL, 0, false, out->columns, query->offset, err));
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_bind__add_output(binder, plan, out->columns[i].attribute, err));
    }
    out->plan = plan;
    out->column_count = count;
    return NILAS_OK;
}

nilas_code nilas_bind__lateral_view(nilas_binder *binder, nilas_bind_scope *outer,
                                    const nilas_query *query, nilas_bound_relation *out,
                                    nilas_error *err) {
    if (query->input != NULL) {
        NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    } else {
        NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_ONE_ROW, NULL, &out->plan, err));
    }
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, out, outer, "LATERAL VIEW");
    scope.no_aggregates = scope.no_windows = true;
    nilas_bound_expr *generator;
    NILAS_TRY(nilas_bind__expr(&scope, query->exprs[0], &generator, err));
    if (generator->kind != NILAS_BOUND_CALL ||
        generator->function->kind != NILAS_FUNCTION_GENERATOR) {
        return nilas_fail_at(err, NILAS_INVALID, "UNSUPPORTED_GENERATOR.NOT_GENERATOR",
                             query->offset,
                             "The generator is not supported: the function in LATERAL VIEW is "
                             "expected to be a generator.");
    }
    size_t first;
    NILAS_TRY(nilas_bind__generate(binder, out, generator, query->outer, query->columns,
                                   query->column_count, query->offset, &first, err));
    nilas_str *qualifier;
    NILAS_NEW(binder->arena, &qualifier, err);
    *qualifier = query->alias;
    for (size_t i = first; i < out->column_count && query->alias.size > 0; i++) {
        out->columns[i].qualifier = qualifier;
        out->columns[i].qualifier_count = 1;
    }
    return NILAS_OK;
}
