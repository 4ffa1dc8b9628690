/** Private to the session room: the session itself, and what its commands share. */
#ifndef NILAS_SESSION_PRIVATE_H
#define NILAS_SESSION_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "bind/bind.h"
#include "session/session.h"
#include "session/settings.h"

/** What a view is made of, shared by the session and the statements that began while it was there;
 * goes with the last of them. */
typedef struct nilas_view_body {
    atomic_uint references;
    nilas_arena *arena;       // owns this, and what views point to
    nilas_view_source source; // released with it
    // Of a DataFrame's view: the views that its names meant when it was made. They stay as long as
    // it does, replaced and dropped ones too.
    struct nilas_session_view *seen;
} nilas_view_body;

/** A temporary view in the list of a session or of a statement. It keeps its text; each use parses
 * it into the statement's arena, so that a view may be replaced at any time. */
typedef struct nilas_session_view {
    struct nilas_session_view *next;
    nilas_view_body *body; // owns everything below
    nilas_str name;
    bool global;
    nilas_str text;    // the whole CREATE … VIEW statement
    nilas_str catalog; // current when it was made
    nilas_str *current_namespace;
    size_t namespace_count;
} nilas_session_view;

/** What a view is made of. */
typedef struct nilas_view_content {
    nilas_str text;                  // of SQL: the whole CREATE … VIEW statement
    const nilas_view_source *source; // of a DataFrame, taken over; NULL: the text says it
    const nilas_session_view *seen;  // of a DataFrame; its bodies are kept by the new view
} nilas_view_content;

/** A view that is being made: what binding its query finds of other views. */
typedef struct nilas_view_making {
    nilas_str name;
    bool global;
    bool from_text; // it may not read the view that it replaces: RECURSIVE_VIEW
    nilas_session_view *seen;
} nilas_view_making;

typedef struct nilas_session_catalog {
    struct nilas_session_catalog *next;
    nilas_str name; // in the session's arena
    nilas_catalog *catalog;
    bool is_lent; // to a statement: a catalog serves one at a time
} nilas_session_catalog;

typedef struct nilas_remote nilas_remote; // remote.h

/**
 * A session, or what one statement sees of it (fork.c): the session as it was when the statement
 * began, with an engine and a cancel of its own. Statements change the session itself, under its
 * lock, and see their change.
 */
struct nilas_session {
    nilas_session *owner; // of a statement: the session; else NULL
    pthread_mutex_t lock; // of a session, around its members
    nilas_arena *arena;   // lives as long as the session, or the statement
    nilas_settings settings;
    nilas_io *io;
    nilas_engine *engine;
    nilas_engine_options engine_options;
    nilas_cancel *cancel;
    nilas_session_catalog *catalogs;              // of a session: opened so far
    NILAS_ARRAY_OF(nilas_session_catalog *) lent; // of a statement: what it uses of them
    nilas_session_view *views;
    nilas_arena *current_arena; // of the two below; replaced by USE
    nilas_str current_catalog;
    nilas_str *current_namespace;
    size_t namespace_count;
    const nilas_zone *zone;
    nilas_remote *remote; // of a session: where its statements run; NULL: here
};

/** One statement on its way through the stages. */
typedef struct nilas_run {
    nilas_session *session;
    nilas_arena *stmt;
    const nilas_statement *statement;
    nilas_bind_environment environment;
    nilas_map tables;          // loaded by this statement: one version each
    nilas_view_making *making; // the view that this statement makes; NULL
    nilas_result *result;      // set by the command
} nilas_run;

/** What a statement sees of a session, in its arena, until that goes. */
nilas_code nilas_session__fork(nilas_session *session, const nilas_session_request *request,
                               nilas_arena *stmt, nilas_session **out, nilas_error *err);
/** Run a text with the cancel and progress of a request; its tree is not used. */
nilas_code nilas_session__run_text(nilas_session *session, nilas_str text,
                                   const nilas_session_request *request, nilas_result **out,
                                   nilas_error *err);
/** The statement uses no catalogs any more. */
void nilas_session__return_catalogs(nilas_session *fork);
/**
 * Begin a change of a session, on behalf of a statement or of nobody: what is to be changed,
 * locked. nilas_session__end_change() lets the statement see it.
 */
nilas_session *nilas_session__begin_change(nilas_session *session);
nilas_code nilas_session__end_change(nilas_session *session, nilas_code code, nilas_error *err);
/** Zone and functions as the settings say. */
nilas_code nilas_session__apply_settings(nilas_session *session, nilas_error *err);
/** Append copies of views to a list; they share the bodies. On failure some may be there. */
nilas_code nilas_session__share_views(nilas_arena *arena, const nilas_session_view *from,
                                      nilas_session_view **list, nilas_error *err);
