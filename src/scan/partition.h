/** Partition tuples of any spec, shown in the union struct of all specs. Private to the room. */
#ifndef NILAS_SCAN_PARTITION_H
#define NILAS_SCAN_PARTITION_H

#include "scan/scan.h"

typedef struct nilas_scan__union {
    const nilas_metadata *metadata;
    const nilas_ice_type *type; // of all partition fields; field_count 0: never partitioned
    size_t **places; // by place of the spec in the metadata, then of the union's field: place in
                     // the spec
} nilas_scan__union;

nilas_code nilas_scan__union_new(nilas_arena *arena, const nilas_metadata *metadata,
                                 nilas_scan__union **out, nilas_error *err);
/** The tuple of one spec as the union's struct: null where the spec lacks the field. Text is
 * borrowed. */
nilas_code nilas_scan__union_of(nilas_arena *arena, const nilas_scan__union *of, int32_t spec_id,
                                const nilas_value *partition, nilas_value *out, nilas_error *err);

#endif
