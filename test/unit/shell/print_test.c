/* The formats, from batches made by hand; table and vertical have the texts of a real show(). */
#include "shell/print.h"

#include <nanoarrow/nanoarrow_ipc.h>
#include <stdio.h>
#include <unistd.h>

#include "unit/print/batch.h"
#include "test.h"

static const nilas_type *of(nilas_type_kind kind) {
    return nilas_type_of(kind);
}

typedef struct printing {
    nilas_shell_output output;
    nilas_shell_print_options options;
    nilas_shell_print print;
    int pipe[2];
} printing;

static void start(printing *p, nilas_shell_format format) {
    *p = (printing){.options = {.format = format, .truncate = 20, .row_limit = 20, .columns = 60}};
    nilas_assert(pipe(p->pipe) == 0);
    nilas_shell__output_init(&p->output, p->pipe[1]);
    p->print = (nilas_shell_print){
        .output = &p->output, .options = &p->options, .zone = nilas_zone_find(NILAS_STR("UTC"))};
}

/** Print rows as two batches. */
static nilas_code print_rows(printing *p, const nilas_type *type, const nilas_value *rows,
                             size_t count, nilas_error *err) {
    NILAS_TRY(nilas_shell__print_begin(&p->print, type, make_schema(type), err));
    size_t half = count / 2;
    NILAS_TRY(nilas_shell__print_batch(&p->print, make_array(type, rows, half), err));
    if (!p->print.full) {
        NILAS_TRY(
            nilas_shell__print_batch(&p->print, make_array(type, rows + half, count - half), err));
    }
    return nilas_shell__print_end(&p->print, err);
}

static nilas_str finish(printing *p) {
    static char text[65536];
    nilas_error err = NILAS_ERROR_INIT;
    nilas_assert(nilas_shell__output_flush(&p->output, &err) == NILAS_OK);
    nilas_shell__print_done(&p->print);
    nilas_shell__output_done(&p->output);
    close(p->pipe[1]);
    size_t size = 0;
    for (;;) {
        ssize_t got = read(p->pipe[0], text + size, sizeof(text) - size);
        if (got <= 0) {
            break;
        }
        size += (size_t)got;
    }
    close(p->pipe[0]);
    return (nilas_str){.data = text, .size = size};
}

/** id bigint, name string */
static const nilas_type *people_type(void) {
    return make_struct_type(
        2, (const char *const[]){"id", "name"},
        (const nilas_type *const[]){of(NILAS_TYPE_BIGINT), of(NILAS_TYPE_STRING)});
}

static const nilas_value *people(size_t *count) {
    static nilas_value rows[3];
    rows[0] = STRUCT(INT(1), TEXT("ann"));
    rows[1] = STRUCT(INT(2), NIL);
    rows[2] = STRUCT(INT(30), TEXT("c,\"d\"|\ne"));
    *count = 3;
    return rows;
}

static nilas_str printed(nilas_shell_format format) {
    printing p;
    size_t count;
    const nilas_value *rows = people(&count);
    nilas_error err = NILAS_ERROR_INIT;
    start(&p, format);
    nilas_code code = print_rows(&p, people_type(), rows, count, &err);
    nilas_assert(code == NILAS_OK);
    return finish(&p);
}

NILAS_TEST(a_table_is_right_aligned_while_cells_are_cut) {
    CHECK_STR(printed(NILAS_FORMAT_TABLE), "+---+---------+\n"
                                           "| id|     name|\n"
                                           "+---+---------+\n"
                                           "|  1|      ann|\n"
                                           "|  2|     NULL|\n"
                                           "| 30|c,\"d\"|\\ne|\n"
                                           "+---+---------+\n\n");
}

