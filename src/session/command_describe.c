/** DESCRIBE [EXTENDED] of tables, metadata tables, views and queries. */
#include <stdio.h>

#include "session/ddl.h"

static const char *const describe_names[] = {"col_name", "data_type", "comment"};

static nilas_code add_row(nilas_command_rows *rows, const char *name, nilas_str type,
                          const char *comment, nilas_error *err) {
    nilas_str cells[3] = {nilas_str_of(name), type, nilas_str_of(comment)};
    return nilas_session__rows_add_texts(rows, cells, err);
}

static nilas_code add_columns(nilas_command_rows *rows, const nilas_type *type, nilas_error *err) {
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_type_field *field = &type->fields[i];
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
        nilas_type_print(&text, field->type);
        NILAS_TRY(nilas_buf_check(&text, err));
        nilas_str cells[3] = {field->name, nilas_buf_view(&text),
                              field->has_comment ? field->comment : (nilas_str){0}};
        NILAS_TRY(nilas_session__rows_add_texts(rows, cells, err));
    }
    return NILAS_OK;
}

/** The columns that an identity-partitioned table is partitioned by; `names` are their quoted
 * paths. */
static nilas_code add_partition_columns(nilas_command_rows *rows, const nilas_relation *relation,
                                        const nilas_str *names, nilas_error *err) {
    const nilas_metadata *metadata = relation->table->metadata;
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, metadata->default_spec_id);
    size_t next = 0;
    for (size_t i = 0; i < spec->field_count; i++) {
        const nilas_ice_field *field =
            nilas_schema_find_id(relation->schema, spec->fields[i].source_id);
        if (spec->fields[i].transform.kind == NILAS_TRANSFORM_VOID) {
            continue;
        }
        nilas_type_field column = {.name = names[next++], .nullable = true};
        if (field == NULL) {
            continue; // its column was dropped
        }
        column.has_comment = field->has_doc;
        column.comment = field->doc;
        NILAS_TRY(nilas_bind_ice_type(rows->run->stmt, field->type, &column.type, err));
        nilas_type one = {.kind = NILAS_TYPE_STRUCT, .fields = &column, .field_count = 1};
        NILAS_TRY(add_columns(rows, &one, err));
    }
    return NILAS_OK;
}

static nilas_code add_partitioning(nilas_command_rows *rows, const nilas_relation *relation,
                                   nilas_error *err) {
    nilas_str *transforms;
    size_t count;
    bool all_identity;
    NILAS_TRY(nilas_session__partition_transforms(rows->run->stmt, relation, &transforms, &count,
                                                  &all_identity, err));
    if (count == 0) {
        return NILAS_OK;
    }
    if (!all_identity) {
        NILAS_TRY(add_row(rows, "", NILAS_STR(""), "", err));
        NILAS_TRY(add_row(rows, "# Partitioning", NILAS_STR(""), "", err));
        for (size_t i = 0; i < count; i++) {
            char label[32];
            snprintf(label, sizeof(label), "Part %zu", i);
            NILAS_TRY(add_row(rows, label, transforms[i], "", err));
        }
        return NILAS_OK;
    }
    NILAS_TRY(add_row(rows, "# Partition Information", NILAS_STR(""), "", err));
    NILAS_TRY(add_row(rows, "# col_name", NILAS_STR("data_type"), "comment", err));
    return add_partition_columns(rows, relation, transforms, err);
}

