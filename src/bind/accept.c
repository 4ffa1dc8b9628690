/**
 * Rows for a table with write.spark.accept-any-schema: Spark leaves them as they are, and Iceberg
 * finds their columns by name, adds what is missing when asked (merge-schema), and judges the rest.
 */
#include "bind/grow.h"

typedef struct accept_state {
    nilas_store *store;
    const nilas_accept *accept;
    const nilas_schema *schema; // as it will be
    nilas_type_field *rows;     // what comes, in its order
    nilas_bound_expr **values;
    size_t count;
    nilas_buf problems; // "\n* id is required, but is missing"
} accept_state;

/* --- what comes -------------------------------------------------------------------------------
 */

static void add_row(accept_state *state, nilas_str name, nilas_bound_expr *value) {
    state->rows[state->count] =
        (nilas_type_field){.name = name, .type = value->type, .nullable = value->nullable};
    state->values[state->count++] = value;
}

/** The query's columns in order, the fixed values of a PARTITION clause between them where the
 * table has their columns. */
static nilas_code collect_rows(accept_state *state, const nilas_store_rows *rows,
                               const nilas_bound_relation *data, nilas_error *err) {
    nilas_binder *binder = state->store->binder;
    const nilas_ice_type *type = &state->store->schema->type;
    size_t taken = 0;
    NILAS_NEW_ARRAY(binder->arena, &state->rows, data->column_count + type->field_count, err);
    NILAS_NEW_ARRAY(binder->arena, &state->values, data->column_count + type->field_count, err);
    for (size_t i = 0; i < type->field_count || taken < data->column_count; i++) {
        nilas_bound_expr *fixed = nilas_bind__fixed_value(rows, i);
        if (fixed != NULL) {
            add_row(state, type->fields[i].name, fixed);
        } else if (taken < data->column_count) {
            const nilas_attribute *attribute = &data->columns[taken].attribute;
            nilas_bound_expr *value;
            NILAS_TRY(nilas_bind__column_ref(binder, attribute, &value, err));
            add_row(state, taken < rows->column_count ? rows->columns[taken] : attribute->name,
                    value);
            taken++;
        }
    }
    for (size_t i = 0; i < state->count; i++) {
        for (size_t k = 0; k < i; k++) {
            NILAS_REQUIRE(!nilas_bind__same_name(binder, state->rows[i].name, state->rows[k].name),
                          err, NILAS_INVALID,
                          "Invalid schema: multiple fields for name %.*s: %zu and %zu",
                          NILAS_FMT(state->rows[i].name), k, i);
        }
    }
    return NILAS_OK;
}

/* --- the type of the rows, with the ids of the table's fields ---------------------------------
 */

static const nilas_ice_field *find_field(const accept_state *state, const nilas_ice_type *type,
                                         nilas_str name) {
    for (size_t i = 0; i < type->field_count; i++) {
        if (nilas_bind__same_name(state->store->binder, type->fields[i].name, name)) {
            return &type->fields[i];
        }
    }
    return NULL;
}

static nilas_code type_of_rows(const accept_state *state, const nilas_type *rows,
                               const nilas_ice_type *table, const nilas_ice_type **out,
                               nilas_error *err);

static nilas_code field_of_row(const accept_state *state, const nilas_type_field *row,
                               const nilas_ice_field *table, nilas_ice_field *out,
                               nilas_error *err) {
    NILAS_REQUIRE(table != NULL, err, NILAS_INVALID, "Field %.*s not found in source schema",
                  NILAS_FMT(row->name));
    *out = (nilas_ice_field){.id = table->id, .required = !row->nullable, .name = table->name};
    return type_of_rows(state, row->type, table->type, &out->type, err);
}

