/** Statements as text. */
#include "tree/print.h"

// ---- pieces -------------------------------------------------------------------------------------

static void print_object(nilas_buf *out, const nilas_statement *s) {
    if (s->identifier != NULL) {
        nilas_expr_print(out, s->identifier);
    } else {
        nilas_tree__print_parts(out, s->parts, s->part_count);
    }
}

static void print_if(nilas_buf *out, bool present, const char *text) {
    nilas_buf_add_text(out, present ? text : "");
}

static void print_in_namespace(nilas_buf *out, const nilas_statement *s) {
    if (s->part_count > 0 || s->identifier != NULL) {
        nilas_buf_add_text(out, " IN ");
        print_object(out, s);
    }
}

static void print_pattern(nilas_buf *out, const nilas_statement *s) {
    if (s->has_pattern) {
        nilas_buf_add_text(out, " LIKE ");
        nilas_string_literal_print(out, s->pattern);
    }
}

void nilas_tree__print_partition_spec(nilas_buf *out, const nilas_partition_item *items,
                                      size_t count) {
    nilas_buf_add_text(out, "PARTITION (");
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_name(out, items[i].name);
        if (items[i].value != NULL) {
            nilas_buf_add_text(out, " = ");
            nilas_expr_print(out, items[i].value);
        }
    }
    nilas_buf_add_char(out, ')');
}

static void print_partition(nilas_buf *out, const nilas_statement *s) {
    if (s->partition_count > 0) {
        nilas_buf_add_char(out, ' ');
        nilas_tree__print_partition_spec(out, s->partition, s->partition_count);
    }
}

static void print_labelled(nilas_buf *out, bool present, const char *label, nilas_str text) {
    if (present) {
        nilas_buf_add_text(out, label);
        nilas_string_literal_print(out, text);
    }
}

static void print_labelled_options(nilas_buf *out, const char *label, const nilas_option *options,
                                   size_t count) {
    if (count > 0) {
        nilas_buf_add_text(out, label);
        nilas_tree__print_options(out, options, count);
    }
}

static void print_key_parts(nilas_buf *out, const nilas_statement *s) {
    for (size_t i = 0; i < s->key_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_parts(out, s->key_parts[i], s->key_part_counts[i]);
    }
}

void nilas_tree__print_column_def(nilas_buf *out, const nilas_column_def *column) {
    nilas_tree__print_parts(out, column->parts, column->part_count);
    if (column->type != NULL) {
        nilas_buf_add_char(out, ' ');
        nilas_type_print_sql(out, column->type);
    }
    print_if(out, column->not_null, " NOT NULL");
    if (column->generated != NULL) {
        nilas_buf_add_text(out, " GENERATED ALWAYS AS (");
        nilas_expr_print(out, column->generated);
        nilas_buf_add_char(out, ')');
    }
    if (column->default_value != NULL) {
        nilas_buf_add_text(out, " DEFAULT ");
        nilas_expr_print(out, column->default_value);
    }
    print_labelled(out, column->has_comment, " COMMENT ", column->comment);
    if (column->has_position && column->first) {
        nilas_buf_add_text(out, " FIRST");
    } else if (column->has_position) {
        nilas_buf_add_text(out, " AFTER ");
        nilas_tree__print_name(out, column->after);
    }
}

static void print_column_defs(nilas_buf *out, const nilas_statement *s) {
    if (s->column_def_count == 0) {
        return;
    }
    nilas_buf_add_text(out, " (");
    for (size_t i = 0; i < s->column_def_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_column_def(out, &s->column_defs[i]);
    }
    nilas_buf_add_char(out, ')');
}

void nilas_tree__print_assignments(nilas_buf *out, const nilas_assignment *assignments,
                                   size_t count) {
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_parts(out, assignments[i].parts, assignments[i].part_count);
        nilas_buf_add_text(out, " = ");
        nilas_expr_print(out, assignments[i].value);
    }
}

static void print_alias(nilas_buf *out, const nilas_statement *s) {
    if (s->has_alias) {
        nilas_buf_add_text(out, " AS ");
        nilas_tree__print_name(out, s->alias);
    }
}

