/**
 * compute_partition_stats: what each partition of a snapshot holds, as a file in the table's
 * format that the metadata names.
 *
 * With statistics of an ancestor only what later snapshots added and removed is counted; then
 * partitions that have become empty keep a row. Without them, or when they cannot be read, all
 * manifests of the snapshot are.
 *
 * Spec: iceberg#partition-statistics.
 */
#include <stdlib.h>

#include "session/procedure_stats.h"

enum {
    COLUMN_PARTITION,
    COLUMN_SPEC_ID,
    COLUMN_DATA_RECORDS,
    COLUMN_DATA_FILES,
    COLUMN_DATA_BYTES,
    COLUMN_POSITION_RECORDS,
    COLUMN_POSITION_FILES,
    COLUMN_EQUALITY_RECORDS,
    COLUMN_EQUALITY_FILES,
    COLUMN_TOTAL_RECORDS, // not known without reading data
    COLUMN_UPDATED_AT,
    COLUMN_UPDATED_BY,
    COLUMN_VECTORS, // version 3
    COLUMN_COUNT,
};

/** Number i has field id i + 1. */
static const struct {
    const char *name;
    nilas_ice_kind kind;
    bool required; // in version 3
} columns[COLUMN_COUNT] = {
    {"partition", NILAS_ICE_STRUCT, true},
    {"spec_id", NILAS_ICE_INT, true},
    {"data_record_count", NILAS_ICE_LONG, true},
    {"data_file_count", NILAS_ICE_INT, true},
    {"total_data_file_size_in_bytes", NILAS_ICE_LONG, true},
    {"position_delete_record_count", NILAS_ICE_LONG, true},
    {"position_delete_file_count", NILAS_ICE_INT, true},
    {"equality_delete_record_count", NILAS_ICE_LONG, true},
    {"equality_delete_file_count", NILAS_ICE_INT, true},
    {"total_record_count", NILAS_ICE_LONG, false},
    {"last_updated_at", NILAS_ICE_LONG, false},
    {"last_updated_snapshot_id", NILAS_ICE_LONG, false},
    {"dv_count", NILAS_ICE_INT, true},
};

typedef struct partition_row partition_row;
struct partition_row {
    partition_row *next; // of the same hash
    nilas_value items[COLUMN_COUNT];
};

typedef struct partition_stats {
    nilas_procedure_call *call;
    nilas_arena *arena;
    const nilas_metadata *metadata;
    const nilas_snapshot *snapshot;
    const nilas_ice_type *partition; // of all specs together
    nilas_map by_hash;
    NILAS_ARRAY_OF(partition_row *) rows;
    nilas_value *wide;  // scratch: a value for each partition field
    bool is_difference; // of manifests: only what they add and remove
    nilas_code failed;
    nilas_error *err;
} partition_stats;

/* --- rows
 * ----------------------------------------------------------------------------------------- */

/** The row of a partition of a spec; a new one has counts of zero. `partition` is copied. */
static nilas_code get_row(partition_stats *state, int32_t spec_id, const nilas_value *partition,
                          partition_row **out, nilas_error *err) {
    int64_t hash = (int64_t)(nilas_value_hash(partition) * 31 + (uint64_t)spec_id);
    partition_row *first = nilas_map_find_int(&state->by_hash, hash);
    for (partition_row *row = first; row != NULL; row = row->next) {
        if (row->items[COLUMN_SPEC_ID].integer == spec_id &&
            nilas_value_equal(&row->items[COLUMN_PARTITION], partition)) {
            *out = row;
            return NILAS_OK;
        }
    }
    NILAS_NEW(state->arena, out, err);
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        (*out)->items[i] = columns[i].required ? nilas_value_of_int(0) : NILAS_NULL_VALUE;
    }
    NILAS_TRY(nilas_value_copy(state->arena, partition, &(*out)->items[COLUMN_PARTITION], err));
    (*out)->items[COLUMN_SPEC_ID] = nilas_value_of_int(spec_id);
    (*out)->next = first;
    NILAS_PUSH(state->arena, &state->rows, *out, err);
    return nilas_map_put_int(&state->by_hash, hash, *out, err);
}

