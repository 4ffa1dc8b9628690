"""Rows into partitions while they stream: nothing but the files is left, whether there are many partitions, large ones or a failure."""
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NILAS = os.environ.get("NILAS", os.path.join(ROOT, "build", "nilas"))


class Partitions(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="nilas-partitions-")
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)

    def sql(self, text, open_files=None, file_bytes=None):
        def limit():
            if open_files is not None:
                resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
            if file_bytes is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        command = [NILAS, "sql"]
        for setting in ("spark.sql.catalog.c=org.apache.iceberg.spark.SparkCatalog", "spark.sql.catalog.c.type=hadoop",
                        "spark.sql.catalog.c.warehouse=" + self.root):
            command += ["--conf", setting]
        done = subprocess.run(command + ["-e", text], preexec_fn=limit, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=120)
        return done.stdout.decode(), done.stderr.decode()

    def places(self):
        """Folders below data, and how many files each has."""
        top = os.path.join(self.root, "db/t/data")
        return {os.path.relpath(path, top): len(names) for path, _, names in os.walk(top) if path != top}

    def test_a_file_a_partition(self):
        out, err = self.sql("CREATE TABLE c.db.t PARTITIONED BY (p, bucket(2, id)) AS SELECT id, if(id % 3 = 0, NULL, "
                            "concat('a b/', id % 3)) AS p FROM range(600); "
                            "SELECT count(*), count(DISTINCT id) FROM c.db.t WHERE p = 'a b/2'")
        self.assertEqual((out, err), ("200\t200\n", ""))
        self.assertEqual({name: n for name, n in self.places().items() if n}, {
            "p=%s/id_bucket=%d" % (p, b): 1 for p in ("a+b%2F1", "a+b%2F2", "null") for b in range(2)})

    def test_an_order_that_was_asked_for_is_kept_in_each_file(self):
        for order, wanted in (("p", None), ("p, id DESC", True), ("id DESC", True)):
            out, err = self.sql("CREATE OR REPLACE TABLE c.db.t PARTITIONED BY (p) AS SELECT id, id * 7 %% 3 AS p FROM range(3000) "
                                "SORT BY %s; SELECT count(DISTINCT _file), count(*) FROM c.db.t; "
                                "SELECT count(*) FROM (SELECT id, lag(id) OVER (PARTITION BY _file ORDER BY _pos) AS before FROM c.db.t) "
                                "WHERE before < id" % order)
            self.assertEqual((out.split("\n")[0], err), ("3\t3000", ""))
            if wanted:
                self.assertEqual(out.split("\n")[1], "0", order)

    def test_more_partitions_than_files_may_be_open(self):
        out, err = self.sql("CREATE TABLE c.db.t PARTITIONED BY (p) AS SELECT id, id % 90 AS p FROM range(4500); "
                            "SELECT count(*), sum(id), count(DISTINCT p) FROM c.db.t; "
                            "SELECT count(*), min(record_count) FROM c.db.t.files", open_files=120)
        self.assertEqual((out, err), ("4500\t10122750\t90\n90\t50\n", ""))
        self.assertEqual(self.places(), {"p=%d" % p: 1 for p in range(90)})

    def test_a_large_partition_becomes_several_files(self):
        out, err = self.sql("CREATE TABLE c.db.t (id bigint, s string, p int) PARTITIONED BY (p) TBLPROPERTIES ("
                            "'write.target-file-size-bytes' = '1000000', 'write.parquet.row-group-size-bytes' = '300000'); "
                            "INSERT INTO c.db.t SELECT id, sha2(concat('', id), 256), if(id < 10, 1, 0) FROM range(120000); "
                            "SELECT count(*), count(DISTINCT id), count_if(p = 1) FROM c.db.t; "
                            "SELECT max(file_size_in_bytes) < 2000000 FROM c.db.t.files")
        self.assertEqual((out, err), ("120000\t120000\t10\ntrue\n", ""))
        self.assertGreater(self.places()["p=0"], 2)
        self.assertEqual(self.places()["p=1"], 1)
        self.assertEqual(set(self.places()), {"p=0", "p=1"})

    def test_a_failure_leaves_no_file(self):
        for text in ("CREATE TABLE c.db.t PARTITIONED BY (p) AS SELECT id, id % 4 AS p, 1 / if(id < 400000, 1, 0) AS x FROM range(500000)",
                     "CREATE TABLE c.db.t PARTITIONED BY (p) AS SELECT id, id % 4 AS p, sha2(concat('', id), 256) AS s FROM range(500000)"):
            out, err = self.sql(text, file_bytes=2000000)
            self.assertNotEqual(err, "")
            found = [name for _, _, names in os.walk(self.root) for name in names if name.endswith(".parquet")]
            self.assertEqual((out, found), ("", []))
            self.assertEqual({name for name in self.places() if "nilas" in name}, set())


if __name__ == "__main__":
    unittest.main()
