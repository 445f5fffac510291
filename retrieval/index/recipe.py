"""How documents become passages; a document is indexed again when its recipe's name is another."""

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.index.chunk import Sizes, chunk
from retrieval.index.contextualize import contextualize
from retrieval.types import Document, Passage

_FORMAT = 1
"""Raised whenever parsing, chunking or context lines change what is indexed."""


@dataclass(frozen=True)
class Recipe:
    """`name` holds all that the result depends on besides the document, the embedder among it."""

    name: str
    passages: Callable[[Document], tuple[Passage, ...]]


def plain_recipe(embedder: str, sizes: Sizes = Sizes()) -> Recipe:
    """Chunks by structure with deterministic context lines. `embedder` is the embedder's name."""
    name = f"{_FORMAT}/{embedder}/{sizes.passage}-{sizes.least}-{sizes.parent}-{sizes.page}"
    return Recipe(name, lambda document: contextualize(chunk(document, sizes)))
