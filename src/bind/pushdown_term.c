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

/** The width of bucket and truncate: a positive literal. */
static bool read_width(const nilas_push *push, const nilas_bound_expr *width,
                       nilas_transform *out) {
    nilas_error ignored = NILAS_ERROR_INIT;
    const char *name = out->kind == NILAS_TRANSFORM_BUCKET ? "bucket" : "truncate";
    if (width->kind != NILAS_BOUND_LITERAL || width->value.kind != NILAS_VALUE_INT ||
        width->value.integer <= 0 || width->value.integer > INT32_MAX) {
        return false;
    }
    out->width = (int32_t)width->value.integer;
    return nilas_str_print(push->arena, &out->text, &ignored, "%s[%d]", name, out->width) ==
           NILAS_OK;
}

static bool transform_term(const nilas_push *push, const nilas_bound_expr *call, nilas_term *out) {
    static const char *const texts[] = {[NILAS_TRANSFORM_YEAR] = "year",
                                        [NILAS_TRANSFORM_MONTH] = "month",
                                        [NILAS_TRANSFORM_DAY] = "day",
                                        [NILAS_TRANSFORM_HOUR] = "hour"};
    nilas_transform transform = {0};
    nilas_error ignored = NILAS_ERROR_INIT;
    if ((call->function->flags & NILAS_FUNCTION_ICEBERG) == 0 ||
        !transform_kind(call->function->name, &transform.kind)) {
        return false;
    }
    bool has_width =
        transform.kind == NILAS_TRANSFORM_BUCKET || transform.kind == NILAS_TRANSFORM_TRUNCATE;
    size_t source = has_width ? 1 : 0;
    if (call->arg_count != source + 1 || !nilas_push__term(push, call->args[source], out) ||
        out->has_transform) {
        return false;
    }
    if (has_width && !read_width(push, call->args[0], &transform)) {
        return false;
    }
    if (!has_width) {
        transform.text = nilas_str_of(texts[transform.kind]);
    }
    out->has_transform = true;
    out->transform = transform;
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