static nilas_code add_metadata_columns(nilas_command_rows *rows, const nilas_relation *relation,
                                       nilas_error *err) {
    const nilas_ice_type *partition;
    const nilas_type *type;
    bool is_data = relation->metadata_table == NILAS_METADATA_NONE;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_buf_add_text(&text, "struct<>");
    if (is_data) {
        NILAS_TRY(nilas_metadata_partition_type(rows->run->stmt, relation->table->metadata,
                                                &partition, err));
        NILAS_TRY(nilas_bind_ice_type(rows->run->stmt, partition, &type, err));
        nilas_buf_clear(&text);
        nilas_type_print(&text, type);
    }
    NILAS_TRY(nilas_buf_check(&text, err));
    NILAS_TRY(add_row(rows, "", NILAS_STR(""), "", err));
    NILAS_TRY(add_row(rows, "# Metadata Columns", NILAS_STR(""), "", err));
    NILAS_TRY(add_row(rows, "_spec_id", NILAS_STR("int"), "", err));
    NILAS_TRY(add_row(rows, "_partition", nilas_buf_view(&text), "", err));
    NILAS_TRY(add_row(rows, "_file", NILAS_STR("string"), "", err));
    NILAS_TRY(add_row(rows, "_pos", NILAS_STR("bigint"), "", err));
    NILAS_TRY(add_row(rows, "_deleted", NILAS_STR("boolean"), "", err));
    if (is_data && relation->table->metadata->format_version >= 3) {
        NILAS_TRY(add_row(rows, "_row_id", NILAS_STR("bigint"), "", err));
        NILAS_TRY(add_row(rows, "_last_updated_sequence_number", NILAS_STR("bigint"), "", err));
    }
    return NILAS_OK;
}

/** Spark's DataType.defaultSize, by which it estimates bytes. */
static int64_t default_size(const nilas_type *type) {
    int64_t size = 0;
    switch (type->kind) {
    case NILAS_TYPE_VOID:
    case NILAS_TYPE_BOOLEAN:
    case NILAS_TYPE_TINYINT: return 1;
    case NILAS_TYPE_SMALLINT: return 2;
    case NILAS_TYPE_INT:
    case NILAS_TYPE_FLOAT:
    case NILAS_TYPE_DATE:
    case NILAS_TYPE_INTERVAL_YEAR_MONTH: return 4;
    case NILAS_TYPE_DECIMAL: return type->precision <= 18 ? 8 : 16;
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR: return 20;
    case NILAS_TYPE_BINARY: return 100;
    case NILAS_TYPE_INTERVAL: return 16;
    case NILAS_TYPE_VARIANT: return 2048;
    case NILAS_TYPE_ARRAY:
    case NILAS_TYPE_MAP:
    case NILAS_TYPE_STRUCT:
        for (size_t i = 0; i < type->field_count; i++) {
            size += default_size(type->fields[i].type);
        }
        return size;
    default: return 8;
    }
}

static nilas_code add_row_statistics(nilas_command_rows *rows, int64_t row_count,
                                     const nilas_type *type, nilas_error *err) {
    nilas_str text;
    NILAS_TRY(nilas_str_print(rows->run->stmt, &text, err, "%lld bytes, %lld rows",
                              (long long)(row_count * default_size(type)), (long long)row_count));
    return add_row(rows, "Statistics", text, NULL, err);
}

/** Rows of a metadata table are counted: there is no summary of them. */
static nilas_code count_metadata_rows(nilas_run *run, const nilas_relation *relation, int64_t *out,
                                      nilas_error *err) {
    nilas_rows *source;
    const nilas_value *row = NULL;
    bool *wanted;
    const nilas_ice_type *type;
    NILAS_TRY(nilas_metadata_table_type(run->stmt, relation->table, relation->metadata_table, &type,
                                        err));
    NILAS_NEW_ARRAY(run->stmt, &wanted, type->field_count, err);
    *out = 0;
    if (relation->metadata_table == NILAS_METADATA_POSITION_DELETES) {
        return NILAS_OK;
    }
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory for counting rows");
    NILAS_TRY(nilas_metadata_table_rows(run->stmt, relation->table, relation->metadata_table,
                                        relation->snapshot, wanted, &source, err));
    nilas_code code = source->next(source, scratch, &row, err);
    while (code == NILAS_OK && row != NULL) {
        (*out)++;
        nilas_arena_reset(scratch);
        code = source->next(source, scratch, &row, err);
    }
    if (source->close != NULL) {
        source->close(source);
    }
    return code;
}

static nilas_code add_statistics(nilas_command_rows *rows, const nilas_relation *relation,
                                 const nilas_type *type, nilas_error *err) {
    int64_t row_count = 0;
    if (relation->metadata_table != NILAS_METADATA_NONE) {
        NILAS_TRY(count_metadata_rows(rows->run, relation, &row_count, err));
        return add_row_statistics(rows, row_count, type, err);
    }
    for (size_t i = 0; relation->snapshot != NULL && i < relation->snapshot->summary_count; i++) {
        if (nilas_str_is(relation->snapshot->summary[i].key, "total-records") &&
            !nilas_str_to_int64(relation->snapshot->summary[i].value, &row_count)) {
            row_count = 0;
        }
    }
    return add_row_statistics(rows, row_count, type, err);
}

