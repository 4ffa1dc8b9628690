/**
 * Registration of our scalar functions, and the loop over the rows of a chunk. DuckDB hands flat
 * vectors; several functions of one name become one set of overloads.
 */
#include "engine/udf.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/contexts.h"
#include "engine/udf_aggregate.h"
#include "engine/udf_row.h"

static nilas_code register_set(duckdb_connection connection, const nilas_udf *first,
                               size_t *out_count, nilas_error *err);
static void init_function(duckdb_init_info info);
static void run_chunk(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);

nilas_code nilas_engine__register_functions(duckdb_connection connection, nilas_error *err) {
    static const nilas_udf *const lists[] = {
        nilas_engine__cast_functions,    nilas_engine__print_functions,
        nilas_engine__integer_functions, nilas_engine__math_functions,
        nilas_engine__decimal_functions, nilas_engine__text_functions,
        nilas_engine__word_functions,    nilas_engine__format_functions,
        nilas_engine__url_functions,     nilas_engine__time_functions,
        nilas_engine__pattern_functions, nilas_engine__list_functions,
        nilas_engine__hash_functions,    nilas_engine__json_functions,
        nilas_engine__cipher_functions,  nilas_engine__read_text_functions,
    };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        const nilas_udf *udf = lists[i];
        while (udf->name != NULL) {
            size_t count = 0;
            NILAS_TRY(register_set(connection, udf, &count, err));
            udf += count;
        }
    }
    return nilas_engine__register_aggregates(connection, err);
}

/* --- types --- */

static duckdb_logical_type type_of(char letter) {
    static const struct {
        char letter;
        duckdb_type type;
    } types[] = {
        {'b', DUCKDB_TYPE_BOOLEAN},   {'t', DUCKDB_TYPE_TINYINT},  {'h', DUCKDB_TYPE_SMALLINT},
        {'i', DUCKDB_TYPE_INTEGER},   {'l', DUCKDB_TYPE_BIGINT},   {'g', DUCKDB_TYPE_HUGEINT},
        {'f', DUCKDB_TYPE_FLOAT},     {'d', DUCKDB_TYPE_DOUBLE},   {'s', DUCKDB_TYPE_VARCHAR},
        {'x', DUCKDB_TYPE_BLOB},      {'D', DUCKDB_TYPE_DATE},     {'T', DUCKDB_TYPE_TIMESTAMP_TZ},
        {'N', DUCKDB_TYPE_TIMESTAMP}, {'I', DUCKDB_TYPE_INTERVAL}, {'a', DUCKDB_TYPE_ANY},
        {'*', DUCKDB_TYPE_ANY},
    };
    if (letter == 'n') {
        return duckdb_create_decimal_type(38, 0);
    }
    if (letter == 'S') {
        duckdb_logical_type element = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
        duckdb_logical_type list = duckdb_create_list_type(element);
        duckdb_destroy_logical_type(&element);
        return list;
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (types[i].letter == letter) {
            return duckdb_create_logical_type(types[i].type);
        }
    }
    nilas_assert(false && "a letter of a signature");
    return NULL;
}

static char result_letter(const nilas_udf *udf) {
    const char *arrow = strchr(udf->signature, '>');
    nilas_assert(arrow != NULL && arrow[1] != '\0');
    return arrow[1] == '[' ? arrow[2] : arrow[1];
}

static duckdb_scalar_function make_function(const nilas_udf *udf) {
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_scalar_function_set_name(function, udf->name);
    for (const char *at = udf->signature; *at != '>'; at++) {
        duckdb_logical_type type = type_of(*at);
        if (*at == '*') {
            duckdb_scalar_function_set_varargs(function, type);
        } else {
            duckdb_scalar_function_add_parameter(function, type);
        }
        duckdb_destroy_logical_type(&type);
    }
    duckdb_logical_type result = type_of(result_letter(udf));
    if (strstr(udf->signature, ">[") != NULL) {
        duckdb_logical_type list = duckdb_create_list_type(result);
        duckdb_destroy_logical_type(&result);
        result = list;
    }
    duckdb_scalar_function_set_return_type(function, result);
    duckdb_destroy_logical_type(&result);
    duckdb_scalar_function_set_extra_info(function, (void *)(uintptr_t)udf, NULL);
    duckdb_scalar_function_set_init(function, init_function);
    duckdb_scalar_function_set_function(function, run_chunk);
    if (udf->flags & NILAS_UDF_NULLS) {
        duckdb_scalar_function_set_special_handling(function);
    }
    if (udf->flags & NILAS_UDF_VOLATILE) {
        duckdb_scalar_function_set_volatile(function);
    }
    return function;
}

