/*
 * Avro schemas of manifests and lists, with field ids, and the same as Iceberg schemas, which the
 * Java library puts beside them into the header ("iceberg.schema").
 */
#include "iceberg/avro_schema_text.h"

static bool has(const nilas_field_text *field, int32_t version) {
    return (field->versions & (1 << version)) != 0;
}

// ---- names --------------------------------------------------------------------------------------

/** Letters of other alphabets may stay; signs and pictures may not. */
static bool is_letter(uint32_t c) {
    if (c < 0x80) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }
    static const struct {
        uint32_t first, last;
    } others[] = {{0x80, 0xBF},     {0xD7, 0xD7},     {0xF7, 0xF7},     {0x2000, 0x2BFF},
                  {0x3000, 0x3004}, {0x3008, 0x3020}, {0xD800, 0xF8FF}, {0xFF00, UINT32_MAX}};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (c >= others[i].first && c <= others[i].last) {
            return false;
        }
    }
    return true;
}

static void print_unit(nilas_buf *out, uint32_t unit) {
    nilas_buf_print(out, "_x%X", unit);
}

bool nilas_ice_avro_name_print(nilas_buf *out, nilas_str name) {
    bool changed = false;

    for (size_t at = 0; at < name.size;) {
        size_t start = at;
        uint32_t c = nilas_str_next_codepoint(name, &at);
        bool digit = c >= '0' && c <= '9';
        if (is_letter(c) || (digit && start > 0)) {
            nilas_buf_add(out, nilas_str_slice(name, start, at - start));
            continue;
        }
        changed = true;
        if (digit) {
            nilas_buf_print(out, "_%c", (char)c);
        } else if (c >= 0x10000) {
            print_unit(out, 0xD800 + ((c - 0x10000) >> 10));
            print_unit(out, 0xDC00 + ((c - 0x10000) & 0x3FF));
        } else {
            print_unit(out, c);
        }
    }
    return changed;
}

// ---- Avro ---------------------------------------------------------------------------------------

static uint32_t decimal_bytes(int32_t precision) {
    nilas_uint128 limit = (nilas_uint128)nilas_power_of_ten((uint32_t)precision);
    uint32_t size = 1;

    while (size < 16 && ((nilas_uint128)1 << (8 * size - 1)) < limit) {
        size++;
    }
    return size;
}

/** Avro names of fixed types are unique in a schema, so they carry the field's id. */
static void print_avro_primitive(nilas_buf *out, const nilas_ice_type *type, int32_t field_id) {
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: nilas_buf_add_text(out, "\"boolean\""); break;
    case NILAS_ICE_INT: nilas_buf_add_text(out, "\"int\""); break;
    case NILAS_ICE_LONG: nilas_buf_add_text(out, "\"long\""); break;
    case NILAS_ICE_FLOAT: nilas_buf_add_text(out, "\"float\""); break;
    case NILAS_ICE_DOUBLE: nilas_buf_add_text(out, "\"double\""); break;
    case NILAS_ICE_DECIMAL:
        nilas_buf_print(out,
                        "{\"type\":\"fixed\",\"name\":\"decimal_%d_%d_%d\",\"size\":%u,"
                        "\"logicalType\":\"decimal\",\"precision\":%d,\"scale\":%d}",
                        type->precision, type->scale, field_id, decimal_bytes(type->precision),
                        type->precision, type->scale);
        break;
    case NILAS_ICE_DATE:
        nilas_buf_add_text(out, "{\"type\":\"int\",\"logicalType\":\"date\"}");
        break;
    case NILAS_ICE_TIME:
        nilas_buf_add_text(out, "{\"type\":\"long\",\"logicalType\":\"time-micros\"}");
        break;
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ:
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS:
        nilas_buf_print(
            out, "{\"type\":\"long\",\"logicalType\":\"timestamp-%s\",\"adjust-to-utc\":%s}",
            type->kind == NILAS_ICE_TIMESTAMP || type->kind == NILAS_ICE_TIMESTAMPTZ ? "micros"
                                                                                     : "nanos",
            type->kind == NILAS_ICE_TIMESTAMPTZ || type->kind == NILAS_ICE_TIMESTAMPTZ_NS
                ? "true"
                : "false");
        break;
    case NILAS_ICE_UUID:
        nilas_buf_print(out,
                        "{\"type\":\"fixed\",\"name\":\"uuid_fixed_%d\",\"size\":16,"
                        "\"logicalType\":\"uuid\"}",
                        field_id);
        break;
    case NILAS_ICE_FIXED:
        nilas_buf_print(out, "{\"type\":\"fixed\",\"name\":\"fixed_%d_%d\",\"size\":%d}",
                        type->length, field_id, type->length);
        break;
    case NILAS_ICE_BINARY: nilas_buf_add_text(out, "\"bytes\""); break;
    default: nilas_buf_add_text(out, "\"string\""); break; // text, and columns that are gone
    }
}

