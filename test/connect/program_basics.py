"""A PySpark program of everyday things: runs unchanged with every client and ends with "N checks passed".

usage: program_basics.py REMOTE
"""
import datetime
import decimal
import logging
import re
import sys
import warnings

import pyspark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
spark = SparkSession.builder.remote(sys.argv[1]).config("spark.sql.shuffle.partitions", "7").getOrCreate()
passed = 0


def check(what, got, want):
    global passed
    if got != want:
        raise SystemExit("%s: %r, expected %r" % (what, got, want))
    passed += 1


def failure(action):
    try:
        action()
    except Exception as error:  # noqa: BLE001: what it is, is the question
        named = re.search(r"\[([A-Z_.]+)\]", str(error))  # 3.5 knows fewer classes; the text is the same
        condition = (error.getErrorClass() if hasattr(error, "getErrorClass") else None) or (named and named.group(1))
        state = error.getSqlState() if hasattr(error, "getSqlState") else None
        return type(error).__name__, condition, state
    return None


def rows(df):
    return [tuple(r) for r in df.collect()]


# --- statements, values, schemas
check("a constant", rows(spark.sql("select 1 as x, 'a' as s")), [(1, "a")])
check("types", rows(spark.sql("select 1Y, 1S, 1L, 1.5, 1e0, true, date'2020-02-29', timestamp'2020-01-01 12:00:00', "
                              "cast(null as string), array(1, null), map('k', 1), named_struct('a', 1), X'0AFF'")),
      [(1, 1, 1, decimal.Decimal("1.5"), 1.0, True, datetime.date(2020, 2, 29), datetime.datetime(2020, 1, 1, 12),
        None, [1, None], {"k": 1}, (1,), bytearray(b"\x0a\xff"))])
check("no rows", rows(spark.sql("select 1 as x where false")), [])
check("schema", spark.sql("select 1 as x, 'a' as s").schema.simpleString(), "struct<x:int,s:string>")
check("columns", spark.sql("select count(*), 1 + 1").columns, ["count(1)", "(1 + 1)"])
check("version", spark.version[:4], "4.0.")
spark.sql("create table t (id bigint, s string) using iceberg")
spark.sql("insert into t values (1, 'a'), (2, 'b'), (3, null)")
check("count", spark.table("t").count(), 3)
check("insert ran once", rows(spark.sql("select sum(id) from t")), [(6,)])
check("filter", rows(spark.table("t").filter("id > 1").orderBy(F.col("id").desc()).select("id")), [(3,), (2,)])
check("show tables", [r.tableName for r in spark.sql("show tables").collect()], ["t"])
check("group", rows(spark.table("t").groupBy(F.col("id") % 2).count().orderBy(F.col("count"))), [(0, 1), (1, 2)])
check("first", tuple(spark.table("t").orderBy("id").first()), (1, "a"))
check("take", len(spark.table("t").take(2)), 2)
check("empty", spark.table("t").filter("id > 9").count(), 0)