static void count_file(partition_row *row, const nilas_data_file *file, int64_t sign) {
    bool is_vector = nilas_str_is(file->file_format, "PUFFIN");
    int records = file->content == NILAS_FILE_DATA               ? COLUMN_DATA_RECORDS
                  : file->content == NILAS_FILE_POSITION_DELETES ? COLUMN_POSITION_RECORDS
                                                                 : COLUMN_EQUALITY_RECORDS;
    row->items[records].integer += sign * file->record_count;
    row->items[is_vector ? COLUMN_VECTORS : records + 1].integer += sign;
    if (file->content == NILAS_FILE_DATA) {
        row->items[COLUMN_DATA_BYTES].integer += sign * file->file_size_in_bytes;
    }
}

static void note_update(partition_row *row, const nilas_snapshot *snapshot) {
    nilas_value *at = &row->items[COLUMN_UPDATED_AT];
    if (snapshot != NULL && (nilas_value_is_null(at) || at->integer < snapshot->timestamp_ms)) {
        *at = nilas_value_of_int(snapshot->timestamp_ms);
        row->items[COLUMN_UPDATED_BY] = nilas_value_of_int(snapshot->snapshot_id);
    }
}

/* --- manifests
 * ------------------------------------------------------------------------------------ */

/** A spec's tuple in the struct of all specs: by field id, null where the spec has none. */
static nilas_code widen(const partition_stats *state, const nilas_partition_spec *spec,
                        const nilas_value *tuple, nilas_value *out, nilas_error *err) {
    nilas_value *items = state->wide;
    NILAS_REQUIRE(tuple->count == spec->field_count, err, NILAS_CORRUPT,
                  "a partition has %zu values, its spec %zu", tuple->count, spec->field_count);
    for (size_t i = 0; i < state->partition->field_count; i++) {
        items[i] = NILAS_NULL_VALUE;
        for (size_t k = 0; k < spec->field_count; k++) {
            if (spec->fields[k].field_id == state->partition->fields[i].id) {
                items[i] = tuple->items[k];
            }
        }
    }
    *out = (nilas_value){
        .kind = NILAS_VALUE_STRUCT, .items = items, .count = state->partition->field_count};
    return NILAS_OK;
}

static nilas_code count_entry(partition_stats *state, const nilas_manifest_entry *entry,
                              nilas_error *err) {
    const nilas_partition_spec *spec = nilas_metadata_spec(state->metadata, entry->file.spec_id);
    nilas_value partition;
    partition_row *row;
    nilas_assert(spec != NULL); // of its manifest, which was read by it
    NILAS_TRY(widen(state, spec, &entry->file.partition, &partition, err));
    NILAS_TRY(get_row(state, spec->spec_id, &partition, &row, err));
    if (state->is_difference && entry->status == NILAS_ENTRY_EXISTING) {
        return NILAS_OK;
    }
    if (entry->status != NILAS_ENTRY_DELETED) {
        count_file(row, &entry->file, 1);
    } else if (state->is_difference) {
        count_file(row, &entry->file, -1);
    }
    note_update(row, nilas_metadata_snapshot(state->metadata, entry->snapshot_id));
    return NILAS_OK;
}

static bool on_entry(void *context, const nilas_manifest_entry *entry) {
    partition_stats *state = context;
    state->failed = count_entry(state, entry, state->err);
    return state->failed == NILAS_OK;
}

/** All manifests of a snapshot, or those that it added. */
static nilas_code count_snapshot(partition_stats *state, const nilas_snapshot *snapshot,
                                 nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    const nilas_table *table = state->call->table;
    nilas_manifest_file *manifests;
    size_t count;
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_snapshot_manifests(table->io, scratch, state->metadata, snapshot, &manifests,
                                       &count, err));
    state->err = err;
    for (size_t i = 0; i < count; i++) {
        NILAS_AUTO(nilas_arena) own = nilas_arena_new(NULL, 0);
        NILAS_REQUIRE(own != NULL, err, NILAS_NOMEM, "out of memory");
        if (state->is_difference && manifests[i].added_snapshot_id != snapshot->snapshot_id) {
            continue;
        }
        nilas_code code = nilas_manifest_read(table->io, own, state->metadata, &manifests[i], 0,
                                              false, on_entry, state, err);
        NILAS_TRY(state->failed);
        NILAS_TRY(code);
    }
    return NILAS_OK;
}

