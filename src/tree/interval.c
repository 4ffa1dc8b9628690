/*
 * As org.apache.spark.sql.catalyst.util.IntervalUtils writes them.
 */
#include "tree/interval.h"

#define SECOND ((uint64_t)NILAS_MICROS_PER_SECOND)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

static uint64_t magnitude(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/** The closing quote and the units. */
static void print_units(nilas_buf *out, nilas_interval_unit from, nilas_interval_unit to) {
    static const char *const names[] = {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"};

    nilas_assert(from <= NILAS_UNIT_SECOND && to <= NILAS_UNIT_SECOND);
    nilas_buf_print(out, "' %s", names[from]);
    if (from != to) {
        nilas_buf_print(out, " TO %s", names[to]);
    }
}

void nilas_interval_print_year_month(nilas_buf *out, int64_t months, nilas_interval_unit from,
                                     nilas_interval_unit to) {
    uint64_t rest = magnitude(months);

    nilas_buf_print(out, "INTERVAL '%s", months < 0 ? "-" : "");
    if (from == NILAS_UNIT_MONTH || to == NILAS_UNIT_YEAR) {
        nilas_buf_print(out, "%llu",
                        (unsigned long long)(from == NILAS_UNIT_MONTH ? rest : rest / 12));
    } else {
        nilas_buf_print(out, "%llu-%llu", (unsigned long long)(rest / 12),
                        (unsigned long long)(rest % 12));
    }
    print_units(out, from, to);
}

void nilas_interval_print_seconds(nilas_buf *out, uint64_t micros, int digits) {
    nilas_buf_print(out, "%0*llu", digits, (unsigned long long)(micros / SECOND));
    if (micros % SECOND == 0) {
        return;
    }
    nilas_buf_print(out, ".%06llu", (unsigned long long)(micros % SECOND));
    while (out->size > 0 && out->data[out->size - 1] == '0') {
        nilas_buf_truncate(out, out->size - 1);
    }
}

void nilas_interval_print_day_time(nilas_buf *out, int64_t micros, nilas_interval_unit from,
                                   nilas_interval_unit to) {
    static const uint64_t sizes[] = {
        [NILAS_UNIT_DAY] = DAY, [NILAS_UNIT_HOUR] = HOUR, [NILAS_UNIT_MINUTE] = MINUTE};
    uint64_t rest = magnitude(micros);

    nilas_buf_print(out, "INTERVAL '%s", micros < 0 ? "-" : "");
    // The first field takes all that is left; the others have two digits.
    for (nilas_interval_unit unit = from; unit <= to; unit++) {
        if (unit > from) {
            nilas_buf_add_char(out, unit == NILAS_UNIT_HOUR ? ' ' : ':');
        }
        if (unit == NILAS_UNIT_SECOND) {
            nilas_interval_print_seconds(out, rest, 2);
            break;
        }
        nilas_buf_print(out, unit == NILAS_UNIT_DAY ? "%llu" : "%02llu",
                        (unsigned long long)(rest / sizes[unit]));
        rest %= sizes[unit];
    }
    print_units(out, from, to);
}

static void print_unit(nilas_buf *out, int64_t value, const char *unit) {
    if (value != 0) {
        nilas_buf_print(out, "%lld %s ", (long long)value, unit);
    }
}

void nilas_interval_print_calendar(nilas_buf *out, int32_t months, int32_t days, int64_t micros) {
    int64_t rest = micros % (int64_t)MINUTE;

    if (months == 0 && days == 0 && micros == 0) {
        nilas_buf_add_text(out, "0 seconds");
        return;
    }
    print_unit(out, months / 12, "years");
    print_unit(out, months % 12, "months");
    print_unit(out, days, "days");
    print_unit(out, micros / (int64_t)HOUR, "hours");
    print_unit(out, micros % (int64_t)HOUR / (int64_t)MINUTE, "minutes");
    if (rest != 0) {
        nilas_buf_add_text(out, rest < 0 ? "-" : "");
        nilas_interval_print_seconds(out, magnitude(rest), 1);
        nilas_buf_add_text(out, " seconds ");
    }
    nilas_buf_truncate(out, out->size > 0 ? out->size - 1 : 0); // the last separator
}
