"""DuckDB's iceberg extension reads what nilas wrote: every kind of write, on both catalogs."""
import unittest

from engines import DuckDB
from reading import Reading

# DuckDB 1.5.5 reads no Avro data files, and takes manifests of version 1 in a table that was upgraded for broken
# ("sequence_number is NULL").
UNREADABLE = ("avro_names", "options", "spec_evolution_v1")


@unittest.skipUnless(DuckDB.installed(), "DuckDB's iceberg extension is not in $NILAS_PEERS")
class Reads(Reading, unittest.TestCase):
    @classmethod
    def start(cls, folder):
        return DuckDB()

    def reads(self, name):
        return name not in UNREADABLE

    def ask(self, table, columns):
        metadata = self.nilas.rows("SELECT file FROM %s.metadata_log_entries ORDER BY timestamp DESC, file DESC LIMIT 1" % table)[0]
        return self.peer.ask(metadata=metadata.removeprefix("file:"), columns=columns)


if __name__ == "__main__":
    unittest.main()
