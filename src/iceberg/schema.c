/* Schemas: JSON in and out, and fields by id and by name. */
#include "iceberg/parse.h"

#include <stdlib.h>

typedef NILAS_ARRAY_OF(int32_t) id_list;

static nilas_code collect_ids(nilas_arena *scratch, const nilas_ice_type *type, id_list *ids,
                              nilas_error *err) {
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_PUSH(scratch, ids, type->fields[i].id, err);
        NILAS_TRY(collect_ids(scratch, type->fields[i].type, ids, err)); // parsing bounds the depth
    }
    return NILAS_OK;
}

static int by_value(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;

    return x < y ? -1 : x > y ? 1 : 0;
}

/** Columns are told apart by their ids alone: two of one id would read each other's values. */
static nilas_code check_ids(const nilas_schema *schema, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    id_list ids = {0};

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(collect_ids(scratch, &schema->type, &ids, err));
    if (ids.count > 1) {
        qsort(ids.items, ids.count, sizeof(ids.items[0]), by_value);
    }
    for (size_t i = 1; i < ids.count; i++) {
        NILAS_REQUIRE(ids.items[i] != ids.items[i - 1], err, NILAS_CORRUPT,
                      "schema %d has two fields of id %d", schema->schema_id, ids.items[i]);
    }
    return NILAS_OK;
}

nilas_code nilas_schema_parse(nilas_arena *arena, const nilas_json *json, nilas_schema **out,
                              nilas_error *err) {
    nilas_schema *schema;

    NILAS_NEW(arena, &schema, err);
    NILAS_TRY(nilas_iceberg__find_int32(json, "schema-id", &schema->schema_id, err));
    NILAS_TRY(nilas_iceberg__find_int32_list(arena, json, "identifier-field-ids",
                                             &schema->identifier_field_ids,
                                             &schema->identifier_field_count, err));
    NILAS_TRY(nilas_iceberg__parse_struct(arena, json, &schema->type, err));
    NILAS_TRY(check_ids(schema, err));
    *out = schema;
    return NILAS_OK;
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_type(nilas_buf *out, const nilas_ice_type *type);

static void print_default(nilas_buf *out, const char *name, const nilas_ice_type *type,
                          const nilas_value *value) {
    if (value != NULL) {
        nilas_buf_print(out, ",\"%s\":", name);
        nilas_ice_value_print(out, type, value);
    }
}

static void print_fields(nilas_buf *out, const nilas_ice_type *type) {
    nilas_buf_add_text(out, "\"fields\":[");
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        nilas_buf_print(out, "%s{\"id\":%d,\"name\":", i > 0 ? "," : "", field->id);
        nilas_json_print_string(out, field->name);
        nilas_buf_print(out, ",\"required\":%s,\"type\":", field->required ? "true" : "false");
        print_type(out, field->type);
        if (field->has_doc) {
            nilas_buf_add_text(out, ",\"doc\":");
            nilas_json_print_string(out, field->doc);
        }
        print_default(out, "initial-default", field->type, field->initial_default);
        print_default(out, "write-default", field->type, field->write_default);
        nilas_buf_add_text(out, "}");
    }
    nilas_buf_add_text(out, "]");
}

static void print_type(nilas_buf *out, const nilas_ice_type *type) {
    switch (type->kind) {
    case NILAS_ICE_STRUCT:
        nilas_buf_add_text(out, "{\"type\":\"struct\",");
        print_fields(out, type);
        nilas_buf_add_text(out, "}");
        break;
    case NILAS_ICE_LIST:
        nilas_buf_print(out,
                        "{\"type\":\"list\",\"element-id\":%d,\"element\":", type->fields[0].id);
        print_type(out, type->fields[0].type);
        nilas_buf_print(out, ",\"element-required\":%s}",
                        type->fields[0].required ? "true" : "false");
        break;
    case NILAS_ICE_MAP:
        nilas_buf_print(out, "{\"type\":\"map\",\"key-id\":%d,\"key\":", type->fields[0].id);
        print_type(out, type->fields[0].type);
        nilas_buf_print(out, ",\"value-id\":%d,\"value\":", type->fields[1].id);
        print_type(out, type->fields[1].type);
        nilas_buf_print(out, ",\"value-required\":%s}",
                        type->fields[1].required ? "true" : "false");
        break;
    default:
        nilas_buf_add_text(out, "\"");
        nilas_ice_type_print(out, type);
        nilas_buf_add_text(out, "\"");
        break;
    }
}