static nilas_code add_details(nilas_command_rows *rows, const nilas_relation *relation,
                              const nilas_type *type, nilas_error *err) {
    nilas_arena *arena = rows->run->stmt;
    const nilas_metadata *metadata = relation->table->metadata;
    bool is_data = relation->metadata_table == NILAS_METADATA_NONE;
    nilas_str name;
    nilas_property *properties;
    size_t count;
    NILAS_TRY(nilas_session__relation_name(arena, relation, &name, err));
    NILAS_TRY(add_row(rows, "", NILAS_STR(""), "", err));
    NILAS_TRY(add_row(rows, "# Detailed Table Information", NILAS_STR(""), "", err));
    NILAS_TRY(add_row(rows, "Name", name, "", err));
    NILAS_TRY(add_row(rows, "Type", NILAS_STR("MANAGED"), "", err));
    nilas_str comment =
        is_data ? nilas_metadata_property(metadata, "comment", (nilas_str){0}) : (nilas_str){0};
    if (comment.data != NULL) {
        NILAS_TRY(add_row(rows, "Comment", comment, "", err));
    }
    NILAS_TRY(add_row(rows, "Location", metadata->location, "", err));
    NILAS_TRY(add_row(rows, "Provider", NILAS_STR("iceberg"), "", err));
    nilas_str owner =
        is_data ? nilas_metadata_property(metadata, "owner", (nilas_str){0}) : (nilas_str){0};
    if (owner.data != NULL) {
        NILAS_TRY(add_row(rows, "Owner", owner, "", err));
    }
    NILAS_TRY(nilas_session__table_properties(arena, relation, &properties, &count, err));
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    for (size_t i = 0; i < count; i++) {
        nilas_buf_print(&text, "%s%.*s=%.*s", i > 0 ? "," : "[", NILAS_FMT(properties[i].key),
                        NILAS_FMT(properties[i].value));
    }
    nilas_buf_add_text(&text, "]");
    NILAS_TRY(nilas_buf_check(&text, err));
    NILAS_TRY(add_row(rows, "Table Properties", nilas_buf_view(&text), "", err));
    return add_statistics(rows, relation, type, err);
}

static nilas_code fail_column(const nilas_statement *statement, const nilas_type *type,
                              nilas_error *err) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(4096);
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&name, statement->columns, statement->column_count);
    for (size_t i = 0; i < type->field_count && i < 5; i++) {
        nilas_buf_add_text(&list, i > 0 ? ", " : "");
        nilas_name_print_quoted(&list, &type->fields[i].name, 1);
    }
    return nilas_fail_at(err, NILAS_NOT_FOUND, "UNRESOLVED_COLUMN.WITH_SUGGESTION",
                         statement->parts_offset,
                         "A column, variable, or function parameter with name %.*s cannot be "
                         "resolved. Did you mean one of the following? [%.*s].",
                         NILAS_FMT(nilas_buf_view(&name)), NILAS_FMT(nilas_buf_view(&list)));
}

/** Spark resolves the name first, so that a part of what has no parts is another error. */
static nilas_code fail_nested_column(const nilas_statement *statement,
                                     const nilas_type_field *field, nilas_str dotted,
                                     nilas_error *err) {
    nilas_type_kind kind = field->type->kind;
    if (kind != NILAS_TYPE_STRUCT && kind != NILAS_TYPE_ARRAY && kind != NILAS_TYPE_MAP) {
        NILAS_AUTO_BUF type = NILAS_BUF_INIT(256);
        nilas_type_print_sql(&type, field->type);
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_EXTRACT_BASE_FIELD_TYPE",
                             statement->parts_offset,
                             "Can't extract a value from \"%.*s\". Need a complex type [STRUCT, "
                             "ARRAY, MAP] but got \"%.*s\".",
                             NILAS_FMT(field->name), NILAS_FMT(nilas_buf_view(&type)));
    }
    return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1060", statement->parts_offset,
                         "DESC TABLE COLUMN does not support nested column: %.*s.",
                         NILAS_FMT(dotted));
}

