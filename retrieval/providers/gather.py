"""Joins calls of several threads that come at the same time into one: a model reads many texts faster."""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from retrieval.ports import Vectors

Work = Callable[[Sequence[str]], Vectors]
"""Texts to vectors, a row each."""


@dataclass
class _Call:
    texts: Sequence[str]
    vectors: Vectors | None = None
    error: Exception | None = None

    @property
    def done(self) -> bool:
        return self.vectors is not None or self.error is not None


class Gather:
    """Lets one thread at a time work; it takes along what the others asked for meanwhile, up to `most` texts.

    Two threads at once would share the same cores, each with a small batch.
    """

    def __init__(self, work: Work, most: int = 64) -> None:
        self._work, self._most = work, most
        self._waiting: deque[_Call] = deque()
        self._turn = threading.Lock()

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """The vectors of `texts`. Raises what the work raises."""
        mine = _Call(texts)
        self._waiting.append(mine)
        while not mine.done:
            with self._turn:
                if not mine.done:
                    self._take_along()
        if mine.error is not None:
            raise mine.error
        assert mine.vectors is not None
        return mine.vectors

    def _take_along(self) -> None:
        calls = [self._waiting.popleft()]
        while self._waiting and sum(len(c.texts) for c in calls) + len(self._waiting[0].texts) <= self._most:
            calls.append(self._waiting.popleft())
        try:
            vectors = self._work([text for call in calls for text in call.texts])
        except Exception as error:
            for call in calls:
                call.error = error
            return
        start = 0
        for call in calls:
            call.vectors = vectors[start : start + len(call.texts)]
            start += len(call.texts)
