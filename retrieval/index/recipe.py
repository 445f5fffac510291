"""How documents become passages; a document is indexed again when its recipe's name is another."""

from collections.abc import Callable
from dataclasses import dataclass

from retrieval.index.chunk import Sizes, chunk
from retrieval.index.contextualize import contextualize
from retrieval.index.situate import Estimate, Situate
from retrieval.index.strategies import cutter
from retrieval.ports import Embedder
from retrieval.types import Document, Passage

_FORMAT = 7
"""Raised whenever parsing, chunking or context lines change what is indexed."""


@dataclass(frozen=True)
class Recipe:
    """`name` holds all that the result depends on besides the document, the embedder among it.

    `estimate` tells what a model would be asked to write for a document.
    """

    name: str
    passages: Callable[[Document], tuple[Passage, ...]]
    estimate: Callable[[Document], Estimate] = lambda _: Estimate()


def recipe_of(embedder: Embedder, chunking: str = "auto", situate: Situate | None = None) -> Recipe:
    """Chunks as `chunking` says; contexts by a model where there is one, else the deterministic line.

    Raises Permanent for a chunking that is not there.
    """
    cut = cutter(chunking, embedder)
    if situate is None:
        name = f"{_FORMAT}/{embedder.name}/{chunking}"
        return Recipe(name, lambda document: contextualize(cut(document)))
    name = f"{_FORMAT}/{embedder.name}/{chunking}/{situate.llm.name}"
    return Recipe(
        name,
        lambda document: situate(document, cut(document)),
        lambda document: situate.estimate(document, cut(document)),
    )


def plain_recipe(embedder: str, sizes: Sizes = Sizes()) -> Recipe:
    """Chunks by structure with deterministic context lines. `embedder` is the embedder's name."""
    name = f"{_FORMAT}/{embedder}/{sizes.passage}-{sizes.least}-{sizes.parent}"
    return Recipe(name, lambda document: contextualize(chunk(document, sizes)))
