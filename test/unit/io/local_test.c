/** Local files: what was written is read; nothing is replaced unasked; errors name the file. */
#include <sys/stat.h>

#include "folder.h"

NILAS_TEST(bytes_come_back_whole_and_in_parts) {
    AUTO_FOLDER f = make_folder();
    nilas_str location = in(&f, "new/sub folder/file.bin");
    nilas_str bytes;
    REQUIRE_OK(nilas_io_write(f.io, location, NILAS_STR("0123\000456789"), false, &f.err), f.err);
    REQUIRE_OK(nilas_io_read(f.io, f.arena, location, 100, &bytes, &f.err), f.err);
    CHECK_BYTES(bytes, NILAS_STR("0123\000456789"));
    REQUIRE_OK(nilas_io_read_range(f.io, f.arena, location, 2, 4, &bytes, &f.err), f.err);
    CHECK_BYTES(bytes, NILAS_STR("23\0004"));
    REQUIRE_OK(nilas_io_read_range(f.io, f.arena, location, 11, 0, &bytes, &f.err), f.err);
    CHECK_INT(bytes.size, 0);
    REQUIRE_OK(nilas_io_write(f.io, in(&f, "empty"), NILAS_STR_EMPTY, false, &f.err), f.err);
    REQUIRE_OK(nilas_io_read(f.io, f.arena, in(&f, "empty"), 0, &bytes, &f.err), f.err);
    CHECK_INT(bytes.size, 0);
}

NILAS_TEST(ranges_beyond_the_file_are_corrupt_before_memory_is_taken) {
    AUTO_FOLDER f = make_folder();
    nilas_str location = in(&f, "x");
    nilas_str bytes;
    REQUIRE_OK(nilas_io_write(f.io, location, NILAS_STR("0123456789"), false, &f.err), f.err);
    static const struct {
        int64_t offset;
        size_t size;
    } cases[] = {{5, 6}, {11, 0}, {-1, 1}, {INT64_MAX, 1}, {0, SIZE_MAX}, {1, SIZE_MAX / 2}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_FAILS(nilas_io_read_range(f.io, f.arena, location, cases[i].offset, cases[i].size,
                                        &bytes, &f.err),
                    NILAS_CORRUPT, f.err, "the file has 10 bytes");
    }
    CHECK_FAILS(nilas_io_read(f.io, f.arena, location, 9, &bytes, &f.err), NILAS_LIMIT, f.err,
                "has 10 bytes, the limit is 9");
}

NILAS_TEST(a_file_is_replaced_only_when_asked) {
    AUTO_FOLDER f = make_folder();
    nilas_str location = in(&f, "x");
    nilas_str bytes;
    nilas_io_entry *entries;
    size_t count;
    REQUIRE_OK(nilas_io_write(f.io, location, NILAS_STR("one"), false, &f.err), f.err);
    CHECK_FAILS(nilas_io_write(f.io, location, NILAS_STR("two"), false, &f.err), NILAS_EXISTS,
                f.err, "/x\": File exists");
    REQUIRE_OK(nilas_io_read(f.io, f.arena, location, 9, &bytes, &f.err), f.err);
    CHECK_STR(bytes, "one");
    REQUIRE_OK(nilas_io_write(f.io, location, NILAS_STR("three"), true, &f.err), f.err);
    REQUIRE_OK(nilas_io_read(f.io, f.arena, location, 9, &bytes, &f.err), f.err);
    CHECK_STR(bytes, "three");
    REQUIRE_OK(nilas_io_list(f.io, f.arena, in(&f, ""), &entries, &count, &f.err), f.err);
    CHECK_INT(count, 1); // no temporary file is left
}

