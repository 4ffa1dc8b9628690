/** ALTER TABLE, VIEW and NAMESPACE: a statement with one alteration. Iceberg's own clauses are
 *  in alter_iceberg.c. */
#include "sql/statement.h"

typedef nilas_code (*action_parser)(nilas_sql__parser *p, nilas_statement *alter,
                                    nilas_alteration *a);

// ---- columns ------------------------------------------------------------------------------------

/* COLUMN | COLUMNS. */
static bool accept_columns_word(nilas_sql__parser *p) {
    return nilas_sql__accept(p, NILAS_KW_COLUMN) || nilas_sql__accept(p, NILAS_KW_COLUMNS);
}

static nilas_code add_columns(nilas_sql__parser *p, nilas_alteration *a) {
    a->kind = NILAS_ALTER_ADD_COLUMNS;
    bool parentheses = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
    NILAS_TRY(nilas_sql__column_defs_with_position(p, &a->columns, &a->column_count));
    return parentheses ? nilas_sql__expect(p, TOKEN_RIGHT_PAREN) : NILAS_OK;
}

static nilas_code drop_columns(nilas_sql__parser *p, nilas_alteration *a) {
    NILAS_ARRAY_OF(nilas_column_def) columns = {0};
    a->kind = NILAS_ALTER_DROP_COLUMNS;
    NILAS_TRY(nilas_sql__if_exists(p, &a->if_exists));
    bool parentheses = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
    do {
        nilas_column_def column = {.offset = nilas_sql__offset(p)};
        NILAS_TRY(nilas_sql__name(p, &column.parts, &column.part_count));
        NILAS_PUSH(p->stmt, &columns, column, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    a->columns = columns.items;
    a->column_count = columns.count;
    return parentheses ? nilas_sql__expect(p, TOKEN_RIGHT_PAREN) : NILAS_OK;
}

static nilas_code one_column(nilas_sql__parser *p, nilas_alteration *a) {
    NILAS_NEW(p->stmt, &a->columns, p->err);
    a->column_count = 1;
    a->columns->offset = nilas_sql__offset(p);
    return nilas_sql__name(p, &a->columns->parts, &a->columns->part_count);
}

static nilas_code rename_column(nilas_sql__parser *p, nilas_alteration *a) {
    a->kind = NILAS_ALTER_RENAME_COLUMN;
    NILAS_TRY(one_column(p, a));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TO));
    a->has_new_name = true;
    return nilas_sql__captured_identifier(p, &a->new_name);
}

static nilas_code set_or_drop(nilas_sql__parser *p, nilas_column_def *column, int *change) {
    bool set = nilas_sql__at(p, NILAS_KW_SET);
    p->position++;
    if (nilas_sql__accept_not(p)) {
        *change = set ? NILAS_CHANGE_SET_NOT_NULL : NILAS_CHANGE_DROP_NOT_NULL;
        return nilas_sql__expect(p, NILAS_KW_NULL);
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_DEFAULT));
    *change = set ? NILAS_CHANGE_SET_DEFAULT : NILAS_CHANGE_DROP_DEFAULT;
    return set ? nilas_sql__expression(p, &column->default_value) : NILAS_OK;
}

/* One of TYPE t, COMMENT '…', FIRST, AFTER c, SET|DROP NOT NULL, SET|DROP DEFAULT; *change 0
 * when there is none. */
static nilas_code column_action(nilas_sql__parser *p, nilas_column_def *column, int *change) {
    bool taken;
    *change = 0;
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_TYPE:
        p->position++;
        *change = NILAS_CHANGE_TYPE;
        return nilas_sql__type(p, &column->type);
    case NILAS_KW_COMMENT:
        p->position++;
        *change = NILAS_CHANGE_COMMENT;
        column->has_comment = true;
        return nilas_sql__string(p, &column->comment);
    case NILAS_KW_FIRST:
    case NILAS_KW_AFTER:
        *change = NILAS_CHANGE_POSITION;
        return nilas_sql__column_position(p, column, &taken);
    case NILAS_KW_SET:
    case NILAS_KW_DROP: return set_or_drop(p, column, change);
    default: return NILAS_OK;
    }
}