static nilas_code type_of_rows(const accept_state *state, const nilas_type *rows,
                               const nilas_ice_type *table, const nilas_ice_type **out,
                               nilas_error *err) {
    nilas_arena *arena = state->store->binder->arena;
    nilas_ice_type *type;
    int32_t ignored = 0;
    bool by_name = rows->kind == NILAS_TYPE_STRUCT && table->kind == NILAS_ICE_STRUCT;
    bool by_place = (rows->kind == NILAS_TYPE_ARRAY && table->kind == NILAS_ICE_LIST) ||
                    (rows->kind == NILAS_TYPE_MAP && table->kind == NILAS_ICE_MAP);
    if (!by_name && !by_place) {
        NILAS_TRY(nilas_bind_spark_type(arena, rows, &ignored, out, err));
        // Spark shows uuid as string and fixed as binary; nulls alone are of any type.
        bool is_same = ((*out)->kind == NILAS_ICE_STRING && table->kind == NILAS_ICE_UUID) ||
                       ((*out)->kind == NILAS_ICE_BINARY && table->kind == NILAS_ICE_FIXED) ||
                       (*out)->kind == NILAS_ICE_UNKNOWN;
        *out = is_same ? table : *out;
        return NILAS_OK;
    }
    NILAS_NEW(arena, &type, err);
    *type = (nilas_ice_type){.kind = table->kind, .field_count = rows->field_count};
    NILAS_NEW_ARRAY(arena, &type->fields, rows->field_count, err);
    for (size_t i = 0; i < rows->field_count; i++) {
        const nilas_ice_field *field =
            by_name ? find_field(state, table, rows->fields[i].name) : &table->fields[i];
        NILAS_TRY(field_of_row(state, &rows->fields[i], field, &type->fields[i], err));
    }
    *out = type;
    return NILAS_OK;
}

/* --- Iceberg's checks -------------------------------------------------------------------------
 */

static void check(accept_state *state, nilas_str path, const nilas_ice_type *table,
                  const nilas_ice_type *rows);

static void check_field(accept_state *state, nilas_str path, const nilas_ice_field *field,
                        const nilas_ice_field *row) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(1 << 20);
    nilas_buf_add(&name, path);
    nilas_buf_add_text(&name, path.size > 0 ? "." : "");
    nilas_buf_add(&name, field->name);
    bool strict = state->accept->check_nullability;
    if (row == NULL) {
        if (field->required && field->write_default == NULL && strict) {
            nilas_buf_print(&state->problems, "\n* %.*s is required, but is missing",
                            NILAS_FMT(nilas_buf_view(&name)));
        }
        return;
    }
    if (field->required && !row->required && strict) {
        nilas_buf_print(&state->problems, "\n* %.*s should be required, but is optional",
                        NILAS_FMT(nilas_buf_view(&name)));
    }
    check(state, nilas_buf_view(&name), field->type, row->type);
}

/** Rows' fields must come in the order of the table's. */
static void check_order(accept_state *state, nilas_str path, const nilas_ice_type *table,
                        const nilas_ice_type *rows) {
    size_t last = 0;
    for (size_t i = 0; i < table->field_count; i++) {
        size_t at = 0;
        while (at < rows->field_count && rows->fields[at].id != table->fields[i].id) {
            at++;
        }
        if (at == rows->field_count) {
            continue;
        }
        if (at < last) {
            nilas_buf_print(&state->problems, "\n* %.*s%s%.*s is out of order, before %.*s",
                            NILAS_FMT(path), path.size > 0 ? "." : "",
                            NILAS_FMT(table->fields[i].name), NILAS_FMT(rows->fields[last].name));
        }
        last = at;
    }
}

static void check_primitive(accept_state *state, nilas_str path, const nilas_ice_type *table,
                            const nilas_ice_type *rows) {
    static const char *const shapes[] = {"struct", "list", "map"};
    if (!nilas_ice_is_nested(table) && !nilas_ice_is_nested(rows) &&
        nilas_ice_can_promote(rows, table)) {
        return;
    }
    NILAS_AUTO_BUF from = NILAS_BUF_INIT(1 << 20);
    NILAS_AUTO_BUF to = NILAS_BUF_INIT(1 << 20);
    nilas_ice_type_print(&from, rows);
    nilas_ice_type_print(&to, table);
    nilas_buf_print(&state->problems, "\n* %.*s: %.*s cannot be ", NILAS_FMT(path),
                    NILAS_FMT(nilas_buf_view(&from)));
    if (nilas_ice_is_nested(table)) {
        nilas_buf_print(&state->problems, "read as a %s", shapes[table->kind - NILAS_ICE_STRUCT]);
    } else {
        nilas_buf_print(&state->problems, "promoted to %.*s", NILAS_FMT(nilas_buf_view(&to)));
    }
}

