/* Writing: bounds from text, cutting them, and the laws of what a manifest says of a file. */
#include "engine/writer.h"
#include "plans.h"

/* --- bounds from DuckDB's text --- */

static bool parses(const nilas_ice_type *type, const char *text, nilas_value *out) {
    static nilas_arena *arena;
    arena = arena != NULL ? arena : nilas_arena_new(NULL, 0);
    return nilas_write__parse_bound(arena, type, nilas_str_of(text), out);
}

NILAS_TEST(bounds_are_parsed_exactly) {
    const nilas_ice_type decimal = {.kind = NILAS_ICE_DECIMAL, .precision = 9, .scale = 2};
    nilas_value value;
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_INT), "-2147483648", &value));
    CHECK_INT(value.integer, INT32_MIN);
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_DATE), "1969-12-31", &value));
    CHECK_INT(value.integer, -1);
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_TIMESTAMP), "1969-12-31 23:59:59.123456", &value));
    CHECK_INT(value.integer, -876544);
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_TIMESTAMP), "1970-01-01 00:00:00.5", &value));
    CHECK_INT(value.integer, 500000);
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_TIMESTAMPTZ), "1970-01-01 09:00:00+09", &value));
    CHECK_INT(value.integer, 0);
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_TIMESTAMPTZ), "1969-12-31 18:30:00-05:30", &value));
    CHECK_INT(value.integer, 0);
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_TIME), "00:00:01", &value));
    CHECK_INT(value.integer, 1000000);
    CHECK(parses(&decimal, "-0.05", &value));
    CHECK_INT(value.decimal, -5);
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_FLOAT), "0.1", &value));
    CHECK_DOUBLE(value.real, (double)0.1f);
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_DOUBLE), "-inf", &value));
    CHECK_DOUBLE(value.real, -__builtin_inf());
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_BINARY), "00FF", &value));
    CHECK_INT(value.text.size, 2);
    CHECK(parses(nilas_ice_primitive(NILAS_ICE_UUID), "f79c3e09-677c-4bbd-a479-3f349cb785e7",
                 &value));
    CHECK_INT(value.text.size, 16);
}

NILAS_TEST(what_is_not_told_exactly_is_no_bound) {
    const nilas_ice_type decimal = {.kind = NILAS_ICE_DECIMAL, .precision = 9, .scale = 2};
    nilas_value value;
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_INT), "2147483648", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_LONG), "1.0", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_DATE), "0006-01-01 (BC)", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_DATE), "infinity", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_TIMESTAMP), "2021-01-01 00:00:00+00", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_TIMESTAMPTZ), "2021-01-01 00:00:00", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_TIMESTAMP), "2021-01-01 00:00:00.1234567", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_TIMESTAMP_NS), "2400-01-01 00:00:00", &value));
    CHECK(!parses(&decimal, "1E+2", &value));
    CHECK(!parses(&decimal, "1.5", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_DOUBLE), "nan", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_STRING), "cut \xE2", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_BINARY), "0", &value));
    CHECK(!parses(nilas_ice_primitive(NILAS_ICE_UUID), "f79c3e09-677c-4bbd-a479_3f349cb785e7",
                  &value));
}

/* --- cutting --- */

static const char *cut(run *r, nilas_ice_kind kind, const char *text, bool is_upper) {
    nilas_value value = nilas_value_of_str(nilas_str_of(text));
    nilas_str copy = NILAS_STR_EMPTY;
    if (!nilas_write__truncate_bound(r->arena, nilas_ice_primitive(kind), 2, is_upper, &value)) {
        return "none";
    }
    CHECK_OK(nilas_str_copy(r->arena, value.text, &copy, &r->err), r->err);
    return copy.data;
}

NILAS_TEST(text_is_cut_by_code_points) {
    run r;
    run_init(&r, 2);
    CHECK_TEXT(cut(&r, NILAS_ICE_STRING, "äöü", false), "äö");
    CHECK_TEXT(cut(&r, NILAS_ICE_STRING, "äöü", true), "ä÷");
    CHECK_TEXT(cut(&r, NILAS_ICE_STRING, "ab", true), "ab");
    CHECK_TEXT(cut(&r, NILAS_ICE_STRING, "a\xED\x9F\xBFx", true), "a\xEE\x80\x80"); // the gap
    CHECK_TEXT(cut(&r, NILAS_ICE_STRING, "a\xF4\x8F\xBF\xBFx", true), "b");
    CHECK_TEXT(cut(&r, NILAS_ICE_STRING, "\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBFx", true), "none");
    CHECK_TEXT(cut(&r, NILAS_ICE_BINARY, "a\xFF\x01", true), "b");
    CHECK_TEXT(cut(&r, NILAS_ICE_BINARY, "\xFF\xFF\x01", true), "none");
    CHECK_TEXT(cut(&r, NILAS_ICE_BINARY, "\xFF\xFF\x01", false), "\xFF\xFF");
    run_done(&r);
}

