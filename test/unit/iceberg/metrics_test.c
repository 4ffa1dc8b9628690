#include <math.h>

#include "make.h"

#define TABLE                                                                                      \
    "{\"format-version\":3,\"location\":\"/t\",\"schemas\":[{\"type\":\"struct\",\"schema-id\":0," \
    "\"fields\":[{\"id\":1,\"name\":\"l\",\"required\":false,\"type\":\"long\"},{\"id\":2,"        \
    "\"name\":\"s\",\"required\":false,\"type\":\"string\"},{\"id\":3,\"name\":\"d\","             \
    "\"required\":false,\"type\":\"double\"},{\"id\":4,\"name\":\"u\",\"required\":false,"         \
    "\"type\":\"uuid\"},{\"id\":5,\"name\":\"i\",\"required\":false,\"type\":\"int\"},{\"id\":6,"  \
    "\"name\":\"p\",\"required\":false,\"type\":{\"type\":\"struct\",\"fields\":[{\"id\":7,"       \
    "\"name\":\"x\",\"required\":false,\"type\":\"long\"}]}},{\"id\":8,\"name\":\"n\","            \
    "\"required\":false,\"type\":\"decimal(7, 2)\"},{\"id\":9,\"name\":\"v\",\"required\":false,"  \
    "\"type\":\"variant\"}]}],\"current-schema-id\":0,\"partition-specs\":[{\"spec-id\":0,"        \
    "\"fields\":[]}],\"default-spec-id\":0}"

/** A file with one column's metrics; tests set what they are about. */
typedef struct fixture {
    nilas_arena *arena;
    nilas_metadata *metadata;
    nilas_data_file file;
    nilas_int_count values, nulls, nans;
    nilas_bound lower, upper;
} fixture;

static void close_fixture(fixture *f) {
    nilas_arena_free(f->arena);
}
#define FIXTURE(name)                                                                              \
    __attribute__((cleanup(close_fixture)))                                                        \
    fixture name = {.arena = make_arena(),                                                         \
                    .file = {.record_count = 2, .partition = {.kind = NILAS_VALUE_STRUCT}}};       \
    name.metadata = make_metadata(name.arena, TABLE)

static void set_counts(fixture *f, int32_t id, int64_t values, int64_t nulls, int64_t nans) {
    f->values = (nilas_int_count){id, values};
    f->nulls = (nilas_int_count){id, nulls};
    f->nans = (nilas_int_count){id, nans};
    f->file.value_counts = &f->values;
    f->file.null_value_counts = &f->nulls;
    f->file.nan_value_counts = &f->nans;
    f->file.value_count_count = values >= 0;
    f->file.null_value_count_count = nulls >= 0;
    f->file.nan_value_count_count = nans >= 0;
}

static void set_bounds(fixture *f, int32_t id, nilas_str lower, nilas_str upper) {
    f->lower = (nilas_bound){id, lower};
    f->upper = (nilas_bound){id, upper};
    f->file.lower_bounds = &f->lower;
    f->file.upper_bounds = &f->upper;
    f->file.lower_bound_count = lower.data != NULL;
    f->file.upper_bound_count = upper.data != NULL;
}

static nilas_str real_bytes(nilas_arena *arena, double v) {
    nilas_str bytes = {.data = (const char *)&v, .size = sizeof(v)};
    nilas_error err = NILAS_ERROR_INIT;

    CHECK_OK(nilas_str_copy(arena, bytes, &bytes, &err), err);
    return bytes;
}

