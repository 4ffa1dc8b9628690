/** df.write and df.writeTo: INSERT, CREATE TABLE AS, REPLACE TABLE AS, or files. */
#include "connect/plan.h"

static nilas_code new_statement(nilas_connect__plan *plan, nilas_statement_kind kind,
                                const Sc__Relation *input, nilas_statement **out) {
    nilas_statement *statement;
    NILAS_TRY(nilas_statement_new(plan->stmt, kind, -1, &statement, plan->err));
    statement->parts_offset = -1;
    NILAS_TRY(nilas_connect__relation(plan, input, &statement->query));
    *out = statement;
    return NILAS_OK;
}

/** One entry of a map of texts; every such map has entries of this shape. */
typedef struct text_entry {
    ProtobufCMessage base;
    char *key;
    char *value;
} text_entry;
static_assert(sizeof(text_entry) == sizeof(Sc__WriteOperation__OptionsEntry));
static_assert(offsetof(text_entry, value) == offsetof(Sc__WriteOperation__OptionsEntry, value));
static_assert(sizeof(text_entry) == sizeof(Sc__WriteOperationV2__OptionsEntry));
static_assert(sizeof(text_entry) == sizeof(Sc__WriteOperationV2__TablePropertiesEntry));

static nilas_code texts_of_map(nilas_connect__plan *plan, void *entries, size_t count,
                               nilas_option **out) {
    text_entry **from = entries;
    NILAS_NEW_ARRAY(plan->stmt, out, count, plan->err);
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = (nilas_option){.key = nilas_connect__text(from[i]->key),
                                   .value = nilas_connect__text(from[i]->value),
                                   .has_value = true};
    }
    return NILAS_OK;
}

// ---- df.write -----------------------------------------------------------------------------------

static bool is_iceberg(nilas_str source) {
    return nilas_str_is_nocase(source, "iceberg") ||
           nilas_str_is_nocase(source, "org.apache.iceberg.spark.source.IcebergSource");
}

static nilas_code save_mode(nilas_connect__plan *plan, const Sc__WriteOperation *from,
                            nilas_save_mode *out) {
    switch (from->mode) {
    case SC__WRITE_OPERATION__SAVE_MODE__SAVE_MODE_UNSPECIFIED:
    case SC__WRITE_OPERATION__SAVE_MODE__SAVE_MODE_ERROR_IF_EXISTS:
        *out = NILAS_SAVE_ERROR_IF_EXISTS;
        return NILAS_OK;
    case SC__WRITE_OPERATION__SAVE_MODE__SAVE_MODE_APPEND:
        *out = NILAS_SAVE_APPEND;
        return NILAS_OK;
    case SC__WRITE_OPERATION__SAVE_MODE__SAVE_MODE_OVERWRITE:
        *out = NILAS_SAVE_OVERWRITE;
        return NILAS_OK;
    case SC__WRITE_OPERATION__SAVE_MODE__SAVE_MODE_IGNORE:
        *out = NILAS_SAVE_IGNORE;
        return NILAS_OK;
    default: return nilas_connect__missing(plan, "mode of a write");
    }
}

static nilas_code identity_partitions(nilas_connect__plan *plan, char *const *names, size_t count,
                                      nilas_statement *statement) {
    NILAS_NEW_ARRAY(plan->stmt, &statement->partitioning, count, plan->err);
    statement->partitioning_count = count;
    for (size_t i = 0; i < count; i++) {
        nilas_str *parts;
        size_t part_count;
        NILAS_TRY(nilas_connect__attribute_name(plan, nilas_connect__text(names[i]), &parts,
                                                &part_count));
        NILAS_TRY(
            nilas_connect__column(plan, parts, part_count, &statement->partitioning[i].transform));
    }
    return NILAS_OK;
}

/* A table that is made of the rows, or of which the rows become part. */
static nilas_code create_as(nilas_connect__plan *plan, const Sc__WriteOperation *from,
                            nilas_save_mode mode, nilas_statement **out) {
    nilas_statement *create;
    NILAS_TRY(new_statement(plan, NILAS_STATEMENT_CREATE_TABLE, from->input, &create));
    create->if_not_exists = mode == NILAS_SAVE_IGNORE;
    create->or_replace = mode == NILAS_SAVE_OVERWRITE;
    create->or_append = mode == NILAS_SAVE_APPEND;
    if (from->_source_case != SC__WRITE_OPERATION___SOURCE__NOT_SET) {
        create->provider = nilas_connect__text(from->source);
    }
    NILAS_TRY(identity_partitions(plan, from->partitioning_columns, from->n_partitioning_columns,
                                  create));
    NILAS_TRY(texts_of_map(plan, from->options, from->n_options, &create->write_options));
    create->write_option_count = from->n_options;
    for (size_t i = 0; i < create->write_option_count; i++) {
        const nilas_option *option = &create->write_options[i];
        if (nilas_str_is_nocase(option->key, "path")) {
            create->location = option->value;
            create->has_location = true;
        } else if (nilas_str_is_nocase(option->key, "comment")) {
            create->comment = option->value;
            create->has_comment = true;
        }
    }
    *out = create;
    return NILAS_OK;
}

