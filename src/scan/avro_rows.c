/*
 * Rows of an Avro data or delete file, in the shape that the caller asks for.
 *
 * The fields are resolved against the file's schema once, by id; by name mapping, else by name,
 * when the file has no ids. The codec decodes what is wanted; what remains is done here on each
 * row: defaults of absent fields, promoted types and positions. Spec: iceberg#column-projection,
 * iceberg#schema-evolution.
 */
#include "scan/rows.h"

#include "codec/codec.h"

typedef struct wanted_column wanted_column;
struct wanted_column { // a wanted field, resolved against the file
    const nilas_ice_field *field;
    const nilas_value *fallback; // of an absent field; NULL: null
    bool absent;
    bool is_position;
    bool needs_work;         // this or something below differs from what the codec gives
    int64_t scale_up;        // a date as timestamp: days times this; else 0
    wanted_column *children; // as type->fields
};

typedef struct resolving {
    nilas_arena *arena;
    nilas_str location;
    const nilas_name_mapping *mapping; // of the level being resolved; NULL: match by name
    bool has_ids;
} resolving;

typedef struct avro_rows {
    nilas_rows rows;
    nilas_ice_type type;
    wanted_column *columns;
    nilas_avro_file *file;
    nilas_avro_plan *plan;
    bool as_decoded; // the codec's value is the row
    int64_t position;
} avro_rows;

// ---- resolving ----------------------------------------------------------------------------------

/** The value branch of an option; other unions stay as they are. */
static const nilas_avro_schema *strip_option(const nilas_avro_schema *schema) {
    if (schema->kind == NILAS_AVRO_UNION && schema->field_count == 2) {
        for (size_t i = 0; i < 2; i++) {
            if (schema->fields[i].schema->kind == NILAS_AVRO_NULL) {
                return schema->fields[1 - i].schema;
            }
        }
    }
    return schema;
}

static bool is_record_map(const nilas_avro_schema *schema) {
    return schema->kind == NILAS_AVRO_ARRAY && nilas_str_is(schema->logical_type, "map") &&
           schema->fields[0].schema->kind == NILAS_AVRO_RECORD;
}

/** Whether any field of the schema carries an id. Recursive types are not Iceberg's and end at the
 * depth limit. */
static bool has_ids(const nilas_avro_schema *schema, int depth) {
    if (schema->element_id >= 0 || schema->key_id >= 0 || schema->value_id >= 0) {
        return true;
    }
    for (size_t i = 0; i < schema->field_count && depth < NILAS_LIMIT_AVRO_DEPTH; i++) {
        if (schema->fields[i].field_id >= 0 || has_ids(schema->fields[i].schema, depth + 1)) {
            return true;
        }
    }
    return false;
}

static bool is_date(const nilas_avro_schema *schema) {
    return schema->kind == NILAS_AVRO_INT && nilas_str_is(schema->logical_type, "date");
}

static bool is_decimal(const nilas_avro_schema *schema) {
    return (schema->kind == NILAS_AVRO_BYTES || schema->kind == NILAS_AVRO_FIXED) &&
           nilas_str_is(schema->logical_type, "decimal");
}

/** Whether a value of the file can be read as the type, promotions of the specification included.
 */
static bool can_read(const nilas_ice_type *type, const nilas_avro_schema *schema) {
    nilas_avro_kind kind = schema->kind;

    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: return kind == NILAS_AVRO_BOOLEAN;
    case NILAS_ICE_INT:
    case NILAS_ICE_DATE: return kind == NILAS_AVRO_INT;
    case NILAS_ICE_LONG: return kind == NILAS_AVRO_INT || kind == NILAS_AVRO_LONG;
    case NILAS_ICE_FLOAT: return kind == NILAS_AVRO_FLOAT;
    case NILAS_ICE_DOUBLE: return kind == NILAS_AVRO_FLOAT || kind == NILAS_AVRO_DOUBLE;
    case NILAS_ICE_DECIMAL: return is_decimal(schema) && schema->scale == type->scale;
    case NILAS_ICE_TIME: return kind == NILAS_AVRO_LONG || kind == NILAS_AVRO_INT;
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ:
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS: return kind == NILAS_AVRO_LONG || is_date(schema);
    case NILAS_ICE_STRING: return kind == NILAS_AVRO_STRING || kind == NILAS_AVRO_ENUM;
    case NILAS_ICE_UUID: return kind == NILAS_AVRO_FIXED || kind == NILAS_AVRO_STRING;
    case NILAS_ICE_FIXED: return kind == NILAS_AVRO_FIXED;
    case NILAS_ICE_BINARY: return kind == NILAS_AVRO_BYTES || kind == NILAS_AVRO_FIXED;
    case NILAS_ICE_STRUCT: return kind == NILAS_AVRO_RECORD;
    case NILAS_ICE_LIST: return kind == NILAS_AVRO_ARRAY;
    case NILAS_ICE_MAP: return kind == NILAS_AVRO_MAP || is_record_map(schema);
    default: return false;
    }
}

