"""Statements from arguments, files and standard input; settings; exit status."""
import json
import os
import subprocess
import tempfile
import unittest

from support import NILAS, environment, run, sql


class Doors(unittest.TestCase):
    def test_version(self):
        done = run("--version")
        self.assertRegex(done.out, r"^nilas \d+\.\d+\.\d+\n$")
        self.assertEqual(done.status, 0)

    def test_help_names_every_door(self):
        done = run("--help")
        for door in ("sql", "serve", "run", "doctor", "verify"):
            self.assertIn("nilas " + door, done.out)
        self.assertEqual(run().out, done.out)

    def test_a_door_that_is_not_there_is_refused_by_name(self):
        done = run("nosuch")
        self.assertEqual((done.status, done.out), (2, ""))
        self.assertIn("nosuch", done.err)

    def test_help_of_the_shell(self):
        done = run("sql", "--help")
        self.assertEqual(done.status, 0)
        for word in ("--format", "--conf", "--properties-file", "--truncate", "--continue", "plot"):
            self.assertIn(word, done.out)


class Arguments(unittest.TestCase):
    def test_statements_of_e(self):
        done = sql("-e", "SELECT 1; SELECT 'a;b' -- c; d\n; ", "-e", "SELECT 3")
        self.assertEqual((done.out, done.err, done.status), ("1\na;b\n3\n", "", 0))

    def test_statements_of_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "q.sql"), "w", encoding="utf-8") as file:
                file.write("-- two\nSELECT 1;\n\nSELECT\n  2\n")
            done = sql("-f", "q.sql", "-e", "SELECT 3", cwd=folder)
        self.assertEqual((done.out, done.status), ("1\n2\n3\n", 0))

    def test_an_error_in_a_file_says_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "q.sql"), "w", encoding="utf-8") as file:
                file.write("SELECT 1;\n\nSELECT 2,\n  nope;\n")
            done = sql("-f", "q.sql", cwd=folder)
        self.assertEqual((done.out, done.status), ("1\n", 1))
        self.assertIn("line 4, column 3 of q.sql\n      nope\n      ^\n", done.err)

    def test_source_runs_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a.sql"), "w", encoding="utf-8") as file:
                file.write("SELECT 1; source a.sql;")
            done = sql("-e", "source a.sql", cwd=folder)
        self.assertEqual(done.status, 1)
        self.assertEqual(set(done.lines()), {"1"})
        self.assertIn("inside each other", done.err)

    def test_unknown_options_and_missing_files_are_usage_errors(self):
        for arguments in (["--formt", "csv"], ["-f", "no.sql"], ["--properties-file", "no.conf"], ["SELECT 1"],
                          ["--remote", "sc://localhost"], ["--conf", "novalue"], ["-e"]):
            done = run("sql", *arguments)
            self.assertEqual((done.status, done.out), (2, ""), arguments)
            self.assertTrue(done.err.startswith("nilas sql: "), done.err)

    def test_a_failure_ends_the_run(self):
        done = sql("-e", "SELECT 1", "-e", "SELECT nope", "-e", "SELECT 3")
        self.assertEqual((done.out, done.status), ("1\n", 1))
        self.assertIn("[UNRESOLVED_COLUMN", done.err)
        self.assertIn("SQLSTATE: ", done.err)
        self.assertIn("\n    SELECT nope\n           ^\n", done.err)
        self.assertNotIn("\033", done.err)

    def test_continue_goes_on(self):
        done = sql("--continue", "-e", "SELECT 1", "-e", "SELECT nope", "-e", "SELECT 3")
        self.assertEqual((done.out, done.status), ("1\n3\n", 1))

    def test_database(self):
        with tempfile.TemporaryDirectory() as folder:
            conf = ["--conf", "spark.sql.catalog.c=org.apache.iceberg.spark.SparkCatalog", "--conf",
                    "spark.sql.catalog.c.type=hadoop", "--conf", "spark.sql.catalog.c.warehouse=" + folder]
            os.makedirs(os.path.join(folder, "db"))
            done = sql(*conf, "--database", "c.db", "-e", "SHOW CURRENT NAMESPACE")
            self.assertEqual((done.out, done.err, done.status), ("c\tdb\n", "", 0))


