"""Calls that come at the same time are one call, and each gets its own rows."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from retrieval.ports import Vectors
from retrieval.providers.gather import Gather


class Model:
    """The length of each text; keeps what it was asked, and how many asked at once."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.inside = 0
        self.most = 0

    def __call__(self, texts: Sequence[str]) -> Vectors:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.asked.append(list(texts))
        time.sleep(0.02)
        self.inside -= 1
        if "bad" in texts:
            raise ValueError("bad text")
        return np.array([[len(text)] for text in texts], np.float32)


def test_every_caller_gets_the_rows_of_its_texts() -> None:
    model = Model()
    gather = Gather(model)
    wanted = [["x" * (caller + at) for at in range(1, 4)] for caller in range(20)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(gather, wanted))
    assert [rows.ravel().tolist() for rows in found] == [[len(t) for t in texts] for texts in wanted]
    assert model.most == 1
    assert len(model.asked) < 20


def test_a_batch_is_no_larger_than_asked_for_except_for_a_single_call() -> None:
    model = Model()
    gather = Gather(model, most=5)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(gather, [["a", "b"]] * 12 + [["c"] * 9]))
    assert max(len(texts) for texts in model.asked if "c" not in texts) <= 5
    assert ["c"] * 9 in model.asked


def test_a_failure_reaches_those_who_were_in_the_call_and_the_next_call_works() -> None:
    gather = Gather(Model())
    with pytest.raises(ValueError, match="bad text"):
        gather(["bad"])
    assert gather(["good"]).tolist() == [[4.0]]


def test_nobody_waits_for_ever_when_the_worker_ends_between() -> None:
    model = Model()
    gather = Gather(model, most=1)
    threads = [threading.Thread(target=gather, args=(["x"],), daemon=True) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=5)
    assert not any(thread.is_alive() for thread in threads)


def test_no_texts_are_no_rows() -> None:
    assert Gather(lambda texts: np.zeros((len(texts), 3), np.float32))([]).shape == (0, 3)