/** Register all that follow with the name of `first`. */
static nilas_code register_set(duckdb_connection connection, const nilas_udf *first,
                               size_t *out_count, nilas_error *err) {
    duckdb_scalar_function_set set = duckdb_create_scalar_function_set(first->name);
    size_t count = 0;
    nilas_code code = NILAS_OK;
    while (code == NILAS_OK && first[count].name != NULL &&
           strcmp(first[count].name, first->name) == 0) {
        duckdb_scalar_function function = make_function(&first[count]);
        if (duckdb_add_scalar_function_to_set(set, function) != DuckDBSuccess) {
            code = nilas_fail(err, NILAS_ENGINE, "function %s: overload %s already exists",
                              first->name, first[count].signature);
        }
        duckdb_destroy_scalar_function(&function);
        count++;
    }
    if (code == NILAS_OK && duckdb_register_scalar_function_set(connection, set) != DuckDBSuccess) {
        code = nilas_fail(err, NILAS_ENGINE, "function %s cannot be registered", first->name);
    }
    duckdb_destroy_scalar_function_set(&set);
    *out_count = count;
    return code;
}

/* --- running --- */

static void init_function(duckdb_init_info info) {
    const nilas_engine_context *context = nilas_contexts__of_init(info);
    if (context == NULL) {
        duckdb_scalar_function_init_set_error(info, "a function is called outside of a statement");
        return;
    }
    duckdb_scalar_function_init_set_state(info, (void *)(uintptr_t)context, NULL);
}

static void run_rows(nilas_row *row, idx_t row_count) {
    bool skips_nulls = (row->udf->flags & NILAS_UDF_NULLS) == 0;
    for (row->at = 0; row->at < row_count && !row->failed; row->at++) {
        bool is_null = false;
        for (size_t i = 0; i < row->count && skips_nulls; i++) {
            is_null = is_null || nilas_row__is_null(row, i);
        }
        if (is_null) {
            nilas_row__set_null(row);
            continue;
        }
        nilas_buf_clear(row->text);
        row->udf->run(row);
        if (nilas_arena_used(row->scratch) > 0) {
            nilas_arena_reset(row->scratch);
        }
    }
}

static void run_chunk(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    duckdb_vector vectors[NILAS_UDF_MAXIMUM_PARAMETERS];
    void *data[NILAS_UDF_MAXIMUM_PARAMETERS];
    uint64_t *validity[NILAS_UDF_MAXIMUM_PARAMETERS];
    const nilas_udf *udf = duckdb_scalar_function_get_extra_info(info);
    NILAS_AUTO_BUF text = {0};
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_arena) chunk = nilas_arena_new(NULL, 0);
    const struct nilas_cell *cells[NILAS_UDF_MAXIMUM_PARAMETERS] = {0};
    struct nilas_row_number numbers[NILAS_UDF_MAXIMUM_PARAMETERS] = {0};
    nilas_row row = {.numbers = numbers,
                     .udf = udf,
                     .context = duckdb_scalar_function_get_state(info),
                     .info = info,
                     .vectors = vectors,
                     .data = data,
                     .validity = validity,
                     .count = duckdb_data_chunk_get_column_count(input),
                     .result = output,
                     .text = &text,
                     .scratch = scratch,
                     .chunk = chunk,
                     .cells = cells};
    if (row.count > NILAS_UDF_MAXIMUM_PARAMETERS || scratch == NULL || chunk == NULL) {
        duckdb_scalar_function_set_error(
            info, scratch == NULL || chunk == NULL ? "out of memory" : "too many arguments");
        return;
    }
    for (size_t i = 0; i < row.count; i++) {
        vectors[i] = duckdb_data_chunk_get_vector(input, i);
        data[i] = duckdb_vector_get_data(vectors[i]);
        validity[i] = duckdb_vector_get_validity(vectors[i]);
    }
    row.result_data = duckdb_vector_get_data(output);
    run_rows(&row, duckdb_data_chunk_get_size(input));
}

/* --- for the functions --- */

int64_t nilas_row__integer(const nilas_row *row, size_t i) {
    switch (row->udf->signature[i]) {
    case 't': return ((const int8_t *)row->data[i])[row->at];
    case 'h': return ((const int16_t *)row->data[i])[row->at];
    case 'i':
    case 'D': return ((const int32_t *)row->data[i])[row->at];
    default: return ((const int64_t *)row->data[i])[row->at];
    }
}

/** What an argument of any type is physically. */
static void find_number(nilas_row *row, size_t i) {
    duckdb_logical_type type = duckdb_vector_get_column_type(row->vectors[i]);
    row->numbers[i].known = true;
    row->numbers[i].type = duckdb_get_type_id(type);
    if (row->numbers[i].type == DUCKDB_TYPE_DECIMAL) {
        row->numbers[i].scale = duckdb_decimal_scale(type);
        row->numbers[i].type = duckdb_decimal_internal_type(type);
    }
    duckdb_destroy_logical_type(&type);
}

