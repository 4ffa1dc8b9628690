/**
 * ALTER TABLE: columns, properties, partition fields, write order, identifier fields, branches and
 * tags.
 *
 * Each statement is one commit, made by a function from the newest version to the next, so that a
 * lost race is simply tried again.
 */
#include "session/ddl.h"

typedef struct alter_state {
    nilas_run *run;
    const nilas_relation *relation;
    const nilas_alteration *alteration;
    nilas_update *update;
} alter_state;

static const nilas_metadata *metadata_of(const alter_state *state) {
    return nilas_update_metadata(state->update);
}

/* --- columns
 * --------------------------------------------------------------------------------------- */

static nilas_code edit_columns(alter_state *state, nilas_schema_edit *edit, nilas_error *err) {
    const nilas_alteration *alteration = state->alteration;
    if (alteration->kind == NILAS_ALTER_REPLACE_COLUMNS) {
        return nilas_schema_edit__replace(edit, alteration->columns, alteration->column_count, err);
    }
    for (size_t i = 0; i < alteration->column_count; i++) {
        const nilas_column_def *column = &alteration->columns[i];
        switch (alteration->kind) {
        case NILAS_ALTER_ADD_COLUMNS: NILAS_TRY(nilas_schema_edit__add(edit, column, err)); break;
        case NILAS_ALTER_DROP_COLUMNS:
            NILAS_TRY(nilas_schema_edit__drop(edit, column->parts, column->part_count,
                                              alteration->if_exists, column->offset, err));
            break;
        case NILAS_ALTER_RENAME_COLUMN:
            NILAS_TRY(nilas_schema_edit__rename(edit, column->parts, column->part_count,
                                                alteration->new_name, column->offset, err));
            break;
        default:
            NILAS_TRY(nilas_schema_edit__change(edit, column, alteration->changes[i], err));
            break;
        }
    }
    return NILAS_OK;
}

/** A partition field whose source column goes is refused in Iceberg's words. */
static nilas_code check_partition_sources(const nilas_metadata *metadata,
                                          const nilas_schema *schema, nilas_error *err) {
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, metadata->default_spec_id);
    for (size_t i = 0; spec != NULL && i < spec->field_count; i++) {
        const nilas_partition_field *field = &spec->fields[i];
        if (field->transform.kind != NILAS_TRANSFORM_VOID &&
            nilas_schema_find_id(schema, field->source_id) == NULL) {
            return nilas_fail(err, NILAS_INVALID,
                              "Cannot find source column for partition field: %d: %.*s: %.*s(%d)",
                              field->field_id, NILAS_FMT(field->name),
                              NILAS_FMT(field->transform.text), field->source_id);
        }
    }
    return NILAS_OK;
}

/** So is one that the table's sort order needs. */
static nilas_code check_sort_sources(const nilas_metadata *metadata, const nilas_schema *schema,
                                     nilas_error *err) {
    const nilas_sort_order *order =
        nilas_metadata_sort_order(metadata, metadata->default_sort_order_id);
    for (size_t i = 0; order != NULL && i < order->field_count; i++) {
        const nilas_sort_field *field = &order->fields[i];
        NILAS_REQUIRE(nilas_schema_find_id(schema, field->source_id) != NULL, err, NILAS_INVALID,
                      "Cannot find source column for sort field: %.*s(%d) %s NULLS %s",
                      NILAS_FMT(field->transform.text), field->source_id,
                      field->descending ? "DESC" : "ASC", field->nulls_first ? "FIRST" : "LAST");
    }
    return NILAS_OK;
}

static nilas_code alter_columns(alter_state *state, nilas_error *err) {
    nilas_schema_edit edit;
    NILAS_TRY(nilas_schema_edit__open(&edit, nilas_update_arena(state->update), metadata_of(state),
                                      state->run->environment.case_sensitive, err));
    NILAS_TRY(edit_columns(state, &edit, err));
    NILAS_TRY(check_partition_sources(metadata_of(state), edit.schema, err));
    NILAS_TRY(check_sort_sources(metadata_of(state), edit.schema, err));
    return nilas_update_schema(state->update, edit.schema, edit.last_column_id, err);
}

