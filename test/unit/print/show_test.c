/* What show() and a notebook show; the texts are those of a real Spark. */
#include "print/print.h"

#include "batch.h"
#include "test.h"

/** A result of the rows. */
static nilas_result *result_of(const nilas_type *type, const nilas_value *cells, size_t rows) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_result *result = NULL;
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    nilas_assert(nilas_result_of_rows(stmt, type, cells, rows, &result, &err) == NILAS_OK);
    return result;
}

static const nilas_type *sample_type(void) {
    return make_struct_type(4, (const char *const[]){"x<y", "i", "n", "l"},
                            (const nilas_type *const[]){
                                nilas_type_of(NILAS_TYPE_STRING), nilas_type_of(NILAS_TYPE_INT),
                                nilas_type_of(NILAS_TYPE_VOID), nilas_type_of(NILAS_TYPE_STRING)});
}

static nilas_str print_sample(bool html, nilas_print_show_options options) {
    static nilas_buf out;
    const nilas_value cells[] = {TEXT("a<b>&\"é\n"), INT(1), NIL, TEXT("12345678901234567890123"),
                                 TEXT("€"),          INT(2), NIL, TEXT("")};
    NILAS_AUTO(nilas_result) result = result_of(sample_type(), cells, 2);
    nilas_error err = NILAS_ERROR_INIT;

    options.zone = nilas_zone_find(NILAS_STR("UTC"));
    nilas_buf_clear(&out);
    nilas_code code = html ? nilas_print_html(result, &options, &out, &err)
                           : nilas_print_show(result, &options, &out, &err);
    if (code != NILAS_OK) {
        nilas_buf_add_text(&out, err.message);
    }
    return nilas_buf_view(&out);
}

NILAS_TEST(a_notebook_shows_html) {
    CHECK_STR(print_sample(true, (nilas_print_show_options){.rows = 20, .truncate = 20}),
              "<table border='1'>\n"
              "<tr><th>x&lt;y</th><th>i</th><th>n</th><th>l</th></tr>\n"
              "<tr><td>a&lt;b&gt;&amp;&quot;&eacute;\\n</td><td>1</td><td>NULL</td>"
              "<td>12345678901234567...</td></tr>\n"
              "<tr><td>&euro;</td><td>2</td><td>NULL</td><td></td></tr>\n"
              "</table>\n");
    CHECK_STR(print_sample(true, (nilas_print_show_options){.rows = 0, .truncate = 3}),
              "<table border='1'>\n"
              "<tr><th>x&lt;y</th><th>i</th><th>n</th><th>l</th></tr>\n"
              "</table>\n"
              "only showing top 0 rows\n");
}

NILAS_TEST(show_has_no_line_end_behind_its_footer) {
    CHECK_STR(print_sample(false, (nilas_print_show_options){.rows = 1, .truncate = -3}),
              "+---------+---+----+-----------------------+\n"
              "|x<y      |i  |n   |l                      |\n"
              "+---------+---+----+-----------------------+\n"
              "|a<b>&\"é\\n|1  |NULL|12345678901234567890123|\n"
              "+---------+---+----+-----------------------+\n"
              "only showing top 1 row");
}

NILAS_TEST(fewer_rows_than_none_are_none) {
    CHECK_STR(print_sample(false, (nilas_print_show_options){.rows = -1, .truncate = 20}),
              "+---+---+---+---+\n"
              "|x<y|  i|  n|  l|\n"
              "+---+---+---+---+\n"
              "+---+---+---+---+\n"
              "only showing top 0 rows");
}

NILAS_TEST(vertical_counts_records) {
    CHECK_STR(
        print_sample(false, (nilas_print_show_options){.rows = 1, .truncate = 6, .vertical = true}),
        "-RECORD 0-----\n"
        " x<y | a<b... \n"
        " i   | 1      \n"
        " n   | NULL   \n"
        " l   | 123... \n"
        "only showing top 1 row");
}

NILAS_TEST(rows_without_columns) {
    const nilas_type *nothing = make_struct_type(0, NULL, NULL);
    const nilas_print_show_options options = {.rows = 20, .truncate = 20};
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO_BUF out = {0};
    NILAS_AUTO(nilas_result) result = NULL;

    REQUIRE_OK(nilas_result_empty(&result, &err), err);
    REQUIRE_OK(nilas_print_show(result, &options, &out, &err), err);
    CHECK_STR(nilas_buf_view(&out), "++\n||\n++\n++\n");

    NILAS_AUTO(nilas_result) two = result_of(nothing, NULL, 2);
    nilas_buf_clear(&out);
    REQUIRE_OK(nilas_print_show(two, &options, &out, &err), err);
    CHECK_STR(nilas_buf_view(&out), "++\n||\n++\n||\n||\n++\n");
    NILAS_AUTO(nilas_result) again = result_of(nothing, NULL, 2);
    nilas_buf_clear(&out);
    REQUIRE_OK(nilas_print_html(again, &options, &out, &err), err);
    CHECK_STR(nilas_buf_view(&out), "<table border='1'>\n<tr><th></th></tr>\n"
                                    "<tr><td></td></tr>\n<tr><td></td></tr>\n</table>\n");
}

NILAS_TEST(a_text_beyond_its_buffer_is_refused) {
    const nilas_value cells[] = {TEXT("abc"), INT(1), NIL, TEXT("")};
    NILAS_AUTO(nilas_result) result = result_of(sample_type(), cells, 1);
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(20);
    nilas_error err = NILAS_ERROR_INIT;

    CHECK_FAILS(nilas_print_show(result, &(nilas_print_show_options){.rows = 20}, &out, &err),
                NILAS_LIMIT, err, "");
}
