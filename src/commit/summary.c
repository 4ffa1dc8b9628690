/*
 * Snapshot summaries: what came and went, in Iceberg's keys, and totals carried on from the parent.
 * A total that the parent does not tell is not made up.
 */
#include "commit/snapshot.h"

typedef NILAS_ARRAY_OF(nilas_property) property_list;

// ---- counting -----------------------------------------------------------------------------------

/** Of a deletion vector only its part of the file. */
static int64_t size_of(const nilas_data_file *file) {
    return nilas_commit__is_vector(file) && file->content_size_in_bytes > 0
               ? file->content_size_in_bytes
               : file->file_size_in_bytes;
}

static void count_file(nilas_commit__counts *counts, const nilas_data_file *file, bool added) {
    *(added ? &counts->added_size : &counts->removed_size) += size_of(file);
    if (file->content == NILAS_FILE_DATA) {
        *(added ? &counts->added_files : &counts->removed_files) += 1;
        *(added ? &counts->added_records : &counts->removed_records) += file->record_count;
        return;
    }
    *(added ? &counts->added_delete_files : &counts->removed_delete_files) += 1;
    if (file->content == NILAS_FILE_EQUALITY_DELETES) {
        *(added ? &counts->added_equality_files : &counts->removed_equality_files) += 1;
        *(added ? &counts->added_equalities : &counts->removed_equalities) += file->record_count;
        return;
    }
    *(added ? &counts->added_positions : &counts->removed_positions) += file->record_count;
    if (nilas_commit__is_vector(file)) {
        *(added ? &counts->added_vectors : &counts->removed_vectors) += 1;
    } else {
        *(added ? &counts->added_position_files : &counts->removed_position_files) += 1;
    }
}

nilas_code nilas_commit__count(nilas_commit__making *making, const nilas_data_file *file,
                               bool added, nilas_error *err) {
    const nilas_metadata *metadata = &making->update->metadata;
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, file->spec_id);
    nilas_str path;

    NILAS_REQUIRE(spec != NULL, err, NILAS_INVALID,
                  "Cannot find partition spec for data file: %.*s", NILAS_FMT(file->file_path));
    count_file(&making->counts, file, added);
    NILAS_TRY(nilas_commit_partition_path(making->update->arena, metadata, spec, &file->partition,
                                          &path, err));
    nilas_commit__counts *counts = nilas_map_find(&making->partitions, path);
    if (counts == NULL) {
        NILAS_NEW(making->update->arena, &counts, err);
        NILAS_TRY(nilas_map_put(&making->partitions, path, counts, err));
    }
    count_file(counts, file, added);
    return NILAS_OK;
}

// ---- printing -----------------------------------------------------------------------------------

typedef struct named_count {
    const char *name;
    int64_t value;
} named_count;

#define NAMED_COUNTS 18

static void name_counts(const nilas_commit__counts *c, named_count out[NAMED_COUNTS]) {
    const named_count list[NAMED_COUNTS] = {
        {"added-data-files", c->added_files},
        {"deleted-data-files", c->removed_files},
        {"added-equality-delete-files", c->added_equality_files},
        {"removed-equality-delete-files", c->removed_equality_files},
        {"added-position-delete-files", c->added_position_files},
        {"removed-position-delete-files", c->removed_position_files},
        {"added-delete-files", c->added_delete_files},
        {"removed-delete-files", c->removed_delete_files},
        {"added-dvs", c->added_vectors},
        {"removed-dvs", c->removed_vectors},
        {"added-records", c->added_records},
        {"deleted-records", c->removed_records},
        {"added-files-size", c->added_size},
        {"removed-files-size", c->removed_size},
        {"added-position-deletes", c->added_positions},
        {"removed-position-deletes", c->removed_positions},
        {"added-equality-deletes", c->added_equalities},
        {"removed-equality-deletes", c->removed_equalities},
    };

    memcpy(out, list, sizeof(list));
}

static nilas_code put(nilas_arena *arena, property_list *list, nilas_str key, int64_t value,
                      nilas_error *err) {
    nilas_property property = {.key = key};

    NILAS_TRY(nilas_str_print(arena, &property.value, err, "%lld", (long long)value));
    NILAS_PUSH(arena, list, property, err);
    return NILAS_OK;
}

