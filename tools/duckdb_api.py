#!/usr/bin/env python3
"""Write duckdb_api.h: the DuckDB functions that the engine uses, as pointers filled in at run time.

usage: tools/duckdb_api.py OUTPUT DUCKDB_H BUILD_PATH INSTALL_PATH SOURCE...

libduckdb is 70 MB and costs a dozen milliseconds to open, and most metadata questions need none of it: so it is not linked
but opened when the first statement needs it. Sources call duckdb_open(…) as usual; a macro turns that into a call through
the pointer. src/engine/duckdb_load.c defines NILAS__DUCKDB_NO_DEFINES before it includes this header, defines the
variable and fills it from NILAS__DUCKDB_FUNCTIONS.
"""
import re
import sys

DECLARED = re.compile(r"^(?:DUCKDB_C_API|DUCKDB_EXTENSION_API)\s[^;(]*?\b(duckdb_[a-z0-9_]+)\s*\(", re.M)
NAME = re.compile(r"\bduckdb_[a-z0-9_]+\b")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)

TEXT = """\
/* Made by tools/duckdb_api.py from duckdb.h and the sources of src/engine. */
#pragma once

#include <duckdb.h>

/** The library in the build tree, and the installed one as seen from the folder of the binary. */
#define NILAS_DUCKDB_DEFAULT_PATH "%(build)s"
#define NILAS_DUCKDB_INSTALLED_PATH "%(install)s"

/** Every function that the engine calls; the loader resolves each by its name. */
#define NILAS__DUCKDB_FUNCTIONS(X) \\
%(list)s

struct nilas__duckdb_api {
%(members)s
};

extern struct nilas__duckdb_api nilas__duckdb;

#ifndef NILAS__DUCKDB_NO_DEFINES
%(defines)s
#endif
"""


def main():
    output, header, build, install = sys.argv[1:5]
    with open(header, encoding="utf-8") as file:
        declared = set(DECLARED.findall(COMMENT.sub("", file.read())))
    used = set()
    for path in sys.argv[5:]:
        with open(path, encoding="utf-8") as file:
            used |= set(NAME.findall(COMMENT.sub("", file.read()))) & declared
    names = sorted(used)
    text = TEXT % {
        "build": build,
        "install": install,
        "list": " \\\n".join("    X(%s)" % n for n in names),
        "members": "\n".join("    __typeof__(&%s) %s;" % (n, n) for n in names) or "    void *none;",
        "defines": "\n".join("#define %s (nilas__duckdb.%s)" % (n, n) for n in names),
    }
    try:
        with open(output, encoding="utf-8") as file:
            if file.read() == text:
                return
    except FileNotFoundError:
        pass
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
