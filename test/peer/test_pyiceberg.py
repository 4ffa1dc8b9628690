"""PyIceberg reads what nilas wrote: every kind of write whose tables it can read, on both catalogs."""
import os
import shutil
import unittest

from engines import PyIceberg
from reading import Reading

# PyIceberg has no deletion vectors of its own writing to compare with, and nested values print otherwise than Spark's.
NAMES = ("by_identity_", "by_bucket_", "by_days_", "change_v1", "change_v2", "ctas", "rtas", "by_name", "overwrite", "truncate_table",
         "spec_evolution", "branch", "rollback", "compaction", "manifests", "position_deletes", "expire", "ordered", "modes")


@unittest.skipUnless(PyIceberg.installed(), "PyIceberg is not in $NILAS_PEERS")
class Reads(Reading, unittest.TestCase):
    @classmethod
    def start(cls, folder):
        return PyIceberg(folder)

    def reads(self, name):
        return name.startswith(NAMES)

    def ask(self, table, columns):
        return self.peer.ask(table=table, columns=columns)

    def test_files_that_others_wrote(self):
        self.nilas.rows("CREATE TABLE h.db.own (id bigint, s string, d double, k int) USING iceberg PARTITIONED BY (k)")
        for i in range(3):
            self.nilas.rows("INSERT INTO h.db.own SELECT id, concat('s', id), id / 3, %d FROM range(%d, %d)" % (i, i * 5, i * 5 + 5))
        data = self.folder.name + "/h/db/own/data"
        self.nilas.rows("CREATE TABLE j.db.added (id bigint, s string, d double, k int) USING iceberg PARTITIONED BY (k)")
        self.assertEqual(self.nilas.rows("CALL j.system.add_files('db.added', 'parquet.`%s`')" % data), ["3\tNULL"])
        self.assertEqual(self.nilas.rows("CALL j.system.snapshot('parquet.`%s`', 'j.db.shot')" % data), ["3"])
        for table in ("j.db.added", "j.db.shot"):
            self.compare(table)
            theirs = self.peer.ask(table=table, columns=["id"], filter="id > 11 and s < 't'")  # by bounds
            self.assertEqual(sorted(theirs), ["12", "13", "14"])

    def test_a_table_that_moved(self):
        for version in (1, 2, 3):
            name = "moves%d" % version
            self.nilas.rows("CREATE TABLE h.db.%s (id bigint, s string, k int) USING iceberg PARTITIONED BY (k) TBLPROPERTIES ("
                            "'format-version' = '%d', 'write.delete.mode' = 'merge-on-read')" % (name, version))
            self.nilas.rows("INSERT INTO h.db.%s SELECT id, concat('s', id), cast(id %% 3 as int) FROM range(20)" % name)
            self.nilas.rows("DELETE FROM h.db.%s WHERE id IN (3, 4, 5)" % name)
            here, there = self.folder.name + "/h", self.folder.name + "/moved/h"
            answer, = self.nilas.rows("CALL h.system.rewrite_table_path('db.%s', '%s', '%s')" % (name, here, there))
            with open(answer.split("\t")[1]) as file:
                for line in file:
                    source, target = line.rstrip("\n").split(",")
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    shutil.copy(source, target)
            ours = self.nilas.rows("SELECT * FROM h.db.%s" % name)
            shutil.rmtree("%s/db/%s" % (here, name))  # nothing of it may be needed
            peer = PyIceberg(self.folder.name + "/moved")
            self.addCleanup(peer.close)
            self.assertEqual(sorted(peer.ask(table="h.db." + name, columns=["id", "s", "k"])), sorted(ours))

    def test_sketches_of_columns(self):
        self.nilas.rows("CREATE TABLE h.db.counted (id bigint, s string, n int) USING iceberg")
        self.nilas.rows("INSERT INTO h.db.counted SELECT id, concat('s', id % 7), null FROM range(10000)")
        path, = self.nilas.rows("CALL h.system.compute_table_stats('db.counted')")
        rows = [row.split("\t") for row in self.peer.ask(puffin=path)]
        self.assertEqual([row[:2] + row[3:] for row in rows], [["apache-datasketches-theta-v1", field, count] for field, count in (
            ("1", "4096"), ("2", "7"), ("3", "0"))])
        self.assertEqual([row[2] for row in rows[1:]], ["7", "0"])
        self.assertLess(abs(int(rows[0][2]) - 10000), 500)


if __name__ == "__main__":
    unittest.main()
