"""The cache of a house that has none."""

from collections.abc import Callable

from retrieval.types import Answer, Query


class NoCache:
    """Makes every answer anew."""

    def answer(self, query: Query, make: Callable[[], Answer]) -> Answer:
        """What `make` makes."""
        return make()

    def reject(self, team: str, question_id: str) -> bool:
        """There is nothing to end."""
        return False
