/* Each element and member goes behind a flag that says whether it is there. */
#include "engine/ordered.h"

#include <stdio.h>

bool nilas_engine__orders_otherwise(const nilas_type *type) {
    return type->kind == NILAS_TYPE_ARRAY ||
           (type->kind == NILAS_TYPE_STRUCT && type->field_count > 0);
}

static void print_value(nilas_buf *out, nilas_str sql, const nilas_type *type, int depth);

static void print_array(nilas_buf *out, nilas_str sql, const nilas_type *type, int depth) {
    char element[24];
    snprintf(element, sizeof(element), "nilas_o%d", depth);
    nilas_buf_print(out,
                    "list_transform(%.*s, lambda %s: {'n': %s IS NOT NULL, 'v': ", NILAS_FMT(sql),
                    element, element);
    print_value(out, nilas_str_of(element), type->fields[0].type, depth + 1);
    nilas_buf_add_text(out, "})");
}

static bool is_name(nilas_str sql) {
    for (size_t i = 0; i < sql.size; i++) {
        char c = sql.data[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!word && c != '_') {
            return false;
        }
    }
    return true;
}

/** The value is said once for each member: what is no name is named first. */
static void print_struct(nilas_buf *out, nilas_str sql, const nilas_type *type, int depth) {
    char name[24];
    bool named = is_name(sql);
    if (!named) {
        snprintf(name, sizeof(name), "nilas_o%d", depth);
        nilas_buf_print(out, "list_extract(list_transform([%.*s], lambda %s: ", NILAS_FMT(sql),
                        name);
        sql = nilas_str_of(name);
    }
    nilas_buf_print(out, "CASE WHEN %.*s IS NULL THEN NULL ELSE ", NILAS_FMT(sql));
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_AUTO_BUF member = NILAS_BUF_INIT(0);
        nilas_buf_print(&member, "struct_extract_at(%.*s, %zu)", NILAS_FMT(sql), i + 1);
        nilas_buf_print(out, "%s'n%zu': %.*s IS NOT NULL, 'v%zu': ", i == 0 ? "{" : ", ", i,
                        NILAS_FMT(nilas_buf_view(&member)), i);
        print_value(out, nilas_buf_view(&member), type->fields[i].type, depth + 1);
    }
    nilas_buf_add_text(out, named ? "} END" : "} END), 1)");
}

static void print_value(nilas_buf *out, nilas_str sql, const nilas_type *type, int depth) {
    if (type->kind == NILAS_TYPE_ARRAY) {
        print_array(out, sql, type, depth);
    } else if (nilas_engine__orders_otherwise(type)) {
        print_struct(out, sql, type, depth);
    } else {
        nilas_buf_add(out, sql);
        nilas_buf_add_text(out, type->kind == NILAS_TYPE_DOUBLE  ? " + CAST(0 AS DOUBLE)"
                                : type->kind == NILAS_TYPE_FLOAT ? " + CAST(0 AS FLOAT)"
                                                                 : "");
    }
}

void nilas_engine__print_sort_value(nilas_buf *out, nilas_str sql, const nilas_type *type) {
    print_value(out, sql, type, 0);
}

void nilas_engine__print_ordered(nilas_buf *out, nilas_str sql, const nilas_type *type) {
    if (nilas_engine__orders_otherwise(type)) {
        print_value(out, sql, type, 0);
    } else {
        nilas_buf_add(out, sql);
    }
}
