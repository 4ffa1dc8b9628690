/*
 * Which catalog a name means, by Spark's rule: the first part when a catalog is configured by
 * that name, else the current catalog; a single part stands in the current namespace.
 */
#include "bind/bind.h"

nilas_code nilas_bind_identifier(const nilas_bind_environment *environment, const nilas_str *parts,
                                 size_t count, bool is_namespace, nilas_catalog **out_catalog,
                                 nilas_str *out_catalog_name, nilas_str **out_parts,
                                 size_t *out_count, nilas_error *err) {
    nilas_catalog *catalog = NULL;
    nilas_str *full = NULL;
    size_t full_count = 0;
    bool may_name_catalog = count > 1 || (is_namespace && count == 1);
    NILAS_NEW_ARRAY(environment->stmt, &full, count + environment->current_namespace_count, err);
    if (may_name_catalog) {
        NILAS_TRY(environment->find_catalog(environment->context, parts[0], &catalog, err));
    }
    *out_catalog_name = catalog != NULL ? parts[0] : environment->current_catalog;
    size_t first = catalog != NULL ? 1 : 0;
    if (catalog == NULL) {
        NILAS_TRY(environment->find_catalog(environment->context, environment->current_catalog,
                                            &catalog, err));
    }
    bool takes_namespace = count == 0 || (count == 1 && !is_namespace);
    for (size_t i = 0; takes_namespace && i < environment->current_namespace_count; i++) {
        full[full_count++] = environment->current_namespace[i];
    }
    for (size_t i = first; i < count; i++) {
        full[full_count++] = parts[i];
    }
    *out_catalog = catalog;
    *out_parts = full;
    *out_count = full_count;
    return NILAS_OK;
}
