/** The actions of ALTER TABLE, VIEW and NAMESPACE as text. */
#include "tree/print.h"

static void print_column(nilas_buf *out, const nilas_alteration *a) {
    nilas_tree__print_parts(out, a->columns->parts, a->columns->part_count);
}

static void print_add_columns(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out,
                       a->kind == NILAS_ALTER_ADD_COLUMNS ? "ADD COLUMNS (" : "REPLACE COLUMNS (");
    for (size_t i = 0; i < a->column_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_column_def(out, &a->columns[i]);
    }
    nilas_buf_add_char(out, ')');
}

static void print_drop_columns(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, a->if_exists ? "DROP COLUMNS IF EXISTS (" : "DROP COLUMNS (");
    for (size_t i = 0; i < a->column_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_parts(out, a->columns[i].parts, a->columns[i].part_count);
    }
    nilas_buf_add_char(out, ')');
}

static void print_rename_column(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, "RENAME COLUMN ");
    print_column(out, a);
    nilas_buf_add_text(out, " TO ");
    nilas_tree__print_name(out, a->new_name);
}

static void print_comment(nilas_buf *out, const nilas_column_def *column) {
    if (column->has_comment) {
        nilas_buf_add_text(out, " COMMENT ");
        nilas_string_literal_print(out, column->comment);
    }
}

static void print_position(nilas_buf *out, const nilas_column_def *column) {
    if (column->has_position && column->first) {
        nilas_buf_add_text(out, " FIRST");
    } else if (column->has_position) {
        nilas_buf_add_text(out, " AFTER ");
        nilas_tree__print_name(out, column->after);
    }
}

static void print_change(nilas_buf *out, const nilas_column_def *column, int change) {
    nilas_tree__print_parts(out, column->parts, column->part_count);
    switch (change) {
    case NILAS_CHANGE_TYPE:
        nilas_buf_add_text(out, " TYPE ");
        nilas_type_print_sql(out, column->type);
        break;
    case NILAS_CHANGE_COMMENT: print_comment(out, column); break;
    case NILAS_CHANGE_POSITION: print_position(out, column); break;
    case NILAS_CHANGE_SET_NOT_NULL: nilas_buf_add_text(out, " SET NOT NULL"); break;
    case NILAS_CHANGE_DROP_NOT_NULL: nilas_buf_add_text(out, " DROP NOT NULL"); break;
    case NILAS_CHANGE_DROP_DEFAULT: nilas_buf_add_text(out, " DROP DEFAULT"); break;
    default:
        nilas_buf_add_text(out, " SET DEFAULT ");
        nilas_expr_print(out, column->default_value);
        break;
    }
}

/* Hive's form is the only one that changes several things of one column. */
static bool is_hive_change(const nilas_alteration *a) {
    int change = a->changes[0];
    return a->column_count == 1 && (change & (change - 1)) != 0;
}

static void print_alter_column(nilas_buf *out, const nilas_alteration *a) {
    if (is_hive_change(a)) {
        nilas_buf_add_text(out, "CHANGE COLUMN ");
        print_column(out, a);
        nilas_buf_add_char(out, ' ');
        nilas_tree__print_name(out, a->columns->parts[a->columns->part_count - 1]);
        nilas_buf_add_char(out, ' ');
        nilas_type_print_sql(out, a->columns->type);
        print_comment(out, a->columns);
        print_position(out, a->columns);
        return;
    }
    nilas_buf_add_text(out, "ALTER COLUMN ");
    for (size_t i = 0; i < a->column_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        print_change(out, &a->columns[i], a->changes[i]);
    }
}

static void print_properties(nilas_buf *out, const nilas_alteration *a) {
    bool set = a->kind == NILAS_ALTER_SET_PROPERTIES;
    nilas_buf_add_text(out, set ? "SET TBLPROPERTIES " : "UNSET TBLPROPERTIES ");
    nilas_buf_add_text(out, a->if_exists ? "IF EXISTS " : "");
    nilas_tree__print_options(out, a->properties, a->property_count);
}

