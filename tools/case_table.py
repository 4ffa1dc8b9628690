#!/usr/bin/env python3
"""Write src/base/case_table.c: Unicode's case mappings as Java 17 has them (Unicode 13).

usage: tools/case_table.py > src/base/case_table.c     (then clang-format -i)

Letters that map to one letter are kept in runs: from first to last by step, each moved by delta. Those that become several
letters in upper case or at the head of a word are listed with their texts. What this Python's Unicode knows beyond 13 is left out.
"""
LATER = set([0x2C2F, 0x2C5F, 0xA7C0, 0xA7C1, 0xA7D0, 0xA7D1] + list(range(0xA7D6, 0xA7DA)) + list(range(0x10570, 0x105BD)))
DOTTED_I = 0x130


def letters():
    return (c for c in range(0x80, 0x110000) if c not in LATER and not 0xD800 <= c < 0xE000)


def single(c, text):
    return ord(text) if len(text) == 1 else c


def lower(c):
    return ord("i") if c == DOTTED_I else single(c, chr(c).lower())


def upper(c):
    return single(c, chr(c).upper())


def title(c):
    return single(c, chr(c).title())


def runs(mapping):
    pairs = [(c, mapping(c) - c) for c in letters() if mapping(c) != c]
    at = 0
    while at < len(pairs):
        first, delta = pairs[at]
        best = (1, 1)
        for step in (1, 2):
            count = 1
            while at + count < len(pairs) and pairs[at + count] == (first + count * step, delta):
                count += 1
            best = max(best, (count, -step))
        count, step = best[0], abs(best[1])
        yield first, pairs[at + count - 1][0], step, delta
        at += count


def quoted(text):
    return '"' + "".join("\\%03o" % byte for byte in text.encode()) + '"'


def main():
    print("/* Written by tools/case_table.py. */")
    print('#include "base/case_table.h"\n')
    for name, mapping in (("lower", lower), ("upper", upper), ("title", lambda c: c if title(c) == upper(c) else title(c))):
        print("const nilas_case_run nilas_base__%s_runs[] = {" % name)
        for run in runs(mapping):
            print("{0x%X, 0x%X, %d, %d}," % run)
        print("{0, 0, 0, 0}};\n")
    print("const nilas_case_text nilas_base__case_texts[] = {")
    for c in letters():
        if len(chr(c).upper()) > 1 or len(chr(c).title()) > 1:
            print("{0x%X, %s, %s}," % (c, quoted(chr(c).upper()), quoted(chr(c).title())))
    print("{0, 0, 0}};")


main()
