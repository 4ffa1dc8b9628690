/* Row sources by batch: one batch's items at a time in memory, one row at a time in the caller's
 * scratch. */
#include "scan/rows.h"

typedef struct batch_rows {
    nilas_rows rows;
    nilas_scan__batches batches;
    nilas_arena *arena; // of the loaded batch; a child of the statement's
    size_t next_batch, item, item_count;
} batch_rows;

static nilas_code next_row(nilas_rows *rows, nilas_arena *scratch, const nilas_value **out_row,
                           nilas_error *err) {
    batch_rows *state = rows->state;
    nilas_value *row;

    while (state->item == state->item_count) {
        if (state->next_batch == state->batches.batch_count) {
            *out_row = NULL;
            return NILAS_OK;
        }
        nilas_arena_reset(state->arena);
        state->item = state->item_count = 0;
        NILAS_TRY(state->batches.load(state->batches.context, state->next_batch++, state->arena,
                                      &state->item_count, err));
    }
    NILAS_NEW(scratch, &row, err);
    NILAS_TRY(state->batches.render(state->batches.context, state->item++, scratch, row, err));
    nilas_assert(row->kind == NILAS_VALUE_STRUCT && row->count == rows->type->field_count);
    *out_row = row;
    return NILAS_OK;
}

static void close_rows(nilas_rows *rows) {
    batch_rows *state = rows->state;

    nilas_arena_reset(state->arena);
    state->next_batch = state->batches.batch_count;
    state->item = state->item_count = 0;
}

nilas_code nilas_scan__rows_new(nilas_arena *stmt, const nilas_scan__batches *batches,
                                nilas_rows **out, nilas_error *err) {
    batch_rows *state;

    NILAS_NEW(stmt, &state, err);
    state->arena = nilas_arena_new(stmt, 0);
    NILAS_REQUIRE(state->arena != NULL, err, NILAS_NOMEM, "out of memory");
    state->batches = *batches;
    state->rows = (nilas_rows){.type = batches->type,
                               .row_count_hint = batches->row_count_hint,
                               .next = next_row,
                               .close = close_rows,
                               .state = state};
    *out = &state->rows;
    return NILAS_OK;
}

typedef struct fixed_rows {
    const nilas_value *values;
    size_t count;
} fixed_rows;

static nilas_code load_fixed(void *context, size_t index, nilas_arena *arena,
                             size_t *out_item_count, nilas_error *err) {
    const fixed_rows *fixed = context;

    (void)index, (void)arena, (void)err;
    *out_item_count = fixed->count;
    return NILAS_OK;
}

static nilas_code render_fixed(void *context, size_t item, nilas_arena *scratch,
                               nilas_value *out_row, nilas_error *err) {
    const fixed_rows *fixed = context;

    (void)scratch, (void)err;
    *out_row = fixed->values[item];
    return NILAS_OK;
}

nilas_code nilas_scan__fixed_rows(nilas_arena *stmt, const nilas_ice_type *type,
                                  const nilas_value *values, size_t count, nilas_rows **out,
                                  nilas_error *err) {
    fixed_rows *fixed;

    NILAS_NEW(stmt, &fixed, err);
    *fixed = (fixed_rows){.values = values, .count = count};
    return nilas_scan__rows_new(stmt,
                                &(nilas_scan__batches){.type = type,
                                                       .context = fixed,
                                                       .batch_count = 1,
                                                       .row_count_hint = (int64_t)count,
                                                       .load = load_fixed,
                                                       .render = render_fixed},
                                out, err);
}

nilas_code nilas_scan__new_struct(nilas_arena *arena, size_t count, nilas_value *out,
                                  nilas_error *err) {
    nilas_value *items;

    NILAS_NEW_ARRAY(arena, &items, count, err);
    *out = (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = items, .count = count};
    return NILAS_OK;
}
