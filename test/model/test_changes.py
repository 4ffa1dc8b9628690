"""Random changes: a table of nilas and a table in DuckDB's memory hold the same rows after every statement."""
import os
import random
import sys
import tempfile
import unittest

import generate

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "test", "peer"), os.path.join(ROOT, "test", "field")]
import duck  # noqa: E402
from engines import Failed, Nilas, catalogs  # noqa: E402

STEPS = int(os.environ.get("NILAS_MODEL_STEPS", "50"))
FIRST, COUNT = map(int, os.environ.get("NILAS_MODEL_SEEDS", "1,4").split(","))


class Run:
    """One script on both sides."""

    def __init__(self, nilas, seed):
        self.nilas, self.random = nilas, random.Random(seed)
        self.table = "%s.db.t%d" % ("hj"[seed % 2], seed)
        self.model = "t%d" % seed
        self.script = generate.Script(self.random, version=seed % 3 + 1)
        self.said, self.states = [], []

    def do(self, ours, theirs):
        for text in ours:
            self.said.append(generate.spark(text, self.table))
            self.nilas.rows(self.said[-1])
        for text in theirs:
            duck.run(generate.duck(text, self.model))

    def same(self, ours, theirs, what):
        ours, theirs = sorted(ours), sorted(theirs)
        if ours != theirs:
            extra = [row for row in ours if ours.count(row) > theirs.count(row)][:5]
            missing = [row for row in theirs if theirs.count(row) > ours.count(row)][:5]
            raise Failed("%s: %d rows, the model has %d\nonly here: %s\nonly there: %s" % (what, len(ours), len(theirs), extra, missing))

    def model_rows(self, where):
        return duck.rows(generate.duck("SELECT %s FROM {t}%s" % (self.script.shown(), where), self.model))

    def compare(self):
        rows = self.model_rows("")
        self.same(self.nilas.rows("SELECT %s FROM %s" % (self.script.shown(), self.table)), rows, "all rows")
        self.same(self.nilas.rows("SELECT count(*) FROM %s" % self.table), [str(len(rows))], "count(*)")
        where = " WHERE " + self.script.condition()
        text = generate.spark("SELECT %s FROM {t}%s" % (self.script.shown(), where), self.table)
        self.same(self.nilas.rows(text), self.model_rows(where), text)
        self.remember(rows)

    def remember(self, rows):
        """The snapshot's rows, by the names that its columns have now, to be found again later."""
        current = self.nilas.rows("SELECT snapshot_id FROM %s.refs WHERE name = 'main'" % self.table)
        if current and (not self.states or self.states[-1][0] != current[0]):
            self.states.append((current[0], self.script.shown(), rows))
        if self.states and self.random.random() < 0.2:
            snapshot, names, then = self.random.choice(self.states)
            described = "\n".join(self.nilas.rows("SELECT * FROM %s VERSION AS OF %s LIMIT 0" % (self.table, snapshot)))
            try:
                found = self.nilas.rows("SELECT %s FROM %s VERSION AS OF %s" % (names, self.table, snapshot))
            except Failed as why:
                if "UNRESOLVED_COLUMN" in str(why):
                    return  # the snapshot has the schema before the names were given
                raise
            self.same(found, then, "snapshot %s%s" % (snapshot, described))

    def go(self):
        ours, theirs = self.script.create()
        self.do([ours], [theirs])
        for _ in range(STEPS):
            self.do(*self.script.step())
            self.compare()


class Changes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="nilas-model-")
        cls.settings = catalogs(cls.folder.name)
        cls.nilas = Nilas(cls.settings)
        for catalog in "hj":
            cls.nilas.rows("CREATE NAMESPACE %s.db" % catalog)

    @classmethod
    def tearDownClass(cls):
        cls.nilas.close()
        cls.folder.cleanup()

    def test_scripts(self):
        for seed in range(FIRST, FIRST + COUNT):
            with self.subTest(seed):
                run = Run(self.nilas, seed)
                try:
                    run.go()
                except (Failed, RuntimeError) as why:
                    if self.nilas.process.poll() is not None:
                        type(self).nilas = Nilas(self.settings)
                    self.fail("script %d, after:\n%s;\n%s" % (seed, ";\n".join(run.said), why))


if __name__ == "__main__":
    unittest.main()
