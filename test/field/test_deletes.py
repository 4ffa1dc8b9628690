"""Deletes that engines applied to too few rows, or to too many."""
import os
import unittest

import tables
from support import FieldTest

ID_NAME = [(1, "id", "long"), (2, "name", "string")]
EVERY = "SELECT * FROM w.db.t"


class EqualityDeletes(FieldTest):
    def test_null_in_a_key_matches_null(self):  # A1
        t = self.table(ID_NAME)
        t.commit([t.data("VALUES (1,'a'), (2,NULL), (3,'c'), (NULL,'d')")])
        t.commit([t.equality_delete([1], "VALUES (1)")])
        t.commit([t.equality_delete([1], "VALUES (NULL)")])
        t.commit([t.equality_delete([2], "VALUES (NULL)")])
        t.write()
        self.rows(EVERY, (3, "c"))
        self.rows("SELECT count(*) FROM w.db.t", 1)

    def test_null_in_a_compound_key_matches_null(self):  # A3
        t = self.table([(1, "id", "long"), (2, "category", "string"), (3, "what", "string")])
        t.commit([t.data("VALUES (1,NULL,'x'), (2,NULL,'y'), (3,'toys','z')")])
        t.commit([t.equality_delete([1, 2], "VALUES (1,NULL)")])
        t.write()
        self.rows(EVERY, (2, None, "y"), (3, "toys", "z"))

    def test_files_of_several_column_sets_each_apply(self):  # A1, A3
        t = self.table(ID_NAME)
        t.commit([t.data("VALUES (1,'a'), (2,'b'), (3,'c'), (4,'d'), (5,'a')")])
        t.commit([t.equality_delete([1], "VALUES (2)"), t.equality_delete([2], "VALUES ('c')"), t.equality_delete([1, 2], "VALUES (1,'a')"),
                  t.equality_delete([1, 2], "VALUES (4,'a')")])
        t.write()
        self.rows(EVERY, (4, "d"), (5, "a"))
        self.rows("SELECT id FROM w.db.t WHERE name = 'a'", 5)
        self.rows("SELECT name FROM w.db.t", "d", "a")

    def test_a_delete_of_one_partition_leaves_the_others(self):  # A5
        t = self.table([(1, "id", "long"), (2, "p", "string")], [("p", "identity", 2)])
        t.commit([t.data("VALUES (1,'a')", partition={"p": "a"}), t.data("VALUES (1,'b')", partition={"p": "b"})])
        t.commit([t.equality_delete([1], "VALUES (1)", partition={"p": "a"})])
        t.write()
        self.rows(EVERY, (1, "b"))

    def test_a_position_delete_of_one_partition_leaves_the_others(self):  # A5
        t = self.table([(1, "id", "long"), (2, "p", "string")], [("p", "identity", 2)])
        a, b = t.data("VALUES (1,'a')", partition={"p": "a"}), t.data("VALUES (1,'b')", partition={"p": "b"})
        t.commit([a, b])
        t.commit([t.position_delete([(a["file_path"], 0)], partition={"p": "a"})])
        t.write()
        self.rows(EVERY, (1, "b"))

    def test_data_of_the_same_commit_stays(self):  # A6
        t = self.table()
        t.commit([t.data("VALUES (7)")])
        t.commit([t.data("VALUES (7)"), t.equality_delete([1], "VALUES (7)")], "overwrite")
        t.write()
        self.rows(EVERY, 7)
        self.rows("SELECT count(*) FROM w.db.t", 1)

    def test_position_delete_of_the_same_commit_applies(self):  # A6
        t = self.table()
        fresh = t.data("VALUES (7), (8)")
        t.commit([fresh, t.position_delete([(fresh["file_path"], 0)])], "overwrite")
        t.write()
        self.rows(EVERY, 8)

    def test_a_global_delete_under_its_own_spec_reaches_every_partition(self):  # A8
        t = self.table([(1, "id", "long"), (2, "ts", "timestamp")], [("ts_day", "day", 2)])
        days = ["2024-01-0%d" % n for n in (1, 2, 3)]
        t.commit([t.data("VALUES (1,'%s 10:00:00'), (2,'%s 11:00:00')" % (d, d), partition={"ts_day": tables.days(d)}) for d in days])
        t.partitions([])
        t.commit([t.equality_delete([1], "VALUES (1)", spec_id=1)])
        t.partitions([("ts_day", "day", 2)], spec_id=0)
        t.specs = t.specs[:2]
        t.write()
        self.rows("SELECT id FROM w.db.t", 2, 2, 2)

    def test_a_global_delete_under_a_partitioned_spec_is_an_error(self):  # A8
        t = self.table([(1, "id", "long"), (2, "ts", "timestamp")], [("ts_day", "day", 2)])
        t.commit([t.data("VALUES (1,'2024-01-01 10:00:00')", partition={"ts_day": tables.days("2024-01-01")})])
        whole, t.tuple_fields = t.tuple_fields, lambda spec_id: []
        t.commit([t.equality_delete([1], "VALUES (1)")])
        t.tuple_fields = whole
        t.write()
        self.refused(EVERY, "ts_day")

    def test_existing_entries_keep_their_own_sequence_numbers(self):  # A9
        t = self.table()
        first, gone = t.data("VALUES (1)"), t.equality_delete([1], "VALUES (1)")
        again = t.data("VALUES (1)")
        for number, file in enumerate((first, gone, again), 1):
            t.commit([file])
            file.update(status=0, sequence_number=number, snapshot_id=1000 + number)
        t.commit([first, again, gone], "replace", carry=False)
        t.write()
        self.rows(EVERY, 1)
        self.rows("SELECT count(*) FROM w.db.t", 1)

    def test_a_key_that_old_files_lack_reads_as_null(self):  # A1, F2
        t = self.table()
        t.commit([t.data("VALUES (1)")])
        t.columns(ID_NAME)
        t.commit([t.data("VALUES (2,'b'), (3,NULL)")])
        t.commit([t.equality_delete([2], "VALUES (NULL)")])
        t.write()
        self.rows(EVERY, (2, "b"))

    def test_a_dropped_key_column_still_deletes(self):  # A3, D4
        t = self.table(ID_NAME)
        t.commit([t.data("VALUES (1,'a'), (2,'b')")])
        t.commit([t.equality_delete([2], "VALUES ('a')")])
        t.columns([(1, "id", "long")])
        t.write()
        self.rows(EVERY, 2)

    def test_a_key_of_a_promoted_type_still_deletes(self):  # B16
        t = self.table([(1, "id", "int")])
        t.commit([t.data("VALUES (1), (2)")])
        t.commit([t.equality_delete([1], "VALUES (1)")])
        t.columns([(1, "id", "long")])
        t.commit([t.data("VALUES (3000000000), (2)")])
        t.commit([t.equality_delete([1], "VALUES (2)")])
        t.write()
        self.rows(EVERY, 3000000000)


