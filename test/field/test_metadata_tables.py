"""Metadata tables that merged, lost or miscounted."""
import unittest

from support import FieldTest


class MetadataTables(FieldTest):
    def test_null_partitions_of_several_specs_stay_apart(self):  # I1
        columns = [(1, "id", "long"), (2, "c", "string"), (3, "d", "string"), (4, "t", "string")]
        t = self.table(columns, [("c", "identity", 2)])
        t.commit([t.data("VALUES (1,NULL,NULL,NULL)", partition={"c": None})])
        t.partitions([("c", "identity", 2), ("d", "identity", 3)])
        t.commit([t.data("VALUES (2,NULL,NULL,NULL)", partition={"c": None, "d": None})])
        t.partitions([("c", "identity", 2), ("d", "identity", 3), ("t", "identity", 4)])
        t.commit([t.data("VALUES (3,NULL,NULL,NULL)", partition={"c": None, "d": None, "t": None})])
        t.write()
        self.rows("SELECT spec_id, record_count FROM w.db.t.partitions", (0, 1), (1, 1), (2, 1))

    def test_negated_filters_on_manifests(self):  # I2
        t = self.table()
        data = t.data("VALUES (1), (2)")
        t.commit([data])
        t.commit([t.position_delete([(data["file_path"], 0)])])
        t.write()
        for name, count in (("all_manifests", 1), ("manifests", 1)):
            for filter in ("content != 0", "NOT (content = 0)", "content = 1", "content > 0", "content NOT IN (0)"):
                self.rows("SELECT count(*) FROM w.db.t.%s WHERE %s" % (name, filter), count)
            self.rows("SELECT count(*) FROM w.db.t.%s WHERE NOT (content != 0)" % name, 2 if name == "all_manifests" else 1)

    def test_partitions_count_deletes_apart(self):  # I3
        t = self.table([(1, "id", "long"), (2, "p", "string")], [("p", "identity", 2)])
        files = [t.data("VALUES " + ", ".join("(%d,'a')" % (5 * n + i) for i in range(5)), partition={"p": "a"}) for n in range(5)]
        t.commit(files)
        t.commit([t.position_delete([(files[0]["file_path"], 0)], partition={"p": "a"}), t.equality_delete([1], "VALUES (7)", partition={"p": "a"})])
        t.write()
        self.rows("SELECT record_count, file_count, position_delete_record_count, position_delete_file_count, equality_delete_record_count, "
                  "equality_delete_file_count FROM w.db.t.partitions", (25, 5, 1, 1, 1, 1))
        self.rows("SELECT count(*) FROM w.db.t", 23)

    def test_an_emptied_partition_is_still_listed(self):  # I5
        t = self.table([(1, "id", "long"), (2, "p", "string")], [("p", "identity", 2)])
        a, b = t.data("VALUES (1,'a')", partition={"p": "a"}), t.data("VALUES (2,'b')", partition={"p": "b"})
        t.commit([a, b])
        t.commit([t.position_delete([(b["file_path"], 0)], partition={"p": "b"})])
        t.write()
        self.rows("SELECT partition.p, record_count, position_delete_record_count FROM w.db.t.partitions", ("a", 1, 0), ("b", 1, 1))

    def test_a_partition_of_removed_files_is_gone(self):  # I5
        t = self.table([(1, "id", "long"), (2, "p", "string")], [("p", "identity", 2)])
        a, b = t.data("VALUES (1,'a')", partition={"p": "a"}), t.data("VALUES (2,'b')", partition={"p": "b"})
        t.commit([a, b])
        kept = t.manifest([dict(a, status=0, snapshot_id=1001, sequence_number=1), dict(b, status=2, snapshot_id=1002, sequence_number=1)])
        t.commit(manifests=[kept], operation="delete", carry=False)
        t.write()
        self.rows("SELECT partition.p FROM w.db.t.partitions", "a")
        self.rows("SELECT count(*) FROM w.db.t.entries WHERE status = 2", 1)
        self.rows("SELECT id FROM w.db.t", 1)

    def test_all_tables_keep_what_is_listed_twice(self):  # I6
        t = self.table()
        t.commit([t.data("VALUES (1)")])
        t.commit([t.data("VALUES (2)")])
        t.write()
        self.rows("SELECT count(*) FROM w.db.t.all_manifests", 3)
        self.rows("SELECT count(*) FROM w.db.t.files", 2)
        self.rows("SELECT count(*) FROM w.db.t.snapshots", 2)

    def test_many_partitions(self):  # I6
        t = self.table([(1, "id", "long")], [("id", "identity", 1)])
        some = {"file_format": "PARQUET", "record_count": 2, "file_size_in_bytes": 500, "content": 0}
        lines = [t.manifest([dict(some, file_path="%s/data/%d.parquet" % (t.location, n), partition={"id": n})
                             for n in range(begin, begin + 5000)]) for begin in (0, 5000)]
        t.commit(manifests=lines)
        t.write()
        self.rows("SELECT count(*), count(DISTINCT partition), sum(record_count) FROM w.db.t.partitions", (10000, 10000, 20000))
        self.rows("SELECT count(*) FROM w.db.t WHERE id BETWEEN 100 AND 199", 200)


if __name__ == "__main__":
    unittest.main()