/* CHANGE [COLUMN] a a INT COMMENT '…' FIRST: Hive's form, which can change type, comment and
 * position. */
static nilas_code hive_change(nilas_sql__parser *p, nilas_alteration *a) {
    nilas_column_def *column = a->columns;
    nilas_str name;
    bool taken;
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__captured_identifier(p, &name));
    if (!nilas_str_equal_nocase(name, column->parts[column->part_count - 1])) {
        nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0034",
                          "Renaming column is not supported in Hive-style ALTER COLUMN, please run "
                          "RENAME COLUMN instead.");
    }
    NILAS_TRY(nilas_sql__type(p, &column->type));
    NILAS_NEW(p->stmt, &a->changes, p->err);
    a->changes[0] = NILAS_CHANGE_TYPE;
    if (nilas_sql__accept_not(p)) {
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_NULL));
        nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0034",
                          "NOT NULL is not supported in Hive-style ALTER COLUMN, please run ALTER "
                          "COLUMN ... SET/DROP NOT NULL instead.");
    }
    if (nilas_sql__accept(p, NILAS_KW_COMMENT)) {
        column->has_comment = true;
        a->changes[0] |= NILAS_CHANGE_COMMENT;
        NILAS_TRY(nilas_sql__string(p, &column->comment));
    }
    NILAS_TRY(nilas_sql__column_position(p, column, &taken));
    a->changes[0] |= taken ? NILAS_CHANGE_POSITION : 0;
    return NILAS_OK;
}

static bool ends_action(const nilas_sql__parser *p) {
    return nilas_sql__at(p, TOKEN_END) || nilas_sql__at(p, TOKEN_COMMA) ||
           nilas_sql__at(p, TOKEN_SEMICOLON);
}

