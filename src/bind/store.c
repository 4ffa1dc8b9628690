/**
 * Store assignment: rows of a query brought to the columns of a table, by position or by name, as
 * Spark's policies allow.
 *
 * What a policy refuses is an error when the statement is bound; what does not fit is one when it
 * runs.
 */
#include "bind/store.h"

#include "bind/expr.h"

/** Spark's ANSI policy: no strings into numbers, no numbers into dates; anything atomic into
 * strings. */
bool nilas_bind__can_store(const nilas_type *from, const nilas_type *to) {
    if (from->kind == NILAS_TYPE_VOID || nilas_type_equal(from, to)) {
        return true;
    }
    bool is_nested = from->kind >= NILAS_TYPE_ARRAY;
    if (nilas_type_is_string(to)) {
        return !is_nested && from->kind != NILAS_TYPE_VARIANT;
    }
    if (nilas_type_is_numeric(from) && nilas_type_is_numeric(to)) {
        return true;
    }
    if (from->kind == NILAS_TYPE_DATE || from->kind == NILAS_TYPE_TIMESTAMP ||
        from->kind == NILAS_TYPE_TIMESTAMP_NTZ) {
        return to->kind == NILAS_TYPE_DATE || to->kind == NILAS_TYPE_TIMESTAMP ||
               to->kind == NILAS_TYPE_TIMESTAMP_NTZ;
    }
    return from->kind == to->kind && (from->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH ||
                                      from->kind == NILAS_TYPE_INTERVAL_DAY_TIME);
}

static bool can_store(const nilas_store *store, const nilas_type *from, const nilas_type *to) {
    switch (store->policy) {
    case NILAS_STORE_LEGACY: return nilas_type_can_cast(from, to, false);
    case NILAS_STORE_STRICT: return nilas_type_can_upcast(from, to);
    case NILAS_STORE_ANSI: break;
    }
    return nilas_bind__can_store(from, to);
}

static nilas_code fail_unsafe(const nilas_store *store, nilas_str path, const nilas_type *from,
                              const nilas_type *to, nilas_error *err) {
    NILAS_AUTO_BUF from_text = NILAS_BUF_INIT(1 << 20);
    NILAS_AUTO_BUF to_text = NILAS_BUF_INIT(1 << 20);
    nilas_type_print_sql(&from_text, from);
    nilas_type_print_sql(&to_text, to);
    return nilas_fail_at(err, NILAS_INVALID, "INCOMPATIBLE_DATA_FOR_TABLE.CANNOT_SAFELY_CAST", -1,
                         "Cannot write incompatible data for the table %.*s: Cannot safely cast "
                         "%.*s \"%.*s\" to \"%.*s\".",
                         NILAS_FMT(store->table_name), NILAS_FMT(path),
                         NILAS_FMT(nilas_buf_view(&from_text)),
                         NILAS_FMT(nilas_buf_view(&to_text)));
}

/** Position of a member in a struct type; SIZE_MAX when there is none. */
static size_t find_member(const nilas_store *store, const nilas_type *type, nilas_str name) {
    for (size_t i = 0; i < type->field_count; i++) {
        if (nilas_bind__same_name(store->binder, type->fields[i].name, name)) {
            return i;
        }
    }
    return SIZE_MAX;
}

static void print_member(nilas_buf *out, nilas_str path, nilas_str name) {
    nilas_buf_add(out, path);
    nilas_buf_add_char(out, '.');
    nilas_name_print_quoted(out, &name, 1);
}

static nilas_code fail_no_data(const nilas_store *store, nilas_str path, nilas_error *err) {
    return nilas_fail_at(err, NILAS_INVALID, "INCOMPATIBLE_DATA_FOR_TABLE.CANNOT_FIND_DATA", -1,
                         "Cannot write incompatible data for the table %.*s: Cannot find data for "
                         "the output column %.*s.",
                         NILAS_FMT(store->table_name), NILAS_FMT(path));
}

static nilas_code fail_extra_members(const nilas_store *store, nilas_str path,
                                     const nilas_type *from, const nilas_type *to,
                                     nilas_error *err) {
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(1 << 20);
    for (size_t i = 0; i < from->field_count; i++) {
        bool is_extra = store->by_name ? find_member(store, to, from->fields[i].name) == SIZE_MAX
                                       : i >= to->field_count;
        if (is_extra) {
            nilas_buf_add_text(&list, list.size > 0 ? ", " : "");
            nilas_name_print_quoted(&list, &from->fields[i].name, 1);
        }
    }
    return nilas_fail_at(err, NILAS_INVALID, "INCOMPATIBLE_DATA_FOR_TABLE.EXTRA_STRUCT_FIELDS", -1,
                         "Cannot write incompatible data for the table %.*s: Cannot write extra "
                         "fields %.*s to the struct %.*s.",
                         NILAS_FMT(store->table_name), NILAS_FMT(nilas_buf_view(&list)),
                         NILAS_FMT(path));
}

