/** SHOW TBLPROPERTIES, SHOW CREATE TABLE, SHOW COLUMNS, SHOW PARTITIONS. */
#include "session/ddl.h"

static nilas_code require_table(const nilas_run *run, const nilas_relation *relation,
                                nilas_error *err) {
    if (relation->kind == NILAS_RELATION_TABLE || relation->kind == NILAS_RELATION_METADATA_TABLE) {
        return NILAS_OK;
    }
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(4096);
    nilas_name_print_quoted(&name, run->statement->parts, run->statement->part_count);
    return nilas_fail_at(err, NILAS_INVALID, "EXPECT_TABLE_NOT_VIEW.NO_ALTERNATIVE",
                         run->statement->parts_offset, "'%s' expects a table but %.*s is a view.",
                         nilas_statement_name(run->statement->kind),
                         NILAS_FMT(nilas_buf_view(&name)));
}

nilas_code nilas_command__show_tblproperties(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"key", "value"};
    nilas_relation relation;
    nilas_command_rows rows;
    nilas_property *properties;
    size_t count;
    NILAS_TRY(nilas_session__relation(run, &relation, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 2, err));
    if (relation.kind == NILAS_RELATION_VIEW) {
        NILAS_TRY(nilas_ddl__view_properties(run->stmt, relation.view, &properties, &count, err));
    } else {
        NILAS_TRY(require_table(run, &relation, err));
        NILAS_TRY(nilas_session__table_properties(run->stmt, &relation, &properties, &count, err));
    }
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        if (run->statement->has_key && !nilas_str_equal(run->statement->key, properties[i].key)) {
            continue;
        }
        nilas_str cells[2] = {properties[i].key, properties[i].value};
        NILAS_TRY(nilas_session__rows_add_texts(&rows, cells, err));
        found = true;
    }
    if (run->statement->has_key && !found) {
        nilas_str cells[2] = {run->statement->key, NILAS_STR("")};
        nilas_str name;
        NILAS_TRY(nilas_session__relation_name(run->stmt, &relation, &name, err));
        NILAS_TRY(nilas_str_print(run->stmt, &cells[1], err,
                                  "Table %.*s does not have property: %.*s", NILAS_FMT(name),
                                  NILAS_FMT(run->statement->key)));
        NILAS_TRY(nilas_session__rows_add_texts(&rows, cells, err));
    }
    return nilas_session__rows_end(&rows, err);
}

/** A string literal of SHOW CREATE TABLE: quotes escaped by a backslash. */
static void print_quoted(nilas_buf *out, nilas_str text) {
    nilas_buf_add_char(out, '\'');
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\'') {
            nilas_buf_add_char(out, '\\');
        }
        nilas_buf_add_char(out, text.data[i]);
    }
    nilas_buf_add_char(out, '\'');
}

/** A default as Spark SQL writes it. */
static void print_default(nilas_buf *out, const nilas_ice_field *field) {
    const nilas_value *value =
        field->write_default != NULL ? field->write_default : field->initial_default;
    if (value == NULL) {
        return;
    }
    nilas_buf_add_text(out, " DEFAULT ");
    switch (field->type->kind) {
    case NILAS_ICE_STRING: print_quoted(out, value->text); return;
    case NILAS_ICE_DATE:
        nilas_buf_add_text(out, "DATE '");
        nilas_date_print(out, value->integer);
        nilas_buf_add_char(out, '\'');
        return;
    case NILAS_ICE_TIMESTAMP:
        nilas_buf_add_text(out, "TIMESTAMP_NTZ '");
        nilas_timestamp_print(out, value->integer);
        nilas_buf_add_char(out, '\'');
        return;
    case NILAS_ICE_TIMESTAMPTZ:
        nilas_buf_add_text(out, "TIMESTAMP '");
        nilas_timestamp_print(out, value->integer);
        nilas_buf_add_char(out, '\'');
        return;
    case NILAS_ICE_LONG: nilas_buf_print(out, "%lldL", (long long)value->integer); return;
    case NILAS_ICE_DECIMAL:
        nilas_decimal_print(out, value->decimal, value->scale);
        nilas_buf_add_text(out, "BD");
        return;
    case NILAS_ICE_FLOAT:
        nilas_buf_add_text(out, "CAST('");
        nilas_ice_value_print(out, field->type, value);
        nilas_buf_add_text(out, "' AS FLOAT)");
        return;
    case NILAS_ICE_BINARY:
    case NILAS_ICE_FIXED:
        nilas_buf_add_text(out, "X'");
        for (size_t i = 0; i < value->text.size; i++) {
            nilas_buf_print(out, "%02X", (unsigned)(uint8_t)value->text.data[i]);
        }
        nilas_buf_add_char(out, '\'');
        return;
    case NILAS_ICE_DOUBLE:
        nilas_ice_value_print(out, field->type, value);
        nilas_buf_add_text(out, "D");
        return;
    default: nilas_ice_value_print(out, field->type, value); return;
    }
}

static nilas_code print_columns(nilas_run *run, const nilas_relation *relation, nilas_buf *out,
                                nilas_error *err) {
    const nilas_type *type;
    NILAS_TRY(nilas_session__relation_type(run, relation, &type, err));
    bool is_data = relation->metadata_table == NILAS_METADATA_NONE;
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_type_field *field = &type->fields[i];
        nilas_buf_add_text(out, i > 0 ? ",\n  " : "\n  ");
        nilas_session__print_name(out, field->name);
        nilas_buf_add_char(out, ' ');
        nilas_type_print_sql(out, field->type);
        nilas_buf_add_text(out, field->nullable ? "" : " NOT NULL");
        if (is_data) {
            print_default(out, &relation->schema->type.fields[i]);
        }
        if (field->has_comment) {
            nilas_buf_add_text(out, " COMMENT ");
            print_quoted(out, field->comment);
        }
    }
    return NILAS_OK;
}

