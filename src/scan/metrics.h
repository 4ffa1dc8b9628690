/** The column `readable_metrics` of files and entries: statistics of a file by column name, bounds
 * as values. Private to the room. */
#ifndef NILAS_SCAN_METRICS_H
#define NILAS_SCAN_METRICS_H

#include "scan/scan.h"

typedef struct nilas_scan__leaf { // a primitive column at any depth
    nilas_str name;               // dotted
    int32_t field_id;
    const nilas_ice_type *type;
} nilas_scan__leaf;

typedef struct nilas_scan__metrics {
    nilas_scan__leaf *leaves; // sorted by name
    size_t count;
    int32_t id; // of the column readable_metrics itself
    const nilas_ice_type *type;
} nilas_scan__metrics;

/** The type for a table's schema; its field ids follow `highest_id`, as Iceberg numbers them. */
nilas_code nilas_scan__metrics_new(nilas_arena *arena, const nilas_schema *schema,
                                   int32_t highest_id, nilas_scan__metrics **out, nilas_error *err);
/** The value for one file. Bounds that cannot be decoded are null. */
nilas_code nilas_scan__metrics_of(nilas_arena *arena, const nilas_scan__metrics *metrics,
                                  const nilas_data_file *file, nilas_value *out, nilas_error *err);

#endif
