#!/usr/bin/env python3
"""The source lists of the build, found by looking: nobody keeps them by hand.

usage: tools/sources.py rooms   room|rooms it links with|its .c files
       tools/sources.py tests   target|rooms it links with|file        for test/unit and test/fault
       tools/sources.py fuzz    target|rooms it links with|file        for test/fuzz
       tools/sources.py all     all of these; tools/build sets up again when it changes

Lists inside a field are separated by commas. A test links its own room, the rooms it includes, and what those stand on, so
that it builds while a room above is broken.
"""
import glob
import os
import sys

import rooms as house


def relative(path):
    return os.path.relpath(path, house.ROOT)


def room_sources(room):
    return [relative(p) for p in house.sources_of(os.path.join(house.ROOT, "src", room), (".c",))]


def built_rooms():
    return [r for r in house.rooms() if room_sources(r)]


def linked(names):
    have = built_rooms()
    return [r for r in house.closure(names) if r in have]


def room_lines():
    for room in built_rooms():
        yield room, [r for r in linked([room]) if r != room], room_sources(room)


def included_rooms(path):
    return [name.split("/")[0] for _, _, name in house.includes(path) if name.split("/")[0] in house.ORDER]


def test_files():
    """(target, file) of each C test: test/unit/scan/deletes_test.c is unit-scan-deletes."""
    for kind in ("unit", "fault"):
        for path in sorted(glob.glob(os.path.join(house.ROOT, "test", kind, "**", "*_test.c"), recursive=True)):
            name = os.path.relpath(path, os.path.join(house.ROOT, "test"))[: -len("_test.c")]
            yield name.replace("/", "-"), path


def test_lines():
    for target, path in test_files():
        own = [part for part in target.split("-")[1:-1] if part in house.ORDER]
        yield target, linked(["base"] + own + included_rooms(path)), [relative(path)]  # test.h needs base


def fuzz_lines():
    for path in sorted(glob.glob(os.path.join(house.ROOT, "test", "fuzz", "*.c"))):
        yield "fuzz-" + os.path.basename(path)[:-2], linked(included_rooms(path)), [relative(path)]


def main():
    kinds = {"rooms": room_lines, "tests": test_lines, "fuzz": fuzz_lines}
    wanted = list(kinds) if sys.argv[1:] == ["all"] else sys.argv[1:]
    for kind in wanted:
        for name, rooms, files in kinds[kind]():
            print("|".join([name, ",".join(rooms), ",".join(files)]))
    if sys.argv[1:] == ["all"]:
        extra = ["src/main.c", "include/nilas.h"] + [relative(h) for h in house.sources_of(
            os.path.join(house.ROOT, "src", "engine"), (".h",))]
        print("\n".join(e for e in extra if os.path.exists(os.path.join(house.ROOT, e))))


if __name__ == "__main__":
    main()
