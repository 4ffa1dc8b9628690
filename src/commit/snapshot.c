/* Snapshots of an update. */
#include "commit/private.h"

nilas_code nilas_update_snapshot(nilas_update *update, const nilas_snapshot_change *change,
                                 nilas_snapshot *out, nilas_error *err) {
    (void)update, (void)change, (void)out;
    return nilas_fail(err, NILAS_UNSUPPORTED, "snapshots are not written yet");
}
