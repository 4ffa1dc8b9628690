/*
 * Writing rows: one writer a call. Which files there are to be is decided here; how one is written
 * is in write_parquet.c and write_avro.c.
 */
#include "engine/write.h"

#include "engine/writer.h"

/* ---- entry points ---- */

/** The attribute of an input that an output is, however often it was passed on; -1: none. */
static int32_t passed_on(const nilas_plan **plan, int32_t id) {
    const nilas_plan *at = *plan;
    bool is_same = at->kind != NILAS_PLAN_PROJECT;

    for (size_t i = 0; !is_same && i < at->output_count; i++) {
        const nilas_bound_expr *expr = at->exprs[i];
        if (at->outputs[i].id == id) {
            *plan = at->input;
            return expr->kind == NILAS_BOUND_COLUMN ? expr->attribute_id : -1;
        }
    }
    *plan = at->input;
    return is_same ? id : -1;
}

/** Whether all rows of a partition have the same value of an attribute of the sort's input. */
static bool is_of_partition(const nilas_writer *w, const nilas_plan *plan, const nilas_plan *sort,
                            int32_t id) {
    for (size_t i = 0; i < w->spec->field_count; i++) {
        const nilas_partition_field *field = &w->spec->fields[i];
        for (size_t c = 0; c < plan->output_count; c++) {
            const nilas_plan *at = plan;
            int32_t source = plan->outputs[c].id;
            bool is_key = field->transform.kind == NILAS_TRANSFORM_IDENTITY &&
                          w->columns.items[c].id == field->source_id;
            while (is_key && at != sort && source >= 0) {
                source = passed_on(&at, source);
            }
            if (is_key && source == id) {
                return true;
            }
        }
    }
    return false;
}

