#include "engine/files_memo.h"

#include <unistd.h>

#include "test.h"

NILAS_TEST(an_answer_is_found_by_its_whole_key) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str found = {0};
    bool is_known = true;

    REQUIRE_OK(nilas_files__memo_find(arena, NILAS_STR("key"), &is_known, &found, &err), err);
    CHECK(!is_known);
    nilas_files__memo_keep(NILAS_STR("key"), NILAS_STR("answer"));
    nilas_files__memo_keep(NILAS_STR("keys"), NILAS_STR("others"));
    REQUIRE_OK(nilas_files__memo_find(arena, NILAS_STR("key"), &is_known, &found, &err), err);
    CHECK(is_known && nilas_str_is(found, "answer"));
    for (int i = 0; i < 100; i++) { // old ones go
        char key[32];
        snprintf(key, sizeof(key), "key %d", i);
        nilas_files__memo_keep(nilas_str_of(key), NILAS_STR("x"));
    }
    REQUIRE_OK(nilas_files__memo_find(arena, NILAS_STR("key"), &is_known, &found, &err), err);
    CHECK(!is_known);
    REQUIRE_OK(nilas_files__memo_find(arena, NILAS_STR("key 99"), &is_known, &found, &err), err);
    CHECK(is_known);
}

NILAS_TEST(files_that_changed_just_now_have_no_key) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    char path[] = "/tmp/nilas-memo-XXXXXX";
    int file = mkstemp(path);
    REQUIRE(file >= 0);
    close(file);
    nilas_str paths[] = {nilas_str_of(path), NILAS_STR("/nonexistent/file")};
    nilas_file_source source = {.files = paths, .file_count = 1};
    nilas_str key;

    REQUIRE_OK(nilas_files__memo_key(arena, NILAS_STR("q"), &source, &key, &err), err);
    CHECK(key.data == NULL);
    unlink(path);
    source.files = paths + 1;
    REQUIRE_OK(nilas_files__memo_key(arena, NILAS_STR("q"), &source, &key, &err), err);
    CHECK(key.data == NULL);
    nilas_files__memo_keep(key, NILAS_STR("nothing is kept"));

    nilas_str settled[] = {NILAS_STR("/bin/sh")};
    nilas_str a, b;
    source = (nilas_file_source){.files = settled, .file_count = 1};
    REQUIRE_OK(nilas_files__memo_key(arena, NILAS_STR("a"), &source, &a, &err), err);
    REQUIRE_OK(nilas_files__memo_key(arena, NILAS_STR("b"), &source, &b, &err), err);
    CHECK(a.size > 1 && !nilas_str_equal(a, b));
}
