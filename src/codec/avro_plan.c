/*
 * Resolving a file's schema against what is wanted: once per file, into a tree that the decoder
 * follows without looking at names or ids again.
 *
 * Types that are taken whole or skipped whole do not depend on what is wanted, so their nodes are
 * made once per schema and shared; a schema whose named types double at each level therefore costs
 * no more than its text. What one value may cost to decode ("weight") and to store ("slots") is
 * bounded here, before a byte is read.
 *
 * Spec: iceberg#column-projection, iceberg#appendix-a-avro.
 */
#include "codec/avro_private.h"

#define MAX_WEIGHT 65536U
#define MAX_SLOTS  65536U

typedef struct planner {
    nilas_arena *arena;
    const nilas_avro_file *file;
    nilas_map whole; // schema address -> node
    nilas_error *err;
} planner;

static nilas_code plan_type(planner *p, const nilas_avro_schema *schema,
                            const nilas_avro_wanted *wanted, uint32_t depth,
                            const nilas_avro__node **out);

// ---- matching -----------------------------------------------------------------------------------

static bool matches(const planner *p, const nilas_avro_field *field,
                    const nilas_avro_wanted *wanted) {
    if (p->file->has_ids && wanted->field_id >= 0) {
        return field->field_id == wanted->field_id;
    }
    if (nilas_str_equal(field->name, wanted->name)) {
        return true;
    }
    for (size_t i = 0; i < wanted->alias_count; i++) {
        if (nilas_str_equal(field->name, wanted->aliases[i])) {
            return true;
        }
    }
    return false;
}

static bool is_nested(const nilas_avro_schema *schema) {
    return schema->kind == NILAS_AVRO_RECORD || schema->kind == NILAS_AVRO_ARRAY ||
           schema->kind == NILAS_AVRO_MAP || schema->kind == NILAS_AVRO_UNION;
}

// ---- nodes --------------------------------------------------------------------------------------

static uint32_t saturate(uint64_t v) {
    return v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
}

/** Unions are no level of their own, and neither is the record that stands for a map's entry. */
static nilas_code add_level(planner *p, nilas_avro__node *node, const nilas_avro__node *child) {
    node->depth = child->depth >= node->depth ? (uint8_t)(child->depth + 1) : node->depth;
    NILAS_REQUIRE(node->depth <= NILAS_LIMIT_AVRO_DEPTH, p->err, NILAS_LIMIT,
                  "types nest deeper than %d", NILAS_LIMIT_AVRO_DEPTH);
    return NILAS_OK;
}

static nilas_avro__op op_of_primitive(const nilas_avro_schema *schema) {
    nilas_str logical = schema->logical_type;
    bool decimal = nilas_str_is(logical, "decimal") && schema->scale <= 38;

    switch (schema->kind) {
    case NILAS_AVRO_BOOLEAN: return NILAS_AVRO_OP_BOOL;
    case NILAS_AVRO_INT:
        return nilas_str_is(logical, "time-millis") ? NILAS_AVRO_OP_MILLIS : NILAS_AVRO_OP_INT;
    case NILAS_AVRO_LONG:
        return nilas_str_is(logical, "timestamp-millis") ||
                       nilas_str_is(logical, "local-timestamp-millis")
                   ? NILAS_AVRO_OP_MILLIS
                   : NILAS_AVRO_OP_LONG;
    case NILAS_AVRO_FLOAT: return NILAS_AVRO_OP_FLOAT;
    case NILAS_AVRO_DOUBLE: return NILAS_AVRO_OP_DOUBLE;
    case NILAS_AVRO_BYTES: return decimal ? NILAS_AVRO_OP_DECIMAL_BYTES : NILAS_AVRO_OP_BYTES;
    case NILAS_AVRO_STRING:
        return nilas_str_is(logical, "uuid") ? NILAS_AVRO_OP_UUID_TEXT : NILAS_AVRO_OP_STRING;
    case NILAS_AVRO_FIXED: return decimal ? NILAS_AVRO_OP_DECIMAL_FIXED : NILAS_AVRO_OP_FIXED;
    case NILAS_AVRO_ENUM: return NILAS_AVRO_OP_ENUM;
    default: return NILAS_AVRO_OP_NULL;
    }
}

static size_t min_bytes_of_primitive(const nilas_avro_schema *schema) {
    switch (schema->kind) {
    case NILAS_AVRO_NULL: return 0;
    case NILAS_AVRO_FLOAT: return 4;
    case NILAS_AVRO_DOUBLE: return 8;
    case NILAS_AVRO_FIXED: return schema->fixed_size;
    default: return 1;
    }
}

/**
 * How many numbers, or how many bytes, a value always is: lists of such are skipped at a stride.
 */
