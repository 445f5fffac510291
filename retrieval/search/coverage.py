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
    asked = [words for wording in wordings if (words := set(analyze_question(wording).split()))]
    most = 0.0
    for passage in best:
        held = _words(passage)
        most = max([most, *(len(words & held) / len(words) for words in asked)])
        if most >= ENOUGH:
            return 1.0
    return most / ENOUGH


def _words(passage: Passage) -> set[str]:
    return set(analyze_text(f"{passage.title}\n{passage.section}\n{passage.context}\n{passage.text}").split())
