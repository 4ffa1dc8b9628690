/** JSON, CSV, variants and XML inside columns. */
#include "function/table.h"

const nilas_function nilas_function__documents[] = {
    {SCALAR, "to_json", "struct|array|map|variant, map? -> string", "@to_json", NULLABLE,
     "$name($1)"},
    {SCALAR, "from_json", "string, any, map? -> @from_schema", "@from_json", NULLABLE, "$name($1)"},
    {SCALAR, "get_json_object", "string, string -> string", "nilas_get_json_object($1, $2)",
     NULLABLE, NULL},
    {SCALAR, "json_array_length", "string -> int", "nilas_json_array_length($1)", NULLABLE, NULL},
    {SCALAR, "json_object_keys", "string -> array<string>", "nilas_json_object_keys($1)", NULLABLE,
     NULL},
    {SCALAR, "schema_of_json", "string, map? -> string", "@schema_of_json", NULLABLE, "$name($1)"},
    {SCALAR, "to_csv", "struct, map? -> string", "@to_csv", NULLABLE, "$name($1)"},
    {SCALAR, "from_csv", "string, any, map? -> @from_schema", "@from_csv", NULLABLE, "$name($1)"},
    {SCALAR, "schema_of_csv", "string, map? -> string", "@schema_of_csv", NULLABLE, "$name($1)"},
    {SCALAR, "parse_json", "string -> variant", "nilas_parse_json($1)", 0, NULL},
    {SCALAR, "try_parse_json", "string -> variant", "TRY(nilas_parse_json($1))", NULLABLE, NULL},
    {SCALAR, "is_variant_null", "variant -> boolean", "coalesce($1 = 'null', false)", NEVER_NULL,
     NULL},
    {SCALAR, "variant_get", "variant, string -> variant", "nilas_variant_get($1, $2)", NULLABLE,
     NULL},
    {SCALAR, "variant_get", "variant, string, string -> @variant_get", "@variant_get", NULLABLE,
     "$name($1, $2)"},
    {SCALAR, "try_variant_get", "variant, string -> variant", "nilas_variant_get($1, $2)", NULLABLE,
     NULL},
    {SCALAR, "try_variant_get", "variant, string, string -> @variant_get", "@try_variant_get",
     NULLABLE, "$name($1, $2)"},
    {SCALAR, "schema_of_variant", "variant -> string", "nilas_schema_of_variant($1)", 0, NULL},
    {SCALAR, "to_variant_object", "any -> variant", "@to_json", 0, NULL},
};
NILAS_FUNCTION_COUNT(nilas_function__documents);
