"""The formats, as a user sees them; show() held against a real Spark's texts."""
import json
import os
import unittest

from support import ROOT, golden_settings, sql

SHOW = os.path.join(ROOT, "test", "golden", "show.jsonl")


class Json(unittest.TestCase):
    def test_every_statement_is_a_line(self):
        done = sql("--format", "json", "--continue", "-e", "SELECT 1 AS a, NULL AS b", "-e", "SET x=1", "-e", "SELECT nope",
                   "-e", "SELEC", "-e", "SELECT 2 AS c WHERE false")
        answers = done.json()
        self.assertEqual(len(answers), 5)
        self.assertEqual(answers[0], {"schema": "struct<a:int,b:void>", "rows": [["1", None]]})
        self.assertIn("rows", answers[1])
        self.assertEqual(answers[2]["error"]["condition"], "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION")
        self.assertEqual(answers[2]["error"]["offset"], 7)
        self.assertEqual(answers[3]["error"]["sqlState"], "42601")
        self.assertEqual(answers[4], {"schema": "struct<c:int>", "rows": []})
        self.assertEqual((done.status, done.err), (1, ""))

    def test_without_continue_the_first_failure_is_the_last_line(self):
        done = sql("--format", "json", "-e", "SELECT nope", "-e", "SELECT 1")
        self.assertEqual(len(done.json()), 1)
        self.assertEqual(done.status, 1)

    def test_a_statement_without_a_result(self):
        done = sql("--format", "json", "-e", "CREATE TEMPORARY VIEW v AS SELECT 1")
        self.assertEqual(done.json(), [{"schema": "struct<>", "rows": []}])

    def test_typed_values(self):
        done = sql("--format", "json", "--json-values", "typed", "-e",
                   "SELECT 1 AS i, 1.50 AS d, array(1, NULL) AS a, map('k', 2) AS m, named_struct('x', true) AS s, "
                   "CAST('NaN' AS double) AS n, DATE'2024-01-02' AS t, X'0102' AS b")
        self.assertEqual(json.loads(done.out)["rows"],
                         [[1, 1.5, [1, None], {"k": 2}, {"x": True}, "NaN", "2024-01-02", "AQI="]])
        self.assertIn("1.50", done.out)

    def test_a_million_rows_on_one_line(self):
        done = sql("--format", "json", "-e", "SELECT id FROM range(1000000)")
        self.assertEqual(len(done.lines()), 1)
        self.assertEqual(len(done.json()[0]["rows"]), 1000000)


class Texts(unittest.TestCase):
    def test_tsv_is_the_default_without_a_terminal(self):
        done = sql("-e", "SELECT 1, NULL, array(1,NULL), named_struct('a','x')")
        self.assertEqual(done.out, '1\tNULL\t[1,null]\t{"a":"x"}\n')

    def test_csv(self):
        done = sql("--format", "csv", "-e", "SELECT 1 AS a, 'x,\"y\"' AS b, NULL AS c, '' AS d")
        self.assertEqual(done.out, 'a,b,c,d\n1,"x,""y""",,""\n')

    def test_markdown(self):
        done = sql("--format", "markdown", "-e", "SELECT 1 AS a, 'x|y' AS b")
        self.assertEqual(done.out, "| a | b |\n| ---: | --- |\n| 1 | x\\|y |\n")

    def test_plot(self):
        done = sql("--format", "plot", "-e", "SELECT * FROM VALUES ('a', 2), ('b', 1) AS t(k, n)")
        self.assertEqual([line.split(" ")[-1] for line in done.lines()], ["2", "1"])
        self.assertIn("█", done.out)
        done = sql("--format", "plot", "-e", "SELECT id, id * id FROM range(200)")
        self.assertGreater(len(done.lines()), 10)
        self.assertEqual(sql("--format", "plot", "-e", "SELECT 1").status, 1)

    def test_rows_of_a_table(self):
        done = sql("--format", "table", "--rows", "all", "-e", "SELECT id FROM range(25)")
        self.assertEqual(len(done.lines()), 25 + 5)
        done = sql("--format", "table", "-e", "SELECT id FROM range(25)")
        self.assertEqual(done.lines()[-1], "only showing top 20 rows")


class Arrow(unittest.TestCase):
    def test_a_stream_that_others_read(self):
        done = sql("--format", "arrow", "-e", "SELECT id, CAST(id AS string) AS s, array(id) AS a FROM range(5000)")
        self.assertEqual(done.status, 0)
        self.assertEqual(done.bytes[:4], b"\xff\xff\xff\xff")
        self.assertEqual(done.bytes[-8:], b"\xff\xff\xff\xff\0\0\0\0")
        try:
            import pyarrow.ipc
        except ImportError:
            self.skipTest("no pyarrow to read it with")
        table = pyarrow.ipc.open_stream(done.bytes).read_all()
        self.assertEqual(table.num_rows, 5000)
        self.assertEqual(table.column("s")[4999].as_py(), "4999")


class Show(unittest.TestCase):
    """Texts of DataFrame.show() from a real Spark; print() adds the last line end."""

    def test_show(self):
        settings = golden_settings()
        with open(SHOW, encoding="utf-8") as file:
            cases = [json.loads(line) for line in file]
        for case in cases:
            if case["id"] in ("show-001", "show-002", "show-003", "show-004"):
                continue  # in the order of a directory listing
            show = case["show"]
            done = sql(*settings, "--format", "vertical" if show["vertical"] else "table", "--rows", str(show["n"]),
                       "--truncate", str(show["truncate"]), "-e", case["statement"])
            with self.subTest(case["id"], statement=case["statement"], **show):
                self.assertEqual(done.err, "")
                self.assertEqual(done.out, case["text"] + "\n")


if __name__ == "__main__":
    unittest.main()
