#!/usr/bin/env python3
"""Movies in Iceberg tables by PySpark: load, look at the metadata, append, go back in time.

usage: 5-pyspark.py REMOTE MOVIES.NDJSON WAREHOUSE       REMOTE: sc://localhost:15002 of `nilas serve`, or of a Spark Connect server

Runs unchanged on nilas and on a Spark with Iceberg. MOVIES.NDJSON is movies.ndjson.zst unpacked; both paths are the server's.
"""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

remote, movies, warehouse = sys.argv[1:]
spark = (SparkSession.builder.remote(remote)
         .config("spark.sql.catalog.films", "org.apache.iceberg.spark.SparkCatalog")
         .config("spark.sql.catalog.films.type", "hadoop")
         .config("spark.sql.catalog.films.warehouse", "file://" + warehouse)
         .getOrCreate())
PLAIN, BY_YEAR = "films.movies.plain", "films.movies.by_year"

# ---- load
spark.sql("CREATE NAMESPACE IF NOT EXISTS films.movies")
df = spark.read.json("file://" + movies)
df.printSchema()
df.writeTo(PLAIN).tableProperty("format-version", "2").createOrReplace()
df.sortWithinPartitions("year").writeTo(BY_YEAR).tableProperty("format-version", "2").partitionedBy("year").createOrReplace()
print(spark.sql("SHOW CREATE TABLE " + BY_YEAR).first().createtab_stmt)

# ---- look
spark.table(BY_YEAR + ".history").show(truncate=False)
spark.table(BY_YEAR + ".files").select("file_path", "record_count", "partition").orderBy("partition").show(3, vertical=True, truncate=60)
for table in (PLAIN, BY_YEAR):
    print("%s: %d files, %d movies of 1958" % (table, spark.table(table + ".files").count(),
                                               spark.table(table).where("year = 1958").count()))

# ---- change
spark.sql("""INSERT INTO %s SELECT array('Brad Pitt', 'Edward Norton') AS cast, 'A man starts a club.' AS extract,
             array('Drama') AS genres, 'Fight_Club' AS href, NULL AS thumbnail, NULL AS thumbnail_height,
             NULL AS thumbnail_width, 'Fight Club' AS title, 1999 AS year""" % BY_YEAR)
first, second = [row.snapshot_id for row in spark.table(BY_YEAR + ".snapshots").orderBy("committed_at").collect()]

# ---- go back in time
spark.read.format("iceberg").option("start-snapshot-id", first).option("end-snapshot-id", second).load(BY_YEAR).select("title", "year").show()
counts = {"before": spark.read.option("snapshot-id", first).table(BY_YEAR).count(),
          "after": spark.sql("SELECT count(*) AS n FROM %s VERSION AS OF %d" % (BY_YEAR, second)).first().n,
          "1958": spark.table(BY_YEAR).where(F.col("year") == 1958).count()}
print(counts)
assert counts == {"before": 36273, "after": 36274, "1958": 271}, counts
spark.stop()
