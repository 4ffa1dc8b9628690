#include "sql_sample.h"

NILAS_TEST(operators_bind_as_in_sparks_grammar) {
    check_printed("a + b * c", "a + b * c");
    check_printed("(a + b) * c", "(a + b) * c");
    check_printed("a - (b - c)", "a - (b - c)");
    check_printed("(a - b) - c", "a - b - c");
    check_printed("a || b + c", "a || b + c");
    check_printed("a | b ^ c & d", "a | b ^ c & d");
    check_printed("((a | b) ^ c) & d", "((a | b) ^ c) & d");
    check_printed("a << 1 + 2", "a << 1 + 2");
    check_printed("(a << 1) + 2", "(a << 1) + 2");
    check_printed("a = b | c", "a = b | c");
    check_printed("a < b = c", "a < b = c");
    check_printed("a = (b < c)", "a = (b < c)");
    check_printed("NOT a = b AND c OR d", "NOT a = b AND c OR d");
    check_printed("NOT (a AND b)", "NOT (a AND b)");
    check_printed("(a OR b) AND c", "(a OR b) AND c");
    check_printed("a = b IS NULL", "a = b IS NULL");
    check_printed("(a IS NULL) = b", "(a IS NULL) = b");
    check_printed("a BETWEEN b = c AND d", "a BETWEEN b = c AND d");
    check_printed("a BETWEEN 1 AND 2 AND b", "a BETWEEN 1 AND 2 AND b");
    check_printed("! a = b", "NOT a = b");
    check_printed("a DIV b % c", "a DIV b % c");
}

NILAS_TEST(a_minus_before_a_number_is_part_of_it) {
    nilas_expr *expr = sample_expr(sample_arena(), "-5");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->kind, NILAS_EXPR_LITERAL);
    CHECK_INT(expr->value.integer, -5);
    check_printed("-(5)", "-(5)");
    check_printed("- -5", "-(-5)");
    check_printed("2 -1", "2 - 1");
    check_printed("a - -1", "a - -1");
    check_printed("-5[0]", "(-5)[0]");
    check_printed("-a", "-a");
    check_printed("+5", "+5");
}

NILAS_TEST(a_field_of_a_name_lengthens_the_name) {
    nilas_expr *expr = sample_expr(sample_arena(), "(a).b.c");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->kind, NILAS_EXPR_COLUMN);
    CHECK_INT(expr->part_count, 3);
    check_printed("f(a).b", "f(a).b");
    check_printed("a[0].b.c", "a[0].b.c");
}

NILAS_TEST(postfix_forms_follow_any_primary) {
    check_printed("a::int::string", "CAST(CAST(a AS INT) AS STRING)");
    check_printed("-5::int", "CAST(-5 AS INT)");
    check_printed("a:b.c['d'][0]", "a:b.c['d'][0]");
    check_printed("a COLLATE unicode || b", "a COLLATE unicode || b");
    check_printed("(a + 1)[0]", "(a + 1)[0]");
}

NILAS_TEST(words_of_special_forms_are_also_functions) {
    check_printed("trim(a)", "trim(a)");
    check_printed("TRIM(BOTH 'x' FROM a)", "TRIM(BOTH 'x' FROM a)");
    check_printed("TRIM(LEADING FROM a)", "TRIM(LEADING FROM a)");
    check_printed("position(a, b)", "position(a, b)");
    check_printed("POSITION(a IN b)", "POSITION(a IN b)");
    check_printed("position(a > 1, b)", "position(a > 1, b)");
    check_printed("substring(a, 1, 2)", "substring(a, 1, 2)");
    check_printed("SUBSTRING(a FROM 1 FOR 2)", "SUBSTRING(a FROM 1 FOR 2)");
    check_printed("extract(a)", "extract(a)");
    check_printed("EXTRACT(day FROM a)", "EXTRACT(day FROM a)");
    check_printed("exists(a, x1 -> x1 > 1)", "exists(a, x1 -> x1 > 1)");
    check_printed("left(a, 1)", "`left`(a, 1)");
    check_printed("first(a IGNORE NULLS)", "first(a) IGNORE NULLS");
    check_printed("cast(a)", "`cast`(a)");
}

NILAS_TEST(a_unit_of_date_functions_is_a_string_literal) {
    nilas_expr *expr = sample_expr(sample_arena(), "date_add(day, 1, d)");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->args[0]->kind, NILAS_EXPR_LITERAL);
    CHECK_STR(expr->args[0]->value.text, "day");
    check_printed("timestampdiff(MONTH, a, b)", "timestampdiff(MONTH, a, b)");
    check_printed("date_add(d, 1)", "date_add(d, 1)");
}

NILAS_TEST(an_in_over_a_row_holds_its_values) {
    nilas_expr *expr = sample_expr(sample_arena(), "(a, b) IN (SELECT 1, 2)");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->kind, NILAS_EXPR_IN_QUERY);
    CHECK_INT(expr->arg_count, 2);
    check_printed("(a, b) NOT IN (SELECT 1, 2)", "(a, b) NOT IN (SELECT 1, 2)");
}

NILAS_TEST(parentheses_hold_a_query_or_an_expression) {
    check_printed("(SELECT 1)", "(SELECT 1)");
    check_printed("((SELECT 1))", "(SELECT 1)");
    check_printed("((SELECT 1) + 1)", "(SELECT 1) + 1");
    check_printed("((((SELECT 1) + 1) + 1) + 1)", "(SELECT 1) + 1 + 1 + 1");
    check_printed("(values)", "`values`");
    check_printed("(`select`)", "`select`");
}

NILAS_TEST(keywords_are_names_where_nothing_else_can_stand) {
    check_printed("date", "`date`");
    check_printed("case", "`case`");
    check_printed("interval + 1", "`interval` + 1");
    check_printed("f(all, distinct)", "f(`all`, `distinct`)");
    check_printed("a AS select", "a AS `select`");
    check_printed("t.from", "t.`from`");
    check_printed("null", "NULL");
}

NILAS_TEST(offsets_point_at_the_first_and_after_the_last_token) {
    nilas_expr *expr = sample_expr(sample_arena(), "  a + f(b) ");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->offset, 2);
    CHECK_INT(expr->end_offset, 10);
    CHECK_INT(expr->args[1]->offset, 6);
    CHECK_INT(expr->args[1]->end_offset, 10);
}

NILAS_TEST(identifier_of_a_literal_is_the_name_it_spells) {
    nilas_expr *expr = sample_expr(sample_arena(), "IDENTIFIER('a.`b c`')");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->kind, NILAS_EXPR_COLUMN);
    CHECK_INT(expr->part_count, 2);
    CHECK_STR(expr->parts[1], "b c");
    expr = sample_expr(sample_arena(), "IDENTIFIER('a' || 'b')(1)");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->kind, NILAS_EXPR_IDENTIFIER);
    CHECK(expr->has_call);
}

NILAS_TEST(positional_parameters_are_counted) {
    nilas_expr *expr = sample_expr(sample_arena(), "f(?, (SELECT ?), ?)");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->args[0]->ordinal, 0);
    CHECK_INT(expr->args[2]->ordinal, 2);
}
