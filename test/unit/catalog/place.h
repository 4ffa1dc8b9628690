/** A directory of its own for a test, tables in it, and a catalog over it. */
#ifndef NILAS_TEST_UNIT_CATALOG_PLACE_H
#define NILAS_TEST_UNIT_CATALOG_PLACE_H

#include <ftw.h>
#include <unistd.h>

#include "catalog/catalog.h"
#include "test.h"

#define SPARK_CATALOG         "org.apache.iceberg.spark.SparkCatalog"
#define SPARK_SESSION_CATALOG "org.apache.iceberg.spark.SparkSessionCatalog"

typedef struct place {
    char root[64];
    nilas_arena *arena;
    nilas_io *io;
    nilas_catalog *catalog;
    nilas_error err;
} place;

__attribute__((unused)) static void make_place(place *at) {
    *at = (place){.err = NILAS_ERROR_INIT};
    snprintf(at->root, sizeof(at->root), "/tmp/nilas-catalog-XXXXXX");
    CHECK(mkdtemp(at->root) != NULL);
    at->arena = nilas_arena_new(NULL, 0);
    CHECK_OK(nilas_io_new(&at->io, &at->err), at->err);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

__attribute__((unused)) static void place_done(place *at) {
    nilas_catalog_free(at->catalog);
    nilas_io_free(at->io);
    nilas_arena_free(at->arena);
    (void)nftw(at->root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/** root/name */
__attribute__((unused)) static nilas_str below(place *at, const char *name) {
    nilas_str path = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(at->arena, &path, &at->err, "%s/%s", at->root, name), at->err);
    return path;
}

__attribute__((unused)) static void put(place *at, const char *name, const char *text) {
    CHECK_OK(nilas_io_write(at->io, below(at, name), nilas_str_of(text), true, &at->err), at->err);
}

/** An empty table in the directory root/name; gives the metadata file's path. */
__attribute__((unused)) static nilas_str put_table(place *at, const char *name) {
    char file[512], text[2048];
    snprintf(file, sizeof(file), "%s/metadata/v1.metadata.json", name);
    snprintf(text, sizeof(text),
             "{\"format-version\":2,\"table-uuid\":\"9c12d441-03fe-4693-9a96-a0705ddf69c1\","
             "\"location\":\"%s/%s\",\"last-sequence-number\":0,\"last-updated-ms\":1,"
             "\"last-column-id\":1,\"current-schema-id\":0,\"schemas\":[{\"type\":\"struct\","
             "\"schema-id\":0,\"fields\":[{\"id\":1,\"name\":\"id\",\"required\":false,"
             "\"type\":\"long\"}]}],\"default-spec-id\":0,\"partition-specs\":[{\"spec-id\":0,"
             "\"fields\":[]}],\"last-partition-id\":999,\"default-sort-order-id\":0,"
             "\"sort-orders\":[{\"order-id\":0,\"fields\":[]}],\"properties\":{},"
             "\"snapshots\":[]}",
             at->root, name);
    put(at, file, text);
    return below(at, file);
}

/** Open a catalog named "c" from "key=value" settings, ended by NULL. */
__attribute__((unused)) static nilas_code open_settings(place *at, const char *implementation,
                                                        const char *const *settings) {
    nilas_property properties[8];
    size_t count = 0;
    for (; settings[count] != NULL; count++) {
        nilas_str text = nilas_str_of(settings[count]);
        size_t equals = nilas_str_find(text, NILAS_STR("="), 0);
        properties[count].key = nilas_str_slice(text, 0, equals);
        properties[count].value = nilas_str_slice(text, equals + 1, text.size);
    }
    nilas_catalog_options options = {.name = NILAS_STR("c"),
                                     .implementation = nilas_str_of(implementation),
                                     .properties = properties,
                                     .property_count = count,
                                     .io = at->io};
    return nilas_catalog_open(&options, &at->catalog, &at->err);
}

/** "a.b" as parts; "" is none. */
__attribute__((unused)) static size_t split(const char *dotted, nilas_str *parts) {
    nilas_str text = nilas_str_of(dotted);
    size_t count = 0, start = 0;
    while (text.size > 0) {
        size_t dot = nilas_str_find(text, NILAS_STR("."), start);
        parts[count++] = nilas_str_slice(text, start, dot == SIZE_MAX ? dot : dot - start);
        if (dot == SIZE_MAX) {
            break;
        }
        start = dot + 1;
    }
    return count;
}

typedef nilas_code list_call(nilas_catalog *catalog, nilas_arena *arena, const nilas_str *parts,
                             size_t count, nilas_identifier **out, size_t *out_count,
                             nilas_error *err);

/** The names that a listing gives, joined by blanks, or the message of its failure. */
__attribute__((unused)) static const char *names(place *at, list_call *list,
                                                 const char *namespace) {
    nilas_str parts[8], joined = NILAS_STR_EMPTY, name;
    nilas_identifier *found = NULL;
    size_t count = 0;
    if (list(at->catalog, at->arena, parts, split(namespace, parts), &found, &count, &at->err) !=
        NILAS_OK) {
        return at->err.message;
    }
    for (size_t i = 0; i < count; i++) {
        CHECK_OK(nilas_str_join(at->arena, found[i].parts, found[i].count, NILAS_STR("."), &name,
                                &at->err),
                 at->err);
        CHECK_OK(nilas_str_print(at->arena, &joined, &at->err, "%.*s%s%.*s", NILAS_FMT(joined),
                                 i > 0 ? " " : "", NILAS_FMT(name)),
                 at->err);
    }
    return joined.data;
}

/** Load a table and drop it again. */
__attribute__((unused)) static nilas_code load(place *at, const char *dotted) {
    NILAS_AUTO(nilas_table) table = NULL;
    nilas_str parts[8];
    size_t count = split(dotted, parts);
    return nilas_catalog_load_table(at->catalog, parts, count, &table, &at->err);
}

__attribute__((unused)) static bool exists(place *at, const char *namespace) {
    nilas_str parts[8];
    bool found = false;
    size_t count = split(namespace, parts);
    CHECK_OK(nilas_catalog_namespace_exists(at->catalog, parts, count, &found, &at->err), at->err);
    return found;
}

/** A namespace property's value, "" when absent. */
__attribute__((unused)) static nilas_str property(place *at, const char *namespace,
                                                  const char *key) {
    nilas_property *properties = NULL;
    nilas_str parts[8];
    size_t count = 0, part_count = split(namespace, parts);
    CHECK_OK(nilas_catalog_namespace_properties(at->catalog, at->arena, parts, part_count,
                                                &properties, &count, &at->err),
             at->err);
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_is(properties[i].key, key)) {
            return properties[i].value;
        }
    }
    return NILAS_STR_EMPTY;
}

#endif