static nilas_code alter_identifier_fields(alter_state *state, nilas_error *err) {
    const nilas_alteration *alteration = state->alteration;
    nilas_schema_edit edit;
    nilas_arena *arena = nilas_update_arena(state->update);
    NILAS_TRY(nilas_schema_edit__open(&edit, arena, metadata_of(state),
                                      state->run->environment.case_sensitive, err));
    nilas_schema *schema = edit.schema;
    bool drops = alteration->kind == NILAS_ALTER_DROP_IDENTIFIER_FIELDS;
    int32_t *ids;
    size_t count = 0;
    NILAS_NEW_ARRAY(arena, &ids, schema->identifier_field_count + alteration->field_count, err);
    for (size_t i = 0; drops && i < schema->identifier_field_count; i++) {
        ids[count++] = schema->identifier_field_ids[i];
    }
    for (size_t i = 0; i < alteration->field_count; i++) {
        nilas_ice_type *parent;
        nilas_str dotted;
        NILAS_TRY(nilas_str_join(arena, alteration->field_parts[i],
                                 alteration->field_part_counts[i], NILAS_STR("."), &dotted, err));
        const nilas_ice_field *field = nilas_schema_edit__find(
            &edit, alteration->field_parts[i], alteration->field_part_counts[i], &parent);
        if (drops) {
            NILAS_REQUIRE(field != NULL, err, NILAS_INVALID,
                          "Cannot complete drop identifier fields operation: field %.*s not found",
                          NILAS_FMT(dotted));
            size_t at = 0;
            while (at < count && ids[at] != field->id) {
                at++;
            }
            NILAS_REQUIRE(at < count, err, NILAS_INVALID,
                          "Cannot complete drop identifier fields operation: %.*s is not an "
                          "identifier field",
                          NILAS_FMT(dotted));
            memmove(&ids[at], &ids[at + 1], (count - at - 1) * sizeof(*ids));
            count--;
            continue;
        }
        NILAS_REQUIRE(field != NULL, err, NILAS_INVALID,
                      "Cannot add field %.*s as an identifier field: not found in current schema "
                      "or added columns",
                      NILAS_FMT(dotted));
        NILAS_REQUIRE(field->required, err, NILAS_INVALID,
                      "Cannot add field %.*s as an identifier field: not a required field",
                      NILAS_FMT(dotted));
        NILAS_REQUIRE(!nilas_ice_is_nested(field->type), err, NILAS_INVALID,
                      "Cannot add field %.*s as an identifier field: not a primitive type field",
                      NILAS_FMT(dotted));
        ids[count++] = field->id;
    }
    schema->identifier_field_ids = ids;
    schema->identifier_field_count = count;
    return nilas_update_schema(state->update, schema, edit.last_column_id, err);
}

/* --- properties
 * -------------------------------------------------------------------------------------- */

static nilas_code fail_change(nilas_error *inner, nilas_code code, nilas_error *err) {
    return nilas_fail_at(err, code, "_LEGACY_ERROR_TEMP_2045", -1, "Unsupported table change: %s",
                         inner->message);
}

/** current-snapshot-id and the like are commands, not properties. */
static nilas_code command_property(alter_state *state, const nilas_option *property, bool *out_done,
                                   nilas_error *err) {
    *out_done = nilas_str_is(property->key, "current-snapshot-id");
    if (!*out_done) {
        return NILAS_OK;
    }
    int64_t id;
    NILAS_REQUIRE(nilas_str_to_int64(property->value, &id), err, NILAS_INVALID,
                  "For input string: \"%.*s\"", NILAS_FMT(property->value));
    NILAS_REQUIRE(nilas_metadata_snapshot(metadata_of(state), id) != NULL, err, NILAS_INVALID,
                  "Cannot roll back to unknown snapshot id: %lld", (long long)id);
    nilas_ref main = {.name = NILAS_STR("main"),
                      .snapshot_id = id,
                      .max_ref_age_ms = -1,
                      .max_snapshot_age_ms = -1,
                      .min_snapshots_to_keep = -1};
    return nilas_update_ref(state->update, &main, err);
}

