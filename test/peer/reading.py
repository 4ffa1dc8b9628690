"""What the tests of readers share: each kind of write, on both catalogs, compared by whoever reads it."""
import tempfile

import scripts
from engines import Failed, Nilas, catalogs
from run_spark import play


def flat_columns(nilas, table):
    kinds = [row.split("\t")[:2] for row in nilas.rows("DESCRIBE %s" % table)]
    end = next((i for i, kind in enumerate(kinds) if not kind[0].strip() or kind[0].startswith("#")), len(kinds))
    return [name.strip() for name, kind in kinds[:end] if "<" not in kind]


class Reading:
    """A test case adds `start()`, the peer for a folder; `reads(name)`, whether it can read what the script wrote; and
    `ask(table, columns)`, the rows as it reads them."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="nilas-peer-")
        cls.nilas, cls.peer = Nilas(catalogs(cls.folder.name)), cls.start(cls.folder.name)
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
        ours = self.nilas.rows("SELECT %s FROM %s" % (chosen, table))
        self.assertEqual(sorted(ours), sorted(self.ask(table, columns)))

    def test_each_kind_of_write(self):
        for script in scripts.SCRIPTS:
            if not self.reads(script[0]):
                continue
            for catalog in "hj":
                table = "%s.db.%s" % (catalog, script[0])
                with self.subTest(table):
                    try:
                        play(self.nilas, script[1], table)
                        self.compare(table)
                    except Failed as why:
                        self.fail(str(why))
