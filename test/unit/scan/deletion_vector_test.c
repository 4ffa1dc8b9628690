/* Loading deletion vectors: what the writer encoded, and every way an entry can lie. */
#include "build.h"

/** A file with 4 bytes before the vector of these positions. */
static nilas_delete_file make_vector(made_table *made, const int64_t *positions, size_t count) {
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    NILAS_AUTO_BUF bytes = NILAS_BUF_INIT(0);
    nilas_str blob = NILAS_STR_EMPTY, path = NILAS_STR_EMPTY;

    make_table(made, 3);
    load_made(made, "");
    MADE_OK(made, nilas_bitmap_new(&bitmap, &made->err));
    MADE_OK(made, nilas_bitmap_add_many(bitmap, positions, count, &made->err));
    MADE_OK(made, nilas_deletion_vector_encode(made->arena, bitmap, &blob, &made->err));
    nilas_buf_add_text(&bytes, "PFA1");
    nilas_buf_add(&bytes, blob);
    MADE_OK(made, nilas_str_print(made->arena, &path, &made->err, "%s/dv.puffin", made->root));
    MADE_OK(made, nilas_io_write(made->io, path, nilas_buf_view(&bytes), false, &made->err));
    return (nilas_delete_file){.file = {.content = NILAS_FILE_POSITION_DELETES,
                                        .file_path = path,
                                        .file_format = NILAS_STR("PUFFIN"),
                                        .record_count = (int64_t)count,
                                        .content_offset = 4,
                                        .content_size_in_bytes = (int64_t)blob.size}};
}

static const int64_t positions[] = {0, 7, 70000, 5000000000LL};

NILAS_TEST(a_vector_loads_as_it_was_written) {
    made_table made;
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    nilas_delete_file file = make_vector(&made, positions, 4);

    REQUIRE_OK(nilas_scan_load_deletion_vector(made.table, &file, &bitmap, &made.err), made.err);
    CHECK_INT(nilas_bitmap_count(bitmap), 4);
    CHECK(nilas_bitmap_contains(bitmap, 5000000000ULL));
    CHECK(!nilas_bitmap_contains(bitmap, 1));
    made_done(&made);
}

NILAS_TEST(a_lying_entry_is_corrupt) {
    made_table made;
    nilas_bitmap *bitmap = NULL;
    nilas_delete_file good = make_vector(&made, positions, 4);

    nilas_delete_file file = good;
    file.file.record_count = 3;
    CHECK_FAILS(nilas_scan_load_deletion_vector(made.table, &file, &bitmap, &made.err),
                NILAS_CORRUPT, made.err, "Invalid cardinality: 4, expected 3");
    file = good;
    file.file.content_offset = 3;
    CHECK_CODE(nilas_scan_load_deletion_vector(made.table, &file, &bitmap, &made.err),
               NILAS_CORRUPT, made.err);
    file = good;
    file.file.content_size_in_bytes += 1;
    CHECK_FAILS(nilas_scan_load_deletion_vector(made.table, &file, &bitmap, &made.err),
                NILAS_CORRUPT, made.err, "dv.puffin");
    file = good;
    file.file.content_offset = -1;
    CHECK_FAILS(nilas_scan_load_deletion_vector(made.table, &file, &bitmap, &made.err),
                NILAS_CORRUPT, made.err, "no content offset");
    file = good;
    file.file.content_size_in_bytes = INT64_MAX;
    CHECK_FAILS(nilas_scan_load_deletion_vector(made.table, &file, &bitmap, &made.err), NILAS_LIMIT,
                made.err, "more than the limit");
    CHECK(bitmap == NULL);
    made_done(&made);
}

NILAS_TEST(a_missing_vector_file_is_named) {
    made_table made;
    nilas_bitmap *bitmap = NULL;
    nilas_delete_file file = make_vector(&made, positions, 4);

    CHECK(remove(file.file.file_path.data) == 0);
    CHECK_FAILS(nilas_scan_load_deletion_vector(made.table, &file, &bitmap, &made.err),
                NILAS_NOT_FOUND, made.err, "dv.puffin");
    made_done(&made);
}
