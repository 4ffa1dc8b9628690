/*
 * The tables of manifest entries: files, data_files, delete_files, entries, and their all_ forms
 * over every snapshot.
 *
 * One manifest is a batch. Statistics are decoded only when a column that shows them is wanted.
 */
#include "scan/metrics.h"
#include "scan/partition.h"
#include "scan/tables.h"

#define COUNT_OF(columns)  (sizeof(columns) / sizeof((columns)[0]))
#define FILE_COLUMN_COUNT  COUNT_OF(file_columns)
#define ENTRY_COLUMN_COUNT 4 // before data_file

/* Columns of a file: the manifests' fields, which say what each is. */
#define KIND_INT           NILAS_SCAN__INT
#define KIND_LONG          NILAS_SCAN__LONG
#define KIND_STRING        NILAS_SCAN__STRING
#define KIND_BYTES         NILAS_SCAN__BINARY
#define KIND_COUNTS        NILAS_SCAN__MAP_INT_LONG
#define KIND_BOUNDS        NILAS_SCAN__MAP_INT_BINARY
#define KIND_LONG_LIST     NILAS_SCAN__LIST_LONG
#define KIND_INT_LIST      NILAS_SCAN__LIST_INT
#define KIND_PARTITION     NILAS_SCAN__GIVEN
#define IS_MAP(k)          ((k) == NILAS_SCAN__MAP_INT_LONG || (k) == NILAS_SCAN__MAP_INT_BINARY)
#define IN_EVERY(versions) ((versions) == NILAS_IN_ALL)
#define COLUMN(field_id, field_name, shape, inner, is_required, versions, text)                    \
    {.id = (field_id),                                                                             \
     .required = (is_required) && IN_EVERY(versions),                                              \
     .name = (field_name),                                                                         \
     .kind = KIND_##shape,                                                                         \
     .inner_id = (inner),                                                                          \
     .second_inner_id = IS_MAP(KIND_##shape) ? (inner) + 1 : 0,                                    \
     .doc = (text)},

/** The statistics come in the order of file_column. */
static const nilas_scan__column file_columns[] = {NILAS_DATA_FILE_FIELDS_FIRST(COLUMN)
                                                      NILAS_DATA_FILE_FIELDS_REST(COLUMN)};

static const nilas_scan__column entry_columns[] = {
    {.id = 0, .required = true, .name = "status", .kind = NILAS_SCAN__INT},
    {.id = 1, .name = "snapshot_id", .kind = NILAS_SCAN__LONG},
    {.id = 3, .name = "sequence_number", .kind = NILAS_SCAN__LONG},
    {.id = 4, .name = "file_sequence_number", .kind = NILAS_SCAN__LONG},
    {.id = 2, .required = true, .name = "data_file", .kind = NILAS_SCAN__GIVEN},
};

// ---- types --------------------------------------------------------------------------------------

/** What rows are made of, kept for the rows' life. */
typedef struct file_shape {
    nilas_scan__union *partition;
    nilas_scan__metrics *metrics;
    const nilas_ice_type *file_type; // content … content_size_in_bytes
    const nilas_ice_type *type;      // of the table's rows
} file_shape;

static nilas_code add_metrics_column(nilas_arena *arena, const nilas_table *table,
                                     nilas_ice_type *type, file_shape *shape, nilas_error *err) {
    const nilas_schema *schema = nilas_metadata_current_schema(table->metadata);
    nilas_ice_field *fields;

    NILAS_TRY(
        nilas_scan__metrics_new(arena, schema, nilas_scan__highest_id(type), &shape->metrics, err));
    NILAS_NEW_ARRAY(arena, &fields, type->field_count + 1, err);
    memcpy(fields, type->fields, type->field_count * sizeof(fields[0]));
    fields[type->field_count] = (nilas_ice_field){
        .id = shape->metrics->id,
        .name = NILAS_STR("readable_metrics"),
        .type = shape->metrics->type,
        .doc = NILAS_STR("Column metrics in readable form"),
        .has_doc = true,
    };
    type->fields = fields;
    type->field_count++;
    shape->type = type;
    return NILAS_OK;
}

static nilas_code find_shape(nilas_arena *arena, const nilas_table *table, bool entries,
                             file_shape *out, nilas_error *err) {
    nilas_ice_type *file_type, *type;

    NILAS_TRY(nilas_scan__union_new(arena, table->metadata, &out->partition, err));
    const nilas_ice_type *partition =
        out->partition->type->field_count > 0 ? out->partition->type : NULL;
    NILAS_TRY(nilas_scan__struct_type(arena, file_columns, FILE_COLUMN_COUNT, &partition,
                                      &file_type, err));
    out->file_type = file_type;
    if (!entries) {
        NILAS_NEW(arena, &type, err);
        *type = *file_type;
        return add_metrics_column(arena, table, type, out, err);
    }
    NILAS_TRY(nilas_scan__struct_type(arena, entry_columns, COUNT_OF(entry_columns),
                                      &out->file_type, &type, err));
    return add_metrics_column(arena, table, type, out, err);
}

nilas_code nilas_scan__files_type(nilas_arena *arena, const nilas_table *table,
                                  nilas_metadata_table kind, const nilas_ice_type **out,
                                  nilas_error *err) {
    file_shape shape;

    (void)kind;
    NILAS_TRY(find_shape(arena, table, false, &shape, err));
    *out = shape.type;
    return NILAS_OK;
}

nilas_code nilas_scan__entries_type(nilas_arena *arena, const nilas_table *table,
                                    nilas_metadata_table kind, const nilas_ice_type **out,
                                    nilas_error *err) {
    file_shape shape;

    (void)kind;
    NILAS_TRY(find_shape(arena, table, true, &shape, err));
    *out = shape.type;
    return NILAS_OK;
}

// ---- values -------------------------------------------------------------------------------------

static nilas_code counts_of(nilas_arena *arena, bool present, const nilas_int_count *list,
                            size_t count, nilas_value *out, nilas_error *err) {
    nilas_value *items;

    *out = NILAS_NULL_VALUE;
    if (!present) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &items, 2 * count, err);
    for (size_t i = 0; i < count; i++) {
        items[2 * i] = nilas_value_of_int(list[i].field_id);
        items[2 * i + 1] = nilas_value_of_int(list[i].count);
    }
    *out = (nilas_value){.kind = NILAS_VALUE_MAP, .items = items, .count = count};
    return NILAS_OK;
}