static void print_location(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, "SET LOCATION ");
    nilas_string_literal_print(out, a->location);
}

static void print_field(nilas_buf *out, const nilas_alteration *a) {
    static const char *const words[] = {
        [NILAS_ALTER_ADD_PARTITION_FIELD] = "ADD",
        [NILAS_ALTER_DROP_PARTITION_FIELD] = "DROP",
        [NILAS_ALTER_REPLACE_PARTITION_FIELD] = "REPLACE",
    };
    nilas_buf_print(out, "%s PARTITION FIELD ", words[a->kind]);
    nilas_expr_print(out, a->transform);
    if (a->new_transform != NULL) {
        nilas_buf_add_text(out, " WITH ");
        nilas_expr_print(out, a->new_transform);
    }
    if (a->has_field_name) {
        nilas_buf_add_text(out, " AS ");
        nilas_tree__print_name(out, a->field_name);
    }
}

static void print_write_order(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, "WRITE");
    nilas_buf_add_text(out, a->distributed_by_partition ? " DISTRIBUTED BY PARTITION" : "");
    nilas_buf_add_text(out, a->locally ? " LOCALLY" : "");
    if (a->order_by_count > 0) {
        nilas_buf_add_text(out, " ORDERED BY ");
        nilas_tree__print_exprs(out, a->order_by, a->order_by_count);
    }
    nilas_buf_add_text(out, a->unordered ? " UNORDERED" : "");
}

static void print_fields(nilas_buf *out, const nilas_alteration *a) {
    for (size_t i = 0; i < a->field_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_parts(out, a->field_parts[i], a->field_part_counts[i]);
    }
}

static void print_identifier_fields(nilas_buf *out, const nilas_alteration *a) {
    bool set = a->kind == NILAS_ALTER_SET_IDENTIFIER_FIELDS;
    nilas_buf_add_text(out, set ? "SET IDENTIFIER FIELDS " : "DROP IDENTIFIER FIELDS ");
    print_fields(out, a);
}

static void print_cluster_by(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, a->field_count > 0 ? "CLUSTER BY (" : "CLUSTER BY NONE");
    print_fields(out, a);
    nilas_buf_add_text(out, a->field_count > 0 ? ")" : "");
}

static void print_ref_options(nilas_buf *out, const nilas_ref_clause *ref) {
    if (ref->has_snapshot) {
        nilas_buf_print(out, " AS OF VERSION %lld", (long long)ref->snapshot_id);
    }
    if (ref->has_retain) {
        nilas_buf_print(out, " RETAIN %lld MINUTES", (long long)(ref->retain_ms / 60000));
    }
    if (ref->has_snapshot_retention) {
        nilas_buf_add_text(out, " WITH SNAPSHOT RETENTION");
    }
    if (ref->has_min_snapshots) {
        nilas_buf_print(out, " %lld SNAPSHOTS", (long long)ref->min_snapshots);
    }
    if (ref->has_max_age) {
        nilas_buf_print(out, " %lld MINUTES", (long long)(ref->max_age_ms / 60000));
    }
}

static void print_ref(nilas_buf *out, const nilas_alteration *a) {
    const nilas_ref_clause *ref = &a->ref;
    const char *verb =
        ref->replace_only ? "REPLACE" : (ref->or_replace ? "CREATE OR REPLACE" : "CREATE");
    nilas_buf_add_text(out, a->kind == NILAS_ALTER_DROP_REF ? "DROP" : verb);
    nilas_buf_add_text(out, ref->is_tag ? " TAG " : " BRANCH ");
    nilas_buf_add_text(out, ref->if_not_exists ? "IF NOT EXISTS " : "");
    nilas_buf_add_text(out, ref->if_exists ? "IF EXISTS " : "");
    nilas_tree__print_name(out, ref->name);
    print_ref_options(out, ref);
}

static void print_partitions(nilas_buf *out, const nilas_alteration *a) {
    const char *gap = a->kind == NILAS_ALTER_ADD_PARTITION ? " " : ", ";
    for (size_t i = 0; i < a->partition_count; i++) {
        nilas_buf_add_text(out, i > 0 ? gap : "");
        nilas_tree__print_partition_spec(out, a->partitions[i], a->partition_item_counts[i]);
    }
}

