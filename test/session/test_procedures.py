"""Procedures whose answers hold snapshot ids, file counts or paths; and their laws: expiring keeps every snapshot that stays,
rewriting changes no row, rolling back and forth is the identity, removing orphans never takes a file that is needed."""
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NILAS = os.environ.get("NILAS", os.path.join(ROOT, "build", "nilas"))
TIMEOUT_S = 300 if "sanitize" in NILAS or "thread" in NILAS else 60
LONG_AGO = "timestamp'2999-01-01 00:00:00'"


class ProcedureTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="nilas-procedures-")
        self.warehouse = os.path.join(self.root, "warehouse")
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)

    def run_sql(self, *statements):
        """One process; per statement its rows, or the message of its error as a string."""
        command = [NILAS, "sql", "--format", "json", "--continue"]
        for setting in ("spark.sql.catalog.jdbc=org.apache.iceberg.spark.SparkCatalog", "spark.sql.catalog.jdbc.type=jdbc",
                        "spark.sql.catalog.jdbc.uri=jdbc:sqlite:%s/catalog.db" % self.root,
                        "spark.sql.catalog.jdbc.warehouse=%s/jdbc" % self.root, "spark.sql.session.timeZone=UTC", "spark.sql.catalog.local=org.apache.iceberg.spark.SparkCatalog",
                        "spark.sql.catalog.local.type=hadoop", "spark.sql.catalog.local.warehouse=" + self.warehouse):
            command += ["--conf", setting]
        for statement in statements:
            command += ["-e", statement]
        done = subprocess.run(command, cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=TIMEOUT_S, env=dict(os.environ, HOME=self.root))
        lines = [json.loads(line) for line in done.stdout.decode().split("\n") if line]
        self.assertEqual(len(lines), len(statements), done.stderr.decode("utf-8", "replace")[-2000:])
        return [line["error"]["message"] if "error" in line else line["rows"] for line in lines]

    def do(self, *statements):
        """Statements that succeed; the rows of the last."""
        answers = self.run_sql(*statements)
        for statement, answer in zip(statements, answers):
            self.assertNotIsInstance(answer, str, "%s\n%s" % (statement, answer))
        return answers[-1]

    def refused(self, statement, words):
        answer = self.run_sql(statement)[0]
        self.assertIsInstance(answer, str, "%s\ngave %s" % (statement, answer))
        self.assertIn(words, answer)

    def rows(self, table="local.db.t", suffix=""):
        return sorted(self.do("SELECT * FROM %s %s" % (table, suffix)), key=str)

    def snapshots(self, table="local.db.t"):
        return [row[0] for row in self.do("SELECT snapshot_id FROM %s.snapshots ORDER BY committed_at" % table)]

    def current(self):
        return self.do("SELECT snapshot_id FROM local.db.t.refs WHERE name = 'main'")[0][0]

    def files(self, folder="db/t"):
        found = []
        for path, _, names in os.walk(os.path.join(self.warehouse, folder)):
            found += [os.path.join(path, name) for name in names]
        return sorted(found)

    def create(self, properties="", inserts=3, partitioned=""):
        statements = ["CREATE TABLE local.db.t (id bigint, s string, k int) USING iceberg %s %s" % (
            partitioned, properties and "TBLPROPERTIES (%s)" % properties)]
        for i in range(inserts):
            statements.append("INSERT INTO local.db.t SELECT id, concat('s', id), cast(id %% 3 as int) FROM range(%d, %d)" % (
                i * 10, i * 10 + 10))
        self.do(*statements)


