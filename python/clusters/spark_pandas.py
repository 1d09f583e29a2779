"""spark-submit spark_pandas.py POSITIONS ANSWERS: a table of positions in, a table of answers out."""
import sys
from typing import Iterator

import pandas
from pyspark.sql import SparkSession

COLUMNS = ["id", "score", "chance", "best", "error"]
SCHEMA = "id long, score int, chance double, best array<string>, error string"


def analyse(frames: Iterator[pandas.DataFrame]) -> Iterator[pandas.DataFrame]:
    import chuhe

    with chuhe.Engine(hash=16) as engine:
        for frame in frames:
            pairs = zip(frame["id"], frame["fen"])
            answers = engine.analyse_many(pairs, threads=1, nodes=1000, errors="return")
            rows = [[answer.get(column) for column in COLUMNS] for answer in answers]
            yield pandas.DataFrame(rows, columns=COLUMNS, dtype=object)


positions, answers = sys.argv[1:]
spark = SparkSession.builder.appName("chuhe").getOrCreate()
spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
frame = spark.read.csv(positions, header=True, schema="id long, fen string").repartition(16, "id")
frame.mapInPandas(analyse, SCHEMA).write.parquet(answers)
