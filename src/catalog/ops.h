/**
 * What a kind of catalog must be able to do: one table of functions per kind, chosen when a catalog
 * is opened.
 *
 * Private to the room. A new kind (rest, glue, hive) is one more file that fills one
 * `nilas_catalog_ops`, and one line in the list of kinds in catalog.c. Every function gets an
 * identifier or namespace of at least one part unless it says otherwise, and never sees what is a
 * session catalog's: catalog.c adds the namespace "default".
 */
#ifndef NILAS_CATALOG_OPS_H
#define NILAS_CATALOG_OPS_H

#include "catalog/write.h"

/** A growing list of identifiers or namespaces. */
typedef NILAS_ARRAY_OF(nilas_identifier) nilas_catalog__names;

typedef struct nilas_catalog_ops {
    /** Check the settings and keep what is needed in `catalog->state`; touch nothing outside. */
    nilas_code (*open)(nilas_catalog *catalog, nilas_error *err);
    /** Close what first use opened; NULL when there is nothing. */
    void (*close)(nilas_catalog *catalog);
    /** Newest metadata of the table, built in `table_arena`. NILAS_NOT_FOUND only when there is no
     * such table. */
    nilas_code (*load_metadata)(nilas_catalog *catalog, nilas_arena *table_arena,
                                const nilas_str *identifier, size_t count, nilas_metadata **out,
                                nilas_error *err);
    /** `count` 0 is the root, which exists. */
    nilas_code (*namespace_exists)(nilas_catalog *catalog, const nilas_str *parts, size_t count,
                                   bool *out, nilas_error *err);
    /** Names below an existing namespace (`count` 0: the root), pushed on `out` with full parts, in
     * any order. */
    nilas_code (*list_namespaces)(nilas_catalog *catalog, nilas_arena *arena,
                                  const nilas_str *parts, size_t count, nilas_catalog__names *out,
                                  nilas_error *err);
    nilas_code (*list_tables)(nilas_catalog *catalog, nilas_arena *arena, const nilas_str *parts,
                              size_t count, nilas_catalog__names *out, nilas_error *err);
    nilas_code (*list_views)(nilas_catalog *catalog, nilas_arena *arena, const nilas_str *parts,
                             size_t count, nilas_catalog__names *out,
                             nilas_error *err); // NULL: has no views
    nilas_code (*namespace_properties)(nilas_catalog *catalog, nilas_arena *arena,
                                       const nilas_str *parts, size_t count, nilas_property **out,
                                       size_t *out_count, nilas_error *err);
    /** Location of the view's metadata file. NILAS_NOT_FOUND when there is no such view. NULL: has
     * no views. */
    nilas_code (*find_view)(nilas_catalog *catalog, nilas_arena *arena, const nilas_str *identifier,
                            size_t count, nilas_str *out_metadata_location, nilas_error *err);

    /* Writing. NULL: the kind cannot do it, and write.c says so by name. */

    nilas_code (*create_namespace)(nilas_catalog *catalog, const nilas_identifier *name,
                                   const nilas_property *properties, size_t count,
                                   nilas_error *err);
    nilas_code (*drop_namespace)(nilas_catalog *catalog, const nilas_identifier *name,
                                 nilas_error *err);
    nilas_code (*alter_namespace)(nilas_catalog *catalog, const nilas_identifier *name,
                                  const nilas_property *changes, size_t count, nilas_error *err);
    nilas_code (*default_location)(nilas_catalog *catalog, nilas_arena *arena,
                                   const nilas_identifier *name, nilas_str *out, nilas_error *err);
    /** As nilas_catalog_swap(); write.c removes the metadata files that fell out of the log. */
    nilas_code (*swap)(nilas_catalog *catalog, nilas_arena *arena, const nilas_identifier *name,
                       const nilas_table *base, nilas_metadata *next, nilas_error *err);
    /** Forget the table; write.c removes its files when asked to purge. */
    nilas_code (*drop_table)(nilas_catalog *catalog, const nilas_identifier *name,
                             nilas_error *err);
    nilas_code (*rename_table)(nilas_catalog *catalog, const nilas_identifier *from,
                               const nilas_identifier *to, nilas_error *err);
    nilas_code (*register_table)(nilas_catalog *catalog, const nilas_identifier *name,
                                 nilas_str metadata_location, nilas_error *err);
    /** Point the view at a metadata file; `base_location` empty creates it. NILAS_CONFLICT when the
     * view is not at `base_location` any more. */
    nilas_code (*swap_view)(nilas_catalog *catalog, const nilas_identifier *name,
                            nilas_str base_location, nilas_str location, nilas_error *err);
    nilas_code (*drop_view)(nilas_catalog *catalog, const nilas_identifier *name, nilas_error *err);
    nilas_code (*rename_view)(nilas_catalog *catalog, const nilas_identifier *from,
                              const nilas_identifier *to, nilas_error *err);
} nilas_catalog_ops;

