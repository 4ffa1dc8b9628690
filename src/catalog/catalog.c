/*
 * The front of the room: which kind of catalog the settings ask for, what holds for every kind
 * (session catalogs always have "default", names come sorted, a loaded table is one reference), and
 * tables by their location.
 *
 * Messages name the catalog, the setting and its value; values of settings whose names look like
 * secrets are left out.
 */
#include "catalog/catalog.h"

#include <stdlib.h>

#include "catalog/ops.h"

#define SPARK_CATALOG         "org.apache.iceberg.spark.SparkCatalog"
#define SPARK_SESSION_CATALOG "org.apache.iceberg.spark.SparkSessionCatalog"
#define DEFAULT_NAMESPACE     "default"

typedef struct kind {
    const char *type;             // value of `type`
    const char *implementation;   // value of `catalog-impl`
    const nilas_catalog_ops *ops; // NULL: known, but not ours yet
} kind;

static const kind kinds[] = {
    {"hadoop", "org.apache.iceberg.hadoop.HadoopCatalog", &nilas_catalog__hadoop},
    {"jdbc", "org.apache.iceberg.jdbc.JdbcCatalog", &nilas_catalog__sql},
    {"sql", NULL, &nilas_catalog__sql}, // PyIceberg's word for the same tables
    {"hive", "org.apache.iceberg.hive.HiveCatalog", NULL},
    {"rest", "org.apache.iceberg.rest.RESTCatalog", NULL},
    {"glue", "org.apache.iceberg.aws.glue.GlueCatalog", NULL},
    {"nessie", "org.apache.iceberg.nessie.NessieCatalog", NULL},
    {"bigquery", "org.apache.iceberg.gcp.bigquery.BigQueryMetastoreCatalog", NULL},
    {"s3tables", "software.amazon.s3tables.iceberg.S3TablesCatalog", NULL},
};
#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

static bool is_secret(nilas_str key) {
    static const char *const words[] = {"secret", "password", "token", "credential", "access-key"};

    for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
        nilas_str word = nilas_str_of(words[w]);
        for (size_t i = 0; i + word.size <= key.size; i++) {
            if (nilas_str_equal_nocase(nilas_str_slice(key, i, word.size), word)) {
                return true;
            }
        }
    }
    return false;
}

nilas_str nilas_catalog__property(const nilas_catalog *catalog, const char *key) {
    for (size_t i = 0; i < catalog->property_count; i++) {
        if (nilas_str_is(catalog->properties[i].key, key)) {
            return catalog->properties[i].value;
        }
    }
    return NILAS_STR_EMPTY;
}

/** Raise a wrong setting, with its value unless it is a secret. */
static nilas_code refuse_setting(const nilas_catalog *catalog, nilas_code code, const char *key,
                                 const char *why, nilas_error *err) {
    nilas_str value = nilas_catalog__property(catalog, key);

    if (is_secret(nilas_str_of(key))) {
        value = NILAS_STR("(hidden)");
    }
    return nilas_fail(
        err, code, "catalog \"%.*s\": setting spark.sql.catalog.%.*s.%s = \"%.*s\": %s",
        NILAS_FMT(catalog->name), NILAS_FMT(catalog->name), key, NILAS_FMT(value), why);
}

