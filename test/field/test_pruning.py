"""Statistics that dropped files with matching rows, or that stopped a scan."""
import random
import struct
import unittest

import tables
from support import FieldTest

ID_NAME = [(1, "id", "long"), (2, "name", "string")]


class Bounds(FieldTest):
    def one(self, column, rows, metrics, version=2, name="t"):
        t = self.table([column], version=version, name=name)
        file = t.data(rows, metrics=metrics)
        t.commit([file])
        t.write()
        return t

    def test_absent_null_counts_are_unknown(self):  # B2
        t = self.table(ID_NAME)
        t.commit([t.data("VALUES (1,NULL), (2,'x')")])
        t.write()
        self.rows("SELECT id FROM w.db.t WHERE name IS NULL", 1)
        self.rows("SELECT id FROM w.db.t WHERE name IS NOT NULL", 2)
        self.rows("SELECT count(name), count(*) FROM w.db.t", (1, 2))

    def test_empty_count_maps_are_unknown(self):  # B2
        t = self.table(ID_NAME)
        t.commit([t.data("VALUES (1,NULL), (2,'x')", null_value_counts=[], value_counts=[], nan_value_counts=[])])
        t.write()
        self.rows("SELECT id FROM w.db.t WHERE name IS NULL", 1)
        self.rows("SELECT id FROM w.db.t WHERE name IS NOT NULL", 2)

    def test_a_bound_cut_inside_a_character(self):  # B3
        value = "a" * 15 + "\u20ac" + "tail"
        cut = value.encode()[:16]
        self.one((1, "s", "string"), "VALUES ('%s')" % value, {1: (cut, cut, 0)})
        self.rows("SELECT s FROM w.db.t WHERE s = '%s'" % value, value)
        self.rows("SELECT s FROM w.db.t WHERE s > 'aaaa'", value)
        self.rows("SELECT s FROM w.db.t WHERE s LIKE 'aaaaaaaaaaaaaaa\u20ac%'", value)
        self.rows("SELECT min(s), max(s) FROM w.db.t", (value, value))
        for name in ("files", "entries", "partitions"):
            self.assertIsNone(self.ask("SELECT * FROM w.db.t.%s" % name).error)

    def test_a_missing_upper_bound_is_open_above(self):  # B4
        value = "\U0010ffff" * 17
        self.one((1, "s", "string"), "VALUES ('%s')" % value, {1: (value[:16], None, 0)})
        self.rows("SELECT length(s) FROM w.db.t WHERE s > 'z'", 17)
        self.rows("SELECT length(s) FROM w.db.t WHERE s = '%s'" % value, 17)
        self.rows("SELECT length(max(s)) FROM w.db.t", 17)

    def test_an_upper_bound_behind_the_surrogates(self):  # B4
        value = "a" * 15 + "\ud7ff" + "x"
        self.one((1, "s", "string"), "VALUES ('%s')" % value, {1: (value[:16], "a" * 15 + "\ue000", 0)})
        self.rows("SELECT length(s) FROM w.db.t WHERE s >= '%s'" % value, 17)
        self.rows("SELECT length(s) FROM w.db.t WHERE s <= 'b'", 17)

    def test_negative_decimal_bounds_are_signed(self):  # B6
        t = self.one((1, "d", "decimal(7,2)"), "VALUES (-9969.53), (12.50)", {1: (bytes.fromhex("f0c9a7"), bytes.fromhex("04e2"), 0)})
        self.assertEqual(tables.bound("decimal(7,2)", "-9969.53"), bytes.fromhex("f0c9a7"))
        self.assertTrue(t)
        self.rows("SELECT d FROM w.db.t WHERE d < 0", "-9969.53")
        self.rows("SELECT d FROM w.db.t WHERE d > 0", "12.50")
        self.rows("SELECT d FROM w.db.t WHERE d > 12.50")
        self.rows("SELECT min(d), max(d) FROM w.db.t", ("-9969.53", "12.50"))

    def test_decimals_stored_as_int_in_parquet(self):  # B7
        self.one((1, "d", "decimal(9,2)"), "VALUES (-6.59)", {1: ("-6.59", "-6.59", 0)})
        self.rows("SELECT d FROM w.db.t WHERE d = -6.59", "-6.59")
        self.rows("SELECT d FROM w.db.t WHERE d IN (-6.59, 1)", "-6.59")
        self.rows("SELECT d FROM w.db.t WHERE d > -6.59")
        self.one((1, "d", "decimal(18,2)"), "VALUES (-6.59)", {1: ("-6.59", "-6.59", 0)}, name="wide")
        self.rows("SELECT d FROM w.db.wide WHERE d = -6.59", "-6.59")

    def test_wide_decimals_over_row_groups(self):  # B8
        t = self.table([(1, "d", "decimal(38,0)")])
        rows = "SELECT CASE WHEN range = 7 THEN 256 WHEN range >= 2048 THEN 2 + range % 254 ELSE 1 END FROM range(4096)"
        t.commit([t.data(rows, count=4096, options=", ROW_GROUP_SIZE 2048", metrics={1: ("1", "256", 0)})])
        t.write()
        self.rows("SELECT d FROM w.db.t WHERE d = 256", "256")
        self.rows("SELECT min(d), max(d) FROM w.db.t", ("1", "256"))
        self.rows("SELECT count(*) FROM w.db.t WHERE d > 255", 1)

    def test_decimal_bounds_of_minimal_length(self):  # B11
        self.assertEqual(tables.bound("decimal(38,0)", "32768"), bytes.fromhex("008000"))
        self.one((1, "d", "decimal(38,0)"), "VALUES (32768)", {1: (bytes.fromhex("008000"), bytes.fromhex("008000"), 0)})
        self.rows("SELECT d FROM w.db.t WHERE d = 32768", "32768")
        self.rows("SELECT d FROM w.db.t WHERE d > 32767", "32768")
        self.rows("SELECT max(d) FROM w.db.t", "32768")

    def test_decimal_bounds_longer_than_needed(self):  # B11
        self.one((1, "d", "decimal(38,0)"), "VALUES (32768)", {1: (bytes.fromhex("00000000008000"), bytes.fromhex("008000"), 0)})
        self.rows("SELECT d FROM w.db.t WHERE d = 32768", "32768")

    def test_uuids_are_ordered_without_sign(self):  # B14
        low, high = "40000000-0000-4000-8000-000000000000", "fd000000-0000-4000-8000-000000000000"
        for name, bounds in (("right", (low, high, 0)), ("legacy", (high, low, 0))):  # signed writers take fd.. for the smaller one
            self.one((1, "u", "uuid"), "VALUES ('%s'), ('%s')" % (low, high), {1: bounds}, name=name)
            self.rows("SELECT u FROM w.db.%s WHERE u = '%s'" % (name, high), high)
            self.rows("SELECT u FROM w.db.%s WHERE u = '%s'" % (name, low), low)
            self.rows("SELECT u FROM w.db.%s WHERE u > '81000000-0000-4000-8000-000000000000'" % name, high)
            self.rows("SELECT u FROM w.db.%s WHERE u < '81000000-0000-4000-8000-000000000000'" % name, low)

    def test_int_bounds_of_eight_bytes(self):  # B15
        for kind, sql, one, other in (("int", "VALUES (1), (5)", "5", "6"), ("date", "VALUES ('1970-01-02'), ('1970-01-06')",
                                                                              "DATE '1970-01-06'", "DATE '1970-01-07'")):
            self.one((1, "c", kind), sql, {1: (struct.pack("<q", 1), struct.pack("<q", 5), 0)}, name=kind)
            self.rows("SELECT count(*) FROM w.db.%s WHERE c = %s" % (kind, one), 1)
            self.rows("SELECT count(*) FROM w.db.%s WHERE c = %s" % (kind, other), 0)
            self.assertIsNone(self.ask("SELECT readable_metrics FROM w.db.%s.files" % kind).error)

    def test_bounds_older_than_the_promotion(self):  # B16
        cases = (("int", "long", "VALUES (-5), (7)", (-5, 7, 0), "-5", "7"), ("float", "double", "VALUES (-1.5), (2.5)", (-1.5, 2.5, 0), "-1.5", "2.5"),
                 ("decimal(5,2)", "decimal(30,2)", "VALUES (-1.50), (2.50)", ("-1.50", "2.50", 0), "-1.50", "2.50"))
        for old, new, rows, metrics, low, high in cases:
            name = old[:4]
            t = self.table([(1, "c", old)], name=name)
            t.commit([t.data(rows, metrics={1: metrics})])
            t.columns([(1, "c", new)])
            t.write()
            self.rows("SELECT c FROM w.db.%s WHERE c = %s" % (name, low), low)
            self.rows("SELECT c FROM w.db.%s WHERE c > 0" % name, high)
            self.rows("SELECT min(c), max(c) FROM w.db.%s" % name, (low, high))

    def test_date_bounds_of_a_column_that_is_a_timestamp_now(self):  # B16
        t = self.table([(1, "c", "date")], version=3)
        t.commit([t.data("VALUES ('2020-01-01'), ('2020-01-03')", metrics={1: (tables.days("2020-01-01"), tables.days("2020-01-03"), 0)})])
        t.columns([(1, "c", "timestamp")])
        t.write()
        self.rows("SELECT c FROM w.db.t WHERE c = TIMESTAMP_NTZ '2020-01-03 00:00:00'", "2020-01-03 00:00:00")
        self.rows("SELECT count(*) FROM w.db.t WHERE c > TIMESTAMP_NTZ '2020-01-02 12:00:00'", 1)

    def test_bounds_of_an_odd_length_are_no_bounds(self):  # B16
        self.one((1, "c", "long"), "VALUES (5)", {1: (b"\1\0", b"\1\0", 0)})
        self.rows("SELECT c FROM w.db.t WHERE c = 5", 5)
        self.rows("SELECT min(c) FROM w.db.t", 5)
        self.one((1, "c", "double"), "VALUES (5.0)", {1: (b"", b"\1\0\0", 0)}, name="d")
        self.rows("SELECT c FROM w.db.d WHERE c > 4", "5.0")

    def test_nan_in_bounds_proves_nothing(self):  # B18
        nan = float("nan")
        for name, bounds in (("upper", (1.0, nan, 0)), ("both", (nan, nan, 0)), ("lower", (nan, 1.0, 0))):
            self.one((1, "x", "double"), "VALUES ('1.0'), ('NaN')", {1: bounds}, name=name)
            self.rows("SELECT x FROM w.db.%s WHERE x NOT IN (1.0, 2.0)" % name, "NaN")
            self.rows("SELECT x FROM w.db.%s WHERE x = 1.0" % name, "1.0")
            self.rows("SELECT x FROM w.db.%s WHERE x > 5.0" % name, "NaN")
            self.rows("SELECT count(*) FROM w.db.%s WHERE x >= 1.0" % name, 2)
            self.rows("SELECT min(x), max(x) FROM w.db.%s" % name, ("1.0", "NaN"))

    def test_nan_beside_clean_bounds(self):  # B18
        t = self.table([(1, "x", "double")])
        t.commit([t.data("VALUES ('1.0'), ('NaN')", metrics={1: (1.0, 1.0, 0)}, nan_value_counts=[{"key": 1, "value": 1}])])
        t.write()
        self.rows("SELECT x FROM w.db.t WHERE x <> 1.0", "NaN")
        self.rows("SELECT x FROM w.db.t WHERE x > 100.0", "NaN")
        self.rows("SELECT max(x) FROM w.db.t", "NaN")
        self.rows("SELECT x FROM w.db.t WHERE isnan(x)", "NaN")
        self.rows("SELECT count(*) FROM w.db.t WHERE x = 1.0", 1)

    def test_a_null_is_no_match_of_not_equal(self):  # B19
        self.one((1, "x", "int"), "VALUES (NULL), (5)", {1: (5, 5, 1)})
        self.rows("SELECT count(*) FROM w.db.t WHERE x <> 5", 0)
        self.rows("SELECT count(*) FROM w.db.t WHERE x = 5", 1)
        self.rows("SELECT count(*) FROM w.db.t WHERE NOT (x = 5)", 0)
        self.rows("SELECT count(*) FROM w.db.t WHERE x IN (5, 6)", 1)
        self.rows("SELECT count(*) FROM w.db.t WHERE x NOT IN (6)", 1)
        self.rows("SELECT count(*) FROM w.db.t WHERE NOT (x <=> 5)", 1)
        self.rows("SELECT count(*) FROM w.db.t WHERE x < 10 OR x >= 10", 1)

    def test_an_expression_is_not_its_column(self):  # B21
        self.one((1, "s", "string"), "VALUES ('abc'), ('abcde')", {1: ("abc", "abcde", 0)})
        self.rows("SELECT s FROM w.db.t WHERE length(s) = 5", "abcde")
        self.rows("SELECT s FROM w.db.t WHERE upper(s) = 'ABC'", "abc")
        self.rows("SELECT s FROM w.db.t WHERE concat(s, 'x') = 'abcx'", "abc")
        self.rows("SELECT s FROM w.db.t WHERE substr(s, 2) = 'bc'", "abc")

    def test_a_cast_is_not_its_column(self):  # B21
        self.one((1, "i", "int"), "VALUES (9), (10)", {1: (9, 10, 0)})
        self.rows("SELECT i FROM w.db.t WHERE CAST(i AS string) = '10'", 10)
        self.rows("SELECT i FROM w.db.t WHERE CAST(i AS string) < '2'", 10)
        self.rows("SELECT i FROM w.db.t WHERE -i = -9", 9)
        self.rows("SELECT i FROM w.db.t WHERE i + 100 > 109", 10)
        self.rows("SELECT i FROM w.db.t WHERE i > 9.5", 10)
        self.rows("SELECT i FROM w.db.t WHERE i < 3000000000", 9, 10)
        self.rows("SELECT i FROM w.db.t WHERE i = '9'", 9)

    def test_both_zeros_are_equal(self):
        for name, bounds in (("right", (-0.0, 0.0, 0)), ("lying", (0.0, -0.0, 0))):
            self.one((1, "x", "double"), "VALUES ('-0.0'), ('0.0')", {1: bounds}, name=name)
            self.rows("SELECT count(*) FROM w.db.%s WHERE x = 0.0" % name, 2)
            self.rows("SELECT count(*) FROM w.db.%s WHERE x < 0.0" % name, 0)
            self.rows("SELECT count(*) FROM w.db.%s WHERE x >= 0.0 AND x <= -0.0" % name, 2)

    def test_a_long_list_finds_what_a_short_one_finds(self):
        t = self.table()
        t.commit([t.data("VALUES (%d), (%d)" % (n, n + 1), metrics={1: (n, n + 1, 0)}) for n in range(0, 1000, 100)])
        t.write()
        many = ", ".join(str(n) for n in range(401, 602))
        self.rows("SELECT id FROM w.db.t WHERE id IN (%s)" % many, 401, 500, 501, 600, 601)
        self.rows("SELECT count(*) FROM w.db.t WHERE id NOT IN (%s)" % many, 15)

    def test_partitions_and_bounds_together_lose_no_row(self):  # B20
        dice = random.Random(681)
        columns = [(1, "type_id", "int"), (2, "ts", "timestamp"), (3, "name", "string")]
        t = self.table(columns, [("type_id", "identity", 1), ("ts_month", "month", 2)])
        names = ["a-rather-long-prefix-%s" % c for c in "abc"] + ["foobar", "foo", "zz"]
        rows, files = [], []
        for type_id in (35, 36, 37):
            for month in (1, 2):
                for _ in range(2):
                    some = sorted((dice.choice(names), type_id, "2024-%02d-%02d 00:00:00" % (month, dice.randint(1, 28))) for _ in range(6))
                    rows += some
                    low, high = some[0][0], some[-1][0]
                    high = high if len(high) <= 16 else high[:15] + chr(ord(high[15]) + 1)
                    values = ", ".join("(%d,'%s','%s')" % (i, ts, name) for name, i, ts in some)
                    files.append(t.data("VALUES " + values, metrics={1: (type_id, type_id, 0), 3: (low[:16], high, 0)},
                                        partition={"type_id": type_id, "ts_month": (2024 - 1970) * 12 + month - 1}))
        t.commit(files)
        t.write()
        for name in names:
            wanted = sum(n == name and i == 36 for n, i, _ in rows)
            self.rows("SELECT count(*) FROM w.db.t WHERE type_id=36 AND name='%s'" % name, wanted)
            wanted = sum(n >= name and ts < "2024-02-03" for n, _, ts in rows)
            self.rows("SELECT count(*) FROM w.db.t WHERE name >= '%s' AND ts < TIMESTAMP_NTZ '2024-02-03 00:00:00'" % name, wanted)