static nilas_code insert(nilas_connect__plan *plan, const Sc__WriteOperation *from, bool overwrite,
                         nilas_statement **out) {
    nilas_statement *insert;
    NILAS_TRY(new_statement(plan, NILAS_STATEMENT_INSERT, from->input, &insert));
    insert->overwrite = overwrite;
    NILAS_TRY(texts_of_map(plan, from->options, from->n_options, &insert->options));
    insert->option_count = from->n_options;
    *out = insert;
    return NILAS_OK;
}

static nilas_code write_table(nilas_connect__plan *plan, const Sc__WriteOperation *from,
                              nilas_save_mode mode, nilas_statement **out) {
    const Sc__WriteOperation__SaveTable *table = from->table;
    nilas_statement *statement;
    if (table->save_method ==
        SC__WRITE_OPERATION__SAVE_TABLE__TABLE_SAVE_METHOD__TABLE_SAVE_METHOD_INSERT_INTO) {
        if (from->n_partitioning_columns > 0) {
            return nilas_fail_at(plan->err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1309", -1,
                                 "insertInto() can't be used together with partitionBy(). "
                                 "Partition columns have already been defined for the table. It "
                                 "is not necessary to use partitionBy().");
        }
        NILAS_TRY(insert(plan, from, mode == NILAS_SAVE_OVERWRITE, &statement));
    } else if (
        table->save_method ==
        SC__WRITE_OPERATION__SAVE_TABLE__TABLE_SAVE_METHOD__TABLE_SAVE_METHOD_SAVE_AS_TABLE) {
        NILAS_TRY(create_as(plan, from, mode, &statement));
    } else {
        return nilas_connect__missing(plan, "way to save a table");
    }
    NILAS_TRY(nilas_connect__table_name(plan, table->table_name, &statement->parts,
                                        &statement->part_count));
    *out = statement;
    return NILAS_OK;
}

/* format("iceberg").save("c.db.t"): a table by name; rows go to their columns by name. */
static nilas_code write_iceberg(nilas_connect__plan *plan, const Sc__WriteOperation *from,
                                nilas_save_mode mode, nilas_statement **out) {
    bool adds = mode == NILAS_SAVE_APPEND || mode == NILAS_SAVE_OVERWRITE;
    nilas_statement *statement;
    nilas_str path = nilas_connect__text(from->path);
    if (nilas_str_find(path, NILAS_STR("/"), 0) != SIZE_MAX) {
        return nilas_connect__refuse(plan, "Writing to an Iceberg table named by its path");
    }
    if (adds) {
        NILAS_TRY(insert(plan, from, mode == NILAS_SAVE_OVERWRITE, &statement));
        statement->overwrite_mode = NILAS_OVERWRITE_STATIC;
        statement->by_name = true;
    } else {
        NILAS_TRY(create_as(plan, from, mode, &statement));
    }
    NILAS_TRY(
        nilas_connect__table_name(plan, from->path, &statement->parts, &statement->part_count));
    *out = statement;
    return NILAS_OK;
}

static nilas_code write_files(nilas_connect__plan *plan, const Sc__WriteOperation *from,
                              nilas_save_mode mode, nilas_statement **out) {
    nilas_statement *save;
    NILAS_TRY(new_statement(plan, NILAS_STATEMENT_SAVE_FILES, from->input, &save));
    save->provider = nilas_connect__text(from->source);
    save->save_mode = mode;
    save->has_location = from->save_type_case == SC__WRITE_OPERATION__SAVE_TYPE_PATH;
    save->location = save->has_location ? nilas_connect__text(from->path) : NILAS_STR_EMPTY;
    NILAS_TRY(texts_of_map(plan, from->options, from->n_options, &save->options));
    save->option_count = from->n_options;
    for (size_t i = 0; i < save->option_count && !save->has_location; i++) {
        if (nilas_str_is_nocase(save->options[i].key, "path")) {
            save->location = save->options[i].value;
            save->has_location = true;
        }
    }
    NILAS_TRY(nilas_connect__texts(plan, from->partitioning_columns, from->n_partitioning_columns,
                                   &save->columns));
    save->column_count = from->n_partitioning_columns;
    *out = save;
    return NILAS_OK;
}

