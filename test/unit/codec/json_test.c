/** JSON: print(parse(x)) is x, each malformed text is placed, access says what it found. */
#include <math.h>

#include "codec/codec.h"
#include "test.h"

static void check_round_trip(const char *text) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF out = {0};
    nilas_json json;
    REQUIRE_OK(nilas_json_parse(arena, nilas_str_of(text), "text", &json, &err), err);
    nilas_json_print(&out, &json, 0);
    CHECK_STR(nilas_buf_view(&out), text);
}

NILAS_TEST(compact_texts_print_as_they_were) {
    static const char *const texts[] = {"null",
                                        "true",
                                        "false",
                                        "0",
                                        "-1",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "1.0",
                                        "1e400",
                                        "1.10E-5",
                                        "18446744073709551616",
                                        "\"\"",
                                        "\"a\\\"b\\\\c\\n\\u0001\"",
                                        "\"\xC3\xA9\xF0\x9F\x98\x80\"",
                                        "[]",
                                        "{}",
                                        "[1,[2,[3]],{}]",
                                        "{\"b\":1,\"a\":{\"x\":null},\"b\":2}"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        check_round_trip(texts[i]);
    }
}

NILAS_TEST(escapes_and_blanks_are_read) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_json json;
    nilas_str text =
        NILAS_STR("\xEF\xBB\xBF \t\r\n[ \"\\u00e9\\ud83d\\ude00\\/\\b\\f\\t\\u0000\" , "
                  "1 ,-0 , 2.5 ] \n");
    REQUIRE_OK(nilas_json_parse(arena, text, "text", &json, &err), err);
    REQUIRE(json.count == 4);
    CHECK_BYTES(json.items[0].text, NILAS_STR("\xC3\xA9\xF0\x9F\x98\x80/\b\f\t\0"));
    CHECK_INT(json.items[1].integer, 1);
    CHECK_INT(json.items[2].integer, 0);
    CHECK_STR(json.items[3].text, "2.5");
    CHECK_DOUBLE(json.items[3].real, 2.5);
}

NILAS_TEST(the_text_may_go_away) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_json json;
    char text[] = "{\"name\":\"value\",\"n\":1.5}";
    nilas_str given = nilas_str_of(text);
    REQUIRE_OK(nilas_json_parse(arena, given, "text", &json, &err), err);
    memset(text, 'x', given.size);
    CHECK_STR(json.names[0], "name");
    CHECK_STR(json.items[0].text, "value");
    CHECK_STR(json.items[1].text, "1.5");
}

