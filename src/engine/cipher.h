/** AES with Spark's three modes. For compatibility with data that Spark encrypted, not for secrets.
 *  */
#ifndef NILAS_ENGINE_CIPHER_H
#define NILAS_ENGINE_CIPHER_H

#include "base/base.h"

typedef struct nilas_aes {
    uint8_t round_keys[240];
    int rounds;
} nilas_aes;

/** False unless the key has 16, 24 or 32 bytes. */
bool nilas_aes__init(nilas_aes *aes, nilas_str key);
/** ECB with PKCS padding. Decryption is false when size or padding is wrong. */
void nilas_aes__encrypt_ecb(const nilas_aes *aes, nilas_str text, nilas_buf *out);
bool nilas_aes__decrypt_ecb(const nilas_aes *aes, nilas_str bytes, nilas_buf *out);
/** CBC with PKCS padding; `iv` has 16 bytes and is not written. */
void nilas_aes__encrypt_cbc(const nilas_aes *aes, nilas_str iv, nilas_str text, nilas_buf *out);
bool nilas_aes__decrypt_cbc(const nilas_aes *aes, nilas_str iv, nilas_str bytes, nilas_buf *out);
/** GCM; `iv` has 12 bytes; the tag of 16 stands behind the text. */
void nilas_aes__encrypt_gcm(const nilas_aes *aes, nilas_str iv, nilas_str aad, nilas_str text,
                            nilas_buf *out);
bool nilas_aes__decrypt_gcm(const nilas_aes *aes, nilas_str iv, nilas_str aad, nilas_str bytes,
                            nilas_buf *out);

#endif
