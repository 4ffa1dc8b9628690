/**
 * iceberg: the table format itself (specification versions 1, 2, 3).
 *
 * Types and schemas, partition specs and transforms, values and bounds, predicates and their
 * evaluation, table metadata, snapshots, refs, manifest lists, manifests. Names are the
 * specification's.
 */
#ifndef NILAS_ICEBERG_ICEBERG_H
#define NILAS_ICEBERG_ICEBERG_H

#include "iceberg/manifest.h"
#include "iceberg/manifest_write.h"
#include "iceberg/metadata.h"
#include "iceberg/predicate.h"
#include "iceberg/transform.h"
#include "iceberg/type.h"

#endif
