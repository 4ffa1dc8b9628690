/*
 * Parquet footers: the last eight bytes give the length, the schema is the second member of the
 * Thrift struct, so a part of the footer is enough. The tree is then shaped as DuckDB shapes it:
 * lists and maps in their several spellings.
 */
#include "engine/parquet_footer.h"
#include "engine/thrift.h"

#define TAIL_BYTES         (16 << 10)
#define FOOTER_LIMIT_BYTES (256LL << 20)
#define SCHEMA_LIMIT       100000 // elements; a table of as many columns has long stopped being one

enum {
    CONVERTED_UTF8 = 0,
    CONVERTED_MAP,
    CONVERTED_MAP_KEY_VALUE,
    CONVERTED_LIST,
    CONVERTED_ENUM,
    CONVERTED_DECIMAL,
    CONVERTED_DATE,
    CONVERTED_TIME_MILLIS,
    CONVERTED_TIME_MICROS,
    CONVERTED_TIMESTAMP_MILLIS,
    CONVERTED_TIMESTAMP_MICROS,
    CONVERTED_UINT_8,
    CONVERTED_UINT_16,
    CONVERTED_UINT_32,
    CONVERTED_UINT_64,
    CONVERTED_INT_8,
    CONVERTED_INT_16,
    CONVERTED_INT_32,
    CONVERTED_INT_64,
    CONVERTED_JSON,
    CONVERTED_BSON,
    CONVERTED_INTERVAL
};
enum {
    LOGICAL_NONE = 0,
    LOGICAL_STRING,
    LOGICAL_MAP,
    LOGICAL_LIST,
    LOGICAL_ENUM,
    LOGICAL_DECIMAL,
    LOGICAL_DATE,
    LOGICAL_TIME,
    LOGICAL_TIMESTAMP,
    LOGICAL_INTEGER = 10,
    LOGICAL_UNKNOWN,
    LOGICAL_JSON,
    LOGICAL_BSON,
    LOGICAL_UUID,
    LOGICAL_FLOAT16
};
enum { REPETITION_REPEATED = 2 };

typedef struct schema_element {
    nilas_str name;
    int32_t physical, repetition, child_count, converted, scale, precision, field_id,
        logical; // -1: absent (logical: 0)
    int32_t logical_precision, logical_scale, logical_width;
    bool logical_adjusted, logical_nanos, logical_millis, logical_signed;
} schema_element;

/** TimeUnit: a union of empty structs: 1 milliseconds, 2 microseconds, 3 nanoseconds. */
static int32_t read_unit(nilas_thrift *t) {
    int32_t field = 0;
    int32_t unit = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        unit = field;
        nilas_thrift__skip(t, type);
    }
    return unit;
}

static void read_decimal_member(nilas_thrift *t, int type, int32_t field, schema_element *element) {
    if (type == NILAS_THRIFT_I32) {
        *(field == 1 ? &element->logical_scale : &element->logical_precision) =
            nilas_thrift__i32(t);
    } else {
        nilas_thrift__skip(t, type);
    }
}

static void read_integer_member(nilas_thrift *t, int type, schema_element *element) {
    if (type == NILAS_THRIFT_BYTE && t->at < t->end) {
        element->logical_width = *t->at++;
    } else {
        element->logical_signed = type == NILAS_THRIFT_TRUE;
        nilas_thrift__skip(t, type);
    }
}

static void read_time_member(nilas_thrift *t, int type, schema_element *element) {
    if (type == NILAS_THRIFT_STRUCT) {
        int32_t unit = read_unit(t);
        element->logical_nanos = unit == 3;
        element->logical_millis = unit == 1;
    } else {
        element->logical_adjusted = type == NILAS_THRIFT_TRUE;
        nilas_thrift__skip(t, type);
    }
}

/** The struct of one logical type: decimals, times and integers have members. */
static void read_logical_members(nilas_thrift *t, schema_element *element) {
    int32_t field = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        switch (element->logical) {
        case LOGICAL_DECIMAL: read_decimal_member(t, type, field, element); break;
        case LOGICAL_INTEGER: read_integer_member(t, type, element); break;
        case LOGICAL_TIME:
        case LOGICAL_TIMESTAMP: read_time_member(t, type, element); break;
        default: nilas_thrift__skip(t, type); break;
        }
    }
}

