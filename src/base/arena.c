/*
 * Arenas: a bump pointer in doubling blocks, a child list, release callbacks.
 *
 * In sanitizer builds each allocation is its own malloc, so that ASan sees every overrun and every
 * use after free. The byte limit counts what was asked for, children included, so that one
 * statement cannot take the machine down through many small children. The counters are atomic
 * because children may be used by other threads than their parent's; the child list is guarded by a
 * lock in the parent for the same reason.
 */
#include "base/arena.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"

#if defined(__SANITIZE_ADDRESS__)
#define EACH_ITS_OWN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EACH_ITS_OWN_MALLOC 1
#endif
#endif
#ifndef EACH_ITS_OWN_MALLOC
#define EACH_ITS_OWN_MALLOC 0
#endif

#define ALIGNMENT         16U
#define FIRST_BLOCK_BYTES 4096U
#define MAX_BLOCK_BYTES   (1U << 20)
/*
 * Bytes are counted up the parents only once per this many (less under a small limit), so that
 * small allocations touch no cache line that threads share.
 */
#define COUNT_STEP_BYTES  65536U

typedef struct block block;
struct block {
    block *next;
    size_t size;
    _Alignas(ALIGNMENT) char data[];
};

typedef struct release_hook release_hook;
struct release_hook {
    release_hook *next;
    void (*release)(void *context);
    void *context;
};

struct nilas_arena {
    char *cursor; // next free byte of the newest block; always ALIGNMENT-aligned
    char *end;
    block *blocks;      // newest first
    size_t pending;     // bytes handed out and not yet added to `used`
    atomic_size_t used; // own and children's, counted in steps
    size_t limit_bytes;
    size_t count_step;
    release_hook *hooks; // newest first
    nilas_arena *parent;
    nilas_arena *children;
    nilas_arena *previous_sibling, *next_sibling;
    size_t next_block_bytes;
    pthread_mutex_t lock; // of the list of children
};

static bool (*memory_fault)(void *context);
static void *memory_fault_context;

void nilas_memory_set_fault(bool (*fault)(void *context), void *context) {
    memory_fault = fault;
    memory_fault_context = context;
}

bool nilas_memory_fails(void) {
    return memory_fault != NULL && memory_fault(memory_fault_context);
}

static void add_used(nilas_arena *arena, size_t bytes) {
    for (nilas_arena *at = arena; at != NULL; at = at->parent) {
        atomic_fetch_add_explicit(&at->used, bytes, memory_order_relaxed);
    }
}

static void subtract_used(nilas_arena *arena, size_t bytes) {
    for (nilas_arena *at = arena; at != NULL; at = at->parent) {
        size_t before = atomic_fetch_sub_explicit(&at->used, bytes, memory_order_relaxed);
        nilas_assert(before >= bytes);
    }
}

nilas_arena *nilas_arena_new(nilas_arena *parent, size_t limit_bytes) {
    nilas_arena *arena = nilas_memory_fails() ? NULL : calloc(1, sizeof(*arena));

    if (arena == NULL) {
        return NULL;
    }
    if (pthread_mutex_init(&arena->lock, NULL) != 0) {
        free(arena);
        return NULL;
    }

    arena->limit_bytes = limit_bytes != 0 ? limit_bytes : (size_t)NILAS_LIMIT_ARENA_BYTES;
    arena->count_step =
        arena->limit_bytes / 64 < COUNT_STEP_BYTES ? arena->limit_bytes / 64 : COUNT_STEP_BYTES;
    arena->next_block_bytes = FIRST_BLOCK_BYTES;
    arena->parent = parent;
    if (parent != NULL) {
        pthread_mutex_lock(&parent->lock);
        arena->next_sibling = parent->children;
        if (parent->children != NULL) {
            parent->children->previous_sibling = arena;
        }
        parent->children = arena;
        pthread_mutex_unlock(&parent->lock);
    }
    return arena;
}

/**
 * Children first: what they hold (a stream) may stand on what the parent holds (its connection).
 */
static void drop_content(nilas_arena *arena) {
    while (arena->children != NULL) {
        nilas_arena_free(arena->children);
    }
    while (arena->hooks != NULL) {
        release_hook *hook = arena->hooks;
        arena->hooks = hook->next;
        hook->release(hook->context);
    }
}

static void free_blocks(block *first) {
    while (first != NULL) {
        block *next = first->next;
        free(first);
        first = next;
    }
}

void nilas_arena_free(nilas_arena *arena) {
    if (arena == NULL) {
        return;
    }

    drop_content(arena);
    free_blocks(arena->blocks);
    if (arena->parent != NULL) {
        nilas_arena *parent = arena->parent;
        subtract_used(parent, atomic_load_explicit(&arena->used, memory_order_relaxed));
        pthread_mutex_lock(&parent->lock);
        if (arena->previous_sibling != NULL) {
            arena->previous_sibling->next_sibling = arena->next_sibling;
        } else {
            parent->children = arena->next_sibling;
        }
        if (arena->next_sibling != NULL) {
            arena->next_sibling->previous_sibling = arena->previous_sibling;
        }
        pthread_mutex_unlock(&parent->lock);
    }
    pthread_mutex_destroy(&arena->lock);
    free(arena);
}

