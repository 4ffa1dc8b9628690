/** Names as DataFrames write them. */
#include "connect/plan.h"

typedef NILAS_ARRAY_OF(nilas_str) parts_list;

static nilas_code fail_name(nilas_connect__plan *plan, nilas_str text) {
    return nilas_fail_at(plan->err, NILAS_INVALID, "INVALID_ATTRIBUTE_NAME_SYNTAX", -1,
                         "Syntax error in the attribute name: %.*s. Check that backticks appear in "
                         "pairs, a quoted string is a complete name part and use a backtick only "
                         "inside quoted name parts.",
                         NILAS_FMT(text));
}

/* `a``b`: from the back quote at *at to behind its partner. False when it has none. */
static bool take_quoted(nilas_str text, size_t *at, nilas_buf *out) {
    size_t i = *at + 1;
    for (; i < text.size; i++) {
        if (text.data[i] != '`') {
            nilas_buf_add_char(out, text.data[i]);
        } else if (i + 1 < text.size && text.data[i + 1] == '`') {
            nilas_buf_add_char(out, '`');
            i++;
        } else {
            *at = i + 1;
            return true;
        }
    }
    return false;
}

nilas_code nilas_connect__attribute_name(nilas_connect__plan *plan, nilas_str text,
                                         nilas_str **out_parts, size_t *out_count) {
    parts_list parts = {0};
    size_t at = 0;
    for (;;) {
        nilas_str part;
        if (at < text.size && text.data[at] == '`') {
            NILAS_AUTO_BUF quoted = NILAS_BUF_INIT(0);
            if (!take_quoted(text, &at, &quoted)) {
                return fail_name(plan, text);
            }
            NILAS_TRY(nilas_buf_finish(&quoted, plan->stmt, &part, plan->err));
        } else {
            size_t dot = nilas_str_find(text, NILAS_STR("."), at);
            size_t end = dot == SIZE_MAX ? text.size : dot;
            part = nilas_str_slice(text, at, end - at);
            if (nilas_str_find(part, NILAS_STR("`"), 0) != SIZE_MAX) {
                return fail_name(plan, text);
            }
            at = end;
        }
        NILAS_PUSH(plan->stmt, &parts, part, plan->err);
        if (at == text.size) {
            break;
        }
        if (text.data[at] != '.' || at + 1 == text.size) {
            return fail_name(plan, text);
        }
        at++;
    }
    *out_parts = parts.items;
    *out_count = parts.count;
    return NILAS_OK;
}

nilas_code nilas_connect__table_name(nilas_connect__plan *plan, const char *text,
                                     nilas_str **out_parts, size_t *out_count) {
    return nilas_sql_parse_name(plan->stmt, nilas_connect__text(text), out_parts, out_count,
                                plan->err);
}

nilas_code nilas_connect__texts(nilas_connect__plan *plan, char *const *texts, size_t count,
                                nilas_str **out) {
    NILAS_NEW_ARRAY(plan->stmt, out, count, plan->err);
    for (size_t i = 0; i < count; i++) {
        (*out)[i] = nilas_connect__text(texts[i]);
    }
    return NILAS_OK;
}
