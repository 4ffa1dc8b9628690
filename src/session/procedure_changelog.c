/**
 * create_changelog_view: a temporary view over the table's changelog, without the rows that
 * rewrites carried over; with updates paired by identifier columns, or with the net changes only.
 *
 * The view is text over `table`.changes, as a user could have written it.
 */
#include "session/procedure.h"

typedef struct changelog {
    nilas_procedure_call *call;
    const nilas_schema *schema;
    nilas_str *identifiers;
    size_t identifier_count;
    bool computes_updates, is_net;
    nilas_str name; // of the view, as the answer shows it
} changelog;

static nilas_code read_identifiers(changelog *state, nilas_error *err) {
    nilas_arena *arena = state->call->run->stmt;
    const nilas_value *given = nilas_call__value(state->call, "identifier_columns");
    if (!nilas_value_is_null(given)) {
        NILAS_NEW_ARRAY(arena, &state->identifiers, given->count, err);
        for (size_t i = 0; i < given->count; i++) {
            NILAS_REQUIRE(!nilas_value_is_null(&given->items[i]), err, NILAS_INVALID,
                          "identifier_columns must not hold NULL");
            state->identifiers[state->identifier_count++] = given->items[i].text;
        }
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &state->identifiers, state->schema->identifier_field_count, err);
    for (size_t i = 0; i < state->schema->identifier_field_count; i++) {
        const nilas_ice_field *field =
            nilas_schema_find_id(state->schema, state->schema->identifier_field_ids[i]);
        if (field != NULL) {
            state->identifiers[state->identifier_count++] = field->name;
        }
    }
    return NILAS_OK;
}

static bool holds_map(const nilas_ice_type *type) {
    bool found = type->kind == NILAS_ICE_MAP;
    for (size_t i = 0; i < type->field_count && !found; i++) {
        found = holds_map(type->fields[i].type);
    }
    return found;
}

/** Spark sorts rows by their identifiers, or by all columns; maps have no order. */
static nilas_code check_types(const changelog *state, nilas_error *err) {
    const nilas_ice_type *type = &state->schema->type;
    NILAS_AUTO_BUF names = NILAS_BUF_INIT(65536);
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        if (!holds_map(field->type)) {
            continue;
        }
        nilas_buf_print(&names, "%s%.*s", names.size > 0 ? ", " : "", NILAS_FMT(field->name));
        bool is_sorted_by = !state->computes_updates;
        for (size_t k = 0; k < state->identifier_count; k++) {
            is_sorted_by =
                is_sorted_by || nilas_str_equal_nocase(state->identifiers[k], field->name);
        }
        if (is_sorted_by && state->identifier_count > 0) {
            NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
            const nilas_type *spark;
            NILAS_TRY(nilas_bind_ice_type(state->call->run->stmt, field->type, &spark, err));
            nilas_type_print_sql(&text, spark);
            return nilas_fail_at(err, NILAS_INVALID, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE",
                                 state->call->run->statement->offset,
                                 "Cannot resolve \"%.*s ASC NULLS FIRST\" due to data type "
                                 "mismatch: The `sortorder` does not support ordering on type "
                                 "\"%.*s\".",
                                 NILAS_FMT(field->name), NILAS_FMT(nilas_buf_view(&text)));
        }
    }
    NILAS_REQUIRE(names.size == 0 || state->identifier_count > 0, err, NILAS_INVALID,
                  "Identifier field is required as table contains unorderable columns: [%.*s]",
                  NILAS_FMT(nilas_buf_view(&names)));
    return NILAS_OK;
}

static nilas_code read_arguments(changelog *state, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    NILAS_TRY(read_identifiers(state, err));
    bool has_identifiers = nilas_call__has(call, "identifier_columns");
    state->computes_updates = nilas_call__bool(call, "compute_updates", has_identifiers);
    state->is_net = nilas_call__bool(call, "net_changes", false);
    NILAS_TRY(check_types(state, err));
    NILAS_REQUIRE(!state->computes_updates || state->identifier_count > 0, err, NILAS_INVALID,
                  "Cannot compute the update images because identifier columns are not set");
    NILAS_REQUIRE(!state->is_net || !state->computes_updates, err, NILAS_INVALID,
                  "Not support net changes with update images");
    for (size_t i = 0; i < state->identifier_count; i++) {
        bool found = false;
        for (size_t k = 0; k < state->schema->type.field_count; k++) {
            found = found || nilas_str_equal_nocase(state->schema->type.fields[k].name,
                                                    state->identifiers[i]);
        }
        NILAS_REQUIRE(found, err, NILAS_INVALID, "Identifier column '%.*s' does not exist",
                      NILAS_FMT(state->identifiers[i]));
    }
    if (nilas_call__has(call, "changelog_view")) {
        state->name = nilas_call__text(call, "changelog_view", NILAS_STR_EMPTY);
        return NILAS_OK;
    }
    return nilas_str_print(call->run->stmt, &state->name, err, "`%.*s_changes`",
                           NILAS_FMT(call->identifier[call->identifier_count - 1]));
}

/* --- the text
 * ---------------------------------------------------------------------------------------- */

