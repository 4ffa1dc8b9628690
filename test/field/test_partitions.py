"""Transforms, partition evolution and partition values that engines got wrong."""
import unittest

import tables
from support import FieldTest

KEPT = "SELECT count(*) FROM w.db.%s WHERE %s"


class Transforms(FieldTest):
    def test_days_are_utc_whatever_the_session_says(self):  # C2
        for kind in ("timestamp", "timestamptz"):
            t = self.table([(1, "ts", kind)], [("ts_day", "day", 1)], name=kind)
            day = 19722  # of 2023-12-31T20:30 UTC; in Kolkata it is the next day
            zone = "+00" if kind == "timestamptz" else ""
            t.commit([t.data("VALUES ('2023-12-31 20:30:00%s')" % zone, partition={"ts_day": day})])
            t.write()
        conf = ["spark.sql.session.timeZone=Asia/Kolkata"]
        self.rows("SELECT ts FROM w.db.timestamp WHERE ts = TIMESTAMP_NTZ '2023-12-31 20:30:00'", "2023-12-31 20:30:00", conf=conf)
        self.rows("SELECT count(*) FROM w.db.timestamp WHERE ts >= TIMESTAMP_NTZ '2024-01-01 00:00:00'", 0, conf=conf)
        self.rows("SELECT ts FROM w.db.timestamptz WHERE ts = TIMESTAMP '2024-01-01 02:00:00'", "2024-01-01 02:00:00", conf=conf)
        self.rows("SELECT count(*) FROM w.db.timestamptz WHERE ts >= TIMESTAMP '2024-01-01 00:00:00'", 1, conf=conf)
        self.rows("SELECT count(*) FROM w.db.timestamptz WHERE ts < TIMESTAMP '2024-01-01 00:00:00'", 0, conf=conf)
        self.rows("SELECT count(*) FROM w.db.timestamptz WHERE date(ts) = DATE '2024-01-01'", 1, conf=conf)
        self.rows("SELECT partition.ts_day FROM w.db.timestamptz.files", "2023-12-31", conf=conf)

    def test_buckets_of_nanoseconds_are_those_of_microseconds(self):  # C6
        moment = 1510871468000001001
        for name, bucket in (("right", 6), ("else", 13)):
            t = self.table([(1, "id", "long"), (2, "ts", "timestamp_ns")], [("b", "bucket[16]", 2)], version=3, name=name)
            t.commit([t.data("SELECT 1, make_timestamp_ns(%d)" % moment, count=1, partition={"b": bucket})])
            t.write()
            answer = self.ask("SELECT id FROM w.db.%s WHERE ts = TIMESTAMP_NTZ '2017-11-16 22:31:08.000001'" % name)
            self.assertTrue(answer.error is None or "timestamp_ns" in answer.error["message"], answer.error)
        self.rows("SELECT w.system.bucket(16, TIMESTAMP_NTZ '2017-11-16 22:31:08.000001')", 6)

    def test_buckets_of_uuids_are_ints(self):  # C7
        value = "f79c3e09-677c-4bbd-a479-3f349cb785e7"
        t = self.table([(1, "u", "uuid")], [("b", "bucket[16]", 1)])
        t.commit([t.data("VALUES ('%s')" % value, partition={"b": (1488055340 & 0x7FFFFFFF) % 16})])
        t.write()
        self.rows("SELECT u FROM w.db.t WHERE u = '%s'" % value, value)
        self.rows("SELECT partition.b FROM w.db.t.files", 1488055340 % 16)

    def test_hashes_are_those_of_the_specification(self):  # test vectors
        vectors = (("14.20", -500754589), ("DATE '2017-11-16'", -653330422), ("TIMESTAMP_NTZ '2017-11-16 22:31:08'", -2047944441),
                   ("TIMESTAMP '2017-11-16 14:31:08-08:00'", -2047944441), ("'iceberg'", 1210000089), ("34", 2017239379), ("34L", 2017239379),
                   ("X'00010203'", -188683207))
        for value, hashed in vectors:
            self.rows("SELECT w.system.bucket(1000, %s)" % value, (hashed & 0x7FFFFFFF) % 1000)

    def test_truncation_goes_down_below_zero(self):  # test vectors
        self.rows("SELECT w.system.truncate(10, -1), w.system.truncate(10, -11), w.system.truncate(10, 9)", (-10, -20, 0))
        self.rows("SELECT w.system.truncate(50, CAST(-10.65 AS decimal(9,2)))", "-11.00")
        t = self.table([(1, "i", "int")], [("i_trunc", "truncate[10]", 1)])
        t.commit([t.data("VALUES (-1), (-10)", partition={"i_trunc": -10}), t.data("VALUES (-11)", partition={"i_trunc": -20}),
                  t.data("VALUES (3)", partition={"i_trunc": 0})])
        t.write()
        self.rows("SELECT i FROM w.db.t WHERE i = -1", -1)
        self.rows("SELECT i FROM w.db.t WHERE i <= -10", -10, -11)
        self.rows("SELECT i FROM w.db.t WHERE i > -11 AND i < 3", -1, -10)

    def test_times_before_1970(self):
        t = self.table([(1, "ts", "timestamp")], [("ts_hour", "hour", 1)])
        t.commit([t.data("VALUES ('1969-12-31 23:30:00')", partition={"ts_hour": -1}),
                  t.data("VALUES ('1969-12-31 22:30:00')", partition={"ts_hour": -2})])
        t.write()
        self.rows("SELECT ts FROM w.db.t WHERE ts >= TIMESTAMP_NTZ '1969-12-31 23:00:00'", "1969-12-31 23:30:00")
        self.rows("SELECT ts FROM w.db.t WHERE ts < TIMESTAMP_NTZ '1969-12-31 23:00:00'", "1969-12-31 22:30:00")
        self.rows("SELECT partition.ts_hour FROM w.db.t.files", -1, -2)


