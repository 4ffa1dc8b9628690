/**
 * base: the words every room speaks.
 *
 * Errors, text and bytes, arenas, growing buffers, arrays, hash maps, bounded readers, values,
 * civil time, 128-bit decimals, threads and limits. No input or output, nothing about Iceberg or
 * SQL.
 */
#ifndef NILAS_BASE_BASE_H
#define NILAS_BASE_BASE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/decimal.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/reader.h"
#include "base/real.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/time.h"
#include "base/uuid.h"
#include "base/value.h"

#endif
