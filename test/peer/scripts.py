"""Every kind of write, as statements. {t} is the table, {n} its name without the catalog, {c} the catalog; {s1} is the
table's first snapshot, {s2} the second. A third member of a script, if there, is what to select instead of everything."""

TYPES = {
    "bo": ("boolean", "true", "false"),
    "i": ("int", "-2147483648", "2147483647"),
    "l": ("bigint", "-9223372036854775808", "9223372036854775807"),
    "f": ("float", "float('NaN')", "float('-0.0')"),
    "dd": ("double", "double('-Infinity')", "double('NaN')"),
    "d9": ("decimal(9,2)", "-1234567.89", "0.01"),
    "d18": ("decimal(18,4)", "-12345678901234.5678", "12345678901234.5678"),
    "d38": ("decimal(38,10)", "-1234567890123456789012345678.0123456789", "0.0000000001"),
    "da": ("date", "date'1969-12-31'", "date'2024-02-29'"),
    "ts": ("timestamp", "timestamp'1969-12-31 23:59:59.999999'", "timestamp'2024-02-29 12:34:56.789012'"),
    "tn": ("timestamp_ntz", "timestamp_ntz'1900-01-01 00:00:00.000001'", "timestamp_ntz'2038-01-19 03:14:07'"),
    "st": ("string", "'a😀é'", "repeat('x😀', 18)"),
    "by": ("binary", "X'00FF80'", "X'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF'"),
}
NESTED = {
    "sr": ("struct<a:int,b:struct<c:string,d:double>>", "named_struct('a',1,'b',named_struct('c','x','d',double('NaN')))",
           "named_struct('a',null,'b',named_struct('c',null,'d',-0.0D))"),
    "ar": ("array<string>", "array('a',null,'b')", "array()"),
    "mp": ("map<string,bigint>", "map('k',1L,'l',null)", "map()"),
    "as": ("array<struct<x:int,y:string>>", "array(named_struct('x',1,'y','p'))", "null"),
}


def every_type(version):
    columns = {**TYPES, **NESTED}
    declared = ", ".join("%s %s" % (name, kind[0]) for name, kind in columns.items())
    chosen = ", ".join("hex(by)" if name == "by" else "`%s`" % name for name in columns)
    values = [", ".join(kind[i] for kind in columns.values()) for i in (1, 2)]
    nulls = ", ".join("null" for _ in columns)
    return ("types_v%d" % version,
            ["CREATE TABLE {t} (k int NOT NULL, %s) TBLPROPERTIES('format-version'='%d')" % (declared, version),
             "INSERT INTO {t} VALUES (1, %s), (2, %s)" % tuple(values), "INSERT INTO {t} VALUES (3, %s)" % nulls,
             "INSERT INTO {t} SELECT k + 10, * EXCEPT (k) FROM {t}"], "k, " + chosen)


def transforms():
    of = {"identity": list(TYPES), "bucket(4, %s)": ["i", "l", "d9", "d18", "d38", "da", "ts", "tn", "st", "by"],
          "truncate(3, %s)": ["i", "l", "d9", "d18", "d38", "st", "by"], "years(%s)": ["da", "ts", "tn"],
          "months(%s)": ["da", "ts", "tn"], "days(%s)": ["da", "ts", "tn"], "hours(%s)": ["ts", "tn"]}
    for transform, names in of.items():
        for name in names:
            kind, one, two = TYPES[name]
            partition = name if transform == "identity" else transform % name
            chosen = "k, hex(by)" if name == "by" else "k, " + name
            yield ("by_%s_%s" % (transform.split("(")[0], name),
                   ["CREATE TABLE {t} (k int, %s %s) PARTITIONED BY (%s) TBLPROPERTIES('format-version'='2')" % (name, kind, partition),
                    "INSERT INTO {t} VALUES (1, %s), (2, %s), (3, null), (4, %s)" % (one, two, one)], chosen)


def properties(version, mode):
    return ("TBLPROPERTIES('format-version'='%d', 'write.delete.mode'='%s', 'write.update.mode'='%s', "
            "'write.merge.mode'='%s')" % (version, mode, mode, mode))