static void read_logical(nilas_thrift *t, schema_element *element) {
    int32_t field = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        element->logical = field;
        if (type == NILAS_THRIFT_STRUCT) {
            read_logical_members(t, element);
        } else {
            nilas_thrift__skip(t, type);
        }
    }
}

static void read_element(nilas_thrift *t, schema_element *element) {
    *element = (schema_element){.physical = -1,
                                .repetition = -1,
                                .converted = -1,
                                .field_id = -1,
                                .scale = 0,
                                .precision = 0};
    int32_t field = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        int32_t *number = field == 1   ? &element->physical
                          : field == 3 ? &element->repetition
                          : field == 5 ? &element->child_count
                          : field == 6 ? &element->converted
                          : field == 7 ? &element->scale
                          : field == 8 ? &element->precision
                          : field == 9 ? &element->field_id
                                       : NULL;
        if (number != NULL && type == NILAS_THRIFT_I32) {
            *number = nilas_thrift__i32(t);
        } else if (field == 4 && type == NILAS_THRIFT_BINARY) {
            element->name = nilas_thrift__binary(t);
        } else if (field == 10 && type == NILAS_THRIFT_STRUCT) {
            read_logical(t, element);
        } else {
            nilas_thrift__skip(t, type);
        }
    }
}

/** FileMetaData up to and with its schema. */
static nilas_code read_elements(nilas_arena *arena, nilas_thrift *t, schema_element **out,
                                size_t *out_count, nilas_error *err) {
    int32_t field = 0;
    *out = NULL;
    *out_count = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        if (field != 2 || type != NILAS_THRIFT_LIST) {
            nilas_thrift__skip(t, type);
            continue;
        }
        int item_type = 0;
        size_t count = nilas_thrift__list(t, &item_type);
        if (t->failed || item_type != NILAS_THRIFT_STRUCT || count == 0 || count > SCHEMA_LIMIT) {
            t->failed = true;
            return NILAS_OK;
        }
        NILAS_NEW_ARRAY(arena, out, count, err);
        for (size_t i = 0; i < count && !t->failed; i++) {
            read_element(t, &(*out)[i]);
        }
        *out_count = count;
        return NILAS_OK;
    }
    t->failed = true;
    return NILAS_OK;
}

/* ---- the tree, as DuckDB shapes it ---- */

typedef struct tree_builder {
    nilas_arena *arena;
    const schema_element *elements;
    size_t count, next, leaf_count;
    bool failed, has_ids;
} tree_builder;

static void set_int(nilas_parquet_node *node, int32_t width, bool is_signed) {
    node->kind = NILAS_PARQUET_INT;
    node->width = width;
    node->is_signed = is_signed;
}

static bool derive_from_logical(nilas_parquet_node *node, const schema_element *e) {
    switch (e->logical) {
    case LOGICAL_STRING:
    case LOGICAL_ENUM:
    case LOGICAL_JSON: node->kind = NILAS_PARQUET_STRING; return true;
    case LOGICAL_DECIMAL:
        node->kind = NILAS_PARQUET_DECIMAL;
        node->precision = e->logical_precision;
        node->scale = e->logical_scale;
        return true;
    case LOGICAL_DATE: node->kind = NILAS_PARQUET_DATE; return true;
    case LOGICAL_TIME: node->kind = NILAS_PARQUET_TIME; return true;
    case LOGICAL_TIMESTAMP:
        node->kind = NILAS_PARQUET_TIMESTAMP;
        node->is_adjusted = e->logical_adjusted;
        node->is_nanos = e->logical_nanos;
        node->is_millis = e->logical_millis;
        return true;
    case LOGICAL_INTEGER: set_int(node, e->logical_width, e->logical_signed); return true;
    case LOGICAL_UUID: node->kind = NILAS_PARQUET_UUID; return true;
    case LOGICAL_NONE: return false;
    default: node->kind = NILAS_PARQUET_OTHER; return true;
    }
}