static void plan_skip(nilas_avro__node *node) {
    bool all_numbers = true;
    bool all_bytes = true;
    uint64_t numbers = 0;
    uint64_t bytes = 0;

    switch (node->op) {
    case NILAS_AVRO_OP_INT:
    case NILAS_AVRO_OP_LONG:
    case NILAS_AVRO_OP_MILLIS:
    case NILAS_AVRO_OP_ENUM: node->skip_varints = 1; break;
    case NILAS_AVRO_OP_BOOL:
    case NILAS_AVRO_OP_FLOAT:
    case NILAS_AVRO_OP_DOUBLE:
    case NILAS_AVRO_OP_FIXED:
    case NILAS_AVRO_OP_DECIMAL_FIXED: node->skip_bytes = saturate(node->min_bytes); break;
    case NILAS_AVRO_OP_STRUCT:
        for (size_t i = 0; i < node->step_count; i++) {
            const nilas_avro__node *child = node->steps[i].node;
            all_numbers = all_numbers && child->null_branch < 0 && child->skip_varints > 0;
            all_bytes = all_bytes && child->null_branch < 0 && child->skip_bytes > 0;
            numbers += child->skip_varints;
            bytes += child->skip_bytes;
        }
        node->skip_varints = all_numbers ? saturate(numbers) : 0;
        node->skip_bytes = all_bytes ? saturate(bytes) : 0;
        break;
    default: break;
    }
}

static void plan_primitive(nilas_avro__node *node, const nilas_avro_schema *schema) {
    node->op = op_of_primitive(schema);
    node->fixed_size = schema->fixed_size;
    node->scale = schema->scale > 0 ? (uint32_t)schema->scale : 0;
    node->min_bytes = min_bytes_of_primitive(schema);
    plan_skip(node);
}

// ---- records ------------------------------------------------------------------------------------

/**
 * Steps of a record whose fields go to `items[field]` (-1: skip), read by `wanted[field]` (NULL:
 * whole).
 */
static nilas_code plan_steps(planner *p, const int32_t *items,
                             const nilas_avro_wanted *const *wanted, uint32_t depth,
                             nilas_avro__node *node) {
    const nilas_avro_schema *schema = node->schema;
    nilas_avro__step *steps;
    uint64_t slots = node->item_count;
    uint64_t weight = 1;

    NILAS_NEW_ARRAY(p->arena, &steps, schema->field_count, p->err);
    for (size_t i = 0; i < schema->field_count; i++) {
        nilas_avro__step *step = &steps[i];
        nilas_code code = plan_type(p, schema->fields[i].schema, wanted[i], depth + 1, &step->node);
        if (code != NILAS_OK) {
            nilas_error_append(p->err, "in field \"%.*s\"", NILAS_FMT(schema->fields[i].name));
            return code;
        }
        NILAS_TRY(add_level(p, node, step->node));
        step->name = schema->fields[i].name;
        step->item = items[i];
        step->slot_offset = saturate(slots);
        slots += items[i] >= 0 ? step->node->slots : 0;
        weight += step->node->weight;
        node->min_bytes += step->node->min_bytes;
        NILAS_REQUIRE(slots <= MAX_SLOTS && weight <= MAX_WEIGHT &&
                          node->min_bytes <= NILAS_LIMIT_AVRO_BLOCK_BYTES,
                      p->err, NILAS_LIMIT,
                      "record \"%.*s\" has too many fields, those of its fields counted",
                      NILAS_FMT(schema->name));
    }
    node->op = NILAS_AVRO_OP_STRUCT;
    node->steps = steps;
    node->step_count = schema->field_count;
    node->slots = (uint32_t)slots;
    node->weight = (uint32_t)weight;
    plan_skip(node);
    return NILAS_OK;
}

/**
 * Find the field for each wanted child; a field may serve several, but the decoder stores it once.
 */
static nilas_code assign_items(planner *p, const nilas_avro_schema *schema,
                               const nilas_avro_wanted *wanted, int32_t *items,
                               const nilas_avro_wanted **field_wanted) {
    for (size_t i = 0; i < wanted->child_count; i++) {
        const nilas_avro_wanted *child = &wanted->children[i];
        size_t found = SIZE_MAX;
        for (size_t field = 0; field < schema->field_count && found == SIZE_MAX; field++) {
            found = matches(p, &schema->fields[field], child) ? field : SIZE_MAX;
        }
        if (found == SIZE_MAX) {
            NILAS_REQUIRE(!child->required, p->err, NILAS_CORRUPT,
                          "required field \"%.*s\" (id %d) is not in record \"%.*s\"",
                          NILAS_FMT(child->name), child->field_id, NILAS_FMT(schema->name));
            continue;
        }
        NILAS_REQUIRE(items[found] < 0, p->err, NILAS_INVALID,
                      "field \"%.*s\" (id %d) is asked for twice", NILAS_FMT(child->name),
                      child->field_id);
        items[found] = (int32_t)i;
        field_wanted[found] = child;
    }
    return NILAS_OK;
}