def changes():
    for version, mode in ((1, "copy-on-write"), (2, "copy-on-write"), (2, "merge-on-read"), (3, "copy-on-write"),
                          (3, "merge-on-read")):
        for by in ("", "PARTITIONED BY (p)"):
            yield ("change_v%d_%s_%s" % (version, mode.replace("-", "_"), "p" if by else "u"),
                   ["CREATE TABLE {t} (id bigint, p string, v double) %s %s" % (by, properties(version, mode)),
                    "INSERT INTO {t} SELECT id, concat('p', id % 3), id / 4 FROM range(0, 60)",
                    "DELETE FROM {t} WHERE id % 10 = 3", "UPDATE {t} SET v = -v WHERE id BETWEEN 20 AND 30",
                    "DELETE FROM {t} WHERE id % 10 = 4", "DELETE FROM {t} WHERE p = 'p1'",
                    "MERGE INTO {t} t USING (SELECT id, concat('p', id % 3) p, 100.5D v FROM range(50, 70)) s ON t.id = s.id "
                    "WHEN MATCHED AND s.id % 2 = 0 THEN UPDATE SET * WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT * "
                    "WHEN NOT MATCHED BY SOURCE AND t.id < 5 THEN UPDATE SET p = 'moved'",
                    "UPDATE {t} SET p = 'q' WHERE id = 62"])


PLAIN = "CREATE TABLE {t} (id bigint, p string, v double) PARTITIONED BY (p) " + properties(2, "merge-on-read")
FILL = "INSERT INTO {t} SELECT id, concat('p', id % 3), id / 4 FROM range(0, 60)"
MORE = "INSERT INTO {t} SELECT id, concat('p', id % 4), id / 8 FROM range(60, 90)"

