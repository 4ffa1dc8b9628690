/**
 * codec: bytes <-> values in memory, no input or output.
 *
 * JSON, Avro (our own, by field id), Puffin, roaring bitmaps, hashes, compression.
 */
#ifndef NILAS_CODEC_CODEC_H
#define NILAS_CODEC_CODEC_H

#include "codec/avro.h"
#include "codec/bitmap.h"
#include "codec/compress.h"
#include "codec/hash.h"
#include "codec/json.h"
#include "codec/puffin.h"
#include "codec/theta.h"

#endif