/* --- statistics of before
 * ------------------------------------------------------------------------- */

static const nilas_statistics_file *find_file(const nilas_metadata *metadata, int64_t snapshot_id) {
    for (size_t i = 0; i < metadata->partition_statistics_count; i++) {
        if (metadata->partition_statistics[i].snapshot_id == snapshot_id) {
            return &metadata->partition_statistics[i];
        }
    }
    return NULL;
}

/** Of the snapshot, or of its nearest ancestor that has some; else NULL. */
static const nilas_statistics_file *latest_file(const partition_stats *state) {
    const nilas_snapshot *at = state->snapshot;
    for (size_t seen = 0; at != NULL && seen <= state->metadata->snapshot_count; seen++) {
        const nilas_statistics_file *file = find_file(state->metadata, at->snapshot_id);
        if (file != NULL) {
            return file;
        }
        at = nilas_metadata_snapshot(state->metadata, at->parent_id);
    }
    return NULL;
}

static nilas_code add_old(partition_stats *state, const nilas_value *items,
                          const nilas_value *partition, nilas_error *err) {
    partition_row *row;
    NILAS_REQUIRE(!nilas_value_is_null(&items[COLUMN_SPEC_ID]), err, NILAS_CORRUPT,
                  "a row of partition statistics has no spec id");
    NILAS_TRY(get_row(state, (int32_t)items[COLUMN_SPEC_ID].integer, partition, &row, err));
    for (size_t i = COLUMN_DATA_RECORDS; i < COLUMN_COUNT; i++) {
        if (!nilas_value_is_null(&items[i])) {
            row->items[i] = items[i];
        }
    }
    return NILAS_OK;
}

/** A row of print_query(). */
static nilas_code on_old_row(void *context, const nilas_value *items, nilas_error *err) {
    partition_stats *state = context;
    for (size_t i = 0; i < state->partition->field_count; i++) {
        state->wide[i] = items[COLUMN_COUNT + i];
    }
    const nilas_value partition = {
        .kind = NILAS_VALUE_STRUCT, .items = state->wide, .count = state->partition->field_count};
    return add_old(state, items, &partition, err);
}

static bool has_member(const nilas_type *type, nilas_str name) {
    for (size_t i = 0; type != NULL && i < type->field_count; i++) {
        if (nilas_str_equal(type->fields[i].name, name)) {
            return true;
        }
    }
    return false;
}

static const nilas_type *member_type(const nilas_type *type, const char *name) {
    for (size_t i = 0; i < type->field_count; i++) {
        if (nilas_str_is(type->fields[i].name, name)) {
            return type->fields[i].type;
        }
    }
    return NULL;
}

/** The columns of a file by name, then its partition fields; what it lacks is null. */
static nilas_code print_query(const partition_stats *state, const nilas_type *file, nilas_str path,
                              nilas_ice_type *types, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF query = NILAS_BUF_INIT(0);
    const nilas_str format = NILAS_STR("parquet");
    const nilas_type *tuple = member_type(file, columns[COLUMN_PARTITION].name);
    nilas_buf_add_text(&query, "SELECT CAST(NULL AS INT)");
    types->fields[0].type = nilas_ice_primitive(NILAS_ICE_INT);
    for (size_t i = COLUMN_SPEC_ID; i < COLUMN_COUNT; i++) {
        bool is_there = member_type(file, columns[i].name) != NULL;
        types->fields[i].type = nilas_ice_primitive(columns[i].kind);
        nilas_buf_print(&query, ", CAST(%s AS %s)", is_there ? columns[i].name : "NULL",
                        columns[i].kind == NILAS_ICE_INT ? "INT" : "BIGINT");
    }
    for (size_t i = 0; i < state->partition->field_count; i++) {
        const nilas_ice_field *field = &state->partition->fields[i];
        nilas_str parts[] = {NILAS_STR("partition"), field->name};
        const nilas_type *spark;
        types->fields[COLUMN_COUNT + i].type = field->type;
        NILAS_TRY(nilas_bind_ice_type(state->arena, field->type, &spark, err));
        nilas_buf_add_text(&query, ", CAST(");
        if (has_member(tuple, field->name)) {
            nilas_name_print_quoted(&query, parts, 2);
        } else {
            nilas_buf_add_text(&query, "NULL");
        }
        nilas_buf_add_text(&query, " AS ");
        nilas_type_print(&query, spark);
        nilas_buf_add_char(&query, ')');
    }
    nilas_str names[] = {format, path};
    nilas_buf_add_text(&query, " FROM ");
    nilas_name_print_quoted(&query, names, 2);
    return nilas_buf_finish(&query, state->arena, out, err);
}

