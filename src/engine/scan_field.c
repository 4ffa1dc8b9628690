/*
 * Table fields found in a file's schema by field id, at every depth, and said in SQL.
 *
 * A column whose names and types are the table's is read as it is. One of other widths is cast. One
 * with renamed, dropped, added or moved members somewhere inside is rebuilt member by member. Files
 * without ids go by the table's name mapping, else by name.
 */
#include "engine/cast.h"
#include "engine/scan_source.h"

typedef enum field_work {
    WORK_NONE,
    WORK_CAST,
    WORK_REBUILD
} field_work; // what a column needs; ordered

/**
 * What finding and printing need; `mapping` is the node of the struct whose members are looked up.
 */
typedef struct field_reader {
    nilas_render *r;
    nilas_arena *stmt;
    nilas_field_match by;
} field_reader;

const nilas_name_mapping *nilas_source__mapping_below(const nilas_name_mapping *mapping,
                                                      int32_t field_id) {
    for (size_t i = 0; mapping != NULL && i < mapping->child_count; i++) {
        if (mapping->children[i].field_id == field_id) {
            return &mapping->children[i];
        }
    }
    return NULL;
}

/** The mapping below a list's or map's field: found by id, as its members are. */
static field_reader below(const field_reader *reader, const nilas_ice_field *field) {
    field_reader inner = *reader;
    inner.by.mapping = nilas_source__mapping_below(reader->by.mapping, field->id);
    return inner;
}

static bool type_holds_id(const nilas_ice_type *type, int32_t field_id) {
    for (size_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].id == field_id || type_holds_id(type->fields[i].type, field_id)) {
            return true;
        }
    }
    return false;
}

/**
 * Some writers give ids to leaves only: a group without one is the field whose descendants it
 * holds.
 */
static bool holds_descendant(const nilas_parquet_node *node, const nilas_ice_type *type) {
    for (size_t i = 0; i < node->child_count; i++) {
        const nilas_parquet_node *child = &node->children[i];
        if ((child->field_id >= 0 && type_holds_id(type, child->field_id)) ||
            holds_descendant(child, type)) {
            return true;
        }
    }
    return false;
}

static const nilas_parquet_node *find_by_id(const nilas_parquet_node *group,
                                            const nilas_ice_field *field) {
    for (size_t i = 0; i < group->child_count; i++) {
        if (group->children[i].field_id == field->id) {
            return &group->children[i];
        }
    }
    for (size_t i = 0; nilas_ice_is_nested(field->type) && i < group->child_count; i++) {
        const nilas_parquet_node *child = &group->children[i];
        if (child->field_id < 0 && holds_descendant(child, field->type)) {
            return child;
        }
    }
    return NULL;
}

static const nilas_parquet_node *find_by_name(const nilas_parquet_node *group, nilas_str name,
                                              bool exact) {
    for (size_t i = 0; i < group->child_count; i++) {
        nilas_str own = group->children[i].name;
        if (exact ? nilas_str_equal(own, name) : nilas_str_equal_nocase(own, name)) {
            return &group->children[i];
        }
    }
    return NULL;
}

