"""Metadata files, manifest lists and manifests as other writers leave them."""
import gzip
import json
import os
import unittest

import avro
import tables
from support import FieldTest

EVERY = "SELECT * FROM w.db.t"


class Hints(FieldTest):
    """Path tables: which metadata file is the newest."""

    def versions(self, count):
        """Metadata of versions 1 to `count`; version n has the rows 1 to n."""
        t = self.table()
        contents = []
        for number in range(1, count + 1):
            t.commit([t.data("VALUES (%d)" % number)])
            contents.append(json.dumps(t.metadata()).encode())
        return t, contents

    def test_names_of_two_kinds_are_not_compared(self):  # E2
        t, contents = self.versions(4)
        for number, content in enumerate(contents, 1):
            t.write("v%d.metadata.json" % number, "4", content)
        t.write("00005-9c12d441-03fe-4693-9a96-a0705ddf69c1.metadata.json", "4", contents[2])
        self.rows(EVERY, 1, 2, 3, 4)

    def test_a_hint_that_is_one_behind(self):  # E2
        t, contents = self.versions(5)
        for number, content in enumerate(contents, 1):
            t.write("v%d.metadata.json" % number, "4", content)
        self.rows(EVERY, 1, 2, 3, 4, 5)

    def test_a_hint_ahead_of_the_files(self):  # E3
        t, contents = self.versions(4)
        for number, content in enumerate(contents, 1):
            t.write("v%d.metadata.json" % number, "5", content)
        self.rows(EVERY, 1, 2, 3, 4)

    def test_no_hint_and_names_of_a_catalog(self):  # E4
        t, contents = self.versions(2)
        for number, content in enumerate(contents):
            t.write("%05d-9c12d441-03fe-4693-9a96-a0705ddf69c%d.metadata.json" % (number, number), None, content)
        self.rows("SELECT * FROM iceberg.`%s`" % t.folder, 1, 2)

    def test_no_hint_and_names_of_versions(self):  # E4
        t, contents = self.versions(11)
        for number, content in enumerate(contents, 1):
            t.write("v%d.metadata.json" % number, None, content)
        self.rows("SELECT count(*) FROM w.db.t", 11)

    def test_a_spoilt_hint(self):  # E3
        t, contents = self.versions(2)
        for hint in ("", "garbage", "-1", "99999999999999999999", "2\n", " 2 "):
            for number, content in enumerate(contents, 1):
                t.write("v%d.metadata.json" % number, hint, content)
            self.rows(EVERY, 1, 2)

    def test_gzip_under_any_name(self):  # E5
        t, contents = self.versions(1)
        packed = gzip.compress(contents[0])
        for name in ("v1.gz.metadata.json", "v1.metadata.json.gz", "v1.metadata.json"):
            t.write(name, "1", packed)
            self.rows(EVERY, 1)
            self.rows("SELECT * FROM iceberg.`%s/metadata/%s`" % (t.folder, name), 1)
            os.remove(os.path.join(t.folder, "metadata", name))


