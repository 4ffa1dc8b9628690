#include <unistd.h>

#include "make.h"

#define TEXT                                                                                       \
    "{\"format-version\":2,\"location\":\"/t\",\"last-updated-ms\":5,\"last-column-id\":1,"        \
    "\"schemas\":[{\"type\":\"struct\",\"schema-id\":0,\"fields\":[]}],\"current-schema-id\":0,"   \
    "\"partition-specs\":[{\"spec-id\":0,\"fields\":[]}],\"default-spec-id\":0}"

/** A table's folder in a fresh directory. */
typedef struct place {
    nilas_arena *arena;
    nilas_io *io;
    char path[64];
} place;

static bool open_place(place *p) {
    nilas_error err = NILAS_ERROR_INIT;

    *p = (place){.arena = make_arena()};
    snprintf(p->path, sizeof(p->path), "/tmp/nilas-find-XXXXXX");
    return mkdtemp(p->path) != NULL && nilas_io_new(&p->io, &err) == NILAS_OK;
}

static void close_place(place *p) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_io_entry *entries = NULL;
    size_t count = 0;
    char folder[96];

    snprintf(folder, sizeof(folder), "%s/metadata", p->path);
    if (nilas_io_list(p->io, p->arena, nilas_str_of(folder), &entries, &count, &err) == NILAS_OK) {
        for (size_t i = 0; i < count; i++) {
            CHECK_OK(nilas_io_delete(p->io, entries[i].location, &err), err);
        }
        CHECK_INT(rmdir(folder), 0);
    }
    CHECK_INT(rmdir(p->path), 0);
    nilas_io_free(p->io);
    nilas_arena_free(p->arena);
}
#define PLACE(name)                                                                                \
    __attribute__((cleanup(close_place))) place name;                                              \
    REQUIRE(open_place(&name))

static void put(place *p, const char *name, nilas_str text) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str location;

    CHECK_OK(nilas_str_print(p->arena, &location, &err, "%s/metadata/%s", p->path, name), err);
    CHECK_OK(nilas_io_write(p->io, location, text, true, &err), err);
}

/** The name below metadata/ that is found. */
static nilas_str found(place *p) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str location = NILAS_STR_EMPTY;
    size_t head = strlen(p->path) + strlen("/metadata/");

    CHECK_OK(nilas_metadata_find(p->io, p->arena, nilas_str_of(p->path), &location, &err), err);
    return location.size >= head ? nilas_str_slice(location, head, SIZE_MAX) : location;
}

NILAS_TEST(the_hint_is_where_the_search_begins) {
    PLACE(p);
    put(&p, "v1.metadata.json", NILAS_STR(TEXT));
    put(&p, "v2.metadata.json", NILAS_STR(TEXT));
    put(&p, "version-hint.text", NILAS_STR("2"));
    CHECK_STR(found(&p), "v2.metadata.json");
    put(&p, "version-hint.text", NILAS_STR("1\n"));
    CHECK_STR(found(&p), "v2.metadata.json");
    put(&p, "v3.gz.metadata.json", NILAS_STR(TEXT));
    put(&p, "v4.metadata.json.gz", NILAS_STR(TEXT));
    CHECK_STR(found(&p), "v4.metadata.json.gz");
}

NILAS_TEST(a_hint_ahead_of_the_files_falls_back_to_the_newest) {
    PLACE(p);
    put(&p, "v3.metadata.json", NILAS_STR(TEXT));
    put(&p, "v4.metadata.json", NILAS_STR(TEXT));
    put(&p, "version-hint.text", NILAS_STR("5"));
    CHECK_STR(found(&p), "v4.metadata.json");
}

NILAS_TEST(without_a_hint_the_highest_version_is_taken_as_a_number) {
    PLACE(p);
    put(&p, "v9.metadata.json", NILAS_STR(TEXT));
    put(&p, "v10.metadata.json", NILAS_STR(TEXT));
    put(&p, "v11.metadata.json.tmp", NILAS_STR("x"));
    put(&p, "snap-99-1.avro", NILAS_STR("x"));
    CHECK_STR(found(&p), "v10.metadata.json");
    put(&p, "version-hint.text", NILAS_STR("soon"));
    CHECK_STR(found(&p), "v10.metadata.json");
}