static nilas_code alter_columns(nilas_sql__parser *p, nilas_alteration *a) {
    NILAS_ARRAY_OF(nilas_column_def) columns = {0};
    NILAS_ARRAY_OF(int) changes = {0};
    do {
        nilas_column_def column = {.offset = nilas_sql__offset(p)};
        int change;
        NILAS_TRY(nilas_sql__name(p, &column.parts, &column.part_count));
        NILAS_TRY(column_action(p, &column, &change));
        if (change == 0) {
            nilas_sql__reject_operation(p, a->offset,
                                        "ALTER TABLE table CHANGE COLUMN requires a TYPE, a "
                                        "SET/DROP, a COMMENT, or a FIRST/AFTER");
        }
        NILAS_PUSH(p->stmt, &columns, column, p->err);
        NILAS_PUSH(p->stmt, &changes, change, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    a->columns = columns.items;
    a->column_count = columns.count;
    a->changes = changes.items;
    return NILAS_OK;
}

static nilas_code change_column(nilas_sql__parser *p, nilas_statement *alter, nilas_alteration *a) {
    bool change = nilas_sql__at(p, NILAS_KW_CHANGE);
    p->position++;
    nilas_sql__accept(p, NILAS_KW_COLUMN);
    a->kind = NILAS_ALTER_COLUMN;
    nilas_sql__mark start = nilas_sql__set_mark(p);
    nilas_code code = alter_columns(p, a);
    if (code == NILAS_OK && (ends_action(p) || !change)) {
        return NILAS_OK;
    }
    if (!change || (code != NILAS_OK && code != NILAS_INVALID)) {
        return code;
    }
    nilas_sql__back_to(p, &start);
    if (alter->partition_count > 0) {
        nilas_sql__reject_operation(p, a->offset,
                                    "ALTER TABLE table PARTITION partition_spec CHANGE COLUMN");
    }
    NILAS_TRY(one_column(p, a));
    return hive_change(p, a);
}

// ---- partitions ---------------------------------------------------------------------------------

/* PARTITION (…) [LOCATION '…'] …, or with commas between. */
static nilas_code partition_list(nilas_sql__parser *p, bool commas, nilas_alteration *a) {
    NILAS_ARRAY_OF(nilas_partition_item *) specs = {0};
    NILAS_ARRAY_OF(size_t) counts = {0};
    do {
        nilas_partition_item *items;
        size_t count;
        NILAS_TRY(nilas_sql__partition_spec(p, &items, &count));
        NILAS_PUSH(p->stmt, &specs, items, p->err);
        NILAS_PUSH(p->stmt, &counts, count, p->err);
        if (!commas && nilas_sql__accept(p, NILAS_KW_LOCATION)) {
            NILAS_TRY(nilas_sql__string(p, &a->location));
        }
    } while (commas ? nilas_sql__accept(p, TOKEN_COMMA) : nilas_sql__at_partition_spec(p));
    a->partitions = specs.items;
    a->partition_item_counts = counts.items;
    a->partition_count = specs.count;
    return NILAS_OK;
}

static nilas_code add_partition(nilas_sql__parser *p, nilas_alteration *a) {
    a->kind = NILAS_ALTER_ADD_PARTITION;
    NILAS_TRY(nilas_sql__if_not_exists(p, &a->if_not_exists));
    return partition_list(p, false, a);
}

static nilas_code drop_partition(nilas_sql__parser *p, nilas_statement *alter,
                                 nilas_alteration *a) {
    a->kind = NILAS_ALTER_DROP_PARTITION;
    NILAS_TRY(nilas_sql__if_exists(p, &a->if_exists));
    NILAS_TRY(partition_list(p, true, a));
    alter->purge = nilas_sql__accept(p, NILAS_KW_PURGE);
    return NILAS_OK;
}

// ---- actions by their first word ----------------------------------------------------------------

static nilas_code keep_action(nilas_sql__parser *p, nilas_alteration *a, int32_t start) {
    a->text = nilas_sql__text_from(p, start);
    return NILAS_OK;
}

static nilas_code action_add(nilas_sql__parser *p, nilas_statement *alter, nilas_alteration *a) {
    int32_t start = nilas_sql__offset(p);
    (void)alter;
    p->position++;
    if (accept_columns_word(p)) {
        return add_columns(p, a);
    }
    if (nilas_sql__at_constraint(p)) {
        a->kind = NILAS_ALTER_ADD_CONSTRAINT;
        NILAS_TRY(nilas_sql__constraint(p, false));
        return keep_action(p, a, start);
    }
    return add_partition(p, a);
}

static nilas_code drop_constraint(nilas_sql__parser *p, nilas_statement *alter,
                                  nilas_alteration *a) {
    a->kind = NILAS_ALTER_DROP_CONSTRAINT;
    a->has_new_name = true;
    NILAS_TRY(nilas_sql__if_exists(p, &a->if_exists));
    NILAS_TRY(nilas_sql__identifier(p, &a->new_name));
    alter->cascade = nilas_sql__accept(p, NILAS_KW_CASCADE);
    if (!alter->cascade) {
        nilas_sql__accept(p, NILAS_KW_RESTRICT);
    }
    return NILAS_OK;
}

static nilas_code action_drop(nilas_sql__parser *p, nilas_statement *alter, nilas_alteration *a) {
    p->position++;
    if (accept_columns_word(p)) {
        return drop_columns(p, a);
    }
    if (nilas_sql__accept(p, NILAS_KW_CONSTRAINT)) {
        return drop_constraint(p, alter, a);
    }
    return drop_partition(p, alter, a);
}

static nilas_code action_rename(nilas_sql__parser *p, nilas_statement *alter, nilas_alteration *a) {
    p->position++;
    if (nilas_sql__accept(p, NILAS_KW_COLUMN)) {
        return rename_column(p, a);
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TO));
    if (alter->partition_count > 0) {
        a->kind = NILAS_ALTER_RENAME_PARTITION;
        return partition_list(p, true, a);
    }
    alter->kind = NILAS_STATEMENT_RENAME_TABLE;
    return nilas_sql__name(p, &alter->new_parts, &alter->new_part_count);
}

static nilas_code set_serde(nilas_sql__parser *p, nilas_alteration *a) {
    int32_t start = nilas_sql__offset(p);
    nilas_str text;
    a->kind = NILAS_ALTER_SET_SERDE;
    if (nilas_sql__accept(p, NILAS_KW_SERDE)) {
        NILAS_TRY(nilas_sql__string(p, &text));
        if (!nilas_sql__at2(p, NILAS_KW_WITH, NILAS_KW_SERDEPROPERTIES)) {
            return keep_action(p, a, start);
        }
        p->position++;
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_SERDEPROPERTIES));
    NILAS_TRY(nilas_sql__properties(p, &a->properties, &a->property_count));
    return keep_action(p, a, start);
}