void nilas_schema_print(nilas_buf *out, const nilas_schema *schema) {
    nilas_buf_print(out, "{\"type\":\"struct\",\"schema-id\":%d,", schema->schema_id);
    if (schema->identifier_field_count > 0) {
        nilas_buf_add_text(out, "\"identifier-field-ids\":[");
        for (size_t i = 0; i < schema->identifier_field_count; i++) {
            nilas_buf_print(out, "%s%d", i > 0 ? "," : "", schema->identifier_field_ids[i]);
        }
        nilas_buf_add_text(out, "],");
    }
    print_fields(out, &schema->type);
    nilas_buf_add_text(out, "}");
}

/* ---- looking up ------------------------------------------------------------------------------ */

static const nilas_ice_field *find_id(const nilas_ice_type *type, int32_t field_id) {
    for (size_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].id == field_id) {
            return &type->fields[i];
        }
        const nilas_ice_field *found = find_id(type->fields[i].type, field_id);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

const nilas_ice_field *nilas_schema_find_id(const nilas_schema *schema, int32_t field_id) {
    return find_id(&schema->type, field_id);
}

static bool name_equal(nilas_str a, nilas_str b, bool exact) {
    return exact ? nilas_str_equal(a, b) : nilas_str_equal_nocase(a, b);
}

/** Names may hold dots themselves, so every field that is a prefix up to a dot is tried.
 *  `short_names` lets the structs of lists and maps be entered without naming "element" or
 *  "value", as Iceberg's short names do. */
static const nilas_ice_field *find_name(const nilas_ice_type *type, nilas_str dotted, bool exact,
                                        bool short_names) {
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        size_t size = field->name.size;
        if (name_equal(field->name, dotted, exact)) {
            return field;
        }
        // Case folding may change the size in bytes for a few letters; such names are found
        // undotted only.
        if (dotted.size > size + 1 && dotted.data[size] == '.' &&
            name_equal(field->name, nilas_str_slice(dotted, 0, size), exact)) {
            const nilas_ice_field *found = find_name(
                field->type, nilas_str_slice(dotted, size + 1, SIZE_MAX), exact, short_names);
            if (found != NULL) {
                return found;
            }
        }
    }
    if (short_names && (type->kind == NILAS_ICE_LIST || type->kind == NILAS_ICE_MAP)) {
        const nilas_ice_type *inner = type->fields[type->field_count - 1].type;
        return inner->kind == NILAS_ICE_STRUCT ? find_name(inner, dotted, exact, short_names)
                                               : NULL;
    }
    return NULL;
}

const nilas_ice_field *nilas_schema_find_name(const nilas_schema *schema, nilas_str dotted) {
    const nilas_ice_field *found = NULL;

    for (int attempt = 0; found == NULL && attempt < 4; attempt++) {
        found = find_name(&schema->type, dotted, attempt < 2, attempt % 2 == 1);
    }
    return found;
}

/** Writes the dotted name, which begins at `start`, behind what `out` holds; leaves `out` as it
 *  was when the id is not below. */
static bool print_name_of(nilas_buf *out, const nilas_ice_type *type, int32_t field_id,
                          size_t start) {
    size_t before = out->size;

    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        if (before > start) {
            nilas_buf_add_text(out, ".");
        }
        nilas_buf_add(out, field->name);
        if (field->id == field_id || print_name_of(out, field->type, field_id, start)) {
            return true;
        }
        nilas_buf_truncate(out, before);
    }
    return false;
}

bool nilas_iceberg__print_name(nilas_buf *out, const nilas_schema *schema, int32_t field_id) {
    return print_name_of(out, &schema->type, field_id, out->size);
}

nilas_code nilas_schema_name_of(nilas_arena *arena, const nilas_schema *schema, int32_t field_id,
                                nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(0);

    NILAS_REQUIRE(nilas_iceberg__print_name(&name, schema, field_id), err, NILAS_NOT_FOUND,
                  "schema %d has no field with id %d", schema->schema_id, field_id);
    return nilas_buf_finish(&name, arena, out, err);
}

static int32_t highest_id(const nilas_ice_type *type, int32_t highest) {
    for (size_t i = 0; i < type->field_count; i++) {
        highest = type->fields[i].id > highest ? type->fields[i].id : highest;
        highest = highest_id(type->fields[i].type, highest);
    }
    return highest;
}

int32_t nilas_schema_highest_id(const nilas_schema *schema) {
    return highest_id(&schema->type, 0);
}
