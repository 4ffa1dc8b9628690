#include "base/base.h"
#include "test.h"

NILAS_TEST(a_new_one_is_a_random_uuid) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_uuid a, b;
    REQUIRE_OK(nilas_uuid_new(&a, &err), err);
    REQUIRE_OK(nilas_uuid_new(&b, &err), err);
    CHECK(nilas_uuid_is(nilas_str_of(a.text)));
    CHECK(strcmp(a.text, b.text) != 0);
    CHECK(a.text[14] == '4');
    CHECK(strchr("89ab", a.text[19]) != NULL);
}

NILAS_TEST(only_the_form_counts) {
    CHECK(nilas_uuid_is(NILAS_STR("00112233-4455-6677-8899-AABBCCDDEEFF")));
    CHECK(!nilas_uuid_is(NILAS_STR("")));
    CHECK(!nilas_uuid_is(NILAS_STR("00112233-4455-6677-8899-aabbccddeef")));
    CHECK(!nilas_uuid_is(NILAS_STR("00112233-4455-6677-8899-aabbccddeeffa")));
    CHECK(!nilas_uuid_is(NILAS_STR("00112233-4455-6677-8899-aabbccddeefg")));
    CHECK(!nilas_uuid_is(NILAS_STR("0011223304455-6677-8899-aabbccddeeff")));
}
