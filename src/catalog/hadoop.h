/** The Hadoop catalog's two halves: hadoop.c reads, hadoop_write.c writes. Private to them. */
#ifndef NILAS_CATALOG_HADOOP_H
#define NILAS_CATALOG_HADOOP_H

#include "catalog/ops.h"

/** Directories that a drop has moved aside and not yet removed end like this and are not listed. */
#define NILAS_CATALOG__HADOOP_DROPPED ".dropped"

/** warehouse/part/part; *out_safe false when a part cannot be a directory's name. */
nilas_code nilas_catalog__hadoop_path(const nilas_catalog *catalog, nilas_arena *arena,
                                      const nilas_str *parts, size_t count, nilas_str *out,
                                      bool *out_safe, nilas_error *err);

/* The writing half of the catalog's functions (ops.h). */

nilas_code nilas_catalog__hadoop_create_namespace(nilas_catalog *catalog,
                                                  const nilas_identifier *name,
                                                  const nilas_property *properties, size_t count,
                                                  nilas_error *err);
nilas_code nilas_catalog__hadoop_drop_namespace(nilas_catalog *catalog,
                                                const nilas_identifier *name, nilas_error *err);
nilas_code nilas_catalog__hadoop_alter_namespace(nilas_catalog *catalog,
                                                 const nilas_identifier *name,
                                                 const nilas_property *changes, size_t count,
                                                 nilas_error *err);
nilas_code nilas_catalog__hadoop_default_location(nilas_catalog *catalog, nilas_arena *arena,
                                                  const nilas_identifier *name, nilas_str *out,
                                                  nilas_error *err);
nilas_code nilas_catalog__hadoop_swap(nilas_catalog *catalog, nilas_arena *arena,
                                      const nilas_identifier *name, const nilas_table *base,
                                      nilas_metadata *next, nilas_error *err);
nilas_code nilas_catalog__hadoop_drop_table(nilas_catalog *catalog, const nilas_identifier *name,
                                            nilas_error *err);
nilas_code nilas_catalog__hadoop_rename_table(nilas_catalog *catalog, const nilas_identifier *from,
                                              const nilas_identifier *to, nilas_error *err);
nilas_code nilas_catalog__hadoop_register_table(nilas_catalog *catalog,
                                                const nilas_identifier *name,
                                                nilas_str metadata_location, nilas_error *err);

#endif
