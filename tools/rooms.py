#!/usr/bin/env python3
"""The rooms of the house, who may include whom, and the check of it.

usage: tools/rooms.py            check the include rights of every file, outside headers and room READMEs
       tools/rooms.py --table    print the rights

ARCHITECTURE.md tells the walk; the table below is the law. A room may include itself and the rooms it names, and of another
room only room/room.h. An outside header lives in the rooms named for it.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

BELOW_SESSION = ("base codec io wire iceberg catalog scan commit tree sql function bind engine").split()
MAY_INCLUDE = {  # in order: nobody includes a room listed after itself
    "base": [],
    "codec": ["base"],
    "io": ["base", "codec"],
    "wire": ["base", "codec"],
    "iceberg": ["base", "codec", "io"],
    "catalog": ["base", "codec", "io", "iceberg"],
    "scan": ["base", "codec", "io", "iceberg"],
    "commit": ["base", "codec", "io", "iceberg", "catalog", "scan"],
    "tree": ["base"],
    "sql": ["base", "tree"],
    "function": ["base", "tree"],
    "bind": ["base", "tree", "function", "iceberg", "catalog", "scan"],
    "engine": ["base", "codec", "io", "iceberg", "scan", "commit", "tree", "function", "bind"],
    "session": BELOW_SESSION,
    "print": ["base", "codec", "tree", "session"],
    "shell": ["base", "codec", "tree", "sql", "session", "print"],
    "connect": ["base", "codec", "wire", "tree", "sql", "session", "print"],
    "pipeline": ["base", "codec", "tree", "sql", "session", "print"],
    "doctor": ["base", "codec", "tree", "sql", "session", "print"],
}
DOORS = ["shell", "connect", "pipeline", "doctor"]
ORDER = list(MAY_INCLUDE)

# outside header (a regular expression for the whole name) -> rooms that may know it
OUTSIDE = [
    (r"duckdb(_api)?\.h", ["engine"]),
    (r"nanoarrow/.*", ["engine", "codec", "print"]),
    (r"curl/.*", ["io"]),
    (r"sqlite3\.h|libpq-fe\.h", ["catalog"]),
    (r"(zstd|libdeflate|snappy-c)\.h|roaring/.*", ["codec"]),
    (r"histedit\.h|editline/.*|readline/.*", ["shell"]),
    (r"grpc/.*|protobuf-c/.*|spark_connect\.pb-c\.h", ["wire"]),
    (r"openssl/.*", ["io"]),
]
SYSTEM = re.compile(
    r"(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|"
    r"stdatomic|stdbit|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|threads|time|uchar|wchar|wctype|"
    r"dirent|dlfcn|endian|byteswap|fcntl|fnmatch|ftw|getopt|glob|grp|langinfo|libgen|link|malloc|netdb|poll|pthread|"
    r"pwd|regex|sched|semaphore|spawn|strings|syslog|termios|unistd|utime|wordexp|execinfo|pty|"
    r"(sys|netinet|arpa|linux|net)/[a-z0-9_/]+|[a-z]+mmintrin|cpuid|arm_neon)\.h")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
README_LINES = 60


def rooms():
    """Names of the rooms that exist, in order."""
    src = os.path.join(ROOT, "src")
    have = [d for d in os.listdir(src) if os.path.isdir(os.path.join(src, d))] if os.path.isdir(src) else []
    return [r for r in ORDER if r in have]


def closure(names):
    """The rooms and everything they stand on, top floor first: the order a linker wants."""
    todo, seen = list(names), set()
    while todo:
        room = todo.pop()
        if room not in seen:
            seen.add(room)
            todo += MAY_INCLUDE.get(room, [])
    return [r for r in reversed(ORDER) if r in seen]


def includes(path):
    """(line number, is it <…>, name) of each include in a file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            found = INCLUDE.match(line)
            if found:
                yield number, found.group(1) == "<", found.group(2)


def sources_of(folder, suffixes=(".c", ".h")):
    for base, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if name.endswith(suffixes):
                yield os.path.join(base, name)


def check_outside(room, name):
    """Why this room may not include an outside header, or nothing."""
    for pattern, allowed in OUTSIDE:
        if re.fullmatch(pattern, name):
            return None if room in allowed else "<%s> lives in %s" % (name, ", ".join(allowed))
    if SYSTEM.fullmatch(name):
        return None
    return "<%s> has no room yet: say in tools/rooms.py which one it lives in" % name


def check_include(room, path, name):
    """Why a file of this room may not include "name", or nothing."""
    if os.path.exists(os.path.join(os.path.dirname(path), name)) and "/" not in name:
        return None
    if name == "nilas.h":
        return None if room in ("session", "main") + tuple(DOORS) else "nilas.h is for session, the doors and main.c"
    other = name.split("/")[0]
    if other not in MAY_INCLUDE:
        return check_outside(room, name)
    if other == room:
        return None
    if room != "main" and other not in MAY_INCLUDE[room]:
        return '"%s": %s may include only %s' % (name, room, " ".join(MAY_INCLUDE[room]) or "nothing")
    if name != "%s/%s.h" % (other, other):
        return '"%s" is private to %s: include "%s/%s.h"' % (name, other, other, other)
    return None


def check():
    problems = []
    for room in rooms() + ["main"]:
        folder = os.path.join(ROOT, "src", room)
        files = [os.path.join(ROOT, "src", "main.c")] if room == "main" else list(sources_of(folder))
        for path in files:
            if not os.path.exists(path):
                continue
            for number, outside, name in includes(path):
                why = check_outside(room, name) if outside else check_include(room, path, name)
                if why:
                    problems.append("%s:%d: %s" % (os.path.relpath(path, ROOT), number, why))
        if room != "main":
            problems += check_readme(room, folder)
    strangers = set(next(os.walk(os.path.join(ROOT, "src")), ("", [], []))[1]) - set(ORDER)
    problems += ["src/%s: no such room in tools/rooms.py" % s for s in sorted(strangers)]
    return problems


def check_readme(room, folder):
    path = os.path.join(folder, "README.md")
    if not os.path.exists(path):
        return ["src/%s: no README.md" % room]
    with open(path, encoding="utf-8") as file:
        count = len(file.readlines())
    return ["src/%s/README.md: %d lines, at most %d" % (room, count, README_LINES)] if count > README_LINES else []


def main():
    if sys.argv[1:] == ["--table"]:
        for room, allowed in MAY_INCLUDE.items():
            print("%-10s %s" % (room, " ".join(allowed)))
        return 0
    problems = check()
    for problem in problems:
        print(problem)
    print("rooms: %d rooms, %d problems" % (len(rooms()), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
