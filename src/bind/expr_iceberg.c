/*
 * Arguments of Iceberg's functions, checked in the words of their Spark classes before the
 * function room sees them: these functions take no implicit casts.
 */
#include "bind/expr.h"

static nilas_code refuse(const nilas_call_arguments *call, const char *why, nilas_str detail,
                         nilas_error *err) {
    NILAS_AUTO_BUF types = {0};
    for (size_t i = 0; i < call->count; i++) {
        nilas_buf_add_text(&types, i > 0 ? ", " : "");
        nilas_type_print(&types, call->arguments[i].type);
    }
    nilas_str list = nilas_buf_view(&types);
    return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1198", call->offset,
                         "Function '%.*s' cannot process input: (%.*s): %s%.*s",
                         NILAS_FMT(call->name), NILAS_FMT(list), why, NILAS_FMT(detail));
}

static bool is_one_of(const nilas_type *type, const nilas_type_kind *kinds, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (nilas_type_is(type, kinds[i])) {
            return true;
        }
    }
    return false;
}

static bool is_width(const nilas_type *type) {
    return nilas_type_is_integral(type) && !nilas_type_is(type, NILAS_TYPE_BIGINT);
}

static nilas_code check_bucket(const nilas_call_arguments *call, nilas_error *err) {
    static const nilas_type_kind kinds[] = {
        NILAS_TYPE_DATE,      NILAS_TYPE_TINYINT,      NILAS_TYPE_SMALLINT, NILAS_TYPE_INT,
        NILAS_TYPE_BIGINT,    NILAS_TYPE_DECIMAL,      NILAS_TYPE_STRING,   NILAS_TYPE_BINARY,
        NILAS_TYPE_TIMESTAMP, NILAS_TYPE_TIMESTAMP_NTZ};
    if (call->count != 2) {
        return refuse(call, "Wrong number of inputs (expected numBuckets and value).",
                      NILAS_STR_EMPTY, err);
    }
    if (!is_width(call->arguments[0].type)) {
        return refuse(call, "Expected number of buckets to be tinyint, shortint or int.",
                      NILAS_STR_EMPTY, err);
    }
    if (!is_one_of(call->arguments[1].type, kinds, sizeof(kinds) / sizeof(kinds[0]))) {
        return refuse(call,
                      "Expected column to be date, tinyint, smallint, int, bigint, decimal, "
                      "timestamp, string, or binary.",
                      NILAS_STR_EMPTY, err);
    }
    return NILAS_OK;
}

static nilas_code check_truncate(const nilas_call_arguments *call, nilas_error *err) {
    static const nilas_type_kind kinds[] = {
        NILAS_TYPE_TINYINT, NILAS_TYPE_SMALLINT, NILAS_TYPE_INT,   NILAS_TYPE_BIGINT,
        NILAS_TYPE_DECIMAL, NILAS_TYPE_STRING,   NILAS_TYPE_BINARY};
    if (call->count != 2) {
        return refuse(call, "Wrong number of inputs (expected width and value).", NILAS_STR_EMPTY,
                      err);
    }
    if (!is_width(call->arguments[0].type)) {
        return refuse(call, "Expected truncation width to be tinyint, shortint or int.",
                      NILAS_STR_EMPTY, err);
    }
    if (!is_one_of(call->arguments[1].type, kinds, sizeof(kinds) / sizeof(kinds[0]))) {
        return refuse(call,
                      "Expected truncation col to be tinyint, shortint, int, bigint, decimal, "
                      "string, or binary.",
                      NILAS_STR_EMPTY, err);
    }
    return NILAS_OK;
}

static nilas_code check_time(const nilas_call_arguments *call, nilas_error *err) {
    static const nilas_type_kind kinds[] = {NILAS_TYPE_TIMESTAMP, NILAS_TYPE_TIMESTAMP_NTZ,
                                            NILAS_TYPE_DATE};
    bool is_hours = nilas_str_is(call->name, "hours");
    if (call->count != 1) {
        return refuse(call, "Wrong number of inputs (expected value).", NILAS_STR_EMPTY, err);
    }
    if (is_one_of(call->arguments[0].type, kinds, is_hours ? 2 : 3)) {
        return NILAS_OK;
    }
    NILAS_AUTO_BUF type = {0};
    nilas_type_print(&type, call->arguments[0].type);
    nilas_buf_add_char(&type, '.');
    return refuse(call,
                  is_hours ? "Expected value to be timestamp: "
                           : "Expected value to be date or timestamp: ",
                  nilas_buf_view(&type), err);
}

nilas_code nilas_bind__check_iceberg_call(const nilas_call_arguments *call, nilas_error *err) {
    if (nilas_str_is(call->name, "bucket")) {
        return check_bucket(call, err);
    }
    if (nilas_str_is(call->name, "truncate")) {
        return check_truncate(call, err);
    }
    if (nilas_str_is(call->name, "years") || nilas_str_is(call->name, "months") ||
        nilas_str_is(call->name, "days") || nilas_str_is(call->name, "hours")) {
        return check_time(call, err);
    }
    return NILAS_OK;
}