static bool derive_from_converted(nilas_parquet_node *node, const schema_element *e) {
    switch (e->converted) {
    case CONVERTED_UTF8:
    case CONVERTED_ENUM:
    case CONVERTED_JSON: node->kind = NILAS_PARQUET_STRING; return true;
    case CONVERTED_DECIMAL:
        node->kind = NILAS_PARQUET_DECIMAL;
        node->precision = e->precision;
        node->scale = e->scale;
        return true;
    case CONVERTED_DATE: node->kind = NILAS_PARQUET_DATE; return true;
    case CONVERTED_TIME_MILLIS:
    case CONVERTED_TIME_MICROS: node->kind = NILAS_PARQUET_TIME; return true;
    case CONVERTED_TIMESTAMP_MILLIS:
    // the converted types are instants by definition; DuckDB shows them without zone
    case CONVERTED_TIMESTAMP_MICROS:
        node->kind = NILAS_PARQUET_TIMESTAMP;
        node->is_millis = e->converted == CONVERTED_TIMESTAMP_MILLIS;
        return true;
    case -1: return false;
    default: break;
    }
    if (e->converted >= CONVERTED_UINT_8 && e->converted <= CONVERTED_INT_64) {
        set_int(node, 8 << ((e->converted - CONVERTED_UINT_8) % 4),
                e->converted >= CONVERTED_INT_8);
        return true;
    }
    node->kind = NILAS_PARQUET_OTHER;
    return true;
}

static void derive_leaf(nilas_parquet_node *node, const schema_element *e) {
    if (derive_from_logical(node, e) || derive_from_converted(node, e)) {
        return;
    }
    switch (e->physical) {
    case NILAS_PARQUET_PHYSICAL_BOOLEAN: node->kind = NILAS_PARQUET_BOOLEAN; break;
    case NILAS_PARQUET_PHYSICAL_INT32: set_int(node, 32, true); break;
    case NILAS_PARQUET_PHYSICAL_INT64: set_int(node, 64, true); break;
    case NILAS_PARQUET_PHYSICAL_INT96: node->kind = NILAS_PARQUET_INT96; break;
    case NILAS_PARQUET_PHYSICAL_FLOAT: node->kind = NILAS_PARQUET_FLOAT; break;
    case NILAS_PARQUET_PHYSICAL_DOUBLE: node->kind = NILAS_PARQUET_DOUBLE; break;
    default: node->kind = NILAS_PARQUET_BLOB; break;
    }
}

static nilas_code build_node(tree_builder *b, nilas_parquet_node *out, const schema_element *parent,
                             int depth, nilas_error *err);

/**
 * Wrap what was built into a list, for a repeated node. The element keeps the field id of the
 * repeated node.
 */
static nilas_code wrap_list(tree_builder *b, nilas_parquet_node *node, nilas_error *err) {
    nilas_parquet_node *element;
    NILAS_NEW(b->arena, &element, err);
    *element = *node;
    *node = (nilas_parquet_node){.kind = NILAS_PARQUET_LIST,
                                 .name = element->name,
                                 .field_id = element->field_id,
                                 .leaf = -1,
                                 .children = element,
                                 .child_count = 1};
    return NILAS_OK;
}

static bool marks_list(const schema_element *e) {
    return e->converted == CONVERTED_LIST || e->logical == LOGICAL_LIST;
}

static bool marks_map(const schema_element *e) {
    return e->converted == CONVERTED_MAP || e->logical == LOGICAL_MAP;
}

static bool marks_entry(const schema_element *e, const schema_element *parent) {
    return e->converted == CONVERTED_MAP_KEY_VALUE ||
           (parent != NULL && marks_map(parent) && parent->child_count == 1);
}

