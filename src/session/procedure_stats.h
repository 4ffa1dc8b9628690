/** Private to the session room: what both procedures of statistics share (procedure_stats.c). */
#ifndef NILAS_SESSION_PROCEDURE_STATS_H
#define NILAS_SESSION_PROCEDURE_STATS_H

#include "session/procedure.h"

/** The snapshot that the call means; NULL in *out: the table has none. */
nilas_code nilas_stats__snapshot(nilas_procedure_call *call, const nilas_snapshot **out,
                                 nilas_error *err);
/** Commit a statistics file that has been written, and answer its path. It is deleted when it is
 * certain that the commit has failed. */
nilas_code nilas_stats__register(nilas_procedure_call *call, const nilas_statistics_file *file,
                                 bool of_partitions, nilas_error *err);

#endif