static void print_where(nilas_buf *out, const nilas_statement *s) {
    if (s->where != NULL) {
        nilas_buf_add_text(out, " WHERE ");
        nilas_expr_print(out, s->where);
    }
}

static void print_as_query(nilas_buf *out, const nilas_statement *s) {
    if (s->query != NULL) {
        nilas_buf_add_text(out, " AS ");
        nilas_query_print(out, s->query);
    }
}

static void print_ctes(nilas_buf *out, const nilas_statement *s) {
    if (s->cte_count > 0) {
        nilas_tree__print_ctes(out, s->ctes, s->cte_count, s->recursive);
    }
}

/* NAME [IF EXISTS] object. */
static void print_named(nilas_buf *out, const nilas_statement *s, const char *words) {
    nilas_buf_add_text(out, words);
    print_if(out, s->if_exists, "IF EXISTS ");
    print_object(out, s);
}

// ---- queries and settings -----------------------------------------------------------------------

static void print_query(nilas_buf *out, const nilas_statement *s) {
    nilas_query_print(out, s->query);
}

static void print_explain(nilas_buf *out, const nilas_statement *s) {
    static const char *const modes[] = {
        [NILAS_EXPLAIN_SIMPLE] = "",
        [NILAS_EXPLAIN_EXTENDED] = "EXTENDED ",
        [NILAS_EXPLAIN_CODEGEN] = "CODEGEN ",
        [NILAS_EXPLAIN_COST] = "COST ",
        [NILAS_EXPLAIN_FORMATTED] = "FORMATTED ",
        [NILAS_EXPLAIN_LOGICAL] = "LOGICAL ",
    };
    nilas_buf_add_text(out, "EXPLAIN ");
    nilas_buf_add_text(out, modes[s->explain_mode]);
    nilas_statement_print(out, s->statement);
}

static void print_quoted(nilas_buf *out, nilas_str text) {
    nilas_name_print_quoted(out, &text, 1);
}

/* A key that the raw form cannot hold needs quotes; so does a value with a semicolon. */
static void print_set(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->extended ? "SET -v" : "SET");
    if (!s->has_key) {
        return;
    }
    nilas_buf_add_char(out, ' ');
    print_quoted(out, s->key);
    if (s->has_value) {
        bool raw = memchr(s->value.data, ';', s->value.size) == NULL &&
                   nilas_str_trim(s->value).size == s->value.size &&
                   (s->value.size == 0 || s->value.data[0] != '`');
        nilas_buf_add_text(out, " = ");
        if (raw) {
            nilas_buf_add(out, s->value);
        } else {
            print_quoted(out, s->value);
        }
    }
}

static void print_set_time_zone(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->local ? "SET TIME ZONE LOCAL" : "SET TIME ZONE ");
    if (s->expr != NULL) {
        nilas_expr_print(out, s->expr);
    } else {
        print_labelled(out, s->has_value, "", s->value);
    }
}

static void print_reset(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->has_key ? "RESET " : "RESET");
    if (s->has_key) {
        print_quoted(out, s->key);
    }
}

static void print_use(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, s->is_namespace ? "USE NAMESPACE " : "USE ");
}

static void print_set_catalog(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "SET CATALOG ");
}

static void print_set_variable(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, "SET VARIABLE ");
    if (s->query == NULL) {
        nilas_tree__print_assignments(out, s->assignments, s->assignment_count);
        return;
    }
    nilas_buf_add_char(out, '(');
    print_key_parts(out, s);
    nilas_buf_add_text(out, ") = (");
    nilas_query_print(out, s->query);
    nilas_buf_add_char(out, ')');
}

static void print_declare(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->or_replace ? "DECLARE OR REPLACE VARIABLE " : "DECLARE VARIABLE ");
    print_object(out, s);
    print_if(out, s->key_count > 0, ", ");
    print_key_parts(out, s);
    if (s->column_defs->type != NULL) {
        nilas_buf_add_char(out, ' ');
        nilas_type_print_sql(out, s->column_defs->type);
    }
    if (s->expr != NULL) {
        nilas_buf_add_text(out, " DEFAULT ");
        nilas_expr_print(out, s->expr);
    }
}