class Manifests(FieldTest):
    def test_entries_of_status_and_file_only_inherit(self):  # E6
        t = self.table()
        first = t.data("VALUES (1)")
        bare = ("snapshot_id", "sequence_number", "file_sequence_number")
        t.commit(manifests=[t.manifest([first], without=bare)])
        t.commit([t.equality_delete([1], "VALUES (1)")])
        t.commit(manifests=[t.manifest([t.data("VALUES (1)")], without=bare)])
        t.write()
        self.rows(EVERY, 1)
        self.rows("SELECT snapshot_id, sequence_number FROM w.db.t.entries WHERE data_file.content = 0", (1001, 1), (1003, 3))

    def test_existing_entries_without_a_number_are_an_error(self):  # E6
        t = self.table()
        old = t.data("VALUES (1)", status=0, snapshot_id=77)
        t.commit(manifests=[t.manifest([old])])
        t.write()
        self.refused(EVERY, "sequence")

    def test_a_manifest_without_any_header(self):  # E8
        t = self.table([(1, "id", "long"), (2, "p", "string")], [("p", "identity", 2)])
        t.commit(manifests=[t.manifest([t.data("VALUES (1,'a')", partition={"p": "a"})], header={})])
        t.write()
        self.rows(EVERY, (1, "a"))
        self.rows("SELECT id FROM w.db.t WHERE p = 'b'")
        self.rows("SELECT partition.p FROM w.db.t.files", "a")

    def test_a_manifest_of_a_spec_the_table_has_not(self):  # E8
        t = self.table()
        t.commit(manifests=[t.manifest([t.data("VALUES (1)")], partition_spec_id=5)])
        t.write()
        self.refused(EVERY, "spec 5", "metadata/")

    def test_inline_manifests_of_version_1(self):  # E9
        t = self.table(version=1)
        lines = [t.manifest([t.data("VALUES (%d)" % n)], 1001) for n in (1, 2)]
        t.commit(manifests=lines)
        t.snapshots[0].update({"manifest-list": Ellipsis, "manifests": [line["manifest_path"] for line in lines]})
        t.write()
        self.rows(EVERY, 1, 2)
        self.rows("SELECT count(*) FROM w.db.t", 2)
        self.rows("SELECT content FROM w.db.t.manifests", 0, 0)

    def test_version_1_without_lists_of_schemas_and_specs(self):  # E9
        t = self.table([(1, "id", "long"), (2, "p", "string")], [("p", "identity", 2)], version=1)
        t.commit([t.data("VALUES (1,'a')", partition={"p": "a"})])
        for name in ("schemas", "current-schema-id", "partition-specs", "default-spec-id", "refs", "snapshot-log", "metadata-log", "sort-orders",
                     "default-sort-order-id", "last-partition-id", "table-uuid", "properties"):
            t.extra[name] = Ellipsis
        t.write()
        self.rows("SELECT * FROM w.db.t WHERE p = 'a'", (1, "a"))
        self.rows("SELECT * FROM w.db.t VERSION AS OF 1001", (1, "a"))

    def test_four_codecs_are_read_and_the_others_named(self):  # E10
        for codec in sorted(avro.CODECS):
            t = self.table(name=codec)
            t.commit([t.data("VALUES (1)")], codec=codec, list_codec=codec)
            t.write()
            if codec in ("bzip2", "xz"):
                self.refused("SELECT * FROM w.db.%s" % codec, codec, "metadata/")
            else:
                self.rows("SELECT * FROM w.db.%s" % codec, 1)

    def test_a_snappy_block_with_a_false_checksum(self):  # E10
        t = self.table()
        t.commit([t.data("VALUES (1)")], list_codec="snappy")
        t.write()
        path = os.path.join(t.folder, "metadata", "snap-1001.avro")
        with open(path, "rb") as file:
            raw = bytearray(file.read())
        raw[-17] ^= 1
        t.put("metadata/snap-1001.avro", bytes(raw))
        self.refused(EVERY, "snap-1001.avro", "CRC")

    def test_no_codec_means_null(self):  # A22
        t = self.table()
        t.commit([t.data("VALUES (1)")], list_codec=None, codec=None)
        t.write()
        self.rows(EVERY, 1)

    def test_a_limit_opens_few_files(self):  # E12
        t = self.table()
        lines = [t.manifest([t.data("VALUES (%d)" % n, name="data/%d.parquet" % n) if n < 20 else
                             {"file_path": t.location + "/data/none-%d.parquet" % n, "file_format": "PARQUET", "partition": {}, "record_count": 1,
                              "file_size_in_bytes": 500, "content": 0}]) for n in range(200)]
        t.commit(manifests=lines)
        t.write()
        self.rows("SELECT count(*) FROM w.db.t", 200)
        self.rows("SELECT id FROM w.db.t LIMIT 1", 0)

    def test_counts_beyond_32_bits(self):  # E13
        t = self.table()
        t.commit([t.data("VALUES (1)", count=1500000000), t.data("VALUES (2)", count=1500000000)])
        t.write()
        self.rows("SELECT count(*) FROM w.db.t", 3000000000)
        self.rows("SELECT sum(record_count) FROM w.db.t.files", 3000000000)
        self.rows("SELECT record_count FROM w.db.t.partitions", 3000000000)

    def test_lists_of_two_nullabilities(self):  # E14
        t = self.table(version=1)
        t.commit([t.data("VALUES (1)")])
        t.version = 2
        t.commit([t.data("VALUES (2)")])
        t.write()
        self.rows(EVERY, 1, 2)
        self.rows("SELECT id FROM w.db.t VERSION AS OF 1001", 1)
        self.rows("SELECT added_snapshot_id FROM w.db.t.all_manifests", 1001, 1001, 1002)

    def test_a_list_without_optional_parts(self):  # E14, A22
        t = self.table()
        t.commit([t.data("VALUES (1)")], list_without=("partitions", "key_metadata", "added_files_count", "existing_files_count",
                                                       "deleted_files_count", "added_rows_count", "existing_rows_count", "deleted_rows_count"))
        t.write()
        self.rows(EVERY, 1)
        self.rows("SELECT count(*) FROM w.db.t", 1)

    def test_a_file_listed_twice_counts_twice(self):  # E15
        t = self.table()
        data = t.data("VALUES (1)")
        t.commit([data])
        t.commit([data])
        t.write()
        self.rows(EVERY, 1, 1)
        self.rows("SELECT count(*) FROM w.db.t", 2)
        self.rows("SELECT count(*) FROM w.db.t.files", 2)

    def test_deletes_of_a_file_listed_twice(self):  # E15
        t = self.table()
        data = t.data("VALUES (1), (2)")
        t.commit([data])
        t.commit([t.position_delete([(data["file_path"], 0)])])
        t.commit([data])
        t.write()
        self.rows(EVERY, 1, 2, 2)

    def test_fields_in_another_order_with_other_names(self):  # E6
        t = self.table()
        data = t.data("VALUES (1)")
        line = t.manifest([data])
        schema = tables.entry_schema([], 2)
        schema["fields"].reverse()
        inner = schema["fields"][0]["type"]["fields"]
        inner.reverse()
        for field in inner:
            field["name"] = "x_" + field["name"]
        entry = {"status": 1, "data_file": {"x_" + k: v for k, v in data.items()}}
        raw = avro.container(schema, [entry], header={"format-version": "2", "partition-spec-id": "0"})
        t.put(os.path.relpath(line["manifest_path"], t.location), raw)
        line["manifest_length"] = len(raw)
        t.commit(manifests=[line])
        t.write()
        self.rows(EVERY, 1)


