"""Schema evolution, types and Parquet files that engines read wrongly."""
import os
import shutil
import unittest

import tables
from support import FieldTest, ROOT
from tables import list_of, map_of, struct_of

EVERY = "SELECT * FROM w.db.t"
DATA = os.path.join(os.environ.get("NILAS_TEST_DATA") or os.path.join(ROOT, "test", "data"), "parquet")


class Evolution(FieldTest):
    def test_a_column_dropped_and_added_again_is_another(self):  # F2
        t = self.table([(1, "a", "int"), (3, "k", "int")])
        t.commit([t.data("VALUES (1, 10)", metrics={1: (1, 1, 0)})])
        t.columns([(3, "k", "int")])
        t.columns([(3, "k", "int"), (2, "a", "int")])
        t.commit([t.data("VALUES (20, 2)", metrics={2: (2, 2, 0)})])
        t.write()
        self.rows(EVERY, (10, None), (20, 2))
        self.rows("SELECT k FROM w.db.t WHERE a = 1")
        self.rows("SELECT k FROM w.db.t WHERE a IS NULL", 10)
        self.rows("SELECT count(a), max(a) FROM w.db.t", (1, 2))

    def test_a_nested_field_dropped_and_added_again_is_another(self):  # F2
        t = self.table([(1, "s", struct_of((2, "x", "int")))])
        t.commit([t.data("SELECT {'x': 1}", count=1)])
        t.columns([(1, "s", struct_of((3, "x", "int")))])
        t.commit([t.data("SELECT {'x': 2}", count=1)])
        t.write()
        self.rows("SELECT s.x FROM w.db.t", None, 2)

    def test_two_columns_that_swap_their_names(self):  # F2
        t = self.table([(1, "a", "int"), (2, "b", "int")])
        t.commit([t.data("VALUES (1, 2)")])
        t.columns([(1, "b", "int"), (2, "a", "int")])
        t.commit([t.data("VALUES (3, 4)")])
        t.write()
        self.rows("SELECT a, b FROM w.db.t", (2, 1), (4, 3))
        self.rows("SELECT b FROM w.db.t WHERE a = 2", 1)

    def test_a_field_added_inside_a_map_of_structs(self):  # F3
        t = self.table([(1, "m", map_of(2, "string", 3, struct_of((4, "x", "int"))))])
        t.commit([t.data("SELECT MAP {'k': {'x': 1}}", count=1)])
        t.columns([(1, "m", map_of(2, "string", 3, struct_of((4, "x", "int"), (5, "y", "string"))))])
        t.commit([t.data("SELECT MAP {'k': {'x': 2, 'y': 'z'}}", count=1)])
        t.write()
        self.rows("SELECT m['k'].x, m['k'].y FROM w.db.t", (1, None), (2, "z"))
        self.rows("SELECT m['k'].x FROM w.db.t WHERE m['k'].y IS NULL", 1)

    def test_a_field_added_inside_a_list_of_structs(self):  # F3
        t = self.table([(1, "l", list_of(2, struct_of((3, "x", "int"))))])
        t.commit([t.data("SELECT [{'x': 1}, NULL]", count=1)])
        t.columns([(1, "l", list_of(2, struct_of((4, "y", "int"), (3, "z", "long"))))])
        t.commit([t.data("SELECT [{'y': 5, 'z': 2}]", count=1)])
        t.write()
        self.rows("SELECT l[0].z, l[0].y, size(l) FROM w.db.t", (1, None, 2), (2, 5, 1))

    def test_null_and_empty_lists_stay_two_things(self):  # F6
        kind = list_of(3, struct_of((4, "a", "int")))
        t = self.table([(1, "id", "int"), (2, "l", kind)])
        t.commit([t.data("SELECT * FROM (VALUES (1, NULL), (2, []), (3, [NULL]), (4, [{'a': NULL}]))", count=4)])
        t.write()
        self.rows("SELECT id, l IS NULL, size(l) FROM w.db.t", (1, "true", None), (2, "false", 0), (3, "false", 1), (4, "false", 1))
        self.rows("SELECT id FROM w.db.t WHERE l IS NULL", 1)
        self.rows("SELECT id, l[0] IS NULL, l[0].a FROM w.db.t WHERE id > 2", (3, "true", None), (4, "false", None))
        # and after a change of the schema, when structs are built anew
        t.columns([(1, "id", "int"), (2, "l", list_of(3, struct_of((4, "b", "int"), (5, "c", "int"))))])
        t.write()
        self.rows("SELECT id, l IS NULL, size(l) FROM w.db.t", (1, "true", None), (2, "false", 0), (3, "false", 1), (4, "false", 1))
        self.rows("SELECT id, l[0] IS NULL FROM w.db.t WHERE id > 2", (3, "true"), (4, "false"))

    def test_null_structs_and_maps_stay_null(self):  # F6
        t = self.table([(1, "id", "int"), (2, "s", struct_of((3, "a", "int"))), (4, "m", map_of(5, "string", 6, struct_of((7, "a", "int"))))])
        t.commit([t.data("SELECT * FROM (VALUES (1, NULL, NULL), (2, {'a': NULL}, MAP {}), (3, {'a': 1}, MAP {'k': NULL}))", count=3)])
        t.columns([(1, "id", "int"), (2, "s", struct_of((8, "b", "int"), (3, "a", "int"))),
                   (4, "m", map_of(5, "string", 6, struct_of((7, "a", "int"), (9, "b", "int"))))])
        t.write()
        self.rows("SELECT id, s IS NULL, m IS NULL, size(m) FROM w.db.t", (1, "true", "true", None), (2, "false", "false", 0), (3, "false", "false", 1))
        self.rows("SELECT m['k'] IS NULL FROM w.db.t WHERE id = 3", "true")

    def test_defaults_of_version_3(self):  # F2
        t = self.table([(1, "id", "int")], version=3)
        t.commit([t.data("VALUES (1)")])
        t.columns([(1, "id", "int"), (2, "d", "string", {"initial-default": "old", "write-default": "new"})])
        t.commit([t.data("VALUES (2, NULL), (3, 'x')", metrics={2: ("x", "x", 1)})])
        t.write()
        self.rows(EVERY, (1, "old"), (2, None), (3, "x"))
        self.rows("SELECT id FROM w.db.t WHERE d = 'old'", 1)
        self.rows("SELECT count(d), min(d) FROM w.db.t", (2, "old"))
        self.rows("SELECT id FROM w.db.t WHERE d IS NULL", 2)

    def test_names_in_another_case(self):
        t = self.table([(1, "Id", "int"), (2, "NAME", "string")])
        t.commit([t.data("VALUES (1, 'a')")])
        t.write()
        answer = self.rows(EVERY, (1, "a"))
        self.assertEqual(answer.schema, "struct<Id:int,NAME:string>")
        self.rows("SELECT id, name FROM w.db.t WHERE nAmE = 'a'", (1, "a"))


