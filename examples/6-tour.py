#!/usr/bin/env python3
# A tour of DataFrames over Iceberg, a cell after the other (editors show "# %%" as a notebook).
# usage: 6-tour.py REMOTE WAREHOUSE
# %% A session: the address of `nilas serve`, or of a Spark Connect server with Iceberg
import datetime
import sys

from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

remote, warehouse = sys.argv[1:]
spark = (SparkSession.builder.remote(remote)
         .config("spark.sql.catalog.shop", "org.apache.iceberg.spark.SparkCatalog")
         .config("spark.sql.catalog.shop.type", "hadoop")
         .config("spark.sql.catalog.shop.warehouse", "file://" + warehouse)
         .getOrCreate())

# %% Rows of this program
orders = spark.createDataFrame(
    [(1, "ada", "book", 2, 12.5, datetime.date(2024, 1, 30)), (2, "bob", "lamp", 1, 40.0, datetime.date(2024, 2, 2)),
     (3, "ada", "lamp", 1, 40.0, datetime.date(2024, 2, 9)), (4, "eve", "book", 5, 11.0, datetime.date(2024, 3, 1))],
    "id long, customer string, item string, amount int, price double, day date")
orders.show()

# %% A table, partitioned by month and by a bucket of the customer
spark.sql("CREATE NAMESPACE IF NOT EXISTS shop.db")
orders.writeTo("shop.db.orders").partitionedBy(F.months("day"), F.bucket(4, "customer")).createOrReplace()
spark.table("shop.db.orders.partitions").select("partition", "record_count").orderBy("partition").show(truncate=False)

# %% Questions
table = spark.table("shop.db.orders")
table.groupBy("item").agg(F.sum(F.col("amount") * F.col("price")).alias("turnover"), F.count_distinct("customer").alias("buyers")).orderBy("item").show()
table.groupBy("customer").pivot("item", ["book", "lamp"]).sum("amount").orderBy("customer").show()
latest = Window.partitionBy("customer").orderBy(F.desc("day"))
table.withColumn("n", F.row_number().over(latest)).where("n = 1").select("customer", "item", "day").orderBy("customer").show()

# %% The same in SQL, with the frame and the value by name
spark.sql("SELECT customer, sum(amount) AS amount FROM {t} WHERE price < :most GROUP BY customer ORDER BY customer",
          {"most": 20.0}, t=table).show()

# %% Changes: some orders are corrected, some are new
news = spark.createDataFrame([(2, "bob", "lamp", 3, 40.0, datetime.date(2024, 2, 2)), (5, "dan", "pen", 9, 1.5, datetime.date(2024, 3, 3))],
                             table.schema)
news.alias("n").createOrReplaceTempView("news")
spark.sql("""MERGE INTO shop.db.orders o USING news n ON o.id = n.id
             WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *""")
spark.table("shop.db.orders").orderBy("id").show()

# %% Before and after
before, after = [row.snapshot_id for row in spark.table("shop.db.orders.snapshots").orderBy("committed_at").collect()]
print("orders before: %d, now: %d" % (spark.read.option("snapshot-id", before).table("shop.db.orders").count(),
                                      spark.table("shop.db.orders").count()))
assert spark.table("shop.db.orders").count() == 5
spark.stop()
