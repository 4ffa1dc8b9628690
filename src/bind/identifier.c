/*
 * Which catalog a name means, by Spark's rule: the first part when a catalog is configured by that name, else the
 * current catalog; a single part stands in the current namespace.
 */
#include "bind/bind.h"

static nilas_code copy_parts(const nilas_bind_environment *environment, const nilas_str *prefix,
                             size_t prefix_count, const nilas_str *parts, size_t count,
                             nilas_str **out, size_t *out_count, nilas_error *err) {
    NILAS_NEW_ARRAY(environment->stmt, out, prefix_count + count, err);
    for (size_t i = 0; i < prefix_count; i++) {
        (*out)[i] = prefix[i];
    }
    for (size_t i = 0; i < count; i++) {
        (*out)[prefix_count + i] = parts[i];
    }
    *out_count = prefix_count + count;
    return NILAS_OK;
}

nilas_code nilas_bind_identifier(const nilas_bind_environment *environment, const nilas_str *parts,
                                 size_t count, bool is_namespace, nilas_catalog **out_catalog,
                                 nilas_str *out_catalog_name, nilas_str **out_parts,
                                 size_t *out_count, nilas_error *err) {
    nilas_catalog *catalog = NULL;
    if (count > 1 || (is_namespace && count == 1)) {
        NILAS_TRY(environment->find_catalog(environment->context, parts[0], &catalog, err));
        if (catalog != NULL) {
            *out_catalog = catalog;
            *out_catalog_name = parts[0];
            return copy_parts(environment, NULL, 0, parts + 1, count - 1, out_parts, out_count,
                              err);
        }
    }
    bool takes_namespace = count == 0 || (count == 1 && !is_namespace);
    NILAS_TRY(environment->find_catalog(environment->context, environment->current_catalog,
                                        &catalog, err));
    *out_catalog = catalog;
    *out_catalog_name = environment->current_catalog;
    return copy_parts(environment, environment->current_namespace,
                      takes_namespace ? environment->current_namespace_count : 0, parts, count,
                      out_parts, out_count, err);
}