/** DESCRIBE t column. */
static nilas_code describe_column(nilas_run *run, const nilas_relation *relation,
                                  const nilas_type *type, nilas_error *err) {
    static const char *const names[] = {"info_name", "info_value"};
    const nilas_statement *statement = run->statement;
    nilas_command_rows rows;
    NILAS_AUTO_BUF dotted = NILAS_BUF_INIT(4096);
    (void)relation;
    nilas_name_print(&dotted, statement->columns, statement->column_count);
    const nilas_type_field *field = NULL;
    for (size_t i = 0; i < type->field_count; i++) {
        if (nilas_str_equal_nocase(type->fields[i].name, statement->columns[0])) {
            field = &type->fields[i];
        }
    }
    if (field == NULL) {
        return fail_column(statement, type, err);
    }
    if (statement->column_count > 1) {
        return fail_nested_column(statement, field, nilas_buf_view(&dotted), err);
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_type_print(&text, field->type);
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 2, err));
    nilas_str name_row[2] = {NILAS_STR("col_name"), field->name};
    nilas_str type_row[2] = {NILAS_STR("data_type"), nilas_buf_view(&text)};
    nilas_str comment_row[2] = {NILAS_STR("comment"),
                                field->has_comment ? field->comment : NILAS_STR("NULL")};
    NILAS_TRY(nilas_session__rows_add_texts(&rows, name_row, err));
    NILAS_TRY(nilas_session__rows_add_texts(&rows, type_row, err));
    NILAS_TRY(nilas_session__rows_add_texts(&rows, comment_row, err));
    return nilas_session__rows_end(&rows, err);
}

/** What Spark cannot describe of a table of a catalog, and what is not there yet. */
static nilas_code check_describable(const nilas_statement *statement,
                                    const nilas_relation *relation, nilas_error *err) {
    if (statement->as_json && relation->table != NULL) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "NOT_SUPPORTED_COMMAND_FOR_V2_TABLE",
                             statement->offset,
                             "DESCRIBE TABLE AS JSON is not supported for v2 tables.");
    }
    if (statement->as_json) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", statement->offset,
                             "DESCRIBE … AS JSON is not supported by nilas yet.");
    }
    if (statement->partition_count > 0 && relation->table != NULL) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "_LEGACY_ERROR_TEMP_1111", statement->offset,
                             "DESCRIBE does not support partition for v2 tables.");
    }
    return NILAS_OK;
}

nilas_code nilas_command__describe_table(nilas_run *run, nilas_error *err) {
    nilas_relation relation;
    nilas_command_rows rows;
    const nilas_type *type;
    NILAS_TRY(nilas_session__relation(run, &relation, err));
    NILAS_TRY(nilas_session__relation_type(run, &relation, &type, err));
    if (run->statement->column_count > 0) {
        return describe_column(run, &relation, type, err);
    }
    NILAS_TRY(check_describable(run->statement, &relation, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, describe_names, NULL, 3, err));
    NILAS_TRY(add_columns(&rows, type, err));
    if (relation.table != NULL) {
        NILAS_TRY(add_partitioning(&rows, &relation, err));
        if (run->statement->extended || run->statement->formatted) {
            NILAS_TRY(add_metadata_columns(&rows, &relation, err));
            NILAS_TRY(add_details(&rows, &relation, type, err));
        }
    }
    if (relation.kind == NILAS_RELATION_VIEW &&
        (run->statement->extended || run->statement->formatted)) {
        NILAS_TRY(nilas_ddl__describe_view(&rows, &relation, err));
    }
    return nilas_session__rows_end(&rows, err);
}

nilas_code nilas_command__describe_query(nilas_run *run, nilas_error *err) {
    nilas_plan *plan;
    const nilas_type *type;
    nilas_command_rows rows;
    NILAS_TRY(nilas_bind_query(&run->environment, run->statement->query, &plan, err));
    NILAS_TRY(nilas_plan_type(run->stmt, plan, &type, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, describe_names, NULL, 3, err));
    NILAS_TRY(add_columns(&rows, type, err));
    return nilas_session__rows_end(&rows, err);
}
