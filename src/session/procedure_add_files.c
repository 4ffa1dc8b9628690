/**
 * add_files: Parquet files that are there become part of a table, where they are.
 *
 * Partition values are read from folder names (key=value); columns are found by name, so the table
 * gets a name mapping when it has none.
 */
#include "session/procedure.h"

#define HIVE_NULL        "__HIVE_DEFAULT_PARTITION__"
#define MAX_FOLDER_DEPTH 64

typedef struct folder_key {
    nilas_str key, value; // value data NULL: null
} folder_key;

typedef struct found_file {
    nilas_str location;
    int64_t size_bytes;
    folder_key *keys;
    size_t key_count;
} found_file;

typedef struct import {
    nilas_procedure_call *call;
    nilas_arena *arena;
    const nilas_partition_spec *spec;
    folder_key keys[MAX_FOLDER_DEPTH]; // of the folder that is being listed
    size_t key_count;
    NILAS_ARRAY_OF(found_file) found;
    nilas_data_file *files;
    size_t file_count;
    nilas_str mapping;          // to set; data NULL: the table has one
    int64_t changed_partitions; // -1: nothing was added
} import;

/* --- the source
 * ----------------------------------------------------------------------------------- */

/** "a%3Ab" is "a:b". */
static nilas_code unescape(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF buf = NILAS_BUF_INIT(65536);
    for (size_t i = 0; i < text.size; i++) {
        int high = i + 2 < text.size ? nilas_hex_digit(text.data[i + 1]) : -1;
        int low = i + 2 < text.size ? nilas_hex_digit(text.data[i + 2]) : -1;
        if (text.data[i] == '%' && high >= 0 && low >= 0) {
            nilas_buf_add_char(&buf, (char)(high * 16 + low));
            i += 2;
        } else {
            nilas_buf_add_char(&buf, text.data[i]);
        }
    }
    return nilas_buf_finish(&buf, arena, out, err);
}

static nilas_code push_key(import *state, nilas_str name, bool *out_pushed, nilas_error *err) {
    size_t equals = nilas_str_find(name, NILAS_STR("="), 0);
    *out_pushed = equals != SIZE_MAX && equals > 0;
    if (!*out_pushed) {
        return NILAS_OK;
    }
    folder_key *key = &state->keys[state->key_count];
    nilas_str value = nilas_str_slice(name, equals + 1, name.size);
    NILAS_TRY(unescape(state->arena, nilas_str_slice(name, 0, equals), &key->key, err));
    NILAS_TRY(unescape(state->arena, value, &key->value, err));
    if (nilas_str_is(key->value, HIVE_NULL)) {
        key->value.data = NULL;
    }
    state->key_count++;
    return NILAS_OK;
}

static nilas_code add_found(import *state, nilas_str location, int64_t size_bytes,
                            nilas_error *err) {
    found_file file = {.size_bytes = size_bytes, .key_count = state->key_count};
    NILAS_TRY(nilas_str_print(state->arena, &file.location, err, "%s%.*s",
                              nilas_io_scheme(location).size == 0 ? "file:" : "",
                              NILAS_FMT(location)));
    NILAS_NEW_ARRAY(state->arena, &file.keys, state->key_count, err);
    nilas_copy(file.keys, state->keys, state->key_count * sizeof(*file.keys));
    NILAS_PUSH(state->arena, &state->found, file, err);
    return NILAS_OK;
}

static nilas_code list_folder(import *state, nilas_str folder, size_t depth, nilas_error *err) {
    nilas_io_entry *entries;
    size_t count;
    NILAS_REQUIRE(depth < MAX_FOLDER_DEPTH, err, NILAS_LIMIT,
                  "folders are nested too deeply at \"%.*s\"", NILAS_FMT(folder));
    NILAS_TRY(nilas_io_list(state->call->table->io, state->arena, folder, &entries, &count, err));
    for (size_t i = 0; i < count; i++) {
        bool is_hidden = entries[i].name.size == 0 || entries[i].name.data[0] == '.' ||
                         (entries[i].name.data[0] == '_' &&
                          nilas_str_find(entries[i].name, NILAS_STR("="), 0) == SIZE_MAX);
        if (is_hidden) {
            continue;
        }
        if (!entries[i].stat.is_directory) {
            NILAS_TRY(add_found(state, entries[i].location, entries[i].stat.size_bytes, err));
            continue;
        }
        bool is_pushed;
        NILAS_TRY(push_key(state, entries[i].name, &is_pushed, err));
        NILAS_TRY(list_folder(state, entries[i].location, depth + 1, err));
        state->key_count -= is_pushed;
    }
    return NILAS_OK;
}

