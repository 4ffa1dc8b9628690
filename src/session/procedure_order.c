/**
 * The order that rewrite_data_files gives to rows: the table's, one that the call spells out, or a
 * z-order, whose key interleaves the bits of each column's rank.
 */
#include "session/procedure_rewrite.h"

#define ZORDER_RANKS 65536 // of each column
#define ZORDER_BITS  62

static nilas_code parse_order(nilas_procedure_call *call, nilas_str text, nilas_query **out,
                              nilas_error *err) {
    nilas_run *run = call->run;
    nilas_str query;
    NILAS_TRY(
        nilas_str_print(run->stmt, &query, err, "SELECT * FROM t ORDER BY %.*s", NILAS_FMT(text)));
    nilas_code code = run->environment.parse_query(run->environment.context, query, out, err);
    if (code != NILAS_OK) {
        err->sql_offset = run->statement->offset;
        nilas_error_append(err, "(Cannot parse sort order: %.*s)", NILAS_FMT(text));
        return code;
    }
    NILAS_REQUIRE((*out)->kind == NILAS_QUERY_SORT, err, NILAS_INVALID,
                  "Cannot parse sort order: %.*s", NILAS_FMT(text));
    return NILAS_OK;
}

/** The expression under a SORT node or none. */
static const nilas_expr *key_of(const nilas_expr *item) {
    return item->kind == NILAS_EXPR_SORT ? item->args[0] : item;
}

static bool is_zorder(const nilas_expr *key) {
    return key->kind == NILAS_EXPR_CALL && key->part_count == 1 &&
           nilas_str_is_nocase(key->parts[0], "zorder");
}

/* --- columns
 * ------------------------------------------------------------------------------------ */

static const nilas_ice_field *find_column(const nilas_schema *schema, const nilas_expr *column,
                                          bool case_sensitive) {
    const nilas_ice_type *type = &schema->type;
    const nilas_ice_field *found = NULL;
    for (size_t p = 0; p < column->part_count; p++) {
        found = NULL;
        for (size_t i = 0; type->kind == NILAS_ICE_STRUCT && i < type->field_count; i++) {
            nilas_str name = type->fields[i].name;
            if (case_sensitive ? nilas_str_equal(name, column->parts[p])
                               : nilas_str_equal_nocase(name, column->parts[p])) {
                found = &type->fields[i];
            }
        }
        if (found == NULL) {
            return NULL;
        }
        type = found->type;
    }
    return found;
}

static nilas_code require_column(nilas_procedure_call *call, const nilas_expr *column,
                                 nilas_error *err) {
    const nilas_schema *schema = nilas_metadata_current_schema(call->table->metadata);
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    NILAS_AUTO_BUF shown = NILAS_BUF_INIT(1 << 20);
    if (find_column(schema, column, call->run->environment.case_sensitive) != NULL) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < column->part_count; i++) {
        nilas_buf_print(&name, "%s%.*s", i > 0 ? "." : "", NILAS_FMT(column->parts[i]));
    }
    nilas_ice_type_print(&shown, &schema->type);
    return nilas_fail(err, NILAS_INVALID, "Cannot find field '%.*s' in struct: %.*s",
                      NILAS_FMT(nilas_buf_view(&name)), NILAS_FMT(nilas_buf_view(&shown)));
}

/** Every column that an item of the order names must be there. */
static nilas_code require_columns(nilas_procedure_call *call, const nilas_expr *expr,
                                  nilas_error *err) {
    if (expr->kind == NILAS_EXPR_COLUMN) {
        return require_column(call, expr, err);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        NILAS_TRY(require_columns(call, expr->args[i], err));
    }
    return NILAS_OK;
}

/* --- an order that is spelled out
 * --------------------------------------------------------------------- */

static bool same_field(const nilas_sort_field *a, const nilas_sort_field *b) {
    return a->source_id == b->source_id && a->transform.kind == b->transform.kind &&
           a->transform.width == b->transform.width && a->descending == b->descending &&
           a->nulls_first == b->nulls_first;
}

