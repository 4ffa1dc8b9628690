/*
 * Names and ways into values: columns, struct fields (also of every struct in an array), map and
 * array subscripts, IDENTIFIER(…).
 *
 * A column or field keeps the spelling of the statement, as Spark's result columns do.
 */
#include "bind/expr.h"
#include "bind/query.h"

// ---- fields ----------------------------------------------------------------------------------

static nilas_code fail_no_field(const nilas_type *type, nilas_str name, int32_t offset,
                                nilas_error *err) {
    NILAS_AUTO_BUF list = {0};
    for (size_t i = 0; i < type->field_count && list.size < 600; i++) {
        nilas_buf_add_text(&list, i > 0 ? ", " : "");
        nilas_name_print_quoted(&list, &type->fields[i].name, 1);
    }
    nilas_str names = nilas_buf_view(&list);
    return nilas_fail_at(err, NILAS_INVALID, "FIELD_NOT_FOUND", offset,
                         "No such struct field `%.*s` in %.*s.", NILAS_FMT(name), NILAS_FMT(names));
}

static nilas_code find_field(const nilas_binder *binder, const nilas_type *type, nilas_str name,
                             int32_t offset, size_t *out, nilas_error *err) {
    size_t found = 0;
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_str candidate = type->fields[i].name;
        if (binder->environment->case_sensitive ? nilas_str_equal(candidate, name)
                                                : nilas_str_equal_nocase(candidate, name)) {
            *out = i;
            found++;
        }
    }
    if (found > 1) {
        return nilas_fail_at(
            err, NILAS_INVALID, "AMBIGUOUS_REFERENCE_TO_FIELDS", offset,
            "Ambiguous reference to the field `%.*s`. It appears %zu times in the schema.",
            NILAS_FMT(name), found);
    }
    return found == 1 ? NILAS_OK : fail_no_field(type, name, offset, err);
}

static nilas_code struct_field(nilas_binder *binder, nilas_bound_expr *base, nilas_str name,
                               int32_t offset, nilas_bound_expr **out, nilas_error *err) {
    size_t index = 0;
    NILAS_TRY(find_field(binder, base->type, name, offset, &index, err));
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_FIELD, offset, &node, err));
    NILAS_NEW_ARRAY(binder->arena, &node->args, 1, err);
    node->args[0] = base;
    node->arg_count = 1;
    node->index = (int32_t)index;
    node->name = name;
    node->type = base->type->fields[index].type;
    node->nullable = base->nullable || base->type->fields[index].nullable;
    *out = node;
    return NILAS_OK;
}

/** array.field is transform(array, e -> e.field). */
static nilas_code array_field(nilas_binder *binder, nilas_bound_expr *base, nilas_str name,
                              int32_t offset, nilas_bound_expr **out, nilas_error *err) {
    const nilas_type_field *element = &base->type->fields[0];
    nilas_bound_expr *parameter = NULL;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_PARAMETER, offset, &parameter, err));
    parameter->attribute_id = binder->next_id++;
    parameter->type = element->type;
    parameter->nullable = element->nullable;
    nilas_bound_expr *body = NULL;
    NILAS_TRY(struct_field(binder, parameter, name, offset, &body, err));
    nilas_bound_expr *lambda = NULL;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_LAMBDA, offset, &lambda, err));
    NILAS_NEW_ARRAY(binder->arena, &lambda->args, 1, err);
    NILAS_NEW_ARRAY(binder->arena, &lambda->parameter_ids, 1, err);
    lambda->args[0] = body;
    lambda->arg_count = 1;
    lambda->parameter_ids[0] = parameter->attribute_id;
    lambda->parameter_count = 1;
    lambda->type = body->type;
    nilas_argument arguments[2] = {
        {.type = base->type, .nullable = base->nullable, .lambda_arity = -1, .offset = offset},
        {.type = body->type, .nullable = body->nullable, .lambda_arity = 1, .offset = offset}};
    nilas_call_options options = {.ansi = binder->environment->ansi, .offset = offset};
    nilas_call call = {0};
    NILAS_TRY(nilas_function_resolve(binder->arena, NILAS_STR("transform"), arguments, 2, &options,
                                     &call, err));
    nilas_bound_expr *args[2] = {base, lambda};
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__raw_call(binder, call.function, args, 2, &node, err));
    NILAS_TRY(nilas_type_array(binder->arena, body->type, body->nullable, &node->type, err));
    node->nullable = base->nullable;
    node->name = name;
    nilas_str text = nilas_bind__text(binder, base);
    NILAS_TRY(nilas_str_print(binder->arena, &node->shown, err, "%.*s.%.*s", NILAS_FMT(text),
                              NILAS_FMT(name)));
    *out = node;
    return NILAS_OK;
}