class Lists(FieldTest):
    def test_bad_tables_do_not_spoil_the_listing(self):  # G18
        for name in ("a", "b", "c"):
            t = self.table(name=name)
            t.commit([t.data("VALUES (1)")])
            t.write(content=b"{" if name == "b" else None)
        answer = self.ask("SHOW TABLES IN w.db")
        self.assertIsNone(answer.error)
        self.assertEqual(sorted(row[-1] for row in answer.rows), ["a", "b", "c"])  # spark-sql prints only the name
        self.refused("SELECT * FROM w.db.b", "v1.metadata.json")
        self.rows("SELECT * FROM w.db.c", 1)

    def test_a_table_without_snapshots(self):  # G17
        for version in (1, 2, 3):
            for name, current in (("minus", -1), ("null", None), ("none", Ellipsis)):
                t = self.table([(1, "id", "long"), (2, "s", "string")], version=version, name="%s%d" % (name, version))
                t.extra["current-snapshot-id"] = current
                t.write()
                answer = self.rows("SELECT * FROM w.db.%s%d" % (name, version))
                self.assertEqual(answer.schema, "struct<id:bigint,s:string>")
        answers = self.run_sql("SELECT count(*), max(id) FROM w.db.minus2", "SELECT * FROM w.db.minus2.snapshots",
                               "SELECT * FROM w.db.minus2.files", "SELECT count(*) FROM w.db.minus2.partitions")
        self.assertEqual([a.rows for a in answers], [[["0", None]], [], [], [["0"]]])


if __name__ == "__main__":
    unittest.main()
