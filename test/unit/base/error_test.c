/** Errors: what is kept, what is cut, which SQLSTATE belongs to what. */
#include "base/base.h"
#include "test.h"

static nilas_code refuse(nilas_error *err) {
    return nilas_fail(err, NILAS_CORRUPT, "count %d expected, found %d", 1, 2);
}

static nilas_code require_positive(int v, nilas_error *err) {
    NILAS_REQUIRE(v > 0, err, NILAS_INVALID, "positive expected, found %d", v);
    return NILAS_OK;
}

static nilas_code pass_on(nilas_error *err) {
    NILAS_TRY(refuse(err));
    return NILAS_OK;
}

NILAS_TEST(a_failure_fills_the_record_and_gives_its_code) {
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_FAILS(pass_on(&err), NILAS_CORRUPT, err, "count 1 expected, found 2");
    CHECK_INT(err.code, NILAS_CORRUPT);
    CHECK_INT(err.sql_offset, -1);
    CHECK(err.condition == NULL && err.sql_state == NULL && err.hint == NULL);
    CHECK_CODE(refuse(NULL), NILAS_CORRUPT, err);
    CHECK_CODE(require_positive(0, &err), NILAS_INVALID, err);
    CHECK_OK(require_positive(1, &err), err);
}

NILAS_TEST(a_condition_brings_its_sql_state) {
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_CODE(nilas_fail_at(&err, NILAS_NOT_FOUND, "TABLE_OR_VIEW_NOT_FOUND", 14, "no %s", "t"),
               NILAS_NOT_FOUND, err);
    CHECK_TEXT(err.sql_state, "42P01");
    CHECK_TEXT(err.message, "no t");
    CHECK_INT(err.sql_offset, 14);
}

NILAS_TEST(appending_keeps_code_and_text) {
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_CODE(refuse(&err), NILAS_CORRUPT, err);
    nilas_error_append(&err, "in \"%s\"", "m0.avro");
    CHECK_TEXT(err.message, "count 1 expected, found 2 in \"m0.avro\"");
    CHECK_INT(err.code, NILAS_CORRUPT);
    nilas_error_append(NULL, "nothing");
}

NILAS_TEST(long_messages_end_at_a_letter) {
    nilas_error err = NILAS_ERROR_INIT;
    char text[3 * NILAS_ERROR_MESSAGE_SIZE + 1] = {0};
    for (size_t shift = 0; shift < 4; shift++) {
        // Snowmen of three bytes, behind 0 to 3 letters: the cut falls on each of their bytes.
        memset(text, 'x', shift);
        for (size_t i = 0; i < NILAS_ERROR_MESSAGE_SIZE - 2; i++) {
            memcpy(text + shift + 3 * i, "\xE2\x98\x83", 3);
        }
        CHECK_CODE(nilas_fail(&err, NILAS_IO, "%s", text), NILAS_IO, err);
        CHECK(nilas_str_is_utf8(nilas_str_of(err.message)));
        CHECK(strlen(err.message) > NILAS_ERROR_MESSAGE_SIZE - 5);
        for (int i = 0; i < 5; i++) {
            nilas_error_append(&err, "%s", "\xE2\x98\x83");
        }
        CHECK(nilas_str_is_utf8(nilas_str_of(err.message)));
    }
}

NILAS_TEST(code_names_are_stable) {
    CHECK_TEXT(nilas_code_name(NILAS_OK), "ok");
    CHECK_TEXT(nilas_code_name(NILAS_CORRUPT), "corrupt");
    CHECK_TEXT(nilas_code_name(NILAS_NOT_FOUND), "not_found");
    CHECK_TEXT(nilas_code_name(NILAS_ENGINE), "engine");
}