/** What is said of the file: "none", "some" or "all" of its rows may match. */
static const char *ask_list(fixture *f, int32_t id, nilas_predicate_kind kind,
                            const nilas_value *literals, size_t count) {
    const nilas_schema *schema = nilas_metadata_current_schema(f->metadata);
    nilas_predicate leaf = {.kind = kind,
                            .field_id = id,
                            .type = nilas_schema_find_id(schema, id)->type,
                            .literals = literals,
                            .literal_count = count};
    nilas_evaluator *evaluator = NULL;
    nilas_error err = NILAS_ERROR_INIT;

    CHECK_OK(nilas_evaluator_new(f->arena, f->metadata, schema, f->metadata->specs[0], &leaf,
                                 &evaluator, &err),
             err);
    bool some = nilas_evaluator_metrics(evaluator, &f->file);
    bool all = nilas_evaluator_all(evaluator, &f->file);
    CHECK(some || !all || f->file.record_count == 0);
    return all ? "all" : some ? "some" : "none";
}

static const char *ask(fixture *f, int32_t id, nilas_predicate_kind kind, nilas_value literal) {
    return ask_list(f, id, kind, &literal, nilas_value_is_null(&literal) ? 0 : 1);
}
#define INT(v)  nilas_value_of_int(v)
#define REAL(v) nilas_value_of_double(v)
#define TEXT(v) nilas_value_of_str(NILAS_STR(v))
#define NONE    NILAS_NULL_VALUE
#define ABSENT  ((nilas_str){0})

NILAS_TEST(absent_metrics_are_unknown_never_zero) {
    FIXTURE(f);
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_IS_NULL, NONE), "some");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_NOT_NULL, NONE), "some");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_IS_NAN, NONE), "some");
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_EQ, INT(5)), "some");
    set_counts(&f, 2, 2, -1, -1);
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_NOT_NULL, NONE), "some");
    set_counts(&f, 2, -1, 2, -1);
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_NOT_NULL, NONE), "some");
}

NILAS_TEST(null_counts_decide_null_tests) {
    FIXTURE(f);
    set_counts(&f, 2, 2, 0, -1);
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_IS_NULL, NONE), "none");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_NOT_NULL, NONE), "all");
    set_counts(&f, 2, 2, 2, -1);
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_IS_NULL, NONE), "all");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_NOT_NULL, NONE), "none");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_NOT_EQ, TEXT("x")), "none");
}

NILAS_TEST(a_file_of_no_rows_matches_nothing_and_everything) {
    FIXTURE(f);
    f.file.record_count = 0;
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_EQ, INT(5)), "all");
    f.file.record_count = -1; // unknown
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_EQ, INT(5)), "some");
}

NILAS_TEST(a_partly_null_file_never_matches_as_a_whole) {
    FIXTURE(f);
    set_counts(&f, 1, 2, 1, -1);
    set_bounds(&f, 1, NILAS_STR("\x05\0\0\0\0\0\0\0"), NILAS_STR("\x05\0\0\0\0\0\0\0"));
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_NOT_EQ, INT(6)), "some");
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_EQ, INT(5)), "some");
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_NOT_EQ, INT(5)), "none");
    set_counts(&f, 1, 2, 0, -1);
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_EQ, INT(5)), "all");
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_NOT_EQ, INT(6)), "all");
}

NILAS_TEST(nan_bounds_prove_nothing) {
    nilas_value listed[] = {REAL(1.0), REAL(2.0)};
    FIXTURE(f);
    set_counts(&f, 3, 2, 0, 1);
    set_bounds(&f, 3, real_bytes(f.arena, 1.0), real_bytes(f.arena, (double)NAN));
    CHECK_TEXT(ask_list(&f, 3, NILAS_PREDICATE_NOT_IN, listed, 2), "some");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_LT, REAL(0.5)), "none");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_GT, REAL(5)), "some");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_IS_NAN, NONE), "some");
}

NILAS_TEST(nan_rows_are_above_every_number) {
    FIXTURE(f);
    set_bounds(&f, 3, real_bytes(f.arena, 1.0), real_bytes(f.arena, 3.0));
    set_counts(&f, 3, 2, 0, -1);
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_GT, REAL(5)), "some");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_LT, REAL(5)), "some");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_EQ, REAL(5)), "none");
    set_counts(&f, 3, 2, 0, 0);
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_GT, REAL(5)), "none");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_LT, REAL(5)), "all");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_EQ, REAL((double)NAN)), "some");
}

