#!/usr/bin/env python3
"""Hold nilas against what a real Spark + Iceberg answered.

usage: test/golden/run_golden.py --nilas build/nilas [--area A]… [--id GLOB]… [--sample N] [-v]
                                 [--fail FILE] [--add-known REASON] [--jobs N]

Each case is a statement (or a DataFrame read, put as SQL) with Spark's answer; README.md tells the form. The binary is called
as a user would:
    nilas sql --format json --continue --conf K=V … -e STATEMENT -e STATEMENT …
Cells are compared as text, types as Spark's simpleString, errors by Spark's condition or, where Spark has none, by
their words. known.txt lists the cases that fail, each with its reason: they count as skipped, and one that passes
is a failure until its line is taken out, so that the list only shrinks; only a reason that begins with "varies:" may
pass as well (the order of additions, of a directory listing). --add-known adds those that fail now.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

import fixture

HERE = fixture.HERE
KNOWN = os.path.join(HERE, "known.txt")
TIMEOUT_S = 120
BATCH = 100  # statements of one process: a fresh process costs milliseconds, ten thousand cost minutes


# ---- cases -----------------------------------------------------------------------------------------------------

def lines_of(name):
    path = os.path.join(HERE, name)
    opener = gzip.open if name.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().split("\n") if line.strip()]


def load_cases():
    shows = lines_of("show.jsonl")
    for case in shows:
        case["area"] = "show"
    return lines_of("queries.jsonl.gz") + lines_of("functions.jsonl.gz") + lines_of("expressions.jsonl.gz") + shows


def load_known(path=KNOWN):
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    case_id, _, reason = line.strip().partition("  ")
                    known[case_id] = reason.strip()
    return known


def varies(reason):
    return reason.startswith("varies:")


def quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def read_as_sql(read):
    """A DataFrame read as SQL: a temporary view over the source with the same options."""
    columns = ", ".join(read["select"]) if read.get("select") else "*"
    where = " WHERE " + read["filter"] if read.get("filter") else ""
    if read.get("api") == "spark.table":
        return ["SELECT %s FROM %s%s" % (columns, read["load"], where)]
    options = [("path", read["load"])] + sorted((read.get("options") or {}).items())
    text = ", ".join("%s %s" % (quote(key), quote(str(value))) for key, value in options)
    view = "CREATE OR REPLACE TEMPORARY VIEW golden_read USING %s OPTIONS (%s)" % (read.get("format", "iceberg"), text)
    return [view, "SELECT %s FROM golden_read%s" % (columns, where)]


def statements(case):
    return read_as_sql(case["read"]) if "read" in case else [case["statement"]]


# ---- one process -----------------------------------------------------------------------------------------------

def call(nilas, arguments, folder):
    """Output and, when the process ended otherwise than with status 0 or 1, why."""
    command = [nilas, "sql"] + arguments
    environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder)
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode("utf-8", "replace"), "no answer in %d s" % TIMEOUT_S
    why = ""
    if done.returncode not in (0, 1):
        why = "exit status %d: %s" % (done.returncode, done.stderr.decode(errors="replace")[-300:])
    return done.stdout.decode("utf-8", "replace"), why


def conf_arguments(conf):
    return [word for key, value in conf.items() for word in ("--conf", key + "=" + value)]


def ask(nilas, conf, texts):
    """Run statements in one process; the results, and why it ended early."""
    arguments = ["--format", "json", "--continue"] + conf_arguments(conf)
    for text in texts:
        arguments += ["-e", text]
    with tempfile.TemporaryDirectory() as folder:
        output, why = call(nilas, arguments, folder)
    results = []
    for line in output.split("\n"):
        if line.strip():
            try:
                results.append(json.loads(line))
            except ValueError:
                return results, why or "not JSON: " + line[:100]
    return results, why


# ---- judging ---------------------------------------------------------------------------------------------------

def norm(text):
    return re.sub(r"\s+", " ", text or "").strip()


def trim_cells(line):
    return "\t".join(cell.rstrip() for cell in line.split("\t"))


def typed_text(value, top=True):
    """The text of a typed golden cell, for cases that carry no 'cli' lines."""
    if value is None:
        return "NULL" if top else "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict) and "struct" in value:
        return "{" + ",".join('"%s":%s' % (k, typed_text(v, False)) for k, v in value["struct"]) + "}"
    if isinstance(value, dict) and "map" in value:
        return "{" + ",".join("%s:%s" % (typed_text(k, False), typed_text(v, False)) for k, v in value["map"]) + "}"
    if isinstance(value, list):
        return "[" + ",".join(typed_text(v, False) for v in value) + "]"
    if isinstance(value, str):
        return value if top else '"%s"' % value
    return str(value)


def judge_error(wanted, result):
    if "error" not in result:
        return "accepted, Spark refuses: " + norm(wanted.get("message"))[:120]
    error, condition = result["error"], wanted.get("condition")
    if condition and not condition.startswith("_LEGACY"):
        have = error.get("condition")
        return "" if have == condition else "condition %s, expected %s" % (have, condition)
    said = norm(error.get("message")).lower()
    keys = []
    for text in (wanted.get("root_message"), wanted.get("message")):
        if text:
            start = norm(text).split(" == SQL")[0]
            keys.append(re.sub(r"^Job aborted due to stage failure: ", "", start)[:60].lower())
    if not keys or any(key in said for key in keys):
        return ""
    return "says %r, expected %r" % (said[:120], keys[-1])


def golden_lines(expected):
    if expected.get("cli") is not None:
        return expected["cli"]
    return ["\t".join(typed_text(cell) for cell in row) for row in expected.get("rows", [])]


def judge_rows(expected, result):
    columns = expected.get("columns") or []
    schema = "struct<" + ",".join("%s:%s" % (c["name"], c["type"]) for c in columns) + ">"
    if columns and result.get("schema") != schema:
        return "schema %s, expected %s" % (str(result.get("schema"))[:150], schema[:150])
    have = ["\t".join("NULL" if cell is None else str(cell) for cell in row) for row in result.get("rows", [])]
    want = golden_lines(expected)
    have = [trim_cells(line) for line in "\n".join(have).split("\n")] if have else []
    want = [trim_cells(line) for line in "\n".join(want).split("\n")] if want else []
    if not expected.get("ordered"):
        have, want = sorted(have), sorted(want)
    if have == want:
        return ""
    at = next((i for i, (h, w) in enumerate(zip(have, want)) if h != w), min(len(have), len(want)))
    have_line = have[at][:160] if at < len(have) else None
    want_line = want[at][:160] if at < len(want) else None
    return "rows differ (%d, expected %d): %r, expected %r" % (len(have), len(want), have_line, want_line)


def judge(case, result):
    """'' when the result is Spark's, else what differs."""
    if result is None:
        return "no result"
    if "expected_error" in case:
        return judge_error(case["expected_error"], result)
    if "error" in result:
        return "error: " + norm(str(result["error"].get("message")))[:160]
    return judge_rows(case["expected"], result)