NILAS_TEST(names_of_other_catalogs_are_found_by_their_number) {
    PLACE(p);
    put(&p, "00002-bbbb.metadata.json", NILAS_STR(TEXT));
    put(&p, "00010-aaaa.gz.metadata.json", NILAS_STR(TEXT));
    put(&p, "00009-cccc.metadata.json", NILAS_STR(TEXT));
    CHECK_STR(found(&p), "00010-aaaa.gz.metadata.json");
}

NILAS_TEST(a_foreign_file_beside_a_hadoop_table_is_not_its_metadata) {
    PLACE(p);
    put(&p, "v3.metadata.json", NILAS_STR(TEXT));
    put(&p, "v4.metadata.json", NILAS_STR(TEXT));
    put(&p, "00005-dddd.metadata.json", NILAS_STR(TEXT));
    CHECK_STR(found(&p), "v4.metadata.json");
    put(&p, "version-hint.text", NILAS_STR("4"));
    CHECK_STR(found(&p), "v4.metadata.json");
    put(&p, "v5.metadata.json", NILAS_STR(TEXT));
    CHECK_STR(found(&p), "v5.metadata.json");
}

NILAS_TEST(what_is_no_table_is_not_found) {
    PLACE(p);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str location;

    CHECK_FAILS(nilas_metadata_find(p.io, p.arena, nilas_str_of(p.path), &location, &err),
                NILAS_NOT_FOUND, err, "Table does not exist at location: /tmp/nilas-find-");
    put(&p, "readme.txt", NILAS_STR("x"));
    CHECK_CODE(nilas_metadata_find(p.io, p.arena, nilas_str_of(p.path), &location, &err),
               NILAS_NOT_FOUND, err);
}

NILAS_TEST(file_locations_come_out_as_hadoop_prints_them) {
    PLACE(p);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str asked;
    nilas_str expected;
    nilas_str location = NILAS_STR_EMPTY;

    put(&p, "v1.metadata.json", NILAS_STR(TEXT));
    REQUIRE_OK(nilas_str_print(p.arena, &asked, &err, "file://%s/", p.path), err);
    REQUIRE_OK(
        nilas_str_print(p.arena, &expected, &err, "file:%s/metadata/v1.metadata.json", p.path),
        err);
    CHECK_OK(nilas_metadata_find(p.io, p.arena, asked, &location, &err), err);
    CHECK_BYTES(location, expected);
    // A metadata file is its own answer.
    CHECK_OK(nilas_metadata_find(p.io, p.arena, expected, &location, &err), err);
    CHECK_BYTES(location, expected);
}

NILAS_TEST(gzip_is_known_by_its_bytes_under_any_name) {
    static const char *const names[] = {"v1.metadata.json", "v1.gz.metadata.json",
                                        "v1.metadata.json.gz"};
    PLACE(p);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str packed = {0};

    REQUIRE_OK(nilas_compress(p.arena, NILAS_COMPRESSION_GZIP, -1, NILAS_STR(TEXT), &packed, &err),
               err);
    for (size_t i = 0; i < 6; i++) {
        nilas_metadata *metadata = NULL;
        nilas_str location;
        put(&p, names[i / 2], i % 2 == 0 ? packed : NILAS_STR(TEXT));
        REQUIRE_OK(
            nilas_str_print(p.arena, &location, &err, "%s/metadata/%s", p.path, names[i / 2]), err);
        REQUIRE_OK(nilas_metadata_load(p.io, p.arena, location, &metadata, &err), err);
        CHECK_BYTES(metadata->metadata_location, location);
    }
    // Cut gzip is an error that names the file.
    put(&p, names[0], nilas_str_slice(packed, 0, packed.size - 9));
    nilas_str location;
    nilas_metadata *metadata;
    REQUIRE_OK(nilas_str_print(p.arena, &location, &err, "%s/metadata/%s", p.path, names[0]), err);
    CHECK_FAILS(nilas_metadata_load(p.io, p.arena, location, &metadata, &err), NILAS_CORRUPT, err,
                "v1.metadata.json");
    REQUIRE_OK(nilas_str_print(p.arena, &location, &err, "%s/metadata/v9.metadata.json", p.path),
               err);
    CHECK_CODE(nilas_metadata_load(p.io, p.arena, location, &metadata, &err), NILAS_NOT_FOUND, err);
}
