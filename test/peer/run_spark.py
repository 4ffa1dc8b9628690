#!/usr/bin/env python3
"""Each write by nilas beside the same write by Spark, on a hadoop catalog and on SQLite.

usage: test/peer/run_spark.py [--seconds S] [--seed N] [--keep FOLDER] [-v] [WORD…]       WORD picks scripts whose name contains it

nilas writes a table; Spark and nilas agree about its rows, files, snapshots, partitions and entries. Spark runs the same
statements on a twin: same rows, same counts and bounds. Then Spark inserts, deletes and merges on top of what nilas wrote
and nilas on top of that, and both read the same. The last line: N passed, N failed, N skipped.
"""
import argparse
import difflib
import os
import random
import re
import sys
import tempfile
import time

import random_rows
import scripts
from engines import ROOT, Failed, Nilas, Spark, catalogs

sys.path.append(os.path.join(ROOT, "test", "model"))
import generate  # noqa: E402

FACTS = [
    "SELECT content, file_path, file_format, spec_id, record_count, file_size_in_bytes, column_sizes, value_counts, "
    "null_value_counts, nan_value_counts, split_offsets, equality_ids, sort_order_id, readable_metrics FROM {t}.files",
    "SELECT snapshot_id, parent_id, operation, committed_at, manifest_list, array_sort(map_entries(summary)) FROM {t}.snapshots",
    "SELECT * FROM {t}.partitions", "SELECT * FROM {t}.history", "SELECT * FROM {t}.refs", "SELECT * FROM {t}.manifests",
    "SELECT status, snapshot_id, sequence_number, file_sequence_number, data_file.file_path FROM {t}.entries",
    "SELECT file_path, pos FROM {t}.position_deletes",
    "SELECT content, file_path FROM {t}.all_files",
]
# What the twin has to have as well; sizes, paths, ids and times are each engine's own.
TWIN_SUMMARY = ("added-records", "deleted-records", "total-records", "added-position-deletes", "total-position-deletes",
                "total-equality-deletes", "changed-partition-count")
TWIN_SNAPSHOTS = "SELECT operation, %s FROM {t}.snapshots ORDER BY committed_at" % ", ".join(
    "summary['%s']" % key for key in TWIN_SUMMARY)


class Different(Exception):
    pass


def same(what, ours, theirs, ordered=False):
    if not ordered:
        ours, theirs = sorted(ours), sorted(theirs)
    if ours != theirs:
        lines = list(difflib.unified_diff(theirs, ours, "spark", "nilas", lineterm="", n=0))
        raise Different("%s\n%s" % (what, "\n".join(line[:1500] for line in lines[:14])))


def fill(text, table, engine):
    catalog, name = table.split(".", 1)
    for number in re.findall(r"\{s(\d)\}", text):
        ids = engine.rows("SELECT snapshot_id FROM %s.snapshots ORDER BY committed_at" % table)
        text = text.replace("{s%s}" % number, ids[int(number) - 1])
    return text.replace("{t}", table).replace("{n}", name).replace("{c}", catalog)


def play(engine, statements, table):
    for statement in statements:
        try:
            engine.rows(fill(statement, table, engine))
        except Failed as why:
            raise Failed("%s: %s: %s" % (type(engine).__name__, statement, why)) from None


def agree(nilas, spark, table, chosen, when):
    text = "SELECT %s FROM %s" % (chosen, table)
    same("rows " + when, nilas.rows(text), spark.rows(text))
    for fact in FACTS:
        text = fact.replace("{t}", table)
        same("%s %s" % (text, when), nilas.rows(text), spark.rows(text))


def counted(lines):
    """Without what may differ: the sign of zero, and counts of nested columns, where Iceberg leaves out null structs or not."""
    for line in lines:
        fields = ["0.0" if field == "-0.0" else field for field in line.split("\t")]
        yield "\t".join(fields if "." not in fields[0] else fields[:1] + fields[4:])


def twins(spark, mine, theirs, chosen):
    """Spark's view of the table that nilas wrote and of its own."""
    text = "SELECT %s FROM %s"
    same("rows as the twin's", spark.rows(text % (chosen, mine)), spark.rows(text % (chosen, theirs)))
    same("metrics as the twin's", counted(spark.metrics(mine)), counted(spark.metrics(theirs)))
    same("snapshots as the twin's", spark.rows(TWIN_SNAPSHOTS.replace("{t}", mine)),
         spark.rows(TWIN_SNAPSHOTS.replace("{t}", theirs)), ordered=True)


