"""libnilas: the example, compiled against the built library; and a Python program that reads its streams."""
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NILAS = os.environ.get("NILAS", os.path.join(ROOT, "build", "nilas"))
BUILD = os.path.dirname(os.path.abspath(NILAS))
LIBRARY = os.path.join(BUILD, "libnilas.so")
PEERS = os.environ.get("NILAS_PEERS", os.path.join(ROOT, "deps", "peers"))
PYTHON = os.path.join(PEERS, "client40", "bin", "python")

PROGRAM = r"""
import ctypes, sys, threading, time
import pyarrow as pa

class Failure(ctypes.Structure):
    _fields_ = [("condition", ctypes.c_char * 128), ("sql_state", ctypes.c_char * 8), ("message", ctypes.c_char * 2000), ("offset", ctypes.c_int32)]
class Pair(ctypes.Structure):
    _fields_ = [("key", ctypes.c_char_p), ("value", ctypes.c_char_p)]

lib = ctypes.CDLL(sys.argv[1])
lib.nilas_close.argtypes = lib.nilas_interrupt.argtypes = [ctypes.c_void_p]
lib.nilas_execute.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(Failure)]
connection, failure = ctypes.c_void_p(), Failure()
settings = (Pair * 1)(Pair(b"spark.sql.session.timeZone", b"UTC"))
assert lib.nilas_open(settings, 1, ctypes.byref(connection), ctypes.byref(failure)) == 0, failure.message

def execute(sql):
    stream = ctypes.create_string_buffer(5 * 8)
    failure = Failure()
    code = lib.nilas_execute(connection, sql.encode(), ctypes.addressof(stream), ctypes.byref(failure))
    if code:
        return code, failure
    return 0, pa.RecordBatchReader._import_from_c(ctypes.addressof(stream))

_, reader = execute("SELECT id, CAST(id AS string) AS s, array(id, NULL) AS l FROM range(10000)")
table = reader.read_all()
table.validate(full=True)
assert table.num_rows == 10000 and table.column("l")[7].as_py() == [7, None]
code, failure = execute("SELECT * FROM nowhere")
assert (code, failure.condition, failure.sql_state) == (1, b"TABLE_OR_VIEW_NOT_FOUND", b"42P01"), failure.message
assert execute("CREATE TEMP VIEW v AS SELECT 7 AS x")[1].read_all().num_columns == 0
assert execute("SELECT x FROM v")[1].read_all().to_pylist() == [{"x": 7}]

# Several at once, and one stopped.
answers = []
threads = [threading.Thread(target=lambda i=i: answers.append(execute("SELECT sum(id) + %d AS n FROM range(1000)" % i)[1].read_all().to_pylist()[0]["n"]))
           for i in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
assert sorted(answers) == [499500 + i for i in range(8)], answers
outcome = []
def slow():
    code, reader = execute("SELECT sum(a.id * b.id % 7) AS n FROM range(1000000) a, range(1000000) b")
    if code == 0:
        try:
            reader.read_all()
        except OSError:
            code = 2
    outcome.append(code)
thread = threading.Thread(target=slow)
thread.start(); time.sleep(0.5); lib.nilas_interrupt(connection); thread.join(20)
assert outcome == [2], outcome

# A stream outlives its connection.
_, reader = execute("SELECT id FROM range(5000)")
lib.nilas_close(connection)
assert reader.read_all().num_rows == 5000
print("well")
"""


@unittest.skipUnless(os.path.exists(LIBRARY), "no libnilas.so beside the binary")
@unittest.skipIf(any(word in os.path.basename(BUILD) for word in ("sanitize", "thread", "fuzz")), "built for a sanitizer")
class Library(unittest.TestCase):
    def test_the_example(self):
        folder = tempfile.mkdtemp()
        program = os.path.join(folder, "count")
        subprocess.run([os.environ.get("CC", "cc"), "-Wall", "-Wextra", "-Werror", "-I" + os.path.join(ROOT, "include"),
                        os.path.join(ROOT, "examples", "library", "count.c"), "-L" + BUILD, "-lnilas", "-Wl,-rpath," + BUILD, "-o", program], check=True)
        done = subprocess.run([program, "SELECT id, id * id AS s FROM range(5000)"], cwd=folder, stdout=subprocess.PIPE, check=True, text=True)
        self.assertEqual(done.stdout, "id: l\ns: l\n5000 rows\n")
        done = subprocess.run([program, "SELECT nope"], cwd=folder, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("[UNRESOLVED_COLUMN.WITHOUT_SUGGESTION]", done.stderr)
        shutil.rmtree(folder)

    def test_only_its_own_names_are_seen(self):
        names = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], stdout=subprocess.PIPE, check=True, text=True).stdout
        self.assertEqual(sorted(line.split()[-1] for line in names.splitlines()),
                         ["nilas_close", "nilas_execute", "nilas_interrupt", "nilas_open", "nilas_version"])

    @unittest.skipUnless(os.path.exists(PYTHON), "no client40 in %s; tools/peers installs it" % PEERS)
    def test_python_reads_its_streams(self):
        done = subprocess.run([PYTHON, "-c", PROGRAM, LIBRARY], cwd=tempfile.mkdtemp(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=120)
        self.assertEqual((done.returncode, done.stdout), (0, "well\n"))


if __name__ == "__main__":
    unittest.main()
