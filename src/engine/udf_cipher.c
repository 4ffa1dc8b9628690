/** aes_encrypt and aes_decrypt. */
#include <sys/random.h>

#include "engine/cipher.h"
#include "engine/udf_row.h"

typedef enum mode { MODE_NONE, MODE_ECB, MODE_CBC, MODE_GCM } mode;

static const char *function_name(const nilas_row *row) {
    return row->udf->extra == 0 ? "aes_encrypt" : "aes_decrypt";
}

/** Mode and padding go together: only GCM has none. */
static mode find_mode(nilas_row *row) {
    nilas_str name = nilas_row__text(row, 2);
    nilas_str padding = nilas_row__text(row, 3);
    bool by_default = nilas_str_is_nocase(padding, "DEFAULT");
    bool pkcs = by_default || nilas_str_is_nocase(padding, "PKCS");
    bool none = by_default || nilas_str_is_nocase(padding, "NONE");
    if (nilas_str_is_nocase(name, "GCM") && none) {
        return MODE_GCM;
    }
    if (nilas_str_is_nocase(name, "CBC") && pkcs) {
        return MODE_CBC;
    }
    if (nilas_str_is_nocase(name, "ECB") && pkcs) {
        return MODE_ECB;
    }
    nilas_row__fail(row, "UNSUPPORTED_FEATURE.AES_MODE",
                    "The feature is not supported: AES-%.*s with the padding %.*s by the `%s` "
                    "function.",
                    NILAS_FMT(name), NILAS_FMT(padding), function_name(row));
    return MODE_NONE;
}

static bool start(nilas_row *row, nilas_aes *aes, mode *out_mode) {
    nilas_str key = nilas_row__text(row, 1);
    if (!nilas_aes__init(aes, key)) {
        nilas_row__fail(
            row, "INVALID_PARAMETER_VALUE.AES_KEY_LENGTH",
            "The value of parameter(s) `key` in `%s` is invalid: expects a binary value "
            "with 16, 24 or 32 bytes, but got %zu bytes.",
            function_name(row), key.size);
        return false;
    }
    *out_mode = find_mode(row);
    return *out_mode != MODE_NONE;
}

/** (bytes, key, mode, padding, aad): the initialization vector stands before the bytes. */
static void decrypt(nilas_row *row) {
    nilas_aes aes;
    mode m;
    nilas_str bytes = nilas_row__text(row, 0);
    bool good = false;
    if (!start(row, &aes, &m)) {
        return;
    }
    size_t size = m == MODE_GCM ? 12 : m == MODE_CBC ? 16 : 0;
    nilas_str iv = nilas_str_slice(bytes, 0, size);
    nilas_str rest = nilas_str_slice(bytes, size, bytes.size);
    if (bytes.size >= size) {
        good = m == MODE_ECB ? nilas_aes__decrypt_ecb(&aes, rest, row->text)
               : m == MODE_CBC
                   ? nilas_aes__decrypt_cbc(&aes, iv, rest, row->text)
                   : nilas_aes__decrypt_gcm(&aes, iv, nilas_row__text(row, 4), rest, row->text);
    }
    if (!good) {
        nilas_row__fail(row, "INVALID_PARAMETER_VALUE.AES_CRYPTO_ERROR",
                        "The value of parameter(s) `expr, key` in `aes_decrypt` is invalid: detail "
                        "message: the bytes do not decrypt with this key.");
        return;
    }
    nilas_row__set_buffer(row);
}

/** The vector given, or a random one of the mode's size; false when the given one has another size.
 *  */
static bool make_iv(nilas_row *row, size_t size, char iv[16]) {
    nilas_str given = nilas_row__text(row, 4);
    if (given.size == 0) {
        return getrandom(iv, size, 0) == (ssize_t)size;
    }
    if (given.size != size) {
        nilas_row__fail(
            row, "INVALID_PARAMETER_VALUE.AES_IV_LENGTH",
            "The value of parameter(s) `iv` in `aes_encrypt` is invalid: supports %zu-byte "
            "initialization vectors, but got %zu bytes.",
            size, given.size);
        return false;
    }
    memcpy(iv, given.data, size);
    return true;
}

/** (text, key, mode, padding, iv, aad) */
static void encrypt(nilas_row *row) {
    nilas_aes aes;
    mode m;
    char iv[16];
    nilas_str text = nilas_row__text(row, 0);
    if (!start(row, &aes, &m)) {
        return;
    }
    if (m == MODE_ECB) {
        nilas_aes__encrypt_ecb(&aes, text, row->text);
        nilas_row__set_buffer(row);
        return;
    }
    size_t size = m == MODE_GCM ? 12 : 16;
    if (!make_iv(row, size, iv)) {
        return;
    }
    nilas_str vector = {.data = iv, .size = size};
    nilas_buf_add(row->text, vector);
    if (m == MODE_CBC) {
        nilas_aes__encrypt_cbc(&aes, vector, text, row->text);
    } else {
        nilas_aes__encrypt_gcm(&aes, vector, nilas_row__text(row, 5), text, row->text);
    }
    nilas_row__set_buffer(row);
}

const nilas_udf nilas_engine__cipher_functions[] = {
    {"nilas_aes_encrypt", "xxssxx>x", encrypt, NILAS_UDF_VOLATILE, 0},
    {"nilas_aes_decrypt", "xxssx>x", decrypt, 0, 1},
    {NULL, NULL, NULL, 0, 0},
};
