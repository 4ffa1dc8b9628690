/* Position deletes in Parquet for another place: the same rows, the paths below another prefix. */
#include "engine/parquet_footer.h"
#include "engine/writer.h"

static void print_node_ids(nilas_buf *out, const nilas_parquet_node *node);

static void print_member_ids(nilas_buf *out, const nilas_parquet_node *node,
                             const char *separator) {
    static const char *const map_names[] = {"key", "value"};
    for (size_t i = 0; i < node->child_count; i++) {
        nilas_buf_add_text(out, separator);
        if (node->kind == NILAS_PARQUET_STRUCT) {
            nilas_render__identifier(out, node->children[i].name);
        } else {
            nilas_buf_add_text(out, node->kind == NILAS_PARQUET_LIST ? "element" : map_names[i]);
        }
        nilas_buf_add_text(out, ": ");
        print_node_ids(out, &node->children[i]);
        separator = ", ";
    }
}

/** "5", or "{__duckdb_field_id: 5, member: …}". Without ids in the file there are none. */
static void print_node_ids(nilas_buf *out, const nilas_parquet_node *node) {
    if (node->child_count == 0) {
        nilas_buf_print(out, "%d", node->field_id);
        return;
    }
    nilas_buf_print(out, "{__duckdb_field_id: %d", node->field_id);
    print_member_ids(out, node, ", ");
    nilas_buf_add_char(out, '}');
}

static const nilas_parquet_node *find_path(const nilas_parquet_schema *schema) {
    for (size_t i = 0; i < schema->root.child_count; i++) {
        const nilas_parquet_node *node = &schema->root.children[i];
        if (schema->has_ids ? node->field_id == NILAS_FIELD_DELETE_FILE_PATH
                            : nilas_str_is(node->name, "file_path")) {
            return node;
        }
    }
    return NULL;
}

static void print_source(nilas_buf *out, nilas_str path) {
    nilas_buf_add_text(out, " FROM read_parquet(");
    nilas_render__path(out, path);
    nilas_buf_add_text(out, ", hive_partitioning = false)");
}

/** A path that is not below the prefix ends the move. */
static nilas_code check_paths(nilas_job *job, const nilas_position_move *move, nilas_str column,
                              nilas_str path, nilas_error *err) {
    NILAS_AUTO_QUERY_RUN run = {0};
    NILAS_AUTO_CHUNK chunk = NULL;
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    nilas_str text;
    nilas_buf_add_text(&sql, "SELECT ");
    nilas_render__identifier(&sql, column);
    print_source(&sql, path);
    nilas_buf_add_text(&sql, " WHERE NOT starts_with(");
    nilas_render__identifier(&sql, column);
    nilas_buf_add_text(&sql, ", ");
    nilas_render__text(&sql, move->source_prefix);
    nilas_buf_add_text(&sql, ") LIMIT 1");
    NILAS_TRY(nilas_buf_finish(&sql, job->stmt, &text, err));
    NILAS_TRY(nilas_job__start(job, text, &run, err));
    NILAS_TRY(nilas_job__fetch(job, &run, &chunk, err));
    if (chunk == NULL || duckdb_data_chunk_get_size(chunk) == 0) {
        return NILAS_OK;
    }
    nilas_str found =
        nilas_engine__string_at(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0)), 0);
    return nilas_fail(err, NILAS_UNSUPPORTED,
                      "Expected delete file to be under the source prefix: %.*s but was %.*s",
                      NILAS_FMT(move->source_prefix), NILAS_FMT(found));
}

static nilas_code print_copy(nilas_arena *arena, const nilas_position_move *move,
                             const nilas_parquet_schema *schema, const nilas_parquet_node *column,
                             nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    nilas_str from, target;
    NILAS_TRY(nilas_io_local_path(arena, move->from, &from, err));
    NILAS_TRY(nilas_io_local_path(arena, move->target, &target, err));
    nilas_buf_add_text(&sql, "COPY (SELECT ");
    for (size_t i = 0; i < schema->root.child_count; i++) {
        const nilas_parquet_node *node = &schema->root.children[i];
        nilas_buf_add_text(&sql, i > 0 ? ", " : "");
        if (node == column) {
            nilas_render__text(&sql, move->target_prefix);
            nilas_buf_add_text(&sql, " || substr(");
            nilas_render__identifier(&sql, node->name);
            nilas_buf_print(&sql, ", %zu) AS ", nilas_str_codepoints(move->source_prefix) + 1);
        }
        nilas_render__identifier(&sql, node->name);
    }
    print_source(&sql, from);
    nilas_buf_add_text(&sql, ") TO ");
    nilas_render__text(&sql, target);
    nilas_buf_add_text(&sql, " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false");
    if (schema->has_ids) {
        nilas_buf_add_text(&sql, ", FIELD_IDS {");
        print_member_ids(&sql, &schema->root, "");
        nilas_buf_add_char(&sql, '}');
    }
    nilas_buf_add_char(&sql, ')');
    return nilas_buf_finish(&sql, arena, out, err);
}

nilas_code nilas_engine_move_positions(nilas_engine *engine, nilas_arena *arena, nilas_io *io,
                                       const nilas_position_move *move, nilas_error *err) {
    NILAS_AUTO_JOB job = {.engine = engine, .stmt = arena};
    nilas_parquet_schema schema;
    nilas_str copy, path;
    nilas_assert(nilas_str_ends(move->source_prefix, NILAS_STR("/")) &&
                 nilas_str_ends(move->target_prefix, NILAS_STR("/")));
    NILAS_TRY(nilas_parquet__read_schema(io, arena, move->from, -1, &schema, err));
    const nilas_parquet_node *column = find_path(&schema);
    NILAS_REQUIRE(column != NULL, err, NILAS_CORRUPT, "\"%.*s\" is not a file of position deletes",
                  NILAS_FMT(move->from));
    NILAS_TRY(nilas_io_local_path(arena, move->from, &path, err));
    NILAS_TRY(check_paths(&job, move, column->name, path, err));
    NILAS_TRY(print_copy(arena, move, &schema, column, &copy, err));
    return nilas_write__execute(&job, copy, err);
}