/** The id of the table's order that is the same; 0, unsorted, when it has none. */
static int32_t find_order_id(const nilas_metadata *metadata, const nilas_sort_order *order) {
    for (size_t i = 0; i < metadata->sort_order_count; i++) {
        const nilas_sort_order *known = metadata->sort_orders[i];
        bool same = known->field_count == order->field_count;
        for (size_t k = 0; same && k < order->field_count; k++) {
            same = same_field(&known->fields[k], &order->fields[k]);
        }
        if (same) {
            return known->order_id;
        }
    }
    return 0;
}

static nilas_code bind_order(nilas_procedure_call *call, const nilas_query *query,
                             const nilas_sort_order **out, nilas_error *err) {
    nilas_run *run = call->run;
    const nilas_metadata *metadata = call->table->metadata;
    nilas_sort_order *order;
    NILAS_NEW(run->stmt, &order, err);
    NILAS_NEW_ARRAY(run->stmt, &order->fields, query->expr_count, err);
    order->field_count = query->expr_count;
    for (size_t i = 0; i < query->expr_count; i++) {
        const nilas_expr *item = query->exprs[i];
        nilas_sort_field *field = &order->fields[i];
        NILAS_TRY(require_columns(call, key_of(item), err));
        NILAS_TRY(nilas_bind_transform(&run->environment, nilas_metadata_current_schema(metadata),
                                       key_of(item), &field->source_id, &field->transform, err));
        field->descending = item->kind == NILAS_EXPR_SORT && item->descending;
        field->nulls_first = item->kind == NILAS_EXPR_SORT && item->has_nulls_order
                                 ? item->nulls_first
                                 : !field->descending;
    }
    order->order_id = find_order_id(metadata, order);
    *out = order;
    return NILAS_OK;
}

static nilas_code read_zorder(nilas_procedure_call *call, const nilas_query *query, nilas_str text,
                              nilas_rewrite_order *out, nilas_error *err) {
    const nilas_expr *zorder = key_of(query->exprs[0]);
    NILAS_REQUIRE(query->expr_count == 1, err, NILAS_INVALID,
                  "Cannot mix identity sort columns and a Zorder sort expression: %.*s",
                  NILAS_FMT(text));
    NILAS_REQUIRE(zorder->arg_count > 0, err, NILAS_INVALID,
                  "Cannot ZOrder when no columns are specified");
    NILAS_REQUIRE(zorder->arg_count <= ZORDER_BITS, err, NILAS_INVALID,
                  "Cannot ZOrder by more than %d columns", ZORDER_BITS);
    NILAS_NEW_ARRAY(call->run->stmt, &out->zorder_names, zorder->arg_count, err);
    for (size_t i = 0; i < zorder->arg_count; i++) {
        const nilas_expr *column = zorder->args[i];
        NILAS_REQUIRE(column->kind == NILAS_EXPR_COLUMN && column->part_count == 1, err,
                      NILAS_INVALID, "Cannot ZOrder by anything but columns: %.*s",
                      NILAS_FMT(text));
        NILAS_TRY(require_column(call, column, err));
        out->zorder_names[i] = column->parts[0];
    }
    out->zorder_count = zorder->arg_count;
    out->known = NILAS_REWRITE_DATA | NILAS_REWRITE_ZORDER;
    out->strategy = "Z-ORDER";
    return NILAS_OK;
}

