/**
 * Aggregates with Spark's own formulas (CentralMomentAgg, Covariance, Corr): one pass, constant
 * memory. They differ from DuckDB's in the last digits, and skewness also in kind.
 */
#include "engine/udf_aggregate.h"

#include <math.h>
#include <string.h>

typedef struct state {
    double count;
    double x_mean, y_mean;
    double m2, m3, m4;   // moments of x
    double y_m2, shared; // of y; of x and y together
} state;

typedef struct aggregate {
    const char *name;
    size_t parameters;                           // of type double
    bool (*result)(const state *s, double *out); // false: null
} aggregate;

/* --- one value more, two states together --- */

static void add_one(state *s, double x) {
    double n = s->count + 1;
    double delta = x - s->x_mean;
    double delta_n = delta / n;
    double delta2 = delta * delta;
    double delta_n2 = delta_n * delta_n;
    s->x_mean += delta_n;
    s->m2 += delta * (delta - delta_n);
    s->m3 += -3 * delta_n * s->m2 + delta * (delta2 - delta_n2);
    s->m4 +=
        -4 * delta_n * s->m3 - 6 * delta_n2 * s->m2 + delta * (delta * delta2 - delta_n * delta_n2);
    s->count = n;
}

static void add_pair(state *s, double x, double y) {
    double n = s->count + 1;
    double dx = x - s->x_mean;
    double dy = y - s->y_mean;
    s->x_mean += dx / n;
    s->y_mean += dy / n;
    s->shared += dx * (y - s->y_mean);
    s->m2 += dx * (x - s->x_mean);
    s->y_m2 += dy * (y - s->y_mean);
    s->count = n;
}

static void join_moments(state *a, const state *b) {
    double n1 = a->count, n2 = b->count, n = n1 + n2;
    double delta = b->x_mean - a->x_mean;
    double delta_n = delta / n;
    double m2 = a->m2 + b->m2 + delta * delta_n * n1 * n2;
    double m3 = a->m3 + b->m3 + delta_n * delta_n * delta * n1 * n2 * (n1 - n2) +
                3 * delta_n * (n1 * b->m2 - n2 * a->m2);
    double m4 = a->m4 + b->m4 +
                delta_n * delta_n * delta_n * delta * n1 * n2 * (n1 * n1 - n1 * n2 + n2 * n2) +
                6 * delta_n * delta_n * (n1 * n1 * b->m2 + n2 * n2 * a->m2) +
                4 * delta_n * (n1 * b->m3 - n2 * a->m3);
    double dy = b->y_mean - a->y_mean;
    a->shared += b->shared + delta_n * dy * n1 * n2;
    a->y_m2 += b->y_m2 + dy / n * dy * n1 * n2;
    a->y_mean += dy / n * n2;
    a->x_mean += delta_n * n2;
    a->m2 = m2;
    a->m3 = m3;
    a->m4 = m4;
    a->count = n;
}

/* --- results --- */

static bool skewness(const state *s, double *out) {
    *out = sqrt(s->count) * s->m3 / sqrt(s->m2 * s->m2 * s->m2);
    return s->count > 0 && s->m2 != 0;
}

static bool kurtosis(const state *s, double *out) {
    *out = s->count * s->m4 / (s->m2 * s->m2) - 3;
    return s->count > 0 && s->m2 != 0;
}

static bool corr(const state *s, double *out) {
    *out = s->shared / sqrt(s->m2 * s->y_m2);
    return s->count > 1;
}

static bool covar_pop(const state *s, double *out) {
    *out = s->shared / s->count;
    return s->count > 0;
}

static bool covar_samp(const state *s, double *out) {
    *out = s->shared / (s->count - 1);
    return s->count > 1;
}

static bool shared(const state *s, double *out) {
    *out = s->shared;
    return s->count > 0;
}

static const aggregate aggregates[] = {
    {"nilas_skewness", 1, skewness},
    {"nilas_kurtosis", 1, kurtosis},
    {"nilas_corr", 2, corr},
    {"nilas_covar_pop", 2, covar_pop},
    {"nilas_covar_samp", 2, covar_samp},
    {"nilas_sxy", 2, shared},
};

