/** Relations that begin a plan: tables, files, rows of the client, ranges, table functions. */
#include "connect/plan.h"

// ---- tables and sources -------------------------------------------------------------------------

static nilas_code named_table(nilas_connect__plan *plan, const Sc__Read__NamedTable *message,
                              nilas_query **out) {
    nilas_query *table;
    NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_TABLE, &table));
    NILAS_TRY(nilas_connect__table_name(plan, message->unparsed_identifier, &table->parts,
                                        &table->part_count));
    NILAS_NEW_ARRAY(plan->stmt, &table->options, message->n_options, plan->err);
    table->option_count = message->n_options;
    for (size_t i = 0; i < message->n_options; i++) {
        table->options[i] = (nilas_option){.key = nilas_connect__text(message->options[i]->key),
                                           .value = nilas_connect__text(message->options[i]->value),
                                           .has_value = true};
    }
    *out = table;
    return NILAS_OK;
}

static nilas_code data_source(nilas_connect__plan *plan, const Sc__Read__DataSource *message,
                              nilas_query **out) {
    nilas_query *source;
    NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_SOURCE, &source));
    if (message->n_predicates > 0) {
        return nilas_connect__refuse(plan, "read.jdbc()");
    }
    source->text = message->_format_case != SC__READ__DATA_SOURCE___FORMAT__NOT_SET
                       ? nilas_connect__text(message->format)
                       : NILAS_STR_EMPTY;
    if (message->_schema_case != SC__READ__DATA_SOURCE___SCHEMA__NOT_SET &&
        message->schema[0] != '\0') {
        NILAS_TRY(nilas_connect__type_of_text(plan->stmt, nilas_connect__text(message->schema),
                                              &source->type, plan->err));
    }
    NILAS_NEW_ARRAY(plan->stmt, &source->options, message->n_options, plan->err);
    source->option_count = message->n_options;
    for (size_t i = 0; i < message->n_options; i++) {
        source->options[i] =
            (nilas_option){.key = nilas_connect__text(message->options[i]->key),
                           .value = nilas_connect__text(message->options[i]->value),
                           .has_value = true};
    }
    NILAS_TRY(nilas_connect__texts(plan, message->paths, message->n_paths, &source->columns));
    source->column_count = message->n_paths;
    *out = source;
    return NILAS_OK;
}

nilas_code nilas_connect__read(nilas_connect__plan *plan, const Sc__Relation *message,
                               nilas_query **out) {
    const Sc__Read *read = message->read;
    if (read->is_streaming) {
        return nilas_connect__refuse(plan, "readStream: streaming");
    }
    if (read->read_type_case == SC__READ__READ_TYPE__NOT_SET || read->named_table == NULL) {
        return nilas_connect__missing(plan, "source of a read");
    }
    return read->read_type_case == SC__READ__READ_TYPE_NAMED_TABLE
               ? named_table(plan, read->named_table, out)
               : data_source(plan, read->data_source, out);
}

// ---- rows of the client -------------------------------------------------------------------------

static nilas_code local_of(nilas_connect__plan *plan, const Sc__LocalRelation *message,
                           nilas_query **out) {
    nilas_query *local;
    NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_LOCAL, &local));
    bool has_data = message->_data_case != SC__LOCAL_RELATION___DATA__NOT_SET;
    bool has_schema =
        message->_schema_case != SC__LOCAL_RELATION___SCHEMA__NOT_SET && message->schema[0] != '\0';
    NILAS_REQUIRE(has_data || has_schema, plan->err, NILAS_INVALID,
                  "Schema for LocalRelation is required when the input data is not provided.");
    if (has_data) {
        local->data =
            (nilas_str){.data = (const char *)message->data.data, .size = message->data.len};
    }
    if (has_schema) {
        NILAS_TRY(nilas_connect__type_of_text(plan->stmt, nilas_connect__text(message->schema),
                                              &local->type, plan->err));
    }
    if (local->type != NULL && local->type->kind != NILAS_TYPE_STRUCT) {
        nilas_type_field field = {
            .name = NILAS_STR("value"), .type = local->type, .nullable = true};
        NILAS_TRY(nilas_type_struct(plan->stmt, &field, 1, &local->type, plan->err));
    }
    *out = local;
    return NILAS_OK;
}

nilas_code nilas_connect__local(nilas_connect__plan *plan, const Sc__Relation *message,
                                nilas_query **out) {
    return local_of(plan, message->local_relation, out);
}