static nilas_code alter_properties(alter_state *state, nilas_error *err) {
    const nilas_alteration *alteration = state->alteration;
    nilas_arena *arena = nilas_update_arena(state->update);
    nilas_property *changes;
    size_t count = 0;
    bool sets = alteration->kind == NILAS_ALTER_SET_PROPERTIES;
    NILAS_TRY(nilas_ddl__check_properties(alteration->properties, alteration->property_count,
                                          alteration->offset, err));
    NILAS_NEW_ARRAY(arena, &changes, alteration->property_count, err);
    for (size_t i = 0; i < alteration->property_count; i++) {
        bool done = false;
        if (sets) {
            NILAS_TRY(command_property(state, &alteration->properties[i], &done, err));
        }
        if (!done) {
            changes[count++] =
                (nilas_property){.key = alteration->properties[i].key,
                                 .value = sets ? alteration->properties[i].value : (nilas_str){0}};
        }
    }
    nilas_error inner = NILAS_ERROR_INIT;
    nilas_code code = nilas_update_properties(state->update, changes, count, &inner);
    return code == NILAS_OK ? NILAS_OK : fail_change(&inner, code, err);
}

static nilas_code alter_location(alter_state *state, nilas_error *err) {
    nilas_str type = NILAS_STR("");
    NILAS_AUTO_BUF key = NILAS_BUF_INIT(65536);
    nilas_buf_print(&key, "spark.sql.catalog.%.*s.type", NILAS_FMT(state->relation->catalog_name));
    type = nilas_settings_find(&state->run->session->settings, nilas_buf_view(&key));
    if (nilas_str_is_nocase(type, "hadoop")) {
        return nilas_fail_at(
            err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_2045", state->alteration->offset,
            "Unsupported table change: Hadoop path-based tables cannot be relocated");
    }
    return nilas_update_location(state->update, state->alteration->location, err);
}

/* --- partition fields
 * ---------------------------------------------------------------------------------- */

typedef struct spec_edit {
    nilas_partition_spec *spec;
    const nilas_schema *schema;
    int32_t next_id;
} spec_edit;

static nilas_code open_spec(alter_state *state, spec_edit *edit, nilas_error *err) {
    const nilas_metadata *metadata = metadata_of(state);
    const nilas_partition_spec *current = nilas_metadata_spec(metadata, metadata->default_spec_id);
    nilas_arena *arena = nilas_update_arena(state->update);
    NILAS_NEW(arena, &edit->spec, err);
    *edit->spec = *current;
    NILAS_NEW_ARRAY(arena, &edit->spec->fields, current->field_count + 1, err);
    nilas_copy(edit->spec->fields, current->fields,
               current->field_count * sizeof(*current->fields));
    edit->schema = nilas_metadata_current_schema(metadata);
    edit->next_id = metadata->last_partition_id < 999 ? 1000 : metadata->last_partition_id + 1;
    return NILAS_OK;
}

static bool same_transform(const nilas_partition_field *field, int32_t source_id,
                           const nilas_transform *transform) {
    return field->source_id == source_id && field->transform.kind == transform->kind &&
           field->transform.width == transform->width;
}

/** A field that was dropped in version 1 is still there as void: its name goes to the new one. */
static nilas_code free_name(nilas_arena *arena, nilas_partition_spec *spec, nilas_str name,
                            nilas_error *err) {
    for (size_t i = 0; i < spec->field_count; i++) {
        nilas_partition_field *field = &spec->fields[i];
        if (field->transform.kind == NILAS_TRANSFORM_VOID && nilas_str_equal(field->name, name)) {
            NILAS_TRY(nilas_str_print(arena, &field->name, err, "%.*s_%d", NILAS_FMT(name),
                                      field->field_id));
        }
    }
    return NILAS_OK;
}

