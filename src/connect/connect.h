/**
 * connect: the door of Spark Connect, `nilas serve`. Plans come in as messages, become the same
 * statements as SQL text, and go out as Arrow batches.
 */
#ifndef NILAS_CONNECT_CONNECT_H
#define NILAS_CONNECT_CONNECT_H

/**
 * Run the server until SIGINT or SIGTERM. `argc` and `argv` are what stands behind "nilas serve".
 * @return the exit status: 0; 1 when it could not serve; 2 when the command line is wrong
 */
int nilas_connect_main(int argc, char **argv);

#endif