static nilas_code bounds_of(nilas_arena *arena, bool present, const nilas_bound *list, size_t count,
                            nilas_value *out, nilas_error *err) {
    nilas_value *items;

    *out = NILAS_NULL_VALUE;
    if (!present) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &items, 2 * count, err);
    for (size_t i = 0; i < count; i++) {
        items[2 * i] = nilas_value_of_int(list[i].field_id);
        items[2 * i + 1] = nilas_value_of_bytes(list[i].bytes);
    }
    *out = (nilas_value){.kind = NILAS_VALUE_MAP, .items = items, .count = count};
    return NILAS_OK;
}

static nilas_code split_offsets_of(nilas_arena *arena, const nilas_data_file *file,
                                   nilas_value *out, nilas_error *err) {
    nilas_value *items;

    if (!file->has_split_offsets) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &items, file->split_offset_count, err);
    for (size_t i = 0; i < file->split_offset_count; i++) {
        items[i] = nilas_value_of_int(file->split_offsets[i]);
    }
    *out =
        (nilas_value){.kind = NILAS_VALUE_LIST, .items = items, .count = file->split_offset_count};
    return NILAS_OK;
}

static nilas_code equality_ids_of(nilas_arena *arena, const nilas_data_file *file, nilas_value *out,
                                  nilas_error *err) {
    nilas_value *items;

    if (!file->has_equality_ids) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &items, file->equality_id_count, err);
    for (size_t i = 0; i < file->equality_id_count; i++) {
        items[i] = nilas_value_of_int(file->equality_ids[i]);
    }
    *out =
        (nilas_value){.kind = NILAS_VALUE_LIST, .items = items, .count = file->equality_id_count};
    return NILAS_OK;
}

/** The six maps of statistics, in the columns' order. */
static nilas_code fill_statistics(nilas_arena *arena, const nilas_data_file *file,
                                  nilas_value *items, nilas_error *err) {
    NILAS_TRY(counts_of(arena, file->has_column_sizes, file->column_sizes, file->column_size_count,
                        &items[0], err));
    NILAS_TRY(counts_of(arena, file->has_value_counts, file->value_counts, file->value_count_count,
                        &items[1], err));
    NILAS_TRY(counts_of(arena, file->has_null_value_counts, file->null_value_counts,
                        file->null_value_count_count, &items[2], err));
    NILAS_TRY(counts_of(arena, file->has_nan_value_counts, file->nan_value_counts,
                        file->nan_value_count_count, &items[3], err));
    NILAS_TRY(bounds_of(arena, file->has_lower_bounds, file->lower_bounds, file->lower_bound_count,
                        &items[4], err));
    return bounds_of(arena, file->has_upper_bounds, file->upper_bounds, file->upper_bound_count,
                     &items[5], err);
}

