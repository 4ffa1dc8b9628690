/*
 * What the footers of Parquet files that others wrote say of them, as Iceberg has it in manifests:
 * rows, and by the table's metrics modes sizes, counts and bounds of columns.
 *
 * A column without statistics in some row group has none; a bound whose bytes are not plainly of
 * the column's type is left out. NaN are not counted by Parquet, so nothing is said of them.
 */
#include <math.h>

#include "engine/parquet_footer.h"
#include "engine/scan_source.h"
#include "engine/thrift.h"
#include "engine/writer.h"

/** Statistics of one column in one row group, as the footer has them; data NULL: absent. */
typedef struct chunk_stats {
    nilas_str old_min, old_max, min, max;
    int64_t null_count; // -1: absent
} chunk_stats;

/** A leaf of the file, over all its row groups. */
typedef struct leaf_stats {
    const nilas_parquet_node *node;
    const nilas_ice_type *type; // of the table's column; NULL: it has none
    nilas_column_stats stats;
    nilas_value lower, upper;
    bool has_bounds, is_incomplete, is_nan;
} leaf_stats;

typedef struct footer_reader {
    nilas_thrift thrift;
    leaf_stats *leaves;
    size_t leaf_count;
    int64_t row_count;
} footer_reader;

/* ---- bounds ---- */

static int64_t read_le(nilas_str bytes) {
    uint64_t value = 0;
    for (size_t i = bytes.size; i > 0; i--) {
        value = value << 8 | (unsigned char)bytes.data[i - 1];
    }
    return bytes.size == 4 ? (int32_t)value : (int64_t)value;
}

/** Whole numbers, dates, times: 4 or 8 bytes, little endian. */
static bool decode_integer(const nilas_parquet_node *node, nilas_str bytes, int64_t *out) {
    size_t size = node->physical == NILAS_PARQUET_PHYSICAL_INT32   ? 4
                  : node->physical == NILAS_PARQUET_PHYSICAL_INT64 ? 8
                                                                   : 0;
    *out = size > 0 && bytes.size == size ? read_le(bytes) : 0;
    return size > 0 && bytes.size == size;
}

static bool decode_timestamp(const nilas_parquet_node *node, bool to_nanos, nilas_str bytes,
                             nilas_value *out) {
    int64_t units;
    if (node->kind != NILAS_PARQUET_TIMESTAMP || !decode_integer(node, bytes, &units) ||
        node->is_nanos != to_nanos ||
        (node->is_millis && __builtin_mul_overflow(units, 1000, &units))) {
        return false;
    }
    *out = nilas_value_of_int(units);
    return true;
}

static bool decode_real(const nilas_parquet_node *node, bool to_double, nilas_str bytes,
                        nilas_value *out) {
    float single;
    double real;
    if (node->kind == NILAS_PARQUET_FLOAT && bytes.size == sizeof(single)) {
        memcpy(&single, bytes.data, sizeof(single));
        real = (double)single;
    } else if (node->kind == NILAS_PARQUET_DOUBLE && to_double && bytes.size == sizeof(real)) {
        memcpy(&real, bytes.data, sizeof(real));
    } else {
        return false;
    }
    *out = (nilas_value){.kind = to_double ? NILAS_VALUE_DOUBLE : NILAS_VALUE_FLOAT, .real = real};
    return true;
}

/** Little endian in integers, else two's complement, big endian. */
static bool decode_decimal(const nilas_parquet_node *node, const nilas_ice_type *type,
                           nilas_str bytes, nilas_value *out) {
    int64_t small;
    if (node->kind != NILAS_PARQUET_DECIMAL || node->scale != type->scale) {
        return false;
    }
    if (decode_integer(node, bytes, &small)) {
        *out = nilas_value_of_decimal(small, (uint32_t)type->scale);
        return true;
    }
    bool is_bytes = node->physical == NILAS_PARQUET_PHYSICAL_BYTE_ARRAY ||
                    node->physical == NILAS_PARQUET_PHYSICAL_FIXED;
    return is_bytes && bytes.size > 0 && bytes.size <= 16 &&
           nilas_ice_value_decode(NULL, type, bytes, out, NULL) == NILAS_OK;
}

static bool decode_whole(const nilas_parquet_node *node, nilas_parquet_kind kind, bool fits_int,
                         nilas_str bytes, nilas_value *out) {
    int64_t number;
    if (node->kind != kind || !decode_integer(node, bytes, &number) ||
        (kind == NILAS_PARQUET_INT && !node->is_signed) ||
        (fits_int && (number < INT32_MIN || number > INT32_MAX))) {
        return false;
    }
    *out = nilas_value_of_int(number);
    return true;
}

