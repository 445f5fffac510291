"""A language model writes what situates each passage in its document (contextual retrieval, Anthropic 2024).

The document stands first in every prompt, so that providers keep it in their prompt caches and only the
passages are new. What was written is kept by content, so a run that was broken off goes on where it stopped.
"""

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import partial
from hashlib import blake2b

from retrieval.errors import Permanent
from retrieval.index.contexts import Contexts
from retrieval.index.contextualize import contextualize
from retrieval.index.split import split_text
from retrieval.index.tokens import count_tokens
from retrieval.ports import LLM, Message
from retrieval.prompts import prompt
from retrieval.tracing import degraded
from retrieval.types import Document, Passage

_DOCUMENT_TOKENS = 20_000
_ANSWER_TOKENS = 150
_TOGETHER = 6
"""Passages asked for in one call: few enough that the model skips none."""
_SIDE_BY_SIDE = 2
"""Calls at once for one document; a run reads several documents side by side."""
_WRITTEN = re.compile(r'<context n="(\d+)">(.*?)</context>', re.DOTALL)


@dataclass(frozen=True)
class Estimate:
    """What situating would cost. `fresh` tokens are read in full, `cached` ones from the provider's cache."""

    documents: int = 0
    passages: int = 0
    fresh: int = 0
    cached: int = 0
    written: int = 0

    def __add__(self, other: "Estimate") -> "Estimate":
        return Estimate(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


@dataclass(frozen=True)
class Situate:
    """Gives passages a written context; where the model writes none, the deterministic line stays."""

    llm: LLM
    contexts: Contexts

    def __call__(self, document: Document, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        """Raises Transient when the model does not answer; what it wrote until then is kept."""
        plain = contextualize(passages)
        opening = _opening(document)
        keys = self._keys(opening, plain)
        missing = self._missing(keys)
        groups = _groups([passage for passage in plain if passage.id in missing])
        # The first call fills the provider's cache with the document; the others may then go side by side.
        for group in groups[:1]:
            self._write(opening, keys, group)
        with ThreadPoolExecutor(_SIDE_BY_SIDE, thread_name_prefix="situate") as pool:
            list(pool.map(partial(self._write, opening, keys), groups[1:]))
        return tuple(self._with_context(passage, keys) for passage in plain)

    def estimate(self, document: Document, passages: Sequence[Passage]) -> Estimate:
        """What a run over this document would cost; what is written already costs nothing."""
        opening = _opening(document)
        missing = self._missing(self._keys(opening, passages))
        todo = [passage for passage in passages if passage.id in missing]
        if not todo:
            return Estimate()
        prefix = count_tokens(prompt("situate")) + count_tokens(opening)
        fresh = prefix + sum(count_tokens(passage.text) for passage in todo)
        calls = len(_groups(todo))
        return Estimate(1, len(todo), fresh, prefix * (calls - 1), len(todo) * _ANSWER_TOKENS)

    def _keys(self, opening: str, passages: Sequence[Passage]) -> dict[str, str]:
        """Passage ids to the keys under which their contexts are kept: by all that the model is told."""
        told = _digest(self.llm.name, prompt("situate"), opening)
        return {passage.id: _digest(told, passage.section, passage.text) for passage in passages}

    def _missing(self, keys: Mapping[str, str]) -> set[str]:
        known = self.contexts.known(keys.values())
        return {id for id, key in keys.items() if key not in known}

    def _write(self, opening: str, keys: Mapping[str, str], group: Sequence[Passage]) -> None:
        found = self._asked(opening, group)
        for passage in group if len(group) > 1 else ():
            if passage.id not in found:  # a model may skip one among several
                found |= self._asked(opening, [passage])
        self.contexts.put({keys[id]: text for id, text in found.items()})

    def _asked(self, opening: str, group: Sequence[Passage]) -> dict[str, str]:
        """Contexts by passage id, as far as the model wrote them."""
        try:
            reply = self.llm.write(messages(opening, group), max_tokens=_ANSWER_TOKENS * len(group) + 50)
        except Permanent:
            degraded("written context")
            return {}
        return _read(reply, group)

    def _with_context(self, passage: Passage, keys: Mapping[str, str]) -> Passage:
        written = self.contexts.get(keys[passage.id])
        return replace(passage, context=f"{passage.context}\n{written}") if written else passage


def messages(opening: str, group: Sequence[Passage]) -> list[Message]:
    """Everything that is the same for all passages of a document comes first."""
    passages = "\n\n".join(
        f'<passage n="{number}">\n{passage.section}\n\n{passage.text}\n</passage>'
        for number, passage in enumerate(group, 1)
    )
    asked = f"{opening}\n\n{passages}\n\nSituate each of these {len(group)} passages."
    return [Message("system", prompt("situate")), Message("user", asked)]


def _read(reply: str, group: Sequence[Passage]) -> dict[str, str]:
    """The contexts of a reply by passage id; a reply to one passage may come without its tag."""
    numbered = {int(number): " ".join(text.split()) for number, text in _WRITTEN.findall(reply)}
    if not numbered and len(group) == 1:
        numbered = {1: " ".join(reply.split())}
    return {passage.id: numbered[at] for at, passage in enumerate(group, 1) if numbered.get(at)}


def _groups(passages: Sequence[Passage]) -> list[Sequence[Passage]]:
    return [passages[start : start + _TOGETHER] for start in range(0, len(passages), _TOGETHER)]


def _digest(*parts: str) -> str:
    return blake2b("\x00".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _opening(document: Document) -> str:
    """The document as the model reads it; of a very long one the beginning."""
    text = "\n\n".join(block.text for block in document.blocks)
    kept = text if count_tokens(text) <= _DOCUMENT_TOKENS else split_text(text, _DOCUMENT_TOKENS)[0]
    return f"<document>\n{document.title}\n\n{kept}\n</document>"