static void print_drop_variable(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "DROP TEMPORARY VARIABLE ");
}

static void print_execute(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, "EXECUTE IMMEDIATE ");
    nilas_expr_print(out, s->expr);
    print_if(out, s->key_count > 0, " INTO ");
    print_key_parts(out, s);
    if (s->arg_count > 0) {
        nilas_buf_add_text(out, " USING ");
        nilas_tree__print_exprs(out, s->args, s->arg_count);
    }
}

// ---- SHOW and DESCRIBE --------------------------------------------------------------------------

static void print_show(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, nilas_statement_name(s->kind));
    print_in_namespace(out, s);
    print_pattern(out, s);
    print_partition(out, s);
}

static void print_show_functions(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, "SHOW ");
    nilas_buf_add(out, s->value);
    nilas_buf_add_text(out, s->has_value ? " FUNCTIONS" : "FUNCTIONS");
    print_in_namespace(out, s);
    print_pattern(out, s);
}

static void print_show_properties(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "SHOW TBLPROPERTIES ");
    if (s->has_key) {
        print_labelled(out, true, " (", s->key);
        nilas_buf_add_char(out, ')');
    }
}

static void print_show_create(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "SHOW CREATE TABLE ");
    print_if(out, s->as_serde, " AS SERDE");
}

static void print_show_columns(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "SHOW COLUMNS IN ");
    if (s->namespace_part_count > 0) {
        nilas_buf_add_text(out, " IN ");
        nilas_tree__print_parts(out, s->namespace_parts, s->namespace_part_count);
    }
}

static void print_show_partitions(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "SHOW PARTITIONS ");
    print_partition(out, s);
}

static void print_describe_table(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, "DESCRIBE TABLE ");
    print_if(out, s->extended, "EXTENDED ");
    print_if(out, s->formatted, "FORMATTED ");
    print_object(out, s);
    print_partition(out, s);
    if (s->column_count > 0) {
        nilas_buf_add_char(out, ' ');
        nilas_tree__print_parts(out, s->columns, s->column_count);
    }
    print_if(out, s->as_json, " AS JSON");
}

static void print_describe_namespace(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, s->extended ? "DESCRIBE NAMESPACE EXTENDED " : "DESCRIBE NAMESPACE ");
}

static void print_describe_function(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->extended ? "DESCRIBE FUNCTION EXTENDED " : "DESCRIBE FUNCTION ");
    if (s->part_count == 1) {
        nilas_string_literal_print(out, s->parts[0]);
    } else {
        print_object(out, s);
    }
}

static void print_describe_query(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, "DESCRIBE QUERY ");
    nilas_query_print(out, s->query);
}

// ---- CREATE and DROP ----------------------------------------------------------------------------

static void print_partitioning(nilas_buf *out, const nilas_statement *s) {
    if (s->partitioning_count == 0) {
        return;
    }
    nilas_buf_add_text(out, " PARTITIONED BY (");
    for (size_t i = 0; i < s->partitioning_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (s->partitioning[i].column != NULL) {
            nilas_tree__print_column_def(out, s->partitioning[i].column);
        } else {
            nilas_expr_print(out, s->partitioning[i].transform);
        }
    }
    nilas_buf_add_char(out, ')');
}

static void print_collation(nilas_buf *out, bool present, nilas_str name) {
    if (present) {
        nilas_buf_add_text(out, " DEFAULT COLLATION ");
        nilas_tree__print_name(out, name);
    }
}

static void print_provider(nilas_buf *out, const nilas_statement *s) {
    if (s->provider.size > 0) {
        nilas_buf_add_text(out, " USING ");
        nilas_tree__print_name(out, s->provider);
    }
}

