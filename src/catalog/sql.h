/**
 * The SQL catalog's two halves share its state: sql.c reads, sql_write.c writes. Private to them.
 */
#ifndef NILAS_CATALOG_SQL_H
#define NILAS_CATALOG_SQL_H

#include "catalog/ops.h"
#include "catalog/sqlite.h"

/** Written so that a namespace without properties has a row. */
#define NILAS_CATALOG__SQL_EXISTS_KEY "exists"

typedef struct nilas_catalog__sql_state {
    const char *path;                // of the database file
    nilas_catalog__sqlite *database; // opened on first use
    bool is_writable;                // how it was opened
    bool has_tables, has_types,
        has_namespaces; // which tables and columns are there; found at each use
} nilas_catalog__sql_state;

/** Open the database if it is there, and see which tables it has. None: an empty catalog. */
nilas_code nilas_catalog__sql_look(nilas_catalog *catalog, nilas_error *err);

/* The writing half of the catalog's functions (ops.h). */

nilas_code nilas_catalog__sql_create_namespace(nilas_catalog *catalog, const nilas_identifier *name,
                                               const nilas_property *properties, size_t count,
                                               nilas_error *err);
nilas_code nilas_catalog__sql_drop_namespace(nilas_catalog *catalog, const nilas_identifier *name,
                                             nilas_error *err);
nilas_code nilas_catalog__sql_alter_namespace(nilas_catalog *catalog, const nilas_identifier *name,
                                              const nilas_property *changes, size_t count,
                                              nilas_error *err);
nilas_code nilas_catalog__sql_default_location(nilas_catalog *catalog, nilas_arena *arena,
                                               const nilas_identifier *name, nilas_str *out,
                                               nilas_error *err);
nilas_code nilas_catalog__sql_swap(nilas_catalog *catalog, nilas_arena *arena,
                                   const nilas_identifier *name, const nilas_table *base,
                                   nilas_metadata *next, nilas_error *err);
nilas_code nilas_catalog__sql_drop_table(nilas_catalog *catalog, const nilas_identifier *name,
                                         nilas_error *err);
nilas_code nilas_catalog__sql_rename_table(nilas_catalog *catalog, const nilas_identifier *from,
                                           const nilas_identifier *to, nilas_error *err);
nilas_code nilas_catalog__sql_register_table(nilas_catalog *catalog, const nilas_identifier *name,
                                             nilas_str metadata_location, nilas_error *err);
nilas_code nilas_catalog__sql_swap_view(nilas_catalog *catalog, const nilas_identifier *name,
                                        nilas_str base_location, nilas_str location,
                                        nilas_error *err);
nilas_code nilas_catalog__sql_drop_view(nilas_catalog *catalog, const nilas_identifier *name,
                                        nilas_error *err);
nilas_code nilas_catalog__sql_rename_view(nilas_catalog *catalog, const nilas_identifier *from,
                                          const nilas_identifier *to, nilas_error *err);

#endif
