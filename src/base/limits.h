/** Every limit of nilas in one place, each with its reason. A test goes just beyond each. */
#ifndef NILAS_BASE_LIMITS_H
#define NILAS_BASE_LIMITS_H

// nesting of expressions and queries: recursion stays below 1 MiB of stack
#define NILAS_LIMIT_SQL_DEPTH           400
#define NILAS_LIMIT_SQL_BYTES           (64 << 20) // one statement's text
#define NILAS_LIMIT_JSON_DEPTH          512 // schemas nest by type; deeper input is an attack
#define NILAS_LIMIT_TYPE_DEPTH          100 // nesting of an Iceberg or Spark type
#define NILAS_LIMIT_AVRO_DEPTH          100 // nesting of an Avro schema
#define NILAS_LIMIT_METADATA_BYTES      (1LL << 30) // metadata.json after decompression
#define NILAS_LIMIT_MANIFEST_BYTES      (2LL << 30) // one manifest or manifest list
#define NILAS_LIMIT_AVRO_BLOCK_BYTES    (1LL << 30) // one Avro block after decompression
#define NILAS_LIMIT_PUFFIN_FOOTER_BYTES (64LL << 20)
#define NILAS_LIMIT_BITMAP_BYTES        (1LL << 30) // one deletion vector
#define NILAS_LIMIT_WIRE_BYTES         (128 << 20) // one message (Spark's own limit)
#define NILAS_LIMIT_WIRE_DEPTH          1024 // nesting of a message (Spark's own limit)
#define NILAS_LIMIT_WORKERS             64          // planning threads
// literals of an IN that are evaluated against file bounds (Iceberg's limit)
#define NILAS_LIMIT_IN_PREDICATE        200
#define NILAS_LIMIT_VIEW_DEPTH          100 // views inside views (Spark's maxNestedViewDepth)
#define NILAS_LIMIT_ARENA_BYTES         (8LL << 30) // one statement's memory outside the engine

#endif