# ---- running ---------------------------------------------------------------------------------------------------

def run_batch(nilas, conf, cases, report):
    """Many cases in one process; after a crash the next process goes on behind the case that fell."""
    todo = list(cases)
    while todo:
        texts, spans = [], []
        for case in todo:
            own = ["USE spark_catalog.default", "DROP VIEW IF EXISTS golden_read"] + list(case.get("setup") or []) + statements(case)
            texts += own
            spans.append(len(texts))
        results, why = ask(nilas, conf, texts)
        done = 0
        for case, end in zip(todo, spans):
            if end > len(results):
                break
            own = results[end - len(statements(case)):end]
            report(case, judge(case, next((r for r in own if "error" in r), own[-1])))
            done += 1
        if done == len(todo):
            return
        report(todo[done], why or "no result")
        todo = todo[done + 1:]


def run_show(nilas, conf, case, report):
    """A text of DataFrame.show(): the table and vertical formats."""
    show = case["show"]
    arguments = ["--format", "vertical" if show["vertical"] else "table",
                 "--truncate", str(show["truncate"] or "off")]
    with tempfile.TemporaryDirectory() as folder:
        output, why = call(nilas, arguments + conf_arguments(conf) + ["-e", case["statement"]], folder)
    have, want = output.strip("\n").split("\n"), case["text"].strip("\n").split("\n")
    if why or have == want:
        return report(case, why)
    at = next((i for i, (h, w) in enumerate(zip(have, want)) if h != w), min(len(have), len(want)))
    have_line = have[at][:120] if at < len(have) else None
    return report(case, "line %d: %r, expected %r" % (at + 1, have_line, want[at][:120] if at < len(want) else None))


