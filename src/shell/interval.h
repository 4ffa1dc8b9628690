/** Texts of Spark's three interval types. */
#ifndef NILAS_SHELL_INTERVAL_H
#define NILAS_SHELL_INTERVAL_H

#include "shell/column.h"

/** Year-month: "1-2" for spark-sql, "INTERVAL '1-2' YEAR TO MONTH" when `ansi`. */
void nilas_shell__year_month_print(nilas_buf *out, const nilas_type *type, int64_t months,
                                   bool ansi);
/**
 * Day-time: "1 02:03:04.000000000" for spark-sql, "INTERVAL '1 02:03:04' DAY TO SECOND" when
 * `ansi`.
 */
void nilas_shell__day_time_print(nilas_buf *out, const nilas_type *type, int64_t micros, bool ansi);
/** The calendar interval: "1 years 2 months 3 days 4 hours". */
void nilas_shell__calendar_interval_print(nilas_buf *out, int32_t months, int32_t days,
                                          int64_t micros);

#endif