/** Take all views out of a list. */
void nilas_session__clear_views(nilas_session *session);
/** A temporary view; NULL: there is none. */
const nilas_session_view *nilas_session__find_view(const nilas_session *session, nilas_str name,
                                                   bool global);
/** Drop a temporary view; false: there is none. */
bool nilas_session__drop_view(nilas_session *session, nilas_str name, bool global);
/** A view that is in no list yet; where names resolve is taken from the session. */
nilas_code nilas_session__new_view(const nilas_session *session, const nilas_view_options *options,
                                   const nilas_view_content *content, nilas_session_view **out,
                                   nilas_error *err);
/** Put a new view in the place of its name. */
nilas_code nilas_session__put_view(nilas_session *session, const nilas_view_options *options,
                                   const nilas_view_content *content, nilas_error *err);
nilas_code nilas_session__fail_view_exists(nilas_str name, int32_t offset, nilas_error *err);
/** The text of EXPLAIN for a query. */
nilas_code nilas_session__explain(nilas_run *run, const nilas_query *query, nilas_explain_mode mode,
                                  nilas_buf *out, nilas_error *err);
/** The environment of the binder for this statement. */
void nilas_session__environment(nilas_run *run, int64_t now_micros);
/** A catalog by name for the statement; opened on first use. NULL in *out: no such catalog. */
nilas_code nilas_session__catalog(nilas_session *session, nilas_str name, nilas_catalog **out,
                                  nilas_error *err);
/** Names of the catalogs opened so far, in the order of first use. */
nilas_code nilas_session__catalog_names(nilas_session *fork, nilas_arena *arena, nilas_str **out,
                                        size_t *out_count, nilas_error *err);
nilas_code nilas_session__sql_options(const nilas_session *session, nilas_sql_options *out);
/** Make a catalog and namespace current. */
nilas_code nilas_session__use(nilas_session *session, nilas_str catalog, const nilas_str *parts,
                              size_t count, nilas_error *err);

/* --- results of commands (rows.c)
 * --------------------------------------------------------------------------------------- */

/** Rows of a command while they are collected: `width` cells each. */
typedef struct nilas_command_rows {
    nilas_run *run;
    const nilas_type *type;
    size_t width;
    NILAS_ARRAY_OF(nilas_value) cells;
} nilas_command_rows;

/** "name:type,…" with Spark type names: begin a result. All columns are named and typed by the
 * text. */
nilas_code nilas_session__rows_begin(nilas_run *run, nilas_command_rows *rows,
                                     const char *const *names, const nilas_type_kind *kinds,
                                     size_t width, nilas_error *err);
nilas_code nilas_session__rows_add(nilas_command_rows *rows, const nilas_value *cells,
                                   nilas_error *err);
/** A row of texts; a nilas_str with data NULL is null. */
nilas_code nilas_session__rows_add_texts(nilas_command_rows *rows, const nilas_str *texts,
                                         nilas_error *err);
/** Finish: run->result. */
nilas_code nilas_session__rows_end(nilas_command_rows *rows, nilas_error *err);
nilas_code nilas_session__no_rows(nilas_run *run, nilas_error *err);
/** Spark's pattern of SHOW … LIKE: '*' any text, '|' alternatives, case folded; otherwise a regular
 * expression. */
bool nilas_session__matches(nilas_str pattern, nilas_str name);
/** "a.b" with back quotes where a part needs them. */
nilas_code nilas_session__dotted(nilas_arena *arena, const nilas_str *parts, size_t count,
                                 nilas_str *out, nilas_error *err);
/** Append a name as Spark shows it: back-quoted unless it is only ASCII letters, digits and "_",
 * and not a number. Reserved words stay bare. */
void nilas_session__print_name(nilas_buf *out, nilas_str name);
/** SCHEMA_NOT_FOUND in Spark's words. */
nilas_code nilas_session__fail_no_namespace(const nilas_str *parts, size_t count, int32_t offset,
                                            nilas_error *err);

typedef NILAS_ARRAY_OF(nilas_str) nilas_session__names;
/** Names of the catalogs used so far, and always spark_catalog, sorted, as Spark lists them. */
nilas_code nilas_session__used_catalogs(nilas_run *run, nilas_session__names *out,
                                        nilas_error *err);

/* --- commands --- */

