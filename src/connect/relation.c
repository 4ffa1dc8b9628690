/** Relations of plans to queries of the tree: the table of kinds, and the simple ones. */
#include "connect/plan.h"

nilas_code nilas_connect__new_query(nilas_connect__plan *plan, nilas_query_kind kind,
                                    nilas_query **out) {
    return nilas_query_new(plan->stmt, kind, -1, out, plan->err);
}

nilas_code nilas_connect__over(nilas_connect__plan *plan, nilas_query_kind kind,
                               const Sc__Relation *input, nilas_query **out) {
    nilas_query *query;
    NILAS_TRY(nilas_connect__new_query(plan, kind, &query));
    NILAS_TRY(nilas_connect__relation(plan, input, &query->input));
    *out = query;
    return NILAS_OK;
}

// ---- columns ------------------------------------------------------------------------------------

static nilas_code project(nilas_connect__plan *plan, const Sc__Relation *message,
                          nilas_query **out) {
    const Sc__Project *project = message->project;
    nilas_query *query;
    if (project->input == NULL) {
        NILAS_TRY(nilas_connect__new_query(plan, NILAS_QUERY_SELECT, &query));
    } else {
        NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_PIPE_SELECT, project->input, &query));
    }
    NILAS_TRY(
        nilas_connect__exprs(plan, project->expressions, project->n_expressions, &query->exprs));
    query->expr_count = project->n_expressions;
    *out = query;
    return NILAS_OK;
}

static nilas_code with_columns(nilas_connect__plan *plan, const Sc__Relation *message,
                               nilas_query **out) {
    const Sc__WithColumns *columns = message->with_columns;
    nilas_query *query;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_PIPE_SET, columns->input, &query));
    query->or_add = true;
    NILAS_NEW_ARRAY(plan->stmt, &query->exprs, columns->n_aliases, plan->err);
    query->expr_count = columns->n_aliases;
    for (size_t i = 0; i < columns->n_aliases; i++) {
        NILAS_TRY(nilas_connect__alias(plan, columns->aliases[i], &query->exprs[i]));
        NILAS_REQUIRE(query->exprs[i]->part_count == 1, plan->err, NILAS_INVALID,
                      "a column of withColumns() has one name, not %zu",
                      query->exprs[i]->part_count);
    }
    *out = query;
    return NILAS_OK;
}

static nilas_code with_columns_renamed(nilas_connect__plan *plan, const Sc__Relation *message,
                                       nilas_query **out) {
    const Sc__WithColumnsRenamed *columns = message->with_columns_renamed;
    bool listed = columns->n_renames > 0; // 4.x; before it was a map
    size_t count = listed ? columns->n_renames : columns->n_rename_columns_map;
    nilas_query *query;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_PIPE_RENAME, columns->input, &query));
    query->lenient = true;
    NILAS_NEW_ARRAY(plan->stmt, &query->columns, count, plan->err);
    NILAS_NEW_ARRAY(plan->stmt, &query->new_columns, count, plan->err);
    query->column_count = count;
    for (size_t i = 0; i < count; i++) {
        query->columns[i] = nilas_connect__text(listed ? columns->renames[i]->col_name
                                                       : columns->rename_columns_map[i]->key);
        query->new_columns[i] = nilas_connect__text(listed ? columns->renames[i]->new_col_name
                                                           : columns->rename_columns_map[i]->value);
    }
    *out = query;
    return NILAS_OK;
}

static nilas_code drop(nilas_connect__plan *plan, const Sc__Relation *message, nilas_query **out) {
    const Sc__Drop *drop = message->drop;
    nilas_query *query;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_PIPE_DROP, drop->input, &query));
    query->lenient = true;
    NILAS_TRY(
        nilas_connect__texts(plan, drop->column_names, drop->n_column_names, &query->columns));
    query->column_count = drop->n_column_names;
    NILAS_TRY(nilas_connect__exprs(plan, drop->columns, drop->n_columns, &query->exprs));
    query->expr_count = drop->n_columns;
    *out = query;
    return NILAS_OK;
}

static nilas_code to_df(nilas_connect__plan *plan, const Sc__Relation *message, nilas_query **out) {
    const Sc__ToDF *to_df = message->to_df;
    nilas_query *query;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_ALIAS, to_df->input, &query));
    NILAS_TRY(
        nilas_connect__texts(plan, to_df->column_names, to_df->n_column_names, &query->columns));
    query->column_count = to_df->n_column_names;
    *out = query;
    return NILAS_OK;
}

