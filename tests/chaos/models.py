"""A language model and a reranker that fail in every way that servers fail."""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Literal, Self

from tests.standins.cohere import CohereStandin
from tests.standins.openai import OpenAIStandin, Script
from tests.standins.rules import by_rules
from tests.standins.server import Reaction, Request

Fault = Literal["", "429", "500", "half", "garbage", "nothing"]
HANG_SECONDS = 90


class _Faulty:
    """How an answer is spoilt. `fault` may change at any time."""

    fault: Fault = ""

    def spoil(
        self, found: tuple[int, Mapping[str, str], Reaction] | None
    ) -> tuple[int, Mapping[str, str], Reaction] | None:
        match self.fault:
            case "429" | "500":
                return int(self.fault), {"retry-after": "1"}, {"error": {"message": "no"}, "message": "no"}
            case "garbage":
                return 200, {}, iter(["<html>bad gateway</html>"])
            case "nothing":
                until = time.monotonic() + HANG_SECONDS
                while self.fault == "nothing" and time.monotonic() < until:
                    time.sleep(0.1)
                return None
            case "half" if found and not isinstance(found[2], dict):
                return found[0], found[1], _first(found[2], 3)
            case _:
                return found


class FaultyOpenAI(_Faulty, OpenAIStandin):
    """`script` may be changed, too: it is what the model says."""

    def __init__(self) -> None:
        self.script: Script = by_rules
        super().__init__(lambda chat: self.script(chat))

    def answer(self, request: Request) -> tuple[int, Mapping[str, str], Reaction] | None:
        return self.spoil(super().answer(request))


class FaultyCohere(_Faulty, CohereStandin):
    def answer(self, request: Request) -> tuple[int, Mapping[str, str], Reaction] | None:
        return self.spoil(super().answer(request))


class Models:
    """Both servers, for as long as they are entered."""

    def __init__(self) -> None:
        self.writer, self.reranker = FaultyOpenAI(), FaultyCohere()
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(self.writer)
        self._stack.enter_context(self.reranker)
        return self

    def __exit__(self, *_: object) -> None:
        self.heal()
        self._stack.close()

    def heal(self) -> None:
        """No more faults."""
        self.writer.fault = self.reranker.fault = ""

    def variables(self) -> dict[str, str]:
        """By which the product finds them."""
        return {
            "OPENAI_API_KEY": "test-key",
            "OPENAI_BASE_URL": self.writer.url,
            "COHERE_API_KEY": "test-key",
            "COHERE_BASE_URL": self.reranker.url,
        }


def _first(pieces: Iterator[str], count: int) -> Iterator[str]:
    for _, piece in zip(range(count), pieces, strict=False):
        yield piece
