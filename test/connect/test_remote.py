"""nilas sql --remote: the shell in front of a far server, which is nilas here, and a real Spark where tools/peers put one."""
import os
import signal
import socket
import subprocess
import threading
import time
import unittest

from support import NILAS, PEERS, Server, environment


def ask(remote, *arguments, **more):
    return subprocess.run([NILAS, "sql", "--remote", remote] + list(arguments), env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, text=True, **more)


def here(*arguments):
    return subprocess.run([NILAS, "sql", "--conf", "spark.sql.session.timeZone=UTC"] + list(arguments), env=environment(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, text=True, cwd="/tmp")


ALL_TYPES = ("SELECT 1 AS a, timestamp'2020-01-01' AS t, timestamp_ntz'2020-01-02' AS n, interval '1' day AS d, interval '1-2' year to month AS ym, "
             "array(1, NULL) AS l, map('a', 1) AS m, named_struct('x', 1, 'y', 'b') AS s, NULL AS z, 1.50BD AS dec, X'41' AS b, "
             "date'2020-01-01' AS dt, 1Y AS ty, true AS bo, CAST(1.5 AS float) AS f, 'é' AS e")


class Statements(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None, None, None)

    def test_every_format_prints_what_is_printed_here(self):
        for form in ("json", "table", "vertical", "tsv", "csv", "markdown"):
            far = ask(self.server.remote, "--format", form, "-e", ALL_TYPES)
            self.assertEqual((far.returncode, far.stderr), (0, ""))
            self.assertEqual(far.stdout, here("--format", form, "-e", ALL_TYPES).stdout)

    def test_a_session_lasts_as_long_as_the_shell(self):
        done = ask(self.server.remote, "-e", "CREATE TEMP VIEW v AS SELECT 5 AS x", "-e", "SET k=7", "-e", "SELECT x, '${k}' FROM v")
        self.assertEqual(done.stdout.splitlines()[-1].split("\t")[0], "5")
        self.assertEqual(ask(self.server.remote, "-e", "SELECT * FROM v").returncode, 1)

    def test_settings_go_along(self):
        done = ask(self.server.remote, "--conf", "spark.sql.session.timeZone=Asia/Shanghai", "-e", "SELECT current_timezone(), timestamp_seconds(0)")
        self.assertEqual(done.stdout, "Asia/Shanghai\t1970-01-01 08:00:00\n")

    def test_many_rows(self):
        sql = "SELECT id, CAST(id AS string), IF(id % 3 = 0, NULL, id) FROM range(200000)"
        self.assertEqual(ask(self.server.remote, "-e", sql).stdout, here("-e", sql).stdout)

    def test_no_rows(self):
        done = ask(self.server.remote, "--format", "json", "-e", "SELECT 1 AS a WHERE false", "-e", "CREATE TEMP VIEW w AS SELECT 1")
        self.assertEqual(done.stdout, '{"schema":"struct<a:int>","rows":[]}\n{"schema":"struct<>","rows":[]}\n')

    def test_errors_are_the_servers(self):
        done = ask(self.server.remote, "--format", "json", "-e", "SELECT nope")
        self.assertEqual(done.returncode, 1)
        self.assertIn('"condition":"UNRESOLVED_COLUMN.WITHOUT_SUGGESTION","sqlState":"42703"', done.stdout)
        self.assertNotIn("SQLSTATE", done.stdout)

    def test_interrupt_stops_the_statement_there(self):
        process = subprocess.Popen([NILAS, "sql", "--remote", self.server.remote, "-e",
                                    "SELECT sum(a.id * b.id % 7) FROM range(1000000) a, range(1000000) b"], env=environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        time.sleep(1)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertIn("cancel", errors.lower())
        self.assertEqual(ask(self.server.remote, "-e", "SELECT 1").stdout, "1\n")


class Cut:
    """A relay that cuts every connection after so many bytes of answers, some times."""

    def __init__(self, port, after_bytes, times):
        self.port, self.after_bytes, self.times = port, after_bytes, times
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.cuts = 0
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def remote(self):
        return "sc://127.0.0.1:%d" % self.listener.getsockname()[1]

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.port))
            threading.Thread(target=self.copy, args=(near, far, None), daemon=True).start()
            threading.Thread(target=self.copy, args=(far, near, self.after_bytes), daemon=True).start()

    def copy(self, source, target, limit):
        passed = 0
        try:
            while data := source.recv(65536):
                passed += len(data)
                if limit is not None and self.cuts < self.times and passed > limit:
                    self.cuts += 1
                    break
                target.sendall(data)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Broken(unittest.TestCase):
    def test_a_broken_stream_is_taken_up_again(self):
        sql = "SELECT id, CAST(id AS string) FROM range(500000)"
        with Server() as server:
            relay = Cut(server.port, 1 << 20, 3)
            done = ask(relay.remote, "-e", sql)
            self.assertEqual(done.stderr, "")
            self.assertEqual(relay.cuts, 3)
            self.assertEqual(done.stdout, here("-e", sql).stdout)
            relay.listener.close()

    def test_a_dead_server_is_given_up(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        began = time.monotonic()
        done = ask("sc://127.0.0.1:%d" % port, "-e", "SELECT 1")
        self.assertEqual(done.returncode, 2)
        self.assertLess(time.monotonic() - began, 60)

    def test_bad_addresses(self):
        for address, words in (("localhost:15002", "sc://HOST:PORT"), ("sc://h:1/;x=y", 'no parameter "x"'), ("sc://h:99999", "not a port"),
                               ("sc://far/;token=SECRET;use_ssl=false", "not sent unencrypted"), ("sc:///;token=SECRET", "no host")):
            done = ask(address, "-e", "SELECT 1")
            self.assertEqual(done.returncode, 2, address)
            self.assertIn(words, done.stderr)
            self.assertNotIn("SECRET", done.stderr)


SPARK = os.path.join(PEERS, "venv", "lib", "python3.11", "site-packages", "pyspark")


@unittest.skipUnless(os.path.exists(SPARK), "no Spark in %s; tools/peers installs one" % PEERS)
class Spark(unittest.TestCase):
    """A real Spark Connect server."""

    @classmethod
    def setUpClass(cls):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            cls.port = probe.getsockname()[1]
        command = [os.path.join(SPARK, "bin", "spark-submit"), "--master", "local[1]", "--driver-memory", "1g", "--conf", "spark.ui.enabled=false",
                   "--conf", "spark.connect.grpc.binding.port=%d" % cls.port, "--conf", "spark.connect.grpc.binding.address=127.0.0.1",
                   "--conf", "spark.sql.session.timeZone=UTC", "--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
        cls.process = subprocess.Popen(command, env=environment(SPARK_HOME=SPARK, SPARK_LOCAL_IP="127.0.0.1"), cwd="/tmp",
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(120):
            time.sleep(0.5)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", cls.port)) == 0:
                    return
        raise AssertionError("the Spark Connect server did not start")

    @classmethod
    def tearDownClass(cls):
        os.killpg(cls.process.pid, signal.SIGTERM)
        cls.process.wait(timeout=30)

    def test_the_same_answers(self):
        remote = "sc://127.0.0.1:%d" % self.port
        for sql in (ALL_TYPES, "SELECT id, id * 2 AS d, CAST(id AS string) AS s FROM range(100000)", "SELECT 1 AS a WHERE false", "SHOW CATALOGS",
                    "SELECT make_interval(1, 2, 3, 4, 5, 6, 7) AS i"):
            far = ask(remote, "--format", "json", "-e", sql)
            self.assertEqual((far.returncode, far.stderr), (0, ""), sql)
            self.assertEqual(far.stdout, here("--format", "json", "-e", sql).stdout)
        done = ask(remote, "--format", "json", "-e", "SELECT 1/0")
        self.assertIn('"condition":"DIVIDE_BY_ZERO","sqlState":"22012"', done.stdout)


if __name__ == "__main__":
    unittest.main()
