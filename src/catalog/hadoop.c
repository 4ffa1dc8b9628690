/*
 * The Hadoop catalog: directories below the warehouse. A table is a directory whose metadata/ holds
 * a metadata file; every other directory is a namespace. Names are used verbatim in paths, as
 * Iceberg's HadoopCatalog does; a name that would leave its directory ("..") names nothing.
 */
#include "catalog/hadoop.h"

static nilas_code open_hadoop(nilas_catalog *catalog, nilas_error *err) {
    NILAS_REQUIRE(catalog->warehouse.size > 0, err, NILAS_INVALID,
                  "Cannot initialize HadoopCatalog because warehousePath must not be null or "
                  "empty: catalog \"%.*s\" "
                  "needs the setting spark.sql.catalog.%.*s.warehouse",
                  NILAS_FMT(catalog->name), NILAS_FMT(catalog->name));
    return nilas_catalog__plain_location(catalog->arena, catalog->warehouse, &catalog->warehouse,
                                         err);
}

/** Whether a name can be a path below its parent: no empty part, no "." and "..". A "/" inside is
 * taken as it stands. */
static bool is_safe_name(nilas_str name) {
    if (name.size == 0 || memchr(name.data, '\0', name.size) != NULL) {
        return false;
    }
    for (size_t start = 0; start <= name.size;) {
        size_t end = nilas_str_find(name, NILAS_STR("/"), start);
        end = end == SIZE_MAX ? name.size : end;
        nilas_str part = nilas_str_slice(name, start, end - start);
        if (nilas_str_is(part, ".") || nilas_str_is(part, "..")) {
            return false;
        }
        start = end + 1;
    }
    return true;
}

nilas_code nilas_catalog__hadoop_path(const nilas_catalog *catalog, nilas_arena *arena,
                                      const nilas_str *parts, size_t count, nilas_str *out,
                                      bool *out_safe, nilas_error *err) {
    nilas_str path = catalog->warehouse;

    *out_safe = true;
    for (size_t i = 0; i < count; i++) {
        *out_safe = *out_safe && is_safe_name(parts[i]);
        NILAS_TRY(nilas_io_join(arena, path, parts[i], &path, err));
    }
    *out = path;
    return NILAS_OK;
}

static nilas_code is_directory(nilas_io *io, nilas_str path, bool *out, nilas_error *err) {
    nilas_io_stat stat;
    nilas_error own = NILAS_ERROR_INIT;
    nilas_code code = nilas_io_stat_file(io, path, &stat, &own);

    if (code == NILAS_NOT_FOUND) {
        *out = false;
        return NILAS_OK;
    }
    if (code != NILAS_OK) {
        if (err != NULL) {
            *err = own;
        }
        return code;
    }
    *out = stat.is_directory;
    return NILAS_OK;
}

static bool is_metadata_name(nilas_str name) {
    return nilas_str_ends(name, NILAS_STR(".metadata.json")) ||
           nilas_str_ends(name, NILAS_STR(".metadata.json.gz"));
}

/** Whether metadata/ holds a metadata file. A directory that may not be looked into is an error,
 * not a namespace. */
static nilas_code is_table(nilas_io *io, nilas_arena *scratch, nilas_str path, bool *out,
                           nilas_error *err) {
    nilas_str metadata;
    nilas_io_entry *entries;
    size_t count;
    bool there;

    *out = false;
    NILAS_TRY(nilas_io_join(scratch, path, NILAS_STR("metadata"), &metadata, err));
    NILAS_TRY(is_directory(io, metadata, &there, err));
    if (!there) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_io_list(io, scratch, metadata, &entries, &count, err));
    for (size_t i = 0; i < count && !*out; i++) {
        *out = is_metadata_name(entries[i].name);
    }
    return NILAS_OK;
}

static nilas_code locate(nilas_catalog *catalog, nilas_arena *arena, const nilas_identifier *name,
                         nilas_str *out, nilas_error *err) {
    nilas_str path;
    bool safe;

    NILAS_TRY(
        nilas_catalog__hadoop_path(catalog, arena, name->parts, name->count, &path, &safe, err));
    NILAS_REQUIRE(safe, err, NILAS_NOT_FOUND, "no table can have this name in catalog \"%.*s\"",
                  NILAS_FMT(catalog->name));
    return nilas_metadata_find(catalog->io, arena, path, out, err);
}

