/** Parquet files below a folder, their partitions, and what a table has to know of them. */
#include "session/procedure_import.h"

#include <stdlib.h>

/* --- listing
 * ------------------------------------------------------------------------------------- */

typedef struct folder_key {
    nilas_str key, value; // value data NULL: null
} folder_key;

typedef struct lister {
    nilas_import *import;
    folder_key keys[NILAS_IMPORT_DEPTH]; // of the folder that is being listed
    size_t key_count;
    NILAS_ARRAY_OF(folder_key *) file_keys; // of each found file
    NILAS_ARRAY_OF(size_t) file_key_counts;
} lister;

static nilas_code push_key(lister *l, nilas_str name, bool *out_pushed, nilas_error *err) {
    folder_key *key = &l->keys[l->key_count];
    NILAS_TRY(
        nilas_folder_key_read(l->import->arena, name, out_pushed, &key->key, &key->value, err));
    l->key_count += *out_pushed ? 1 : 0;
    return NILAS_OK;
}

static nilas_code add_found(lister *l, nilas_str location, int64_t size_bytes, size_t depth,
                            nilas_error *err) {
    nilas_import *import = l->import;
    nilas_import_file file = {.size_bytes = size_bytes, .depth = depth};
    folder_key *keys;
    NILAS_TRY(nilas_str_print(import->arena, &file.location, err, "%s%.*s",
                              nilas_io_scheme(location).size == 0 ? "file:" : "",
                              NILAS_FMT(location)));
    NILAS_NEW_ARRAY(import->arena, &keys, l->key_count, err);
    nilas_copy(keys, l->keys, l->key_count * sizeof(*keys));
    NILAS_PUSH(import->arena, &import->found, file, err);
    NILAS_PUSH(import->arena, &l->file_keys, keys, err);
    NILAS_PUSH(import->arena, &l->file_key_counts, l->key_count, err);
    return NILAS_OK;
}

static int compare_names(const void *a, const void *b) {
    return nilas_str_compare(((const nilas_io_entry *)a)->name, ((const nilas_io_entry *)b)->name);
}

static nilas_code list_folder(lister *l, nilas_str folder, size_t depth, nilas_error *err) {
    nilas_import *import = l->import;
    nilas_io_entry *entries;
    size_t count;
    NILAS_REQUIRE(depth < NILAS_IMPORT_DEPTH, err, NILAS_LIMIT,
                  "folders are nested too deeply at \"%.*s\"", NILAS_FMT(folder));
    NILAS_TRY(nilas_io_list(import->io, import->arena, folder, &entries, &count, err));
    if (count > 1) {
        qsort(entries, count, sizeof(*entries), compare_names);
    }
    for (size_t i = 0; i < count; i++) {
        nilas_str name = entries[i].name;
        bool is_key_folder =
            entries[i].stat.is_directory && nilas_str_find(name, NILAS_STR("="), 0) != SIZE_MAX;
        if (name.size == 0 || name.data[0] == '.' || (name.data[0] == '_' && !is_key_folder)) {
            continue;
        }
        if (!entries[i].stat.is_directory) {
            NILAS_TRY(add_found(l, entries[i].location, entries[i].stat.size_bytes, depth, err));
            continue;
        }
        bool is_pushed;
        NILAS_TRY(push_key(l, name, &is_pushed, err));
        NILAS_TRY(list_folder(l, entries[i].location, depth + 1, err));
        l->key_count -= is_pushed;
    }
    return NILAS_OK;
}

static bool same_keys(const folder_key *a, size_t a_count, const folder_key *b, size_t b_count) {
    for (size_t i = 0; i < a_count && a_count == b_count; i++) {
        if (!nilas_str_equal(a[i].key, b[i].key)) {
            return false;
        }
    }
    return a_count == b_count;
}

static nilas_code fail_conflict(const lister *l, size_t first, size_t second, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    size_t files[] = {first, second};
    for (size_t i = 0; i < 2; i++) {
        nilas_buf_add_text(&text, i > 0 ? "; " : "");
        for (size_t k = 0; k < l->file_key_counts.items[files[i]]; k++) {
            nilas_buf_print(&text, "%s%.*s", k > 0 ? ", " : "",
                            NILAS_FMT(l->file_keys.items[files[i]][k].key));
        }
    }
    return nilas_fail_at(err, NILAS_INVALID, "CONFLICTING_PARTITION_COLUMN_NAMES",
                         l->import->call->run->statement->offset,
                         "Conflicting partition column names detected: %.*s. Directories at the "
                         "same level should have the same partition column name.",
                         NILAS_FMT(nilas_buf_view(&text)));
}

/** Of partitioned folders the files outside of partitions do not count, of others those further
 * down. */
