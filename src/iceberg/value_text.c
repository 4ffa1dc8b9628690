/* Text of single values in the ISO forms that Iceberg's Java library writes: dates, times,
 * uuids. */
#include <stdio.h>

#include "iceberg/value.h"

/** A fraction of a second without trailing zeros; nothing when zero. */
static void print_fraction(nilas_buf *out, int64_t fraction, int digits) {
    char text[16];

    if (fraction == 0) {
        return;
    }
    snprintf(text, sizeof(text), "%0*lld", digits, (long long)fraction);
    size_t size = strlen(text);
    while (text[size - 1] == '0') {
        size--;
    }
    nilas_buf_add_text(out, ".");
    nilas_buf_add_bytes(out, text, size);
}

static void print_clock(nilas_buf *out, int64_t second_of_day) {
    nilas_buf_print(out, "%02d:%02d:%02d", (int)(second_of_day / 3600),
                    (int)(second_of_day / 60 % 60), (int)(second_of_day % 60));
}

void nilas_iceberg__print_date(nilas_buf *out, int64_t days) {
    int64_t year;
    int32_t month;
    int32_t day;

    nilas_civil_from_days(days, &year, &month, &day);
    nilas_buf_print(out, "%s%0*lld-%02d-%02d", year > 9999 ? "+" : "", year < 0 ? 5 : 4,
                    (long long)year, month, day);
}

void nilas_iceberg__print_time(nilas_buf *out, int64_t micros) {
    print_clock(out, nilas_floor_div(micros, NILAS_MICROS_PER_SECOND));
    print_fraction(out, nilas_floor_mod(micros, NILAS_MICROS_PER_SECOND), 6);
}

void nilas_iceberg__print_time_short(nilas_buf *out, int64_t micros) {
    int64_t seconds = nilas_floor_div(micros, NILAS_MICROS_PER_SECOND);
    int fraction = (int)nilas_floor_mod(micros, NILAS_MICROS_PER_SECOND);

    nilas_buf_print(out, "%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60));
    if (seconds % 60 != 0 || fraction != 0) {
        nilas_buf_print(out, ":%02d", (int)(seconds % 60));
    }
    if (fraction % 1000 != 0) {
        nilas_buf_print(out, ".%06d", fraction);
    } else if (fraction != 0) {
        nilas_buf_print(out, ".%03d", fraction / 1000);
    }
}

void nilas_iceberg__print_timestamp(nilas_buf *out, int64_t units, int64_t units_per_second,
                                    bool zoned) {
    int64_t seconds = nilas_floor_div(units, units_per_second);

    nilas_iceberg__print_date(out, nilas_floor_div(seconds, 86400));
    nilas_buf_add_text(out, "T");
    print_clock(out, nilas_floor_mod(seconds, 86400));
    print_fraction(out, nilas_floor_mod(units, units_per_second),
                   units_per_second == NILAS_MICROS_PER_SECOND ? 6 : 9);
    if (zoned) {
        nilas_buf_add_text(out, "+00:00");
    }
}

void nilas_iceberg__print_uuid(nilas_buf *out, nilas_str bytes) {
    for (size_t i = 0; i < bytes.size; i++) {
        bool dash = bytes.size == 16 && (i == 4 || i == 6 || i == 8 || i == 10);
        nilas_buf_print(out, "%s%02x", dash ? "-" : "", (unsigned)(uint8_t)bytes.data[i]);
    }
}
