/** Maps: put, find, remove; in insertion order. */
#include "base/base.h"
#include "test.h"

static int values[5000];

NILAS_TEST(thousands_of_keys_are_found_again) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_map map;
    nilas_map_init(&map, arena, false);
    CHECK(nilas_map_find(&map, NILAS_STR("k1")) == NULL);
    for (size_t i = 0; i < 5000; i++) {
        nilas_str key;
        REQUIRE_OK(nilas_str_print(arena, &key, &err, "k%zu", i), err);
        REQUIRE_OK(nilas_map_put(&map, key, &values[i], &err), err);
    }
    CHECK_INT(map.count, 5000);
    for (size_t i = 0; i < 5000; i++) {
        nilas_str key;
        REQUIRE_OK(nilas_str_print(arena, &key, &err, "k%zu", i), err);
        REQUIRE(nilas_map_find(&map, key) == &values[i]);
        REQUIRE(map.entries[i].value == &values[i]);
    }
    CHECK(nilas_map_find(&map, NILAS_STR("k5000")) == NULL);
    CHECK(nilas_map_find(&map, NILAS_STR_EMPTY) == NULL);
}

NILAS_TEST(numbers_are_keys_of_their_own) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_map map;
    nilas_map_init(&map, arena, false);
    for (int64_t i = -1000; i < 1000; i++) {
        REQUIRE_OK(nilas_map_put_int(&map, i * (1LL << 32), &values[i + 1000], &err), err);
    }
    for (int64_t i = -1000; i < 1000; i++) {
        REQUIRE(nilas_map_find_int(&map, i * (1LL << 32)) == &values[i + 1000]);
    }
    CHECK(nilas_map_find_int(&map, 1) == NULL);
    CHECK(nilas_map_find_int(&map, INT64_MIN) == NULL);
}

NILAS_TEST(putting_again_replaces_and_removing_leaves_a_gap) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_map map;
    nilas_map_init(&map, arena, false);
    CHECK_OK(nilas_map_put(&map, NILAS_STR("a"), &values[0], &err), err);
    CHECK_OK(nilas_map_put(&map, NILAS_STR("b"), &values[1], &err), err);
    CHECK_OK(nilas_map_put(&map, NILAS_STR("a"), &values[2], &err), err);
    CHECK_INT(map.count, 2);
    CHECK(nilas_map_find(&map, NILAS_STR("a")) == &values[2]);
    CHECK(nilas_map_remove(&map, NILAS_STR("a")));
    CHECK(!nilas_map_remove(&map, NILAS_STR("a")));
    CHECK(!nilas_map_remove(&map, NILAS_STR("c")));
    CHECK(nilas_map_find(&map, NILAS_STR("a")) == NULL);
    CHECK(map.entries[0].value == NULL);
    CHECK_OK(nilas_map_put(&map, NILAS_STR("a"), &values[3], &err), err);
    CHECK(nilas_map_find(&map, NILAS_STR("a")) == &values[3]);
    CHECK(nilas_map_find(&map, NILAS_STR("b")) == &values[1]);
}

NILAS_TEST(folding_maps_do_not_see_case) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_map map;
    nilas_map_init(&map, arena, true);
    CHECK_OK(nilas_map_put(&map, NILAS_STR("Straßen_ÄÖ"), &values[0], &err), err);
    CHECK_OK(nilas_map_put(&map, NILAS_STR("İd"), &values[1], &err), err);
    CHECK(nilas_map_find(&map, NILAS_STR("sTRAßen_äö")) == &values[0]);
    CHECK(nilas_map_find(&map, NILAS_STR("id")) == &values[1]);
    CHECK(nilas_map_find(&map, NILAS_STR("Strassen_ÄÖ")) == NULL);
}

NILAS_TEST(an_empty_text_is_a_key) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_map map;
    nilas_map_init(&map, arena, false);
    CHECK_OK(nilas_map_put(&map, (nilas_str){0}, &values[0], &err), err);
    CHECK(nilas_map_find(&map, NILAS_STR_EMPTY) == &values[0]);
    CHECK(nilas_map_find_int(&map, 0) == NULL);
}
