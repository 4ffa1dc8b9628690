/** Generators give LIST(STRUCT(…)), one row an element; table functions give a FROM item. */
#include "function/table.h"

#define EXPLODE_ARRAY "list_transform($1, lambda x$u: {'col': x$u})"
#define POSITIONS                                                                                  \
    "list_transform(list_zip(range(len($1)), $1), lambda x$u: {'pos': CAST(x$u[1] AS INTEGER), "   \
    "'col': x$u[2]})"
#define MAP_POSITIONS                                                                              \
    "list_transform(list_zip(range(CAST(cardinality($1) AS BIGINT)), map_entries($1)), lambda "    \
    "x$u: {'pos': "                                                                                \
    "CAST(x$u[1] AS INTEGER), 'key': x$u[2].key, 'value': x$u[2].value})"
#define TIME_WINDOWS                                                                               \
    "list_transform(nilas_window_starts($1, $2, $3, $4), lambda x$u: {'window': {'start': x$u, "   \
    "'end': x$u + to_microseconds($2)}})"
#define OR_NULL_ROW(expression)                                                                    \
    "CASE WHEN coalesce(len(" expression "), 0) = 0 THEN [NULL] ELSE " expression " END"

const nilas_function nilas_function__generators[] = {
    {GENERATOR, "explode", "array -> @explode", EXPLODE_ARRAY, 0, NULL},
    {GENERATOR, "explode", "map -> @explode", "map_entries($1)", 0, NULL},
    {GENERATOR, "explode_outer", "array -> @explode", OR_NULL_ROW(EXPLODE_ARRAY), 0, NULL},
    {GENERATOR, "explode_outer", "map -> @explode", OR_NULL_ROW("map_entries($1)"), 0, NULL},
    {GENERATOR, "posexplode", "array -> @posexplode", POSITIONS, 0, NULL},
    {GENERATOR, "posexplode", "map -> @posexplode", MAP_POSITIONS, 0, NULL},
    {GENERATOR, "posexplode_outer", "array -> @posexplode", OR_NULL_ROW(POSITIONS), 0, NULL},
    {GENERATOR, "posexplode_outer", "map -> @posexplode", OR_NULL_ROW(MAP_POSITIONS), 0, NULL},
    {GENERATOR, "inline", "array -> @inline", "$1", 0, NULL},
    {GENERATOR, "inline_outer", "array -> @inline", OR_NULL_ROW("$1"), 0, NULL},
    {GENERATOR, "stack", "int, any... -> @stack", "@stack", 0, NULL},
    {GENERATOR, "json_tuple", "string, string... -> @json_tuple", "@json_tuple", 0, NULL},
    {GENERATOR, "variant_explode", "variant -> @variant_explode",
     "CAST(from_json(nilas_variant_explode($1), "
     "'[{\"pos\":\"INTEGER\",\"key\":\"VARCHAR\",\"value\":\"VARCHAR\"}]') AS STRUCT(pos INTEGER, "
     "\"key\" VARCHAR, \"value\" VARCHAR)[])",
     0, NULL},
    {GENERATOR, "variant_explode_outer", "variant -> @variant_explode",
     OR_NULL_ROW("CAST(from_json(nilas_variant_explode($1), "
                 "'[{\"pos\":\"INTEGER\",\"key\":\"VARCHAR\",\"value\":\"VARCHAR\"}]') AS "
                 "STRUCT(pos INTEGER, \"key\" VARCHAR, \"value\" VARCHAR)[])"),
     0, NULL},

    // bind finds the durations: size, slide and start in microseconds
    {GENERATOR, "window", "timestamp, bigint, bigint, bigint -> @window", TIME_WINDOWS, 0, NULL},
    {GENERATOR, "window", "timestamp_ntz, bigint, bigint, bigint -> @window", TIME_WINDOWS, 0,
     NULL},
    {GENERATOR, "session_window", "any, any -> @window", TIME_WINDOWS, SYNTAX, NULL},

    {TABLE, "range", "bigint -> @range", "(SELECT range FROM range(CAST(0 AS BIGINT), $1))", 0,
     NULL},
    {TABLE, "range", "bigint, bigint -> @range", "(SELECT range FROM range($1, $2))", 0, NULL},
    {TABLE, "range", "bigint, bigint, bigint -> @range", "(SELECT range FROM range($1, $2, $3))", 0,
     NULL},
    {TABLE, "range", "bigint, bigint, bigint, int -> @range",
     "(SELECT range FROM range($1, $2, $3))", 0, NULL},
    {TABLE, "collations", "-> @collations",
     "(SELECT 'SYSTEM', 'BUILTIN', unnest(['UTF8_BINARY', 'UTF8_LCASE']), CAST(NULL AS VARCHAR), "
     "CAST(NULL AS VARCHAR), 'ACCENT_SENSITIVE', unnest(['CASE_SENSITIVE', 'CASE_INSENSITIVE']), "
     "'NO_PAD', CAST(NULL AS VARCHAR))",
     0, NULL},
    {TABLE, "sql_keywords", "-> @sql_keywords", "@sql_keywords", 0, NULL},
};
NILAS_FUNCTION_COUNT(nilas_function__generators);
