/**
 * Private to the session room: Parquet files below a folder, on their way into a table, as
 * add_files and snapshot take them.
 *
 * Folders below the one that is named and called "key=value" give partition values. When there are
 * such folders only the files in them count; else only the files that stand in the folder itself.
 * Names that begin with "." or "_" are passed over.
 */
#ifndef NILAS_SESSION_PROCEDURE_IMPORT_H
#define NILAS_SESSION_PROCEDURE_IMPORT_H

#include "session/procedure.h"

#define NILAS_IMPORT_DEPTH 64

typedef struct nilas_import_file {
    nilas_str location;
    int64_t size_bytes;
    nilas_str *values; // by key; data NULL: null
    size_t depth;      // of folders above it
} nilas_import_file;

typedef struct nilas_import {
    nilas_procedure_call *call;
    nilas_arena *arena;
    nilas_io *io;
    nilas_str root; // the folder or file
    bool is_avro;   // else Parquet
    NILAS_ARRAY_OF(nilas_import_file) found;
    nilas_str *keys; // of the folders, outermost first
    size_t key_count;
} nilas_import;

/** Whether a name means files: `parquet`.`path`, `orc`.`path`, `avro`.`path`. */
bool nilas_import__is_files(const nilas_str *parts, size_t count);
/** Find the files below parts[1]. `takes_avro`: Avro files are welcome, too; of these only the rows
 * are counted. NILAS_UNSUPPORTED names a format that is not ours;
 * CONFLICTING_PARTITION_COLUMN_NAMES when folders do not agree. */
nilas_code nilas_import__list(nilas_import *import, nilas_procedure_call *call,
                              const nilas_str *parts, bool takes_avro, nilas_error *err);
/** "[k, d]" of the folders' keys. */
void nilas_import__print_keys(const nilas_import *import, nilas_buf *out);
/** A folder's text as a value of the type, as Spark casts it. */
nilas_code nilas_import__parse(const nilas_import *import, nilas_str text,
                               const nilas_ice_type *type, nilas_value *out, nilas_error *err);

/** The files as data files of a table, with what their footers say. The spec's fields are the
 * folders' keys in order. `filter`: only partitions with these values by key; or NULL. */
nilas_code nilas_import__files(const nilas_import *import, const nilas_table *table,
                               const nilas_partition_spec *spec, const nilas_value *filter,
                               nilas_data_file **out, size_t *out_count, nilas_error *err);

/** The name mapping of a schema as JSON: each field by its name. */
nilas_code nilas_import__mapping(nilas_arena *arena, const nilas_schema *schema, nilas_str *out,
                                 nilas_error *err);

#define NILAS_NAME_MAPPING "schema.name-mapping.default"

#endif