static nilas_code set_properties(nilas_sql__parser *p, bool of_table, nilas_alteration *a) {
    a->kind = NILAS_ALTER_SET_PROPERTIES;
    NILAS_TRY(nilas_sql__properties(p, &a->properties, &a->property_count));
    if (of_table) {
        nilas_sql__check_table_properties(p, a->properties, a->property_count);
    } else {
        nilas_sql__check_namespace_properties(p, a->properties, a->property_count);
    }
    nilas_sql__check_values(p, a->properties, a->property_count, true);
    return NILAS_OK;
}

static nilas_code unset_properties(nilas_sql__parser *p, bool of_table, nilas_alteration *a) {
    a->kind = NILAS_ALTER_UNSET_PROPERTIES;
    NILAS_TRY(nilas_sql__if_exists(p, &a->if_exists));
    NILAS_TRY(nilas_sql__properties(p, &a->properties, &a->property_count));
    if (of_table) {
        nilas_sql__check_table_properties(p, a->properties, a->property_count);
    }
    nilas_sql__check_values(p, a->properties, a->property_count, false);
    return NILAS_OK;
}

static nilas_code set_location(nilas_sql__parser *p, nilas_alteration *a) {
    a->kind = NILAS_ALTER_SET_LOCATION;
    return nilas_sql__string(p, &a->location);
}

static nilas_code action_set(nilas_sql__parser *p, nilas_statement *alter, nilas_alteration *a) {
    (void)alter;
    p->position++;
    if (nilas_sql__accept(p, NILAS_KW_TBLPROPERTIES)) {
        return set_properties(p, true, a);
    }
    if (nilas_sql__accept(p, NILAS_KW_LOCATION)) {
        return set_location(p, a);
    }
    return set_serde(p, a);
}

static nilas_code action_unset(nilas_sql__parser *p, nilas_statement *alter, nilas_alteration *a) {
    (void)alter;
    p->position++;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_TBLPROPERTIES));
    return unset_properties(p, true, a);
}

static nilas_code action_replace(nilas_sql__parser *p, nilas_statement *alter,
                                 nilas_alteration *a) {
    p->position++;
    a->kind = NILAS_ALTER_REPLACE_COLUMNS;
    if (alter->partition_count > 0) {
        nilas_sql__reject_operation(p, a->offset,
                                    "ALTER TABLE table PARTITION partition_spec REPLACE COLUMNS");
    }
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_COLUMNS, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__column_defs_with_position(p, &a->columns, &a->column_count));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

static nilas_code action_recover(nilas_sql__parser *p, nilas_statement *alter,
                                 nilas_alteration *a) {
    (void)alter;
    p->position++;
    a->kind = NILAS_ALTER_RECOVER_PARTITIONS;
    return nilas_sql__expect(p, NILAS_KW_PARTITIONS);
}

/* CLUSTER BY (a, b.c) | NONE, into field_parts. */
static nilas_code action_cluster(nilas_sql__parser *p, nilas_statement *alter,
                                 nilas_alteration *a) {
    (void)alter;
    p->position++;
    a->kind = NILAS_ALTER_CLUSTER_BY;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_BY));
    if (nilas_sql__accept(p, NILAS_KW_NONE)) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__names(p, &a->field_parts, &a->field_part_counts, &a->field_count));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

static nilas_code action_collation(nilas_sql__parser *p, nilas_statement *alter,
                                   nilas_alteration *a) {
    bool taken;
    (void)alter;
    a->kind = NILAS_ALTER_COLLATION;
    NILAS_TRY(nilas_sql__collation_spec(p, &a->text, &taken));
    return taken ? NILAS_OK : nilas_sql__unexpected(p);
}