static nilas_code require_readable(const resolving *resolver, const nilas_ice_field *field,
                                   const nilas_avro_schema *schema, nilas_error *err) {
    NILAS_AUTO_BUF type = NILAS_BUF_INIT(0);

    if (can_read(field->type, schema)) {
        return NILAS_OK;
    }
    nilas_ice_type_print(&type, field->type);
    bool is_foreign = field->type->kind == NILAS_ICE_VARIANT ||
                      field->type->kind == NILAS_ICE_GEOMETRY ||
                      field->type->kind == NILAS_ICE_GEOGRAPHY;
    return nilas_fail(err, is_foreign ? NILAS_UNSUPPORTED : NILAS_CORRUPT,
                      "Avro file \"%.*s\": column \"%.*s\" (id %d) of type %.*s cannot be read "
                      "from what the file has",
                      NILAS_FMT(resolver->location), NILAS_FMT(field->name), field->id,
                      NILAS_FMT(nilas_buf_view(&type)));
}

static const nilas_name_mapping *find_mapping(const nilas_name_mapping *level, int32_t field_id) {
    for (size_t i = 0; level != NULL && i < level->child_count; i++) {
        if (level->children[i].field_id == field_id) {
            return &level->children[i];
        }
    }
    return NULL;
}

static bool has_name(const nilas_avro_wanted *wanted, nilas_str name) {
    bool found = nilas_str_equal(wanted->name, name);

    for (size_t i = 0; i < wanted->alias_count && !found; i++) {
        found = nilas_str_equal(wanted->aliases[i], name);
    }
    return found;
}

/** How the codec shall find the field: by id, by the names of the mapping, or by its own name. */
static nilas_avro_wanted describe_field(const resolving *resolver, const nilas_ice_field *field,
                                        const nilas_name_mapping **out_mapping) {
    const nilas_name_mapping *mapped = find_mapping(resolver->mapping, field->id);
    nilas_avro_wanted wanted = {.field_id = field->id, .name = field->name};

    *out_mapping = mapped;
    if (!resolver->has_ids && resolver->mapping != NULL) {
        // A mapping that does not name the field hides it.
        wanted.name = NILAS_STR_EMPTY;
        wanted.aliases = mapped != NULL ? mapped->names : NULL;
        wanted.alias_count = mapped != NULL ? mapped->name_count : 0;
    }
    return wanted;
}

static const nilas_avro_schema *find_in_record(const resolving *resolver,
                                               const nilas_avro_schema *record,
                                               const nilas_avro_wanted *wanted) {
    for (size_t i = 0; i < record->field_count; i++) {
        const nilas_avro_field *field = &record->fields[i];
        bool same =
            resolver->has_ids ? field->field_id == wanted->field_id : has_name(wanted, field->name);
        if (same) {
            return field->schema;
        }
    }
    return NULL;
}

static nilas_code resolve_type(resolving *resolver, const nilas_avro_schema *schema,
                               wanted_column *out, nilas_avro_wanted *wanted, nilas_error *err);

/** Resolve the members of a struct; the root is one too. */
static nilas_code resolve_record(resolving *resolver, const nilas_ice_type *type,
                                 const nilas_avro_schema *record, wanted_column *columns,
                                 nilas_avro_wanted *wanted, nilas_error *err) {
    const nilas_name_mapping *level = resolver->mapping;

    NILAS_NEW_ARRAY(resolver->arena, &wanted->children, type->field_count, err);
    wanted->child_count = type->field_count;
    for (size_t i = 0; i < type->field_count; i++) {
        wanted_column *at = &columns[i];
        const nilas_name_mapping *inner;
        at->field = &type->fields[i];
        at->is_position = at->field->id == NILAS_FIELD_POS;
        wanted->children[i] = describe_field(resolver, at->field, &inner);
        const nilas_avro_schema *found =
            at->is_position ? NULL : find_in_record(resolver, record, &wanted->children[i]);
        found = found != NULL ? strip_option(found) : NULL;
        if (found == NULL || found->kind == NILAS_AVRO_NULL ||
            at->field->type->kind == NILAS_ICE_UNKNOWN) {
            at->absent = at->needs_work = true;
            at->fallback = at->field->initial_default;
            // Nothing may match it: not asked for by id nor by name.
            wanted->children[i] =
                (nilas_avro_wanted){.field_id = INT32_MAX, .name = NILAS_STR_EMPTY};
            NILAS_REQUIRE(!at->field->required || at->fallback != NULL || at->is_position, err,
                          NILAS_CORRUPT, "Avro file \"%.*s\": Missing required field: %.*s (id %d)",
                          NILAS_FMT(resolver->location), NILAS_FMT(at->field->name), at->field->id);
            continue;
        }
        resolver->mapping = !resolver->has_ids && level != NULL && inner != NULL ? inner : NULL;
        NILAS_TRY(resolve_type(resolver, found, at, &wanted->children[i], err));
        resolver->mapping = level;
    }
    return NILAS_OK;
}

