/*
 * The law of pruning: what is pruned holds no matching row, and what is said to match as a whole
 * has no row that does not. Random rows, random specs, random predicates, random gaps in the
 * metrics; a plain row filter is the judge.
 */
#include <math.h>

#include "make.h"

/* ---- a table with a column of each kind ------------------------------------------------------ */

static const char *const column_types[] = {
    "\"long\"",          "\"int\"",  "\"double\"",    "\"string\"",
    "\"decimal(9, 2)\"", "\"date\"", "\"timestamp\"", "\"boolean\"",
    "\"binary\"",        "\"uuid\"", "\"float\"",     "\"timestamptz_ns\"",
};
#define COLUMN_COUNT 12

static const char *const transforms[] = {
    "identity", "bucket[3]", "truncate[2]", "truncate[10]", "year",
    "month",    "day",       "hour",        "void",         "zorder",
};
#define TRANSFORM_COUNT (sizeof(transforms) / sizeof(transforms[0]))
#define MAX_FIELDS      3
#define MAX_ROWS        6

typedef struct world {
    nilas_arena *arena;
    chance c;
    nilas_metadata *metadata;
    const nilas_schema *schema;
    nilas_value rows[MAX_ROWS][COLUMN_COUNT];
    size_t row_count;
} world;

static bool takes(const char *transform, size_t column) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_transform parsed = make_transform(arena, transform);
    const nilas_ice_type *result;

    return nilas_transform_result_type(&parsed, make_type(arena, column_types[column]), &result,
                                       NULL) == NILAS_OK;
}

static void print_spec(world *w, nilas_buf *out) {
    size_t count = chance_below(&w->c, MAX_FIELDS + 1);

    nilas_buf_add_text(out, "\"partition-specs\":[{\"spec-id\":0,\"fields\":[");
    for (size_t i = 0; i < count; i++) {
        size_t column = chance_below(&w->c, COLUMN_COUNT);
        const char *transform = transforms[chance_below(&w->c, TRANSFORM_COUNT)];
        nilas_buf_print(
            out, "%s{\"source-id\":%zu,\"field-id\":%zu,\"name\":\"p%zu\",\"transform\":\"%s\"}",
            i > 0 ? "," : "", column + 1, 1000 + i, i,
            takes(transform, column) ? transform : "identity");
    }
    nilas_buf_add_text(out, "]}],\"default-spec-id\":0}");
}

static void make_table(world *w) {
    NILAS_AUTO_BUF json = NILAS_BUF_INIT(0);
    nilas_error err = NILAS_ERROR_INIT;

    nilas_buf_add_text(&json, "{\"format-version\":3,\"location\":\"/"
                              "t\",\"schemas\":[{\"type\":\"struct\",\"schema-id\":0,\"fields\":[");
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        nilas_buf_print(&json, "%s{\"id\":%zu,\"name\":\"c%zu\",\"required\":false,\"type\":%s}",
                        i > 0 ? "," : "", i + 1, i, column_types[i]);
    }
    nilas_buf_add_text(&json, "]}],\"current-schema-id\":0,");
    print_spec(w, &json);
    CHECK_OK(
        nilas_metadata_parse(w->arena, nilas_buf_view(&json), NILAS_STR("x"), &w->metadata, &err),
        err);
    w->schema = nilas_metadata_current_schema(w->metadata);
}

/* ---- values: few, close together, and the ends of every range -------------------------------- */

static int64_t random_int(chance *c, int64_t unit, int64_t low, int64_t high) {
    switch (chance_below(c, 12)) {
    case 0: return low + (int64_t)chance_below(c, 13);
    case 1: return high - (int64_t)chance_below(c, 13);
    default: return ((int64_t)chance_below(c, 9) - 4) * unit + (int64_t)chance_below(c, 5) - 2;
    }
}

static double random_real(chance *c) {
    static const double special[] = {-0.0, 0.0, (double)NAN, (double)INFINITY, -(double)INFINITY};

    return chance_below(c, 3) == 0 ? special[chance_below(c, 5)]
                                   : (double)((int64_t)chance_below(c, 7) - 3) / 2;
}

static nilas_str random_text(chance *c) {
    static const char *const texts[] = {
        "",  "a",  "ab",     "abc",  "abd",
        "b", "ba", "日本語", "日本", "\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF",
        "z"};

    return nilas_str_of(texts[chance_below(c, 11)]);
}

