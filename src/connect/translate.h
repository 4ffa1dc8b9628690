/**
 * Plans of Spark Connect -> the statement tree: the same tree that SQL text becomes.
 *
 * Messages are borrowed: texts and bytes of the tree point into them, so that an unpacked message
 * must live as long as the statement's arena (nilas_arena_on_release()). Every message may have
 * holes; what is missing is an error, never a crash.
 */
#ifndef NILAS_CONNECT_TRANSLATE_H
#define NILAS_CONNECT_TRANSLATE_H

#include "session/session.h"
#include "wire/wire.h"

typedef struct nilas_translation {
    nilas_arena *stmt;      // owns the tree
    nilas_session *session; // whose settings the SQL parser follows; not changed
    // Bytes that the client uploaded as cache/HASH; data NULL: unknown. Valid as long as `stmt`.
    nilas_str (*artifact)(void *context, nilas_str hash);
    // The relation that a checkpoint kept; NULL: unknown. Valid as long as `stmt`.
    const Sc__Relation *(*remote_relation)(void *context, nilas_str id);
    void *context;
} nilas_translation;

/**
 * A relation as a query.
 * @return NILAS_INVALID      the message has holes, or says what Spark refuses (condition set)
 *         NILAS_UNSUPPORTED  user code, streams, machine learning, pipelines: refused by name
 *         NILAS_LIMIT, NILAS_NOMEM
 */
nilas_code nilas_connect__translate_relation(const nilas_translation *translation,
                                             const Sc__Relation *relation, nilas_query **out,
                                             nilas_error *err);

/**
 * The root of a plan as a statement: a QUERY, or the command that a `sql` or a `catalog` relation
 * is. `show_string` and `html_string` are not translated: their caller translates the input and
 * prints the result.
 */
nilas_code nilas_connect__translate_root(const nilas_translation *translation,
                                         const Sc__Relation *relation, nilas_statement **out,
                                         nilas_error *err);

/**
 * The SQL of a sql_command: of `input` (4.x), or of its own members (3.5). The protocol answers a
 * QUERY with the relation itself, unrun, and any other statement with its rows.
 */
nilas_code nilas_connect__translate_sql(const nilas_translation *translation,
                                        const Sc__SqlCommand *command, nilas_statement **out,
                                        nilas_error *err);

/**
 * A command that becomes a statement: write_operation, write_operation_v2,
 * merge_into_table_command, sql_command. The others are the server's (views, checkpoints); what is
 * never done (user code, streams, pipelines) is refused by name.
 */
nilas_code nilas_connect__translate_command(const nilas_translation *translation,
                                            const Sc__Command *command, nilas_statement **out,
                                            nilas_error *err);

/** A type of the protocol as Spark's type; comments of fields are kept. */
nilas_code nilas_connect__type_of_message(nilas_arena *arena, const Sc__DataType *message,
                                          const nilas_type **out, nilas_error *err);
/** The reverse. The message lives in the arena: never free it with protobuf-c. */
nilas_code nilas_connect__message_of_type(nilas_arena *arena, const nilas_type *type,
                                          Sc__DataType **out, nilas_error *err);
/** A schema or type as a client writes it: Spark's JSON ({"type":"struct",…}) or DDL text. */
nilas_code nilas_connect__type_of_text(nilas_arena *arena, nilas_str text, const nilas_type **out,
                                       nilas_error *err);

#endif