static void print_create_table(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->replace_only ? "REPLACE " : "CREATE ");
    print_if(out, s->or_replace, "OR REPLACE ");
    print_if(out, s->external, "EXTERNAL ");
    nilas_buf_add_text(out, "TABLE ");
    print_if(out, s->if_not_exists, "IF NOT EXISTS ");
    print_object(out, s);
    if (s->like_part_count > 0) {
        nilas_buf_add_text(out, " LIKE ");
        nilas_tree__print_parts(out, s->like_parts, s->like_part_count);
    }
    print_column_defs(out, s);
    print_provider(out, s);
    print_labelled_options(out, " OPTIONS ", s->options, s->option_count);
    print_partitioning(out, s);
    if (s->key_count > 0) {
        nilas_buf_add_text(out, " CLUSTER BY (");
        print_key_parts(out, s);
        nilas_buf_add_char(out, ')');
    }
    print_if(out, s->row_format.size > 0, " ");
    nilas_buf_add(out, s->row_format);
    print_labelled(out, s->has_location, " LOCATION ", s->location);
    print_labelled(out, s->has_comment, " COMMENT ", s->comment);
    print_collation(out, s->has_value, s->value);
    print_labelled_options(out, " TBLPROPERTIES ", s->properties, s->property_count);
    print_as_query(out, s);
}

static void print_create_view(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->or_replace ? "CREATE OR REPLACE " : "CREATE ");
    print_if(out, s->global, "GLOBAL ");
    print_if(out, s->temporary, "TEMPORARY ");
    nilas_buf_add_text(out, "VIEW ");
    print_if(out, s->if_not_exists, "IF NOT EXISTS ");
    print_object(out, s);
    print_column_defs(out, s);
    print_labelled(out, s->has_comment, " COMMENT ", s->comment);
    if (s->has_value) {
        nilas_buf_add_text(out, " WITH SCHEMA ");
        nilas_buf_add(out, s->value);
    }
    print_collation(out, s->key.size > 0, s->key);
    print_labelled_options(out, " TBLPROPERTIES ", s->properties, s->property_count);
    print_as_query(out, s);
}

static void print_view_using(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->or_replace ? "CREATE OR REPLACE " : "CREATE ");
    nilas_buf_add_text(out, s->global ? "GLOBAL TEMPORARY VIEW " : "TEMPORARY VIEW ");
    print_object(out, s);
    print_column_defs(out, s);
    print_provider(out, s);
    print_labelled_options(out, " OPTIONS ", s->properties, s->property_count);
}

static void print_create_namespace(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, "CREATE NAMESPACE ");
    print_if(out, s->if_not_exists, "IF NOT EXISTS ");
    print_object(out, s);
    print_labelled(out, s->has_comment, " COMMENT ", s->comment);
    print_labelled(out, s->has_location, " LOCATION ", s->location);
    print_collation(out, s->has_value, s->value);
    print_labelled_options(out, " WITH PROPERTIES ", s->properties, s->property_count);
}

static void print_drop(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, nilas_statement_name(s->kind));
    nilas_buf_add_char(out, ' ');
    print_named(out, s, "");
    print_if(out, s->purge, " PURGE");
    print_if(out, s->cascade, " CASCADE");
}

// ---- what only DataFrames have: text for people, which no grammar reads back --------------------

static void print_save_files(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, "SAVE AS ");
    nilas_tree__print_name(out, s->provider);
    nilas_buf_add_text(out, " INTO ");
    nilas_string_literal_print(out, s->location);
    nilas_buf_add_char(out, ' ');
    nilas_query_print(out, s->query);
}

static void print_catalog_function(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, "spark.catalog(");
    nilas_tree__print_parts(out, s->parts, s->part_count);
    nilas_buf_add_char(out, ')');
}

// ---- ALTER --------------------------------------------------------------------------------------

