/** register_table: a metadata file that is there becomes a table of a catalog. */
#include "session/procedure.h"

/** An entry of the current snapshot's summary as a number; null when there is none. */
static nilas_value summary_number(const nilas_snapshot *snapshot, const char *key) {
    for (size_t i = 0; snapshot != NULL && i < snapshot->summary_count; i++) {
        int64_t number;
        if (nilas_str_is(snapshot->summary[i].key, key) &&
            nilas_str_to_int64(snapshot->summary[i].value, &number)) {
            return nilas_value_of_int(number);
        }
    }
    return NILAS_NULL_VALUE;
}

nilas_code nilas_procedure__register_table(nilas_procedure_call *call, nilas_error *err) {
    nilas_str file = nilas_call__text(call, "metadata_file", NILAS_STR_EMPTY);
    nilas_error inner = NILAS_ERROR_INIT;
    NILAS_REQUIRE(nilas_call__text(call, "table", NILAS_STR_EMPTY).size > 0, err, NILAS_INVALID,
                  "Cannot handle an empty identifier for argument table");
    NILAS_TRY(
        nilas_call__identifier(call, "table", &call->identifier, &call->identifier_count, err));
    NILAS_REQUIRE(file.size > 0, err, NILAS_INVALID,
                  "Cannot handle an empty argument metadata_file");
    NILAS_AUTO(nilas_table) existing = NULL;
    nilas_code code = nilas_catalog_load_table(call->catalog, call->identifier,
                                               call->identifier_count, &existing, &inner);
    if (code == NILAS_OK) {
        code = NILAS_EXISTS;
    } else { // what is broken is found again
        inner = (nilas_error)NILAS_ERROR_INIT;
        code = nilas_catalog_register_table(call->catalog, call->identifier, call->identifier_count,
                                            file, &inner);
    }
    if (code == NILAS_EXISTS) {
        nilas_str name;
        NILAS_TRY(nilas_session__dotted(call->run->stmt, call->identifier, call->identifier_count,
                                        &name, err));
        return nilas_fail_at(err, NILAS_EXISTS, NULL, call->run->statement->offset,
                             "Table already exists: %.*s", NILAS_FMT(name));
    }
    if (code == NILAS_NOT_FOUND) {
        bool exists = true;
        NILAS_TRY(nilas_io_exists(call->run->session->io, file, &exists, err));
        NILAS_REQUIRE(exists, err, NILAS_INVALID, "%.*s is not a valid metadata file",
                      NILAS_FMT(file));
    }
    if (code != NILAS_OK) {
        *err = inner;
        return code;
    }
    NILAS_TRY(nilas_call__load(call, err));
    const nilas_snapshot *current = nilas_metadata_current_snapshot(call->table->metadata);
    nilas_value cells[] = {
        nilas_call__id_or_null(call->table->metadata->current_snapshot_id),
        summary_number(current, "total-records"),
        summary_number(current, "total-data-files"),
    };
    return nilas_call__answer(call, cells, err);
}