static bool decode_bytes(const nilas_parquet_node *node, nilas_parquet_kind kind, nilas_str bytes,
                         nilas_value *out) {
    *out = kind == NILAS_PARQUET_STRING ? nilas_value_of_str(bytes) : nilas_value_of_bytes(bytes);
    return node->kind == kind && (kind != NILAS_PARQUET_STRING || nilas_str_is_utf8(bytes)) &&
           (kind != NILAS_PARQUET_UUID || bytes.size == 16);
}

/** A bound as a value of the table's column; false when it is not plainly one. */
static bool decode_bound(const leaf_stats *leaf, nilas_str bytes, nilas_value *out) {
    const nilas_parquet_node *node = leaf->node;
    switch (leaf->type->kind) {
    case NILAS_ICE_BOOLEAN:
        *out = nilas_value_of_bool(bytes.size == 1 && bytes.data[0] != 0);
        return node->kind == NILAS_PARQUET_BOOLEAN && bytes.size == 1;
    case NILAS_ICE_INT: return decode_whole(node, NILAS_PARQUET_INT, true, bytes, out);
    case NILAS_ICE_LONG: return decode_whole(node, NILAS_PARQUET_INT, false, bytes, out);
    case NILAS_ICE_DATE: return decode_whole(node, NILAS_PARQUET_DATE, true, bytes, out);
    case NILAS_ICE_FLOAT: return decode_real(node, false, bytes, out);
    case NILAS_ICE_DOUBLE: return decode_real(node, true, bytes, out);
    case NILAS_ICE_DECIMAL: return decode_decimal(node, leaf->type, bytes, out);
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ: return decode_timestamp(node, false, bytes, out);
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS: return decode_timestamp(node, true, bytes, out);
    case NILAS_ICE_STRING: return decode_bytes(node, NILAS_PARQUET_STRING, bytes, out);
    case NILAS_ICE_BINARY: return decode_bytes(node, NILAS_PARQUET_BLOB, bytes, out);
    case NILAS_ICE_UUID: return decode_bytes(node, NILAS_PARQUET_UUID, bytes, out);
    default: return false;
    }
}

/** Old statistics compare as signed numbers, so they count for numbers only. */
static bool has_signed_order(const nilas_parquet_node *node) {
    return node->physical != NILAS_PARQUET_PHYSICAL_BYTE_ARRAY &&
           node->physical != NILAS_PARQUET_PHYSICAL_FIXED &&
           node->physical != NILAS_PARQUET_PHYSICAL_INT96;
}

static bool is_nan(const nilas_value *value) {
    return (value->kind == NILAS_VALUE_FLOAT || value->kind == NILAS_VALUE_DOUBLE) &&
           isnan(value->real);
}

static void widen_bounds(leaf_stats *leaf, nilas_str min, nilas_str max) {
    nilas_value lower, upper;
    if (leaf->type == NULL || !decode_bound(leaf, min, &lower) ||
        !decode_bound(leaf, max, &upper)) {
        leaf->is_incomplete = true;
        return;
    }
    if (is_nan(&lower) || is_nan(&upper)) {
        leaf->is_nan = true;
        return;
    }
    if (!leaf->has_bounds || nilas_value_compare(&lower, &leaf->lower) < 0) {
        leaf->lower = lower;
    }
    if (!leaf->has_bounds || nilas_value_compare(&upper, &leaf->upper) > 0) {
        leaf->upper = upper;
    }
    leaf->has_bounds = true;
}

/** No statistics, or bounds of none where there are values: nothing is known of the column. */
static void add_chunk(leaf_stats *leaf, int64_t value_count, int64_t size_bytes,
                      const chunk_stats *stats) {
    bool is_old = stats->min.data == NULL && stats->old_min.data != NULL &&
                  stats->old_max.data != NULL && has_signed_order(leaf->node);
    nilas_str min = is_old ? stats->old_min : stats->min;
    nilas_str max = is_old ? stats->old_max : stats->max;
    bool has_bounds = min.data != NULL && max.data != NULL;

    leaf->stats.size_bytes += size_bytes;
    leaf->stats.value_count += value_count;
    if (leaf->node->kind == NILAS_PARQUET_INT96 || (!has_bounds && stats->null_count < 0)) {
        leaf->is_incomplete = true;
        leaf->stats.null_count = -1;
    } else if (leaf->stats.null_count >= 0) {
        leaf->stats.null_count =
            stats->null_count >= 0 ? leaf->stats.null_count + stats->null_count : -1;
    }
    if (has_bounds) {
        widen_bounds(leaf, min, max);
    } else if (stats->null_count != value_count) {
        leaf->is_incomplete = true; // values that are in no bounds
    }
}