static nilas_code to_schema(nilas_connect__plan *plan, const Sc__Relation *message,
                            nilas_query **out) {
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_TO_SCHEMA, message->to_schema->input, out));
    NILAS_TRY(nilas_connect__type(plan, message->to_schema->schema, &(*out)->type));
    NILAS_REQUIRE((*out)->type->kind == NILAS_TYPE_STRUCT, plan->err, NILAS_INVALID,
                  "the schema that a DataFrame is brought to must be a struct");
    return NILAS_OK;
}

static nilas_code subquery_alias(nilas_connect__plan *plan, const Sc__Relation *message,
                                 nilas_query **out) {
    const Sc__SubqueryAlias *alias = message->subquery_alias;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_ALIAS, alias->input, out));
    (*out)->alias = nilas_connect__text(alias->alias);
    (*out)->has_alias = true;
    return NILAS_OK;
}

// ---- rows ---------------------------------------------------------------------------------------

static nilas_code filter(nilas_connect__plan *plan, const Sc__Relation *message,
                         nilas_query **out) {
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_FILTER, message->filter->input, out));
    return nilas_connect__expr(plan, message->filter->condition, &(*out)->where);
}

static nilas_code sort(nilas_connect__plan *plan, const Sc__Relation *message, nilas_query **out) {
    const Sc__Sort *sort = message->sort;
    bool local = sort->_is_global_case != SC__SORT___IS_GLOBAL__NOT_SET && !sort->is_global;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_SORT, sort->input, out));
    (*out)->sort_kind = local ? NILAS_SORT_SORT_BY : NILAS_SORT_ORDER_BY;
    NILAS_TRY(nilas_connect__sort_orders(plan, sort->order, sort->n_order, &(*out)->exprs));
    (*out)->expr_count = sort->n_order;
    return NILAS_OK;
}

static nilas_code limit(nilas_connect__plan *plan, const Sc__Relation *message, nilas_query **out) {
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_LIMIT, message->limit->input, out));
    return nilas_connect__literal_of_int(plan, NILAS_TYPE_INT, message->limit->limit,
                                         &(*out)->limit);
}

static nilas_code offset(nilas_connect__plan *plan, const Sc__Relation *message,
                         nilas_query **out) {
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_LIMIT, message->offset->input, out));
    return nilas_connect__literal_of_int(plan, NILAS_TYPE_INT, message->offset->offset,
                                         &(*out)->limit_offset);
}

static nilas_code tail(nilas_connect__plan *plan, const Sc__Relation *message, nilas_query **out) {
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_TAIL, message->tail->input, out));
    return nilas_connect__literal_of_int(plan, NILAS_TYPE_INT, message->tail->limit,
                                         &(*out)->limit);
}

static nilas_code sample(nilas_connect__plan *plan, const Sc__Relation *message,
                         nilas_query **out) {
    const Sc__Sample *from = message->sample;
    nilas_query *query;
    nilas_sample *sample;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_SAMPLE, from->input, &query));
    NILAS_NEW(plan->stmt, &sample, plan->err);
    sample->kind = NILAS_SAMPLE_FRACTION;
    sample->lower = from->lower_bound;
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_LITERAL, 0, &sample->amount));
    sample->amount->type = nilas_type_of(NILAS_TYPE_DOUBLE);
    sample->amount->value = nilas_value_of_double(from->upper_bound);
    if (from->_seed_case != SC__SAMPLE___SEED__NOT_SET) {
        NILAS_TRY(
            nilas_connect__literal_of_int(plan, NILAS_TYPE_BIGINT, from->seed, &sample->seed));
    }
    sample->with_replacement =
        from->_with_replacement_case != SC__SAMPLE___WITH_REPLACEMENT__NOT_SET &&
        from->with_replacement;
    sample->deterministic_order = from->deterministic_order;
    query->sample = sample;
    *out = query;
    return NILAS_OK;
}

static nilas_code deduplicate(nilas_connect__plan *plan, const Sc__Relation *message,
                              nilas_query **out) {
    const Sc__Deduplicate *from = message->deduplicate;
    if (from->_within_watermark_case != SC__DEDUPLICATE___WITHIN_WATERMARK__NOT_SET &&
        from->within_watermark) {
        return nilas_connect__refuse(plan, "dropDuplicatesWithinWatermark(): streaming");
    }
    bool all = from->_all_columns_as_keys_case != SC__DEDUPLICATE___ALL_COLUMNS_AS_KEYS__NOT_SET &&
               from->all_columns_as_keys;
    NILAS_REQUIRE(all || from->n_column_names > 0, plan->err, NILAS_INVALID,
                  "Deduplicate requires to either deduplicate on all columns or a subset of "
                  "columns");
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_DEDUPLICATE, from->input, out));
    if (!all) {
        NILAS_TRY(
            nilas_connect__texts(plan, from->column_names, from->n_column_names, &(*out)->columns));
        (*out)->column_count = from->n_column_names;
    }
    return NILAS_OK;
}

