/**
 * The state of one SELECT while it is bound, shared by query_select.c and query_group.c.
 */
#ifndef NILAS_BIND_QUERY_SELECT_H
#define NILAS_BIND_QUERY_SELECT_H

#include "bind/expr.h"
#include "bind/query.h"

typedef struct nilas_select_item {
    nilas_bound_expr *expr;
    nilas_str name;
    const nilas_scope_column *source; // of a plain column: keeps its qualifier and comment
    const nilas_str *names;           // of a generator's columns: AS (a, b)
    size_t name_count;
    bool auto_named;   // the name is the expression's text
    nilas_str comment; // that an alias gives; data NULL: none
} nilas_select_item;

typedef struct nilas_select_key {
    nilas_bound_expr *expr; // a SORT node
    bool over_output;       // refers only to the output's columns
} nilas_select_key;

typedef struct nilas_select_state {
    nilas_binder *binder;
    const nilas_select *select;
    nilas_bind_scope scope; // over FROM
    NILAS_ARRAY_OF(nilas_select_item) items;
    nilas_bound_expr *having;
    nilas_plan *plan; // grows upwards
    bool aggregated;
    nilas_extraction extraction;
    NILAS_ARRAY_OF(uint64_t) sets;
    NILAS_ARRAY_OF(nilas_select_key) keys;
    nilas_attribute *outputs; // of the final PROJECT, made early so that ORDER BY can refer to them
    nilas_bound_relation output;
} nilas_select_state;

/**
 * Bind GROUP BY: its expressions go into the extraction's groups, each once, and its ROLLUP, CUBE
 * and GROUPING SETS into the sets, a bit for each group.
 */
nilas_code nilas_bind__group_by(nilas_select_state *state, nilas_error *err);

#endif
