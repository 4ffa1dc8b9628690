/** DuckDB's run-time errors in Spark's words. */
#ifndef NILAS_ENGINE_TRANSLATE_H
#define NILAS_ENGINE_TRANSLATE_H

#include "base/base.h"

/**
 * Fill `err` from the message of a failed DuckDB query.
 *
 * Our own functions and templates raise "\x01CONDITION\x01message" somewhere in the text; DuckDB's
 * own overflows, divisions and conversions are recognized by their words. Anything else is
 * NILAS_ENGINE with DuckDB's text.
 */
nilas_code nilas_engine__translate_error(const char *duckdb_message, nilas_error *err);

#endif