static nilas_code list_source(import *state, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    nilas_str text = nilas_call__text(call, "source_table", NILAS_STR_EMPTY);
    nilas_str *parts, location;
    nilas_io_stat stat;
    size_t count;
    NILAS_REQUIRE(text.size > 0, err, NILAS_INVALID,
                  "Cannot handle an empty identifier for parameter 'source_table'");
    NILAS_TRY(nilas_sql_parse_name(state->arena, text, &parts, &count, err));
    NILAS_REQUIRE(count == 2 && nilas_str_is_nocase(parts[0], "parquet"), err, NILAS_UNSUPPORTED,
                  "add_files supports sources of the form `parquet`.`path` only, not %.*s",
                  NILAS_FMT(text));
    NILAS_TRY(nilas_catalog_file_location(state->arena, parts[1], &location, err));
    NILAS_TRY(nilas_io_stat_file(call->table->io, location, &stat, err));
    return stat.is_directory ? list_folder(state, location, 0, err)
                             : add_found(state, location, stat.size_bytes, err);
}

/* --- partitions
 * ----------------------------------------------------------------------------------- */

static const folder_key *find_key(const found_file *file, nilas_str name) {
    for (size_t i = 0; i < file->key_count; i++) {
        if (nilas_str_equal_nocase(file->keys[i].key, name)) {
            return &file->keys[i];
        }
    }
    return NULL;
}

/** Whether the folder's values are those of `partition_filter`. */
static bool is_wanted(const import *state, const found_file *file) {
    const nilas_value *filter = nilas_call__value(state->call, "partition_filter");
    for (size_t i = 0; !nilas_value_is_null(filter) && i < filter->count; i++) {
        const folder_key *key = find_key(file, filter->items[2 * i].text);
        const nilas_value *value = &filter->items[2 * i + 1];
        bool is_null = nilas_value_is_null(value);
        if (key == NULL || is_null != (key->value.data == NULL) ||
            (!is_null && !nilas_str_equal(key->value, value->text))) {
            return false;
        }
    }
    return true;
}

/** The text of a folder as a value of the column: CAST('text' AS type). */
static nilas_code parse_value(import *state, nilas_str text, const nilas_ice_type *type,
                              nilas_value *out, nilas_error *err) {
    nilas_run *run = state->call->run;
    NILAS_AUTO_BUF query = NILAS_BUF_INIT(1 << 20);
    const nilas_type *spark;
    nilas_plan *plan;
    nilas_str sql;
    NILAS_REQUIRE(type->kind != NILAS_ICE_UUID && type->kind != NILAS_ICE_FIXED &&
                      type->kind != NILAS_ICE_BINARY,
                  err, NILAS_UNSUPPORTED,
                  "add_files does not support partitions by uuid, fixed and binary columns");
    NILAS_TRY(nilas_bind_ice_type(state->arena, type, &spark, err));
    nilas_buf_add_text(&query, "SELECT CAST('");
    for (size_t i = 0; i < text.size; i++) {
        nilas_buf_add_text(&query, text.data[i] == '\'' || text.data[i] == '\\' ? "\\" : "");
        nilas_buf_add_char(&query, text.data[i]);
    }
    nilas_buf_add_text(&query, "' AS ");
    nilas_type_print(&query, spark);
    nilas_buf_add_char(&query, ')');
    NILAS_TRY(nilas_buf_finish(&query, state->arena, &sql, err));
    NILAS_TRY(nilas_call__bind(state->call, sql, &plan, err));
    nilas_assert(plan->kind == NILAS_PLAN_PROJECT && plan->expr_count == 1);
    return nilas_engine_evaluate(run->session->engine, state->arena, plan->exprs[0], out, err);
}