static nilas_code settle_keys(lister *l, nilas_error *err) {
    nilas_import *import = l->import;
    size_t first = 0, kept = 0;
    while (first < import->found.count && l->file_key_counts.items[first] == 0) {
        first++;
    }
    bool is_partitioned = first < import->found.count;
    import->key_count = is_partitioned ? l->file_key_counts.items[first] : 0;
    NILAS_NEW_ARRAY(import->arena, &import->keys, import->key_count, err);
    for (size_t k = 0; k < import->key_count; k++) {
        import->keys[k] = l->file_keys.items[first][k].key;
    }
    for (size_t i = 0; i < import->found.count; i++) {
        nilas_import_file file = import->found.items[i];
        const folder_key *keys = l->file_keys.items[i];
        size_t count = l->file_key_counts.items[i];
        if (is_partitioned ? count == 0 : file.depth > 0) {
            continue;
        }
        if (!same_keys(keys, count, l->file_keys.items[first], import->key_count)) {
            return fail_conflict(l, first, i, err);
        }
        NILAS_NEW_ARRAY(import->arena, &file.values, count, err);
        for (size_t k = 0; k < count; k++) {
            file.values[k] = keys[k].value;
        }
        import->found.items[kept++] = file;
    }
    import->found.count = kept;
    return NILAS_OK;
}

bool nilas_import__is_files(const nilas_str *parts, size_t count) {
    return count == 2 &&
           (nilas_str_is_nocase(parts[0], "parquet") || nilas_str_is_nocase(parts[0], "orc") ||
            nilas_str_is_nocase(parts[0], "avro"));
}

nilas_code nilas_import__list(nilas_import *import, nilas_procedure_call *call,
                              const nilas_str *parts, bool takes_avro, nilas_error *err) {
    bool is_avro = nilas_str_is_nocase(parts[0], "avro");
    lister l = {.import = import};
    nilas_str location;
    nilas_io_stat stat;
    nilas_assert(nilas_import__is_files(parts, 2));
    *import = (nilas_import){.call = call,
                             .arena = call->run->stmt,
                             .io = nilas_catalog_io(call->catalog),
                             .is_avro = is_avro};
    if (!nilas_str_is_nocase(parts[0], "parquet") && !(is_avro && takes_avro)) {
        return nilas_fail_at(
            err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", call->run->statement->offset,
            "%s takes Parquet%s files only: what it must know of %.*s files is "
            "not read by nilas.",
            call->procedure->name, takes_avro ? " and Avro" : "", NILAS_FMT(parts[0]));
    }
    NILAS_TRY(nilas_catalog_file_location(import->arena, parts[1], &location, err));
    import->root = location;
    NILAS_TRY(nilas_io_stat_file(import->io, location, &stat, err));
    NILAS_TRY(stat.is_directory ? list_folder(&l, location, 0, err)
                                : add_found(&l, location, stat.size_bytes, 0, err));
    return settle_keys(&l, err);
}

void nilas_import__print_keys(const nilas_import *import, nilas_buf *out) {
    nilas_buf_add_char(out, '[');
    for (size_t i = 0; i < import->key_count; i++) {
        nilas_buf_print(out, "%s%.*s", i > 0 ? ", " : "", NILAS_FMT(import->keys[i]));
    }
    nilas_buf_add_char(out, ']');
}

/* --- partitions
 * ----------------------------------------------------------------------------------- */

nilas_code nilas_import__parse(const nilas_import *import, nilas_str text,
                               const nilas_ice_type *type, nilas_value *out, nilas_error *err) {
    nilas_run *run = import->call->run;
    NILAS_AUTO_BUF query = NILAS_BUF_INIT(1 << 20);
    const nilas_type *spark;
    nilas_plan *plan;
    nilas_str sql;
    NILAS_REQUIRE(type->kind != NILAS_ICE_UUID && type->kind != NILAS_ICE_FIXED &&
                      type->kind != NILAS_ICE_BINARY,
                  err, NILAS_UNSUPPORTED,
                  "%s does not support partitions by uuid, fixed and binary columns",
                  import->call->procedure->name);
    NILAS_TRY(nilas_bind_ice_type(import->arena, type, &spark, err));
    nilas_buf_add_text(&query, "SELECT CAST('");
    for (size_t i = 0; i < text.size; i++) {
        nilas_buf_add_text(&query, text.data[i] == '\'' || text.data[i] == '\\' ? "\\" : "");
        nilas_buf_add_char(&query, text.data[i]);
    }
    nilas_buf_add_text(&query, "' AS ");
    nilas_type_print(&query, spark);
    nilas_buf_add_char(&query, ')');
    NILAS_TRY(nilas_buf_finish(&query, import->arena, &sql, err));
    NILAS_TRY(nilas_call__bind(import->call, sql, &plan, err));
    nilas_assert(plan->kind == NILAS_PLAN_PROJECT && plan->expr_count == 1);
    return nilas_engine_evaluate(run->session->engine, import->arena, plan->exprs[0], out, err);
}

