/*
 * Partition transforms. Values before 1970 and negative numbers round towards minus infinity
 * everywhere; timestamps are taken as the stored number, in UTC, whatever the session's zone.
 */
#include "iceberg/transform.h"

#include "iceberg/value.h"

/* ---- text ------------------------------------------------------------------------------------ */

/** "name[123]" with any case of the name. */
static bool parse_width(nilas_str text, const char *name, int64_t *out) {
    size_t size = strlen(name);

    return nilas_str_starts_nocase(text, nilas_str_of(name)) && text.size > size + 2 &&
           text.data[size] == '[' && text.data[text.size - 1] == ']' &&
           text.data[size + 1] >= '0' && text.data[size + 1] <= '9' &&
           nilas_str_to_int64(nilas_str_slice(text, size + 1, text.size - size - 2), out);
}

nilas_code nilas_transform_parse(nilas_arena *arena, nilas_str text, nilas_transform *out,
                                 nilas_error *err) {
    static const struct {
        const char *name;
        nilas_transform_kind kind;
    } plain[] = {
        {"identity", NILAS_TRANSFORM_IDENTITY}, {"year", NILAS_TRANSFORM_YEAR},
        {"month", NILAS_TRANSFORM_MONTH},       {"day", NILAS_TRANSFORM_DAY},
        {"hour", NILAS_TRANSFORM_HOUR},         {"void", NILAS_TRANSFORM_VOID},
    };
    nilas_transform transform = {.kind = NILAS_TRANSFORM_UNKNOWN};
    int64_t width = 1;

    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        if (nilas_str_is_nocase(text, plain[i].name)) {
            transform.kind = plain[i].kind;
        }
    }
    if (parse_width(text, "bucket", &width)) {
        transform.kind = NILAS_TRANSFORM_BUCKET;
    } else if (parse_width(text, "truncate", &width)) {
        transform.kind = NILAS_TRANSFORM_TRUNCATE;
    }
    NILAS_REQUIRE(width > 0 && width <= INT32_MAX, err, NILAS_CORRUPT,
                  "the width of transform \"%.*s\" must be 1 to 2147483647", NILAS_FMT(text));
    transform.width =
        transform.kind == NILAS_TRANSFORM_BUCKET || transform.kind == NILAS_TRANSFORM_TRUNCATE
            ? (int32_t)width
            : 0;
    NILAS_TRY(nilas_str_copy(arena, text, &transform.text, err));
    *out = transform;
    return NILAS_OK;
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_timestamp(const nilas_ice_type *type) {
    return type->kind >= NILAS_ICE_TIMESTAMP && type->kind <= NILAS_ICE_TIMESTAMPTZ_NS;
}

static bool is_nano(const nilas_ice_type *type) {
    return type->kind == NILAS_ICE_TIMESTAMP_NS || type->kind == NILAS_ICE_TIMESTAMPTZ_NS;
}

static bool takes(nilas_transform_kind kind, const nilas_ice_type *source) {
    switch (kind) {
    case NILAS_TRANSFORM_IDENTITY: return source->kind <= NILAS_ICE_UNKNOWN;
    case NILAS_TRANSFORM_BUCKET:
        return source->kind <= NILAS_ICE_UNKNOWN && source->kind != NILAS_ICE_BOOLEAN &&
               source->kind != NILAS_ICE_FLOAT && source->kind != NILAS_ICE_DOUBLE;
    case NILAS_TRANSFORM_TRUNCATE:
        return source->kind == NILAS_ICE_INT || source->kind == NILAS_ICE_LONG ||
               source->kind == NILAS_ICE_DECIMAL || source->kind == NILAS_ICE_STRING ||
               source->kind == NILAS_ICE_BINARY;
    case NILAS_TRANSFORM_YEAR:
    case NILAS_TRANSFORM_MONTH:
    case NILAS_TRANSFORM_DAY: return source->kind == NILAS_ICE_DATE || is_timestamp(source);
    case NILAS_TRANSFORM_HOUR: return is_timestamp(source);
    case NILAS_TRANSFORM_VOID:
    case NILAS_TRANSFORM_UNKNOWN: return true;
    }
    return false;
}

