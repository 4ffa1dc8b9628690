/* The progress bar. It lives on one line of the terminal and leaves nothing behind. */
#include "shell/progress.h"

#include <math.h>
#include <unistd.h>

#include "print/print.h"

#define QUIET_NS  500000000LL
#define REDRAW_NS 100000000LL

static void write_all(nilas_str text) {
    ssize_t ignored = write(STDERR_FILENO, text.data, text.size);
    (void)ignored; // a bar that cannot be drawn is no failure
}

void nilas_shell__progress_start(nilas_shell_progress *progress) {
    progress->began_ns = nilas_monotonic_ns();
    progress->drawn_ns = 0;
}

void nilas_shell__progress_show(void *context, double fraction) {
    nilas_shell_progress *progress = context;
    int64_t now = nilas_monotonic_ns();

    if (!progress->enabled || now - progress->began_ns < QUIET_NS ||
        now - progress->drawn_ns < REDRAW_NS) {
        return;
    }
    NILAS_AUTO_BUF bar = {0};
    nilas_shell__progress_print(&bar, fraction, (double)(now - progress->began_ns) / 1e9,
                                progress->columns);
    write_all(nilas_buf_view(&bar));
    progress->drawn_ns = now;
}

void nilas_shell__progress_clear(void *context) {
    nilas_shell_progress *progress = context;

    if (progress->drawn_ns != 0) {
        write_all(NILAS_STR("\r\033[K"));
        progress->drawn_ns = 0;
    }
}

void nilas_shell__progress_print(nilas_buf *out, double fraction, double seconds, int columns) {
    int width = columns > 60 ? 40 : columns > 30 ? columns - 20 : 10;
    bool known = fraction >= 0 && fraction <= 1;
    int full = known ? (int)floor(fraction * width) : 0;

    nilas_buf_add_text(out, "\r[");
    if (known) {
        nilas_print_text_repeat(out, '=', full);
        nilas_print_text_repeat(out, '>', full < width ? 1 : 0);
        nilas_print_text_repeat(out, ' ', width - full - 1);
        nilas_buf_print(out, "] %3d %%", (int)floor(fraction * 100));
    } else { // a mark that runs to and fro
        int place = (int)fmod(seconds * 10, 2.0 * (width - 3));
        place = place < width - 3 ? place : 2 * (width - 3) - place;
        nilas_print_text_repeat(out, ' ', place);
        nilas_buf_add_text(out, "<=>");
        nilas_print_text_repeat(out, ' ', width - 3 - place);
        nilas_buf_add_text(out, "]      ");
    }
    nilas_buf_print(out, "  %.1f s\033[K", seconds);
}
