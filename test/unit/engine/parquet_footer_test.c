/* Schemas of Parquet files; broken footers are errors. */
#include "engine/parquet_footer.h"
#include "run.h"

static nilas_code read_schema(run *r, const char *path, nilas_parquet_schema *out) {
    return nilas_parquet__read_schema(r->table.io, r->arena, nilas_str_of(path), -1, out, &r->err);
}

NILAS_TEST(names_ids_and_types_come_at_every_depth) {
    run r;
    nilas_parquet_schema schema = {0};
    run_init(&r, 2);
    const char *path =
        run_write(&r, "a",
                  "SELECT 1::BIGINT AS l, 2.5::DECIMAL(9, 2) AS d, [{'a': 1::INTEGER}] AS s, "
                  "map{'k': 'v'} AS m, "
                  "timestamptz '2020-01-01 00:00:00+00' AS t",
                  "l: 1, d: 2, s: {__duckdb_field_id: 3, element: {__duckdb_field_id: 4, a: 5}}, "
                  "m: {__duckdb_field_id: 6, key: 7, value: 8}, t: 9");
    REQUIRE_OK(read_schema(&r, path, &schema), r.err);
    const nilas_parquet_node *nodes = schema.root.children;
    REQUIRE(schema.root.child_count == 5 && schema.has_ids);
    CHECK_STR(nodes[0].name, "l");
    CHECK(nodes[0].kind == NILAS_PARQUET_INT && nodes[0].width == 64 && nodes[0].is_signed &&
          nodes[0].field_id == 1);
    CHECK(nodes[1].kind == NILAS_PARQUET_DECIMAL && nodes[1].precision == 9 && nodes[1].scale == 2);
    REQUIRE(nodes[2].kind == NILAS_PARQUET_LIST && nodes[2].field_id == 3);
    REQUIRE(nodes[2].children[0].kind == NILAS_PARQUET_STRUCT);
    CHECK_INT(nodes[2].children[0].children[0].field_id, 5);
    REQUIRE(nodes[3].kind == NILAS_PARQUET_MAP && nodes[3].child_count == 2);
    CHECK_INT(nodes[3].children[0].field_id, 7);
    CHECK(nodes[3].children[1].kind == NILAS_PARQUET_STRING);
    CHECK(nodes[4].kind == NILAS_PARQUET_TIMESTAMP && nodes[4].is_adjusted);
    run_done(&r);
}

NILAS_TEST(equal_schemas_have_equal_signatures_and_others_not) {
    run r;
    nilas_parquet_schema a = {0};
    nilas_parquet_schema b = {0};
    nilas_parquet_schema c = {0};
    run_init(&r, 2);
    REQUIRE_OK(read_schema(&r, run_write(&r, "a", "SELECT 1 AS x", "x: 1"), &a), r.err);
    REQUIRE_OK(read_schema(&r, run_write(&r, "b", "SELECT 2 AS x FROM range(9)", "x: 1"), &b),
               r.err);
    REQUIRE_OK(read_schema(&r, run_write(&r, "c", "SELECT 2 AS x", "x: 2"), &c), r.err);
    CHECK_BYTES(a.signature, b.signature);
    CHECK(!nilas_str_equal(a.signature, c.signature));
    run_done(&r);
}

NILAS_TEST(a_footer_cut_anywhere_is_corrupt_or_still_whole) {
    run r;
    nilas_str bytes = NILAS_STR_EMPTY;
    run_init(&r, 2);
    const char *path = run_write(&r, "a", "SELECT 1 AS x, [{'y': 'z'}] AS l", NULL);
    REQUIRE_OK(nilas_io_read(r.table.io, r.arena, nilas_str_of(path), 1 << 20, &bytes, &r.err),
               r.err);
    const unsigned char *end = (const unsigned char *)bytes.data + bytes.size - 8;
    size_t size = end[0] | (size_t)end[1] << 8;
    nilas_str footer = {.data = (const char *)end - size, .size = size};
    for (size_t cut = 0; cut <= size; cut++) {
        nilas_parquet_schema schema;
        nilas_code code = nilas_parquet__parse_schema(r.arena, nilas_str_slice(footer, 0, cut),
                                                      NILAS_STR("f"), &schema, &r.err);
        CHECK(code == NILAS_CORRUPT || (code == NILAS_OK && schema.root.child_count == 2));
    }
    run_done(&r);
}

NILAS_TEST(encrypted_files_and_lying_lengths_are_refused) {
    run r;
    nilas_parquet_schema schema;
    nilas_str path = NILAS_STR_EMPTY;
    run_init(&r, 2);
    CHECK_OK(nilas_str_print(r.arena, &path, &r.err, "%s/e.parquet", r.table.root), r.err);
    CHECK_OK(
        nilas_io_write(r.table.io, path, (nilas_str){"PAR1xxxx\4\0\0\0PARE", 16}, true, &r.err),
        r.err);
    CHECK_FAILS(read_schema(&r, path.data, &schema), NILAS_UNSUPPORTED, r.err, "encrypted");
    CHECK_OK(nilas_io_write(r.table.io, path, (nilas_str){"PAR1xxxx\377\377\377\177PAR1", 16}, true,
                            &r.err),
             r.err);
    CHECK_FAILS(read_schema(&r, path.data, &schema), NILAS_CORRUPT, r.err, "a footer of");
    run_done(&r);
}