class Settings(unittest.TestCase):
    def test_order_of_files_and_command_line(self):
        key = "spark.sql.session.timeZone"
        show = "SELECT current_timezone()"
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "config", "nilas"))
            with open(os.path.join(folder, "config", "nilas", "nilas.conf"), "w", encoding="utf-8") as file:
                file.write(key + " = Europe/Berlin\n")
            with open(os.path.join(folder, "spark-defaults.conf"), "w", encoding="utf-8") as file:
                file.write("# as Spark reads it\n" + key + "     Asia/Tokyo\n")
            config = os.path.join(folder, "config")
            files = ["--properties-file", "spark-defaults.conf"]
            self.assertEqual(run("sql", "-e", show, cwd=folder, XDG_CONFIG_HOME=config).out, "Europe/Berlin\n")
            self.assertEqual(run("sql", "-e", show, *files, cwd=folder, XDG_CONFIG_HOME=config).out, "Asia/Tokyo\n")
            self.assertEqual(run("sql", "--conf", key + "=UTC", "-e", show, *files, cwd=folder,
                                 XDG_CONFIG_HOME=config).out, "UTC\n")

    def test_nothing_is_read_from_the_working_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("nilas.conf", "spark-defaults.conf"):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("spark.sql.session.timeZone Asia/Tokyo\n")
            done = run("sql", "-e", "SELECT current_timezone()", cwd=folder, TZ="UTC")
            self.assertNotIn("Tokyo", done.out)

    def test_secrets_are_not_shown(self):
        done = sql("--conf", "spark.sql.catalog.c.token=hunter2", "--continue", "-e", "SET", "-e",
                   "SET spark.sql.catalog.c.token")
        self.assertNotIn("hunter2", done.out + done.err)

    def test_a_header_when_asked_for(self):
        done = sql("-e", "SET spark.sql.cli.print.header=true; SELECT 1 AS a, 2 AS b")
        self.assertEqual(done.lines()[-2:], ["a\tb", "1\t2"])


class StandardInput(unittest.TestCase):
    def test_statements_of_standard_input(self):
        done = sql(text="SELECT 1;\nSELECT\n2; SELECT 3;\n-- the end\nSELECT 4")
        self.assertEqual((done.out, done.status), ("1\n2\n3\n4\n", 0))

    def test_nothing_is_nothing(self):
        for text in ("", "\n", "-- no statement; here\n", ";;;\n"):
            done = sql(text=text)
            self.assertEqual((done.out, done.err, done.status), ("", "", 0))

    def test_quit_leaves(self):
        done = sql(text="SELECT 1;\nquit;\nSELECT 2;\n")
        self.assertEqual((done.out, done.status), ("1\n", 0))

    def test_each_statement_is_answered_when_its_line_has_come(self):
        process = subprocess.Popen([NILAS, "sql", "--format", "json", "--continue"], env=environment(),
                                   cwd=tempfile.mkdtemp(prefix="nilas-shell-"),
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            for statement, rows in (("SELECT 1", [["1"]]), ("SELECT 'a;\n b'", [["a;\n b"]]), ("SELECT nope", None)):
                process.stdin.write((statement + ";\n").encode())
                process.stdin.flush()
                answer = json.loads(process.stdout.readline())
                self.assertEqual(answer.get("rows"), rows)
            process.stdin.close()
            self.assertEqual(process.wait(20), 1)
        finally:
            process.stdout.close()
            process.kill()
            process.wait()

    def test_a_shell_escape_is_refused(self):
        done = sql(text="!ls;\n")
        self.assertEqual(done.status, 1)
        self.assertIn("not supported", done.err)

    def test_a_reader_that_goes_away_ends_the_run_quietly(self):
        command = "%s sql -e 'SELECT id FROM range(1000000)' -e 'SELECT 1' | head -n 2" % NILAS
        done = subprocess.run(["sh", "-c", command], env=environment(), cwd=tempfile.mkdtemp(prefix="nilas-shell-"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.stdout, b"0\n1\n")
        self.assertEqual(done.stderr, b"")


if __name__ == "__main__":
    unittest.main()
