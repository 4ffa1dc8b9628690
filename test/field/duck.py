"""DuckDB's C interface by ctypes: just enough to have Parquet files written and rows asked for, with nothing installed but deps/."""
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
    lib.duckdb_value_varchar.restype = ctypes.c_void_p
    lib.duckdb_value_varchar.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
    for count in (lib.duckdb_row_count, lib.duckdb_column_count):
        count.restype = ctypes.c_uint64
    lib.duckdb_free.argtypes = [ctypes.c_void_p]
    database, connection = ctypes.c_void_p(), ctypes.c_void_p()
    if lib.duckdb_open(None, ctypes.byref(database)) or lib.duckdb_connect(database, ctypes.byref(connection)):
        raise RuntimeError("DuckDB does not open")
    return lib, connection


def run(statement):
    ask(statement, lambda lib, result: None)


def ask(statement, take):
    lib, connection = library()
    result = Result()
    failed = lib.duckdb_query(connection, statement.encode(), ctypes.byref(result))
    why = lib.duckdb_result_error(ctypes.byref(result)) if failed else b""
    answer = None if failed else take(lib, result)
    lib.duckdb_destroy_result(ctypes.byref(result))
    if failed:
        raise RuntimeError("%s\n%s" % ((why or b"").decode(), statement))
    return answer


def text_at(lib, result, column, row):
    value = lib.duckdb_value_varchar(ctypes.byref(result), column, row)
    if not value:
        return "NULL"
    text = ctypes.string_at(value).decode()
    lib.duckdb_free(value)
    return text


def rows(statement):
    """Rows as spark-sql would print them, of types that both print alike."""
    def take(lib, result):
        width = lib.duckdb_column_count(ctypes.byref(result))
        return ["\t".join(text_at(lib, result, column, row) for column in range(width))
                for row in range(lib.duckdb_row_count(ctypes.byref(result)))]
    return ask(statement, take)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(value):
    return "'" + value.replace("'", "''") + "'"
