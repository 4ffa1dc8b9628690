/*
 * Rows that have to be put in order: a temporary table sorted by partition and sort order, then one
 * range of it after the other into files.
 *
 * Ranges are read by row number, of which DuckDB skips the row groups that do not matter; the table
 * spills to disk when it is large.
 */
#include "engine/writer.h"

#define ROWS_TABLE "nilas_write_rows" // temporary, of the job's own connection

/* ---- the table ---- */

/** A field as an expression over the rows: its column, and members of structs below it. */
static bool print_path(const nilas_writer *w, const nilas_write_rows *rows, nilas_buf *out,
                       const nilas_ice_type *type, int32_t field_id) {
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        bool is_struct = field->type->kind == NILAS_ICE_STRUCT;
        size_t before = out->size;
        if (type == &w->schema->type) {
            nilas_buf_add(out, rows->columns[i]);
        } else {
            nilas_buf_add_char(out, '.');
            nilas_render__identifier(out, field->name);
        }
        if (field->id == field_id ||
            (is_struct && print_path(w, rows, out, field->type, field_id))) {
            return true;
        }
        nilas_buf_truncate(out, before);
    }
    return false;
}

/** Whether rows tell their partition. */
static bool is_partitioned(const nilas_writer *w) {
    return w->spec->field_count > 0 && w->partition == NULL;
}

void nilas_write__print_partition(const nilas_writer *w, const nilas_write_rows *rows,
                                  nilas_buf *out) {
    nilas_buf_print(out, "nilas_partition(%d", w->keys_number);
    for (size_t i = 0; i < w->spec->field_count; i++) {
        nilas_buf_add_text(out, ", ");
        if (w->keys->partition[i].source->kind == NILAS_ICE_UNKNOWN ||
            !print_path(w, rows, out, &w->schema->type, w->spec->fields[i].source_id)) {
            nilas_buf_add_text(out, "NULL"); // of a column that is gone: void
        }
    }
    nilas_buf_add_char(out, ')');
}

/** Transforms whose results are numbers are asked for; others keep the order of their source. */
static bool is_numeric_key(const nilas_write_key *key) {
    switch (key->transform->kind) {
    case NILAS_TRANSFORM_BUCKET:
    case NILAS_TRANSFORM_YEAR:
    case NILAS_TRANSFORM_MONTH:
    case NILAS_TRANSFORM_DAY:
    case NILAS_TRANSFORM_HOUR: return true;
    case NILAS_TRANSFORM_TRUNCATE:
        return key->source->kind == NILAS_ICE_INT || key->source->kind == NILAS_ICE_LONG;
    default: return false;
    }
}

static void print_sort_key(const nilas_writer *w, const nilas_write_rows *rows, nilas_buf *out,
                           size_t i) {
    const nilas_sort_field *field = &w->order->fields[i];
    const nilas_write_key *key = &w->keys->sort[i];
    bool is_prefix =
        field->transform.kind == NILAS_TRANSFORM_TRUNCATE && key->source->kind == NILAS_ICE_STRING;

    if (is_numeric_key(key)) {
        nilas_buf_print(out, "nilas_sort_key(%d, %zu, ", w->keys_number, i);
    } else if (is_prefix) {
        nilas_buf_add_text(out, "left(");
    }
    (void)print_path(w, rows, out, &w->schema->type, field->source_id);
    if (is_numeric_key(key)) {
        nilas_buf_add_char(out, ')');
    } else if (is_prefix) {
        nilas_buf_print(out, ", %d)", field->transform.width);
    }
    nilas_buf_print(out, " %s NULLS %s", field->descending ? "DESC" : "ASC",
                    field->nulls_first ? "FIRST" : "LAST");
}

/** The table's order; or that of the rows, which a sort by partition alone would not keep. */
static void print_order(const nilas_writer *w, const nilas_write_rows *rows, nilas_buf *out) {
    size_t count = w->order != NULL ? w->order->field_count : 0;

    if (!is_partitioned(w) && count == 0) {
        return;
    }
    nilas_buf_add_text(out, " ORDER BY ");
    if (is_partitioned(w)) {
        nilas_buf_add_text(out, "nilas_p");
    }
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 || is_partitioned(w) ? ", " : "");
        print_sort_key(w, rows, out, i);
    }
    if (count == 0 && rows->is_ordered) {
        nilas_buf_add_text(out, ", nilas_n");
    }
}

