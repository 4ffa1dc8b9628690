/** Which delete files apply to which data file. Private to the room. */
#ifndef NILAS_SCAN_DELETES_H
#define NILAS_SCAN_DELETES_H

#include "scan/scan.h"

typedef struct nilas_scan__delete_index nilas_scan__delete_index;

/** Index the delete files of one snapshot. `deletes` is borrowed and must stay where it is.
 * NILAS_CORRUPT: two deletion vectors for one data file, a deletion vector that names none, an
 * equality delete without columns, an unknown spec. */
nilas_code nilas_scan__delete_index_new(nilas_arena *arena, const nilas_metadata *metadata,
                                        const nilas_delete_file *deletes, size_t count,
                                        nilas_scan__delete_index **out, nilas_error *err);
/** Fill task->deletes and task->delete_count, in the order of the index's input. NILAS_CORRUPT: a
 * deletion vector older than the data file that it names. */
nilas_code nilas_scan__match_deletes(nilas_scan__delete_index *index, nilas_arena *arena,
                                     nilas_scan_task *task, nilas_error *err);

/** The one data file that a position delete file is about: its referenced path, else equal bounds
 * of file_path; empty when it may be about several. */
nilas_str nilas_scan__referenced_path(const nilas_data_file *file);
/** Whether a position delete file may name the path, by its bounds of file_path. Impossible bounds
 * exclude nothing. */
bool nilas_scan__may_name_path(const nilas_data_file *file, nilas_str path);

#endif
