/**
 * Arenas: memory by lifetime. "No arena in the signature, nothing to free."
 *
 * An arena hands out zeroed memory until it is freed or reset; child arenas are freed with their
 * parent; release callbacks run in reverse order before the memory goes (for an Arrow stream, an
 * engine result). One thread at a time; children may be used by other threads than their parent's.
 * In sanitizer builds each allocation is its own malloc.
 */
#ifndef NILAS_BASE_ARENA_H
#define NILAS_BASE_ARENA_H

#include "base/error.h"
#include "base/str.h"

typedef struct nilas_arena nilas_arena;

/**
 * A new arena below `parent` (NULL: a root). `limit_bytes` 0 takes NILAS_LIMIT_ARENA_BYTES. NULL
 * when out of memory.
 */
nilas_arena *nilas_arena_new(nilas_arena *parent, size_t limit_bytes);
/** Run release callbacks, free children and memory. NULL-safe. */
void nilas_arena_free(nilas_arena *arena);
/** As free, but the arena itself stays usable and keeps its first block. */
void nilas_arena_reset(nilas_arena *arena);
NILAS_DEFINE_AUTO(nilas_arena, nilas_arena_free);

/** Zeroed memory aligned for any type; size 0 gives a valid pointer. NILAS_LIMIT or NILAS_NOMEM. */
nilas_code nilas_arena_alloc(nilas_arena *arena, size_t size, void **out, nilas_error *err);
/** count × size with overflow check. */
nilas_code nilas_arena_alloc_array(nilas_arena *arena, size_t count, size_t size, void **out,
                                   nilas_error *err);
/** Run `release(context)` when the arena is freed or reset. */
nilas_code nilas_arena_on_release(nilas_arena *arena, void (*release)(void *context), void *context,
                                  nilas_error *err);
/** Bytes handed out so far, children included. */
size_t nilas_arena_used(const nilas_arena *arena);

/**
 * Make allocations fail, for tests: `fault` is called before each of an arena, and of a buffer that
 * grows; true: there is no memory. Set it before threads begin; it must itself be thread-safe.
 * NULL: none.
 */
void nilas_memory_set_fault(bool (*fault)(void *context), void *context);
/** Let the fault speak; false when none is set. */
bool nilas_memory_fails(void);

/** Allocate one zeroed *ptr, or return early. */
#define NILAS_NEW(arena, ptr, err)                                                                 \
    do {                                                                                           \
        void *nilas_new_;                                                                          \
        NILAS_TRY(nilas_arena_alloc((arena), sizeof(**(ptr)), &nilas_new_, (err)));                \
        *(ptr) = nilas_new_;                                                                       \
    } while (0)

/** Allocate `count` zeroed elements, or return early. */
#define NILAS_NEW_ARRAY(arena, ptr, count, err)                                                    \
    do {                                                                                           \
        void *nilas_new_;                                                                          \
        NILAS_TRY(nilas_arena_alloc_array((arena), (count), sizeof(**(ptr)), &nilas_new_, (err))); \
        *(ptr) = nilas_new_;                                                                       \
    } while (0)

/** A NUL-terminated copy that lives in the arena. */
nilas_code nilas_str_copy(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err);
/** printf into the arena, NUL-terminated. */
nilas_code nilas_str_print(nilas_arena *arena, nilas_str *out, nilas_error *err, const char *format,
                           ...) __attribute__((format(printf, 4, 5)));
/** Copies in lower and upper case (nilas_buf_add_lower). */
nilas_code nilas_str_lower(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err);
nilas_code nilas_str_upper(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err);
/** Concatenate `count` parts with `separator` between. */
nilas_code nilas_str_join(nilas_arena *arena, const nilas_str *parts, size_t count,
                          nilas_str separator, nilas_str *out, nilas_error *err);

#endif