static nilas_code copy_options(nilas_catalog *catalog, const nilas_catalog_options *options,
                               nilas_error *err) {
    NILAS_TRY(nilas_str_copy(catalog->arena, options->name, &catalog->name, err));
    NILAS_NEW_ARRAY(catalog->arena, &catalog->properties, options->property_count, err);
    for (size_t i = 0; i < options->property_count; i++) {
        const nilas_property *from = &options->properties[i];
        nilas_property *to = &catalog->properties[i];
        NILAS_TRY(nilas_str_copy(catalog->arena, from->key, &to->key, err));
        NILAS_TRY(nilas_str_copy(catalog->arena, from->value, &to->value, err));
    }
    catalog->property_count = options->property_count;
    catalog->io = options->io;
    catalog->embedded = options->embedded;
    catalog->is_session =
        options->embedded || nilas_str_is(options->implementation, SPARK_SESSION_CATALOG);

    catalog->default_namespace = nilas_catalog__property(catalog, "default-namespace");
    if (catalog->is_session && catalog->default_namespace.size == 0) {
        catalog->default_namespace = NILAS_STR(DEFAULT_NAMESPACE);
    }
    catalog->warehouse = nilas_catalog__property(catalog, "warehouse");
    while (catalog->warehouse.size > 1 &&
           catalog->warehouse.data[catalog->warehouse.size - 1] == '/') {
        catalog->warehouse.size--;
    }
    return NILAS_OK;
}

/** Find the kind that `type` or `catalog-impl` names; Spark's rules for both and for neither. */
static nilas_code choose_kind(nilas_catalog *catalog, nilas_error *err) {
    nilas_str type = nilas_catalog__property(catalog, "type");
    nilas_str implementation = nilas_catalog__property(catalog, "catalog-impl");
    const char *key = implementation.size > 0 ? "catalog-impl" : "type";

    NILAS_REQUIRE(type.size == 0 || implementation.size == 0, err, NILAS_INVALID,
                  "Cannot create catalog %.*s, both type and catalog-impl are set: type=%.*s, "
                  "catalog-impl=%.*s",
                  NILAS_FMT(catalog->name), NILAS_FMT(type), NILAS_FMT(implementation));
    if (type.size == 0 && implementation.size == 0) {
        return nilas_fail(err, NILAS_UNSUPPORTED,
                          "catalog \"%.*s\": setting spark.sql.catalog.%.*s.type is missing, which "
                          "means hive, and hive "
                          "catalogs are not supported yet; supported are hadoop and jdbc",
                          NILAS_FMT(catalog->name), NILAS_FMT(catalog->name));
    }

    for (size_t i = 0; i < KIND_COUNT; i++) {
        const char *name = implementation.size > 0 ? kinds[i].implementation : kinds[i].type;
        bool same = name != NULL && (implementation.size > 0 ? nilas_str_is(implementation, name)
                                                             : nilas_str_is_nocase(type, name));
        if (!same) {
            continue;
        }
        catalog->ops = kinds[i].ops;
        return catalog->ops != NULL
                   ? NILAS_OK
                   : refuse_setting(
                         catalog, NILAS_UNSUPPORTED, key,
                         "this kind of catalog is not supported yet; supported are hadoop and jdbc",
                         err);
    }
    return implementation.size > 0
               ? refuse_setting(catalog, NILAS_UNSUPPORTED, key,
                                "classes of others cannot be loaded", err)
               : refuse_setting(catalog, NILAS_INVALID, key,
                                "Unknown catalog type; supported are hadoop and jdbc", err);
}

nilas_code nilas_catalog_open(const nilas_catalog_options *options, nilas_catalog **out,
                              nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    nilas_assert(options->io != NULL);

    nilas_catalog *catalog;
    NILAS_NEW(arena, &catalog, err);
    catalog->arena = arena;
    NILAS_TRY(copy_options(catalog, options, err));

    if (catalog->embedded) {
        catalog->ops = &nilas_catalog__sql;
    } else {
        NILAS_REQUIRE(nilas_str_is(options->implementation, SPARK_CATALOG) || catalog->is_session,
                      err, NILAS_UNSUPPORTED,
                      "catalog \"%.*s\": setting spark.sql.catalog.%.*s = \"%.*s\": only %s and %s "
                      "are supported",
                      NILAS_FMT(options->name), NILAS_FMT(options->name),
                      NILAS_FMT(options->implementation), SPARK_CATALOG, SPARK_SESSION_CATALOG);
        NILAS_TRY(choose_kind(catalog, err));
    }
    NILAS_TRY(catalog->ops->open(catalog, err));

    arena = NULL; // the catalog owns it now
    *out = catalog;
    return NILAS_OK;
}

