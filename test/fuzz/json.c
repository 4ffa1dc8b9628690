/**
 * JSON: any bytes give a tree or an error, and what a tree prints as reads back to the same print.
 */
#include "codec/codec.h"

#define MEMORY_BYTES (256UL << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static nilas_code try_text(nilas_str text) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, MEMORY_BYTES);
    NILAS_AUTO_BUF once = NILAS_BUF_INIT(64 << 20);
    NILAS_AUTO_BUF twice = NILAS_BUF_INIT(64 << 20);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_json json;

    NILAS_TRY(nilas_json_parse(arena, text, "fuzz", &json, &err));
    nilas_json_print(&once, &json, 0);
    nilas_code code = nilas_json_parse(arena, nilas_buf_view(&once), "print", &json, &err);
    nilas_assert(code == NILAS_OK);
    nilas_json_print(&twice, &json, 0);
    nilas_assert(nilas_str_equal(nilas_buf_view(&once), nilas_buf_view(&twice)));
    return NILAS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    (void)try_text((nilas_str){.data = (const char *)data, .size = size});
    return 0;
}