class Summaries(FieldTest):
    SPEC = [("ts_day", "day", 2)]
    COLUMNS = [(1, "id", "long"), (2, "ts", "timestamp")]

    def listed(self, summaries, name="t"):
        t = self.table(self.COLUMNS, self.SPEC, name=name)
        file = t.data("VALUES (1,'2024-01-01 10:00:00')", partition={"ts_day": tables.days("2024-01-01")})
        t.commit(manifests=[t.manifest([file], partitions=summaries)])
        t.write()

    def test_a_summary_without_bounds_is_unknown(self):  # B17
        self.listed([{"contains_null": False, "contains_nan": None, "lower_bound": None, "upper_bound": None}])
        self.rows("SELECT id FROM w.db.t WHERE ts = TIMESTAMP_NTZ '2024-01-01 10:00:00'", 1)
        self.rows("SELECT id FROM w.db.t WHERE ts > TIMESTAMP_NTZ '2023-01-01 10:00:00'", 1)
        self.rows("SELECT id FROM w.db.t WHERE ts IS NOT NULL", 1)

    def test_half_a_summary_is_half_known(self):  # B17
        low = struct.pack("<i", tables.days("2024-01-01"))
        self.listed([{"contains_null": False, "contains_nan": None, "lower_bound": low, "upper_bound": None}])
        self.rows("SELECT id FROM w.db.t WHERE ts >= TIMESTAMP_NTZ '2024-01-01 10:00:00'", 1)
        self.listed([{"contains_null": False, "contains_nan": None, "lower_bound": None, "upper_bound": low}], name="u")
        self.rows("SELECT id FROM w.db.u WHERE ts <= TIMESTAMP_NTZ '2024-01-01 10:00:00'", 1)

    def test_an_absent_or_short_summary_is_unknown(self):  # B17, C9
        self.listed(None)
        self.rows("SELECT id FROM w.db.t WHERE ts > TIMESTAMP_NTZ '2023-01-01 10:00:00'", 1)
        self.listed([], name="u")
        self.rows("SELECT id FROM w.db.u WHERE ts > TIMESTAMP_NTZ '2023-01-01 10:00:00'", 1)


if __name__ == "__main__":
    unittest.main()
