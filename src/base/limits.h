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
#define NILAS_LIMIT_WIRE_BYTES          (128 << 20) // one message (Spark's own limit)
#define NILAS_LIMIT_CONNECT_CALLS       1000        // answered at once: a thread each
#define NILAS_LIMIT_CONNECT_SESSIONS    1000        // of clients; idle ones expire
#define NILAS_LIMIT_CONNECT_OPERATIONS  100         // of one session, running or not yet released
#define NILAS_LIMIT_CONNECT_UNREAD      (16 << 20)  // bytes of answers that wait for their reader
#define NILAS_LIMIT_CONNECT_REPLAY      (10 << 20)  // bytes of answers kept for a broken stream
#define NILAS_LIMIT_CONNECT_KEPT        (1LL << 30) // bytes of answers kept in a whole server
#define NILAS_LIMIT_CONNECT_ARTIFACTS   (1LL << 30) // bytes that a session has uploaded
#define NILAS_LIMIT_WIRE_DEPTH          1024        // nesting of a message (Spark's own limit)
#define NILAS_LIMIT_WORKERS             64          // planning threads
// literals of an IN that are evaluated against file bounds (Iceberg's limit)
#define NILAS_LIMIT_IN_PREDICATE        200
#define NILAS_LIMIT_VIEW_DEPTH          100 // views inside views (Spark's maxNestedViewDepth)
#define NILAS_LIMIT_ARENA_BYTES         (8LL << 30) // one statement's memory outside the engine

#endif