static void print_alter(nilas_buf *out, const nilas_statement *s) {
    static const char *const words[] = {"ALTER TABLE ", "ALTER VIEW ", "ALTER NAMESPACE "};
    size_t word = s->kind == NILAS_STATEMENT_ALTER_NAMESPACE ? 2 : (s->is_view ? 1 : 0);
    print_named(out, s, words[word]);
    print_partition(out, s);
    for (size_t i = 0; i < s->alteration_count; i++) {
        const nilas_alteration *a = &s->alterations[i];
        bool properties =
            a->kind == NILAS_ALTER_SET_PROPERTIES || a->kind == NILAS_ALTER_UNSET_PROPERTIES;
        nilas_buf_add_char(out, ' ');
        if (word == 2 && properties) {
            bool set = a->kind == NILAS_ALTER_SET_PROPERTIES;
            nilas_buf_add_text(out, set ? "SET PROPERTIES " : "UNSET PROPERTIES ");
            nilas_tree__print_options(out, a->properties, a->property_count);
        } else {
            nilas_tree__print_alteration(out, a);
        }
    }
    print_if(out, s->purge, " PURGE");
    print_if(out, s->cascade, " CASCADE");
}

static void print_rename(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, s->is_view ? "ALTER VIEW " : "ALTER TABLE ");
    nilas_buf_add_text(out, " RENAME TO ");
    nilas_tree__print_parts(out, s->new_parts, s->new_part_count);
}

// ---- tables and their rows ----------------------------------------------------------------------

static void print_cache(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, s->lazy ? "CACHE LAZY TABLE " : "CACHE TABLE ");
    print_labelled_options(out, " OPTIONS ", s->options, s->option_count);
    print_as_query(out, s);
}

static void print_uncache(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "UNCACHE TABLE ");
}

static void print_words(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, nilas_statement_name(s->kind));
}

static void print_refresh(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "REFRESH TABLE ");
}

static void print_truncate(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "TRUNCATE TABLE ");
    print_partition(out, s);
}

static void print_analyze(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->is_namespace ? "ANALYZE TABLES" : "ANALYZE TABLE ");
    if (s->is_namespace) {
        print_in_namespace(out, s);
    } else {
        print_object(out, s);
    }
    print_partition(out, s);
    nilas_buf_add_text(out, " COMPUTE STATISTICS");
    if (s->column_count > 0) {
        nilas_buf_add_text(out, " FOR COLUMNS ");
        for (size_t i = 0; i < s->column_count; i++) {
            nilas_buf_add_text(out, i > 0 ? ", " : "");
            nilas_tree__print_name(out, s->columns[i]);
        }
    }
    print_if(out, s->not_columns, " FOR ALL COLUMNS");
    print_if(out, s->has_value, " ");
    nilas_buf_add(out, s->value);
}

static void print_call(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, "CALL ");
    nilas_buf_add_char(out, '(');
    nilas_tree__print_args(out, s->args, s->arg_names, s->arg_count);
    nilas_buf_add_char(out, ')');
}

static void print_comment(nilas_buf *out, const nilas_statement *s) {
    print_named(out, s, s->is_namespace ? "COMMENT ON NAMESPACE " : "COMMENT ON TABLE ");
    nilas_buf_add_text(out, s->has_value ? " IS " : " IS NULL");
    print_labelled(out, s->has_value, "", s->value);
}

static void print_insert_into(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add_text(out, s->overwrite ? "INSERT OVERWRITE TABLE " : "INSERT INTO TABLE ");
    print_object(out, s);
    print_labelled_options(out, " WITH ", s->options, s->option_count);
    print_partition(out, s);
    print_if(out, s->if_not_exists, " IF NOT EXISTS");
    if (s->replace_where != NULL) {
        nilas_buf_add_text(out, " REPLACE WHERE ");
        nilas_expr_print(out, s->replace_where);
    }
    print_if(out, s->by_name, " BY NAME");
    if (s->column_count > 0) {
        nilas_buf_add_char(out, ' ');
        nilas_tree__print_name_list(out, s->columns, s->column_count);
    }
    nilas_buf_add_char(out, ' ');
}

/* The SELECT below ORDER BY and LIMIT: its FROM is what the branches share. */
static const nilas_query *shared_from(const nilas_query *query) {
    while (query->kind == NILAS_QUERY_SORT || query->kind == NILAS_QUERY_LIMIT) {
        query = query->input;
    }
    return nilas_tree__branch_root(query->input);
}

