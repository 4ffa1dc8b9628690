"""The prompt, under a pseudo-terminal."""
import os
import pty
import re
import select
import signal
import struct
import fcntl
import tempfile
import termios
import time
import unittest

from support import NILAS, environment

# some hours of work
LONG = "WITH d AS (SELECT * FROM VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9) AS t(n)) " \
       "SELECT sum(%s) AS n FROM %s;\n" % ("+".join("d%d.n" % i for i in range(14)),
                                         " CROSS JOIN ".join("d AS d%d" % i for i in range(14)))
PROMPT = "nilas> "
CONTINUATION = "    -> "
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


class Terminal:
    """nilas sql on a terminal of its own."""

    def __init__(self, *arguments, cwd=None, **env):
        self.folder = cwd or tempfile.mkdtemp(prefix="nilas-prompt-")
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(self.folder)
                env = environment(TERM="xterm", XDG_STATE_HOME=os.path.join(self.folder, "state"), **env)
                os.execve(NILAS, [NILAS, "sql", "--conf", "spark.sql.session.timeZone=UTC"] + list(arguments), env)
            finally:
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.seen = ""

    def read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.seen += data.decode("utf-8", "replace")
        return bool(data)

    def expect(self, text, seconds=20):
        """Read until the text has come; returns what was before and it."""
        end = time.monotonic() + seconds
        while True:
            plain = ESCAPES.sub("", self.seen)
            at = plain.find(text)
            if at >= 0:
                self.seen = plain[at + len(text):]
                return plain[:at + len(text)]
            if time.monotonic() > end:
                raise AssertionError("no %r in %r" % (text, plain))
            self.read(0.5)

    def send(self, text):
        os.write(self.fd, text.encode())

    def close(self):
        """Status of the process, which must have ended."""
        status = None
        end = time.monotonic() + 20
        while status is None and time.monotonic() < end:
            self.read(0.05)
            pid, found = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                status = found
        if status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = 0
            raise AssertionError("nilas did not leave: %r" % self.seen)
        self.pid = 0
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)

    def stop(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.fd)
            self.pid = 0


