/*
 * The hashes that formats fix: murmur3 and xxhash64 with Spark's variants of them. Digests are in
 * digest.c.
 *
 * Spec: iceberg#appendix-b-32-bit-hash-requirements.
 */
#include "codec/hash.h"

#include <libdeflate.h>

// ---- murmur3 ------------------------------------------------------------------------------------

static uint32_t rotate32(uint32_t v, unsigned bits) {
    return v << bits | v >> (32 - bits);
}

static uint32_t read32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t read64(const uint8_t *at) {
    return (uint64_t)read32(at) | (uint64_t)read32(at + 4) << 32;
}

static uint32_t murmur_scramble(uint32_t k) {
    return rotate32(k * 0xCC9E2D51U, 15) * 0x1B873593U;
}

static uint32_t murmur_mix(uint32_t hash, uint32_t k) {
    return rotate32(hash ^ murmur_scramble(k), 13) * 5 + 0xE6546B64U;
}

static uint32_t murmur_finish(uint32_t hash, uint32_t size) {
    hash ^= size;
    hash ^= hash >> 16;
    hash *= 0x85EBCA6BU;
    hash ^= hash >> 13;
    hash *= 0xC2B2AE35U;
    return hash ^ (hash >> 16);
}

uint32_t nilas_murmur3_32(const void *data, size_t size, uint32_t seed) {
    const uint8_t *bytes = data;
    uint32_t hash = seed;
    uint32_t tail = 0;
    size_t at = 0;

    for (; at + 4 <= size; at += 4) {
        hash = murmur_mix(hash, read32(bytes + at));
    }
    for (size_t i = size; i > at; i--) {
        tail = tail << 8 | bytes[i - 1];
    }
    if (size > at) {
        hash ^= murmur_scramble(tail);
    }
    return murmur_finish(hash, (uint32_t)size);
}

static uint64_t rotate64(uint64_t v, unsigned bits) {
    return v << bits | v >> (64 - bits);
}

static uint64_t murmur_scramble_low(uint64_t k) {
    return rotate64(k * 0x87C37B91114253D5U, 31) * 0x4CF5AD432745937FU;
}

static uint64_t murmur_scramble_high(uint64_t k) {
    return rotate64(k * 0x4CF5AD432745937FU, 33) * 0x87C37B91114253D5U;
}

static uint64_t murmur_finish64(uint64_t hash) {
    hash ^= hash >> 33;
    hash *= 0xFF51AFD7ED558CCDU;
    hash ^= hash >> 33;
    hash *= 0xC4CEB9FE1A85EC53U;
    return hash ^ (hash >> 33);
}

void nilas_murmur3_128(const void *data, size_t size, uint64_t seed, uint64_t out[2]) {
    const uint8_t *bytes = data;
    uint64_t low = seed, high = seed;
    uint64_t tail[2] = {0};
    size_t at = 0;

    for (; at + 16 <= size; at += 16) {
        low ^= murmur_scramble_low(read64(bytes + at));
        low = (rotate64(low, 27) + high) * 5 + 0x52DCE729U;
        high ^= murmur_scramble_high(read64(bytes + at + 8));
        high = (rotate64(high, 31) + low) * 5 + 0x38495AB5U;
    }
    for (size_t i = size; i > at; i--) {
        uint64_t *half = &tail[i - 1 - at >= 8];
        *half = *half << 8 | bytes[i - 1];
    }
    high ^= murmur_scramble_high(tail[1]);
    low ^= murmur_scramble_low(tail[0]);
    low ^= (uint64_t)size;
    high ^= (uint64_t)size;
    low += high;
    high += low;
    low = murmur_finish64(low);
    high = murmur_finish64(high);
    out[0] = low + high;
    out[1] = out[0] + high;
}

