#include "sql_sample.h"

NILAS_TEST(set_takes_the_rest_of_the_line_as_it_is) {
    nilas_statement *set = sample_statement(sample_arena(), "SET a.b = 'c' -- d ;");
    REQUIRE(set != NULL);
    CHECK_STR(set->key, "a.b");
    CHECK_STR(set->value, "'c' -- d");
    set = sample_statement(sample_arena(), "set `a b` = `c;d`");
    REQUIRE(set != NULL);
    CHECK_STR(set->key, "a b");
    CHECK_STR(set->value, "c;d");
    set = sample_statement(sample_arena(), "SET x");
    REQUIRE(set != NULL);
    CHECK(set->has_key && !set->has_value);
}

NILAS_TEST(use_takes_a_word_for_the_kind_or_a_name) {
    check_same("USE DATABASE a.b", "USE SCHEMA a.b");
    nilas_statement *use = sample_statement(sample_arena(), "USE database");
    REQUIRE(use != NULL);
    CHECK(!use->is_namespace);
    CHECK_STR(use->parts[0], "database");
}

NILAS_TEST(describe_finds_out_what_it_describes) {
    CHECK_INT(sample_statement(sample_arena(), "DESCRIBE t")->kind, NILAS_STATEMENT_DESCRIBE_TABLE);
    CHECK_INT(sample_statement(sample_arena(), "DESC TABLE t")->kind,
              NILAS_STATEMENT_DESCRIBE_TABLE);
    CHECK_INT(sample_statement(sample_arena(), "DESC SELECT 1")->kind,
              NILAS_STATEMENT_DESCRIBE_QUERY);
    CHECK_INT(sample_statement(sample_arena(), "DESC select")->kind,
              NILAS_STATEMENT_DESCRIBE_TABLE);
    CHECK_INT(sample_statement(sample_arena(), "DESC FUNCTION f")->kind,
              NILAS_STATEMENT_DESCRIBE_FUNCTION);
    CHECK_INT(sample_statement(sample_arena(), "DESC function")->kind,
              NILAS_STATEMENT_DESCRIBE_TABLE);
    CHECK_INT(sample_statement(sample_arena(), "DESC DATABASE d")->kind,
              NILAS_STATEMENT_DESCRIBE_NAMESPACE);
    nilas_statement *column = sample_statement(sample_arena(), "DESC EXTENDED a.b c.d");
    CHECK(column->extended);
    CHECK_INT(column->column_count, 2);
}

NILAS_TEST(ctes_go_where_the_query_is) {
    nilas_statement *insert =
        sample_statement(sample_arena(), "WITH c AS (SELECT 1) INSERT INTO t SELECT * FROM c");
    REQUIRE(insert != NULL);
    CHECK_INT(insert->query->kind, NILAS_QUERY_WITH);
    nilas_statement *update =
        sample_statement(sample_arena(), "WITH c AS (SELECT 1) UPDATE t SET a = (TABLE c)");
    REQUIRE(update != NULL);
    CHECK_INT(update->cte_count, 1);
}

NILAS_TEST(a_multi_insert_is_a_chain_over_one_from) {
    nilas_statement *first =
        sample_statement(sample_arena(), "FROM s INSERT INTO a SELECT x INSERT INTO b SELECT y");
    REQUIRE(first != NULL && first->next != NULL);
    CHECK_STR(first->parts[0], "a");
    CHECK_STR(first->next->parts[0], "b");
    CHECK(first->query->input == first->next->query->input);
}

NILAS_TEST(merge_clauses_keep_their_order_and_kind) {
    nilas_statement *merge = sample_statement(
        sample_arena(), "MERGE INTO t USING s ON true WHEN MATCHED AND a THEN DELETE WHEN MATCHED "
                        "THEN UPDATE SET b = DEFAULT WHEN NOT MATCHED THEN INSERT (c) VALUES (1)");
    REQUIRE(merge != NULL);
    CHECK_INT(merge->merge_clause_count, 3);
    CHECK_INT(merge->merge_clauses[0].action, NILAS_MERGE_DELETE);
    CHECK_INT(merge->merge_clauses[1].assignments[0].value->kind, NILAS_EXPR_DEFAULT);
    CHECK_INT(merge->merge_clauses[2].match, NILAS_MERGE_NOT_MATCHED);
    check_refused("MERGE INTO t USING s ON true WHEN NOT MATCHED THEN INSERT * WHEN MATCHED THEN "
                  "DELETE",
                  "PARSE_SYNTAX_ERROR", -1, "MATCHED");
}

NILAS_TEST(branches_and_tags_keep_times_in_milliseconds) {
    nilas_statement *alter = sample_statement(
        sample_arena(), "ALTER TABLE t CREATE BRANCH b AS OF VERSION 5 RETAIN 2 DAYS WITH SNAPSHOT "
                        "RETENTION 3 SNAPSHOTS 4 HOURS");
    REQUIRE(alter != NULL);
    const nilas_ref_clause *ref = &alter->alterations[0].ref;
    CHECK_STR(ref->name, "b");
    CHECK_INT(ref->snapshot_id, 5);
    CHECK_INT(ref->retain_ms, 172800000);
    CHECK_INT(ref->min_snapshots, 3);
    CHECK_INT(ref->max_age_ms, 14400000);
}

NILAS_TEST(columns_are_altered_one_change_each) {
    nilas_statement *alter = sample_statement(
        sample_arena(), "ALTER TABLE t ALTER COLUMN a TYPE BIGINT, b.c DROP NOT NULL");
    REQUIRE(alter != NULL);
    const nilas_alteration *a = &alter->alterations[0];
    CHECK_INT(a->column_count, 2);
    CHECK_INT(a->changes[0], NILAS_CHANGE_TYPE);
    CHECK_INT(a->changes[1], NILAS_CHANGE_DROP_NOT_NULL);
    CHECK_INT(a->columns[1].part_count, 2);
}

NILAS_TEST(what_we_do_not_do_is_named) {
    static const char *const texts[][2] = {
        {"BEGIN SELECT 1; END", "SQL scripting"},
        {"CREATE FUNCTION f AS 'x'", "CREATE FUNCTION"},
        {"LOAD DATA INPATH 'x' INTO TABLE t", "LOAD DATA"},
        {"SELECT TRANSFORM (a) USING 'cat' FROM t", "TRANSFORM"},
        {"SELECT a::geometry(4326)", "the GEOMETRY type"},
        {"ADD JAR x", "ADD and LIST of files, jars and archives"},
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        nilas_statement *statement = sample_statement(sample_arena(), texts[i][0]);
        REQUIRE(statement != NULL);
        CHECK_INT(statement->kind, NILAS_STATEMENT_UNSUPPORTED);
        CHECK_STR(statement->value, texts[i][1]);
        CHECK_STR(statement->text, texts[i][0]);
    }
}

NILAS_TEST(a_statement_keeps_its_own_text) {
    nilas_statement *statement = sample_statement(sample_arena(), " /* a */ SELECT 1 ;; ");
    REQUIRE(statement != NULL);
    CHECK_STR(statement->text, "SELECT 1");
    statement = sample_statement(sample_arena(), "EXPLAIN  SELECT 2;");
    REQUIRE(statement != NULL);
    CHECK_STR(statement->statement->text, "SELECT 2");
}
