/*
 * Saving rows as files that belong to no table: DuckDB writes them. Lines of text are a CSV file
 * without quotes, so that one COPY serves all formats, folders of partitions too.
 */
#include "engine/save.h"

#include "engine/job.h"
#include "engine/render.h"

static void print_select(nilas_buf *sql, const nilas_plan *plan, nilas_str query) {
    nilas_buf_add_text(sql, "COPY (SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_print(sql, "%sc%d AS ", i > 0 ? ", " : "", plan->outputs[i].id);
        nilas_render__identifier(sql, plan->outputs[i].name);
    }
    nilas_buf_add_text(sql, " FROM (");
    nilas_buf_add(sql, query);
    nilas_buf_add_text(sql, ") AS rows) TO ");
}

static void print_format(nilas_buf *sql, const nilas_save_options *options) {
    if (options->lines) {
        nilas_buf_print(sql, "FORMAT csv, HEADER %s, QUOTE '', ESCAPE '', DELIMITER E'\\x01'",
                        options->header ? "true" : "false");
    } else {
        nilas_buf_add_text(sql, "FORMAT parquet");
    }
    nilas_buf_print(sql, ", COMPRESSION '%s'", options->compression);
}

static void print_partitions(nilas_buf *sql, const nilas_plan *plan,
                             const nilas_save_options *options) {
    nilas_buf_add_text(sql, ", PARTITION_BY (");
    for (size_t i = plan->output_count - options->partition_count; i < plan->output_count; i++) {
        nilas_buf_add_text(sql, i > plan->output_count - options->partition_count ? ", " : "");
        nilas_render__identifier(sql, plan->outputs[i].name);
    }
    nilas_buf_print(sql,
                    "), FILENAME_PATTERN 'part-00000-{uuid}.c000', FILE_EXTENSION '%s', "
                    "OVERWRITE_OR_IGNORE true",
                    options->extension);
}

nilas_code nilas_engine_save(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                             const nilas_save_options *options, nilas_error *err) {
    NILAS_AUTO_JOB job = {.engine = engine, .stmt = stmt};
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    NILAS_AUTO_QUERY_RUN run = {0};
    nilas_render r = {.job = &job, .stmt = stmt};
    nilas_str query;
    nilas_str target = options->folder;

    engine->context.now_micros = nilas_now_micros();
    nilas_assert(plan->output_count > options->partition_count);
    NILAS_TRY(nilas_engine__print_query(&r, plan, &query, err));
    print_select(&sql, plan, query);
    if (options->partition_count == 0) {
        nilas_uuid id;
        NILAS_TRY(nilas_uuid_new(&id, err));
        NILAS_TRY(nilas_str_print(stmt, &target, err, "%.*s/part-00000-%s-c000.%s",
                                  NILAS_FMT(options->folder), id.text, options->extension));
    }
    nilas_render__path(&sql, target);
    nilas_buf_add_text(&sql, " (");
    print_format(&sql, options);
    if (options->partition_count > 0) {
        print_partitions(&sql, plan, options);
    }
    nilas_buf_add_char(&sql, ')');
    NILAS_TRY(nilas_buf_check(&sql, err));

    NILAS_TRY(nilas_job__start(&job, nilas_buf_view(&sql), &run, err));
    for (;;) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(&job, &run, &chunk, err));
        if (chunk == NULL) {
            return NILAS_OK;
        }
    }
}
