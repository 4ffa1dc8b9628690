/** Private to the connect room: the command line of `nilas serve`. */
#ifndef NILAS_CONNECT_OPTIONS_H
#define NILAS_CONNECT_OPTIONS_H

#include "session/session.h"

typedef struct nilas_connect__options {
    nilas_str listen;           // HOST:PORT
    nilas_str token;            // data NULL: none is asked for
    nilas_str certificate, key; // PEM; data NULL: calls are not encrypted
    nilas_properties settings;  // nilas.conf, --properties-file, --conf: later ones win
    bool insecure;
    bool help;
} nilas_connect__options;

/**
 * Read the arguments and the files they name. NILAS_INVALID for what is not understood;
 * NILAS_DENIED for an address that others reach without a token, unless --insecure says that this
 * is meant.
 */
nilas_code nilas_connect__options_parse(nilas_arena *arena, int argc, char **argv,
                                        nilas_connect__options *out, nilas_error *err);
/** Whether only this machine reaches the address. */
bool nilas_connect__is_loopback(nilas_str listen);

extern const char nilas_connect__usage[];

#endif