NILAS_TEST(renaming_never_replaces) {
    AUTO_FOLDER f = make_folder();
    nilas_str bytes;
    REQUIRE_OK(nilas_io_write(f.io, in(&f, "a"), NILAS_STR("a"), false, &f.err), f.err);
    REQUIRE_OK(nilas_io_write(f.io, in(&f, "b"), NILAS_STR("b"), false, &f.err), f.err);
    CHECK_FAILS(nilas_io_rename_new(f.io, in(&f, "a"), in(&f, "b"), &f.err), NILAS_EXISTS, f.err,
                "/b\" already exists");
    REQUIRE_OK(nilas_io_read(f.io, f.arena, in(&f, "b"), 9, &bytes, &f.err), f.err);
    CHECK_STR(bytes, "b");
    REQUIRE_OK(nilas_io_rename_new(f.io, in(&f, "a"), in(&f, "c"), &f.err), f.err);
    REQUIRE_OK(nilas_io_read(f.io, f.arena, in(&f, "c"), 9, &bytes, &f.err), f.err);
    CHECK_STR(bytes, "a");
    CHECK_CODE(nilas_io_rename_new(f.io, in(&f, "a"), in(&f, "d"), &f.err), NILAS_NOT_FOUND, f.err);
    CHECK_CODE(nilas_io_move_new(f.io, in(&f, "c"), in(&f, "b"), &f.err), NILAS_EXISTS, f.err);
    REQUIRE_OK(nilas_io_move_new(f.io, in(&f, "c"), in(&f, "a"), &f.err), f.err);
    CHECK_CODE(nilas_io_move_new(f.io, in(&f, "c"), in(&f, "d"), &f.err), NILAS_NOT_FOUND, f.err);
    REQUIRE_OK(nilas_io_move_new(f.io, in(&f, "a"), in(&f, "c"), &f.err), f.err);
    CHECK_CODE(nilas_io_rename_new(f.io, in(&f, "b"), in(&f, "no/d"), &f.err), NILAS_NOT_FOUND,
               f.err);
}

NILAS_TEST(absent_is_told_from_unreachable) {
    AUTO_FOLDER f = make_folder();
    nilas_io_stat stat;
    nilas_str bytes;
    bool exists = true;
    CHECK_FAILS(nilas_io_read(f.io, f.arena, in(&f, "no"), 9, &bytes, &f.err), NILAS_NOT_FOUND,
                f.err, "cannot read \"file:/tmp/nilas-io-");
    CHECK_CODE(nilas_io_stat_file(f.io, in(&f, "no"), &stat, &f.err), NILAS_NOT_FOUND, f.err);
    REQUIRE_OK(nilas_io_exists(f.io, in(&f, "no/more"), &exists, &f.err), f.err);
    CHECK(!exists);
    REQUIRE_OK(nilas_io_write(f.io, in(&f, "file"), NILAS_STR("abc"), false, &f.err), f.err);
    REQUIRE_OK(nilas_io_exists(f.io, in(&f, "file/below"), &exists, &f.err), f.err);
    CHECK(!exists);
    REQUIRE_OK(nilas_io_exists(f.io, in(&f, "file"), &exists, &f.err), f.err);
    CHECK(exists);
    REQUIRE_OK(nilas_io_stat_file(f.io, in(&f, "file"), &stat, &f.err), f.err);
    CHECK_INT(stat.size_bytes, 3);
    CHECK(!stat.is_directory);
    CHECK(nilas_now_ms() - stat.modified_ms < 60000);
    REQUIRE_OK(nilas_io_stat_file(f.io, in(&f, ""), &stat, &f.err), f.err);
    CHECK(stat.is_directory);
    CHECK_FAILS(nilas_io_exists(f.io, NILAS_STR("s3://b/k"), &exists, &f.err), NILAS_UNSUPPORTED,
                f.err, "s3");
}

NILAS_TEST(listing_gives_names_and_locations) {
    AUTO_FOLDER f = make_folder();
    nilas_io_entry *entries;
    size_t count = 0;
    bool seen[2] = {false, false};
    REQUIRE_OK(nilas_io_list(f.io, f.arena, in(&f, ""), &entries, &count, &f.err), f.err);
    CHECK_INT(count, 0);
    REQUIRE_OK(nilas_io_write(f.io, in(&f, "a b"), NILAS_STR("x"), false, &f.err), f.err);
    REQUIRE_OK(nilas_io_make_directory(f.io, in(&f, "dir/deep"), &f.err), f.err);
    REQUIRE_OK(nilas_io_make_directory(f.io, in(&f, "dir/deep"), &f.err), f.err);
    nilas_str link = in(&f, "dangling");
    CHECK_INT(symlink("/no/where", link.data + 5), 0);
    REQUIRE_OK(nilas_io_list(f.io, f.arena, in(&f, ""), &entries, &count, &f.err), f.err);
    REQUIRE(count == 2);
    for (size_t i = 0; i < 2; i++) {
        bool directory = nilas_str_is(entries[i].name, "dir");
        CHECK_INT(entries[i].stat.is_directory, directory);
        CHECK_BYTES(entries[i].location, in(&f, directory ? "dir" : "a b"));
        seen[directory ? 1 : 0] = true;
    }
    CHECK(seen[0] && seen[1]);
    CHECK_CODE(nilas_io_list(f.io, f.arena, in(&f, "no"), &entries, &count, &f.err),
               NILAS_NOT_FOUND, f.err);
    CHECK_CODE(nilas_io_list(f.io, f.arena, in(&f, "a b"), &entries, &count, &f.err),
               NILAS_NOT_FOUND, f.err);
}

