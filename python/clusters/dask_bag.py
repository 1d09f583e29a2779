"""python dask_bag.py QUERIES ANSWERS: a query on each line, as JSON, and so the answers."""
import json
import sys

import dask.bag


def analyse(queries):
    import chuhe

    with chuhe.Engine(hash=16) as engine:
        pairs = ((query["id"], query["position"]) for query in map(json.loads, queries))
        return [json.dumps(answer) for answer in engine.analyse_many(pairs, threads=1, nodes=1000, errors="return")]


if __name__ == "__main__":
    queries, answers = sys.argv[1:]
    dask.bag.read_text(queries, blocksize="100kB").map_partitions(analyse).to_textfiles(f"{answers}/*.jsonl")
