/* A few answers about files: the newest take the place of the oldest. */
#include "engine/files_memo.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#define ANSWERS     8
#define MOST_BYTES  (1U << 20)   // of a key or an answer
#define SETTLED_NS  2000000000LL // no later change has the same time
#define NS_A_SECOND 1000000000LL

typedef struct memo_answer {
    char *bytes; // key, then answer; NULL: free
    size_t key_size, size;
} memo_answer;

static pthread_mutex_t memo_lock = PTHREAD_MUTEX_INITIALIZER;
static memo_answer memo_answers[ANSWERS];
static size_t memo_next;

nilas_code nilas_files__memo_key(nilas_arena *arena, nilas_str question,
                                 const nilas_file_source *source, nilas_str *out,
                                 nilas_error *err) {
    NILAS_AUTO_BUF key = NILAS_BUF_INIT(0);

    *out = (nilas_str){0};
    nilas_buf_add(&key, question);
    for (size_t i = 0; i < source->file_count; i++) {
        nilas_str path;
        struct stat status;
        NILAS_TRY(nilas_str_copy(arena, source->files[i], &path, err));
        if (stat(path.data, &status) != 0) {
            return NILAS_OK;
        }
        int64_t changed_ns =
            (int64_t)status.st_ctim.tv_sec * NS_A_SECOND + (int64_t)status.st_ctim.tv_nsec;
        if (nilas_now_micros() * 1000 - changed_ns < SETTLED_NS) {
            return NILAS_OK;
        }
        nilas_buf_print(&key, "\n%llu %llu %lld %lld", (unsigned long long)status.st_dev,
                        (unsigned long long)status.st_ino, (long long)status.st_size,
                        (long long)changed_ns);
    }
    return nilas_buf_finish(&key, arena, out, err);
}

/** Under the lock. */
static const memo_answer *find_answer(nilas_str key) {
    for (size_t i = 0; i < ANSWERS; i++) {
        const memo_answer *answer = &memo_answers[i];
        if (answer->bytes != NULL && answer->key_size == key.size &&
            memcmp(answer->bytes, key.data, key.size) == 0) {
            return answer;
        }
    }
    return NULL;
}

nilas_code nilas_files__memo_find(nilas_arena *arena, nilas_str key, bool *out_found,
                                  nilas_str *out, nilas_error *err) {
    nilas_code code = NILAS_OK;

    *out_found = false;
    if (key.data == NULL) {
        return NILAS_OK;
    }
    pthread_mutex_lock(&memo_lock);
    const memo_answer *answer = find_answer(key);
    if (answer != NULL) {
        nilas_str kept = {.data = answer->bytes + key.size, .size = answer->size - key.size};
        code = nilas_str_copy(arena, kept, out, err);
        *out_found = code == NILAS_OK;
    }
    pthread_mutex_unlock(&memo_lock);
    return code;
}

void nilas_files__memo_keep(nilas_str key, nilas_str answer) {
    if (key.data == NULL || answer.data == NULL || key.size > MOST_BYTES ||
        answer.size > MOST_BYTES) {
        return;
    }
    char *bytes = malloc(key.size + answer.size);
    if (bytes == NULL) {
        return;
    }
    memcpy(bytes, key.data, key.size);
    memcpy(bytes + key.size, answer.data, answer.size);
    pthread_mutex_lock(&memo_lock);
    memo_answer *place = &memo_answers[memo_next++ % ANSWERS];
    free(place->bytes);
    *place = (memo_answer){.bytes = bytes, .key_size = key.size, .size = key.size + answer.size};
    pthread_mutex_unlock(&memo_lock);
}