SCRIPTS = [
    every_type(1), every_type(2), every_type(3), *transforms(), *changes(),
    ("ctas", ["CREATE TABLE {t} PARTITIONED BY (bucket(4, id)) TBLPROPERTIES('format-version'='2') AS "
              "SELECT id, cast(id AS string) s, array(id, null) a FROM range(0, 50)"]),
    ("rtas", ["CREATE TABLE {t} AS SELECT 1 a, 'x' b", "CREATE OR REPLACE TABLE {t} PARTITIONED BY (b) AS SELECT 2L a, 'y' b, 3 c",
              "INSERT INTO {t} VALUES (4, 'z', 5)"]),
    ("by_name", [PLAIN, FILL, "INSERT INTO {t} BY NAME SELECT 'x' p, 1.5D v, 1000L id",
                 "INSERT INTO {t} (v, p, id) VALUES (2.5, 'y', 1001)"]),
    ("overwrite_static", [PLAIN, FILL, "INSERT OVERWRITE {t} PARTITION (p = 'p1') SELECT id, v FROM {t} WHERE p = 'p2'"]),
    ("overwrite_all", [PLAIN, FILL, "INSERT OVERWRITE {t} SELECT id, p, v + 1 FROM {t} WHERE id < 7"]),
    ("overwrite_dynamic", [PLAIN, FILL, "SET spark.sql.sources.partitionOverwriteMode=dynamic",
                           "INSERT OVERWRITE {t} SELECT id, 'p1', v FROM {t} WHERE p = 'p2'",
                           "SET spark.sql.sources.partitionOverwriteMode=static"]),
    ("truncate_table", [PLAIN, FILL, "TRUNCATE TABLE {t}", MORE]),
    ("delete_everything", [PLAIN, FILL, "DELETE FROM {t} WHERE true", MORE, "DELETE FROM {t}"]),
    ("schema_evolution", [PLAIN, FILL, "ALTER TABLE {t} ADD COLUMN n struct<a:int,b:string>", "ALTER TABLE {t} ADD COLUMN w int FIRST",
                          "INSERT INTO {t} VALUES (5, 100, 'p9', 1.25, named_struct('a', 1, 'b', 'x'))",
                          "ALTER TABLE {t} RENAME COLUMN v TO vv", "ALTER TABLE {t} ADD COLUMN n.c double",
                          "ALTER TABLE {t} ALTER COLUMN w TYPE bigint", "ALTER TABLE {t} ALTER COLUMN w AFTER p",
                          "INSERT INTO {t} VALUES (101, 'p9', 5000000000, 1.5, named_struct('a', 2, 'b', 'y', 'c', 0.5D))",
                          "UPDATE {t} SET n.b = 'z' WHERE id = 3", "DELETE FROM {t} WHERE id IN (4, 100)",
                          "ALTER TABLE {t} DROP COLUMN vv", "MERGE INTO {t} t USING (SELECT 5L id) s ON t.id = s.id WHEN MATCHED "
                          "THEN UPDATE SET w = 1"]),
    ("spec_evolution", [PLAIN, FILL, "ALTER TABLE {t} ADD PARTITION FIELD bucket(4, id)", MORE,
                        "ALTER TABLE {t} DROP PARTITION FIELD p", "INSERT INTO {t} VALUES (200, 'p1', 1), (201, null, 2)",
                        "DELETE FROM {t} WHERE id % 7 = 0", "DELETE FROM {t} WHERE p = 'p1'",
                        "ALTER TABLE {t} REPLACE PARTITION FIELD id_bucket_4 WITH truncate(10, id) AS tens",
                        "UPDATE {t} SET v = 0 WHERE id > 195"]),
    ("spec_evolution_v1", ["CREATE TABLE {t} (id bigint, p string, v double) PARTITIONED BY (p) TBLPROPERTIES('format-version'='1')",
                           FILL, "ALTER TABLE {t} ADD PARTITION FIELD bucket(4, id)", MORE, "ALTER TABLE {t} DROP PARTITION FIELD p",
                           "INSERT INTO {t} VALUES (200, 'p1', 1), (201, null, 2)", "DELETE FROM {t} WHERE id % 7 = 0",
                           "ALTER TABLE {t} SET TBLPROPERTIES('format-version'='2', 'write.delete.mode'='merge-on-read')",
                           "DELETE FROM {t} WHERE id % 11 = 0"]),
    ("upgrade", [PLAIN, FILL, "DELETE FROM {t} WHERE id % 10 = 1", "ALTER TABLE {t} SET TBLPROPERTIES('format-version'='3')",
                 MORE, "DELETE FROM {t} WHERE id % 10 = 2", "UPDATE {t} SET v = 7 WHERE id % 10 = 5"]),
    ("lineage", ["CREATE TABLE {t} (id bigint, p string, v double) " + properties(3, "copy-on-write"), FILL,
                 "UPDATE {t} SET v = 7 WHERE id = 5", MORE, "DELETE FROM {t} WHERE id = 61"],
     "id, p, v, _row_id, _last_updated_sequence_number"),
    ("branch", [PLAIN, FILL, "ALTER TABLE {t} CREATE BRANCH b", "INSERT INTO {t}.branch_b VALUES (500, 'p1', 1)",
                "DELETE FROM {t}.branch_b WHERE id < 10", "ALTER TABLE {t} CREATE TAG x RETAIN 7 DAYS",
                "UPDATE {t}.branch_b SET v = 9 WHERE id = 11", "CALL {c}.system.fast_forward('{n}', 'main', 'b')"]),
    ("wap", [PLAIN, "ALTER TABLE {t} SET TBLPROPERTIES('write.wap.enabled'='true')", FILL, "SET spark.wap.id=w1", MORE,
             "RESET spark.wap.id", "INSERT INTO {t} VALUES (700, 'p0', 1)", "CALL {c}.system.publish_changes('{n}', 'w1')"]),
    ("rollback", [PLAIN, FILL, MORE, "DELETE FROM {t} WHERE id = 61", "CALL {c}.system.rollback_to_snapshot('{n}', {s2})",
                  "INSERT INTO {t} VALUES (800, 'p0', 1)", "CALL {c}.system.set_current_snapshot('{n}', {s1})"]),
    ("compaction", [PLAIN, FILL, MORE, "INSERT INTO {t} VALUES (900, 'p0', 1)", "DELETE FROM {t} WHERE id % 9 = 1",
                    "CALL {c}.system.rewrite_data_files(table => '{n}', options => map('rewrite-all', 'true'))", MORE]),
    ("compaction_sort", [PLAIN, FILL, MORE, "ALTER TABLE {t} WRITE ORDERED BY v DESC, id",
                         "CALL {c}.system.rewrite_data_files(table => '{n}', strategy => 'sort', options => map('rewrite-all', 'true'))"]),
    ("manifests", [PLAIN, FILL, MORE, "INSERT INTO {t} VALUES (900, 'p0', 1)", "DELETE FROM {t} WHERE id = 7",
                   "CALL {c}.system.rewrite_manifests('{n}')"]),
    ("position_deletes", [PLAIN, FILL, "DELETE FROM {t} WHERE id % 9 = 1", "DELETE FROM {t} WHERE id % 9 = 2",
                          "CALL {c}.system.rewrite_position_delete_files(table => '{n}', options => map('rewrite-all', 'true'))"]),
    ("expire", [PLAIN, FILL, "INSERT OVERWRITE {t} SELECT id, p, v + 1 FROM {t} WHERE id < 30", MORE,
                "CALL {c}.system.expire_snapshots(table => '{n}', older_than => timestamp'2100-01-01 00:00:00', retain_last => 1)", FILL]),
    ("expire_and_forget", [PLAIN, FILL, "ALTER TABLE {t} ADD COLUMN z int", "ALTER TABLE {t} ADD PARTITION FIELD bucket(2, id)",
                           "INSERT OVERWRITE {t} VALUES (1, 'a', 2, 3)", "ALTER TABLE {t} DROP PARTITION FIELD bucket(2, id)",
                           "ALTER TABLE {t} DROP COLUMN z", "CALL {c}.system.expire_snapshots(table => '{n}', older_than => "
                           "timestamp'2100-01-01 00:00:00', clean_expired_metadata => true)", FILL]),
    ("statistics", [PLAIN, FILL, "CALL {c}.system.compute_table_stats('{n}')", "CALL {c}.system.compute_partition_stats('{n}')", MORE,
                    "DELETE FROM {t} WHERE p = 'p1'", "CALL {c}.system.compute_partition_stats('{n}')", FILL]),
    ("ordered", ["CREATE TABLE {t} (id bigint, p string, v double) PARTITIONED BY (p)", "ALTER TABLE {t} WRITE DISTRIBUTED BY "
                 "PARTITION LOCALLY ORDERED BY v DESC NULLS LAST, bucket(3, id)", FILL, MORE]),
    ("modes", ["CREATE TABLE {t} (a string, b string, c string, d string) TBLPROPERTIES('write.metadata.metrics.default'='truncate(5)',"
               "'write.metadata.metrics.column.a'='none','write.metadata.metrics.column.b'='counts',"
               "'write.metadata.metrics.column.c'='full')",
               "INSERT INTO {t} SELECT repeat('äb', id), repeat('äb', id), repeat('äb', id), repeat('äb', id) FROM range(1, 20)"]),
    ("accept_any_schema", ["CREATE TABLE {t} (id bigint, p string) PARTITIONED BY (p) TBLPROPERTIES('write.spark.accept-any-schema'='true')",
                           "INSERT INTO {t} SELECT id, concat('p', id % 3) p FROM range(0, 20)", "INSERT INTO {t} WITH ('merge-schema'='true') "
                           "SELECT id, concat('p', id % 3) p, named_struct('x', id) s, 1 i FROM range(20, 30)",
                           "INSERT INTO {t} WITH ('mergeSchema'='true') SELECT id, 'q' p, named_struct('x', id, 'y', 'z') s, 5L i FROM range(30, 40)",
                           "ALTER TABLE {t} SET TBLPROPERTIES('write.spark.accept-any-schema'='false')"]),
    ("options", [PLAIN, FILL, "INSERT INTO {t} WITH ('write-format'='avro') VALUES (1000, 'p1', 1.5)",
                 "ALTER TABLE {t} ADD PARTITION FIELD bucket(2, id)", "INSERT INTO {t} WITH ('output-spec-id'='0', 'compression-codec'='snappy') "
                 "VALUES (1001, 'p1', 1.5)", "INSERT OVERWRITE {t} WITH ('overwrite-mode'='dynamic') VALUES (1002, 'p1', 2.5), (1003, 'p2', 0.5)"]),
    ("object_storage", ["CREATE TABLE {t} (id bigint, p string, v double) PARTITIONED BY (p) TBLPROPERTIES("
                        "'write.object-storage.enabled'='true', 'write.object-storage.partitioned-paths'='false', "
                        "'write.metadata.compression-codec'='gzip', 'write.summary.partition-limit'='5', 'write.parquet.compression-codec'='gzip', "
                        "'write.parquet.page-version'='v2', 'write.parquet.row-group-size-bytes'='1024', "
                        "'write.parquet.bloom-filter-enabled.column.id'='true')", FILL, MORE, "DELETE FROM {t} WHERE id % 9 = 1"]),
    ("avro_names", ["CREATE TABLE {t} (id bigint, `é` string, `x y` int, `1a` struct<`ß-1`:int,`日`:string>, `a.b` double) PARTITIONED BY (`é`) "
                    "TBLPROPERTIES('write.format.default'='avro')",
                    "INSERT INTO {t} SELECT id, concat('p', id % 2), cast(id as int), named_struct('ß-1', 1, '日', 'q'), 0.5D FROM range(0, 20)",
                    "DELETE FROM {t} WHERE `x y` = 3"]),
    ("cherrypick", [PLAIN, FILL, MORE, "CALL {c}.system.rollback_to_snapshot('{n}', {s1})",
                    "CALL {c}.system.cherrypick_snapshot('{n}', {s2})"]),
]
