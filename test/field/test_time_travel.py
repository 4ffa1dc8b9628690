"""Snapshots, logs, branches and incremental reads that engines got wrong."""
import unittest

import tables
from support import FieldTest

A_B = [(1, "a", "int"), (2, "b", "int")]
T0 = tables.T0


def at(seconds):
    """A moment so many seconds after T0, as Spark takes it."""
    return "TIMESTAMP AS OF timestamp_millis(%d)" % (T0 + int(seconds * 1000))


class Logs(FieldTest):
    def log(self, *entries):
        """A table with a snapshot of one row (1 .. n) for each different number, and this snapshot-log of (number, seconds)."""
        t = self.table()
        for number in sorted({n for n, _ in entries}):
            t.commit([t.data("VALUES (%d)" % number)], snapshot_id=number, carry=False)
        t.log = [{"snapshot-id": n, "timestamp-ms": T0 + s * 1000} for n, s in entries]
        for snapshot in t.snapshots:
            snapshot["timestamp-ms"] = next(e["timestamp-ms"] for e in t.log if e["snapshot-id"] == snapshot["snapshot-id"])
        return t

    def test_a_log_out_of_order(self):  # D1
        self.log((1, 2), (2, 1), (3, 3)).write()
        self.rows("SELECT id FROM w.db.t %s" % at(2.5), 1)
        self.rows("SELECT id FROM w.db.t %s" % at(2), 1)
        self.rows("SELECT id FROM w.db.t %s" % at(1), 2)
        self.rows("SELECT id FROM w.db.t %s" % at(3), 3)
        self.refused("SELECT id FROM w.db.t %s" % at(0.999), "older than")

    def test_a_rollback_leaves_three_entries(self):  # D8
        t = self.log((1, 1), (2, 2), (1, 3))
        t.current = 1
        t.refs["main"]["snapshot-id"] = 1
        t.write()
        self.rows("SELECT id FROM w.db.t %s" % at(4), 1)
        self.rows("SELECT id FROM w.db.t %s" % at(2), 2)
        self.rows("SELECT id FROM w.db.t %s" % at(3), 1)
        self.rows("SELECT snapshot_id, is_current_ancestor FROM w.db.t.history ORDER BY made_current_at", (1, "true"), (2, "false"), (1, "true"))

    def test_a_snapshot_without_its_log_entry_is_no_history(self):  # D7
        t = self.log((1, 1), (2, 2))
        t.log = t.log[1:]
        t.write()
        self.rows("SELECT snapshot_id FROM w.db.t.history", 2)
        self.rows("SELECT count(*) FROM w.db.t.history WHERE made_current_at < TIMESTAMP '2000-01-01 00:00:00'", 0)
        self.rows("SELECT snapshot_id FROM w.db.t.snapshots", 1, 2)
        self.rows("SELECT id FROM w.db.t VERSION AS OF 1", 1)

    def test_a_log_that_names_an_expired_snapshot(self):  # D7
        t = self.log((1, 1), (2, 2))
        t.snapshots = t.snapshots[1:]
        t.snapshots[0].pop("parent-snapshot-id", None)
        t.write()
        self.rows("SELECT id FROM w.db.t", 2)
        self.refused("SELECT id FROM w.db.t VERSION AS OF 1", "1")
        self.assertIsNotNone(self.ask("SELECT id FROM w.db.t %s" % at(1.5)).error)
        self.rows("SELECT snapshot_id FROM w.db.t.history", 1, 2)


class Schemas(FieldTest):
    def test_an_old_snapshot_has_its_own_columns(self):  # D4
        for name, columns in (("dropped", [(1, "a", "int")]), ("added", A_B + [(3, "c", "int")]), ("renamed", [(1, "a", "int"), (2, "z", "int")])):
            t = self.table(A_B, name=name)
            first = t.commit([t.data("VALUES (1,2)")])
            t.columns(columns)
            t.commit([])
            t.refs["tagged"] = {"snapshot-id": first, "type": "tag"}
            t.write()
            for what in ("VERSION AS OF %d" % first, "VERSION AS OF 'tagged'", at(1.5)):
                answer = self.rows("SELECT * FROM w.db.%s %s" % (name, what), (1, 2))
                self.assertEqual(answer.schema, "struct<a:int,b:int>")
            self.rows("SELECT b FROM w.db.%s VERSION AS OF %d WHERE b = 2" % (name, first), 2)

    def test_a_branch_has_the_columns_of_today(self):  # D5
        t = self.table(A_B)
        first = t.commit([t.data("VALUES (1,2)")])
        t.refs["side"] = {"snapshot-id": first, "type": "branch"}
        t.refs["tagged"] = {"snapshot-id": first, "type": "tag"}
        t.columns([(1, "a", "int")])
        t.write()
        self.rows("SELECT * FROM w.db.t VERSION AS OF 'side'", 1)
        self.rows("SELECT * FROM w.db.t.branch_side", 1)
        self.rows("SELECT * FROM w.db.t VERSION AS OF %d" % first, (1, 2))
        self.rows("SELECT * FROM w.db.t VERSION AS OF 'tagged'", (1, 2))
        self.rows("SELECT * FROM w.db.t", 1)

    def test_a_snapshot_without_its_schema_has_the_current_one(self):  # D9
        for name, schema_id in (("absent", Ellipsis), ("null", None)):
            t = self.table(A_B, name=name)
            first = t.commit([t.data("VALUES (1,2)")])
            t.commit([t.data("VALUES (3,4)")])
            for snapshot in t.snapshots:
                snapshot["schema-id"] = schema_id
            t.write()
            self.rows("SELECT * FROM w.db.%s" % name, (1, 2), (3, 4))
            self.rows("SELECT * FROM w.db.%s VERSION AS OF %d" % (name, first), (1, 2))

    def test_metadata_tables_of_a_branch(self):  # D6
        t = self.table()
        first = t.commit([t.data("VALUES (1)")])
        t.commit([t.data("VALUES (2)")])
        t.refs["b"] = {"snapshot-id": first, "type": "branch"}
        t.write()
        for name in ("files", "entries", "manifests", "data_files", "partitions"):
            answer = self.ask("SELECT * FROM w.db.t.%s VERSION AS OF 'b'" % name)
            self.assertTrue(answer.error is not None or len(answer.rows) == 1, (name, answer.rows))
            answer = self.ask("SELECT * FROM w.db.t.%s VERSION AS OF %d" % (name, first))
            self.assertTrue(answer.error is not None or len(answer.rows) == 1, (name, answer.rows))
        for name in ("history", "snapshots", "refs"):  # they have no past: all of it or no
            answer = self.ask("SELECT * FROM w.db.t.%s VERSION AS OF 'b'" % name)
            self.assertTrue(answer.error is not None or len(answer.rows) == 2, (name, answer.rows))


