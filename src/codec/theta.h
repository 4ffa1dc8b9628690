/**
 * Theta sketches of Apache DataSketches: how many different values there are, about, in 32 kB.
 *
 * A sketch keeps the least hashes it has seen, at most NILAS_THETA_ENTRIES; while there are no more
 * the count is exact. What is written is an ordered compact sketch (serial version 3) with the
 * default seed, as blobs "apache-datasketches-theta-v1" of Puffin files hold it.
 */
#ifndef NILAS_CODEC_THETA_H
#define NILAS_CODEC_THETA_H

#include "base/base.h"

#define NILAS_THETA_ENTRIES 4096

typedef struct nilas_theta nilas_theta;

nilas_code nilas_theta_new(nilas_arena *arena, nilas_theta **out, nilas_error *err);
/** Take a value's bytes. No bytes are no value, as in DataSketches. */
void nilas_theta_add(nilas_theta *sketch, const void *bytes, size_t size);
/** The sketch as bytes, and its estimate. Nothing may be added any more. */
nilas_code nilas_theta_finish(nilas_theta *sketch, nilas_str *out, double *out_estimate,
                              nilas_error *err);

#endif
