"""Writers that are killed at random moments, and writers that meet in one table: nothing lost, doubled or missing.

$NILAS_FAULT_SECONDS is the time of each case; a few seconds without it.
"""
import os
import tempfile
import unittest

import support

SECONDS = float(os.environ.get("NILAS_FAULT_SECONDS", "0.7"))
CASES = [("h", 2, "merge-on-read"), ("j", 3, "merge-on-read"), ("h", 1, "copy-on-write"), ("j", 2, "copy-on-write")]


class Writers(unittest.TestCase):
    def test_a_killed_writer_leaves_the_old_table_or_the_new_one(self):
        for case in CASES:
            with self.subTest(case), tempfile.TemporaryDirectory(prefix="nilas-fault-") as folder:
                killed, done = support.kill_writers(folder, *case, SECONDS)
                self.assertGreater(killed + done, 0)

    def test_rows_of_many_writers_are_those_acknowledged(self):
        for case in CASES[1:3]:
            with self.subTest(case), tempfile.TemporaryDirectory(prefix="nilas-fault-") as folder:
                writers = support.write_together(folder, *case, SECONDS)
                for writer in writers:
                    if writer.kind in ("append", "overwrite"):
                        self.assertEqual(writer.refused, [], writer.kind)
                self.assertGreater(sum(writer.acknowledged for writer in writers), 0)

    def test_expiry_beside_writers_takes_nothing_that_is_needed(self):
        with tempfile.TemporaryDirectory(prefix="nilas-fault-") as folder:
            support.write_together(folder, "h", 2, "merge-on-read", SECONDS,
                                   ["append", "append", "delete", "overwrite", "compact", "expire"])


if __name__ == "__main__":
    unittest.main()
