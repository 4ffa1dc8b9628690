/** Floating point as Java 17 writes it, which is what Spark prints. */
#ifndef NILAS_SHELL_NUMBER_H
#define NILAS_SHELL_NUMBER_H

#include "base/base.h"

/** As Java 17's Double.toString(): "1.0", "1.0E10", "4.9E-324", "-0.0", "NaN", "Infinity". */
void nilas_shell__double_print(nilas_buf *out, double value);
/** As Java 17's Float.toString(). */
void nilas_shell__float_print(nilas_buf *out, float value);

#endif