uint32_t nilas_spark_murmur3_bytes(const void *data, size_t size, uint32_t seed) {
    const uint8_t *bytes = data;
    uint32_t hash = seed;
    size_t at = 0;

    for (; at + 4 <= size; at += 4) {
        hash = murmur_mix(hash, read32(bytes + at));
    }
    for (; at < size; at++) {
        hash = murmur_mix(hash, (uint32_t)(int32_t)(int8_t)bytes[at]);
    }
    return murmur_finish(hash, (uint32_t)size);
}

uint32_t nilas_spark_murmur3_int(int32_t v, uint32_t seed) {
    return murmur_finish(murmur_mix(seed, (uint32_t)v), 4);
}

uint32_t nilas_spark_murmur3_long(int64_t v, uint32_t seed) {
    uint32_t hash = murmur_mix(seed, (uint32_t)(uint64_t)v);
    return murmur_finish(murmur_mix(hash, (uint32_t)((uint64_t)v >> 32)), 8);
}

// ---- xxhash64 -----------------------------------------------------------------------------------

#define XX_1 0x9E3779B185EBCA87ULL
#define XX_2 0xC2B2AE3D27D4EB4FULL
#define XX_3 0x165667B19E3779F9ULL
#define XX_4 0x85EBCA77C2B2AE63ULL
#define XX_5 0x27D4EB2F165667C5ULL

static uint64_t xx_round(uint64_t lane, uint64_t word) {
    return rotate64(lane + word * XX_2, 31) * XX_1;
}

static uint64_t xx_word8(uint64_t hash, uint64_t word) {
    return rotate64(hash ^ xx_round(0, word), 27) * XX_1 + XX_4;
}

static uint64_t xx_word4(uint64_t hash, uint32_t word) {
    return rotate64(hash ^ word * XX_1, 23) * XX_2 + XX_3;
}

static uint64_t xx_finish(uint64_t hash) {
    hash ^= hash >> 33;
    hash *= XX_2;
    hash ^= hash >> 29;
    hash *= XX_3;
    return hash ^ (hash >> 32);
}

/** Whole stripes of 32 bytes over four lanes. */
static uint64_t xx_stripes(const uint8_t *bytes, size_t size, uint64_t seed) {
    uint64_t lanes[4] = {seed + XX_1 + XX_2, seed + XX_2, seed, seed - XX_1};

    for (size_t at = 0; at + 32 <= size; at += 32) {
        for (size_t i = 0; i < 4; i++) {
            lanes[i] = xx_round(lanes[i], read64(bytes + at + 8 * i));
        }
    }
    uint64_t hash = rotate64(lanes[0], 1) + rotate64(lanes[1], 7) + rotate64(lanes[2], 12) +
                    rotate64(lanes[3], 18);
    for (size_t i = 0; i < 4; i++) {
        hash = (hash ^ xx_round(0, lanes[i])) * XX_1 + XX_4;
    }
    return hash;
}

uint64_t nilas_spark_xxhash64_bytes(const void *data, size_t size, uint64_t seed) {
    const uint8_t *bytes = data;
    uint64_t hash = size >= 32 ? xx_stripes(bytes, size, seed) : seed + XX_5;
    size_t at = size - size % 32;

    hash += size;
    for (; at + 8 <= size; at += 8) {
        hash = xx_word8(hash, read64(bytes + at));
    }
    if (at + 4 <= size) {
        hash = xx_word4(hash, read32(bytes + at));
        at += 4;
    }
    for (; at < size; at++) {
        hash = rotate64(hash ^ bytes[at] * XX_5, 11) * XX_1;
    }
    return xx_finish(hash);
}

uint64_t nilas_spark_xxhash64_int(int32_t v, uint64_t seed) {
    return xx_finish(xx_word4(seed + XX_5 + 4, (uint32_t)v));
}

uint64_t nilas_spark_xxhash64_long(int64_t v, uint64_t seed) {
    return xx_finish(xx_word8(seed + XX_5 + 8, (uint64_t)v));
}

uint32_t nilas_crc32(const void *data, size_t size) {
    // Without a pointer libdeflate gives the starting value instead of the sum of nothing; both are
    // 0 here.
    return data != NULL ? libdeflate_crc32(0, data, size) : 0;
}
