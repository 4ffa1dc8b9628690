/**
 * What was found out about files by reading all of them, kept while the process lives: an answer
 * holds as long as the files have the same inodes, sizes and times. Thread-safe.
 */
#ifndef NILAS_ENGINE_FILES_MEMO_H
#define NILAS_ENGINE_FILES_MEMO_H

#include "engine/files_sql.h"

/**
 * The key of a question about files: its text and their state.
 * @param out  data NULL: a file cannot be looked at, or changed just now, so that another change
 *             might not show; then nothing is to be kept
 */
nilas_code nilas_files__memo_key(nilas_arena *arena, nilas_str question,
                                 const nilas_file_source *source, nilas_str *out, nilas_error *err);
/** The answer that was kept; false when there is none. */
nilas_code nilas_files__memo_find(nilas_arena *arena, nilas_str key, bool *out_found,
                                  nilas_str *out, nilas_error *err);
/** Keep an answer; best effort. */
void nilas_files__memo_keep(nilas_str key, nilas_str answer);

#endif
