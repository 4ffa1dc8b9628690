/**
 * AES (FIPS 197), ECB and CBC with PKCS padding, GCM (SP 800-38D). Byte by byte, as the standards
 * tell it: short texts in columns, not bulk.
 */
#include "engine/cipher.h"

#define BLOCK 16

static const uint8_t sbox[256] = {
    0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
    0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0,
    0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
    0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75,
    0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84,
    0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
    0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8,
    0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2,
    0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
    0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb,
    0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
    0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
    0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a,
    0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e,
    0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
    0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16,
};

static uint8_t times_two(uint8_t a) {
    return (uint8_t)((a << 1) ^ ((a >> 7) * 0x1b));
}

bool nilas_aes__init(nilas_aes *aes, nilas_str key) {
    uint8_t constant = 1;
    if (key.size != 16 && key.size != 24 && key.size != 32) {
        return false;
    }
    int words = (int)key.size / 4;
    aes->rounds = words + 6;
    memcpy(aes->round_keys, key.data, key.size);
    for (int i = words; i < 4 * (aes->rounds + 1); i++) {
        uint8_t word[4];
        memcpy(word, aes->round_keys + 4 * (i - 1), 4);
        if (i % words == 0) {
            uint8_t first = word[0];
            word[0] = sbox[word[1]] ^ constant;
            word[1] = sbox[word[2]];
            word[2] = sbox[word[3]];
            word[3] = sbox[first];
            constant = times_two(constant);
        } else if (words > 6 && i % words == 4) {
            for (int k = 0; k < 4; k++) {
                word[k] = sbox[word[k]];
            }
        }
        for (int k = 0; k < 4; k++) {
            aes->round_keys[4 * i + k] = aes->round_keys[4 * (i - words) + k] ^ word[k];
        }
    }
    return true;
}

static void add_round_key(const nilas_aes *aes, uint8_t block[BLOCK], int round) {
    for (int i = 0; i < BLOCK; i++) {
        block[i] ^= aes->round_keys[BLOCK * round + i];
    }
}

/** Substitute and shift the rows. */
static void substitute(uint8_t block[BLOCK]) {
    uint8_t old[BLOCK];
    memcpy(old, block, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
        block[i] = sbox[old[(i + 4 * (i % 4)) % BLOCK]];
    }
}

static void mix_columns(uint8_t block[BLOCK]) {
    for (int c = 0; c < BLOCK; c += 4) {
        uint8_t first = block[c];
        uint8_t all = block[c] ^ block[c + 1] ^ block[c + 2] ^ block[c + 3];
        for (int i = 0; i < 4; i++) {
            uint8_t next = i < 3 ? block[c + i + 1] : first;
            block[c + i] = (uint8_t)(block[c + i] ^ all ^ times_two(block[c + i] ^ next));
        }
    }
}

static void encrypt_block(const nilas_aes *aes, uint8_t block[BLOCK]) {
    add_round_key(aes, block, 0);
    for (int round = 1; round <= aes->rounds; round++) {
        substitute(block);
        if (round < aes->rounds) {
            mix_columns(block);
        }
        add_round_key(aes, block, round);
    }
}

static void unsubstitute(uint8_t block[BLOCK]) {
    uint8_t old[BLOCK];
    memcpy(old, block, BLOCK);
    for (int i = 0; i < BLOCK; i++) {
        int value = 0;
        while (sbox[value] != old[i]) {
            value++;
        }
        block[(i + 4 * (i % 4)) % BLOCK] = (uint8_t)value;
    }
}

static void decrypt_block(const nilas_aes *aes, uint8_t block[BLOCK]) {
    for (int round = aes->rounds; round > 0; round--) {
        add_round_key(aes, block, round);
        if (round < aes->rounds) {
            mix_columns(block);
            mix_columns(block);
            mix_columns(block); // mixing four times is the identity
        }
        unsubstitute(block);
    }
    add_round_key(aes, block, 0);
}

static void xor_bytes(uint8_t *block, const void *other, size_t size) {
    for (size_t i = 0; i < size; i++) {
        block[i] ^= ((const uint8_t *)other)[i];
    }
}

/* --- ECB and CBC: `iv` NULL is ECB --- */

static void encrypt_padded(const nilas_aes *aes, const char *iv, nilas_str text, nilas_buf *out) {
    uint8_t block[BLOCK], chain[BLOCK] = {0};
    if (iv != NULL) {
        memcpy(chain, iv, BLOCK);
    }
    for (size_t at = 0; at <= text.size; at += BLOCK) {
        nilas_str part = nilas_str_slice(text, at, BLOCK);
        memset(block, (int)(BLOCK - part.size), BLOCK);
        memcpy(block, part.data, part.size);
        if (iv != NULL) {
            xor_bytes(block, chain, BLOCK);
        }
        encrypt_block(aes, block);
        memcpy(chain, block, BLOCK);
        nilas_buf_add_bytes(out, block, BLOCK);
    }
}

static bool decrypt_padded(const nilas_aes *aes, const char *iv, nilas_str bytes, nilas_buf *out) {
    uint8_t block[BLOCK];
    const char *chain = iv;
    if (bytes.size == 0 || bytes.size % BLOCK != 0) {
        return false;
    }
    for (size_t at = 0; at < bytes.size; at += BLOCK) {
        memcpy(block, bytes.data + at, BLOCK);
        decrypt_block(aes, block);
        if (iv != NULL) {
            xor_bytes(block, chain, BLOCK);
            chain = bytes.data + at;
        }
        nilas_buf_add_bytes(out, block, BLOCK);
    }
    uint8_t padding = block[BLOCK - 1];
    bool good = padding >= 1 && padding <= BLOCK;
    for (int i = 0; good && i < padding; i++) {
        good = block[BLOCK - 1 - i] == padding;
    }
    if (good && out->size >= padding) {
        nilas_buf_truncate(out, out->size - padding);
    }
    return good;
}