class Evolution(FieldTest):
    def test_summaries_keep_the_place_of_dropped_columns(self):  # C9
        t = self.table([(1, "a", "int"), (2, "b", "int")], [("a", "identity", 1), ("b", "identity", 2)])
        file = t.data("VALUES (1, 100)", partition={"a": 1, "b": 100})
        summary = [{"contains_null": False, "contains_nan": None, "lower_bound": tables.bound("int", v), "upper_bound": tables.bound("int", v)}
                   for v in (1, 100)]
        line = t.manifest([file], partitions=summary)
        t.commit(manifests=[line])
        t.columns([(2, "b", "int")])
        t.partitions([("b", "identity", 2, 1001)])
        t.write()
        self.rows("SELECT b FROM w.db.t WHERE b = 100", 100)
        self.rows("SELECT b FROM w.db.t WHERE b = 1")
        self.rows("SELECT b FROM w.db.t WHERE b > 50", 100)

    def test_a_dropped_field_of_version_1_is_void(self):  # C10
        t = self.table([(1, "id", "long"), (2, "dt", "string")], [("dt", "identity", 2)], version=1)
        t.commit([t.data("VALUES (1,'x')", partition={"dt": "x"})])
        t.partitions([("dt", "void", 2, 1000)])
        t.commit([t.data("VALUES (2,'x'), (3,'y')", partition={"dt": None})])
        t.write()
        self.rows("SELECT * FROM w.db.t", (1, "x"), (2, "x"), (3, "y"))
        self.rows("SELECT id FROM w.db.t WHERE dt = 'x'", 1, 2)
        self.rows("SELECT id FROM w.db.t WHERE dt IS NULL")
        self.rows("SELECT id FROM w.db.t WHERE dt IS NOT NULL", 1, 2, 3)
        self.rows("SELECT count(*) FROM w.db.t WHERE dt = 'y'", 1)
        self.rows("SELECT max(dt), count(dt) FROM w.db.t", ("y", 3))

    def test_null_and_the_word_null_are_two_partitions(self):  # C11
        t = self.table([(1, "id", "long"), (2, "s", "string")], [("s", "identity", 2)])
        t.commit([t.data("VALUES (1,NULL)", partition={"s": None}, name="data/s=null/a.parquet"),
                  t.data("VALUES (2,'null')", partition={"s": "null"}, name="data/s=null/b.parquet")])
        t.write()
        self.rows("SELECT id FROM w.db.t WHERE s IS NULL", 1)
        self.rows("SELECT id FROM w.db.t WHERE s = 'null'", 2)
        self.rows("SELECT partition.s, record_count FROM w.db.t.partitions", (None, 1), ("null", 1))

    def test_a_partition_column_missing_from_the_file(self):  # F13
        t = self.table([(1, "id", "long"), (2, "p", "string")], [("p", "identity", 2)])
        t.commit([t.data("VALUES (1)", columns=[(1, "id", "long")], partition={"p": "x"}),
                  t.data("VALUES (2,'own')", partition={"p": "y"}), t.data("VALUES (3)", columns=[(1, "id", "long")], partition={"p": None})])
        t.write()
        self.rows("SELECT * FROM w.db.t WHERE id <> 2", (1, "x"), (3, None))
        self.rows("SELECT id FROM w.db.t WHERE p = 'x'", 1)
        self.rows("SELECT id FROM w.db.t WHERE p IS NULL", 3)
        self.rows("SELECT p FROM w.db.t WHERE id = 2", "own")
        self.rows("SELECT count(p) FROM w.db.t", 2)

    def test_missing_columns_of_other_transforms_are_null(self):  # F13
        t = self.table([(1, "id", "long"), (2, "i", "int")], [("i_trunc", "truncate[10]", 2)])
        t.commit([t.data("VALUES (1)", columns=[(1, "id", "long")], partition={"i_trunc": 20})])
        t.write()
        self.rows("SELECT * FROM w.db.t", (1, None))

    def test_every_spec_keeps_its_own_filter(self):  # C9, B20
        t = self.table([(1, "id", "long"), (2, "ts", "timestamp")], [("ts_day", "day", 2)])
        t.commit([t.data("VALUES (1,'2024-01-15 10:00:00')", partition={"ts_day": tables.days("2024-01-15")}),
                  t.data("VALUES (2,'2024-02-15 10:00:00')", partition={"ts_day": tables.days("2024-02-15")})])
        t.partitions([("ts_month", "month", 2, 1001)])
        t.commit([t.data("VALUES (3,'2024-01-20 10:00:00')", partition={"ts_month": 648}),
                  t.data("VALUES (4,'2024-02-20 10:00:00')", partition={"ts_month": 649})])
        t.partitions([], spec_id=7)
        t.commit([t.data("VALUES (5,'2024-01-25 10:00:00'), (6,'2024-02-25 10:00:00')")])
        t.write()
        self.rows("SELECT id FROM w.db.t WHERE ts < TIMESTAMP_NTZ '2024-02-01 00:00:00'", 1, 3, 5)
        self.rows("SELECT id FROM w.db.t WHERE ts >= TIMESTAMP_NTZ '2024-02-18 00:00:00'", 4, 6)
        self.rows("SELECT count(*) FROM w.db.t WHERE NOT (ts < TIMESTAMP_NTZ '2024-02-01 00:00:00')", 3)
        self.rows("SELECT _spec_id, count(*) FROM w.db.t GROUP BY 1", (0, 2), (1, 2), (7, 2))


if __name__ == "__main__":
    unittest.main()
