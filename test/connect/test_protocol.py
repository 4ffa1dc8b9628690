"""The protocol below PySpark: streams taken up again, interrupts, uploads, floods; tokens, TLS, the end of the server."""
import os
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import support

ASK = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
print("answer", spark.sql("select 41 + 1 as x").collect()[0].x)
"""
LONG = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
print("begin", flush=True)
spark.sql("select count(*) from range(100000000000) where id % 7 = 3").collect()
"""


def ask(python, remote, program=ASK, timeout=20, **env):
    return subprocess.run([python, "-c", program, remote], env=support.environment(**env), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout)


class Protocol(unittest.TestCase):
    def checks(self, version, *names):
        python = support.python_of(version)
        if not python:
            self.skipTest("no client %s; tools/peers installs it" % version)
        with support.Server() as server:
            output = support.run_client(python, "protocol_checks.py", *names, REMOTE=server.remote,
                                        PLANS=os.path.join(support.ROOT, "test", "fuzz", "corpus", "connect"))
            self.assertIn("\nOK", output)
            until = time.monotonic() + 15
            while server.threads() >= 60 and time.monotonic() < until:
                time.sleep(0.3)  # idle threads go after a while
            self.assertLess(server.threads(), 60)

    def test_messages_of_4_0(self):
        self.checks("40")

    def test_messages_of_4_1(self):
        self.checks("41", "Streams")

    def test_messages_of_4_2(self):
        self.checks("42", "Streams", "States")


class Doors(unittest.TestCase):
    def test_a_token_is_asked_for(self):
        python = support.any_python()
        with tempfile.NamedTemporaryFile("w", suffix=".token") as file:
            file.write("s3cret-Token\n")
            file.flush()
            with support.Server("--token-file", file.name) as server:
                remote = "sc://localhost:%d" % server.port  # PySpark sends a token unencrypted to this name only
                self.assertIn(remote, server.hint)
                self.assertIn(b"answer 42", ask(python, remote + "/;token=s3cret-Token").stdout)
                for wrong in ("", "/;token=s3cret-Toke", "/;token=S3cret-Token"):
                    done = ask(python, remote + wrong)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(b"UNAUTHENTICATED", done.stdout)
                    self.assertNotIn(b"s3cret-Token", done.stdout)
                self.assertNotIn("s3cret", server.greeting + server.hint)

    def test_tls(self):
        python = support.any_python()
        folder = tempfile.mkdtemp()
        certificate, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out",
                               certificate, "-days", "2", "-subj", "/CN=localhost", "-addext",
                               "subjectAltName=DNS:localhost,IP:127.0.0.1"], capture_output=True)
        if made.returncode != 0:
            self.skipTest("openssl makes no certificate")
        with support.Server("--tls-cert", certificate, "--tls-key", key) as server:
            done = ask(python, server.remote.replace("127.0.0.1", "localhost") + "/;use_ssl=true",
                       GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=certificate)
            self.assertIn(b"answer 42", done.stdout)

    def test_what_is_refused(self):
        def serve(*arguments):
            done = subprocess.run([support.NILAS, "serve"] + list(arguments), env=support.environment(), timeout=20,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tempfile.mkdtemp())
            return done.returncode, done.stdout.decode()
        self.assertEqual(serve("--listen", "0.0.0.0:0")[0], 2)
        self.assertIn("--token-file", serve("--listen", "0.0.0.0:0")[1])
        for listen in ("0.0.0.0:0", "[::]:0", "127.0.0.1.example.org:0", "localhost.example.org:0"):
            self.assertEqual(serve("--listen", listen)[0], 2)
        self.assertEqual(serve("--listen", "nonsense")[0], 2)
        self.assertEqual(serve("--tls-cert", "/nonexistent")[0], 2)
        self.assertEqual(serve("--token-file", "/dev/null")[0], 2)
        self.assertEqual(serve("--nope")[0], 2)
        self.assertEqual(serve("--conf", "spark.sql.session.timeZone=Mars")[0], 2)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            status, output = serve("--listen", "127.0.0.1:%d" % taken.getsockname()[1])
            self.assertEqual(status, 1)
            self.assertIn("cannot listen", output)

    def test_it_stops_with_a_query_under_way(self):
        python = support.any_python()
        for number in (signal.SIGTERM, signal.SIGINT):
            with support.Server() as server:
                client = subprocess.Popen([python, "-c", LONG, server.remote], env=support.environment(),
                                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                client.stdout.readline()
                time.sleep(1)
                began = time.monotonic()
                server.process.send_signal(number)
                server.process.wait(15)
                self.assertLess(time.monotonic() - began, 8)
                client.kill()
                client.communicate()

    def test_a_killed_client_leaves_nothing(self):
        python = support.any_python()
        with support.Server("--conf", "spark.connect.execute.manager.detachedTimeout=1s",
                            "--conf", "spark.connect.session.manager.defaultSessionTimeout=2s") as server:
            self.assertIn(b"answer 42", ask(python, server.remote).stdout)
            threads = server.threads()
            for _ in range(3):
                client = subprocess.Popen([python, "-c", LONG, server.remote], env=support.environment(),
                                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                client.stdout.readline()
                time.sleep(0.7)
                client.kill()
                client.communicate()
            until = time.monotonic() + 25
            while time.monotonic() < until and (server.threads() > threads or self.busy(server) > 0.2):
                time.sleep(0.5)
            self.assertLess(self.busy(server), 0.2)
            self.assertLessEqual(server.threads(), threads + 1)

    def busy(self, server):
        """Processors that the server keeps busy."""
        def ticks():
            with open("/proc/%d/stat" % server.process.pid) as file:
                fields = file.read().rsplit(")", 1)[1].split()
            return int(fields[11]) + int(fields[12])
        before = ticks()
        time.sleep(0.5)
        return (ticks() - before) / os.sysconf("SC_CLK_TCK") / 0.5


if __name__ == "__main__":
    unittest.main()
