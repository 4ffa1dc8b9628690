"""What the tests beside other engines share: nilas and Spark as processes that answer statements, and their catalogs.

The peers are looked for in the folder $NILAS_PEERS: `venv` with pyspark, `jars` with Iceberg's Spark runtime and the
SQLite driver, `pyiceberg` a virtual environment with pyiceberg[pyarrow,sql-sqlite], `duckdb` one with duckdb and its iceberg
extension. What is not there is skipped by name.
"""
import json
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NILAS = os.environ.get("NILAS", os.path.join(ROOT, "build", "nilas"))
PEERS = os.environ.get("NILAS_PEERS", os.path.join(ROOT, "deps", "peers"))


def catalogs(folder):
    """Spark's settings of the catalogs `h` (hadoop) and `j` (SQLite) in a folder; nilas takes the same."""
    settings = {}
    for name in "hj":
        key = "spark.sql.catalog." + name
        settings[key] = "org.apache.iceberg.spark.SparkCatalog"
        settings[key + ".cache-enabled"] = "false"
        settings[key + ".warehouse"] = os.path.join(folder, name)
        settings[key + ".type"] = "hadoop" if name == "h" else "jdbc"
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    settings["spark.sql.catalog.j.uri"] = "jdbc:sqlite:" + os.path.join(folder, "catalog.db")
    settings["spark.sql.catalog.j.jdbc.schema-version"] = "V1"
    return settings


def conf(settings):
    arguments = ["--conf", "spark.sql.session.timeZone=UTC"]
    for key, value in settings.items():
        arguments += ["--conf", key + "=" + value]
    return arguments


class Failed(Exception):
    """A statement that was refused."""


class Nilas:
    """One nilas that answers statement after statement."""

    def __init__(self, settings):
        env = dict(os.environ, HOME="/nonexistent")
        self.process = subprocess.Popen([NILAS, "sql", "--continue", "--format", "json"] + conf(settings), env=env,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def rows(self, text):
        """The rows as spark-sql prints them."""
        self.process.stdin.write(text.strip().encode() + b";\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Failed("nilas ended with %s at: %s" % (self.process.wait(), text))
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(json.dumps(answer["error"], ensure_ascii=False))
        return ["\t".join("NULL" if v is None else v for v in row) for row in answer["rows"]]

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(10)


class Spark:
    """A Spark with Iceberg, if there is one."""

    python = os.path.join(PEERS, "venv", "bin", "python")
    jars = os.path.join(PEERS, "jars")

    @classmethod
    def installed(cls):
        return os.path.exists(cls.python) and os.path.isdir(cls.jars)

    def __init__(self, settings):
        self.folder = tempfile.TemporaryDirectory(prefix="nilas-peer-")
        path = os.path.join(self.folder.name, "settings.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(dict(settings, **{"spark.local.dir": self.folder.name}), file)
        self.process = subprocess.Popen([self.python, os.path.join(HERE, "spark_driver.py"), self.jars, path],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        cwd=self.folder.name, text=True, encoding="utf-8")
        self.version = self.receive()["ready"]

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise Failed("Spark ended with %s" % self.process.wait())
        return json.loads(line)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.receive()
        if "error" in answer:
            raise Failed("%s: %s" % (request, answer["error"]))
        return answer["rows"]

    def rows(self, text):
        return self.ask(sql=text)

    def metrics(self, table):
        return self.ask(metrics=table)

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()
        self.folder.cleanup()


class Driver:
    """A reader in a process of its own, in a virtual environment among the peers, if it is there."""

    python = script = ""

    @classmethod
    def installed(cls):
        return os.path.exists(cls.python)

    def __init__(self, *arguments):
        self.process = subprocess.Popen([self.python, os.path.join(HERE, self.script)] + list(arguments),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, encoding="utf-8")

    def ask(self, **request):
        """The rows of a table."""
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Failed("%s ended with %s" % (type(self).__name__, self.process.wait()))
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["rows"]

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


class PyIceberg(Driver):
    """Takes the folder of the catalogs."""

    python, script = os.path.join(PEERS, "pyiceberg", "bin", "python"), "pyiceberg_driver.py"


class DuckDB(Driver):
    """DuckDB's iceberg extension."""

    python, script = os.path.join(PEERS, "duckdb", "bin", "python"), "duckdb_driver.py"
