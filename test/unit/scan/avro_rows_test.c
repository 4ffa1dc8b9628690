/* Rows of Avro files in the wanted shape: by id, name mapping or name; promoted, defaulted. */
#include "build.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

static const char schema_with_ids[] =
    "{\"type\":\"record\",\"name\":\"row\",\"fields\":["
    "{\"name\":\"old_name\",\"type\":\"int\",\"field-id\":1},"
    "{\"name\":\"p\",\"type\":[\"null\",\"string\"],\"field-id\":2},"
    "{\"name\":\"x\",\"type\":[\"null\",\"float\"],\"field-id\":3},"
    "{\"name\":\"d\",\"type\":{\"type\":\"int\",\"logicalType\":\"date\"},\"field-id\":4},"
    "{\"name\":\"s\",\"field-id\":5,\"type\":[\"null\",{\"type\":\"record\",\"name\":\"r5\","
    "\"fields\":[{\"name\":\"f\",\"type\":\"float\",\"field-id\":6}]}]},"
    "{\"name\":\"l\",\"field-id\":7,\"type\":{\"type\":\"array\",\"element-id\":8,"
    "\"items\":\"float\"}}]}";

/** Write rows (i, "p<i>" or null, i + 0.5, i, {i} or null, [i]) for i below `count`. */
static nilas_str write_rows(made_table *made, const char *schema, int count) {
    nilas_avro_writer *writer = NULL;
    nilas_str bytes = NILAS_STR_EMPTY, path = NILAS_STR_EMPTY;

    MADE_OK(made, nilas_avro_writer_new(made->arena, nilas_str_of(schema), NULL, 0,
                                        NILAS_COMPRESSION_DEFLATE, -1, &writer, &made->err));
    for (int i = 0; i < count && !made->failed; i++) {
        nilas_value row = made_struct(made, 6);
        nilas_value *items = row.items;
        nilas_str p = NILAS_STR_EMPTY;
        MADE_OK(made, nilas_str_print(made->arena, &p, &made->err, "p%d", i));
        items[0] = nilas_value_of_int(i);
        items[1] = i % 3 == 2 ? NILAS_NULL_VALUE : nilas_value_of_str(p);
        items[2] = nilas_value_of_float((float)i + 0.5F);
        items[3] = nilas_value_of_int(i);
        if (i % 2 == 0) {
            items[4] = made_struct(made, 1);
            items[4].items[0] = nilas_value_of_float((float)i);
        }
        items[5] =
            (nilas_value){.kind = NILAS_VALUE_LIST, .items = made_items(made, 1), .count = 1};
        items[5].items[0] = nilas_value_of_float((float)i);
        MADE_OK(made, nilas_avro_write(writer, &row, &made->err));
    }
    MADE_OK(made, nilas_avro_writer_finish(writer, &bytes, &made->err));
    MADE_OK(made, nilas_str_print(made->arena, &path, &made->err, "%s/rows.avro", made->root));
    MADE_OK(made, nilas_io_write(made->io, path, bytes, true, &made->err));
    return path;
}

static nilas_ice_field want(int32_t id, const char *name, nilas_ice_kind kind) {
    return (nilas_ice_field){
        .id = id, .name = nilas_str_of(name), .type = nilas_ice_primitive(kind)};
}

static nilas_rows *open_rows(made_table *made, nilas_str path, const nilas_ice_field *fields,
                             size_t count) {
    nilas_rows *rows = NULL;
    MADE_OK(made,
            nilas_scan_avro_rows(made->arena, made->table, path, fields, count, &rows, &made->err));
    return rows;
}

static const nilas_value *next(made_table *made, nilas_rows *rows) {
    const nilas_value *row = NULL;
    if (!made->failed) {
        MADE_OK(made, rows->next(rows, made->arena, &row, &made->err));
    }
    return row;
}

NILAS_TEST(fields_are_found_by_id_promoted_and_numbered) {
    made_table made;
    nilas_ice_field fields[] = {
        want(3, "x", NILAS_ICE_DOUBLE),     want(NILAS_FIELD_POS, "_pos", NILAS_ICE_LONG),
        want(1, "renamed", NILAS_ICE_LONG), want(4, "d", NILAS_ICE_TIMESTAMP),
        want(2, "p", NILAS_ICE_STRING),
    };

    make_table(&made, 3);
    load_made(&made, "");
    nilas_rows *rows =
        open_rows(&made, write_rows(&made, schema_with_ids, 5), fields, COUNT_OF(fields));
    for (int i = 0; i < 5 && !made.failed; i++) {
        const nilas_value *row = next(&made, rows);
        REQUIRE(row != NULL && row->count == COUNT_OF(fields));
        CHECK_INT(row->items[0].kind, NILAS_VALUE_DOUBLE);
        CHECK_DOUBLE(row->items[0].real, i + 0.5);
        CHECK_INT(row->items[1].integer, i);
        CHECK_INT(row->items[2].integer, i);
        CHECK_INT(row->items[3].integer, i * NILAS_MICROS_PER_DAY);
        CHECK_INT(nilas_value_is_null(&row->items[4]), i % 3 == 2);
    }
    CHECK(next(&made, rows) == NULL);
    CHECK(next(&made, rows) == NULL);
    made_done(&made);
}

