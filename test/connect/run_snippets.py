#!/usr/bin/env python3
"""Run the expressions of snippets.txt against a Spark Connect server and write what each gives as JSON.

usage: run_snippets.py REMOTE OUT.json [--warehouse DIR] [--only TEXT]

What a snippet gives: a DataFrame's schema and rows (sorted unless the text sorts), a value, or an error's class and condition.
"""
import argparse
import contextlib
import datetime
import io
import json
import os
import re
import sys
import tempfile
import warnings
from decimal import Decimal

warnings.filterwarnings("ignore")
import pandas
import pyarrow
from pyspark.sql import Row, SparkSession, Window as W, functions as F, types as T
try:
    from pyspark.sql import Observation
except ImportError:
    Observation = None

HERE = os.path.dirname(os.path.abspath(__file__))


def snippets(path=os.path.join(HERE, "snippets.txt")):
    """(name, text) of each line: the name is its section and its number there."""
    section, number = "", 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("## "):
                section, number = line[3:], 0
            elif line and not line.startswith("#"):
                number += 1
                yield "%s %d" % (section, number), line


def plain(value):
    """A value as JSON that reads the same from every client."""
    if isinstance(value, Row):
        return {"row": [[name, plain(v)] for name, v in zip(getattr(value, "__fields__", [""] * len(value)), value)]}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {"map": sorted(([plain(k), plain(v)] for k, v in value.items()), key=str)}
    if isinstance(value, float):
        return {"real": repr(value) if abs(value) < 1e-300 or value != value else "%.12g" % value}
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, T.StructType):
        return {"schema": json.loads(value.json())}
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": bytes(value).hex()}
    return {type(value).__name__: str(value)}


def is_sorted(text):
    """Whether the rows of the last frame come in an order that the text asks for."""
    last = text.split(" ;; ")[-1]
    return "W." not in last and ("orderBy" in last or ".sort(" in last)


def outcome_of(result, text):
    if hasattr(result, "collect") and hasattr(result, "schema"):
        schema = json.loads(result.schema.json())
        rows = [[plain(v) for v in row] for row in result.collect()]
        if not is_sorted(text):
            rows.sort(key=lambda row: json.dumps(row))
        return {"schema": schema, "rows": rows}
    return {"value": plain(result)}


def failure_of(error):
    condition = None
    for name in ("getCondition", "getErrorClass"):
        if hasattr(error, name):
            try:
                condition = getattr(error, name)()
                break
            except Exception:
                pass
    return {"error": type(error).__name__, "condition": condition, "message": str(error).split("\n")[0][:200]}


def frames(spark):
    """What the snippets stand on."""
    people = spark.createDataFrame(
        [(1, "Ann", 31, "eng", 3500.5, datetime.date(2019, 5, 17)), (2, "Bob", 25, "ops", 2100.0, datetime.date(2020, 2, 29)),
         (3, None, 31, "eng", 2800.25, datetime.date(2021, 12, 31)), (4, "Alan", 44, "hr", None, datetime.date(2018, 1, 1)),
         (5, "Eve", None, None, 1999.99, None)],
        "id long, name string, age int, dept string, salary double, hired date")
    depts = spark.createDataFrame([("eng", "Zoe"), ("ops", "Max"), ("law", "Kim")], "dept string, boss string")
    nulls = spark.createDataFrame([(1, "x", 1.5, True), (None, None, None, None), (2, None, float("nan"), None), (None, "y", 2.5, False)],
                                  "a int, s string, d double, b boolean")
    wide = spark.createDataFrame([(1, 10, 1.5, "a"), (2, 20, 2.5, "b")], "id int, x int, y double, s string")
    nested = spark.createDataFrame(
        [(1, [1, 2, 3], {"a": 1, "b": 2}, Row(x=5, y="q"), [Row(x=1, y="u"), Row(x=2, y=None)], ["p", None, "r"]),
         (2, [2], {"a": 7}, Row(x=None, y="w"), [], [])],
        "id int, arr array<int>, m map<string,int>, st struct<x:int,y:string>, structs array<struct<x:int,y:string>>, tags array<string>")
    stamps = spark.createDataFrame(
        [(1, datetime.datetime(2024, 1, 1, 10, 11, 12, 123456), datetime.datetime(2024, 1, 1, 10, 0)),
         (2, datetime.datetime(2024, 1, 1, 10, 45), None), (3, datetime.datetime(2024, 7, 1, 23, 59, 59), datetime.datetime(1969, 12, 31, 23, 0))],
        "id int, t timestamp, n timestamp_ntz")
    return dict(people=people, depts=depts, nulls=nulls, wide=wide, nested=nested, stamps=stamps)


def run(text, scope):
    parts = text.split(" ;; ")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for part in parts[:-1]:
            exec(part, scope)
        try:
            result = eval(parts[-1], scope)
            outcome = outcome_of(result, text)
        finally:
            pass
    if printed.getvalue() and "explain" not in text:
        outcome["printed"] = printed.getvalue()
    return outcome


def main():
    options = argparse.ArgumentParser()
    options.add_argument("remote")
    options.add_argument("out")
    options.add_argument("--warehouse")
    options.add_argument("--only", default="")
    options.add_argument("--skip", default="(?!)")
    given = options.parse_args()
    builder = SparkSession.builder.remote(given.remote).config("spark.sql.session.timeZone", "UTC")
    if given.warehouse:
        builder = (builder.config("spark.sql.catalog.local", "org.apache.iceberg.spark.SparkCatalog")
                   .config("spark.sql.catalog.local.type", "hadoop")
                   .config("spark.sql.catalog.local.warehouse", "file://" + given.warehouse))
    spark = builder.getOrCreate()
    os.environ["TZ"] = "UTC"
    results = {}
    with tempfile.TemporaryDirectory(prefix="nilas-snippets-") as tmp:
        scope = dict(globals(), spark=spark, tmp=tmp, **frames(spark))
        for name, text in snippets():
            if re.search(given.skip, text) or given.only not in name and given.only not in text:
                continue
            try:
                results[name] = run(text, dict(scope))
            except Exception as error:
                results[name] = failure_of(error)
            sys.stderr.write(name + "\n")
            sys.stderr.flush()
    with open(given.out, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(json.dumps(k) + ": " + json.dumps(v, sort_keys=True) for k, v in results.items()) + "\n}\n")
    spark.stop()


if __name__ == "__main__":
    main()