class Ids(FieldTest):
    def test_an_id_beyond_64_bits_is_named(self):  # D11
        t = self.table()
        t.commit([t.data("VALUES (1)")], snapshot_id=9223372036854775808 - 1)
        t.write()
        self.rows("SELECT id FROM w.db.t VERSION AS OF 9223372036854775807", 1)
        for part in (t.snapshots[0], t.refs["main"], t.log[0]):
            part["snapshot-id"] = 9223372036854775808
        t.current = 9223372036854775808
        t.write()
        self.refused("SELECT id FROM w.db.t", "snapshot-id", "v1.metadata.json")

    def test_negative_ids(self):  # D11
        t = self.table()
        t.commit([t.data("VALUES (1)")], snapshot_id=-1990000000000000001)
        t.commit([t.data("VALUES (2)")], snapshot_id=-1990000000000000002)
        t.write()
        self.rows("SELECT id FROM w.db.t", 1, 2)
        self.rows("SELECT id FROM w.db.t VERSION AS OF '-1990000000000000001'", 1)
        self.rows("SELECT id FROM w.db.t WITH ('snapshot-id' = '-1990000000000000001')", 1)
        self.rows("SELECT id FROM w.db.t.`snapshot_id_-1990000000000000001`", 1)
        self.rows("SELECT snapshot_id FROM w.db.t.history", -1990000000000000001, -1990000000000000002)


class Incremental(FieldTest):
    def between(self, start, end=None, count=False):
        options = "'start-snapshot-id' = '%d'" % start + (", 'end-snapshot-id' = '%d'" % end if end else "")
        return "SELECT %s FROM w.db.t WITH (%s)" % ("count(*)" if count else "id", options)

    def test_a_count_counts_the_range(self):  # D13
        t = self.table()
        first = t.commit([t.data("VALUES (1), (2), (3)", metrics={1: (1, 3, 0)})])
        second = t.commit([t.data("VALUES (4), (5)", metrics={1: (4, 5, 0)})])
        t.commit([t.data("VALUES (6)", metrics={1: (6, 6, 0)})])
        t.write()
        self.rows(self.between(first, second, True), 2)
        self.rows(self.between(first, count=True), 3)
        self.rows("SELECT min(id), max(id) FROM w.db.t WITH ('start-snapshot-id' = '%d', 'end-snapshot-id' = '%d')" % (first, second), (4, 5))

    def test_deletes_and_overwrites_are_not_appends(self):  # D14
        t = self.table()
        first = t.commit([t.data("VALUES (0)")])
        added = t.data("VALUES (1)")
        t.commit([added])
        t.commit(manifests=[t.manifest([dict(added, status=2, snapshot_id=1003, sequence_number=2)])], operation="delete", carry=False)
        t.commit([t.data("VALUES (9)")], operation="overwrite")
        t.write()
        # Spark reads the appends of the range and passes over every other snapshot.
        self.rows(self.between(first), 1)

    def test_compactions_add_nothing(self):  # D15
        t = self.table()
        first = t.commit([t.data("VALUES (0)")])
        added = t.data("VALUES (1)")
        t.commit([added])
        t.commit([t.data("VALUES (0), (1)")], operation="replace", carry=False)
        t.commit([t.data("VALUES (2)")])
        t.write()
        self.rows(self.between(first), 1, 2)
        self.rows(self.between(first, count=True), 2)
        self.rows("SELECT id FROM w.db.t", 0, 1, 2)


if __name__ == "__main__":
    unittest.main()