static nilas_code print_create_table(nilas_run *run, const nilas_relation *relation, nilas_buf *out,
                                     nilas_error *err) {
    nilas_str name;
    nilas_str *transforms;
    size_t transform_count;
    bool all_identity;
    nilas_property *properties;
    size_t count;
    NILAS_TRY(nilas_session__relation_quoted(run->stmt, relation, &name, err));
    nilas_buf_print(out, "CREATE TABLE %.*s (", NILAS_FMT(name));
    NILAS_TRY(print_columns(run, relation, out, err));
    nilas_buf_add_text(out, ")\nUSING iceberg\n");
    NILAS_TRY(nilas_session__partition_transforms(run->stmt, relation, &transforms,
                                                  &transform_count, &all_identity, err));
    for (size_t i = 0; i < transform_count; i++) {
        nilas_buf_print(out, "%s%.*s%s", i == 0 ? "PARTITIONED BY (" : ", ",
                        NILAS_FMT(transforms[i]), i + 1 == transform_count ? ")\n" : "");
    }
    nilas_str comment =
        nilas_metadata_property(relation->table->metadata, "comment", (nilas_str){0});
    if (comment.data != NULL && relation->metadata_table == NILAS_METADATA_NONE) {
        nilas_buf_add_text(out, "COMMENT ");
        print_quoted(out, comment);
        nilas_buf_add_char(out, '\n');
    }
    nilas_buf_add_text(out, "LOCATION ");
    print_quoted(out, relation->table->metadata->location);
    nilas_buf_add_text(out, "\nTBLPROPERTIES (");
    NILAS_TRY(nilas_session__table_properties(run->stmt, relation, &properties, &count, err));
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ",\n  " : "\n  ");
        print_quoted(out, properties[i].key);
        nilas_buf_add_text(out, " = ");
        print_quoted(out, properties[i].value);
    }
    nilas_buf_add_text(out, ")\n");
    return NILAS_OK;
}

nilas_code nilas_command__show_create_table(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"createtab_stmt"};
    nilas_relation relation;
    nilas_command_rows rows;
    NILAS_TRY(nilas_session__relation(run, &relation, err));
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    if (relation.kind == NILAS_RELATION_VIEW) {
        NILAS_TRY(nilas_ddl__print_create_view(run->stmt, &relation, &text, err));
    } else {
        NILAS_TRY(require_table(run, &relation, err));
        NILAS_TRY(print_create_table(run, &relation, &text, err));
    }
    NILAS_TRY(nilas_buf_check(&text, err));
    nilas_str view = nilas_buf_view(&text);
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 1, err));
    NILAS_TRY(nilas_session__rows_add_texts(&rows, &view, err));
    return nilas_session__rows_end(&rows, err);
}

/** FROM namespace may be said beside the table's own; the two must agree. */
static nilas_code columns_relation(nilas_run *run, nilas_relation *out, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    size_t given = statement->namespace_part_count;
    if (given == 0 || statement->part_count != 1) {
        NILAS_TRY(nilas_session__relation(run, out, err));
    } else {
        nilas_str *parts;
        nilas_time_travel none = {0};
        NILAS_NEW_ARRAY(run->stmt, &parts, given + 1, err);
        nilas_copy(parts, statement->namespace_parts, given * sizeof(*parts));
        parts[given] = statement->parts[0];
        *out = (nilas_relation){0};
        NILAS_TRY(nilas_bind_relation(&run->environment, parts, given + 1, statement->parts_offset,
                                      &none, NULL, 0, out, err));
    }
    bool same = given == 0 || given + 1 == out->identifier_count;
    for (size_t i = 0; same && i < given; i++) {
        same = nilas_str_equal_nocase(statement->namespace_parts[i], out->identifier[i]);
    }
    if (same) {
        return NILAS_OK;
    }
    NILAS_AUTO_BUF a = NILAS_BUF_INIT(4096);
    NILAS_AUTO_BUF b = NILAS_BUF_INIT(4096);
    nilas_name_print_quoted(&a, statement->namespace_parts, given);
    nilas_name_print_quoted(&b, out->identifier,
                            out->identifier_count > 0 ? out->identifier_count - 1 : 0);
    return nilas_fail_at(err, NILAS_INVALID, "SHOW_COLUMNS_WITH_CONFLICT_NAMESPACE",
                         statement->parts_offset,
                         "SHOW COLUMNS with conflicting namespaces: %.*s != %.*s.",
                         NILAS_FMT(nilas_buf_view(&a)), NILAS_FMT(nilas_buf_view(&b)));
}

nilas_code nilas_command__show_columns(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"col_name"};
    nilas_relation relation;
    nilas_command_rows rows;
    const nilas_type *type;
    NILAS_TRY(columns_relation(run, &relation, err));
    NILAS_TRY(nilas_session__relation_type(run, &relation, &type, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 1, err));
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_TRY(nilas_session__rows_add_texts(&rows, &type->fields[i].name, err));
    }
    return nilas_session__rows_end(&rows, err);
}

nilas_code nilas_command__show_partitions(nilas_run *run, nilas_error *err) {
    nilas_relation relation;
    NILAS_TRY(nilas_session__relation(run, &relation, err));
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(4096);
    nilas_name_print_quoted(&name, run->statement->parts, run->statement->part_count);
    return nilas_fail_at(
        err, NILAS_INVALID, "INVALID_PARTITION_OPERATION.PARTITION_MANAGEMENT_IS_UNSUPPORTED",
        run->statement->parts_offset,
        "The partition command is invalid. Table %.*s does not support partition management.",
        NILAS_FMT(nilas_buf_view(&name)));
}
