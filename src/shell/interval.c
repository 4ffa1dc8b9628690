/* Intervals as org.apache.spark.sql.catalyst.util.IntervalUtils writes them. */
#include "shell/interval.h"

#define SECOND 1000000ULL
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

static uint64_t magnitude(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static void print_unit_names(nilas_buf *out, const nilas_type *type) {
    nilas_buf_add_char(out, ' ');
    for (const char *c = nilas_interval_unit_name(type->from_unit); *c != '\0'; c++) {
        nilas_buf_add_char(out, (char)(*c - 'a' + 'A'));
    }
    if (type->to_unit == type->from_unit) {
        return;
    }
    nilas_buf_add_text(out, " TO ");
    for (const char *c = nilas_interval_unit_name(type->to_unit); *c != '\0'; c++) {
        nilas_buf_add_char(out, (char)(*c - 'a' + 'A'));
    }
}

void nilas_shell__year_month_print(nilas_buf *out, const nilas_type *type, int64_t months,
                                   bool ansi) {
    uint64_t rest = magnitude(months);
    const char *sign = months < 0 ? "-" : "";
    bool years_only = type->to_unit == NILAS_UNIT_YEAR;
    bool months_only = type->from_unit == NILAS_UNIT_MONTH;

    if (!ansi) {
        nilas_buf_print(out, "%s%llu-%llu", sign, (unsigned long long)(rest / 12),
                        (unsigned long long)(rest % 12));
        return;
    }
    nilas_buf_print(out, "INTERVAL '%s", sign);
    if (years_only || months_only) {
        nilas_buf_print(out, "%llu", (unsigned long long)(years_only ? rest / 12 : rest));
    } else {
        nilas_buf_print(out, "%llu-%llu", (unsigned long long)(rest / 12),
                        (unsigned long long)(rest % 12));
    }
    nilas_buf_add_char(out, '\'');
    print_unit_names(out, type);
}

/** Seconds with their fraction, no trailing zeros. */
static void print_seconds(nilas_buf *out, uint64_t micros) {
    nilas_buf_print(out, "%llu", (unsigned long long)(micros / SECOND));
    if (micros % SECOND == 0) {
        return;
    }
    nilas_buf_print(out, ".%06llu", (unsigned long long)(micros % SECOND));
    while (out->size > 0 && out->data[out->size - 1] == '0') {
        nilas_buf_truncate(out, out->size - 1);
    }
}

/** The first field takes all that is left; the others are of two digits with a separator before. */
static void print_field(nilas_buf *out, const nilas_type *type, nilas_interval_unit unit,
                        uint64_t *rest) {
    static const uint64_t sizes[] = {
        [NILAS_UNIT_DAY] = DAY, [NILAS_UNIT_HOUR] = HOUR, [NILAS_UNIT_MINUTE] = MINUTE};

    if (unit < type->from_unit || unit > type->to_unit) {
        return;
    }
    if (unit > type->from_unit) {
        nilas_buf_add_char(out, unit == NILAS_UNIT_HOUR ? ' ' : ':');
    }
    if (unit == NILAS_UNIT_SECOND) {
        nilas_buf_add_text(out, *rest < 10 * SECOND ? "0" : "");
        print_seconds(out, *rest);
        return;
    }
    nilas_buf_print(out, unit == NILAS_UNIT_DAY ? "%llu" : "%02llu",
                    (unsigned long long)(*rest / sizes[unit]));
    *rest %= sizes[unit];
}

void nilas_shell__day_time_print(nilas_buf *out, const nilas_type *type, int64_t micros,
                                 bool ansi) {
    uint64_t rest = magnitude(micros);
    const char *sign = micros < 0 ? "-" : "";

    if (!ansi) {
        nilas_buf_print(
            out, "%s%llu %02llu:%02llu:%02llu.%06llu000", sign, (unsigned long long)(rest / DAY),
            (unsigned long long)(rest / HOUR % 24), (unsigned long long)(rest / MINUTE % 60),
            (unsigned long long)(rest / SECOND % 60), (unsigned long long)(rest % SECOND));
        return;
    }
    nilas_buf_print(out, "INTERVAL '%s", sign);
    print_field(out, type, NILAS_UNIT_DAY, &rest);
    print_field(out, type, NILAS_UNIT_HOUR, &rest);
    print_field(out, type, NILAS_UNIT_MINUTE, &rest);
    print_field(out, type, NILAS_UNIT_SECOND, &rest);
    nilas_buf_add_char(out, '\'');
    print_unit_names(out, type);
}

static void print_unit(nilas_buf *out, int64_t value, const char *unit) {
    if (value != 0) {
        nilas_buf_print(out, "%lld %s ", (long long)value, unit);
    }
}

void nilas_shell__calendar_interval_print(nilas_buf *out, int32_t months, int32_t days,
                                          int64_t micros) {
    if (months == 0 && days == 0 && micros == 0) {
        nilas_buf_add_text(out, "0 seconds");
        return;
    }
    print_unit(out, months / 12, "years");
    print_unit(out, months % 12, "months");
    print_unit(out, days, "days");
    print_unit(out, micros / (int64_t)HOUR, "hours");
    print_unit(out, micros % (int64_t)HOUR / (int64_t)MINUTE, "minutes");
    int64_t rest = micros % (int64_t)MINUTE;
    if (rest != 0) {
        nilas_buf_add_text(out, rest < 0 ? "-" : "");
        print_seconds(out, magnitude(rest));
        nilas_buf_add_text(out, " seconds ");
    }
    nilas_buf_truncate(out, out->size > 0 ? out->size - 1 : 0);
}
