"""The golden corpus once more, asked by a PySpark client: the server gives the types, rows, conditions and texts that Spark gave.

The areas that DataFrame programs live in; $NILAS_CONNECT_AREAS names others, "all" means all of them. What test/golden/known.txt
lists may differ here, too.
"""
import json
import os
import sys
import tempfile
import unittest

import support

sys.path.insert(0, os.path.join(support.ROOT, "test", "golden"))
import fixture  # noqa: E402
import run_golden  # noqa: E402

AREAS = os.environ.get("NILAS_CONNECT_AREAS", "dataframe seeds incremental schema-selection show").split()


def cases():
    known = run_golden.load_known()
    for case in run_golden.load_cases():
        wanted = AREAS == ["all"] or case["area"] in AREAS
        if wanted and case["id"] not in known and not case.get("spark_bug") and case["area"] not in ("functions", "expressions-more"):
            yield case


class Golden(unittest.TestCase):
    maxDiff = None

    def as_spark(self, version):
        python = support.python_of(version)
        if not python:
            self.skipTest("no client %s in %s; tools/peers installs it" % (version, support.PEERS))
        conf = [w for pair in fixture.settings(fixture.unpack()).items() for w in ("--conf", "%s=%s" % pair)]
        asked = list(cases())
        with support.Server(*conf) as server, tempfile.TemporaryDirectory() as folder:
            given, out = os.path.join(folder, "cases.json"), os.path.join(folder, "out.json")
            with open(given, "w", encoding="utf-8") as file:
                json.dump(asked, file)
            support.run_client(python, "program_golden.py", server.remote, given, out, timeout=600)
            with open(out, encoding="utf-8") as file:
                reasons = json.load(file)
        self.assertEqual(len(asked), len(reasons))
        differ = {name: why for name, why in reasons.items() if why}
        print("as Spark: %d of %d" % (len(asked) - len(differ), len(asked)))
        self.assertEqual({}, differ)

    def test_client_4_0(self):
        self.as_spark("40")

    def test_client_4_1(self):
        self.as_spark("41")


if __name__ == "__main__":
    unittest.main()
