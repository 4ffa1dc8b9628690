"""Runs inside the Python that has duckdb and its iceberg extension: one JSON request a line on standard input, one JSON answer a line out.

{"metadata": path, "columns": […], "where": text}: the rows, each a line of texts as spark-sql prints them, of the table version at a metadata file
"""
import glob
import json
import os
import sys

import duckdb


def connect():
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    for name in ("avro", "iceberg"):
        package = os.path.dirname(__import__("duckdb_extension_" + name).__file__)
        connection.execute("LOAD '%s'" % glob.glob(os.path.join(package, "extensions", "*", name + ".duckdb_extension"))[0])
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def shown(column, kind):
    """DuckDB's text of a value, brought to that of spark-sql."""
    quoted = '"%s"' % column.replace('"', '""')
    if kind == "BLOB":
        return "hex(%s)" % quoted
    text = "CAST(%s AS VARCHAR)" % quoted
    if kind == "TIMESTAMP WITH TIME ZONE":
        return "CAST(CAST(%s AS TIMESTAMP) AS VARCHAR)" % quoted
    if kind in ("FLOAT", "DOUBLE"):
        return "replace(replace(%s, 'nan', 'NaN'), 'inf', 'Infinity')" % text
    return text


def rows(connection, request):
    source = "iceberg_scan('%s')" % request["metadata"].replace("'", "''")
    kinds = dict(row[:2] for row in connection.execute("DESCRIBE SELECT * FROM %s" % source).fetchall())
    chosen = ", ".join("coalesce(%s, 'NULL')" % shown(column, kinds[column]) for column in request["columns"])
    return ["\t".join(row) for row in connection.execute("SELECT %s FROM %s" % (chosen, source)).fetchall()]


def main():
    connection = connect()
    for line in sys.stdin:
        try:
            answer = {"rows": rows(connection, json.loads(line))}
        except Exception as problem:  # whatever DuckDB throws is the answer
            answer = {"error": "%s: %s" % (type(problem).__name__, str(problem)[:1000])}
        print(json.dumps(answer), flush=True)


main()