NILAS_TEST(a_whole_table_is_left_aligned) {
    printing p;
    size_t count;
    const nilas_value *rows = people(&count);
    nilas_error err = NILAS_ERROR_INIT;
    start(&p, NILAS_FORMAT_TABLE);
    p.options.truncate = 0;
    p.options.row_limit = 2;
    REQUIRE_OK(print_rows(&p, people_type(), rows, count, &err), err);
    CHECK(p.print.full);
    CHECK_STR(finish(&p), "+---+----+\n"
                          "|id |name|\n"
                          "+---+----+\n"
                          "|1  |ann |\n"
                          "|2  |NULL|\n"
                          "+---+----+\n"
                          "only showing top 2 rows\n");
}

NILAS_TEST(vertical_has_a_record_for_each_row) {
    CHECK_STR(printed(NILAS_FORMAT_VERTICAL), "-RECORD 0---------\n"
                                              " id   | 1         \n"
                                              " name | ann       \n"
                                              "-RECORD 1---------\n"
                                              " id   | 2         \n"
                                              " name | NULL      \n"
                                              "-RECORD 2---------\n"
                                              " id   | 30        \n"
                                              " name | c,\"d\"|\\ne \n\n");
}

NILAS_TEST(full_width_letters_keep_a_table_straight) {
    printing p;
    const nilas_type *text = of(NILAS_TYPE_STRING);
    const nilas_type *type = make_struct_type(4, (const char *const[]){"a", "b", "c", "d"},
                                              (const nilas_type *const[]){text, text, text, text});
    nilas_value row = STRUCT(TEXT("甲乙丙"), TEXT("é"), TEXT("ｱ"), TEXT("😀"));
    nilas_error err = NILAS_ERROR_INIT;
    start(&p, NILAS_FORMAT_TABLE);
    REQUIRE_OK(print_rows(&p, type, &row, 1, &err), err);
    CHECK_STR(finish(&p), "+------+---+---+---+\n"
                          "|     a|  b|  c|  d|\n"
                          "+------+---+---+---+\n"
                          "|甲乙丙|  é|  ｱ| 😀|\n"
                          "+------+---+---+---+\n\n");
}

