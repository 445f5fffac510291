"""Says that the knowledge holds no answer, in the asker's language, with the nearest passages to look at."""

from collections.abc import Sequence

from retrieval.types import Answer, Hit, Outcome, Query

_TEXT = {
    "en": (
        "I could not find this in the knowledge that everybody in this conversation may read. "
        "Other words may help, or a colleague may know."
    ),
    "zh": "在这里所有人都能查看的资料中，我没有找到答案。可以换个说法再问，或请教同事。",
}
_NEAREST = 3


def not_found(query: Query, hits: Sequence[Hit]) -> Answer:
    """An answer that answers nothing; `nearest` are at most three passages, one a document."""
    nearest = {hit.passage.document_id: hit.passage for hit in reversed(hits)}
    passages = [passage for hit in hits if (passage := nearest.pop(hit.passage.document_id, None))]
    return Answer(
        _TEXT[query.language],
        Outcome.NOT_FOUND,
        language=query.language,
        route=query.route,
        nearest=tuple(passages[:_NEAREST]),
    )
