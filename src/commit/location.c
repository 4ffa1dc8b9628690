/*
 * Names of files: data files below their partitions or hashed for object stores, partition paths,
 * and random ids.
 */
#include <sys/random.h>

#include "commit/private.h"

#define HASH_BITS      20
#define ENTROPY_DEPTH  3
#define ENTROPY_LENGTH 4

// ---- random -------------------------------------------------------------------------------------

int64_t nilas_commit_new_snapshot_id(const nilas_metadata *metadata) {
    uint64_t bits;

    for (;;) {
        while (getrandom(&bits, sizeof(bits), 0) != (ssize_t)sizeof(bits)) {
        }
        int64_t id = (int64_t)(bits & INT64_MAX);
        if (id > 0 && nilas_metadata_snapshot(metadata, id) == NULL) {
            return id;
        }
    }
}

nilas_code nilas_commit_new_uuid(nilas_arena *arena, nilas_str *out, nilas_error *err) {
    return nilas_catalog_new_uuid(arena, out, err);
}

// ---- partition paths ----------------------------------------------------------------------------

/** As Java's URLEncoder does. */
static void print_escaped(nilas_buf *out, nilas_str text) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '.' || c == '-' || c == '*' || c == '_';
        if (plain) {
            nilas_buf_add_char(out, c);
        } else if (c == ' ') {
            nilas_buf_add_char(out, '+');
        } else {
            nilas_buf_print(out, "%%%02X", (uint8_t)c);
        }
    }
}

nilas_code nilas_commit_partition_path(nilas_arena *arena, const nilas_metadata *metadata,
                                       const nilas_partition_spec *spec,
                                       const nilas_value *partition, nilas_str *out,
                                       nilas_error *err) {
    NILAS_AUTO_BUF path = NILAS_BUF_INIT(0);
    const nilas_ice_type *type;

    NILAS_TRY(nilas_spec_partition_type(arena, metadata, spec, &type, err));
    NILAS_REQUIRE(spec->field_count == 0 || (partition->kind == NILAS_VALUE_STRUCT &&
                                             partition->count == spec->field_count),
                  err, NILAS_INVALID, "a partition of spec %d must have %zu values", spec->spec_id,
                  spec->field_count);
    for (size_t i = 0; i < spec->field_count; i++) {
        NILAS_AUTO_BUF value = NILAS_BUF_INIT(0);
        nilas_transform_print_value(&value, &spec->fields[i].transform, type->fields[i].type,
                                    &partition->items[i]);
        NILAS_TRY(nilas_buf_check(&value, err));
        nilas_buf_add_text(&path, i > 0 ? "/" : "");
        print_escaped(&path, spec->fields[i].name);
        nilas_buf_add_char(&path, '=');
        print_escaped(&path, nilas_buf_view(&value));
    }
    return nilas_buf_finish(&path, arena, out, err);
}

// ---- data files ---------------------------------------------------------------------------------

static nilas_code data_folder(nilas_arena *arena, const nilas_metadata *metadata, bool hashed,
                              nilas_str *out, nilas_error *err) {
    static const char *const keys[] = {"write.data.path", "write.object-storage.path",
                                       "write.folder-storage.path"};

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        nilas_str given = nilas_metadata_property(metadata, keys[i], NILAS_STR_EMPTY);
        if (given.size > 0 && (hashed || i != 1)) {
            return nilas_catalog_file_location(arena, given, out, err);
        }
    }
    NILAS_TRY(nilas_catalog_file_location(arena, metadata->location, out, err));
    return nilas_io_join(arena, *out, NILAS_STR("data"), out, err);
}

/** "0101/0110/1001/10110010": the low bits of the hash; keys spread over an object store. */
static void print_entropy(nilas_buf *out, nilas_str name) {
    uint32_t hash = nilas_murmur3_32(name.data, name.size, 0);

    for (int i = 0; i < HASH_BITS; i++) {
        if (i > 0 && i <= ENTROPY_DEPTH * ENTROPY_LENGTH && i % ENTROPY_LENGTH == 0) {
            nilas_buf_add_char(out, '/');
        }
        nilas_buf_add_char(out, (hash >> (HASH_BITS - 1 - i)) & 1 ? '1' : '0');
    }
}

/** The last two parts of the table's location, when its files lie elsewhere. */
static nilas_str context_of(nilas_str location) {
    size_t start = location.size;

    for (int parts = 0; start > 0; start--) {
        if (location.data[start - 1] == '/' && ++parts == 2) {
            break;
        }
    }
    return nilas_str_slice(location, start, location.size);
}

static nilas_code hashed_location(nilas_arena *arena, const nilas_metadata *metadata,
                                  nilas_str folder, nilas_str name, nilas_str *out,
                                  nilas_error *err) {
    NILAS_AUTO_BUF path = NILAS_BUF_INIT(0);
    bool partitioned =
        nilas_commit__bool_property(metadata, "write.object-storage.partitioned-paths", true);
    nilas_str table;

    NILAS_TRY(nilas_catalog_file_location(arena, metadata->location, &table, err));
    nilas_buf_add(&path, folder);
    nilas_buf_add_char(&path, '/');
    print_entropy(&path, name);
    if (!nilas_str_starts(folder, table)) {
        nilas_buf_add_char(&path, '/');
        nilas_buf_add(&path, context_of(table));
        nilas_buf_add_char(&path, '/');
    } else {
        nilas_buf_add_char(&path, partitioned ? '/' : '-');
    }
    nilas_buf_add(&path, name);
    return nilas_buf_finish(&path, arena, out, err);
}

nilas_code nilas_commit_data_location(nilas_arena *arena, const nilas_metadata *metadata,
                                      const nilas_partition_spec *spec,
                                      const nilas_value *partition, nilas_str file_name,
                                      nilas_str *out, nilas_error *err) {
    bool hashed = nilas_commit__bool_property(metadata, "write.object-storage.enabled", false);
    bool partitioned = !hashed || nilas_commit__bool_property(
                                      metadata, "write.object-storage.partitioned-paths", true);
    nilas_str folder, name = file_name;
    nilas_str custom =
        nilas_metadata_property(metadata, "write.location-provider.impl", NILAS_STR_EMPTY);

    NILAS_REQUIRE(custom.size == 0, err, NILAS_UNSUPPORTED,
                  "write.location-provider.impl is %.*s: classes that name files cannot be run by "
                  "nilas",
                  NILAS_FMT(custom));
    NILAS_TRY(data_folder(arena, metadata, hashed, &folder, err));
    if (spec != NULL && spec->field_count > 0 && partitioned) {
        nilas_str path;
        NILAS_TRY(nilas_commit_partition_path(arena, metadata, spec, partition, &path, err));
        NILAS_TRY(nilas_io_join(arena, path, file_name, &name, err));
    }
    return hashed ? hashed_location(arena, metadata, folder, name, out, err)
                  : nilas_io_join(arena, folder, name, out, err);
}