void nilas_catalog_free(nilas_catalog *catalog) {
    if (catalog == NULL) {
        return;
    }
    if (catalog->ops->close != NULL) {
        catalog->ops->close(catalog);
    }
    nilas_arena_free(catalog->arena);
}

nilas_str nilas_catalog_name(const nilas_catalog *catalog) {
    return catalog->name;
}

nilas_str nilas_catalog_default_namespace(const nilas_catalog *catalog) {
    return catalog->default_namespace;
}

bool nilas_catalog_is_session(const nilas_catalog *catalog) {
    return catalog->is_session;
}

nilas_code nilas_catalog_load_table(nilas_catalog *catalog, const nilas_str *identifier,
                                    size_t count, nilas_table **out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_metadata *metadata;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    nilas_assert(count > 0);
    NILAS_TRY(catalog->ops->load_metadata(catalog, arena, identifier, count, &metadata, err));
    NILAS_TRY(
        nilas_table_new(arena, catalog->io, catalog->name, identifier, count, metadata, out, err));
    arena = NULL; // the table owns it now
    return NILAS_OK;
}

nilas_code nilas_catalog_load_path(nilas_io *io, nilas_str location, nilas_table **out,
                                   nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str metadata_location = location;
    nilas_metadata *metadata;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    if (!nilas_str_ends(location, NILAS_STR(".metadata.json")) &&
        !nilas_str_ends(location, NILAS_STR(".metadata.json.gz"))) {
        nilas_str plain;
        NILAS_TRY(nilas_catalog__plain_location(arena, location, &plain, err));
        NILAS_TRY(nilas_metadata_find(io, arena, plain, &metadata_location, err));
    }
    NILAS_TRY(nilas_metadata_load(io, arena, metadata_location, &metadata, err));
    NILAS_TRY(nilas_table_new(arena, io, NILAS_STR_EMPTY, &location, 1, metadata, out, err));
    arena = NULL; // the table owns it now
    return NILAS_OK;
}

/** The namespace that a session catalog has even when its store does not. */
static bool is_made_up(const nilas_catalog *catalog, const nilas_str *parts, size_t count) {
    return catalog->is_session && count == 1 && nilas_str_is(parts[0], DEFAULT_NAMESPACE);
}

nilas_code nilas_catalog_namespace_exists(nilas_catalog *catalog, const nilas_str *parts,
                                          size_t count, bool *out, nilas_error *err) {
    if (count == 0 || is_made_up(catalog, parts, count)) {
        *out = true;
        return NILAS_OK;
    }
    return catalog->ops->namespace_exists(catalog, parts, count, out, err);
}

/** Whether to ask the store at all: *out_stored false is a namespace that is only made up. */
static nilas_code require_namespace(nilas_catalog *catalog, const nilas_str *parts, size_t count,
                                    bool *out_stored, nilas_error *err) {
    if (count == 0) {
        *out_stored = true;
        return NILAS_OK;
    }
    NILAS_TRY(catalog->ops->namespace_exists(catalog, parts, count, out_stored, err));
    if (*out_stored || is_made_up(catalog, parts, count)) {
        return NILAS_OK;
    }

    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str dotted;
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_catalog__dotted(scratch, parts, count, &dotted, err));
    return nilas_fail(err, NILAS_NOT_FOUND, "Namespace does not exist: %.*s", NILAS_FMT(dotted));
}

static int compare_names(const void *a, const void *b) {
    const nilas_identifier *x = a;
    const nilas_identifier *y = b;

    nilas_assert(x->count > 0 && x->count == y->count);
    return nilas_str_compare(x->parts[x->count - 1], y->parts[y->count - 1]);
}

