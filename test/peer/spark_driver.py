"""Runs inside the Python that has pyspark: one JSON request a line on standard input, one JSON answer a line out.

{"sql": text}       rows as spark-sql prints them, columns parted by tabs
{"metrics": table}  each column's sums of counts, lowest and highest bound over the table's data files
"""
import glob
import json
import os
import sys


def session(jars, settings):
    from pyspark.sql import SparkSession
    builder = (SparkSession.builder.master("local[1]").config("spark.driver.memory", "1500m")
               .config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "1")
               .config("spark.sql.session.timeZone", "UTC").config("spark.driver.host", "127.0.0.1")
               .config("spark.sql.extensions",
                       "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
               .config("spark.jars", ",".join(sorted(glob.glob(os.path.join(jars, "*.jar"))))))
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def rows(spark, text):
    plan = spark._jsparkSession.sql(text).queryExecution().executedPlan()
    lines = spark._jvm.org.apache.spark.sql.execution.HiveResult.hiveResultString(plan)
    return [lines.apply(i) for i in range(lines.size())]


def metrics(spark, table):
    fields = spark.table(table + ".files").schema["readable_metrics"].dataType.fields
    answer = []
    for field in fields:
        m = "readable_metrics.`%s`" % field.name
        picked = "SELECT '%s', sum(%s.value_count), sum(%s.null_value_count), sum(%s.nan_value_count)" % (
            field.name, m, m, m)
        for bound, how in (("lower_bound", "min"), ("upper_bound", "max")):
            shown = "hex(%s(%s.%s))" if field.dataType[bound].dataType.typeName() == "binary" else "%s(%s.%s)"
            picked += ", " + shown % (how, m, bound)
        answer += rows(spark, "%s FROM %s.files WHERE content = 0" % (picked, table))
    return answer


def main():
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with open(sys.argv[2], encoding="utf-8") as file:
        spark = session(sys.argv[1], json.load(file))
    print(json.dumps({"ready": spark.version}), file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"rows": rows(spark, request["sql"]) if "sql" in request else metrics(spark, request["metrics"])}
        except Exception as problem:  # whatever Spark throws is the answer
            answer = {"error": str(problem)[:2000]}
        print(json.dumps(answer), file=answers, flush=True)


main()