class Moving(ProcedureTest):
    def test_back_and_forward_is_the_identity(self):
        self.create()
        first, second, third = self.snapshots()
        before = self.rows()
        self.assertEqual(self.do("CALL local.system.rollback_to_snapshot('db.t', %s)" % first), [[third, first]])
        self.assertEqual(len(self.rows()), 10)
        self.refused("CALL local.system.rollback_to_snapshot('db.t', %s)" % third, "not an ancestor of the current state")
        self.assertEqual(self.do("CALL local.system.set_current_snapshot('db.t', %s)" % third), [[first, third]])
        self.assertEqual(self.rows(), before)
        self.assertEqual(self.do("CALL local.system.set_current_snapshot('db.t', %s)" % third), [[third, third]])
        self.assertEqual(self.do("CALL local.system.ancestors_of('db.t')")[0][0], third)
        self.assertEqual([row[0] for row in self.do("CALL local.system.ancestors_of('db.t', %s)" % second)], [second, first])

    def test_back_to_a_time(self):
        self.create(inserts=1)
        time.sleep(1.1)
        self.do("INSERT INTO local.db.t VALUES (99, 'x', 0)")
        first, second = self.snapshots()
        (when,), = self.do("SELECT committed_at FROM local.db.t.snapshots WHERE snapshot_id = %s" % second)
        self.assertEqual(self.do("CALL local.system.rollback_to_timestamp('db.t', timestamp'%s')" % when), [[second, first]])
        self.refused("CALL local.system.rollback_to_timestamp('db.t', timestamp'2000-01-01 00:00:00')",
                     "no valid snapshot older than: 946684800000")

    def test_a_branch_is_fast_forwarded_only_along_its_history(self):
        self.create(inserts=1)
        self.do("ALTER TABLE local.db.t CREATE BRANCH dev", "INSERT INTO local.db.t.branch_dev VALUES (99, 'x', 0)")
        first, second = self.snapshots()
        self.assertEqual(self.do("CALL local.system.fast_forward('db.t', 'main', 'dev')"), [["main", first, second]])
        self.assertEqual(self.do("CALL local.system.fast_forward('db.t', 'new', 'dev')"), [["new", None, second]])
        self.do("INSERT INTO local.db.t VALUES (98, 'y', 0)")
        self.refused("CALL local.system.fast_forward('db.t', 'main', 'dev')", "main is not an ancestor of dev")
        self.do("ALTER TABLE local.db.t CREATE TAG fixed")
        self.refused("CALL local.system.fast_forward('db.t', 'fixed', 'main')", "Ref fixed is a tag not a branch")

    def test_an_append_is_picked_once(self):
        self.create(inserts=2)
        first, second = self.snapshots()
        self.do("CALL local.system.rollback_to_snapshot('db.t', %s)" % first, "INSERT INTO local.db.t VALUES (99, 'x', 0)")
        picked = self.do("CALL local.system.cherrypick_snapshot('db.t', %s)" % second)
        self.assertEqual(picked[0][0], second)
        self.assertEqual(picked[0][1], self.current())
        self.assertNotEqual(picked[0][1], second)
        self.assertEqual(len(self.rows()), 21)
        self.assertEqual(self.do("SELECT summary['source-snapshot-id'] FROM local.db.t.snapshots WHERE snapshot_id = %s" %
                                 picked[0][1]), [[second]])
        self.refused("CALL local.system.cherrypick_snapshot('db.t', %s)" % second, "already picked")
        self.refused("CALL local.system.cherrypick_snapshot('db.t', %s)" % first, "already an ancestor")

    def staged_overwrite(self, between):
        """Partitions 1 and 2 overwritten by a staged snapshot, then something else."""
        self.do("CREATE NAMESPACE IF NOT EXISTS local.db", "DROP TABLE IF EXISTS local.db.t",
                "CREATE TABLE local.db.t (id int, p int) PARTITIONED BY (p) TBLPROPERTIES ('write.wap.enabled' = 'true')",
                "INSERT INTO local.db.t VALUES (1, 1), (2, 2), (3, 3)", "SET spark.sql.sources.partitionOverwriteMode=dynamic",
                "SET spark.wap.id=one", "INSERT OVERWRITE local.db.t VALUES (10, 1), (20, 2)", "RESET spark.wap.id", between)

    def test_a_dynamic_overwrite_is_published_unless_its_partitions_changed(self):
        publish = "CALL local.system.publish_changes('db.t', 'one')"
        self.staged_overwrite("INSERT INTO local.db.t VALUES (30, 3)")
        self.do(publish)
        self.assertEqual(self.rows(), [["10", "1"], ["20", "2"], ["3", "3"], ["30", "3"]])
        self.staged_overwrite("INSERT INTO local.db.t VALUES (30, 2)")
        self.refused(publish, "Cannot cherry-pick replace partitions with changed partition: PartitionData{p=2}")
        self.staged_overwrite("DELETE FROM local.db.t WHERE p = 2")
        self.refused(publish, "Missing required files to delete")
        self.assertEqual(self.rows(), [["1", "1"], ["3", "3"]])

    def test_staged_changes_are_published_once(self):
        self.create("'write.wap.enabled' = 'true'", inserts=1)
        self.do("SET spark.wap.id=one", "INSERT INTO local.db.t VALUES (99, 'x', 0)")
        self.do("INSERT INTO local.db.t VALUES (98, 'y', 0)")
        self.assertEqual(len(self.rows()), 11)
        self.do("CALL local.system.publish_changes('db.t', 'one')")
        self.assertEqual(len(self.rows()), 12)
        self.refused("CALL local.system.publish_changes('db.t', 'one')", "published already: one")
        self.refused("CALL local.system.publish_changes('db.t', 'two')", "unknown WAP ID 'two'")

    def test_a_table_is_registered_under_another_name(self):
        self.create()
        newest = max((path for path in self.files() if path.endswith(".metadata.json")), key=os.path.getmtime)
        older = newest.replace("v4.metadata", "v2.metadata")
        call = "CALL jdbc.system.register_table('%s', '%s')"
        self.refused(call % ("db.r", newest), "Namespace does not exist: db")
        self.assertEqual(self.do("CREATE NAMESPACE jdbc.db", call % ("db.r", newest)), [[self.current(), "30", "3"]])
        self.assertEqual(self.rows("jdbc.db.r"), self.rows())
        self.assertEqual(self.do(call % ("db.old", "file:" + older)), [[self.snapshots()[0], "10", "1"]])
        self.assertEqual(len(self.rows("jdbc.db.old")), 10)
        self.assertEqual(self.do(call % ("db.none", newest.replace("v4.metadata", "v1.metadata"))), [[None, None, None]])
        self.refused(call % ("db.r", newest), "Table already exists: ")
        self.refused(call % ("db.x", newest + "x"), "is not a valid metadata file")
        self.do("INSERT INTO jdbc.db.r VALUES (99, 'x', 1)")  # goes on by itself
        self.assertEqual((len(self.rows("jdbc.db.r")), len(self.rows())), (31, 30))

    def test_a_hadoop_catalog_registers_a_table_in_another_folder(self):
        self.create()
        newest = max((path for path in self.files() if path.endswith(".metadata.json")), key=os.path.getmtime)
        self.assertEqual(self.do("CALL local.system.register_table('db.r', '%s')" % newest), [[self.current(), "30", "3"]])
        self.assertEqual(self.rows("local.db.r"), self.rows())
        self.refused("CALL local.system.register_table('db.t', '%s')" % newest, "Table already exists: ")


class Cleaning(ProcedureTest):
    def test_expiring_keeps_every_snapshot_that_stays(self):
        self.create("'write.delete.mode' = 'merge-on-read'", inserts=4, partitioned="PARTITIONED BY (k)")
        self.do("DELETE FROM local.db.t WHERE id = 5", "ALTER TABLE local.db.t CREATE BRANCH b",
                "DELETE FROM local.db.t WHERE k = 1", "INSERT OVERWRITE local.db.t VALUES (1, 'a', 0)",
                "CALL local.system.rewrite_manifests('db.t')", "INSERT INTO local.db.t.branch_b VALUES (100, 'b', 0)")
        content = {id: self.rows(suffix="VERSION AS OF %s" % id) for id in self.snapshots()}
        for keep in (4, 2, 1):
            self.do("CALL local.system.expire_snapshots(table => 'db.t', older_than => %s, retain_last => %d)" % (LONG_AGO, keep))
            left = self.snapshots()
            self.assertLess(len(left), len(content))
            for id in left:
                self.assertEqual(self.rows(suffix="VERSION AS OF %s" % id), content[id])
            content = {id: content[id] for id in left}
        self.assertEqual(len(content), 2)

    def test_named_snapshots_expire_unless_a_ref_needs_them(self):
        self.create()
        first, second, third = self.snapshots()
        self.do("CALL local.system.expire_snapshots(table => 'db.t', snapshot_ids => array(%s))" % second)
        self.assertEqual(self.snapshots(), [first, third])
        self.refused("CALL local.system.expire_snapshots(table => 'db.t', snapshot_ids => array(%s))" % third,
                     "Cannot expire %s. Still referenced by refs: [main]" % third)
        self.assertEqual(len(self.rows()), 30)

    def test_orphans_are_old_files_that_nothing_names(self):
        self.create("'write.delete.mode' = 'merge-on-read'", partitioned="PARTITIONED BY (k)")
        self.do("DELETE FROM local.db.t WHERE id = 5", "DELETE FROM local.db.t WHERE id = 6")
        needed, before = self.files(), self.rows()
        data = os.path.join(self.warehouse, "db/t/data")
        old, young, hidden = (os.path.join(data, name) for name in ("k=1/old.parquet", "young.parquet", "_hidden/x.parquet"))
        for path in (old, young, hidden):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "wb").close()
        week_ago = time.time() - 7 * 86400
        for path in needed + [old, hidden]:
            os.utime(path, (week_ago, week_ago))
        call = "CALL local.system.remove_orphan_files(table => 'db.t'%s)"
        self.assertEqual(self.do(call % ", dry_run => true"), [["file:" + old]])
        self.assertTrue(os.path.exists(old))
        self.assertEqual(self.do(call % ", older_than => current_timestamp() - INTERVAL 10 DAYS"), [])
        self.assertEqual(self.do(call % ""), [["file:" + old]])
        self.assertEqual([path for path in needed if not os.path.exists(path)], [])
        self.assertEqual([os.path.exists(path) for path in (old, young, hidden)], [False, True, True])
        self.assertEqual(self.rows(), before)

    def test_what_expiring_deletes_is_what_would_be_orphan(self):
        self.create()
        self.do("DELETE FROM local.db.t WHERE id < 10",
                "CALL local.system.expire_snapshots('db.t', %s)" % LONG_AGO)
        week_ago = time.time() - 7 * 86400
        for path in self.files():
            os.utime(path, (week_ago, week_ago))
        self.assertEqual(self.do("CALL local.system.remove_orphan_files('db.t')"), [])
        self.assertEqual(len(self.rows()), 20)


