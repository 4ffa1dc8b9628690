/** Rows of a plan as files that belong to no table (DataFrame.write.save). */
#ifndef NILAS_ENGINE_SAVE_H
#define NILAS_ENGINE_SAVE_H

#include "engine/engine.h" // includes this one at its end

typedef struct nilas_save_options {
    nilas_str folder;        // as the system opens it; it exists
    bool lines;              // each row is a line of text; else Parquet, with the outputs' names
    bool header;             // lines: the name of the first output is the first line of each file
    const char *compression; // "uncompressed", "gzip", "snappy", "zstd"
    const char *extension;   // of the files, without a dot before it
    // the last outputs: texts that make folders "name=text" and stand in no file
    size_t partition_count;
} nilas_save_options;

/** New files appear in the folder; none is replaced. A failure may leave files: the caller, who
 * knows what was there before, deletes them. */
nilas_code nilas_engine_save(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                             const nilas_save_options *options, nilas_error *err);

#endif