/** Fill the columns of a file; `items` has one place for each of shape->file_type. */
static nilas_code fill_file(nilas_arena *arena, const file_shape *shape,
                            const nilas_data_file *file, nilas_value *items, nilas_error *err) {
    items[0] = nilas_value_of_int(file->content);
    items[1] = nilas_value_of_str(file->file_path);
    items[2] = nilas_value_of_str(file->file_format);
    items[3] = nilas_value_of_int(file->spec_id);
    items += 4;
    if (shape->partition->type->field_count > 0) {
        NILAS_TRY(nilas_scan__union_of(arena, shape->partition, file->spec_id, &file->partition,
                                       items, err));
        items++;
    }
    items[0] = nilas_value_of_int(file->record_count);
    items[1] = nilas_value_of_int(file->file_size_in_bytes);
    NILAS_TRY(fill_statistics(arena, file, &items[2], err));
    items += 8;
    items[0] = file->key_metadata.data != NULL ? nilas_value_of_bytes(file->key_metadata)
                                               : NILAS_NULL_VALUE;
    NILAS_TRY(split_offsets_of(arena, file, &items[1], err));
    NILAS_TRY(equality_ids_of(arena, file, &items[2], err));
    items[3] = nilas_scan__int_or_null(file->sort_order_id);
    items[4] = nilas_scan__int_or_null(file->first_row_id);
    items[5] = nilas_scan__text_or_null(file->referenced_data_file);
    items[6] = nilas_scan__int_or_null(file->content_offset);
    items[7] = nilas_scan__int_or_null(file->content_size_in_bytes);
    return NILAS_OK;
}

// ---- rows ---------------------------------------------------------------------------------------

typedef struct file_rows {
    const nilas_table *table;
    file_shape shape;
    bool entries;       // also deleted ones, with their status
    bool wants_metrics; // readable_metrics
    int manifest_columns;
    nilas_manifest_file *manifests;
    size_t manifest_count;
    // The loaded batch.
    nilas_arena *arena;
    NILAS_ARRAY_OF(nilas_manifest_entry) loaded;
    nilas_code code;
    nilas_error *err;
} file_rows;

static nilas_code take_entry(file_rows *rows, const nilas_manifest_entry *entry, nilas_error *err) {
    if (rows->entries || entry->status != NILAS_ENTRY_DELETED) {
        NILAS_PUSH(rows->arena, &rows->loaded, *entry, err);
    }
    return NILAS_OK;
}

static bool on_entry(void *context, const nilas_manifest_entry *entry) {
    file_rows *rows = context;

    rows->code = take_entry(rows, entry, rows->err);
    return rows->code == NILAS_OK;
}

static nilas_code load_manifest(void *context, size_t index, nilas_arena *arena,
                                size_t *out_item_count, nilas_error *err) {
    file_rows *rows = context;

    rows->arena = arena;
    rows->err = err;
    rows->code = NILAS_OK;
    rows->loaded.items = NULL;
    rows->loaded.count = rows->loaded.capacity = 0;
    nilas_code code =
        nilas_manifest_read(rows->table->io, arena, rows->table->metadata, &rows->manifests[index],
                            rows->manifest_columns, true, on_entry, rows, err);
    NILAS_TRY(rows->code);
    NILAS_TRY(code);
    *out_item_count = rows->loaded.count;
    return NILAS_OK;
}

