#!/usr/bin/env python3
"""Hold nilas against what a real Spark + Iceberg did to tables: scripts that begin with an empty warehouse.

usage: test/golden/run_sessions.py --nilas build/nilas [--area A]… [--id GLOB]… [--sample N] [-v] [--jobs N]

Each line of sessions.jsonl is a script: its steps go to one process, a statement at a time, through standard input; the
first step that differs ends the script. Ids of snapshots, times and paths are masked, and counts of files and manifests are
physical facts, not answers. known_sessions.txt lists the scripts that differ, as known.txt does for single statements.
"""
import argparse
import concurrent.futures
import datetime
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

import fixture
import run_golden as golden

KNOWN = os.path.join(golden.HERE, "known_sessions.txt")
ELSEWHERE = "/tmp/iceberg-golden/sess"  # where the scripts put tables outside of the warehouse
FILE_COUNT = re.compile(r"files?(_count)?$|manifests?(_count)?$|_files_|manifest_files_count|file_count")
PLACEHOLDER = re.compile(r"\{\{(snap|ts|ms):(\d+)\}\}")
WILD = {"<n>": r"(?:-?[0-9.]+|<n>)", "<ts>": r"(?:[-0-9]{10} [0-9:.]+|<ts>)", "<ms>": r"[0-9]{13}", "<file>": r"[^/\t]+",
        "<app>": r"[^\t,}]*", "<any>": r".*"}
FILE_NAME = re.compile(r"[^/\s\"',:{}\[\]]*[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}[^/\s\"',:{}\[\].]*")


# ---- one script's world ----------------------------------------------------------------------------------------

