/** Iceberg types, fields and schemas; immutable once built, shared between threads. */
#ifndef NILAS_ICEBERG_TYPE_H
#define NILAS_ICEBERG_TYPE_H

#include "base/base.h"
#include "codec/codec.h"

typedef enum nilas_ice_kind {
    NILAS_ICE_BOOLEAN,
    NILAS_ICE_INT,
    NILAS_ICE_LONG,
    NILAS_ICE_FLOAT,
    NILAS_ICE_DOUBLE,
    NILAS_ICE_DECIMAL, // precision, scale
    NILAS_ICE_DATE,
    NILAS_ICE_TIME,
    NILAS_ICE_TIMESTAMP,   // without zone: Spark's timestamp_ntz
    NILAS_ICE_TIMESTAMPTZ, // an instant: Spark's timestamp
    NILAS_ICE_TIMESTAMP_NS,
    NILAS_ICE_TIMESTAMPTZ_NS,
    NILAS_ICE_STRING,
    NILAS_ICE_UUID,
    NILAS_ICE_FIXED /* length */,
    NILAS_ICE_BINARY,
    NILAS_ICE_UNKNOWN,
    NILAS_ICE_VARIANT,
    NILAS_ICE_GEOMETRY,
    NILAS_ICE_GEOGRAPHY,
    NILAS_ICE_STRUCT, // fields
    NILAS_ICE_LIST,   // fields[0] = element
    NILAS_ICE_MAP,    // fields[0] = key, fields[1] = value
} nilas_ice_kind;

typedef struct nilas_ice_type nilas_ice_type;
typedef struct nilas_ice_field nilas_ice_field;

struct nilas_ice_type {
    nilas_ice_kind kind;
    int32_t precision, scale; // decimal
    int32_t length;           // fixed
    nilas_str parameters;     // geometry, geography: text within the parentheses
    nilas_ice_field *fields;
    size_t field_count;
};

struct nilas_ice_field {
    int32_t id;
    bool required;
    nilas_str name; // "element", "key", "value" in lists and maps
    const nilas_ice_type *type;
    nilas_str doc; // empty when none
    bool has_doc;
    const nilas_value *initial_default; // or NULL
    const nilas_value *write_default;   // or NULL
};

typedef struct nilas_schema {
    int32_t schema_id;
    nilas_ice_type type; // a struct
    int32_t *identifier_field_ids;
    size_t identifier_field_count;
} nilas_schema;

/**
 * Parse a type: a JSON string ("decimal(9, 2)") or object.
 *
 * Names, docs and defaults borrow from `json`; the rest lives in `arena`.
 *
 * @return NILAS_CORRUPT      a member is missing or has a wrong type
 *         NILAS_UNSUPPORTED  "Cannot parse type string to primitive: …"
 *         NILAS_LIMIT        deeper than NILAS_LIMIT_TYPE_DEPTH
 *
 * Spec: iceberg#schemas (Appendix C).
 */
nilas_code nilas_ice_type_parse(nilas_arena *arena, const nilas_json *json,
                                const nilas_ice_type **out, nilas_error *err);
nilas_code nilas_schema_parse(nilas_arena *arena, const nilas_json *json, nilas_schema **out,
                              nilas_error *err);
/** Specification's JSON. */
void nilas_schema_print(nilas_buf *out, const nilas_schema *schema);
/** Specification's text of a type, "struct<1: a: optional int>" style is not meant: primitives
 *  "decimal(9, 2)", and "struct<…>" forms of the Java library's Type.toString() for messages. */
void nilas_ice_type_print(nilas_buf *out, const nilas_ice_type *type);
/** A field's name as Avro takes it, in Iceberg's spelling: letters and digits stay, "a b" becomes
 *  "a_x20b". Whether it differs from the name, which then goes into "iceberg-field-name". */
bool nilas_ice_avro_name_print(nilas_buf *out, nilas_str name);
/** Same kinds, ids, names, nullability and parameters; docs and defaults do not count. */
bool nilas_ice_type_equal(const nilas_ice_type *a, const nilas_ice_type *b);
/** Whether a column of primitive type `from` may become `to`: int to long, float to double, wider
 *  decimals, and equal types. */
bool nilas_ice_can_promote(const nilas_ice_type *from, const nilas_ice_type *to);
/** The shared object of a primitive type, in static storage; not for decimal, fixed and nested
 *  kinds. */
const nilas_ice_type *nilas_ice_primitive(nilas_ice_kind kind);
static inline bool nilas_ice_is_nested(const nilas_ice_type *type) {
    return type->kind >= NILAS_ICE_STRUCT;
}

/** Field with this id at any depth; NULL when absent. Cost: linear in the schema. */
const nilas_ice_field *nilas_schema_find_id(const nilas_schema *schema, int32_t field_id);
/** Field by dotted path ("point.x", "list.element", and "list.x" for a list of structs); exact
 *  case first, then without case; NULL when absent. Names that hold dots themselves are found. */
const nilas_ice_field *nilas_schema_find_name(const nilas_schema *schema, nilas_str dotted);
/** Dotted name of a field id, in the arena; NILAS_NOT_FOUND. */
nilas_code nilas_schema_name_of(nilas_arena *arena, const nilas_schema *schema, int32_t field_id,
                                nilas_str *out, nilas_error *err);
int32_t nilas_schema_highest_id(const nilas_schema *schema);

/** Single-value binary encoding (Appendix D) <-> value of a primitive type. Decode fails with
 *  NILAS_CORRUPT on a wrong size; it accepts the encodings that a column had before promotion (4
 *  bytes for long, double and, of a date, timestamps) and 8 bytes for int and date when the value
 *  fits. Text is copied into the arena. Encode refuses NaN (NILAS_INVALID). */
nilas_code nilas_ice_value_decode(nilas_arena *arena, const nilas_ice_type *type, nilas_str bytes,
                                  nilas_value *out, nilas_error *err);
nilas_code nilas_ice_value_encode(nilas_arena *arena, const nilas_ice_type *type,
                                  const nilas_value *value, nilas_str *out, nilas_error *err);
/** JSON single-value serialization (Appendix D) -> value. */
nilas_code nilas_ice_value_parse(nilas_arena *arena, const nilas_ice_type *type,
                                 const nilas_json *json, nilas_value *out, nilas_error *err);
void nilas_ice_value_print(nilas_buf *out, const nilas_ice_type *type, const nilas_value *value);

#endif
