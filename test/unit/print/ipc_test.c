/* What is encoded is decoded by another program's reader to the same texts. */
#include "print/ipc.h"

#include <nanoarrow/nanoarrow_ipc.h>

#include "batch.h"
#include "print/cell.h"
#include "test.h"

/** The rows of an IPC stream, as DataFrame.show() would write each cell, in lines. */
static void print_stream(nilas_buf *out, const nilas_type *type, nilas_str stream) {
    const nilas_print_style style = {.form = NILAS_FORM_SHOWN,
                                     .zone = nilas_zone_find(NILAS_STR("UTC"))};
    struct ArrowBuffer bytes;
    struct ArrowIpcInputStream input;
    struct ArrowArrayStream reader;
    NILAS_AUTO_ARROW_SCHEMA schema = {0};
    nilas_print_column root;
    nilas_error err = NILAS_ERROR_INIT;

    ArrowBufferInit(&bytes);
    nilas_assert(ArrowBufferAppend(&bytes, stream.data, (int64_t)stream.size) == NANOARROW_OK);
    nilas_assert(ArrowIpcInputStreamInitBuffer(&input, &bytes) == NANOARROW_OK);
    nilas_assert(ArrowIpcArrayStreamReaderInit(&reader, &input, NULL) == NANOARROW_OK);
    nilas_assert(reader.get_schema(&reader, &schema) == NANOARROW_OK);
    nilas_assert(nilas_print_columns_bind(made(), type, &schema, &root, &err) == NILAS_OK);
    for (;;) {
        NILAS_AUTO_ARROW_ARRAY batch = {0};
        if (reader.get_next(&reader, &batch) != NANOARROW_OK) {
            nilas_buf_print(out, "%s\n", reader.get_last_error(&reader));
            break;
        }
        if (batch.release == NULL) {
            break;
        }
        for (int64_t row = 0; row < batch.length; row++) {
            for (size_t i = 0; i < root.child_count; i++) {
                nilas_print_cell(out, &root.children[i], batch.children[i], row, &style);
                nilas_buf_add_char(out, i + 1 < root.child_count ? '\t' : '\n');
            }
        }
    }
    reader.release(&reader);
}

static void print_rows(nilas_buf *out, const nilas_type *type, const struct ArrowArray *batch) {
    const nilas_print_style style = {.form = NILAS_FORM_SHOWN,
                                     .zone = nilas_zone_find(NILAS_STR("UTC"))};
    nilas_print_column root;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_assert(nilas_print_columns_bind(made(), type, make_schema(type), &root, &err) ==
                 NILAS_OK);
    for (int64_t row = 0; row < batch->length; row++) {
        for (size_t i = 0; i < root.child_count; i++) {
            nilas_print_cell(out, &root.children[i], batch->children[i],
                             nilas_print_cell_struct_row(batch, row), &style);
            nilas_buf_add_char(out, i + 1 < root.child_count ? '\t' : '\n');
        }
    }
}

static const nilas_type *of(nilas_type_kind kind) {
    return nilas_type_of(kind);
}

static const nilas_type *wide_type(void) {
    const nilas_type *point = make_struct_type(
        2, (const char *const[]){"x", "y"},
        (const nilas_type *const[]){of(NILAS_TYPE_INT), make_array_type(of(NILAS_TYPE_STRING))});
    const nilas_type *types[] = {of(NILAS_TYPE_VOID),
                                 of(NILAS_TYPE_BOOLEAN),
                                 of(NILAS_TYPE_TINYINT),
                                 of(NILAS_TYPE_SMALLINT),
                                 of(NILAS_TYPE_INT),
                                 of(NILAS_TYPE_BIGINT),
                                 of(NILAS_TYPE_FLOAT),
                                 of(NILAS_TYPE_DOUBLE),
                                 make_decimal_type(38, 10),
                                 of(NILAS_TYPE_STRING),
                                 of(NILAS_TYPE_BINARY),
                                 of(NILAS_TYPE_DATE),
                                 of(NILAS_TYPE_TIME),
                                 of(NILAS_TYPE_TIMESTAMP),
                                 of(NILAS_TYPE_TIMESTAMP_NTZ),
                                 of(NILAS_TYPE_INTERVAL),
                                 make_array_type(of(NILAS_TYPE_BIGINT)),
                                 make_map_type(of(NILAS_TYPE_STRING), point),
                                 point,
                                 of(NILAS_TYPE_INTERVAL_DAY_TIME),
                                 of(NILAS_TYPE_INTERVAL_YEAR_MONTH)};
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
                                        "l", "m", "n", "o", "p", "q", "r", "s", "t", "u"};
    return make_struct_type(sizeof(types) / sizeof(types[0]), names, types);
}

