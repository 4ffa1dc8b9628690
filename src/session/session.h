/**
 * session: one user's settings, catalogs, current namespace and temporary views; runs one statement
 * from start to end.
 *
 * Everything that a door does goes through nilas_session_run(); doors differ only in how they get a
 * tree and print a result.
 */
#ifndef NILAS_SESSION_SESSION_H
#define NILAS_SESSION_SESSION_H

#include "engine/engine.h"
#include "session/properties.h"
#include "sql/sql.h"

typedef struct nilas_session nilas_session;

typedef struct nilas_session_options {
    const nilas_property *settings;
    size_t setting_count; // Spark's keys: spark.sql.…; later ones win
    nilas_cancel *cancel; // or NULL; set from a signal handler to stop the running statement
    void (*progress)(void *context, double fraction); // or NULL
    void *progress_context;
    /** "sc://HOST:PORT/;…": statements run on that Spark Connect server; data NULL: here. Such a
     * session takes one statement at a time, and texts only. */
    nilas_str remote;
} nilas_session_options;

/**
 * Settings are checked as far as possible without touching the outside; catalogs open on first use.
 *
 * Threads: statements of one session may run at once, each from its own thread, and their results
 * be read meanwhile: each sees the session as it was when it began. Sessions of a process share one
 * DuckDB database, with its threads and its memory, and nothing else. Functions that say so want
 * the session to be quiet.
 */
nilas_code nilas_session_new(const nilas_session_options *options, nilas_session **out,
                             nilas_error *err);
/** After its results. */
void nilas_session_free(nilas_session *session);
NILAS_DEFINE_AUTO(nilas_session, nilas_session_free);

/** Parse and run one statement. Text is copied. A statement without a result gives one without
 * columns. */
nilas_code nilas_session_run(nilas_session *session, nilas_str text, nilas_result **out,
                             nilas_error *err);

/** A statement and what belongs to its run. */
typedef struct nilas_session_request {
    nilas_arena *stmt;          // taken over in every case
    nilas_statement *statement; // in `stmt`
    nilas_cancel *cancel; // of this statement, or NULL: the session's; set from any thread. Until
                          // the result is freed
    void (*progress)(void *context, double fraction); // or NULL: the session's
    void *progress_context;
} nilas_session_request;
/** Run a statement that can be stopped without stopping others. */
nilas_code nilas_session_execute(nilas_session *session, const nilas_session_request *request,
                                 nilas_result **out, nilas_error *err);

/*
 * What DataFrames ask beyond running a statement (frame.c). `query` lives in `stmt`, which is
 * borrowed and in which answers live; nothing is run.
 */

/** The struct type of a query's result, with nullability as Spark has it. */
nilas_code nilas_session_analyze(nilas_session *session, nilas_arena *stmt,
                                 const nilas_query *query, const nilas_type **out,
                                 nilas_error *err);

/**
 * A query that somebody else keeps: a temporary view of a DataFrame asks for it each time it is
 * used, and gets a tree in the arena of the statement that uses it.
 */
typedef struct nilas_view_source {
    nilas_code (*make)(void *context, nilas_arena *stmt, const nilas_query **out, nilas_error *err);
    void (*release)(void *context); // once, when the view goes; or NULL
    /** The same query for the session that `owner` stands for; NULL: it cannot be cloned. */
    nilas_code (*copy)(void *context, void *owner, struct nilas_view_source *out, nilas_error *err);
    void *context;
} nilas_view_source;

/**
 * A session as this one is now: its settings, current catalog and namespace, temporary views. What
 * `options` say of settings is not used. `from` must be quiet. `owner` is handed to the views'
 * sources.
 */
nilas_code nilas_session_clone(nilas_session *from, const nilas_session_options *options,
                               void *owner, nilas_session **out, nilas_error *err);

typedef struct nilas_view_options {
    nilas_str name; // one name, without qualifier
    bool global;    // in global_temp
    bool replace;   // else TEMP_TABLE_OR_VIEW_ALREADY_EXISTS
} nilas_view_options;

/**
 * Make a temporary view of a source. Its query is made and bound once, so that what is wrong with
 * it is said now. `source` is taken over in every case (released at once when the view is not
 * made).
 */
