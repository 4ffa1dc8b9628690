/** Arenas: zeroed, aligned, limited, released in order. */
#include "base/base.h"
#include "test.h"

NILAS_TEST(memory_is_zeroed_and_aligned) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    for (size_t size = 0; size < 3000; size += 7) {
        void *memory = NULL;
        REQUIRE_OK(nilas_arena_alloc(arena, size, &memory, &err), err);
        REQUIRE(memory != NULL);
        CHECK_INT((uintptr_t)memory % 16, 0);
        for (size_t i = 0; i < size; i++) {
            REQUIRE(((char *)memory)[i] == 0);
        }
        memset(memory, 0xAB, size);
    }
}

NILAS_TEST(reset_gives_zeroed_memory_again) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    for (int round = 0; round < 5; round++) {
        for (size_t i = 0; i < 200; i++) {
            uint64_t *words = NULL;
            nilas_code code = nilas_arena_alloc_array(arena, 50 + i, 8, (void **)&words, &err);
            REQUIRE_OK(code, err);
            for (size_t k = 0; k < 50 + i; k++) {
                REQUIRE(words[k] == 0);
                words[k] = UINT64_MAX;
            }
        }
        CHECK(nilas_arena_used(arena) >= 200 * 50 * 8);
        nilas_arena_reset(arena);
        CHECK_INT(nilas_arena_used(arena), 0);
    }
}

NILAS_TEST(the_limit_holds_for_one_arena_and_for_children) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) parent = nilas_arena_new(NULL, 10000);
    nilas_arena *child = nilas_arena_new(parent, 0);
    void *memory;
    CHECK_FAILS(nilas_arena_alloc(parent, 10001, &memory, &err), NILAS_LIMIT, err, "limit 10000");
    CHECK_OK(nilas_arena_alloc(parent, 4000, &memory, &err), err);
    CHECK_OK(nilas_arena_alloc(child, 4000, &memory, &err), err);
    CHECK(nilas_arena_used(parent) >= 8000);
    CHECK_CODE(nilas_arena_alloc(child, 4000, &memory, &err), NILAS_LIMIT, err);
    nilas_arena_free(child);
    CHECK(nilas_arena_used(parent) < 5000);
    CHECK_OK(nilas_arena_alloc(parent, 4000, &memory, &err), err);
}

NILAS_TEST(many_small_allocations_meet_the_limit) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 100000);
    nilas_code code = NILAS_OK;
    size_t count = 0;
    void *memory;
    for (; count < 100000 && code == NILAS_OK; count++) {
        code = nilas_arena_alloc(arena, 16, &memory, &err);
    }
    CHECK_INT(code, NILAS_LIMIT);
    CHECK(count >= 5000 && count <= 6500);
}

NILAS_TEST(sizes_that_overflow_are_refused) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    void *memory;
    CHECK_CODE(nilas_arena_alloc(arena, SIZE_MAX, &memory, &err), NILAS_LIMIT, err);
    CHECK_CODE(nilas_arena_alloc(arena, SIZE_MAX - 8, &memory, &err), NILAS_LIMIT, err);
    CHECK_CODE(nilas_arena_alloc_array(arena, SIZE_MAX / 4, 8, &memory, &err), NILAS_LIMIT, err);
}

typedef struct trace {
    char text[16];
    size_t size;
} trace;

typedef struct trace_mark {
    trace *to;
    char mark;
} trace_mark;

static void note(void *context) {
    trace_mark *mark = context;
    mark->to->text[mark->to->size++] = mark->mark;
}

NILAS_TEST(callbacks_run_in_reverse_and_children_go_first) {
    nilas_error err = NILAS_ERROR_INIT;
    trace seen = {0};
    trace_mark marks[] = {{&seen, 'a'}, {&seen, 'b'}, {&seen, 'c'}};
    nilas_arena *parent = nilas_arena_new(NULL, 0);
    nilas_arena *child = nilas_arena_new(parent, 0);
    CHECK_OK(nilas_arena_on_release(parent, note, &marks[0], &err), err);
    CHECK_OK(nilas_arena_on_release(parent, note, &marks[1], &err), err);
    CHECK_OK(nilas_arena_on_release(child, note, &marks[2], &err), err);
    nilas_arena_reset(parent); // frees the child
    CHECK_TEXT(seen.text, "cba");
    CHECK_OK(nilas_arena_on_release(parent, note, &marks[0], &err), err);
    nilas_arena_free(parent);
    CHECK_TEXT(seen.text, "cbaa");
    nilas_arena_free(NULL);
}

static nilas_code fill_child(void *context, size_t index, nilas_error *err) {
    nilas_arena *child = nilas_arena_new(context, 0);
    void *memory;
    NILAS_REQUIRE(child != NULL, err, NILAS_NOMEM, "out of memory");
    for (size_t i = 0; i < 100; i++) {
        NILAS_TRY(nilas_arena_alloc(child, 100 + index, &memory, err));
    }
    if (index % 2 == 0) {
        nilas_arena_free(child);
    }
    return NILAS_OK;
}

NILAS_TEST(children_may_live_on_other_threads) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) parent = nilas_arena_new(NULL, 0);
    CHECK_OK(nilas_parallel_for(4, 200, fill_child, parent, &err), err);
    CHECK(nilas_arena_used(parent) <= 100 * 100 * 320);
}

NILAS_TEST(arrays_grow_and_keep_what_they_hold) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_ARRAY_OF(int) list = {0};
    for (int i = 0; i < 1000; i++) {
        if (list.count == list.capacity) {
            REQUIRE_OK(nilas_array_grow(arena, &list.items, list.count, &list.capacity,
                                        sizeof(*list.items), &err),
                       err);
        }
        list.items[list.count++] = i;
    }
    for (int i = 0; i < 1000; i++) {
        REQUIRE(list.items[i] == i);
    }
}
