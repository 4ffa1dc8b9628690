/** Text of numbers and intervals. */
#include "engine/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void nilas_engine__shortest_digits(double value, bool is_float, char digits[24],
                                   int *out_exponent) {
    char text[40];
    int last = is_float ? 9 : 17;
    value = fabs(value);
    for (int size = 2; size <= last; size++) {
        snprintf(text, sizeof(text), "%.*e", size - 1, value);
        bool same = is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
        if (same || size == last) {
            break;
        }
    }
    char *mark = strchr(text, 'e');
    nilas_assert(mark != NULL);
    *out_exponent = (int)strtol(mark + 1, NULL, 10);
    size_t count = 0;
    for (const char *at = text; at < mark; at++) {
        if (*at >= '0' && *at <= '9') {
            digits[count++] = *at;
        }
    }
    while (count > 1 && digits[count - 1] == '0') {
        count--;
    }
    digits[count] = '\0';
}

static void print_plain(nilas_buf *out, const char *digits, int exponent) {
    int count = (int)strlen(digits);
    if (exponent < 0) {
        nilas_buf_add_text(out, "0.");
        for (int i = -1; i > exponent; i--) {
            nilas_buf_add_char(out, '0');
        }
        nilas_buf_add_text(out, digits);
        return;
    }
    for (int i = 0; i <= exponent || i < count; i++) {
        if (i == exponent + 1) {
            nilas_buf_add_char(out, '.');
        }
        nilas_buf_add_char(out, i < count ? digits[i] : '0');
    }
    nilas_buf_add_text(out, count <= exponent + 1 ? ".0" : "");
}

static void print_real(nilas_buf *out, double value, bool is_float) {
    char digits[24];
    int exponent = 0;
    if (isnan(value)) {
        nilas_buf_add_text(out, "NaN");
        return;
    }
    nilas_buf_add_text(out, signbit(value) ? "-" : "");
    if (isinf(value)) {
        nilas_buf_add_text(out, "Infinity");
        return;
    }
    if (value == 0) {
        nilas_buf_add_text(out, "0.0");
        return;
    }
    nilas_engine__shortest_digits(value, is_float, digits, &exponent);
    if (exponent >= -3 && exponent < 7) {
        print_plain(out, digits, exponent);
        return;
    }
    nilas_buf_print(out, "%c.%sE%d", digits[0], digits[1] != '\0' ? digits + 1 : "0", exponent);
}

void nilas_engine__print_double(nilas_buf *out, double value) {
    print_real(out, value, false);
}

void nilas_engine__print_float(nilas_buf *out, float value) {
    print_real(out, (double)value, true);
}

static const char *const unit_words[] = {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"};

static void print_units(nilas_buf *out, nilas_interval_unit from, nilas_interval_unit to) {
    nilas_assert(from <= NILAS_UNIT_SECOND && to <= NILAS_UNIT_SECOND);
    nilas_buf_print(out, "' %s", unit_words[from]);
    if (from != to) {
        nilas_buf_print(out, " TO %s", unit_words[to]);
    }
}

void nilas_engine__print_year_month(nilas_buf *out, int64_t months, nilas_interval_unit from,
                                    nilas_interval_unit to) {
    uint64_t size = months < 0 ? 0 - (uint64_t)months : (uint64_t)months;
    nilas_buf_print(out, "INTERVAL '%s", months < 0 ? "-" : "");
    if (from == NILAS_UNIT_MONTH) {
        nilas_buf_print(out, "%llu", (unsigned long long)size);
    } else if (to == NILAS_UNIT_YEAR) {
        nilas_buf_print(out, "%llu", (unsigned long long)(size / 12));
    } else {
        nilas_buf_print(out, "%llu-%llu", (unsigned long long)(size / 12),
                        (unsigned long long)(size % 12));
    }
    print_units(out, from, to);
}

/** Seconds with their fraction, two digits before the point. */
static void print_seconds(nilas_buf *out, uint64_t micros) {
    nilas_buf_print(out, "%02llu", (unsigned long long)(micros / 1000000));
    uint64_t fraction = micros % 1000000;
    if (fraction > 0) {
        char text[16];
        int size = snprintf(text, sizeof(text), ".%06llu", (unsigned long long)fraction);
        while (size > 0 && text[size - 1] == '0') {
            text[--size] = '\0';
        }
        nilas_buf_add_text(out, text);
    }
}

void nilas_engine__print_day_time(nilas_buf *out, int64_t micros, nilas_interval_unit from,
                                  nilas_interval_unit to) {
    static const uint64_t sizes[] = {86400000000, 3600000000, 60000000, 1000000};
    uint64_t rest = micros < 0 ? 0 - (uint64_t)micros : (uint64_t)micros;
    nilas_buf_print(out, "INTERVAL '%s", micros < 0 ? "-" : "");
    for (nilas_interval_unit unit = from; unit <= to; unit++) {
        if (unit > from) {
            nilas_buf_add_char(out, unit == NILAS_UNIT_HOUR ? ' ' : ':');
        }
        if (unit == NILAS_UNIT_SECOND) {
            print_seconds(out, rest);
            break;
        }
        uint64_t size = sizes[unit - NILAS_UNIT_DAY];
        nilas_buf_print(out, unit == NILAS_UNIT_DAY ? "%llu" : "%02llu",
                        (unsigned long long)(rest / size));
        rest %= size;
    }
    print_units(out, from, to);
}

static void print_unit(nilas_buf *out, int64_t value, const char *word) {
    if (value != 0) {
        nilas_buf_print(out, "%s%lld %s", out->size > 0 ? " " : "", (long long)value, word);
    }
}

void nilas_engine__print_interval(nilas_buf *out, int32_t months, int32_t days, int64_t micros) {
    NILAS_AUTO_BUF text = {0};
    print_unit(&text, months / 12, "years");
    print_unit(&text, months % 12, "months");
    print_unit(&text, days, "days");
    print_unit(&text, micros / 3600000000, "hours");
    print_unit(&text, micros % 3600000000 / 60000000, "minutes");
    int64_t rest = micros % 60000000;
    if (rest != 0) {
        nilas_buf_print(&text, "%s%s", text.size > 0 ? " " : "", rest < 0 ? "-" : "");
        uint64_t size = (uint64_t)(rest < 0 ? -rest : rest);
        NILAS_AUTO_BUF seconds = {0};
        print_seconds(&seconds, size);
        nilas_str shown = nilas_buf_view(&seconds);
        nilas_buf_add(&text, size < 10000000 ? nilas_str_slice(shown, 1, shown.size) : shown);
        nilas_buf_add_text(&text, " seconds");
    }
    nilas_buf_add(out, text.size > 0 ? nilas_buf_view(&text) : NILAS_STR("0 seconds"));
}
