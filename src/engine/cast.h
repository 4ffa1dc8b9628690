/**
 * Spark's types and casts said in DuckDB SQL.
 *
 * Carriers (which DuckDB type holds a Spark type; the same everywhere: literals, columns, results):
 *
 *     boolean … double, decimal   the same        string, char, varchar   VARCHAR
 *     binary                      BLOB            date, time              DATE, TIME
 *     timestamp (an instant)      TIMESTAMPTZ     timestamp_ntz           TIMESTAMP
 *     interval year to month      INTEGER, months
 *     interval day to second      BIGINT, microseconds
 *     interval (legacy calendar)  INTERVAL        void                    INTEGER, always null
 *     array                       LIST            map, struct             MAP, STRUCT
 *     variant                     VARCHAR, JSON text
 *
 * The two ANSI intervals are plain integers as in Spark: DuckDB's INTERVAL counts 30 days as a
 * month when it compares, and its Arrow form cannot hold more than 292 years.
 */
#ifndef NILAS_ENGINE_CAST_H
#define NILAS_ENGINE_CAST_H

#include "bind/bind.h"

/** Append the DuckDB type that carries a Spark type, with struct fields quoted. */
void nilas_engine__print_type(nilas_buf *out, const nilas_type *type);

/**
 * Append the cast of `inner_sql` (a value of type `from`, read once or bound to a lambda parameter)
 * to type `to`.
 *
 * Equal types print `inner_sql` alone. Failures at run time raise Spark's conditions (see
 * translate.h).
 *
 * @return NILAS_UNSUPPORTED  a pair of types that no cast here covers; the message names both
 */
nilas_code nilas_engine__print_cast(nilas_buf *out, const nilas_type *from, const nilas_type *to,
                                    nilas_cast_mode mode, nilas_str inner_sql, nilas_error *err);

/** The same with members of structs, at any depth, taken by name; a member that the value does not
 * have becomes null. */
nilas_code nilas_engine__print_store_cast(nilas_buf *out, const nilas_type *from,
                                          const nilas_type *to, nilas_cast_mode mode,
                                          nilas_str inner_sql, nilas_error *err);

#endif
