/** The parallel loop: each index once, and the failure that the loop in order would have given. */
#include "base/base.h"
#include "test.h"

typedef struct counts {
    atomic_int of[1000];
    size_t fail_from;
} counts;

static nilas_code count_up(void *context, size_t index, nilas_error *err) {
    counts *c = context;
    atomic_fetch_add(&c->of[index], 1);
    NILAS_REQUIRE(index < c->fail_from, err, NILAS_IO, "index %zu", index);
    return NILAS_OK;
}

NILAS_TEST(each_index_runs_once) {
    nilas_error err = NILAS_ERROR_INIT;
    for (uint32_t workers = 0; workers < 100; workers += 7) {
        static counts c;
        c = (counts){.fail_from = 1000};
        REQUIRE_OK(nilas_parallel_for(workers, 1000, count_up, &c, &err), err);
        for (size_t i = 0; i < 1000; i++) {
            REQUIRE(atomic_load(&c.of[i]) == 1);
        }
    }
    CHECK_OK(nilas_parallel_for(4, 0, count_up, NULL, &err), err);
}

NILAS_TEST(the_first_failure_by_index_wins) {
    for (uint32_t workers = 1; workers < 9; workers++) {
        for (size_t from = 0; from < 1000; from += 111) {
            static counts c;
            nilas_error err = NILAS_ERROR_INIT;
            char expected[32];
            c = (counts){.fail_from = from};
            snprintf(expected, sizeof(expected), "index %zu", from);
            CHECK_CODE(nilas_parallel_for(workers, 1000, count_up, &c, &err), NILAS_IO, err);
            CHECK_TEXT(err.message, expected);
        }
    }
}

NILAS_TEST(an_error_record_is_not_needed) {
    static counts c;
    CHECK_INT(nilas_parallel_for(4, 1000, count_up, &c, NULL), NILAS_IO);
}

NILAS_TEST(cancelling_is_seen) {
    nilas_cancel cancel = {0};
    CHECK(!nilas_cancelled(NULL));
    CHECK(!nilas_cancelled(&cancel));
    atomic_store(&cancel.requested, true);
    CHECK(nilas_cancelled(&cancel));
    CHECK(nilas_cpu_count() >= 1);
}
