"""Remembers what the knowledge's pictures look like, and finds those that look like a given one."""

from collections.abc import Sequence
from dataclasses import dataclass

from multimodal.alike import DIGITS, SIMILAR, look_of
from retrieval.errors import Permanent, Unreadable
from retrieval.ports import ObjectStore
from retrieval.search.same_picture import difference
from retrieval.types import Document, Passage, Scope
from storage.pictures import Pictures, StoredPicture


@dataclass(frozen=True)
class Album:
    """The Keeper of pictures. A picture is as readable as the passage it stands in."""

    pictures: Pictures
    objects: ObjectStore

    def keep(self, team: str, document: Document, passages: Sequence[Passage]) -> None:
        """Make the pictures of `document` all that is kept of it; one that is gone is left out."""
        found = {passage.id: look for passage in passages if (look := self._look(passage))}
        stored = [StoredPicture(id, look, document.readers) for id, look in found.items()]
        self.pictures.replace(team, document.id, stored)

    def drop(self, team: str, document_id: str) -> None:
        """Forget the pictures of a document."""
        self.pictures.drop(team, document_id)

    def find(self, image: bytes, scope: Scope, limit: int) -> list[tuple[str, int]]:
        """Passages with a similar picture that `scope` may read, and the bits that differ; nearest first.

        Raises Unreadable.
        """
        look = look_of(image)
        seen = self.pictures.visible(scope.team, scope.readers)
        near = ((one.passage_id, difference(look, one.look)) for one in seen)
        return sorted((pair for pair in near if pair[1] <= SIMILAR), key=lambda pair: pair[1])[:limit]

    def _look(self, passage: Passage) -> str:
        if passage.image is None:
            return ""
        if passage.image.look:
            return passage.image.look[:DIGITS]
        try:
            return look_of(self.objects.get(passage.image))
        except (Permanent, Unreadable):
            return ""