/* --- files --- */

static const nilas_ice_type decimal_type = {
    .kind = NILAS_ICE_DECIMAL, .precision = 20, .scale = 3};

#define COLUMNS 8
static const char *const column_names[COLUMNS] = {"i", "d", "s", "n", "t", "b", "u", "f"};

/** A schema of eight columns, ids 1 …. */
static nilas_schema *wide_schema(run *r) {
    static const nilas_ice_kind kinds[COLUMNS] = {
        NILAS_ICE_INT,         NILAS_ICE_DOUBLE, NILAS_ICE_STRING, NILAS_ICE_DECIMAL,
        NILAS_ICE_TIMESTAMPTZ, NILAS_ICE_BINARY, NILAS_ICE_UUID,   NILAS_ICE_FLOAT};
    nilas_schema *schema = made_zeroed(r, sizeof(*schema));
    schema->type = (nilas_ice_type){.kind = NILAS_ICE_STRUCT,
                                    .fields = made_zeroed(r, COLUMNS * sizeof(nilas_ice_field)),
                                    .field_count = COLUMNS};
    for (int32_t i = 0; i < COLUMNS; i++) {
        schema->type.fields[i] = (nilas_ice_field){
            .id = i + 1,
            .name = nilas_str_of(column_names[i]),
            .type = kinds[i] == NILAS_ICE_DECIMAL ? &decimal_type : nilas_ice_primitive(kinds[i])};
    }
    return schema;
}

static const char wide_rows[] =
    "SELECT CAST(hash(i) % 1000 AS INTEGER) - 500 AS i, CASE i % 50 WHEN 0 THEN NULL WHEN 1 THEN "
    "CAST('nan' AS DOUBLE) ELSE sin(i) * 1e10 END AS d, CASE WHEN i % 7 = 0 THEN NULL ELSE "
    "repeat(chr(CAST(65 + hash(i) % 5000 AS INTEGER)), CAST(i % 40 AS INTEGER)) END AS s, "
    "CAST(sin(i) * 1e12 AS DECIMAL(20, 3)) AS n, CAST(to_timestamp(CAST(hash(i) % 4000000000 AS "
    "DOUBLE) - 2e9) AS TIMESTAMPTZ) AS t, encode(repeat(chr(CAST(1 + i % 255 AS INTEGER)), "
    "CAST(i % 30 AS INTEGER))) AS b, CAST(uuid() AS VARCHAR) AS u, CAST(CASE WHEN i % 2 = 0 THEN "
    "-0.0 ELSE 0.0 END AS FLOAT) AS f FROM range(5000) AS t(i)";

/** Write SQL rows with a schema's columns; the files. */
static nilas_code write_rows(run *r, nilas_writer *w, nilas_job *job, nilas_write_options *options,
                             const char *sql) {
    nilas_writer_options how = {
        .write = options, .schema = options->schema, .spec = options->spec};
    nilas_write_rows rows = {.sql = nilas_str_of(sql)};
    nilas_str *columns = made_zeroed(r, options->schema->type.field_count * sizeof(*columns));
    options->table = r->table.table;
    for (size_t i = 0; i < options->schema->type.field_count; i++) {
        columns[i] = options->schema->type.fields[i].name;
    }
    rows.columns = columns;
    NILAS_TRY(nilas_writer__begin(w, job, r->arena, &how, &r->err));
    return nilas_writer__write(w, &rows, &r->err);
}

static int64_t count_in(const nilas_int_count *list, size_t count, int32_t id) {
    int64_t found = -1;
    (void)nilas_int_count_find(list, count, id, &found);
    return found;
}

typedef struct column_check {
    const nilas_data_file *file;
    const nilas_ice_field *field;
    int64_t nulls, nans, values;
} column_check;

