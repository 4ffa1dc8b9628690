/** The session and the run. */
#include "function/table.h"

const nilas_function nilas_function__system[] = {
    {SCALAR, "unwrap_udt", "any -> @first", "$1", UNLISTED, NULL},
    {SCALAR, "typeof", "any -> string", "@typeof", NEVER_NULL, NULL},
    {SCALAR, "version", "-> string", "'4.0.5 nilas'", NEVER_NULL, NULL},
    {SCALAR, "uuid", "-> string", "CAST(uuid() AS VARCHAR)", VOLATILE | NEVER_NULL, NULL},
    {SCALAR, "monotonically_increasing_id", "-> bigint", "(row_number() OVER () - 1)",
     VOLATILE | NEVER_NULL, NULL},
    {SCALAR, "spark_partition_id", "-> int", "0", VOLATILE | NEVER_NULL, "SPARK_PARTITION_ID()"},
    {SCALAR, "input_file_name", "-> string", "''", VOLATILE | NEVER_NULL, NULL},
    {SCALAR, "input_file_block_start", "-> bigint", "CAST(-1 AS BIGINT)", VOLATILE | NEVER_NULL,
     NULL},
    {SCALAR, "input_file_block_length", "-> bigint", "CAST(-1 AS BIGINT)", VOLATILE | NEVER_NULL,
     NULL},

    // CAST(x AS type) in another dress: bind makes them casts
    {SCALAR, "bigint", "any -> bigint", "@cast", SYNTAX, "CAST($1 AS BIGINT)"},
    {SCALAR, "binary", "any -> binary", "@cast", SYNTAX, "CAST($1 AS BINARY)"},
    {SCALAR, "boolean", "any -> boolean", "@cast", SYNTAX, "CAST($1 AS BOOLEAN)"},
    {SCALAR, "date", "any -> date", "@cast", SYNTAX, "CAST($1 AS DATE)"},
    {SCALAR, "decimal", "any -> decimal(10,0)", "@cast", SYNTAX, "CAST($1 AS DECIMAL(10,0))"},
    {SCALAR, "double", "any -> double", "@cast", SYNTAX, "CAST($1 AS DOUBLE)"},
    {SCALAR, "float", "any -> float", "@cast", SYNTAX, "CAST($1 AS FLOAT)"},
    {SCALAR, "int", "any -> int", "@cast", SYNTAX, "CAST($1 AS INT)"},
    {SCALAR, "smallint", "any -> smallint", "@cast", SYNTAX, "CAST($1 AS SMALLINT)"},
    {SCALAR, "string", "any -> string", "@cast", SYNTAX, "CAST($1 AS STRING)"},
    {SCALAR, "timestamp", "any -> timestamp", "@cast", SYNTAX, "CAST($1 AS TIMESTAMP)"},
    {SCALAR, "tinyint", "any -> tinyint", "@cast", SYNTAX, "CAST($1 AS TINYINT)"},

    // bind answers these from its environment
    {SCALAR, "current_catalog", "-> string", "''", NEVER_NULL | SYNTAX, NULL},
    {SCALAR, "current_database", "-> string", "''", NEVER_NULL | SYNTAX, "current_schema"},
    {SCALAR, "current_schema", "-> string", "''", NEVER_NULL | SYNTAX, NULL},
    {SCALAR, "current_user", "-> string", "''", NEVER_NULL | SYNTAX, NULL},
    {SCALAR, "user", "-> string", "''", NEVER_NULL | SYNTAX, NULL},
    {SCALAR, "session_user", "-> string", "''", NEVER_NULL | SYNTAX, NULL},
};
NILAS_FUNCTION_COUNT(nilas_function__system);