# --- results in several batches, and as pandas
check("many rows", len(spark.range(25000).collect()), 25000)
check("iterator", sum(r.id for r in spark.range(25000).toLocalIterator()), 25000 * 24999 // 2)
check("pandas", spark.sql("select 1 as x").toPandas().values.tolist(), [[1]])
check("local data", rows(spark.createDataFrame([(1, "x"), (2, None)], "a int, b string")), [(1, "x"), (2, None)])
check("dtypes", spark.createDataFrame([(1, "x")], "a int, b string").dtypes, [("a", "int"), ("b", "string")])

# --- views
spark.range(5).filter("id > 2").createOrReplaceTempView("v")
check("view", rows(spark.sql("select * from v order by id")), [(3,), (4,)])
check("view of view", rows(spark.sql("select count(*) from v")), [(2,)])
for _ in range(50):
    spark.table("v").withColumn("id", F.col("id") + 1).createOrReplaceTempView("v")
check("view in place of itself", rows(spark.sql("select * from v order by id")), [(53,), (54,)])
spark.table("v").createOrReplaceGlobalTempView("g")
spark.table("global_temp.g").filter("id > 53").createOrReplaceGlobalTempView("g")
check("global view in place of itself", rows(spark.table("global_temp.g")), [(54,)])
check("recursive view", failure(lambda: spark.sql("create or replace temp view v as select * from v"))[1], "RECURSIVE_VIEW")

# --- options of writers: for the rows, not for the table
chosen = {"write-format": "avro", "snapshot-property.who": "me"}
spark.range(2).writeTo("w1").using("iceberg").options(**chosen).create()
spark.range(2).write.format("iceberg").options(**chosen).option("comment", "hi").saveAsTable("w2")
for name in ("w1", "w2"):
    for how in ("made", "replaced"):
        check("format " + name, rows(spark.sql("select distinct file_format from default.%s.files" % name)), [("AVRO",)])
        check("summary " + name, rows(spark.sql("select summary['who'] from default.%s.snapshots order by committed_at desc" % name))[0],
              ("me",))
        if name == "w1":
            spark.range(3).writeTo("w1").using("iceberg").options(**chosen).createOrReplace()
        else:
            spark.range(3).write.format("iceberg").mode("overwrite").options(**chosen).saveAsTable("w2")
    check("rows " + name, spark.table(name).count(), 3)
    check("properties " + name, [r for r in rows(spark.sql("show tblproperties " + name)) if "who" in r[0] or "write-format" in r[0]], [])
spark.range(3).write.format("iceberg").mode("append").options(**chosen).saveAsTable("w2")
check("append", rows(spark.sql("select file_format, sum(record_count) from default.w2.files group by 1")), [("AVRO", 6)])
check("not a format", failure(lambda: spark.range(1).writeTo("w3").using("iceberg").option("write-format", "nope").create())
      is not None, True)

# --- settings
check("default", spark.conf.get("spark.sql.session.timeZone"), "UTC")
check("builder option", spark.conf.get("spark.sql.shuffle.partitions"), "7")
spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
check("set", rows(spark.sql("select string(timestamp'2020-01-01 00:00:00Z')")), [("2020-01-01 09:00:00",)])
spark.conf.unset("spark.sql.session.timeZone")
spark.conf.set("spark.sql.session.timeZone", "UTC")
check("given default", spark.conf.get("spark.nope", "d"), "d")
check("given default stands before Spark's",
      [spark.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch", d) for d in ("5", None)], ["5", None])
check("null setting", failure(lambda: spark.conf.set("foo", None))[0], "IllegalArgumentException")
check("modifiable", [spark.conf.isModifiable("spark.sql.ansi.enabled"), spark.conf.isModifiable("spark.sql.warehouse.dir")],
      [True, False])
check("unknown setting", failure(lambda: spark.conf.get("spark.nope"))[1], "SQL_CONF_NOT_FOUND")
check("bad zone", failure(lambda: spark.conf.set("spark.sql.session.timeZone", "Mars"))[1], "INVALID_CONF_VALUE.TIME_ZONE")

# --- errors
check("no table", failure(lambda: spark.sql("select * from nope").collect()),
      ("AnalysisException", "TABLE_OR_VIEW_NOT_FOUND", "42P01" if pyspark.__version__ >= "4" else None))
check("no SQL", failure(lambda: spark.sql("selec 1"))[0], "ParseException")
check("no column", failure(lambda: spark.table("t").select("nope").collect())[1], "UNRESOLVED_COLUMN.WITH_SUGGESTION")
check("by zero", failure(lambda: spark.sql("select 1 / 0").collect())[:2], ("ArithmeticException", "DIVIDE_BY_ZERO"))
check("no number", failure(lambda: spark.sql("select int('x')").collect())[:2],
      ("NumberFormatException", "CAST_INVALID_INPUT"))
check("code", failure(lambda: spark.range(1).select(F.udf(lambda x: x)("id")).collect()) is not None, True)

# --- observations
if pyspark.__version__ >= "4":
    seen = pyspark.sql.Observation("seen")
    rows(spark.table("t").observe(seen, F.count(F.lit(1)).alias("n"), F.max("s").alias("last"),
                                  F.sum(F.lit(decimal.Decimal("1.50"))).alias("d")).filter("id > 1"))
    check("observed", seen.get, {"n": 3, "last": "b", "d": decimal.Decimal("4.50")})

# --- questions about plans
check("explain", "Physical Plan" in spark.table("t")._explain_string()
      if hasattr(spark.table("t"), "_explain_string") else True, True)
check("local", spark.createDataFrame([(1,)], "a int").isLocal(), True)
check("local, of a wrong plan", failure(lambda: spark.range(1).select("nope").isLocal())[0], "AnalysisException")
check("fields of a struct", spark.createDataFrame([(1, "x")], "a: int, b: string").dtypes, [("a", "int"), ("b", "string")])
check("not streaming", spark.table("t").isStreaming, False)
check("same", spark.table("t").sameSemantics(spark.table("t")), True)
check("not same", spark.table("t").sameSemantics(spark.range(1)), False)
check("files", len(spark.table("t").inputFiles()) > 0, True)
cached = spark.table("t").cache()
check("stored", cached.storageLevel.useMemory, True)
cached.unpersist()
check("not stored", cached.storageLevel.useMemory, False)
# --- a session that begins where this one stands (4.1)
if hasattr(spark, "cloneSession"):
    spark.conf.set("spark.sql.shuffle.partitions", "9")
    clone = spark.cloneSession()
    check("clone", [rows(clone.sql("select count(*) from v")), clone.conf.get("spark.sql.shuffle.partitions")],
          [[(2,)], "9"])
    clone.sql("drop view v")
    check("clone is another", rows(spark.sql("select count(*) from v")), [(2,)])

spark.stop()
print("%d checks passed" % passed)
