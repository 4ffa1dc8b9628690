/** The relations of FROM as text: tables, joins, functions, and what may follow them. */
#include "tree/print.h"

/* What may stand in FROM, and before a join, without parentheses. */
static bool is_relation(const nilas_query *query) {
    switch (query->kind) {
    case NILAS_QUERY_TABLE: return !query->only_table;
    case NILAS_QUERY_FUNCTION:
    case NILAS_QUERY_ALIAS:
    case NILAS_QUERY_JOIN:
    case NILAS_QUERY_LATERAL_VIEW:
    case NILAS_QUERY_PIVOT:
    case NILAS_QUERY_UNPIVOT:
    case NILAS_QUERY_LOCAL:
    case NILAS_QUERY_SOURCE:
    case NILAS_QUERY_AS_OF_JOIN:
    case NILAS_QUERY_SAMPLE: return true;
    default: return false;
    }
}

/* Relations that carry their tail to the right: as an operand they need parentheses. */
static bool is_composed(const nilas_query *query) {
    if (query->kind == NILAS_QUERY_ALIAS) {
        return query->input->kind == NILAS_QUERY_UNPIVOT;
    }
    return query->kind == NILAS_QUERY_JOIN || query->kind == NILAS_QUERY_AS_OF_JOIN ||
           query->kind == NILAS_QUERY_PIVOT || query->kind == NILAS_QUERY_UNPIVOT ||
           query->kind == NILAS_QUERY_LATERAL_VIEW;
}

static void print_primary(nilas_buf *out, const nilas_query *query) {
    if (is_relation(query) && is_composed(query)) {
        nilas_buf_add_char(out, '(');
        nilas_tree__print_relation(out, query);
        nilas_buf_add_char(out, ')');
    } else {
        nilas_tree__print_relation(out, query);
    }
}

static void print_option(nilas_buf *out, const nilas_option *option) {
    nilas_string_literal_print(out, option->key);
    if (option->expr != NULL) {
        nilas_buf_add_text(out, " = ");
        nilas_expr_print(out, option->expr);
    } else if (option->has_value) {
        nilas_buf_add_text(out, " = ");
        nilas_string_literal_print(out, option->value);
    }
}

void nilas_tree__print_options(nilas_buf *out, const nilas_option *options, size_t count) {
    nilas_buf_add_char(out, '(');
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        print_option(out, &options[i]);
    }
    nilas_buf_add_char(out, ')');
}

static void print_time_travel(nilas_buf *out, const nilas_time_travel *travel) {
    if (travel->kind == NILAS_TRAVEL_TIMESTAMP) {
        nilas_buf_add_text(out, " TIMESTAMP AS OF ");
        bool loose = travel->timestamp->kind == NILAS_EXPR_BINARY ||
                     travel->timestamp->kind == NILAS_EXPR_UNARY;
        nilas_buf_add_text(out, loose ? "(" : "");
        nilas_expr_print(out, travel->timestamp);
        nilas_buf_add_text(out, loose ? ")" : "");
    } else if (travel->kind == NILAS_TRAVEL_VERSION) {
        nilas_buf_add_text(out, " VERSION AS OF ");
        if (travel->version_is_string) {
            nilas_string_literal_print(out, travel->version);
        } else {
            nilas_buf_add(out, travel->version);
        }
    }
}

static void print_table(nilas_buf *out, const nilas_query *query) {
    if (query->identifier != NULL) {
        nilas_expr_print(out, query->identifier);
    } else {
        nilas_tree__print_parts(out, query->parts, query->part_count);
    }
    print_time_travel(out, &query->time_travel);
    if (query->option_count > 0) {
        nilas_buf_add_text(out, " WITH ");
        nilas_tree__print_options(out, query->options, query->option_count);
    }
}

static void print_function(nilas_buf *out, const nilas_query *query) {
    if (query->identifier != NULL) {
        nilas_expr_print(out, query->identifier);
    } else {
        nilas_tree__print_function_name(out, query->parts, query->part_count);
    }
    nilas_buf_add_char(out, '(');
    nilas_tree__print_args(out, query->exprs, query->arg_names, query->expr_count);
    nilas_buf_add_char(out, ')');
}

static void print_alias(nilas_buf *out, const nilas_query *query) {
    if (query->input->kind == NILAS_QUERY_UNPIVOT) {
        nilas_tree__print_relation(out, query->input);
    } else if (query->input->kind == NILAS_QUERY_ALIAS) {
        nilas_buf_add_text(out, "(FROM ");
        nilas_tree__print_relation(out, query->input);
        nilas_buf_add_char(out, ')');
    } else {
        print_primary(out, query->input);
    }
    nilas_buf_add_text(out, " AS ");
    nilas_tree__print_name(out, query->alias);
    if (query->column_count > 0) {
        nilas_tree__print_name_list(out, query->columns, query->column_count);
    }
}

static void print_join(nilas_buf *out, const nilas_query *query) {
    static const char *const words[] = {
        [NILAS_JOIN_INNER] = "INNER JOIN ",         [NILAS_JOIN_CROSS] = "CROSS JOIN ",
        [NILAS_JOIN_LEFT] = "LEFT JOIN ",           [NILAS_JOIN_RIGHT] = "RIGHT JOIN ",
        [NILAS_JOIN_FULL] = "FULL JOIN ",           [NILAS_JOIN_LEFT_SEMI] = "LEFT SEMI JOIN ",
        [NILAS_JOIN_LEFT_ANTI] = "LEFT ANTI JOIN ",
    };
    nilas_tree__print_relation(out, query->left);
    nilas_buf_add_text(out, query->natural ? " NATURAL " : " ");
    nilas_buf_add_text(out, words[query->join_kind]);
    nilas_buf_add_text(out, query->lateral ? "LATERAL " : "");
    print_primary(out, query->right);
    if (query->condition != NULL) {
        nilas_buf_add_text(out, " ON ");
        nilas_expr_print(out, query->condition);
    } else if (query->column_count > 0) {
        nilas_buf_add_text(out, " USING ");
        nilas_tree__print_name_list(out, query->columns, query->column_count);
    }
}

