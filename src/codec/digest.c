/*
 * MD5, SHA-1 and SHA-2 over whole buffers. One shape for all: blocks of 64 (or 128) bytes through a
 * compression function, then the padded tail. None of them guards a secret here; SQL has functions
 * by these names.
 */
#include "codec/hash.h"

typedef void compress_block(void *state, const uint8_t *block);

static uint32_t rotate_left(uint32_t v, unsigned bits) {
    return v << bits | v >> (32 - bits);
}
static uint32_t rotate_right(uint32_t v, unsigned bits) {
    return v >> bits | v << (32 - bits);
}
static uint64_t rotate_right64(uint64_t v, unsigned bits) {
    return v >> bits | v << (64 - bits);
}

static uint32_t read32be(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3];
}

static uint32_t read32le(const uint8_t *at) {
    return __builtin_bswap32(read32be(at));
}

static uint64_t read64be(const uint8_t *at) {
    return (uint64_t)read32be(at) << 32 | read32be(at + 4);
}

/** Big-endian bytes of the words' first `size` bytes. */
static void write32be(const uint32_t *words, size_t size, uint8_t *out) {
    for (size_t i = 0; i < size; i++) {
        out[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
    }
}

/**
 * Feed all blocks, then 0x80, zeros and the size in bits, which takes the last 8 (of 64) or 16 (of
 * 128) bytes.
 */
static void digest_all(void *state, compress_block *compress, size_t block_size, bool big_endian,
                       nilas_str input) {
    const uint8_t *bytes = (const uint8_t *)input.data;
    size_t whole = input.size - input.size % block_size;
    size_t rest = input.size - whole;
    uint8_t tail[256] = {0};
    size_t length_size = block_size / 8;
    size_t tail_size = rest + 1 + length_size <= block_size ? block_size : 2 * block_size;
    uint64_t bits = (uint64_t)input.size * 8;

    nilas_assert(tail_size <= sizeof(tail));
    for (size_t at = 0; at < whole; at += block_size) {
        compress(state, bytes + at);
    }
    if (rest != 0) {
        memcpy(tail, bytes + whole, rest);
    }
    tail[rest] = 0x80;
    for (size_t i = 0; i < 8; i++) {
        size_t at = big_endian ? tail_size - 1 - i : tail_size - 8 + i;
        tail[at] = (uint8_t)(bits >> (8 * i));
    }
    for (size_t at = 0; at < tail_size; at += block_size) {
        compress(state, tail + at);
    }
}

// ---- MD5 ----------------------------------------------------------------------------------------

static const uint32_t md5_sines[64] = {
    0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613, 0xFD469501,
    0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193, 0xA679438E, 0x49B40821,
    0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D, 0x02441453, 0xD8A1E681, 0xE7D3FBC8,
    0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED, 0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A,
    0xFFFA3942, 0x8771F681, 0x6D9D6122, 0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70,
    0x289B7EC6, 0xEAA127FA, 0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665,
    0xF4292244, 0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
    0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB, 0xEB86D391,
};

static void md5_block(void *state, const uint8_t *block) {
    static const uint8_t turns[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    uint32_t *sum = state;
    uint32_t a = sum[0];
    uint32_t b = sum[1];
    uint32_t c = sum[2];
    uint32_t d = sum[3];

    for (uint32_t i = 0; i < 64; i++) {
        uint32_t f;
        uint32_t word;
        if (i < 16) {
            f = (b & c) | (~b & d);
            word = i;
        } else if (i < 32) {
            f = (d & b) | (~d & c);
            word = (5 * i + 1) % 16;
        } else if (i < 48) {
            f = b ^ c ^ d;
            word = (3 * i + 5) % 16;
        } else {
            f = c ^ (b | ~d);
            word = (7 * i) % 16;
        }
        f += a + md5_sines[i] + read32le(block + 4 * word);
        a = d;
        d = c;
        c = b;
        b += rotate_left(f, turns[i / 16][i % 4]);
    }
    sum[0] += a;
    sum[1] += b;
    sum[2] += c;
    sum[3] += d;
}

void nilas_md5(const void *data, size_t size, uint8_t out[16]) {
    uint32_t sum[4] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};

    digest_all(sum, md5_block, 64, false, (nilas_str){.data = data, .size = size});
    for (size_t i = 0; i < 4; i++) {
        sum[i] = __builtin_bswap32(sum[i]);
    }
    write32be(sum, 16, out);
}

// ---- SHA-1 --------------------------------------------------------------------------------------

static void sha1_block(void *state, const uint8_t *block) {
    uint32_t *sum = state;
    uint32_t w[80];
    uint32_t v[5];

    for (size_t i = 0; i < 80; i++) {
        w[i] = i < 16 ? read32be(block + 4 * i)
                      : rotate_left(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    memcpy(v, sum, sizeof(v));
    for (size_t i = 0; i < 80; i++) {
        uint32_t f;
        if (i < 20) {
            f = ((v[1] & v[2]) | (~v[1] & v[3])) + 0x5A827999;
        } else if (i < 40) {
            f = (v[1] ^ v[2] ^ v[3]) + 0x6ED9EBA1;
        } else if (i < 60) {
            f = ((v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3])) + 0x8F1BBCDC;
        } else {
            f = (v[1] ^ v[2] ^ v[3]) + 0xCA62C1D6;
        }
        uint32_t next = rotate_left(v[0], 5) + f + v[4] + w[i];
        v[4] = v[3];
        v[3] = v[2];
        v[2] = rotate_left(v[1], 30);
        v[1] = v[0];
        v[0] = next;
    }
    for (size_t i = 0; i < 5; i++) {
        sum[i] += v[i];
    }
}

void nilas_sha1(const void *data, size_t size, uint8_t out[20]) {
    uint32_t sum[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};

    digest_all(sum, sha1_block, 64, true, (nilas_str){.data = data, .size = size});
    write32be(sum, 20, out);
}

// ---- SHA-2 --------------------------------------------------------------------------------------

/* Of SHA-512; SHA-256 uses the upper halves of the first 64. */
static const uint64_t sha2_keys[80] = {
    0x428A2F98D728AE22ULL, 0x7137449123EF65CDULL, 0xB5C0FBCFEC4D3B2FULL, 0xE9B5DBA58189DBBCULL,
    0x3956C25BF348B538ULL, 0x59F111F1B605D019ULL, 0x923F82A4AF194F9BULL, 0xAB1C5ED5DA6D8118ULL,
    0xD807AA98A3030242ULL, 0x12835B0145706FBEULL, 0x243185BE4EE4B28CULL, 0x550C7DC3D5FFB4E2ULL,
    0x72BE5D74F27B896FULL, 0x80DEB1FE3B1696B1ULL, 0x9BDC06A725C71235ULL, 0xC19BF174CF692694ULL,
    0xE49B69C19EF14AD2ULL, 0xEFBE4786384F25E3ULL, 0x0FC19DC68B8CD5B5ULL, 0x240CA1CC77AC9C65ULL,
    0x2DE92C6F592B0275ULL, 0x4A7484AA6EA6E483ULL, 0x5CB0A9DCBD41FBD4ULL, 0x76F988DA831153B5ULL,
    0x983E5152EE66DFABULL, 0xA831C66D2DB43210ULL, 0xB00327C898FB213FULL, 0xBF597FC7BEEF0EE4ULL,
    0xC6E00BF33DA88FC2ULL, 0xD5A79147930AA725ULL, 0x06CA6351E003826FULL, 0x142929670A0E6E70ULL,
    0x27B70A8546D22FFCULL, 0x2E1B21385C26C926ULL, 0x4D2C6DFC5AC42AEDULL, 0x53380D139D95B3DFULL,
    0x650A73548BAF63DEULL, 0x766A0ABB3C77B2A8ULL, 0x81C2C92E47EDAEE6ULL, 0x92722C851482353BULL,
    0xA2BFE8A14CF10364ULL, 0xA81A664BBC423001ULL, 0xC24B8B70D0F89791ULL, 0xC76C51A30654BE30ULL,
    0xD192E819D6EF5218ULL, 0xD69906245565A910ULL, 0xF40E35855771202AULL, 0x106AA07032BBD1B8ULL,
    0x19A4C116B8D2D0C8ULL, 0x1E376C085141AB53ULL, 0x2748774CDF8EEB99ULL, 0x34B0BCB5E19B48A8ULL,
    0x391C0CB3C5C95A63ULL, 0x4ED8AA4AE3418ACBULL, 0x5B9CCA4F7763E373ULL, 0x682E6FF3D6B2B8A3ULL,
    0x748F82EE5DEFB2FCULL, 0x78A5636F43172F60ULL, 0x84C87814A1F0AB72ULL, 0x8CC702081A6439ECULL,
    0x90BEFFFA23631E28ULL, 0xA4506CEBDE82BDE9ULL, 0xBEF9A3F7B2C67915ULL, 0xC67178F2E372532BULL,
    0xCA273ECEEA26619CULL, 0xD186B8C721C0C207ULL, 0xEADA7DD6CDE0EB1EULL, 0xF57D4F7FEE6ED178ULL,
    0x06F067AA72176FBAULL, 0x0A637DC5A2C898A6ULL, 0x113F9804BEF90DAEULL, 0x1B710B35131C471BULL,
    0x28DB77F523047D84ULL, 0x32CAAB7B40C72493ULL, 0x3C9EBE0A15C9BEBCULL, 0x431D67C49C100D4CULL,
    0x4CC5D4BECB3E42B6ULL, 0x597F299CFC657E2AULL, 0x5FCB6FAB3AD6FAECULL, 0x6C44198C4A475817ULL,
};

static void sha256_block(void *state, const uint8_t *block) {
    uint32_t *sum = state;
    uint32_t w[64];
    uint32_t v[8];

    for (size_t i = 0; i < 64; i++) {
        if (i < 16) {
            w[i] = read32be(block + 4 * i);
            continue;
        }
        uint32_t a = w[i - 15];
        uint32_t b = w[i - 2];
        w[i] = w[i - 16] + (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
    }
    memcpy(v, sum, sizeof(v));
    for (size_t i = 0; i < 64; i++) {
        uint32_t high = (rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25)) +
                        ((v[4] & v[5]) ^ (~v[4] & v[6])) + v[7] + (uint32_t)(sha2_keys[i] >> 32) +
                        w[i];
        uint32_t low = (rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22)) +
                       ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof(v[0]));
        v[4] += high;
        v[0] = high + low;
    }
    for (size_t i = 0; i < 8; i++) {
        sum[i] += v[i];
    }
}

