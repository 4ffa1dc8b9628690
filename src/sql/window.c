/** OVER (…) and WINDOW w AS (…). */
#include "sql/parser.h"

static bool is_unresolved(void *context, nilas_expr *expr) {
    bool *found = context;
    *found = *found || expr->kind == NILAS_EXPR_COLUMN || expr->kind == NILAS_EXPR_CALL ||
             expr->kind == NILAS_EXPR_SUBQUERY;
    return !*found;
}

/* Spark's parser wants a constant that needs no names. */
static void check_offset(nilas_sql__parser *p, nilas_expr *offset) {
    bool found = false;
    nilas_expr_walk(offset, is_unresolved, &found);
    if (found) {
        nilas_sql__reject(p, offset->offset, "_LEGACY_ERROR_TEMP_0064",
                          "Frame bound value must be a literal.");
    }
}

static nilas_code parse_bound(nilas_sql__parser *p, nilas_frame_bound *out) {
    if (nilas_sql__accept2(p, NILAS_KW_CURRENT, NILAS_KW_ROW)) {
        out->kind = NILAS_FRAME_CURRENT_ROW;
        return NILAS_OK;
    }
    bool unbounded = nilas_sql__at2(p, NILAS_KW_UNBOUNDED, NILAS_KW_PRECEDING) ||
                     nilas_sql__at2(p, NILAS_KW_UNBOUNDED, NILAS_KW_FOLLOWING);
    if (unbounded) {
        p->position++;
    } else {
        NILAS_TRY(nilas_sql__expression(p, &out->offset));
        check_offset(p, out->offset);
    }
    if (nilas_sql__accept(p, NILAS_KW_PRECEDING)) {
        out->kind = unbounded ? NILAS_FRAME_UNBOUNDED_PRECEDING : NILAS_FRAME_PRECEDING;
        return NILAS_OK;
    }
    out->kind = unbounded ? NILAS_FRAME_UNBOUNDED_FOLLOWING : NILAS_FRAME_FOLLOWING;
    return nilas_sql__expect(p, NILAS_KW_FOLLOWING);
}

static nilas_code parse_frame(nilas_sql__parser *p, nilas_window *window) {
    bool range = nilas_sql__accept(p, NILAS_KW_RANGE);
    if (!range && !nilas_sql__accept(p, NILAS_KW_ROWS)) {
        return NILAS_OK;
    }
    window->has_frame = true;
    window->is_range = range;
    window->end.kind = NILAS_FRAME_CURRENT_ROW;
    if (!nilas_sql__accept(p, NILAS_KW_BETWEEN)) {
        return parse_bound(p, &window->start);
    }
    NILAS_TRY(parse_bound(p, &window->start));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_AND));
    return parse_bound(p, &window->end);
}

static nilas_code parse_definition(nilas_sql__parser *p, nilas_window *window) {
    if (nilas_sql__accept2(p, NILAS_KW_CLUSTER, NILAS_KW_BY) ||
        nilas_sql__accept2(p, NILAS_KW_PARTITION, NILAS_KW_BY) ||
        nilas_sql__accept2(p, NILAS_KW_DISTRIBUTE, NILAS_KW_BY)) {
        NILAS_TRY(nilas_sql__expressions(p, &window->partition_by, &window->partition_by_count));
    }
    if (nilas_sql__accept2(p, NILAS_KW_ORDER, NILAS_KW_BY) ||
        nilas_sql__accept2(p, NILAS_KW_SORT, NILAS_KW_BY)) {
        NILAS_TRY(nilas_sql__sort_items(p, &window->order_by, &window->order_by_count));
    }
    NILAS_TRY(parse_frame(p, window));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

nilas_code nilas_sql__window(nilas_sql__parser *p, nilas_window **out) {
    nilas_window *window;
    NILAS_NEW(p->stmt, &window, p->err);
    *out = window;
    if (!nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        window->is_reference = true;
        return nilas_sql__captured_identifier(p, &window->name);
    }
    if (nilas_sql__is_identifier(p, 0) && nilas_sql__peek(p, 1) == TOKEN_RIGHT_PAREN) {
        NILAS_TRY(nilas_sql__captured_identifier(p, &window->name));
        return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
    }
    return parse_definition(p, window);
}

static void reject_repeated(nilas_sql__parser *p, int32_t offset, nilas_str name) {
    nilas_sql__reject(p, offset, "INVALID_SQL_SYNTAX.REPETITIVE_WINDOW_DEFINITION",
                      "Invalid SQL syntax: The definition of window `%.*s` is repetitive.",
                      NILAS_FMT(name));
}

nilas_code nilas_sql__windows(nilas_sql__parser *p, nilas_named_window **out, size_t *out_count) {
    NILAS_ARRAY_OF(nilas_named_window) list = {0};
    do {
        int32_t offset = nilas_sql__offset(p);
        nilas_named_window window;
        NILAS_TRY(nilas_sql__captured_identifier(p, &window.name));
        NILAS_TRY(nilas_sql__expect_named(p, NILAS_KW_AS));
        NILAS_TRY(nilas_sql__window(p, &window.window));
        for (size_t i = 0; i < list.count; i++) {
            if (nilas_str_equal_nocase(list.items[i].name, window.name)) {
                reject_repeated(p, offset, window.name);
            }
        }
        NILAS_PUSH(p->stmt, &list, window, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}