NILAS_TEST(both_zeros_are_one_number) {
    FIXTURE(f);
    set_counts(&f, 3, 2, 0, 0);
    set_bounds(&f, 3, real_bytes(f.arena, -0.0), real_bytes(f.arena, -0.0));
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_EQ, REAL(0.0)), "all");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_LT, REAL(0.0)), "none");
    set_bounds(&f, 3, real_bytes(f.arena, 0.0), real_bytes(f.arena, 0.0));
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_GT_EQ, REAL(-0.0)), "all");
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_GT, REAL(-0.0)), "none");
}

NILAS_TEST(bounds_that_cannot_be_are_ignored) {
    FIXTURE(f);
    set_bounds(&f, 2, NILAS_STR("z"), NILAS_STR("a")); // inverted
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_EQ, TEXT("m")), "some");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_LT, TEXT("b")), "some");
    set_bounds(&f, 1, NILAS_STR("\x05\0"), NILAS_STR("\x06\0")); // of no size that a long has
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_EQ, INT(100)), "some");
    set_bounds(&f, 5, NILAS_STR("\0\0\0\0\x01\0\0\0"), NILAS_STR("\0\0\0\0\x02\0\0\0")); // no ints
    CHECK_TEXT(ask(&f, 5, NILAS_PREDICATE_EQ, INT(100)), "some");
    set_bounds(&f, 9, NILAS_STR("\x01"), NILAS_STR("\x01"));
    CHECK_TEXT(ask(&f, 9, NILAS_PREDICATE_EQ, nilas_value_of_bytes(NILAS_STR("\x09"))), "some");
}

NILAS_TEST(a_string_bound_cut_inside_a_character_bounds_only_from_below) {
    FIXTURE(f);
    set_bounds(&f, 2, NILAS_STR("abcdefghijklmno\xE2"), NILAS_STR("abcdefghijklmno\xE2"));
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_EQ, TEXT("abcdefghijklmno\xE2\x82\xAC")), "some");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_LT, TEXT("abcdefghijklmno\xC2\xA9")), "none");
    set_bounds(&f, 2, NILAS_STR("ab"), ABSENT); // open above
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_GT, TEXT("zz")), "some");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_EQ, TEXT("aa")), "none");
}

NILAS_TEST(prefixes_compare_with_bounds) {
    FIXTURE(f);
    set_counts(&f, 2, 2, 0, -1);
    set_bounds(&f, 2, NILAS_STR("abc"), NILAS_STR("abd"));
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_STARTS_WITH, TEXT("ab")), "all");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_STARTS_WITH, TEXT("abc")), "some");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_STARTS_WITH, TEXT("abcz")), "some");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_STARTS_WITH, TEXT("b")), "none");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_STARTS_WITH, TEXT("aa")), "none");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_NOT_STARTS_WITH, TEXT("ab")), "none");
    CHECK_TEXT(ask(&f, 2, NILAS_PREDICATE_NOT_STARTS_WITH, TEXT("b")), "all");
}

NILAS_TEST(promoted_columns_keep_their_old_bounds) {
    FIXTURE(f);
    set_counts(&f, 1, 2, 0, -1);
    set_bounds(&f, 1, NILAS_STR("\xFF\xFF\xFF\xFF"), NILAS_STR("\x07\0\0\0")); // ints: -1..7
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_LT, INT(-1)), "none");
    CHECK_TEXT(ask(&f, 1, NILAS_PREDICATE_LT_EQ, INT(7)), "all");
    set_bounds(&f, 3, NILAS_STR("\0\0\x80\x3F"), NILAS_STR("\0\0\x00\x40")); // floats: 1..2
    CHECK_TEXT(ask(&f, 3, NILAS_PREDICATE_LT, REAL(0.5)), "none");
    set_bounds(&f, 5, NILAS_STR("\x01\0\0\0\0\0\0\0"), NILAS_STR("\x02\0\0\0\0\0\0\0"));
    CHECK_TEXT(ask(&f, 5, NILAS_PREDICATE_EQ, INT(3)), "none");
    CHECK_TEXT(ask(&f, 5, NILAS_PREDICATE_EQ, INT(2)), "some");
}

