/** Lists of properties and options: ('key' = 'value', key.part 1). */
#include "sql/statement.h"

static nilas_code join_key(nilas_sql__parser *p, nilas_str *out) {
    nilas_str *parts;
    size_t count;
    NILAS_TRY(nilas_sql__name(p, &parts, &count));
    if (count == 1) {
        *out = parts[0];
        return NILAS_OK;
    }
    return nilas_str_join(p->stmt, parts, count, NILAS_STR("."), out, p->err);
}

/* A key that is one string ends there when its value is a string without "=". */
static nilas_code string_key(nilas_sql__parser *p, nilas_str *out) {
    size_t strings = 0;
    while (nilas_sql__at_string(p, strings)) {
        strings++;
    }
    if (nilas_sql__peek(p, strings) == TOKEN_EQ) {
        return nilas_sql__string(p, out);
    }
    NILAS_TRY(nilas_sql__unescape(p, nilas_sql__token_text(p, 0), out));
    p->position++;
    return NILAS_OK;
}

nilas_code nilas_sql__property_key(nilas_sql__parser *p, nilas_str *out) {
    return nilas_sql__at_string(p, 0) ? string_key(p, out) : join_key(p, out);
}

static nilas_code property_value(nilas_sql__parser *p, nilas_str *out) {
    switch (nilas_sql__peek(p, 0)) {
    case TOKEN_INTEGER:
    case TOKEN_DECIMAL: *out = nilas_sql__token_text(p, 0); break;
    case NILAS_KW_TRUE: *out = NILAS_STR("true"); break;
    case NILAS_KW_FALSE: *out = NILAS_STR("false"); break;
    default: return nilas_sql__string(p, out);
    }
    p->position++;
    return NILAS_OK;
}

/* Literals become text, as Spark keeps options; anything else stays an expression. */
static nilas_code expression_value(nilas_sql__parser *p, nilas_option *option) {
    int32_t offset = nilas_sql__offset(p);
    nilas_expr *expr;
    NILAS_TRY(nilas_sql__expression(p, &expr));
    if (expr->kind != NILAS_EXPR_LITERAL || expr->value.kind == NILAS_VALUE_NULL) {
        option->expr = expr;
        return NILAS_OK;
    }
    option->value = expr->value.text;
    if (expr->value.kind == NILAS_VALUE_BOOL) {
        option->value = expr->value.boolean ? NILAS_STR("true") : NILAS_STR("false");
    } else if (expr->value.kind != NILAS_VALUE_STRING) {
        option->value = nilas_sql__text_from(p, offset);
    }
    return NILAS_OK;
}

static nilas_code parse_option(nilas_sql__parser *p, bool expressions, nilas_option *option) {
    *option = (nilas_option){0};
    NILAS_TRY(nilas_sql__property_key(p, &option->key));
    bool assigned = nilas_sql__accept(p, TOKEN_EQ);
    bool ends = nilas_sql__at(p, TOKEN_COMMA) || nilas_sql__at(p, TOKEN_RIGHT_PAREN);
    if (!assigned && ends) {
        return NILAS_OK;
    }
    option->has_value = true;
    return expressions ? expression_value(p, option) : property_value(p, &option->value);
}

static nilas_code parse_options(nilas_sql__parser *p, bool expressions, nilas_option **out,
                                size_t *out_count) {
    NILAS_ARRAY_OF(nilas_option) options = {0};
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    do {
        nilas_option option;
        NILAS_TRY(parse_option(p, expressions, &option));
        for (size_t i = 0; i < options.count; i++) {
            if (nilas_str_equal(options.items[i].key, option.key)) {
                nilas_sql__reject(p, offset, "DUPLICATE_KEY", "Found duplicate keys `%.*s`.",
                                  NILAS_FMT(option.key));
            }
        }
        NILAS_PUSH(p->stmt, &options, option, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = options.items;
    *out_count = options.count;
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

nilas_code nilas_sql__properties(nilas_sql__parser *p, nilas_option **out, size_t *out_count) {
    return parse_options(p, false, out, out_count);
}

nilas_code nilas_sql__expression_properties(nilas_sql__parser *p, nilas_option **out,
                                            size_t *out_count) {
    return parse_options(p, true, out, out_count);
}

// ---- what may not be set ------------------------------------------------------------------------

typedef struct reserved_property {
    const char *key;
    const char *advice;
} reserved_property;

static const reserved_property table_properties[] = {
    {"provider", "please use the USING clause to specify it"},
    {"location", "please use the LOCATION clause to specify it"},
    {"owner", "it will be set to the current user"},
    {"external", "please use CREATE EXTERNAL TABLE"},
    {"collation", "please use the DEFAULT COLLATION clause to specify it"},
    {"is_managed_location", "please remove it from the TBLPROPERTIES list."},
};

static const reserved_property namespace_properties[] = {
    {"location", "please use the LOCATION clause to specify it"},
    {"collation", "please use the DEFAULT COLLATION clause to specify it"},
    {"owner", "it will be set to the current user"},
};

static const reserved_property *find_reserved(const reserved_property *list, size_t count,
                                              nilas_str key) {
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_is(key, list[i].key)) {
            return &list[i];
        }
    }
    return NULL;
}

void nilas_sql__check_table_properties(nilas_sql__parser *p, const nilas_option *options,
                                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        const reserved_property *reserved =
            find_reserved(table_properties, sizeof(table_properties) / sizeof(table_properties[0]),
                          options[i].key);
        if (reserved != NULL) {
            nilas_sql__reject(p, 0, "UNSUPPORTED_FEATURE.SET_TABLE_PROPERTY",
                              "The feature is not supported: %s is a reserved table property, %s.",
                              reserved->key, reserved->advice);
        }
    }
}

void nilas_sql__check_namespace_properties(nilas_sql__parser *p, const nilas_option *options,
                                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        const reserved_property *reserved = find_reserved(
            namespace_properties, sizeof(namespace_properties) / sizeof(namespace_properties[0]),
            options[i].key);
        if (reserved != NULL) {
            nilas_sql__reject(p, 0, "UNSUPPORTED_FEATURE.SET_NAMESPACE_PROPERTY",
                              "The feature is not supported: %s is a reserved namespace property, "
                              "%s.",
                              reserved->key, reserved->advice);
        }
    }
}

void nilas_sql__check_values(nilas_sql__parser *p, const nilas_option *options, size_t count,
                             bool wanted) {
    NILAS_AUTO_BUF keys = NILAS_BUF_INIT(0);
    for (size_t i = 0; i < count; i++) {
        if (options[i].has_value != wanted) {
            nilas_buf_add_text(&keys, keys.size > 0 ? "," : "");
            nilas_buf_add(&keys, options[i].key);
        }
    }
    if (keys.size == 0) {
        return;
    }
    nilas_sql__reject(p, 0, "_LEGACY_ERROR_TEMP_0035",
                      wanted ? "Operation not allowed: Values must be specified for key(s): [%.*s]."
                             : "Operation not allowed: Values should not be specified for key(s): "
                               "[%.*s].",
                      NILAS_FMT(nilas_buf_view(&keys)));
}
