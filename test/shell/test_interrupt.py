"""Ctrl-C during a statement of a script: no snapshot, no file, and the program ends by the signal."""
import os
import signal
import subprocess
import tempfile
import time
import unittest

from support import NILAS, environment, sql

ROWS = "SELECT id, concat('text', id, 'x', id * 7) AS s FROM range(200000000)"


def parquet_files(folder):
    return [name for _, _, names in os.walk(folder) for name in names if name.endswith(".parquet")]


class Interrupt(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="nilas-interrupt-")
        self.settings = ["--conf", "spark.sql.catalog.local=org.apache.iceberg.spark.SparkCatalog",
                         "--conf", "spark.sql.catalog.local.type=hadoop",
                         "--conf", "spark.sql.catalog.local.warehouse=" + self.folder]
        done = sql(*self.settings, "-e", "CREATE TABLE local.db.t (id bigint, s string) USING iceberg; "
                   "INSERT INTO local.db.t VALUES (1, 'a')")
        self.assertEqual((done.err, done.status), ("", 0))

    def interrupt(self, number, *statements, started=1):
        """Send the signal when more files than `started` are there."""
        arguments = [a for s in statements for a in ("-e", s)]
        process = subprocess.Popen([NILAS, "sql", "--continue"] + self.settings + arguments,
                                   env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
        for _ in range(200):  # until it writes
            if len(parquet_files(self.folder)) > started or process.poll() is not None:
                break
            time.sleep(0.01)
        process.send_signal(number)
        err = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, -number)
        self.assertIn(b"cancelled", err)
        return err

    def test_nothing_is_left_of_an_insert(self):
        self.interrupt(signal.SIGINT, "INSERT INTO local.db.t " + ROWS, "INSERT INTO local.db.t VALUES (2, 'b')")
        self.assertEqual(len(parquet_files(self.folder)), 1)
        done = sql(*self.settings, "-e", "SELECT count(*) FROM local.db.t.snapshots; SELECT * FROM local.db.t")
        self.assertEqual(done.out, "1\n1\ta\n")

    def test_nothing_is_left_of_rows_in_partitions(self):
        for order in ("", " SORT BY s"):
            self.interrupt(signal.SIGINT, "CREATE TABLE local.db.u PARTITIONED BY (p) AS SELECT *, id % 7 AS p FROM (" + ROWS + ")" + order)
            self.assertEqual(len(parquet_files(self.folder)), 1)
            self.assertEqual([name for _, names, _ in os.walk(self.folder) for name in names if name.startswith("nilas-")], [])

    def test_nothing_is_left_of_a_compaction_but_what_is_committed(self):
        done = sql(*self.settings, "-e", "CREATE TABLE local.db.c (id bigint, s string, p int) PARTITIONED BY (p); "
                   "INSERT INTO local.db.c SELECT *, cast(id % 2 AS int) FROM (" + ROWS.replace("200000000", "600000") + "); "
                   "INSERT INTO local.db.c SELECT *, cast(id % 2 AS int) FROM (" + ROWS.replace("200000000", "600000") + ")")
        self.assertEqual(done.err, "")
        before = sorted(parquet_files(self.folder))
        self.interrupt(signal.SIGINT, "CALL local.system.rewrite_data_files(table => 'db.c', strategy => 'sort', sort_order => 's DESC', "
                       "options => map('rewrite-all', 'true'))", started=len(before))
        self.assertEqual(sorted(parquet_files(self.folder)), before)

    def test_nothing_is_left_of_a_table_that_was_to_be(self):
        self.interrupt(signal.SIGTERM, "CREATE TABLE local.db.u USING iceberg AS " + ROWS)
        self.assertEqual(len(parquet_files(self.folder)), 1)
        done = sql(*self.settings, "-e", "SHOW TABLES IN local.db")
        self.assertEqual(done.out, "t\n")


if __name__ == "__main__":
    unittest.main()