/** Whether the plan's rows come in an order that somebody asked for, beyond that of partitions. */
static bool is_ordered(const nilas_writer *w, const nilas_plan *plan) {
    const nilas_plan *sort = plan;

    while (sort->kind == NILAS_PLAN_PROJECT || sort->kind == NILAS_PLAN_FILTER ||
           sort->kind == NILAS_PLAN_LIMIT) {
        sort = sort->input;
    }
    for (size_t i = 0; sort->kind == NILAS_PLAN_SORT && i < sort->expr_count; i++) {
        const nilas_bound_expr *key = sort->exprs[i];
        key = key->kind == NILAS_BOUND_SORT ? key->args[0] : key;
        if (key->kind != NILAS_BOUND_COLUMN || !is_of_partition(w, plan, sort, key->attribute_id)) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_write__rows_of_plan(nilas_writer *w, nilas_render *r, const nilas_plan *plan,
                                     nilas_write_rows *out, nilas_error *err) {
    nilas_assert(plan->output_count == w->columns.count);
    NILAS_TRY(nilas_engine__print_query(r, plan, &out->sql, err));
    NILAS_NEW_ARRAY(w->stmt, &out->columns, plan->output_count, err);
    for (size_t i = 0; i < plan->output_count; i++) {
        NILAS_TRY(nilas_str_print(w->stmt, &out->columns[i], err, "c%d", plan->outputs[i].id));
    }
    out->is_ordered = is_ordered(w, plan);
    return NILAS_OK;
}

void nilas_write__give(const nilas_writer *w, nilas_written *out) {
    *out = (nilas_written){.files = w->files.items, .file_count = w->files.count};
    for (size_t i = 0; i < w->files.count; i++) {
        out->row_count += w->files.items[i].record_count;
    }
}

nilas_code nilas_engine_write(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                              const nilas_write_options *options, nilas_written *out,
                              nilas_error *err) {
    NILAS_AUTO_JOB job = {.engine = engine, .stmt = stmt};
    nilas_render r = {.job = &job, .stmt = stmt};
    nilas_writer writer;
    nilas_write_rows rows;
    nilas_writer_options how = {.write = options, .schema = options->schema, .spec = options->spec};

    engine->context.now_micros = nilas_now_micros();
    NILAS_TRY(nilas_writer__begin(&writer, &job, stmt, &how, err));
    NILAS_TRY(nilas_write__rows_of_plan(&writer, &r, plan, &rows, err));
    nilas_code code = nilas_writer__write(&writer, &rows, err);
    if (code == NILAS_OK && nilas_cancelled(engine->options.cancel)) {
        code = nilas_fail(err, NILAS_CANCELLED, "the query was cancelled");
    }
    if (code != NILAS_OK) {
        nilas_writer__discard(&writer);
        return code;
    }
    nilas_write__give(&writer, out);
    return NILAS_OK;
}

void nilas_engine_discard(nilas_engine *engine, const nilas_table *table,
                          const nilas_data_file *files, size_t count) {
    (void)engine;
    for (size_t i = 0; i < count; i++) {
        if (nilas_io_delete(table->io, files[i].file_path, NULL) != NILAS_OK) {
            continue; // several deletion vectors share one file: it is gone already
        }
    }
}

/* ---- a writer ---- */

static nilas_code add_column(nilas_writer *w, int32_t id, const char *name, nilas_error *err) {
    nilas_ice_field field = {
        .id = id, .name = nilas_str_of(name), .type = nilas_ice_primitive(NILAS_ICE_LONG)};

    NILAS_PUSH(w->stmt, &w->columns, field, err);
    return NILAS_OK;
}

static nilas_code find_source(const nilas_writer *w, int32_t source_id,
                              const nilas_transform *transform, nilas_write_key *out,
                              nilas_error *err) {
    const nilas_ice_field *field = nilas_schema_find_id(w->schema, source_id);
    const nilas_ice_type *result;

    if (field == NULL && transform->kind == NILAS_TRANSFORM_VOID) { // its column may be dropped
        *out = (nilas_write_key){transform, nilas_ice_primitive(NILAS_ICE_UNKNOWN)};
        return NILAS_OK;
    }
    NILAS_REQUIRE(field != NULL, err, NILAS_INVALID, "Cannot find source column: %d", source_id);
    NILAS_REQUIRE(transform->kind != NILAS_TRANSFORM_UNKNOWN, err, NILAS_UNSUPPORTED,
                  "writing with the transform %.*s is not supported", NILAS_FMT(transform->text));
    NILAS_TRY(nilas_transform_result_type(transform, field->type, &result, err));
    *out = (nilas_write_key){transform, field->type};
    return NILAS_OK;
}

static void done_keys(void *context) {
    nilas_write_keys *keys = context;
    pthread_mutex_destroy(&keys->lock);
}

static nilas_code make_keys(nilas_writer *w, nilas_error *err) {
    size_t sort_count = w->order != NULL ? w->order->field_count : 0;
    nilas_write_keys *keys;

    NILAS_NEW(w->stmt, &keys, err);
    NILAS_NEW_ARRAY(w->stmt, &keys->partition, w->spec->field_count, err);
    NILAS_NEW_ARRAY(w->stmt, &keys->sort, sort_count, err);
    for (size_t i = 0; i < w->spec->field_count; i++) {
        const nilas_partition_field *field = &w->spec->fields[i];
        NILAS_TRY(find_source(w, field->source_id, &field->transform, &keys->partition[i], err));
    }
    for (size_t i = 0; i < sort_count; i++) {
        const nilas_sort_field *field = &w->order->fields[i];
        NILAS_TRY(find_source(w, field->source_id, &field->transform, &keys->sort[i], err));
    }
    keys->partition_count = w->spec->field_count;
    keys->sort_count = sort_count;
    keys->arena = nilas_arena_new(w->stmt, 0);
    NILAS_REQUIRE(keys->arena != NULL, err, NILAS_NOMEM, "out of memory");
    int failed = pthread_mutex_init(&keys->lock, NULL);
    nilas_assert(failed == 0);
    NILAS_TRY(nilas_arena_on_release(w->stmt, done_keys, keys, err));
    w->keys = keys;
    return nilas_job__register(w->job, NILAS_REGISTRY_WRITE, keys, &w->keys_number, err);
}

nilas_code nilas_writer__begin(nilas_writer *w, nilas_job *job, nilas_arena *stmt,
                               const nilas_writer_options *options, nilas_error *err) {
    static const nilas_partition_spec unpartitioned = {0};
    bool is_data = options->content == NILAS_FILE_DATA;

    *w = (nilas_writer){.job = job,
                        .stmt = stmt,
                        .table = options->write->table,
                        .content = options->content,
                        .schema = options->schema,
                        .spec = options->spec != NULL ? options->spec : &unpartitioned};
    if (is_data && options->write->order != NULL && options->write->order->field_count > 0) {
        w->order = options->write->order;
    }
    w->partition = is_data ? options->write->partition : NULL;
    NILAS_TRY(nilas_write__read_format(options, &w->format, err));
    NILAS_TRY(nilas_commit_new_uuid(stmt, &w->uuid, err));
    for (size_t i = 0; i < options->schema->type.field_count; i++) {
        NILAS_PUSH(stmt, &w->columns, options->schema->type.fields[i], err);
    }
    if (is_data && options->write->with_lineage) {
        NILAS_TRY(add_column(w, NILAS_FIELD_ROW_ID, "_row_id", err));
        NILAS_TRY(add_column(w, NILAS_FIELD_LAST_UPDATED_SEQUENCE_NUMBER,
                             "_last_updated_sequence_number", err));
    }
    NILAS_TRY(nilas_write__find_leaves(w, err));
    return is_data ? make_keys(w, err) : NILAS_OK;
}

nilas_data_file nilas_write__new_entry(const nilas_writer *w, const nilas_value *partition,
                                       nilas_str location) {
    nilas_value empty = {.kind = NILAS_VALUE_STRUCT};
    bool is_data = w->content == NILAS_FILE_DATA;

    return (nilas_data_file){
        .content = w->content,
        .file_path = location,
        .file_format = w->format.is_avro ? NILAS_STR("AVRO") : NILAS_STR("PARQUET"),
        .spec_id = w->spec->spec_id,
        .partition = partition != NULL ? *partition : empty,
        .sort_order_id = !is_data           ? -1
                         : w->order != NULL ? w->order->order_id
                                            : 0,
        .first_row_id = -1,
        .referenced_data_file = NILAS_STR_EMPTY,
        .content_offset = -1,
        .content_size_in_bytes = -1,
    };
}

nilas_code nilas_writer__next_location(nilas_writer *w, const nilas_value *partition,
                                       nilas_str suffix, nilas_str extension, nilas_str *out,
                                       nilas_error *err) {
    nilas_value empty = {.kind = NILAS_VALUE_STRUCT};
    nilas_str name;

    NILAS_TRY(nilas_str_print(w->stmt, &name, err, "00000-0-%.*s-0-%05d%.*s%.*s",
                              NILAS_FMT(w->uuid), ++w->file_count, NILAS_FMT(suffix),
                              NILAS_FMT(extension)));
    NILAS_TRY(nilas_commit_data_location(w->stmt, w->table->metadata, w->spec,
                                         partition != NULL ? partition : &empty, name, out, err));
    NILAS_PUSH(w->stmt, &w->started, *out, err);
    return NILAS_OK;
}

nilas_str nilas_write__folder_of(nilas_str location) {
    size_t end = location.size;

    while (end > 0 && location.data[end - 1] != '/') {
        end--;
    }
    return nilas_str_slice(location, 0, end > 0 ? end - 1 : 0);
}

/** Every file whose name starts as this one does: COPY makes several. */
static void discard_started(const nilas_writer *w, nilas_str location) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str folder = nilas_write__folder_of(location);
    nilas_str start = nilas_str_slice(location, folder.size + 1, location.size);
    nilas_io_entry *entries = NULL;
    size_t count = 0;

    if (scratch == NULL ||
        nilas_io_list(w->table->io, scratch, folder, &entries, &count, NULL) != NILAS_OK) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_starts(entries[i].name, start)) {
            nilas_code ignored = nilas_io_delete(w->table->io, entries[i].location, NULL);
            (void)ignored;
        }
    }
}

