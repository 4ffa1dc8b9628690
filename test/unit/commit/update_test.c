/* Changes of a version: what they do, that doing them again does nothing, what they refuse. */
#include "commit/commit.h"
#include "unit/commit/place.h"

typedef struct step {
    nilas_code (*change)(place *at, nilas_update *update, nilas_error *err);
    place *at;
} step;

static nilas_code apply_step(void *context, nilas_update *update, nilas_error *err) {
    step *s = context;
    return s->change(s->at, update, err);
}

static nilas_code change_table(place *at,
                               nilas_code (*change)(place *, nilas_update *, nilas_error *)) {
    step s = {.change = change, .at = at};
    nilas_commit_options options = {.catalog = at->catalog,
                                    .identifier = TABLE,
                                    .identifier_count = 2,
                                    .apply = apply_step,
                                    .context = &s};
    return nilas_commit(&options, NULL, &at->err);
}

/** The number of versions, by the metadata log. */
static size_t versions(place *at) {
    nilas_table *table = load(at);
    size_t count = table->metadata->metadata_log_count + 1;
    nilas_table_unref(table);
    return count;
}

static nilas_code set_properties(place *at, nilas_update *update, nilas_error *err) {
    static const nilas_property changes[] = {
        {{"a", 1}, {"1", 1}}, {{"b", 1}, {"2", 1}}, {{"current-snapshot-id", 19}, {"5", 1}}};
    (void)at;
    return nilas_update_properties(update, changes, 3, err);
}

static nilas_code unset_a(place *at, nilas_update *update, nilas_error *err) {
    static const nilas_property changes[] = {{{"a", 1}, {0}}};
    (void)at;
    return nilas_update_properties(update, changes, 1, err);
}

static nilas_code upgrade(place *at, nilas_update *update, nilas_error *err) {
    static const nilas_property changes[] = {{{"format-version", 14}, {"3", 1}}};
    (void)at;
    return nilas_update_properties(update, changes, 1, err);
}

static nilas_code downgrade(place *at, nilas_update *update, nilas_error *err) {
    (void)at;
    return nilas_update_format_version(update, 1, err);
}

NILAS_TEST(properties_are_set_and_removed_and_reserved_ones_are_not_kept) {
    place at;
    make_place(&at, false);
    need_table(&at);
    CHECK_OK(change_table(&at, set_properties), at.err);
    CHECK_OK(change_table(&at, unset_a), at.err);
    nilas_table *table = load(&at);
    CHECK_INT(table->metadata->property_count, 1);
    CHECK_STR(nilas_metadata_property(table->metadata, "b", NILAS_STR_EMPTY), "2");
    nilas_table_unref(table);
    CHECK_OK(change_table(&at, upgrade), at.err);
    CHECK_FAILS(change_table(&at, downgrade), NILAS_INVALID, at.err,
                "Cannot downgrade v3 table to v1");
    table = load(&at);
    CHECK_INT(table->metadata->format_version, 3);
    nilas_table_unref(table);
    place_done(&at);
}

/** The current schema with one more column. */
static nilas_code add_column(place *at, nilas_update *update, nilas_error *err) {
    const nilas_metadata *metadata = nilas_update_metadata(update);
    const nilas_schema *old = nilas_metadata_current_schema(metadata);
    nilas_schema schema = *old;
    (void)at;
    if (nilas_schema_find_name(old, NILAS_STR("extra")) != NULL) {
        return nilas_update_schema(update, old, metadata->last_column_id, err);
    }
    NILAS_NEW_ARRAY(nilas_update_arena(update), &schema.type.fields, 3, err);
    memcpy(schema.type.fields, old->type.fields, 2 * sizeof(old->type.fields[0]));
    schema.type.field_count = 3;
    schema.type.fields[2] = (nilas_ice_field){.id = metadata->last_column_id + 1,
                                              .name = NILAS_STR("extra"),
                                              .type = nilas_ice_primitive(NILAS_ICE_VARIANT)};
    return nilas_update_schema(update, &schema, metadata->last_column_id + 1, err);
}