static nilas_code put_partitions(nilas_commit__making *making, property_list *list,
                                 nilas_error *err) {
    nilas_arena *arena = making->update->arena;
    int64_t limit =
        nilas_commit__int_property(&making->update->metadata, "write.summary.partition-limit", 0);
    bool partitioned = false;

    for (size_t i = 0; i < making->partitions.count; i++) {
        partitioned = partitioned || making->partitions.entries[i].key.size > 0;
    }
    if (!partitioned || (int64_t)making->partitions.count > limit) {
        return NILAS_OK;
    }
    nilas_property included = {NILAS_STR("partition-summaries-included"), NILAS_STR("true")};
    NILAS_PUSH(arena, list, included, err);
    for (size_t i = 0; i < making->partitions.count; i++) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
        named_count counts[NAMED_COUNTS];
        nilas_property property;
        name_counts(making->partitions.entries[i].value, counts);
        for (size_t j = 0; j < NAMED_COUNTS; j++) {
            if (counts[j].value > 0) {
                nilas_buf_print(&text, "%s%s=%lld", text.size > 0 ? "," : "", counts[j].name,
                                (long long)counts[j].value);
            }
        }
        NILAS_TRY(nilas_buf_finish(&text, arena, &property.value, err));
        NILAS_TRY(nilas_str_print(arena, &property.key, err, "partitions.%.*s",
                                  NILAS_FMT(making->partitions.entries[i].key)));
        NILAS_PUSH(arena, list, property, err);
    }
    return NILAS_OK;
}

/** The parent's total moved on; left out when the parent has none or it would be negative. */
static nilas_code put_total(const nilas_commit__making *making, property_list *list,
                            const char *key, int64_t change, nilas_error *err) {
    int64_t total = 0;

    if (making->parent != NULL) {
        bool known = false;
        for (size_t i = 0; i < making->parent->summary_count; i++) {
            if (nilas_str_is(making->parent->summary[i].key, key)) {
                known = nilas_str_to_int64(making->parent->summary[i].value, &total);
            }
        }
        if (!known) {
            return NILAS_OK;
        }
    }
    if (__builtin_add_overflow(total, change, &total) || total < 0) {
        return NILAS_OK;
    }
    return put(making->update->arena, list, nilas_str_of(key), total, err);
}

static nilas_code put_totals(const nilas_commit__making *making, property_list *list,
                             nilas_error *err) {
    const nilas_commit__counts *c = &making->counts;

    NILAS_TRY(put_total(making, list, "total-records", c->added_records - c->removed_records, err));
    NILAS_TRY(put_total(making, list, "total-files-size", c->added_size - c->removed_size, err));
    NILAS_TRY(put_total(making, list, "total-data-files", c->added_files - c->removed_files, err));
    NILAS_TRY(put_total(making, list, "total-delete-files",
                        c->added_delete_files - c->removed_delete_files, err));
    NILAS_TRY(put_total(making, list, "total-position-deletes",
                        c->added_positions - c->removed_positions, err));
    return put_total(making, list, "total-equality-deletes",
                     c->added_equalities - c->removed_equalities, err);
}

static nilas_code put_manifests(const nilas_commit__making *making, property_list *list,
                                const nilas_manifest_file *manifests, size_t count,
                                nilas_error *err) {
    nilas_arena *arena = making->update->arena;
    int64_t created = 0;

    for (size_t i = 0; i < count; i++) {
        created += manifests[i].added_snapshot_id == making->snapshot_id;
    }
    NILAS_TRY(put(arena, list, NILAS_STR("manifests-created"), created, err));
    NILAS_TRY(put(arena, list, NILAS_STR("manifests-kept"), (int64_t)count - created, err));
    return put(arena, list, NILAS_STR("manifests-replaced"), making->manifests_replaced, err);
}

nilas_code nilas_commit__summarize(nilas_commit__making *making, const nilas_manifest_file *list,
                                   size_t count, nilas_snapshot *snapshot, nilas_error *err) {
    const nilas_snapshot_change *change = making->change;
    nilas_arena *arena = making->update->arena;
    property_list summary = {0};
    named_count counts[NAMED_COUNTS];

    for (size_t i = 0; i < change->summary_count; i++) {
        NILAS_PUSH(arena, &summary, change->summary[i], err);
    }
    if (change->replace_partitions) {
        nilas_property replaced = {NILAS_STR("replace-partitions"), NILAS_STR("true")};
        NILAS_PUSH(arena, &summary, replaced, err);
    }
    NILAS_TRY(put_manifests(making, &summary, list, count, err));
    name_counts(&making->counts, counts);
    for (size_t i = 0; i < NAMED_COUNTS; i++) {
        if (counts[i].value > 0) {
            NILAS_TRY(put(arena, &summary, nilas_str_of(counts[i].name), counts[i].value, err));
        }
    }
    if (making->duplicates > 0) {
        NILAS_TRY(
            put(arena, &summary, NILAS_STR("deleted-duplicate-files"), making->duplicates, err));
    }
    NILAS_TRY(put(arena, &summary, NILAS_STR("changed-partition-count"),
                  (int64_t)making->partitions.count, err));
    NILAS_TRY(put_partitions(making, &summary, err));
    NILAS_TRY(put_totals(making, &summary, err));
    snapshot->summary = summary.items;
    snapshot->summary_count = summary.count;
    return NILAS_OK;
}