class Prompt(unittest.TestCase):
    def open(self, *arguments, **more):
        terminal = Terminal(*arguments, **more)
        self.addCleanup(terminal.stop)
        terminal.expect(PROMPT)
        return terminal

    def test_a_table_a_count_and_a_time(self):
        t = self.open()
        t.send("SELECT 1 AS a;\n")
        answer = t.expect("1 row in ")
        self.assertIn("+---+\n|  a|\n+---+\n|  1|\n+---+\n", answer)
        self.assertRegex(t.expect(PROMPT), r"^\d+\.\d{3} s\n")
        t.send("\x04")
        self.assertEqual(t.close(), 0)

    def test_a_statement_of_several_lines(self):
        t = self.open()
        t.send("SELECT\n")
        t.expect(CONTINUATION)
        t.send("  'x;\n")
        t.expect(CONTINUATION)
        t.send("y' AS a; SELECT 2 AS b;\n")
        answer = t.expect("1 row in ")
        self.assertIn("x;\\ny|", answer)
        self.assertIn("|  2|", t.expect("1 row in "))
        t.expect(PROMPT)
        t.send("quit\n")
        self.assertEqual(t.close(), 0)

    def test_an_error_does_not_end_the_shell(self):
        t = self.open()
        t.send("SELECT nope;\n")
        answer = t.expect(PROMPT)
        self.assertIn("[UNRESOLVED_COLUMN", answer)
        self.assertIn("           ^\n", answer)
        t.send("SELECT 1 + 1 AS two;\n")
        t.expect("|  2|")
        t.expect(PROMPT)
        t.send("exit;\n")
        self.assertEqual(t.close(), 0)

    def test_interrupt_drops_the_statement_that_is_typed(self):
        t = self.open()
        t.send("SELECT 1,\n")
        t.expect(CONTINUATION)
        t.send("nonsense\x03")
        t.expect(PROMPT)
        t.send("SELECT 5 AS five;\n")
        t.expect("|   5|")
        t.send("half a line\x03")
        t.expect(PROMPT)
        t.send("\x04")
        self.assertEqual(t.close(), 0)

    def test_interrupt_cancels_the_statement_that_runs(self):
        t = self.open()
        t.send(LONG)
        time.sleep(1.5)
        began = time.monotonic()
        t.send("\x03")
        self.assertNotIn("1 row in", t.expect(PROMPT))
        self.assertLess(time.monotonic() - began, 10)
        t.send("SELECT 7 AS seven;\n")
        t.expect("|    7|")
        t.expect(PROMPT)
        t.send("\x04")
        self.assertEqual(t.close(), 0)

    def test_a_bar_while_it_takes_long(self):
        t = self.open()
        t.send(LONG)
        end = time.monotonic() + 20
        while not re.search(r"\[[=<> ]{10,}\]", t.seen):
            self.assertLess(time.monotonic(), end, t.seen)
            t.read(0.5)
        t.send("\x03")
        t.expect(PROMPT)
        t.send("quit\n")
        self.assertEqual(t.close(), 0)

    def test_a_bar_while_writing_and_nothing_left_after_an_interrupt(self):
        rows = "SELECT id, concat('text', id, 'x', id * 7) AS s, id % 5 AS p FROM range(200000000)"
        t = self.open("--conf", "spark.sql.catalog.local=org.apache.iceberg.spark.SparkCatalog", "--conf",
                      "spark.sql.catalog.local.type=hadoop", "--conf", "spark.sql.catalog.local.warehouse=wh")
        t.send("CREATE TABLE local.db.t (id bigint, s string, p bigint) PARTITIONED BY (p);\n")
        t.expect("done in")
        t.send("INSERT INTO local.db.t VALUES (1, 'a', 0), (2, 'b', 1);\n")
        t.expect("done in")
        t.expect(PROMPT)
        before = self.files(t.folder)
        for statement in ("CREATE TABLE local.db.u AS " + rows, "CREATE TABLE local.db.u PARTITIONED BY (p) AS " + rows,
                          "CREATE TABLE local.db.u PARTITIONED BY (p) AS " + rows + " SORT BY s",
                          "INSERT OVERWRITE local.db.t " + rows):
            t.send(statement + ";\n")
            self.await_bar(t)
            end = time.monotonic() + 30  # until it writes, unless rows are sorted first
            while self.files(t.folder) == before and "SORT" not in statement and time.monotonic() < end:
                t.read(0.05)
            t.send("\x03")
            t.expect("cancelled", 40)
            t.expect(PROMPT)
            self.assertEqual(self.files(t.folder), before, statement)
        t.send("SELECT count(*), (SELECT count(*) FROM local.db.t.snapshots) FROM local.db.t; SHOW TABLES IN local.db;\n")
        self.assertIn("|       2|               1|", t.expect("1 row"))
        self.assertNotIn("|        u|", t.expect("1 row"))
        t.send("quit\n")
        self.assertEqual(t.close(), 0)

    @staticmethod
    def files(folder):
        """Data files, and folders of files that have no place yet."""
        return sorted(name for _, folders, names in os.walk(os.path.join(folder, "wh")) for name in folders + names
                      if name.endswith(".parquet") or name.startswith("nilas-"))

    def await_bar(self, t):
        end = time.monotonic() + 30
        while not re.search(r"\[[=<> ]{10,}\]", t.seen):
            self.assertLess(time.monotonic(), end, "no bar in %r" % t.seen)
            t.read(0.1)

    def test_history(self):
        t = self.open()
        t.send("SELECT 'first' AS a;\n")
        t.expect("1 row in ")
        t.expect(PROMPT)
        t.send("SET spark.sql.catalog.c.token=hunter2;\n")
        t.expect(PROMPT)
        t.send("\x1b[A\x1b[A\n")
        t.expect("first|")
        t.expect(PROMPT)
        t.send("quit\n")
        self.assertEqual(t.close(), 0)
        with open(os.path.join(t.folder, "state", "nilas", "history"), encoding="utf-8") as file:
            kept = file.read()
        self.assertIn("SELECT 'first' AS a;\n", kept)
        self.assertNotIn("hunter2", kept)

        again = self.open(cwd=t.folder)
        again.send("\x1b[A\x1b[A\n")  # quit, and what was before
        again.expect("first|")
        again.expect(PROMPT)
        again.send("\x04")
        self.assertEqual(again.close(), 0)

    def test_completion_of_keywords(self):
        t = self.open()
        t.send("sele\t")
        t.expect("select ")
        t.send("1 AS one;\n")
        t.expect("|  1|")
        t.expect(PROMPT)
        t.send("\x04")
        self.assertEqual(t.close(), 0)

    def test_completion_of_columns(self):
        t = self.open()
        t.send("CREATE TEMPORARY VIEW some_view AS SELECT 1 AS remarkable;\n")
        t.expect("done in ")
        t.expect(PROMPT)
        t.send("SELECT * FROM some_v\t;\n")
        answer = t.expect("1 row in ")
        self.assertIn("remarkable|", answer)
        t.expect(PROMPT)
        t.send("\x04")
        self.assertEqual(t.close(), 0)

    def test_help_and_unknown_commands(self):
        t = self.open()
        t.send("\\?\n")
        t.expect("quit, exit")
        t.expect(PROMPT)
        t.send("\\dt\n")
        t.expect("there is no command \\dt")
        t.send("!ls\n")
        t.expect("not supported")
        t.expect(PROMPT)
        t.send("quit\n")
        self.assertEqual(t.close(), 0)

    def test_colours_only_when_wanted(self):
        coloured = Terminal()
        self.addCleanup(coloured.stop)
        plain = Terminal(NO_COLOR="1")
        self.addCleanup(plain.stop)
        for terminal, wanted in ((coloured, True), (plain, False)):
            while PROMPT not in terminal.seen:
                self.assertTrue(terminal.read(20))
            terminal.seen = ""
            terminal.send("SELECT nope;\n")
            while "^" not in terminal.seen or PROMPT not in terminal.seen[terminal.seen.rfind("^"):]:
                self.assertTrue(terminal.read(20))
            self.assertEqual("\x1b[1;31m" in terminal.seen, wanted)

    def test_silent(self):
        t = self.open("-S")
        t.send("SELECT 1 AS a;\n")
        answer = t.expect(PROMPT)
        self.assertNotIn("row in", answer)
        t.send("\x04")
        self.assertEqual(t.close(), 0)


if __name__ == "__main__":
    unittest.main()
