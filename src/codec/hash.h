/**
 * Hashes that formats fix: murmur3 (Iceberg buckets and Spark's hash()), CRC-32, xxhash64 (Spark),
 * MD5, SHA-1, SHA-2.
 */
#ifndef NILAS_CODEC_HASH_H
#define NILAS_CODEC_HASH_H

#include "base/base.h"

/** Standard Murmur3 x86 32-bit. Iceberg buckets use seed 0. */
uint32_t nilas_murmur3_32(const void *data, size_t size, uint32_t seed);
/** Standard Murmur3 x64 128-bit. */
void nilas_murmur3_128(const void *data, size_t size, uint64_t seed, uint64_t out[2]);
/** Spark's variant used by hash(): the tail bytes are mixed one by one as sign-extended ints. */
uint32_t nilas_spark_murmur3_bytes(const void *data, size_t size, uint32_t seed);
uint32_t nilas_spark_murmur3_int(int32_t v, uint32_t seed);
uint32_t nilas_spark_murmur3_long(int64_t v, uint32_t seed);
uint64_t nilas_spark_xxhash64_bytes(const void *data, size_t size, uint64_t seed);
uint64_t nilas_spark_xxhash64_int(int32_t v, uint64_t seed);
uint64_t nilas_spark_xxhash64_long(int64_t v, uint64_t seed);
uint32_t nilas_crc32(const void *data, size_t size);
void nilas_md5(const void *data, size_t size, uint8_t out[16]);
void nilas_sha1(const void *data, size_t size, uint8_t out[20]);
/** bits: 224, 256, 384 or 512; writes bits/8 bytes. */
void nilas_sha2(int bits, const void *data, size_t size, uint8_t *out);

#endif
