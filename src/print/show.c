/* Results as DataFrame.show() and notebooks show them. */
#include "print/print.h"

static nilas_code fill(nilas_print_frame *frame, nilas_result *result,
                       const nilas_print_show_options *options, nilas_error *err) {
    nilas_print_column *root;

    NILAS_NEW(frame->arena, &root, err);
    NILAS_TRY(nilas_print_columns_of(frame->arena, result, root, err));
    frame->root = root;
    frame->zone = options->zone;
    frame->row_limit = options->rows > 0 ? options->rows : 0;
    frame->truncate = options->truncate > 0 ? options->truncate : 0;
    NILAS_TRY(nilas_print_frame_begin(frame, err));
    return nilas_print_frame_fill(frame, result, err);
}

nilas_code nilas_print_show(nilas_result *result, const nilas_print_show_options *options,
                            nilas_buf *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_print_frame frame = {.arena = scratch};
    const nilas_print_sink sink = {.text = out};

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory for printing");
    NILAS_TRY(fill(&frame, result, options, err));
    return options->vertical ? nilas_print_frame_vertical(&frame, &sink, err)
                             : nilas_print_frame_table(&frame, &sink, err);
}

nilas_code nilas_print_html(nilas_result *result, const nilas_print_show_options *options,
                            nilas_buf *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_print_frame frame = {.arena = scratch};

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory for printing");
    NILAS_TRY(fill(&frame, result, options, err));
    nilas_print_frame_html(&frame, out);
    return nilas_buf_check(out, err);
}
