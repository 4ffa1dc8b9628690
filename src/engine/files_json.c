/*
 * Spark's JSON inference on top of DuckDB's json_group_structure(), which merges the shapes of all
 * records: members sorted by name, whole numbers bigint, what does not agree string.
 */
#include <stdlib.h>

#include "engine/files_memo.h"

typedef struct json_types {
    nilas_arena *arena;
    bool primitives_as_string;
} json_types;

static nilas_code type_of_structure(const json_types *t, const nilas_json *structure,
                                    const nilas_type **out, nilas_error *err);

static int compare_fields(const void *a, const void *b) {
    return nilas_str_compare(((const nilas_type_field *)a)->name,
                             ((const nilas_type_field *)b)->name);
}

static const nilas_type *scalar_type(const json_types *t, nilas_str word) {
    if (t->primitives_as_string) {
        return nilas_type_of(NILAS_TYPE_STRING);
    }
    if (nilas_str_is(word, "UBIGINT") || nilas_str_is(word, "BIGINT") ||
        nilas_str_is(word, "HUGEINT")) {
        return nilas_type_of(NILAS_TYPE_BIGINT);
    }
    if (nilas_str_is(word, "DOUBLE")) {
        return nilas_type_of(NILAS_TYPE_DOUBLE);
    }
    return nilas_type_of(nilas_str_is(word, "BOOLEAN") ? NILAS_TYPE_BOOLEAN : NILAS_TYPE_STRING);
}

static nilas_code struct_of_structure(const json_types *t, const nilas_json *structure,
                                      const nilas_type **out, nilas_error *err) {
    nilas_type_field *fields;
    size_t count = 0;
    NILAS_NEW_ARRAY(t->arena, &fields, structure->count, err);
    for (size_t i = 0; i < structure->count; i++) {
        fields[count] = (nilas_type_field){.nullable = true};
        NILAS_TRY(nilas_str_copy(t->arena, structure->names[i], &fields[count].name, err));
        NILAS_TRY(type_of_structure(t, &structure->items[i], &fields[count].type, err));
        count += fields[count].type != NULL ? 1 : 0;
    }
    if (count == 0) { // an object that never had a member is left out, as Spark does
        *out = NULL;
        return NILAS_OK;
    }
    qsort(fields, count, sizeof(*fields), compare_fields);
    return nilas_type_struct(t->arena, fields, count, out, err);
}

/** NULL in *out: nothing is known but that it is an empty object. */
static nilas_code type_of_structure(const json_types *t, const nilas_json *structure,
                                    const nilas_type **out, nilas_error *err) {
    if (structure->kind == NILAS_JSON_OBJECT) {
        return struct_of_structure(t, structure, out, err);
    }
    if (structure->kind == NILAS_JSON_ARRAY) {
        const nilas_type *element = nilas_type_of(NILAS_TYPE_STRING);
        if (structure->count > 0) {
            NILAS_TRY(type_of_structure(t, &structure->items[0], &element, err));
        }
        if (element == NULL) {
            *out = NULL;
            return NILAS_OK;
        }
        return nilas_type_array(t->arena, element, true, out, err);
    }
    NILAS_REQUIRE(structure->kind == NILAS_JSON_STRING, err, NILAS_ENGINE,
                  "DuckDB told an unknown JSON structure");
    *out = scalar_type(t, structure->text);
    return NILAS_OK;
}

/** Asked of all records, unless it is known from the last time. */
static nilas_code ask_structure(nilas_job *job, nilas_arena *arena, nilas_str sql,
                                const nilas_file_source *source, nilas_str *out, nilas_error *err) {
    nilas_str key;
    bool is_known;
    NILAS_TRY(nilas_files__memo_key(arena, sql, source, &key, err));
    NILAS_TRY(nilas_files__memo_find(arena, key, &is_known, out, err));
    if (!is_known) {
        NILAS_TRY(nilas_files__query_text(job, arena, sql, out, err));
        nilas_files__memo_keep(key, *out);
    }
    return NILAS_OK;
}

nilas_code nilas_files__infer_json(nilas_job *job, nilas_arena *arena, const nilas_file_scan *scan,
                                   const nilas_file_source *source, const nilas_type **out,
                                   nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    bool multi_line = nilas_files__flag(scan, "multiLine", false);
    nilas_buf_add_text(
        &sql, "SELECT CAST(json_group_structure(json) AS VARCHAR) FROM read_json_objects(");
    nilas_files__print_list(&sql, source);
    nilas_buf_add_text(&sql, multi_line ? ", format = 'auto'"
                                        : ", format = 'newline_delimited', ignore_errors = true");
    nilas_buf_add_text(&sql, ", maximum_object_size = 268435456) WHERE json_type(json) = 'OBJECT'");
    nilas_str text;
    nilas_str structure_text;
    nilas_json structure;
    json_types t = {.arena = arena,
                    .primitives_as_string = nilas_files__flag(scan, "primitivesAsString", false)};
    NILAS_TRY(nilas_buf_finish(&sql, arena, &text, err));
    NILAS_TRY(ask_structure(job, arena, text, source, &structure_text, err));
    *out = NULL;
    if (structure_text.data != NULL) {
        NILAS_TRY(nilas_json_parse(arena, structure_text, "the structure of JSON files", &structure,
                                   err));
        NILAS_TRY(type_of_structure(&t, &structure, out, err));
    }
    if (*out == NULL) {
        return nilas_type_struct(arena, NULL, 0, out, err);
    }
    NILAS_REQUIRE((*out)->kind == NILAS_TYPE_STRUCT, err, NILAS_CORRUPT,
                  "the records of \"%.*s\" are not JSON objects", NILAS_FMT(source->files[0]));
    return NILAS_OK;
}