class FilesWithoutIds(FieldTest):
    def test_by_name_mapping(self):
        t = self.table([(1, "id", "int"), (2, "now", "string")])
        t.properties["schema.name-mapping.default"] = '[{"field-id": 1, "names": ["id"]}, {"field-id": 2, "names": ["before", "now"]}]'
        t.commit([t.data("VALUES (1, 'a')", columns=[(1, "id", "int"), (2, "before", "string")], ids=False)])
        t.write()
        self.rows(EVERY, (1, "a"))
        self.rows("SELECT id FROM w.db.t WHERE now = 'a'", 1)

    def test_by_name_alone(self):
        t = self.table([(1, "id", "int"), (2, "name", "string")])
        t.commit([t.data("VALUES ('a', 1)", columns=[(2, "name", "string"), (1, "id", "int")], ids=False)])
        t.write()
        self.rows(EVERY, (1, "a"))

    def test_a_struct_without_an_id_over_leaves_with_ids(self):  # F5
        t = self.table([(1, "id", "int"), (2, "s", struct_of((3, "a", "int"), (4, "b", "string")))])
        file = t.data("SELECT 1, {'a': 5, 'b': 'x'}", count=1)
        path = os.path.join(t.folder, os.path.relpath(file["file_path"], t.location))
        self.drop_id_of_struct(path, file)
        t.commit([file])
        t.write()
        self.rows("SELECT s.a, s IS NULL FROM w.db.t", (5, "false"))
        self.rows("SELECT s.b FROM w.db.t WHERE s.a = 5", "x")

    def drop_id_of_struct(self, path, file):
        """Written anew with ids on the leaves only: DuckDB takes an id for a group only if it is given one."""
        import duck
        os.remove(path)
        duck.run("COPY (SELECT 1::INTEGER AS id, {'a': 5::INTEGER, 'b': 'x'} AS s) TO %s (FORMAT parquet, FIELD_IDS {id: 1, s: {a: 3, b: 4}})"
                 % duck.literal(path))
        file["file_size_in_bytes"] = os.path.getsize(path)


