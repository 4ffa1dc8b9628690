/** Growing buffers: what they hold, where they stop. */
#include "base/base.h"
#include "test.h"

NILAS_TEST(appends_add_up) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF buf = {0};
    nilas_str out;
    nilas_buf_add_text(&buf, "a");
    nilas_buf_add(&buf, NILAS_STR("bc"));
    nilas_buf_add_char(&buf, '-');
    nilas_buf_print(&buf, "%05d", 42);
    nilas_buf_print(&buf, "%s", "");
    nilas_buf_add_codepoint(&buf, 0x20AC);
    CHECK_STR(nilas_buf_view(&buf), "abc-00042\xE2\x82\xAC");
    nilas_buf_truncate(&buf, 3);
    REQUIRE_OK(nilas_buf_finish(&buf, arena, &out, &err), err);
    CHECK_TEXT(out.data, "abc");
    nilas_buf_clear(&buf);
    CHECK_STR(nilas_buf_view(&buf), "");
}

NILAS_TEST(an_untouched_buffer_is_empty_text) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF buf = {0};
    nilas_str out;
    REQUIRE_OK(nilas_buf_finish(&buf, arena, &out, &err), err);
    CHECK_STR(out, "");
}

NILAS_TEST(the_maximum_is_met_exactly_and_not_passed) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO_BUF buf = NILAS_BUF_INIT(10);
    nilas_buf_add_text(&buf, "12345");
    nilas_buf_print(&buf, "%s", "67890");
    CHECK_OK(nilas_buf_check(&buf, &err), err);
    CHECK_INT(buf.size, 10);
    nilas_buf_add_char(&buf, 'x');
    CHECK_FAILS(nilas_buf_check(&buf, &err), NILAS_LIMIT, err, "10 bytes allowed");
    nilas_buf_add_text(&buf, "nothing more is added");
    CHECK_INT(buf.size, 10);
    nilas_buf_clear(&buf);
    nilas_buf_print(&buf, "%s", "12345678901");
    CHECK_CODE(nilas_buf_check(&buf, &err), NILAS_LIMIT, err);
}

NILAS_TEST(long_prints_grow_the_buffer) {
    NILAS_AUTO_BUF buf = {0};
    char text[5000];
    memset(text, 'x', sizeof(text));
    for (int i = 0; i < 20; i++) {
        nilas_buf_print(&buf, "%.*s", (int)sizeof(text), text);
    }
    CHECK_INT(buf.size, 20 * sizeof(text));
    CHECK_INT(buf.failed, NILAS_OK);
}

NILAS_TEST(base64_as_rfc_4648_has_it) {
    static const char *const cases[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"},
                                           {"\xFB\xFF\xFE", "+//+"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        NILAS_AUTO_BUF buf = {0};
        nilas_buf_add_base64(&buf, nilas_str_of(cases[i][0]));
        CHECK_STR(nilas_buf_view(&buf), cases[i][1]);
    }
}