/** Decide what a group is, its children being built. */
static nilas_code shape_group(tree_builder *b, nilas_parquet_node *out, const schema_element *e,
                              bool is_entry, nilas_error *err) {
    bool is_repeated = e->repetition == REPETITION_REPEATED;
    bool is_wrapped = marks_list(e) || marks_map(e);
    if (is_entry && out->child_count == 2) {
        out->kind = NILAS_PARQUET_MAP;
        return NILAS_OK;
    }
    if (out->child_count == 1 && (is_wrapped || is_repeated)) {
        // a wrapper of one: its child takes its place, and in a list or map its name and id
        nilas_str name = out->name;
        int32_t field_id = is_wrapped ? out->field_id : out->children[0].field_id;
        *out = out->children[0];
        out->name = name;
        out->field_id = field_id;
    } else {
        out->kind = NILAS_PARQUET_STRUCT;
    }
    return is_repeated ? wrap_list(b, out, err) : NILAS_OK;
}

static nilas_code build_group(tree_builder *b, nilas_parquet_node *out, const schema_element *e,
                              const schema_element *parent, int depth, nilas_error *err) {
    out->child_count = (size_t)e->child_count;
    NILAS_NEW_ARRAY(b->arena, &out->children, out->child_count, err);
    for (size_t i = 0; i < out->child_count && !b->failed; i++) {
        NILAS_TRY(build_node(b, &out->children[i], e, depth + 1, err));
    }
    return b->failed ? NILAS_OK : shape_group(b, out, e, marks_entry(e, parent), err);
}

static nilas_code build_node(tree_builder *b, nilas_parquet_node *out, const schema_element *parent,
                             int depth, nilas_error *err) {
    if (b->next >= b->count || depth > NILAS_LIMIT_TYPE_DEPTH * 3) {
        b->failed = true;
        return NILAS_OK;
    }
    const schema_element *e = &b->elements[b->next++];
    if (e->child_count < 0 || (size_t)e->child_count > b->count - b->next) {
        b->failed = true;
        return NILAS_OK;
    }
    b->has_ids = b->has_ids || (parent != NULL && e->field_id >= 0);
    NILAS_TRY(nilas_str_copy(b->arena, e->name, &out->name, err));
    out->field_id = e->field_id;
    out->leaf = -1;
    if (e->child_count > 0 || parent == NULL) {
        return build_group(b, out, e, parent, depth, err);
    }
    derive_leaf(out, e);
    out->physical = e->physical;
    out->leaf = (int32_t)b->leaf_count++;
    return e->repetition == REPETITION_REPEATED ? wrap_list(b, out, err) : NILAS_OK;
}

static void print_signature(nilas_buf *out, const nilas_parquet_node *node) {
    nilas_buf_print(out, "%d:%zu:", node->kind, node->name.size);
    nilas_buf_add(out, node->name);
    nilas_buf_print(out, ":%d:%d:%d:%d:%d(", node->field_id, node->width, node->precision,
                    node->scale, node->is_signed + 2 * node->is_adjusted + 4 * node->is_nanos);
    for (size_t i = 0; i < node->child_count; i++) {
        print_signature(out, &node->children[i]);
    }
    nilas_buf_add_char(out, ')');
}

nilas_code nilas_parquet__parse_schema(nilas_arena *arena, nilas_str footer, nilas_str location,
                                       nilas_parquet_schema *out, nilas_error *err) {
    nilas_thrift t = {.at = (const unsigned char *)footer.data,
                      .end = (const unsigned char *)footer.data + footer.size};
    schema_element *elements = NULL;
    size_t count = 0;
    NILAS_TRY(read_elements(arena, &t, &elements, &count, err));
    NILAS_REQUIRE(!t.failed, err, NILAS_CORRUPT, "the footer of Parquet file \"%.*s\" is broken",
                  NILAS_FMT(location));
    tree_builder b = {.arena = arena, .elements = elements, .count = count};
    nilas_parquet_schema schema = {0};
    NILAS_TRY(build_node(&b, &schema.root, NULL, 0, err));
    NILAS_REQUIRE(!b.failed, err, NILAS_CORRUPT, "the schema of Parquet file \"%.*s\" is broken",
                  NILAS_FMT(location));
    schema.root.kind = NILAS_PARQUET_STRUCT;
    schema.root.name = NILAS_STR_EMPTY; // writers name it differently
    schema.has_ids = b.has_ids;
    schema.leaf_count = b.leaf_count;
    NILAS_AUTO_BUF signature = NILAS_BUF_INIT(0);
    print_signature(&signature, &schema.root);
    NILAS_TRY(nilas_buf_finish(&signature, arena, &schema.signature, err));
    *out = schema;
    return NILAS_OK;
}