struct nilas_catalog {
    const nilas_catalog_ops *ops;
    nilas_arena *arena; // owned; settings live here
    nilas_io *io;       // borrowed
    nilas_str name;
    nilas_property *properties;
    size_t property_count;
    nilas_str warehouse; // without trailing slashes; empty when not set
    nilas_str default_namespace;
    bool is_session;
    bool embedded;
    void *state; // of the kind
};

extern const nilas_catalog_ops nilas_catalog__hadoop, nilas_catalog__sql;

/** A setting; empty when absent. */
nilas_str nilas_catalog__property(const nilas_catalog *catalog, const char *key);
/** A name one level below `parts`, copied into the arena and pushed. */
nilas_code nilas_catalog__push_name(nilas_arena *arena, nilas_catalog__names *names,
                                    const nilas_str *parts, size_t count, nilas_str name,
                                    nilas_error *err);
/** Dotted text of an identifier for messages, in the arena. */
nilas_code nilas_catalog__dotted(nilas_arena *arena, const nilas_str *parts, size_t count,
                                 nilas_str *out, nilas_error *err);
/** As Hadoop's Path prints a location: "file:///a//b/" -> "file:/a/b", "s3://bucket/a/" ->
 * "s3://bucket/a". */
nilas_code nilas_catalog__plain_location(nilas_arena *arena, nilas_str location, nilas_str *out,
                                         nilas_error *err);
/** Where the table's newest metadata file is; NILAS_NOT_FOUND when there is no such table. */
typedef nilas_code nilas_catalog__locate(nilas_catalog *catalog, nilas_arena *arena,
                                         const nilas_identifier *name, nilas_str *out,
                                         nilas_error *err);
/** Load the metadata file that a catalog names; its absence is NILAS_CORRUPT, for the catalog says
 * that it is there. */
nilas_code nilas_catalog__load_newest(nilas_catalog *catalog, nilas_arena *table_arena,
                                      const nilas_identifier *name, nilas_catalog__locate *locate,
                                      nilas_metadata **out, nilas_error *err);
/** Raise "… does not exist" and its like with the dotted name at the end. */
nilas_code nilas_catalog__fail_named(nilas_error *err, nilas_code code, const char *what,
                                     const nilas_identifier *name);
/** Bytes of a metadata file, checked to be readable again, and how its name ends
 * (".metadata.json", ".gz.metadata.json"), by the property write.metadata.compression-codec. */
nilas_code nilas_catalog__encode_metadata(nilas_arena *arena, const nilas_metadata *metadata,
                                          nilas_str *out_bytes, const char **out_ending,
                                          nilas_error *err);
/** "NNNNN-<uuid>" + ending in the metadata folder of `location`, one version after
 * `base_location` (empty: 00000). */
nilas_code nilas_catalog__metadata_path(nilas_arena *arena, nilas_str folder,
                                        nilas_str base_location, const char *ending, nilas_str *out,
                                        nilas_error *err);
/** The folder that metadata files of a table go to: write.metadata.path, or below its location. */
nilas_code nilas_catalog__metadata_folder(nilas_arena *arena, const nilas_metadata *metadata,
                                          nilas_str *out, nilas_error *err);
/** Delete a file that nobody refers to; failures are ignored, for it does no harm. */
void nilas_catalog__discard(const nilas_catalog *catalog, nilas_str location);
/** All files that a table's metadata refers to, collected before it is dropped; and their end
 * (purge.c). */
nilas_code nilas_catalog__collect_files(nilas_catalog *catalog, nilas_arena *arena,
                                        const nilas_table *table, nilas_map *out, nilas_error *err);
void nilas_catalog__delete_files(nilas_catalog *catalog, const nilas_map *files);
/** Read and parse a view's metadata file (view.c). */
nilas_code nilas_catalog__load_view_file(nilas_io *io, nilas_arena *arena, nilas_str location,
                                         nilas_view **out, nilas_error *err);

#endif
