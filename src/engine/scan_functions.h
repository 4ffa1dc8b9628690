/** Scalar functions that a scan's SQL calls about its files. */
#ifndef NILAS_ENGINE_SCAN_FUNCTIONS_H
#define NILAS_ENGINE_SCAN_FUNCTIONS_H

#include "duckdb_api.h"
#include "engine/registry.h"

/**
 * Register, all over the number of a scan group and file_index:
 *     nilas_deleted(group, file_index, file_row_number) -> BOOLEAN   is the row deleted by position
 *     nilas_file_number(group, slot, file_index) -> BIGINT           see nilas_file_slot
 *     nilas_file_path(group, file_index) -> VARCHAR                  as the manifest spells it
 */
nilas_code nilas_engine__register_scan_functions(duckdb_connection connection,
                                                 nilas_registry *registry, nilas_error *err);

/** Register nilas_add_deletes(), by which delete files are read (scan_deletes.c). */
nilas_code nilas_engine__register_deletes(duckdb_connection connection, nilas_registry *registry,
                                          nilas_error *err);

#endif