static void check(accept_state *state, nilas_str path, const nilas_ice_type *table,
                  const nilas_ice_type *rows) {
    if (!nilas_ice_is_nested(table) || table->kind != rows->kind) {
        check_primitive(state, path, table, rows);
        return;
    }
    for (size_t i = 0; i < table->field_count; i++) {
        const nilas_ice_field *row = NULL;
        for (size_t k = 0; k < rows->field_count; k++) {
            row = rows->fields[k].id == table->fields[i].id ? &rows->fields[k] : row;
        }
        check_field(state, path, &table->fields[i], row);
    }
    if (table->kind == NILAS_ICE_STRUCT && state->accept->check_ordering) {
        check_order(state, path, table, rows);
    }
}

static void print_table(nilas_buf *out, const nilas_ice_type *type) {
    nilas_buf_add_text(out, "table {");
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        nilas_buf_print(out, "\n  %d: %.*s: %s ", field->id, NILAS_FMT(field->name),
                        field->required ? "required" : "optional");
        nilas_ice_type_print(out, field->type);
    }
    nilas_buf_add_text(out, "\n}");
}

static nilas_code validate(accept_state *state, const nilas_type *rows, nilas_error *err) {
    const nilas_ice_type *given;
    NILAS_TRY(type_of_rows(state, rows, &state->schema->type, &given, err));
    state->problems = (nilas_buf)NILAS_BUF_INIT(1 << 20);
    check(state, NILAS_STR_EMPTY, &state->schema->type, given);
    nilas_code code = NILAS_OK;
    if (state->problems.size > 0) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
        nilas_buf_add_text(&text, "Cannot write incompatible dataset to table with schema:\n");
        print_table(&text, &state->schema->type);
        nilas_buf_add_text(&text, "\nProvided schema:\n");
        print_table(&text, given);
        code =
            nilas_fail(err, NILAS_INVALID, "%.*s\nProblems:%.*s", NILAS_FMT(nilas_buf_view(&text)),
                       NILAS_FMT(nilas_buf_view(&state->problems)));
    }
    nilas_buf_done(&state->problems);
    return code;
}

/* --- rows -------------------------------------------------------------------------------------
 */

/** One expression for each column of the schema. */
static nilas_code place_rows(accept_state *state, nilas_plan *input, nilas_plan **out,
                             nilas_error *err) {
    nilas_binder *binder = state->store->binder;
    size_t total = state->schema->type.field_count;
    nilas_bound_expr **exprs;
    nilas_str *names;
    NILAS_NEW_ARRAY(binder->arena, &exprs, total, err);
    NILAS_NEW_ARRAY(binder->arena, &names, total, err);
    for (size_t i = 0; i < total; i++) {
        const nilas_ice_field *field = &state->schema->type.fields[i];
        names[i] = field->name;
        for (size_t k = 0; k < state->count; k++) {
            if (nilas_bind__same_name(binder, state->rows[k].name, field->name)) {
                NILAS_TRY(nilas_bind__store_checked(state->store, field, state->values[k],
                                                    &exprs[i], err));
            }
        }
        if (exprs[i] == NULL) {
            NILAS_TRY(nilas_bind__store_default(state->store, field, &exprs[i], err));
        }
    }
    return nilas_bind__project(binder, input, exprs, names, total, out, err);
}

nilas_code nilas_bind__accept_rows(nilas_store *store, const nilas_store_rows *rows,
                                   const nilas_accept *accept, nilas_plan **out,
                                   const nilas_growth **out_growth, nilas_error *err) {
    accept_state state = {.store = store, .accept = accept, .schema = store->schema};
    nilas_bound_relation data;
    const nilas_type *type;
    NILAS_TRY(nilas_bind__store_query(store, rows, &data, err));
    NILAS_TRY(collect_rows(&state, rows, &data, err));
    NILAS_TRY(nilas_type_struct(store->binder->arena, state.rows, state.count, &type, err));
    *out_growth = NULL;
    if (accept->merge_schema) {
        nilas_grow_options options = {.table = accept->table, .rows = type, .strict = true};
        NILAS_TRY(nilas_bind__grow(store->binder, &options, out_growth, err));
    }
    if (*out_growth != NULL) {
        store->schema = state.schema = (*out_growth)->schema;
    }
    NILAS_TRY(validate(&state, type, err));
    store->by_name = true;
    return place_rows(&state, data.plan, out, err);
}