nilas_code nilas_transform_result_type(const nilas_transform *transform,
                                       const nilas_ice_type *source, const nilas_ice_type **out,
                                       nilas_error *err) {
    if (!takes(transform->kind, source)) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
        nilas_ice_type_print(&text, source);
        return nilas_fail(err, NILAS_INVALID, "Invalid source type %.*s for transform: %.*s",
                          NILAS_FMT(nilas_buf_view(&text)), NILAS_FMT(transform->text));
    }
    switch (transform->kind) {
    case NILAS_TRANSFORM_BUCKET:
    case NILAS_TRANSFORM_YEAR:
    case NILAS_TRANSFORM_MONTH:
    case NILAS_TRANSFORM_HOUR: *out = nilas_ice_primitive(NILAS_ICE_INT); break;
    case NILAS_TRANSFORM_DAY: *out = nilas_ice_primitive(NILAS_ICE_DATE); break;
    case NILAS_TRANSFORM_UNKNOWN: *out = nilas_ice_primitive(NILAS_ICE_STRING); break;
    default: *out = source; break;
    }
    return NILAS_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint32_t hash_long(int64_t v) {
    uint8_t bytes[8];

    for (size_t i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)((uint64_t)v >> (8 * i));
    }
    return nilas_murmur3_32(bytes, sizeof(bytes), 0);
}

static nilas_code bucket(const nilas_transform *transform, const nilas_ice_type *source,
                         const nilas_value *value, nilas_value *out, nilas_error *err) {
    uint8_t bytes[16];
    uint32_t hash;

    switch (value->kind) {
    case NILAS_VALUE_INT:
        // Nanoseconds hash as microseconds, so that both precisions share their buckets.
        hash = hash_long(is_nano(source) ? nilas_floor_div(value->integer, 1000) : value->integer);
        break;
    case NILAS_VALUE_DECIMAL:
        hash = nilas_murmur3_32(bytes, nilas_iceberg__decimal_bytes(value->decimal, bytes), 0);
        break;
    case NILAS_VALUE_STRING:
    case NILAS_VALUE_BINARY: hash = nilas_murmur3_32(value->text.data, value->text.size, 0); break;
    default:
        return nilas_fail(err, NILAS_INVALID, "a value of kind %d has no bucket", (int)value->kind);
    }
    nilas_assert(transform->width > 0); // checked while parsing
    *out = nilas_value_of_int((int64_t)((hash & INT32_MAX) % (uint32_t)transform->width));
    return NILAS_OK;
}

/** The lowest partial bucket wraps around, as it does in Java, whose writers made the partition
 *  values. */
static int64_t truncate_integer(const nilas_ice_type *source, int64_t v, int64_t width) {
    int64_t truncated = (int64_t)((uint64_t)v - (uint64_t)nilas_floor_mod(v, width));

    return source->kind == NILAS_ICE_INT ? (int32_t)(uint32_t)(uint64_t)truncated : truncated;
}

static nilas_str truncate_text(nilas_str text, size_t codepoints) {
    size_t position = 0;

    for (size_t i = 0; i < codepoints && position < text.size; i++) {
        (void)nilas_str_next_codepoint(text, &position);
    }
    return nilas_str_slice(text, 0, position);
}

static nilas_code truncate_value(const nilas_transform *transform, const nilas_ice_type *source,
                                 const nilas_value *value, nilas_value *out, nilas_error *err) {
    nilas_int128 remainder;

    *out = *value;
    switch (value->kind) {
    case NILAS_VALUE_INT:
        out->integer = truncate_integer(source, value->integer, transform->width);
        return NILAS_OK;
    case NILAS_VALUE_DECIMAL:
        remainder = value->decimal % transform->width;
        out->decimal -= remainder < 0 ? remainder + transform->width : remainder;
        return NILAS_OK;
    case NILAS_VALUE_STRING:
        out->text = truncate_text(value->text, (size_t)transform->width);
        return NILAS_OK;
    case NILAS_VALUE_BINARY:
        out->text = nilas_str_slice(value->text, 0, (size_t)transform->width);
        return NILAS_OK;
    default:
        return nilas_fail(err, NILAS_INVALID, "a value of kind %d cannot be truncated",
                          (int)value->kind);
    }
}