/** The file's schemas of a list's element, or of a map's key and value. */
static void inner_schemas(const nilas_avro_schema *schema, const nilas_ice_type *type,
                          const nilas_avro_schema **out) {
    static const nilas_avro_schema text = {
        .kind = NILAS_AVRO_STRING, .element_id = -1, .key_id = -1, .value_id = -1};

    if (type->kind == NILAS_ICE_LIST) {
        out[0] = schema->fields[0].schema;
    } else if (schema->kind == NILAS_AVRO_MAP) {
        out[0] = &text;
        out[1] = schema->fields[0].schema;
    } else {
        const nilas_avro_schema *record = schema->fields[0].schema;
        size_t key =
            record->field_count > 1 && nilas_str_is(record->fields[0].name, "value") ? 1 : 0;
        out[0] = record->fields[key].schema;
        out[1] = record->field_count > 1 ? record->fields[1 - key].schema : out[0];
    }
}

static nilas_code resolve_inner(resolving *resolver, const nilas_avro_schema *schema,
                                wanted_column *out, nilas_avro_wanted *wanted, nilas_error *err) {
    const nilas_ice_type *type = out->field->type;
    const nilas_name_mapping *level = resolver->mapping;
    const nilas_avro_schema *inner[2] = {NULL, NULL};

    inner_schemas(schema, type, inner);
    NILAS_NEW_ARRAY(resolver->arena, &wanted->children, type->field_count, err);
    wanted->child_count = type->field_count;
    for (size_t i = 0; i < type->field_count; i++) {
        wanted_column *at = &out->children[i];
        const nilas_name_mapping *mapped;
        at->field = &type->fields[i];
        wanted->children[i] = describe_field(resolver, at->field, &mapped);
        resolver->mapping = !resolver->has_ids && level != NULL ? mapped : NULL;
        NILAS_TRY(resolve_type(resolver, strip_option(inner[i]), at, &wanted->children[i], err));
        resolver->mapping = level;
        out->needs_work = out->needs_work || at->needs_work;
    }
    return NILAS_OK;
}

static nilas_code resolve_type(resolving *resolver, const nilas_avro_schema *schema,
                               wanted_column *out, nilas_avro_wanted *wanted, nilas_error *err) {
    const nilas_ice_type *type = out->field->type;

    NILAS_TRY(require_readable(resolver, out->field, schema, err));
    if (type->kind == NILAS_ICE_DOUBLE) {
        out->needs_work = schema->kind == NILAS_AVRO_FLOAT;
    } else if (is_date(schema) && type->kind != NILAS_ICE_DATE &&
               type->kind >= NILAS_ICE_TIMESTAMP && type->kind <= NILAS_ICE_TIMESTAMPTZ_NS) {
        bool nanos = type->kind == NILAS_ICE_TIMESTAMP_NS || type->kind == NILAS_ICE_TIMESTAMPTZ_NS;
        out->needs_work = true;
        out->scale_up = nanos ? NILAS_MICROS_PER_DAY * 1000 : NILAS_MICROS_PER_DAY;
    }
    if (!nilas_ice_is_nested(type)) {
        return NILAS_OK;
    }

    NILAS_NEW_ARRAY(resolver->arena, &out->children, type->field_count, err);
    if (type->kind != NILAS_ICE_STRUCT) {
        return resolve_inner(resolver, schema, out, wanted, err);
    }
    NILAS_TRY(resolve_record(resolver, type, schema, out->children, wanted, err));
    for (size_t i = 0; i < type->field_count; i++) {
        out->needs_work = out->needs_work || out->children[i].needs_work;
    }
    return NILAS_OK;
}

// ---- rows ---------------------------------------------------------------------------------------

static nilas_code settle(const wanted_column *column, int64_t position, nilas_value *value,
                         nilas_error *err);

static nilas_code settle_items(const wanted_column *column, nilas_value *value, nilas_error *err) {
    size_t width = column->field->type->kind == NILAS_ICE_MAP ? 2 : 1;

    for (size_t i = 0; i < value->count; i++) {
        for (size_t part = 0; part < width; part++) {
            if (column->children[part].needs_work) {
                NILAS_TRY(
                    settle(&column->children[part], -1, &value->items[i * width + part], err));
            }
        }
    }
    return NILAS_OK;
}

