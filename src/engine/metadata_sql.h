/** Metadata tables as SQL. */
#ifndef NILAS_ENGINE_METADATA_SQL_H
#define NILAS_ENGINE_METADATA_SQL_H

#include "engine/render.h"

/** Append a scan of a metadata table: rows of ours through nilas_rows(). */
nilas_code nilas_render__metadata_table(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                        nilas_error *err);
/** Append a scan of position_deletes: SQL over the delete files themselves. */
nilas_code nilas_render__position_deletes(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                          nilas_error *err);

#endif
