"""One peer over one set: `python ask.py FOLDER PEER`, in the peers' own environment.

Reads what the bench laid into FOLDER; writes PEER.json: what was found for each question, its milliseconds,
seconds of indexing.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from stores import STORES, Server, Text

WARM = 20


def main(folder: Path, peer: str) -> None:
    """Fill the peer's store, ask every question, write down what happened."""
    server = Server(**json.loads((folder / "server.json").read_text("utf-8")))
    texts = [
        Text(row["id"], row["content"], vector.tolist())
        for row, vector in zip(_rows(folder / "texts.jsonl"), np.load(folder / "texts.npy"), strict=True)
    ]
    store = STORES[peer](server, f"Peer{''.join(filter(str.isalnum, folder.name + peer))}")
    start = time.perf_counter()
    store.fill(texts)
    filled = time.perf_counter() - start
    asked = list(zip(_rows(folder / "questions.jsonl"), np.load(folder / "questions.npy"), strict=True))
    for row, vector in asked[:WARM]:
        store.find(row["text"], vector.tolist(), 20)
    found: dict[str, list[str]] = {}
    took: list[float] = []
    for row, vector in asked:
        start = time.perf_counter()
        found[row["id"]] = store.find(row["text"], vector.tolist(), 20)
        took.append(1000 * (time.perf_counter() - start))
    told = {"found": found, "took": took, "filled": filled}
    (folder / f"{peer}.json").write_text(json.dumps(told), encoding="utf-8")


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