static nilas_code add_field(alter_state *state, spec_edit *edit, const nilas_expr *expr,
                            nilas_error *err) {
    nilas_arena *arena = nilas_update_arena(state->update);
    nilas_partition_field field = {.field_id = edit->next_id};
    NILAS_TRY(nilas_bind_transform(&state->run->environment, edit->schema, expr, &field.source_id,
                                   &field.transform, err));
    nilas_str source;
    NILAS_TRY(nilas_schema_name_of(arena, edit->schema, field.source_id, &source, err));
    for (size_t i = 0; i < edit->spec->field_count; i++) {
        const nilas_partition_field *other = &edit->spec->fields[i];
        if (same_transform(other, field.source_id, &field.transform)) {
            return nilas_fail(err, NILAS_INVALID,
                              "Cannot add duplicate partition field %s=%.*s(ref(name=\"%.*s\")), "
                              "conflicts with %d: %.*s: %.*s(%d)",
                              state->alteration->has_field_name ? "named" : "null",
                              NILAS_FMT(field.transform.text), NILAS_FMT(source), other->field_id,
                              NILAS_FMT(other->name), NILAS_FMT(other->transform.text),
                              other->source_id);
        }
    }
    if (state->alteration->has_field_name) {
        field.name = state->alteration->field_name;
    } else if (field.transform.kind == NILAS_TRANSFORM_BUCKET ||
               field.transform.kind == NILAS_TRANSFORM_TRUNCATE) {
        // ALTER TABLE names carry the width: "s_trunc_2".
        bool is_bucket = field.transform.kind == NILAS_TRANSFORM_BUCKET;
        NILAS_TRY(nilas_str_print(arena, &field.name, err, "%.*s_%s_%d", NILAS_FMT(source),
                                  is_bucket ? "bucket" : "trunc", field.transform.width));
    } else {
        NILAS_TRY(nilas_ddl__partition_name(arena, source, &field.transform, &field.name, err));
    }
    NILAS_TRY(free_name(arena, edit->spec, field.name, err));
    NILAS_NEW_ARRAY(arena, &field.source_ids, 1, err);
    field.source_ids[0] = field.source_id;
    field.source_count = 1;
    edit->spec->fields[edit->spec->field_count++] = field;
    return NILAS_OK;
}

