/** Arrays, maps, structs and the functions that take lambdas. */
#include "function/table.h"

const nilas_function nilas_function__collections[] = {
    // making
    {SCALAR, "array", "-> array<null>", "CAST([] AS INTEGER[])", NEVER_NULL, NULL},
    {SCALAR, "array", "T, T... -> @array", "[$*]", NEVER_NULL, NULL},
    {SCALAR, "struct", "any... -> @struct", "@struct", NEVER_NULL, NULL},
    {SCALAR, "named_struct", "any... -> @named_struct", "@named_struct", NEVER_NULL, NULL},
    {SCALAR, "map", "any... -> @map", "@map", NEVER_NULL, NULL},
    {SCALAR, "map_from_arrays", "array<K>, array<V> -> map<K,V>", "map($1, $2)", 0, NULL},
    {SCALAR, "map_from_entries", "array -> @map_from_entries",
     "CASE WHEN len(list_filter($1, lambda x$u: x$u IS NULL)) = 0 THEN map_from_entries($1) END",
     NULLABLE, NULL},
    {SCALAR, "array_repeat", "T, int -> array<T>",
     "CASE WHEN $2 IS NULL THEN NULL ELSE list_transform(range(greatest(CAST($2 AS BIGINT), 0)), "
     "lambda x$u: $1) END",
     0, NULL},
    {SCALAR, "sequence", "T:integral, T:integral -> array<T>", "nilas_sequence($1, $2)", 0, NULL},
    {SCALAR, "sequence", "T:integral, T:integral, T:integral -> array<T>",
     "nilas_sequence($1, $2, $3)", 0, NULL},
    {SCALAR, "sequence", "date, date -> array<date>",
     "list_transform(nilas_sequence(CAST($1 - DATE '1970-01-01' AS BIGINT), CAST($2 - DATE "
     "'1970-01-01' AS BIGINT)), lambda x$u: DATE '1970-01-01' + CAST(x$u AS INTEGER))",
     0, NULL},
    {SCALAR, "sequence", "date, date, year_month -> array<date>",
     "nilas_sequence_months($1, $2, $3)", 0, NULL},
    {SCALAR, "sequence", "date, date, day_time -> array<date>",
     "list_transform(nilas_sequence(CAST($1 - DATE '1970-01-01' AS BIGINT), CAST($2 - DATE "
     "'1970-01-01' AS BIGINT), $3 // 86400000000), lambda x$u: DATE '1970-01-01' + CAST(x$u AS "
     "INTEGER))",
     0, NULL},
    {SCALAR, "sequence", "timestamp, timestamp, day_time -> array<timestamp>",
     "list_transform(nilas_sequence(epoch_us($1), epoch_us($2), $3), lambda x$u: "
     "nilas_micros_instant(x$u))",
     0, NULL},
    {SCALAR, "sequence", "timestamp, timestamp, year_month -> array<timestamp>",
     "list_transform(nilas_sequence_months(nilas_local($1), nilas_local($2), $3), lambda x$u: "
     "nilas_instant(x$u))",
     0, NULL},
    {SCALAR, "sequence", "timestamp_ntz, timestamp_ntz, year_month -> array<timestamp_ntz>",
     "nilas_sequence_months($1, $2, $3)", 0, NULL},
    {SCALAR, "sequence", "timestamp_ntz, timestamp_ntz, day_time -> array<timestamp_ntz>",
     "list_transform(nilas_sequence(epoch_us($1), epoch_us($2), $3), lambda x$u: "
     "make_timestamp(x$u))",
     0, NULL},
    {SCALAR, "shuffle", "array<T>, any? -> array<T>",
     "list_transform(list_sort(list_transform($1, lambda x$u: {'r': random(), 'v': x$u})), lambda "
     "x$u: x$u.v)",
     VOLATILE, NULL},

    // asking
    {SCALAR, "size", "array -> int",
     "{ansi:CAST(len($1) AS INTEGER)|CAST(coalesce(len($1), -1) AS INTEGER)}", 0, NULL},
    {SCALAR, "size", "map -> int",
     "{ansi:CAST(cardinality($1) AS INTEGER)|CASE WHEN $1 IS NULL THEN -1 ELSE "
     "CAST(cardinality($1) AS INTEGER) END}",
     0, NULL},
    {SCALAR, "cardinality", "array -> int",
     "{ansi:CAST(len($1) AS INTEGER)|CAST(coalesce(len($1), -1) AS INTEGER)}", 0, NULL},
    {SCALAR, "cardinality", "map -> int",
     "{ansi:CAST(cardinality($1) AS INTEGER)|CASE WHEN $1 IS NULL THEN -1 ELSE "
     "CAST(cardinality($1) AS INTEGER) END}",
     0, NULL},
    {SCALAR, "array_size", "array -> int", "CAST(len($1) AS INTEGER)", 0, NULL},
    {SCALAR, "get", "array, int -> @element",
     "list_extract($1, nilas_index_or_null(CAST($2 AS BIGINT), len($1)))", NULLABLE, NULL},
    {SCALAR, "element_at", "array, int -> @element",
     "{ansi:list_extract($1, nilas_element_index($2, len($1)))|list_extract($1, "
     "nilas_element_index_or_null($2, len($1)))}",
     NULLABLE, NULL},
    {SCALAR, "element_at", "map<K,V>, K -> V", "$1[$2]", NULLABLE | UNIFORM, NULL},
    {SCALAR, "try_element_at", "array, int -> @element",
     "list_extract($1, nilas_element_index_or_null($2, len($1)))", NULLABLE, NULL},
    {SCALAR, "try_element_at", "map<K,V>, K -> V", "$1[$2]", NULLABLE | UNIFORM, NULL},
    {SCALAR, "array_contains", "array<T>, T -> boolean",
     "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN list_contains($1, $2) THEN true WHEN "
     "len($1) > len(list_filter($1, lambda x$u: x$u IS NOT NULL)) THEN NULL ELSE false END",
     NULLABLE | UNIFORM, NULL},
    {SCALAR, "array_position", "array<T>, T -> bigint",
     "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE CAST(coalesce(list_position($1, $2), 0) AS "
     "BIGINT) END",
     UNIFORM, NULL},
    {SCALAR, "array_max", "array<T> -> T", "@array_max", NULLABLE, NULL},
    {SCALAR, "array_min", "array<T> -> T", "@array_min", NULLABLE, NULL},
    {SCALAR, "arrays_overlap", "array<T>, array<T> -> boolean",
     "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL WHEN list_has_any(list_filter($1, lambda x$u: "
     "x$u IS NOT NULL), list_filter($2, lambda x$u: x$u IS NOT NULL)) THEN true WHEN len($1) = 0 "
     "OR len($2) = 0 THEN false WHEN len($1) > len(list_filter($1, lambda x$u: x$u IS NOT NULL)) "
     "OR len($2) > len(list_filter($2, lambda x$u: x$u IS NOT NULL)) THEN NULL ELSE false END",
     NULLABLE | UNIFORM, NULL},
    {SCALAR, "map_keys", "map<K,V> -> array<K>", "map_keys($1)", 0, NULL},
    {SCALAR, "map_values", "map<K,V> -> array<V>", "map_values($1)", 0, NULL},
    {SCALAR, "map_entries", "map -> @map_entries", "map_entries($1)", 0, NULL},
    {SCALAR, "map_contains_key", "map<K,V>, K -> boolean",
     "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE list_contains(map_keys($1), $2) END",
     UNIFORM, NULL},

    // changing
    {SCALAR, "array_append", "array<T>, T -> array<T>",
     "CASE WHEN $1 IS NULL THEN NULL ELSE list_append($1, $2) END", NULL_SAFE | UNIFORM, NULL},
    {SCALAR, "array_prepend", "array<T>, T -> array<T>",
     "CASE WHEN $1 IS NULL THEN NULL ELSE list_prepend($2, $1) END", NULL_SAFE | UNIFORM, NULL},
    {SCALAR, "array_compact", "array<T> -> array<T>",
     "list_filter($1, lambda x$u: x$u IS NOT NULL)", 0, NULL},
    {SCALAR, "array_distinct", "array<T> -> array<T>",
     "CASE WHEN $1 IS NULL THEN NULL ELSE list_transform(list_filter(list_zip($1, range(1, len($1) "
     "+ 1)), lambda x$u: list_position($1, x$u[1]) = x$u[2]), lambda x$u: x$u[1]) END",
     0, NULL},
    {SCALAR, "array_remove", "array<T>, T -> array<T>",
     "CASE WHEN $2 IS NULL THEN NULL ELSE list_filter($1, lambda x$u: x$u IS DISTINCT FROM $2) END",
     UNIFORM, NULL},
    {SCALAR, "array_insert", "array<T>, int, T -> array<T>",
     "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE "
     "list_concat(list_concat(list_resize(list_slice($1, 1, greatest(nilas_insert_at($2, len($1)), "
     "0)), greatest(nilas_insert_at($2, len($1)), 0)), [$3]), "
     "list_concat(list_resize(list_slice($1, 1, 0), greatest(- nilas_insert_at($2, len($1)), 0)), "
     "list_slice($1, greatest(nilas_insert_at($2, len($1)), 0) + 1, len($1)))) END",
     UNIFORM, NULL},
    {SCALAR, "array_union", "array<T>, array<T> -> array<T>", "@array_union", UNIFORM, NULL},
    {SCALAR, "array_intersect", "array<T>, array<T> -> array<T>", "@array_intersect", UNIFORM,
     NULL},
    {SCALAR, "array_except", "array<T>, array<T> -> array<T>", "@array_except", UNIFORM, NULL},
    {SCALAR, "array_join", "array<string>, string -> string",
     "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE coalesce(array_to_string(list_filter($1, "
     "lambda x$u: x$u IS NOT NULL), $2), '') END",
     0, NULL},
    {SCALAR, "array_join", "array<string>, string, string -> string",
     "CASE WHEN $1 IS NULL OR $2 IS NULL OR $3 IS NULL THEN NULL ELSE "
     "coalesce(array_to_string(list_transform($1, lambda x$u: coalesce(x$u, $3)), $2), '') END",
     0, NULL},
    {SCALAR, "flatten", "array<array<T>> -> array<T>",
     "CASE WHEN len($1) > len(list_filter($1, lambda x$u: x$u IS NOT NULL)) THEN NULL ELSE "
     "flatten($1) END",
     NULLABLE, NULL},
    {SCALAR, "slice", "array<T>, int, int -> array<T>",
     "list_slice($1, nilas_slice_start($2, $3, len($1)), nilas_slice_end($2, $3, len($1)))", 0,
     NULL},
    {SCALAR, "sort_array", "array<T> -> array<T>", "@sort_array", 0, "$name($1, true)"},
    {SCALAR, "sort_array", "array<T>, boolean -> array<T>", "@sort_array", 0, NULL},
    {SCALAR, "arrays_zip", "array, array... -> @arrays_zip", "@arrays_zip", 0, NULL},
    {SCALAR, "map_concat", "map<K,V>... -> map<K,V>", "@map_concat", UNIFORM, NULL},

    // lambdas
    {SCALAR, "transform", "array<T>, (T,int?)=>U -> array<U>", "@transform", 0, NULL},
    {SCALAR, "filter", "array<T>, (T,int?)=>boolean -> array<T>", "@filter", 0, NULL},
    {SCALAR, "exists", "array<T>, (T)=>boolean -> boolean",
     "CASE WHEN $1 IS NULL THEN NULL WHEN list_contains(list_transform($1, $2), true) THEN true "
     "WHEN len(list_filter(list_transform($1, $2), lambda x$u: x$u IS NULL)) > 0 THEN NULL ELSE "
     "false END",
     NULLABLE, NULL},
    {SCALAR, "forall", "array<T>, (T)=>boolean -> boolean",
     "CASE WHEN $1 IS NULL THEN NULL WHEN len($1) = 0 THEN true ELSE CASE WHEN "
     "list_contains(list_transform($1, $2), false) THEN false WHEN "
     "len(list_filter(list_transform($1, $2), lambda x$u: x$u IS NULL)) > 0 THEN NULL ELSE true "
     "END END",
     NULLABLE, NULL},
    {SCALAR, "aggregate", "array<T>, U, (U,T)=>U -> U", "@aggregate", NULLABLE,
     "$name($*, lambdafunction(namedlambdavariable(), namedlambdavariable()))"},
    {SCALAR, "aggregate", "array<T>, U, (U,T)=>U, (U)=>R -> R", "@aggregate", NULLABLE, NULL},
    {SCALAR, "reduce", "array<T>, U, (U,T)=>U -> U", "@aggregate", NULLABLE,
     "$name($*, lambdafunction(namedlambdavariable(), namedlambdavariable()))"},
    {SCALAR, "reduce", "array<T>, U, (U,T)=>U, (U)=>R -> R", "@aggregate", NULLABLE, NULL},
    {SCALAR, "zip_with", "array<T>, array<U>, (T,U)=>R -> array<R>",
     "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE list_transform(list_zip($1, $2), lambda "
     "x$u: $3(x$u[1]; x$u[2])) END",
     0, NULL},
    {SCALAR, "array_sort", "array<T> -> array<T>", "@array_sort", 0,
     "array_sort($1, lambdafunction((IF(((namedlambdavariable() IS NULL) AND "
     "(namedlambdavariable() IS NULL)), 0, (IF((namedlambdavariable() IS NULL), 1, "
     "(IF((namedlambdavariable() IS NULL), -1, (IF((namedlambdavariable() < "
     "namedlambdavariable()), -1, (IF((namedlambdavariable() > namedlambdavariable()), 1, "
     "0)))))))))), namedlambdavariable(), namedlambdavariable()))"},
    {SCALAR, "array_sort", "array<T>, (T,T)=>int -> array<T>", "@array_sort", 0, NULL},
    {SCALAR, "transform_keys", "map<K,V>, (K,V)=>R -> map<R,V>",
     "map_from_entries(list_transform(map_entries($1), lambda x$u: {'key': $2(x$u.key; x$u.value), "
     "'value': x$u.value}))",
     0, NULL},
    {SCALAR, "transform_values", "map<K,V>, (K,V)=>R -> map<K,R>",
     "map_from_entries(list_transform(map_entries($1), lambda x$u: {'key': x$u.key, 'value': "
     "$2(x$u.key; x$u.value)}))",
     0, NULL},
    {SCALAR, "map_filter", "map<K,V>, (K,V)=>boolean -> map<K,V>",
     "map_from_entries(list_filter(map_entries($1), lambda x$u: $2(x$u.key; x$u.value)))", 0, NULL},
    {SCALAR, "map_zip_with", "map<K,V>, map<K,U>, (K,V,U)=>R -> map<K,R>", "@map_zip_with", 0,
     NULL},
};
NILAS_FUNCTION_COUNT(nilas_function__collections);