/** A row of the wide type; every column is null in some rows. */
static nilas_value wide_row(int64_t i) {
    static char texts[64][24];
    char *text = texts[i % 64];
    (void)snprintf(text, sizeof(texts[0]), "%0*lld", (int)(i % 20), (long long)i);
    nilas_str word = nilas_str_of(text);
    nilas_value point = STRUCT(INT(i), LIST(nilas_value_of_str(word), NIL, TEXT("z")));
    nilas_value cells[] = {NIL,
                           nilas_value_of_bool(i % 2 == 0),
                           INT(i % 100),
                           INT(-i),
                           INT(i * 1000),
                           INT(i << 40),
                           nilas_value_of_float((float)i / 4),
                           nilas_value_of_double((double)i / 7),
                           nilas_value_of_decimal((nilas_int128)i * 12345678901234LL, 10),
                           nilas_value_of_str(word),
                           nilas_value_of_bytes(word),
                           INT(i),
                           INT(i * 1000001),
                           INT(i * 1000000007),
                           INT(-i * 1000000007),
                           STRUCT(INT(i), INT(-i), INT(i * 7)),
                           LIST(INT(i), NIL, INT(i + 1)),
                           MAP(nilas_value_of_str(word), point, TEXT("k"), NIL),
                           point,
                           INT(i * 1000003),
                           INT(i)};
    size_t count = sizeof(cells) / sizeof(cells[0]);
    for (size_t k = 0; k < count; k++) {
        if (((size_t)i + k) % 5 == 0) {
            cells[k] = NIL;
        }
    }
    return make_nested(NILAS_VALUE_STRUCT, count, cells);
}

NILAS_TEST(every_type_is_decoded_as_it_was) {
    const nilas_type *type = wide_type();
    nilas_value rows[50];
    for (size_t i = 0; i < 50; i++) {
        rows[i] = wide_row((int64_t)i);
    }
    for (lead = 0; lead < 12; lead += 3) { // offsets of arrays, odd and even in bits
        const nilas_print_ipc_options options = {.zone = nilas_zone_find(NILAS_STR("UTC")),
                                                 .large_types = lead % 2 == 0};
        NILAS_AUTO(nilas_print_ipc) ipc = NULL;
        NILAS_AUTO_BUF stream = {0};
        NILAS_AUTO_BUF expected = {0};
        NILAS_AUTO_BUF found = {0};
        nilas_error err = NILAS_ERROR_INIT;
        REQUIRE_OK(nilas_print_ipc_new(type, make_schema(type), &options, &ipc, &err), err);
        nilas_print_ipc_add_schema(ipc, &stream);
        for (size_t i = 0; i < 50; i += 10) {
            struct ArrowArray *batch = make_array(type, rows + i, 10);
            REQUIRE_OK(nilas_print_ipc_add_batch(ipc, batch, &stream, &err), err);
            print_rows(&expected, type, batch);
        }
        nilas_print_ipc_add_end(&stream);
        print_stream(&found, type, nilas_buf_view(&stream));
        CHECK(nilas_str_equal(nilas_buf_view(&found), nilas_buf_view(&expected)));
        CHECK_INT(stream.size % 8, 0);
    }
}

// ---- chunks -------------------------------------------------------------------------------------

static nilas_result *result_of(const nilas_type *type, const nilas_value *cells, size_t rows) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_result *result = NULL;
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    nilas_assert(nilas_result_of_rows(stmt, type, cells, rows, &result, &err) == NILAS_OK);
    return result;
}

NILAS_TEST(chunks_have_at_most_so_many_rows) {
    static nilas_value cells[2 * 70000];
    const nilas_type *type =
        make_struct_type(2, (const char *const[]){"i", "t"},
                         (const nilas_type *const[]){of(NILAS_TYPE_BIGINT), of(NILAS_TYPE_STRING)});
    for (size_t i = 0; i < 70000; i++) {
        cells[2 * i] = i % 3 == 0 ? NIL : INT((int64_t)i);
        cells[2 * i + 1] = TEXT("t");
    }
    NILAS_AUTO(nilas_result) result = result_of(type, cells, 70000);
    NILAS_AUTO(nilas_print_ipc) ipc = NULL;
    NILAS_AUTO_BUF chunk = {0};
    NILAS_AUTO_BUF found = {0};
    nilas_error err = NILAS_ERROR_INIT;
    int64_t rows = 0;
    int64_t at = 0;
    REQUIRE_OK(nilas_print_ipc_of(
                   result, &(nilas_print_ipc_options){.zone = nilas_zone_find(NILAS_STR("UTC"))},
                   &ipc, &err),
               err);
    for (;;) {
        nilas_buf_clear(&chunk);
        nilas_buf_clear(&found);
        REQUIRE_OK(nilas_print_ipc_next(ipc, &chunk, &rows, &err), err);
        if (rows < 0) {
            break;
        }
        CHECK_INT(rows, 10000);
        print_stream(&found, type, nilas_buf_view(&chunk));
        NILAS_AUTO_BUF expected = {0};
        for (int64_t i = at; i < at + rows; i++) {
            nilas_buf_print(&expected, i % 3 == 0 ? "NULL\tt\n" : "%lld\tt\n", (long long)i);
        }
        CHECK(nilas_str_equal(nilas_buf_view(&found), nilas_buf_view(&expected)));
        at += rows;
    }
    CHECK_INT(at, 70000);
    CHECK_INT(chunk.size, 0);
}

