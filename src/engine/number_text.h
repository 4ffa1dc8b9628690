/** Numbers and intervals as Java and Spark print them. */
#ifndef NILAS_ENGINE_NUMBER_TEXT_H
#define NILAS_ENGINE_NUMBER_TEXT_H

#include "tree/tree.h"

/** Double.toString: "1.0E10", "0.001", "NaN", "-Infinity"; the shortest digits that read back. */
void nilas_engine__print_double(nilas_buf *out, double value);
/** Float.toString. */
void nilas_engine__print_float(nilas_buf *out, float value);
/** Shortest digits of |value| (not 0, finite) without point, and the power of ten of the first one.
 *  */
void nilas_engine__shortest_digits(double value, bool is_float, char digits[24], int *out_exponent);
/** "INTERVAL '1-2' YEAR TO MONTH" */
void nilas_engine__print_year_month(nilas_buf *out, int64_t months, nilas_interval_unit from,
                                    nilas_interval_unit to);
/** "INTERVAL '1 02:03:04.5' DAY TO SECOND" */
void nilas_engine__print_day_time(nilas_buf *out, int64_t micros, nilas_interval_unit from,
                                  nilas_interval_unit to);
/** "1 years 2 months 3 days 4 hours 5 minutes 6.5 seconds" */
void nilas_engine__print_interval(nilas_buf *out, int32_t months, int32_t days, int64_t micros);

#endif
