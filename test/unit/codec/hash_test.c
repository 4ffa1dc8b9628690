/** Hashes: the vectors of the specifications. */
#include "codec/codec.h"
#include "test.h"

static int32_t bucket_hash(const void *data, size_t size) {
    return (int32_t)nilas_murmur3_32(data, size, 0);
}

static int32_t bucket_hash_long(int64_t v) {
    return bucket_hash(&v, sizeof(v));
}

/* Spec: iceberg#appendix-b-32-bit-hash-requirements. */
NILAS_TEST(murmur3_gives_the_values_of_the_iceberg_specification) {
    static const uint8_t uuid[] = {0xF7, 0x9C, 0x3E, 0x09, 0x67, 0x7C, 0x4B, 0xBD,
                                   0xA4, 0x79, 0x3F, 0x34, 0x9C, 0xB7, 0x85, 0xE7};
    CHECK_INT(bucket_hash_long(34), 2017239379);
    CHECK_INT(bucket_hash("\x05\x8C", 2), -500754589);          // decimal 14.20
    CHECK_INT(bucket_hash_long(17486), -653330422);             // date 2017-11-16
    CHECK_INT(bucket_hash_long(81068000000), -662762989);       // time 22:31:08
    CHECK_INT(bucket_hash_long(1510871468000000), -2047944441); // 2017-11-16T22:31:08
    CHECK_INT(bucket_hash_long(1510871468000001), -1207196810); // one microsecond later
    CHECK_INT(bucket_hash("iceberg", 7), 1210000089);
    CHECK_INT(bucket_hash(uuid, 16), 1488055340);
    CHECK_INT(bucket_hash("\x00\x01\x02\x03", 4), -188683207);
    CHECK_INT(bucket_hash("", 0), 0);
}

NILAS_TEST(spark_hashes_are_those_of_its_documentation) {
    uint32_t hash = nilas_spark_murmur3_bytes("Spark", 5, 42);
    hash = nilas_spark_murmur3_int(123, hash);
    CHECK_INT((int32_t)nilas_spark_murmur3_int(2, hash), -1321691492);
    CHECK_INT((int32_t)nilas_spark_murmur3_int(1, 42), -559580957);
    CHECK_INT((int32_t)nilas_spark_murmur3_long(1, 42), -1712319331);

    uint64_t xx = nilas_spark_xxhash64_bytes("Spark", 5, 42);
    xx = nilas_spark_xxhash64_int(123, xx);
    CHECK_INT((int64_t)nilas_spark_xxhash64_int(2, xx), 5602566077635097486);
}

NILAS_TEST(xxhash64_gives_the_standard_values) {
    // With seed 0, of the reference implementation.
    CHECK(nilas_spark_xxhash64_bytes("", 0, 0) == 0xEF46DB3751D8E999ULL);
    CHECK(nilas_spark_xxhash64_bytes("a", 1, 0) == 0xD24EC4F1A98C6E5BULL);
    CHECK(nilas_spark_xxhash64_bytes("abc", 3, 0) == 0x44BC2CF5AD770999ULL);
    CHECK(nilas_spark_xxhash64_bytes("Nobody inspects the spammish repetition", 39, 0) ==
          0xFBCEA83C8A378BF1ULL);
    uint64_t word = 0x0123456789ABCDEFULL;
    CHECK(nilas_spark_xxhash64_bytes(&word, 8, 42) == nilas_spark_xxhash64_long((int64_t)word, 42));
    uint32_t half = 0x89ABCDEF;
    CHECK(nilas_spark_xxhash64_bytes(&half, 4, 42) == nilas_spark_xxhash64_int((int32_t)half, 42));
}

static void hex(const uint8_t *bytes, size_t size, char *out) {
    for (size_t i = 0; i < size; i++) {
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    }
}

NILAS_TEST(digests_of_known_texts) {
    uint8_t sum[64];
    char text[129];
    nilas_md5("Spark", 5, sum);
    hex(sum, 16, text);
    CHECK_TEXT(text, "8cde774d6f7333752ed72cacddb05126");
    nilas_sha1("Spark", 5, sum);
    hex(sum, 20, text);
    CHECK_TEXT(text, "85f5955f4b27a9a4c2aab6ffe5d7189fc298b92c");
    nilas_sha2(256, "Spark", 5, sum);
    hex(sum, 32, text);
    CHECK_TEXT(text, "529bc3b07127ecb7e53a4dcf1991d9152c24537d919178022b2c42657f79a26b");
    nilas_sha2(224, "abc", 3, sum);
    hex(sum, 28, text);
    CHECK_TEXT(text, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7");
    nilas_md5(NULL, 0, sum);
    hex(sum, 16, text);
    CHECK_TEXT(text, "d41d8cd98f00b204e9800998ecf8427e");
    CHECK_INT(nilas_crc32("Spark", 5), 1557323817);
    CHECK_INT(nilas_crc32(NULL, 0), 0);
}

NILAS_TEST(digests_of_all_sizes_up_to_300) {
    // Python's hashlib gave the sum of all these sums: padding is right at each size.
    NILAS_AUTO_BUF all = {0};
    uint8_t bytes[300];
    uint8_t sum[64];
    char text[65];
    for (size_t size = 0; size < 300; size++) {
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(i * 7 + size);
        }
        nilas_md5(bytes, size, sum);
        nilas_buf_add_bytes(&all, sum, 16);
        nilas_sha1(bytes, size, sum);
        nilas_buf_add_bytes(&all, sum, 20);
        static const int bits[] = {224, 256, 384, 512};
        for (size_t i = 0; i < 4; i++) {
            nilas_sha2(bits[i], bytes, size, sum);
            nilas_buf_add_bytes(&all, sum, (size_t)bits[i] / 8);
        }
    }
    nilas_sha2(256, all.data, all.size, sum);
    hex(sum, 32, text);
    CHECK_TEXT(text, "f22f46de3ae50d8ed6117b6af9f4ea6a76ca28ff0fe215c0e659a77c9e99e891");
}
