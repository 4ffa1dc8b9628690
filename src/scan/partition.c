/* The union of partition tuples: where each spec keeps each partition field. */
#include "scan/partition.h"

#include "scan/rows.h"

static size_t place_in_spec(const nilas_partition_spec *spec, int32_t field_id) {
    for (size_t i = 0; i < spec->field_count; i++) {
        if (spec->fields[i].field_id == field_id) {
            return i;
        }
    }
    return SIZE_MAX;
}

nilas_code nilas_scan__union_new(nilas_arena *arena, const nilas_metadata *metadata,
                                 nilas_scan__union **out, nilas_error *err) {
    nilas_scan__union *made;

    NILAS_NEW(arena, &made, err);
    made->metadata = metadata;
    NILAS_TRY(nilas_metadata_partition_type(arena, metadata, &made->type, err));
    NILAS_NEW_ARRAY(arena, &made->places, metadata->spec_count, err);
    for (size_t s = 0; s < metadata->spec_count; s++) {
        NILAS_NEW_ARRAY(arena, &made->places[s], made->type->field_count, err);
        for (size_t f = 0; f < made->type->field_count; f++) {
            made->places[s][f] = place_in_spec(metadata->specs[s], made->type->fields[f].id);
        }
    }
    *out = made;
    return NILAS_OK;
}

nilas_code nilas_scan__union_of(nilas_arena *arena, const nilas_scan__union *of, int32_t spec_id,
                                const nilas_value *partition, nilas_value *out, nilas_error *err) {
    const nilas_metadata *metadata = of->metadata;
    size_t s = 0;

    while (s < metadata->spec_count && metadata->specs[s]->spec_id != spec_id) {
        s++;
    }
    NILAS_REQUIRE(s < metadata->spec_count, err, NILAS_CORRUPT,
                  "a file has partition spec %d, which the table has not", spec_id);
    NILAS_TRY(nilas_scan__new_struct(arena, of->type->field_count, out, err));
    for (size_t f = 0; f < of->type->field_count; f++) {
        size_t place = of->places[s][f];
        if (place == SIZE_MAX || partition->kind != NILAS_VALUE_STRUCT ||
            place >= partition->count) {
            continue;
        }
        out->items[f] = partition->items[place];
        if (out->items[f].kind == NILAS_VALUE_FLOAT &&
            of->type->fields[f].type->kind == NILAS_ICE_DOUBLE) {
            out->items[f].kind = NILAS_VALUE_DOUBLE;
        }
    }
    return NILAS_OK;
}