// ---- what changes no rows -----------------------------------------------------------------------

static nilas_code repartition(nilas_connect__plan *plan, const Sc__Relation *message,
                              nilas_query **out) {
    NILAS_REQUIRE(message->repartition->num_partitions > 0, plan->err, NILAS_INVALID,
                  "requirement failed: Number of partitions (%d) must be positive.",
                  message->repartition->num_partitions);
    return nilas_connect__over(plan, NILAS_QUERY_HINT, message->repartition->input, out);
}

/* The expressions are checked; where rows lie has no meaning here. */
static nilas_code repartition_by(nilas_connect__plan *plan, const Sc__Relation *message,
                                 nilas_query **out) {
    const Sc__RepartitionByExpression *from = message->repartition_by_expression;
    NILAS_REQUIRE(
        from->_num_partitions_case == SC__REPARTITION_BY_EXPRESSION___NUM_PARTITIONS__NOT_SET ||
            from->num_partitions > 0,
        plan->err, NILAS_INVALID, "requirement failed: Number of partitions (%d) must be positive.",
        from->num_partitions);
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_SORT, from->input, out));
    (*out)->sort_kind = NILAS_SORT_DISTRIBUTE_BY;
    NILAS_NEW_ARRAY(plan->stmt, &(*out)->exprs, from->n_partition_exprs, plan->err);
    (*out)->expr_count = from->n_partition_exprs;
    for (size_t i = 0; i < from->n_partition_exprs; i++) {
        nilas_expr *key;
        NILAS_TRY(nilas_connect__expr(plan, from->partition_exprs[i], &key));
        if (key->kind != NILAS_EXPR_SORT) {
            nilas_expr *sort_key;
            NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_SORT, 1, &sort_key));
            sort_key->args[0] = key;
            key = sort_key;
        }
        (*out)->exprs[i] = key;
    }
    return NILAS_OK;
}

static nilas_code hint(nilas_connect__plan *plan, const Sc__Relation *message, nilas_query **out) {
    const Sc__Hint *from = message->hint;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_HINT, from->input, out));
    NILAS_NEW(plan->stmt, &(*out)->hints, plan->err);
    (*out)->hint_count = 1;
    (*out)->hints[0].name = nilas_connect__text(from->name);
    NILAS_TRY(
        nilas_connect__exprs(plan, from->parameters, from->n_parameters, &(*out)->hints[0].args));
    (*out)->hints[0].arg_count = from->n_parameters;
    return NILAS_OK;
}

/* Rows that are no stream are never late. */
static nilas_code with_watermark(nilas_connect__plan *plan, const Sc__Relation *message,
                                 nilas_query **out) {
    return nilas_connect__over(plan, NILAS_QUERY_HINT, message->with_watermark->input, out);
}

static nilas_code collect_metrics(nilas_connect__plan *plan, const Sc__Relation *message,
                                  nilas_query **out) {
    const Sc__CollectMetrics *from = message->collect_metrics;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_OBSERVE, from->input, out));
    (*out)->alias = nilas_connect__text(from->name);
    NILAS_TRY(nilas_connect__exprs(plan, from->metrics, from->n_metrics, &(*out)->exprs));
    (*out)->expr_count = from->n_metrics;
    return NILAS_OK;
}

static nilas_code parse(nilas_connect__plan *plan, const Sc__Relation *message, nilas_query **out) {
    const Sc__Parse *from = message->parse;
    if (from->format != SC__PARSE__PARSE_FORMAT__PARSE_FORMAT_CSV &&
        from->format != SC__PARSE__PARSE_FORMAT__PARSE_FORMAT_JSON) {
        return nilas_connect__refuse(plan, "Reading XML");
    }
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_PARSE, from->input, out));
    (*out)->text = from->format == SC__PARSE__PARSE_FORMAT__PARSE_FORMAT_CSV ? NILAS_STR("csv")
                                                                             : NILAS_STR("json");
    if (from->_schema_case != SC__PARSE___SCHEMA__NOT_SET && from->schema != NULL) {
        NILAS_TRY(nilas_connect__type(plan, from->schema, &(*out)->type));
    }
    NILAS_NEW_ARRAY(plan->stmt, &(*out)->options, from->n_options, plan->err);
    (*out)->option_count = from->n_options;
    for (size_t i = 0; i < from->n_options; i++) {
        (*out)->options[i] = (nilas_option){.key = nilas_connect__text(from->options[i]->key),
                                            .value = nilas_connect__text(from->options[i]->value),
                                            .has_value = true};
    }
    return NILAS_OK;
}

