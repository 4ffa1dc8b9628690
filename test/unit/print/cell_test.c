/* Every type in the three forms, from arrays whose offsets are not zero. */
#include "print/cell.h"

#include <math.h>

#include "batch.h"
#include "test.h"

static const nilas_type *of(nilas_type_kind kind) {
    return nilas_type_of(kind);
}

/** Text of the second of two rows, of which the first is null. */
static nilas_str cell(const nilas_type *type, nilas_value value, nilas_print_form form,
                      const char *zone) {
    static nilas_buf out;
    const nilas_type *row_type = make_struct_type(1, (const char *const[]){"c"}, &type);
    nilas_value rows[] = {STRUCT(NIL), STRUCT(value)};
    struct ArrowArray *batch = make_array(row_type, rows, 2);
    nilas_print_style style = {.form = form, .zone = nilas_zone_find(nilas_str_of(zone))};
    nilas_print_column root;
    nilas_error err = NILAS_ERROR_INIT;

    nilas_buf_clear(&out);
    if (nilas_print_columns_bind(made(), row_type, make_schema(row_type), &root, &err) !=
        NILAS_OK) {
        nilas_buf_add_text(&out, err.message);
        return nilas_buf_view(&out);
    }
    nilas_print_cell(&out, &root.children[0], batch->children[0],
                     nilas_print_cell_struct_row(batch, 1), &style);
    return nilas_buf_view(&out);
}

#define HIVE(type, value)  cell((type), (value), NILAS_FORM_HIVE, "UTC")
#define SHOWN(type, value) cell((type), (value), NILAS_FORM_SHOWN, "UTC")
#define JSON(type, value)  cell((type), (value), NILAS_FORM_JSON, "UTC")

NILAS_TEST(null_at_the_top) {
    CHECK_STR(HIVE(of(NILAS_TYPE_INT), NIL), "NULL");
    CHECK_STR(SHOWN(of(NILAS_TYPE_INT), NIL), "NULL");
    CHECK_STR(JSON(of(NILAS_TYPE_INT), NIL), "null");
    CHECK_STR(HIVE(of(NILAS_TYPE_VOID), NIL), "NULL");
}

NILAS_TEST(whole_numbers_and_booleans) {
    CHECK_STR(HIVE(of(NILAS_TYPE_BOOLEAN), nilas_value_of_bool(true)), "true");
    CHECK_STR(HIVE(of(NILAS_TYPE_BOOLEAN), nilas_value_of_bool(false)), "false");
    CHECK_STR(HIVE(of(NILAS_TYPE_TINYINT), INT(-128)), "-128");
    CHECK_STR(HIVE(of(NILAS_TYPE_SMALLINT), INT(-32768)), "-32768");
    CHECK_STR(HIVE(of(NILAS_TYPE_INT), INT(INT32_MIN)), "-2147483648");
    CHECK_STR(HIVE(of(NILAS_TYPE_BIGINT), INT(INT64_MIN)), "-9223372036854775808");
    CHECK_STR(JSON(of(NILAS_TYPE_BIGINT), INT(42)), "42");
}

NILAS_TEST(floating_point) {
    CHECK_STR(HIVE(of(NILAS_TYPE_DOUBLE), nilas_value_of_double(1e10)), "1.0E10");
    CHECK_STR(HIVE(of(NILAS_TYPE_FLOAT), nilas_value_of_float(1.1f)), "1.1");
    CHECK_STR(JSON(of(NILAS_TYPE_DOUBLE), nilas_value_of_double(NAN)), "\"NaN\"");
    CHECK_STR(JSON(of(NILAS_TYPE_FLOAT), nilas_value_of_float(INFINITY)), "\"Infinity\"");
    CHECK_STR(JSON(of(NILAS_TYPE_DOUBLE), nilas_value_of_double(1.5)), "1.5");
}