static nilas_code make_schema(const partition_stats *state, size_t width, nilas_schema *out,
                              nilas_error *err);

static nilas_code add_old_rows(partition_stats *state, nilas_rows *rows, nilas_error *err) {
    while (true) {
        NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
        const nilas_value *row;
        NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
        NILAS_TRY(rows->next(rows, scratch, &row, err));
        if (row == NULL) {
            return NILAS_OK;
        }
        NILAS_TRY(add_old(state, row->items, &row->items[COLUMN_PARTITION], err));
    }
}

static nilas_code read_old_avro(partition_stats *state, nilas_str path, nilas_error *err) {
    nilas_schema schema;
    nilas_rows *rows;
    NILAS_TRY(make_schema(state, COLUMN_COUNT, &schema, err));
    NILAS_TRY(nilas_scan_avro_rows(state->arena, state->call->table, path, schema.type.fields,
                                   schema.type.field_count, &rows, err));
    nilas_code code = add_old_rows(state, rows, err);
    if (rows->close != NULL) {
        rows->close(rows);
    }
    return code;
}

static nilas_code read_old(partition_stats *state, const nilas_statistics_file *file,
                           nilas_error *err) {
    nilas_run *run = state->call->run;
    nilas_str path = file->path, sql;
    nilas_file_scan scan = {.format = NILAS_STR("parquet"), .paths = &path, .path_count = 1};
    size_t count = COLUMN_COUNT + state->partition->field_count;
    nilas_ice_type types = {.kind = NILAS_ICE_STRUCT, .field_count = count};
    nilas_plan *plan;
    if (nilas_str_ends(path, NILAS_STR(".avro"))) {
        return read_old_avro(state, path, err);
    }
    NILAS_NEW_ARRAY(state->arena, &types.fields, count, err);
    NILAS_TRY(run->environment.infer_files(run->environment.context, &scan, err));
    NILAS_TRY(print_query(state, scan.schema, path, &types, &sql, err));
    NILAS_TRY(nilas_call__bind(state->call, sql, &plan, err));
    return nilas_engine_each(run->session->engine, state->arena, plan, &types, on_old_row, state,
                             err);
}

static void forget_rows(partition_stats *state) {
    nilas_map_init(&state->by_hash, state->arena, false);
    state->rows.count = 0;
    state->is_difference = false;
}

/** From the statistics of an ancestor on. */
static nilas_code count_difference(partition_stats *state, const nilas_statistics_file *file,
                                   nilas_error *err) {
    const nilas_snapshot *at = state->snapshot;
    state->is_difference = true;
    while (at->snapshot_id != file->snapshot_id) {
        NILAS_TRY(count_snapshot(state, at, err));
        at = nilas_metadata_snapshot(state->metadata, at->parent_id);
        nilas_assert(at != NULL); // the file was found on this way
    }
    return NILAS_OK;
}

static nilas_code count_partitions(partition_stats *state, const nilas_statistics_file *file,
                                   nilas_error *err) {
    nilas_error ignored = NILAS_ERROR_INIT;
    forget_rows(state);
    if (file != NULL && read_old(state, file, &ignored) == NILAS_OK) {
        return count_difference(state, file, err);
    }
    forget_rows(state);
    return count_snapshot(state, state->snapshot, err);
}

/* --- the file
 * ------------------------------------------------------------------------------------- */

/** By partition, nulls first; of equal ones by spec. */
static int by_partition(const void *a, const void *b) {
    const nilas_value *left = (*(partition_row *const *)a)->items;
    const nilas_value *right = (*(partition_row *const *)b)->items;
    int order = 0;
    for (size_t i = 0; i < left->count && order == 0; i++) {
        const nilas_value *one = &left->items[i], *other = &right->items[i];
        bool one_null = nilas_value_is_null(one), other_null = nilas_value_is_null(other);
        order = one_null || other_null ? (int)other_null - (int)one_null
                                       : nilas_value_compare(one, other);
    }
    int64_t specs = left[COLUMN_SPEC_ID].integer - right[COLUMN_SPEC_ID].integer;
    return order != 0 ? order : specs < 0 ? -1 : specs > 0;
}

