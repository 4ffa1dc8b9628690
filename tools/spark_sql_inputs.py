#!/usr/bin/env python3
"""How much of Spark's own test statements the parser takes.

usage: tools/spark_sql_inputs.py JAR [--files a-l] [--build build] [--list] [--golden FILE…]

JAR is org.apache.spark:spark-sql_2.13:<version>:jar:tests; its sql-tests/results/**/*.out hold every statement with Spark's
answer. A statement that Spark parses must parse here and print to an equal tree; one that Spark's parser refuses must be
refused. Files are chosen by the first letter of their base name. --golden adds files of JSON lines with "statement" (and
"steps"), where an expected error of class ParseException tells what Spark refuses.
"""
import argparse
import collections
import gzip
import json
import os
import re
import subprocess
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PARSE_ERROR = "org.apache.spark.sql.catalyst.parser.ParseException"
SETTINGS = {
    "spark.sql.ansi.enforceReservedKeywords": "--ansi-reserved",
    "spark.sql.ansi.doubleQuotedIdentifiers": "--double-quoted",
    "spark.sql.parser.escapedStringLiterals": "--escaped",
}


class Case:
    def __init__(self, file, statement, refused, options=()):
        self.file, self.statement, self.refused, self.options = file, statement, refused, tuple(options)
        self.later = "?"


def build_driver(build):
    driver = os.path.join(build, "parse_check")
    libraries = [os.path.join(build, f"libnilas-{room}.a") for room in ("sql", "tree", "base")]
    subprocess.run(["cc", "-std=gnu2x", "-D_GNU_SOURCE", "-O1", "-I", os.path.join(ROOT, "src"),
                    os.path.join(ROOT, "test", "tool", "parse_check.c"), *libraries, "-lm", "-lpthread", "-o", driver],
                   check=True)
    return driver


def options_of(settings):
    return sorted(flag for key, flag in SETTINGS.items() if settings.get(key, "").lower() == "true")


def read_file_settings(text):
    """--SET key = value, key = value"""
    settings = {}
    for line in re.findall(r"^--SET (.*)$", text, re.M):
        for pair in line.split(","):
            key, _, value = pair.partition("=")
            settings[key.strip()] = value.strip()
    return settings


def read_jar(jar, letters):
    with zipfile.ZipFile(jar) as archive:
        names = set(archive.namelist())
        for name in sorted(names):
            base = os.path.basename(name)
            if not name.startswith("sql-tests/results/") or not base.endswith(".sql.out"):
                continue
            if not letters[0] <= base[0].lower() <= letters[-1]:
                continue
            source = name.replace("/results/", "/inputs/")[: -len(".out")]
            settings = read_file_settings(archive.read(source).decode()) if source in names else {}
            yield from read_results(name, archive.read(name).decode(), settings)


def read_results(name, text, settings):
    for part in text.split("-- !query\n")[1:]:
        statement, _, answer = part.partition("\n-- !query schema\n")
        output = answer.partition("-- !query output\n")[2]
        match = re.search(r'"errorClass" : "([^"]*)"', output)
        condition = match.group(1) if match else "?"
        refused = condition if output.startswith(PARSE_ERROR) else None
        case = Case(name[len("sql-tests/results/"):], statement, refused, options_of(settings))
        case.later = condition  # of an error that Spark's analyzer finds
        yield case
        match = re.match(r"(?i)\s*set\s+([\w.]+)\s*=\s*(\S+)\s*$", statement)
        if match:
            settings = {**settings, match.group(1): match.group(2)}


def fill_in(statement):
    """Times and ids that a script's run would put in."""
    for pattern, text in ((r"\{\{snap:\d+\}\}", "123"), (r"\{\{ms:\d+\}\}", "1700000000000"),
                          (r"\{\{ts:\d+\}\}", "2020-01-01 00:00:00.000")):
        statement = re.sub(pattern, text, statement)
    return statement


def read_golden(path):
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as lines:
        for line in lines:
            case = json.loads(line)
            for step in case.get("steps", [case]):
                statements = list(step.get("setup", []))
                for statement in statements:
                    yield Case(case["id"], statement, None)
                if "statement" in step:
                    error = step.get("expected_error") or {}
                    refused = error.get("condition") or "?" if "ParseException" in error.get("class", "") else None
                    yield Case(case["id"], fill_in(step["statement"]), refused)


def run(driver, cases):
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case.options].append(case)
    for options, group in groups.items():
        data = b"".join(case.statement.encode() + b"\0" for case in group)
        done = subprocess.run([driver, *options], input=data, stdout=subprocess.PIPE)
        lines = done.stdout.decode(errors="replace").split("\n")[: len(group)]
        if done.returncode != 0:
            sys.exit(f"{driver} died after {len(lines) - 1} of {len(group)} statements: {group[len(lines) - 1].statement}")
        for case, line in zip(group, lines):
            case.result, _, case.detail = line.partition("\t")


def report(cases, listed):
    counts = collections.Counter()
    for case in cases:
        if case.refused is None:
            same_error = case.result == "refused" and case.detail.split("\x1f")[0] == case.later
            good = case.result in ("ok", "unsupported") or same_error
            counts["parsed", good] += 1
        else:
            good = case.result == "refused"
            counts["refused", good] += 1
            condition = case.detail.split("\x1f")[0] or "?"
            counts["condition", good and condition == case.refused] += 1
            if listed and good and condition != case.refused:
                print(f"{case.file}: condition {condition}, Spark's {case.refused}: {case.statement!r} {case.detail!r}")
        if listed and not good:
            wanted = f"refused with {case.refused}" if case.refused else "parsed"
            print(f"{case.file}: {case.result}, Spark {wanted}: {case.statement!r}\n    {case.detail!r}")
    for what, text in (("parsed", "of what Spark parses, parse and print to an equal tree"),
                       ("refused", "of what Spark's parser refuses, are refused"),
                       ("condition", "of those, with the same condition")):
        good, total = counts[what, True], counts[what, True] + counts[what, False]
        if total:
            print(f"{good} of {total} ({100 * good / total:.2f} %) {text}")
    features = collections.Counter(case.detail for case in cases if case.result == "unsupported")
    if features:
        print("refused by name:", ", ".join(f"{name} {count}" for name, count in features.most_common()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("jar", nargs="?")
    parser.add_argument("--files", default="a-z")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--driver")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--golden", nargs="*", default=[])
    arguments = parser.parse_args()
    driver = arguments.driver or build_driver(arguments.build)
    sets = [(path, list(read_golden(path))) for path in arguments.golden]
    if arguments.jar:
        letters = (arguments.files[0], arguments.files[-1])
        sets.append((f"{os.path.basename(arguments.jar)}, files {arguments.files}", list(read_jar(arguments.jar, letters))))
    for name, cases in sets:
        run(driver, cases)
        print(f"{name}:")
        report(cases, arguments.list)


if __name__ == "__main__":
    main()