static void sha512_block(void *state, const uint8_t *block) {
    uint64_t *sum = state;
    uint64_t w[80];
    uint64_t v[8];

    for (size_t i = 0; i < 80; i++) {
        if (i < 16) {
            w[i] = read64be(block + 8 * i);
            continue;
        }
        uint64_t a = w[i - 15];
        uint64_t b = w[i - 2];
        w[i] = w[i - 16] + (rotate_right64(a, 1) ^ rotate_right64(a, 8) ^ a >> 7) + w[i - 7] +
               (rotate_right64(b, 19) ^ rotate_right64(b, 61) ^ b >> 6);
    }
    memcpy(v, sum, sizeof(v));
    for (size_t i = 0; i < 80; i++) {
        uint64_t high =
            (rotate_right64(v[4], 14) ^ rotate_right64(v[4], 18) ^ rotate_right64(v[4], 41)) +
            ((v[4] & v[5]) ^ (~v[4] & v[6])) + v[7] + sha2_keys[i] + w[i];
        uint64_t low =
            (rotate_right64(v[0], 28) ^ rotate_right64(v[0], 34) ^ rotate_right64(v[0], 39)) +
            ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof(v[0]));
        v[4] += high;
        v[0] = high + low;
    }
    for (size_t i = 0; i < 8; i++) {
        sum[i] += v[i];
    }
}

