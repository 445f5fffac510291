"""A language model writes what situates each passage in its document (contextual retrieval, Anthropic 2024).

The document stands first in every prompt, so that providers keep it in their prompt caches and only the
passage is new. What was written is kept by content, so a run that was broken off goes on where it stopped.
"""

import sqlite3
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path

from retrieval.errors import Permanent, Transient
from retrieval.index.contextualize import contextualize
from retrieval.index.split import split_text
from retrieval.index.tokens import count_tokens
from retrieval.ports import LLM, Message
from retrieval.prompts import prompt
from retrieval.tracing import degraded
from retrieval.types import Document, Passage

_DOCUMENT_TOKENS = 20_000
_ANSWER_TOKENS = 150
_SIDE_BY_SIDE = 4


@dataclass(frozen=True)
class Estimate:
    """What situating would cost. `fresh` tokens are read in full, `cached` ones from the provider's cache."""

    passages: int
    fresh: int
    cached: int
    written: int


class Contexts:
    """Contexts that were written before, by what they were written for; one small SQLite file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._held = sqlite3.connect(path, check_same_thread=False)
        self._held.execute("CREATE TABLE IF NOT EXISTS contexts (key TEXT PRIMARY KEY, text TEXT NOT NULL)")

    def get(self, key: str) -> str | None:
        with self._lock:
            row = self._held.execute("SELECT text FROM contexts WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def put(self, key: str, text: str) -> None:
        with self._lock, self._held:
            self._held.execute("INSERT OR REPLACE INTO contexts VALUES (?, ?)", (key, text))

    def close(self) -> None:
        self._held.close()


@dataclass(frozen=True)
class Situate:
    """Gives passages a written context; where the model fails, the deterministic line stays."""

    llm: LLM
    contexts: Contexts

    def __call__(self, document: Document, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        plain = contextualize(passages)
        if not plain:
            return ()
        # The first call fills the provider's cache with the document; the others may then go side by side.
        first = self._situated(document, plain[0])
        with ThreadPoolExecutor(_SIDE_BY_SIDE, thread_name_prefix="situate") as pool:
            rest = pool.map(partial(self._situated, document), plain[1:])
            return (first, *rest)

    def estimate(self, documents: Sequence[tuple[Document, Sequence[Passage]]]) -> Estimate:
        """What a run over these would cost; what is written already costs nothing."""
        fresh = cached = count = 0
        for document, passages in documents:
            todo = [
                passage for passage in passages if self.contexts.get(self._key(document, passage)) is None
            ]
            prefix = count_tokens(_opening(document))
            count += len(todo)
            fresh += sum(count_tokens(passage.text) for passage in todo) + (prefix if todo else 0)
            cached += prefix * max(0, len(todo) - 1)
        return Estimate(count, fresh, cached, count * _ANSWER_TOKENS)

    def _situated(self, document: Document, passage: Passage) -> Passage:
        key = self._key(document, passage)
        written = self.contexts.get(key)
        if written is None:
            try:
                written = " ".join(
                    self.llm.write(messages(document, passage), max_tokens=_ANSWER_TOKENS).split()
                )
            except (Transient, Permanent):
                degraded("written context")
                return passage
            self.contexts.put(key, written)
        return replace(passage, context=f"{passage.context}\n{written}")

    def _key(self, document: Document, passage: Passage) -> str:
        told = "\x00".join(
            (self.llm.name, prompt("situate"), _opening(document), passage.section, passage.text)
        )
        return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def messages(document: Document, passage: Passage) -> list[Message]:
    """Everything that is the same for all passages of a document comes first."""
    asked = f"<passage>\n{passage.section}\n\n{passage.text}\n</passage>\n\nSituate this passage."
    return [Message("system", prompt("situate")), Message("user", f"{_opening(document)}\n\n{asked}")]


def _opening(document: Document) -> str:
    """The document as the model reads it; of a very long one the beginning."""
    text = "\n\n".join(block.text for block in document.blocks)
    kept = text if count_tokens(text) <= _DOCUMENT_TOKENS else split_text(text, _DOCUMENT_TOKENS)[0]
    return f"<document>\n{document.title}\n\n{kept}\n</document>"
