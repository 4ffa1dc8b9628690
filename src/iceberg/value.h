/** Room-private: values as bytes and as text. */
#ifndef NILAS_ICEBERG_VALUE_H
#define NILAS_ICEBERG_VALUE_H

#include "iceberg/type.h"

/** As nilas_ice_value_decode(), but never allocates: text borrows from `bytes`. False when the
 *  size is wrong for the type or the value does not fit it. Cost: nanoseconds; called for each
 *  bound of each file. */
bool nilas_iceberg__decode_bound(const nilas_ice_type *type, nilas_str bytes, nilas_value *out);
/** Two's complement, big endian, as few bytes as the value needs: Java's
 *  BigInteger.toByteArray(). Returns the size. */
size_t nilas_iceberg__decimal_bytes(nilas_int128 unscaled, uint8_t out[16]);
/** False when empty or wider than 128 bits. */
bool nilas_iceberg__decimal_of_bytes(nilas_str bytes, nilas_int128 *out);

/** "2017-11-16"; years beyond 9999 carry a sign. */
void nilas_iceberg__print_date(nilas_buf *out, int64_t days);
/** "22:31:08.123456": fraction without trailing zeros. */
void nilas_iceberg__print_time(nilas_buf *out, int64_t micros);
/** As Java's LocalTime.toString(): seconds left out when zero, fraction in groups of three. */
void nilas_iceberg__print_time_short(nilas_buf *out, int64_t micros);
/** "2017-11-16T22:31:08.123456[+00:00]" of micro- or nanoseconds. */
void nilas_iceberg__print_timestamp(nilas_buf *out, int64_t units, int64_t units_per_second,
                                    bool zoned);
/** "f79c3e09-677c-4bbd-a479-3f349cb785e7" of 16 bytes; anything else as hexadecimal. */
void nilas_iceberg__print_uuid(nilas_buf *out, nilas_str bytes);

#endif
