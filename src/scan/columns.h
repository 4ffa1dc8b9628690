/** Types of metadata tables from short lists of columns. Private to the room. */
#ifndef NILAS_SCAN_COLUMNS_H
#define NILAS_SCAN_COLUMNS_H

#include "scan/scan.h"

typedef enum nilas_scan__column_kind {
    NILAS_SCAN__BOOLEAN,
    NILAS_SCAN__INT,
    NILAS_SCAN__LONG,
    NILAS_SCAN__STRING,
    NILAS_SCAN__BINARY,
    NILAS_SCAN__TIMESTAMPTZ,
    NILAS_SCAN__MAP_INT_LONG, // inner ids: key, value
    NILAS_SCAN__MAP_INT_BINARY,
    NILAS_SCAN__MAP_STRING_STRING,
    NILAS_SCAN__LIST_INT, // inner id: element
    NILAS_SCAN__LIST_LONG,
    NILAS_SCAN__GIVEN, // the type is set afterwards: partition, row, readable_metrics, …
} nilas_scan__column_kind;

typedef struct nilas_scan__column {
    int32_t id;
    bool required;
    const char *name;
    nilas_scan__column_kind kind;
    int32_t inner_id, second_inner_id;
    const char *doc; // or NULL
} nilas_scan__column;

/** A struct of these columns; `given` is the type of each NILAS_SCAN__GIVEN column in turn; a NULL
 * there leaves the column out. */
nilas_code nilas_scan__struct_type(nilas_arena *arena, const nilas_scan__column *columns,
                                   size_t count, const nilas_ice_type *const *given,
                                   nilas_ice_type **out, nilas_error *err);
/** A list type. */
nilas_code nilas_scan__list_type(nilas_arena *arena, int32_t element_id,
                                 const nilas_ice_type *element, const nilas_ice_type **out,
                                 nilas_error *err);
/** Highest field id in a type at any depth, 0 when it has none. */
int32_t nilas_scan__highest_id(const nilas_ice_type *type);
/** Place of a column by name; SIZE_MAX when absent. */
size_t nilas_scan__find_column(const nilas_ice_type *type, const char *name);

#endif