static void print_avro_partition(nilas_buf *out, const nilas_ice_type *partition) {
    nilas_buf_add_text(out, "{\"type\":\"record\",\"name\":\"r102\",\"fields\":[");
    for (size_t i = 0; i < partition->field_count; i++) {
        const nilas_ice_field *field = &partition->fields[i];
        nilas_buf_add_text(out, i > 0 ? ",{\"name\":\"" : "{\"name\":\"");
        bool changed = nilas_ice_avro_name_print(out, field->name);
        nilas_buf_add_text(out, "\",\"type\":[\"null\",");
        print_avro_primitive(out, field->type, field->id);
        nilas_buf_add_text(out, "],\"default\":null");
        if (changed) {
            nilas_buf_add_text(out, ",\"iceberg-field-name\":");
            nilas_json_print_string(out, field->name);
        }
        nilas_buf_print(out, ",\"field-id\":%d}", field->id);
    }
    nilas_buf_add_text(out, "]}");
}

static void print_avro_type(nilas_buf *out, const nilas_field_text *field,
                            const nilas_fields_text *text) {
    int inner = field->inner_id;

    switch (field->shape) {
    case NILAS_SHAPE_INT: nilas_buf_add_text(out, "\"int\""); break;
    case NILAS_SHAPE_LONG: nilas_buf_add_text(out, "\"long\""); break;
    case NILAS_SHAPE_BOOLEAN: nilas_buf_add_text(out, "\"boolean\""); break;
    case NILAS_SHAPE_STRING: nilas_buf_add_text(out, "\"string\""); break;
    case NILAS_SHAPE_BYTES: nilas_buf_add_text(out, "\"bytes\""); break;
    case NILAS_SHAPE_COUNTS:
    case NILAS_SHAPE_BOUNDS:
        nilas_buf_print(out,
                        "{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"k%d_v%d\","
                        "\"fields\":[{\"name\":\"key\",\"type\":\"int\",\"field-id\":%d},"
                        "{\"name\":\"value\",\"type\":\"%s\",\"field-id\":%d}]},"
                        "\"logicalType\":\"map\"}",
                        inner, inner + 1, inner,
                        field->shape == NILAS_SHAPE_COUNTS ? "long" : "bytes", inner + 1);
        break;
    case NILAS_SHAPE_LONG_LIST:
    case NILAS_SHAPE_INT_LIST:
        nilas_buf_print(out, "{\"type\":\"array\",\"items\":\"%s\",\"element-id\":%d}",
                        field->shape == NILAS_SHAPE_LONG_LIST ? "long" : "int", inner);
        break;
    case NILAS_SHAPE_PARTITION: print_avro_partition(out, text->partition); break;
    case NILAS_SHAPE_SUMMARIES:
        nilas_buf_add_text(
            out,
            "{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"r508\",\"fields\":["
            "{\"name\":\"contains_null\",\"type\":\"boolean\","
            "\"doc\":\"True if any file has a null partition value\",\"field-id\":509},"
            "{\"name\":\"contains_nan\",\"type\":[\"null\",\"boolean\"],"
            "\"doc\":\"True if any file has a nan partition value\",\"default\":null,"
            "\"field-id\":518},"
            "{\"name\":\"lower_bound\",\"type\":[\"null\",\"bytes\"],"
            "\"doc\":\"Partition lower bound for all files\",\"default\":null,\"field-id\":510},"
            "{\"name\":\"upper_bound\",\"type\":[\"null\",\"bytes\"],"
            "\"doc\":\"Partition upper bound for all files\",\"default\":null,\"field-id\":511}"
            "]},\"element-id\":508}");
        break;
    }
}

