/**
 * Local relations, and rows brought to a schema as DataFrame.to() does: columns and fields by name,
 * missing ones null, types by the rules of store assignment.
 */
#include "bind/frame.h"
#include "bind/store.h"

/** How values are matched with a schema. */
typedef struct matching {
    nilas_binder *binder;
    bool by_position; // fields of structs; else by name
} matching;

/** What is being matched, for messages: column and fields below it. */
typedef struct path {
    const struct path *outer;
    nilas_str name;
} path;

static size_t add_path(const path *p, nilas_str *parts, size_t room) {
    size_t count = p->outer != NULL ? add_path(p->outer, parts, room) : 0;
    if (count < room) {
        parts[count++] = p->name;
    }
    return count;
}

static nilas_str path_text(nilas_binder *binder, const path *p) {
    nilas_str parts[NILAS_LIMIT_SQL_DEPTH];
    size_t count = add_path(p, parts, NILAS_LIMIT_SQL_DEPTH);
    return nilas_bind__name_text(binder->arena, parts, count);
}

static nilas_code fail_nullable(nilas_binder *binder, const path *p, nilas_error *err) {
    nilas_str text = path_text(binder, p);
    return nilas_fail_at(err, NILAS_INVALID, "NULLABLE_COLUMN_OR_FIELD", -1,
                         "Column or field %.*s is nullable while it's required to be non-nullable.",
                         NILAS_FMT(text));
}

static nilas_code fail_type(nilas_binder *binder, const path *p, const nilas_type *from,
                            const nilas_type *to, nilas_error *err) {
    nilas_str text = path_text(binder, p);
    nilas_str is = nilas_bind__type_text(binder, from);
    nilas_str wanted = nilas_bind__type_text(binder, to);
    return nilas_fail_at(err, NILAS_INVALID, "INVALID_COLUMN_OR_FIELD_DATA_TYPE", -1,
                         "Column or field %.*s is of type \"%.*s\" while it's required to be "
                         "\"%.*s\".",
                         NILAS_FMT(text), NILAS_FMT(is), NILAS_FMT(wanted));
}

static nilas_code match_value(const matching *m, const path *p, nilas_bound_expr *expr,
                              const nilas_type_field *wanted, nilas_bound_expr **out,
                              nilas_error *err);

/** The member of a struct type that a wanted field means; SIZE_MAX: none. */
static nilas_code find_member(nilas_binder *binder, const path *p, const nilas_type *type,
                              nilas_str name, size_t *out, nilas_error *err) {
    size_t found = 0;
    *out = SIZE_MAX;
    for (size_t i = 0; i < type->field_count; i++) {
        if (nilas_bind__same_name(binder, type->fields[i].name, name)) {
            found++;
            *out = i;
        }
    }
    if (found > 1) {
        path inner = {.outer = p, .name = name};
        nilas_str text = path_text(binder, &inner);
        return nilas_fail_at(err, NILAS_INVALID, "AMBIGUOUS_COLUMN_OR_FIELD", -1,
                             "Column or field %.*s is ambiguous and has %zu matches.",
                             NILAS_FMT(text), found);
    }
    return NILAS_OK;
}

static nilas_code fail_no_member(nilas_binder *binder, const path *p, const nilas_type *type,
                                 nilas_str name, nilas_error *err) {
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(65536);
    for (size_t i = 0; i < type->field_count && i < 5; i++) {
        nilas_buf_add_text(&list, i > 0 ? ", " : "");
        nilas_name_print_quoted(&list, &type->fields[i].name, 1);
    }
    if (p == NULL) {
        return nilas_fail_at(err, NILAS_INVALID, "UNRESOLVED_COLUMN.WITH_SUGGESTION", -1,
                             "A column, variable, or function parameter with name `%.*s` cannot be "
                             "resolved. Did you mean one of the following? [%.*s].",
                             NILAS_FMT(name), NILAS_FMT(nilas_buf_view(&list)));
    }
    nilas_str text = path_text(binder, p);
    return nilas_fail_at(err, NILAS_INVALID, "UNRESOLVED_FIELD.WITH_SUGGESTION", -1,
                         "A field with name `%.*s` cannot be resolved with the struct-type column "
                         "%.*s. Did you mean one of the following? [%.*s].",
                         NILAS_FMT(name), NILAS_FMT(text), NILAS_FMT(nilas_buf_view(&list)));
}