static void print_insert(nilas_buf *out, const nilas_statement *s) {
    if (s->next == NULL && s->cte_count == 0) {
        print_insert_into(out, s);
        nilas_query_print(out, s->query);
        return;
    }
    print_ctes(out, s);
    nilas_buf_add_text(out, "FROM ");
    nilas_tree__print_relation(out, shared_from(s->query));
    for (; s != NULL; s = s->next) {
        nilas_buf_add_char(out, ' ');
        print_insert_into(out, s);
        nilas_tree__print_branch(out, s->query);
    }
}

static void print_delete(nilas_buf *out, const nilas_statement *s) {
    print_ctes(out, s);
    print_named(out, s, "DELETE FROM ");
    print_alias(out, s);
    print_where(out, s);
}

static void print_update(nilas_buf *out, const nilas_statement *s) {
    print_ctes(out, s);
    print_named(out, s, "UPDATE ");
    print_alias(out, s);
    nilas_buf_add_text(out, " SET ");
    nilas_tree__print_assignments(out, s->assignments, s->assignment_count);
    print_where(out, s);
}

static void print_merge_values(nilas_buf *out, const nilas_merge_clause *clause) {
    nilas_buf_add_text(out, "INSERT (");
    for (size_t i = 0; i < clause->assignment_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_parts(out, clause->assignments[i].parts,
                                clause->assignments[i].part_count);
    }
    nilas_buf_add_text(out, ") VALUES (");
    for (size_t i = 0; i < clause->assignment_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_expr_print(out, clause->assignments[i].value);
    }
    nilas_buf_add_char(out, ')');
}

static void print_merge_clause(nilas_buf *out, const nilas_merge_clause *clause) {
    static const char *const matches[] = {
        [NILAS_MERGE_MATCHED] = " WHEN MATCHED",
        [NILAS_MERGE_NOT_MATCHED] = " WHEN NOT MATCHED",
        [NILAS_MERGE_NOT_MATCHED_BY_SOURCE] = " WHEN NOT MATCHED BY SOURCE",
    };
    nilas_buf_add_text(out, matches[clause->match]);
    if (clause->condition != NULL) {
        nilas_buf_add_text(out, " AND ");
        nilas_expr_print(out, clause->condition);
    }
    nilas_buf_add_text(out, " THEN ");
    switch (clause->action) {
    case NILAS_MERGE_DELETE: nilas_buf_add_text(out, "DELETE"); break;
    case NILAS_MERGE_UPDATE_STAR: nilas_buf_add_text(out, "UPDATE SET *"); break;
    case NILAS_MERGE_INSERT_STAR: nilas_buf_add_text(out, "INSERT *"); break;
    case NILAS_MERGE_INSERT: print_merge_values(out, clause); break;
    default:
        nilas_buf_add_text(out, "UPDATE SET ");
        nilas_tree__print_assignments(out, clause->assignments, clause->assignment_count);
        break;
    }
}

static void print_merge(nilas_buf *out, const nilas_statement *s) {
    print_ctes(out, s);
    print_named(out, s,
                s->with_schema_evolution ? "MERGE WITH SCHEMA EVOLUTION INTO " : "MERGE INTO ");
    print_alias(out, s);
    nilas_buf_add_text(out, " USING ");
    nilas_tree__print_relation(out, s->source);
    nilas_buf_add_text(out, " ON ");
    nilas_expr_print(out, s->condition);
    for (size_t i = 0; i < s->merge_clause_count; i++) {
        print_merge_clause(out, &s->merge_clauses[i]);
    }
}

static void print_text(nilas_buf *out, const nilas_statement *s) {
    nilas_buf_add(out, s->text);
}