/* --- DuckDB's side --- */

static idx_t state_size(duckdb_function_info info) {
    (void)info;
    return sizeof(state);
}

static state *state_of(duckdb_aggregate_state at) {
    return (state *)(void *)at;
}

static void start(duckdb_function_info info, duckdb_aggregate_state at) {
    (void)info;
    memset(state_of(at), 0, sizeof(state));
}

static bool is_valid(const uint64_t *validity, idx_t row) {
    return validity == NULL || ((validity[row / 64] >> (row % 64)) & 1) != 0;
}

static void update(duckdb_function_info info, duckdb_data_chunk input,
                   duckdb_aggregate_state *states) {
    const aggregate *function = duckdb_aggregate_function_get_extra_info(info);
    idx_t rows = duckdb_data_chunk_get_size(input);
    duckdb_vector x_vector = duckdb_data_chunk_get_vector(input, 0);
    duckdb_vector y_vector = duckdb_data_chunk_get_vector(input, function->parameters - 1);
    const double *x = duckdb_vector_get_data(x_vector);
    const double *y = duckdb_vector_get_data(y_vector);
    const uint64_t *x_validity = duckdb_vector_get_validity(x_vector);
    const uint64_t *y_validity = duckdb_vector_get_validity(y_vector);
    for (idx_t row = 0; row < rows; row++) {
        if (!is_valid(x_validity, row) || !is_valid(y_validity, row)) {
            continue;
        }
        if (function->parameters == 1) {
            add_one(state_of(states[row]), x[row]);
        } else {
            add_pair(state_of(states[row]), x[row], y[row]);
        }
    }
}

static void combine(duckdb_function_info info, duckdb_aggregate_state *sources,
                    duckdb_aggregate_state *targets, idx_t count) {
    (void)info;
    for (idx_t i = 0; i < count; i++) {
        state *target = state_of(targets[i]);
        const state *source = state_of(sources[i]);
        if (target->count == 0) {
            *target = *source;
        } else if (source->count > 0) {
            join_moments(target, source);
        }
    }
}

static void finalize(duckdb_function_info info, duckdb_aggregate_state *states,
                     duckdb_vector result, idx_t count, idx_t offset) {
    const aggregate *function = duckdb_aggregate_function_get_extra_info(info);
    double *out = duckdb_vector_get_data(result);
    duckdb_vector_ensure_validity_writable(result);
    uint64_t *validity = duckdb_vector_get_validity(result);
    for (idx_t i = 0; i < count; i++) {
        if (!function->result(state_of(states[i]), &out[offset + i])) {
            duckdb_validity_set_row_invalid(validity, offset + i);
        }
    }
}

static void keep(void *unused) {
    (void)unused;
}

nilas_code nilas_engine__register_aggregates(duckdb_connection connection, nilas_error *err) {
    for (size_t i = 0; i < sizeof(aggregates) / sizeof(aggregates[0]); i++) {
        duckdb_logical_type real = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
        duckdb_aggregate_function function = duckdb_create_aggregate_function();
        duckdb_aggregate_function_set_name(function, aggregates[i].name);
        for (size_t k = 0; k < aggregates[i].parameters; k++) {
            duckdb_aggregate_function_add_parameter(function, real);
        }
        duckdb_aggregate_function_set_return_type(function, real);
        duckdb_aggregate_function_set_functions(function, state_size, start, update, combine,
                                                finalize);
        duckdb_aggregate_function_set_extra_info(function, (void *)(uintptr_t)&aggregates[i], keep);
        duckdb_state registered = duckdb_register_aggregate_function(connection, function);
        duckdb_destroy_aggregate_function(&function);
        duckdb_destroy_logical_type(&real);
        NILAS_REQUIRE(registered == DuckDBSuccess, err, NILAS_ENGINE,
                      "aggregate %s cannot be registered", aggregates[i].name);
    }
    return NILAS_OK;
}