NILAS_TEST(no_rows) {
    static const struct {
        nilas_shell_format format;
        const char *text;
    } cases[] = {
        {NILAS_FORMAT_TABLE, "+---+----+\n| id|name|\n+---+----+\n+---+----+\n\n"},
        {NILAS_FORMAT_VERTICAL, "(0 rows)\n"},
        {NILAS_FORMAT_TSV, ""},
        {NILAS_FORMAT_CSV, "id,name\n"},
        {NILAS_FORMAT_MARKDOWN, "| id | name |\n| ---: | --- |\n"},
        {NILAS_FORMAT_JSON, "{\"schema\":\"struct<id:bigint,name:string>\",\"rows\":[]}\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        printing p;
        nilas_error err = NILAS_ERROR_INIT;
        start(&p, cases[i].format);
        REQUIRE_OK(print_rows(&p, people_type(), NULL, 0, &err), err);
        CHECK_STR(finish(&p), cases[i].text);
    }
}

NILAS_TEST(a_result_without_columns_is_a_line_of_json_and_nothing_else) {
    for (nilas_shell_format format = NILAS_FORMAT_TABLE; format <= NILAS_FORMAT_PLOT; format++) {
        printing p;
        nilas_error err = NILAS_ERROR_INIT;
        const nilas_type *type = make_struct_type(0, NULL, NULL);
        if (format == NILAS_FORMAT_ARROW) {
            continue;
        }
        start(&p, format);
        REQUIRE_OK(nilas_shell__print_begin(&p.print, type, make_schema(type), &err), err);
        REQUIRE_OK(nilas_shell__print_end(&p.print, &err), err);
        CHECK_STR(finish(&p),
                  format == NILAS_FORMAT_JSON ? "{\"schema\":\"struct<>\",\"rows\":[]}\n" : "");
    }
}

NILAS_TEST(tsv_is_raw) {
    CHECK_STR(printed(NILAS_FORMAT_TSV), "1\tann\n2\tNULL\n30\tc,\"d\"|\ne\n");
}

NILAS_TEST(csv_tells_null_from_empty) {
    CHECK_STR(printed(NILAS_FORMAT_CSV), "id,name\n1,ann\n2,\n30,\"c,\"\"d\"\"|\ne\"\n");

    printing p;
    nilas_value row = STRUCT(INT(1), TEXT(""));
    nilas_error err = NILAS_ERROR_INIT;
    start(&p, NILAS_FORMAT_CSV);
    REQUIRE_OK(print_rows(&p, people_type(), &row, 1, &err), err);
    CHECK_STR(finish(&p), "id,name\n1,\"\"\n");
}

NILAS_TEST(markdown_escapes_bars_and_line_ends) {
    CHECK_STR(printed(NILAS_FORMAT_MARKDOWN), "| id | name |\n| ---: | --- |\n| 1 | ann |\n"
                                              "| 2 | NULL |\n| 30 | c,\"d\"\\|<br>e |\n");
}

NILAS_TEST(json_has_texts_or_values) {
    CHECK_STR(
        printed(NILAS_FORMAT_JSON),
        "{\"schema\":\"struct<id:bigint,name:string>\",\"rows\":[[\"1\",\"ann\"],[\"2\",null],"
        "[\"30\",\"c,\\\"d\\\"|\\ne\"]]}\n");

    printing p;
    size_t count;
    const nilas_value *rows = people(&count);
    nilas_error err = NILAS_ERROR_INIT;
    start(&p, NILAS_FORMAT_JSON);
    p.options.json_typed = true;
    REQUIRE_OK(print_rows(&p, people_type(), rows, count, &err), err);
    CHECK_STR(finish(&p), "{\"schema\":\"struct<id:bigint,name:string>\",\"rows\":[[1,\"ann\"],"
                          "[2,null],[30,\"c,\\\"d\\\"|\\ne\"]]}\n");
}

NILAS_TEST(a_json_line_is_taken_back_when_the_statement_fails) {
    printing p;
    size_t count;
    const nilas_value *rows = people(&count);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_error failure = {.code = NILAS_INVALID,
                           .condition = "DIVIDE_BY_ZERO",
                           .sql_state = "22012",
                           .sql_offset = 7,
                           .hint = "h",
                           .message = "Division by \"zero\"."};
    start(&p, NILAS_FORMAT_JSON);
    const nilas_type *type = people_type();
    REQUIRE_OK(nilas_shell__print_begin(&p.print, type, make_schema(type), &err), err);
    REQUIRE_OK(nilas_shell__print_batch(&p.print, make_array(type, rows, count), &err), err);
    nilas_shell__print_json_error(&p.print, &failure);
    CHECK_STR(finish(&p),
              "{\"error\":{\"condition\":\"DIVIDE_BY_ZERO\",\"sqlState\":\"22012\",\"message\":"
              "\"Division by \\\"zero\\\".\",\"offset\":7,\"hint\":\"h\"}}\n");

    start(&p, NILAS_FORMAT_JSON);
    failure = (nilas_error){.code = NILAS_IO, .sql_offset = -1, .message = "m"};
    nilas_shell__print_json_error(&p.print, &failure);
    CHECK_STR(
        finish(&p),
        "{\"error\":{\"condition\":null,\"sqlState\":null,\"message\":\"m\",\"offset\":null}}\n");
}

NILAS_TEST(a_long_json_line_gets_its_error_as_the_last_member) {
    printing p;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_error failure = {.code = NILAS_IO, .sql_offset = -1, .message = "m"};
    nilas_value row = STRUCT(INT(1), TEXT("x"));
    const nilas_type *type = people_type();
    start(&p, NILAS_FORMAT_JSON);
    REQUIRE_OK(nilas_shell__print_begin(&p.print, type, make_schema(type), &err), err);
    REQUIRE_OK(nilas_shell__print_batch(&p.print, make_array(type, &row, 1), &err), err);
    REQUIRE_OK(nilas_shell__output_flush(&p.output, &err), err); // as if it were megabytes
    p.print.written = true;
    nilas_buf_add_text(&p.output.text, ",[\"half a r");
    nilas_shell__print_json_error(&p.print, &failure);
    CHECK_STR(
        finish(&p),
        "{\"schema\":\"struct<id:bigint,name:string>\",\"rows\":[[\"1\",\"x\"]],"
        "\"error\":{\"condition\":null,\"sqlState\":null,\"message\":\"m\",\"offset\":null}}\n");
}

NILAS_TEST(show_tables_and_describe_look_as_in_spark_sql) {
    const nilas_type *text = of(NILAS_TYPE_STRING);
    const nilas_type *tables =
        make_struct_type(3, (const char *const[]){"namespace", "tableName", "isTemporary"},
                         (const nilas_type *const[]){text, text, of(NILAS_TYPE_BOOLEAN)});
    const nilas_type *described =
        make_struct_type(3, (const char *const[]){"col_name", "data_type", "comment"},
                         (const nilas_type *const[]){text, text, text});
    nilas_value table = STRUCT(TEXT("db"), TEXT("t"), nilas_value_of_bool(false));
    nilas_value column = STRUCT(TEXT("id"), TEXT("bigint"), NIL);
    nilas_error err = NILAS_ERROR_INIT;
    printing p;

    CHECK_INT(nilas_shell__look_of(NILAS_STR(" show  Tables in x"), tables),
              NILAS_LOOK_TABLE_NAMES);
    CHECK_INT(nilas_shell__look_of(NILAS_STR("SELECT * FROM x"), tables), NILAS_LOOK_PLAIN);
    CHECK_INT(nilas_shell__look_of(NILAS_STR("DESC t"), described), NILAS_LOOK_DESCRIBE);
    CHECK_INT(nilas_shell__look_of(NILAS_STR("describe extended t"), described),
              NILAS_LOOK_DESCRIBE);
    CHECK_INT(nilas_shell__look_of(NILAS_STR("describe t"), tables), NILAS_LOOK_PLAIN);

    start(&p, NILAS_FORMAT_TSV);
    p.print.look = NILAS_LOOK_TABLE_NAMES;
    REQUIRE_OK(print_rows(&p, tables, &table, 1, &err), err);
    CHECK_STR(finish(&p), "t\n");
    start(&p, NILAS_FORMAT_TSV);
    p.print.look = NILAS_LOOK_DESCRIBE;
    REQUIRE_OK(print_rows(&p, described, &column, 1, &err), err);
    CHECK_STR(finish(&p), "id                  \tbigint              \t                    \n");
    start(&p, NILAS_FORMAT_JSON);
    p.print.look = NILAS_LOOK_DESCRIBE;
    REQUIRE_OK(print_rows(&p, described, &column, 1, &err), err);
    CHECK_CONTAINS(finish(&p).data, "\"rows\":[[\"id\",\"bigint\",\"\"]]}");
}

NILAS_TEST(a_header_of_tsv_when_asked_for) {
    printing p;
    nilas_error err = NILAS_ERROR_INIT;
    start(&p, NILAS_FORMAT_TSV);
    p.options.header = true;
    REQUIRE_OK(print_rows(&p, people_type(), NULL, 0, &err), err);
    CHECK_STR(finish(&p), "id\tname\n");
}

NILAS_TEST(plots) {
    const nilas_type *type =
        make_struct_type(2, (const char *const[]){"k", "n"},
                         (const nilas_type *const[]){of(NILAS_TYPE_STRING), of(NILAS_TYPE_INT)});
    nilas_value rows[] = {STRUCT(TEXT("a"), INT(4)), STRUCT(TEXT("bb"), INT(2)),
                          STRUCT(TEXT("c"), NIL)};
    nilas_error err = NILAS_ERROR_INIT;
    printing p;
    start(&p, NILAS_FORMAT_PLOT);
    p.options.columns = 26;
    REQUIRE_OK(print_rows(&p, type, rows, 3, &err), err);
    CHECK_STR(finish(&p), "a  │██████████ 4\nbb │█████ 2\nc  │ -\n");

    start(&p, NILAS_FORMAT_PLOT);
    CHECK_FAILS(print_rows(&p, people_type(), NULL, 0, &err), NILAS_INVALID, err,
                "needs a number in the last column");
    (void)finish(&p);

    const nilas_type *line =
        make_struct_type(2, (const char *const[]){"x", "y"},
                         (const nilas_type *const[]){of(NILAS_TYPE_INT), of(NILAS_TYPE_DOUBLE)});
    nilas_value points[100];
    for (int i = 0; i < 100; i++) {
        points[i] = STRUCT(INT(i), nilas_value_of_double(i * i));
    }
    start(&p, NILAS_FORMAT_PLOT);
    REQUIRE_OK(print_rows(&p, line, points, 100, &err), err);
    nilas_str chart = finish(&p);
    CHECK(nilas_str_find(chart, NILAS_STR("9801 │"), 0) != SIZE_MAX);
    CHECK(nilas_str_find(chart, NILAS_STR("⠤"), 0) != SIZE_MAX ||
          nilas_str_find(chart, NILAS_STR("⣀"), 0) != SIZE_MAX);
}

/** Rows that a reader of Arrow streams finds, or -1. */
static int64_t rows_of_stream(nilas_str bytes) {
    struct ArrowBuffer buffer;
    struct ArrowIpcInputStream input;
    struct ArrowArrayStream reader;
    int64_t rows = 0;

    ArrowBufferInit(&buffer);
    if (ArrowBufferAppend(&buffer, bytes.data, (int64_t)bytes.size) != NANOARROW_OK ||
        ArrowIpcInputStreamInitBuffer(&input, &buffer) != NANOARROW_OK ||
        ArrowIpcArrayStreamReaderInit(&reader, &input, NULL) != NANOARROW_OK) {
        return -1;
    }
    for (;;) {
        struct ArrowArray batch = {0};
        if (reader.get_next(&reader, &batch) != NANOARROW_OK) {
            rows = -1;
            break;
        }
        if (batch.release == NULL) {
            break;
        }
        rows += batch.length;
        batch.release(&batch);
    }
    reader.release(&reader);
    return rows;
}

NILAS_TEST(an_arrow_stream_begins_with_its_schema_and_ends) {
    printing p;
    size_t count;
    const nilas_value *rows = people(&count);
    nilas_error err = NILAS_ERROR_INIT;
    start(&p, NILAS_FORMAT_ARROW);
    lead = 0; // nanoarrow writes no slices, and the engine gives none
    nilas_code code = print_rows(&p, people_type(), rows, count, &err);
    lead = 3;
    REQUIRE_OK(code, err);
    nilas_str bytes = finish(&p);
    REQUIRE(bytes.size > 100);
    CHECK_INT(memcmp(bytes.data, "\xFF\xFF\xFF\xFF", 4), 0);
    CHECK_INT(memcmp(bytes.data + bytes.size - 8, "\xFF\xFF\xFF\xFF\0\0\0\0", 8), 0);
    CHECK_INT(rows_of_stream(bytes), 3);
}

NILAS_TEST(a_closed_reader_is_an_error) {
    printing p;
    size_t count;
    const nilas_value *rows = people(&count);
    nilas_error err = NILAS_ERROR_INIT;
    start(&p, NILAS_FORMAT_TSV);
    REQUIRE_OK(print_rows(&p, people_type(), rows, count, &err), err);
    int good = p.output.fd;
    p.output.fd = -1;
    CHECK_FAILS(nilas_shell__output_flush(&p.output, &err), NILAS_IO, err,
                "cannot write the result");
    CHECK(p.output.failed != 0);
    p.output.fd = good;
    p.output.failed = 0;
    (void)finish(&p);
}
