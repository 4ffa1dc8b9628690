/** SHOW FUNCTIONS and DESCRIBE FUNCTION. */
#include "session/private.h"

static const char *const iceberg_functions[] = {"bucket", "days",     "hours", "iceberg_version",
                                                "months", "truncate", "years"};

/** The catalog whose system namespace is meant: of the name, else the current one. NULL: none of
 * Iceberg's. */
static nilas_code system_catalog(nilas_run *run, nilas_str *out, nilas_error *err) {
    nilas_catalog *catalog;
    nilas_str *parts;
    size_t count;
    *out = (nilas_str){0};
    if (run->statement->part_count == 0) {
        return NILAS_OK;
    }
    nilas_str name;
    NILAS_TRY(nilas_bind_identifier(&run->environment, run->statement->parts,
                                    run->statement->part_count, true, &catalog, &name, &parts,
                                    &count, err));
    if (count <= 1 && !nilas_str_is(name, "spark_catalog")) {
        *out = name;
    }
    return NILAS_OK;
}

nilas_code nilas_command__show_functions(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"function"};
    const nilas_statement *statement = run->statement;
    nilas_command_rows rows;
    nilas_str catalog;
    size_t count;
    const char *const *builtin = nilas_function_names(&count);
    NILAS_TRY(system_catalog(run, &catalog, err));
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 1, err));
    for (size_t i = 0; i < count && !nilas_str_is_nocase(statement->value, "USER"); i++) {
        nilas_str name = nilas_str_of(builtin[i]);
        if (!statement->has_pattern || nilas_session__matches(statement->pattern, name)) {
            NILAS_TRY(nilas_session__rows_add_texts(&rows, &name, err));
        }
    }
    for (size_t i = 0; i < sizeof(iceberg_functions) / sizeof(iceberg_functions[0]); i++) {
        nilas_str name;
        if (catalog.data == NULL || nilas_str_is_nocase(statement->value, "SYSTEM")) {
            break;
        }
        NILAS_TRY(nilas_str_print(run->stmt, &name, err, "%.*s.system.%s", NILAS_FMT(catalog),
                                  iceberg_functions[i]));
        if (!statement->has_pattern ||
            nilas_session__matches(statement->pattern, nilas_str_of(iceberg_functions[i]))) {
            NILAS_TRY(nilas_session__rows_add_texts(&rows, &name, err));
        }
    }
    return nilas_session__rows_end(&rows, err);
}

nilas_code nilas_command__describe_function(nilas_run *run, nilas_error *err) {
    static const char *const names[] = {"function_desc"};
    const nilas_statement *statement = run->statement;
    nilas_command_rows rows;
    nilas_str name = statement->parts[statement->part_count - 1];
    if (statement->part_count > 1) {
        nilas_str catalog;
        NILAS_TRY(system_catalog(run, &catalog, err));
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "_LEGACY_ERROR_TEMP_1184",
                             statement->parts_offset, "Catalog %.*s does not support functions.",
                             NILAS_FMT(catalog.data != NULL ? catalog : statement->parts[0]));
    }
    if (!nilas_function_exists(name)) {
        return nilas_fail_at(err, NILAS_NOT_FOUND, "UNRESOLVED_ROUTINE", statement->parts_offset,
                             "Cannot resolve routine `%.*s` on search path [`system`.`builtin`, "
                             "`system`.`session`].",
                             NILAS_FMT(name));
    }
    nilas_str text;
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 1, err));
    NILAS_TRY(nilas_str_print(run->stmt, &text, err, "Function: %.*s", NILAS_FMT(name)));
    NILAS_TRY(nilas_session__rows_add_texts(&rows, &text, err));
    return nilas_session__rows_end(&rows, err);
}
