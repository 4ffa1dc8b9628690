"""PySpark expressions (snippets.txt) beside what a real Spark 4.0 gave for them (snippets.json.gz), by each client's hand.

known_snippets.txt lists what nilas does not answer as Spark does: "name  reason", two spaces between. One that passes is taken
out of there, so that the list only shrinks. A reason that begins with "client:" counts for clients after 4.0 alone.
"""
import gzip
import json
import os
import tempfile
import unittest

import support


def expected():
    with gzip.open(os.path.join(support.HERE, "snippets.json.gz"), "rt", encoding="utf-8") as file:
        return json.load(file)


def known(version):
    names = {}
    with open(os.path.join(support.HERE, "known_snippets.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, reason = line.rstrip("\n").split("  ", 1)
                if version != "40" or not reason.startswith("client:"):
                    names[name] = reason
    return names


def same(want, got):
    if "error" in want:
        return (want["error"], want["condition"]) == (got.get("error"), got.get("condition"))
    return want == got


class Snippets(unittest.TestCase):
    maxDiff = None

    def as_spark(self, version):
        python = support.python_of(version)
        if not python:
            self.skipTest("no client %s in %s; tools/peers installs it" % (version, support.PEERS))
        with support.Server() as server, tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out.json")
            warehouse = os.path.join(server.folder, "warehouse")
            support.run_client(python, "run_snippets.py", server.remote, out, "--warehouse", warehouse)
            with open(out, encoding="utf-8") as file:
                got = json.load(file)
        want = expected()
        listed = known(version)
        self.assertEqual(sorted(want), sorted(got), "snippets.json.gz is of other snippets: record it anew")
        differ = [name for name in want if not same(want[name], got[name])]
        news = ["%s: wanted %s\n   got %s" % (n, json.dumps(want[n])[:600], json.dumps(got[n])[:600])
                for n in differ if n not in listed]
        self.assertEqual([], news)
        mended = [name for name in listed if name not in differ and not listed[name].startswith(("client:", "varies:"))]
        self.assertEqual([], mended, "these pass: take them out of known_snippets.txt")
        print("as Spark: %d of %d" % (len(want) - len(differ), len(want)))

    def test_client_4_0(self):
        self.as_spark("40")

    def test_client_4_1(self):
        self.as_spark("41")

    def test_client_4_2(self):
        self.as_spark("42")


if __name__ == "__main__":
    unittest.main()