static const nilas_parquet_node *find_mapped(const nilas_parquet_node *group,
                                             const nilas_name_mapping *mapping, int32_t field_id) {
    const nilas_name_mapping *entry = nilas_source__mapping_below(mapping, field_id);
    for (size_t i = 0; entry != NULL && i < entry->name_count; i++) {
        const nilas_parquet_node *found = find_by_name(group, entry->names[i], true);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

const nilas_parquet_node *nilas_source__find_member(const nilas_field_match *by,
                                                    const nilas_parquet_node *group,
                                                    const nilas_ice_field *field) {
    if (by->has_ids) {
        return find_by_id(group, field);
    }
    if (by->mapping != NULL) {
        return find_mapped(group, by->mapping, field->id);
    }
    const nilas_parquet_node *found = find_by_name(group, field->name, true);
    return found != NULL ? found : find_by_name(group, field->name, false);
}

/* ---- leaves ---- */

static field_work timestamp_work(const nilas_parquet_node *node, bool is_instant) {
    bool is_int96 = node->kind == NILAS_PARQUET_INT96; // DuckDB gives a timestamp without zone
    if (!is_int96 && node->kind != NILAS_PARQUET_TIMESTAMP) {
        return WORK_CAST;
    }
    if ((!is_int96 && node->is_adjusted) != is_instant) {
        return WORK_REBUILD;
    }
    return node->is_nanos ? WORK_CAST : WORK_NONE;
}

static bool is_int_of(const nilas_parquet_node *node, int32_t width) {
    return node->kind == NILAS_PARQUET_INT && node->width == width && node->is_signed;
}

/** Text and bytes have no cast into each other that keeps the bytes. */
static field_work bytes_work(const nilas_parquet_node *node, nilas_parquet_kind same,
                             nilas_parquet_kind other) {
    return node->kind == same ? WORK_NONE : node->kind == other ? WORK_REBUILD : WORK_CAST;
}

static field_work same_kind_work(const nilas_parquet_node *node, nilas_parquet_kind kind) {
    return node->kind == kind ? WORK_NONE : WORK_CAST;
}

static field_work decimal_work(const nilas_parquet_node *node, const nilas_ice_type *type) {
    bool same = node->precision == type->precision && node->scale == type->scale;
    return node->kind == NILAS_PARQUET_DECIMAL && same ? WORK_NONE : WORK_CAST;
}

static field_work leaf_work(const nilas_parquet_node *node, const nilas_ice_type *type) {
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: return same_kind_work(node, NILAS_PARQUET_BOOLEAN);
    case NILAS_ICE_INT: return is_int_of(node, 32) ? WORK_NONE : WORK_CAST;
    case NILAS_ICE_LONG: return is_int_of(node, 64) ? WORK_NONE : WORK_CAST;
    case NILAS_ICE_FLOAT: return same_kind_work(node, NILAS_PARQUET_FLOAT);
    case NILAS_ICE_DOUBLE: return same_kind_work(node, NILAS_PARQUET_DOUBLE);
    case NILAS_ICE_DECIMAL: return decimal_work(node, type);
    case NILAS_ICE_DATE: return same_kind_work(node, NILAS_PARQUET_DATE);
    case NILAS_ICE_TIME: return same_kind_work(node, NILAS_PARQUET_TIME);
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMP_NS: return timestamp_work(node, false);
    case NILAS_ICE_TIMESTAMPTZ:
    case NILAS_ICE_TIMESTAMPTZ_NS: return timestamp_work(node, true);
    case NILAS_ICE_STRING:
    case NILAS_ICE_UUID: return bytes_work(node, NILAS_PARQUET_STRING, NILAS_PARQUET_BLOB);
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY: return bytes_work(node, NILAS_PARQUET_BLOB, NILAS_PARQUET_STRING);
    default: return WORK_REBUILD;
    }
}

static nilas_code print_cast(const field_reader *reader, nilas_buf *out, const nilas_ice_type *type,
                             nilas_str sql, nilas_error *err) {
    const nilas_type *spark;
    NILAS_TRY(nilas_bind_ice_type(reader->stmt, type, &spark, err));
    nilas_buf_add_text(out, "CAST(");
    nilas_buf_add(out, sql);
    nilas_buf_add_text(out, " AS ");
    nilas_engine__print_type(out, spark);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

/** "f79c3e09-677c-4bbd-a479-3f349cb785e7" of 16 bytes. */
static void print_uuid_text(nilas_buf *out, nilas_str sql) {
    static const int parts[5][2] = {{1, 8}, {9, 4}, {13, 4}, {17, 4}, {21, 12}};
    for (size_t i = 0; i < 5; i++) {
        nilas_buf_add_text(out, i > 0 ? " || '-' || substr(lower(hex(" : "(substr(lower(hex(");
        nilas_buf_add(out, sql);
        nilas_buf_print(out, ")), %d, %d)", parts[i][0], parts[i][1]);
    }
    nilas_buf_add_char(out, ')');
}

static nilas_code print_converted(const field_reader *reader, nilas_buf *out,
                                  const nilas_ice_type *type, nilas_str sql, nilas_error *err) {
    const char *function = NULL;
    switch (type->kind) {
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ:
    case NILAS_ICE_TIMESTAMPTZ_NS: function = "timezone('UTC', "; break;
    case NILAS_ICE_STRING: function = "decode("; break;
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY: function = "encode("; break;
    case NILAS_ICE_UUID: print_uuid_text(out, sql); return NILAS_OK;
    default: break;
    }
    if (type->kind == NILAS_ICE_UNKNOWN) { // holds nothing but null
        const nilas_type *spark;
        nilas_value null = NILAS_NULL_VALUE;
        NILAS_TRY(nilas_bind_ice_type(reader->stmt, type, &spark, err));
        nilas_render__literal(out, spark, &null);
        return NILAS_OK;
    }
    if (function == NULL) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(0);
        nilas_ice_type_print(&name, type);
        return nilas_fail(err, NILAS_UNSUPPORTED, "reading columns of type %.*s is not supported",
                          NILAS_FMT(nilas_buf_view(&name)));
    }
    nilas_buf_add_text(out, function);
    nilas_buf_add(out, sql);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

/* ---- nested ---- */

static field_work field_work_of(const field_reader *reader, const nilas_ice_type *type,
                                const nilas_parquet_node *node);

static field_work worse(field_work a, field_work b) {
    return a > b ? a : b;
}

static field_work struct_work(const field_reader *reader, const nilas_ice_type *type,
                              const nilas_parquet_node *node) {
    field_work work = WORK_NONE;
    if (node->kind != NILAS_PARQUET_STRUCT || node->child_count != type->field_count) {
        return WORK_REBUILD;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        if (nilas_source__find_member(&reader->by, node, field) != &node->children[i] ||
            !nilas_str_equal(field->name, node->children[i].name)) {
            return WORK_REBUILD;
        }
        field_reader inner = below(reader, field);
        work = worse(work, field_work_of(&inner, field->type, &node->children[i]));
    }
    return work;
}

static field_work field_work_of(const field_reader *reader, const nilas_ice_type *type,
                                const nilas_parquet_node *node) {
    if (type->kind == NILAS_ICE_STRUCT) {
        return struct_work(reader, type, node);
    }
    if (!nilas_ice_is_nested(type)) {
        return leaf_work(node, type);
    }
    nilas_parquet_kind wanted =
        type->kind == NILAS_ICE_LIST ? NILAS_PARQUET_LIST : NILAS_PARQUET_MAP;
    if (node->kind != wanted || node->child_count != type->field_count) {
        return WORK_REBUILD;
    }
    field_work work = WORK_NONE;
    for (size_t i = 0; i < type->field_count; i++) {
        field_reader inner = below(reader, &type->fields[i]);
        work = worse(work, field_work_of(&inner, type->fields[i].type, &node->children[i]));
    }
    return work;
}

static nilas_code print_value(const field_reader *reader, nilas_buf *out,
                              const nilas_ice_type *type, const nilas_parquet_node *node,
                              nilas_str sql, nilas_error *err);

/** One member of a struct: "struct_extract_at(s, 2)" worked on, or its default. */
static nilas_code print_member(const field_reader *reader, nilas_buf *out,
                               const nilas_ice_field *field, const nilas_parquet_node *node,
                               nilas_str sql, nilas_error *err) {
    const nilas_parquet_node *child = nilas_source__find_member(&reader->by, node, field);
    if (child == NULL) {
        return nilas_source__print_default(reader->stmt, out, field, err);
    }
    nilas_str member;
    field_reader inner = below(reader, field);
    NILAS_TRY(nilas_str_print(reader->stmt, &member, err, "struct_extract_at(%.*s, %d)",
                              NILAS_FMT(sql), (int)(child - node->children) + 1));
    return print_value(&inner, out, field->type, child, member, err);
}

static nilas_code print_struct(const field_reader *reader, nilas_buf *out,
                               const nilas_ice_type *type, const nilas_parquet_node *node,
                               nilas_str sql, nilas_error *err) {
    nilas_buf_print(out, "CASE WHEN %.*s IS NULL THEN NULL ELSE struct_pack(", NILAS_FMT(sql));
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_render__identifier(out, type->fields[i].name);
        nilas_buf_add_text(out, " := ");
        NILAS_TRY(print_member(reader, out, &type->fields[i], node, sql, err));
    }
    nilas_buf_add_text(out, ") END");
    return NILAS_OK;
}

static nilas_code print_list(const field_reader *reader, nilas_buf *out, const nilas_ice_type *type,
                             const nilas_parquet_node *node, nilas_str sql, nilas_error *err) {
    nilas_str element;
    field_reader inner = below(reader, &type->fields[0]);
    NILAS_TRY(nilas_str_print(reader->stmt, &element, err, "e%d", nilas_render__number(reader->r)));
    nilas_buf_print(out, "list_transform(%.*s, lambda %s: ", NILAS_FMT(sql), element.data);
    NILAS_TRY(print_value(&inner, out, type->fields[0].type, &node->children[0], element, err));
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code print_map(const field_reader *reader, nilas_buf *out, const nilas_ice_type *type,
                            const nilas_parquet_node *node, nilas_str sql, nilas_error *err) {
    int32_t number = nilas_render__number(reader->r);
    nilas_buf_print(
        out, "map_from_entries(list_transform(map_entries(%.*s), lambda e%d: struct_pack(k := ",
        NILAS_FMT(sql), number);
    for (size_t i = 0; i < 2; i++) {
        nilas_str part;
        field_reader inner = below(reader, &type->fields[i]);
        NILAS_TRY(nilas_str_print(reader->stmt, &part, err, "struct_extract_at(e%d, %zu)", number,
                                  i + 1));
        NILAS_TRY(print_value(&inner, out, type->fields[i].type, &node->children[i], part, err));
        nilas_buf_add_text(out, i == 0 ? ", v := " : ")))");
    }
    return NILAS_OK;
}

/** Old writers' lists of a struct with one member: DuckDB drops the struct, the table has it. */
static nilas_code print_single_member(const field_reader *reader, nilas_buf *out,
                                      const nilas_ice_type *type, const nilas_parquet_node *node,
                                      nilas_str sql, nilas_error *err) {
    const nilas_ice_field *field = &type->fields[0];
    field_reader inner = below(reader, field);
    nilas_buf_add_text(out, "struct_pack(");
    nilas_render__identifier(out, field->name);
    nilas_buf_add_text(out, " := ");
    NILAS_TRY(print_value(&inner, out, field->type, node, sql, err));
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code print_nested(const field_reader *reader, nilas_buf *out,
                               const nilas_ice_type *type, const nilas_parquet_node *node,
                               nilas_str sql, nilas_error *err) {
    if (type->kind == NILAS_ICE_STRUCT && node->kind == NILAS_PARQUET_STRUCT) {
        return print_struct(reader, out, type, node, sql, err);
    }
    if (type->kind == NILAS_ICE_STRUCT && type->field_count == 1) {
        return print_single_member(reader, out, type, node, sql, err);
    }
    if (type->kind == NILAS_ICE_LIST && node->kind == NILAS_PARQUET_LIST) {
        return print_list(reader, out, type, node, sql, err);
    }
    if (type->kind == NILAS_ICE_MAP && node->kind == NILAS_PARQUET_MAP) {
        return print_map(reader, out, type, node, sql, err);
    }
    return nilas_fail(err, NILAS_CORRUPT,
                      "column \"%.*s\" of a data file has another shape than in the table",
                      NILAS_FMT(node->name));
}

static nilas_code print_value(const field_reader *reader, nilas_buf *out,
                              const nilas_ice_type *type, const nilas_parquet_node *node,
                              nilas_str sql, nilas_error *err) {
    switch (field_work_of(reader, type, node)) {
    case WORK_NONE: nilas_buf_add(out, sql); return NILAS_OK;
    case WORK_CAST: return print_cast(reader, out, type, sql, err);
    default: break;
    }
    return nilas_ice_is_nested(type) ? print_nested(reader, out, type, node, sql, err)
                                     : print_converted(reader, out, type, sql, err);
}

/* ---- entry points ---- */

static field_reader reader_of(const nilas_scan_source *s, const nilas_scan_group *group) {
    return (field_reader){.r = s->r,
                          .stmt = s->stmt,
                          .by = {.has_ids = group->schema.has_ids, .mapping = s->mapping}};
}

const nilas_parquet_node *nilas_source__find_column(const nilas_scan_source *s,
                                                    const nilas_scan_group *group,
                                                    const nilas_ice_field *field,
                                                    size_t *out_index) {
    nilas_assert(!group->is_avro);
    field_reader reader = reader_of(s, group);
    const nilas_parquet_node *node =
        nilas_source__find_member(&reader.by, &group->schema.root, field);
    if (node != NULL) {
        *out_index = (size_t)(node - group->schema.root.children);
    }
    return node;
}

nilas_code nilas_source__print_field(const nilas_scan_source *s, nilas_buf *out,
                                     const nilas_scan_group *group, const nilas_ice_field *field,
                                     size_t index, nilas_error *err) {
    field_reader reader = reader_of(s, group);
    field_reader inner = below(&reader, field);
    nilas_str sql;
    NILAS_TRY(nilas_str_print(s->stmt, &sql, err, "k%zu", index));
    return print_value(&inner, out, field->type, &group->schema.root.children[index], sql, err);
}