NILAS_TEST(a_schema_is_added_once_and_must_suit_the_version) {
    place at;
    make_place(&at, false);
    need_table(&at);
    CHECK_FAILS(change_table(&at, add_column), NILAS_INVALID, at.err,
                "Invalid schema for v2:\n- Invalid type for extra: variant is not supported until "
                "v3");
    CHECK_OK(change_table(&at, upgrade), at.err);
    CHECK_OK(change_table(&at, add_column), at.err);
    size_t before = versions(&at);
    CHECK_OK(change_table(&at, add_column), at.err);
    CHECK_INT(versions(&at), before);
    nilas_table *table = load(&at);
    CHECK_INT(table->metadata->schema_count, 2);
    CHECK_INT(table->metadata->current_schema_id, 1);
    CHECK_INT(table->metadata->last_column_id, 3);
    nilas_table_unref(table);
    place_done(&at);
}

static nilas_code partition_by(nilas_update *update, const char *name, int32_t source,
                               nilas_error *err) {
    nilas_partition_field field = {
        .source_id = source,
        .name = nilas_str_of(name),
        .transform = {.kind = NILAS_TRANSFORM_IDENTITY, .text = NILAS_STR("identity")}};
    nilas_partition_spec spec = {.fields = &field, .field_count = source > 0 ? 1 : 0};
    return nilas_update_spec(update, &spec, err);
}

static nilas_code by_category(place *at, nilas_update *update, nilas_error *err) {
    (void)at;
    return partition_by(update, "category", 2, err);
}

static nilas_code by_id(place *at, nilas_update *update, nilas_error *err) {
    (void)at;
    return partition_by(update, "id", 1, err);
}

static nilas_code by_nothing(place *at, nilas_update *update, nilas_error *err) {
    (void)at;
    return partition_by(update, "", 0, err);
}

static nilas_code by_unknown(place *at, nilas_update *update, nilas_error *err) {
    (void)at;
    return partition_by(update, "x", 77, err);
}

NILAS_TEST(specs_and_their_field_ids_are_found_again) {
    place at;
    make_place(&at, false);
    need_table(&at);
    CHECK_OK(change_table(&at, by_category), at.err);
    CHECK_OK(change_table(&at, by_id), at.err);
    CHECK_OK(change_table(&at, by_nothing), at.err);
    CHECK_OK(change_table(&at, by_category), at.err);
    nilas_table *table = load(&at);
    CHECK_INT(table->metadata->spec_count, 3);
    CHECK_INT(table->metadata->default_spec_id, 1);
    CHECK_INT(table->metadata->specs[1]->fields[0].field_id, 1000);
    CHECK_INT(table->metadata->specs[2]->fields[0].field_id, 1001);
    CHECK_INT(table->metadata->last_partition_id, 1001);
    nilas_table_unref(table);
    CHECK_FAILS(change_table(&at, by_unknown), NILAS_INVALID, at.err,
                "Cannot find source column for partition field");
    place_done(&at);
}

NILAS_TEST(in_version_1_a_dropped_field_becomes_void) {
    place at;
    make_place(&at, true);
    at.version = "1";
    at.partitioned = true;
    need_table(&at);
    CHECK_OK(change_table(&at, by_id), at.err);
    nilas_table *table = load(&at);
    const nilas_partition_spec *spec =
        nilas_metadata_spec(table->metadata, table->metadata->default_spec_id);
    REQUIRE(spec->field_count == 2);
    CHECK_STR(spec->fields[0].transform.text, "void");
    CHECK_INT(spec->fields[1].field_id, 1001);
    nilas_table_unref(table);
    place_done(&at);
}

