/* What footers say of files that others wrote; what they do not plainly say is left out; broken
 * ones are errors. */
#include "run.h"

static nilas_data_file import(run *r, const nilas_table *table, const char *path) {
    nilas_data_file file = {.file_path = nilas_str_of(path)};
    CHECK_OK(nilas_engine_import_parquet(r->arena, table, &file, 1, &r->err), r->err);
    return file;
}

/** "rows; id:values/nulls[lower,upper] …" of the columns that have counts. */
static const char *facts(run *r, const nilas_table *table, const char *path) {
    nilas_data_file file = import(r, table, path);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_str copy = NILAS_STR_EMPTY;
    const nilas_schema *schema = nilas_metadata_current_schema(table->metadata);
    nilas_buf_print(&text, "%lld;", (long long)file.record_count);
    for (size_t i = 0; i < file.value_count_count; i++) {
        int32_t id = file.value_counts[i].field_id;
        const nilas_ice_type *type = nilas_schema_find_id(schema, id)->type;
        int64_t nulls = -1;
        nilas_str bound;
        (void)nilas_int_count_find(file.null_value_counts, file.null_value_count_count, id, &nulls);
        nilas_buf_print(&text, " %d:%lld/%lld", id, (long long)file.value_counts[i].count,
                        (long long)nulls);
        for (int side = 0; side < 2; side++) {
            nilas_value value = NILAS_NULL_VALUE;
            bool found = nilas_bound_find(
                side == 0 ? file.lower_bounds : file.upper_bounds,
                side == 0 ? file.lower_bound_count : file.upper_bound_count, id, &bound);
            CHECK(!found ||
                  nilas_ice_value_decode(r->arena, type, bound, &value, &r->err) == NILAS_OK);
            nilas_buf_add_char(&text, side == 0 ? '[' : ',');
            print_cell(&text, nilas_type_of(NILAS_TYPE_STRING), &value);
        }
        nilas_buf_add_char(&text, ']');
    }
    CHECK_OK(nilas_buf_finish(&text, r->arena, &copy, &r->err), r->err);
    return copy.data;
}

NILAS_TEST(counts_and_bounds_are_those_of_all_row_groups) {
    run r;
    run_init(&r, 2);
    const nilas_table *table = load_made(&r.table, "");
    CHECK_TEXT(facts(&r, table,
                     run_write(&r, "a",
                               "SELECT range - 5 AS id, if(range % 2 = 0, NULL, 'a text of more "
                               "than sixteen ' || range) AS p, range / 4 AS x FROM range(5000)",
                               NULL)),
               "5000; 1:5000/0[-5,4994] 2:5000/2500[a text of more t,a text of more u] "
               "3:5000/0[-0,1249.75]");
    CHECK_TEXT(
        facts(&r, table,
              run_write(&r, "b", "SELECT NULL::BIGINT AS a, 2 AS b, 'z' AS c", "a: 1, b: 7, c: 2")),
        "1; 1:1/1[null,null] 2:1/0[z,z]"); // by id; b is no column of the table
    run_done(&r);
}

NILAS_TEST(what_a_bound_does_not_plainly_say_is_left_out) {
    run r;
    run_init(&r, 2);
    const nilas_table *table =
        load_made(&r.table, "\"schema.name-mapping.default\":\"[{\\\"field-id\\\":1,\\\"names\\\":"
                            "[\\\"id\\\"]},{\\\"field-id\\\":2,\\\"names\\\":[\\\"p\\\"]},"
                            "{\\\"field-id\\\":3,\\\"names\\\":[\\\"x\\\"]}]\"");
    static const char *const cases[][2] = {
        {"SELECT 'text' AS id, 5 AS p, true AS x", "1; 1:1/0[null,null] 2:1/0[null,null] "
                                                   "3:1/0[null,null]"},
        {"SELECT 7::INTEGER AS id, 'p' AS p, 2.5::FLOAT AS x", "1; 1:1/0[7,7] 2:1/0[p,p] "
                                                               "3:1/0[2.5,2.5]"},
        {"SELECT 7::UBIGINT AS id, 'p'::BLOB AS p, 'nan'::DOUBLE AS x",
         "1; 1:1/0[null,null] 2:1/0[null,null] 3:1/0[null,null]"},
        {"SELECT 7 AS ID, 'p' AS P", "1;"}, // names are exact
        {"SELECT [7] AS id, {'p': 'x'} AS p", "1;"},
        {"SELECT 7 AS id WHERE false", "0; 1:0/0[null,null]"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char name[] = {(char)('a' + i), '\0'};
        CHECK_TEXT(facts(&r, table, run_write(&r, name, cases[i][0], NULL)), cases[i][1]);
    }
    run_done(&r);
}

NILAS_TEST(modes_of_the_table_decide_what_is_kept) {
    run r;
    run_init(&r, 2);
    const nilas_table *table = load_made(&r.table, "\"write.metadata.metrics.default\":\"none\","
                                                   "\"write.metadata.metrics.column.p\":\"counts\","
                                                   "\"write.metadata.metrics.column.x\":\"full\"");
    CHECK_TEXT(
        facts(&r, table, run_write(&r, "a", "SELECT 7 AS id, 'p' AS p, 1.5::DOUBLE AS x", NULL)),
        "1; 2:1/0[null,null] 3:1/0[1.5,1.5]");
    run_done(&r);
}

NILAS_TEST(a_footer_with_any_byte_changed_is_corrupt_or_says_something) {
    run r;
    nilas_str bytes = NILAS_STR_EMPTY;
    run_init(&r, 2);
    const nilas_table *table = load_made(&r.table, "");
    const char *path =
        run_write(&r, "a", "SELECT range AS id, 'p' AS p, [range] AS x FROM range(3000)", NULL);
    REQUIRE_OK(nilas_io_read(r.table.io, r.arena, nilas_str_of(path), 1 << 20, &bytes, &r.err),
               r.err);
    const unsigned char *end = (const unsigned char *)bytes.data + bytes.size - 8;
    size_t size = end[0] | (size_t)end[1] << 8;
    char *copy = malloc(bytes.size);
    REQUIRE(copy != NULL && size + 8 < bytes.size);
    for (size_t at = bytes.size - 8 - size; at < bytes.size - 4; at += 7) {
        nilas_data_file file = {.file_path = NILAS_STR("/tmp/none")};
        nilas_str name = NILAS_STR_EMPTY;
        memcpy(copy, bytes.data, bytes.size);
        copy[at] = (char)(copy[at] ^ (at % 3 == 0 ? 0xFF : 1 << (at % 8)));
        REQUIRE_OK(nilas_str_print(r.arena, &name, &r.err, "%s/broken.parquet", r.table.root),
                   r.err);
        REQUIRE_OK(nilas_io_write(r.table.io, name, (nilas_str){.data = copy, .size = bytes.size},
                                  true, &r.err),
                   r.err);
        file.file_path = name;
        nilas_error err = NILAS_ERROR_INIT;
        nilas_code code = nilas_engine_import_parquet(r.arena, table, &file, 1, &err);
        CHECK(code == NILAS_OK || code == NILAS_CORRUPT || code == NILAS_LIMIT ||
              code == NILAS_UNSUPPORTED);
    }
    free(copy);
    run_done(&r);
}