NILAS_TEST(decimals_are_plain) {
    CHECK_STR(HIVE(make_decimal_type(9, 2), nilas_value_of_decimal(-50, 2)), "-0.50");
    CHECK_STR(HIVE(make_decimal_type(38, 10), nilas_value_of_decimal(1, 10)), "0.0000000001");
    CHECK_STR(JSON(make_decimal_type(10, 1), nilas_value_of_decimal(15, 1)), "1.5");
}

NILAS_TEST(dates_and_times) {
    CHECK_STR(HIVE(of(NILAS_TYPE_DATE), INT(-1)), "1969-12-31");
    CHECK_STR(HIVE(of(NILAS_TYPE_DATE), INT(nilas_days_from_civil(1582, 10, 10))), "1582-10-15");
    CHECK_STR(HIVE(of(NILAS_TYPE_DATE), INT(nilas_days_from_civil(1582, 10, 4))), "1582-10-04");
    CHECK_STR(HIVE(of(NILAS_TYPE_DATE), INT(nilas_days_from_civil(-5, 6, 7))), "0006-06-07");
    CHECK_STR(HIVE(of(NILAS_TYPE_DATE), INT(nilas_days_from_civil(12345, 1, 1))), "12345-01-01");
    CHECK_STR(JSON(of(NILAS_TYPE_DATE), INT(nilas_days_from_civil(-5, 6, 7))), "\"-0005-06-07\"");
    CHECK_STR(HIVE(of(NILAS_TYPE_TIMESTAMP_NTZ), INT(-1)), "1969-12-31 23:59:59.999999");
    CHECK_STR(HIVE(of(NILAS_TYPE_TIMESTAMP), INT(500000)), "1970-01-01 00:00:00.5");
    CHECK_STR(JSON(of(NILAS_TYPE_DATE), INT(0)), "\"1970-01-01\"");
    CHECK_STR(HIVE(of(NILAS_TYPE_TIME), INT(45296 * 1000000LL + 500000)), "12:34:56.5");
    CHECK_STR(HIVE(of(NILAS_TYPE_TIME), INT(0)), "00:00:00");
}

NILAS_TEST(timestamps_are_shown_in_the_zone_but_local_ones_are_not) {
    nilas_value noon = INT(43200 * 1000000LL);
    CHECK_STR(cell(of(NILAS_TYPE_TIMESTAMP), noon, NILAS_FORM_HIVE, "+08:00"),
              "1970-01-01 20:00:00");
    CHECK_STR(cell(of(NILAS_TYPE_TIMESTAMP_NTZ), noon, NILAS_FORM_HIVE, "+08:00"),
              "1970-01-01 12:00:00");
}

NILAS_TEST(text_and_bytes) {
    CHECK_STR(HIVE(of(NILAS_TYPE_STRING), TEXT("a\t\"b\"")), "a\t\"b\"");
    CHECK_STR(JSON(of(NILAS_TYPE_STRING), TEXT("a\t\"b\"")), "\"a\\t\\\"b\\\"\"");
    CHECK_STR(HIVE(of(NILAS_TYPE_BINARY), BYTES("AB\xFF")), "AB\uFFFD");
    CHECK_STR(SHOWN(of(NILAS_TYPE_BINARY), BYTES("\x0A\x0B\xFF")), "[0A 0B FF]");
    CHECK_STR(SHOWN(of(NILAS_TYPE_BINARY), BYTES("")), "[]");
    CHECK_STR(JSON(of(NILAS_TYPE_BINARY), BYTES("\x01\x02\x03\x04")), "\"AQIDBA==\"");
    CHECK_STR(JSON(of(NILAS_TYPE_BINARY), BYTES("abc")), "\"YWJj\"");
    CHECK_STR(JSON(of(NILAS_TYPE_BINARY), BYTES("ab")), "\"YWI=\"");
    CHECK_STR(HIVE(make_array_type(of(NILAS_TYPE_VARIANT)), LIST(TEXT("{\"a\":1}"))),
              "[{\"a\":1}]");
}