static nilas_code load_metadata(nilas_catalog *catalog, nilas_arena *table_arena,
                                const nilas_str *identifier, size_t count, nilas_metadata **out,
                                nilas_error *err) {
    nilas_identifier name = {.parts = (nilas_str *)identifier, .count = count};

    return nilas_catalog__load_newest(catalog, table_arena, &name, locate, out, err);
}

static nilas_code namespace_exists(nilas_catalog *catalog, const nilas_str *parts, size_t count,
                                   bool *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str path;
    bool safe, there, table = false;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_catalog__hadoop_path(catalog, scratch, parts, count, &path, &safe, err));
    if (!safe) {
        *out = false;
        return NILAS_OK;
    }
    NILAS_TRY(is_directory(catalog->io, path, &there, err));
    if (there) {
        NILAS_TRY(is_table(catalog->io, scratch, path, &table, err));
    }
    *out = there && !table;
    return NILAS_OK;
}

/** Push the directories below a namespace that are tables, or those that are not. */
static nilas_code list_directories(nilas_catalog *catalog, nilas_arena *arena,
                                   const nilas_identifier *of, bool tables,
                                   nilas_catalog__names *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str path;
    nilas_io_entry *entries;
    size_t count;
    bool safe;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(
        nilas_catalog__hadoop_path(catalog, scratch, of->parts, of->count, &path, &safe, err));
    nilas_assert(safe); // the namespace was found to exist
    NILAS_TRY(nilas_io_list(catalog->io, scratch, path, &entries, &count, err));
    for (size_t i = 0; i < count; i++) {
        bool table;
        if (!entries[i].stat.is_directory ||
            nilas_str_ends(entries[i].name, NILAS_STR(NILAS_CATALOG__HADOOP_DROPPED))) {
            continue;
        }
        NILAS_TRY(is_table(catalog->io, scratch, entries[i].location, &table, err));
        if (table == tables) {
            NILAS_TRY(
                nilas_catalog__push_name(arena, out, of->parts, of->count, entries[i].name, err));
        }
    }
    return NILAS_OK;
}

static nilas_code list_namespaces(nilas_catalog *catalog, nilas_arena *arena,
                                  const nilas_str *parts, size_t count, nilas_catalog__names *out,
                                  nilas_error *err) {
    nilas_identifier of = {.parts = (nilas_str *)parts, .count = count};
    bool there;

    NILAS_TRY(is_directory(catalog->io, catalog->warehouse, &there, err));
    if (!there && count == 0 && catalog->is_session) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(there, err, NILAS_NOT_FOUND,
                  "catalog \"%.*s\": the warehouse \"%.*s\" is not a directory",
                  NILAS_FMT(catalog->name), NILAS_FMT(catalog->warehouse));
    return list_directories(catalog, arena, &of, false, out, err);
}

static nilas_code list_tables(nilas_catalog *catalog, nilas_arena *arena, const nilas_str *parts,
                              size_t count, nilas_catalog__names *out, nilas_error *err) {
    nilas_identifier of = {.parts = (nilas_str *)parts, .count = count};

    return list_directories(catalog, arena, &of, true, out, err);
}

static nilas_code namespace_properties(nilas_catalog *catalog, nilas_arena *arena,
                                       const nilas_str *parts, size_t count, nilas_property **out,
                                       size_t *out_count, nilas_error *err) {
    nilas_property *properties;
    bool safe;

    NILAS_NEW_ARRAY(arena, &properties, 1, err);
    properties[0].key = NILAS_STR("location");
    NILAS_TRY(
        nilas_catalog__hadoop_path(catalog, arena, parts, count, &properties[0].value, &safe, err));
    nilas_assert(safe); // the namespace was found to exist
    *out = properties;
    *out_count = 1;
    return NILAS_OK;
}

const nilas_catalog_ops nilas_catalog__hadoop = {
    .open = open_hadoop,
    .load_metadata = load_metadata,
    .namespace_exists = namespace_exists,
    .list_namespaces = list_namespaces,
    .list_tables = list_tables,
    .namespace_properties = namespace_properties,
    .create_namespace = nilas_catalog__hadoop_create_namespace,
    .drop_namespace = nilas_catalog__hadoop_drop_namespace,
    .alter_namespace = nilas_catalog__hadoop_alter_namespace,
    .default_location = nilas_catalog__hadoop_default_location,
    .swap = nilas_catalog__hadoop_swap,
    .drop_table = nilas_catalog__hadoop_drop_table,
    .rename_table = nilas_catalog__hadoop_rename_table,
    .register_table = nilas_catalog__hadoop_register_table,
};
