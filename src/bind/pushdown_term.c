/* Terms: columns of the scan, fields of its structs, Iceberg's transform functions of them. */
#include "bind/pushdown.h"

static bool column_term(const nilas_push *push, int32_t attribute_id, nilas_term *out) {
    const nilas_pushdown_input *input = push->input;
    for (size_t i = 0; i < input->output_count && i < input->scan->column_count; i++) {
        const nilas_ice_field *field = input->scan->columns[i].field;
        if (input->outputs[i].id == attribute_id) {
            *out = (nilas_term){.field = field, .type = field->type};
            return field->id < NILAS_FIELD_LAST_UPDATED_SEQUENCE_NUMBER; // no metadata column
        }
    }
    return false;
}

static bool field_term(const nilas_push *push, const nilas_bound_expr *expr, nilas_term *out) {
    nilas_term parent = {0};
    if (!nilas_push__term(push, expr->args[0], &parent) || parent.has_transform ||
        parent.type->kind != NILAS_ICE_STRUCT || (size_t)expr->index >= parent.type->field_count) {
        return false;
    }
    const nilas_ice_field *field = &parent.type->fields[expr->index];
    *out = (nilas_term){.field = field,
                        .type = field->type,
                        .in_optional = parent.in_optional || !parent.field->required};
    return true;
}

static bool transform_kind(const char *name, nilas_transform_kind *out) {
    static const struct {
        const char *name;
        nilas_transform_kind kind;
    } kinds[] = {{"bucket", NILAS_TRANSFORM_BUCKET}, {"truncate", NILAS_TRANSFORM_TRUNCATE},
                 {"years", NILAS_TRANSFORM_YEAR},    {"months", NILAS_TRANSFORM_MONTH},
                 {"days", NILAS_TRANSFORM_DAY},      {"hours", NILAS_TRANSFORM_HOUR}};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            *out = kinds[i].kind;
            return true;
        }
    }
    return false;
}

static bool transform_term(const nilas_push *push, const nilas_bound_expr *call, nilas_term *out) {
    static const char *const texts[] = {[NILAS_TRANSFORM_YEAR] = "year",
                                        [NILAS_TRANSFORM_MONTH] = "month",
                                        [NILAS_TRANSFORM_DAY] = "day",
                                        [NILAS_TRANSFORM_HOUR] = "hour"};
    nilas_transform_kind kind = NILAS_TRANSFORM_UNKNOWN;
    nilas_error ignored = NILAS_ERROR_INIT;
    if ((call->function->flags & NILAS_FUNCTION_ICEBERG) == 0 ||
        !transform_kind(call->function->name, &kind)) {
        return false;
    }
    bool has_width = kind == NILAS_TRANSFORM_BUCKET || kind == NILAS_TRANSFORM_TRUNCATE;
    if (call->arg_count != (has_width ? 2U : 1U) ||
        !nilas_push__term(push, call->args[has_width ? 1 : 0], out) || out->has_transform) {
        return false;
    }
    out->has_transform = true;
    out->transform = (nilas_transform){.kind = kind};
    if (has_width) {
        const nilas_bound_expr *width = call->args[0];
        if (width->kind != NILAS_BOUND_LITERAL || width->value.kind != NILAS_VALUE_INT ||
            width->value.integer <= 0 || width->value.integer > INT32_MAX ||
            nilas_str_print(push->arena, &out->transform.text, &ignored, "%s[%lld]",
                            kind == NILAS_TRANSFORM_BUCKET ? "bucket" : "truncate",
                            (long long)width->value.integer) != NILAS_OK) {
            return false;
        }
        out->transform.width = (int32_t)width->value.integer;
    } else {
        out->transform.text = nilas_str_of(texts[kind]);
    }
    return nilas_transform_result_type(&out->transform, out->field->type, &out->type, &ignored) ==
           NILAS_OK;
}

bool nilas_push__term(const nilas_push *push, const nilas_bound_expr *expr, nilas_term *out) {
    switch (expr->kind) {
    case NILAS_BOUND_COLUMN: return column_term(push, expr->attribute_id, out);
    case NILAS_BOUND_FIELD: return field_term(push, expr, out);
    case NILAS_BOUND_CALL: return transform_term(push, expr, out);
    default: return false;
    }
}