static nilas_code fill_table(nilas_writer *w, const nilas_write_rows *rows, nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    nilas_str text;

    nilas_buf_add_text(&sql, "CREATE TEMP TABLE " ROWS_TABLE " AS SELECT *, ");
    if (is_partitioned(w)) {
        nilas_write__print_partition(w, rows, &sql);
    } else {
        nilas_buf_add_char(&sql, '0');
    }
    nilas_buf_add_text(&sql, " AS nilas_p");
    nilas_buf_add_text(&sql,
                       rows->is_ordered ? " FROM (SELECT *, row_number() OVER () AS nilas_n" : "");
    nilas_buf_add_text(&sql, " FROM (");
    nilas_buf_add(&sql, rows->sql);
    nilas_buf_add_text(&sql, rows->is_ordered ? ")) AS w" : ") AS w");
    print_order(w, rows, &sql);
    NILAS_TRY(nilas_buf_finish(&sql, w->stmt, &text, err));
    return nilas_write__execute(w->job, text, err);
}

/* ---- its ranges ---- */

typedef struct row_range {
    int64_t partition, first, count; // rows [first, first + count)
} row_range;
typedef NILAS_ARRAY_OF(row_range) row_ranges;

static nilas_code find_ranges(nilas_writer *w, row_ranges *out, nilas_error *err) {
    NILAS_AUTO_QUERY_RUN run = {0};

    NILAS_TRY(nilas_job__start(
        w->job,
        NILAS_STR("SELECT CAST(nilas_p AS BIGINT), CAST(min(rowid) AS BIGINT), "
                  "CAST(count(*) AS BIGINT) FROM " ROWS_TABLE " GROUP BY nilas_p ORDER BY 2"),
        &run, err));
    while (true) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(w->job, &run, &chunk, err));
        if (chunk == NULL) {
            return NILAS_OK;
        }
        const int64_t *columns[3];
        for (idx_t i = 0; i < 3; i++) {
            columns[i] = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, i));
        }
        for (idx_t row = 0; row < duckdb_data_chunk_get_size(chunk); row++) {
            row_range range = {columns[0][row], columns[1][row], columns[2][row]};
            NILAS_PUSH(w->stmt, out, range, err);
        }
    }
}

static nilas_code write_part(nilas_writer *w, const nilas_write_rows *rows, const row_range *part,
                             const nilas_value *partition, nilas_error *err) {
    nilas_write_rows slice = *rows;

    NILAS_TRY(nilas_str_print(w->stmt, &slice.sql, err,
                              "SELECT * FROM " ROWS_TABLE " WHERE rowid >= %lld AND rowid < %lld",
                              (long long)part->first, (long long)(part->first + part->count)));
    return nilas_writer__write_file(w, &slice, partition, err);
}

/** One range into files of about the target size: the first tells how many bytes a row takes. */
static nilas_code write_range(nilas_writer *w, const nilas_write_rows *rows, const row_range *range,
                              double *bytes_per_row, nilas_error *err) {
    const nilas_value *partition =
        is_partitioned(w) ? &w->keys->tuples.items[range->partition] : w->partition;
    row_range part = {.first = range->first};
    int64_t left = range->count;

    while (left > 0) {
        double fitting = (double)w->format.file_bytes / *bytes_per_row;
        part.count = fitting * 1.1 >= (double)left ? left : (int64_t)fitting + 1;
        NILAS_TRY(write_part(w, rows, &part, partition, err));
        left -= part.count;
        part.first += part.count;
        const nilas_data_file *file = &w->files.items[w->files.count - 1];
        NILAS_REQUIRE(file->record_count == part.count, err, NILAS_ENGINE,
                      "%lld rows were written to a file that was to have %lld",
                      (long long)file->record_count, (long long)part.count);
        if (left > 0) {
            *bytes_per_row = (double)file->file_size_in_bytes / (double)file->record_count + 0.01;
        }
    }
    return NILAS_OK;
}

nilas_code nilas_write__ordered(nilas_writer *w, const nilas_write_rows *rows, nilas_error *err) {
    row_ranges ranges = {0};
    double bytes_per_row = (double)nilas_write__row_width(w->schema) / 2;

    NILAS_TRY(fill_table(w, rows, err));
    NILAS_TRY(find_ranges(w, &ranges, err));
    for (size_t i = 0; i < ranges.count; i++) {
        NILAS_TRY(write_range(w, rows, &ranges.items[i], &bytes_per_row, err));
    }
    return nilas_write__execute(w->job, NILAS_STR("DROP TABLE temp." ROWS_TABLE), err);
}