static nilas_code make_schema(const partition_stats *state, size_t width, nilas_schema *out,
                              nilas_error *err) {
    static const nilas_value zero = {.kind = NILAS_VALUE_INT};
    nilas_ice_field *fields;
    NILAS_NEW_ARRAY(state->arena, &fields, width, err);
    for (size_t i = 0; i < width; i++) {
        bool required = columns[i].required && (width == COLUMN_COUNT || i <= COLUMN_DATA_BYTES);
        fields[i] =
            (nilas_ice_field){.id = (int32_t)i + 1,
                              .required = required,
                              .name = nilas_str_of(columns[i].name),
                              .type = i == COLUMN_PARTITION ? state->partition
                                                            : nilas_ice_primitive(columns[i].kind)};
    }
    if (width == COLUMN_COUNT) {
        fields[COLUMN_VECTORS].initial_default = fields[COLUMN_VECTORS].write_default = &zero;
    }
    *out =
        (nilas_schema){.type = {.kind = NILAS_ICE_STRUCT, .fields = fields, .field_count = width}};
    return NILAS_OK;
}

static nilas_code write_file(partition_stats *state, nilas_statistics_file *out, nilas_error *err) {
    const nilas_table *table = state->call->table;
    size_t width = state->metadata->format_version >= 3 ? COLUMN_COUNT : COLUMN_VECTORS;
    nilas_row_file file = {.table = table, .row_count = state->rows.count};
    nilas_value *rows;
    nilas_schema schema;
    nilas_data_file written;
    nilas_str uuid, name;
    NILAS_TRY(make_schema(state, width, &schema, err));
    NILAS_NEW_ARRAY(state->arena, &rows, state->rows.count, err);
    qsort(state->rows.items, state->rows.count, sizeof(*state->rows.items), by_partition);
    for (size_t i = 0; i < state->rows.count; i++) {
        rows[i] = (nilas_value){
            .kind = NILAS_VALUE_STRUCT, .items = state->rows.items[i]->items, .count = width};
    }
    NILAS_TRY(nilas_commit_new_uuid(state->arena, &uuid, err));
    NILAS_TRY(nilas_str_print(state->arena, &name, err, "partition-stats-%lld-%.*s",
                              (long long)state->snapshot->snapshot_id, NILAS_FMT(uuid)));
    NILAS_TRY(
        nilas_commit_metadata_location(state->arena, state->metadata, name, &file.location, err));
    file.schema = &schema;
    file.rows = rows;
    NILAS_TRY(nilas_engine_write_rows(state->call->run->session->engine, state->arena, &file,
                                      &written, err));
    *out = (nilas_statistics_file){.snapshot_id = state->snapshot->snapshot_id,
                                   .path = written.file_path,
                                   .file_size = written.file_size_in_bytes};
    return NILAS_OK;
}

nilas_code nilas_procedure__compute_partition_stats(nilas_procedure_call *call, nilas_error *err) {
    partition_stats state = {.call = call, .arena = call->run->stmt};
    nilas_statistics_file file;
    NILAS_TRY(nilas_stats__snapshot(call, &state.snapshot, err));
    if (state.snapshot == NULL) {
        return NILAS_OK;
    }
    state.metadata = call->table->metadata;
    NILAS_TRY(nilas_metadata_partition_type(state.arena, state.metadata, &state.partition, err));
    NILAS_REQUIRE(state.partition->field_count > 0, err, NILAS_INVALID,
                  "Table must be partitioned");
    NILAS_NEW_ARRAY(state.arena, &state.wide, state.partition->field_count, err);
    const nilas_statistics_file *before = latest_file(&state);
    if (before != NULL && before->snapshot_id == state.snapshot->snapshot_id) {
        nilas_value cell = nilas_value_of_str(before->path);
        return nilas_call__answer(call, &cell, err);
    }
    NILAS_TRY(count_partitions(&state, before, err));
    if (state.rows.count == 0) {
        return NILAS_OK;
    }
    NILAS_TRY(write_file(&state, &file, err));
    return nilas_stats__register(call, &file, true, err);
}
