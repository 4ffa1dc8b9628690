/**
 * The test framework: a file of NILAS_TEST functions is a program.
 *
 *     #include "codec/codec.h"
 *     #include "test.h"
 *
 *     NILAS_TEST(a_cut_varint_is_corrupt) {
 *         nilas_error err = NILAS_ERROR_INIT;
 *         int64_t value = 0;
 *         REQUIRE_OK(read_varint("\x02", &value, &err), err);
 *         CHECK_INT(value, 1);
 *         CHECK_FAILS(read_varint("\x80", &value, &err), NILAS_CORRUPT, err, "ends inside");
 *     }
 *
 * CHECK… notes a failure and goes on, REQUIRE… ends the test function; each prints what it
 * expected and what it found. The program runs its tests in order, or those whose name contains one
 * of its arguments; prints a line "ok name" or "FAIL name" for each; and exits with 1 if any
 * failed. TEST_DATA is the folder test/data of the source tree.
 *
 * It knows nothing of the house but base.
 */
#ifndef NILAS_TEST_H
#define NILAS_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

typedef struct nilas_test_case {
    const char *name;
    void (*run)(void);
    struct nilas_test_case *next;
} nilas_test_case;

static nilas_test_case *nilas_test_first;
static nilas_test_case **nilas_test_last = &nilas_test_first;
static int nilas_test_failures; // of the test that runs

/** Define and register a test; the name tells the behaviour. */
#define NILAS_TEST(test_name)                                                                      \
    static void test_##test_name(void);                                                            \
    __attribute__((constructor)) static void register_##test_name(void) {                          \
        static nilas_test_case test_case = {.name = #test_name, .run = test_##test_name};          \
        *nilas_test_last = &test_case;                                                             \
        nilas_test_last = &test_case.next;                                                         \
    }                                                                                              \
    static void test_##test_name(void)

/** Note a failure of the running test; true, so that REQUIRE… can return on it. */
__attribute__((format(printf, 3, 4), unused)) static bool
nilas_test_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("    %s:%d: ", file, line);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    nilas_test_failures++;
    return true;
}

#define NILAS_TEST_FAIL(...) nilas_test_fail(__FILE__, __LINE__, __VA_ARGS__)

/* Each of these is true when it failed; written once for CHECK… and REQUIRE…. */

__attribute__((unused)) static bool nilas_test_int(const char *file, int line, const char *text,
                                                   long long found, long long expected) {
    return found != expected &&
           nilas_test_fail(file, line, "%s: expected %lld, found %lld", text, expected, found);
}

__attribute__((unused)) static bool nilas_test_double(const char *file, int line, const char *text,
                                                      double found, double expected) {
    return memcmp(&found, &expected, sizeof(found)) != 0 &&
           nilas_test_fail(file, line, "%s: expected %.17g, found %.17g", text, expected, found);
}

__attribute__((unused)) static bool nilas_test_bytes(const char *file, int line, const char *text,
                                                     nilas_str found, nilas_str expected) {
    return (found.size != expected.size ||
            (found.size > 0 && memcmp(found.data, expected.data, found.size) != 0)) &&
           nilas_test_fail(file, line, "%s:\n      expected \"%.*s\"\n      found    \"%.*s\"",
                           text, (int)expected.size, expected.data, (int)found.size, found.data);
}

__attribute__((unused)) static bool nilas_test_text(const char *file, int line, const char *text,
                                                    const char *found, const char *expected) {
    if (found == NULL || expected == NULL) {
        return found != expected &&
               nilas_test_fail(file, line, "%s: expected %s, found %s", text,
                               expected ? expected : "NULL", found ? found : "NULL");
    }
    return nilas_test_bytes(file, line, text, (nilas_str){.data = found, .size = strlen(found)},
                            (nilas_str){.data = expected, .size = strlen(expected)});
}

__attribute__((unused)) static bool nilas_test_contains(const char *file, int line,
                                                        const char *text, const char *found,
                                                        const char *part) {
    return strstr(found, part) == NULL &&
           nilas_test_fail(file, line, "%s: expected something with \"%s\", found \"%s\"", text,
                           part, found);
}