void nilas_sha2(int bits, const void *data, size_t size, uint8_t *out) {
    static const uint32_t start_224[8] = {0xC1059ED8, 0x367CD507, 0x3070DD17, 0xF70E5939,
                                          0xFFC00B31, 0x68581511, 0x64F98FA7, 0xBEFA4FA4};
    static const uint32_t start_256[8] = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                          0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
    static const uint64_t start_384[8] = {
        0xCBBB9D5DC1059ED8ULL, 0x629A292A367CD507ULL, 0x9159015A3070DD17ULL, 0x152FECD8F70E5939ULL,
        0x67332667FFC00B31ULL, 0x8EB44A8768581511ULL, 0xDB0C2E0D64F98FA7ULL, 0x47B5481DBEFA4FA4ULL};
    static const uint64_t start_512[8] = {
        0x6A09E667F3BCC908ULL, 0xBB67AE8584CAA73BULL, 0x3C6EF372FE94F82BULL, 0xA54FF53A5F1D36F1ULL,
        0x510E527FADE682D1ULL, 0x9B05688C2B3E6C1FULL, 0x1F83D9ABFB41BD6BULL, 0x5BE0CD19137E2179ULL};
    nilas_str input = {.data = data, .size = size};

    nilas_assert(bits == 224 || bits == 256 || bits == 384 || bits == 512);
    if (bits <= 256) {
        uint32_t sum[8];
        memcpy(sum, bits == 224 ? start_224 : start_256, sizeof(sum));
        digest_all(sum, sha256_block, 64, true, input);
        write32be(sum, (size_t)bits / 8, out);
        return;
    }
    uint64_t sum[8];
    memcpy(sum, bits == 384 ? start_384 : start_512, sizeof(sum));
    digest_all(sum, sha512_block, 128, true, input);
    for (size_t i = 0; i < (size_t)bits / 8; i++) {
        out[i] = (uint8_t)(sum[i / 8] >> (56 - 8 * (i % 8)));
    }
}