nilas_int128 nilas_row__decimal(nilas_row *row, size_t i, uint32_t *out_scale) {
    if (!row->numbers[i].known) {
        find_number(row, i);
    }
    *out_scale = row->numbers[i].scale;
    switch (row->numbers[i].type) {
    case DUCKDB_TYPE_TINYINT: return ((const int8_t *)row->data[i])[row->at];
    case DUCKDB_TYPE_SMALLINT: return ((const int16_t *)row->data[i])[row->at];
    case DUCKDB_TYPE_INTEGER: return nilas_row__int(row, i);
    case DUCKDB_TYPE_BIGINT: return nilas_row__bigint(row, i);
    case DUCKDB_TYPE_HUGEINT: return nilas_row__hugeint(row, i);
    default: nilas_row__fail(row, "", "an argument is not a decimal"); return 0;
    }
}

void nilas_row__set_integer(nilas_row *row, int64_t value) {
    switch (result_letter(row->udf)) {
    case 't': ((int8_t *)row->result_data)[row->at] = (int8_t)value; return;
    case 'h': ((int16_t *)row->result_data)[row->at] = (int16_t)value; return;
    case 'i':
    case 'D': ((int32_t *)row->result_data)[row->at] = (int32_t)value; return;
    default: ((int64_t *)row->result_data)[row->at] = value; return;
    }
}

void nilas_row__set_null(nilas_row *row) {
    duckdb_vector_ensure_validity_writable(row->result);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(row->result), row->at);
}

void nilas_row__set_text(nilas_row *row, nilas_str text) {
    duckdb_vector_assign_string_element_len(row->result, row->at, text.data, text.size);
}

void nilas_row__set_buffer(nilas_row *row) {
    nilas_error err = NILAS_ERROR_INIT;
    if (nilas_buf_check(row->text, &err) != NILAS_OK) {
        nilas_row__fail_with(row, &err);
        return;
    }
    nilas_row__set_text(row, nilas_buf_view(row->text));
}

void nilas_row__refuse_zero(nilas_row *row, bool strict) {
    if (!strict) {
        nilas_row__set_null(row);
        return;
    }
    nilas_row__fail(row, "DIVIDE_BY_ZERO",
                    "Division by zero. Use `try_divide` to tolerate divisor being 0 and return "
                    "NULL instead. If necessary set \"spark.sql.ansi.enabled\" to \"false\" to "
                    "bypass this error.");
}

void nilas_row__set_texts(nilas_row *row, const nilas_str *texts, size_t count) {
    duckdb_list_entry *entries = row->result_data;
    idx_t start = duckdb_list_vector_get_size(row->result);
    if (duckdb_list_vector_reserve(row->result, start + count) != DuckDBSuccess ||
        duckdb_list_vector_set_size(row->result, start + count) != DuckDBSuccess) {
        nilas_row__fail(row, "", "out of memory");
        return;
    }
    duckdb_vector child = duckdb_list_vector_get_child(row->result);
    for (size_t i = 0; i < count; i++) {
        if (texts[i].data == NULL) {
            duckdb_vector_ensure_validity_writable(child);
            duckdb_validity_set_row_invalid(duckdb_vector_get_validity(child), start + i);
        } else {
            duckdb_vector_assign_string_element_len(child, start + i, texts[i].data, texts[i].size);
        }
    }
    entries[row->at] = (duckdb_list_entry){.offset = start, .length = count};
}

bool nilas_row__texts(nilas_row *row, size_t i, nilas_str **out, size_t *out_count) {
    nilas_error err = NILAS_ERROR_INIT;
    const duckdb_list_entry entry = ((const duckdb_list_entry *)row->data[i])[row->at];
    duckdb_vector child = duckdb_list_vector_get_child(row->vectors[i]);
    const duckdb_string_t *strings = duckdb_vector_get_data(child);
    uint64_t *validity = duckdb_vector_get_validity(child);
    void *memory = NULL;
    if (nilas_arena_alloc_array(row->scratch, entry.length, sizeof(nilas_str), &memory, &err) !=
        NILAS_OK) {
        nilas_row__fail_with(row, &err);
        return false;
    }
    nilas_str *texts = memory;
    for (idx_t k = 0; k < entry.length; k++) {
        idx_t at = entry.offset + k;
        bool valid = validity == NULL || ((validity[at / 64] >> (at % 64)) & 1) != 0;
        texts[k] = valid ? nilas_engine__string_at(strings, at) : (nilas_str){0};
    }
    *out = texts;
    *out_count = entry.length;
    return true;
}

void nilas_row__fail(nilas_row *row, const char *condition, const char *format, ...) {
    char message[NILAS_ERROR_MESSAGE_SIZE];
    char whole[NILAS_ERROR_MESSAGE_SIZE + 128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    snprintf(whole, sizeof(whole), "\x01%s\x01%s", condition, message);
    duckdb_scalar_function_set_error(row->info, whole);
    row->failed = true;
}

void nilas_row__fail_with(nilas_row *row, const nilas_error *err) {
    nilas_row__fail(row, err->condition != NULL ? err->condition : "", "%s", err->message);
}
