"""Names of files and folders that engines cut, decoded twice or sent to the wrong place."""
import os
import shutil
import unittest

from support import FieldTest


class Paths(FieldTest):
    ODD = ["a b", "100%", "a%20b", "plus+", "q?x", "and&", "k=v", "hash#1", "über", "😀", "semi;colon", "it's", 'q"q', "(x)", "[1]", "{a,b}", "star*",
           "a\\b", "~", "new\nline"]

    def test_stored_paths_are_taken_byte_for_byte(self):  # G14
        for number, name in enumerate(self.ODD):
            t = self.table([(1, "id", "int"), (2, "data#1", "string")], [("data#1", "identity", 2)], name="t%d" % number)
            data = t.data("VALUES (1, 'x'), (2, 'x')", name="data/data%%231=%s/%s.parquet" % (name, name), partition={"data#1": "x"})
            t.commit([data])
            t.commit([t.position_delete([(data["file_path"], 0)], partition={"data#1": "x"})])
            t.write()
            self.rows("SELECT id FROM w.db.t%d WHERE `data#1` = 'x'" % number, 2)
            self.rows("SELECT _file FROM w.db.t%d" % number, data["file_path"])

    def test_folders_with_odd_names(self):  # G14, G15
        for number, name in enumerate(self.ODD):
            if "#" in name or "\n" in name:  # a # parts the path from the metadata table, as in Spark
                continue
            t = self.table(folder=os.path.join(self.root, "odd", name, "t"))
            t.commit([t.data("VALUES (%d)" % number)])
            t.write()
            self.rows("SELECT id FROM iceberg.`%s`" % t.folder, number)

    def test_forms_of_local_uris(self):  # G15
        for number, (prefix, how) in enumerate([("file:", "one slash"), ("file://", "three slashes"), ("", "none"), ("file://localhost", "a host")]):
            folder = os.path.join(self.warehouse, "db", "t%d" % number)
            t = self.table(folder=folder, location=prefix + folder)
            data = t.data("VALUES (1), (2)")
            t.commit([data])
            t.commit([t.position_delete([(data["file_path"], 1)])])
            t.write()
            if how == "a host":
                answer = self.ask("SELECT id FROM w.db.t%d" % number)
                self.assertTrue(answer.error is None or "localhost" in answer.error["message"], answer.error)
            else:
                self.rows("SELECT id FROM w.db.t%d" % number, 1)
                self.rows("SELECT id FROM iceberg.`%s`" % t.location, 1)
                self.rows("SELECT id FROM iceberg.`%s/metadata/v1.metadata.json`" % t.location, 1)

    def test_delete_and_data_paths_of_two_forms_meet(self):  # G15, A19
        folder = os.path.join(self.warehouse, "db", "t")
        for number, (data_form, delete_form) in enumerate([("file:%s", "file://%s"), ("%s", "file:%s"), ("file://%s", "%s")]):
            t = self.table(folder=folder + str(number))
            data = t.data("VALUES (1), (2)")
            path = data["file_path"]
            data["file_path"] = data_form % path
            t.commit([data])
            t.commit([t.position_delete([(delete_form % path, 1)])])
            t.write()
            answer = self.ask("SELECT id FROM w.db.t%d" % number)
            # The specification compares full URIs, byte for byte; what must not be is an answer that forgets the table's form.
            self.assertIsNone(answer.error)
            self.assertIn(answer.rows, ([["1"]], [["1"], ["2"]]))

    def test_a_percent_in_a_uri_is_not_decoded(self):  # G15
        folder = os.path.join(self.warehouse, "db", "a%20b")
        t = self.table(folder=folder, location="file://" + folder)
        t.commit([t.data("VALUES (1)")])
        t.write()
        self.rows("SELECT id FROM w.db.`a%20b`", 1)
        self.rows("SELECT id FROM iceberg.`file://%s`" % folder, 1)

    def test_another_host_is_refused(self):  # G15
        t = self.table(location="file://elsewhere/db/t")
        t.commit([t.data("VALUES (1)")])
        t.write()
        self.refused("SELECT id FROM w.db.t", "elsewhere")

    def test_an_unknown_scheme_is_named(self):  # G15
        for scheme in ("hdfs://name:8020", "s3x://bucket", "gopher://x"):
            t = self.table(location=scheme + "/db/t", folder=os.path.join(self.warehouse, "db", scheme[:3]))
            t.commit([t.data("VALUES (1)")])
            t.write()
            self.refused("SELECT id FROM w.db.%s" % scheme[:3], scheme.split(":")[0])

    def test_the_folder_name_inside_a_parent_name(self):  # G16
        folder = os.path.join(self.root, "x-repro", "repro")
        t = self.table(folder=folder)
        data = t.data("VALUES (1), (2)")
        t.commit([data])
        t.commit([t.position_delete([(data["file_path"], 0)])])
        t.write()
        self.rows("SELECT id FROM iceberg.`%s`" % folder, 2)

    def test_tables_and_namespaces_with_odd_names(self):  # G3, G4
        for number, (namespace, name) in enumerate([("my ns", "a b"), ("a.b", "t"), ("50%", "x%2Fy"), ("ü", "😀"), ("a", "a.b")]):
            t = self.table(folder=os.path.join(self.warehouse, namespace, name))
            t.commit([t.data("VALUES (%d)" % number)])
            t.write()
            self.rows("SELECT id FROM w.`%s`.`%s`" % (namespace, name), number)
            answer = self.ask("SHOW TABLES IN w.`%s`" % namespace)
            self.assertIsNone(answer.error)
            self.assertIn(name, [cell for row in answer.rows for cell in row])

    def test_names_do_not_climb_out_of_the_warehouse(self):  # G4
        t = self.table(folder=os.path.join(self.root, "secret", "t"))
        t.commit([t.data("VALUES (1)")])
        t.write()
        os.makedirs(os.path.join(self.warehouse, "db"), exist_ok=True)
        for name in ("`../secret`.t", "db.`../../secret/t`", "`..`.secret.t", "db.`..`.`..`.secret.t"):
            self.assertIsNotNone(self.ask("SELECT id FROM w." + name).error, name)

    def test_a_table_behind_a_symbolic_link(self):  # G16
        t = self.table(name="real")
        t.commit([t.data("VALUES (1)")])
        t.write()
        os.symlink(t.folder, os.path.join(self.warehouse, "db", "link"))
        self.rows("SELECT id FROM w.db.link", 1)

    def test_a_copied_table_reads_what_its_metadata_names(self):  # A19
        t = self.table(name="first")
        t.commit([t.data("VALUES (1)")])
        t.write()
        shutil.copytree(t.folder, os.path.join(self.warehouse, "db", "copy"))
        self.rows("SELECT id FROM w.db.copy", 1)


if __name__ == "__main__":
    unittest.main()