static nilas_str random_uuid(chance *c) {
    static const char uuids[6][17] = {
        "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01",
        "\x40\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
        "\x81\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
        "\xFD\x00\x00\x00\x00\x00\x00\x00\x85\x00\x00\x00\x00\x00\x00\x00",
        "\xFD\x00\x00\x00\x00\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00",
        "\x40\x00\x00\x00\x00\x00\x00\x01\x85\x00\x00\x00\x00\x00\x00\x00",
    };

    return (nilas_str){.data = uuids[chance_below(c, 6)], .size = 16};
}

static nilas_value random_value(chance *c, const nilas_ice_type *type) {
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: return nilas_value_of_bool(chance_below(c, 2));
    case NILAS_ICE_FLOAT: return nilas_value_of_float((float)random_real(c));
    case NILAS_ICE_DOUBLE: return nilas_value_of_double(random_real(c));
    case NILAS_ICE_DECIMAL:
        return nilas_value_of_decimal(random_int(c, 10, -999999999, 999999999), 2);
    case NILAS_ICE_STRING: return nilas_value_of_str(random_text(c));
    case NILAS_ICE_BINARY: return nilas_value_of_bytes(random_text(c));
    case NILAS_ICE_UUID: return nilas_value_of_bytes(random_uuid(c));
    case NILAS_ICE_INT: return nilas_value_of_int(random_int(c, 10, INT32_MIN, INT32_MAX));
    case NILAS_ICE_LONG: return nilas_value_of_int(random_int(c, 10, INT64_MIN, INT64_MAX));
    case NILAS_ICE_DATE: return nilas_value_of_int(random_int(c, 31, -3000000, 3000000));
    case NILAS_ICE_TIMESTAMP:
        return nilas_value_of_int(
            random_int(c, NILAS_MICROS_PER_DAY / 24, -7000000000000000000, 7000000000000000000));
    default:
        return nilas_value_of_int(
            random_int(c, NILAS_MICROS_PER_DAY * 1000 / 24, INT64_MIN, INT64_MAX));
    }
}

static void make_rows(world *w) {
    w->row_count = 1 + chance_below(&w->c, MAX_ROWS);
    for (size_t i = 0; i < w->row_count; i++) {
        for (size_t column = 0; column < COLUMN_COUNT; column++) {
            w->rows[i][column] = chance_below(&w->c, 6) == 0
                                     ? NILAS_NULL_VALUE
                                     : random_value(&w->c, w->schema->type.fields[column].type);
        }
    }
}

/* ---- the judge: SQL's three values ----------------------------------------------------------- */

typedef enum truth { NO, YES, UNKNOWN } truth;

/** Spark's order: NaN above all and equal to itself, -0.0 equal to 0.0, bytes unsigned. */
static int order(const nilas_value *a, const nilas_value *b) {
    if (a->kind == NILAS_VALUE_FLOAT || a->kind == NILAS_VALUE_DOUBLE) {
        if (isnan(a->real) || isnan(b->real)) {
            return (int)isnan(a->real) - (int)isnan(b->real) == 0 ? 0 : isnan(a->real) ? 1 : -1;
        }
        return a->real < b->real ? -1 : a->real > b->real;
    }
    return nilas_value_compare(a, b);
}

static bool matches_literals(const nilas_predicate *leaf, const nilas_value *value) {
    bool found = false;

    for (size_t i = 0; i < leaf->literal_count; i++) {
        found = found || order(value, &leaf->literals[i]) == 0;
    }
    switch (leaf->kind) {
    case NILAS_PREDICATE_LT: return order(value, leaf->literals) < 0;
    case NILAS_PREDICATE_LT_EQ: return order(value, leaf->literals) <= 0;
    case NILAS_PREDICATE_GT: return order(value, leaf->literals) > 0;
    case NILAS_PREDICATE_GT_EQ: return order(value, leaf->literals) >= 0;
    case NILAS_PREDICATE_EQ:
    case NILAS_PREDICATE_IN: return found;
    case NILAS_PREDICATE_NOT_EQ:
    case NILAS_PREDICATE_NOT_IN: return !found;
    case NILAS_PREDICATE_STARTS_WITH: return nilas_str_starts(value->text, leaf->literals->text);
    default: return !nilas_str_starts(value->text, leaf->literals->text);
    }
}