__attribute__((unused)) static bool nilas_test_code(const char *file, int line, const char *text,
                                                    nilas_code found, nilas_code expected,
                                                    const nilas_error *err) {
    const char *message = found != NILAS_OK && err != NULL ? err->message : "";
    return found != expected &&
           nilas_test_fail(file, line, "%s: expected %s, found %s %s", text,
                           nilas_code_name(expected), nilas_code_name(found), message);
}

#define NILAS_TEST_AT __FILE__, __LINE__

/** The condition holds. */
#define CHECK(cond) ((void)((cond) ? false : NILAS_TEST_FAIL("expected %s", #cond)))
/** Two integers are equal, whatever their types. */
#define CHECK_INT(found, expected)                                                                 \
    ((void)nilas_test_int(NILAS_TEST_AT, #found, (long long)(found), (long long)(expected)))
/** Two doubles are the same bits: -0.0 is not 0.0, and NaN is NaN. */
#define CHECK_DOUBLE(found, expected)                                                              \
    ((void)nilas_test_double(NILAS_TEST_AT, #found, (found), (expected)))
/** Two C strings are equal; NULL equals NULL. */
#define CHECK_TEXT(found, expected)                                                                \
    ((void)nilas_test_text(NILAS_TEST_AT, #found, (found), (expected)))
/** A nilas_str is this C string. */
#define CHECK_STR(found, expected)                                                                 \
    ((void)nilas_test_bytes(NILAS_TEST_AT, #found, (found),                                        \
                            (nilas_str){.data = (expected), .size = strlen(expected)}))
/** Two nilas_str are equal. */
#define CHECK_BYTES(found, expected)                                                               \
    ((void)nilas_test_bytes(NILAS_TEST_AT, #found, (found), (expected)))
/** A C string contains another. */
#define CHECK_CONTAINS(found, part)                                                                \
    ((void)nilas_test_contains(NILAS_TEST_AT, #found, (found), (part)))
/** A call succeeds; `err` is the nilas_error that it fills. */
#define CHECK_OK(call, err) ((void)nilas_test_code(NILAS_TEST_AT, #call, (call), NILAS_OK, &(err)))
/** A call fails with this code. */
#define CHECK_CODE(call, expected, err)                                                            \
    ((void)nilas_test_code(NILAS_TEST_AT, #call, (call), (expected), &(err)))
/** A call fails with this code and says `part`. */
#define CHECK_FAILS(call, expected, err, part)                                                     \
    ((void)(nilas_test_code(NILAS_TEST_AT, #call, (call), (expected), &(err)) ||                   \
            nilas_test_contains(NILAS_TEST_AT, #call, (err).message, (part))))

/** As CHECK and CHECK_OK, but the test ends here when they fail. */
#define REQUIRE(cond)                                                                              \
    do {                                                                                           \
        if (!(cond)) {                                                                             \
            NILAS_TEST_FAIL("expected %s", #cond);                                                 \
            return;                                                                                \
        }                                                                                          \
    } while (0)
#define REQUIRE_OK(call, err)                                                                      \
    do {                                                                                           \
        if (nilas_test_code(NILAS_TEST_AT, #call, (call), NILAS_OK, &(err))) {                     \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/** Where test/data is, also when a program runs from another folder. */
#define TEST_DATA nilas_test_data()
__attribute__((unused)) static const char *nilas_test_data(void) {
    const char *given = getenv("NILAS_TEST_DATA");
    return given != NULL ? given : "test/data";
}

static bool nilas_test_wanted(const char *name, int count, char **words) {
    for (int i = 1; i < count; i++) {
        if (strstr(name, words[i]) != NULL) {
            return true;
        }
    }
    return count < 2;
}

int main(int argc, char **argv) {
    int passed = 0;
    int failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); // what was printed before a crash is seen
    for (const nilas_test_case *test = nilas_test_first; test != NULL; test = test->next) {
        if (!nilas_test_wanted(test->name, argc, argv)) {
            continue;
        }
        nilas_test_failures = 0;
        test->run();
        if (nilas_test_failures > 0) {
            failed++;
            printf("FAIL %s\n", test->name);
        } else {
            passed++;
            printf("ok %s\n", test->name);
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0;
}

#endif
