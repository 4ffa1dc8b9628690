"""DuckDB's C interface by ctypes: just enough to have Parquet files written, with nothing installed but deps/."""
import ctypes
import functools
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIBRARY = os.environ.get("NILAS_DUCKDB") or os.path.join(ROOT, "deps", "lib", "libduckdb.so")


class Result(ctypes.Structure):
    """duckdb_result: opaque, 48 bytes."""
    _fields_ = [("room", ctypes.c_uint64 * 6)]


@functools.lru_cache(None)
def library():
    lib = ctypes.CDLL(LIBRARY)
    lib.duckdb_result_error.restype = ctypes.c_char_p
    database, connection = ctypes.c_void_p(), ctypes.c_void_p()
    if lib.duckdb_open(None, ctypes.byref(database)) or lib.duckdb_connect(database, ctypes.byref(connection)):
        raise RuntimeError("DuckDB does not open")
    return lib, connection


def run(statement):
    lib, connection = library()
    result = Result()
    failed = lib.duckdb_query(connection, statement.encode(), ctypes.byref(result))
    why = lib.duckdb_result_error(ctypes.byref(result)) if failed else b""
    lib.duckdb_destroy_result(ctypes.byref(result))
    if failed:
        raise RuntimeError("%s\n%s" % ((why or b"").decode(), statement))


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(value):
    return "'" + value.replace("'", "''") + "'"
