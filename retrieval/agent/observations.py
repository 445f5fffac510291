"""What the agent saw: passages it may cite, and texts that it reads as data."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from retrieval.answer.orders import without_orders
from retrieval.types import Hit, Kind, Passage


@dataclass(frozen=True)
class Observation:
    """The result of one call of a tool: a text for the model, and passages for the answer."""

    text: str
    hits: tuple[Hit, ...] = ()


def from_hits(hits: Sequence[Hit]) -> Observation:
    """Passages as the model reads them: title, section and text, without scores and without orders."""
    if not hits:
        return Observation("Nothing was found.")
    return Observation("\n\n".join(_show(hit.passage) for hit in without_orders(hits)), tuple(hits))


def from_text(title: str, text: str, source: str, url: str = "") -> Observation:
    """A result that is no passage of the index (a calculation, a live value), made citable."""
    key = f"{source}:{sha256(f'{title} {text}'.encode()).hexdigest()[:16]}"
    passage = Passage(key, key, "", text, title, kind=Kind.PARAGRAPH, source=source, url=url)
    return Observation(text, (Hit(passage, 1.0),))


def _show(passage: Passage) -> str:
    head = " › ".join(filter(None, (passage.title, passage.section)))
    return f"<passage title={head!r} id={passage.id!r}>\n{passage.text}\n</passage>"
