/*
 * Partition columns of files in key=value folders: names, types over all values, and each file's
 * value, found in SQL by the file's place in the list.
 */
#include "engine/cast.h"
#include "engine/engine.h"
#include "engine/files_sql.h"
#include "io/io.h"

#define DECIMAL_DIGITS 38

/* ---- types of values ---- */

static bool looks_like(nilas_str text, const char *pattern) {
    size_t i = 0;
    for (; i < text.size && pattern[i] != '\0'; i++) {
        bool is_digit = text.data[i] >= '0' && text.data[i] <= '9';
        if (pattern[i] == '0' ? !is_digit : text.data[i] != pattern[i]) {
            return false;
        }
    }
    return i == text.size && pattern[i] == '\0';
}

typedef struct mantissa {
    int64_t digits, fraction; // without leading zeros; after the point
    size_t end;               // in the text; 0: it begins with no number
} mantissa;

static bool has_sign(nilas_str text) {
    return text.size > 0 && (text.data[0] == '-' || text.data[0] == '+');
}

static mantissa read_mantissa(nilas_str text) {
    mantissa out = {0};
    bool any = false, after_point = false;
    size_t i = has_sign(text) ? 1 : 0;
    for (; i < text.size; i++) {
        char c = text.data[i];
        if (c == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (c < '0' || c > '9') {
            break;
        }
        any = true;
        out.digits += out.digits > 0 || c != '0' ? 1 : 0;
        out.fraction += after_point ? 1 : 0;
    }
    out.end = any ? i : 0;
    return out;
}

/** Digits needed for a number without fraction ("12", "1e3"), as Java's BigDecimal counts; 0: the
 * text is none. */
static int64_t whole_digits(nilas_str text) {
    int64_t exponent = 0;
    mantissa number = read_mantissa(text);
    if (number.end == 0) {
        return 0;
    }
    if (number.end < text.size) {
        char mark = text.data[number.end];
        nilas_str rest = nilas_str_slice(text, number.end + 1, text.size);
        if ((mark != 'e' && mark != 'E') || !nilas_str_to_int64(rest, &exponent)) {
            return 0;
        }
    }
    if (exponent < number.fraction || exponent - number.fraction > DECIMAL_DIGITS) {
        return 0;
    }
    return (number.digits > 0 ? number.digits : 1) + exponent - number.fraction;
}

/** Java takes "1d" and "1f" for numbers. */
static nilas_str without_suffix(nilas_str text) {
    char last = text.size > 1 ? text.data[text.size - 1] : '\0';
    char before = text.size > 1 ? text.data[text.size - 2] : '\0';
    bool has_suffix = last != '\0' && strchr("dDfF", last) != NULL &&
                      (before == '.' || (before >= '0' && before <= '9'));
    return nilas_str_slice(text, 0, text.size - (has_suffix ? 1 : 0));
}

static bool is_double(nilas_str text) {
    double number;
    text = without_suffix(text);
    for (size_t i = 0; i < text.size; i++) {
        if (memchr("0123456789+-.eE", text.data[i], 15) == NULL) {
            return nilas_str_is(text, "NaN") || nilas_str_is(text, "Infinity") ||
                   nilas_str_is(text, "-Infinity");
        }
    }
    return nilas_str_to_double(text, &number);
}

static bool is_timestamp(nilas_str text) {
    int64_t micros;
    bool has_zone;
    nilas_str rest = nilas_str_slice(text, 19, text.size);
    if (!looks_like(nilas_str_slice(text, 0, 19), "0000-00-00 00:00:00") ||
        (rest.size > 0 && (rest.data[0] != '.' || rest.size < 2 || rest.size > 10))) {
        return false;
    }
    for (size_t i = 1; i < rest.size; i++) {
        if (rest.data[i] < '0' || rest.data[i] > '9') {
            return false;
        }
    }
    return nilas_timestamp_parse(text, nilas_zone_find(NILAS_STR("UTC")), &micros, &has_zone);
}

static nilas_code type_of_value(nilas_arena *arena, nilas_str text, const nilas_type **out,
                                nilas_error *err) {
    int64_t number, days;
    int64_t digits = whole_digits(text);
    nilas_type_kind kind = NILAS_TYPE_STRING;
    if (nilas_str_to_int64(text, &number)) {
        kind = number >= INT32_MIN && number <= INT32_MAX ? NILAS_TYPE_INT : NILAS_TYPE_BIGINT;
    } else if (digits > 0 && digits <= DECIMAL_DIGITS) {
        return nilas_type_decimal(arena, (int32_t)digits, 0, out, err);
    } else if (is_double(text)) {
        kind = NILAS_TYPE_DOUBLE;
    } else if (is_timestamp(text)) {
        kind = NILAS_TYPE_TIMESTAMP;
    } else if (looks_like(text, "0000-00-00") && nilas_date_parse(text, &days)) {
        kind = NILAS_TYPE_DATE;
    }
    *out = nilas_type_of(kind);
    return NILAS_OK;
}

static int32_t decimal_digits(const nilas_type *type) {
    return type->kind == NILAS_TYPE_DECIMAL  ? type->precision
           : type->kind == NILAS_TYPE_BIGINT ? 20
           : type->kind == NILAS_TYPE_INT    ? 10
                                             : 0;
}

static bool holds(const nilas_type *wide, const nilas_type *narrow) {
    return wide->kind == narrow->kind ||
           (wide->kind == NILAS_TYPE_DOUBLE && narrow->kind == NILAS_TYPE_INT) ||
           (wide->kind == NILAS_TYPE_TIMESTAMP && narrow->kind == NILAS_TYPE_DATE);
}

/** The type that holds both; text when nothing else does. */
static nilas_code wider_type(nilas_arena *arena, const nilas_type *a, const nilas_type *b,
                             const nilas_type **out, nilas_error *err) {
    int32_t left = decimal_digits(a), right = decimal_digits(b);
    if (left > 0 && right > 0) {
        *out = left > right ? a : b;
        return a->kind == NILAS_TYPE_DECIMAL || b->kind == NILAS_TYPE_DECIMAL
                   ? nilas_type_decimal(arena, left > right ? left : right, 0, out, err)
                   : NILAS_OK;
    }
    *out = holds(a, b) ? a : holds(b, a) ? b : nilas_type_of(NILAS_TYPE_STRING);
    return NILAS_OK;
}

nilas_code nilas_engine_folder_type(nilas_arena *arena, const nilas_str *values, size_t count,
                                    const nilas_type **out, nilas_error *err) {
    const nilas_type *type = NULL;
    nilas_str previous = {.data = NULL};
    for (size_t i = 0; i < count; i++) {
        const nilas_type *own;
        if (values[i].data == NULL ||
            (previous.data != NULL && nilas_str_equal(values[i], previous))) {
            continue;
        }
        NILAS_TRY(type_of_value(arena, values[i], &own, err));
        if (type == NULL) {
            type = own;
        } else {
            NILAS_TRY(wider_type(arena, type, own, &type, err));
        }
        previous = values[i];
    }
    *out = type != NULL ? type : nilas_type_of(NILAS_TYPE_STRING);
    return NILAS_OK;
}

/* ---- keys of files ---- */

typedef struct file_keys {
    nilas_str names[NILAS_LIMIT_TYPE_DEPTH], values[NILAS_LIMIT_TYPE_DEPTH]; // innermost first
    size_t count;
    size_t base_size; // of the file's path, up to the first key
} file_keys;

/** From the file's folder upwards; the first other folder above a key ends it. */
static nilas_code read_keys(nilas_arena *arena, nilas_str path, nilas_str base, file_keys *out,
                            nilas_error *err) {
    size_t end = path.size;
    out->count = 0;
    while (end > base.size && path.data[end - 1] != '/') {
        end--;
    }
    out->base_size = base.size;
    while (end > base.size + 1) {
        size_t stop = end - 1, start = stop;
        bool is_key;
        while (start > base.size && path.data[start - 1] != '/') {
            start--;
        }
        NILAS_REQUIRE(out->count < NILAS_LIMIT_TYPE_DEPTH, err, NILAS_LIMIT,
                      "folders nest too deeply: \"%.*s\"", NILAS_FMT(path));
        NILAS_TRY(nilas_folder_key_read(arena, nilas_str_slice(path, start, stop - start), &is_key,
                                        &out->names[out->count], &out->values[out->count], err));
        if (!is_key && out->count > 0) {
            out->base_size = stop;
            break;
        }
        NILAS_REQUIRE(!is_key || out->values[out->count].data == NULL ||
                          out->values[out->count].size > 0,
                      err, NILAS_INVALID, "Empty partition column value in \"%.*s\"",
                      NILAS_FMT(nilas_str_slice(path, start, stop - start)));
        out->count += is_key ? 1 : 0;
        end = start;
    }
    return NILAS_OK;
}

static nilas_code check_keys(const nilas_file_source *source, const file_keys *keys, nilas_str path,
                             nilas_error *err) {
    bool same = keys->count == source->key_count;
    for (size_t i = 0; i < keys->count && same; i++) {
        same = nilas_str_equal(source->keys[i].name, keys->names[keys->count - 1 - i]);
        for (size_t k = 0; k < i; k++) {
            NILAS_REQUIRE(!nilas_str_equal_nocase(source->keys[i].name, source->keys[k].name), err,
                          NILAS_INVALID, "Found duplicate partition column \"%.*s\" in \"%.*s\"",
                          NILAS_FMT(source->keys[i].name), NILAS_FMT(path));
        }
    }
    if (!same) {
        return nilas_fail_at(err, NILAS_INVALID, "CONFLICTING_PARTITION_COLUMN_NAMES", -1,
                             "Conflicting partition column names detected at \"%.*s\". Directories "
                             "at the same level should have the same partition column name.",
                             NILAS_FMT(path));
    }
    return NILAS_OK;
}

static nilas_code make_keys(nilas_arena *arena, nilas_file_source *source, const file_keys *keys,
                            nilas_error *err) {
    source->key_count = keys->count;
    NILAS_NEW_ARRAY(arena, &source->keys, keys->count, err);
    for (size_t i = 0; i < keys->count; i++) {
        source->keys[i].name = keys->names[keys->count - 1 - i];
        NILAS_NEW_ARRAY(arena, &source->keys[i].values, source->file_count, err);
    }
    return NILAS_OK;
}

nilas_code nilas_files__find_keys(nilas_arena *arena, const nilas_str *bases,
                                  nilas_file_source *source, nilas_error *err) {
    nilas_str root = {.data = NULL};
    size_t kept = 0;
    file_keys keys;
    for (size_t i = 0; i < source->file_count; i++) {
        NILAS_TRY(read_keys(arena, source->files[i], bases[i], &keys, err));
        if (keys.count == 0) {
            continue;
        }
        nilas_str own = nilas_str_slice(source->files[i], 0, keys.base_size);
        if (source->keys == NULL) {
            NILAS_TRY(make_keys(arena, source, &keys, err));
            root = own;
        }
        if (!nilas_str_equal(own, root)) {
            return nilas_fail_at(err, NILAS_INVALID, "CONFLICTING_DIRECTORY_STRUCTURES", -1,
                                 "Conflicting directory structures detected: \"%.*s\", \"%.*s\". "
                                 "Set the option basePath to the root of the table, or read the "
                                 "roots one by one and union them.",
                                 NILAS_FMT(root), NILAS_FMT(own));
        }
        NILAS_TRY(check_keys(source, &keys, source->files[i], err));
        for (size_t k = 0; k < keys.count; k++) {
            source->keys[k].values[kept] = keys.values[keys.count - 1 - k];
        }
        source->files[kept++] = source->files[i];
    }
    source->file_count = source->keys != NULL ? kept : source->file_count;
    return NILAS_OK;
}

/* ---- columns ---- */

const nilas_file_key *nilas_files__key(const nilas_file_source *source, nilas_str name) {
    for (size_t i = 0; i < source->key_count; i++) {
        if (nilas_str_equal_nocase(source->keys[i].name, name)) {
            return &source->keys[i];
        }
    }
    return NULL;
}

/** A given schema names the type of a key; else the values do. */
static nilas_code type_keys(nilas_arena *arena, const nilas_file_scan *scan, bool is_given,
                            nilas_file_source *source, nilas_error *err) {
    for (size_t k = 0; k < source->key_count; k++) {
        nilas_file_key *key = &source->keys[k];
        key->type = scan->folder_values_are_text ? nilas_type_of(NILAS_TYPE_STRING) : NULL;
        for (size_t i = 0; is_given && i < scan->schema->field_count; i++) {
            if (nilas_str_equal_nocase(scan->schema->fields[i].name, key->name)) {
                key->type = scan->schema->fields[i].type;
            }
        }
        if (key->type == NULL) {
            NILAS_TRY(
                nilas_engine_folder_type(arena, key->values, source->file_count, &key->type, err));
        }
    }
    return NILAS_OK;
}

static bool has_field(const nilas_type_field *fields, size_t count, nilas_str name) {
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_equal(fields[i].name, name)) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_files__add_keys(nilas_arena *arena, nilas_file_scan *scan, bool is_given,
                                 nilas_file_source *source, nilas_error *err) {
    size_t count = 0, own_count = 0, given_count = scan->schema->field_count;
    nilas_type_field *fields, *own;
    source->data_schema = scan->schema;
    if (source->key_count == 0) {
        return NILAS_OK;
    }
    NILAS_TRY(type_keys(arena, scan, is_given, source, err));
    NILAS_NEW_ARRAY(arena, &fields, given_count + source->key_count, err);
    NILAS_NEW_ARRAY(arena, &own, given_count, err);
    for (size_t i = 0; i < given_count; i++) {
        nilas_type_field field = scan->schema->fields[i];
        const nilas_file_key *key = nilas_files__key(source, field.name);
        NILAS_REQUIRE(!nilas_str_is_nocase(field.name, "file_index"), err, NILAS_UNSUPPORTED,
                      "a column \"file_index\" in files of key=value folders is not supported");
        if (key == NULL || !is_given) {
            own[own_count++] = field;
        }
        if (key == NULL) {
            fields[count++] = field;
        } else if (!is_given) {
            fields[count++] =
                (nilas_type_field){.name = key->name, .type = key->type, .nullable = true};
        }
    }
    NILAS_REQUIRE(own_count > 0 || nilas_str_is_nocase(scan->format, "parquet"), err,
                  NILAS_UNSUPPORTED,
                  "reading only the partition columns of files is not supported: name a column of "
                  "the files, too");
    NILAS_TRY(nilas_type_struct(arena, own, own_count, &source->data_schema, err));
    for (size_t k = 0; k < source->key_count; k++) {
        const nilas_file_key *key = &source->keys[k];
        if (!has_field(fields, count, key->name)) {
            fields[count++] =
                (nilas_type_field){.name = key->name, .type = key->type, .nullable = true};
        }
    }
    return nilas_type_struct(arena, fields, count, &scan->schema, err);
}

bool nilas_files__print_key(nilas_buf *out, const nilas_file_source *source, nilas_str name) {
    const nilas_file_key *key = nilas_files__key(source, name);
    if (key == NULL) {
        return false;
    }
    nilas_buf_add_text(out, "CAST([");
    for (size_t i = 0; i < source->file_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (key->values[i].data == NULL) {
            nilas_buf_add_text(out, "NULL");
        } else {
            bool is_real = key->type->kind == NILAS_TYPE_DOUBLE;
            nilas_render__text(out, is_real ? without_suffix(key->values[i]) : key->values[i]);
        }
    }
    nilas_buf_add_text(out, "] AS ");
    nilas_engine__print_type(out, key->type);
    nilas_buf_add_text(out, "[])[CAST(file_index AS BIGINT) + 1]");
    return true;
}
