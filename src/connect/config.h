/** Private to the connect room: settings that only clients ask for. */
#ifndef NILAS_CONNECT_CONFIG_H
#define NILAS_CONNECT_CONFIG_H

#include "connect/server.h"

/** Spark's default; NULL: the key is unknown, or has none. */
const char *nilas_connect__config_default(const char *key);
/** Spark has the key, with or without a default. */
bool nilas_connect__config_is_known(const char *key);
/** Belongs to the process: no session changes it. */
bool nilas_connect__config_is_static(const char *key);

#endif
