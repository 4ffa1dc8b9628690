"""What the tests of the server share: a server of their own, and the PySpark clients that tools/peers installs."""
import os
import re
import signal
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "test", "connect")
NILAS = os.environ.get("NILAS", os.path.join(ROOT, "build", "nilas"))
PEERS = os.environ.get("NILAS_PEERS", os.path.join(ROOT, "deps", "peers"))
VERSIONS = ("35", "40", "41", "42")


def python_of(version):
    """The interpreter of a client, or None: it is not installed."""
    path = os.path.join(PEERS, "client" + version, "bin", "python")
    return path if os.path.exists(path) else None


def any_python():
    """The newest client of the 4.0 line or later that is there."""
    for version in ("40", "41", "42"):
        if python_of(version):
            return python_of(version)
    raise unittest.SkipTest("no PySpark client in %s; tools/peers installs them" % PEERS)


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "SPARK_", "PYSPARK_"))}
    env.update(HOME="/nonexistent", TZ="UTC", PYTHONDONTWRITEBYTECODE="1", GRPC_VERBOSITY="NONE")
    env.update(more)
    return env


class Server:
    """nilas serve in a folder of its own, at a free port."""

    def __init__(self, *arguments, listen="127.0.0.1:0"):
        self.folder = tempfile.mkdtemp(prefix="nilas-connect-")
        self.arguments = arguments
        self.listen = listen

    def __enter__(self):
        command = [NILAS, "serve", "--listen", self.listen, "--conf", "spark.sql.session.timeZone=UTC"]
        self.process = subprocess.Popen(command + list(self.arguments), cwd=self.folder, env=environment(),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.greeting = self.process.stdout.readline().decode()
        self.hint = self.process.stdout.readline().decode()
        found = re.search(r":(\d+)$", self.greeting.strip())
        if not found:
            rest = self.process.communicate(timeout=10)[0].decode()
            raise AssertionError("the server did not start: %s%s%s" % (self.greeting, self.hint, rest))
        self.port = int(found.group(1))
        return self

    def __exit__(self, *what):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.rest = self.process.communicate(timeout=15)[0].decode()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.rest = self.process.communicate()[0].decode()
            raise AssertionError("the server did not stop within 15 s")
        if self.process.returncode != 0 and what[0] is None:
            raise AssertionError("the server ended with %d: %s" % (self.process.returncode, self.rest))

    @property
    def remote(self):
        return "sc://127.0.0.1:%d" % self.port

    def threads(self):
        return len(os.listdir("/proc/%d/task" % self.process.pid))

    def resident_mb(self):
        with open("/proc/%d/status" % self.process.pid) as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024


def run_client(python, script, *arguments, timeout=150, **env):
    """A program of this folder under a client's interpreter: its output; an AssertionError when it fails."""
    done = subprocess.run([python, os.path.join(HERE, script)] + list(arguments), cwd=tempfile.mkdtemp(),
                          env=environment(**env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=timeout)
    output = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        raise AssertionError("%s ended with %d:\n%s" % (script, done.returncode, output[-4000:]))
    return output
