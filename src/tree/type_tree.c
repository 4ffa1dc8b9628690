/* Types as printSchema() shows them. */
#include "tree/type.h"

static const char *tree_name(const nilas_type *type) {
    switch (type->kind) {
    case NILAS_TYPE_TINYINT: return "byte";
    case NILAS_TYPE_SMALLINT: return "short";
    case NILAS_TYPE_INT: return "integer";
    case NILAS_TYPE_BIGINT: return "long";
    case NILAS_TYPE_ARRAY: return "array";
    case NILAS_TYPE_MAP: return "map";
    case NILAS_TYPE_STRUCT: return "struct";
    default: return NULL;
    }
}

static void print_name(nilas_buf *out, const nilas_type *type) {
    const char *name = tree_name(type);
    if (name != NULL) {
        nilas_buf_add_text(out, name);
    } else {
        nilas_type_print(out, type);
    }
}

/** The lines below one node, `depth` steps inside; `left` levels more. */
static void print_fields(nilas_buf *out, const nilas_type *type, int depth, int left) {
    static const char *const map_parts[] = {"key", "value"};
    for (size_t i = 0; i < type->field_count && left > 0; i++) {
        const nilas_type_field *field = &type->fields[i];
        for (int d = 0; d < depth; d++) {
            nilas_buf_add_text(out, " |   ");
        }
        nilas_buf_add_text(out, " |-- ");
        if (type->kind == NILAS_TYPE_STRUCT) {
            nilas_buf_add_escaped(out, field->name);
        } else {
            nilas_buf_add_text(out, type->kind == NILAS_TYPE_ARRAY ? "element" : map_parts[i]);
        }
        nilas_buf_add_text(out, ": ");
        print_name(out, field->type);
        if (type->kind == NILAS_TYPE_MAP && i == 0) {
            nilas_buf_add_text(out, "\n");
        } else {
            nilas_buf_print(out, " (%s = %s)\n",
                            type->kind == NILAS_TYPE_STRUCT  ? "nullable"
                            : type->kind == NILAS_TYPE_ARRAY ? "containsNull"
                                                             : "valueContainsNull",
                            field->nullable ? "true" : "false");
        }
        print_fields(out, field->type, depth + 1, left - 1);
    }
}

void nilas_type_print_tree(nilas_buf *out, const nilas_type *type, int level) {
    nilas_buf_add_text(out, "root\n");
    print_fields(out, type, 0, level > 0 ? level : INT32_MAX);
}