NILAS_TEST(negative_decimal_bounds_keep_their_sign) {
    FIXTURE(f);
    set_bounds(&f, 8, NILAS_STR("\xF0\xC9\xA7"), NILAS_STR("\x04\xE2")); // -9969.53 .. 12.50
    CHECK_TEXT(ask(&f, 8, NILAS_PREDICATE_LT, nilas_value_of_decimal(-999999, 2)), "none");
    CHECK_TEXT(ask(&f, 8, NILAS_PREDICATE_EQ, nilas_value_of_decimal(-996953, 2)), "some");
    CHECK_TEXT(ask(&f, 8, NILAS_PREDICATE_GT, nilas_value_of_decimal(1250, 2)), "none");
}

#define UUID(first) first "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

NILAS_TEST(uuid_bounds_of_either_order_lose_no_row) {
    nilas_value low = nilas_value_of_bytes(NILAS_STR(UUID("\x40")));
    nilas_value high = nilas_value_of_bytes(NILAS_STR(UUID("\x81")));
    nilas_value text = TEXT("40000000-0000-0000-0000-000000000000");
    FIXTURE(f);
    set_bounds(&f, 4, NILAS_STR(UUID("\x81")), NILAS_STR(UUID("\x40"))); // of a signed writer
    CHECK_TEXT(ask(&f, 4, NILAS_PREDICATE_EQ, low), "some");
    CHECK_TEXT(ask(&f, 4, NILAS_PREDICATE_EQ, high), "some");
    set_bounds(&f, 4, NILAS_STR(UUID("\x40")), NILAS_STR(UUID("\x41")));
    CHECK_TEXT(ask(&f, 4, NILAS_PREDICATE_EQ, high), "none");
    CHECK_TEXT(ask(&f, 4, NILAS_PREDICATE_EQ, low), "some");
    CHECK_TEXT(ask(&f, 4, NILAS_PREDICATE_EQ, text), "some"); // no uuid: unknown
}

NILAS_TEST(long_in_lists_are_not_held_against_bounds) {
    nilas_value literals[NILAS_LIMIT_IN_PREDICATE + 1];
    FIXTURE(f);
    for (size_t i = 0; i <= NILAS_LIMIT_IN_PREDICATE; i++) {
        literals[i] = INT((int64_t)i + 1000);
    }
    set_bounds(&f, 1, NILAS_STR("\x05\0\0\0\0\0\0\0"), NILAS_STR("\x06\0\0\0\0\0\0\0"));
    CHECK_TEXT(ask_list(&f, 1, NILAS_PREDICATE_IN, literals, NILAS_LIMIT_IN_PREDICATE), "none");
    CHECK_TEXT(ask_list(&f, 1, NILAS_PREDICATE_IN, literals, NILAS_LIMIT_IN_PREDICATE + 1), "some");
}

NILAS_TEST(null_counts_inside_structs_prove_nothing) {
    FIXTURE(f);
    set_counts(&f, 7, 2, 0, -1);
    set_bounds(&f, 7, NILAS_STR("\x05\0\0\0\0\0\0\0"), NILAS_STR("\x05\0\0\0\0\0\0\0"));
    CHECK_TEXT(ask(&f, 7, NILAS_PREDICATE_IS_NULL, NONE), "some");
    CHECK_TEXT(ask(&f, 7, NILAS_PREDICATE_NOT_NULL, NONE), "some");
    CHECK_TEXT(ask(&f, 7, NILAS_PREDICATE_EQ, INT(5)), "some");
    CHECK_TEXT(ask(&f, 7, NILAS_PREDICATE_EQ, INT(6)), "none");
}