static nilas_code set_refs(place *at, nilas_update *update, nilas_error *err) {
    const nilas_metadata *metadata = nilas_update_metadata(update);
    nilas_ref tag = {.name = NILAS_STR("v1"),
                     .snapshot_id = metadata->snapshots[0].snapshot_id,
                     .is_tag = true,
                     .max_ref_age_ms = -1,
                     .max_snapshot_age_ms = -1,
                     .min_snapshots_to_keep = -1};
    nilas_ref back = tag;
    (void)at;
    back.name = NILAS_STR("main");
    back.is_tag = false;
    NILAS_TRY(nilas_update_ref(update, &tag, err));
    return nilas_update_ref(update, &back, err);
}

static nilas_code set_unknown(place *at, nilas_update *update, nilas_error *err) {
    nilas_ref ref = {.name = NILAS_STR("v9"), .snapshot_id = 999, .is_tag = true};
    (void)at;
    return nilas_update_ref(update, &ref, err);
}

static nilas_code expire_newest(place *at, nilas_update *update, nilas_error *err) {
    const nilas_metadata *metadata = nilas_update_metadata(update);
    int64_t id = metadata->snapshots[metadata->snapshot_count - 1].snapshot_id;
    (void)at;
    return nilas_update_remove_snapshots(update, &id, 1, err);
}

NILAS_TEST(main_moves_with_the_snapshot_log_and_expired_snapshots_leave_it) {
    place at;
    make_place(&at, false);
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 1, 1, NULL);
    nilas_data_file b = make_file(&at, "b", 1, 2, NULL);
    CHECK_OK(append(&at, &a), at.err);
    CHECK_OK(append(&at, &b), at.err);
    CHECK_OK(change_table(&at, set_refs), at.err);
    size_t before = versions(&at);
    CHECK_OK(change_table(&at, set_refs), at.err);
    CHECK_INT(versions(&at), before);
    CHECK_TEXT(live_now(&at), "a:1");
    CHECK_FAILS(change_table(&at, set_unknown), NILAS_INVALID, at.err,
                "Cannot set v9 to unknown snapshot: 999");
    nilas_table *table = load(&at);
    CHECK_INT(table->metadata->snapshot_log_count, 3);
    CHECK_INT(table->metadata->ref_count, 2);
    nilas_table_unref(table);
    CHECK_OK(change_table(&at, expire_newest), at.err);
    table = load(&at);
    CHECK_INT(table->metadata->snapshot_count, 1);
    CHECK_INT(table->metadata->snapshot_log_count, 1); // what came before the hole is forgotten
    nilas_table_unref(table);
    place_done(&at);
}

NILAS_TEST(old_metadata_files_leave_the_log_and_the_disk) {
    for (int sqlite = 0; sqlite < 2; sqlite++) {
        place at;
        nilas_str db = NILAS_STR("db");
        nilas_property few[] = {
            {NILAS_STR("write.metadata.previous-versions-max"), NILAS_STR("2")},
            {NILAS_STR("write.metadata.delete-after-commit.enabled"), NILAS_STR("true")}};
        nilas_io_entry *entries;
        size_t count = 0, found = 0;
        nilas_str folder;
        make_place(&at, sqlite);
        CHECK_OK(nilas_catalog_create_namespace(at.catalog, &db, 1, NULL, 0, &at.err), at.err);
        CHECK_OK(create_table(&at, few, 2), at.err);
        for (int i = 0; i < 5; i++) {
            nilas_data_file file = make_file(&at, i % 2 ? "a" : "b", 1, 1, NULL);
            CHECK_OK(append(&at, &file), at.err);
        }
        CHECK_OK(nilas_str_print(at.arena, &folder, &at.err, "%s/wh/db/t/metadata", at.root),
                 at.err);
        CHECK_OK(nilas_io_list(at.io, at.arena, folder, &entries, &count, &at.err), at.err);
        for (size_t i = 0; i < count; i++) {
            found += nilas_str_ends(entries[i].name, NILAS_STR(".metadata.json"));
        }
        CHECK_INT(found, 3);
        CHECK_INT(versions(&at), 3);
        CHECK_TEXT(live_now(&at), "b:5 a:4 b:3 a:2 b:1");
        place_done(&at);
    }
}
