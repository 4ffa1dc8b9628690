/**
 * Parameters of a statement (":name", "?") replaced by what the caller gives for them. Goes along
 * the left spine of chains in a loop, as the other walkers do.
 */
#include "tree/tree.h"

typedef struct binding {
    const nilas_str *names; // NULL: by position
    nilas_expr *const *values;
    size_t count;
} binding;

static void bind_query(const binding *b, nilas_query *query);
static void bind_expr(const binding *b, nilas_expr *expr);

static const nilas_expr *find_value(const binding *b, const nilas_expr *parameter) {
    if (b->names == NULL) {
        bool here = parameter->part_count == 0 && parameter->ordinal >= 0 &&
                    (size_t)parameter->ordinal < b->count;
        return here ? b->values[parameter->ordinal] : NULL;
    }
    for (size_t i = 0; i < b->count && parameter->part_count == 1; i++) {
        if (nilas_str_equal(b->names[i], parameter->parts[0])) {
            return b->values[i];
        }
    }
    return NULL;
}

static void bind_list(const binding *b, nilas_expr *const *exprs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bind_expr(b, exprs[i]);
    }
}

static void bind_window(const binding *b, nilas_window *window) {
    if (window == NULL) {
        return;
    }
    bind_list(b, window->partition_by, window->partition_by_count);
    bind_list(b, window->order_by, window->order_by_count);
    bind_expr(b, window->start.offset);
    bind_expr(b, window->end.offset);
}

static void bind_expr(const binding *b, nilas_expr *expr) {
    while (expr != NULL) {
        if (expr->kind == NILAS_EXPR_PARAMETER) {
            const nilas_expr *value = find_value(b, expr);
            if (value != NULL) {
                *expr = *value; // which may hold no parameters of this text
            }
            return;
        }
        if (expr->kind != NILAS_EXPR_BINARY) {
            bind_list(b, expr->args, expr->arg_count);
            bind_list(b, expr->order_by, expr->order_by_count);
            bind_expr(b, expr->filter);
            bind_window(b, expr->window);
            bind_query(b, expr->query);
            return;
        }
        bind_expr(b, expr->args[1]);
        expr = expr->args[0];
    }
}

// ---- queries ------------------------------------------------------------------------------------

static void bind_ctes(const binding *b, nilas_cte *ctes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bind_expr(b, ctes[i].max_recursion_level);
        bind_query(b, ctes[i].query);
    }
}

static void bind_options(const binding *b, const nilas_option *options, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bind_expr(b, options[i].expr);
    }
}

static void bind_shapes(const binding *b, nilas_query *query) {
    if (query->unpivot != NULL) {
        for (size_t i = 0; i < query->unpivot->value_count; i++) {
            const nilas_unpivot_value *value = &query->unpivot->values[i];
            bind_list(b, value->columns, value->column_count);
        }
    }
    if (query->sample != NULL) {
        bind_expr(b, query->sample->amount);
        bind_expr(b, query->sample->bucket_on);
        bind_expr(b, query->sample->seed);
    }
    for (size_t i = 0; i < query->hint_count; i++) {
        bind_list(b, query->hints[i].args, query->hints[i].arg_count);
    }
    for (size_t i = 0; i < query->window_count; i++) {
        bind_window(b, query->windows[i].window);
    }
}

static void bind_clauses(const binding *b, nilas_query *query) {
    bind_list(b, query->exprs, query->expr_count);
    nilas_expr *const single[] = {query->where,
                                  query->having,
                                  query->condition,
                                  query->limit,
                                  query->limit_offset,
                                  query->identifier,
                                  query->tolerance,
                                  query->time_travel.timestamp,
                                  query->group_by.grouping_sets};
    bind_list(b, single, sizeof(single) / sizeof(single[0]));
    bind_list(b, query->group_by.exprs, query->group_by.expr_count);
    bind_list(b, query->pivot_columns, query->pivot_column_count);
    bind_list(b, query->pivot_values, query->pivot_value_count);
    bind_options(b, query->options, query->option_count);
    bind_shapes(b, query);
    bind_ctes(b, query->ctes, query->cte_count);
}

static void bind_query(const binding *b, nilas_query *query) {
    while (query != NULL) {
        bind_clauses(b, query);
        bind_query(b, query->right);
        nilas_query *next = query->left != NULL ? query->left : query->input;
        nilas_assert(query->left == NULL || query->input == NULL);
        query = next;
    }
}

// ---- statements ---------------------------------------------------------------------------------

static void bind_partition_items(const binding *b, const nilas_partition_item *items,
                                 size_t count) {
    for (size_t i = 0; i < count; i++) {
        bind_expr(b, items[i].transform);
        bind_expr(b, items[i].value);
    }
}

static void bind_assignments(const binding *b, const nilas_assignment *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bind_expr(b, items[i].value);
    }
}

static void bind_columns(const binding *b, const nilas_column_def *columns, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bind_expr(b, columns[i].default_value);
        bind_expr(b, columns[i].generated);
    }
}

static void bind_alteration(const binding *b, const nilas_alteration *alteration) {
    bind_columns(b, alteration->columns, alteration->column_count);
    bind_options(b, alteration->properties, alteration->property_count);
    bind_list(b, alteration->order_by, alteration->order_by_count);
    bind_expr(b, alteration->transform);
    bind_expr(b, alteration->new_transform);
    for (size_t i = 0; i < alteration->partition_count; i++) {
        bind_partition_items(b, alteration->partitions[i], alteration->partition_item_counts[i]);
    }
    bind_query(b, alteration->query);
}

static void bind_statement(const binding *b, nilas_statement *s) {
    nilas_expr *const single[] = {s->identifier, s->where, s->replace_where, s->condition, s->expr};
    bind_list(b, single, sizeof(single) / sizeof(single[0]));
    bind_list(b, s->args, s->arg_count);
    bind_query(b, s->query);
    bind_query(b, s->source);
    bind_ctes(b, s->ctes, s->cte_count);
    bind_columns(b, s->column_defs, s->column_def_count);
    bind_partition_items(b, s->partitioning, s->partitioning_count);
    bind_partition_items(b, s->partition, s->partition_count);
    bind_options(b, s->properties, s->property_count);
    bind_options(b, s->options, s->option_count);
    bind_assignments(b, s->assignments, s->assignment_count);
    for (size_t i = 0; i < s->merge_clause_count; i++) {
        bind_expr(b, s->merge_clauses[i].condition);
        bind_assignments(b, s->merge_clauses[i].assignments, s->merge_clauses[i].assignment_count);
    }
    for (size_t i = 0; i < s->alteration_count; i++) {
        bind_alteration(b, &s->alterations[i]);
    }
    if (s->statement != NULL) {
        bind_statement(b, s->statement);
    }
    if (s->next != NULL) {
        bind_statement(b, s->next);
    }
}

void nilas_statement_bind_parameters(nilas_statement *statement, const nilas_str *names,
                                     nilas_expr *const *values, size_t count) {
    const binding b = {.names = names, .values = values, .count = count};
    bind_statement(&b, statement);
}
