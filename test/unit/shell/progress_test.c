#include "shell/progress.h"

#include "test.h"

static nilas_str bar(double fraction, double seconds, int columns) {
    static nilas_buf out;
    nilas_buf_clear(&out);
    nilas_shell__progress_print(&out, fraction, seconds, columns);
    return nilas_buf_view(&out);
}

NILAS_TEST(a_bar_fills) {
    CHECK_STR(bar(0, 1, 30), "\r[>         ]   0 %  1.0 s\033[K");
    CHECK_STR(bar(0.5, 1, 30), "\r[=====>    ]  50 %  1.0 s\033[K");
    CHECK_STR(bar(1, 12.34, 30), "\r[==========] 100 %  12.3 s\033[K");
}

NILAS_TEST(unknown_progress_is_a_mark_that_moves) {
    CHECK_STR(bar(-1, 0.0, 30), "\r[<=>       ]        0.0 s\033[K");
    CHECK_STR(bar(-1, 0.75, 30), "\r[       <=>]        0.8 s\033[K");
    CHECK_STR(bar(-1, 1.05, 30), "\r[    <=>   ]        1.1 s\033[K");
}