class PositionDeletes(FieldTest):
    def test_over_several_row_groups_of_both_files(self):  # A11
        t = self.table()
        data = t.data("SELECT range FROM range(10000)", count=10000, options=", ROW_GROUP_SIZE 2048")
        t.commit([data])
        t.commit([t.position_delete([(data["file_path"], n) for n in range(10000)], options=", ROW_GROUP_SIZE 2048")])
        t.write()
        self.rows(EVERY)
        self.rows("SELECT count(*), min(id) FROM w.db.t", (0, None))

    def test_a_skipped_row_group_does_not_shift_positions(self):  # A12
        t = self.table()
        data = t.data("SELECT range FROM range(6144)", count=6144, options=", ROW_GROUP_SIZE 2048")
        t.commit([data])
        t.commit([t.position_delete([(data["file_path"], 5000)])])
        t.write()
        self.rows("SELECT id FROM w.db.t WHERE id BETWEEN 4998 AND 5002", 4998, 4999, 5001, 5002)
        self.rows("SELECT id, _pos FROM w.db.t WHERE id IN (3000, 5001)", (3000, 3000), (5001, 5001))
        self.rows("SELECT count(*) FROM w.db.t WHERE id >= 2048", 4095)

    def test_a_filter_does_not_shift_positions(self):  # A13
        t = self.table()
        data = t.data("VALUES (4), (5), (6)")
        t.commit([data])
        t.commit([t.position_delete([(data["file_path"], 1)])])
        t.write()
        self.rows("SELECT id FROM w.db.t WHERE id IN (4, 6)", 4, 6)
        self.rows("SELECT id FROM w.db.t WHERE id = 5")

    def test_inverted_path_bounds_do_not_skip_a_delete_file(self):  # A16
        t = self.table()
        data = t.data("VALUES (1), (2)")
        t.commit([data])
        gone = t.position_delete([(data["file_path"], 0)])
        gone.update(lower_bounds=[{"key": tables.FILE_PATH, "value": b"zzz"}], upper_bounds=[{"key": tables.FILE_PATH, "value": b"aaa"}])
        t.commit([gone])
        t.write()
        self.rows(EVERY, 2)

    def test_a_deleted_row_stays_away_under_is_null(self):  # A20
        t = self.table(ID_NAME)
        data = t.data("VALUES (1,NULL), (2,'b')", metrics={1: (1, 2, 0), 2: ("b", "b", 1)})
        t.commit([data])
        t.commit([t.position_delete([(data["file_path"], 0)])])
        t.write()
        self.rows("SELECT * FROM w.db.t WHERE name IS NULL")
        self.rows("SELECT * FROM w.db.t WHERE name IS NOT NULL", (2, "b"))

    def test_a_deleted_row_stays_away_under_is_null_in_version_3(self):  # A20
        t = self.table(ID_NAME, version=3)
        data = t.data("VALUES (1,NULL), (2,'b')", metrics={1: (1, 2, 0), 2: ("b", "b", 1)})
        t.commit([data])
        t.commit([t.deletion_vector(data, [0])])
        t.write()
        self.rows("SELECT * FROM w.db.t WHERE name IS NULL")
        self.rows(EVERY, (2, "b"))

    def test_a_manifest_list_without_its_version_is_read_by_its_schema(self):  # A22
        for version in (2, 3):
            t = self.table(name="t%d" % version, version=version)
            data = t.data("VALUES (1), (2)")
            t.commit([data], list_header={})
            gone = t.deletion_vector(data, [0]) if version == 3 else t.position_delete([(data["file_path"], 0)])
            t.commit([gone], list_header={})
            t.commit([t.equality_delete([1], "VALUES (3)"), t.data("VALUES (3)")], list_header={})
            t.write()
            self.rows("SELECT * FROM w.db.t%d" % version, 2, 3)
            if version == 3:
                self.rows("SELECT id, _row_id FROM w.db.t3", (2, 1), (3, 2))

    def test_a_vector_replaces_older_position_deletes(self):  # A11
        t = self.table(version=2)
        data = t.data("VALUES (1), (2), (3)")
        t.commit([data])
        t.commit([t.position_delete([(data["file_path"], 0)])])
        t.version = 3
        t.commit([t.deletion_vector(data, [0, 2])])
        t.write()
        self.rows(EVERY, 2)

    def test_a_moved_table_is_read_where_it_is(self):  # A19
        was = os.path.join(self.root, "gone", "db", "t")
        t = self.table(location=was)
        data = t.data("VALUES (1), (2)")
        t.commit([data])
        t.commit([t.position_delete([(data["file_path"], 0)])])
        t.write()
        answer = self.ask(EVERY)
        if answer.error:  # the metadata names another place, and Spark believes it; so the error must name it
            self.assertIn(was, answer.error["message"])
        else:
            self.assertEqual(answer.rows, [["2"]])


if __name__ == "__main__":
    unittest.main()