/** The field that a transform, or its name, means. */
static nilas_code find_partition_field(alter_state *state, spec_edit *edit, const nilas_expr *expr,
                                       size_t *out, nilas_error *err) {
    nilas_partition_spec *spec = edit->spec;
    nilas_str name = expr->part_count > 0 ? expr->parts[expr->part_count - 1] : NILAS_STR("");
    for (size_t i = 0; expr->kind == NILAS_EXPR_COLUMN && i < spec->field_count; i++) {
        if (nilas_str_equal(spec->fields[i].name, name) &&
            spec->fields[i].transform.kind != NILAS_TRANSFORM_VOID) {
            *out = i;
            return NILAS_OK;
        }
    }
    int32_t source_id;
    nilas_transform transform;
    nilas_error inner = NILAS_ERROR_INIT;
    if (nilas_bind_transform(&state->run->environment, edit->schema, expr, &source_id, &transform,
                             &inner) == NILAS_OK) {
        for (size_t i = 0; i < spec->field_count; i++) {
            if (same_transform(&spec->fields[i], source_id, &transform)) {
                *out = i;
                return NILAS_OK;
            }
        }
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_expr_print(&text, expr);
    return nilas_fail(err, NILAS_INVALID, "Cannot find partition field to remove: %.*s",
                      NILAS_FMT(nilas_buf_view(&text)));
}

static nilas_code alter_partition_field(alter_state *state, nilas_error *err) {
    const nilas_alteration *alteration = state->alteration;
    spec_edit edit = {0};
    NILAS_TRY(open_spec(state, &edit, err));
    if (alteration->kind != NILAS_ALTER_ADD_PARTITION_FIELD) {
        size_t at;
        NILAS_TRY(find_partition_field(state, &edit, alteration->transform, &at, err));
        memmove(&edit.spec->fields[at], &edit.spec->fields[at + 1],
                (edit.spec->field_count - at - 1) * sizeof(*edit.spec->fields));
        edit.spec->field_count--;
    }
    if (alteration->kind == NILAS_ALTER_ADD_PARTITION_FIELD) {
        NILAS_TRY(add_field(state, &edit, alteration->transform, err));
    } else if (alteration->kind == NILAS_ALTER_REPLACE_PARTITION_FIELD) {
        NILAS_TRY(add_field(state, &edit, alteration->new_transform, err));
    }
    return nilas_update_spec(state->update, edit.spec, err);
}

/* --- write order
 * ----------------------------------------------------------------------------------------- */

static nilas_code alter_write_order(alter_state *state, nilas_error *err) {
    const nilas_alteration *alteration = state->alteration;
    nilas_arena *arena = nilas_update_arena(state->update);
    const nilas_schema *schema = nilas_metadata_current_schema(metadata_of(state));
    nilas_sort_order *order;
    NILAS_NEW(arena, &order, err);
    NILAS_NEW_ARRAY(arena, &order->fields, alteration->order_by_count, err);
    order->field_count = alteration->order_by_count;
    for (size_t i = 0; i < alteration->order_by_count; i++) {
        const nilas_expr *key = alteration->order_by[i];
        nilas_sort_field *field = &order->fields[i];
        NILAS_TRY(nilas_bind_transform(&state->run->environment, schema, key->args[0],
                                       &field->source_id, &field->transform, err));
        field->descending = key->descending;
        field->nulls_first = key->has_nulls_order ? key->nulls_first : !key->descending;
        NILAS_NEW_ARRAY(arena, &field->source_ids, 1, err);
        field->source_ids[0] = field->source_id;
        field->source_count = 1;
    }
    bool sets_order = alteration->order_by_count > 0 || alteration->unordered;
    if (sets_order) {
        NILAS_TRY(nilas_update_sort_order(state->update, order, err));
    }
    // Iceberg's rule: a distribution by partition is "hash", a global order "range", a local one
    // leaves what was.
    const char *mode = alteration->distributed_by_partition                     ? "hash"
                       : alteration->unordered                                  ? "none"
                       : alteration->order_by_count > 0 && !alteration->locally ? "range"
                                                                                : NULL;
    if (mode == NULL) {
        return NILAS_OK;
    }
    nilas_property property = {.key = NILAS_STR("write.distribution-mode"),
                               .value = nilas_str_of(mode)};
    return nilas_update_properties(state->update, &property, 1, err);
}

/* --- branches and tags
 * -------------------------------------------------------------------------------------- */

static const char *ref_word(const nilas_ref_clause *clause) {
    return clause->is_tag ? "Tag" : "Branch";
}

static nilas_code check_kind(const nilas_ref *existing, const nilas_ref_clause *clause,
                             nilas_error *err) {
    if (existing != NULL && existing->is_tag != clause->is_tag) {
        return nilas_fail(err, NILAS_INVALID, "Ref %.*s is a %s not a %s", NILAS_FMT(clause->name),
                          existing->is_tag ? "tag" : "branch", clause->is_tag ? "tag" : "branch");
    }
    return NILAS_OK;
}

static nilas_code check_retention(const nilas_ref_clause *clause, nilas_error *err) {
    NILAS_REQUIRE(!clause->has_retain || clause->retain_ms > 0, err, NILAS_INVALID,
                  "Max reference age must be greater than 0");
    NILAS_REQUIRE(!clause->has_max_age || clause->max_age_ms > 0, err, NILAS_INVALID,
                  "Max snapshot age must be greater than 0");
    NILAS_REQUIRE(!clause->has_min_snapshots || clause->min_snapshots > 0, err, NILAS_INVALID,
                  "Min snapshots to keep must be greater than 0");
    return NILAS_OK;
}

/** A branch on a table without snapshots starts from an empty one. */
static nilas_code empty_branch(alter_state *state, const nilas_ref_clause *clause,
                               nilas_error *err) {
    if (clause->is_tag) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
        nilas_name_print(&name, state->relation->identifier, state->relation->identifier_count);
        return nilas_fail(err, NILAS_INVALID,
                          "Cannot complete create or replace tag operation on %.*s, main has no "
                          "snapshot",
                          NILAS_FMT(nilas_buf_view(&name)));
    }
    nilas_snapshot ignored;
    nilas_snapshot_change change = {.operation = "append",
                                    .branch = clause->name,
                                    .data_sequence_number = -1,
                                    .read_snapshot_id = -1};
    return nilas_update_snapshot(state->update, &change, &ignored, err);
}

