/** Unicode's case mappings (case_table.c is written by tools/case_table.py). Tables are sorted and
 *  end with zeros. */
#ifndef NILAS_BASE_CASE_TABLE_H
#define NILAS_BASE_CASE_TABLE_H

#include <stdint.h>

/** Code points from first to last by step, each moved by delta. */
typedef struct nilas_case_run {
    uint32_t first, last;
    uint8_t step;
    int32_t delta;
} nilas_case_run;

/** A letter that becomes several, as UTF-8: in upper case, and at the head of a word. */
typedef struct nilas_case_text {
    uint32_t letter;
    const char *upper, *title;
} nilas_case_text;

extern const nilas_case_run nilas_base__lower_runs[];
extern const nilas_case_run nilas_base__upper_runs[];
extern const nilas_case_run nilas_base__title_runs[]; // only where it is not the upper case
extern const nilas_case_text nilas_base__case_texts[];

#endif
