/**
 * The words of Spark SQL's grammar. Few are reserved: almost all may also name a table, a column or
 * a function.
 */
#ifndef NILAS_TREE_KEYWORD_H
#define NILAS_TREE_KEYWORD_H

#include "base/base.h"

/* R: reserved under spark.sql.ansi.enforceReservedKeywords. S: never the name of a table in FROM
 * without quotes. */
// clang-format off
#define NILAS_KEYWORDS(E, R, S)                                                                  \
    E(ADD, 0) E(AFTER, 0) E(AGGREGATE, 0) E(ALL, R) E(ALTER, 0) E(ALWAYS, 0) E(ANALYZE, 0)       \
    E(AND, R) E(ANTI, S) E(ANY, R) E(ANY_VALUE, 0) E(ARCHIVE, 0) E(ARRAY, 0) E(AS, R) E(ASC, 0)  \
    E(AT, 0) E(ATOMIC, 0) E(AUTHORIZATION, R) E(BEGIN, 0) E(BETWEEN, 0) E(BIGINT, 0)             \
    E(BINARY, 0) E(BINDING, 0) E(BOOLEAN, 0) E(BOTH, R) E(BUCKET, 0) E(BUCKETS, 0) E(BY, 0)      \
    E(BYTE, 0) E(CACHE, 0) E(CALL, R) E(CALLED, 0) E(CASCADE, 0) E(CASE, R) E(CAST, R)           \
    E(CATALOG, 0) E(CATALOGS, 0) E(CHANGE, 0) E(CHAR, 0) E(CHARACTER, 0) E(CHECK, R) E(CLEAR, 0) \
    E(CLUSTER, 0) E(CLUSTERED, 0) E(CODEGEN, 0) E(COLLATE, R) E(COLLATION, R) E(COLLECTION, 0)   \
    E(COLUMN, R) E(COLUMNS, 0) E(COMMENT, 0) E(COMMIT, 0) E(COMPACT, 0) E(COMPACTIONS, 0)        \
    E(COMPENSATION, 0) E(COMPUTE, 0) E(CONCATENATE, 0) E(CONDITION, 0) E(CONSTRAINT, R)          \
    E(CONTAINS, 0) E(CONTINUE, 0) E(COST, 0) E(CREATE, R) E(CROSS, R | S) E(CUBE, 0)             \
    E(CURRENT, 0) E(CURRENT_DATE, R) E(CURRENT_TIME, R) E(CURRENT_TIMESTAMP, R)                  \
    E(CURRENT_USER, R) E(DATA, 0) E(DATABASE, 0) E(DATABASES, 0) E(DATE, 0) E(DATEADD, 0)        \
    E(DATEDIFF, 0) E(DATE_ADD, 0) E(DATE_DIFF, 0) E(DAY, 0) E(DAYOFYEAR, 0) E(DAYS, 0)           \
    E(DBPROPERTIES, 0) E(DEC, 0) E(DECIMAL, 0) E(DECLARE, 0) E(DEFAULT, 0) E(DEFINED, 0)         \
    E(DEFINER, 0) E(DELAY, 0) E(DELETE, 0) E(DELIMITED, 0) E(DESC, 0) E(DESCRIBE, 0)             \
    E(DETERMINISTIC, 0) E(DFS, 0) E(DIRECTORIES, 0) E(DIRECTORY, 0) E(DISTINCT, R)               \
    E(DISTRIBUTE, 0) E(DIV, 0) E(DO, 0) E(DOUBLE, 0) E(DROP, 0) E(ELSE, R) E(ELSEIF, 0)          \
    E(END, R) E(ENFORCED, 0) E(ESCAPE, R) E(ESCAPED, 0) E(EVOLUTION, 0) E(EXCEPT, R | S)         \
    E(EXCHANGE, 0) E(EXCLUDE, 0) E(EXECUTE, R) E(EXISTS, 0) E(EXIT, 0) E(EXPLAIN, 0)             \
    E(EXPORT, 0) E(EXTEND, 0) E(EXTENDED, 0) E(EXTERNAL, 0) E(EXTRACT, 0) E(FALSE, R)            \
    E(FETCH, R) E(FIELDS, 0) E(FILEFORMAT, 0) E(FILTER, R) E(FIRST, 0) E(FLOAT, 0) E(FLOW, 0)    \
    E(FOLLOWING, 0) E(FOR, R) E(FOREIGN, R) E(FORMAT, 0) E(FORMATTED, 0) E(FOUND, 0) E(FROM, R)  \
    E(FULL, R | S) E(FUNCTION, 0) E(FUNCTIONS, 0) E(GENERATED, 0) E(GEOGRAPHY, 0) E(GEOMETRY, 0) \
    E(GLOBAL, 0) E(GRANT, R) E(GROUP, R) E(GROUPING, 0) E(HANDLER, 0) E(HAVING, R) E(HOUR, 0)    \
    E(HOURS, 0) E(IDENTIFIER, 0) E(IDENTITY, 0) E(IF, 0) E(IGNORE, 0) E(ILIKE, 0)                \
    E(IMMEDIATE, 0) E(IMPORT, 0) E(IN, R) E(INCLUDE, 0) E(INCREMENT, 0) E(INDEX, 0)              \
    E(INDEXES, 0) E(INNER, R | S) E(INPATH, 0) E(INPUT, 0) E(INPUTFORMAT, 0) E(INSERT, 0)        \
    E(INT, 0) E(INTEGER, 0) E(INTERSECT, R | S) E(INTERVAL, 0) E(INTO, R) E(INVOKER, 0) E(IS, R) \
    E(ITEMS, 0) E(ITERATE, 0) E(JOIN, R | S) E(JSON, 0) E(KEY, 0) E(KEYS, 0) E(LANGUAGE, 0)      \
    E(LAST, 0) E(LATERAL, R | S) E(LAZY, 0) E(LEADING, R) E(LEAVE, 0) E(LEFT, R | S) E(LEVEL, 0) \
    E(LIKE, 0) E(LIMIT, 0) E(LINES, 0) E(LIST, 0) E(LOAD, 0) E(LOCAL, 0) E(LOCATION, 0)          \
    E(LOCK, 0) E(LOCKS, 0) E(LOGICAL, 0) E(LONG, 0) E(LOOP, 0) E(MACRO, 0) E(MAP, 0)             \
    E(MATCHED, 0) E(MATERIALIZED, 0) E(MAX, 0) E(MERGE, 0) E(MICROSECOND, 0) E(MICROSECONDS, 0)  \
    E(MILLISECOND, 0) E(MILLISECONDS, 0) E(MINUS, S) E(MINUTE, 0) E(MINUTES, 0) E(MODIFIES, 0)   \
    E(MONTH, 0) E(MONTHS, 0) E(MSCK, 0) E(NAME, 0) E(NAMESPACE, 0) E(NAMESPACES, 0)              \
    E(NANOSECOND, 0) E(NANOSECONDS, 0) E(NATURAL, R | S) E(NO, 0) E(NONE, 0) E(NORELY, 0)        \
    E(NOT, R) E(NULL, R) E(NULLS, 0) E(NUMERIC, 0) E(OF, 0) E(OFFSET, R) E(ON, R | S) E(ONLY, R) \
    E(OPTION, 0) E(OPTIONS, 0) E(OR, R) E(ORDER, R) E(OUT, 0) E(OUTER, R) E(OUTPUTFORMAT, 0)     \
    E(OVER, 0) E(OVERLAPS, R) E(OVERLAY, 0) E(OVERWRITE, 0) E(PARTITION, 0) E(PARTITIONED, 0)    \
    E(PARTITIONS, 0) E(PERCENT, 0) E(PIVOT, 0) E(PLACING, 0) E(POSITION, 0) E(PRECEDING, 0)      \
    E(PRIMARY, R) E(PRINCIPALS, 0) E(PROCEDURE, 0) E(PROCEDURES, 0) E(PROPERTIES, 0) E(PURGE, 0) \
    E(QUARTER, 0) E(QUERY, 0) E(RANGE, 0) E(READS, 0) E(REAL, 0) E(RECORDREADER, 0)              \
    E(RECORDWRITER, 0) E(RECOVER, 0) E(RECURSION, 0) E(RECURSIVE, R) E(REDUCE, 0)                \
    E(REFERENCES, R) E(REFRESH, 0) E(RELY, 0) E(RENAME, 0) E(REPAIR, 0) E(REPEAT, 0)             \
    E(REPEATABLE, 0) E(REPLACE, 0) E(RESET, 0) E(RESPECT, 0) E(RESTRICT, 0) E(RETURN, 0)         \
    E(RETURNS, 0) E(REVOKE, 0) E(RIGHT, R | S) E(RLIKE, 0) E(ROLE, 0) E(ROLES, 0) E(ROLLBACK, 0) \
    E(ROLLUP, 0) E(ROW, 0) E(ROWS, 0) E(SCHEMA, 0) E(SCHEMAS, 0) E(SECOND, 0) E(SECONDS, 0)      \
    E(SECURITY, 0) E(SELECT, R) E(SEMI, S) E(SEPARATED, 0) E(SERDE, 0) E(SERDEPROPERTIES, 0)     \
    E(SESSION_USER, R) E(SET, 0) E(SETS, 0) E(SHORT, 0) E(SHOW, 0) E(SINGLE, 0) E(SKEWED, 0)     \
    E(SMALLINT, 0) E(SOME, R) E(SORT, 0) E(SORTED, 0) E(SOURCE, 0) E(SPECIFIC, 0) E(SQL, R)      \
    E(SQLEXCEPTION, 0) E(SQLSTATE, 0) E(START, 0) E(STATISTICS, 0) E(STORED, 0) E(STRATIFY, 0)   \
    E(STREAM, 0) E(STREAMING, 0) E(STRING, 0) E(STRUCT, 0) E(SUBSTR, 0) E(SUBSTRING, 0)          \
    E(SYNC, 0) E(SYSTEM_TIME, 0) E(SYSTEM_VERSION, 0) E(TABLE, R) E(TABLES, 0) E(TABLESAMPLE, 0) \
    E(TARGET, 0) E(TBLPROPERTIES, 0) E(TEMPORARY, 0) E(TERMINATED, 0) E(THEN, R) E(TIME, R)      \
    E(TIMEDIFF, 0) E(TIMESTAMP, 0) E(TIMESTAMPADD, 0) E(TIMESTAMPDIFF, 0) E(TIMESTAMP_LTZ, 0)    \
    E(TIMESTAMP_NTZ, 0) E(TINYINT, 0) E(TO, R) E(TOUCH, 0) E(TRAILING, R) E(TRANSACTION, 0)      \
    E(TRANSACTIONS, 0) E(TRANSFORM, 0) E(TRIM, 0) E(TRUE, 0) E(TRUNCATE, 0) E(TRY_CAST, 0)       \
    E(TYPE, 0) E(UNARCHIVE, 0) E(UNBOUNDED, 0) E(UNCACHE, 0) E(UNION, R | S) E(UNIQUE, R)        \
    E(UNKNOWN, R) E(UNLOCK, 0) E(UNPIVOT, 0) E(UNSET, 0) E(UNTIL, 0) E(UPDATE, 0) E(USE, 0)      \
    E(USER, R) E(USING, R | S) E(VALUE, 0) E(VALUES, 0) E(VAR, 0) E(VARCHAR, 0) E(VARIABLE, 0)   \
    E(VARIANT, 0) E(VERSION, 0) E(VIEW, 0) E(VIEWS, 0) E(VOID, 0) E(WATERMARK, 0) E(WEEK, 0)     \
    E(WEEKS, 0) E(WHEN, R) E(WHERE, R) E(WHILE, 0) E(WINDOW, 0) E(WITH, R) E(WITHIN, R)          \
    E(WITHOUT, 0) E(X, 0) E(YEAR, 0) E(YEARS, 0) E(ZONE, 0)
// clang-format on

#define NILAS_KEYWORD_ENTRY(word, flags) NILAS_KW_##word,
typedef enum nilas_keyword {
    NILAS_KEYWORD_NONE = 0,
    NILAS_KEYWORDS(NILAS_KEYWORD_ENTRY, 0, 0) NILAS_KEYWORD_END,
} nilas_keyword;
#undef NILAS_KEYWORD_ENTRY

/** The keyword of a word in any case (REGEXP is RLIKE, TEMP is TEMPORARY), or
 *  NILAS_KEYWORD_NONE. */
nilas_keyword nilas_keyword_find(nilas_str word);
/** Its spelling in upper case; "" for NILAS_KEYWORD_NONE. */
const char *nilas_keyword_text(nilas_keyword keyword);
/** Whether the ANSI mode with enforced keywords reserves it. */
bool nilas_keyword_is_reserved(nilas_keyword keyword);
/** Whether it cannot be an alias of a relation in the default mode: the words of joins and set
 *  operations. */
bool nilas_keyword_is_strict(nilas_keyword keyword);
/** All spellings, upper case, sorted; the same array at every call. */
const char *const *nilas_keyword_list(size_t *out_count);

#endif
