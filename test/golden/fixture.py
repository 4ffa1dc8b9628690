#!/usr/bin/env python3
"""Unpack the tables that a real Spark wrote, where their metadata says they are.

usage: test/golden/fixture.py    prints the folder

Absolute paths inside the metadata point to /tmp/iceberg-golden, so that is where they go; once, whoever asks first.
"""
import fcntl
import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = "/tmp/iceberg-golden"
ARCHIVE = os.path.join(HERE, "warehouse.tar.gz")
SPARK_CATALOG = "org.apache.iceberg.spark.SparkCatalog"


def unpack():
    """The folder with the fixture in it, unpacked if it is not there or came from another archive."""
    mark = os.path.join(ROOT, ".from")
    tag = "%s %d" % (os.path.basename(ARCHIVE), os.path.getsize(ARCHIVE))
    with open(ROOT + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(mark) or open(mark, encoding="utf-8").read() != tag:
            shutil.rmtree(ROOT, ignore_errors=True)
            os.makedirs(ROOT)
            subprocess.run(["tar", "-xzf", ARCHIVE, "-C", os.path.dirname(ROOT), "--no-same-owner"], check=True)
            with open(mark, "w", encoding="utf-8") as file:
                file.write(tag)
    return ROOT


def settings(root=ROOT):
    """Spark's settings of the session that the answers were taken in."""
    warehouse = "file://" + root + "/warehouse"
    conf = {
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.ansi.enabled": "true",
        "spark.sql.leafNodeDefaultParallelism": "1",
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.spark_catalog": "org.apache.iceberg.spark.SparkSessionCatalog",
        "spark.sql.catalog.spark_catalog.type": "hadoop",
        "spark.sql.catalog.spark_catalog.warehouse": warehouse,
    }
    for name in ("local", "prod", "events", "s3tablesbucket"):
        conf["spark.sql.catalog." + name] = SPARK_CATALOG
        conf["spark.sql.catalog." + name + ".type"] = "hadoop"
        conf["spark.sql.catalog." + name + ".warehouse"] = warehouse
    return conf


if __name__ == "__main__":
    print(unpack())
