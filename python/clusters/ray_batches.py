"""python ray_batches.py POSITIONS ANSWERS: a table of positions in, a table of answers out."""
import sys

import ray


class Analyst:
    """Is built once for each worker, with its hash table."""

    def __init__(self):
        import chuhe

        self.engine = chuhe.Engine(hash=16)

    def __call__(self, batch):
        pairs = zip(batch["id"].tolist(), batch["fen"].tolist())
        answers = list(self.engine.analyse_many(pairs, threads=1, nodes=1000, errors="return"))
        return {
            "id": [answer["id"] for answer in answers],
            "chance": [answer.get("chance") for answer in answers],
            "best": [" ".join(answer.get("best") or []) for answer in answers],
            "error": [answer.get("error") for answer in answers],
        }


positions, answers = sys.argv[1:]
ray.init()
table = ray.data.read_csv(positions).repartition(40)
# Each takes a processor, and one must be left to read and to write.
workers = ray.data.ActorPoolStrategy(size=max(1, int(ray.cluster_resources()["CPU"]) - 1))
table.map_batches(Analyst, batch_size=500, compute=workers).write_parquet(answers)
