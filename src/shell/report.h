/** Errors for people: the message, the place in the statement, the next step. */
#ifndef NILAS_SHELL_REPORT_H
#define NILAS_SHELL_REPORT_H

#include "shell/script.h"

/**
 * Append
 *     [TABLE_OR_VIEW_NOT_FOUND] The table … cannot be found. SQLSTATE: 42P01
 *       line 2, column 6 of report.sql
 *         FROM nope
 *              ^
 *       hint: …
 * @param statement  where the error's offset points into, or NULL
 * @param colour     with terminal colours
 */
void nilas_shell__report_print(nilas_buf *out, const nilas_error *err,
                               const nilas_shell_statement *statement, bool colour);

#endif
