/* Paths that move from one prefix to another; metadata with all its paths moved. */
#include "commit/commit.h"
#include "unit/commit/place.h"

static const char *target_of(place *at, const char *source, const char *target, const char *path) {
    nilas_relocation to = {.source_prefix = nilas_str_of(source),
                           .target_prefix = nilas_str_of(target)};
    nilas_str moved;
    nilas_code code = nilas_relocation_target(at->arena, &to, nilas_str_of(path), &moved, &at->err);
    return code == NILAS_OK ? moved.data : "refused";
}

NILAS_TEST(prefixes_are_whole_folders_with_or_without_a_last_slash) {
    place at;
    make_place(&at, false);
    static const char *const cases[][4] = {
        {"/a", "/b", "/a/x/y", "/b/x/y"},
        {"/a/", "/b", "/a/x/y", "/b/x/y"},
        {"/a", "/b/", "/a/x", "/b/x"},
        {"s3://one/t", "file:/two", "s3://one/t/data/f.parquet", "file:/two/data/f.parquet"},
        {"/a", "/b", "/a", "/b"},
        {"/a/", "/b/", "/a", "/b/"},
        {"/a", "/b", "/a/", "/b"},
        {"/a", "/b", "/ab/x", "refused"},
        {"/a/x", "/b", "/a", "refused"},
        {"/A", "/b", "/a/x", "refused"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_str moved = nilas_str_of(target_of(&at, cases[i][0], cases[i][1], cases[i][2]));
        CHECK_STR(moved, cases[i][3]);
    }
    place_done(&at);
}

NILAS_TEST(every_path_of_metadata_moves_and_nothing_else) {
    place at;
    make_place(&at, false);
    static const char json[] =
        "{\"format-version\":2,\"table-uuid\":\"9c12d441-03fe-4693-9a96-a0705ddf69c1\","
        "\"location\":\"/a/t\",\"last-sequence-number\":1,\"last-updated-ms\":1602638573590,"
        "\"last-column-id\":1,\"current-schema-id\":0,\"schemas\":[{\"type\":\"struct\","
        "\"schema-id\":0,\"fields\":[{\"id\":1,\"name\":\"x\",\"required\":true,"
        "\"type\":\"long\"}]}],\"default-spec-id\":0,\"partition-specs\":[{\"spec-id\":0,"
        "\"fields\":[]}],\"last-partition-id\":999,\"default-sort-order-id\":0,"
        "\"sort-orders\":[{\"order-id\":0,\"fields\":[]}],\"properties\":{\"write.data.path\":"
        "\"/a/t/d\",\"note\":\"/a/t\"},\"current-snapshot-id\":7,\"refs\":{\"main\":"
        "{\"snapshot-id\":7,\"type\":\"branch\"}},\"snapshots\":[{\"snapshot-id\":7,"
        "\"sequence-number\":1,\"timestamp-ms\":1602638573590,\"summary\":{\"operation\":"
        "\"append\"},\"manifest-list\":\"/a/t/metadata/s.avro\",\"schema-id\":0}],"
        "\"statistics\":[{\"snapshot-id\":7,\"statistics-path\":\"/a/t/metadata/s.stats\","
        "\"file-size-in-bytes\":4,\"file-footer-size-in-bytes\":2,\"blob-metadata\":[]}],"
        "\"partition-statistics\":[{\"snapshot-id\":7,\"statistics-path\":\"/a/t/metadata/p\","
        "\"file-size-in-bytes\":5}],\"snapshot-log\":[],\"metadata-log\":[{\"timestamp-ms\":1,"
        "\"metadata-file\":\"/a/t/metadata/v0.metadata.json\"}]}";
    const nilas_relocation to = {.source_prefix = NILAS_STR("/a"),
                                 .target_prefix = NILAS_STR("/b/c"),
                                 .staging = NILAS_STR("/s/")};
    nilas_metadata *before;
    nilas_metadata after;
    nilas_str first, second, staged;
    CHECK_OK(nilas_metadata_parse(at.arena, NILAS_STR(json), NILAS_STR("/a/t/metadata/v1"), &before,
                                  &at.err),
             at.err);
    CHECK_OK(nilas_relocate_metadata(at.arena, &to, before, &after, &at.err), at.err);
    CHECK_OK(nilas_metadata_print(at.arena, before, &first, &at.err), at.err);
    CHECK_OK(nilas_metadata_print(at.arena, &after, &second, &at.err), at.err);
    NILAS_AUTO_BUF expected = NILAS_BUF_INIT(1 << 20);
    for (size_t i = 0; i < first.size; i++) { // all but the property that only looks like a path
        bool is_path = nilas_str_starts(nilas_str_slice(first, i, first.size), NILAS_STR("/a/t"));
        bool is_note = i >= 8 && nilas_str_is(nilas_str_slice(first, i - 8, 8), "\"note\":\"");
        nilas_buf_add_text(&expected, is_path && !is_note ? "/b/c" : "");
        i += is_path && !is_note ? 2 : 0;
        nilas_buf_add_char(&expected, first.data[i]);
    }
    CHECK_BYTES(second, nilas_buf_view(&expected));
    CHECK_OK(
        nilas_relocation_staged(at.arena, &to, NILAS_STR("/a/t/metadata/v1"), &staged, &at.err),
        at.err);
    CHECK_STR(staged, "/s/t/metadata/v1");
    CHECK(nilas_relocate_metadata(at.arena,
                                  &(nilas_relocation){.source_prefix = NILAS_STR("/a/t/metadata"),
                                                      .target_prefix = NILAS_STR("/b")},
                                  before, &after, &at.err) == NILAS_INVALID);
    place_done(&at);
}