/* ---- the footer ---- */

static void read_statistics(nilas_thrift *t, chunk_stats *out) {
    int32_t field = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        nilas_str *text = field == 1   ? &out->old_max
                          : field == 2 ? &out->old_min
                          : field == 5 ? &out->max
                          : field == 6 ? &out->min
                                       : NULL;
        if (text != NULL && type == NILAS_THRIFT_BINARY) {
            *text = nilas_thrift__binary(t);
        } else if (field == 3 && type == NILAS_THRIFT_I64) {
            out->null_count = nilas_thrift__int(t);
        } else {
            nilas_thrift__skip(t, type);
        }
    }
}

static void read_column(nilas_thrift *t, leaf_stats *leaf) {
    chunk_stats stats = {.null_count = -1};
    int64_t value_count = 0, size_bytes = 0;
    int32_t field = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        if (field == 5 && type == NILAS_THRIFT_I64) {
            value_count = nilas_thrift__int(t);
        } else if (field == 7 && type == NILAS_THRIFT_I64) {
            size_bytes = nilas_thrift__int(t);
        } else if (field == 12 && type == NILAS_THRIFT_STRUCT) {
            read_statistics(t, &stats);
        } else {
            nilas_thrift__skip(t, type);
        }
    }
    add_chunk(leaf, value_count, size_bytes, &stats);
}

/** ColumnChunk: only its metadata counts. */
static void read_chunk(nilas_thrift *t, leaf_stats *leaf) {
    int32_t field = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        if (field == 3 && type == NILAS_THRIFT_STRUCT) {
            read_column(t, leaf);
        } else {
            nilas_thrift__skip(t, type);
        }
    }
}

static void read_row_group(footer_reader *reader) {
    nilas_thrift *t = &reader->thrift;
    int32_t field = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        if (field != 1 || type != NILAS_THRIFT_LIST) {
            nilas_thrift__skip(t, type);
            continue;
        }
        int item = 0;
        size_t count = nilas_thrift__list(t, &item);
        t->failed = t->failed || item != NILAS_THRIFT_STRUCT || count != reader->leaf_count;
        for (size_t i = 0; i < count && !t->failed; i++) {
            read_chunk(t, &reader->leaves[i]);
        }
    }
}

static nilas_code read_metadata(footer_reader *reader, nilas_str location, nilas_error *err) {
    nilas_thrift *t = &reader->thrift;
    int32_t field = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        if (field == 3 && type == NILAS_THRIFT_I64) {
            reader->row_count = nilas_thrift__int(t);
        } else if (field == 4 && type == NILAS_THRIFT_LIST) {
            int item = 0;
            size_t count = nilas_thrift__list(t, &item);
            t->failed = t->failed || (count > 0 && item != NILAS_THRIFT_STRUCT);
            for (size_t i = 0; i < count && !t->failed; i++) {
                read_row_group(reader);
            }
        } else {
            nilas_thrift__skip(t, type);
        }
    }
    NILAS_REQUIRE(!t->failed && reader->row_count >= 0, err, NILAS_CORRUPT,
                  "the footer of Parquet file \"%.*s\" is broken", NILAS_FMT(location));
    return NILAS_OK;
}

/* ---- columns of the table ---- */

static void number_leaves(const nilas_parquet_node *node, leaf_stats *leaves) {
    if (node->leaf >= 0) {
        leaves[node->leaf].node = node;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        number_leaves(&node->children[i], leaves);
    }
}

/** For each leaf of the table, in the order of nilas_write__find_leaves(), the file's leaf. */
typedef struct leaf_match {
    leaf_stats *leaves;
    leaf_stats **found; // NULL: the file has no such column
    size_t count;
} leaf_match;

static void match_leaf(leaf_match *match, const nilas_ice_type *type,
                       const nilas_parquet_node *node) {
    leaf_stats *leaf = node != NULL && node->leaf >= 0 ? &match->leaves[node->leaf] : NULL;
    if (leaf != NULL) {
        leaf->type = type;
    }
    match->found[match->count++] = leaf;
}

