"""spark-submit spark_pipe.py QUERIES ANSWERS: a query on each line, as JSON, and so the answers."""
import os
import sys

from pyspark import SparkContext

queries, answers = sys.argv[1:]
context = SparkContext(appName="chuhe")
lines = context.textFile(queries, minPartitions=16)
command = "chuhe analyse --stdin --threads 1 --hash 16 --nodes 1000"
# Spark starts commands without the variables of the worker, so that it would not find the program.
lines.pipe(command, env={"PATH": os.environ["PATH"]}).saveAsTextFile(answers)
