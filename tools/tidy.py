#!/usr/bin/env python3
"""Style as a test: measure the C sources, print the measures, and refuse what is over the limits.

usage: tools/tidy.py [--list] [FILE…]     check everything, or some files; --list prints the longest and the most complex
       tools/tidy.py --update             write tools/tidy_exceptions.txt anew

Limits:
    lines       a function: 70, from its name to its closing brace
    complexity  a function: 15 = 1 + each if, for, while, ?:, && and ||, and 1 for a switch however many cases it has
    parameters  a function: 5, not counting the arena, the out_… parameters and the error
    file        800 lines
    wide        a file: no line over 100 columns
Refused everywhere: banned calls (each with its replacement), goto, bodies without braces, tabs, words that promise to finish
later, printing in a room below session, and a header that does not compile by itself.

tools/tidy_exceptions.txt allows what is over, each with a reason: "path:function measure value  reason". An exception that
is no longer needed, or allows more than is there, is a failure: the list only shrinks. --update keeps the reasons,
drops what is not needed and adds what is over with the reason "since the founding".
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import rooms as house

ROOT = house.ROOT
EXCEPTIONS = os.path.join(ROOT, "tools", "tidy_exceptions.txt")
LIMITS = {"lines": 70, "complexity": 15, "parameters": 5, "file": 800, "wide": 0}
COLUMNS = 100

BANNED = {
    "strcpy": "nilas_str or nilas_buf", "strcat": "nilas_buf", "strncpy": "nilas_str", "strncat": "nilas_buf",
    "sprintf": "snprintf or nilas_buf", "vsprintf": "vsnprintf", "gets": "nilas_reader", "alloca": "an arena",
    "atoi": "strtoll with checks", "atol": "strtoll with checks", "atoll": "strtoll with checks",
    "atof": "strtod with checks", "sscanf": "nilas_reader", "scanf": "nilas_reader", "strtok": "nilas_str",
    "setjmp": "nilas_code", "longjmp": "nilas_code", "system": "posix_spawn", "tmpnam": "mkstemp",
    "mktemp": "mkstemp", "localtime": "localtime_r", "gmtime": "gmtime_r", "ctime": "nilas time functions",
    "asctime": "nilas time functions", "rand": "getrandom", "srand": "getrandom", "assert": "nilas_assert",
    "signal": "sigaction", "vfork": "posix_spawn", "strerror": "strerror_r",
}
PRINTING = ("printf", "fprintf", "puts", "perror", "putchar", "vprintf", "vfprintf")
PROMISES = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "do", "else", "defined", "typeof", "__typeof__",
            "__attribute__", "alignof", "_Generic", "static_assert", "_Static_assert", "case"}

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
FUNCTION_HEAD = re.compile(r"([A-Za-z_]\w*)\s*\(")
DECISION = re.compile(r"\b(?:if|for|while|switch)\b|&&|\|\||\?")
CALL = re.compile(r"(?<![\w.>])([A-Za-z_]\w*)\s*\(")


class Problem:
    def __init__(self, place, measure, value, text):
        self.place, self.measure, self.value, self.text = place, measure, value, text


# ---- reading C -------------------------------------------------------------------------------------------------

def blank(match):
    """Comments and strings as spaces, so that offsets and lines stay."""
    text = match.group(0)
    keep = text[0] if text[0] in "\"'" else " "
    body = re.sub(r"[^\n]", " ", text)
    return keep + body[1:-1] + keep if keep != " " and len(body) > 1 else body


def code_only(text):
    text = TOKEN.sub(blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.M | re.S)


def closing(code, start, opening, end):
    depth = 0
    for at in range(start, len(code)):
        if code[at] == opening:
            depth += 1
        elif code[at] == end:
            depth -= 1
            if depth == 0:
                return at
    return len(code) - 1


def functions(code):
    """(name, parameters, start, end) of each function definition: a brace after a parenthesis at the outermost level."""
    at = 0
    while True:
        at = code.find("{", at)
        if at < 0:
            return
        end = closing(code, at, "{", "}")
        head_start = max(code.rfind(";", 0, at), code.rfind("}", 0, at)) + 1
        head = code[head_start:at]
        if head.rstrip().endswith(")") and "=" not in head.split("(")[0]:
            found = [m for m in FUNCTION_HEAD.finditer(head) if m.group(1) not in KEYWORDS]
            top = next((m for m in found if head[: m.start()].count("(") == head[: m.start()].count(")")), None)
            if top:
                name_at = head_start + top.start()
                parameters_end = closing(code, head_start + top.end() - 1, "(", ")")
                yield top.group(1), code[head_start + top.end():parameters_end], name_at, end
        at = end + 1


def split_parameters(text):
    depth, part, parts = 0, "", []
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += char
    parts = [" ".join(p.split()) for p in parts + [part.strip()] if p.strip() not in ("", "void")]
    return [p for p in parts if not re.search(r"\bnilas_arena \*|\bnilas_error \*|\*+\s*(const )?out_\w+$|\bout_\w+$", p)]


# ---- measures --------------------------------------------------------------------------------------------------

class Measures:
    def __init__(self):
        self.functions = []  # (lines, complexity, place)
        self.files = 0
        self.lines = 0
        self.assertions = 0
        self.problems = []

    def over(self, place, measure, value):
        if value > LIMITS[measure]:
            self.problems.append(Problem(place, measure, value, "%s: %s %d, at most %d"
                                         % (place, measure, value, LIMITS[measure])))

    def refuse(self, place, text):
        self.problems.append(Problem(place, "", 0, "%s: %s" % (place, text)))


def measure_functions(measures, path, code):
    for name, parameters, start, end in functions(code):
        body = code[start:end + 1]
        lines = body.count("\n") + 1
        complexity = 1 + len(DECISION.findall(body))
        place = "%s:%s" % (path, name)
        measures.functions.append((lines, complexity, place))
        measures.over(place, "lines", lines)
        measures.over(place, "complexity", complexity)
        measures.over(place, "parameters", len(split_parameters(parameters)))


def room_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else ""


def check_words(measures, path, text, code):
    silent = room_of(path) in house.BELOW_SESSION
    for number, line in enumerate(code.split("\n"), 1):
        for name in CALL.findall(line):
            if name in BANNED:
                measures.refuse("%s:%d" % (path, number), "%s is banned: use %s" % (name, BANNED[name]))
            elif silent and name in PRINTING and path != "src/base/error.c":
                measures.refuse("%s:%d" % (path, number), "%s: rooms below session never print" % name)
        if re.search(r"\bgoto\b", line):
            measures.refuse("%s:%d" % (path, number), "goto: use NILAS_AUTO or a function")
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line:
            measures.refuse("%s:%d" % (path, number), "a tab: four spaces, or \\t in a string")
        promise = PROMISES.search(line)
        if promise:
            measures.refuse("%s:%d" % (path, number), "%s: finish it, or refuse by name" % promise.group(0))


def check_braces(measures, path, code):
    for match in re.finditer(r"\b(?:if|for|while)\s*\(|\belse\b", code):
        at = match.end()
        if match.group(0) != "else":
            at = closing(code, at - 1, "(", ")") + 1
        rest = code[at:].lstrip()
        loop_end = match.group(0).startswith("while") and rest.startswith(";")  # of do { … } while (…);
        if not rest.startswith(("{", "if ", "if(")) and not loop_end:
            line = code.count("\n", 0, match.start()) + 1
            measures.refuse("%s:%d" % (path, line), "%s without braces" % match.group(0).split("(")[0].strip())


def measure_file(measures, path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    code = code_only(text)
    lines = text.count("\n")
    measures.files += 1
    measures.lines += lines
    measures.assertions += len(re.findall(r"\bnilas_assert\(|\bstatic_assert\(|\b_Static_assert\(", code))
    measures.over(path, "file", lines)
    measures.over(path, "wide", sum(len(line) > COLUMNS for line in text.split("\n")))
    measure_functions(measures, path, code)
    check_words(measures, path, text, code)
    check_braces(measures, path, code)


def make_duckdb_api(folder):
    """The generated header that headers of the engine include."""
    engine = [p for p in house.sources_of(os.path.join(ROOT, "src", "engine"))]
    header = os.path.join(ROOT, "deps", "include", "duckdb.h")
    if engine and os.path.exists(header):
        subprocess.run([sys.executable, os.path.join(ROOT, "tools", "duckdb_api.py"),
                        os.path.join(folder, "duckdb_api.h"), header, "", ""] + engine, check=True)


def make_messages(folder):
    """The generated header that headers of the wire room include."""
    subprocess.run(["protoc-c", "--c_out=" + folder, "--proto_path=" + os.path.join(ROOT, "src", "wire"),
                    os.path.join(ROOT, "src", "wire", "spark_connect.proto")], check=True)


def compiles_alone(path, generated):
    """The compiler's first complaint about a header that is included by itself, or nothing."""
    include = ["-I" + os.path.join(ROOT, folder) for folder in ("src", "include")] + ["-I" + generated]
    system = [w for folder in ("deps/include", "deps/roaring", "deps/nanoarrow/include")
              for w in ("-isystem", os.path.join(ROOT, folder))]
    command = ["gcc", "-std=gnu2x", "-D_GNU_SOURCE", "-DNILAS_VERSION=\"\"", "-fsyntax-only", "-x", "c"]
    done = subprocess.run(command + include + system + [os.path.join(ROOT, path)], text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    complaint = [line for line in done.stderr.split("\n") if "error:" in line]
    return "does not compile by itself: " + complaint[0] if done.returncode and complaint else None


def check_headers(measures, paths):
    headers = [p for p in paths if p.endswith(".h") and not p.startswith("test/")]
    with tempfile.TemporaryDirectory() as generated, concurrent.futures.ThreadPoolExecutor(2) as pool:
        make_duckdb_api(generated)
        make_messages(generated)
        for path, complaint in zip(headers, pool.map(lambda p: compiles_alone(p, generated), headers)):
            if complaint:
                measures.refuse(path, complaint)


# ---- exceptions ------------------------------------------------------------------------------------------------

def read_exceptions():
    found = {}
    if os.path.exists(EXCEPTIONS):
        with open(EXCEPTIONS, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    words = line.split(None, 3)
                    found[(words[0], words[1])] = (int(words[2]), words[3].strip() if len(words) > 3 else "")
    return found


def apply_exceptions(problems, exceptions, whole):
    """What is left to complain about."""
    left, used = [], set()
    for problem in problems:
        allowed = exceptions.get((problem.place, problem.measure))
        if allowed is None:
            left.append(problem.text)
            continue
        used.add((problem.place, problem.measure))
        if problem.value > allowed[0]:
            left.append("%s (the exception allows %d)" % (problem.text, allowed[0]))
        elif problem.value < allowed[0]:
            left.append("%s: the exception allows %s %d, and %d is enough now: tools/tidy.py --update"
                        % (problem.place, problem.measure, allowed[0], problem.value))
        if not allowed[1]:
            left.append("%s: an exception without a reason" % problem.place)
    if whole:
        left += ["%s: the exception for its %s is no longer needed: tools/tidy.py --update" % key
                 for key in exceptions if key not in used]
    return left


def update_exceptions(problems, exceptions):
    lines = ["# What is over the limits of tools/tidy.py, and why. Only shrinks: see there.\n"]
    for problem in sorted(problems, key=lambda p: (p.place, p.measure)):
        if problem.measure:
            reason = exceptions.get((problem.place, problem.measure), (0, ""))[1] or "since the founding"
            lines.append("%s %s %d  %s\n" % (problem.place, problem.measure, problem.value, reason))
    with open(EXCEPTIONS, "w", encoding="utf-8") as file:
        file.writelines(lines)


# ---- main ------------------------------------------------------------------------------------------------------

def all_paths():
    paths = []
    for folder in ("src", "include", "test"):
        paths += [os.path.relpath(p, ROOT) for p in house.sources_of(os.path.join(ROOT, folder))]
    return sorted(paths)


def share(values, limit):
    return 100.0 * sum(v > limit for v in values) / max(len(values), 1)


def print_measures(measures):
    lines = [f[0] for f in measures.functions]
    complexities = [f[1] for f in measures.functions]
    count = max(len(measures.functions), 1)
    print("tidy: %d files, %d lines, %d functions" % (measures.files, measures.lines, len(measures.functions)))
    print("  functions over %d lines: %.1f %% (longest %d); over complexity %d: %.1f %% (highest %d)"
          % (LIMITS["lines"], share(lines, LIMITS["lines"]), max(lines, default=0), LIMITS["complexity"],
             share(complexities, LIMITS["complexity"]), max(complexities, default=0)))
    print("  assertions: %d, %.2f a function" % (measures.assertions, measures.assertions / count))


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    measures = Measures()
    paths = arguments or all_paths()
    for path in paths:
        measure_file(measures, path)
    if "--update" in sys.argv:
        update_exceptions(measures.problems, read_exceptions())
    check_headers(measures, paths)
    print_measures(measures)
    if "--list" in sys.argv:
        for title, key in (("longest", 0), ("most complex", 1)):
            print("  %s:" % title)
            for entry in sorted(measures.functions, key=lambda f: -f[key])[:15]:
                print("    %4d %s" % (entry[key], entry[2]))
    problems = apply_exceptions(measures.problems, read_exceptions(), not arguments)
    for problem in problems:
        print(problem)
    print("tidy: %d exceptions, %d problems" % (len(read_exceptions()), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
