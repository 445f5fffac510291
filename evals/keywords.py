"""BM25 in memory on the product's analysis, for sets that are not worth an index."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from math import log
from typing import Any

import numpy as np

from retrieval.search.analyze import analyze_question, analyze_text


class Keywords:
    """Scores documents by the words that they share with a question (k1 = 1.2, b = 0.75)."""

    def __init__(self, documents: Mapping[str, str]) -> None:
        self.ids = list(documents)
        texts = [analyze_text(text).split() for text in documents.values()]
        self._lengths = np.array([len(text) for text in texts]) / max(1.0, np.mean([len(t) for t in texts]))
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for row, text in enumerate(texts):
            for word, count in Counter(text).items():
                self._postings[word].append((row, count))

    def scores(self, text: str) -> Any:
        """One score a document, in their order."""
        scores = np.zeros(len(self.ids))
        for word in set(analyze_question(text).split()):
            found = self._postings.get(word, [])
            idf = log(1 + (len(self.ids) - len(found) + 0.5) / (len(found) + 0.5))
            for row, count in found:
                scores[row] += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * self._lengths[row]))
        return scores