static truth judge_leaf(world *w, const nilas_predicate *leaf, const nilas_value *row) {
    nilas_value value = row[leaf->field_id - 1];
    nilas_error err = NILAS_ERROR_INIT;

    if (leaf->has_transform) {
        CHECK_OK(nilas_transform_apply(w->arena, &leaf->transform, leaf->type,
                                       &row[leaf->field_id - 1], &value, &err),
                 err);
    }
    bool is_null = nilas_value_is_null(&value);
    bool is_nan = !is_null &&
                  (value.kind == NILAS_VALUE_FLOAT || value.kind == NILAS_VALUE_DOUBLE) &&
                  isnan(value.real);
    switch (leaf->kind) {
    case NILAS_PREDICATE_IS_NULL: return is_null ? YES : NO;
    case NILAS_PREDICATE_NOT_NULL: return is_null ? NO : YES;
    case NILAS_PREDICATE_IS_NAN: return is_nan ? YES : NO;
    case NILAS_PREDICATE_NOT_NAN: return is_nan ? NO : YES;
    default: return is_null ? UNKNOWN : matches_literals(leaf, &value) ? YES : NO;
    }
}

static truth judge(world *w, const nilas_predicate *predicate, const nilas_value *row) {
    truth left;
    truth right;

    switch (predicate->kind) {
    case NILAS_PREDICATE_TRUE: return YES;
    case NILAS_PREDICATE_FALSE: return NO;
    case NILAS_PREDICATE_NOT:
        left = judge(w, predicate->left, row);
        return left == UNKNOWN ? UNKNOWN : left == YES ? NO : YES;
    case NILAS_PREDICATE_AND:
    case NILAS_PREDICATE_OR: break;
    default: return judge_leaf(w, predicate, row);
    }
    truth strong = predicate->kind == NILAS_PREDICATE_AND ? NO : YES;
    left = judge(w, predicate->left, row);
    right = judge(w, predicate->right, row);
    if (left == strong || right == strong) {
        return strong;
    }
    return left == UNKNOWN || right == UNKNOWN ? UNKNOWN : left;
}

/* ---- random predicates ----------------------------------------------------------------------- */

static void *allocate(world *w, size_t size) {
    void *memory = NULL;
    nilas_error err = NILAS_ERROR_INIT;

    nilas_assert(nilas_arena_alloc(w->arena, size, &memory, &err) == NILAS_OK);
    return memory;
}

static nilas_predicate_kind random_kind(chance *c, const nilas_ice_type *type) {
    bool is_text = type->kind == NILAS_ICE_STRING || type->kind == NILAS_ICE_BINARY;
    bool is_real = type->kind == NILAS_ICE_FLOAT || type->kind == NILAS_ICE_DOUBLE;

    for (;;) {
        nilas_predicate_kind kind =
            NILAS_PREDICATE_IS_NULL + (nilas_predicate_kind)chance_below(c, 14);
        if (kind >= NILAS_PREDICATE_STARTS_WITH
                ? is_text
                : is_real || (kind != NILAS_PREDICATE_IS_NAN && kind != NILAS_PREDICATE_NOT_NAN)) {
            return kind;
        }
    }
}

static nilas_predicate *random_leaf(world *w) {
    nilas_predicate *leaf = allocate(w, sizeof(*leaf));
    size_t column = chance_below(&w->c, COLUMN_COUNT);
    const nilas_partition_spec *spec = w->metadata->specs[0];
    const nilas_ice_type *term;

    // Mostly columns that the spec has something to say about.
    if (spec->field_count > 0 && chance_below(&w->c, 4) > 0) {
        column = (size_t)spec->fields[chance_below(&w->c, spec->field_count)].source_id - 1;
    }
    leaf->field_id = (int32_t)column + 1;
    leaf->type = term = w->schema->type.fields[column].type;
    const char *transform = transforms[chance_below(&w->c, TRANSFORM_COUNT - 2)];
    if (chance_below(&w->c, 5) == 0 && takes(transform, column)) {
        leaf->has_transform = true;
        leaf->transform = make_transform(w->arena, transform);
        CHECK(nilas_transform_result_type(&leaf->transform, leaf->type, &term, NULL) == NILAS_OK);
    }
    leaf->kind = random_kind(&w->c, term);
    bool is_list = leaf->kind == NILAS_PREDICATE_IN || leaf->kind == NILAS_PREDICATE_NOT_IN;
    leaf->literal_count = leaf->kind < NILAS_PREDICATE_LT ? 0
                          : is_list                       ? 1 + chance_below(&w->c, 3)
                                                          : 1;
    nilas_value *literals = allocate(w, 3 * sizeof(nilas_value));
    leaf->literals = literals;
    for (size_t i = 0; i < leaf->literal_count; i++) {
        literals[i] = random_value(&w->c, leaf->type);
        if (leaf->has_transform) {
            nilas_value source = literals[i];
            CHECK(nilas_transform_apply(w->arena, &leaf->transform, leaf->type, &source,
                                        &literals[i], NULL) == NILAS_OK);
        }
    }
    return leaf;
}