void nilas_arena_reset(nilas_arena *arena) {
    drop_content(arena);
    subtract_used(arena, atomic_load_explicit(&arena->used, memory_order_relaxed));
    arena->pending = 0;

#if EACH_ITS_OWN_MALLOC
    free_blocks(arena->blocks);
    arena->blocks = NULL;
#else
    if (arena->blocks != NULL) {
        // The newest block is the largest one: a scratch arena in a loop settles on a single block.
        free_blocks(arena->blocks->next);
        arena->blocks->next = NULL;
        memset(arena->blocks->data, 0, (size_t)(arena->cursor - arena->blocks->data));
        arena->cursor = arena->blocks->data;
    }
#endif
}

static nilas_code check_limit(nilas_arena *arena, size_t size, nilas_error *err) {
    for (nilas_arena *at = arena; at != NULL; at = at->parent) {
        size_t used = atomic_load_explicit(&at->used, memory_order_relaxed);
        if (used > at->limit_bytes || size > at->limit_bytes - used) {
            return nilas_fail(
                err, NILAS_LIMIT,
                "out of the memory allowed: %zu bytes used, %zu more wanted, limit %zu", used, size,
                at->limit_bytes);
        }
    }
    return NILAS_OK;
}

/** Enter the bytes not yet counted, then check and enter `size` more. */
static nilas_code count_bytes(nilas_arena *arena, size_t size, nilas_error *err) {
    if (arena->pending != 0) {
        add_used(arena, arena->pending);
        arena->pending = 0;
    }
    NILAS_TRY(check_limit(arena, size, err));
    add_used(arena, size);
    return NILAS_OK;
}

static block *new_block(size_t size) {
    block *made = size <= SIZE_MAX - sizeof(block) ? calloc(1, sizeof(block) + size) : NULL;

    if (made != NULL) {
        made->size = size;
    }
    return made;
}

/**
 * The way out of the fast path: big allocations get a block of their own, small ones a fresh bump
 * block.
 */
static nilas_code alloc_slow(nilas_arena *arena, size_t size, void **out, nilas_error *err) {
    bool own_block = EACH_ITS_OWN_MALLOC || size > arena->next_block_bytes / 2;

    NILAS_TRY(count_bytes(arena, size, err));

    block *made = new_block(own_block ? size : arena->next_block_bytes);
    if (made == NULL) {
        subtract_used(arena, size);
        return nilas_fail(err, NILAS_NOMEM, "out of memory: %zu bytes wanted", size);
    }
    if (own_block && arena->blocks != NULL && !EACH_ITS_OWN_MALLOC) {
        // Behind the newest block, whose free rest stays in use.
        made->next = arena->blocks->next;
        arena->blocks->next = made;
    } else {
        made->next = arena->blocks;
        arena->blocks = made;
        arena->cursor = own_block ? made->data + made->size : made->data + size;
        arena->end = made->data + made->size;
        if (!own_block && arena->next_block_bytes < MAX_BLOCK_BYTES) {
            arena->next_block_bytes *= 2;
        }
    }
    *out = made->data;
    return NILAS_OK;
}

nilas_code nilas_arena_alloc(nilas_arena *arena, size_t size, void **out, nilas_error *err) {
    nilas_assert(arena != NULL);
    if (size > (size_t)PTRDIFF_MAX - ALIGNMENT) {
        return nilas_fail(err, NILAS_LIMIT, "an allocation of %zu bytes is too large", size);
    }
    if (nilas_memory_fails()) {
        return nilas_fail(err, NILAS_NOMEM, "out of memory: %zu bytes wanted", size);
    }

    size_t rounded = size == 0 ? ALIGNMENT : (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (!EACH_ITS_OWN_MALLOC && rounded <= (size_t)(arena->end - arena->cursor)) {
        arena->pending += rounded;
        if (arena->pending >= arena->count_step) {
            NILAS_TRY(count_bytes(arena, 0, err));
        }
        *out = arena->cursor;
        arena->cursor += rounded;
        return NILAS_OK;
    }
    // Under a sanitizer the exact size, so that a byte too far is seen.
    return alloc_slow(arena, EACH_ITS_OWN_MALLOC ? (size != 0 ? size : 1) : rounded, out, err);
}

nilas_code nilas_arena_alloc_array(nilas_arena *arena, size_t count, size_t size, void **out,
                                   nilas_error *err) {
    size_t total;

    if (__builtin_mul_overflow(count, size, &total)) {
        return nilas_fail(err, NILAS_LIMIT, "an array of %zu items of %zu bytes is too large",
                          count, size);
    }
    return nilas_arena_alloc(arena, total, out, err);
}

nilas_code nilas_arena_on_release(nilas_arena *arena, void (*release)(void *context), void *context,
                                  nilas_error *err) {
    release_hook *hook;

    NILAS_NEW(arena, &hook, err);
    hook->release = release;
    hook->context = context;
    hook->next = arena->hooks;
    arena->hooks = hook;
    return NILAS_OK;
}

size_t nilas_arena_used(const nilas_arena *arena) {
    // Children count up in steps, so the sum may lag behind theirs by less than a step each.
    return atomic_load_explicit(&arena->used, memory_order_relaxed) + arena->pending;
}