static void (*const printers[])(nilas_buf *out, const nilas_statement *s) = {
    [NILAS_STATEMENT_QUERY] = print_query,
    [NILAS_STATEMENT_EXPLAIN] = print_explain,
    [NILAS_STATEMENT_SET] = print_set,
    [NILAS_STATEMENT_SET_TIME_ZONE] = print_set_time_zone,
    [NILAS_STATEMENT_RESET] = print_reset,
    [NILAS_STATEMENT_USE] = print_use,
    [NILAS_STATEMENT_SET_CATALOG] = print_set_catalog,
    [NILAS_STATEMENT_SHOW_NAMESPACES] = print_show,
    [NILAS_STATEMENT_SHOW_CATALOGS] = print_show,
    [NILAS_STATEMENT_SHOW_TABLES] = print_show,
    [NILAS_STATEMENT_SHOW_TABLE_EXTENDED] = print_show,
    [NILAS_STATEMENT_SHOW_VIEWS] = print_show,
    [NILAS_STATEMENT_SHOW_TBLPROPERTIES] = print_show_properties,
    [NILAS_STATEMENT_SHOW_CREATE_TABLE] = print_show_create,
    [NILAS_STATEMENT_SHOW_COLUMNS] = print_show_columns,
    [NILAS_STATEMENT_SHOW_PARTITIONS] = print_show_partitions,
    [NILAS_STATEMENT_SHOW_FUNCTIONS] = print_show_functions,
    [NILAS_STATEMENT_SHOW_CURRENT_NAMESPACE] = print_words,
    [NILAS_STATEMENT_DESCRIBE_TABLE] = print_describe_table,
    [NILAS_STATEMENT_DESCRIBE_NAMESPACE] = print_describe_namespace,
    [NILAS_STATEMENT_DESCRIBE_FUNCTION] = print_describe_function,
    [NILAS_STATEMENT_DESCRIBE_QUERY] = print_describe_query,
    [NILAS_STATEMENT_CREATE_VIEW] = print_create_view,
    [NILAS_STATEMENT_CREATE_TEMP_VIEW_USING] = print_view_using,
    [NILAS_STATEMENT_DROP_VIEW] = print_drop,
    [NILAS_STATEMENT_ALTER_VIEW] = print_alter,
    [NILAS_STATEMENT_CACHE_TABLE] = print_cache,
    [NILAS_STATEMENT_UNCACHE_TABLE] = print_uncache,
    [NILAS_STATEMENT_CLEAR_CACHE] = print_words,
    [NILAS_STATEMENT_REFRESH_TABLE] = print_refresh,
    [NILAS_STATEMENT_ANALYZE_TABLE] = print_analyze,
    [NILAS_STATEMENT_CREATE_TABLE] = print_create_table,
    [NILAS_STATEMENT_DROP_TABLE] = print_drop,
    [NILAS_STATEMENT_TRUNCATE_TABLE] = print_truncate,
    [NILAS_STATEMENT_ALTER_TABLE] = print_alter,
    [NILAS_STATEMENT_RENAME_TABLE] = print_rename,
    [NILAS_STATEMENT_CREATE_NAMESPACE] = print_create_namespace,
    [NILAS_STATEMENT_DROP_NAMESPACE] = print_drop,
    [NILAS_STATEMENT_ALTER_NAMESPACE] = print_alter,
    [NILAS_STATEMENT_INSERT] = print_insert,
    [NILAS_STATEMENT_DELETE] = print_delete,
    [NILAS_STATEMENT_UPDATE] = print_update,
    [NILAS_STATEMENT_MERGE] = print_merge,
    [NILAS_STATEMENT_CALL] = print_call,
    [NILAS_STATEMENT_COMMENT_ON] = print_comment,
    [NILAS_STATEMENT_DECLARE_VARIABLE] = print_declare,
    [NILAS_STATEMENT_SET_VARIABLE] = print_set_variable,
    [NILAS_STATEMENT_DROP_VARIABLE] = print_drop_variable,
    [NILAS_STATEMENT_EXECUTE_IMMEDIATE] = print_execute,
    [NILAS_STATEMENT_SAVE_FILES] = print_save_files,
    [NILAS_STATEMENT_CATALOG] = print_catalog_function,
    [NILAS_STATEMENT_UNSUPPORTED] = print_text,
};

void nilas_statement_print(nilas_buf *out, const nilas_statement *statement) {
    nilas_assert((size_t)statement->kind < sizeof(printers) / sizeof(printers[0]));
    printers[statement->kind](out, statement);
}