static nilas_predicate *random_predicate(world *w, int depth) {
    nilas_predicate *made;

    if (depth == 0 || chance_below(&w->c, 3) == 0) {
        return random_leaf(w);
    }
    made = allocate(w, sizeof(*made));
    made->kind = NILAS_PREDICATE_AND + (nilas_predicate_kind)chance_below(&w->c, 3);
    made->left = random_predicate(w, depth - 1);
    made->right = made->kind == NILAS_PREDICATE_NOT ? NULL : random_predicate(w, depth - 1);
    return made;
}

/* ---- metrics of rows ------------------------------------------------------------------------- */

static bool is_nan_value(const nilas_value *value) {
    return (value->kind == NILAS_VALUE_FLOAT || value->kind == NILAS_VALUE_DOUBLE) &&
           isnan(value->real);
}

/** Java's order (for uuids sometimes the old signed one), so that -0.0 is below 0.0. */
static bool is_less(const nilas_value *a, const nilas_value *b, bool signed_uuid) {
    if (signed_uuid) {
        for (size_t half = 0; half < 16; half += 8) {
            int x = (signed char)a->text.data[half];
            int y = (signed char)b->text.data[half];
            if (x != y) {
                return x < y;
            }
            int rest = memcmp(a->text.data + half + 1, b->text.data + half + 1, 7);
            if (rest != 0) {
                return rest < 0;
            }
        }
        return false;
    }
    return nilas_value_compare(a, b) < 0;
}

/** Sometimes a string bound is cut after its first character, as truncation does; upper bounds
 *  then grow. */
static nilas_str bound_bytes(world *w, const nilas_ice_type *type, const nilas_value *value,
                             bool upper) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str bytes = {0};

    CHECK_OK(nilas_ice_value_encode(w->arena, type, value, &bytes, &err), err);
    bool ascii = bytes.size > 1 && (uint8_t)bytes.data[0] < 0x80;
    if (type->kind == NILAS_ICE_STRING && ascii && chance_below(&w->c, 2) == 0) {
        char *cut = allocate(w, 1);
        cut[0] = (char)(bytes.data[0] + (upper ? 1 : 0));
        return (nilas_str){.data = cut, .size = 1};
    }
    return bytes;
}

typedef struct column_facts {
    const nilas_value *lower, *upper;
    int64_t nulls, nans;
} column_facts;

static column_facts gather(world *w, size_t column, bool signed_uuid) {
    column_facts facts = {0};

    for (size_t i = 0; i < w->row_count; i++) {
        const nilas_value *value = &w->rows[i][column];
        facts.nulls += nilas_value_is_null(value);
        facts.nans += is_nan_value(value);
        if (!nilas_value_is_null(value) && !is_nan_value(value)) {
            bool lowest = facts.lower == NULL || is_less(value, facts.lower, signed_uuid);
            bool highest = facts.upper == NULL || is_less(facts.upper, value, signed_uuid);
            facts.lower = lowest ? value : facts.lower;
            facts.upper = highest ? value : facts.upper;
        }
    }
    return facts;
}

/** Each of them is missing now and then. */
static bool is_written(world *w) {
    return chance_below(&w->c, 8) > 0;
}