static nilas_code render_file(void *context, size_t item, nilas_arena *scratch,
                              nilas_value *out_row, nilas_error *err) {
    const file_rows *rows = context;
    const nilas_manifest_entry *entry = &rows->loaded.items[item];
    size_t last = rows->shape.type->field_count - 1;

    NILAS_TRY(nilas_scan__new_struct(scratch, rows->shape.type->field_count, out_row, err));
    nilas_value *items = out_row->items;
    if (rows->entries) {
        items[0] = nilas_value_of_int(entry->status);
        items[1] = nilas_scan__int_or_null(entry->snapshot_id);
        items[2] = nilas_scan__int_or_null(entry->sequence_number);
        items[3] = nilas_scan__int_or_null(entry->file_sequence_number);
        NILAS_TRY(
            nilas_scan__new_struct(scratch, rows->shape.file_type->field_count, &items[4], err));
        NILAS_TRY(fill_file(scratch, &rows->shape, &entry->file, items[4].items, err));
    } else {
        NILAS_TRY(fill_file(scratch, &rows->shape, &entry->file, items, err));
    }
    if (rows->wants_metrics) {
        NILAS_TRY(
            nilas_scan__metrics_of(scratch, rows->shape.metrics, &entry->file, &items[last], err));
    }
    return NILAS_OK;
}

static bool wants(const nilas_scan__table_options *options, const nilas_ice_type *type,
                  const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t place = nilas_scan__find_column(type, names[i]);
        if (place != SIZE_MAX && (options->wanted == NULL || options->wanted[place])) {
            return true;
        }
    }
    return false;
}

/** Which parts of the entries the wanted columns need. */
static void choose_columns(const nilas_scan__table_options *options, file_rows *rows) {
    static const char *const metrics[] = {"readable_metrics"};
    static const char *const stats[] = {"value_counts", "null_value_counts", "nan_value_counts",
                                        "lower_bounds", "upper_bounds",      "readable_metrics",
                                        "data_file"};
    static const char *const sizes[] = {"column_sizes",  "split_offsets",    "key_metadata",
                                        "sort_order_id", "readable_metrics", "data_file"};
    const nilas_ice_type *type = rows->shape.type;

    rows->wants_metrics = wants(options, type, metrics, COUNT_OF(metrics));
    rows->manifest_columns =
        (wants(options, type, stats, COUNT_OF(stats)) ? NILAS_MANIFEST_STATS : 0) |
        (wants(options, type, sizes, COUNT_OF(sizes)) ? NILAS_MANIFEST_SIZES : 0);
}

/** Whether a table shows manifests of this content. */
static bool shows_content(nilas_metadata_table kind, nilas_manifest_content content) {
    switch (kind) {
    case NILAS_METADATA_DATA_FILES:
    case NILAS_METADATA_ALL_DATA_FILES: return content == NILAS_MANIFEST_DATA;
    case NILAS_METADATA_DELETE_FILES:
    case NILAS_METADATA_ALL_DELETE_FILES: return content == NILAS_MANIFEST_DELETES;
    default: return true;
    }
}

static nilas_code choose_manifests(nilas_arena *stmt, const nilas_scan__table_options *options,
                                   file_rows *rows, nilas_error *err) {
    nilas_metadata_table kind = options->kind;
    bool all = kind == NILAS_METADATA_ALL_FILES || kind == NILAS_METADATA_ALL_DATA_FILES ||
               kind == NILAS_METADATA_ALL_DELETE_FILES || kind == NILAS_METADATA_ALL_ENTRIES;
    nilas_manifest_file *manifests;
    size_t count;

    NILAS_TRY(nilas_scan__collect_manifests(stmt, options->table, options->snapshot, all,
                                            &manifests, &count, err));
    for (size_t i = 0; i < count; i++) {
        if (shows_content(kind, manifests[i].content)) {
            manifests[rows->manifest_count++] = manifests[i];
        }
    }
    rows->manifests = manifests;
    return NILAS_OK;
}

nilas_code nilas_scan__files_rows(nilas_arena *stmt, const nilas_scan__table_options *options,
                                  nilas_rows **out, nilas_error *err) {
    file_rows *rows;

    NILAS_NEW(stmt, &rows, err);
    rows->table = options->table;
    rows->entries =
        options->kind == NILAS_METADATA_ENTRIES || options->kind == NILAS_METADATA_ALL_ENTRIES;
    NILAS_TRY(find_shape(stmt, options->table, rows->entries, &rows->shape, err));
    choose_columns(options, rows);
    NILAS_TRY(choose_manifests(stmt, options, rows, err));
    return nilas_scan__rows_new(stmt,
                                &(nilas_scan__batches){
                                    .type = rows->shape.type,
                                    .context = rows,
                                    .batch_count = rows->manifest_count,
                                    .row_count_hint = -1,
                                    .load = load_manifest,
                                    .render = render_file,
                                },
                                out, err);
}
