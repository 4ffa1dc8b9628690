/** Faults: before an operation nothing happens; after it, it has happened and is told as failed. */
#include "folder.h"

typedef struct plan {
    const char *operation;
    bool done;
    int calls;
} plan;

static nilas_code fail_planned(void *context, const char *operation, nilas_str location, bool done,
                               nilas_error *err) {
    plan *p = context;
    p->calls++;
    NILAS_REQUIRE(done != p->done || strcmp(operation, p->operation) != 0, err, NILAS_IO,
                  "injected fault in %s of \"%.*s\"", operation, NILAS_FMT(location));
    return NILAS_OK;
}

NILAS_TEST(a_fault_before_means_nothing_happened) {
    AUTO_FOLDER f = make_folder();
    plan p = {.operation = "write"};
    bool exists = true;
    nilas_io_set_fault(f.io, fail_planned, &p);
    CHECK_FAILS(nilas_io_write(f.io, in(&f, "x"), NILAS_STR("x"), false, &f.err), NILAS_IO, f.err,
                "injected fault in write");
    CHECK_OK(nilas_io_exists(f.io, in(&f, "x"), &exists, &f.err), f.err);
    CHECK(!exists);
    CHECK_INT(p.calls, 3);
}

NILAS_TEST(a_fault_after_means_it_happened) {
    AUTO_FOLDER f = make_folder();
    plan p = {.operation = "rename", .done = true};
    bool exists = false;
    nilas_io_set_fault(f.io, fail_planned, &p);
    REQUIRE_OK(nilas_io_write(f.io, in(&f, "a"), NILAS_STR("x"), false, &f.err), f.err);
    CHECK_CODE(nilas_io_rename_new(f.io, in(&f, "a"), in(&f, "b"), &f.err), NILAS_IO, f.err);
    CHECK_OK(nilas_io_exists(f.io, in(&f, "b"), &exists, &f.err), f.err);
    CHECK(exists);
}

NILAS_TEST(each_operation_can_fail) {
    static const char *const operations[] = {"read",   "stat",   "list", "write",
                                             "rename", "delete", "mkdir"};
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        AUTO_FOLDER f = make_folder();
        plan p = {.operation = operations[i]};
        nilas_str bytes;
        nilas_io_stat stat;
        nilas_io_entry *entries;
        size_t count;
        nilas_str x = in(&f, "x");
        REQUIRE_OK(nilas_io_write(f.io, x, NILAS_STR("x"), false, &f.err), f.err);
        nilas_io_set_fault(f.io, fail_planned, &p);
        nilas_code codes[] = {
            nilas_io_read(f.io, f.arena, x, 9, &bytes, &f.err),
            nilas_io_stat_file(f.io, x, &stat, &f.err),
            nilas_io_list(f.io, f.arena, in(&f, ""), &entries, &count, &f.err),
            nilas_io_write(f.io, x, NILAS_STR("y"), true, &f.err),
            nilas_io_rename_new(f.io, x, in(&f, "z"), &f.err),
            nilas_io_delete(f.io, in(&f, i == 4 ? "x" : "z"), &f.err),
            nilas_io_make_directory(f.io, in(&f, "dir"), &f.err),
        };
        for (size_t k = 0; k < sizeof(codes) / sizeof(codes[0]); k++) {
            CHECK_INT(codes[k], k == i ? NILAS_IO : NILAS_OK);
        }
    }
}

NILAS_TEST(freeing_nothing_is_fine) {
    nilas_io_free(NULL);
}
