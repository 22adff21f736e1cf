"""Runs the printed comparison on Spark in local mode: events.ndjson and query.sql in, rows as JSON lines out."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql.types import StringType, StructField, StructType

columns = [
    "RayID", "Source", "Action", "RuleID", "ClientIP", "ClientRequestHost", "ClientRequestMethod",
    "ClientRequestPath", "ClientRequestQuery", "Datetime",
]
folder = sys.argv[1]
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.session.timeZone", "America/New_York")
    .config("spark.sql.warehouse.dir", folder + "/warehouse")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
schema = StructType([StructField(name, StringType()) for name in columns])
spark.read.schema(schema).json(folder + "/events.ndjson").createOrReplaceTempView("firewall_events")
with open(folder + "/query.sql", encoding="utf-8") as file:
    rows = spark.sql(file.read()).toJSON().collect()
with open(folder + "/result.ndjson", "w", encoding="utf-8") as file:
    file.write("".join(row + "\n" for row in rows))
spark.stop()
