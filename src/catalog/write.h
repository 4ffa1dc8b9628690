/**
 * Changing what a catalog holds: namespaces, the atomic swap of a table's metadata, drops, renames,
 * views.
 *
 * A catalog that cannot do one of these says so by name (NILAS_UNSUPPORTED, in Iceberg's words:
 * "Cannot rename Hadoop tables").
 */
#ifndef NILAS_CATALOG_WRITE_H
#define NILAS_CATALOG_WRITE_H

#include "catalog/catalog.h"

/** NILAS_EXISTS when it is there. Parents are created by catalogs that have directories. */
nilas_code nilas_catalog_create_namespace(nilas_catalog *catalog, const nilas_str *parts,
                                          size_t count, const nilas_property *properties,
                                          size_t property_count, nilas_error *err);
/** NILAS_NOT_FOUND, or NILAS_INVALID when it is not empty ("Namespace db is not empty."). */
nilas_code nilas_catalog_drop_namespace(nilas_catalog *catalog, const nilas_str *parts,
                                        size_t count, nilas_error *err);
/** Set (value data non-NULL) or remove (NULL) properties. */
nilas_code nilas_catalog_alter_namespace(nilas_catalog *catalog, const nilas_str *parts,
                                         size_t count, const nilas_property *changes,
                                         size_t change_count, nilas_error *err);

/** Where a new table goes when CREATE says no LOCATION. */
nilas_code nilas_catalog_default_location(nilas_catalog *catalog, nilas_arena *arena,
                                          const nilas_str *identifier, size_t count, nilas_str *out,
                                          nilas_error *err);

/** A location as the names of files below it are spelled: as Hadoop's paths print, so
 * "file:///a/b/" becomes "file:/a/b". Tables keep the spelling that they were given. */
nilas_code nilas_catalog_file_location(nilas_arena *arena, nilas_str location, nilas_str *out,
                                       nilas_error *err);
/** What the catalog reads and writes through; lives longer than the catalog. */
nilas_io *nilas_catalog_io(const nilas_catalog *catalog);
/** A random UUID (version 4) as text. */
nilas_code nilas_catalog_new_uuid(nilas_arena *arena, nilas_str *out, nilas_error *err);

/**
 * Write `next` as the table's new metadata and make it current, atomically.
 *
 * @param base  the version that `next` was made from; NULL creates the table
 * @param next  complete metadata; its metadata_location is set by this call (file name by the
 * catalog's rule: vN.metadata.json for hadoop, NNNNN-<uuid>.metadata.json else; gz by
 * write.metadata.compression-codec)
 * @return NILAS_CONFLICT   somebody else was first; the new metadata file is deleted again; nothing
 * happened NILAS_EXISTS     base is NULL and the table is there NILAS_NOT_FOUND  the namespace, or
 * a table that was dropped meanwhile NILAS_UNCERTAIN  the answer was lost: nothing may be deleted;
 * check with nilas_catalog_load_table() for the metadata location
 */
nilas_code nilas_catalog_swap(nilas_catalog *catalog, nilas_arena *arena,
                              const nilas_str *identifier, size_t count, const nilas_table *base,
                              nilas_metadata *next, nilas_error *err);

/** Forget the table; with `purge` also delete its files (data, delete, manifests, metadata of all
 * snapshots; gc.enabled=false refuses). */
nilas_code nilas_catalog_drop_table(nilas_catalog *catalog, const nilas_str *identifier,
                                    size_t count, bool purge, nilas_error *err);
nilas_code nilas_catalog_rename_table(nilas_catalog *catalog, const nilas_str *from,
                                      size_t from_count, const nilas_str *to, size_t to_count,
                                      nilas_error *err);
/** Make an existing metadata file a table of this catalog. NILAS_EXISTS. */
nilas_code nilas_catalog_register_table(nilas_catalog *catalog, const nilas_str *identifier,
                                        size_t count, nilas_str metadata_location,
                                        nilas_error *err);

/** What a view is made of; version and history are the catalog's. */
typedef struct nilas_view_definition {
    nilas_str sql, dialect;
    nilas_str default_catalog;
    const nilas_str *default_namespace;
    size_t default_namespace_count;
    const nilas_schema *schema;
    const nilas_property *properties;
    size_t property_count;
} nilas_view_definition;
/** Create, or with `replace` add a version (properties are kept and overlaid). NILAS_EXISTS (also
 * when a table has the name). */
nilas_code nilas_catalog_put_view(nilas_catalog *catalog, const nilas_str *identifier, size_t count,
                                  const nilas_view_definition *view, bool replace,
                                  nilas_error *err);
/** Set or remove (value data NULL) properties of a view. */
nilas_code nilas_catalog_alter_view(nilas_catalog *catalog, const nilas_str *identifier,
                                    size_t count, const nilas_property *changes,
                                    size_t change_count, nilas_error *err);
nilas_code nilas_catalog_drop_view(nilas_catalog *catalog, const nilas_str *identifier,
                                   size_t count, nilas_error *err);
nilas_code nilas_catalog_rename_view(nilas_catalog *catalog, const nilas_str *from,
                                     size_t from_count, const nilas_str *to, size_t to_count,
                                     nilas_error *err);

#endif