static nilas_code plan_record(planner *p, const nilas_avro_schema *schema,
                              const nilas_avro_wanted *wanted, uint32_t depth,
                              nilas_avro__node *node) {
    int32_t *items;
    const nilas_avro_wanted **field_wanted;
    bool whole = wanted == NULL || wanted->children == NULL;
    size_t item_count = whole ? schema->field_count : wanted->child_count;

    NILAS_REQUIRE(item_count <= MAX_SLOTS, p->err, NILAS_LIMIT,
                  "record \"%.*s\" has %zu fields, the limit is %u", NILAS_FMT(schema->name),
                  item_count, MAX_SLOTS);
    NILAS_NEW_ARRAY(p->arena, &items, schema->field_count, p->err);
    NILAS_NEW_ARRAY(p->arena, &field_wanted, schema->field_count, p->err);
    for (size_t i = 0; i < schema->field_count; i++) {
        items[i] = whole ? (int32_t)i : -1;
    }
    if (!whole) {
        NILAS_TRY(assign_items(p, schema, wanted, items, field_wanted));
    }
    node->item_count = (uint32_t)item_count;
    return plan_steps(p, items, field_wanted, depth, node);
}

// ---- lists, maps, unions ------------------------------------------------------------------------

static nilas_code plan_list(planner *p, const nilas_avro_schema *schema,
                            const nilas_avro_wanted *wanted, uint32_t depth,
                            nilas_avro__node *node) {
    bool whole = wanted == NULL || wanted->children == NULL;
    const nilas_avro_wanted *element = whole ? NULL : &wanted->children[0];

    NILAS_REQUIRE(whole || wanted->child_count == 1, p->err, NILAS_CORRUPT,
                  "expected %s, found an array",
                  wanted != NULL && wanted->child_count == 2 ? "a map" : "a record");
    node->op = NILAS_AVRO_OP_LIST;
    node->min_bytes = 1;
    NILAS_TRY(plan_type(p, schema->fields[0].schema, element, depth + 1, &node->child));
    return add_level(p, node, node->child);
}

/** The record of a map: key to item 0, value to item 1, whatever their order in the file. */
static nilas_code plan_map_record(planner *p, const nilas_avro_schema *record,
                                  const nilas_avro_wanted *wanted, uint32_t depth,
                                  const nilas_avro__node **out) {
    bool value_first = nilas_str_is(record->fields[0].name, "value");
    int32_t items[] = {value_first ? 1 : 0, value_first ? 0 : 1};
    const nilas_avro_wanted *parts[] = {NULL, NULL};
    nilas_avro__node *node;

    if (wanted != NULL && wanted->children != NULL) {
        parts[0] = &wanted->children[items[0]];
        parts[1] = &wanted->children[items[1]];
    }
    NILAS_NEW(p->arena, &node, p->err);
    node->schema = record;
    node->null_branch = -1;
    node->item_count = 2;
    NILAS_TRY(plan_steps(p, items, parts, depth + 1, node));
    *out = node;
    return NILAS_OK;
}

/**
 * Which entries to keep; only where the key comes first, so that the value can be skipped by it.
 */
static nilas_code plan_keys(planner *p, const nilas_avro_wanted *wanted, nilas_avro__node *node) {
    if (wanted == NULL || wanted->keys == NULL) {
        return NILAS_OK;
    }
    const nilas_avro__node *key = node->child->steps[0].node;
    bool is_int = key->op == NILAS_AVRO_OP_INT || key->op == NILAS_AVRO_OP_LONG;
    NILAS_REQUIRE(node->child->steps[0].item == 0 && is_int && key->null_branch < 0, p->err,
                  NILAS_UNSUPPORTED,
                  "entries can be chosen only in a map whose int key comes first");
    node->keys = wanted->keys;
    node->key_count = wanted->key_count;
    return NILAS_OK;
}

static nilas_code plan_map(planner *p, const nilas_avro_schema *schema,
                           const nilas_avro_wanted *wanted, uint32_t depth,
                           nilas_avro__node *node) {
    bool whole = wanted == NULL || wanted->children == NULL;

    NILAS_REQUIRE(whole || wanted->child_count == 2, p->err, NILAS_CORRUPT,
                  "expected %s, found a map",
                  wanted != NULL && wanted->child_count == 1 ? "an array" : "a record");
    node->min_bytes = 1;
    if (schema->kind == NILAS_AVRO_MAP) {
        node->op = NILAS_AVRO_OP_MAP;
        NILAS_TRY(plan_type(p, schema->fields[0].schema, whole ? NULL : &wanted->children[1],
                            depth + 1, &node->child));
    } else {
        node->op = NILAS_AVRO_OP_RECORD_MAP;
        NILAS_TRY(plan_map_record(p, schema->fields[0].schema, wanted, depth, &node->child));
        NILAS_TRY(plan_keys(p, wanted, node));
    }
    return add_level(p, node, node->child);
}

