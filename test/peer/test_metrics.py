"""Random rows of every type: each value lies within its file's bounds, the counts are the rows' own, no filter loses a row.

No other engine is needed: a condition that pruning can use answers as the same condition does that it cannot use.
"""
import random
import tempfile
import unittest

import random_rows
from engines import Nilas, catalogs


class Metrics(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="nilas-peer-")
        cls.nilas = Nilas(catalogs(cls.folder.name))
        cls.nilas.rows("CREATE NAMESPACE h.db")
        cls.seeds = [1, 2] + [random.randrange(1 << 30) for _ in range(2)]
        for seed in cls.seeds:
            for text in random_rows.statements(seed):
                cls.nilas.rows(text.replace("{t}", "h.db.r%d" % seed))

    @classmethod
    def tearDownClass(cls):
        cls.nilas.close()
        cls.folder.cleanup()

    def test_bounds_contain_all_values_and_counts_are_right(self):
        for seed in self.seeds:
            for path, kind in random_rows.LEAF_KINDS.items():
                with self.subTest(seed=seed, column=path):
                    law = random_rows.bound_law(path, kind).replace("{t}", "h.db.r%d" % seed)
                    self.assertEqual(self.nilas.rows(law), ["0\t0"])

    def test_the_law_sees_a_value_out_of_bounds(self):
        law = random_rows.bound_law("i", "int").replace("{t}", "h.db.r1").replace("t.i <", "t.i - 1L <")
        self.assertNotEqual(self.nilas.rows(law), ["0\t0"])

    def test_filters_lose_no_row(self):
        for seed in self.seeds:
            for pruned, plain in random_rows.filters(seed):
                with self.subTest(seed=seed, condition=pruned):
                    text = "SELECT k FROM h.db.r%d WHERE " % seed
                    self.assertEqual(sorted(self.nilas.rows(text + pruned)), sorted(self.nilas.rows(text + plain)))


if __name__ == "__main__":
    unittest.main()