class Lineage(FieldTest):
    ROW_ID, UPDATED = 2147483540, 2147483539

    def test_version_2_has_none(self):  # F15
        t = self.table()
        t.commit([t.data("VALUES (1)")])
        t.write()
        answer = self.ask("SELECT id, _row_id FROM w.db.t")
        self.assertTrue(answer.error is not None or answer.rows == [["1", None]], answer.rows)

    def test_rows_are_counted_from_the_first_id(self):  # F15
        t = self.table(version=3)
        t.commit([t.data("VALUES (1), (2)"), t.data("VALUES (3)")])
        t.commit([t.data("VALUES (4)")])
        t.write()
        self.rows("SELECT id, _row_id, _last_updated_sequence_number FROM w.db.t", (1, 0, 1), (2, 1, 1), (3, 2, 1), (4, 3, 2))

    def test_stored_ids_win_and_nulls_are_counted(self):  # F15
        t = self.table(version=3)
        columns = [(1, "id", "long"), (self.ROW_ID, "_row_id", "long"), (self.UPDATED, "_last_updated_sequence_number", "long")]
        t.commit([t.data("VALUES (1, 77, 1), (2, NULL, NULL)", columns=columns, first_row_id=100)])
        t.write()
        self.rows("SELECT id, _row_id, _last_updated_sequence_number FROM w.db.t", (1, 77, 1), (2, 101, 1))

    def test_no_first_id_no_ids(self):  # F15
        t = self.table(version=3)
        data = t.data("VALUES (1)")
        t.commit(manifests=[t.manifest([data], first_row_id=None)])
        t.write()
        self.rows("SELECT id, _row_id FROM w.db.t", (1, None))


class Names(FieldTest):
    def test_reserved_words_and_quotes(self):  # F17
        names = ["at", "pivot", "lambda", "qualify", "describe", "order", "it's", 'a"b', "a.b", "select", "file_index", "file_row_number", "filename",
                 "c1", "k0", "x y", "über", "😀", "%", "-- x", "rowid"]
        t = self.table([(i + 1, name, "int") for i, name in enumerate(names)])
        t.commit([t.data("VALUES (%s)" % ", ".join(str(i) for i in range(len(names))))])
        t.write()
        self.rows(EVERY, tuple(range(len(names))))
        for index, name in enumerate(names):
            self.rows("SELECT `%s` FROM w.db.t WHERE `%s` = %d" % (name, name, index), index)
        self.rows("SELECT `at` AS `order`, max(`pivot`) AS `lambda` FROM w.db.t GROUP BY `at` ORDER BY `order`", (0, 1))

    def test_reserved_words_inside_structs(self):  # F17
        t = self.table([(1, "order", struct_of((2, "it's", "int"), (3, "select", "string")))])
        t.commit([t.data("SELECT {'it''s': 1, 'select': 'x'}", count=1)])
        t.columns([(1, "order", struct_of((2, 'q"q', "int"), (3, "select", "string"), (4, "new", "int")))])
        t.write()
        self.rows('SELECT `order`.`q"q`, `order`.`select`, `order`.`new` FROM w.db.t', (1, "x", None))


class ForeignParquet(FieldTest):
    """Files that only other programs write: see test/data/README.md."""

    def place(self, t, name, count, **fields):
        path, stored = t.place("data/" + name)
        shutil.copy(os.path.join(DATA, name), path)
        return dict({"file_path": stored, "file_format": "PARQUET", "partition": {}, "record_count": count, "content": 0,
                     "file_size_in_bytes": os.path.getsize(path)}, **fields)

    def test_bloom_filters(self):  # B22
        t = self.table([(1, "i", "int"), (2, "s", "string")])
        t.commit([self.place(t, "bloom.parquet", 3)])
        t.write()
        self.rows("SELECT i FROM w.db.t WHERE i IN (9444, -88777, 6711111)", 9444, -88777, 6711111)
        self.rows("SELECT i FROM w.db.t WHERE i = -88777", -88777)
        self.rows("SELECT i FROM w.db.t WHERE i = 9445")
        self.rows("SELECT i FROM w.db.t WHERE s = 'iceberg'", 9444)

    def test_decimals_in_short_arrays(self):  # F10
        t = self.table([(1, "d", "decimal(20,0)"), (2, "e", "decimal(38,0)"), (3, "f", "decimal(5,2)")])
        t.commit([self.place(t, "decimals.parquet", 240)])
        t.write()
        self.rows("SELECT *, count(*) FROM w.db.t WHERE d < 0 GROUP BY ALL", ("-32769", "-32769", "-1.50", 40), ("-1", "-1", "-1.50", 40))
        self.rows("SELECT sum(d), max(e), min(f) FROM w.db.t", ("2621400", "99999999999999999999999999999999999999", "-1.50"))

    def test_times_of_twelve_bytes(self):
        t = self.table([(1, "id", "int"), (2, "ts", "timestamptz")])
        t.commit([self.place(t, "int96.parquet", 2)])
        t.write()
        self.rows(EVERY, (1, "2017-11-16 22:31:08.000001"), (2, "1960-01-01 00:00:00"))
        self.rows("SELECT id FROM w.db.t WHERE ts = TIMESTAMP '2017-11-16 22:31:08.000001'", 1)


if __name__ == "__main__":
    unittest.main()