NILAS_TEST(chunks_are_not_longer_than_wanted_but_for_one_row) {
    static char letters[5000];
    memset(letters, 'x', sizeof(letters));
    nilas_value cells[100];
    const nilas_type *type = make_struct_type(1, (const char *const[]){"t"},
                                              (const nilas_type *const[]){of(NILAS_TYPE_STRING)});
    for (size_t i = 0; i < 100; i++) {
        cells[i] = nilas_value_of_str((nilas_str){.data = letters, .size = i == 50 ? 5000 : 100});
    }
    NILAS_AUTO(nilas_result) result = result_of(type, cells, 100);
    NILAS_AUTO(nilas_print_ipc) ipc = NULL;
    NILAS_AUTO_BUF chunk = {0};
    nilas_error err = NILAS_ERROR_INIT;
    int64_t rows = 0;
    int64_t at = 0;
    REQUIRE_OK(nilas_print_ipc_of(result,
                                  &(nilas_print_ipc_options){
                                      .zone = nilas_zone_find(NILAS_STR("UTC")), .bytes = 1050},
                                  &ipc, &err),
               err);
    for (;;) {
        nilas_buf_clear(&chunk);
        REQUIRE_OK(nilas_print_ipc_next(ipc, &chunk, &rows, &err), err);
        if (rows < 0) {
            break;
        }
        CHECK(rows > 0);
        CHECK(chunk.size < 1700 || (at == 50 && rows == 1)); // with the schema
        at += rows;
    }
    CHECK_INT(at, 100);
}

NILAS_TEST(nothing_is_one_chunk_of_no_rows) {
    const nilas_type *types[] = {wide_type(), make_struct_type(0, NULL, NULL)};
    for (size_t i = 0; i < 2; i++) {
        NILAS_AUTO(nilas_result) result = result_of(types[i], NULL, 0);
        NILAS_AUTO(nilas_print_ipc) ipc = NULL;
        NILAS_AUTO_BUF chunk = {0};
        NILAS_AUTO_BUF found = {0};
        nilas_error err = NILAS_ERROR_INIT;
        int64_t rows = -1;
        REQUIRE_OK(nilas_print_ipc_of(
                       result,
                       &(nilas_print_ipc_options){.zone = nilas_zone_find(NILAS_STR("UTC"))}, &ipc,
                       &err),
                   err);
        REQUIRE_OK(nilas_print_ipc_next(ipc, &chunk, &rows, &err), err);
        CHECK_INT(rows, 0);
        print_stream(&found, types[i], nilas_buf_view(&chunk));
        CHECK_STR(nilas_buf_view(&found), "");
        REQUIRE_OK(nilas_print_ipc_next(ipc, &chunk, &rows, &err), err);
        CHECK_INT(rows, -1);
    }
}

NILAS_TEST(a_chunk_beyond_its_buffer_is_refused) {
    nilas_value cells[] = {TEXT("a text of some length that does not fit")};
    const nilas_type *type = make_struct_type(1, (const char *const[]){"t"},
                                              (const nilas_type *const[]){of(NILAS_TYPE_STRING)});
    for (size_t limit = 1; limit < 250; limit += 31) {
        NILAS_AUTO(nilas_result) result = result_of(type, cells, 1);
        NILAS_AUTO(nilas_print_ipc) ipc = NULL;
        NILAS_AUTO_BUF chunk = NILAS_BUF_INIT(limit);
        nilas_error err = NILAS_ERROR_INIT;
        int64_t rows;
        REQUIRE_OK(nilas_print_ipc_of(
                       result,
                       &(nilas_print_ipc_options){.zone = nilas_zone_find(NILAS_STR("UTC"))}, &ipc,
                       &err),
                   err);
        CHECK_FAILS(nilas_print_ipc_next(ipc, &chunk, &rows, &err), NILAS_LIMIT, err, "");
    }
}
