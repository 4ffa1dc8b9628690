/**
 * Text the way a Java program sees it: lengths in UTF-16 units, full-width letters as two columns.
 */
#ifndef NILAS_PRINT_TEXT_H
#define NILAS_PRINT_TEXT_H

#include "base/base.h"

/**
 * Append bytes as text, as Java's new String(bytes, UTF_8) decodes them: each broken sequence
 * becomes one U+FFFD.
 */
void nilas_print_text_decode(nilas_buf *out, nilas_str bytes);
/**
 * Append the text cut to `limit` UTF-16 units, the last three of them "..." when limit is at least
 * 4. 0: not cut.
 */
void nilas_print_text_cut(nilas_buf *out, nilas_str text, int64_t limit);
/** Length of Java's string: UTF-16 units. */
int64_t nilas_print_text_units(nilas_str text);
/** Columns as Spark counts them: UTF-16 units, and one more for each full-width one. */
int64_t nilas_print_text_width(nilas_str text);
/** Order of Java's String.compareTo(): by UTF-16 unit. */
int nilas_print_text_compare(nilas_str a, nilas_str b);
/** `count` copies of a byte. */
void nilas_print_text_repeat(nilas_buf *out, char byte, int64_t count);

#endif
