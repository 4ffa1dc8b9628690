#!/usr/bin/env python3
"""Run the statement tests of test/sql.

usage: tools/sql_tests.py [--nilas build/nilas] [--update] FILE…

A file holds statements and what `nilas sql` must answer; all of a file's statements run in one process, in order, in an empty
folder. test/sql/README.md tells the form. --update writes the answers of the binary into the files: read the difference
before you commit it.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test", "golden"))
import fixture  # noqa: E402

TIMEOUT_S = 120
ANSWER = re.compile(r"----( unordered)?\s*")


class Block:
    """A statement and its expected answer; `line` is where the statement begins."""

    def __init__(self, line):
        self.line = line
        self.statement = []
        self.unordered = False
        self.expected = []


class File:
    def __init__(self, path):
        self.path = path
        self.conf = {}
        self.golden = False
        self.blocks = []
        self.head = []  # comments and settings, and per block the lines before it, for --update
        self.before = []
        self.read()

    def read(self):
        with open(self.path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        state, pending = "between", []
        for number, line in enumerate(lines, 1):
            block = self.blocks[-1] if self.blocks else None
            if state == "statement":
                if ANSWER.fullmatch(line):
                    block.unordered = "unordered" in line
                    state = "answer"
                else:
                    block.statement.append(line)
            elif state == "answer" and line != "":
                block.expected.append(line)
            elif line.rstrip() == "statement:":
                self.before.append(pending)
                pending, state = [], "statement"
                self.blocks.append(Block(number + 1))
            else:
                state = "between"
                pending.append(line)
                self.setting(line, number)
        if state == "statement":
            raise ValueError("%s:%d: statement without ----" % (self.path, self.blocks[-1].line))
        self.tail = pending

    def setting(self, line, number):
        words = line.split(None, 2)
        if line.strip() == "" or line.startswith("#"):
            return
        if words[:2] == ["--", "conf"] and "=" in words[2]:
            key, _, value = words[2].partition("=")
            self.conf[key] = value
        elif words == ["--", "golden"]:
            self.golden = True
        else:
            raise ValueError("%s:%d: expected \"statement:\", \"-- conf K=V\", \"-- golden\" or a comment, found %r"
                             % (self.path, number, line))

    def write(self, answers):
        out = []
        for before, block, answer in zip(self.before, self.blocks, answers):
            out += before + ["statement:"] + block.statement
            out += ["---- unordered" if block.unordered else "----"] + answer + [""]
        text = "\n".join(out + self.tail)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n")


def cell_text(cell):
    if cell is None:
        return "NULL"
    text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
    return text.replace("\n", "\\n").replace("\t", "\\t")


def answer_lines(result, with_schema):
    """A result of the binary in the form of the files."""
    if "error" in result:
        error = result["error"]
        return ["error: %s %s" % (error.get("condition") or "-", cell_text(error.get("message") or "").strip())]
    lines = ["schema: " + str(result.get("schema"))] if with_schema else []
    for row in result.get("rows", []):
        line = "\t".join(cell_text(cell) for cell in row)
        lines.append(line if line != "" else "(empty)")
    return lines


def differs(block, result, replace):
    """Why a result is not the expected one, or nothing."""
    expected = [replace(line) for line in block.expected]
    found = answer_lines(result, bool(expected) and expected[0].startswith("schema: "))
    if expected and expected[0].startswith("error: "):
        condition, _, words = expected[0][len("error: "):].partition(" ")
        error = result.get("error")
        if error and (error.get("condition") or "-") == condition and words in cell_text(error.get("message") or ""):
            return None
    elif "error" not in result:
        key = (lambda lines: sorted(lines)) if block.unordered else (lambda lines: lines)
        if key(found) == key(expected):
            return None
    return "expected:\n" + indent(expected) + "\nfound:\n" + indent(found)


def indent(lines):
    return "\n".join("  " + line for line in lines) if lines else "  (no rows)"


def ask(nilas, file, folder, replace):
    conf = fixture.settings(fixture.unpack()) if file.golden else {"spark.sql.session.timeZone": "UTC"}
    conf.update({key: replace(value) for key, value in file.conf.items()})
    command = [nilas, "sql", "--format", "json", "--continue"]
    for key, value in conf.items():
        command += ["--conf", key + "=" + value]
    for block in file.blocks:
        command += ["-e", replace("\n".join(block.statement))]
    environment = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder)
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S)
    results = [json.loads(line) for line in done.stdout.decode("utf-8", "replace").split("\n") if line.strip()]
    return results, done.returncode, done.stderr.decode("utf-8", "replace")


def run_file(nilas, path, update=False):
    """[(name of the test, why it failed or None)] of one file."""
    name = os.path.relpath(path, os.path.join(ROOT, "test"))
    try:
        file = File(path)
    except ValueError as error:
        return [(name, str(error))]
    folder = tempfile.mkdtemp(prefix="nilas-sql-")
    words = {"${dir}": folder, "${data}": os.path.join(ROOT, "test", "data"), "${golden}": fixture.ROOT + "/warehouse"}

    def replace(text):
        for word, value in words.items():
            text = text.replace(word, value)
        return text

    try:
        results, status, complaint = ask(nilas, file, folder, replace)
    except (subprocess.TimeoutExpired, ValueError, OSError) as error:
        return [(name, "%s: %s" % (type(error).__name__, error))]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if update and len(results) == len(file.blocks):
        answers = [answer_lines(r, bool(b.expected) and b.expected[0].startswith("schema: "))
                   for b, r in zip(file.blocks, results)]
        file.write([[line.replace(folder, "${dir}") for line in answer] for answer in answers])
        return []
    outcome = []
    for i, block in enumerate(file.blocks):
        label = "%s:%d" % (name, block.line)
        if i < len(results):
            outcome.append((label, differs(block, results[i], replace)))
        else:
            outcome.append((label, "no answer; exit status %d: %s" % (status, complaint.strip()[-800:])))
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nilas", default=os.path.join(ROOT, "build", "nilas"))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    failed = 0
    for path in options.files:
        for label, why in run_file(os.path.abspath(options.nilas), os.path.abspath(path), options.update):
            failed += why is not None
            print("ok   %s" % label if why is None else "FAIL %s\n%s" % (label, why))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