static nilas_code match_struct(const matching *m, const path *p, nilas_bound_expr *expr,
                               const nilas_type *wanted, nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = m->binder;
    nilas_bound_expr *node;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_STRUCT, -1, &node, err));
    NILAS_NEW_ARRAY(binder->arena, &node->args, wanted->field_count, err);
    node->arg_count = wanted->field_count;
    node->type = wanted;
    for (size_t i = 0; i < wanted->field_count; i++) {
        const nilas_type_field *field = &wanted->fields[i];
        size_t at = i;
        if (!m->by_position) {
            NILAS_TRY(find_member(binder, p, expr->type, field->name, &at, err));
        }
        if (at >= expr->type->field_count) {
            nilas_value null = NILAS_NULL_VALUE;
            if (!field->nullable) {
                return fail_no_member(binder, p, expr->type, field->name, err);
            }
            NILAS_TRY(nilas_bind__literal(binder, field->type, &null, &node->args[i], err));
            continue;
        }
        nilas_bound_expr *member;
        path inner = {.outer = p, .name = expr->type->fields[at].name};
        NILAS_TRY(nilas_bind__member(binder, expr, at, &member, err));
        NILAS_TRY(match_value(m, &inner, member, field, &node->args[i], err));
    }
    if (expr->nullable) {
        return nilas_bind__null_with(binder, expr, node, out, err);
    }
    *out = node;
    return NILAS_OK;
}

static bool same_members(nilas_binder *binder, const nilas_type *from, const nilas_type *to,
                         bool by_position) {
    if (from->kind < NILAS_TYPE_ARRAY || from->kind != to->kind) {
        return true;
    }
    if (from->field_count != to->field_count) {
        return false;
    }
    for (size_t i = 0; i < from->field_count; i++) {
        bool named = from->kind == NILAS_TYPE_STRUCT && !by_position;
        if ((named && !nilas_bind__same_name(binder, from->fields[i].name, to->fields[i].name)) ||
            !same_members(binder, from->fields[i].type, to->fields[i].type, by_position)) {
            return false;
        }
    }
    return true;
}

/** Elements of arrays, keys and values of maps: checked one by one, then cast as a whole. */
static nilas_code check_elements(nilas_binder *binder, const path *p, const nilas_type *from,
                                 const nilas_type *to, nilas_error *err) {
    static const char *const parts_of_map[] = {"key", "value"};
    if (from->kind < NILAS_TYPE_ARRAY || from->kind != to->kind ||
        from->field_count != to->field_count) {
        bool fits = from->kind < NILAS_TYPE_ARRAY && nilas_bind__can_store(from, to);
        return fits ? NILAS_OK : fail_type(binder, p, from, to, err);
    }
    for (size_t i = 0; i < to->field_count; i++) {
        nilas_str name = from->fields[i].name;
        if (to->kind != NILAS_TYPE_STRUCT) {
            name = nilas_str_of(to->kind == NILAS_TYPE_ARRAY ? "element" : parts_of_map[i]);
        }
        path inner = {.outer = p, .name = name};
        if (from->fields[i].nullable && !to->fields[i].nullable) {
            return fail_nullable(binder, to->kind == NILAS_TYPE_STRUCT ? &inner : p, err);
        }
        NILAS_TRY(check_elements(binder, &inner, from->fields[i].type, to->fields[i].type, err));
    }
    return NILAS_OK;
}

/** A value brought to a wanted type: names and nullability too. */
static nilas_code match_value(const matching *m, const path *p, nilas_bound_expr *expr,
                              const nilas_type_field *wanted, nilas_bound_expr **out,
                              nilas_error *err) {
    nilas_binder *binder = m->binder;
    const nilas_type *to = wanted->type;
    if (expr->nullable && !wanted->nullable) {
        return fail_nullable(binder, p, err);
    }
    if (expr->type->kind == NILAS_TYPE_STRUCT && to->kind == NILAS_TYPE_STRUCT &&
        !(m->by_position && expr->type->field_count != to->field_count)) {
        return match_struct(m, p, expr, to, out, err);
    }
    if (!same_members(binder, expr->type, to, m->by_position)) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
                             "fields in another order inside arrays and maps of %.*s are not "
                             "supported by nilas yet.",
                             NILAS_FMT(path_text(binder, p)));
    }
    NILAS_TRY(check_elements(binder, p, expr->type, to, err));
    if (nilas_type_equal(expr->type, to)) {
        NILAS_TRY(nilas_bind__copy(binder->arena, expr, out, err));
        (*out)->type = to; // with the wanted nullability inside
        return NILAS_OK;
    }
    bool nullable = expr->nullable;
    NILAS_TRY(nilas_bind__cast(binder, expr, to, NILAS_CAST_ANSI, out, err));
    (*out)->nullable = nullable || expr->type->kind == NILAS_TYPE_VOID;
    return NILAS_OK;
}

