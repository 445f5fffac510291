"""How far the keyword leg is to be believed: the share of the question's words that its best passages hold.

A question in another language than the passages shares a name or a number with them at most. Stretched to
0..1, the scores of such accidents would weigh as much as those of real matches.
"""

from collections.abc import Sequence

from retrieval.search.analyze import analyze_question, analyze_text
from retrieval.types import Passage

BEST = 5
ENOUGH = 0.5
"""With half of its words found, a question is believed to be answered in its own words."""


def coverage(wordings: Sequence[str], best: Sequence[Passage]) -> float:
    """0 to 1; 1 when one of the leg's best passages holds at least half of the words of a wording."""
    passages = [_words(passage) for passage in best]
    asked = [set(analyze_question(wording).split()) for wording in wordings]
    shares = [len(words & held) / len(words) for words in asked if words for held in passages]
    return min(1.0, max(shares, default=0.0) / ENOUGH)


def _words(passage: Passage) -> set[str]:
    return set(analyze_text(f"{passage.title}\n{passage.section}\n{passage.context}\n{passage.text}").split())
