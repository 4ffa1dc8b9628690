/**
 * Errors: one must-use code and one fixed record that the caller owns. Nothing here allocates.
 *
 * The deepest caller that knows the reason fills the record with nilas_fail(); callers above may
 * append where it happened with nilas_error_append(), never replace. Rooms below `session` neither
 * log nor print.
 */
#ifndef NILAS_BASE_ERROR_H
#define NILAS_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define NILAS_NODISCARD __attribute__((warn_unused_result))
#else
#define NILAS_NODISCARD
#endif

typedef enum [[nodiscard]] nilas_code{
    NILAS_OK = 0,
    NILAS_INVALID,     // the user's statement or setting is wrong; do not retry
    NILAS_NOT_FOUND,   // a named thing is absent
    NILAS_EXISTS,      // a named thing is already there
    NILAS_DENIED,      // credentials or rights
    NILAS_UNSUPPORTED, // valid, but not ours yet; the message names what is missing
    NILAS_CORRUPT,     // bytes break the format
    NILAS_IO,          // the outside failed; retrying may help
    NILAS_CONFLICT,    // a commit lost the race; nothing happened; safe to retry
    NILAS_UNCERTAIN,   // a commit may have happened; NEVER delete the written files
    NILAS_LIMIT,       // a limit from base/limits.h
    NILAS_CANCELLED,   // the user or a timeout stopped it
    NILAS_NOMEM,       // the system gives no memory
    NILAS_ENGINE,      // DuckDB or a remote Spark refused
} nilas_code;

#define NILAS_ERROR_MESSAGE_SIZE 2000

/**
 * One error. Initialize with `nilas_error err = NILAS_ERROR_INIT;`. Valid only after a call
 * returned non-OK.
 */
typedef struct nilas_error {
    nilas_code code;
    int32_t sql_offset; // byte offset in the statement, -1 if none
    // Spark's error condition, e.g. "TABLE_OR_VIEW_NOT_FOUND" (static), or NULL
    const char *condition;
    const char *sql_state; // Spark's SQLSTATE, e.g. "42P01" (static), or NULL
    const char *hint;      // next step for the user (static), or NULL
    // without "[CONDITION]" and "SQLSTATE:"; the printer adds them
    char message[NILAS_ERROR_MESSAGE_SIZE];
} nilas_error;

#define NILAS_ERROR_INIT                                                                           \
    { .code = NILAS_OK, .sql_offset = -1 }

/**
 * Fill `err` (may be NULL) and return `code`, so that a failure is raised and returned in one
 * line.
 */
nilas_code nilas_fail(nilas_error *err, nilas_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** As nilas_fail(), with Spark's error condition and the byte offset in the statement (-1: none).
 *  The SQLSTATE is looked up from the condition (base/error.c holds the table). */
nilas_code nilas_fail_at(nilas_error *err, nilas_code code, const char *condition,
                         int32_t sql_offset, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/*
 * Both through a macro that yields `code` itself (evaluated twice), so that the compiler sees that
 * a failure is not NILAS_OK and does not warn about out-parameters that are set on success only.
 */
#define nilas_fail(err, code, ...)                                                                 \
    ((void)(nilas_fail)((err), (code), __VA_ARGS__), (nilas_code)(code))
#define nilas_fail_at(err, code, condition, sql_offset, ...)                                       \
    ((void)(nilas_fail_at)((err), (code), (condition), (sql_offset), __VA_ARGS__),                 \
     (nilas_code)(code))

/**
 * Append " " and the text to the message; the code stays. Too long text is cut at a UTF-8
 * boundary.
 */
void nilas_error_append(nilas_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** SQLSTATE of a Spark error condition (also "A.B" sub-conditions), or NULL when unknown. */
const char *nilas_sql_state(const char *condition);

/** Stable lower-case word of a code, for tests and logs: "invalid", "corrupt", … */
const char *nilas_code_name(nilas_code code);

/** Return early with the code of a failed call. */
#define NILAS_TRY(call)                                                                            \
    do {                                                                                           \
        nilas_code nilas_try_code_ = (call);                                                       \
        if (nilas_try_code_ != NILAS_OK) {                                                         \
            return nilas_try_code_;                                                                \
        }                                                                                          \
    } while (0)

/** Return early with an error unless the condition holds. */
#define NILAS_REQUIRE(cond, err, code, ...)                                                        \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            return nilas_fail((err), (code), __VA_ARGS__);                                         \
        }                                                                                          \
    } while (0)

/**
 * Our own broken invariants only; kept in release builds. Prints place and condition, then aborts.
 */
#define nilas_assert(cond) ((cond) ? (void)0 : nilas_assert_failed(#cond, __FILE__, __LINE__))
_Noreturn void nilas_assert_failed(const char *condition, const char *file, int line);

/**
 * Hold a handle that is freed on every way out: NILAS_AUTO(nilas_file) file = NULL; needs
 * nilas_file_autofree().
 */
#define NILAS_AUTO(type) __attribute__((cleanup(type##_autofree))) type *
/** Define the cleanup for a handle type whose free function is NULL-safe. */
#define NILAS_DEFINE_AUTO(type, free_function)                                                     \
    static inline void type##_autofree(type **pointer) {                                           \
        free_function(*pointer);                                                                   \
    }                                                                                              \
    struct nilas_require_semicolon_

#endif
