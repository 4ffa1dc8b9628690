/** What the files that parse statements share. Private to the room. */
#ifndef NILAS_SQL_STATEMENT_H
#define NILAS_SQL_STATEMENT_H

#include "sql/parser.h"

/** A parser of statements that begin with one keyword, at that keyword; *out stays NULL when the
 *  text is another statement. */
typedef nilas_code (*nilas_sql__statement_parser)(nilas_sql__parser *p, nilas_statement **out);

nilas_code nilas_sql__new_statement(nilas_sql__parser *p, nilas_statement_kind kind,
                                    nilas_statement **out);
/** A statement that is parsed as Spark does and refused by name. `feature` is static. */
nilas_code nilas_sql__unsupported(nilas_sql__parser *p, const char *feature, nilas_statement **out);
/** As above, and take everything that is left. */
nilas_code nilas_sql__unsupported_rest(nilas_sql__parser *p, const char *feature,
                                       nilas_statement **out);
/** The name of the object the statement is about, into parts or identifier. */
nilas_code nilas_sql__object(nilas_sql__parser *p, nilas_statement *statement);
/** [FROM|IN name]. */
nilas_code nilas_sql__in_namespace(nilas_sql__parser *p, nilas_statement *statement);
/** [[LIKE] 'pattern']. */
nilas_code nilas_sql__like_pattern(nilas_sql__parser *p, nilas_statement *statement);
bool nilas_sql__accept_namespace_word(nilas_sql__parser *p);
bool nilas_sql__at_namespace_word(const nilas_sql__parser *p, size_t ahead);
/** IF EXISTS; IF NOT EXISTS. */
nilas_code nilas_sql__if_exists(nilas_sql__parser *p, bool *out);
nilas_code nilas_sql__if_not_exists(nilas_sql__parser *p, bool *out);
/** NOT or "!". */
bool nilas_sql__accept_not(nilas_sql__parser *p);
/** Whether a query can begin here as the rest of a statement: [AS] query. */
bool nilas_sql__at_query(const nilas_sql__parser *p);
/** PARTITION (a = 1, b). */
nilas_code nilas_sql__partition_spec(nilas_sql__parser *p, nilas_partition_item **out,
                                     size_t *out_count);
bool nilas_sql__at_partition_spec(const nilas_sql__parser *p);
/** Refuse a clause that came twice. */
void nilas_sql__check_once(nilas_sql__parser *p, bool *seen, const char *clause);

// property.c
/** ("k" = expression, k.l 1). */
nilas_code nilas_sql__expression_properties(nilas_sql__parser *p, nilas_option **out,
                                            size_t *out_count);
nilas_code nilas_sql__property_key(nilas_sql__parser *p, nilas_str *out);
/** Properties that Spark keeps for itself cannot be set. */
void nilas_sql__check_table_properties(nilas_sql__parser *p, const nilas_option *options,
                                       size_t count);
void nilas_sql__check_namespace_properties(nilas_sql__parser *p, const nilas_option *options,
                                           size_t count);
/** SET TBLPROPERTIES needs a value for each key, UNSET none. */
void nilas_sql__check_values(nilas_sql__parser *p, const nilas_option *options, size_t count,
                             bool wanted);

// column.c
/** "a INT NOT NULL DEFAULT 1 COMMENT '…'" of CREATE TABLE. */
nilas_code nilas_sql__column_def(nilas_sql__parser *p, nilas_column_def *out);
/** "a.b INT … [FIRST|AFTER c], …" of ALTER TABLE ADD COLUMNS. */
nilas_code nilas_sql__column_defs_with_position(nilas_sql__parser *p, nilas_column_def **out,
                                                size_t *out_count);
nilas_code nilas_sql__column_position(nilas_sql__parser *p, nilas_column_def *column, bool *taken);
/** "(a INT, CONSTRAINT …, b STRING)". */
nilas_code nilas_sql__table_elements(nilas_sql__parser *p, nilas_statement *statement);
/** A transform of PARTITIONED BY and PARTITION FIELD: a, bucket(16, a). */
nilas_code nilas_sql__transform(nilas_sql__parser *p, nilas_expr **out);
/** CHECK (…), PRIMARY KEY (…), with or without CONSTRAINT name. */
bool nilas_sql__at_constraint(const nilas_sql__parser *p);
nilas_code nilas_sql__constraint(nilas_sql__parser *p, bool of_column);
/** DEFAULT COLLATION name; *taken tells whether it was there. */
nilas_code nilas_sql__collation_spec(nilas_sql__parser *p, nilas_str *out, bool *taken);

// hive.c
nilas_code nilas_sql__bucket_spec(nilas_sql__parser *p);
nilas_code nilas_sql__skew_spec(nilas_sql__parser *p);

// the statements
nilas_code nilas_sql__alter(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__alter_iceberg(nilas_sql__parser *p, nilas_alteration *alteration,
                                    bool *taken);
nilas_code nilas_sql__call_procedure(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__create(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__create_table(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__create_view(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__create_function(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__drop(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__show(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__describe(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__set(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__reset(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__declare(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__drop_variable(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__execute_immediate(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__script(nilas_sql__parser *p, nilas_statement **out);
/** INSERT, DELETE, UPDATE, MERGE, FROM … INSERT; with or without WITH. *out stays NULL when the
 *  text is a query. */
nilas_code nilas_sql__dml(nilas_sql__parser *p, nilas_statement **out);
nilas_code nilas_sql__assignments(nilas_sql__parser *p, nilas_assignment **out, size_t *out_count);

#endif