static void add_metrics(world *w, nilas_data_file *file, size_t column) {
    const nilas_ice_type *type = w->schema->type.fields[column].type;
    bool signed_uuid = type->kind == NILAS_ICE_UUID && chance_below(&w->c, 2) == 0;
    column_facts facts = gather(w, column, signed_uuid);
    int32_t id = (int32_t)column + 1;

    if (is_written(w)) {
        file->value_counts[file->value_count_count++] =
            (nilas_int_count){id, (int64_t)w->row_count};
    }
    if (is_written(w)) {
        file->null_value_counts[file->null_value_count_count++] =
            (nilas_int_count){id, facts.nulls};
    }
    if ((type->kind == NILAS_ICE_FLOAT || type->kind == NILAS_ICE_DOUBLE) && is_written(w)) {
        file->nan_value_counts[file->nan_value_count_count++] = (nilas_int_count){id, facts.nans};
    }
    if (facts.lower != NULL && is_written(w)) {
        file->lower_bounds[file->lower_bound_count++] =
            (nilas_bound){id, bound_bytes(w, type, facts.lower, false)};
    }
    if (facts.upper != NULL && is_written(w)) {
        file->upper_bounds[file->upper_bound_count++] =
            (nilas_bound){id, bound_bytes(w, type, facts.upper, true)};
    }
}

static nilas_data_file make_file(world *w) {
    nilas_data_file file = {
        .record_count = (int64_t)w->row_count,
        .value_counts = allocate(w, COLUMN_COUNT * sizeof(nilas_int_count)),
        .null_value_counts = allocate(w, COLUMN_COUNT * sizeof(nilas_int_count)),
        .nan_value_counts = allocate(w, COLUMN_COUNT * sizeof(nilas_int_count)),
        .lower_bounds = allocate(w, COLUMN_COUNT * sizeof(nilas_bound)),
        .upper_bounds = allocate(w, COLUMN_COUNT * sizeof(nilas_bound)),
    };

    for (size_t column = 0; column < COLUMN_COUNT; column++) {
        add_metrics(w, &file, column);
    }
    return file;
}

static nilas_value partition_of(world *w, const nilas_value *row) {
    const nilas_partition_spec *spec = w->metadata->specs[0];
    nilas_value tuple = {.kind = NILAS_VALUE_STRUCT, .count = spec->field_count};

    tuple.items = allocate(w, (spec->field_count + 1) * sizeof(nilas_value));
    for (size_t i = 0; i < spec->field_count; i++) {
        const nilas_partition_field *field = &spec->fields[i];
        const nilas_ice_type *type = nilas_schema_find_id(w->schema, field->source_id)->type;
        if (field->transform.kind != NILAS_TRANSFORM_UNKNOWN) {
            CHECK(nilas_transform_apply(w->arena, &field->transform, type,
                                        &row[field->source_id - 1], &tuple.items[i],
                                        NULL) == NILAS_OK);
        }
    }
    return tuple;
}

/** Keep the rows of the first one's partition. */
static nilas_value keep_one_partition(world *w) {
    nilas_value first = partition_of(w, w->rows[0]);
    size_t kept = 1;

    for (size_t i = 1; i < w->row_count; i++) {
        nilas_value other = partition_of(w, w->rows[i]);
        if (nilas_value_equal(&first, &other)) {
            memcpy(w->rows[kept++], w->rows[i], sizeof(w->rows[0]));
        }
    }
    w->row_count = kept;
    return first;
}

static nilas_field_summary summarize(world *w, const nilas_ice_type *type,
                                     const nilas_value *tuples, size_t position) {
    nilas_field_summary summary = {.has_contains_nan = chance_below(&w->c, 4) > 0};
    const nilas_value *lower = NULL;
    const nilas_value *upper = NULL;
    nilas_error err = NILAS_ERROR_INIT;

    for (size_t i = 0; i < w->row_count; i++) {
        const nilas_value *value = &tuples[i].items[position];
        summary.contains_null = summary.contains_null || nilas_value_is_null(value);
        summary.contains_nan = summary.contains_nan || is_nan_value(value);
        if (!nilas_value_is_null(value) && !is_nan_value(value)) {
            lower = lower == NULL || is_less(value, lower, false) ? value : lower;
            upper = upper == NULL || is_less(upper, value, false) ? value : upper;
        }
    }
    if (lower != NULL) {
        CHECK_OK(nilas_ice_value_encode(w->arena, type, lower, &summary.lower_bound, &err), err);
        CHECK_OK(nilas_ice_value_encode(w->arena, type, upper, &summary.upper_bound, &err), err);
    }
    return summary;
}