static const struct {
    int keyword;
    action_parser parse;
} actions[] = {
    {NILAS_KW_ADD, action_add},           {NILAS_KW_DROP, action_drop},
    {NILAS_KW_RENAME, action_rename},     {NILAS_KW_SET, action_set},
    {NILAS_KW_UNSET, action_unset},       {NILAS_KW_ALTER, change_column},
    {NILAS_KW_CHANGE, change_column},     {NILAS_KW_REPLACE, action_replace},
    {NILAS_KW_RECOVER, action_recover},   {NILAS_KW_CLUSTER, action_cluster},
    {NILAS_KW_DEFAULT, action_collation},
};

/* Actions of Hive's tables that the grammar takes only to refuse them. */
static const struct {
    int first, second;
    const char *name;
} native_actions[] = {
    {NILAS_KW_NOT, NILAS_KW_CLUSTERED, "ALTER TABLE NOT CLUSTERED"},
    {NILAS_KW_CLUSTERED, NILAS_KW_BY, "ALTER TABLE CLUSTERED BY"},
    {NILAS_KW_NOT, NILAS_KW_SORTED, "ALTER TABLE NOT SORTED"},
    {NILAS_KW_SKEWED, NILAS_KW_BY, "ALTER TABLE SKEWED BY"},
    {NILAS_KW_NOT, NILAS_KW_SKEWED, "ALTER TABLE NOT SKEWED"},
    {NILAS_KW_NOT, NILAS_KW_STORED, "ALTER TABLE NOT STORED AS DIRECTORIES"},
    {NILAS_KW_SET, NILAS_KW_SKEWED, "ALTER TABLE SET SKEWED LOCATION"},
    {NILAS_KW_EXCHANGE, NILAS_KW_PARTITION, "ALTER TABLE EXCHANGE PARTITION"},
    {NILAS_KW_ARCHIVE, NILAS_KW_PARTITION, "ALTER TABLE ARCHIVE PARTITION"},
    {NILAS_KW_UNARCHIVE, NILAS_KW_PARTITION, "ALTER TABLE UNARCHIVE PARTITION"},
    {NILAS_KW_TOUCH, 0, "ALTER TABLE TOUCH"},
    {NILAS_KW_COMPACT, 0, "ALTER TABLE COMPACT"},
    {NILAS_KW_CONCATENATE, 0, "ALTER TABLE CONCATENATE"},
    {NILAS_KW_SET, NILAS_KW_FILEFORMAT, "ALTER TABLE SET FILEFORMAT"},
};

static nilas_code native_action(nilas_sql__parser *p, nilas_statement **out) {
    *out = NULL;
    for (size_t i = 0; i < sizeof(native_actions) / sizeof(native_actions[0]); i++) {
        int second = native_actions[i].second;
        if (nilas_sql__at(p, native_actions[i].first) &&
            (second == 0 || nilas_sql__peek(p, 1) == second)) {
            nilas_sql__reject_operation(p, nilas_sql__offset(p), native_actions[i].name);
            return nilas_sql__unsupported_rest(p, native_actions[i].name, out);
        }
    }
    return NILAS_OK;
}

static nilas_code parse_action(nilas_sql__parser *p, nilas_statement *alter, nilas_alteration *a) {
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        if (nilas_sql__at(p, actions[i].keyword)) {
            return actions[i].parse(p, alter, a);
        }
    }
    return nilas_sql__unexpected(p);
}

static nilas_code new_alteration(nilas_sql__parser *p, nilas_statement *alter,
                                 nilas_alteration **out) {
    NILAS_NEW(p->stmt, &alter->alterations, p->err);
    alter->alteration_count = 1;
    alter->alterations->offset = nilas_sql__offset(p);
    *out = alter->alterations;
    return NILAS_OK;
}

static void drop_alteration(nilas_statement *alter) {
    if (alter->kind == NILAS_STATEMENT_RENAME_TABLE) {
        alter->alterations = NULL;
        alter->alteration_count = 0;
    }
}

