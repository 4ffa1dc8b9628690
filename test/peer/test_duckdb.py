"""DuckDB's iceberg extension reads what nilas wrote: every kind of write, on both catalogs."""
import tempfile
import unittest

import scripts
from engines import DuckDB, Failed, Nilas, catalogs
from run_spark import play
from test_pyiceberg import flat_columns

# DuckDB 1.5.5 reads no Avro data files, and takes manifests of version 1 in a table that was upgraded for broken
# ("sequence_number is NULL").
UNREADABLE = ("avro_names", "options", "spec_evolution_v1")


@unittest.skipUnless(DuckDB.installed(), "DuckDB's iceberg extension is not in $NILAS_PEERS")
class Reads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="nilas-peer-")
        cls.nilas, cls.peer = Nilas(catalogs(cls.folder.name)), DuckDB()
        for catalog in "hj":
            cls.nilas.rows("CREATE NAMESPACE %s.db" % catalog)

    @classmethod
    def tearDownClass(cls):
        cls.nilas.close()
        cls.peer.close()
        cls.folder.cleanup()

    def compare(self, table):
        columns = flat_columns(self.nilas, table)
        chosen = ", ".join("hex(by)" if c == "by" else "`%s`" % c for c in columns)
        metadata = self.nilas.rows("SELECT file FROM %s.metadata_log_entries ORDER BY timestamp DESC, file DESC LIMIT 1" % table)[0]
        theirs = self.peer.ask(metadata=metadata.removeprefix("file:"), columns=columns)
        self.assertEqual(sorted(self.nilas.rows("SELECT %s FROM %s" % (chosen, table))), sorted(theirs))

    def test_each_kind_of_write(self):
        for script in scripts.SCRIPTS:
            if script[0] in UNREADABLE:
                continue
            for catalog in "hj":
                table = "%s.db.%s" % (catalog, script[0])
                with self.subTest(table):
                    try:
                        play(self.nilas, script[1], table)
                        self.compare(table)
                    except Failed as why:
                        self.fail(str(why))


if __name__ == "__main__":
    unittest.main()