static nilas_code partition_of(const nilas_import *import, const nilas_import_file *file,
                               const nilas_ice_type *type, nilas_value *out, nilas_error *err) {
    nilas_assert(type->field_count == import->key_count);
    *out = (nilas_value){.kind = NILAS_VALUE_STRUCT};
    NILAS_NEW_ARRAY(import->arena, &out->items, type->field_count, err);
    out->count = type->field_count;
    for (size_t i = 0; i < type->field_count; i++) {
        out->items[i] = NILAS_NULL_VALUE;
        if (file->values[i].data != NULL) {
            NILAS_TRY(nilas_import__parse(import, file->values[i], type->fields[i].type,
                                          &out->items[i], err));
        }
    }
    return NILAS_OK;
}

/** The filter's values by field; absent ones are null. Nothing equals a null that was asked for. */
static nilas_code read_filter(const nilas_import *import, const nilas_ice_type *type,
                              const nilas_value *filter, nilas_value *out, bool *out_none,
                              nilas_error *err) {
    *out_none = false;
    for (size_t i = 0; filter != NULL && i < filter->count; i++) {
        for (size_t k = 0; k < type->field_count; k++) {
            if (!nilas_str_equal(type->fields[k].name, filter->items[2 * i].text)) {
                continue;
            }
            const nilas_value *value = &filter->items[2 * i + 1];
            *out_none = *out_none || nilas_value_is_null(value);
            if (!nilas_value_is_null(value)) {
                NILAS_TRY(
                    nilas_import__parse(import, value->text, type->fields[k].type, &out[k], err));
            }
        }
    }
    return NILAS_OK;
}

static bool is_wanted(const nilas_value *wanted, const nilas_value *partition) {
    for (size_t i = 0; i < partition->count; i++) {
        if (!nilas_value_is_null(&wanted[i]) &&
            !nilas_value_equal(&wanted[i], &partition->items[i])) {
            return false;
        }
    }
    return true;
}

/** Rows of an Avro file, as its blocks tell. */
static nilas_code count_avro(const nilas_import *import, nilas_data_file *file, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_avro_file *avro;
    nilas_avro_block block;
    nilas_str bytes, what;
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_str_print(scratch, &what, err, "\"%.*s\"", NILAS_FMT(file->file_path)));
    NILAS_TRY(nilas_io_read(import->io, scratch, file->file_path, SIZE_MAX, &bytes, err));
    NILAS_TRY(nilas_avro_open(scratch, bytes, what.data, &avro, err));
    do {
        NILAS_TRY(nilas_avro_next_block(avro, NULL, &block, err));
        file->record_count += block.number > 0 ? block.count : 0;
    } while (block.number > 0);
    return NILAS_OK;
}

nilas_code nilas_import__files(const nilas_import *import, const nilas_table *table,
                               const nilas_partition_spec *spec, const nilas_value *filter,
                               nilas_data_file **out, size_t *out_count, nilas_error *err) {
    const nilas_ice_type *type;
    nilas_value *wanted;
    size_t count = 0;
    bool none;
    NILAS_TRY(nilas_spec_partition_type(import->arena, table->metadata, spec, &type, err));
    NILAS_NEW_ARRAY(import->arena, out, import->found.count, err);
    NILAS_NEW_ARRAY(import->arena, &wanted, type->field_count, err);
    NILAS_TRY(read_filter(import, type, filter, wanted, &none, err));
    for (size_t i = 0; i < import->found.count && !none; i++) {
        const nilas_import_file *found = &import->found.items[i];
        nilas_data_file *file = &(*out)[count];
        *file = (nilas_data_file){
            .content = NILAS_FILE_DATA,
            .file_path = found->location,
            .file_format = import->is_avro ? NILAS_STR("AVRO") : NILAS_STR("PARQUET"),
            .spec_id = spec->spec_id,
            .file_size_in_bytes = found->size_bytes,
            .first_row_id = -1,
            .referenced_data_file = NILAS_STR_EMPTY,
            .content_offset = -1,
            .content_size_in_bytes = -1,
        };
        NILAS_TRY(partition_of(import, found, type, &file->partition, err));
        count += is_wanted(wanted, &file->partition);
    }
    *out_count = count;
    for (size_t i = 0; i < count && import->is_avro; i++) {
        NILAS_TRY(count_avro(import, &(*out)[i], err));
    }
    return import->is_avro ? NILAS_OK
                           : nilas_engine_import_parquet(import->arena, table, *out, count, err);
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

nilas_code nilas_import__mapping(nilas_arena *arena, const nilas_schema *schema, nilas_str *out,
                                 nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(16 << 20);
    print_mapping(&text, &schema->type);
    return nilas_buf_finish(&text, arena, out, err);
}