static nilas_code check_type(const nilas_store *store, nilas_str path, const nilas_type *from,
                             const nilas_type *to, nilas_error *err);

/** Each member that the column has must be given, and no others. */
static nilas_code check_struct(const nilas_store *store, nilas_str path, const nilas_type *from,
                               const nilas_type *to, nilas_error *err) {
    for (size_t i = 0; i < to->field_count; i++) {
        NILAS_AUTO_BUF inner = NILAS_BUF_INIT(1 << 20);
        size_t at = store->by_name ? find_member(store, from, to->fields[i].name) : i;
        print_member(&inner, path, to->fields[i].name);
        if (at >= from->field_count) {
            return fail_no_data(store, nilas_buf_view(&inner), err);
        }
        NILAS_TRY(check_type(store, nilas_buf_view(&inner), from->fields[at].type,
                             to->fields[i].type, err));
    }
    return from->field_count > to->field_count ? fail_extra_members(store, path, from, to, err)
                                               : NILAS_OK;
}

/** Check nested types part by part, so that the error names the part. */
static nilas_code check_type(const nilas_store *store, nilas_str path, const nilas_type *from,
                             const nilas_type *to, nilas_error *err) {
    static const char *const parts_of_map[] = {"key", "value"};
    if (from->kind < NILAS_TYPE_ARRAY || from->kind != to->kind) {
        return can_store(store, from, to) ? NILAS_OK : fail_unsafe(store, path, from, to, err);
    }
    if (from->kind == NILAS_TYPE_STRUCT) {
        return check_struct(store, path, from, to, err);
    }
    for (size_t i = 0; i < to->field_count; i++) {
        NILAS_AUTO_BUF inner = NILAS_BUF_INIT(1 << 20);
        print_member(&inner, path,
                     nilas_str_of(to->kind == NILAS_TYPE_ARRAY ? "element" : parts_of_map[i]));
        NILAS_TRY(check_type(store, nilas_buf_view(&inner), from->fields[i].type,
                             to->fields[i].type, err));
    }
    return NILAS_OK;
}

/** A function that nobody can call: its argument, or the error that it is null. */
static const nilas_function assert_not_null = {
    .kind = NILAS_FUNCTION_SCALAR,
    .name = "assert_not_null",
    .signature = "any, string -> any",
    .render = "CASE WHEN $1 IS NULL THEN CAST(error(chr(1) || 'NOT_NULL_ASSERT_VIOLATION' || "
              "chr(1) || 'NULL value appeared in non-nullable field: ' || $2) AS $t) ELSE $1 END",
    .flags = NILAS_FUNCTION_OPERATOR | NILAS_FUNCTION_NULL_SAFE | NILAS_FUNCTION_NEVER_NULL,
};

static nilas_code require_value(const nilas_store *store, nilas_str name, nilas_bound_expr **expr,
                                nilas_error *err) {
    nilas_bound_expr *args[2] = {*expr, NULL};
    const nilas_type *type = (*expr)->type;
    NILAS_TRY(nilas_bind__string_literal(store->binder, name, &args[1], err));
    NILAS_TRY(nilas_bind__raw_call(store->binder, &assert_not_null, args, 2, expr, err));
    (*expr)->type = type;
    (*expr)->nullable = false;
    return NILAS_OK;
}

nilas_code nilas_bind__store_value(const nilas_store *store, const nilas_ice_field *field,
                                   nilas_bound_expr *expr, nilas_bound_expr **out,
                                   nilas_error *err) {
    const nilas_type *type;
    NILAS_AUTO_BUF path = NILAS_BUF_INIT(65536);
    NILAS_TRY(nilas_bind_ice_type(store->binder->arena, field->type, &type, err));
    nilas_name_print_quoted(&path, &field->name, 1);
    NILAS_TRY(check_type(store, nilas_buf_view(&path), expr->type, type, err));
    return nilas_bind__store_checked(store, field, expr, out, err);
}