static nilas_code alter_table(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *alter;
    nilas_statement *native;
    nilas_alteration *a;
    bool taken = false;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_ALTER_TABLE, &alter));
    p->position += 2;
    NILAS_TRY(nilas_sql__object(p, alter));
    NILAS_TRY(new_alteration(p, alter, &a));
    *out = alter;
    NILAS_TRY(nilas_sql__alter_iceberg(p, a, &taken));
    if (taken) {
        return NILAS_OK;
    }
    if (nilas_sql__at_partition_spec(p)) {
        NILAS_TRY(nilas_sql__partition_spec(p, &alter->partition, &alter->partition_count));
    }
    NILAS_TRY(native_action(p, &native));
    if (native != NULL) {
        *out = native;
        return NILAS_OK;
    }
    NILAS_TRY(parse_action(p, alter, a));
    drop_alteration(alter);
    return NILAS_OK;
}

// ---- views and namespaces -----------------------------------------------------------------------

static nilas_code view_action(nilas_sql__parser *p, nilas_statement *alter, nilas_alteration *a) {
    if (nilas_sql__at2(p, NILAS_KW_WITH, NILAS_KW_SCHEMA)) {
        a->kind = NILAS_ALTER_VIEW_SCHEMA_BINDING;
        p->position += 2;
        int32_t start = nilas_sql__offset(p);
        bool type = nilas_sql__accept(p, NILAS_KW_TYPE);
        bool known = nilas_sql__accept(p, NILAS_KW_EVOLUTION) ||
                     (!type && (nilas_sql__accept(p, NILAS_KW_BINDING) ||
                                nilas_sql__accept(p, NILAS_KW_COMPENSATION)));
        return known ? nilas_str_upper(p->stmt, nilas_sql__text_from(p, start), &a->text, p->err)
                     : nilas_sql__unexpected(p);
    }
    if (nilas_sql__accept(p, NILAS_KW_AS) || nilas_sql__looks_like_query(p, 0)) {
        a->kind = NILAS_ALTER_VIEW_QUERY;
        return nilas_sql__query(p, &a->query);
    }
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_ADD: p->position++; return add_partition(p, a);
    case NILAS_KW_DROP: p->position++; return drop_partition(p, alter, a);
    case NILAS_KW_RENAME: return action_rename(p, alter, a);
    case NILAS_KW_UNSET: return action_unset(p, alter, a);
    default:
        NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_SET, NILAS_KW_TBLPROPERTIES));
        return set_properties(p, true, a);
    }
}

static nilas_code alter_view(nilas_sql__parser *p, nilas_statement **out) {
    nilas_alteration *a;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_ALTER_VIEW, out));
    p->position += 2;
    NILAS_TRY(nilas_sql__object(p, *out));
    (*out)->is_view = true;
    NILAS_TRY(new_alteration(p, *out, &a));
    NILAS_TRY(view_action(p, *out, a));
    drop_alteration(*out);
    return NILAS_OK;
}

static nilas_code alter_namespace(nilas_sql__parser *p, nilas_statement **out) {
    nilas_alteration *a;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_ALTER_NAMESPACE, out));
    p->position += 2;
    NILAS_TRY(nilas_sql__object(p, *out));
    NILAS_TRY(new_alteration(p, *out, &a));
    bool set = nilas_sql__accept(p, NILAS_KW_SET);
    if (!set && nilas_sql__at(p, NILAS_KW_DEFAULT)) {
        return action_collation(p, *out, a);
    }
    if (set && nilas_sql__accept(p, NILAS_KW_LOCATION)) {
        return set_location(p, a);
    }
    if (!set) {
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_UNSET));
    }
    if (!nilas_sql__accept(p, NILAS_KW_DBPROPERTIES)) {
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_PROPERTIES));
    }
    return set ? set_properties(p, false, a) : unset_properties(p, false, a);
}

nilas_code nilas_sql__alter(nilas_sql__parser *p, nilas_statement **out) {
    if (nilas_sql__at_namespace_word(p, 1)) {
        return alter_namespace(p, out);
    }
    switch (nilas_sql__peek(p, 1)) {
    case NILAS_KW_TABLE: return alter_table(p, out);
    case NILAS_KW_VIEW: return alter_view(p, out);
    case NILAS_KW_INDEX:
        nilas_sql__reject_operation(p, nilas_sql__offset(p), "ALTER INDEX");
        return nilas_sql__unsupported_rest(p, "ALTER INDEX", out);
    default: p->position++; return nilas_sql__unexpected(p);
    }
}