NILAS_TEST(deleting_takes_files_and_empty_directories) {
    AUTO_FOLDER f = make_folder();
    REQUIRE_OK(nilas_io_write(f.io, in(&f, "dir/x"), NILAS_STR("x"), false, &f.err), f.err);
    CHECK_FAILS(nilas_io_delete(f.io, in(&f, "dir"), &f.err), NILAS_IO, f.err, "not empty");
    CHECK_OK(nilas_io_delete(f.io, in(&f, "dir/x"), &f.err), f.err);
    CHECK_OK(nilas_io_delete(f.io, in(&f, "dir"), &f.err), f.err);
    CHECK_CODE(nilas_io_delete(f.io, in(&f, "dir"), &f.err), NILAS_NOT_FOUND, f.err);
}

NILAS_TEST(what_is_no_regular_file_is_not_read) {
    AUTO_FOLDER f = make_folder();
    nilas_str bytes;
    nilas_str pipe = in(&f, "pipe");
    CHECK_INT(mkfifo(pipe.data + 5, 0600), 0);
    CHECK_FAILS(nilas_io_read(f.io, f.arena, pipe, 9, &bytes, &f.err), NILAS_INVALID, f.err,
                "not a regular file");
    CHECK_FAILS(nilas_io_read(f.io, f.arena, in(&f, ""), 9, &bytes, &f.err), NILAS_INVALID, f.err,
                "is a directory");
}

NILAS_TEST(paths_through_files_and_names_too_long_are_errors) {
    AUTO_FOLDER f = make_folder();
    char name[5000];
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    REQUIRE_OK(nilas_io_write(f.io, in(&f, "file"), NILAS_STR("x"), false, &f.err), f.err);
    CHECK(nilas_io_write(f.io, in(&f, "file/x"), NILAS_STR("x"), false, &f.err) != NILAS_OK);
    CHECK(nilas_io_make_directory(f.io, in(&f, "file/x"), &f.err) != NILAS_OK);
    CHECK(nilas_io_make_directory(f.io, in(&f, "file"), &f.err) != NILAS_OK);
    CHECK_CODE(nilas_io_write(f.io, in(&f, name), NILAS_STR("x"), false, &f.err), NILAS_INVALID,
               f.err);
    CHECK_CODE(nilas_io_write(f.io, in(&f, name), NILAS_STR("x"), true, &f.err), NILAS_INVALID,
               f.err);
}

NILAS_TEST(a_held_folder_is_refused_to_others_until_it_is_let_go) {
    AUTO_FOLDER f = make_folder();
    nilas_str held = in(&f, "held");
    int first = -1, second = -1;
    CHECK_CODE(nilas_io_lock(f.io, held, 0, &first, &f.err), NILAS_NOT_FOUND, f.err);
    REQUIRE_OK(nilas_io_make_directory(f.io, held, &f.err), f.err);
    REQUIRE_OK(nilas_io_lock(f.io, held, 0, &first, &f.err), f.err);
    CHECK_FAILS(nilas_io_lock(f.io, held, 5, &second, &f.err), NILAS_CONFLICT, f.err,
                "is held by another process");
    CHECK_INT(second, -1);
    nilas_io_unlock(&first);
    CHECK_INT(first, -1);
    REQUIRE_OK(nilas_io_lock(f.io, held, 0, &second, &f.err), f.err);
    nilas_io_unlock(&second);
    nilas_io_unlock(&second); // nothing is held any more
}
