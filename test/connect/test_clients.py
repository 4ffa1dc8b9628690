"""Unmodified PySpark clients of every version: everyday programs."""
import re
import unittest

import support


class Clients(unittest.TestCase):
    def basics(self, version):
        python = support.python_of(version)
        if not python:
            self.skipTest("no client %s in %s; tools/peers installs it" % (version, support.PEERS))
        with support.Server() as server:
            output = support.run_client(python, "program_basics.py", server.remote)
        self.assertRegex(output, r"\n?\d+ checks passed\s*$")
        self.assertGreater(int(re.search(r"(\d+) checks passed", output).group(1)), 40)

    def test_client_3_5(self):
        self.basics("35")

    def test_client_4_0(self):
        self.basics("40")

    def test_client_4_1(self):
        self.basics("41")

    def test_client_4_2(self):
        self.basics("42")


if __name__ == "__main__":
    unittest.main()