void nilas_iceberg__print_avro_fields(nilas_buf *out, const nilas_fields_text *text) {
    const char *separator = "";

    for (size_t i = 0; i < text->count; i++) {
        const nilas_field_text *field = &text->fields[i];
        if (!has(field, text->version)) {
            continue;
        }
        nilas_buf_print(out, "%s{\"name\":\"%s\",\"type\":%s", separator, field->name,
                        field->required ? "" : "[\"null\",");
        print_avro_type(out, field, text);
        nilas_buf_add_text(out, field->required ? "" : "]");
        if (field->doc != NULL) {
            nilas_buf_print(out, ",\"doc\":\"%s\"", field->doc);
        }
        nilas_buf_print(out, "%s,\"field-id\":%d}", field->required ? "" : ",\"default\":null",
                        field->id);
        separator = ",";
    }
}

// ---- Iceberg ------------------------------------------------------------------------------------

static void print_partition(nilas_buf *out, const nilas_ice_type *partition) {
    nilas_buf_add_text(out, "{\"type\":\"struct\",\"fields\":[");
    for (size_t i = 0; i < partition->field_count; i++) {
        const nilas_ice_field *field = &partition->fields[i];
        nilas_buf_print(out, "%s{\"id\":%d,\"name\":", i > 0 ? "," : "", field->id);
        nilas_json_print_string(out, field->name);
        nilas_buf_add_text(out, ",\"required\":false,\"type\":\"");
        nilas_ice_type_print(out, field->type);
        nilas_buf_add_text(out, "\"}");
    }
    nilas_buf_add_text(out, "]}");
}

static void print_type(nilas_buf *out, const nilas_field_text *field,
                       const nilas_fields_text *text) {
    int inner = field->inner_id;

    switch (field->shape) {
    case NILAS_SHAPE_INT: nilas_buf_add_text(out, "\"int\""); break;
    case NILAS_SHAPE_LONG: nilas_buf_add_text(out, "\"long\""); break;
    case NILAS_SHAPE_BOOLEAN: nilas_buf_add_text(out, "\"boolean\""); break;
    case NILAS_SHAPE_STRING: nilas_buf_add_text(out, "\"string\""); break;
    case NILAS_SHAPE_BYTES: nilas_buf_add_text(out, "\"binary\""); break;
    case NILAS_SHAPE_COUNTS:
    case NILAS_SHAPE_BOUNDS:
        nilas_buf_print(out,
                        "{\"type\":\"map\",\"key-id\":%d,\"key\":\"int\",\"value-id\":%d,"
                        "\"value\":\"%s\",\"value-required\":true}",
                        inner, inner + 1, field->shape == NILAS_SHAPE_COUNTS ? "long" : "binary");
        break;
    case NILAS_SHAPE_LONG_LIST:
    case NILAS_SHAPE_INT_LIST:
        nilas_buf_print(
            out,
            "{\"type\":\"list\",\"element-id\":%d,\"element\":\"%s\",\"element-required\":true}",
            inner, field->shape == NILAS_SHAPE_LONG_LIST ? "long" : "int");
        break;
    case NILAS_SHAPE_PARTITION: print_partition(out, text->partition); break;
    case NILAS_SHAPE_SUMMARIES:
        nilas_buf_add_text(
            out, "{\"type\":\"list\",\"element-id\":508,\"element\":{\"type\":\"struct\","
                 "\"fields\":[{\"id\":509,\"name\":\"contains_null\",\"required\":true,"
                 "\"type\":\"boolean\"},"
                 "{\"id\":518,\"name\":\"contains_nan\",\"required\":false,\"type\":\"boolean\"},"
                 "{\"id\":510,\"name\":\"lower_bound\",\"required\":false,\"type\":\"binary\"},"
                 "{\"id\":511,\"name\":\"upper_bound\",\"required\":false,\"type\":\"binary\"}"
                 "]},\"element-required\":true}");
        break;
    }
}

void nilas_iceberg__print_schema_fields(nilas_buf *out, const nilas_fields_text *text) {
    const char *separator = "";

    for (size_t i = 0; i < text->count; i++) {
        const nilas_field_text *field = &text->fields[i];
        if (!has(field, text->version)) {
            continue;
        }
        nilas_buf_print(out, "%s{\"id\":%d,\"name\":\"%s\",\"required\":%s,\"type\":", separator,
                        field->id, field->name, field->required ? "true" : "false");
        print_type(out, field, text);
        if (field->doc != NULL) {
            nilas_buf_print(out, ",\"doc\":\"%s\"", field->doc);
        }
        nilas_buf_add_text(out, "}");
        separator = ",";
    }
}
