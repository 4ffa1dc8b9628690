/**
 * What only DataFrames have, as text for people: "input |> NA FILL (0) IN a, b". No grammar reads
 * it back.
 */
#include "tree/print.h"

static const struct {
    nilas_query_kind kind;
    const char *word;
} words[] = {
    {NILAS_QUERY_TO_SCHEMA, "TO SCHEMA"},
    {NILAS_QUERY_NA_FILL, "NA FILL"},
    {NILAS_QUERY_NA_DROP, "NA DROP"},
    {NILAS_QUERY_NA_REPLACE, "NA REPLACE"},
    {NILAS_QUERY_DESCRIBE, "DESCRIBE"},
    {NILAS_QUERY_SUMMARY, "SUMMARY"},
    {NILAS_QUERY_CROSSTAB, "CROSSTAB"},
    {NILAS_QUERY_COV, "COV"},
    {NILAS_QUERY_CORR, "CORR"},
    {NILAS_QUERY_APPROX_QUANTILE, "APPROX QUANTILE"},
    {NILAS_QUERY_FREQ_ITEMS, "FREQ ITEMS"},
    {NILAS_QUERY_SAMPLE_BY, "SAMPLE BY"},
    {NILAS_QUERY_TRANSPOSE, "TRANSPOSE"},
    {NILAS_QUERY_OBSERVE, "OBSERVE"},
    {NILAS_QUERY_PARSE, "PARSE"},
};

const char *nilas_tree__frame_word(nilas_query_kind kind) {
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (words[i].kind == kind) {
            return words[i].word;
        }
    }
    return NULL;
}

void nilas_tree__print_frame(nilas_buf *out, const nilas_query *query) {
    nilas_buf_add_text(out, nilas_tree__frame_word(query->kind));
    if (query->alias.size > 0) {
        nilas_buf_add_char(out, ' ');
        nilas_tree__print_name(out, query->alias);
    }
    if (query->text.size > 0) {
        nilas_buf_add_char(out, ' ');
        nilas_buf_add(out, query->text);
    }
    if (query->expr_count > 0) {
        nilas_buf_add_text(out, " (");
        nilas_tree__print_exprs(out, query->exprs, query->expr_count);
        nilas_buf_add_char(out, ')');
    }
    if (query->column_count > 0) {
        nilas_buf_add_text(out, " IN ");
        nilas_tree__print_name_list(out, query->columns, query->column_count);
    }
    for (size_t i = 0; i < query->number_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : " AT ");
        nilas_real_print(out, query->numbers[i], false);
    }
    if (query->has_number) {
        nilas_buf_print(out, " WITH %lld", (long long)query->number);
    }
    if (query->type != NULL) {
        nilas_buf_add_text(out, " AS ");
        nilas_type_print(out, query->type);
    }
}

/* A local relation: rows from the client, of which the text tells the size. */
void nilas_tree__print_local(nilas_buf *out, const nilas_query *query) {
    nilas_buf_print(out, "local_relation(%zu bytes", query->data.size);
    if (query->type != NULL) {
        nilas_buf_add_text(out, ", ");
        nilas_type_print(out, query->type);
    }
    nilas_buf_add_char(out, ')');
}

/* What is read without a name in a catalog. Values of options may be secret: only keys. */
void nilas_tree__print_source(nilas_buf *out, const nilas_query *query) {
    nilas_buf_add_text(out, "read_source(");
    nilas_string_literal_print(out, query->text);
    for (size_t i = 0; i < query->column_count; i++) {
        nilas_buf_add_text(out, ", ");
        nilas_string_literal_print(out, query->columns[i]);
    }
    for (size_t i = 0; i < query->option_count; i++) {
        nilas_buf_add_text(out, ", ");
        nilas_tree__print_name(out, query->options[i].key);
    }
    nilas_buf_add_char(out, ')');
}

void nilas_tree__print_as_of_join(nilas_buf *out, const nilas_query *query) {
    nilas_tree__print_relation(out, query->left);
    nilas_buf_add_text(out, " ASOF ");
    nilas_buf_add(out, query->text);
    nilas_buf_add_text(out, " JOIN ");
    nilas_tree__print_relation(out, query->right);
    nilas_buf_add_text(out, " MATCH ");
    nilas_buf_add(out, query->direction);
    nilas_buf_add_text(out, query->allow_exact ? " OR EXACT (" : " (");
    nilas_tree__print_exprs(out, query->exprs, query->expr_count);
    nilas_buf_add_char(out, ')');
    if (query->tolerance != NULL) {
        nilas_buf_add_text(out, " WITHIN ");
        nilas_expr_print(out, query->tolerance);
    }
    if (query->condition != NULL) {
        nilas_buf_add_text(out, " ON ");
        nilas_expr_print(out, query->condition);
    } else if (query->column_count > 0) {
        nilas_buf_add_text(out, " USING ");
        nilas_tree__print_name_list(out, query->columns, query->column_count);
    }
}