/** Hand out the list sorted: the store's order is no order. */
static void give_names(const nilas_catalog__names *names, nilas_identifier **out,
                       size_t *out_count) {
    if (names->count > 1) {
        qsort(names->items, names->count, sizeof(names->items[0]), compare_names);
    }
    *out = names->items;
    *out_count = names->count;
}

static bool holds_name(const nilas_catalog__names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++) {
        if (nilas_str_is(names->items[i].parts[names->items[i].count - 1], name)) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_catalog_list_namespaces(nilas_catalog *catalog, nilas_arena *arena,
                                         const nilas_str *parts, size_t count,
                                         nilas_identifier **out, size_t *out_count,
                                         nilas_error *err) {
    nilas_catalog__names names = {0};
    bool stored;

    NILAS_TRY(require_namespace(catalog, parts, count, &stored, err));
    if (stored) {
        NILAS_TRY(catalog->ops->list_namespaces(catalog, arena, parts, count, &names, err));
    }
    if (catalog->is_session && count == 0 && !holds_name(&names, DEFAULT_NAMESPACE)) {
        NILAS_TRY(
            nilas_catalog__push_name(arena, &names, NULL, 0, NILAS_STR(DEFAULT_NAMESPACE), err));
    }
    give_names(&names, out, out_count);
    return NILAS_OK;
}

typedef nilas_code list_function(nilas_catalog *catalog, nilas_arena *arena, const nilas_str *parts,
                                 size_t count, nilas_catalog__names *out, nilas_error *err);

static nilas_code list_objects(nilas_catalog *catalog, nilas_arena *arena, list_function *list,
                               const nilas_identifier *of, nilas_catalog__names *names,
                               nilas_error *err) {
    bool stored;

    NILAS_REQUIRE(of->count > 0, err, NILAS_INVALID, "Missing database in table identifier: ");
    NILAS_TRY(require_namespace(catalog, of->parts, of->count, &stored, err));
    return stored && list != NULL ? list(catalog, arena, of->parts, of->count, names, err)
                                  : NILAS_OK;
}

nilas_code nilas_catalog_list_tables(nilas_catalog *catalog, nilas_arena *arena,
                                     const nilas_str *parts, size_t count, nilas_identifier **out,
                                     size_t *out_count, nilas_error *err) {
    nilas_catalog__names names = {0};
    nilas_identifier of = {.parts = (nilas_str *)parts, .count = count};

    NILAS_TRY(list_objects(catalog, arena, catalog->ops->list_tables, &of, &names, err));
    give_names(&names, out, out_count);
    return NILAS_OK;
}

nilas_code nilas_catalog_list_views(nilas_catalog *catalog, nilas_arena *arena,
                                    const nilas_str *parts, size_t count, nilas_identifier **out,
                                    size_t *out_count, nilas_error *err) {
    nilas_catalog__names names = {0};
    nilas_identifier of = {.parts = (nilas_str *)parts, .count = count};

    NILAS_TRY(list_objects(catalog, arena, catalog->ops->list_views, &of, &names, err));
    give_names(&names, out, out_count);
    return NILAS_OK;
}

nilas_code nilas_catalog_namespace_properties(nilas_catalog *catalog, nilas_arena *arena,
                                              const nilas_str *parts, size_t count,
                                              nilas_property **out, size_t *out_count,
                                              nilas_error *err) {
    bool stored;

    NILAS_REQUIRE(count > 0, err, NILAS_NOT_FOUND, "Namespace does not exist: ");
    NILAS_TRY(require_namespace(catalog, parts, count, &stored, err));
    if (!stored) {
        *out = NULL;
        *out_count = 0;
        return NILAS_OK;
    }
    return catalog->ops->namespace_properties(catalog, arena, parts, count, out, out_count, err);
}

/** A file that the catalog names is absent: the object exists and is broken, which is not the same
 * as "no such table". */
static nilas_code blame_catalog(const nilas_catalog *catalog, nilas_error *err) {
    if (err != NULL) {
        nilas_error_append(err, "(named by catalog \"%.*s\")", NILAS_FMT(catalog->name));
        err->code = NILAS_CORRUPT;
    }
    return NILAS_CORRUPT;
}

nilas_code nilas_catalog_load_view(nilas_catalog *catalog, nilas_arena *arena,
                                   const nilas_str *identifier, size_t count, nilas_view **out,
                                   nilas_error *err) {
    nilas_str location;

    nilas_assert(count > 0);
    NILAS_REQUIRE(catalog->ops->find_view != NULL, err, NILAS_NOT_FOUND,
                  "catalog \"%.*s\" has no views", NILAS_FMT(catalog->name));
    NILAS_TRY(catalog->ops->find_view(catalog, arena, identifier, count, &location, err));

    nilas_code code = nilas_catalog__load_view_file(catalog->io, arena, location, out, err);
    return code == NILAS_NOT_FOUND ? blame_catalog(catalog, err) : code;
}

nilas_code nilas_catalog__push_name(nilas_arena *arena, nilas_catalog__names *names,
                                    const nilas_str *parts, size_t count, nilas_str name,
                                    nilas_error *err) {
    nilas_identifier made = {.count = count + 1};

    NILAS_NEW_ARRAY(arena, &made.parts, count + 1, err);
    for (size_t i = 0; i < count; i++) {
        made.parts[i] = parts[i];
    }
    NILAS_TRY(nilas_str_copy(arena, name, &made.parts[count], err));
    NILAS_PUSH(arena, names, made, err);
    return NILAS_OK;
}

nilas_code nilas_catalog__dotted(nilas_arena *arena, const nilas_str *parts, size_t count,
                                 nilas_str *out, nilas_error *err) {
    return nilas_str_join(arena, parts, count, NILAS_STR("."), out, err);
}

nilas_code nilas_catalog__plain_location(nilas_arena *arena, nilas_str location, nilas_str *out,
                                         nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    size_t path = 0;

    size_t colon = nilas_str_find(location, NILAS_STR(":"), 0);
    size_t slash = nilas_str_find(location, NILAS_STR("/"), 0);
    if (colon != SIZE_MAX && slash != SIZE_MAX && colon < slash) {
        path = colon + 1;
        bool has_authority =
            nilas_str_starts(nilas_str_slice(location, path, 2), NILAS_STR("//")) &&
            path + 2 < location.size && location.data[path + 2] != '/';
        if (has_authority) {
            size_t end = nilas_str_find(location, NILAS_STR("/"), path + 2);
            path = end != SIZE_MAX ? end : location.size;
        }
        nilas_buf_add(&text, nilas_str_slice(location, 0, path));
    }

    size_t start = text.size;
    for (size_t i = path; i < location.size; i++) {
        bool repeated = location.data[i] == '/' && i > path && location.data[i - 1] == '/';
        if (!repeated) {
            nilas_buf_add_char(&text, location.data[i]);
        }
    }
    if (text.size > start + 1 && text.data[text.size - 1] == '/') {
        nilas_buf_truncate(&text, text.size - 1);
    }
    return nilas_buf_finish(&text, arena, out, err);
}

nilas_code nilas_catalog__load_newest(nilas_catalog *catalog, nilas_arena *table_arena,
                                      const nilas_identifier *name, nilas_catalog__locate *locate,
                                      nilas_metadata **out, nilas_error *err) {
    nilas_str location = NILAS_STR_EMPTY;

    for (;;) {
        nilas_str before = location;
        NILAS_TRY(locate(catalog, table_arena, name, &location, err));
        if (nilas_str_equal(before, location)) {
            return blame_catalog(catalog, err); // still named, still not there
        }
        nilas_code code = nilas_metadata_load(catalog->io, table_arena, location, out, err);
        // A writer that keeps few versions may have deleted it since: look where the table is now.
        if (code != NILAS_NOT_FOUND) {
            return code;
        }
    }
}
