/** Structural equality of statements. */
#include "tree/equal.h"

typedef struct name_list {
    nilas_str *const *names;
    const size_t *part_counts;
    size_t count;
} name_list;

static bool equal_name_lists(name_list a, name_list b) {
    if (a.count != b.count) {
        return false;
    }
    for (size_t i = 0; i < a.count; i++) {
        if (!nilas_tree__equal_strs(a.names[i], a.part_counts[i], b.names[i], b.part_counts[i])) {
            return false;
        }
    }
    return true;
}

static name_list fields_of(const nilas_alteration *a) {
    return (name_list){a->field_parts, a->field_part_counts, a->field_count};
}

static name_list keys_of(const nilas_statement *s) {
    return (name_list){s->key_parts, s->key_part_counts, s->key_count};
}

static bool equal_columns(const nilas_column_def *a, size_t a_count, const nilas_column_def *b,
                          size_t b_count) {
    if (a_count != b_count) {
        return false;
    }
    for (size_t i = 0; i < a_count; i++) {
        const nilas_column_def *x = &a[i];
        const nilas_column_def *y = &b[i];
        bool equal = nilas_tree__equal_strs(x->parts, x->part_count, y->parts, y->part_count) &&
                     nilas_tree__equal_type(x->type, y->type) && x->not_null == y->not_null &&
                     x->has_comment == y->has_comment && x->has_position == y->has_position &&
                     x->first == y->first && nilas_str_equal(x->comment, y->comment) &&
                     nilas_str_equal(x->after, y->after) &&
                     nilas_tree__equal_expr(x->default_value, y->default_value) &&
                     nilas_tree__equal_expr(x->generated, y->generated);
        if (!equal) {
            return false;
        }
    }
    return true;
}

static bool equal_column(const nilas_column_def *a, const nilas_column_def *b) {
    return equal_columns(a, a != NULL, b, b != NULL);
}

static bool equal_partitions(const nilas_partition_item *a, size_t a_count,
                             const nilas_partition_item *b, size_t b_count) {
    if (a_count != b_count) {
        return false;
    }
    for (size_t i = 0; i < a_count; i++) {
        if (!nilas_tree__equal_expr(a[i].transform, b[i].transform) ||
            !equal_column(a[i].column, b[i].column) || a[i].has_name != b[i].has_name ||
            !nilas_str_equal(a[i].name, b[i].name) ||
            !nilas_tree__equal_expr(a[i].value, b[i].value)) {
            return false;
        }
    }
    return true;
}

static bool equal_assignments(const nilas_assignment *a, size_t a_count, const nilas_assignment *b,
                              size_t b_count) {
    if (a_count != b_count) {
        return false;
    }
    for (size_t i = 0; i < a_count; i++) {
        if (!nilas_tree__equal_strs(a[i].parts, a[i].part_count, b[i].parts, b[i].part_count) ||
            !nilas_tree__equal_expr(a[i].value, b[i].value)) {
            return false;
        }
    }
    return true;
}

static bool equal_merge_clauses(const nilas_statement *a, const nilas_statement *b) {
    if (a->merge_clause_count != b->merge_clause_count) {
        return false;
    }
    for (size_t i = 0; i < a->merge_clause_count; i++) {
        const nilas_merge_clause *x = &a->merge_clauses[i];
        const nilas_merge_clause *y = &b->merge_clauses[i];
        if (x->match != y->match || x->action != y->action ||
            !nilas_tree__equal_expr(x->condition, y->condition) ||
            !equal_assignments(x->assignments, x->assignment_count, y->assignments,
                               y->assignment_count)) {
            return false;
        }
    }
    return true;
}

// ---- alterations --------------------------------------------------------------------------------

