"""The originals that a model which sees is given with a question: those posted, those in the evidence."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from multimodal.describe import shrink
from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.ports import ObjectStore
from retrieval.search.same_picture import once
from retrieval.tracing import degraded
from retrieval.types import Hit, ImageRef, Query

MOST_POSTED = 3
MOST_FOUND = 3


@dataclass(frozen=True)
class Originals:
    """The `Look` of a house with a model that sees. A picture that cannot be had costs nobody the answer."""

    objects: ObjectStore

    def __call__(self, query: Query, evidence: Sequence[Hit]) -> list[bytes]:
        """PNGs without metadata: posted ones first, then those of the evidence in its order."""
        found = [hit.passage.image for hit in evidence if hit.passage.image and hit.passage.image.sha256]
        return list(self._read(once([*query.images[:MOST_POSTED], *once(found)[:MOST_FOUND]])))

    def _read(self, images: Iterable[ImageRef]) -> Iterator[bytes]:
        for image in images:
            try:
                yield shrink(self.objects.get(image))
            except (Permanent, Transient, Unreadable):
                degraded("picture")
