/*
 * Sets of partitions by hash. Files of one partition are many, so that each is looked at once when
 * manifests are ruled out by their summaries.
 */
#include "commit/partitions.h"

typedef struct link {
    const nilas_data_file *file;
    struct link *next;
} link;

static int64_t hash_of(const nilas_data_file *file) {
    uint64_t hash = nilas_value_hash(&file->partition) ^ ((uint64_t)file->spec_id << 32);

    return (int64_t)(hash & INT64_MAX);
}

static bool is_same(const nilas_data_file *a, const nilas_data_file *b) {
    return a->spec_id == b->spec_id && nilas_value_equal(&a->partition, &b->partition);
}

nilas_code nilas_commit__partitions_of(nilas_arena *arena, const nilas_data_file *files,
                                       size_t count, nilas_commit__partitions *out,
                                       nilas_error *err) {
    *out = (nilas_commit__partitions){.arena = arena};
    nilas_map_init(&out->heads, arena, false);
    for (size_t i = 0; i < count; i++) {
        link *made;
        if (files[i].partition.kind != NILAS_VALUE_STRUCT) {
            out->holds_unknown = true;
            continue;
        }
        if (nilas_commit__partitions_hold(out, &files[i])) {
            continue;
        }
        int64_t hash = hash_of(&files[i]);
        NILAS_NEW(arena, &made, err);
        *made = (link){.file = &files[i], .next = nilas_map_find_int(&out->heads, hash)};
        NILAS_TRY(nilas_map_put_int(&out->heads, hash, made, err));
        NILAS_PUSH(arena, &out->list, &files[i], err);
    }
    return NILAS_OK;
}

bool nilas_commit__partitions_hold(const nilas_commit__partitions *set,
                                   const nilas_data_file *file) {
    const link *at = nilas_map_find_int(&set->heads, hash_of(file));

    while (at != NULL && !is_same(at->file, file)) {
        at = at->next;
    }
    return at != NULL;
}

// ---- manifests ----------------------------------------------------------------------------------

typedef struct range { // of one partition field in a manifest
    bool contains_null;
    bool has_lower, has_upper;
    nilas_value lower, upper;
} range;

static bool allows(const range *field, const nilas_value *value) {
    if (nilas_value_is_null(value)) {
        return field->contains_null;
    }
    if (value->kind == NILAS_VALUE_FLOAT || value->kind == NILAS_VALUE_DOUBLE) {
        return true; // NaN and the two zeros are not worth the trouble
    }
    return !(field->has_lower && field->lower.kind == value->kind &&
             nilas_value_compare(value, &field->lower) < 0) &&
           !(field->has_upper && field->upper.kind == value->kind &&
             nilas_value_compare(value, &field->upper) > 0);
}

static range range_of(nilas_arena *arena, const nilas_field_summary *summary,
                      const nilas_ice_type *type) {
    range made = {.contains_null = summary->contains_null};

    made.has_lower =
        summary->lower_bound.data != NULL &&
        nilas_ice_value_decode(arena, type, summary->lower_bound, &made.lower, NULL) == NILAS_OK;
    made.has_upper =
        summary->upper_bound.data != NULL &&
        nilas_ice_value_decode(arena, type, summary->upper_bound, &made.upper, NULL) == NILAS_OK;
    return made;
}

static bool allows_all(const range *fields, size_t count, const nilas_data_file *file) {
    for (size_t i = 0; i < count; i++) {
        if (!allows(&fields[i], &file->partition.items[i])) {
            return false;
        }
    }
    return true;
}

nilas_code nilas_commit__partitions_touch(const nilas_commit__partitions *set,
                                          const nilas_metadata *metadata,
                                          const nilas_manifest_file *manifest, bool *out,
                                          nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, manifest->partition_spec_id);
    const nilas_ice_type *type;
    range *fields;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    *out = set->holds_unknown;
    if (*out || set->list.count == 0) {
        return NILAS_OK;
    }
    bool known =
        spec != NULL && manifest->has_partitions && manifest->partition_count == spec->field_count;
    size_t count = known ? spec->field_count : 0;
    NILAS_NEW_ARRAY(scratch, &fields, count, err);
    if (known) {
        NILAS_TRY(nilas_spec_partition_type(scratch, metadata, spec, &type, err));
    }
    for (size_t i = 0; i < count; i++) {
        fields[i] = range_of(scratch, &manifest->partitions[i], type->fields[i].type);
    }
    for (size_t i = 0; i < set->list.count && !*out; i++) {
        const nilas_data_file *file = set->list.items[i];
        *out = file->spec_id == manifest->partition_spec_id &&
               (file->partition.count != count || allows_all(fields, count, file));
    }
    return NILAS_OK;
}