static void print_literal(nilas_buf *out, nilas_str text) {
    nilas_buf_add_char(out, '\'');
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\'' || text.data[i] == '\\') {
            nilas_buf_add_char(out, '\\');
        }
        nilas_buf_add_char(out, text.data[i]);
    }
    nilas_buf_add_char(out, '\'');
}

static void print_source(const changelog *state, nilas_buf *out) {
    const nilas_procedure_call *call = state->call;
    const nilas_value *options = nilas_call__value(call, "options");
    nilas_str changes = NILAS_STR("changes");
    nilas_name_print_quoted(out, &call->catalog_name, 1);
    nilas_buf_add_char(out, '.');
    nilas_name_print_quoted(out, call->identifier, call->identifier_count);
    nilas_buf_add_char(out, '.');
    nilas_name_print_quoted(out, &changes, 1);
    for (size_t i = 0; !nilas_value_is_null(options) && i < options->count; i++) {
        nilas_buf_add_text(out, i == 0 ? " WITH (" : ", ");
        print_literal(out, options->items[2 * i].text);
        nilas_buf_add_text(out, " = ");
        print_literal(out, options->items[2 * i + 1].text);
    }
    nilas_buf_add_text(out, !nilas_value_is_null(options) && options->count > 0 ? ")" : "");
}

static void print_columns(const changelog *state, nilas_buf *out) {
    const nilas_ice_type *type = &state->schema->type;
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_name_print_quoted(out, &type->fields[i].name, 1);
    }
}

/**
 * A value that can be compared and is equal for equal values of `text`: maps become their entries
 * in order, at any depth.
 */
static void print_comparable(nilas_buf *out, const nilas_ice_type *type, nilas_str text,
                             int depth) {
    NILAS_AUTO_BUF inner = NILAS_BUF_INIT(1 << 20);
    nilas_str t = text;
    if (!holds_map(type)) {
        nilas_buf_add(out, text);
        return;
    }
    if (type->kind == NILAS_ICE_STRUCT) { // a null struct is not one of nulls
        nilas_buf_print(out, "CASE WHEN %.*s IS NOT NULL THEN struct(", NILAS_FMT(t));
        for (size_t i = 0; i < type->field_count; i++) {
            nilas_buf_clear(&inner);
            nilas_buf_print(&inner, "%.*s.", NILAS_FMT(t));
            nilas_name_print_quoted(&inner, &type->fields[i].name, 1);
            nilas_buf_add_text(out, i > 0 ? ", " : "");
            print_comparable(out, type->fields[i].type, nilas_buf_view(&inner), depth);
        }
        nilas_buf_add_text(out, ") END");
        return;
    }
    bool is_map = type->kind == NILAS_ICE_MAP;
    nilas_buf_print(out,
                    is_map ? "array_sort(transform(map_entries(%.*s), nilas_x%d -> struct("
                           : "transform(%.*s, nilas_x%d -> ",
                    NILAS_FMT(t), depth);
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_buf_clear(&inner);
        nilas_buf_print(&inner, is_map ? i == 0 ? "nilas_x%d.key" : "nilas_x%d.value" : "nilas_x%d",
                        depth);
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        print_comparable(out, type->fields[i].type, nilas_buf_view(&inner), depth + 1);
    }
    nilas_buf_add_text(out, is_map ? ")))" : ")");
}

/** The columns as what rows are told apart by. */
static void print_keys(const changelog *state, nilas_buf *out) {
    const nilas_ice_type *type = &state->schema->type;
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
        nilas_name_print_quoted(&name, &type->fields[i].name, 1);
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        print_comparable(out, type->fields[i].type, nilas_buf_view(&name), 0);
    }
}

static void print_identifiers(const changelog *state, nilas_buf *out) {
    for (size_t i = 0; i < state->identifier_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_name_print_quoted(out, &state->identifiers[i], 1);
    }
}

#define CHANGE_COLUMNS "_change_type, _change_ordinal, _commit_snapshot_id"

/**
 * Within one commit, a deleted and an inserted copy of the same row cancel each other, pair by
 * pair: of n copies deleted and m inserted, n - m or m - n stay.
 */
static void print_without_carried(const changelog *state, nilas_buf *out) {
    nilas_buf_add_text(out, "SELECT ");
    print_columns(state, out);
    nilas_buf_add_text(out,
                       ", " CHANGE_COLUMNS " FROM (SELECT *, row_number() OVER (PARTITION BY ");
    print_keys(state, out);
    nilas_buf_add_text(out, ", _change_ordinal, _change_type ORDER BY _commit_snapshot_id) AS "
                            "nilas_copy, count_if(_change_type = 'DELETE') OVER (PARTITION BY ");
    print_keys(state, out);
    nilas_buf_add_text(out, ", _change_ordinal) AS nilas_deleted, count_if(_change_type = "
                            "'INSERT') OVER (PARTITION BY ");
    print_keys(state, out);
    nilas_buf_add_text(out, ", _change_ordinal) AS nilas_inserted FROM ");
    print_source(state, out);
    nilas_buf_add_text(out, ") WHERE nilas_copy > least(nilas_deleted, nilas_inserted)");
}