nilas_code nilas_rewrite__read_order(nilas_procedure_call *call, nilas_rewrite_order *out,
                                     nilas_error *err) {
    nilas_str none = {.data = NULL};
    nilas_str strategy = nilas_call__text(call, "strategy", none);
    nilas_str text = nilas_call__text(call, "sort_order", none);
    const nilas_metadata *metadata = call->table->metadata;
    nilas_query *query;
    *out = (nilas_rewrite_order){.known = NILAS_REWRITE_DATA, .strategy = "BIN-PACK"};
    bool is_binpack =
        strategy.data != NULL ? nilas_str_is_nocase(strategy, "binpack") : text.data == NULL;
    NILAS_REQUIRE(is_binpack || strategy.data == NULL || nilas_str_is_nocase(strategy, "sort"), err,
                  NILAS_INVALID, "unsupported strategy: %.*s. Only binpack or sort is supported",
                  NILAS_FMT(strategy));
    NILAS_REQUIRE(!is_binpack || text.data == NULL, err, NILAS_INVALID,
                  "Must use only one rewriter type (bin-pack, sort, zorder)");
    if (is_binpack) {
        return NILAS_OK;
    }
    out->known = NILAS_REWRITE_DATA | NILAS_REWRITE_SORT;
    out->strategy = "SORT";
    if (text.data == NULL) {
        nilas_str name;
        out->order = nilas_metadata_sort_order(metadata, metadata->default_sort_order_id);
        NILAS_TRY(nilas_call__table_name(call, &name, err));
        NILAS_REQUIRE(out->order != NULL && out->order->field_count > 0, err, NILAS_INVALID,
                      "Cannot sort data without a valid sort order, table '%.*s' is unsorted and "
                      "no sort order is provided",
                      NILAS_FMT(name));
        return NILAS_OK;
    }
    NILAS_TRY(parse_order(call, text, &query, err));
    for (size_t i = 0; i < query->expr_count; i++) {
        if (is_zorder(key_of(query->exprs[i]))) {
            NILAS_REQUIRE(is_zorder(key_of(query->exprs[0])), err, NILAS_INVALID,
                          "Cannot mix identity sort columns and a Zorder sort expression: %.*s",
                          NILAS_FMT(text));
            return read_zorder(call, query, text, out, err);
        }
    }
    return bind_order(call, query, &out->order, err);
}

/* --- the rows
 * ----------------------------------------------------------------------------------- */

static void print_columns(const nilas_procedure_call *call, nilas_buf *out, bool with_lineage) {
    const nilas_schema *schema = nilas_metadata_current_schema(call->table->metadata);
    for (size_t i = 0; i < schema->type.field_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_name_print_quoted(out, &schema->type.fields[i].name, 1);
    }
    nilas_buf_add_text(out, with_lineage ? ", _row_id, _last_updated_sequence_number" : "");
}

/** Bit b of rank i goes to bit b × columns + i. */
static void print_zorder_key(nilas_buf *out, size_t columns) {
    size_t bits = ZORDER_BITS / columns < 16 ? ZORDER_BITS / columns : 16;
    for (size_t i = 0; i < columns; i++) {
        for (size_t b = 0; b < bits; b++) {
            nilas_buf_print(out, "%sshiftleft(shiftright(nilas_rank_%zu, %zu) & 1L, %zu)",
                            i + b > 0 ? " + " : "", i, b + 16 - bits, b * columns + i);
        }
    }
}

nilas_code nilas_rewrite__print_query(nilas_procedure_call *call, const nilas_rewrite_order *order,
                                      bool with_lineage, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    nilas_str name;
    NILAS_TRY(nilas_rewrite__quoted_name(call, &name, err));
    nilas_buf_add_text(&text, "SELECT ");
    print_columns(call, &text, with_lineage);
    if (order->zorder_count == 0) {
        nilas_buf_print(&text, " FROM %.*s", NILAS_FMT(name));
        return nilas_buf_finish(&text, call->run->stmt, out, err);
    }
    nilas_buf_add_text(&text, " FROM (SELECT ");
    print_columns(call, &text, with_lineage);
    for (size_t i = 0; i < order->zorder_count; i++) {
        nilas_buf_print(&text, ", CAST(ntile(%d) OVER (ORDER BY ", ZORDER_RANKS);
        nilas_name_print_quoted(&text, &order->zorder_names[i], 1);
        nilas_buf_print(&text, ") - 1 AS BIGINT) AS nilas_rank_%zu", i);
    }
    nilas_buf_print(&text, " FROM %.*s) ORDER BY ", NILAS_FMT(name));
    print_zorder_key(&text, order->zorder_count);
    return nilas_buf_finish(&text, call->run->stmt, out, err);
}
