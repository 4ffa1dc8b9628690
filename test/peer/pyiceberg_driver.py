"""Runs inside the Python that has pyiceberg: one JSON request a line on standard input, one JSON answer a line out.

{"table": "h.db.t"} or {"table": "j.db.t"}: the rows, each a list of texts, of a table below the folder given
{"puffin": path}: of each blob its type, field, "ndv", and the number of hashes in its theta sketch
"""
import datetime
import decimal
import glob
import json
import math
import os
import sys

from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.table import StaticTable
from pyiceberg.table.puffin import PuffinFile


def load(folder, name):
    catalog, namespace, table = name.split(".")
    if catalog == "j":
        sql = SqlCatalog("j", uri="sqlite:///" + os.path.join(folder, "catalog.db"),
                         warehouse=os.path.join(folder, "j"))
        return sql.load_table((namespace, table))
    metadata = glob.glob(os.path.join(folder, "h", namespace, table, "metadata", "v*.metadata.json"))
    return StaticTable.from_metadata(max(metadata, key=lambda path: int(os.path.basename(path)[1:].split(".")[0])))


def shown(value):
    """As Hive prints numbers, dates and texts; other types as Python has them."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else repr(value).replace("inf", "Infinity")
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        text = value.strftime("%Y-%m-%d %H:%M:%S")
        return text + (".%06d" % value.microsecond).rstrip("0") if value.microsecond else text
    if isinstance(value, bytes):
        return value.hex().upper()
    return str(value)


def blobs(path):
    with open(path, "rb") as file:
        puffin = PuffinFile(file.read())
    rows = []
    for blob in puffin.footer.blobs:
        data = puffin.get_blob_payload(blob)
        longs = data[0] & 63  # of the preamble: 1 is none or one value, from 2 on the count is told
        count = int.from_bytes(data[8:12], "little") if longs > 1 else len(data) // 8 - 1
        rows.append("%s\t%s\t%s\t%d" % (blob.type, blob.fields[0], blob.properties["ndv"], count))
    return rows


def main():
    folder = sys.argv[1]
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "puffin" in request:
                print(json.dumps({"rows": blobs(request["puffin"])}), flush=True)
                continue
            table = load(folder, request["table"])
            fields = tuple(request["columns"])
            scan = table.scan(selected_fields=fields)
            if request.get("filter"):
                scan = table.scan(row_filter=request["filter"], selected_fields=fields)
            columns = scan.to_arrow().select(fields).to_pydict()
            answer = {"rows": ["\t".join(shown(columns[f][i]) for f in fields) for i in range(len(columns[fields[0]]))]}
        except Exception as problem:  # whatever PyIceberg throws is the answer
            answer = {"error": "%s: %s" % (type(problem).__name__, str(problem)[:1000])}
        print(json.dumps(answer), flush=True)


main()
