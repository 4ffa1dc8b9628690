/* Results on the wire: a schema, and batches that are complete Arrow streams. */
#include "connect/server.h"
#include "print/print.h"

/** One batch; the first one brings the schema along: one answer less to send and to release. */
static nilas_code send_batch(nilas_connect__operation *operation, nilas_buf *bytes,
                             Sc__ExecutePlanResponse__ArrowBatch *batch, Sc__DataType *schema,
                             nilas_error *err) {
    Sc__ExecutePlanResponse response = SC__EXECUTE_PLAN_RESPONSE__INIT;
    NILAS_TRY(nilas_buf_check(bytes, err));
    batch->_start_offset_case = SC__EXECUTE_PLAN_RESPONSE__ARROW_BATCH___START_OFFSET_START_OFFSET;
    batch->data.data = (uint8_t *)bytes->data;
    batch->data.len = bytes->size;
    response.schema = schema;
    response.arrow_batch = batch;
    response.response_type_case = SC__EXECUTE_PLAN_RESPONSE__RESPONSE_TYPE_ARROW_BATCH;
    return nilas_connect__operation_emit(operation, &response, err);
}

/** What the session says about Arrow. */
static nilas_code read_options(nilas_session *session, nilas_print_ipc_options *out,
                               nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str rows;
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory for a result");
    *out = (nilas_print_ipc_options){.zone = nilas_session_zone(session)};
    NILAS_TRY(nilas_session_get(session, arena, "spark.sql.execution.arrow.maxRecordsPerBatch",
                                &rows, err));
    if (rows.data == NULL || !nilas_str_to_int64(rows, &out->rows) || out->rows < 0) {
        out->rows = 0;
    }
    out->large_types = nilas_session_is_set(session, "spark.sql.execution.arrow.useLargeVarTypes");
    return NILAS_OK;
}

nilas_code nilas_connect__send_result(nilas_connect__operation *operation, nilas_result *result,
                                      nilas_error *err) {
    NILAS_AUTO(nilas_print_ipc) ipc = NULL;
    NILAS_AUTO_BUF bytes = NILAS_BUF_INIT(NILAS_LIMIT_WIRE_BYTES);
    nilas_session *session;
    nilas_print_ipc_options options;
    NILAS_TRY(
        nilas_connect__client_session(nilas_connect__operation_client(operation), &session, err));
    NILAS_TRY(read_options(session, &options, err));
    NILAS_TRY(nilas_print_ipc_of(result, &options, &ipc, err));
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    Sc__DataType *schema;
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory for a schema");
    NILAS_TRY(nilas_connect__message_of_type(arena, nilas_result_type(result), &schema, err));
    int64_t start = 0;
    for (;;) {
        Sc__ExecutePlanResponse__ArrowBatch batch = SC__EXECUTE_PLAN_RESPONSE__ARROW_BATCH__INIT;
        nilas_buf_clear(&bytes);
        NILAS_TRY(nilas_print_ipc_next(ipc, &bytes, &batch.row_count, err));
        if (batch.row_count < 0) {
            return NILAS_OK;
        }
        batch.start_offset = start;
        start += batch.row_count;
        NILAS_TRY(send_batch(operation, &bytes, &batch, schema, err));
        schema = NULL;
    }
}

/** A result of one row with one text that is not null. */
static nilas_code text_result(const char *column, nilas_str text, nilas_result **out,
                              nilas_error *err) {
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(stmt != NULL, err, NILAS_NOMEM, "out of memory for a text");
    nilas_type_field field = {.name = nilas_str_of(column),
                              .type = nilas_type_of(NILAS_TYPE_STRING)};
    nilas_value value = nilas_value_of_str(text);
    const nilas_type *type = NULL;
    nilas_code code = nilas_type_struct(stmt, &field, 1, &type, err);
    if (code == NILAS_OK) {
        code = nilas_result_of_rows(stmt, type, &value, 1, out, err);
    }
    if (code != NILAS_OK) {
        nilas_arena_free(stmt);
    }
    return code;
}

nilas_code nilas_connect__send_text(nilas_connect__operation *operation, const char *column,
                                    nilas_str text, nilas_error *err) {
    NILAS_AUTO(nilas_result) result = NULL;
    NILAS_TRY(text_result(column, text, &result, err));
    return nilas_connect__send_result(operation, result, err);
}

nilas_code nilas_connect__encode_result(nilas_session *session, nilas_result *result,
                                        nilas_buf *out, nilas_error *err) {
    NILAS_AUTO(nilas_print_ipc) ipc = NULL;
    nilas_print_ipc_options options;
    NILAS_TRY(read_options(session, &options, err));
    NILAS_TRY(nilas_print_ipc_of(result, &options, &ipc, err));
    nilas_print_ipc_add_schema(ipc, out);
    for (;;) {
        struct ArrowArray batch = {0};
        NILAS_TRY(nilas_result_next(result, &batch, err));
        if (batch.release == NULL) {
            break;
        }
        nilas_code code = nilas_print_ipc_add_batch(ipc, &batch, out, err);
        batch.release(&batch);
        NILAS_TRY(code);
    }
    nilas_print_ipc_add_end(out);
    return nilas_buf_check(out, err);
}
