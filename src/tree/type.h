/** Spark's types. Immutable, compared by structure. */
#ifndef NILAS_TREE_TYPE_H
#define NILAS_TREE_TYPE_H

#include "base/base.h"

typedef enum nilas_type_kind {
    NILAS_TYPE_VOID = 0,
    NILAS_TYPE_BOOLEAN,
    NILAS_TYPE_TINYINT,
    NILAS_TYPE_SMALLINT,
    NILAS_TYPE_INT,
    NILAS_TYPE_BIGINT,
    NILAS_TYPE_FLOAT,
    NILAS_TYPE_DOUBLE,
    NILAS_TYPE_DECIMAL, // precision 1..38, scale
    NILAS_TYPE_STRING,  // collation name in `collation`, empty for UTF8_BINARY
    NILAS_TYPE_CHAR,
    NILAS_TYPE_VARCHAR, // length
    NILAS_TYPE_BINARY,
    NILAS_TYPE_DATE,
    NILAS_TYPE_TIME,                // precision
    NILAS_TYPE_TIMESTAMP,           // an instant, shown in the session's time zone
    NILAS_TYPE_TIMESTAMP_NTZ,       // a local time
    NILAS_TYPE_INTERVAL_YEAR_MONTH, // from_unit..to_unit; value: months
    NILAS_TYPE_INTERVAL_DAY_TIME,   // from_unit..to_unit; value: microseconds
    NILAS_TYPE_INTERVAL,            // legacy calendar interval: months, days, microseconds
    NILAS_TYPE_VARIANT,
    NILAS_TYPE_ARRAY,  // fields[0] = element
    NILAS_TYPE_MAP,    // fields[0] = key, fields[1] = value
    NILAS_TYPE_STRUCT, // fields
} nilas_type_kind;

typedef enum nilas_interval_unit {
    NILAS_UNIT_YEAR,
    NILAS_UNIT_MONTH,
    NILAS_UNIT_DAY,
    NILAS_UNIT_HOUR,
    NILAS_UNIT_MINUTE,
    NILAS_UNIT_SECOND,
    NILAS_UNIT_QUARTER,
    NILAS_UNIT_WEEK,
    NILAS_UNIT_MILLISECOND,
    NILAS_UNIT_MICROSECOND,
} nilas_interval_unit;

typedef struct nilas_type nilas_type;
typedef struct nilas_type_field {
    nilas_str name; // of a struct's member
    const nilas_type *type;
    // containsNull of an array's element, valueContainsNull of a map's value
    bool nullable;
    bool has_comment;
    bool auto_named; // a column of a result that its expression named: nobody else did
    nilas_str comment;
} nilas_type_field;

struct nilas_type {
    nilas_type_kind kind;
    int32_t precision, scale; // decimal; precision of time
    int32_t length;           // char, varchar
    nilas_interval_unit from_unit, to_unit;
    nilas_str collation;
    nilas_type_field *fields;
    size_t field_count;
};

/** "year", "month", … in lower case (static). */
const char *nilas_interval_unit_name(nilas_interval_unit unit);

/** Static types without parameters (decimal: (10,0); intervals: year to month, day to second). */
const nilas_type *nilas_type_of(nilas_type_kind kind);
nilas_code nilas_type_decimal(nilas_arena *arena, int32_t precision, int32_t scale,
                              const nilas_type **out, nilas_error *err);
nilas_code nilas_type_array(nilas_arena *arena, const nilas_type *element, bool contains_null,
                            const nilas_type **out, nilas_error *err);
nilas_code nilas_type_map(nilas_arena *arena, const nilas_type *key, const nilas_type *value,
                          bool value_contains_null, const nilas_type **out, nilas_error *err);
/** Copies the fields. */
nilas_code nilas_type_struct(nilas_arena *arena, const nilas_type_field *fields, size_t count,
                             const nilas_type **out, nilas_error *err);

/** Structural equality; nullability and comments do not count, names of struct fields do (exact
 *  case). */
bool nilas_type_equal(const nilas_type *a, const nilas_type *b);
static inline bool nilas_type_is(const nilas_type *type, nilas_type_kind kind) {
    return type->kind == kind;
}
static inline bool nilas_type_is_integral(const nilas_type *t) {
    return t->kind >= NILAS_TYPE_TINYINT && t->kind <= NILAS_TYPE_BIGINT;
}
static inline bool nilas_type_is_numeric(const nilas_type *t) {
    return t->kind >= NILAS_TYPE_TINYINT && t->kind <= NILAS_TYPE_DECIMAL;
}
static inline bool nilas_type_is_string(const nilas_type *t) {
    return t->kind >= NILAS_TYPE_STRING && t->kind <= NILAS_TYPE_VARCHAR;
}
/** Spark's simpleString: "struct<id:bigint,ts:timestamp>", "decimal(10,2)", "interval day to
 *  second". Not truncated. */
void nilas_type_print(nilas_buf *out, const nilas_type *type);
/** Spark's SQL form in messages and SHOW CREATE TABLE: "STRUCT<a: INT NOT NULL, b: STRING>",
 *  "DECIMAL(10,2)". */
void nilas_type_print_sql(nilas_buf *out, const nilas_type *type);
/** What printSchema() shows of a struct: "root" and a line a field, `level` levels deep; 0: all. */
void nilas_type_print_tree(nilas_buf *out, const nilas_type *type, int level);

#endif
