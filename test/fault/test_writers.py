"""Writers that are killed at random moments, and writers that meet in one table: nothing lost, doubled or missing.

$NILAS_FAULT_SECONDS is the time of each case; a few seconds without it.
"""
import os
import subprocess
import sys
import tempfile
import unittest

import support

SECONDS = float(os.environ.get("NILAS_FAULT_SECONDS", "0.7"))
CASES = [("h", 2, "merge-on-read"), ("j", 3, "merge-on-read"), ("h", 1, "copy-on-write"), ("j", 2, "copy-on-write")]

# Pages are in the database before the transaction ends, and it never does.
HALF = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN IMMEDIATE")
database.execute("UPDATE iceberg_tables SET metadata_location = 'nowhere'")
for i in range(2000):
    database.execute("INSERT INTO iceberg_namespace_properties VALUES ('j', ?, 'k', 'v')", (str(i) * 50,))
os._exit(0)
"""


class Writers(unittest.TestCase):
    def test_a_killed_writer_leaves_the_old_table_or_the_new_one(self):
        for case in CASES:
            with self.subTest(case), tempfile.TemporaryDirectory(prefix="nilas-fault-") as folder:
                killed, done = support.kill_writers(folder, *case, SECONDS)
                self.assertGreater(killed + done, 0)

    def test_rows_of_eight_writers_are_those_acknowledged(self):
        for case in CASES[1:3]:
            with self.subTest(case), tempfile.TemporaryDirectory(prefix="nilas-fault-") as folder:
                writers = support.write_together(folder, *case, SECONDS)
                for writer in writers:
                    if writer.kind in ("append", "overwrite"):
                        self.assertEqual(writer.refused, [], writer.kind)
                self.assertGreater(sum(writer.acknowledged for writer in writers), 0)

    def test_a_reader_rolls_back_what_a_killed_sqlite_writer_left(self):
        with tempfile.TemporaryDirectory(prefix="nilas-fault-") as folder:
            settings = support.catalogs(folder)
            support.start(settings, "j", 2, "copy-on-write")
            before = support.read(settings, "j")
            database = os.path.join(folder, "catalog.db")
            subprocess.run([sys.executable, "-c", HALF, database], check=False)
            self.assertGreater(os.path.getsize(database + "-journal"), 0)
            self.assertEqual(support.read(settings, "j"), before)


if __name__ == "__main__":
    unittest.main()