static void print_add_partition(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, a->if_not_exists ? "ADD IF NOT EXISTS " : "ADD ");
    print_partitions(out, a);
    if (a->location.size > 0) {
        nilas_buf_add_text(out, " LOCATION ");
        nilas_string_literal_print(out, a->location);
    }
}

static void print_drop_partition(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, a->if_exists ? "DROP IF EXISTS " : "DROP ");
    print_partitions(out, a);
}

static void print_rename_partition(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, "RENAME TO ");
    print_partitions(out, a);
}

static void print_recover(nilas_buf *out, const nilas_alteration *a) {
    (void)a;
    nilas_buf_add_text(out, "RECOVER PARTITIONS");
}

static void print_text(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, a->kind == NILAS_ALTER_SET_SERDE ? "SET " : "");
    nilas_buf_add(out, a->text);
}

static void print_drop_constraint(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, a->if_exists ? "DROP CONSTRAINT IF EXISTS " : "DROP CONSTRAINT ");
    nilas_tree__print_name(out, a->new_name);
}

static void print_collation(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, "DEFAULT COLLATION ");
    nilas_tree__print_name(out, a->text);
}

static void print_view_query(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, "AS ");
    nilas_query_print(out, a->query);
}

static void print_binding(nilas_buf *out, const nilas_alteration *a) {
    nilas_buf_add_text(out, "WITH SCHEMA ");
    nilas_buf_add(out, a->text);
}

static void (*const printers[])(nilas_buf *out, const nilas_alteration *a) = {
    [NILAS_ALTER_ADD_COLUMNS] = print_add_columns,
    [NILAS_ALTER_DROP_COLUMNS] = print_drop_columns,
    [NILAS_ALTER_RENAME_COLUMN] = print_rename_column,
    [NILAS_ALTER_COLUMN] = print_alter_column,
    [NILAS_ALTER_REPLACE_COLUMNS] = print_add_columns,
    [NILAS_ALTER_SET_PROPERTIES] = print_properties,
    [NILAS_ALTER_UNSET_PROPERTIES] = print_properties,
    [NILAS_ALTER_SET_LOCATION] = print_location,
    [NILAS_ALTER_ADD_PARTITION_FIELD] = print_field,
    [NILAS_ALTER_DROP_PARTITION_FIELD] = print_field,
    [NILAS_ALTER_REPLACE_PARTITION_FIELD] = print_field,
    [NILAS_ALTER_WRITE_ORDER] = print_write_order,
    [NILAS_ALTER_SET_IDENTIFIER_FIELDS] = print_identifier_fields,
    [NILAS_ALTER_DROP_IDENTIFIER_FIELDS] = print_identifier_fields,
    [NILAS_ALTER_CREATE_REF] = print_ref,
    [NILAS_ALTER_DROP_REF] = print_ref,
    [NILAS_ALTER_ADD_PARTITION] = print_add_partition,
    [NILAS_ALTER_DROP_PARTITION] = print_drop_partition,
    [NILAS_ALTER_RENAME_PARTITION] = print_rename_partition,
    [NILAS_ALTER_RECOVER_PARTITIONS] = print_recover,
    [NILAS_ALTER_CLUSTER_BY] = print_cluster_by,
    [NILAS_ALTER_ADD_CONSTRAINT] = print_text,
    [NILAS_ALTER_DROP_CONSTRAINT] = print_drop_constraint,
    [NILAS_ALTER_COLLATION] = print_collation,
    [NILAS_ALTER_SET_SERDE] = print_text,
    [NILAS_ALTER_VIEW_QUERY] = print_view_query,
    [NILAS_ALTER_VIEW_SCHEMA_BINDING] = print_binding,
};

void nilas_tree__print_alteration(nilas_buf *out, const nilas_alteration *alteration) {
    nilas_assert((size_t)alteration->kind < sizeof(printers) / sizeof(printers[0]));
    printers[alteration->kind](out, alteration);
}
