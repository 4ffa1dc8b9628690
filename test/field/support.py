"""What the tests of the field share: a warehouse of their own, the binary, its answers."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import tables  # noqa: E402

NILAS = os.environ.get("NILAS", os.path.join(ROOT, "build", "nilas"))
TIMEOUT_S = 30 if "sanitize" in NILAS or "thread" in NILAS else 10


class Answer:
    """What a statement gave: rows, or an error."""

    def __init__(self, line, warnings=""):
        self.rows, self.error = line.get("rows"), line.get("error")
        self.schema, self.warnings = line.get("schema"), warnings


class FieldTest(unittest.TestCase):
    """A warehouse in a folder of its own; `w` is a Hadoop catalog over it."""

    maxDiff = None
    CONF = ()

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="nilas-field-")
        self.warehouse = os.path.join(self.root, "warehouse")
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)

    def table(self, columns=((1, "id", "long"),), spec=(), version=2, name="t", folder=None, **options):
        folder = folder or os.path.join(self.warehouse, "db", name)
        return tables.Table(folder, list(columns), spec, version, **options)

    def run_sql(self, *statements, conf=()):
        command = [NILAS, "sql", "--format", "json", "--continue"]
        settings = ["spark.sql.session.timeZone=UTC", "spark.sql.catalog.w=org.apache.iceberg.spark.SparkCatalog",
                    "spark.sql.catalog.w.type=hadoop", "spark.sql.catalog.w.warehouse=" + self.warehouse]
        for setting in settings + list(self.CONF) + list(conf):
            command += ["--conf", setting]
        for statement in statements:
            command += ["-e", statement]
        done = subprocess.run(command, cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=TIMEOUT_S * max(1, len(statements) // 8), env=dict(os.environ, HOME=self.root, XDG_CONFIG_HOME=self.root))
        self.assertIn(done.returncode, (0, 1), done.stderr.decode("utf-8", "replace")[-3000:])
        warnings = done.stderr.decode("utf-8", "replace")
        answers = [Answer(json.loads(line), warnings) for line in done.stdout.decode("utf-8", "replace").split("\n") if line]
        self.assertEqual(len(answers), len(statements), warnings)
        return answers

    def ask(self, statement, **options):
        return self.run_sql(statement, **options)[0]

    def rows(self, statement, *expected, **options):
        """The statement gives these rows, in any order; cells as Spark prints them."""
        answer = self.ask(statement, **options)
        self.assertIsNone(answer.error, "%s\n%s" % (statement, answer.error and answer.error["message"]))
        key = lambda row: [(c is None, str(c)) for c in row]  # noqa: E731
        wanted = [[None if c is None else str(c) for c in (r if isinstance(r, (tuple, list)) else (r,))] for r in expected]
        self.assertEqual(sorted(answer.rows, key=key), sorted(wanted, key=key), statement)
        return answer

    def refused(self, statement, *words, **options):
        """The statement fails, and the message has these words."""
        answer = self.ask(statement, **options)
        self.assertIsNotNone(answer.error, "%s\ngave %s" % (statement, answer.rows))
        for word in words:
            self.assertIn(word, answer.error["message"])
        return answer