static bool equal_refs(const nilas_ref_clause *a, const nilas_ref_clause *b) {
    return a->is_tag == b->is_tag && a->or_replace == b->or_replace &&
           a->replace_only == b->replace_only && a->if_not_exists == b->if_not_exists &&
           a->if_exists == b->if_exists && nilas_str_equal(a->name, b->name) &&
           a->has_snapshot == b->has_snapshot && a->snapshot_id == b->snapshot_id &&
           a->has_retain == b->has_retain && a->retain_ms == b->retain_ms &&
           a->has_snapshot_retention == b->has_snapshot_retention &&
           a->has_min_snapshots == b->has_min_snapshots && a->min_snapshots == b->min_snapshots &&
           a->has_max_age == b->has_max_age && a->max_age_ms == b->max_age_ms;
}

static bool equal_changes(const nilas_alteration *a, const nilas_alteration *b) {
    if (a->changes == NULL || b->changes == NULL) {
        return a->changes == b->changes;
    }
    for (size_t i = 0; i < a->column_count; i++) {
        if (a->changes[i] != b->changes[i]) {
            return false;
        }
    }
    return true;
}

static bool equal_partition_lists(const nilas_alteration *a, const nilas_alteration *b) {
    if (a->partition_count != b->partition_count) {
        return false;
    }
    for (size_t i = 0; i < a->partition_count; i++) {
        if (!equal_partitions(a->partitions[i], a->partition_item_counts[i], b->partitions[i],
                              b->partition_item_counts[i])) {
            return false;
        }
    }
    return true;
}

static bool equal_alteration_flags(const nilas_alteration *a, const nilas_alteration *b) {
    return a->kind == b->kind && a->if_exists == b->if_exists &&
           a->if_not_exists == b->if_not_exists && a->has_new_name == b->has_new_name &&
           a->has_field_name == b->has_field_name &&
           a->distributed_by_partition == b->distributed_by_partition && a->locally == b->locally &&
           a->unordered == b->unordered;
}

static bool equal_alteration(const nilas_alteration *a, const nilas_alteration *b) {
    return equal_alteration_flags(a, b) &&
           equal_columns(a->columns, a->column_count, b->columns, b->column_count) &&
           equal_changes(a, b) && nilas_str_equal(a->new_name, b->new_name) &&
           nilas_tree__equal_options(a->properties, a->property_count, b->properties,
                                     b->property_count) &&
           nilas_str_equal(a->location, b->location) &&
           nilas_tree__equal_expr(a->transform, b->transform) &&
           nilas_tree__equal_expr(a->new_transform, b->new_transform) &&
           nilas_str_equal(a->field_name, b->field_name) &&
           nilas_tree__equal_exprs(a->order_by, a->order_by_count, b->order_by,
                                   b->order_by_count) &&
           equal_name_lists(fields_of(a), fields_of(b)) && equal_refs(&a->ref, &b->ref) &&
           equal_partition_lists(a, b) && nilas_tree__equal_query(a->query, b->query) &&
           nilas_str_equal(a->text, b->text);
}

static bool equal_alterations(const nilas_statement *a, const nilas_statement *b) {
    if (a->alteration_count != b->alteration_count) {
        return false;
    }
    for (size_t i = 0; i < a->alteration_count; i++) {
        if (!equal_alteration(&a->alterations[i], &b->alterations[i])) {
            return false;
        }
    }
    return true;
}

// ---- statements ---------------------------------------------------------------------------------

static uint64_t flags_of(const nilas_statement *s) {
    const bool flags[] = {
        s->has_value,     s->has_pattern, s->has_comment,
        s->has_location,  s->has_alias,   s->has_key,
        s->extended,      s->formatted,   s->as_json,
        s->is_namespace,  s->is_view,     s->temporary,
        s->global,        s->or_replace,  s->replace_only,
        s->if_not_exists, s->if_exists,   s->external,
        s->purge,         s->cascade,     s->overwrite,
        s->by_name,       s->local,       s->lazy,
        s->as_serde,      s->not_columns, s->with_schema_evolution,
        s->recursive,
    };
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof(flags); i++) {
        bits |= (uint64_t)flags[i] << i;
    }
    return bits;
}

