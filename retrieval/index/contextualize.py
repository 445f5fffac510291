"""A line that situates each passage in its document: indexed with the passage, not shown to readers."""

from collections.abc import Sequence
from dataclasses import replace

from retrieval.index.split import sentences
from retrieval.index.tokens import count_tokens
from retrieval.types import Passage

_NEIGHBOUR_TOKENS = 30


def contextualize(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Passages of one document in order, with `context`: title › section, product, date, what came before.

    Deterministic and free; a language model writes better ones (`retrieval/index/situate.py`).
    """
    before = (None, *passages)
    pairs = zip(passages, before, strict=False)
    return tuple(replace(passage, context=_line(passage, previous)) for passage, previous in pairs)


def _line(passage: Passage, previous: Passage | None) -> str:
    below = [part for part in passage.section.split(" › ") if part not in passage.title]
    where = " › ".join(filter(None, (passage.title, *below)))
    # `updated_at` may be a file's time, which a mere copy changes; embedding again for that would be waste.
    date = f"{passage.created_at:%Y-%m-%d}" if passage.created_at else ""
    parts = [where, passage.product_line, date]
    if previous is not None and previous.section == passage.section:
        before = _last_sentence(previous.text)
        parts.append(f"after: {before}" if before else "")
    return " · ".join(filter(None, parts))


def _last_sentence(text: str) -> str:
    """The end of the passage before, as far as it is short enough to be of use."""
    last = sentences(text)[-1].strip() if text else ""
    return last if count_tokens(last) <= _NEIGHBOUR_TOKENS else ""
