/** CREATE, DROP and ALTER of namespaces. */
#include "session/ddl.h"

static nilas_code resolve(nilas_run *run, nilas_ddl_name *out, nilas_error *err) {
    NILAS_TRY(nilas_bind_identifier(&run->environment, run->statement->parts,
                                    run->statement->part_count, true, &out->catalog,
                                    &out->catalog_name, &out->parts, &out->count, err));
    NILAS_REQUIRE(out->catalog != NULL, err, NILAS_NOT_FOUND,
                  "Catalog '%.*s' plugin class not found", NILAS_FMT(out->catalog_name));
    return NILAS_OK;
}

typedef NILAS_ARRAY_OF(nilas_property) property_list;

static nilas_code collect(nilas_run *run, property_list *list, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    if (statement->kind == NILAS_STATEMENT_COMMENT_ON) {
        nilas_property property = {
            .key = NILAS_STR("comment"),
            .value = statement->has_value ? statement->value : (nilas_str){0}};
        NILAS_PUSH(run->stmt, list, property, err);
    }
    if (statement->has_comment) {
        nilas_property property = {.key = NILAS_STR("comment"), .value = statement->comment};
        NILAS_PUSH(run->stmt, list, property, err);
    }
    if (statement->has_location) {
        nilas_property property = {.key = NILAS_STR("location"), .value = statement->location};
        NILAS_PUSH(run->stmt, list, property, err);
    }
    for (size_t i = 0; i < statement->property_count; i++) {
        nilas_property property = {.key = statement->properties[i].key,
                                   .value = statement->properties[i].value};
        NILAS_PUSH(run->stmt, list, property, err);
    }
    for (size_t a = 0; a < statement->alteration_count; a++) {
        const nilas_alteration *alteration = &statement->alterations[a];
        bool sets = alteration->kind != NILAS_ALTER_UNSET_PROPERTIES;
        for (size_t i = 0; i < alteration->property_count; i++) {
            nilas_property property = {.key = alteration->properties[i].key};
            if (sets) {
                property.value = alteration->properties[i].value;
            }
            NILAS_PUSH(run->stmt, list, property, err);
        }
        if (alteration->kind == NILAS_ALTER_SET_LOCATION) {
            nilas_property property = {.key = NILAS_STR("location"),
                                       .value = alteration->location};
            NILAS_PUSH(run->stmt, list, property, err);
        }
    }
    return NILAS_OK;
}

nilas_code nilas_command__create_namespace(nilas_run *run, nilas_error *err) {
    nilas_ddl_name name;
    property_list list = {0};
    nilas_error inner = NILAS_ERROR_INIT;
    NILAS_TRY(resolve(run, &name, err));
    NILAS_TRY(collect(run, &list, err));
    nilas_code code = nilas_catalog_create_namespace(name.catalog, name.parts, name.count,
                                                     list.items, list.count, &inner);
    if (code == NILAS_EXISTS) {
        if (run->statement->if_not_exists) {
            return nilas_session__no_rows(run, err);
        }
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
        nilas_name_print_quoted(&text, name.parts, name.count);
        return nilas_fail_at(err, NILAS_EXISTS, "SCHEMA_ALREADY_EXISTS",
                             run->statement->parts_offset,
                             "Cannot create schema %.*s because it already exists. Choose a "
                             "different name, drop the existing schema, or add the IF NOT EXISTS "
                             "clause to tolerate pre-existing schema.",
                             NILAS_FMT(nilas_buf_view(&text)));
    }
    if (code != NILAS_OK) {
        *err = inner;
        return code;
    }
    return nilas_session__no_rows(run, err);
}

nilas_code nilas_command__drop_namespace(nilas_run *run, nilas_error *err) {
    nilas_ddl_name name;
    nilas_error inner = NILAS_ERROR_INIT;
    NILAS_TRY(resolve(run, &name, err));
    nilas_code code = nilas_catalog_drop_namespace(name.catalog, name.parts, name.count, &inner);
    if (code == NILAS_NOT_FOUND) {
        return run->statement->if_exists
                   ? nilas_session__no_rows(run, err)
                   : nilas_session__fail_no_namespace(name.parts, name.count,
                                                      run->statement->parts_offset, err);
    }
    if (code != NILAS_OK) {
        *err = inner;
        return code;
    }
    return nilas_session__no_rows(run, err);
}

nilas_code nilas_command__alter_namespace(nilas_run *run, nilas_error *err) {
    nilas_ddl_name name;
    property_list list = {0};
    NILAS_TRY(resolve(run, &name, err));
    NILAS_TRY(collect(run, &list, err));
    nilas_code code = nilas_catalog_alter_namespace(name.catalog, name.parts, name.count,
                                                    list.items, list.count, err);
    if (code == NILAS_NOT_FOUND) {
        return nilas_session__fail_no_namespace(name.parts, name.count,
                                                run->statement->parts_offset, err);
    }
    NILAS_TRY(code);
    return nilas_session__no_rows(run, err);
}