/** One value of a file lies within its bounds. */
static void check_value(run *r, column_check *check, const nilas_value *value) {
    nilas_str bytes;
    nilas_value bound;
    check->values++;
    check->nulls += value->kind == NILAS_VALUE_NULL;
    bool is_nan = (value->kind == NILAS_VALUE_DOUBLE || value->kind == NILAS_VALUE_FLOAT) &&
                  value->real != value->real;
    check->nans += is_nan;
    if (value->kind == NILAS_VALUE_NULL || is_nan) {
        return;
    }
    const nilas_data_file *file = check->file;
    if (nilas_bound_find(file->lower_bounds, file->lower_bound_count, check->field->id, &bytes)) {
        CHECK_OK(nilas_ice_value_decode(r->arena, check->field->type, bytes, &bound, &r->err),
                 r->err);
        CHECK(nilas_value_compare(&bound, value) <= 0);
    }
    if (nilas_bound_find(file->upper_bounds, file->upper_bound_count, check->field->id, &bytes)) {
        CHECK_OK(nilas_ice_value_decode(r->arena, check->field->type, bytes, &bound, &r->err),
                 r->err);
        CHECK(nilas_value_compare(&bound, value) >= 0);
    }
}

/** Read a column of a file back and hold it against the file's entry. */
static void check_column(run *r, nilas_job *job, column_check *check) {
    NILAS_AUTO_QUERY_RUN query = {0};
    nilas_str sql = NILAS_STR_EMPTY;
    bool is_uuid = check->field->type->kind == NILAS_ICE_UUID;
    CHECK_OK(nilas_str_print(r->arena, &sql, &r->err, "SELECT %s%.*s%s FROM read_parquet('%.*s')",
                             is_uuid ? "CAST(" : "", NILAS_FMT(check->field->name),
                             is_uuid ? " AS VARCHAR)" : "", NILAS_FMT(check->file->file_path)),
             r->err);
    REQUIRE_OK(nilas_job__start(job, sql, &query, &r->err), r->err);
    while (true) {
        NILAS_AUTO_CHUNK chunk = NULL;
        REQUIRE_OK(nilas_job__fetch(job, &query, &chunk, &r->err), r->err);
        if (chunk == NULL) {
            break;
        }
        for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); row++) {
            nilas_value value;
            REQUIRE_OK(nilas_engine__read_vector(r->arena, duckdb_data_chunk_get_vector(chunk, 0),
                                                 check->field->type, row, &value, &r->err),
                       r->err);
            check_value(r, check, &value);
        }
    }
    const nilas_data_file *file = check->file;
    int32_t id = check->field->id;
    CHECK_INT(count_in(file->value_counts, file->value_count_count, id), check->values);
    CHECK_INT(count_in(file->null_value_counts, file->null_value_count_count, id), check->nulls);
    if (check->field->type->kind == NILAS_ICE_DOUBLE) {
        CHECK_INT(count_in(file->nan_value_counts, file->nan_value_count_count, id), check->nans);
    }
}

NILAS_TEST(bounds_contain_all_values_and_counts_are_right) {
    run r;
    nilas_writer w;
    run_init(&r, 2);
    load_made(&r.table, "");
    nilas_schema *schema = wide_schema(&r);
    nilas_write_options options = {.schema = schema};
    NILAS_AUTO_JOB job = {.engine = r.engine, .stmt = r.arena};
    REQUIRE_OK(write_rows(&r, &w, &job, &options, wide_rows), r.err);
    REQUIRE(w.files.count == 1);
    CHECK_INT(w.files.items[0].record_count, 5000);
    CHECK_INT(w.files.items[0].lower_bound_count, COLUMNS);
    CHECK_INT(w.files.items[0].upper_bound_count, COLUMNS);
    for (size_t i = 0; i < COLUMNS; i++) {
        column_check check = {.file = &w.files.items[0], .field = &schema->type.fields[i]};
        check_column(&r, &job, &check);
    }
    nilas_job__done(&job);
    run_done(&r);
}

NILAS_TEST(each_partition_has_its_own_file_and_value) {
    run r;
    nilas_writer w;
    run_init(&r, 2);
    load_made(&r.table, "");
    nilas_partition_field field = {
        .source_id = 1,
        .field_id = 1000,
        .name = NILAS_STR("i_bucket"),
        .transform = {.kind = NILAS_TRANSFORM_BUCKET, .width = 7, .text = NILAS_STR("bucket[7]")}};
    nilas_partition_spec spec = {.spec_id = 0, .fields = &field, .field_count = 1};
    nilas_write_options options = {.schema = wide_schema(&r), .spec = &spec};
    NILAS_AUTO_JOB job = {.engine = r.engine, .stmt = r.arena};
    REQUIRE_OK(write_rows(&r, &w, &job, &options, wide_rows), r.err);
    CHECK_INT(w.files.count, 7);
    int64_t rows = 0;
    for (size_t i = 0; i < w.files.count; i++) {
        rows += w.files.items[i].record_count;
        REQUIRE(w.files.items[i].partition.count == 1);
        for (size_t k = 0; k < i; k++) {
            CHECK(!nilas_value_equal(&w.files.items[i].partition, &w.files.items[k].partition));
        }
    }
    CHECK_INT(rows, 5000);
    nilas_job__done(&job);
    run_done(&r);
}