// ---- plans inside plans -------------------------------------------------------------------------

static nilas_code sql(nilas_connect__plan *plan, const Sc__Relation *message, nilas_query **out) {
    nilas_statement *statement;
    NILAS_TRY(nilas_connect__sql(plan, message->sql, &statement));
    if (statement->kind != NILAS_STATEMENT_QUERY) {
        return nilas_fail_at(plan->err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
                             "%s inside a DataFrame: not supported by nilas.",
                             nilas_statement_name(statement->kind));
    }
    *out = statement->query;
    return NILAS_OK;
}

static nilas_code with_relations(nilas_connect__plan *plan, const Sc__Relation *message,
                                 nilas_query **out) {
    return nilas_connect__with_relations(plan, message->with_relations, out);
}

static nilas_code cached_remote(nilas_connect__plan *plan, const Sc__Relation *message,
                                nilas_query **out) {
    nilas_str id = nilas_connect__text(message->cached_remote_relation->relation_id);
    const Sc__Relation *relation = NULL;
    if (plan->host->remote_relation != NULL) {
        relation = plan->host->remote_relation(plan->host->context, id);
    }
    NILAS_REQUIRE(relation != NULL, plan->err, NILAS_INVALID,
                  "No DataFrame with id %.*s is found in the session.", NILAS_FMT(id));
    NILAS_REQUIRE(plan->remote_depth < NILAS_LIMIT_VIEW_DEPTH, plan->err, NILAS_LIMIT,
                  "checkpoints are nested deeper than %d levels", NILAS_LIMIT_VIEW_DEPTH);
    const nilas_connect__references *around = plan->references;
    plan->references = NULL;
    plan->remote_depth++;
    NILAS_TRY(nilas_connect__relation(plan, relation, out));
    plan->remote_depth--;
    plan->references = around;
    return NILAS_OK;
}

// ---- the table ----------------------------------------------------------------------------------

static const struct {
    Sc__Relation__RelTypeCase kind;
    nilas_connect__relation_fn *translate;
} kinds[] = {
    {SC__RELATION__REL_TYPE_READ, nilas_connect__read},
    {SC__RELATION__REL_TYPE_PROJECT, project},
    {SC__RELATION__REL_TYPE_FILTER, filter},
    {SC__RELATION__REL_TYPE_JOIN, nilas_connect__join},
    {SC__RELATION__REL_TYPE_SET_OP, nilas_connect__set_op},
    {SC__RELATION__REL_TYPE_SORT, sort},
    {SC__RELATION__REL_TYPE_LIMIT, limit},
    {SC__RELATION__REL_TYPE_AGGREGATE, nilas_connect__aggregate},
    {SC__RELATION__REL_TYPE_SQL, sql},
    {SC__RELATION__REL_TYPE_LOCAL_RELATION, nilas_connect__local},
    {SC__RELATION__REL_TYPE_SAMPLE, sample},
    {SC__RELATION__REL_TYPE_OFFSET, offset},
    {SC__RELATION__REL_TYPE_DEDUPLICATE, deduplicate},
    {SC__RELATION__REL_TYPE_RANGE, nilas_connect__range},
    {SC__RELATION__REL_TYPE_SUBQUERY_ALIAS, subquery_alias},
    {SC__RELATION__REL_TYPE_REPARTITION, repartition},
    {SC__RELATION__REL_TYPE_TO_DF, to_df},
    {SC__RELATION__REL_TYPE_WITH_COLUMNS_RENAMED, with_columns_renamed},
    {SC__RELATION__REL_TYPE_DROP, drop},
    {SC__RELATION__REL_TYPE_TAIL, tail},
    {SC__RELATION__REL_TYPE_WITH_COLUMNS, with_columns},
    {SC__RELATION__REL_TYPE_HINT, hint},
    {SC__RELATION__REL_TYPE_UNPIVOT, nilas_connect__unpivot},
    {SC__RELATION__REL_TYPE_TO_SCHEMA, to_schema},
    {SC__RELATION__REL_TYPE_REPARTITION_BY_EXPRESSION, repartition_by},
    {SC__RELATION__REL_TYPE_COLLECT_METRICS, collect_metrics},
    {SC__RELATION__REL_TYPE_PARSE, parse},
    {SC__RELATION__REL_TYPE_WITH_WATERMARK, with_watermark},
    {SC__RELATION__REL_TYPE_CACHED_LOCAL_RELATION, nilas_connect__cached_local},
    {SC__RELATION__REL_TYPE_CACHED_REMOTE_RELATION, cached_remote},
    {SC__RELATION__REL_TYPE_AS_OF_JOIN, nilas_connect__as_of_join},
    {SC__RELATION__REL_TYPE_WITH_RELATIONS, with_relations},
    {SC__RELATION__REL_TYPE_TRANSPOSE, nilas_connect__transpose},
    {SC__RELATION__REL_TYPE_UNRESOLVED_TABLE_VALUED_FUNCTION, nilas_connect__table_function},
    {SC__RELATION__REL_TYPE_LATERAL_JOIN, nilas_connect__lateral_join},
    {SC__RELATION__REL_TYPE_CHUNKED_CACHED_LOCAL_RELATION, nilas_connect__chunked_local},
    {SC__RELATION__REL_TYPE_FILL_NA, nilas_connect__na_fill},
    {SC__RELATION__REL_TYPE_DROP_NA, nilas_connect__na_drop},
    {SC__RELATION__REL_TYPE_REPLACE, nilas_connect__na_replace},
    {SC__RELATION__REL_TYPE_SUMMARY, nilas_connect__summary},
    {SC__RELATION__REL_TYPE_CROSSTAB, nilas_connect__pair_statistic},
    {SC__RELATION__REL_TYPE_DESCRIBE, nilas_connect__describe},
    {SC__RELATION__REL_TYPE_COV, nilas_connect__pair_statistic},
    {SC__RELATION__REL_TYPE_CORR, nilas_connect__pair_statistic},
    {SC__RELATION__REL_TYPE_APPROX_QUANTILE, nilas_connect__approx_quantile},
    {SC__RELATION__REL_TYPE_FREQ_ITEMS, nilas_connect__freq_items},
    {SC__RELATION__REL_TYPE_SAMPLE_BY, nilas_connect__sample_by},
};