class Rewriting(ProcedureTest):
    def rewrite(self, arguments=""):
        before = self.rows()
        (row,), = [self.do("CALL local.system.rewrite_data_files(table => 'db.t'%s)" % arguments)]
        self.assertEqual(self.rows(), before)
        return [int(cell) for cell in row]

    def counts(self):
        return {int(c): int(n) for c, n in self.do("SELECT content, count(*) FROM local.db.t.files GROUP BY 1")}

    def test_small_files_become_one_a_partition(self):
        self.create(inserts=5, partitioned="PARTITIONED BY (k)")
        self.assertEqual(self.rewrite(", options => map('min-input-files', '6')")[:2], [0, 0])
        self.assertEqual(self.rewrite()[:2], [15, 3])
        self.assertEqual(self.counts(), {0: 3})
        self.assertEqual(self.do("SELECT operation FROM local.db.t.snapshots ORDER BY committed_at DESC LIMIT 1"), [["replace"]])
        self.assertEqual(self.rewrite(", where => 'k = 1', options => map('rewrite-all', 'true')")[:2], [1, 1])
        self.assertEqual(self.rewrite(", where => 'k = 7', options => map('rewrite-all', 'true')")[:2], [0, 0])

    def test_rows_are_sorted(self):
        self.create()
        self.assertEqual(self.rewrite(", strategy => 'sort', sort_order => 'id DESC NULLS LAST', "
                                      "options => map('rewrite-all', 'true')")[:2], [3, 1])
        ids = [int(row[0]) for row in self.do("SELECT id FROM local.db.t ORDER BY _file, _pos")]
        self.assertEqual(ids, sorted(ids, reverse=True))
        self.rewrite(", sort_order => 'zorder(k, id)', options => map('rewrite-all', 'true')")

    def test_a_z_order_interleaves(self):
        self.do("CREATE TABLE local.db.t (a int, b int) USING iceberg",
                "INSERT INTO local.db.t SELECT cast(id div 4 as int), cast(id % 4 as int) FROM range(16)")
        self.rewrite(", sort_order => 'zorder(b, a)', options => map('rewrite-all', 'true')")
        rows = [tuple(map(int, row)) for row in self.do("SELECT a, b FROM local.db.t ORDER BY _file, _pos")]
        quarters = [set((a // 2, b // 2) for a, b in rows[i:i + 4]) for i in range(0, 16, 4)]
        self.assertEqual([len(quarter) for quarter in quarters], [1, 1, 1, 1], rows)

    def test_deletes_are_applied_and_vectors_go(self):
        for version in (2, 3):
            with self.subTest(version=version):
                self.do("DROP TABLE IF EXISTS local.db.t")
                self.create("'format-version' = '%d', 'write.delete.mode' = 'merge-on-read'" % version)
                self.do("DELETE FROM local.db.t WHERE id IN (3, 13)")
                self.assertEqual(self.counts(), {0: 3, 1: 2})
                if version == 2:  # nothing to rewrite: not looked for, as in Iceberg
                    answer = self.rewrite(", options => map('remove-dangling-deletes', 'true')")
                    self.assertEqual(answer, [0, 0, 0, 0, 0])
                answer = self.rewrite(", options => map('rewrite-all', 'true', 'remove-dangling-deletes', 'true')")
                self.assertEqual(answer[:2] + answer[3:], [3, 1, 0, 2])
                self.assertEqual(self.counts(), {0: 1})

    def commits(self):
        """What each snapshot did: operation, files added, files removed."""
        return [tuple(row) for row in self.do(
            "SELECT operation, summary['added-data-files'], summary['deleted-data-files'] FROM local.db.t.snapshots "
            "ORDER BY committed_at, summary['total-records']")]

    def test_partial_progress_commits_in_parts(self):
        self.create(inserts=3, partitioned="PARTITIONED BY (k)")
        all_in_one = ", options => map('rewrite-all', 'true', 'max-file-group-size-bytes', '1'"
        self.assertEqual(self.rewrite(all_in_one + ")")[:2], [9, 9])
        self.assertEqual(self.commits()[3:], [("replace", "9", "9")])
        answer = self.rewrite(all_in_one + ", 'partial-progress.enabled', 'true', 'partial-progress.max-commits', '2')")
        self.assertEqual(answer[:2], [9, 9])
        self.assertEqual(self.commits()[4:], [("replace", "5", "5"), ("replace", "4", "4")])
        answer = self.rewrite(all_in_one + ", 'partial-progress.enabled', 'true', 'max-files-to-rewrite', '2')")
        self.assertEqual(answer[:2], [2, 2])
        self.assertEqual(self.commits()[6:], [("replace", "1", "1")] * 2)

    def test_a_group_that_cannot_be_written_is_left_out(self):
        self.create(inserts=2, partitioned="PARTITIONED BY (k)")
        gone = [path for path in self.files() if "/k=1/" in path][0]
        os.rename(gone, gone + ".away")
        before, snapshots = self.files(), self.snapshots()
        options = ", options => map('rewrite-all', 'true'"
        self.refused("CALL local.system.rewrite_data_files(table => 'db.t'%s))" % options, os.path.basename(gone))
        self.assertEqual((self.files(), self.snapshots()), (before, snapshots))
        partial = options + ", 'partial-progress.enabled', 'true'"
        answer = self.do("CALL local.system.rewrite_data_files(table => 'db.t'%s))" % partial)[0]
        self.assertEqual(answer[:2] + answer[3:], ["4", "2", "2", "0"])
        self.assertEqual(len(self.snapshots()), 4)
        self.refused("CALL local.system.rewrite_data_files(table => 'db.t'%s, 'partial-progress.max-failed-commits', '0'))" % partial,
                     "partial-progress.enabled is true but 1 rewrite commits failed. This is more than the maximum allowed failures of 0.")
        os.rename(gone + ".away", gone)
        self.assertEqual(len(self.rows()), 20)

    def test_the_order_of_groups(self):
        self.do("CREATE TABLE local.db.t (id bigint, k int) USING iceberg PARTITIONED BY (k)",
                "INSERT INTO local.db.t SELECT id, 0 FROM range(100)", "INSERT INTO local.db.t SELECT id, 1 FROM range(90000)",
                "INSERT INTO local.db.t SELECT id, 2 FROM range(1000)")
        for order, keys in (("bytes-asc", "021"), ("bytes-desc", "120")):
            self.rewrite(", options => map('rewrite-all', 'true', 'partial-progress.enabled', 'true', 'rewrite-job-order', '%s')" % order)
            found = self.do("SELECT data_file.partition.k FROM local.db.t.entries WHERE status = 1 ORDER BY sequence_number")
            ids = self.snapshots()[-3:]
            found = [self.do("SELECT data_file.partition.k FROM local.db.t.all_entries WHERE status = 1 AND snapshot_id = %s" % i) for i in ids]
            self.assertEqual("".join(row[0] for rows in found for row in rows[:1]), keys)

    def test_a_z_order_stays_within_partitions(self):
        self.do("CREATE TABLE local.db.t (a int, b int, k int) USING iceberg PARTITIONED BY (k)",
                "INSERT INTO local.db.t SELECT cast(id div 16 as int), cast(id div 4 % 4 as int), cast(id % 4 as int) FROM range(64)")
        for unpartitioned in (False, True):
            if unpartitioned:  # one group of files of another spec, whose rows go to four partitions
                self.do("ALTER TABLE local.db.t ADD PARTITION FIELD truncate(10, a)")
            self.rewrite(", sort_order => 'zorder(b, a)', options => map('rewrite-all', 'true')")
            for k in range(4):
                rows = [tuple(map(int, row)) for row in
                        self.do("SELECT a, b FROM local.db.t WHERE k = %d ORDER BY _file, _pos" % k)]
                quarters = [set((a // 2, b // 2) for a, b in rows[i:i + 4]) for i in range(0, 16, 4)]
                self.assertEqual([len(quarter) for quarter in quarters], [1, 1, 1, 1], rows)

    def test_deletes_are_rewritten_in_parts(self):
        self.create("'write.delete.mode' = 'merge-on-read', 'write.delete.granularity' = 'partition'", partitioned="PARTITIONED BY (k)")
        self.do(*["DELETE FROM local.db.t WHERE id IN (%d, %d, %d)" % (i, i + 10, i + 21) for i in range(4)])
        before, snapshots = self.rows(), len(self.snapshots())
        (row,) = self.do("CALL local.system.rewrite_position_delete_files('db.t', map('rewrite-all', 'true', "
                         "'partial-progress.enabled', 'true', 'partial-progress.max-commits', '3'))")
        self.assertEqual(row[:2], ["8", "3"])
        self.assertEqual(len(self.snapshots()), snapshots + 3)
        self.assertEqual(self.rows(), before)
        self.refused("CALL local.system.rewrite_position_delete_files('db.t', map('max-files-to-rewrite', '3'))",
                     "Cannot use options [max-files-to-rewrite]")

    def test_row_lineage_survives(self):
        self.create("'format-version' = '3'")
        ask = "SELECT id, _row_id, _last_updated_sequence_number FROM local.db.t ORDER BY id"
        before = self.do(ask)
        self.rewrite(", options => map('rewrite-all', 'true')")
        self.assertEqual(self.do(ask), before)
        self.do("INSERT INTO local.db.t VALUES (99, 'x', 0)")
        ids = [row[1] for row in self.do(ask)]
        self.assertEqual(len(set(ids)), 31)

    def test_files_of_an_older_spec_are_brought_to_the_new_one(self):
        self.create()
        self.do("ALTER TABLE local.db.t ADD PARTITION FIELD k")
        self.assertEqual(self.rewrite(", options => map('rewrite-all', 'true')")[:2], [3, 3])
        self.assertEqual(self.do("SELECT DISTINCT spec_id FROM local.db.t.files"), [["1"]])

    def test_position_deletes_become_fewer_and_mean_the_same(self):
        self.create("'write.delete.mode' = 'merge-on-read', 'write.delete.granularity' = 'partition'")
        self.do(*["DELETE FROM local.db.t WHERE id IN (%d, %d)" % (i, i + 10) for i in range(5)])
        before = self.rows()
        self.assertEqual(self.counts(), {0: 3, 1: 5})
        (row,) = self.do("CALL local.system.rewrite_position_delete_files('db.t')")
        self.assertEqual(row[:2], ["5", "1"])
        self.assertEqual(self.counts(), {0: 3, 1: 1})
        self.assertEqual(self.rows(), before)
        self.do("ALTER TABLE local.db.t SET TBLPROPERTIES ('format-version' = '3')")
        (row,) = self.do("CALL local.system.rewrite_position_delete_files('db.t', map('rewrite-all', 'true'))")
        self.assertEqual(row[:2], ["1", "2"])
        self.assertEqual(self.rows(), before)
        self.do("DELETE FROM local.db.t WHERE id = 9")
        self.assertEqual(self.rows(), [r for r in before if r[0] != "9"])

    def test_manifests_become_one_and_mean_the_same(self):
        self.create(inserts=5, partitioned="PARTITIONED BY (k)")
        before = self.rows()
        self.assertEqual(self.do("CALL local.system.rewrite_manifests('db.t')"), [["5", "1"]])
        self.assertEqual(self.rows(), before)
        partitions = [row[0] for row in self.do("SELECT data_file.partition.k FROM local.db.t.entries")]
        self.assertEqual(partitions, sorted(partitions))


class Cleaning(ProcedureTest):
    def metadata(self):
        folder = self.warehouse + "/db/t/metadata/"
        newest = max((f for f in os.listdir(folder) if f.endswith(".metadata.json")), key=lambda f: int(f[1:f.index(".")]))
        with open(folder + newest) as file:
            return json.load(file)

    def test_schemas_and_specs_that_nobody_needs_go_with_their_snapshots(self):
        self.create(inserts=1, partitioned="PARTITIONED BY (k)")
        self.do("ALTER TABLE local.db.t ADD COLUMN z int", "INSERT INTO local.db.t VALUES (90, 's', 1, 5)",
                "ALTER TABLE local.db.t ADD PARTITION FIELD truncate(1, s)", "ALTER TABLE local.db.t ADD COLUMN y int",
                "ALTER TABLE local.db.t ADD PARTITION FIELD bucket(3, id)", "INSERT INTO local.db.t VALUES (91, 's', 1, 5, 6)",
                "ALTER TABLE local.db.t ADD COLUMN x int")
        before = self.rows()
        ids = lambda: ([schema["schema-id"] for schema in self.metadata()["schemas"]], [spec["spec-id"] for spec in self.metadata()["partition-specs"]])
        self.assertEqual(ids(), ([0, 1, 2, 3], [0, 1, 2]))
        expire = "CALL local.system.expire_snapshots(table => 'db.t', older_than => %s, clean_expired_metadata => %s)"
        self.do(expire % (LONG_AGO, "false"))
        self.assertEqual(ids(), ([0, 1, 2, 3], [0, 1, 2]))
        self.do(expire % ("timestamp'2000-01-01'", "true"))
        self.assertEqual(ids(), ([2, 3], [0, 2]))  # files of spec 0 are still there
        self.assertEqual(self.rows(), before)
        self.do("INSERT INTO local.db.t VALUES (92, 's', 1, 5, 6, 7)", "DELETE FROM local.db.t WHERE id < 91", expire % (LONG_AGO, "true"))
        self.assertEqual(ids(), ([3], [0, 2]))  # the manifest that says what was deleted
        self.do("INSERT INTO local.db.t VALUES (93, 's', 1, 5, 6, 7)", expire % (LONG_AGO, "true"))
        self.assertEqual(ids(), ([3], [2]))
        self.assertEqual([row[0] for row in self.rows()], ["91", "92", "93"])

    def test_manifests_are_sorted_by_the_fields_that_are_named(self):
        self.do("CREATE TABLE local.db.t (id bigint, a int, b int) USING iceberg PARTITIONED BY (a, b)")
        for i in range(4):
            self.do("INSERT INTO local.db.t VALUES (%d, %d, %d)" % (i, i % 2, 3 - i))
        self.assertEqual(self.do("CALL local.system.rewrite_manifests(table => 'db.t', sort_by => array('b'))"), [["4", "1"]])
        self.assertEqual([row[0] for row in self.do("SELECT data_file.partition.b FROM local.db.t.entries")], ["0", "1", "2", "3"])
        self.do("INSERT INTO local.db.t VALUES (5, 5, 5)")
        self.do("CALL local.system.rewrite_manifests(table => 'db.t', sort_by => array('a', 'b'))")
        self.assertEqual([row for row in self.do("SELECT data_file.partition.a, data_file.partition.b FROM local.db.t.entries")],
                         [["0", "1"], ["0", "3"], ["1", "0"], ["1", "2"], ["5", "5"]])

    def test_names_that_differ_by_scheme_are_conflicts(self):
        self.create(inserts=1)
        (path,), = self.do("SELECT file_path FROM local.db.t.files")
        view = ("CREATE TEMPORARY VIEW v AS SELECT 's3n:%s' AS file_path, timestamp'2020-01-01' AS last_modified UNION ALL "
                "SELECT 'file:%s', timestamp'2020-01-01'" % (path, path))
        call = "CALL local.system.remove_orphan_files(table => 'db.t', file_list_view => 'v', location => '', dry_run => true%s)"
        self.assertEqual(self.do(view, call % ""), [])  # the table's own paths have no scheme
        self.do("CREATE TABLE local.db.u (id bigint, s string, k int) USING iceberg",
                "CALL local.system.add_files('db.u', 'parquet.`%s`')" % os.path.dirname(path))
        call = call.replace("db.t", "db.u")
        refused = self.run_sql(view, call % "")[1]
        self.assertIn("Conflicting authorities/schemes: [(file, s3)].", refused)
        self.assertEqual(self.do(view, call % ", prefix_mismatch_mode => 'IGNORE'"), [])
        self.assertEqual(self.do(view, call % ", prefix_mismatch_mode => 'DELETE'"), [["s3n:" + path]])
        self.assertEqual(self.do(view, call % ", equal_schemes => map('s3n, s3a', 'file')"), [])
        self.assertEqual(self.do(view, call % ", equal_schemes => map('x,file', 's3')"), [])
        self.assertTrue(os.path.exists(path))


class Adding(ProcedureTest):
    def setUp(self):
        super().setUp()
        self.create(inserts=2, partitioned="PARTITIONED BY (k)")
        self.data = os.path.join(self.warehouse, "db/t/data")

    def add(self, table, folder="", arguments=""):
        return "CALL local.system.add_files('db.%s', '`parquet`.`%s`'%s)" % (table, self.data + folder, arguments)

    def test_partitions_come_from_folders(self):
        self.do("CREATE TABLE local.db.u (id bigint, s string, k int) USING iceberg PARTITIONED BY (k)")
        self.assertEqual(self.do(self.add("u", "", ", map('k', '01')")), [["2", None]])
        self.assertEqual(self.rows("local.db.u"), [row for row in self.rows() if row[2] == "1"])
        self.assertEqual(self.do("SELECT partition.k, record_count FROM local.db.u.files ORDER BY 2"), [["1", "3"], ["1", "4"]])
        self.refused(self.add("u"), "data files to be imported already exist within the target table")
        self.refused(self.add("u", "", ", map('k', '9')"), "Cannot find any matching partitions")
        self.do(self.add("u", "", ", map('k', '0')"), self.add("u", "", ", map('k', '2')"))
        self.assertEqual(self.rows("local.db.u"), self.rows())

    def test_what_does_not_fit_is_refused(self):
        self.do("CREATE TABLE local.db.u (id bigint, s string, k int) USING iceberg",
                "CREATE TABLE local.db.b (id bigint, s string, k int) USING iceberg PARTITIONED BY (bucket(4, id))")
        self.refused(self.add("u"), "Cannot find a partition spec in Iceberg table local.db.u that matches the partition columns ([k])")
        self.refused(self.add("b"), "local.db.b that matches the partition columns ([k]) in input table")
        self.refused(self.add("u", "/k=1", ", map('k', '1')"), "Cannot use partition filter with an unpartitioned table local.db.u")
        self.refused(self.add("t", "", ", map('z', '1')"), "columns that are not partitioned: [z] . Valid partition columns: [k]")
        self.refused(self.add("t", "", ", map('z', '1', 'k', '1')"), "partition filter (2) is greater than")
        self.refused(self.add("u", "/k=1", ", map(), false, 0)"[:-1]), "Parallelism should be larger than 0")
        self.refused("CALL local.system.add_files('db.u', 'local.db.t')", "Table `db`.`t` does not exist")
        self.refused("CALL local.system.add_files('db.u', 't')", "Table `default`.`t` does not exist")
        self.refused("CALL local.system.add_files('db.u', 'orc.`/x`')", "add_files takes Parquet and Avro files only")
        self.assertEqual(self.rows("local.db.u"), [])
        self.assertEqual(self.do(self.add("u", "/k=1")), [["2", None]])
        self.assertEqual(len(self.rows("local.db.u")), 7)
        self.assertIn("schema.name-mapping.default", [row[0] for row in self.do("SHOW TBLPROPERTIES local.db.u")])

    def test_footers_tell_counts_and_bounds_so_that_files_are_skipped(self):
        own = "SELECT file_path, record_count, column_sizes, value_counts, null_value_counts, lower_bounds, upper_bounds FROM local.db.%s.files"
        self.do("INSERT INTO local.db.t VALUES (77, NULL, 1), (78, 'a text that is longer than sixteen', 1)",
                "CREATE TABLE local.db.u (id bigint, s string, k int) USING iceberg PARTITIONED BY (k)", self.add("u"))
        ours = {os.path.basename(row[0]): row[1:] for row in self.do(own % "t")}
        added = {os.path.basename(row[0]): row[1:] for row in self.do(own % "u")}
        self.assertEqual(len(added), 7)
        self.assertEqual(added, ours)
        plan = self.do("EXPLAIN EXTENDED SELECT * FROM local.db.u WHERE id > 76")[0][0]
        self.assertIn("Files: 1 of 7 kept, 0 dropped by partition, 6 dropped by metrics", plan)
        self.assertEqual(len(self.do("SELECT * FROM local.db.u WHERE id > 76")), 2)

    def test_avro_files_are_added_and_their_rows_counted(self):
        self.do("CREATE TABLE local.db.av (id bigint, s string, k int) USING iceberg PARTITIONED BY (k) TBLPROPERTIES ("
                "'write.format.default' = 'avro')", "INSERT INTO local.db.av SELECT * FROM local.db.t",
                "CREATE TABLE local.db.u (id bigint, s string, k int) USING iceberg PARTITIONED BY (k)")
        call = "CALL local.system.add_files('db.u', 'avro.`%s`')" % self.data.replace("db/t", "db/av")
        self.assertEqual(self.do(call), [["3", None]])
        self.assertEqual(self.rows("local.db.u"), self.rows())
        self.assertEqual(self.do("SELECT file_format, record_count, value_counts FROM local.db.u.files ORDER BY 2"),
                         [["AVRO", "6", None], ["AVRO", "7", None], ["AVRO", "7", None]])
        self.assertEqual(self.do("SELECT count(*) FROM local.db.u"), [["20"]])
        self.refused("CALL local.system.add_files('db.u', 'avro.`%s`')" % self.data, "Avro")

    def test_an_older_spec_fits_the_folders_but_the_current_one_decides(self):
        self.do("CREATE TABLE local.db.was (id bigint, s string, k int) USING iceberg PARTITIONED BY (k)",
                "ALTER TABLE local.db.was DROP PARTITION FIELD k",
                "CREATE TABLE local.db.now (id bigint, s string, k int) USING iceberg", "ALTER TABLE local.db.now ADD PARTITION FIELD k",
                "CREATE TABLE local.db.more (id bigint, s string, k int) USING iceberg PARTITIONED BY (k)",
                "ALTER TABLE local.db.more ADD PARTITION FIELD bucket(2, id)")
        self.refused(self.add("was"), "Cannot add partitioned files to an unpartitioned table")
        self.refused(self.add("now", "/k=1"), "Cannot find any matching partitions in table local.db.now")
        self.assertEqual(self.do(self.add("more")), [["6", None]])
        self.assertEqual(self.do("SELECT DISTINCT spec_id FROM local.db.more.files"), [["0"]])
        self.assertEqual(self.rows("local.db.more"), self.rows())

    def test_only_partitions_count_or_only_the_folder_itself(self):
        os.makedirs(self.data + "/../flat/below")
        one = [f for f in self.files("db/t/data") if f.endswith(".parquet") and "k=1" in f][0]
        for target in ("/../flat/a.parquet", "/../flat/below/b.parquet", "/../flat/_c.parquet", "/../flat/.d", "/e.parquet"):
            shutil.copy(one, self.data + target)
        self.do("CREATE TABLE local.db.u (id bigint, s string, k int) USING iceberg",
                "CREATE TABLE local.db.p (id bigint, s string, k int) USING iceberg PARTITIONED BY (k)")
        self.assertEqual(self.do(self.add("u", "/../flat")), [["1", None]])
        self.assertEqual(self.do(self.add("p")), [["6", None]])
        os.makedirs(self.data + "/j=1")
        shutil.copy(one, self.data + "/j=1/f.parquet")
        self.refused(self.add("p"), "Conflicting partition column names detected: j; k")


class Snapshotting(ProcedureTest):
    def shot(self, table, source, more=""):
        return "CALL local.system.snapshot('parquet.`%s`', 'local.db.%s'%s)" % (source, table, more)

    def test_a_key_that_the_files_hold_too_keeps_its_place(self):
        self.do("CREATE NAMESPACE local.db",
                "CREATE TABLE local.db.mid (id bigint, k int, s string) USING iceberg PARTITIONED BY (k)",
                "INSERT INTO local.db.mid VALUES (1, 0, 'a'), (2, 1, 'b')")
        self.assertEqual(self.do(self.shot("copy", self.warehouse + "/db/mid/data")), [["2"]])
        self.assertEqual(self.do("SELECT * FROM local.db.copy ORDER BY id"), [["1", "0", "a"], ["2", "1", "b"]])

    def test_columns_and_partitions_are_those_of_the_files(self):
        self.create(inserts=2)
        self.do("CREATE TABLE local.db.p (id bigint, s string, k int, d date, x string) USING iceberg PARTITIONED BY (k, d, x)",
                "INSERT INTO local.db.p SELECT id, s, k, date'2020-01-01', if(k = 1, '7', 'b') FROM local.db.t",
                "INSERT INTO local.db.p VALUES (99, 's', null, date'2021-01-01', null)")
        data = self.root + "/hive"  # as Spark names folders, not as Iceberg does
        for path in self.files("db/p/data"):
            if path.endswith(".parquet"):
                target = data + path.split("db/p/data")[1].replace("=null", "=__HIVE_DEFAULT_PARTITION__")
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(path, target)
        self.assertEqual(self.do(self.shot("n", data, ", properties => map('owned', 'no')")), [["4"]])
        columns = [row[:2] for row in self.do("DESCRIBE local.db.n")]
        self.assertEqual(columns[:5], [["id", "bigint"], ["s", "string"], ["k", "int"], ["d", "date"], ["x", "string"]])
        self.assertEqual([c[0] for c in columns[7:]], ["k", "d", "x"])
        self.assertEqual(self.rows("local.db.n"), self.rows("local.db.p"))
        properties = dict(self.do("SHOW TBLPROPERTIES local.db.n"))
        self.assertEqual([properties[key] for key in ("gc.enabled", "snapshot", "owned")], ["false", "true", "no"])
        self.assertEqual(self.do("SELECT operation FROM local.db.n.snapshots"), [["append"]])
        self.do("DELETE FROM local.db.n WHERE k = 1", "DROP TABLE local.db.n")
        self.assertEqual(len(self.rows("local.db.p")), 21)  # the source does not notice

    def test_what_iceberg_refuses(self):
        self.create(inserts=1)
        data = self.warehouse + "/db/t/data"
        self.do(self.shot("n", data))
        self.refused(self.shot("n", data), "Cannot create table db.n as it already exists")
        self.refused(self.shot("m", data, ", location => '%s/x'" % data), "because it would overlap with source table location")
        self.refused(self.shot("m", data, ", location => 'file:%s'" % data), "cannot be same as the source table location")
        self.refused(self.shot("m", data, ", parallelism => 0"), "Parallelism should be larger than 0")
        os.makedirs(self.root + "/empty")
        self.refused(self.shot("m", self.root + "/empty"), "Unable to infer schema for Parquet")
        with open(self.root + "/empty/x.parquet", "wb") as file:
            file.write(b"PAR1 this is no footer PAR1")
        self.refused(self.shot("m", self.root + "/empty"), "Parquet file")
        self.assertFalse(os.path.exists(self.warehouse + "/db/m"))


class Relocating(ProcedureTest):
    def fill(self, version):
        self.do("CREATE TABLE local.db.t (id bigint, s string, k int) USING iceberg PARTITIONED BY (k) TBLPROPERTIES ('format-version' = '%d', "
                "'write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read')" % version,
                "INSERT INTO local.db.t SELECT id, concat('s', id), cast(id % 3 as int) FROM range(30)",
                "DELETE FROM local.db.t WHERE id IN (3, 4, 5, 6)", "ALTER TABLE local.db.t ADD COLUMN z double",
                "INSERT INTO local.db.t VALUES (100, 'x', 1, 2.5), (101, 'y', 2, null)", "UPDATE local.db.t SET s = 'upd' WHERE id = 10")

    def move(self, more=""):
        """The answer, and the list of copies."""
        answer = self.do("CALL local.system.rewrite_table_path(table => 'db.t', source_prefix => '%s', target_prefix => '%s/moved to/here'%s)" % (
            self.warehouse, self.root, more))[0]
        with open(answer[1]) as file:
            return answer, [line.rstrip("\n").split(",") for line in file]

    def copy(self, pairs):
        for source, target in pairs:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)

    def seen(self):
        snapshots = self.snapshots()
        return [self.rows(), [self.rows(suffix="VERSION AS OF %s" % id) for id in snapshots], snapshots,
                self.do("SELECT content, record_count, spec_id, null_value_counts FROM local.db.t.files ORDER BY file_path"),
                self.do("SELECT pos FROM local.db.t.position_deletes ORDER BY file_path, pos"),
                self.do("SELECT status, sequence_number, file_sequence_number, snapshot_id FROM local.db.t.entries ORDER BY data_file.file_path")]

    def check_moved(self, before, at_once=True):
        moved = self.root + "/moved to/here"
        os.rename(self.warehouse, self.root + "/away")  # nothing of it may be needed
        home, self.warehouse = self.warehouse, moved
        self.assertEqual(self.seen(), before)
        for path, size in self.do("SELECT file_path, file_size_in_bytes FROM local.db.t.all_files") + self.do(
                "SELECT path, length FROM local.db.t.%s" % ("all_manifests" if at_once else "manifests LIMIT 1")):
            self.assertTrue(path.startswith(moved), path)
            self.assertEqual(os.path.getsize(path), int(size), path)
        self.warehouse = home
        os.rename(self.root + "/away", home)

    def test_a_moved_table_is_the_table(self):
        for version in (2, 3):
            with self.subTest(version=version):
                self.fill(version)
                answer, pairs = self.move()
                self.assertEqual(answer[0], "v6.metadata.json")
                self.assertTrue(answer[1].startswith(self.warehouse + "/db/t/metadata/copy-table-staging-"), answer)
                self.assertEqual(answer[2:], ["6", "4"])
                self.copy(pairs)
                self.check_moved(self.seen())
                self.do("DROP TABLE local.db.t")
                shutil.rmtree(self.root + "/moved to")

    def test_position_deletes_in_avro_move_too(self):
        self.create(inserts=2, properties="'write.format.default' = 'avro', 'write.delete.format.default' = 'avro', "
                    "'write.delete.mode' = 'merge-on-read', 'format-version' = '2'")
        self.do("DELETE FROM local.db.t WHERE id IN (1, 5, 15)")
        self.assertEqual(self.do("SELECT DISTINCT file_format FROM local.db.t.files"), [["AVRO"]])
        answer, pairs = self.move()
        self.assertEqual(answer[3], "2")
        self.copy(pairs)
        self.check_moved(self.seen())

    def test_the_rest_follows_from_a_start_version(self):
        self.fill(2)
        _, first = self.move(", end_version => 'v3.metadata.json', staging_location => '%s/one'" % self.root)
        answer, second = self.move(", start_version => 'v3.metadata.json', staging_location => '%s/two/'" % self.root)
        self.assertEqual(answer[:2], ["v6.metadata.json", self.root + "/two/file-list"])
        self.assertEqual(set(t for _, t in first) & set(t for _, t in second), set())
        self.copy(first + second)
        self.check_moved(self.seen(), at_once=False)

    def test_what_is_refused_moves_nothing(self):
        self.fill(2)
        call = "CALL local.system.rewrite_table_path('db.t', '%s', '%s'%s)"
        for source, target, more, words in (
                ("", "/b", "", "Source prefix('') cannot be empty."), ("/a", "", "", "Target prefix('') cannot be empty."),
                ("/a", "/a", "", "Source prefix cannot be the same as target prefix (/a)"),
                ("/nope", "/b", "", "Path %s/db/t/metadata/v6.metadata.json/ does not start with /nope/" % self.warehouse),
                (self.warehouse[:-2], "/b", "", "does not start with"),
                (self.warehouse, "/b", ", 'v9'", "Cannot find provided version file v9 in metadata log."),
                (self.warehouse, "/b", ", null, ' '", "End version(' ') cannot be empty."),
                (self.warehouse, "/b", ", null, null, ''", "Staging location('') cannot be empty.")):
            self.refused(call % (source, target, more), words)
        self.assertEqual(self.do(call % (self.warehouse, "/b", ", create_file_list => false"))[0][1], "N/A")
        os.remove(self.warehouse + "/db/t/metadata/v2.metadata.json")
        self.refused(call % (self.warehouse, "/b", ""), "v2.metadata.json doesn't exist")
        self.refused(call % (self.warehouse, "/b", ", 'v2.metadata.json'"), "v2.metadata.json does not exist.")


class Statistics(ProcedureTest):
    def metadata(self, table="t"):
        folder = self.warehouse + "/db/%s/metadata/" % table
        newest = max((f for f in os.listdir(folder) if f.endswith(".metadata.json")), key=lambda f: int(f[1:f.index(".")]))
        with open(folder + newest) as file:
            return json.load(file)

    def compute(self, what, more="", table="t"):
        return [row[0] for row in self.do("CALL local.system.compute_%s_stats('db.%s'%s)" % (what, table, more))]

    def test_distinct_values_are_counted_of_each_column(self):
        self.do("CREATE TABLE local.db.t (id bigint, s string, p struct<x: int, l: array<int>>, d double, c decimal(9, 2)) USING iceberg")
        self.assertEqual(self.compute("table"), [])
        self.do("INSERT INTO local.db.t SELECT id, if(id % 7 = 0, null, concat('s', id % 7)), named_struct('x', cast(id % 3 as int), 'l', array(1)), "
                "if(id = 0, double('NaN'), id % 5), id % 11 FROM range(1000)", "DELETE FROM local.db.t WHERE id >= 900")
        first, second = self.snapshots()
        path, = self.compute("table")
        self.assertRegex(path, "^%s/db/t/metadata/%s-[0-9a-f-]{36}.stats$" % (self.warehouse, second))
        entry, = self.metadata()["statistics"]
        self.assertEqual((entry["snapshot-id"], entry["statistics-path"], entry["file-size-in-bytes"]),
                         (int(second), path, os.path.getsize(path)))
        with open(path, "rb") as file:
            tail = file.read()[-entry["file-footer-size-in-bytes"]:]
        self.assertEqual((tail[:4], tail[-4:]), (b"PFA1", b"PFA1"))
        ndv = lambda entry: {blob["fields"][0]: blob["properties"]["ndv"] for blob in entry["blob-metadata"]}
        self.assertEqual(ndv(entry), {1: "900", 2: "6", 4: "6", 5: "11"})  # NaN is a value
        self.compute("table", ", %s, array('p.x', 'id', 'id')" % first)
        self.compute("table", ", columns => array('s')")  # in the place of what there was
        of = {entry["snapshot-id"]: entry for entry in self.metadata()["statistics"]}
        self.assertEqual({id: ndv(entry) for id, entry in of.items()}, {int(first): {6: "3", 1: "1000"}, int(second): {2: "6"}})
        self.assertEqual([blob["fields"] for blob in of[int(first)]["blob-metadata"]], [[6], [1]])
        before = self.files("db/t/metadata")
        for columns, words in (("array('p')", "Can't compute stats on non-primitive type column: p (struct<6: x: optional int, 7: l: optional list<int>>)"),
                               ("array()", "Columns cannot be null/empty"),
                               ("array('ID')", "Can't find column ID in table {\n  1: id: optional long\n  2: s: optional string")):
            self.refused("CALL local.system.compute_table_stats(table => 'db.t', columns => %s)" % columns, words)
        self.assertEqual(self.files("db/t/metadata"), before)

    def partitions(self, path):
        """The rows of a statistics file, without sizes and times."""
        rows = self.do("SELECT partition, spec_id, data_record_count, data_file_count, position_delete_record_count, "
                       "position_delete_file_count, equality_delete_record_count, total_record_count FROM parquet.`%s`" % path)
        return [[row[0]] + [None if cell is None else int(cell) for cell in row[1:]] for row in rows]

    def test_partitions_are_counted_and_later_ones_from_there(self):
        self.create(inserts=2, partitioned="PARTITIONED BY (k)")
        self.assertIn("/partition-stats-%s-" % self.snapshots()[0], self.compute("partition", ", %s" % self.snapshots()[0])[0])
        path, = self.compute("partition")
        self.assertRegex(path, "^%s/db/t/metadata/partition-stats-%s-[0-9a-f-]{36}.parquet$" % (self.warehouse, self.snapshots()[1]))
        self.assertEqual(self.partitions(path), [['{"k":0}', 0, 7, 2, 0, 0, 0, None], ['{"k":1}', 0, 7, 2, 0, 0, 0, None],
                                                 ['{"k":2}', 0, 6, 2, 0, 0, 0, None]])
        self.assertEqual(self.compute("partition"), [path])
        self.do("DELETE FROM local.db.t WHERE k = 1", "ALTER TABLE local.db.t ADD PARTITION FIELD bucket(2, id) AS b",
                "INSERT INTO local.db.t VALUES (1, 'x', null), (2, 'y', 2)")
        later, = self.compute("partition")
        rows = self.partitions(later)
        self.assertEqual([row for row in rows if row[1] == 0],
                         [['{"k":0,"b":null}', 0, 7, 2, 0, 0, 0, None], ['{"k":1,"b":null}', 0, 0, 0, 0, 0, 0, None],
                          ['{"k":2,"b":null}', 0, 6, 2, 0, 0, 0, None]])
        self.assertEqual([row[2:4] for row in rows if row[1] == 1], [[1, 1], [1, 1]])
        self.assertTrue(rows[0][0].startswith('{"k":null'), rows)  # nulls first
        updated = self.do("SELECT last_updated_snapshot_id FROM parquet.`%s` WHERE data_file_count = 0" % later)
        self.assertEqual(updated, [[self.snapshots()[2]]])
        self.assertEqual([entry["snapshot-id"] for entry in self.metadata()["partition-statistics"]],
                         [int(self.snapshots()[i]) for i in (0, 1, 3)])
        os.remove(later)  # without it everything is counted; what is empty does not show
        self.do("INSERT INTO local.db.t VALUES (3, 'z', 7)")
        counted = self.partitions(self.compute("partition")[0])
        self.assertEqual(len(counted), 5)
        self.assertNotIn('{"k":1,"b":null}', [row[0] for row in counted])

    def test_deletes_and_vectors_are_counted(self):
        for version in (2, 3):
            table = "v%d" % version
            self.do("CREATE TABLE local.db.%s (id bigint, k int) USING iceberg PARTITIONED BY (k) TBLPROPERTIES ("
                    "'format-version' = '%d', 'write.delete.mode' = 'merge-on-read')" % (table, version),
                    "INSERT INTO local.db.%s SELECT id, cast(id %% 2 as int) FROM range(10)" % table)
            self.compute("partition", table=table)
            self.do("DELETE FROM local.db.%s WHERE id IN (2, 4, 5)" % table)
            path, = self.compute("partition", table=table)
            self.assertEqual([row[2:6] for row in self.partitions(path)],
                             [[5, 1, 2, 1], [5, 1, 1, 1]] if version == 2 else [[5, 1, 2, 0], [5, 1, 1, 0]])
            columns = [row[0] for row in self.do("DESCRIBE TABLE parquet.`%s`" % path)]
            self.assertEqual("dv_count" in columns, version == 3)
            if version == 3:
                self.assertEqual(self.do("SELECT dv_count FROM parquet.`%s`" % path), [["1"], ["1"]])

    def test_the_file_is_in_the_format_of_the_table(self):
        self.create(inserts=1, partitioned="PARTITIONED BY (k)", properties="'write.format.default' = 'avro'")
        self.assertTrue(self.compute("partition")[0].endswith(".avro"))
        self.do("DELETE FROM local.db.t WHERE k = 1", "ALTER TABLE local.db.t SET TBLPROPERTIES ('write.format.default' = 'parquet')")
        self.assertEqual([row[2:4] for row in self.partitions(self.compute("partition")[0])], [[4, 1], [0, 0], [3, 1]])
        self.do("ALTER TABLE local.db.t SET TBLPROPERTIES ('write.format.default' = 'orc')", "DELETE FROM local.db.t WHERE k = 0")
        self.refused("CALL local.system.compute_partition_stats('db.t')", "ORC")
        self.do("CREATE TABLE local.db.u (id bigint) USING iceberg")
        self.assertEqual(self.compute("partition", table="u"), [])
        self.do("INSERT INTO local.db.u VALUES (1)")
        self.refused("CALL local.system.compute_partition_stats('db.u')", "Table must be partitioned")

    def test_statistics_go_with_their_snapshots(self):
        self.create(inserts=2, partitioned="PARTITIONED BY (k)")
        first = self.snapshots()[0]
        old = self.compute("table", ", %s" % first) + self.compute("partition", ", %s" % first)
        kept = self.compute("table") + self.compute("partition")
        answer = self.do("CALL local.system.expire_snapshots('db.t', %s)" % LONG_AGO)
        self.assertEqual(answer[0][5], "2")
        self.assertEqual([os.path.exists(path) for path in old + kept], [False, False, True, True])


if __name__ == "__main__":
    unittest.main()