/** A manifest with a file for each row. */
static nilas_manifest_file make_manifest(world *w) {
    const nilas_partition_spec *spec = w->metadata->specs[0];
    nilas_manifest_file manifest = {.has_partitions = true, .partition_count = spec->field_count};
    const nilas_ice_type *type = NULL;
    nilas_value tuples[MAX_ROWS];

    CHECK(nilas_spec_partition_type(w->arena, w->metadata, spec, &type, NULL) == NILAS_OK);
    manifest.partitions = allocate(w, (spec->field_count + 1) * sizeof(nilas_field_summary));
    for (size_t i = 0; i < w->row_count; i++) {
        tuples[i] = partition_of(w, w->rows[i]);
    }
    for (size_t i = 0; i < spec->field_count; i++) {
        manifest.partitions[i] = summarize(w, type->fields[i].type, tuples, i);
    }
    return manifest;
}

/* ---- the laws -------------------------------------------------------------------------------- */

static size_t count_matches(world *w, const nilas_predicate *predicate) {
    size_t count = 0;

    for (size_t i = 0; i < w->row_count; i++) {
        count += judge(w, predicate, w->rows[i]) == YES;
    }
    return count;
}

static void tell(world *w, const nilas_predicate *predicate, const char *what) {
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);

    nilas_predicate_print(&out, predicate, w->schema);
    nilas_buf_add_text(&out, " with spec");
    for (size_t i = 0; i < w->metadata->specs[0]->field_count; i++) {
        const nilas_partition_field *field = &w->metadata->specs[0]->fields[i];
        nilas_buf_print(&out, " %.*s(c%d)", NILAS_FMT(field->transform.text), field->source_id - 1);
    }
    NILAS_TEST_FAIL("%s: %.*s", what, NILAS_FMT(nilas_buf_view(&out)));
}

typedef struct tally {
    size_t manifests, partitions, partitions_all, files, files_all;
} tally;

static void check_laws(world *w, tally *seen) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_evaluator *evaluator = NULL;
    nilas_predicate *predicate = random_predicate(w, 2);

    REQUIRE_OK(nilas_evaluator_new(w->arena, w->metadata, w->schema, w->metadata->specs[0],
                                   predicate, &evaluator, &err),
               err);
    nilas_manifest_file manifest = make_manifest(w);
    if (!nilas_evaluator_manifest(evaluator, &manifest)) {
        seen->manifests++;
        if (count_matches(w, predicate) > 0) {
            tell(w, predicate, "a manifest with matching rows was pruned");
        }
    }

    nilas_value partition = keep_one_partition(w);
    nilas_data_file file = make_file(w);
    file.partition = partition;
    size_t matches = count_matches(w, predicate);
    bool pruned = !nilas_evaluator_partition(evaluator, &partition);
    bool all = nilas_evaluator_partition_all(evaluator, &partition);
    seen->partitions += pruned;
    seen->partitions_all += all;
    if (pruned && matches > 0) {
        tell(w, predicate, "a partition with matching rows was pruned");
    }
    if (all && matches < w->row_count) {
        tell(w, predicate, "a partition was said to match as a whole");
    }
    pruned = !nilas_evaluator_metrics(evaluator, &file);
    all = nilas_evaluator_all(evaluator, &file);
    seen->files += pruned;
    seen->files_all += all;
    if (pruned && matches > 0) {
        tell(w, predicate, "a file with matching rows was pruned");
    }
    if (all && matches < w->row_count) {
        tell(w, predicate, "a file was said to match as a whole");
    }
}

NILAS_TEST(what_is_pruned_holds_no_matching_row) {
    tally seen = {0};
    size_t rounds = 20000;
    chance c = {.state = 20240607};

    for (size_t round = 0; round < rounds && nilas_test_failures == 0; round++) {
        NILAS_AUTO(nilas_arena) arena = make_arena();
        world w = {.arena = arena, .c = {.state = chance_next(&c) | 1}};
        make_table(&w);
        make_rows(&w);
        check_laws(&w, &seen);
    }
    // The laws hold for an evaluator that knows nothing, too: this one has to know something.
    CHECK(seen.manifests > rounds / 20);
    CHECK(seen.partitions > rounds / 10);
    CHECK(seen.partitions_all > rounds / 40);
    CHECK(seen.files > rounds / 10);
    CHECK(seen.files_all > rounds / 10);
}

/* ---- partition summaries --------------------------------------------------------------------- */

