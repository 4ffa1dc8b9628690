/** Values of Spark's three interval types as its SQL and its results write them. */
#ifndef NILAS_TREE_INTERVAL_H
#define NILAS_TREE_INTERVAL_H

#include "tree/type.h"

/** "INTERVAL '1-2' YEAR TO MONTH" */
void nilas_interval_print_year_month(nilas_buf *out, int64_t months, nilas_interval_unit from,
                                     nilas_interval_unit to);
/** "INTERVAL '1 02:03:04.5' DAY TO SECOND" */
void nilas_interval_print_day_time(nilas_buf *out, int64_t micros, nilas_interval_unit from,
                                   nilas_interval_unit to);
/** The calendar interval: "1 years 2 months 3 days 4 hours 5 minutes 6.5 seconds". */
void nilas_interval_print_calendar(nilas_buf *out, int32_t months, int32_t days, int64_t micros);
/** Seconds with their fraction, no trailing zeros; at least `digits` (1 or 2) before the point. */
void nilas_interval_print_seconds(nilas_buf *out, uint64_t micros, int digits);

#endif