void nilas_writer__discard(nilas_writer *w) {
    for (size_t i = 0; i < w->started.count; i++) {
        discard_started(w, w->started.items[i]);
    }
    nilas_write__remove_staging(w);
}

/* ---- files ---- */

nilas_code nilas_writer__write_file(nilas_writer *w, const nilas_write_rows *rows,
                                    const nilas_value *partition, nilas_error *err) {
    nilas_str location;
    bool is_data = w->content == NILAS_FILE_DATA;

    NILAS_TRY(nilas_writer__next_location(w, partition,
                                          is_data ? NILAS_STR_EMPTY : NILAS_STR("-deletes"),
                                          w->format.extension, &location, err));
    NILAS_TRY(nilas_io_make_directory(w->table->io, nilas_write__folder_of(location), err));
    return w->format.is_avro ? nilas_write__avro(w, rows, partition, location, err)
                             : nilas_write__parquet(w, rows, partition, location, NULL, err);
}

nilas_code nilas_write__stream(nilas_writer *w, const nilas_write_rows *rows,
                               const nilas_value *partition, nilas_error *err) {
    nilas_str start, folder;

    NILAS_TRY(
        nilas_writer__next_location(w, partition, NILAS_STR_EMPTY, NILAS_STR_EMPTY, &start, err));
    start.size -= 1; // the number of the file is DuckDB's
    w->started.items[w->started.count - 1] = start;
    folder = nilas_write__folder_of(start);
    NILAS_TRY(nilas_io_make_directory(w->table->io, folder, err));
    return nilas_write__parquet(w, rows, partition, start, &folder, err);
}

nilas_code nilas_writer__write(nilas_writer *w, const nilas_write_rows *rows, nilas_error *err) {
    bool is_of_one = w->spec->field_count == 0 || w->partition != NULL;
    bool has_order = w->order != NULL || rows->is_ordered || w->format.is_avro;
    bool is_done = false;

    if (!has_order && is_of_one) {
        return nilas_write__stream(w, rows, w->partition, err);
    }
    if (!has_order) {
        NILAS_TRY(nilas_write__partitioned(w, rows, &is_done, err));
    }
    return is_done ? NILAS_OK : nilas_write__ordered(w, rows, err);
}
