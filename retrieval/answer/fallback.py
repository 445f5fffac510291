"""A writer that goes on without its model: when it fails, sources are quoted, also after half an answer."""

from collections.abc import Sequence

from retrieval.errors import Permanent, Transient
from retrieval.pipeline import silence
from retrieval.ports import OnText, Writer
from retrieval.tracing import degraded
from retrieval.types import Hit, Query, Turn


class WriterWithFallback:
    """Writes by `first`, or by `second` when it fails."""

    def __init__(self, first: Writer, second: Writer) -> None:
        self.name = first.name
        self._first, self._second = first, second

    def write(self, query: Query, evidence: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> str:
        """The first's text, or the second's, which then says nothing aloud where a half was heard already."""
        said: list[str] = []

        def hear(piece: str) -> None:
            said.append(piece)
            on_text(piece)

        try:
            return self._first.write(query, evidence, turns, hear)
        except (Transient, Permanent):
            degraded("writer")
            heard = any(piece.strip() for piece in said)
            return self._second.write(query, evidence, turns, silence if heard else on_text)