nilas_code nilas_session_create_view(nilas_session *session, const nilas_view_options *options,
                                     const nilas_view_source *source, nilas_error *err);

/** The text of DataFrame.explain(). */
nilas_code nilas_session_explain_query(nilas_session *session, nilas_arena *stmt,
                                       const nilas_query *query, nilas_explain_mode mode,
                                       nilas_str *out, nilas_error *err);
/** Locations of the files that the query would read, each once, in the order of the scans. */
nilas_code nilas_session_input_files(nilas_session *session, nilas_arena *stmt,
                                     const nilas_query *query, nilas_str **out, size_t *out_count,
                                     nilas_error *err);
/** What DataFrame.observe() measures: one row of a struct. */
typedef struct nilas_observation {
    nilas_str name;
    const nilas_type *type; // struct of the metrics
    nilas_value values;     // of that type
} nilas_observation;
/**
 * Measure all that a query observes, from the innermost outwards, by queries of their own. Ask
 * before the query is run when it writes: afterwards its input may have changed.
 */
nilas_code nilas_session_observe(nilas_session *session, nilas_arena *stmt,
                                 const nilas_query *query, nilas_observation **out,
                                 size_t *out_count, nilas_error *err);
/** DataFrame.sameSemantics(): both mean the same plan. */
nilas_code nilas_session_same_semantics(nilas_session *session, nilas_arena *stmt,
                                        const nilas_query *a, const nilas_query *b, bool *out,
                                        nilas_error *err);
/** DataFrame.semanticHash(): equal for queries of the same semantics. */
nilas_code nilas_session_semantic_hash(nilas_session *session, nilas_arena *stmt,
                                       const nilas_query *query, int32_t *out, nilas_error *err);

/* --- types of the protocol (message_type.c) --- */

struct Sc__DataType; // a message of wire
typedef nilas_code nilas_type_text_fn(nilas_arena *arena, nilas_str text, const nilas_type **out,
                                      nilas_error *err);
/**
 * The Spark type of a message. Texts of the message are borrowed by the type.
 *
 * @param text  Reads a type that is given as text; NULL: such a type is refused.
 * @return NILAS_INVALID      not a type
 *         NILAS_UNSUPPORTED  a type that is not ours
 *         NILAS_LIMIT        nested deeper than NILAS_LIMIT_TYPE_DEPTH
 */
nilas_code nilas_session_type_of_message(nilas_arena *arena, const struct Sc__DataType *message,
                                         nilas_type_text_fn *text, const nilas_type **out,
                                         nilas_error *err);
/** The comment in a field's metadata (JSON), if it has one. */
nilas_code nilas_session_comment_of(nilas_arena *arena, nilas_str metadata, nilas_type_field *field,
                                    nilas_error *err);

/** Value of a setting (its default when not set), copied into the arena; data NULL when it is
 *  unknown and not set. */
nilas_code nilas_session_get(nilas_session *session, nilas_arena *arena, const char *key,
                             nilas_str *out, nilas_error *err);
/** Whether the value is "true". */
bool nilas_session_is_set(nilas_session *session, const char *key);
/** The value itself, valid until it is changed: of a session that no other thread uses. */
nilas_str nilas_session_setting(const nilas_session *session, const char *key);
nilas_code nilas_session_set(nilas_session *session, nilas_str key, nilas_str value,
                             nilas_error *err);
/** Back to the default. */
nilas_code nilas_session_unset(nilas_session *session, nilas_str key, nilas_error *err);
/** What was set, in the order of the keys, copied into the arena. Secret values are redacted. */
nilas_code nilas_session_list_settings(nilas_session *session, nilas_arena *arena,
                                       nilas_property **out, size_t *out_count, nilas_error *err);
const nilas_zone *nilas_session_zone(const nilas_session *session);

/** Names for completion below a dotted prefix: catalogs, namespaces, tables, columns. Best effort:
 * errors give none. */
void nilas_session_complete(nilas_session *session, nilas_arena *arena, nilas_str prefix,
                            nilas_str **out, size_t *out_count);

#endif