/** A delete and an insert of one identity in one commit are the two sides of an update. */
static void print_updates(const changelog *state, nilas_buf *out) {
    static const char *const kinds[] = {"DELETE", "INSERT"};
    nilas_buf_add_text(out, "SELECT ");
    print_columns(state, out);
    nilas_buf_add_text(out, ", CASE WHEN nilas_deletes > 0 AND nilas_inserts > 0 THEN CASE "
                            "_change_type WHEN 'DELETE' THEN 'UPDATE_BEFORE' ELSE 'UPDATE_AFTER' "
                            "END ELSE _change_type END AS _change_type, _change_ordinal, "
                            "_commit_snapshot_id FROM (SELECT *");
    for (int i = 0; i < 2; i++) {
        nilas_buf_print(out, ", count_if(_change_type = '%s') OVER (PARTITION BY ", kinds[i]);
        print_identifiers(state, out);
        nilas_buf_print(out, ", _change_ordinal) AS %s",
                        i == 0 ? "nilas_deletes" : "nilas_inserts");
    }
    nilas_buf_add_text(out, " FROM (");
    print_without_carried(state, out);
    nilas_buf_add_text(out, "))");
}

/**
 * Over the whole range, deletes cancel inserts of the same row. What is left over of inserts are
 * the newest, of deletes the oldest.
 */
static void print_net(const changelog *state, nilas_buf *out) {
    nilas_buf_add_text(out, "SELECT ");
    print_columns(state, out);
    nilas_buf_add_text(out,
                       ", " CHANGE_COLUMNS " FROM (SELECT *, row_number() OVER (PARTITION BY ");
    print_columns(state, out);
    nilas_buf_add_text(out, ", _change_type ORDER BY CASE _change_type WHEN 'INSERT' THEN "
                            "-_change_ordinal ELSE _change_ordinal END) AS nilas_copy, "
                            "count_if(_change_type = 'INSERT') OVER (PARTITION BY ");
    print_columns(state, out);
    nilas_buf_add_text(out, ") AS nilas_inserted, count_if(_change_type = 'DELETE') OVER "
                            "(PARTITION BY ");
    print_columns(state, out);
    nilas_buf_add_text(out, ") AS nilas_deleted FROM (");
    print_without_carried(state, out);
    nilas_buf_add_text(out, ")) WHERE nilas_copy <= CASE _change_type WHEN 'INSERT' THEN "
                            "nilas_inserted - nilas_deleted ELSE nilas_deleted - nilas_inserted "
                            "END");
}

static nilas_code print_view(const changelog *state, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(4 << 20);
    nilas_str name = state->name;
    nilas_str *parts;
    size_t count;
    nilas_arena *arena = state->call->run->stmt;
    int32_t offset = state->call->run->statement->offset;
    nilas_error ignored = NILAS_ERROR_INIT;
    if (nilas_sql_parse_name(arena, name, &parts, &count, &ignored) != NILAS_OK) {
        return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1321", offset,
                             "Invalid view name: %.*s.", NILAS_FMT(name));
    }
    if (count != 1) {
        return nilas_fail_at(err, NILAS_INVALID, "TEMP_VIEW_NAME_TOO_MANY_NAME_PARTS", offset,
                             "CREATE TEMPORARY VIEW or the corresponding Dataset APIs only accept "
                             "single-part view names, but got: %.*s.",
                             NILAS_FMT(name));
    }
    nilas_buf_add_text(&text, "CREATE OR REPLACE TEMPORARY VIEW ");
    nilas_name_print_quoted(&text, parts, 1);
    nilas_buf_add_text(&text, " AS ");
    if (state->is_net) {
        print_net(state, &text);
    } else if (state->computes_updates) {
        print_updates(state, &text);
    } else {
        print_without_carried(state, &text);
    }
    return nilas_buf_finish(&text, arena, out, err);
}

static nilas_code create_view(changelog *state, nilas_str text, nilas_error *err) {
    nilas_run *run = state->call->run;
    nilas_sql_options options;
    nilas_statement *statement;
    nilas_run inner = *run;
    NILAS_TRY(nilas_session__sql_options(run->session, &options));
    NILAS_TRY(nilas_sql_parse(run->stmt, text, &options, &statement, err));
    inner.statement = statement;
    inner.environment.context = run; // tables stay in the statement's own cache
    NILAS_TRY(nilas_command__create_view(&inner, err));
    nilas_result_free(inner.result);
    return NILAS_OK;
}

nilas_code nilas_procedure__create_changelog_view(nilas_procedure_call *call, nilas_error *err) {
    changelog state = {.call = call};
    nilas_str text;
    NILAS_TRY(nilas_call__load(call, err));
    state.schema = nilas_metadata_current_schema(call->table->metadata);
    NILAS_TRY(read_arguments(&state, err));
    NILAS_TRY(print_view(&state, &text, err));
    NILAS_TRY(create_view(&state, text, err));
    nilas_value cell = nilas_value_of_str(state.name);
    return nilas_call__answer(call, &cell, err);
}
