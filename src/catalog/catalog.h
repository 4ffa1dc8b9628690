/**
 * catalog: name -> table, and (for writers) the atomic swap.
 *
 * A catalog is opened from Spark's settings (`spark.sql.catalog.NAME.*`). Hadoop (directory
 * layout), SQL (SQLite in the table layout of Iceberg's JdbcCatalog and PyIceberg's SqlCatalog);
 * others are refused by name until they exist.
 */
#ifndef NILAS_CATALOG_CATALOG_H
#define NILAS_CATALOG_CATALOG_H

#include "iceberg/iceberg.h"

typedef struct nilas_catalog nilas_catalog;

typedef struct nilas_catalog_options {
    nilas_str name;
    nilas_str implementation;         // class name, e.g. "org.apache.iceberg.spark.SparkCatalog"
    const nilas_property *properties; // keys without the "spark.sql.catalog.NAME." prefix: type,
                                      // warehouse, uri, catalog-impl, …
    size_t property_count;
    nilas_io *io;  // borrowed; outlives the catalog
    bool embedded; // the built-in SQLite catalog "nilas-warehouse/catalog.db" below the working
                   // directory; nothing is created on disk by reading
} nilas_catalog_options;

/** Check the settings and remember them; touches the outside only on first use. NILAS_INVALID names
 * the wrong or missing setting; NILAS_UNSUPPORTED the type that is not ours yet. Copies what it
 * needs. */
nilas_code nilas_catalog_open(const nilas_catalog_options *options, nilas_catalog **out,
                              nilas_error *err);
void nilas_catalog_free(nilas_catalog *catalog);
NILAS_DEFINE_AUTO(nilas_catalog, nilas_catalog_free);
nilas_str nilas_catalog_name(const nilas_catalog *catalog);
/** Default namespace (property default-namespace, "default" for session catalogs). */
nilas_str nilas_catalog_default_namespace(const nilas_catalog *catalog);
/** A session catalog (SparkSessionCatalog): "default" always exists, names of one level. */
bool nilas_catalog_is_session(const nilas_catalog *catalog);

/** Load the newest version of a table. `identifier`: namespace parts then name. NILAS_NOT_FOUND: no
 * such table (quiet: the caller words Spark's error); anything else says what is broken. The caller
 * owns one reference. */
nilas_code nilas_catalog_load_table(nilas_catalog *catalog, const nilas_str *identifier,
                                    size_t count, nilas_table **out, nilas_error *err);
/** Load by location: a table directory, or a metadata.json file. */
nilas_code nilas_catalog_load_path(nilas_io *io, nilas_str location, nilas_table **out,
                                   nilas_error *err);

nilas_code nilas_catalog_namespace_exists(nilas_catalog *catalog, const nilas_str *parts,
                                          size_t count, bool *out, nilas_error *err);

typedef struct nilas_identifier {
    nilas_str *parts;
    size_t count;
} nilas_identifier;
/** Direct children of the namespace (none: the roots), each as full parts. NILAS_NOT_FOUND when it
 * does not exist. */
nilas_code nilas_catalog_list_namespaces(nilas_catalog *catalog, nilas_arena *arena,
                                         const nilas_str *parts, size_t count,
                                         nilas_identifier **out, size_t *out_count,
                                         nilas_error *err);
nilas_code nilas_catalog_list_tables(nilas_catalog *catalog, nilas_arena *arena,
                                     const nilas_str *parts, size_t count, nilas_identifier **out,
                                     size_t *out_count, nilas_error *err);
nilas_code nilas_catalog_list_views(nilas_catalog *catalog, nilas_arena *arena,
                                    const nilas_str *parts, size_t count, nilas_identifier **out,
                                    size_t *out_count, nilas_error *err);
nilas_code nilas_catalog_namespace_properties(nilas_catalog *catalog, nilas_arena *arena,
                                              const nilas_str *parts, size_t count,
                                              nilas_property **out, size_t *out_count,
                                              nilas_error *err);

typedef struct nilas_view { // an Iceberg view, current version
    nilas_str location, uuid;
    nilas_str sql, dialect;    // the representation for "spark", else the first
    nilas_str default_catalog; // empty when none
    nilas_str *default_namespace;
    size_t default_namespace_count;
    const nilas_schema *schema;
    nilas_property *properties;
    size_t property_count;
} nilas_view;
/** NILAS_NOT_FOUND when there is no such view (or the catalog has none). */
nilas_code nilas_catalog_load_view(nilas_catalog *catalog, nilas_arena *arena,
                                   const nilas_str *identifier, size_t count, nilas_view **out,
                                   nilas_error *err);

#include "catalog/write.h"

#endif