def faulty(case):
    """Cases that say nothing about us: Spark itself is wrong, or show() cut the rows, which a shell does not."""
    return case.get("spark_bug") or (case["area"] == "show" and
                                     ("only showing top" in case["text"] or case["show"]["n"] != 20))


def run_all(nilas, cases, jobs, report):
    conf = fixture.settings(fixture.unpack())
    shows = [c for c in cases if c["area"] == "show"]
    plain = [c for c in cases if c["area"] != "show" and not c.get("setup")]
    own_session = [c for c in cases if c.get("setup")]
    batches = [plain[i:i + BATCH] for i in range(0, len(plain), BATCH)] + [[c] for c in own_session]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        tasks = [pool.submit(run_batch, nilas, conf, batch, report) for batch in batches]
        tasks += [pool.submit(run_show, nilas, conf, case, report) for case in shows]
        for task in tasks:
            task.result()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nilas", default="build/nilas")
    parser.add_argument("--area", action="append")
    parser.add_argument("--id", action="append")
    parser.add_argument("--sample", type=int, help="only about so many cases, spread evenly")
    parser.add_argument("--fail", help="write the failing cases here, as JSON lines")
    parser.add_argument("--add-known", metavar="REASON", help="add the failing cases to known.txt")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-v", action="store_true", help="print each failing case, also the known ones")
    return parser.parse_args()


def select(everything, options):
    cases = [c for c in everything if (not options.area or c["area"] in options.area) and
             (not options.id or any(fnmatch.fnmatch(c["id"], glob) for glob in options.id))]
    if options.sample and options.sample < len(cases):
        cases = [cases[i * len(cases) // options.sample] for i in range(options.sample)]
    return cases


def add_known(failing, reason):
    with open(KNOWN, "a", encoding="utf-8") as file:
        for case_id in sorted(failing):
            file.write("%s  %s\n" % (case_id, reason))


def main():
    options = parse_arguments()
    known = load_known()
    whys = {}
    areas = collections.OrderedDict()

    def report(case, why):
        whys[case["id"]] = why
        areas.setdefault(case["area"], []).append(not why)
        if why and (options.v or case["id"] not in known):
            print("%s - %s" % (case["id"], why), flush=True)
        elif not why and case["id"] in known and not varies(known[case["id"]]):
            print("%s - passes now: take it out of test/golden/known.txt" % case["id"], flush=True)

    everything = load_cases()
    cases = select(everything, options)
    ids = {c["id"] for c in everything}
    stale = sorted(k for k in known if k not in ids)
    for case_id in stale:
        print("%s - is in known.txt, but there is no such case" % case_id)
    run_all(os.path.abspath(options.nilas), [c for c in cases if not faulty(c)], options.jobs, report)
    for area in sorted(areas):
        print("%-24s %5d of %5d" % (area, sum(areas[area]), len(areas[area])))
    if options.fail:
        by_id = {c["id"]: c for c in cases}
        with open(options.fail, "w", encoding="utf-8") as file:
            for case_id in sorted(i for i, why in whys.items() if why):
                case = by_id[case_id]
                text = case.get("statement") or case.get("read")
                file.write(json.dumps({"id": case_id, "why": whys[case_id], "statement": text}, ensure_ascii=False) + "\n")
    failing = [i for i, why in whys.items() if why and i not in known]
    if options.add_known:
        add_known(failing, options.add_known)
    passing = sum(not why for why in whys.values())
    print("as Spark: %d of %d, %.2f %%" % (passing, len(whys), 100.0 * passing / max(len(whys), 1)))
    unexpected = [i for i, why in whys.items() if not why and i in known and not varies(known[i])]
    failed = len(failing) + len(unexpected) + len(stale)
    skipped = len(cases) - len(whys) + sum(1 for i, why in whys.items() if why and i in known)
    print("%d passed, %d failed, %d skipped" % (passing - len(unexpected), failed, skipped))
    return 1 if failed or not whys else 0


if __name__ == "__main__":
    sys.exit(main())