static nilas_code create_ref(alter_state *state, nilas_error *err) {
    const nilas_ref_clause *clause = &state->alteration->ref;
    const nilas_metadata *metadata = metadata_of(state);
    const nilas_ref *existing = nilas_metadata_ref(metadata, clause->name);
    bool may_replace = clause->or_replace || clause->replace_only;
    NILAS_TRY(check_retention(clause, err));
    if (existing != NULL && !may_replace) {
        if (clause->if_not_exists && existing->is_tag == clause->is_tag) {
            return NILAS_OK;
        }
        return nilas_fail(err, NILAS_EXISTS, "Ref %.*s already exists", NILAS_FMT(clause->name));
    }
    if (existing == NULL && clause->replace_only) {
        return nilas_fail(err, NILAS_NOT_FOUND, "%s does not exist: %.*s", ref_word(clause),
                          NILAS_FMT(clause->name));
    }
    NILAS_TRY(check_kind(existing, clause, err));
    nilas_ref ref = {.name = clause->name,
                     .is_tag = clause->is_tag,
                     .max_ref_age_ms = -1,
                     .max_snapshot_age_ms = -1,
                     .min_snapshots_to_keep = -1};
    if (existing != NULL) {
        ref = *existing;
    }
    if (!clause->has_snapshot && metadata->current_snapshot_id == -1) {
        return empty_branch(state, clause, err);
    }
    ref.snapshot_id = clause->has_snapshot ? clause->snapshot_id : metadata->current_snapshot_id;
    NILAS_REQUIRE(nilas_metadata_snapshot(metadata, ref.snapshot_id) != NULL, err, NILAS_INVALID,
                  "Cannot set %.*s to unknown snapshot: %lld", NILAS_FMT(clause->name),
                  (long long)ref.snapshot_id);
    ref.max_ref_age_ms = clause->has_retain ? clause->retain_ms : ref.max_ref_age_ms;
    ref.max_snapshot_age_ms = clause->has_max_age ? clause->max_age_ms : ref.max_snapshot_age_ms;
    ref.min_snapshots_to_keep =
        clause->has_min_snapshots ? (int32_t)clause->min_snapshots : ref.min_snapshots_to_keep;
    return nilas_update_ref(state->update, &ref, err);
}

static nilas_code drop_ref(alter_state *state, nilas_error *err) {
    const nilas_ref_clause *clause = &state->alteration->ref;
    const nilas_ref *existing = nilas_metadata_ref(metadata_of(state), clause->name);
    NILAS_REQUIRE(clause->is_tag || !nilas_str_is(clause->name, "main"), err, NILAS_INVALID,
                  "Cannot remove main branch");
    if (existing == NULL) {
        if (clause->if_exists) {
            return NILAS_OK;
        }
        return nilas_fail(err, NILAS_NOT_FOUND, "%s does not exist: %.*s", ref_word(clause),
                          NILAS_FMT(clause->name));
    }
    NILAS_TRY(check_kind(existing, clause, err));
    return nilas_update_remove_ref(state->update, clause->name, err);
}