nilas_code nilas_bind__store_checked(const nilas_store *store, const nilas_ice_field *field,
                                     nilas_bound_expr *expr, nilas_bound_expr **out,
                                     nilas_error *err) {
    const nilas_type *type;
    NILAS_TRY(nilas_bind_ice_type(store->binder->arena, field->type, &type, err));
    if (!nilas_type_equal(expr->type, type)) {
        nilas_cast_mode mode =
            store->policy == NILAS_STORE_LEGACY ? NILAS_CAST_LEGACY : NILAS_CAST_ANSI;
        NILAS_TRY(nilas_bind__cast(store->binder, expr, type, mode, &expr, err));
        expr->implicit = true;
        expr->by_name = store->by_name && expr->kind == NILAS_BOUND_CAST;
    }
    if (field->required && expr->nullable) {
        NILAS_TRY(require_value(store, field->name, &expr, err));
    }
    *out = expr;
    return NILAS_OK;
}

nilas_code nilas_bind__store_default(const nilas_store *store, const nilas_ice_field *field,
                                     nilas_bound_expr **out, nilas_error *err) {
    const nilas_type *type;
    nilas_value value = field->write_default != NULL ? *field->write_default : NILAS_NULL_VALUE;
    NILAS_TRY(nilas_bind_ice_type(store->binder->arena, field->type, &type, err));
    NILAS_TRY(nilas_bind__literal(store->binder, type, &value, out, err));
    if (field->required && nilas_value_is_null(&value)) {
        return require_value(store, field->name, out, err);
    }
    return NILAS_OK;
}

nilas_code nilas_bind__store_init(nilas_store *store, nilas_binder *binder, nilas_str table_name,
                                  const nilas_schema *schema) {
    nilas_str policy = binder->environment->setting(binder->environment->context,
                                                    "spark.sql.storeAssignmentPolicy");
    *store = (nilas_store){.binder = binder, .table_name = table_name, .schema = schema};
    if (nilas_str_is_nocase(policy, "legacy")) {
        store->policy = NILAS_STORE_LEGACY;
    } else if (nilas_str_is_nocase(policy, "strict")) {
        store->policy = NILAS_STORE_STRICT;
    }
    return NILAS_OK;
}

/* --- rows of a query ----------------------------------------------------------------------------
 */

static void print_columns(nilas_buf *out, const nilas_bound_relation *rows) {
    for (size_t i = 0; i < rows->column_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_name_print_quoted(out, &rows->columns[i].attribute.name, 1);
    }
}

static nilas_code fail_arity(const nilas_store *store, const nilas_bound_relation *rows,
                             const size_t *targets, size_t count, nilas_error *err) {
    NILAS_AUTO_BUF data = NILAS_BUF_INIT(1 << 20);
    NILAS_AUTO_BUF table = NILAS_BUF_INIT(1 << 20);
    bool few = rows->column_count < count;
    print_columns(&data, rows);
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(&table, i > 0 ? ", " : "");
        nilas_name_print_quoted(&table, &store->schema->type.fields[targets[i]].name, 1);
    }
    return nilas_fail_at(err, NILAS_INVALID,
                         few ? "INSERT_COLUMN_ARITY_MISMATCH.NOT_ENOUGH_DATA_COLUMNS"
                             : "INSERT_COLUMN_ARITY_MISMATCH.TOO_MANY_DATA_COLUMNS",
                         -1,
                         "Cannot write to %.*s, the reason is %s data columns:\nTable columns: "
                         "%.*s.\nData columns: %.*s.",
                         NILAS_FMT(store->table_name), few ? "not enough" : "too many",
                         NILAS_FMT(nilas_buf_view(&table)), NILAS_FMT(nilas_buf_view(&data)));
}

static nilas_code fail_no_column_data(const nilas_store *store, nilas_str name, nilas_error *err) {
    NILAS_AUTO_BUF quoted = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&quoted, &name, 1);
    return fail_no_data(store, nilas_buf_view(&quoted), err);
}

static nilas_code fail_no_column(const nilas_store *store, nilas_str name, nilas_error *err) {
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(1 << 20);
    for (size_t i = 0; i < store->schema->type.field_count && i < 5; i++) {
        nilas_buf_add_text(&list, i > 0 ? ", " : "");
        nilas_name_print_quoted(&list, &store->schema->type.fields[i].name, 1);
    }
    return nilas_fail_at(err, NILAS_INVALID, "UNRESOLVED_COLUMN.WITH_SUGGESTION", -1,
                         "A column, variable, or function parameter with name `%.*s` cannot be "
                         "resolved. Did you mean one of the following? [%.*s].",
                         NILAS_FMT(name), NILAS_FMT(nilas_buf_view(&list)));
}

