/* Files as tables: what Spark infers, and what malformed records give. */
#include "plans.h"

static nilas_file_scan make_file(run *r, const char *format, const char *name, const char *text) {
    nilas_str path = NILAS_STR_EMPTY;
    nilas_file_scan scan = {.format = nilas_str_of(format), .path_count = 1};
    CHECK_OK(nilas_str_print(r->arena, &path, &r->err, "%s/%s", r->table.root, name), r->err);
    CHECK_OK(nilas_io_write(r->table.io, path, nilas_str_of(text), true, &r->err), r->err);
    scan.paths = made_zeroed(r, sizeof(*scan.paths));
    scan.paths[0] = path;
    return scan;
}

/** The inferred schema and the rows, as "struct<…> row row". */
static const char *schema_and_rows(run *r, nilas_file_scan *scan) {
    nilas_str text = NILAS_STR_EMPTY;
    NILAS_AUTO_BUF schema = NILAS_BUF_INIT(0);
    if (nilas_engine_infer_files(r->engine, r->arena, scan, &r->err) != NILAS_OK) {
        return "?";
    }
    nilas_type_print(&schema, scan->schema);
    nilas_plan *plan = made_plan(r, NILAS_PLAN_FILE_SCAN, NULL);
    plan->file_scan = scan;
    for (size_t i = 0; i < scan->schema->field_count; i++) {
        add_output(r, plan, (int32_t)i, scan->schema->fields[i].type);
        plan->outputs[i].name = scan->schema->fields[i].name;
    }
    CHECK_OK(nilas_str_print(r->arena, &text, &r->err, "%.*s %s",
                             NILAS_FMT(nilas_buf_view(&schema)), run_plan(r, plan)),
             r->err);
    return text.data;
}

NILAS_TEST(json_columns_are_sorted_and_what_disagrees_is_text) {
    run r;
    run_init(&r, 2);
    nilas_file_scan scan = make_file(
        &r, "json", "a.json",
        "{\"b\":1,\"a\":[1,2.5],\"c\":{\"z\":true,\"y\":\"t\"}}\n{\"b\":\"x\",\"n\":null}\n");
    CHECK_TEXT(schema_and_rows(&r, &scan),
               "struct<a:array<double>,b:string,c:struct<y:string,z:boolean>,n:string> "
               "[1;2.5],1,[t;true],null null,x,null,null");
    run_done(&r);
}

NILAS_TEST(a_malformed_json_record_is_a_row_of_nulls) {
    run r;
    run_init(&r, 2);
    nilas_file_scan scan = make_file(&r, "json", "a.json", "{\"a\":1}\n{broken\n{\"a\":3}\n");
    CHECK_TEXT(schema_and_rows(&r, &scan), "struct<a:bigint> 1 null 3");
    run_done(&r);
}

NILAS_TEST(csv_is_text_unless_its_types_are_asked_for) {
    run r;
    run_init(&r, 2);
    const char *text = "n,d,s\n1,1.5,\"a,\\\"b\\\"\"\n,2e3,\n";
    nilas_file_scan scan = make_file(&r, "csv", "a.csv", text);
    CHECK_TEXT(schema_and_rows(&r, &scan),
               "struct<_c0:string,_c1:string,_c2:string> n,d,s 1,1.5,a,\"b\" null,2e3,null");
    const nilas_option options[] = {
        {.key = NILAS_STR("header"), .value = NILAS_STR("true"), .has_value = true},
        {.key = NILAS_STR("INFERSCHEMA"), .value = NILAS_STR("true"), .has_value = true}};
    scan = make_file(&r, "csv", "a.csv", text);
    scan.options = options;
    scan.option_count = 2;
    CHECK_TEXT(schema_and_rows(&r, &scan),
               "struct<n:int,d:double,s:string> 1,1.5,a,\"b\" null,2000,null");
    run_done(&r);
}

NILAS_TEST(text_is_lines_and_parquet_has_its_own_types) {
    run r;
    run_init(&r, 2);
    nilas_file_scan scan = make_file(&r, "text", "a.txt", "one,\"two\n\nlast");
    CHECK_TEXT(schema_and_rows(&r, &scan), "struct<value:string> one,\"two  last");
    const char *path = run_write(&r, "p", "SELECT 1::SMALLINT AS h, 'x' AS s, [2.5] AS l", NULL);
    scan = make_file(&r, "parquet", "ignored", "");
    scan.paths[0] = nilas_str_of(path);
    CHECK_TEXT(schema_and_rows(&r, &scan),
               "struct<h:smallint,s:string,l:array<decimal(2,1)>> 1,x,[2.5]");
    run_done(&r);
}

NILAS_TEST(a_path_that_is_not_there_is_said_in_sparks_words) {
    run r;
    run_init(&r, 2);
    nilas_file_scan scan = make_file(&r, "json", "a.json", "");
    scan.paths[0] = NILAS_STR("/no/such/file.json");
    CHECK_TEXT(schema_and_rows(&r, &scan), "?");
    CHECK_TEXT(r.err.condition, "PATH_NOT_FOUND");
    run_done(&r);
}