class World:
    """An empty warehouse, a process over it, and the snapshots in order of creation."""

    def __init__(self, nilas, folder):
        self.folder = folder
        self.warehouse = "file://" + folder + "/warehouse"
        self.snapshots = []  # (id, ms)
        os.mkdir(folder + "/warehouse")
        environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder)
        command = [nilas, "sql", "--format", "json", "--continue"] + golden.conf_arguments(self.settings())
        self.process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def settings(self):
        conf = {key: value for key, value in fixture.settings().items() if ".catalog." not in key}
        for name in ("local", "jdbc"):
            prefix = "spark.sql.catalog." + name
            conf[prefix] = fixture.SPARK_CATALOG
            conf[prefix + ".type"] = "hadoop" if name == "local" else name
            conf[prefix + ".warehouse"] = self.warehouse
        conf["spark.sql.catalog.jdbc.uri"] = "jdbc:sqlite:" + self.folder + "/catalog.db"
        conf["spark.sql.catalog.jdbc.jdbc.schema-version"] = "V1"
        return conf

    def ask(self, text):
        text = PLACEHOLDER.sub(lambda m: self.stamp(m.group(1), int(m.group(2))), text)
        text = text.replace(ELSEWHERE, self.folder + "/sess").rstrip().rstrip(";") + ";\n"
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the process ended (status %s)" % self.process.poll())
        return json.loads(line)

    def stamp(self, kind, number):
        """What {{snap:1}}, {{ms:1}} or {{ts:1}} stands for."""
        snapshot, ms = self.snapshots[number - 1]
        moment = datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc)
        return {"snap": str(snapshot), "ms": str(ms),
                "ts": moment.strftime("%Y-%m-%d %H:%M:%S") + ".%03d" % (ms % 1000)}[kind]

    def learn_snapshots(self):
        """Ids of snapshots that appeared in any table's metadata, in order of time."""
        have, fresh = {snapshot for snapshot, _ in self.snapshots}, []
        for base, _, files in os.walk(self.folder):
            for name in files:
                if name.endswith(".metadata.json"):
                    for snapshot in read_json(os.path.join(base, name)).get("snapshots") or []:
                        if snapshot["snapshot-id"] not in have:
                            have.add(snapshot["snapshot-id"])
                            fresh.append((snapshot.get("timestamp-ms", 0), snapshot.get("sequence-number", 0),
                                          snapshot["snapshot-id"]))
        self.snapshots += [(snapshot, ms) for ms, _, snapshot in sorted(fresh)]

    def mask(self, text):
        for number, (snapshot, _) in enumerate(self.snapshots, 1):
            text = re.sub(r"(?<![\d.])%d(?!\d)" % snapshot, "<snap:%d>" % number, text)
        for spelling in (self.warehouse, self.warehouse.replace("file://", "file:"), self.warehouse[7:]):
            text = text.replace(spelling, "<warehouse>")
        text = text.replace(self.folder + "/sess", ELSEWHERE)
        text = re.sub(r"(Created By\t)(?:nilas|Spark) [\d.]+", r"\1<any>", text)
        text = re.sub(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?", "<ts>", text)
        text = re.sub(r"(?<!\d)1[5-9]\d{11}(?!\d)", "<ms>", text)
        return FILE_NAME.sub("<file>", text)

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except ValueError:
        return {}


# ---- judging ---------------------------------------------------------------------------------------------------

def like(want, have):
    """Whether a line has the form of a masked golden line."""
    if want == have:
        return True
    if "<" not in want and "-files" not in want:
        return False
    pattern = re.escape(want)
    for mark, form in WILD.items():
        pattern = pattern.replace(re.escape(mark), form)
    pattern = re.sub(r"((?:data|delete)\\-files(?:\"?:\"?|=))[0-9]+", r"\1[0-9]+", pattern)
    return re.fullmatch(pattern, have, re.S) is not None


def first_stranger(have, want, ordered):
    """Index of the first expected line that has no counterpart, or -1."""
    if len(have) != len(want):
        return 0
    rest = list(have)
    for at, line in enumerate(want):
        if ordered:
            found = at if like(line, have[at]) else None
        else:
            found = rest.index(line) if line in rest else next((i for i, h in enumerate(rest) if like(line, h)), None)
        if found is None:
            return at
        if not ordered:
            rest.pop(found)
    return -1


def judge_rows(expected, result, mask):
    columns = expected.get("columns") or []
    schema = "struct<" + ",".join("%s:%s" % (c["name"], c["type"]) for c in columns) + ">"
    if columns and result.get("schema") != schema:
        return "schema %s, expected %s" % (str(result.get("schema"))[:150], schema[:150])
    free = {i for i, c in enumerate(columns) if FILE_COUNT.search(c["name"]) and c["type"] in ("int", "bigint")}

    def line(cells):
        return "\t".join("<n>" if i in free else "NULL" if cell is None else str(cell) for i, cell in enumerate(cells))

    def masked(lines):
        return [golden.trim_cells(mask(one)) for one in "\n".join(lines).split("\n")] if lines else []

    have = masked([line(row) for row in result.get("rows", [])])
    want = masked([line(text.split("\t")) if free else text for text in golden.golden_lines(expected)])
    if not expected.get("ordered"):
        have, want = sorted(have), sorted(want)
    at = first_stranger(have, want, expected.get("ordered"))
    if at < 0:
        return ""
    return "rows differ (%d, expected %d): %r, expected %r" % (
        len(have), len(want), have[at][:160] if at < len(have) else None, want[at][:160] if at < len(want) else None)


def judge(step, result, mask):
    if "expected_error" in step:
        if "error" in result:
            result["error"]["message"] = mask(result["error"].get("message") or "")
        return golden.judge_error(step["expected_error"], result)
    if "error" in result:
        return "error: " + golden.norm(str(result["error"].get("message")))[:160]
    return judge_rows(step["expected"], result, mask)


# ---- running ---------------------------------------------------------------------------------------------------

def run_steps(world, case):
    for number, step in enumerate(case["steps"], 1):
        result = {}
        for text in golden.statements(step):
            result = world.ask(text)
            if "error" in result:
                break
        world.learn_snapshots()
        why = judge(step, result, world.mask)
        if why:
            said = golden.norm(step.get("statement") or str(step.get("read")))[:80]
            return "step %d (%s): %s" % (number, said, why)
    return ""


def run_case(nilas, case):
    with tempfile.TemporaryDirectory() as folder:
        world = World(nilas, folder)
        try:
            return run_steps(world, case)
        except (OSError, ValueError, RuntimeError, IndexError) as problem:
            return "%s: %s" % (type(problem).__name__, problem)
        finally:
            world.close()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nilas", default="build/nilas")
    parser.add_argument("--area", action="append")
    parser.add_argument("--id", action="append")
    parser.add_argument("--sample", type=int, help="only about so many cases, spread evenly")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-v", action="store_true", help="print each failing script, also the known ones")
    return parser.parse_args()


def main():
    options = parse_arguments()
    everything = golden.lines_of("sessions.jsonl")
    known = golden.load_known(KNOWN)
    cases = golden.select(everything, options)
    nilas = os.path.abspath(options.nilas)
    stale = sorted(set(known) - {case["id"] for case in everything})
    for case_id in stale:
        print("%s - is in known_sessions.txt, but there is no such script" % case_id)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        whys = dict(zip([case["id"] for case in cases], pool.map(lambda case: run_case(nilas, case), cases)))
    failing = [case_id for case_id, why in whys.items() if why and case_id not in known]
    unexpected = [case_id for case_id, why in whys.items() if not why and case_id in known and not golden.varies(known[case_id])]
    for case_id, why in whys.items():
        if why and (options.v or case_id in failing):
            print("%s - %s" % (case_id, why))
    for case_id in unexpected:
        print("%s - passes now: take it out of test/golden/known_sessions.txt" % case_id)
    passing = sum(not why for why in whys.values())
    failed = len(failing) + len(unexpected) + len(stale)
    print("as Spark: %d of %d scripts" % (passing, len(whys)))
    print("%d passed, %d failed, %d skipped" % (passing - len(unexpected), failed, len(whys) - passing - len(failing)))
    return 1 if failed or not whys else 0


if __name__ == "__main__":
    sys.exit(main())