nilas_code nilas_connect__write(nilas_connect__plan *plan, const Sc__WriteOperation *from,
                                nilas_statement **out) {
    nilas_save_mode mode;
    NILAS_TRY(save_mode(plan, from, &mode));
    if (from->bucket_by != NULL || from->n_sort_column_names > 0) {
        return nilas_connect__refuse(plan, "bucketBy() and sortBy() of df.write");
    }
    if (from->n_clustering_columns > 0) {
        return nilas_connect__refuse(plan, "clusterBy() of df.write");
    }
    if (from->with_schema_evolution) {
        return nilas_connect__refuse(plan, "withSchemaEvolution() of df.write");
    }
    if (from->save_type_case == SC__WRITE_OPERATION__SAVE_TYPE_TABLE && from->table != NULL) {
        return write_table(plan, from, mode, out);
    }
    bool iceberg = from->_source_case != SC__WRITE_OPERATION___SOURCE__NOT_SET &&
                   is_iceberg(nilas_connect__text(from->source));
    if (iceberg && from->save_type_case == SC__WRITE_OPERATION__SAVE_TYPE_PATH) {
        return write_iceberg(plan, from, mode, out);
    }
    return write_files(plan, from, mode, out);
}

// ---- df.writeTo ---------------------------------------------------------------------------------

static nilas_code create_v2(nilas_connect__plan *plan, const Sc__WriteOperationV2 *from,
                            nilas_statement **out) {
    nilas_statement *create;
    NILAS_TRY(new_statement(plan, NILAS_STATEMENT_CREATE_TABLE, from->input, &create));
    create->or_replace = from->mode == SC__WRITE_OPERATION_V2__MODE__MODE_CREATE_OR_REPLACE;
    create->replace_only = from->mode == SC__WRITE_OPERATION_V2__MODE__MODE_REPLACE;
    if (from->_provider_case != SC__WRITE_OPERATION_V2___PROVIDER__NOT_SET) {
        create->provider = nilas_connect__text(from->provider);
    }
    NILAS_TRY(
        texts_of_map(plan, from->table_properties, from->n_table_properties, &create->properties));
    create->property_count = from->n_table_properties;
    NILAS_TRY(texts_of_map(plan, from->options, from->n_options, &create->write_options));
    create->write_option_count = from->n_options;
    NILAS_NEW_ARRAY(plan->stmt, &create->partitioning, from->n_partitioning_columns, plan->err);
    create->partitioning_count = from->n_partitioning_columns;
    for (size_t i = 0; i < from->n_partitioning_columns; i++) {
        NILAS_TRY(nilas_connect__expr(plan, from->partitioning_columns[i],
                                      &create->partitioning[i].transform));
    }
    *out = create;
    return NILAS_OK;
}

static nilas_code insert_v2(nilas_connect__plan *plan, const Sc__WriteOperationV2 *from,
                            nilas_statement **out) {
    nilas_statement *insert;
    NILAS_TRY(new_statement(plan, NILAS_STATEMENT_INSERT, from->input, &insert));
    insert->by_name = true;
    NILAS_TRY(texts_of_map(plan, from->options, from->n_options, &insert->options));
    insert->option_count = from->n_options;
    if (from->mode == SC__WRITE_OPERATION_V2__MODE__MODE_OVERWRITE) {
        NILAS_TRY(nilas_connect__expr(plan, from->overwrite_condition, &insert->replace_where));
    } else if (from->mode == SC__WRITE_OPERATION_V2__MODE__MODE_OVERWRITE_PARTITIONS) {
        insert->overwrite = true;
        insert->overwrite_mode = NILAS_OVERWRITE_DYNAMIC;
    }
    *out = insert;
    return NILAS_OK;
}

nilas_code nilas_connect__write_v2(nilas_connect__plan *plan, const Sc__WriteOperationV2 *from,
                                   nilas_statement **out) {
    nilas_statement *statement;
    if (from->n_clustering_columns > 0) {
        return nilas_connect__refuse(plan, "clusterBy() of df.writeTo");
    }
    if (from->with_schema_evolution) {
        return nilas_connect__refuse(plan, "withSchemaEvolution() of df.writeTo");
    }
    switch (from->mode) {
    case SC__WRITE_OPERATION_V2__MODE__MODE_CREATE:
    case SC__WRITE_OPERATION_V2__MODE__MODE_REPLACE:
    case SC__WRITE_OPERATION_V2__MODE__MODE_CREATE_OR_REPLACE:
        NILAS_TRY(create_v2(plan, from, &statement));
        break;
    case SC__WRITE_OPERATION_V2__MODE__MODE_APPEND:
    case SC__WRITE_OPERATION_V2__MODE__MODE_OVERWRITE:
    case SC__WRITE_OPERATION_V2__MODE__MODE_OVERWRITE_PARTITIONS:
        NILAS_TRY(insert_v2(plan, from, &statement));
        break;
    default: return nilas_connect__missing(plan, "mode of a write");
    }
    NILAS_TRY(nilas_connect__table_name(plan, from->table_name, &statement->parts,
                                        &statement->part_count));
    *out = statement;
    return NILAS_OK;
}