static nilas_code date_part(const nilas_transform *transform, const nilas_ice_type *source,
                            const nilas_value *value, nilas_value *out, nilas_error *err) {
    int64_t unit = is_nano(source) ? 1000 : 1;
    int64_t year;
    int32_t month;
    int32_t day;

    NILAS_REQUIRE(value->kind == NILAS_VALUE_INT, err, NILAS_INVALID,
                  "a value of kind %d has no date", (int)value->kind);
    if (transform->kind == NILAS_TRANSFORM_HOUR) {
        int64_t hours = nilas_floor_div(value->integer, NILAS_MICROS_PER_SECOND * 3600 * unit);
        NILAS_REQUIRE(hours >= INT32_MIN && hours <= INT32_MAX, err, NILAS_INVALID,
                      "%lld hours since 1970 are more than an int holds", (long long)hours);
        *out = nilas_value_of_int(hours);
        return NILAS_OK;
    }
    int64_t days = source->kind == NILAS_ICE_DATE
                       ? value->integer
                       : nilas_floor_div(value->integer, NILAS_MICROS_PER_DAY * unit);
    nilas_civil_from_days(days, &year, &month, &day);
    switch (transform->kind) {
    case NILAS_TRANSFORM_YEAR: *out = nilas_value_of_int(year - 1970); break;
    case NILAS_TRANSFORM_MONTH: *out = nilas_value_of_int((year - 1970) * 12 + month - 1); break;
    default: *out = nilas_value_of_int(days); break;
    }
    return NILAS_OK;
}

nilas_code nilas_transform_apply(nilas_arena *arena, const nilas_transform *transform,
                                 const nilas_ice_type *source, const nilas_value *value,
                                 nilas_value *out, nilas_error *err) {
    const nilas_ice_type *result;

    (void)arena; // texts are parts of the input
    NILAS_TRY(nilas_transform_result_type(transform, source, &result, err));
    NILAS_REQUIRE(transform->kind != NILAS_TRANSFORM_UNKNOWN, err, NILAS_UNSUPPORTED,
                  "cannot apply the unknown transform \"%.*s\"", NILAS_FMT(transform->text));
    if (nilas_value_is_null(value) || transform->kind == NILAS_TRANSFORM_VOID) {
        *out = NILAS_NULL_VALUE;
        return NILAS_OK;
    }
    switch (transform->kind) {
    case NILAS_TRANSFORM_BUCKET: return bucket(transform, source, value, out, err);
    case NILAS_TRANSFORM_TRUNCATE: return truncate_value(transform, source, value, out, err);
    case NILAS_TRANSFORM_YEAR:
    case NILAS_TRANSFORM_MONTH:
    case NILAS_TRANSFORM_DAY:
    case NILAS_TRANSFORM_HOUR: return date_part(transform, source, value, out, err);
    default: *out = *value; return NILAS_OK;
    }
}

/* ---- text of values -------------------------------------------------------------------------- */

/** As Java's BigDecimal.toString(): "1.5E-9" where more than six zeros would be in front. */
static void print_decimal(nilas_buf *out, nilas_int128 unscaled, uint32_t scale) {
    uint32_t digits = nilas_decimal_digits(unscaled);

    if (scale < digits + 6) {
        nilas_decimal_print(out, unscaled, scale);
        return;
    }
    nilas_decimal_print(out, unscaled, digits - 1);
    nilas_buf_print(out, "E-%u", scale - digits + 1);
}