def on_top(nilas, spark, table, chosen):
    """Both go on writing, by turns."""
    first = spark.rows("DESCRIBE %s" % table)[0].split("\t")[0].strip()
    for one, two in ((spark, nilas), (nilas, spark)):
        word = "Spark" if one is spark else "nilas"
        play(one, ["INSERT INTO {t} SELECT * FROM {t}",
                   "DELETE FROM {t} WHERE `%s` IN (SELECT max(`%s`) FROM {t})" % (first, first),
                   "MERGE INTO {t} t USING (SELECT min(`%s`) m FROM {t}) s ON t.`%s` = s.m WHEN MATCHED THEN DELETE" % (first, first)],
             table)
        text = "SELECT %s FROM %s" % (chosen, table)
        same("rows after %s wrote on top" % word, nilas.rows(text), spark.rows(text))
    agree(nilas, spark, table, chosen, "after both wrote on top")


def check(nilas, spark, script, catalog, twin):
    name, statements = script[0], script[1]
    chosen = script[2] if len(script) > 2 else "*"
    table = "%s.db.%s" % (catalog, name)
    play(nilas, statements, table)
    agree(nilas, spark, table, chosen, "as nilas wrote them")
    if twin:
        play(spark, statements, "h.twin." + name)
        twins(spark, table, "h.twin." + name, chosen)
    if not name.startswith("by_"):
        on_top(nilas, spark, table, chosen)


def laws(nilas, spark, seed, catalog):
    """Random rows of every type: Spark reads them, and loses none when it filters by the metrics that nilas wrote."""
    table = "%s.db.random_%d" % (catalog, seed)
    play(nilas, random_rows.statements(seed), table)
    agree(nilas, spark, table, "k, " + ", ".join("hex(by)" if c == "by" else c for c in random_rows.COLUMNS), "as nilas wrote them")
    for pruned, plain in random_rows.filters(seed, 12):
        text = "SELECT k FROM %s WHERE " % table
        same("rows where %s" % pruned, spark.rows(text + pruned), spark.rows(text + plain))
        same("rows where %s" % pruned, nilas.rows(text + pruned), spark.rows(text + plain))


def changes(nilas, spark, seed, catalog):
    """A random script of changes: Spark sees what nilas made of it, and so does nilas after Spark's compaction."""
    script, table = generate.Script(random.Random(seed), version=seed % 3 + 1), "%s.db.changes_%d" % (catalog, seed)
    steps = [[script.create()[0]]] + [script.step()[0] for _ in range(30)]
    for text in (generate.spark(text, table) for step in steps for text in step):
        nilas.rows(text)
    agree(nilas, spark, table, script.shown(), "after 30 changes by nilas")
    rows = nilas.rows("SELECT %s FROM %s" % (script.shown(), table))
    spark.rows("CALL %s.system.rewrite_data_files(table => 'db.changes_%d', options => map('rewrite-all', 'true'))" % (catalog, seed))
    same("rows after Spark's compaction", nilas.rows("SELECT %s FROM %s" % (script.shown(), table)), rows)


def checks(options):
    """A name, and what to call with nilas, Spark and the catalog."""
    for script in scripts.SCRIPTS:
        yield script[0], lambda n, s, c, script=script: check(n, s, script, c, twin=c == "h")
    for seed in range(options.seed, options.seed + 6):
        yield "random_%d" % seed, lambda n, s, c, seed=seed: laws(n, s, seed, c)
        yield "changes_%d" % seed, lambda n, s, c, seed=seed: changes(n, s, seed, c)


def run(options, folder):
    settings = catalogs(folder)
    spark, nilas = Spark(settings), Nilas(settings)
    for text in ("CREATE NAMESPACE h.db", "CREATE NAMESPACE j.db", "CREATE NAMESPACE h.twin"):
        nilas.rows(text)
    passed, failed, skipped, began = 0, 0, 0, time.monotonic()
    for name, work in checks(options):
        if options.words and not any(word in name for word in options.words):
            continue
        for catalog in "hj":
            label = "%s.%s" % (catalog, name)
            if time.monotonic() - began > options.seconds:
                skipped += 1
                continue
            try:
                work(nilas, spark, catalog)
                passed += 1
                if options.verbose:
                    print("ok   %s" % label, flush=True)
            except (Different, Failed) as why:
                failed += 1
                print("FAIL %s\n     %s" % (label, str(why).replace("\n", "\n     ")), flush=True)
                if nilas.process.poll() is not None:
                    nilas = Nilas(settings)
    spark.close()
    nilas.close()
    return passed, failed, skipped


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=1200, help="begin no script after this time")
    parser.add_argument("--seed", type=int, default=1, help="the first of the random tables")
    parser.add_argument("--keep", help="a folder to leave the tables in")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args()
    if not Spark.installed():
        print("skip Spark with Iceberg: not in $NILAS_PEERS")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        counts = run(options, options.keep)
    else:
        with tempfile.TemporaryDirectory(prefix="nilas-peer-") as folder:
            counts = run(options, folder)
    print("%d passed, %d failed, %d skipped" % counts)
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
