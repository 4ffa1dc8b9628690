"""What the tests of the shell share: running the binary as a user would."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "golden"))
import fixture  # noqa: E402

NILAS = os.environ.get("NILAS", os.path.join(ROOT, "build", "nilas"))


class Done:
    """Output, errors and status of a process."""

    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode("utf-8", "replace")
        self.err = process.stderr.decode("utf-8", "replace")
        self.bytes = process.stdout

    def lines(self):
        return self.out.split("\n")[:-1]

    def json(self):
        return [json.loads(line) for line in self.lines()]


def environment(**more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("XDG_") and k != "NO_COLOR"}
    env["HOME"] = "/nonexistent"
    env.update(more)
    return env


def run(*arguments, text=None, cwd=None, **env):
    """nilas with these arguments; `text` on standard input."""
    folder = cwd or tempfile.mkdtemp(prefix="nilas-shell-")
    process = subprocess.run([NILAS] + list(arguments), cwd=folder, env=environment(**env), timeout=60,
                             input=text.encode() if text is not None else None,
                             stdin=subprocess.DEVNULL if text is None else None,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return Done(process)


def sql(*arguments, text=None, cwd=None, **env):
    return run("sql", "--conf", "spark.sql.session.timeZone=UTC", *arguments, text=text, cwd=cwd, **env)


def golden_settings():
    fixture.unpack()
    arguments = []
    for key, value in fixture.settings().items():
        arguments += ["--conf", key + "=" + value]
    return arguments
