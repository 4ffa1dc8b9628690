#include "make.h"

/** One column and one partition field over it. */
typedef struct fixture {
    nilas_arena *arena;
    nilas_metadata *metadata;
} fixture;

static void close_fixture(fixture *f) {
    nilas_arena_free(f->arena);
}

static void open_fixture(fixture *f, const char *type_json, const char *transform) {
    char json[1000];

    snprintf(json, sizeof(json),
             "{\"format-version\":2,\"location\":\"/"
             "t\",\"schemas\":[{\"type\":\"struct\",\"schema-id\":0,\"fields\":["
             "{\"id\":1,\"name\":\"x\",\"required\":false,\"type\":%s}]}],\"current-schema-id\":0,"
             "\"partition-specs\":["
             "{\"spec-id\":0,\"fields\":[{\"source-id\":1,\"field-id\":1000,\"name\":\"p\","
             "\"transform\":\"%s\"}]}],"
             "\"default-spec-id\":0}",
             type_json, transform);
    f->arena = make_arena();
    f->metadata = make_metadata(f->arena, json);
}
#define FIXTURE(name, type_json, transform)                                                        \
    __attribute__((cleanup(close_fixture))) fixture name;                                          \
    open_fixture(&name, type_json, transform);                                                     \
    REQUIRE(name.metadata != NULL)

/** "none", "some" or "all" of the rows of a partition may match. */
static const char *ask(fixture *f, nilas_predicate_kind kind, nilas_value literal,
                       nilas_value partition) {
    const nilas_schema *schema = nilas_metadata_current_schema(f->metadata);
    nilas_predicate leaf = {.kind = kind,
                            .field_id = 1,
                            .type = schema->type.fields[0].type,
                            .literals = &literal,
                            .literal_count = nilas_value_is_null(&literal) ? 0 : 1};
    nilas_value tuple = {.kind = NILAS_VALUE_STRUCT, .items = &partition, .count = 1};
    nilas_evaluator *evaluator = NULL;
    nilas_error err = NILAS_ERROR_INIT;

    CHECK_OK(nilas_evaluator_new(f->arena, f->metadata, schema, f->metadata->specs[0], &leaf,
                                 &evaluator, &err),
             err);
    bool some = nilas_evaluator_partition(evaluator, &tuple);
    bool all = nilas_evaluator_partition_all(evaluator, &tuple);
    CHECK(some || !all);
    return all ? "all" : some ? "some" : "none";
}
#define INT(v)  nilas_value_of_int(v)
#define TEXT(v) nilas_value_of_str(NILAS_STR(v))
#define NONE    NILAS_NULL_VALUE
#define DAY     NILAS_MICROS_PER_DAY

NILAS_TEST(identity_answers_exactly) {
    FIXTURE(f, "\"int\"", "identity");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(5), INT(5)), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(5), INT(6)), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(5), NONE), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_NOT_EQ, INT(5), NONE), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_IS_NULL, NONE, NONE), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_NOT_NULL, NONE, NONE), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, INT(5), INT(4)), "all");
}

NILAS_TEST(days_split_a_range_into_all_some_and_none) {
    FIXTURE(f, "\"timestamp\"", "day");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, INT(10 * DAY), INT(9)), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, INT(10 * DAY), INT(10)), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT_EQ, INT(10 * DAY), INT(10)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT_EQ, INT(10 * DAY - 1), INT(9)), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_GT_EQ, INT(10 * DAY), INT(10)), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_GT, INT(10 * DAY), INT(10)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_GT, INT(10 * DAY - 1), INT(9)), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(10 * DAY), INT(10)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_NOT_EQ, INT(10 * DAY), INT(11)), "all");
}

NILAS_TEST(days_before_1970_may_be_one_too_high) {
    // Old writers rounded towards zero: 1969-12-30 12:00 was stored as -1.
    FIXTURE(f, "\"timestamp\"", "day");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(-DAY - DAY / 2), INT(-2)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(-DAY - DAY / 2), INT(-1)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(-DAY - DAY / 2), INT(0)), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, INT(-DAY), INT(-1)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_GT_EQ, INT(-DAY), INT(-1)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_GT_EQ, INT(-DAY), INT(0)), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_NOT_EQ, INT(-2 * DAY), INT(-1)), "some");
}

NILAS_TEST(dates_by_day_are_exact_on_both_sides_of_1970) {
    FIXTURE(f, "\"date\"", "day");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(-2), INT(-1)), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_GT_EQ, INT(-1), INT(-1)), "all");
}

NILAS_TEST(buckets_know_only_equality) {
    FIXTURE(f, "\"int\"", "bucket[16]");
    int64_t bucket = (2017239379 & INT32_MAX) % 16;
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(34), INT(bucket)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_EQ, INT(34), INT(bucket + 1)), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_NOT_EQ, INT(34), INT(bucket + 1)), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_NOT_EQ, INT(34), INT(bucket)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, INT(34), INT(bucket)), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_IS_NULL, NONE, INT(bucket)), "none");
}

NILAS_TEST(truncated_text_answers_prefixes) {
    FIXTURE(f, "\"string\"", "truncate[3]");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_STARTS_WITH, TEXT("ab"), TEXT("abc")), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_STARTS_WITH, TEXT("abc"), TEXT("abc")), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_STARTS_WITH, TEXT("abcd"), TEXT("abc")), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_STARTS_WITH, TEXT("abcd"), TEXT("ab")), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_NOT_STARTS_WITH, TEXT("abcd"), TEXT("abc")), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_NOT_STARTS_WITH, TEXT("abcd"), TEXT("abd")), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, TEXT("abd"), TEXT("abc")), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, TEXT("abcz"), TEXT("abc")), "some");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_GT, TEXT("abcz"), TEXT("abb")), "none");
}

NILAS_TEST(truncated_integers_that_wrapped_are_not_ordered) {
    FIXTURE(f, "\"int\"", "truncate[10]");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, INT(100), INT(90)), "all");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, INT(100), INT(100)), "none");
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_LT, INT(0), INT(INT32_MAX - 1)),
               "some"); // INT32_MIN, wrapped
    CHECK_TEXT(ask(&f, NILAS_PREDICATE_GT, INT(INT32_MAX - 20), INT(INT32_MAX - 1)), "some");
}

NILAS_TEST(void_and_unknown_transforms_never_prune) {
    FIXTURE(gone, "\"int\"", "void");
    FIXTURE(odd, "\"int\"", "zorder");
    CHECK_TEXT(ask(&gone, NILAS_PREDICATE_NOT_NULL, NONE, NONE), "some");
    CHECK_TEXT(ask(&gone, NILAS_PREDICATE_EQ, INT(1), NONE), "some");
    CHECK_TEXT(ask(&odd, NILAS_PREDICATE_EQ, INT(1), TEXT("x")), "some");
}
