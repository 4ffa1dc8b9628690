/*
 * Laws of messages: what is encoded decodes to the same; nothing nested too deep, cut or garbled
 * gets past the decoder.
 */
#include "wire/wire.h"

#include "test.h"

NILAS_TEST(a_message_comes_back_as_it_was) {
    Sc__SQL sql = SC__SQL__INIT;
    sql.query = "select 1";
    Sc__Relation relation = SC__RELATION__INIT;
    relation.rel_type_case = SC__RELATION__REL_TYPE_SQL;
    relation.sql = &sql;
    NILAS_AUTO_BUF bytes = NILAS_BUF_INIT(0);
    nilas_wire_encode(&bytes, &relation.base);
    nilas_error err = NILAS_ERROR_INIT;
    ProtobufCMessage *message = NULL;
    CHECK_OK(nilas_wire_decode(&sc__relation__descriptor, nilas_buf_view(&bytes), &message, &err),
             err);
    Sc__Relation *back = (Sc__Relation *)message;
    CHECK_INT(back->rel_type_case, SC__RELATION__REL_TYPE_SQL);
    CHECK_TEXT(back->sql->query, "select 1");
    protobuf_c_message_free_unpacked(message, NULL);
}

/** A relation of `depth` levels: limit(limit(…)), written by hand from the inside. */
static void nest(nilas_buf *out, int depth) {
    for (int i = 0; i < depth; i++) {
        NILAS_AUTO_BUF level = NILAS_BUF_INIT(0);
        Sc__Relation relation = SC__RELATION__INIT;
        Sc__Limit limit = SC__LIMIT__INIT;
        relation.rel_type_case = SC__RELATION__REL_TYPE_LIMIT;
        relation.limit = &limit;
        Sc__Relation *input = NULL;
        if (i > 0) {
            input = sc__relation__unpack(NULL, out->size, (const uint8_t *)out->data);
            limit.input = input;
        }
        nilas_wire_encode(&level, &relation.base);
        if (input != NULL) {
            sc__relation__free_unpacked(input, NULL);
        }
        nilas_buf_done(out);
        *out = level;
        level = (nilas_buf)NILAS_BUF_INIT(0);
    }
}

NILAS_TEST(nesting_is_bounded) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO_BUF bytes = NILAS_BUF_INIT(0);
    nest(&bytes, NILAS_LIMIT_WIRE_DEPTH / 2);
    ProtobufCMessage *message = NULL;
    CHECK_OK(nilas_wire_decode(&sc__relation__descriptor, nilas_buf_view(&bytes), &message, &err),
             err);
    protobuf_c_message_free_unpacked(message, NULL);
    nest(&bytes, NILAS_LIMIT_WIRE_DEPTH / 2 + 1);
    CHECK_CODE(nilas_wire_decode(&sc__relation__descriptor, nilas_buf_view(&bytes), &message, &err),
               NILAS_CORRUPT, err);
}

NILAS_TEST(every_cut_of_a_message_is_refused_or_a_message) {
    Sc__SQL sql = SC__SQL__INIT;
    sql.query = "select 'abc'";
    Sc__Relation relation = SC__RELATION__INIT;
    relation.rel_type_case = SC__RELATION__REL_TYPE_SQL;
    relation.sql = &sql;
    NILAS_AUTO_BUF bytes = NILAS_BUF_INIT(0);
    nilas_wire_encode(&bytes, &relation.base);
    for (size_t size = 1; size < bytes.size; size++) {
        nilas_error err = NILAS_ERROR_INIT;
        ProtobufCMessage *message = NULL;
        nilas_str cut = nilas_str_slice(nilas_buf_view(&bytes), 0, size);
        CHECK_CODE(nilas_wire_decode(&sc__relation__descriptor, cut, &message, &err), NILAS_CORRUPT,
                   err);
    }
}
