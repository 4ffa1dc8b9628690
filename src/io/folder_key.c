/* Folders that are called "key=value", as Hive and Spark lay out partitions. */
#include "io/io.h"

#define HIVE_NULL "__HIVE_DEFAULT_PARTITION__"

static nilas_code unescape(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF buf = NILAS_BUF_INIT(65536);
    for (size_t i = 0; i < text.size; i++) {
        int high = i + 2 < text.size ? nilas_hex_digit(text.data[i + 1]) : -1;
        int low = i + 2 < text.size ? nilas_hex_digit(text.data[i + 2]) : -1;
        if (text.data[i] == '%' && high >= 0 && low >= 0) {
            nilas_buf_add_char(&buf, (char)(high * 16 + low));
            i += 2;
        } else {
            nilas_buf_add_char(&buf, text.data[i]);
        }
    }
    return nilas_buf_finish(&buf, arena, out, err);
}

nilas_code nilas_folder_key_read(nilas_arena *arena, nilas_str name, bool *out_is_key,
                                 nilas_str *key, nilas_str *value, nilas_error *err) {
    size_t equals = nilas_str_find(name, NILAS_STR("="), 0);
    *out_is_key = equals != SIZE_MAX && equals > 0;
    if (!*out_is_key) {
        return NILAS_OK;
    }
    NILAS_TRY(unescape(arena, nilas_str_slice(name, 0, equals), key, err));
    NILAS_TRY(unescape(arena, nilas_str_slice(name, equals + 1, name.size), value, err));
    if (nilas_str_is(*value, HIVE_NULL)) {
        value->data = NULL;
    }
    return NILAS_OK;
}