/** Turn a decoded value into one of the wanted type: defaults, promotions, positions. */
static nilas_code settle(const wanted_column *column, int64_t position, nilas_value *value,
                         nilas_error *err) {
    if (column->absent) {
        *value = column->is_position        ? nilas_value_of_int(position)
                 : column->fallback != NULL ? *column->fallback
                                            : NILAS_NULL_VALUE;
        return NILAS_OK;
    }
    if (nilas_value_is_null(value)) {
        return NILAS_OK;
    }
    if (value->kind == NILAS_VALUE_LIST || value->kind == NILAS_VALUE_MAP) {
        return settle_items(column, value, err);
    }
    if (value->kind == NILAS_VALUE_STRUCT) {
        for (size_t i = 0; i < value->count; i++) {
            if (column->children[i].needs_work) {
                NILAS_TRY(settle(&column->children[i], position, &value->items[i], err));
            }
        }
        return NILAS_OK;
    }
    if (column->scale_up != 0) {
        NILAS_REQUIRE(!__builtin_mul_overflow(value->integer, column->scale_up, &value->integer),
                      err, NILAS_CORRUPT,
                      "column \"%.*s\": the date %lld is out of the range of a timestamp",
                      NILAS_FMT(column->field->name), (long long)value->integer);
        return NILAS_OK;
    }
    nilas_assert(value->kind == NILAS_VALUE_FLOAT || value->kind == NILAS_VALUE_DOUBLE);
    value->kind = NILAS_VALUE_DOUBLE;
    return NILAS_OK;
}

static nilas_code next_row(nilas_rows *rows, nilas_arena *scratch, const nilas_value **out_row,
                           nilas_error *err) {
    avro_rows *state = rows->state;
    const nilas_value *decoded;
    nilas_value *row;

    NILAS_TRY(nilas_avro_next(state->file, state->plan, true, scratch, &decoded, err));
    *out_row = decoded;
    if (decoded == NULL) {
        return NILAS_OK;
    }
    int64_t position = state->position++;
    if (state->as_decoded) {
        return NILAS_OK;
    }
    nilas_assert(decoded->kind == NILAS_VALUE_STRUCT && decoded->count == state->type.field_count);
    // The decoded value lives in `scratch` as the row does: it is changed in place.
    row = (nilas_value *)decoded;
    for (size_t i = 0; i < row->count; i++) {
        if (state->columns[i].needs_work) {
            NILAS_TRY(settle(&state->columns[i], position, &row->items[i], err));
        }
    }
    return NILAS_OK;
}

static nilas_code open_file(nilas_arena *stmt, const nilas_table *table, nilas_str location,
                            nilas_avro_file **out, nilas_error *err) {
    nilas_str bytes, what;

    NILAS_TRY(
        nilas_io_read(table->io, stmt, location, (size_t)NILAS_LIMIT_MANIFEST_BYTES, &bytes, err));
    NILAS_TRY(nilas_str_print(stmt, &what, err, "Avro file \"%.*s\"", NILAS_FMT(location)));
    return nilas_avro_open(stmt, bytes, what.data, out, err);
}

nilas_code nilas_scan_avro_rows(nilas_arena *stmt, const nilas_table *table, nilas_str location,
                                const nilas_ice_field *fields, size_t field_count, nilas_rows **out,
                                nilas_error *err) {
    resolving resolver = {.arena = stmt, .location = location};
    nilas_avro_wanted root = {.field_id = -1};
    avro_rows *state;

    NILAS_NEW(stmt, &state, err);
    state->type = (nilas_ice_type){
        .kind = NILAS_ICE_STRUCT, .fields = (nilas_ice_field *)fields, .field_count = field_count};
    NILAS_TRY(open_file(stmt, table, location, &state->file, err));
    const nilas_avro_schema *schema = nilas_avro_file_schema(state->file);
    NILAS_REQUIRE(schema->kind == NILAS_AVRO_RECORD, err, NILAS_CORRUPT,
                  "Avro file \"%.*s\" does not hold records", NILAS_FMT(location));
    resolver.has_ids = has_ids(schema, 0);
    if (!resolver.has_ids) {
        NILAS_TRY(nilas_metadata_name_mapping(stmt, table->metadata, &resolver.mapping, err));
    }

    NILAS_NEW_ARRAY(stmt, &state->columns, field_count, err);
    NILAS_TRY(resolve_record(&resolver, &state->type, schema, state->columns, &root, err));
    state->as_decoded = true;
    for (size_t i = 0; i < field_count; i++) {
        state->as_decoded = state->as_decoded && !state->columns[i].needs_work;
    }
    NILAS_TRY(nilas_avro_plan_new(stmt, state->file, &root, &state->plan, err));
    state->rows =
        (nilas_rows){.type = &state->type, .row_count_hint = -1, .next = next_row, .state = state};
    *out = &state->rows;
    return NILAS_OK;
}