NILAS_TEST(absent_fields_are_null_or_their_initial_default) {
    made_table made;
    nilas_value seven = nilas_value_of_int(7), text = nilas_value_of_str(NILAS_STR("new"));
    nilas_ice_field inner[] = {want(6, "f", NILAS_ICE_DOUBLE), want(60, "g", NILAS_ICE_STRING)};
    nilas_ice_type nested = {.kind = NILAS_ICE_STRUCT, .fields = inner, .field_count = 2};
    nilas_ice_field fields[] = {want(40, "added", NILAS_ICE_INT),
                                want(41, "none", NILAS_ICE_INT),
                                {.id = 5, .name = NILAS_STR("s"), .type = &nested}};

    fields[0].initial_default = &seven;
    inner[1].initial_default = &text;
    make_table(&made, 3);
    load_made(&made, "");
    nilas_rows *rows =
        open_rows(&made, write_rows(&made, schema_with_ids, 2), fields, COUNT_OF(fields));
    const nilas_value *row = next(&made, rows);
    REQUIRE(row != NULL);
    CHECK_INT(row->items[0].integer, 7);
    CHECK(nilas_value_is_null(&row->items[1]));
    REQUIRE(row->items[2].kind == NILAS_VALUE_STRUCT);
    CHECK_INT(row->items[2].items[0].kind, NILAS_VALUE_DOUBLE);
    CHECK_STR(row->items[2].items[1].text, "new");
    row = next(&made, rows);
    REQUIRE(row != NULL);
    CHECK(nilas_value_is_null(&row->items[2])); // a null struct stays null
    made_done(&made);
}

NILAS_TEST(elements_of_lists_are_promoted_too) {
    made_table made;
    nilas_ice_field element = want(8, "element", NILAS_ICE_DOUBLE);
    nilas_ice_type list = {.kind = NILAS_ICE_LIST, .fields = &element, .field_count = 1};
    nilas_ice_field fields[] = {{.id = 7, .name = NILAS_STR("l"), .type = &list}};

    make_table(&made, 2);
    load_made(&made, "");
    nilas_rows *rows = open_rows(&made, write_rows(&made, schema_with_ids, 2), fields, 1);
    (void)next(&made, rows);
    const nilas_value *row = next(&made, rows);
    REQUIRE(row != NULL && row->items[0].count == 1);
    CHECK_INT(row->items[0].items[0].kind, NILAS_VALUE_DOUBLE);
    CHECK_DOUBLE(row->items[0].items[0].real, 1.0);
    made_done(&made);
}

/** The schema without its ids. */
static const char *without_ids(made_table *made) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_str out = NILAS_STR_EMPTY;
    for (const char *at = schema_with_ids; *at != '\0';) {
        if (strncmp(at, ",\"field-id\":", 12) == 0 || strncmp(at, ",\"element-id\":", 14) == 0) {
            at += strcspn(at + 1, ",}") + 1;
            continue;
        }
        nilas_buf_add_char(&text, *at++);
    }
    MADE_OK(made, nilas_buf_finish(&text, made->arena, &out, &made->err));
    return out.data;
}

NILAS_TEST(a_file_without_ids_is_read_by_name) {
    made_table made;
    nilas_ice_field fields[] = {want(1, "id", NILAS_ICE_LONG), want(2, "p", NILAS_ICE_STRING)};

    make_table(&made, 2);
    load_made(&made, "");
    nilas_rows *rows = open_rows(&made, write_rows(&made, without_ids(&made), 1), fields, 2);
    const nilas_value *row = next(&made, rows);
    REQUIRE(row != NULL);
    CHECK(nilas_value_is_null(&row->items[0])); // the file calls it old_name
    CHECK_STR(row->items[1].text, "p0");
    made_done(&made);
}

NILAS_TEST(a_name_mapping_gives_names_and_hides_the_rest) {
    made_table made;
    nilas_ice_field fields[] = {want(1, "id", NILAS_ICE_LONG), want(2, "p", NILAS_ICE_STRING)};

    make_table(&made, 2);
    load_made(&made, "\"schema.name-mapping.default\":\"[{\\\"field-id\\\":1,\\\"names\\\":"
                     "[\\\"id\\\",\\\"old_name\\\"]}]\"");
    nilas_rows *rows = open_rows(&made, write_rows(&made, without_ids(&made), 2), fields, 2);
    (void)next(&made, rows);
    const nilas_value *row = next(&made, rows);
    REQUIRE(row != NULL);
    CHECK_INT(row->items[0].integer, 1);
    CHECK(nilas_value_is_null(&row->items[1]));
    made_done(&made);
}

/** Open and expect a refusal. */
static void check_refused(nilas_ice_field field, nilas_code code, const char *part) {
    made_table made;
    nilas_rows *rows = NULL;

    make_table(&made, 2);
    load_made(&made, "");
    nilas_str path = write_rows(&made, schema_with_ids, 1);
    CHECK_FAILS(nilas_scan_avro_rows(made.arena, made.table, path, &field, 1, &rows, &made.err),
                code, made.err, part);
    made_done(&made);
}

NILAS_TEST(what_cannot_be_read_is_refused_by_name) {
    nilas_ice_field required = want(40, "key", NILAS_ICE_LONG);
    required.required = true;
    check_refused(required, NILAS_CORRUPT, "Missing required field: key");
    check_refused(want(2, "p", NILAS_ICE_LONG), NILAS_CORRUPT, "of type long");
}

NILAS_TEST(only_positions_may_be_asked_for) {
    made_table made;
    nilas_ice_field position = want(NILAS_FIELD_POS, "_pos", NILAS_ICE_LONG);

    make_table(&made, 2);
    load_made(&made, "");
    nilas_rows *rows = open_rows(&made, write_rows(&made, schema_with_ids, 3), &position, 1);
    for (int i = 0; i < 3; i++) {
        const nilas_value *row = next(&made, rows);
        REQUIRE(row != NULL);
        CHECK_INT(row->items[0].integer, i);
    }
    CHECK(next(&made, rows) == NULL);
    made_done(&made);
}