static bool equal_names(const nilas_statement *a, const nilas_statement *b) {
    return nilas_tree__equal_strs(a->parts, a->part_count, b->parts, b->part_count) &&
           nilas_tree__equal_expr(a->identifier, b->identifier) &&
           nilas_tree__equal_strs(a->new_parts, a->new_part_count, b->new_parts,
                                  b->new_part_count) &&
           nilas_tree__equal_strs(a->namespace_parts, a->namespace_part_count, b->namespace_parts,
                                  b->namespace_part_count) &&
           nilas_tree__equal_strs(a->like_parts, a->like_part_count, b->like_parts,
                                  b->like_part_count) &&
           nilas_tree__equal_strs(a->columns, a->column_count, b->columns, b->column_count) &&
           equal_name_lists(keys_of(a), keys_of(b));
}

static bool equal_texts(const nilas_statement *a, const nilas_statement *b) {
    return nilas_str_equal(a->key, b->key) && nilas_str_equal(a->value, b->value) &&
           nilas_str_equal(a->pattern, b->pattern) && nilas_str_equal(a->provider, b->provider) &&
           nilas_str_equal(a->location, b->location) && nilas_str_equal(a->comment, b->comment) &&
           nilas_str_equal(a->alias, b->alias) && nilas_str_equal(a->row_format, b->row_format);
}

static bool equal_lists(const nilas_statement *a, const nilas_statement *b) {
    return equal_columns(a->column_defs, a->column_def_count, b->column_defs,
                         b->column_def_count) &&
           equal_partitions(a->partitioning, a->partitioning_count, b->partitioning,
                            b->partitioning_count) &&
           equal_partitions(a->partition, a->partition_count, b->partition, b->partition_count) &&
           nilas_tree__equal_options(a->properties, a->property_count, b->properties,
                                     b->property_count) &&
           nilas_tree__equal_options(a->options, a->option_count, b->options, b->option_count) &&
           nilas_tree__equal_options(a->write_options, a->write_option_count, b->write_options,
                                     b->write_option_count) &&
           equal_alterations(a, b) &&
           equal_assignments(a->assignments, a->assignment_count, b->assignments,
                             b->assignment_count) &&
           equal_merge_clauses(a, b) &&
           nilas_tree__equal_exprs(a->args, a->arg_count, b->args, b->arg_count) &&
           nilas_tree__equal_arg_names(a->arg_names, b->arg_names, a->arg_count) &&
           nilas_tree__equal_ctes(a->ctes, a->cte_count, b->ctes, b->cte_count);
}

static bool equal_expressions(const nilas_statement *a, const nilas_statement *b) {
    return nilas_tree__equal_query(a->query, b->query) &&
           nilas_tree__equal_query(a->source, b->source) &&
           nilas_tree__equal_expr(a->where, b->where) &&
           nilas_tree__equal_expr(a->replace_where, b->replace_where) &&
           nilas_tree__equal_expr(a->condition, b->condition) &&
           nilas_tree__equal_expr(a->expr, b->expr);
}

/* What only DataFrames say. */
static bool equal_choices(const nilas_statement *a, const nilas_statement *b) {
    return a->save_mode == b->save_mode && a->overwrite_mode == b->overwrite_mode &&
           a->catalog_function == b->catalog_function && a->or_append == b->or_append;
}

static bool equal_nested(const nilas_statement *a, const nilas_statement *b) {
    if ((a == NULL) != (b == NULL)) {
        return false;
    }
    return a == NULL || nilas_statement_equal(a, b);
}

bool nilas_statement_equal(const nilas_statement *a, const nilas_statement *b) {
    while (a != NULL && b != NULL) {
        if (a->kind != b->kind || a->explain_mode != b->explain_mode ||
            flags_of(a) != flags_of(b) || !equal_names(a, b) || !equal_texts(a, b) ||
            !equal_lists(a, b) || !equal_expressions(a, b) || !equal_choices(a, b) ||
            !equal_nested(a->statement, b->statement)) {
            return false;
        }
        if (a->kind == NILAS_STATEMENT_UNSUPPORTED && !nilas_str_equal(a->text, b->text)) {
            return false;
        }
        a = a->next;
        b = b->next;
    }
    return a == b;
}
