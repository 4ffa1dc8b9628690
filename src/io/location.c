/*
 * Locations as text. The scheme is what stands before a colon that comes before any slash, as
 * Hadoop's Path has it; nothing is decoded or normalized, because table metadata and files must
 * agree byte for byte.
 */
#include "io/io.h"

static bool is_scheme_char(char c, bool first) {
    bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return letter || (!first && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'));
}

/** Bytes before the colon; 0: no scheme. */
static size_t scheme_size(nilas_str location) {
    size_t at = 0;

    while (at < location.size && is_scheme_char(location.data[at], at == 0)) {
        at++;
    }
    return at < location.size && location.data[at] == ':' ? at : 0;
}

nilas_str nilas_io_scheme(nilas_str location) {
    // The usual ones come back as literals: lower case whatever the spelling, and no memory needed.
    static const nilas_str known[] = {
        {"file", 4},   {"s3", 2},  {"s3a", 3},  {"s3n", 3},   {"hdfs", 4},
        {"viewfs", 6}, {"gs", 2},  {"abfs", 4}, {"abfss", 5}, {"wasb", 4},
        {"wasbs", 5},  {"oss", 3}, {"http", 4}, {"https", 5},
    };
    nilas_str scheme = nilas_str_slice(location, 0, scheme_size(location));

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (nilas_str_equal_nocase(scheme, known[i])) {
            return known[i];
        }
    }
    return scheme;
}

nilas_code nilas_io_local_path(nilas_arena *arena, nilas_str location, nilas_str *out,
                               nilas_error *err) {
    nilas_str scheme = nilas_io_scheme(location);
    nilas_str path = location;

    if (scheme.size != 0) {
        NILAS_REQUIRE(nilas_str_is(scheme, "file"), err, NILAS_UNSUPPORTED,
                      "location \"%.*s\": file system \"%.*s\" is not supported yet",
                      NILAS_FMT(location), NILAS_FMT(scheme));
        path = nilas_str_slice(location, scheme.size + 1, location.size);
        if (nilas_str_starts(path, NILAS_STR("//"))) {
            size_t slash = nilas_str_find(path, NILAS_STR("/"), 2);
            nilas_str host = nilas_str_slice(path, 2, slash == SIZE_MAX ? path.size : slash - 2);
            NILAS_REQUIRE(host.size == 0 || nilas_str_is_nocase(host, "localhost"), err,
                          NILAS_INVALID,
                          "location \"%.*s\": a local file has no host, found \"%.*s\"",
                          NILAS_FMT(location), NILAS_FMT(host));
            path = nilas_str_slice(path, 2 + host.size, path.size);
        }
    }
    NILAS_REQUIRE(path.size != 0, err, NILAS_INVALID, "location \"%.*s\" has no path",
                  NILAS_FMT(location));
    NILAS_REQUIRE(memchr(path.data, '\0', path.size) == NULL, err, NILAS_INVALID,
                  "location \"%.*s\" has a zero byte", NILAS_FMT(location));
    return nilas_str_copy(arena, path, out, err);
}

nilas_code nilas_io_join(nilas_arena *arena, nilas_str parent, nilas_str name, nilas_str *out,
                         nilas_error *err) {
    size_t size = parent.size;

    while (size > 0 && parent.data[size - 1] == '/') {
        size--;
    }
    nilas_str parts[] = {{.data = parent.data, .size = size}, name};
    return nilas_str_join(arena, parts, 2, NILAS_STR("/"), out, err);
}