/** Position of a column in the schema; SIZE_MAX when there is none. */
static size_t find_field(const nilas_store *store, nilas_str name) {
    for (size_t i = 0; i < store->schema->type.field_count; i++) {
        if (nilas_bind__same_name(store->binder, store->schema->type.fields[i].name, name)) {
            return i;
        }
    }
    return SIZE_MAX;
}

nilas_bound_expr *nilas_bind__fixed_value(const nilas_store_rows *rows, size_t position) {
    return position < rows->fixed_count ? rows->fixed[position] : NULL;
}

/** Schema positions that the query's columns fill, in order: the column list, else all that are not
 * fixed. */
static nilas_code target_positions(const nilas_store *store, const nilas_store_rows *rows,
                                   size_t **out, size_t *out_count, nilas_error *err) {
    size_t *targets;
    size_t count = 0;
    size_t total = store->schema->type.field_count;
    NILAS_NEW_ARRAY(store->binder->arena, &targets, total + rows->column_count, err);
    for (size_t i = 0; rows->column_count == 0 && i < total; i++) {
        if (nilas_bind__fixed_value(rows, i) == NULL) {
            targets[count++] = i;
        }
    }
    for (size_t c = 0; c < rows->column_count; c++) {
        size_t field = find_field(store, rows->columns[c]);
        if (field == SIZE_MAX) {
            return fail_no_column(store, rows->columns[c], err);
        }
        for (size_t k = 0; k < count; k++) {
            if (targets[k] == field) {
                return nilas_fail_at(err, NILAS_INVALID, "COLUMN_ALREADY_EXISTS", -1,
                                     "The column `%.*s` already exists. Choose another name or "
                                     "rename the existing column.",
                                     NILAS_FMT(rows->columns[c]));
            }
        }
        targets[count++] = field;
    }
    *out = targets;
    *out_count = count;
    return NILAS_OK;
}

/** The word DEFAULT: among values it is a name that nothing else has. */
static bool is_default(const nilas_expr *expr) {
    return expr->kind == NILAS_EXPR_DEFAULT ||
           (expr->kind == NILAS_EXPR_COLUMN && expr->part_count == 1 &&
            nilas_str_is_nocase(expr->parts[0], "default"));
}

/** DEFAULT stands for the column's default: put its value in the tree before the rows are bound. */
static nilas_code replace_defaults(const nilas_store *store, const nilas_query *query,
                                   const size_t *targets, size_t count, nilas_error *err) {
    for (size_t r = 0; query->kind == NILAS_QUERY_VALUES && r < query->expr_count; r++) {
        nilas_expr *row = query->exprs[r];
        bool is_row = row->kind == NILAS_EXPR_ROW;
        size_t width = is_row ? row->arg_count : 1;
        for (size_t i = 0; i < width && i < count; i++) {
            nilas_expr *cell = is_row ? row->args[i] : row;
            if (!is_default(cell)) {
                continue;
            }
            const nilas_ice_field *field = &store->schema->type.fields[targets[i]];
            cell->kind = NILAS_EXPR_LITERAL;
            cell->value = field->write_default != NULL ? *field->write_default : NILAS_NULL_VALUE;
            NILAS_TRY(nilas_bind_ice_type(store->binder->arena, field->type, &cell->type, err));
        }
    }
    return NILAS_OK;
}

/** The query's column for each schema position; NULL where it gives none. */
static nilas_code match_columns(const nilas_store *store, const nilas_store_rows *rows,
                                const nilas_bound_relation *data, const size_t *targets,
                                size_t target_count, const nilas_attribute **out,
                                nilas_error *err) {
    if (!rows->by_name) {
        if (data->column_count != target_count) {
            return fail_arity(store, data, targets, target_count, err);
        }
        for (size_t i = 0; i < target_count; i++) {
            out[targets[i]] = &data->columns[i].attribute;
        }
        return NILAS_OK;
    }
    if (data->column_count > store->schema->type.field_count) {
        return fail_arity(store, data, targets, target_count, err);
    }
    for (size_t i = 0; i < data->column_count; i++) {
        size_t field = find_field(store, data->columns[i].attribute.name);
        if (field != SIZE_MAX) {
            out[field] = &data->columns[i].attribute;
        }
    }
    size_t matched = 0;
    for (size_t i = 0; i < store->schema->type.field_count; i++) {
        const nilas_ice_field *field = &store->schema->type.fields[i];
        if (out[i] == NULL && field->write_default == NULL) {
            return fail_no_column_data(store, field->name, err);
        }
        matched += out[i] != NULL ? 1 : 0;
    }
    if (matched < data->column_count) {
        NILAS_AUTO_BUF list = NILAS_BUF_INIT(1 << 20);
        print_columns(&list, data);
        return nilas_fail_at(err, NILAS_INVALID, "INCOMPATIBLE_DATA_FOR_TABLE.EXTRA_COLUMNS", -1,
                             "Cannot write incompatible data for the table %.*s: Cannot write "
                             "extra columns %.*s.",
                             NILAS_FMT(store->table_name), NILAS_FMT(nilas_buf_view(&list)));
    }
    return NILAS_OK;
}

