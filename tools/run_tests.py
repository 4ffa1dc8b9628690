#!/usr/bin/env python3
"""Build and run the tests.

usage: tools/run_tests.py [--build build] [--kinds KIND,…] [--jobs 2] [--golden-sample N] [--fuzz-seconds S] [-v] [WORD…]

Kinds, in this order:
    rooms    tools/rooms.py                     tidy     tools/tidy.py
    unit     test/unit/<room>/<file>_test.c     fault    test/fault/<name>_test.c
    sql      test/sql/<topic>/<name>.test       python   test/<folder>/test_<name>.py
    fuzz     test/fuzz/<target>.c, some seconds each (needs clang)
    golden   test/golden/run_golden.py          and run_sessions.py

A WORD picks the tests whose name, such as unit/scan/deletes, sql/time_travel/branches or python/shell/test_prompt, contains
it (or matches it as a pattern); "scan/deletes" is enough. Only what these need is built. The last line counts
everything: N passed, N failed, N skipped.
"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import sources
import sql_tests

ROOT = sources.house.ROOT
KINDS = ["rooms", "tidy", "unit", "fault", "sql", "python", "fuzz", "golden"]
TIMEOUT_S = 180
COUNTS = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$", re.M)
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:strict_string_checks=1:detect_stack_use_after_return=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "LSAN_OPTIONS": "print_suppressions=0:suppressions=" + os.path.join(ROOT, "test", "leaks.supp"),
    "TSAN_OPTIONS": "halt_on_error=1",
}


class Test:
    """A program to run: its name mirrors its path; `target` is what ninja has to build for it."""

    def __init__(self, kind, name, path, target="nilas"):
        self.kind, self.name, self.path, self.target = kind, name, path, target
        self.passed = self.failed = self.skipped = 0
        self.output = ""
        self.seconds = 0.0


# ---- finding ---------------------------------------------------------------------------------------------------

def find_tests():
    tests = [Test("rooms", "rooms", "tools/rooms.py", None), Test("tidy", "tidy", "tools/tidy.py", None)]
    for target, path in sources.test_files():
        kind = target.split("-")[0]
        name = os.path.relpath(path, os.path.join(ROOT, "test"))[: -len("_test.c")]
        tests.append(Test(kind, name, path, target))
    for path in sorted(glob.glob(os.path.join(ROOT, "test", "sql", "**", "*.test"), recursive=True)):
        tests.append(Test("sql", os.path.relpath(path, os.path.join(ROOT, "test"))[: -len(".test")], path))
    for path in sorted(glob.glob(os.path.join(ROOT, "test", "*", "test_*.py"))):
        name = os.path.relpath(path, os.path.join(ROOT, "test"))[:-3]
        tests.append(Test("python", "python/" + name, path, None if name.startswith("tools/") else "nilas"))
    for path in sorted(glob.glob(os.path.join(ROOT, "test", "fuzz", "*.c"))):
        name = os.path.basename(path)[:-2]
        tests.append(Test("fuzz", "fuzz/" + name, path, "fuzz-" + name))
    for name in ("golden", "sessions"):
        tests.append(Test("golden", "golden/" + name, os.path.join(ROOT, "test", "golden", "run_%s.py" % name)))
    return tests


def chosen(test, options):
    if test.kind not in options.kinds:
        return False
    return not options.words or any(w in test.name or fnmatch.fnmatch(test.name, w) for w in options.words)


# ---- building --------------------------------------------------------------------------------------------------

def build_folder(test, options):
    return "build-fuzz" if test.kind == "fuzz" else options.build


def build(folder, targets):
    """Build what can be built; what could not, and the compiler's words."""
    done = subprocess.run([os.path.join(ROOT, "tools", "build"), folder, "-k", "0"] + targets, cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode == 0:
        return [], ""
    words = "\n".join(line for line in done.stdout.split("\n") if not line.startswith(("[", "ninja: Entering")))
    broken = []
    for target in targets:  # what is left to do there was not built
        probe = subprocess.run(["ninja", "-C", os.path.join(ROOT, folder), "-n", target], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
        if "no work to do" not in probe.stdout:
            broken.append(target)
    return broken or targets, words


def build_all(tests, options):
    """Mark the tests whose program could not be built."""
    by_folder = {}
    for test in tests:
        if test.target:
            by_folder.setdefault(build_folder(test, options), set()).add(test.target)
    for folder, targets in by_folder.items():
        if folder == "build-fuzz" and not shutil.which("clang-14"):
            continue
        if not os.path.exists(os.path.join(ROOT, "src", "main.c")):
            targets.discard("nilas")  # ninja would refuse everything for one unknown target
        broken, words = build(folder, sorted(targets)) if targets else ([], "")
        if words:
            print(words[-6000:])
        for test in tests:
            if test.target in broken and build_folder(test, options) == folder:
                test.failed, test.output = 1, "could not be built"


# ---- running ---------------------------------------------------------------------------------------------------

def environment(options, folder):
    env = dict(os.environ, **SANITIZERS)
    env.update(NILAS=os.path.join(ROOT, options.build, "nilas"), NILAS_TEST_DATA=os.path.join(ROOT, "test", "data"),
               HOME=folder, XDG_CONFIG_HOME=folder, TMPDIR=folder, PYTHONDONTWRITEBYTECODE="1", TZ="UTC")
    return env


def run(command, options, timeout=TIMEOUT_S, cwd=None):
    """Status and output of a program, run in a folder of its own."""
    folder = tempfile.mkdtemp(prefix="nilas-test-")
    try:
        done = subprocess.run(command, cwd=cwd or folder, env=environment(options, folder), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)
        return done.returncode, done.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired as late:
        return -1, (late.stdout or b"").decode("utf-8", "replace") + "\nno end in %d s" % timeout
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_program(test, options):
    status, test.output = run([os.path.join(ROOT, options.build, test.target)], options)
    test.passed = len(re.findall(r"^ok ", test.output, re.M))
    test.failed = len(re.findall(r"^FAIL ", test.output, re.M))
    if status not in (0, 1) or (status == 1 and test.failed == 0):
        test.failed += 1
        test.output += "\nended with status %d" % status


def run_sql(test, options):
    outcome = sql_tests.run_file(os.path.join(ROOT, options.build, "nilas"), test.path)
    test.passed = sum(why is None for _, why in outcome)
    test.failed = len(outcome) - test.passed
    test.output = "\n".join("FAIL %s\n%s" % (label, why) for label, why in outcome if why)


def run_python(test, options):
    command = [sys.executable, "-m", "unittest", "-v", os.path.basename(test.path)[:-3]]
    status, test.output = run(command, options, cwd=os.path.dirname(test.path))
    ran = re.search(r"^Ran (\d+) tests?", test.output, re.M)
    total = int(ran.group(1)) if ran else 0
    bad = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", test.output))
    test.skipped = sum(int(n) for n in re.findall(r"skipped=(\d+)", test.output))
    test.failed = bad if bad or status == 0 else 1
    test.passed = max(total - test.failed - test.skipped, 0)


def run_fuzz(test, options):
    if not shutil.which("clang-14"):
        test.skipped, test.output = 1, "no clang-14"
        return
    command = [os.path.join(ROOT, "tools", "fuzz"), test.name.split("/")[1], str(options.fuzz_seconds)]
    status, test.output = run(command, options, timeout=options.fuzz_seconds + 120)
    test.passed, test.failed = int(status == 0), int(status != 0)
    test.output = test.output[-4000:]


def run_golden(test, options):
    command = [sys.executable, test.path, "--nilas", os.path.join(ROOT, options.build, "nilas"),
               "--jobs", str(options.jobs)]
    if options.golden_sample:
        command += ["--sample", str(options.golden_sample)]
    _, test.output = run(command, options, timeout=1200)
    counts = COUNTS.findall(test.output)
    test.passed, test.failed, test.skipped = [int(n or 0) for n in counts[-1]] if counts else [0, 1, 0]


def run_check(test, options):
    status, test.output = run([sys.executable, os.path.join(ROOT, test.path)], options, cwd=ROOT)
    test.passed, test.failed = int(status == 0), int(status != 0)


RUNNERS = {"rooms": run_check, "tidy": run_check, "unit": run_program, "fault": run_program, "sql": run_sql,
           "python": run_python, "fuzz": run_fuzz, "golden": run_golden}


def run_test(test, options):
    if not test.failed:  # it was built
        began = time.monotonic()
        RUNNERS[test.kind](test, options)
        test.seconds = time.monotonic() - began
    return test


# ---- telling ---------------------------------------------------------------------------------------------------

def tell(test, options):
    word = "FAIL" if test.failed else "skip" if not test.passed and test.skipped else "ok"
    counts = "%d" % test.passed
    if test.failed:
        counts += ", %d failed" % test.failed
    if test.skipped:
        counts += ", %d skipped" % test.skipped
    print("%-4s %s (%s; %.1f s)" % (word, test.name, counts, test.seconds), flush=True)
    if test.failed or options.verbose or test.kind in ("tidy", "golden"):
        shown = test.output.strip("\n")
        if test.failed and test.kind in ("unit", "fault") and not options.verbose:
            shown = "\n".join(line for line in shown.split("\n") if not line.startswith("ok "))
        lines = shown.split("\n")
        if len(lines) > 80 and not options.verbose:
            lines = lines[:40] + ["… %d lines, -v shows them …" % (len(lines) - 70)] + lines[-30:]
        print("\n".join("     " + line[:400] for line in lines), flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="the build folder; tools/build knows the names")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--golden-sample", type=int, help="only about so many cases of the golden corpus")
    parser.add_argument("--fuzz-seconds", type=int, default=3)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    options.kinds = options.kinds.split(",")
    unknown = set(options.kinds) - set(KINDS)
    if unknown:
        parser.error("unknown kind %s; there are %s" % (", ".join(sorted(unknown)), ", ".join(KINDS)))
    return options


def main():
    options = parse_arguments()
    tests = [t for t in find_tests() if chosen(t, options)]
    if not tests:
        print("no test has %s in its name" % " or ".join(options.words))
        print("0 passed, 0 failed, 0 skipped")
        return 1
    build_all(tests, options)
    alone = [t for t in tests if t.kind == "golden"]  # uses all the cores itself
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in pool.map(lambda t: run_test(t, options), [t for t in tests if t not in alone]):
            tell(done, options)
    for test in alone:
        tell(run_test(test, options), options)
    failed = [t for t in tests if t.failed]
    if failed:
        print("\nfailed: " + " ".join(t.name for t in failed))
    print("%d passed, %d failed, %d skipped" % tuple(sum(getattr(t, what) for t in tests)
                                                    for what in ("passed", "failed", "skipped")))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
