"""Run by a PySpark client: cases of the golden corpus as a DataFrame program would ask them.

usage: program_golden.py REMOTE CASES.json OUT.json    each case gets the reason why it is not as Spark answered, or ""
"""
import datetime
import decimal
import json
import math
import os
import re
import sys
import time

from pyspark.sql import SparkSession

SHORT = "%.6g"  # a float goes through Python as a double


def plain(text):
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def real(value, short):
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return float(SHORT % value) if short else value


def pairs(items):
    return {"map": sorted(([k, v] for k, v in items), key=lambda pair: json.dumps(pair[0]))}


def cell(value, kind, short):
    """A value of the client as a cell of the corpus; `short`: there are floats in its column."""
    name = type(kind).__name__
    if value is None or isinstance(value, bool):
        return value
    if name in ("FloatType", "DoubleType"):
        return real(value, short)
    if isinstance(value, decimal.Decimal):
        return plain(format(value, "f"))
    if isinstance(value, datetime.datetime):
        fraction = (".%06d" % value.microsecond).rstrip("0") if value.microsecond else ""
        return "%04d" % value.year + value.strftime("-%m-%d %H:%M:%S") + fraction
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex().upper()
    if name == "ArrayType":
        return [cell(item, kind.elementType, short) for item in value]
    if name == "MapType":
        return pairs((cell(k, kind.keyType, short), cell(v, kind.valueType, short)) for k, v in value.items())
    if name == "StructType":
        return {"struct": [[f.name, cell(item, f.dataType, short)] for f, item in zip(kind.fields, list(value))]}
    return value if isinstance(value, (int, str)) else str(value)


def wanted(value, kind):
    """A cell of the corpus with the digits that a client can show."""
    if isinstance(value, str) and "decimal" in kind and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value):
        return plain(value)
    if isinstance(value, float) and "float" in kind:
        return float(SHORT % value)
    if isinstance(value, list):
        return [wanted(item, kind) for item in value]
    if isinstance(value, dict) and "map" in value:
        return pairs((wanted(k, kind), wanted(v, kind)) for k, v in value["map"])
    if isinstance(value, dict) and "struct" in value:
        return {"struct": [[k, wanted(v, kind)] for k, v in value["struct"]]}
    return value


def frame(spark, case):
    if "read" not in case:
        return spark.sql(case["statement"])
    read = case["read"]
    if read.get("api") == "spark.table":
        df = spark.table(read["load"])
    else:
        reader = spark.read.format(read.get("format", "iceberg"))
        for key, value in (read.get("options") or {}).items():
            reader = reader.option(key, str(value))
        df = reader.load(read["load"])
    if read.get("filter"):
        df = df.where(read["filter"])
    return df.selectExpr(*read["select"]) if read.get("select") else df


def as_lines(rows, ordered):
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    return lines if ordered else sorted(lines)


def judge(spark, case):
    for statement in case.get("setup") or []:
        spark.sql(statement).collect()
    df = frame(spark, case)
    rows = df.collect()
    if "expected_error" in case:
        return "accepted, Spark refuses: %s" % case["expected_error"].get("message")
    expected = case["expected"]
    schema = "struct<%s>" % ",".join("%s:%s" % (c["name"], c["type"]) for c in expected["columns"])
    if expected["columns"] and df.schema.simpleString() != schema:
        return "schema %s, expected %s" % (df.schema.simpleString(), schema)
    ordered = expected.get("ordered")
    kinds = [(f.dataType, "float" in f.dataType.simpleString()) for f in df.schema.fields]
    have = as_lines([[cell(v, *kind) for v, kind in zip(list(r), kinds)] for r in rows], ordered)
    want = as_lines([[wanted(v, c["type"]) for v, c in zip(r, expected["columns"])] for r in expected["rows"]], ordered)
    if have == want:
        return ""
    return "rows differ: %s" % [(h[:300], w[:300]) for h, w in zip(have + [""], want + [""]) if h != w][:1]


def judge_error(case, error):
    condition = None
    for ask in ("getCondition", "getErrorClass"):
        if condition is None and hasattr(error, ask):
            condition = getattr(error, ask)()
    if "expected_error" not in case:
        return "%s: %s" % (type(error).__name__, str(error)[:300])
    expected = case["expected_error"].get("condition")
    if not expected or expected.startswith("_LEGACY"):
        return ""  # compared by its words where the statements run without a client
    return "" if condition == expected else "condition %s, expected %s" % (condition, expected)


def show(spark, case):
    """The text of DataFrame.show(), which the client prints."""
    how = case["show"]
    df = spark.sql(case["statement"])
    text = df._show_string(how["n"], how["truncate"] or False, how["vertical"])
    return "" if text.strip("\n") == case["text"].strip("\n") else "%r, expected %r" % (text[:400], case["text"][:400])


def main():
    remote, cases, out = sys.argv[1:4]
    os.environ["TZ"] = "UTC"
    time.tzset()
    with open(cases, encoding="utf-8") as file:
        todo = json.load(file)
    reasons = {}
    spark = None
    for case in todo:
        if spark is None or case.get("setup"):
            spark = SparkSession.builder.remote(remote).create()
        try:
            reasons[case["id"]] = show(spark, case) if "show" in case else judge(spark, case)
        except Exception as error:
            reasons[case["id"]] = judge_error(case, error)
        if case.get("setup"):
            spark.stop()
            spark = None
    with open(out, "w", encoding="utf-8") as file:
        json.dump(reasons, file)


if __name__ == "__main__":
    main()
