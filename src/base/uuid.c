#include "base/uuid.h"

#include <sys/random.h>

nilas_code nilas_uuid_new(nilas_uuid *out, nilas_error *err) {
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[16];

    NILAS_REQUIRE(getrandom(bytes, sizeof(bytes), 0) == (ssize_t)sizeof(bytes), err, NILAS_IO,
                  "the system gives no random bytes");
    bytes[6] = (uint8_t)((bytes[6] & 0x0F) | 0x40);
    bytes[8] = (uint8_t)((bytes[8] & 0x3F) | 0x80);
    char *at = out->text;
    for (size_t i = 0; i < sizeof(bytes); i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) {
            *at++ = '-';
        }
        *at++ = digits[bytes[i] >> 4];
        *at++ = digits[bytes[i] & 0x0F];
    }
    *at = '\0';
    return NILAS_OK;
}

bool nilas_uuid_is(nilas_str text) {
    if (text.size != 36) {
        return false;
    }
    for (size_t i = 0; i < text.size; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text.data[i] != '-' : nilas_hex_digit(text.data[i]) < 0) {
            return false;
        }
    }
    return true;
}
