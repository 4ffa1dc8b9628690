/** Room-private: the schemas of manifests and manifest lists as text, Avro's and Iceberg's, from
 *  one table of fields. */
#ifndef NILAS_ICEBERG_AVRO_SCHEMA_TEXT_H
#define NILAS_ICEBERG_AVRO_SCHEMA_TEXT_H

#include "iceberg/manifest.h"

typedef enum nilas_field_shape {
    NILAS_SHAPE_INT,
    NILAS_SHAPE_LONG,
    NILAS_SHAPE_BOOLEAN,
    NILAS_SHAPE_STRING,
    NILAS_SHAPE_BYTES,
    NILAS_SHAPE_COUNTS,    // map<int, long>; inner ids: key, key + 1
    NILAS_SHAPE_BOUNDS,    // map<int, binary>
    NILAS_SHAPE_LONG_LIST, // inner id: element
    NILAS_SHAPE_INT_LIST,
    NILAS_SHAPE_PARTITION, // the spec's tuple
    NILAS_SHAPE_SUMMARIES, // list of partition field summaries
} nilas_field_shape;

typedef struct nilas_field_text {
    int id;
    const char *name;
    nilas_field_shape shape;
    int inner_id;
    bool required;
    uint8_t versions; // bit 1 << version for those that have it
    const char *doc;  // or NULL
} nilas_field_text;

typedef struct nilas_fields_text {
    const nilas_field_text *fields;
    size_t count;
    int32_t version;
    const nilas_ice_type *partition; // struct of the spec, or NULL
} nilas_fields_text;

/** {"name":…,"type":…,"field-id":…} of the version's fields, with commas between. */
void nilas_iceberg__print_avro_fields(nilas_buf *out, const nilas_fields_text *text);
/** {"id":…,"name":…,"required":…,"type":…} likewise. */
void nilas_iceberg__print_schema_fields(nilas_buf *out, const nilas_fields_text *text);

#endif