static nilas_code find_artifact(nilas_connect__plan *plan, const char *hash, nilas_str *out) {
    nilas_str bytes = {0};
    if (plan->host->artifact != NULL) {
        bytes = plan->host->artifact(plan->host->context, nilas_connect__text(hash));
    }
    NILAS_REQUIRE(bytes.data != NULL, plan->err, NILAS_INVALID,
                  "Not found any cached local relation with the hash: %s in the session.",
                  hash != NULL ? hash : "");
    *out = bytes;
    return NILAS_OK;
}

static void free_message(void *message) {
    protobuf_c_message_free_unpacked(message, NULL);
}

nilas_code nilas_connect__cached_local(nilas_connect__plan *plan, const Sc__Relation *message,
                                       nilas_query **out) {
    nilas_str bytes;
    ProtobufCMessage *unpacked;
    NILAS_TRY(find_artifact(plan, message->cached_local_relation->hash, &bytes));
    NILAS_TRY(nilas_wire_decode(&sc__local_relation__descriptor, bytes, &unpacked, plan->err));
    nilas_code code = nilas_arena_on_release(plan->stmt, free_message, unpacked, plan->err);
    if (code != NILAS_OK) {
        free_message(unpacked);
        return code;
    }
    return local_of(plan, (const Sc__LocalRelation *)unpacked, out);
}

/* Several Arrow streams of one schema: their union, under one schema. */
nilas_code nilas_connect__chunked_local(nilas_connect__plan *plan, const Sc__Relation *message,
                                        nilas_query **out) {
    const Sc__ChunkedCachedLocalRelation *from = message->chunked_cached_local_relation;
    const nilas_type *type = NULL;
    nilas_query *whole = NULL;
    if (from->_schema_hash_case != SC__CHUNKED_CACHED_LOCAL_RELATION___SCHEMA_HASH__NOT_SET) {
        nilas_str schema;
        NILAS_TRY(find_artifact(plan, from->schemahash, &schema));
        NILAS_TRY(nilas_connect__type_of_text(plan->stmt, schema, &type, plan->err));
    }
    for (size_t i = 0; i < from->n_datahashes; i++) {
        nilas_query *local;
        NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_LOCAL, &local));
        NILAS_TRY(find_artifact(plan, from->datahashes[i], &local->data));
        local->type = type;
        if (whole == NULL) {
            whole = local;
            continue;
        }
        nilas_query *both;
        NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_SET_OP, &both));
        both->set_op = NILAS_SET_UNION;
        both->all = true;
        both->left = whole;
        both->right = local;
        whole = both;
    }
    if (whole == NULL) {
        NILAS_REQUIRE(type != NULL, plan->err, NILAS_INVALID,
                      "a local relation of the plan has neither rows nor a schema");
        NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_LOCAL, &whole));
        whole->type = type;
    }
    *out = whole;
    return NILAS_OK;
}

// ---- functions ----------------------------------------------------------------------------------

nilas_code nilas_connect__range(nilas_connect__plan *plan, const Sc__Relation *message,
                                nilas_query **out) {
    const Sc__Range *from = message->range;
    nilas_query *range;
    NILAS_REQUIRE(from->step != 0, plan->err, NILAS_INVALID,
                  "requirement failed: step cannot be 0");
    NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_FUNCTION, &range));
    NILAS_NEW(plan->stmt, &range->parts, plan->err);
    range->parts[0] = NILAS_STR("range");
    range->part_count = 1;
    const int64_t bounds[] = {from->_start_case != SC__RANGE___START__NOT_SET ? from->start : 0,
                              from->end, from->step};
    NILAS_NEW_ARRAY(plan->stmt, &range->exprs, 3, plan->err);
    range->expr_count = 3;
    for (size_t i = 0; i < 3; i++) {
        NILAS_TRY(
            nilas_connect__literal_of_int(plan, NILAS_TYPE_BIGINT, bounds[i], &range->exprs[i]));
    }
    *out = range;
    return NILAS_OK;
}

nilas_code nilas_connect__table_function(nilas_connect__plan *plan, const Sc__Relation *message,
                                         nilas_query **out) {
    const Sc__UnresolvedTableValuedFunction *from = message->unresolved_table_valued_function;
    nilas_query *function;
    NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_FUNCTION, &function));
    NILAS_NEW(plan->stmt, &function->parts, plan->err);
    function->parts[0] = nilas_connect__text(from->function_name);
    function->part_count = 1;
    NILAS_TRY(nilas_connect__call_args(plan, from->arguments, from->n_arguments, &function->exprs,
                                       &function->arg_names));
    function->expr_count = from->n_arguments;
    *out = function;
    return NILAS_OK;
}