NILAS_TEST(year_month_intervals) {
    const nilas_type *both =
        make_interval_type(NILAS_TYPE_INTERVAL_YEAR_MONTH, NILAS_UNIT_YEAR, NILAS_UNIT_MONTH);
    const nilas_type *months =
        make_interval_type(NILAS_TYPE_INTERVAL_YEAR_MONTH, NILAS_UNIT_MONTH, NILAS_UNIT_MONTH);
    const nilas_type *years =
        make_interval_type(NILAS_TYPE_INTERVAL_YEAR_MONTH, NILAS_UNIT_YEAR, NILAS_UNIT_YEAR);
    CHECK_STR(HIVE(both, INT(14)), "1-2");
    CHECK_STR(HIVE(both, INT(-11)), "-0-11");
    CHECK_STR(HIVE(months, INT(10)), "0-10");
    CHECK_STR(HIVE(years, INT(36)), "3-0");
    CHECK_STR(SHOWN(both, INT(-14)), "INTERVAL '-1-2' YEAR TO MONTH");
    CHECK_STR(SHOWN(months, INT(26)), "INTERVAL '26' MONTH");
    CHECK_STR(SHOWN(years, INT(36)), "INTERVAL '3' YEAR");
    CHECK_STR(JSON(both, INT(14)), "\"1-2\"");
}

NILAS_TEST(day_time_intervals) {
    const nilas_type *all =
        make_interval_type(NILAS_TYPE_INTERVAL_DAY_TIME, NILAS_UNIT_DAY, NILAS_UNIT_SECOND);
    const nilas_type *seconds =
        make_interval_type(NILAS_TYPE_INTERVAL_DAY_TIME, NILAS_UNIT_SECOND, NILAS_UNIT_SECOND);
    const nilas_type *minutes =
        make_interval_type(NILAS_TYPE_INTERVAL_DAY_TIME, NILAS_UNIT_HOUR, NILAS_UNIT_MINUTE);
    const nilas_type *days =
        make_interval_type(NILAS_TYPE_INTERVAL_DAY_TIME, NILAS_UNIT_DAY, NILAS_UNIT_DAY);
    nilas_value some = INT(((1 * 24 + 2) * 3600 + 3 * 60 + 4) * 1000000LL);
    CHECK_STR(HIVE(all, some), "1 02:03:04.000000000");
    CHECK_STR(HIVE(all, INT(-1)), "-0 00:00:00.000001000");
    CHECK_STR(HIVE(make_array_type(seconds), LIST(INT(1000000), INT(2000000))),
              "[0 00:00:01.000000000,0 00:00:02.000000000]");
    CHECK_STR(SHOWN(all, some), "INTERVAL '1 02:03:04' DAY TO SECOND");
    CHECK_STR(SHOWN(all, INT(-1500000)), "INTERVAL '-0 00:00:01.5' DAY TO SECOND");
    CHECK_STR(SHOWN(seconds, INT(12345678)), "INTERVAL '12.345678' SECOND");
    CHECK_STR(SHOWN(seconds, INT(0)), "INTERVAL '00' SECOND");
    CHECK_STR(SHOWN(minutes, INT(90 * 60 * 1000000LL)), "INTERVAL '01:30' HOUR TO MINUTE");
    CHECK_STR(SHOWN(days, INT(86400 * 1000000LL)), "INTERVAL '1' DAY");
    CHECK_STR(SHOWN(all, INT(INT64_MIN)), "INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND");
}

NILAS_TEST(calendar_intervals) {
    const nilas_type *type = of(NILAS_TYPE_INTERVAL);
    CHECK_STR(
        HIVE(type, STRUCT(INT(1211), INT(8), INT((12 * 3600 + 30 * 60 + 1) * 1000000LL + 1001))),
        "100 years 11 months 8 days 12 hours 30 minutes 1.001001 seconds");
    CHECK_STR(HIVE(type, STRUCT(INT(0), INT(0), INT(0))), "0 seconds");
    CHECK_STR(HIVE(type, STRUCT(INT(-1), INT(0), INT(-500000))), "-1 months -0.5 seconds");
}

