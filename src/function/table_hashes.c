/** Hashes, checksums and the functions of Iceberg's catalogs (system.bucket …), named in result
 *  columns by their Java class. */
#include "function/table.h"

#define ICEBERG NILAS_FUNCTION_ICEBERG
#define INVOKE(class, arguments)                                                                   \
    "static_invoke(org.apache.iceberg.spark.functions." class ".invoke(" arguments "))"
#define BUCKET(types, class)                                                                       \
    {                                                                                              \
        SCALAR, "bucket", "int|smallint|tinyint, " types " -> int",                                \
            "nilas_bucket(CAST($1 AS INTEGER), $2)", ICEBERG | NULLABLE,                           \
            INVOKE("BucketFunction$Bucket" class, "$1, $2")                                        \
    }
#define TRUNCATE(type, class)                                                                      \
    {                                                                                              \
        SCALAR, "truncate", "int|smallint|tinyint, " type " -> @second", "@iceberg_truncate",      \
            ICEBERG | NULLABLE, INVOKE("TruncateFunction$Truncate" class, "$1, $2")                \
    }
#define TIME_PART(name, type, class, sql, result)                                                  \
    { SCALAR, name, type " -> " result, sql, ICEBERG | NULLABLE, INVOKE(class, "$1") }

const nilas_function nilas_function__hashes[] = {
    {SCALAR, "hash", "any, any... -> int", "nilas_hash($*)", NEVER_NULL, NULL},
    {SCALAR, "xxhash64", "any, any... -> bigint", "nilas_xxhash64($*)", NEVER_NULL, NULL},
    {SCALAR, "md5", "binary -> string", "nilas_md5($1)", 0, NULL},
    {SCALAR, "sha", "binary -> string", "nilas_sha1($1)", 0, NULL},
    {SCALAR, "sha1", "binary -> string", "nilas_sha1($1)", 0, NULL},
    {SCALAR, "sha2", "binary, int -> string", "nilas_sha2($1, $2)", NULLABLE, NULL},
    {SCALAR, "crc32", "binary -> bigint", "nilas_crc32($1)", 0, NULL},
    {SCALAR, "aes_encrypt", "binary, binary, string?, string?, binary?, binary? -> binary",
     "@aes_encrypt", NULLABLE, "$name($1, $2, $3|GCM|, $4|DEFAULT|, $5||, $6||)"},
    {SCALAR, "aes_decrypt", "binary, binary, string?, string?, binary? -> binary", "@aes_decrypt",
     NULLABLE, "$name($1, $2, $3|GCM|, $4|DEFAULT|, $5||)"},
    {SCALAR, "try_aes_decrypt", "binary, binary, string?, string?, binary? -> binary",
     "@try_aes_decrypt", NULLABLE, "$name($1, $2, $3|GCM|, $4|DEFAULT|, $5||)"},
    {SCALAR, "bitmap_bit_position", "bigint -> bigint",
     "CASE WHEN $1 > 0 THEN ($1 - 1) % 32768 ELSE (- $1) % 32768 END", 0, NULL},
    {SCALAR, "bitmap_bucket_number", "bigint -> bigint",
     "CASE WHEN $1 > 0 THEN 1 + ($1 - 1) // 32768 ELSE $1 // 32768 END", 0, NULL},
    {SCALAR, "bitmap_count", "binary -> bigint", "nilas_bitmap_count($1)", 0, NULL},

    BUCKET("int|smallint|tinyint|date", "Int"),
    BUCKET("bigint|timestamp|timestamp_ntz", "Long"),
    BUCKET("string", "String"),
    BUCKET("binary", "Binary"),
    BUCKET("decimal", "Decimal"),
    TRUNCATE("tinyint", "TinyInt"),
    TRUNCATE("smallint", "SmallInt"),
    TRUNCATE("int", "Int"),
    TRUNCATE("bigint", "BigInt"),
    TRUNCATE("decimal", "Decimal"),
    TRUNCATE("string", "String"),
    TRUNCATE("binary", "Binary"),
    TIME_PART("years", "date", "YearsFunction$DateToYearsFunction",
              "CAST(year($1) - 1970 AS INTEGER)", "int"),
    TIME_PART("years", "timestamp", "YearsFunction$TimestampToYearsFunction",
              "CAST(year(nilas_utc($1)) - 1970 AS INTEGER)", "int"),
    TIME_PART("years", "timestamp_ntz", "YearsFunction$TimestampNtzToYearsFunction",
              "CAST(year($1) - 1970 AS INTEGER)", "int"),
    TIME_PART("months", "date", "MonthsFunction$DateToMonthsFunction",
              "CAST((year($1) - 1970) * 12 + month($1) - 1 AS INTEGER)", "int"),
    TIME_PART("months", "timestamp", "MonthsFunction$TimestampToMonthsFunction",
              "CAST((year(nilas_utc($1)) - 1970) * 12 + month(nilas_utc($1)) - 1 AS INTEGER)",
              "int"),
    TIME_PART("months", "timestamp_ntz", "MonthsFunction$TimestampNtzToMonthsFunction",
              "CAST((year($1) - 1970) * 12 + month($1) - 1 AS INTEGER)", "int"),
    TIME_PART("days", "date", "DaysFunction$DateToDaysFunction", "$1", "date"),
    TIME_PART("days", "timestamp", "DaysFunction$TimestampToDaysFunction",
              "CAST(nilas_utc($1) AS DATE)", "date"),
    TIME_PART("days", "timestamp_ntz", "DaysFunction$TimestampNtzToDaysFunction",
              "CAST($1 AS DATE)", "date"),
    TIME_PART("hours", "timestamp", "HoursFunction$TimestampToHoursFunction",
              "CAST(nilas_floor_div(epoch_us($1), 3600000000) AS INTEGER)", "int"),
    TIME_PART("hours", "timestamp_ntz", "HoursFunction$TimestampNtzToHoursFunction",
              "CAST(nilas_floor_div(epoch_us($1), 3600000000) AS INTEGER)", "int"),
    {SCALAR, "iceberg_version", "-> string", "'1.11.0'", ICEBERG | NEVER_NULL,
     INVOKE("IcebergVersionFunction$IcebergVersionFunctionImpl", "")},
};
NILAS_FUNCTION_COUNT(nilas_function__hashes);
