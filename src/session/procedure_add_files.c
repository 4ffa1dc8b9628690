/**
 * add_files: Parquet and Avro files that are there become part of a table, where they are.
 *
 * Partition values are read from folder names (key=value); columns are found by name, so the table
 * gets a name mapping when it has none.
 */
#include "session/procedure_import.h"

typedef struct addition {
    nilas_procedure_call *call;
    nilas_import import;
    const nilas_partition_spec *spec;
    nilas_data_file *files;
    size_t file_count;
    nilas_property mapping; // to set; value data NULL: the table has one
} addition;

/* --- the source
 * ----------------------------------------------------------------------------------- */

/** Only Spark's own session catalog has tables of files. */
static nilas_code fail_no_source(nilas_procedure_call *call, const nilas_str *parts, size_t count,
                                 nilas_error *err) {
    static const nilas_str default_namespace = {.data = "default", .size = 7};
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    nilas_catalog *catalog = NULL;
    if (count > 1) {
        NILAS_TRY(nilas_session__catalog(call->run->session, parts[0], &catalog, err));
    }
    parts += catalog != NULL;
    count -= catalog != NULL;
    if (count == 1) {
        nilas_name_print_quoted(&name, &default_namespace, 1);
        nilas_buf_add_char(&name, '.');
    }
    nilas_name_print_quoted(&name, parts, count);
    return nilas_fail(err, NILAS_NOT_FOUND, "Table %.*s does not exist",
                      NILAS_FMT(nilas_buf_view(&name)));
}

static nilas_code list_source(addition *state, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    nilas_str text = nilas_call__text(call, "source_table", NILAS_STR_EMPTY);
    nilas_str *parts;
    size_t count;
    NILAS_REQUIRE(text.size > 0, err, NILAS_INVALID,
                  "Cannot handle an empty identifier for parameter 'source_table'");
    NILAS_TRY(nilas_sql_parse_name(call->run->stmt, text, &parts, &count, err));
    if (!nilas_import__is_files(parts, count)) {
        return fail_no_source(call, parts, count, err);
    }
    return nilas_import__list(&state->import, call, parts, true, err);
}

/* --- partitions
 * ----------------------------------------------------------------------------------- */

/** Identity fields whose names are the folders' keys in their order. */
static bool fits_folders(const nilas_import *import, const nilas_partition_spec *spec) {
    for (size_t i = 0; i < spec->field_count && spec->field_count == import->key_count; i++) {
        if (spec->fields[i].transform.kind != NILAS_TRANSFORM_IDENTITY ||
            !nilas_str_equal_nocase(spec->fields[i].name, import->keys[i])) {
            return false;
        }
    }
    return spec->field_count == import->key_count;
}

static nilas_code find_spec(addition *state, nilas_str table, nilas_error *err) {
    const nilas_metadata *metadata = state->call->table->metadata;
    NILAS_AUTO_BUF keys = NILAS_BUF_INIT(65536);
    for (size_t i = 0; i < metadata->spec_count && state->spec == NULL; i++) {
        if (fits_folders(&state->import, metadata->specs[i])) {
            state->spec = metadata->specs[i];
        }
    }
    nilas_import__print_keys(&state->import, &keys);
    NILAS_REQUIRE(state->spec != NULL, err, NILAS_INVALID,
                  "Cannot find a partition spec in Iceberg table %.*s that matches the partition "
                  "columns (%.*s) in input table",
                  NILAS_FMT(table), NILAS_FMT(nilas_buf_view(&keys)));
    return NILAS_OK;
}

static bool has_field(const nilas_partition_spec *spec, nilas_str name) {
    for (size_t i = 0; i < spec->field_count; i++) {
        if (nilas_str_equal(spec->fields[i].name, name)) {
            return true;
        }
    }
    return false;
}

static nilas_code check_filter(const addition *state, nilas_str table, const nilas_value *filter,
                               nilas_error *err) {
    const nilas_partition_spec *spec = state->spec;
    NILAS_AUTO_BUF unknown = NILAS_BUF_INIT(65536);
    NILAS_AUTO_BUF known = NILAS_BUF_INIT(65536);
    size_t count = nilas_value_is_null(filter) ? 0 : filter->count;
    NILAS_REQUIRE(count == 0 || spec->field_count > 0, err, NILAS_INVALID,
                  "Cannot use partition filter with an unpartitioned table %.*s", NILAS_FMT(table));
    NILAS_REQUIRE(count <= spec->field_count, err, NILAS_INVALID,
                  "Cannot add data files to target table %.*s because that table is partitioned, "
                  "but the number of columns in the provided partition filter (%zu) is greater "
                  "than the number of partitioned columns in table (%zu)",
                  NILAS_FMT(table), count, spec->field_count);
    for (size_t i = 0; i < count; i++) {
        nilas_str name = filter->items[2 * i].text;
        if (!has_field(spec, name)) {
            nilas_buf_print(&unknown, "%s%.*s", unknown.size > 0 ? ", " : "", NILAS_FMT(name));
        }
    }
    for (size_t i = 0; i < spec->field_count; i++) {
        nilas_buf_print(&known, "%s%.*s", i > 0 ? "," : "", NILAS_FMT(spec->fields[i].name));
    }
    NILAS_REQUIRE(unknown.size == 0, err, NILAS_INVALID,
                  "Cannot add files to target table %.*s. %.*s is partitioned but the specified "
                  "partition filter refers to columns that are not partitioned: [%.*s] . Valid "
                  "partition columns: [%.*s]",
                  NILAS_FMT(table), NILAS_FMT(table), NILAS_FMT(nilas_buf_view(&unknown)),
                  NILAS_FMT(nilas_buf_view(&known)));
    return NILAS_OK;
}