static void print_pivot(nilas_buf *out, const nilas_query *query) {
    nilas_tree__print_relation(out, query->input);
    nilas_buf_add_text(out, " PIVOT (");
    nilas_tree__print_exprs(out, query->exprs, query->expr_count);
    nilas_buf_add_text(out, " FOR (");
    nilas_tree__print_exprs(out, query->pivot_columns, query->pivot_column_count);
    nilas_buf_add_text(out, ") IN (");
    nilas_tree__print_exprs(out, query->pivot_values, query->pivot_value_count);
    nilas_buf_add_text(out, "))");
}

static void print_unpivot_value(nilas_buf *out, const nilas_unpivot_value *value, bool multi) {
    nilas_buf_add_text(out, multi ? "(" : "");
    nilas_tree__print_exprs(out, value->columns, value->column_count);
    nilas_buf_add_text(out, multi ? ")" : "");
    if (value->has_alias) {
        nilas_buf_add_text(out, " AS ");
        nilas_tree__print_name(out, value->alias);
    }
}

static void print_unpivot(nilas_buf *out, const nilas_query *query) {
    const nilas_unpivot *unpivot = query->unpivot;
    nilas_tree__print_relation(out, query->input);
    nilas_buf_add_text(out, unpivot->include_nulls ? " UNPIVOT INCLUDE NULLS (" : " UNPIVOT (");
    if (unpivot->multi_value) {
        nilas_tree__print_name_list(out, unpivot->value_columns, unpivot->value_column_count);
    } else {
        nilas_tree__print_name(out, unpivot->value_columns[0]);
    }
    nilas_buf_add_text(out, " FOR ");
    nilas_tree__print_name(out, unpivot->name_column);
    nilas_buf_add_text(out, " IN (");
    for (size_t i = 0; i < unpivot->value_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        print_unpivot_value(out, &unpivot->values[i], unpivot->multi_value);
    }
    nilas_buf_add_text(out, "))");
}

static void print_sample_amount(nilas_buf *out, const nilas_sample *sample) {
    switch (sample->kind) {
    case NILAS_SAMPLE_BUCKET:
        nilas_buf_print(out, "BUCKET %lld OUT OF %lld", (long long)sample->numerator,
                        (long long)sample->denominator);
        if (sample->bucket_on != NULL) {
            nilas_buf_add_text(out, " ON ");
            nilas_expr_print(out, sample->bucket_on);
        }
        break;
    case NILAS_SAMPLE_BYTES: nilas_buf_add(out, sample->text); break;
    case NILAS_SAMPLE_PERCENT:
        if (sample->amount->value.kind == NILAS_VALUE_DECIMAL) {
            nilas_decimal_print(out, sample->amount->value.decimal, sample->amount->value.scale);
        } else {
            nilas_expr_print(out, sample->amount);
        }
        nilas_buf_add_text(out, " PERCENT");
        break;
    default:
        nilas_expr_print(out, sample->amount);
        nilas_buf_add_text(out, " ROWS");
        break;
    }
}

static void print_sample(nilas_buf *out, const nilas_query *query) {
    if (query->input->kind == NILAS_QUERY_SAMPLE) { // of a pipe
        nilas_buf_add_text(out, "(FROM ");
        nilas_tree__print_relation(out, query->input);
        nilas_buf_add_char(out, ')');
    } else {
        print_primary(out, query->input);
    }
    nilas_buf_add_text(out, " TABLESAMPLE (");
    print_sample_amount(out, query->sample);
    nilas_buf_add_char(out, ')');
    if (query->sample->seed != NULL) {
        nilas_buf_add_text(out, " REPEATABLE (");
        nilas_expr_print(out, query->sample->seed);
        nilas_buf_add_char(out, ')');
    }
}

void nilas_tree__print_relation(nilas_buf *out, const nilas_query *query) {
    switch (is_relation(query) ? query->kind : NILAS_QUERY_SELECT) {
    case NILAS_QUERY_TABLE: print_table(out, query); break;
    case NILAS_QUERY_FUNCTION: print_function(out, query); break;
    case NILAS_QUERY_ALIAS: print_alias(out, query); break;
    case NILAS_QUERY_JOIN: print_join(out, query); break;
    case NILAS_QUERY_PIVOT: print_pivot(out, query); break;
    case NILAS_QUERY_UNPIVOT: print_unpivot(out, query); break;
    case NILAS_QUERY_SAMPLE: print_sample(out, query); break;
    case NILAS_QUERY_LOCAL: nilas_tree__print_local(out, query); break;
    case NILAS_QUERY_SOURCE: nilas_tree__print_source(out, query); break;
    case NILAS_QUERY_AS_OF_JOIN: nilas_tree__print_as_of_join(out, query); break;
    default: // a query; lateral views inside a join, which only DataFrames make, need one too
        nilas_buf_add_char(out, '(');
        nilas_query_print(out, query);
        nilas_buf_add_char(out, ')');
        break;
    }
}