static nilas_code partition_of(import *state, const found_file *file, nilas_value *out,
                               nilas_error *err) {
    const nilas_schema *schema = nilas_metadata_current_schema(state->call->table->metadata);
    *out = (nilas_value){.kind = NILAS_VALUE_STRUCT};
    NILAS_NEW_ARRAY(state->arena, &out->items, state->spec->field_count, err);
    out->count = state->spec->field_count;
    for (size_t i = 0; i < state->spec->field_count; i++) {
        const nilas_ice_field *source =
            nilas_schema_find_id(schema, state->spec->fields[i].source_id);
        NILAS_REQUIRE(source != NULL, err, NILAS_INVALID, "Cannot find source column: %d",
                      state->spec->fields[i].source_id);
        const folder_key *key = find_key(file, source->name);
        NILAS_REQUIRE(key != NULL, err, NILAS_INVALID,
                      "Cannot find the partition column '%.*s' in the path %.*s",
                      NILAS_FMT(source->name), NILAS_FMT(file->location));
        out->items[i] = NILAS_NULL_VALUE;
        if (key->value.data != NULL) {
            NILAS_TRY(parse_value(state, key->value, source->type, &out->items[i], err));
        }
    }
    return NILAS_OK;
}

static nilas_code check_spec(const import *state, nilas_error *err) {
    const nilas_value *filter = nilas_call__value(state->call, "partition_filter");
    bool has_filter = !nilas_value_is_null(filter) && filter->count > 0;
    NILAS_REQUIRE(!has_filter || state->spec->field_count > 0, err, NILAS_INVALID,
                  "Cannot use a partition filter when importing to an unpartitioned table");
    for (size_t i = 0; i < state->spec->field_count; i++) {
        nilas_str name;
        NILAS_TRY(nilas_call__table_name(state->call, &name, err));
        NILAS_REQUIRE(state->spec->fields[i].transform.kind == NILAS_TRANSFORM_IDENTITY, err,
                      NILAS_INVALID,
                      "Cannot add data files to target table %.*s because that table is "
                      "partitioned, but contains non-identity partition transforms which will not "
                      "be compatible.",
                      NILAS_FMT(name));
    }
    for (size_t i = 0; state->spec->field_count == 0 && i < state->found.count; i++) {
        NILAS_REQUIRE(state->found.items[i].key_count == 0, err, NILAS_INVALID,
                      "Cannot add partitioned files to an unpartitioned table");
    }
    return NILAS_OK;
}

/* --- files
 * ---------------------------------------------------------------------------------------- */

static nilas_code make_files(import *state, nilas_error *err) {
    nilas_str *locations;
    int64_t *rows;
    NILAS_NEW_ARRAY(state->arena, &state->files, state->found.count, err);
    NILAS_NEW_ARRAY(state->arena, &locations, state->found.count, err);
    NILAS_NEW_ARRAY(state->arena, &rows, state->found.count, err);
    for (size_t i = 0; i < state->found.count; i++) {
        const found_file *found = &state->found.items[i];
        nilas_data_file *file = &state->files[state->file_count];
        if (!is_wanted(state, found)) {
            continue;
        }
        *file = (nilas_data_file){
            .content = NILAS_FILE_DATA,
            .file_path = found->location,
            .file_format = NILAS_STR("PARQUET"),
            .spec_id = state->spec->spec_id,
            .file_size_in_bytes = found->size_bytes,
            .first_row_id = -1,
            .referenced_data_file = NILAS_STR_EMPTY,
            .content_offset = -1,
            .content_size_in_bytes = -1,
        };
        NILAS_TRY(partition_of(state, found, &file->partition, err));
        locations[state->file_count++] = found->location;
    }
    NILAS_REQUIRE(state->file_count > 0 || state->spec->field_count == 0, err, NILAS_INVALID,
                  "Cannot find any matching partitions in the source table");
    NILAS_TRY(nilas_engine_count_parquet_rows(state->call->run->session->engine, state->arena,
                                              locations, state->file_count, rows, err));
    for (size_t i = 0; i < state->file_count; i++) {
        state->files[i].record_count = rows[i];
    }
    return NILAS_OK;
}