static nilas_code plan_union(planner *p, const nilas_avro_schema *schema,
                             const nilas_avro_wanted *wanted, uint32_t depth,
                             nilas_avro__node *node) {
    int null_branch = nilas_codec__avro_null_branch(schema);

    if (null_branch >= 0) {
        const nilas_avro__node *value;
        NILAS_TRY(plan_type(p, schema->fields[1 - null_branch].schema, wanted, depth, &value));
        // An option is its value with a branch number before it.
        *node = *value;
        node->null_branch = (int8_t)null_branch;
        node->min_bytes = 1;
        return NILAS_OK;
    }

    const nilas_avro__node **branches;
    NILAS_REQUIRE(wanted == NULL || wanted->children == NULL, p->err, NILAS_UNSUPPORTED,
                  "a union of %zu types cannot be read by parts", schema->field_count);
    NILAS_NEW_ARRAY(p->arena, &branches, schema->field_count, p->err);
    for (size_t i = 0; i < schema->field_count; i++) {
        NILAS_TRY(plan_type(p, schema->fields[i].schema, NULL, depth, &branches[i]));
        node->depth = branches[i]->depth > node->depth ? branches[i]->depth : node->depth;
        node->slots = branches[i]->slots > node->slots ? branches[i]->slots : node->slots;
        node->weight = branches[i]->weight >= node->weight ? branches[i]->weight + 1 : node->weight;
    }
    node->op = NILAS_AVRO_OP_UNION;
    node->min_bytes = 1;
    node->branches = branches;
    node->branch_count = schema->field_count;
    return NILAS_OK;
}

// ---- types --------------------------------------------------------------------------------------

static nilas_code plan_nested(planner *p, const nilas_avro_schema *schema,
                              const nilas_avro_wanted *wanted, uint32_t depth,
                              nilas_avro__node *node) {
    switch (schema->kind) {
    case NILAS_AVRO_RECORD: return plan_record(p, schema, wanted, depth, node);
    case NILAS_AVRO_UNION: return plan_union(p, schema, wanted, depth, node);
    case NILAS_AVRO_MAP: return plan_map(p, schema, wanted, depth, node);
    default:
        return nilas_codec__avro_is_record_map(schema) ? plan_map(p, schema, wanted, depth, node)
                                                       : plan_list(p, schema, wanted, depth, node);
    }
}

static nilas_code plan_type(planner *p, const nilas_avro_schema *schema,
                            const nilas_avro_wanted *wanted, uint32_t depth,
                            const nilas_avro__node **out) {
    bool shared =
        wanted == NULL || (wanted->children == NULL && wanted->keys == NULL && !wanted->required);
    int64_t key = (int64_t)(uintptr_t)schema;
    nilas_avro__node *node = shared ? nilas_map_find_int(&p->whole, key) : NULL;

    if (node != NULL) {
        *out = node;
        return NILAS_OK;
    }
    NILAS_REQUIRE(depth <= NILAS_LIMIT_AVRO_DEPTH, p->err, NILAS_LIMIT, "types nest deeper than %d",
                  NILAS_LIMIT_AVRO_DEPTH);
    NILAS_REQUIRE(is_nested(schema) || wanted == NULL || wanted->children == NULL, p->err,
                  NILAS_CORRUPT, "expected a record, an array or a map, found %s",
                  nilas_codec__avro_kind_name(schema->kind));

    NILAS_NEW(p->arena, &node, p->err);
    node->schema = schema;
    node->null_branch = -1;
    node->weight = 1;
    if (is_nested(schema)) {
        NILAS_TRY(plan_nested(p, schema, wanted, depth, node));
    } else {
        plan_primitive(node, schema);
    }
    node->required = wanted != NULL && wanted->required;
    if (shared) {
        NILAS_TRY(nilas_map_put_int(&p->whole, key, node, p->err));
    }
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_avro_plan_new(nilas_arena *arena, const nilas_avro_file *file,
                               const nilas_avro_wanted *wanted, nilas_avro_plan **out,
                               nilas_error *err) {
    planner p = {.arena = arena, .file = file, .err = err};
    nilas_avro_plan *plan;

    nilas_map_init(&p.whole, arena, false);
    NILAS_NEW(arena, &plan, err);
    nilas_code code = plan_type(&p, file->schema, wanted, 0, &plan->root);
    if (code != NILAS_OK) {
        nilas_error_append(err, "in %s", file->what);
        return code;
    }
    *out = plan;
    return NILAS_OK;
}