/** The table as it will be: with its name mapping, by which columns are found. */
static nilas_code map_names(addition *state, nilas_table *table, nilas_metadata *metadata,
                            nilas_error *err) {
    nilas_arena *arena = state->call->run->stmt;
    nilas_str existing =
        nilas_metadata_property(metadata, NILAS_NAME_MAPPING, (nilas_str){.data = NULL});
    nilas_property *properties;
    if (existing.data != NULL) {
        return NILAS_OK;
    }
    state->mapping.key = NILAS_STR(NILAS_NAME_MAPPING);
    NILAS_TRY(nilas_import__mapping(arena, nilas_metadata_current_schema(metadata),
                                    &state->mapping.value, err));
    NILAS_NEW_ARRAY(arena, &properties, metadata->property_count + 1, err);
    nilas_copy(properties, metadata->properties, metadata->property_count * sizeof(*properties));
    properties[metadata->property_count++] = state->mapping;
    metadata->properties = properties;
    table->metadata = metadata;
    return NILAS_OK;
}

static nilas_code find_files(addition *state, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    const nilas_value *filter = nilas_call__value(call, "partition_filter");
    nilas_table table = *call->table;
    nilas_metadata metadata = *call->table->metadata;
    nilas_str name;
    NILAS_TRY(nilas_call__table_name(call, &name, err));
    NILAS_TRY(find_spec(state, name, err));
    NILAS_TRY(check_filter(state, name, filter, err));
    NILAS_TRY(map_names(state, &table, &metadata, err));
    NILAS_TRY(nilas_import__files(&state->import, &table, state->spec,
                                  nilas_value_is_null(filter) ? NULL : filter, &state->files,
                                  &state->file_count, err));
    // The spec may be an older one; what can be added goes by the current one, as in Iceberg.
    const nilas_partition_spec *current = nilas_metadata_spec(&metadata, metadata.default_spec_id);
    NILAS_REQUIRE(current->field_count > 0 || state->import.key_count == 0, err, NILAS_INVALID,
                  "Cannot add partitioned files to an unpartitioned table");
    NILAS_REQUIRE(
        current->field_count == 0 || (state->import.key_count > 0 && state->file_count > 0), err,
        NILAS_INVALID, "Cannot find any matching partitions in table %.*s", NILAS_FMT(name));
    return NILAS_OK;
}

/* --- the commit
 * ----------------------------------------------------------------------------------- */

/** Against the newest version, within the commit. */
static nilas_code check_duplicates(const addition *state, const nilas_metadata *metadata,
                                   nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF found = NILAS_BUF_INIT(65536);
    const nilas_snapshot *current = nilas_metadata_current_snapshot(metadata);
    nilas_table table = *state->call->table;
    nilas_metadata copy = *metadata;
    nilas_reachable live;
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    if (current == NULL || !nilas_call__bool(state->call, "check_duplicate_files", true)) {
        return NILAS_OK;
    }
    table.metadata = &copy;
    nilas_reachable__init(&live, scratch);
    NILAS_TRY(nilas_reachable__add_snapshot(&live, &table, current, NULL, err));
    size_t count = 0;
    for (size_t i = 0; i < state->file_count && count < 10; i++) {
        nilas_str path = state->files[i].file_path;
        if (nilas_map_find(&live.files, path) != NULL) {
            nilas_buf_print(&found, "%s%.*s", count++ > 0 ? "," : "", NILAS_FMT(path));
        }
    }
    NILAS_REQUIRE(count == 0, err, NILAS_INVALID,
                  "Cannot complete import because data files to be imported already exist within "
                  "the target table: %.*s.  This is disabled by default as Iceberg is not designed "
                  "for multiple references to the same file within the same table.  If you are "
                  "sure, you may set 'check_duplicate_files' to false to force the import.",
                  NILAS_FMT(nilas_buf_view(&found)));
    return NILAS_OK;
}

static nilas_code apply_addition(void *context, nilas_update *update, nilas_error *err) {
    addition *state = context;
    nilas_property *summary;
    nilas_snapshot made;
    size_t summary_count;
    NILAS_TRY(check_duplicates(state, nilas_update_metadata(update), err));
    if (state->mapping.value.data != NULL) {
        NILAS_TRY(nilas_update_properties(update, &state->mapping, 1, err));
    }
    NILAS_TRY(nilas_call__summary(state->call, &summary, &summary_count, err));
    nilas_snapshot_change change = {
        .operation = "append",
        .added = state->files,
        .added_count = state->file_count,
        .data_sequence_number = -1,
        .read_snapshot_id = -1,
        .summary = summary,
        .summary_count = summary_count,
        .append_manifests_merge = true,
    };
    return nilas_update_snapshot(update, &change, &made, err);
}

nilas_code nilas_procedure__add_files(nilas_procedure_call *call, nilas_error *err) {
    addition state = {.call = call};
    NILAS_TRY(nilas_call__load(call, err));
    NILAS_REQUIRE(nilas_call__int(call, "parallelism", 1) > 0, err, NILAS_INVALID,
                  "Parallelism should be larger than 0");
    NILAS_TRY(list_source(&state, err));
    NILAS_TRY(find_files(&state, err));
    NILAS_TRY(nilas_call__commit(call, apply_addition, &state, NULL, err));
    // As Iceberg, which appends whole manifests and then does not know which partitions they touch.
    nilas_value cells[] = {nilas_value_of_int((int64_t)state.file_count),
                           state.file_count > 0 ? NILAS_NULL_VALUE : nilas_value_of_int(0)};
    return nilas_call__answer(call, cells, err);
}