/** A table partitioned by identity of long `a` and double `b`; `a` was dropped since. */
static const char dropped_source[] =
    "{\"format-version\":2,\"location\":\"/"
    "t\",\"schemas\":[{\"type\":\"struct\",\"schema-id\":0,\"fields\":["
    "{\"id\":1,\"name\":\"a\",\"required\":false,\"type\":\"long\"},{\"id\":2,\"name\":\"b\","
    "\"required\":false,"
    "\"type\":\"double\"}]},{\"type\":\"struct\",\"schema-id\":1,\"fields\":[{\"id\":2,\"name\":"
    "\"b\","
    "\"required\":false,\"type\":\"double\"}]}],\"current-schema-id\":1,\"partition-specs\":[{"
    "\"spec-id\":0,"
    "\"fields\":[{\"source-id\":1,\"field-id\":1000,\"name\":\"a\",\"transform\":\"identity\"},{"
    "\"source-id\":2,"
    "\"field-id\":1001,\"name\":\"b\",\"transform\":\"identity\"}]}],\"default-spec-id\":0}";

#define FIVE  ((nilas_str){.data = "\0\0\0\0\0\0\x14\x40", .size = 8})
#define SEVEN ((nilas_str){.data = "\0\0\0\0\0\0\x1C\x40", .size = 8})

static bool ask_manifest(nilas_predicate_kind kind, double literal, nilas_field_summary b,
                         size_t count) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_metadata *metadata = make_metadata(arena, dropped_source);
    const nilas_schema *schema = nilas_metadata_current_schema(metadata);
    nilas_value value = nilas_value_of_double(literal);
    nilas_predicate leaf = {.kind = kind,
                            .field_id = 2,
                            .type = schema->type.fields[0].type,
                            .literals = &value,
                            .literal_count = kind < NILAS_PREDICATE_LT ? 0 : 1};
    nilas_field_summary summaries[] = {{.lower_bound = NILAS_STR("\x09\0\0\0\0\0\0\0"),
                                        .upper_bound = NILAS_STR("\x09\0\0\0\0\0\0\0")},
                                       b};
    nilas_manifest_file manifest = {
        .has_partitions = true, .partitions = summaries, .partition_count = count};
    nilas_evaluator *evaluator = NULL;
    nilas_error err = NILAS_ERROR_INIT;

    CHECK_OK(
        nilas_evaluator_new(arena, metadata, schema, metadata->specs[0], &leaf, &evaluator, &err),
        err);
    return nilas_evaluator_manifest(evaluator, &manifest);
}

NILAS_TEST(summaries_keep_their_place_when_a_source_is_dropped) {
    nilas_field_summary b = {.has_contains_nan = true, .lower_bound = FIVE, .upper_bound = SEVEN};

    CHECK(ask_manifest(NILAS_PREDICATE_EQ, 6, b, 2));
    CHECK(!ask_manifest(NILAS_PREDICATE_EQ, 9, b, 2));
    CHECK(!ask_manifest(NILAS_PREDICATE_IS_NULL, 0, b, 2));
    CHECK(!ask_manifest(NILAS_PREDICATE_IS_NAN, 0, b, 2));
    CHECK(ask_manifest(NILAS_PREDICATE_EQ, 9, b, 1)); // of another spec: not trusted
}

NILAS_TEST(a_summary_that_denies_null_and_has_no_bounds_says_nothing) {
    nilas_field_summary nothing = {.contains_null = false};
    nilas_field_summary nulls = {.contains_null = true, .has_contains_nan = true};
    nilas_field_summary nulls_or_nan = {.contains_null = true};

    CHECK(ask_manifest(NILAS_PREDICATE_EQ, 9, nothing, 2));
    CHECK(ask_manifest(NILAS_PREDICATE_IS_NULL, 0, nothing, 2));
    CHECK(ask_manifest(NILAS_PREDICATE_NOT_NULL, 0, nothing, 2));
    CHECK(!ask_manifest(NILAS_PREDICATE_EQ, 9, nulls, 2));
    CHECK(!ask_manifest(NILAS_PREDICATE_NOT_NULL, 0, nulls, 2));
    CHECK(ask_manifest(NILAS_PREDICATE_IS_NULL, 0, nulls, 2));
    CHECK(ask_manifest(NILAS_PREDICATE_NOT_NULL, 0, nulls_or_nan, 2));
    CHECK(ask_manifest(NILAS_PREDICATE_GT, 9, nulls_or_nan, 2));
    CHECK(!ask_manifest(NILAS_PREDICATE_LT, 9, nulls_or_nan, 2));
}
