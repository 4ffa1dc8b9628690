"""PyIceberg reads what nilas wrote: every kind of write whose tables it can read, on both catalogs."""
import tempfile
import unittest

import scripts
from engines import Failed, Nilas, PyIceberg, catalogs
from run_spark import play

# PyIceberg has no deletion vectors of its own writing to compare with, and nested values print otherwise than Spark's.
NAMES = ("by_identity_", "by_bucket_", "by_days_", "change_v1", "change_v2", "ctas", "rtas", "by_name", "overwrite", "truncate_table",
         "spec_evolution", "branch", "rollback", "compaction", "manifests", "position_deletes", "expire", "ordered", "modes")


def flat_columns(nilas, table):
    kinds = [row.split("\t")[:2] for row in nilas.rows("DESCRIBE %s" % table)]
    end = next((i for i, kind in enumerate(kinds) if not kind[0].strip() or kind[0].startswith("#")), len(kinds))
    return [name.strip() for name, kind in kinds[:end] if "<" not in kind]


@unittest.skipUnless(PyIceberg.installed(), "PyIceberg is not in $NILAS_PEERS")
class Reads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="nilas-peer-")
        settings = catalogs(cls.folder.name)
        cls.nilas, cls.peer = Nilas(settings), PyIceberg(cls.folder.name)
        cls.nilas.rows("CREATE NAMESPACE h.db")
        cls.nilas.rows("CREATE NAMESPACE j.db")

    @classmethod
    def tearDownClass(cls):
        cls.nilas.close()
        cls.peer.close()
        cls.folder.cleanup()

    def compare(self, table):
        columns = flat_columns(self.nilas, table)
        chosen = ", ".join("hex(by)" if c == "by" else "`%s`" % c for c in columns)
        ours = self.nilas.rows("SELECT %s FROM %s" % (chosen, table))
        theirs = self.peer.ask(table=table, columns=columns)
        self.assertEqual(sorted(ours), sorted(theirs))

    def test_each_kind_of_write(self):
        for script in scripts.SCRIPTS:
            if not script[0].startswith(NAMES):
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