NILAS_TEST(arrays) {
    const nilas_type *type = make_array_type(of(NILAS_TYPE_STRING));
    nilas_value value = LIST(TEXT("a"), NIL, TEXT(""));
    CHECK_STR(HIVE(type, value), "[\"a\",null,\"\"]");
    CHECK_STR(SHOWN(type, value), "[a, NULL, ]");
    CHECK_STR(JSON(type, value), "[\"a\",null,\"\"]");
    CHECK_STR(HIVE(type, EMPTY_LIST), "[]");
    CHECK_STR(HIVE(make_array_type(of(NILAS_TYPE_DATE)), LIST(INT(0))), "[1970-01-01]");
    CHECK_STR(SHOWN(make_array_type(of(NILAS_TYPE_BINARY)), LIST(BYTES("\x01"))), "[[01]]");
    CHECK_STR(HIVE(make_array_type(of(NILAS_TYPE_BINARY)), LIST(BYTES("A"))), "[A]");
}

NILAS_TEST(structs) {
    const nilas_type *members[] = {of(NILAS_TYPE_INT), of(NILAS_TYPE_STRING),
                                   make_array_type(of(NILAS_TYPE_INT))};
    const nilas_type *type = make_struct_type(3, (const char *const[]){"a", "b", "c"}, members);
    nilas_value value = STRUCT(INT(1), TEXT("x"), LIST(INT(2), NIL));
    CHECK_STR(HIVE(type, value), "{\"a\":1,\"b\":\"x\",\"c\":[2,null]}");
    CHECK_STR(SHOWN(type, value), "{1, x, [2, NULL]}");
    CHECK_STR(JSON(type, value), "{\"a\":1,\"b\":\"x\",\"c\":[2,null]}");
    CHECK_STR(SHOWN(type, STRUCT(NIL, NIL, NIL)), "{NULL, NULL, NULL}");
    CHECK_STR(HIVE(make_struct_type(0, NULL, NULL), STRUCT(INT(0))), "{}");
}

NILAS_TEST(maps_are_sorted_by_text_for_spark_sql_only) {
    const nilas_type *type = make_map_type(of(NILAS_TYPE_INT), of(NILAS_TYPE_BIGINT));
    nilas_value value = MAP(INT(2), INT(7), INT(1), INT(5), INT(10), NIL);
    CHECK_STR(HIVE(type, value), "{10:null,1:5,2:7}");
    CHECK_STR(SHOWN(type, value), "{2 -> 7, 1 -> 5, 10 -> NULL}");
    CHECK_STR(JSON(type, value), "{\"2\":7,\"1\":5,\"10\":null}");
    CHECK_STR(HIVE(type, EMPTY_MAP), "{}");

    const nilas_type *texts = make_map_type(of(NILAS_TYPE_STRING), of(NILAS_TYPE_STRING));
    CHECK_STR(HIVE(texts, MAP(TEXT("k"), TEXT("v"))), "{\"k\":\"v\"}");
    CHECK_STR(SHOWN(texts, MAP(TEXT(""), TEXT("v"))), "{ -> v}");
}

NILAS_TEST(a_layout_that_cannot_hold_the_type_is_refused) {
    const nilas_type *type = make_struct_type(1, (const char *const[]){"n"},
                                              (const nilas_type *const[]){of(NILAS_TYPE_INT)});
    struct ArrowSchema *schema = make_schema(type);
    nilas_print_column root;
    nilas_error err = NILAS_ERROR_INIT;

    schema->children[0]->format = "u";
    CHECK_FAILS(nilas_print_columns_bind(made(), type, schema, &root, &err), NILAS_ENGINE, err,
                "column \"n\": Arrow format \"u\" does not hold a int");
    schema->children[0]->format = "vu";
    CHECK_FAILS(nilas_print_columns_bind(made(), type, schema, &root, &err), NILAS_ENGINE, err,
                "vu");
    schema->n_children = 0;
    CHECK_FAILS(nilas_print_columns_bind(made(), type, schema, &root, &err), NILAS_ENGINE, err,
                "does not hold");
}