NILAS_TEST(large_writes_are_cut_by_the_target_size) {
    run r;
    nilas_writer w;
    run_init(&r, 2);
    load_made(&r.table, "");
    nilas_sort_field by = {.source_id = 1,
                           .transform = {.kind = NILAS_TRANSFORM_IDENTITY,
                                         .text = NILAS_STR("identity")}};
    nilas_sort_order order = {.order_id = 3, .fields = &by, .field_count = 1};
    nilas_write_options options = {
        .schema = wide_schema(&r), .order = &order, .target_file_size_bytes = 100000};
    NILAS_AUTO_JOB job = {.engine = r.engine, .stmt = r.arena};
    REQUIRE_OK(write_rows(&r, &w, &job, &options, wide_rows), r.err);
    CHECK(w.files.count >= 2);
    nilas_str last = {0};
    for (size_t i = 0; i < w.files.count; i++) { // sorted over files, too
        const nilas_data_file *file = &w.files.items[i];
        nilas_value low, high;
        nilas_str bytes = {0};
        CHECK_INT(file->sort_order_id, 3);
        CHECK(file->file_size_in_bytes < 200000);
        REQUIRE(nilas_bound_find(file->lower_bounds, file->lower_bound_count, 1, &bytes));
        REQUIRE_OK(nilas_ice_value_decode(r.arena, nilas_ice_primitive(NILAS_ICE_INT), bytes, &low,
                                          &r.err),
                   r.err);
        if (last.data != NULL) {
            REQUIRE_OK(nilas_ice_value_decode(r.arena, nilas_ice_primitive(NILAS_ICE_INT), last,
                                              &high, &r.err),
                       r.err);
            CHECK(high.integer <= low.integer);
        }
        REQUIRE(nilas_bound_find(file->upper_bounds, file->upper_bound_count, 1, &last));
    }
    nilas_job__done(&job);
    run_done(&r);
}

/* --- failures --- */

static size_t count_data_files(run *r) {
    nilas_str folder = NILAS_STR_EMPTY;
    nilas_io_entry *entries = NULL;
    size_t count = 0;
    CHECK_OK(nilas_str_print(r->arena, &folder, &r->err, "%s/data", r->table.root), r->err);
    if (nilas_io_list(r->table.table->io, r->arena, folder, &entries, &count, NULL) != NILAS_OK) {
        return 0;
    }
    return count;
}

NILAS_TEST(a_write_that_fails_leaves_no_file) {
    run r;
    nilas_writer w;
    run_init(&r, 2);
    load_made(&r.table, "");
    nilas_write_options options = {.schema = wide_schema(&r)};
    NILAS_AUTO_JOB job = {.engine = r.engine, .stmt = r.arena};
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    nilas_buf_print(&sql, "SELECT * FROM (%s) UNION ALL SELECT CAST(error('no') AS INTEGER), 0.5, "
                          "'', 0, now(), encode(''), '', 0.5",
                    wide_rows);
    nilas_buf_add_char(&sql, '\0');
    CHECK(write_rows(&r, &w, &job, &options, sql.data) != NILAS_OK);
    nilas_writer__discard(&w);
    CHECK_INT(count_data_files(&r), 0);
    nilas_job__done(&job);
    run_done(&r);
}

NILAS_TEST(columns_that_files_cannot_hold_are_refused_by_name) {
    run r;
    nilas_writer w;
    run_init(&r, 2);
    load_made(&r.table, "");
    nilas_schema *schema = wide_schema(&r);
    nilas_write_options options = {.schema = schema};
    NILAS_AUTO_JOB job = {.engine = r.engine, .stmt = r.arena};
    schema->type.fields[0].type = nilas_ice_primitive(NILAS_ICE_VARIANT);
    CHECK_FAILS(write_rows(&r, &w, &job, &options, wide_rows), NILAS_UNSUPPORTED, r.err, "variant");
    nilas_job__done(&job);
    run_done(&r);
}