static nilas_code fail_extract(nilas_binder *binder, const nilas_bound_expr *base, int32_t offset,
                               nilas_error *err) {
    nilas_str text = nilas_bind__text(binder, base);
    nilas_str type = nilas_bind__type_text(binder, base->type);
    return nilas_fail_at(
        err, NILAS_INVALID, "INVALID_EXTRACT_BASE_FIELD_TYPE", offset,
        "Can't extract a value from \"%.*s\". Need a complex type [STRUCT, ARRAY, MAP] but got "
        "\"%.*s\".",
        NILAS_FMT(text), NILAS_FMT(type));
}

static nilas_code extract_field(nilas_binder *binder, nilas_bound_expr *base, nilas_str name,
                                int32_t offset, nilas_bound_expr **out, nilas_error *err) {
    const nilas_type *type = base->type;
    if (nilas_type_is(type, NILAS_TYPE_STRUCT)) {
        return struct_field(binder, base, name, offset, out, err);
    }
    if (nilas_type_is(type, NILAS_TYPE_ARRAY) &&
        nilas_type_is(type->fields[0].type, NILAS_TYPE_STRUCT)) {
        return array_field(binder, base, name, offset, out, err);
    }
    if (nilas_type_is(type, NILAS_TYPE_ARRAY) || nilas_type_is(type, NILAS_TYPE_MAP)) {
        nilas_bound_expr *key = NULL;
        NILAS_TRY(nilas_bind__string_literal(binder, name, &key, err));
        nilas_bound_expr *args[2] = {base, key};
        NILAS_TRY(nilas_bind__call(binder, "[]", args, 2, offset, out, err));
        (*out)->name = name;
        return NILAS_OK;
    }
    return fail_extract(binder, base, offset, err);
}

/** From *base on, one field after the other. */
static nilas_code extract_chain(nilas_binder *binder, const nilas_str *names, size_t count,
                                int32_t offset, nilas_bound_expr **base, nilas_error *err) {
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(extract_field(binder, *base, names[i], offset, base, err));
    }
    return NILAS_OK;
}

// ---- columns ---------------------------------------------------------------------------------

static bool is_unresolved(const nilas_error *err) {
    return err != NULL && err->condition != NULL &&
           strncmp(err->condition, "UNRESOLVED_COLUMN", 17) == 0;
}

/** An alias of the same select list shows as a reference to it. */
static nilas_code mark_lateral_alias(nilas_bind_scope *scope, nilas_str name,
                                     nilas_bound_expr **base, nilas_error *err) {
    for (const nilas_bind_scope *at = scope; at != NULL; at = at->outer) {
        for (size_t i = 0; i < at->alias_count; i++) {
            if (at->alias_exprs[i] == *base) {
                NILAS_TRY(nilas_bind__copy(scope->binder->arena, *base, base, err));
                return nilas_str_print(scope->binder->arena, &(*base)->shown, err,
                                       "lateralAliasReference(%.*s)", NILAS_FMT(name));
            }
        }
    }
    return NILAS_OK;
}

static nilas_code column_of_parts(nilas_bind_scope *scope, const nilas_str *parts, size_t count,
                                  int32_t offset, nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *base = NULL;
    size_t consumed = 0;
    nilas_error local = NILAS_ERROR_INIT;
    nilas_error *used = err != NULL ? err : &local;
    nilas_code code = nilas_bind__find_column(scope, parts, count, offset, &base, &consumed, used);
    if (code != NILAS_OK && count == 1 && is_unresolved(used) &&
        nilas_bind__is_session_value(parts[0])) {
        *used = (nilas_error)NILAS_ERROR_INIT;
        return nilas_bind__session_value(scope, parts[0], offset, out, err);
    }
    NILAS_TRY(code);
    nilas_assert(consumed > 0 && consumed <= count);
    if (base->kind == NILAS_BOUND_COLUMN &&
        nilas_str_equal_nocase(base->name, parts[consumed - 1])) {
        base->name = parts[consumed - 1];
    }
    NILAS_TRY(mark_lateral_alias(scope, parts[consumed - 1], &base, err));
    *out = base;
    return extract_chain(scope->binder, parts + consumed, count - consumed, offset, out, err);
}