/** Against the newest version, within the commit. */
static nilas_code check_duplicates(const import *state, const nilas_metadata *metadata,
                                   nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
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
    for (size_t i = 0; i < state->file_count; i++) {
        nilas_str path = state->files[i].file_path;
        NILAS_REQUIRE(nilas_map_find(&live.files, path) == NULL, err, NILAS_INVALID,
                      "Cannot complete import because data files to be imported already exist "
                      "within the target table: %.*s.  This is disabled by default as Iceberg is "
                      "not designed for multiple references to the same file within the same "
                      "table.  If you are sure, you may set 'check_duplicate_files' to false to "
                      "force the import.",
                      NILAS_FMT(path));
    }
    return NILAS_OK;
}

/* --- the name mapping
 * ----------------------------------------------------------------------------- */

static void print_mapping(nilas_buf *out, const nilas_ice_type *type) {
    static const char *const map_names[] = {"key", "value"};
    nilas_buf_add_char(out, '[');
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        nilas_str name = type->kind == NILAS_ICE_STRUCT ? field->name
                         : type->kind == NILAS_ICE_LIST ? NILAS_STR("element")
                                                        : nilas_str_of(map_names[i]);
        nilas_buf_print(out, "%s{\"field-id\":%d,\"names\":[", i > 0 ? "," : "", field->id);
        nilas_json_print_string(out, name);
        nilas_buf_add_char(out, ']');
        if (field->type->field_count > 0) {
            nilas_buf_add_text(out, ",\"fields\":");
            print_mapping(out, field->type);
        }
        nilas_buf_add_char(out, '}');
    }
    nilas_buf_add_char(out, ']');
}

static nilas_code make_mapping(import *state, nilas_error *err) {
    const nilas_metadata *metadata = state->call->table->metadata;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(16 << 20);
    state->mapping = (nilas_str){.data = NULL};
    if (nilas_metadata_property(metadata, "schema.name-mapping.default", state->mapping).data !=
        NULL) {
        return NILAS_OK;
    }
    print_mapping(&text, &nilas_metadata_current_schema(metadata)->type);
    return nilas_buf_finish(&text, state->arena, &state->mapping, err);
}

/* --- the commit
 * ----------------------------------------------------------------------------------- */

static nilas_code apply_import(void *context, nilas_update *update, nilas_error *err) {
    import *state = context;
    nilas_property *summary;
    nilas_snapshot made;
    size_t summary_count;
    NILAS_TRY(check_duplicates(state, nilas_update_metadata(update), err));
    if (state->mapping.data != NULL) {
        nilas_property mapping = {NILAS_STR("schema.name-mapping.default"), state->mapping};
        NILAS_TRY(nilas_update_properties(update, &mapping, 1, err));
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
    NILAS_TRY(nilas_update_snapshot(update, &change, &made, err));
    for (size_t i = 0; i < made.summary_count; i++) {
        int64_t number;
        if (nilas_str_is(made.summary[i].key, "changed-partition-count") &&
            nilas_str_to_int64(made.summary[i].value, &number)) {
            state->changed_partitions = number;
        }
    }
    return NILAS_OK;
}

nilas_code nilas_procedure__add_files(nilas_procedure_call *call, nilas_error *err) {
import state = {.call = call, .arena = call->run->stmt, .changed_partitions = - 1 };
    NILAS_TRY(nilas_call__load(call, err));
    const nilas_metadata *metadata = call->table->metadata;
    NILAS_REQUIRE(nilas_call__int(call, "parallelism", 1) > 0, err, NILAS_INVALID,
                  "Parallelism should be larger than 0");
    state.spec = nilas_metadata_spec(metadata, metadata->default_spec_id);
    NILAS_TRY(list_source(&state, err));
    NILAS_TRY(check_spec(&state, err));
    NILAS_TRY(make_files(&state, err));
    NILAS_TRY(make_mapping(&state, err));
    if (state.file_count > 0) {
        NILAS_TRY(nilas_call__commit(call, apply_import, &state, NULL, err));
    }
    nilas_value cells[] = {nilas_value_of_int((int64_t)state.file_count),
                           nilas_call__id_or_null(state.changed_partitions)};
    return nilas_call__answer(call, cells, err);
}