/** Bind what is inserted, DEFAULT replaced by the defaults of the columns it goes to. */
static nilas_code bind_data(const nilas_store *store, const nilas_store_rows *rows,
                            const size_t *targets, size_t target_count, nilas_bound_relation *out,
                            nilas_error *err) {
    NILAS_TRY(replace_defaults(store, rows->query, targets, target_count, err));
    NILAS_TRY(nilas_bind__query(store->binder, NULL, rows->query, out, err));
    return nilas_bind__visible_only(store->binder, out, err);
}

nilas_code nilas_bind__store_query(const nilas_store *store, const nilas_store_rows *rows,
                                   nilas_bound_relation *out, nilas_error *err) {
    size_t *targets;
    size_t target_count;
    NILAS_TRY(target_positions(store, rows, &targets, &target_count, err));
    NILAS_TRY(bind_data(store, rows, targets, target_count, out, err));
    bool fits = rows->column_count == 0 || out->column_count == target_count;
    return fits ? NILAS_OK : fail_arity(store, out, targets, target_count, err);
}

nilas_code nilas_bind__store_rows(const nilas_store *store, const nilas_store_rows *rows,
                                  nilas_plan **out, nilas_error *err) {
    nilas_binder *binder = store->binder;
    size_t total = store->schema->type.field_count;
    size_t *targets;
    size_t target_count;
    nilas_bound_relation data;
    NILAS_TRY(target_positions(store, rows, &targets, &target_count, err));
    NILAS_TRY(bind_data(store, rows, targets, target_count, &data, err));
    const nilas_attribute **sources;
    nilas_bound_expr **exprs;
    nilas_str *names;
    NILAS_NEW_ARRAY(binder->arena, &sources, total, err);
    NILAS_NEW_ARRAY(binder->arena, &exprs, total, err);
    NILAS_NEW_ARRAY(binder->arena, &names, total, err);
    NILAS_TRY(match_columns(store, rows, &data, targets, target_count, sources, err));
    for (size_t i = 0; i < total; i++) {
        const nilas_ice_field *field = &store->schema->type.fields[i];
        nilas_bound_expr *value = nilas_bind__fixed_value(rows, i);
        bool is_fixed = value != NULL;
        names[i] = field->name;
        if (sources[i] == NULL && !is_fixed) {
            if (field->write_default == NULL) {
                return fail_no_column_data(store, field->name, err);
            }
            NILAS_TRY(nilas_bind__store_default(store, field, &exprs[i], err));
            continue;
        }
        if (!is_fixed) {
            NILAS_TRY(nilas_bind__column_ref(binder, sources[i], &value, err));
        }
        NILAS_TRY(nilas_bind__store_value(store, field, value, &exprs[i], err));
    }
    return nilas_bind__project(binder, data.plan, exprs, names, total, out, err);
}

nilas_code nilas_bind_store(const nilas_bind_environment *environment, nilas_str table_name,
                            const nilas_schema *schema, const nilas_query *query,
                            const nilas_str *columns, size_t column_count, bool by_name,
                            nilas_plan **out, nilas_error *err) {
    nilas_binder binder = {.environment = environment, .arena = environment->stmt, .next_id = 1};
    nilas_store store;
    nilas_store_rows rows = {
        .query = query, .columns = columns, .column_count = column_count, .by_name = by_name};
    NILAS_TRY(nilas_bind__store_init(&store, &binder, table_name, schema));
    NILAS_TRY(nilas_bind__store_rows(&store, &rows, out, err));
    NILAS_TRY(nilas_bind__push(&binder, *out, err));
    return nilas_bind__prune(&binder, *out, err);
}