static nilas_code to_schema(nilas_binder *binder, nilas_bound_relation *relation,
                            const nilas_type *schema, bool by_position, nilas_error *err) {
    matching m = {.binder = binder, .by_position = by_position};
    nilas_bound_expr **exprs;
    nilas_str *names;
    const nilas_type *type;
    NILAS_TRY(nilas_bind__check_collations(schema, -1, err));
    NILAS_TRY(nilas_bind__visible_only(binder, relation, err));
    NILAS_NEW_ARRAY(binder->arena, &exprs, schema->field_count, err);
    NILAS_NEW_ARRAY(binder->arena, &names, schema->field_count, err);
    NILAS_TRY(nilas_plan_type(binder->arena, relation->plan, &type, err));
    for (size_t i = 0; i < schema->field_count; i++) {
        const nilas_type_field *field = &schema->fields[i];
        size_t at = i;
        names[i] = field->name;
        if (!by_position) {
            NILAS_TRY(find_member(binder, NULL, type, field->name, &at, err));
        }
        if (at == SIZE_MAX) {
            nilas_value null = NILAS_NULL_VALUE;
            if (!field->nullable) {
                return fail_no_member(binder, NULL, type, field->name, err);
            }
            NILAS_TRY(nilas_bind__literal(binder, field->type, &null, &exprs[i], err));
            continue;
        }
        nilas_bound_expr *ref;
        path p = {.name = relation->columns[at].attribute.name};
        NILAS_TRY(nilas_bind__column_ref(binder, &relation->columns[at].attribute, &ref, err));
        NILAS_TRY(match_value(&m, &p, ref, field, &exprs[i], err));
    }
    NILAS_TRY(
        nilas_bind__replace_columns(binder, relation, exprs, names, schema->field_count, err));
    for (size_t i = 0; i < schema->field_count; i++) {
        nilas_attribute *attribute = &relation->columns[i].attribute;
        attribute->nullable = schema->fields[i].nullable;
        attribute->has_comment = schema->fields[i].has_comment;
        attribute->comment = schema->fields[i].comment;
        relation->plan->outputs[i] = *attribute;
    }
    return NILAS_OK;
}

nilas_code nilas_bind__to_schema(nilas_binder *binder, nilas_bind_scope *outer,
                                 const nilas_query *query, nilas_bound_relation *out,
                                 nilas_error *err) {
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    return to_schema(binder, out, query->type, false, err);
}

static nilas_code source_columns(nilas_binder *binder, nilas_plan *plan, const nilas_type *type,
                                 nilas_bound_relation *out, nilas_error *err) {
    NILAS_NEW_ARRAY(binder->arena, &plan->outputs, type->field_count, err);
    NILAS_NEW_ARRAY(binder->arena, &out->columns, type->field_count, err);
    plan->output_count = out->column_count = type->field_count;
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_type_field *field = &type->fields[i];
        nilas_attribute attribute =
            nilas_bind__attribute(binder, field->name, field->type, field->nullable);
        attribute.has_comment = field->has_comment;
        attribute.comment = field->comment;
        plan->outputs[i] = attribute;
        out->columns[i] = (nilas_scope_column){.attribute = attribute};
    }
    out->plan = plan;
    return NILAS_OK;
}

nilas_code nilas_bind__local(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out,
                             nilas_error *err) {
    (void)outer;
    const nilas_bind_environment *environment = binder->environment;
    nilas_plan *plan;
    if (query->data.data == NULL) {
        NILAS_REQUIRE(query->type != NULL, err, NILAS_INVALID,
                      "Schema for LocalRelation is required when the input data is not provided.");
        NILAS_TRY(nilas_bind__check_collations(query->type, query->offset, err));
        NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_EMPTY, NULL, &plan, err));
        return source_columns(binder, plan, query->type, out, err);
    }
    NILAS_REQUIRE(environment->local_type != NULL, err, NILAS_UNSUPPORTED,
                  "local relations are not supported here");
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_LOCAL, NULL, &plan, err));
    NILAS_NEW(binder->arena, &plan->local, err);
    plan->local->data = query->data;
    NILAS_TRY(environment->local_type(environment->context, query->data, &plan->local->type, err));
    NILAS_TRY(source_columns(binder, plan, plan->local->type, out, err));
    if (query->type == NULL) {
        return NILAS_OK;
    }
    if (query->type->field_count != plan->local->type->field_count) {
        return nilas_fail(err, NILAS_INVALID,
                          "the schema of a local relation has %zu columns, its data have %zu",
                          query->type->field_count, plan->local->type->field_count);
    }
    return to_schema(binder, out, query->type, true, err);
}
