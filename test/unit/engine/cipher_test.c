/** AES against the standards' own vectors. */
#include "engine/cipher.h"
#include "test.h"

static nilas_str bytes_of(nilas_buf *out, const char *hex) {
    nilas_buf_clear(out);
    for (size_t i = 0; hex[i] != '\0'; i += 2) {
        char pair[3] = {hex[i], hex[i + 1], '\0'};
        nilas_buf_add_char(out, (char)strtoul(pair, NULL, 16));
    }
    return nilas_buf_view(out);
}

/** FIPS 197, appendix C: one block, and its padding behind. */
static void check_block(const char *key_hex, const char *expected) {
    NILAS_AUTO_BUF key = {0};
    NILAS_AUTO_BUF text = {0};
    NILAS_AUTO_BUF wanted = {0};
    NILAS_AUTO_BUF out = {0};
    NILAS_AUTO_BUF back = {0};
    nilas_aes aes;
    REQUIRE(nilas_aes__init(&aes, bytes_of(&key, key_hex)));
    nilas_aes__encrypt_ecb(&aes, bytes_of(&text, "00112233445566778899aabbccddeeff"), &out);
    CHECK_INT(out.size, 32);
    CHECK_BYTES(nilas_str_slice(nilas_buf_view(&out), 0, 16), bytes_of(&wanted, expected));
    CHECK(nilas_aes__decrypt_ecb(&aes, nilas_buf_view(&out), &back));
    CHECK_BYTES(nilas_buf_view(&back), nilas_buf_view(&text));
}

NILAS_TEST(blocks_of_the_standard) {
    check_block("000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a");
    check_block("000102030405060708090a0b0c0d0e0f1011121314151617",
                "dda97ca4864cdfe06eaf70a0ec0d7191");
    check_block("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
                "8ea2b7ca516745bfeafc49904b496089");
}

/** The GCM specification's test case 4. */
NILAS_TEST(gcm_with_additional_data) {
    NILAS_AUTO_BUF key = {0};
    NILAS_AUTO_BUF iv = {0};
    NILAS_AUTO_BUF aad = {0};
    NILAS_AUTO_BUF text = {0};
    NILAS_AUTO_BUF wanted = {0};
    NILAS_AUTO_BUF out = {0};
    NILAS_AUTO_BUF back = {0};
    nilas_aes aes;
    REQUIRE(nilas_aes__init(&aes, bytes_of(&key, "feffe9928665731c6d6a8f9467308308")));
    bytes_of(&iv, "cafebabefacedbaddecaf888");
    bytes_of(&aad, "feedfacedeadbeeffeedfacedeadbeefabaddad2");
    bytes_of(&text, "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809"
                    "532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
    nilas_aes__encrypt_gcm(&aes, nilas_buf_view(&iv), nilas_buf_view(&aad), nilas_buf_view(&text),
                           &out);
    CHECK_BYTES(nilas_buf_view(&out),
                bytes_of(&wanted, "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                                  "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
                                  "5bc94fbc3221a5db94fae95ae7121a47"));
    CHECK(nilas_aes__decrypt_gcm(&aes, nilas_buf_view(&iv), nilas_buf_view(&aad),
                                 nilas_buf_view(&out), &back));
    CHECK_BYTES(nilas_buf_view(&back), nilas_buf_view(&text));
    out.data[0] = (char)(out.data[0] ^ 1);
    CHECK(!nilas_aes__decrypt_gcm(&aes, nilas_buf_view(&iv), nilas_buf_view(&aad),
                                  nilas_buf_view(&out), &back));
}

NILAS_TEST(wrong_keys_and_padding_are_refused) {
    NILAS_AUTO_BUF out = {0};
    nilas_aes aes;
    CHECK(!nilas_aes__init(&aes, NILAS_STR("short")));
    REQUIRE(nilas_aes__init(&aes, NILAS_STR("1234567890abcdef")));
    CHECK(!nilas_aes__decrypt_ecb(&aes, NILAS_STR(""), &out));
    CHECK(!nilas_aes__decrypt_ecb(&aes, NILAS_STR("fifteen bytes.."), &out));
    CHECK(!nilas_aes__decrypt_cbc(&aes, NILAS_STR("0123456789abcdef"),
                                  NILAS_STR("sixteen bytes..!"), &out));
}