void nilas_aes__encrypt_ecb(const nilas_aes *aes, nilas_str text, nilas_buf *out) {
    encrypt_padded(aes, NULL, text, out);
}

bool nilas_aes__decrypt_ecb(const nilas_aes *aes, nilas_str bytes, nilas_buf *out) {
    return decrypt_padded(aes, NULL, bytes, out);
}

void nilas_aes__encrypt_cbc(const nilas_aes *aes, nilas_str iv, nilas_str text, nilas_buf *out) {
    nilas_assert(iv.size == BLOCK);
    encrypt_padded(aes, iv.data, text, out);
}

bool nilas_aes__decrypt_cbc(const nilas_aes *aes, nilas_str iv, nilas_str bytes, nilas_buf *out) {
    nilas_assert(iv.size == BLOCK);
    return decrypt_padded(aes, iv.data, bytes, out);
}

/* --- GCM --- */

typedef struct gcm {
    const nilas_aes *aes;
    uint8_t key[BLOCK]; // H
    uint8_t hash[BLOCK];
    uint8_t first[BLOCK]; // the counter block that masks the tag
    uint8_t counter[BLOCK];
} gcm;

/** hash = hash * H in GF(2^128) */
static void multiply(gcm *g) {
    uint8_t product[BLOCK] = {0}, factor[BLOCK];
    memcpy(factor, g->key, BLOCK);
    for (int bit = 0; bit < 128; bit++) {
        if ((g->hash[bit / 8] >> (7 - bit % 8)) & 1) {
            xor_bytes(product, factor, BLOCK);
        }
        uint8_t carry = factor[BLOCK - 1] & 1;
        for (int i = BLOCK - 1; i > 0; i--) {
            factor[i] = (uint8_t)((factor[i] >> 1) | (factor[i - 1] << 7));
        }
        factor[0] = (uint8_t)((factor[0] >> 1) ^ (carry * 0xe1));
    }
    memcpy(g->hash, product, BLOCK);
}

static void hash_bytes(gcm *g, nilas_str bytes) {
    for (size_t at = 0; at < bytes.size; at += BLOCK) {
        nilas_str part = nilas_str_slice(bytes, at, BLOCK);
        xor_bytes(g->hash, part.data, part.size);
        multiply(g);
    }
}

static void start_gcm(gcm *g, const nilas_aes *aes, nilas_str iv, nilas_str aad) {
    nilas_assert(iv.size == 12);
    *g = (gcm){.aes = aes};
    encrypt_block(aes, g->key);
    memcpy(g->first, iv.data, iv.size);
    g->first[BLOCK - 1] = 1;
    memcpy(g->counter, g->first, BLOCK);
    hash_bytes(g, aad);
}

/** Encrypt or decrypt: both add the key stream. */
static void add_stream(gcm *g, nilas_str text, nilas_buf *out) {
    for (size_t at = 0; at < text.size; at += BLOCK) {
        uint8_t block[BLOCK];
        nilas_str part = nilas_str_slice(text, at, BLOCK);
        for (int i = BLOCK - 1; i >= 12 && ++g->counter[i] == 0; i--) {
        }
        memcpy(block, g->counter, BLOCK);
        encrypt_block(g->aes, block);
        xor_bytes(block, part.data, part.size);
        nilas_buf_add_bytes(out, block, part.size);
    }
}

static void finish_gcm(gcm *g, size_t aad_size, size_t text_size, uint8_t tag[BLOCK]) {
    uint64_t sizes[2] = {__builtin_bswap64((uint64_t)aad_size * 8),
                         __builtin_bswap64((uint64_t)text_size * 8)};
    hash_bytes(g, (nilas_str){.data = (const char *)sizes, .size = BLOCK});
    memcpy(tag, g->first, BLOCK);
    encrypt_block(g->aes, tag);
    xor_bytes(tag, g->hash, BLOCK);
}

void nilas_aes__encrypt_gcm(const nilas_aes *aes, nilas_str iv, nilas_str aad, nilas_str text,
                            nilas_buf *out) {
    gcm g;
    uint8_t tag[BLOCK];
    size_t before = out->size;
    start_gcm(&g, aes, iv, aad);
    add_stream(&g, text, out);
    nilas_str encrypted = nilas_buf_view(out);
    hash_bytes(&g, nilas_str_slice(encrypted, before, encrypted.size));
    finish_gcm(&g, aad.size, text.size, tag);
    nilas_buf_add_bytes(out, tag, BLOCK);
}

bool nilas_aes__decrypt_gcm(const nilas_aes *aes, nilas_str iv, nilas_str aad, nilas_str bytes,
                            nilas_buf *out) {
    gcm g;
    uint8_t tag[BLOCK];
    if (bytes.size < BLOCK) {
        return false;
    }
    nilas_str text = nilas_str_slice(bytes, 0, bytes.size - BLOCK);
    start_gcm(&g, aes, iv, aad);
    hash_bytes(&g, text);
    add_stream(&g, text, out);
    finish_gcm(&g, aad.size, text.size, tag);
    return memcmp(tag, bytes.data + text.size, BLOCK) == 0;
}