NILAS_TEST(malformed_texts_are_placed) {
    static const char *const cases[][2] = {
        {"", "line 1, column 1: expected a value, found end of text"},
        {"{\"a\":1\n,}", "line 2, column 2: expected a member name, found '}'"},
        {"[1 2]", "line 1, column 4: expected ',' or ']', found '2'"},
        {"{\"a\" 1}", "expected ':', found '1'"},
        {"[1,]", "expected a value, found ']'"},
        {"01", "without leading zero"},
        {"1.", "expected a digit, found end of text"},
        {"1e", "expected a digit"},
        {"-", "expected a value"},
        {"+1", "expected a value, found '+'"},
        {"nul", "expected a value, found 'n'"},
        {"NaN", "expected a value, found 'N'"},
        {"\"abc", "expected the end of a string, found end of text"},
        {"\"a\nb\"", "expected the end of a string, found byte 0x0a"},
        {"\"\\x\"", "expected an escape, found 'x'"},
        {"\"\\u12g4\"", "four hexadecimal digits"},
        {"\"\\ud800\"", "surrogate pair"},
        {"\"\\ud800\\u0041\"", "surrogate pair"},
        {"\"\\udc00\"", "first half"},
        {"\"\xFF\"", "column 2: expected UTF-8, found byte 0xff"},
        {"1 x", "expected end of text, found 'x'"},
        {"[1", "found end of text"},
        {"{", "expected a member name"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_json json;
        CHECK_FAILS(nilas_json_parse(arena, nilas_str_of(cases[i][0]), "t", &json, &err),
                    NILAS_CORRUPT, err, cases[i][1]);
    }
}

NILAS_TEST(every_cut_of_a_text_is_malformed) {
    nilas_str text = NILAS_STR("{\"a\":[1,2.5,\"x\\u00e9\",true,null],\"b\":{\"c\":-1e5}}");
    for (size_t cut = 0; cut < text.size; cut++) {
        nilas_error err = NILAS_ERROR_INIT;
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_json json;
        CHECK_CODE(nilas_json_parse(arena, nilas_str_slice(text, 0, cut), "t", &json, &err),
                   NILAS_CORRUPT, err);
    }
}

static nilas_code parse_nested(size_t depth, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF text = {0};
    nilas_json json;
    for (size_t i = 0; i < depth; i++) {
        nilas_buf_add_char(&text, '[');
    }
    for (size_t i = 0; i < depth; i++) {
        nilas_buf_add_char(&text, ']');
    }
    return nilas_json_parse(arena, nilas_buf_view(&text), "t", &json, err);
}

NILAS_TEST(nesting_ends_at_the_limit) {
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_OK(parse_nested(NILAS_LIMIT_JSON_DEPTH, &err), err);
    CHECK_CODE(parse_nested(NILAS_LIMIT_JSON_DEPTH + 1, &err), NILAS_LIMIT, err);
    CHECK_CODE(parse_nested(1000000, &err), NILAS_LIMIT, err);
}

NILAS_TEST(access_tells_absent_from_wrong) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_json json;
    const nilas_json *list = NULL;
    nilas_str text = NILAS_STR("keep");
    int64_t number = 7;
    bool flag = true;
    nilas_str source = NILAS_STR("{\"i\":1,\"s\":\"x\",\"b\":false,\"a\":[1],\"o\":{},\"n\":null,"
                                 "\"r\":1.5,\"i\":2}");
    REQUIRE_OK(nilas_json_parse(arena, source, "t", &json, &err), err);
    CHECK_OK(nilas_json_get_int(&json, "i", &number, &err), err);
    CHECK_INT(number, 2); // of two members with one name the last counts
    CHECK_OK(nilas_json_find_int(&json, "absent", &number, &err), err);
    CHECK_OK(nilas_json_find_int(&json, "n", &number, &err), err);
    CHECK_INT(number, 2);
    CHECK_FAILS(nilas_json_get_int(&json, "n", &number, &err), NILAS_CORRUPT, err,
                "member \"n\": expected integer, found null");
    CHECK_FAILS(nilas_json_get_int(&json, "absent", &number, &err), NILAS_CORRUPT, err,
                "found no such member");
    CHECK_FAILS(nilas_json_find_int(&json, "r", &number, &err), NILAS_CORRUPT, err,
                "expected integer, found number");
    CHECK_OK(nilas_json_find_str(&json, "absent", &text, &err), err);
    CHECK_STR(text, "keep");
    CHECK_OK(nilas_json_get_str(&json, "s", &text, &err), err);
    CHECK_STR(text, "x");
    CHECK_OK(nilas_json_get_bool(&json, "b", &flag, &err), err);
    CHECK(!flag);
    CHECK_OK(nilas_json_get_array(&json, "a", &list, &err), err);
    CHECK_INT(list->count, 1);
    CHECK_OK(nilas_json_find_array(&json, "absent", &list, &err), err);
    CHECK_INT(list->count, 1);
    CHECK_OK(nilas_json_get_object(&json, "o", &list, &err), err);
    CHECK_CODE(nilas_json_get_array(&json, "o", &list, &err), NILAS_CORRUPT, err);
    CHECK_CODE(nilas_json_get_str(&json.items[0], "s", &text, &err), NILAS_CORRUPT, err);
    CHECK(nilas_json_find(&json, "n") != NULL && nilas_json_find(&json, "absent") == NULL);
    CHECK(nilas_json_find(NULL, "n") == NULL);
}

NILAS_TEST(trees_made_by_hand_print) {
    NILAS_AUTO_BUF out = {0};
    nilas_str names[] = {NILAS_STR("a"), NILAS_STR("b")};
    nilas_json items[] = {{.kind = NILAS_JSON_REAL, .real = 0.1}, {.kind = NILAS_JSON_ARRAY}};
    nilas_json reals[] = {{.kind = NILAS_JSON_REAL, .real = 3},
                          {.kind = NILAS_JSON_REAL, .real = INFINITY},
                          {.kind = NILAS_JSON_REAL, .real = 1.0 / 3}};
    items[1].items = reals;
    items[1].count = 3;
    nilas_json object = {.kind = NILAS_JSON_OBJECT, .names = names, .items = items, .count = 2};
    nilas_json_print(&out, &object, 2);
    CHECK_STR(nilas_buf_view(&out), "{\n  \"a\": 0.1,\n  \"b\": [\n    3.0,\n    null,\n"
                                    "    0.3333333333333333\n  ]\n}");
}
