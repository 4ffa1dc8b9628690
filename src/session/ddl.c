/** What the commands that change tables share: names, errors, the commit. */
#include "session/ddl.h"

nilas_code nilas_ddl__name(nilas_run *run, const nilas_str *parts, size_t count,
                           nilas_ddl_name *out, nilas_error *err) {
    NILAS_TRY(nilas_bind_identifier(&run->environment, parts, count, false, &out->catalog,
                                    &out->catalog_name, &out->parts, &out->count, err));
    NILAS_REQUIRE(out->catalog != NULL, err, NILAS_NOT_FOUND,
                  "Catalog '%.*s' plugin class not found: spark.sql.catalog.%.*s is not defined",
                  NILAS_FMT(out->catalog_name), NILAS_FMT(out->catalog_name));
    return NILAS_OK;
}

nilas_code nilas_ddl__fail_exists(const nilas_ddl_name *name, int32_t offset, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&text, name->parts, name->count);
    return nilas_fail_at(
        err, NILAS_EXISTS, "TABLE_OR_VIEW_ALREADY_EXISTS", offset,
        "Cannot create table or view %.*s because it already exists. Choose a different name, drop "
        "or replace the existing object, or add the IF NOT EXISTS clause to tolerate pre-existing "
        "objects.",
        NILAS_FMT(nilas_buf_view(&text)));
}

nilas_code nilas_ddl__fail_not_found(const nilas_ddl_name *name, int32_t offset, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&text, &name->catalog_name, 1);
    nilas_buf_add_char(&text, '.');
    nilas_name_print_quoted(&text, name->parts, name->count);
    return nilas_bind_table_not_found(nilas_buf_view(&text), offset, err);
}

nilas_code nilas_ddl__table(nilas_run *run, nilas_relation *out, nilas_error *err) {
    NILAS_TRY(nilas_session__relation(run, out, err));
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&text, run->statement->parts, run->statement->part_count);
    if (out->kind == NILAS_RELATION_METADATA_TABLE) {
        return nilas_fail_at(err, NILAS_INVALID, NULL, run->statement->parts_offset,
                             "Cannot create transactions for a metadata table");
    }
    if (out->kind != NILAS_RELATION_TABLE) {
        return nilas_fail_at(
            err, NILAS_INVALID, "EXPECT_TABLE_NOT_VIEW.NO_ALTERNATIVE",
            run->statement->parts_offset, "'%s' expects a table but %.*s is a view.",
            nilas_statement_name(run->statement->kind), NILAS_FMT(nilas_buf_view(&text)));
    }
    if (out->is_time_travel) {
        return nilas_fail_at(
            err, NILAS_NOT_FOUND, "TABLE_OR_VIEW_NOT_FOUND", run->statement->parts_offset,
            "The table or view %.*s cannot be found: a branch, tag or snapshot cannot be altered.",
            NILAS_FMT(nilas_buf_view(&text)));
    }
    NILAS_REQUIRE(out->catalog != NULL, err, NILAS_UNSUPPORTED,
                  "a table named by its path cannot be changed: no catalog holds it");
    return NILAS_OK;
}

nilas_code nilas_ddl__commit(nilas_run *run, const nilas_relation *relation,
                             nilas_code (*apply)(void *context, nilas_update *update,
                                                 nilas_error *err),
                             void *context, nilas_error *err) {
    nilas_commit_options options = {
        .catalog = relation->catalog,
        .identifier = relation->identifier,
        .identifier_count = relation->identifier_count,
        .cancel = run->session->cancel,
        .apply = apply,
        .context = context,
    };
    NILAS_TRY(nilas_commit(&options, NULL, err));
    return nilas_session__no_rows(run, err);
}