static void print_identity(nilas_buf *out, const nilas_ice_type *type, const nilas_value *value) {
    if (value->kind == NILAS_VALUE_DECIMAL) {
        print_decimal(out, value->decimal, value->scale);
        return;
    }
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: nilas_buf_add_text(out, value->boolean ? "true" : "false"); break;
    case NILAS_ICE_FLOAT:
    case NILAS_ICE_DOUBLE: nilas_real_print(out, value->real, type->kind == NILAS_ICE_FLOAT); break;
    case NILAS_ICE_DATE: nilas_iceberg__print_date(out, value->integer); break;
    case NILAS_ICE_TIME: nilas_iceberg__print_time_short(out, value->integer); break;
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ:
        nilas_iceberg__print_timestamp(out, value->integer, NILAS_MICROS_PER_SECOND,
                                       type->kind == NILAS_ICE_TIMESTAMPTZ);
        break;
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS:
        nilas_iceberg__print_timestamp(out, value->integer, NILAS_MICROS_PER_SECOND * 1000,
                                       type->kind == NILAS_ICE_TIMESTAMPTZ_NS);
        break;
    case NILAS_ICE_STRING: nilas_buf_add(out, value->text); break;
    case NILAS_ICE_UUID: nilas_iceberg__print_uuid(out, value->text); break;
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY: nilas_buf_add_base64(out, value->text); break;
    default: nilas_buf_print(out, "%lld", (long long)value->integer); break;
    }
}

/** Java's String.format("%04d", …), which counts the sign among the four. */
static void print_year(nilas_buf *out, int64_t year) {
    nilas_buf_print(out, "%04lld", (long long)year);
}

static void print_day(nilas_buf *out, int64_t days) {
    int64_t year;
    int32_t month;
    int32_t day;

    nilas_civil_from_days(days, &year, &month, &day);
    print_year(out, year);
    nilas_buf_print(out, "-%02d-%02d", month, day);
}

/** The type that prints a value of an unknown transform, of which only the file knows what it
 *  is. */
static const nilas_ice_type *type_of_kind(nilas_value_kind kind) {
    switch (kind) {
    case NILAS_VALUE_BOOL: return nilas_ice_primitive(NILAS_ICE_BOOLEAN);
    case NILAS_VALUE_FLOAT: return nilas_ice_primitive(NILAS_ICE_FLOAT);
    case NILAS_VALUE_DOUBLE: return nilas_ice_primitive(NILAS_ICE_DOUBLE);
    case NILAS_VALUE_STRING: return nilas_ice_primitive(NILAS_ICE_STRING);
    case NILAS_VALUE_BINARY: return nilas_ice_primitive(NILAS_ICE_BINARY);
    default: return nilas_ice_primitive(NILAS_ICE_LONG);
    }
}

void nilas_transform_print_value(nilas_buf *out, const nilas_transform *transform,
                                 const nilas_ice_type *result_type, const nilas_value *value) {
    if (nilas_value_is_null(value)) {
        nilas_buf_add_text(out, "null");
        return;
    }
    if (transform->kind == NILAS_TRANSFORM_UNKNOWN && value->kind != NILAS_VALUE_DECIMAL) {
        result_type = type_of_kind(value->kind);
    }
    if (value->kind != NILAS_VALUE_INT) {
        print_identity(out, result_type, value);
        return;
    }
    switch (transform->kind) {
    case NILAS_TRANSFORM_YEAR: print_year(out, 1970 + value->integer); break;
    case NILAS_TRANSFORM_MONTH:
        print_year(out, 1970 + nilas_floor_div(value->integer, 12));
        nilas_buf_print(out, "-%02d", (int)nilas_floor_mod(value->integer, 12) + 1);
        break;
    case NILAS_TRANSFORM_DAY: print_day(out, value->integer); break;
    case NILAS_TRANSFORM_HOUR:
        print_day(out, nilas_floor_div(value->integer, 24));
        nilas_buf_print(out, "-%02d", (int)nilas_floor_mod(value->integer, 24));
        break;
    default: print_identity(out, result_type, value); break;
    }
}