/** A column of a frame, or by name where the frame's column did not come through. */
static nilas_code column_of_frame(nilas_bind_scope *scope, const nilas_expr *expr,
                                  nilas_bound_expr **out, nilas_error *err) {
    size_t consumed = 0;
    NILAS_TRY(nilas_bind__find_frame_column(scope, expr, out, &consumed, err));
    if (*out == NULL) {
        return column_of_parts(scope, expr->parts, expr->part_count, expr->offset, out, err);
    }
    (*out)->name = expr->parts[consumed - 1];
    return extract_chain(scope->binder, expr->parts + consumed, expr->part_count - consumed,
                         expr->offset, out, err);
}

nilas_code nilas_bind__column(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr **out, nilas_error *err) {
    if (expr->plan_id != 0) {
        return column_of_frame(scope, expr, out, err);
    }
    return column_of_parts(scope, expr->parts, expr->part_count, expr->offset, out, err);
}

nilas_code nilas_bind__field(nilas_bind_scope *scope, const nilas_expr *expr,
                             nilas_bound_expr **out, nilas_error *err) {
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], out, err));
    return extract_chain(scope->binder, expr->parts, expr->part_count, expr->offset, out, err);
}

nilas_code nilas_bind__subscript(nilas_bind_scope *scope, const nilas_expr *expr,
                                 nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr *args[2] = {0};
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &args[0], err));
    NILAS_TRY(nilas_bind__expr(scope, expr->args[1], &args[1], err));
    const nilas_type *type = args[0]->type;
    bool is_name = nilas_bind__is_literal(args[1]) && args[1]->value.kind == NILAS_VALUE_STRING;
    bool is_structs = nilas_type_is(type, NILAS_TYPE_ARRAY) &&
                      nilas_type_is(type->fields[0].type, NILAS_TYPE_STRUCT);
    if (is_name && (nilas_type_is(type, NILAS_TYPE_STRUCT) || is_structs)) {
        return extract_field(binder, args[0], args[1]->value.text, expr->offset, out, err);
    }
    if (nilas_type_is(type, NILAS_TYPE_STRUCT)) {
        nilas_str text = nilas_bind__text(binder, args[1]);
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_EXTRACT_FIELD_TYPE", expr->offset,
                             "Field name should be a non-null string literal, but it's \"%.*s\".",
                             NILAS_FMT(text));
    }
    if (!nilas_type_is(type, NILAS_TYPE_ARRAY) && !nilas_type_is(type, NILAS_TYPE_MAP)) {
        return fail_extract(binder, args[0], expr->offset, err);
    }
    return nilas_bind__call(binder, "[]", args, 2, expr->offset, out, err);
}

// ---- IDENTIFIER(…) ---------------------------------------------------------------------------

static nilas_code identifier_parts(nilas_bind_scope *scope, const nilas_expr *argument,
                                   nilas_str **out, size_t *out_count, nilas_error *err) {
    const nilas_bind_environment *environment = scope->binder->environment;
    nilas_bound_expr *bound = NULL;
    nilas_value value = NILAS_NULL_VALUE;
    NILAS_TRY(nilas_bind__expr(scope, argument, &bound, err));
    NILAS_TRY(nilas_bind__fold(scope->binder, bound, &value, err));
    if (value.kind != NILAS_VALUE_STRING) {
        nilas_str text = nilas_bind__text(scope->binder, bound);
        return nilas_fail_at(err, NILAS_INVALID, "NOT_A_CONSTANT_STRING.WRONG_TYPE",
                             argument->offset,
                             "The expression \"%.*s\" used for the routine or clause `IDENTIFIER` "
                             "must be a constant STRING which is NOT NULL.",
                             NILAS_FMT(text));
    }
    NILAS_REQUIRE(environment->parse_name != NULL, err, NILAS_UNSUPPORTED,
                  "IDENTIFIER(…) has no parser of names here");
    return environment->parse_name(environment->context, value.text, out, out_count, err);
}

nilas_code nilas_bind__identifier_clause(nilas_bind_scope *scope, const nilas_expr *expr,
                                         nilas_bound_expr **out, nilas_error *err) {
    nilas_str *parts = NULL;
    size_t count = 0;
    NILAS_TRY(identifier_parts(scope, expr->args[0], &parts, &count, err));
    if (!expr->has_call) {
        return column_of_parts(scope, parts, count, expr->offset, out, err);
    }
    nilas_expr call = *expr;
    call.kind = NILAS_EXPR_CALL;
    call.parts = parts;
    call.part_count = count;
    call.args = expr->args + 1;
    call.arg_count = expr->arg_count - 1;
    call.arg_names = expr->arg_names != NULL ? expr->arg_names + 1 : NULL;
    return nilas_bind__call_expr(scope, &call, out, err);
}