nilas_code nilas_command__save_files(nilas_run *run, nilas_error *err); // command_save.c
nilas_code nilas_command__catalog(nilas_run *run, nilas_error *err);    // command_catalog.c

nilas_code nilas_command__set(nilas_run *run, nilas_error *err); // command_set.c
nilas_code nilas_command__set_time_zone(nilas_run *run, nilas_error *err);
nilas_code nilas_command__reset(nilas_run *run, nilas_error *err);
nilas_code nilas_command__use(nilas_run *run, nilas_error *err); // command_namespace.c
nilas_code nilas_command__show_namespaces(nilas_run *run, nilas_error *err);
nilas_code nilas_command__show_catalogs(nilas_run *run, nilas_error *err);
nilas_code nilas_command__show_tables(nilas_run *run, nilas_error *err);
nilas_code nilas_command__show_table_extended(nilas_run *run, nilas_error *err);
nilas_code nilas_command__show_views(nilas_run *run, nilas_error *err);
nilas_code nilas_command__show_current_namespace(nilas_run *run, nilas_error *err);
nilas_code nilas_command__describe_namespace(nilas_run *run, nilas_error *err);
nilas_code nilas_command__show_functions(nilas_run *run, nilas_error *err); // command_function.c
nilas_code nilas_command__describe_function(nilas_run *run, nilas_error *err);
nilas_code nilas_command__show_tblproperties(nilas_run *run, nilas_error *err); // command_table.c
nilas_code nilas_command__show_create_table(nilas_run *run, nilas_error *err);
nilas_code nilas_command__show_columns(nilas_run *run, nilas_error *err);
nilas_code nilas_command__show_partitions(nilas_run *run, nilas_error *err);
nilas_code nilas_command__describe_table(nilas_run *run, nilas_error *err); // command_describe.c
nilas_code nilas_command__describe_query(nilas_run *run, nilas_error *err);
nilas_code nilas_command__create_view(nilas_run *run, nilas_error *err); // command_view.c
nilas_code nilas_command__drop_view(nilas_run *run, nilas_error *err);
nilas_code nilas_command__cache_table(nilas_run *run, nilas_error *err);
nilas_code nilas_command__query(nilas_run *run, nilas_error *err); // command_query.c
nilas_code nilas_command__explain(nilas_run *run, nilas_error *err);
nilas_code nilas_command__change(nilas_run *run, nilas_error *err); // command_change.c
nilas_code nilas_command__truncate(nilas_run *run, nilas_error *err);

/* --- shared by commands that write rows (write_options.c)
 * ----------------------------------------------------------------------- */

typedef NILAS_ARRAY_OF(nilas_property) nilas_session_summary;

/** How rows are to be written to a table: its schema; spec, order and options by the statement's
 * options, then the session's settings. */
nilas_code nilas_session__write_options(nilas_run *run, const nilas_table *table,
                                        const nilas_option *options, size_t count,
                                        nilas_write_options *out, nilas_error *err);
/** Entries of the snapshot's summary that are not about files. */
nilas_code nilas_session__write_summary(nilas_run *run, const nilas_write_options *write,
                                        nilas_session_summary *out, nilas_error *err);

/* --- shared by commands about tables (table_facts.c)
 * ----------------------------------------------------------------------- */

/** Resolve the statement's table name; views and files are given back as they are. */
nilas_code nilas_session__relation(nilas_run *run, nilas_relation *out, nilas_error *err);
/** The properties that Spark shows for an Iceberg table, sorted by key: its own, and
 * current-snapshot-id, format, …. */
nilas_code nilas_session__table_properties(nilas_arena *arena, const nilas_relation *relation,
                                           nilas_property **out, size_t *out_count,
                                           nilas_error *err);
/** Partition transforms as SQL: "bucket(16, id)", "days(ts)", "category". */
nilas_code nilas_session__partition_transforms(nilas_arena *arena, const nilas_relation *relation,
                                               nilas_str **out, size_t *out_count,
                                               bool *all_identity, nilas_error *err);
/** Columns of the relation as a Spark struct. */
nilas_code nilas_session__relation_type(nilas_run *run, const nilas_relation *relation,
                                        const nilas_type **out, nilas_error *err);
/** "local.db.table" or "local.db.table.files"; quoted: with back quotes where needed. */
nilas_code nilas_session__relation_quoted(nilas_arena *arena, const nilas_relation *relation,
                                          nilas_str *out, nilas_error *err);
nilas_code nilas_session__relation_name(nilas_arena *arena, const nilas_relation *relation,
                                        nilas_str *out, nilas_error *err);

#endif