static void match_members(leaf_match *match, nilas_field_match by, const nilas_ice_type *type,
                          const nilas_parquet_node *node) {
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        nilas_field_match below = by;
        const nilas_parquet_node *member = NULL;
        if (node != NULL && type->kind == NILAS_ICE_STRUCT && node->kind == NILAS_PARQUET_STRUCT) {
            member = nilas_source__find_member(&by, node, field);
        } else if (node != NULL && i < node->child_count &&
                   ((type->kind == NILAS_ICE_LIST && node->kind == NILAS_PARQUET_LIST) ||
                    (type->kind == NILAS_ICE_MAP && node->kind == NILAS_PARQUET_MAP))) {
            member = &node->children[i];
        }
        below.mapping = nilas_source__mapping_below(by.mapping, field->id);
        if (nilas_ice_is_nested(field->type)) {
            match_members(match, below, field->type, member);
        } else if (field->type->kind != NILAS_ICE_UNKNOWN) {
            match_leaf(match, field->type, member);
        }
    }
}

static const nilas_column_stats unknown_stats = {
    .size_bytes = -1, .value_count = -1, .null_count = -1, .nan_count = -1};

static nilas_column_stats stats_of(const leaf_stats *leaf) {
    nilas_column_stats stats = unknown_stats;
    if (leaf == NULL) {
        return stats;
    }
    stats.size_bytes = leaf->stats.size_bytes;
    if (leaf->node->kind == NILAS_PARQUET_INT96 || leaf->stats.null_count < 0) {
        return stats;
    }
    stats.value_count = leaf->stats.value_count;
    stats.null_count = leaf->stats.null_count;
    if (leaf->has_bounds && !leaf->is_incomplete && !leaf->is_nan) {
        stats.lower_value = &leaf->lower;
        stats.upper_value = &leaf->upper;
    }
    return stats;
}

/** Columns and their metrics modes, as a writer of the table would have them. */
static nilas_code begin_columns(nilas_writer *w, nilas_arena *arena, const nilas_table *table,
                                nilas_error *err) {
    const nilas_schema *schema = nilas_metadata_current_schema(table->metadata);
    const nilas_sort_order *order =
        nilas_metadata_sort_order(table->metadata, table->metadata->default_sort_order_id);
    *w = (nilas_writer){.stmt = arena, .table = table, .schema = schema, .order = order};
    for (size_t i = 0; i < schema->type.field_count; i++) {
        NILAS_PUSH(arena, &w->columns, schema->type.fields[i], err);
    }
    nilas_assert(w->content == NILAS_FILE_DATA);
    return nilas_write__find_leaves(w, err);
}

static nilas_code import_file(const nilas_writer *w, const nilas_name_mapping *mapping,
                              nilas_data_file *file, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0); // what is kept goes to w->stmt
    nilas_str location = file->file_path;
    nilas_str footer;
    nilas_parquet_schema schema;
    nilas_column_stats *stats;
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_parquet__read_footer(w->table->io, arena, location, &footer, err));
    NILAS_TRY(nilas_parquet__parse_schema(arena, footer, location, &schema, err));

    footer_reader reader = {
        .thrift = {.at = (const unsigned char *)footer.data,
                   .end = (const unsigned char *)footer.data + footer.size},
        .leaf_count = schema.leaf_count,
    };
    leaf_match match = {0};
    NILAS_NEW_ARRAY(arena, &reader.leaves, schema.leaf_count, err);
    NILAS_NEW_ARRAY(arena, &match.found, w->leaves.count, err);
    NILAS_NEW_ARRAY(arena, &stats, w->leaves.count, err);
    number_leaves(&schema.root, reader.leaves);
    match.leaves = reader.leaves;
    match_members(&match, (nilas_field_match){.has_ids = schema.has_ids, .mapping = mapping},
                  &w->schema->type, &schema.root);
    nilas_assert(match.count == w->leaves.count);
    NILAS_TRY(read_metadata(&reader, location, err));
    for (size_t i = 0; i < w->leaves.count; i++) {
        stats[i] = stats_of(match.found[i]);
    }
    file->record_count = reader.row_count;
    return nilas_write__fill_metrics(w, stats, file, err);
}

nilas_code nilas_engine_import_parquet(nilas_arena *arena, const nilas_table *table,
                                       nilas_data_file *files, size_t count, nilas_error *err) {
    const nilas_name_mapping *mapping;
    nilas_writer writer;
    NILAS_TRY(nilas_metadata_name_mapping(arena, table->metadata, &mapping, err));
    NILAS_TRY(begin_columns(&writer, arena, table, err));
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(import_file(&writer, mapping, &files[i], err));
    }
    return NILAS_OK;
}
