/* Spark types as Arrow schemas; see the list in engine.h. And DuckDB's arrays brought to it. */
#include <nanoarrow/nanoarrow.h>
#include <stdio.h>

#include "engine/result.h"

static const char *simple_format(nilas_type_kind kind) {
    switch (kind) {
    case NILAS_TYPE_VOID: return "n";
    case NILAS_TYPE_BOOLEAN: return "b";
    case NILAS_TYPE_TINYINT: return "c";
    case NILAS_TYPE_SMALLINT: return "s";
    case NILAS_TYPE_INT: return "i";
    case NILAS_TYPE_BIGINT: return "l";
    case NILAS_TYPE_FLOAT: return "f";
    case NILAS_TYPE_DOUBLE: return "g";
    case NILAS_TYPE_BINARY: return "z";
    case NILAS_TYPE_DATE: return "tdD";
    case NILAS_TYPE_TIME: return "ttu";
    case NILAS_TYPE_TIMESTAMP: return "tsu:UTC";
    case NILAS_TYPE_TIMESTAMP_NTZ: return "tsu:";
    case NILAS_TYPE_INTERVAL_YEAR_MONTH: return "tiM";
    case NILAS_TYPE_INTERVAL_DAY_TIME: return "tDu";
    case NILAS_TYPE_INTERVAL: return "tin";
    case NILAS_TYPE_ARRAY: return "+l";
    case NILAS_TYPE_MAP: return "+m";
    case NILAS_TYPE_STRUCT: return "+s";
    default: return "u";
    }
}

static int set_name(struct ArrowSchema *schema, nilas_str name) {
    char *text = strndup(name.data != NULL ? name.data : "", name.size);
    if (text == NULL) {
        return ENOMEM;
    }
    int failed = ArrowSchemaSetName(schema, text);
    free(text);
    return failed;
}

static int fill_schema(struct ArrowSchema *schema, const nilas_type *type, nilas_str name,
                       bool nullable);

static int fill_map(struct ArrowSchema *schema, const nilas_type *type) {
    NANOARROW_RETURN_NOT_OK(ArrowSchemaAllocateChildren(schema, 1));
    struct ArrowSchema *entries = schema->children[0];
    ArrowSchemaInit(entries);
    NANOARROW_RETURN_NOT_OK(ArrowSchemaSetFormat(entries, "+s"));
    NANOARROW_RETURN_NOT_OK(ArrowSchemaSetName(entries, "entries"));
    entries->flags = 0;
    NANOARROW_RETURN_NOT_OK(ArrowSchemaAllocateChildren(entries, 2));
    NANOARROW_RETURN_NOT_OK(
        fill_schema(entries->children[0], type->fields[0].type, NILAS_STR("key"), false));
    return fill_schema(entries->children[1], type->fields[1].type, NILAS_STR("value"),
                       type->fields[1].nullable);
}

static int fill_schema(struct ArrowSchema *schema, const nilas_type *type, nilas_str name,
                       bool nullable) {
    char decimal[40];
    const char *format = simple_format(type->kind);
    ArrowSchemaInit(schema);
    if (type->kind == NILAS_TYPE_DECIMAL) {
        (void)snprintf(decimal, sizeof(decimal), "d:%d,%d", type->precision, type->scale);
        format = decimal;
    }
    NANOARROW_RETURN_NOT_OK(ArrowSchemaSetFormat(schema, format));
    NANOARROW_RETURN_NOT_OK(set_name(schema, name));
    schema->flags = nullable ? ARROW_FLAG_NULLABLE : 0;
    if (type->kind == NILAS_TYPE_MAP) {
        return fill_map(schema, type);
    }
    if (type->kind == NILAS_TYPE_STRUCT || type->kind == NILAS_TYPE_ARRAY) {
        NANOARROW_RETURN_NOT_OK(ArrowSchemaAllocateChildren(schema, (int64_t)type->field_count));
        for (size_t i = 0; i < type->field_count; i++) {
            const nilas_type_field *field = &type->fields[i];
            nilas_str member = type->kind == NILAS_TYPE_ARRAY ? NILAS_STR("element") : field->name;
            NANOARROW_RETURN_NOT_OK(
                fill_schema(schema->children[i], field->type, member, field->nullable));
        }
    }
    return NANOARROW_OK;
}

nilas_code nilas_arrow__make_schema(const nilas_type *type, struct ArrowSchema *out,
                                    nilas_error *err) {
    struct ArrowSchema schema = {0};
    if (fill_schema(&schema, type, NILAS_STR_EMPTY, false) != NANOARROW_OK) {
        if (schema.release != NULL) {
            schema.release(&schema);
        }
        return nilas_fail(err, NILAS_NOMEM, "out of memory");
    }
    *out = schema;
    return NILAS_OK;
}

void nilas_arrow__fix(struct ArrowArray *array, const nilas_type *type) {
    if (type->kind == NILAS_TYPE_VOID) { // an integer of nulls there, an array without buffers here
        array->n_buffers = 0;
        array->null_count = array->length;
    } else if (type->kind == NILAS_TYPE_STRUCT && type->field_count == 0) {
        array->n_buffers = 1;
        array->n_children = 0;
    } else if (type->kind == NILAS_TYPE_MAP) {
        nilas_assert(array->n_children == 1 && array->children[0]->n_children == 2);
        for (int64_t i = 0; i < 2; i++) {
            nilas_arrow__fix(array->children[0]->children[i], type->fields[i].type);
        }
    } else {
        nilas_assert((size_t)array->n_children == type->field_count);
        for (int64_t i = 0; i < array->n_children; i++) {
            nilas_arrow__fix(array->children[i], type->fields[i].type);
        }
    }
}
