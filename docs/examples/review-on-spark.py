"""Runs the query that `cf-waf-migrate review --sql spark` prints.

    spark-submit --files review.sql review-on-spark.py EVENTS review.sql RESULT

EVENTS is a path of log exports, JSON lines. RESULT is a folder that does not exist.
"""

import sys

from pyspark.sql import SparkSession

columns = [
    "RayID", "Source", "Action", "RuleID", "ClientIP", "ClientRequestHost", "ClientRequestMethod",
    "ClientRequestPath", "ClientRequestQuery", "Datetime",
]
events, query, result = sys.argv[1:]
spark = SparkSession.builder.appName("cf-waf-migrate review").getOrCreate()
spark.sparkContext.setLogLevel("WARN")
schema = ", ".join(f"{column} STRING" for column in columns)
spark.read.schema(schema).json(events).createOrReplaceTempView("firewall_events")
with open(query, encoding="utf-8") as file:
    spark.sql(file.read()).coalesce(1).write.json(result)
spark.stop()