/* --- the statement
 * --------------------------------------------------------------------------------------------- */

static nilas_code fail_unsupported(const alter_state *state, nilas_error *err) {
    const nilas_alteration *alteration = state->alteration;
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&name, state->run->statement->parts, state->run->statement->part_count);
    switch (alteration->kind) {
    case NILAS_ALTER_ADD_PARTITION:
    case NILAS_ALTER_DROP_PARTITION:
    case NILAS_ALTER_RENAME_PARTITION:
    case NILAS_ALTER_RECOVER_PARTITIONS:
        return nilas_fail_at(
            err, NILAS_UNSUPPORTED,
            "INVALID_PARTITION_OPERATION.PARTITION_MANAGEMENT_IS_UNSUPPORTED", alteration->offset,
            "The partition command is invalid. Table %.*s does not support partition management.",
            NILAS_FMT(nilas_buf_view(&name)));
    default: break;
    }
    return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE.TABLE_OPERATION",
                         alteration->offset,
                         "The feature is not supported: this ALTER TABLE clause on Iceberg table "
                         "%.*s.",
                         NILAS_FMT(nilas_buf_view(&name)));
}

static nilas_code apply_alteration(alter_state *state, nilas_error *err) {
    switch (state->alteration->kind) {
    case NILAS_ALTER_ADD_COLUMNS:
    case NILAS_ALTER_DROP_COLUMNS:
    case NILAS_ALTER_RENAME_COLUMN:
    case NILAS_ALTER_COLUMN:
    case NILAS_ALTER_REPLACE_COLUMNS: return alter_columns(state, err);
    case NILAS_ALTER_SET_PROPERTIES:
    case NILAS_ALTER_UNSET_PROPERTIES: return alter_properties(state, err);
    case NILAS_ALTER_SET_LOCATION: return alter_location(state, err);
    case NILAS_ALTER_ADD_PARTITION_FIELD:
    case NILAS_ALTER_DROP_PARTITION_FIELD:
    case NILAS_ALTER_REPLACE_PARTITION_FIELD: return alter_partition_field(state, err);
    case NILAS_ALTER_WRITE_ORDER: return alter_write_order(state, err);
    case NILAS_ALTER_SET_IDENTIFIER_FIELDS:
    case NILAS_ALTER_DROP_IDENTIFIER_FIELDS: return alter_identifier_fields(state, err);
    case NILAS_ALTER_CREATE_REF: return create_ref(state, err);
    case NILAS_ALTER_DROP_REF: return drop_ref(state, err);
    default: break;
    }
    return fail_unsupported(state, err);
}

static nilas_code apply(void *context, nilas_update *update, nilas_error *err) {
    alter_state *state = context;
    state->update = update;
    for (size_t i = 0; i < state->run->statement->alteration_count; i++) {
        state->alteration = &state->run->statement->alterations[i];
        NILAS_TRY(apply_alteration(state, err));
    }
    return NILAS_OK;
}

nilas_code nilas_command__alter_table(nilas_run *run, nilas_error *err) {
    nilas_relation relation;
    alter_state state = {.run = run, .relation = &relation};
    NILAS_TRY(nilas_ddl__table(run, &relation, err));
    return nilas_ddl__commit(run, &relation, apply, &state, err);
}

/* --- COMMENT ON --- */

static nilas_code apply_comment(void *context, nilas_update *update, nilas_error *err) {
    const nilas_run *run = context;
    nilas_str text = run->statement->has_value ? run->statement->value : (nilas_str){0};
    nilas_property comment = {.key = NILAS_STR("comment"), .value = text};
    return nilas_update_properties(update, &comment, 1, err);
}

nilas_code nilas_command__comment_on(nilas_run *run, nilas_error *err) {
    if (run->statement->is_namespace) {
        return nilas_command__alter_namespace(run, err);
    }
    nilas_relation relation;
    NILAS_TRY(nilas_ddl__table(run, &relation, err));
    return nilas_ddl__commit(run, &relation, apply_comment, run, err);
}
