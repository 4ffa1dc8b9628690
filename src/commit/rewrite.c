/*
 * Manifests of a spec written anew: their live files sorted by partition, in as few manifests as
 * the target size allows. Files keep their snapshot, their sequence numbers and their row ids.
 */
#include <stdlib.h>

#include "commit/snapshot.h"

typedef struct collected {
    nilas_arena *arena;
    NILAS_ARRAY_OF(nilas_manifest_entry) entries;
    nilas_code failed;
    nilas_error *err;
} collected;

static nilas_code collect(collected *to, const nilas_manifest_entry *read, nilas_error *err) {
    nilas_manifest_entry entry;

    if (read->status == NILAS_ENTRY_DELETED) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_manifest_entry_copy(to->arena, read, &entry, err));
    entry.status = NILAS_ENTRY_EXISTING;
    NILAS_PUSH(to->arena, &to->entries, entry, err);
    return NILAS_OK;
}

static bool on_entry(void *context, const nilas_manifest_entry *entry) {
    collected *to = context;

    to->failed = collect(to, entry, to->err);
    return to->failed == NILAS_OK;
}

/** Null first, then by value; values of a spec's field are of one kind. */
static int by_partition(const void *a, const void *b, void *context) {
    const nilas_manifest_entry *left = a, *right = b;
    const nilas_manifest_rewrite *rewrite = context;
    const nilas_value *of_left = &left->file.partition, *of_right = &right->file.partition;
    size_t count = rewrite->sort_by != NULL ? rewrite->sort_count : of_left->count;
    int order = 0;

    nilas_assert(of_left->count == of_right->count && count <= of_left->count);
    for (size_t k = 0; k < count && order == 0; k++) {
        size_t i = rewrite->sort_by != NULL ? rewrite->sort_by[k] : k;
        bool left_null = nilas_value_is_null(&of_left->items[i]);
        bool right_null = nilas_value_is_null(&of_right->items[i]);
        order = left_null || right_null
                    ? (int)right_null - (int)left_null
                    : nilas_value_compare(&of_left->items[i], &of_right->items[i]);
    }
    // The paths make it one order, whatever the sort does.
    return order != 0 ? order : nilas_str_compare(left->file.file_path, right->file.file_path);
}

static nilas_code write_part(nilas_commit__making *making, const nilas_manifest_file *like,
                             const nilas_manifest_entry *entries, size_t count,
                             nilas_commit__manifests *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_manifest_writer *writer;
    nilas_manifest_file line;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_commit__begin_manifest(making, arena, like->partition_spec_id, like->content,
                                           &writer, err));
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_manifest_writer_add(writer, &entries[i], err));
    }
    NILAS_TRY(nilas_commit__end_manifest(making, writer, &line, err));
    NILAS_PUSH(making->update->arena, out, line, err);
    making->change->manifest_rewrite->added++;
    return NILAS_OK;
}

/** All manifests of one content of the spec. */
static nilas_code rewrite_content(nilas_commit__making *making,
                                  const nilas_commit__manifests *group,
                                  nilas_commit__manifests *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_update *update = making->update;
    collected to = {.arena = arena, .err = err};
    int64_t target = nilas_commit__int_property(&update->metadata,
                                                "commit.manifest.target-size-bytes", 8LL << 20);
    int64_t size = 0;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    for (size_t i = 0; i < group->count; i++) {
        nilas_code code =
            nilas_manifest_read(update->io, arena, &update->metadata, &group->items[i],
                                NILAS_MANIFEST_ALL, false, on_entry, &to, err);
        NILAS_TRY(to.failed);
        NILAS_TRY(code);
        size += group->items[i].length;
    }
    if (to.entries.count > 1) {
        qsort_r(to.entries.items, to.entries.count, sizeof(to.entries.items[0]), by_partition,
                making->change->manifest_rewrite);
    }
    size_t parts = target > 0 ? (size_t)((size + target - 1) / target) : 1;
    parts = parts < 1 ? 1 : parts;
    size_t each = (to.entries.count + parts - 1) / parts;
    for (size_t at = 0; at < to.entries.count; at += each) {
        size_t rest = to.entries.count - at;
        NILAS_TRY(write_part(making, &group->items[0], to.entries.items + at,
                             rest < each ? rest : each, out, err));
    }
    making->manifests_replaced += (int64_t)group->count;
    making->change->manifest_rewrite->rewritten += (int64_t)group->count;
    return NILAS_OK;
}

nilas_code nilas_commit__rewrite(nilas_commit__making *making, const nilas_commit__manifests *from,
                                 nilas_commit__manifests *out, nilas_error *err) {
    nilas_manifest_rewrite *rewrite = making->change->manifest_rewrite;

    rewrite->rewritten = rewrite->added = 0;
    for (int content = NILAS_MANIFEST_DATA; content <= NILAS_MANIFEST_DELETES; content++) {
        nilas_commit__manifests group = {0};
        for (size_t i = 0; i < from->count; i++) {
            if ((int)from->items[i].content != content) {
                continue;
            }
            if (rewrite->contents[content] &&
                from->items[i].partition_spec_id == rewrite->spec_id) {
                NILAS_PUSH(making->update->arena, &group, from->items[i], err);
            } else {
                NILAS_PUSH(making->update->arena, out, from->items[i], err);
            }
        }
        if (group.count > 0) {
            NILAS_TRY(rewrite_content(making, &group, out, err));
        }
    }
    return NILAS_OK;
}
