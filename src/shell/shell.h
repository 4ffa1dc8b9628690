/**
 * shell: the door of text. `nilas sql` reads statements from the command line, files, standard
 * input or a terminal, has the session run them, and prints what comes back.
 */
#ifndef NILAS_SHELL_SHELL_H
#define NILAS_SHELL_SHELL_H

#define NILAS_EXIT_OK     0
#define NILAS_EXIT_FAILED 1 // a statement failed
#define NILAS_EXIT_USAGE  2 // the command line or a settings file is wrong

/** Run `nilas sql`; `argv` begins behind the word "sql". Returns the exit status. */
int nilas_shell_main(int argc, char **argv);

#endif