/* What is never done, by the names that users know. */
static const struct {
    Sc__Relation__RelTypeCase kind;
    const char *what;
} refused[] = {
    {SC__RELATION__REL_TYPE_MAP_PARTITIONS, "mapInPandas()/mapInArrow(): user code"},
    {SC__RELATION__REL_TYPE_GROUP_MAP, "applyInPandas()/applyInArrow(): user code"},
    {SC__RELATION__REL_TYPE_CO_GROUP_MAP, "cogroup().applyInPandas(): user code"},
    {SC__RELATION__REL_TYPE_APPLY_IN_PANDAS_WITH_STATE, "applyInPandasWithState(): streaming"},
    {SC__RELATION__REL_TYPE_COMMON_INLINE_USER_DEFINED_TABLE_FUNCTION,
     "A user-defined table function: user code"},
    {SC__RELATION__REL_TYPE_COMMON_INLINE_USER_DEFINED_DATA_SOURCE,
     "A Python data source: user code"},
    {SC__RELATION__REL_TYPE_RELATION_CHANGES, "Reading the changes of a relation"},
    {SC__RELATION__REL_TYPE_NEAREST_BY_JOIN, "nearestByJoin()"},
    {SC__RELATION__REL_TYPE_ML_RELATION, "Machine learning (pyspark.ml)"},
    {SC__RELATION__REL_TYPE_EXTENSION, "An extension of the protocol"},
    {SC__RELATION__REL_TYPE_SHOW_STRING, "show() inside another relation"},
    {SC__RELATION__REL_TYPE_HTML_STRING, "HTML output inside another relation"},
    {SC__RELATION__REL_TYPE_CATALOG, "A catalog function inside another relation"},
};

static nilas_code refuse_kind(nilas_connect__plan *plan, const Sc__Relation *message) {
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (refused[i].kind == message->rel_type_case) {
            return nilas_connect__refuse(plan, refused[i].what);
        }
    }
    return nilas_connect__missing(plan, "kind of a relation");
}

nilas_code nilas_connect__relation(nilas_connect__plan *plan, const Sc__Relation *message,
                                   nilas_query **out) {
    // every kind is a message, so that one test serves all
    if (message == NULL || message->rel_type_case == SC__RELATION__REL_TYPE__NOT_SET ||
        message->read == NULL) {
        return nilas_connect__missing(plan, "relation");
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i].kind != message->rel_type_case) {
            continue;
        }
        NILAS_TRY(kinds[i].translate(plan, message, out));
        if (message->common != NULL &&
            message->common->_plan_id_case != SC__RELATION_COMMON___PLAN_ID__NOT_SET) {
            (*out)->plan_id = nilas_connect__frame_id(message->common->plan_id);
        }
        return NILAS_OK;
    }
    return refuse_kind(plan, message);
}