static nilas_code copy_node(nilas_arena *arena, const nilas_parquet_node *node,
                            nilas_parquet_node *out, nilas_error *err) {
    nilas_parquet_node copy = *node;
    NILAS_TRY(nilas_str_copy(arena, node->name, &copy.name, err));
    NILAS_NEW_ARRAY(arena, &copy.children, node->child_count, err);
    for (size_t i = 0; i < node->child_count; i++) {
        NILAS_TRY(copy_node(arena, &node->children[i], &copy.children[i], err));
    }
    *out = copy;
    return NILAS_OK;
}

nilas_code nilas_parquet__copy_schema(nilas_arena *arena, const nilas_parquet_schema *schema,
                                      nilas_parquet_schema *out, nilas_error *err) {
    nilas_parquet_schema copy = *schema;
    NILAS_TRY(copy_node(arena, &schema->root, &copy.root, err));
    NILAS_TRY(nilas_str_copy(arena, schema->signature, &copy.signature, err));
    *out = copy;
    return NILAS_OK;
}

static uint32_t read_le32(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/** The file's tail and its size; the size in the manifest is tried first, since it saves asking. */
static nilas_code read_tail(nilas_io *io, nilas_arena *arena, nilas_str location, int64_t *size,
                            nilas_str *out, nilas_error *err) {
    nilas_io_stat stat;
    NILAS_TRY(nilas_io_stat_file(io, location, &stat, err));
    *size = stat.size_bytes;
    NILAS_REQUIRE(*size >= 12, err, NILAS_CORRUPT,
                  "\"%.*s\" is not a Parquet file: it has %lld bytes", NILAS_FMT(location),
                  (long long)*size);
    size_t tail = *size < TAIL_BYTES ? (size_t)*size : TAIL_BYTES;
    return nilas_io_read_range(io, arena, location, *size - (int64_t)tail, tail, out, err);
}

nilas_code nilas_parquet__read_footer(nilas_io *io, nilas_arena *arena, nilas_str location,
                                      nilas_str *out, nilas_error *err) {
    int64_t size = 0;
    nilas_str tail;
    NILAS_TRY(read_tail(io, arena, location, &size, &tail, err));
    const char *end = tail.data + tail.size;
    NILAS_REQUIRE(memcmp(end - 4, "PARE", 4) != 0, err, NILAS_UNSUPPORTED,
                  "Parquet file \"%.*s\" is encrypted", NILAS_FMT(location));
    NILAS_REQUIRE(memcmp(end - 4, "PAR1", 4) == 0, err, NILAS_CORRUPT,
                  "\"%.*s\" is not a Parquet file: it does not end with PAR1", NILAS_FMT(location));
    int64_t footer_size = read_le32(end - 8);
    NILAS_REQUIRE(footer_size <= size - 8 && footer_size <= FOOTER_LIMIT_BYTES, err, NILAS_CORRUPT,
                  "Parquet file \"%.*s\" has %lld bytes but a footer of %lld", NILAS_FMT(location),
                  (long long)size, (long long)footer_size);
    if ((size_t)footer_size + 8 <= tail.size) {
        *out = (nilas_str){.data = end - 8 - footer_size, .size = (size_t)footer_size};
        return NILAS_OK;
    }
    return nilas_io_read_range(io, arena, location, size - 8 - footer_size, (size_t)footer_size,
                               out, err);
}

nilas_code nilas_parquet__read_schema(nilas_io *io, nilas_arena *arena, nilas_str location,
                                      int64_t size_hint, nilas_parquet_schema *out,
                                      nilas_error *err) {
    (void)size_hint; // for stores where asking for the size costs a round trip
    nilas_str footer;
    NILAS_TRY(nilas_parquet__read_footer(io, arena, location, &footer, err));
    return nilas_parquet__parse_schema(arena, footer, location, out, err);
}
