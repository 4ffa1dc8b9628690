/* What must be known of Parquet files that others wrote before they become part of a table. */
#include "engine/render.h"

static nilas_code print_query(nilas_arena *arena, const nilas_str *locations, size_t count,
                              nilas_map *index, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    nilas_buf_add_text(&sql, "SELECT file_name, CAST(num_rows AS BIGINT) FROM "
                             "parquet_file_metadata([");
    for (size_t i = 0; i < count; i++) {
        nilas_str path;
        size_t *at;
        NILAS_TRY(nilas_io_local_path(arena, locations[i], &path, err));
        NILAS_NEW(arena, &at, err);
        *at = i;
        NILAS_TRY(nilas_map_put(index, path, at, err));
        nilas_buf_add_text(&sql, i > 0 ? ", " : "");
        nilas_render__path(&sql, path);
    }
    nilas_buf_add_text(&sql, "])");
    return nilas_buf_finish(&sql, arena, out, err);
}

nilas_code nilas_engine_count_parquet_rows(nilas_engine *engine, nilas_arena *arena,
                                           const nilas_str *locations, size_t count,
                                           int64_t *out_rows, nilas_error *err) {
    NILAS_AUTO_JOB job = {.engine = engine, .stmt = arena};
    NILAS_AUTO_QUERY_RUN run = {0};
    nilas_map index;
    nilas_str sql;
    size_t found = 0;
    if (count == 0) {
        return NILAS_OK;
    }
    nilas_map_init(&index, arena, false);
    NILAS_TRY(print_query(arena, locations, count, &index, &sql, err));
    NILAS_TRY(nilas_job__start(&job, sql, &run, err));
    while (true) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(&job, &run, &chunk, err));
        if (chunk == NULL) {
            break;
        }
        const void *names = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
        const int64_t *rows = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 1));
        for (idx_t i = 0; i < duckdb_data_chunk_get_size(chunk); i++) {
            nilas_str name = nilas_engine__string_at(names, i);
            const size_t *at = nilas_map_find(&index, name);
            NILAS_REQUIRE(at != NULL, err, NILAS_ENGINE, "DuckDB names a file \"%.*s\"",
                          NILAS_FMT(name));
            out_rows[*at] = rows[i];
            found++;
        }
    }
    NILAS_REQUIRE(found == count, err, NILAS_ENGINE, "DuckDB tells of %zu files, not of %zu", found,
                  count);
    return NILAS_OK;
}
