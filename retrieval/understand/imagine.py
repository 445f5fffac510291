"""HyDE: has the model imagine a page that answers, and searches by its meaning, too (Gao et al. 2022).

Never where figures or comparisons are asked: an invented figure finds the page that holds it, right or wrong.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from retrieval.errors import Permanent, Transient
from retrieval.ports import LLM, Message, Rewriter
from retrieval.prompts import prompt
from retrieval.tracing import degraded, record
from retrieval.types import Query, Question, Route, RouteName, Turn

_FIGURES = re.compile(
    r"\d|\bhow (?:many|much|long|often|far|old|high|large|big)\b"
    r"|\bwhen (?:is|are|was|were|do|does|did|will|can|must|should)\b"
    r"|\b(?:number|amount|price|cost|rate|limit|date|year|percent\w*|total|average|maximum|minimum|deadline)\b"
    r"|\b(?:compar\w+|differ\w*|versus|vs|better|worse|best|worst|more|less|most|least|than)\b"
    r"|多少|多久|多大|多高|多长|几[个天年月次人元点号]|何时|什么时候|日期|金额|价格|费用|上限|比例|比较|对比|区别|差异|不同|更|最|还是",
    re.IGNORECASE,
)
_MOST_TOKENS = 160


class ImaginingRewriter:
    """Adds to a query an imagined page; only its meaning is searched, its words never are."""

    def __init__(self, rewriter: Rewriter, llm: LLM) -> None:
        self._rewriter, self._llm = rewriter, llm

    def rewrite(self, question: Question, turns: Sequence[Turn], route: Route) -> Query:
        """The wrapped rewriter's query; without the page when the model fails or figures are asked."""
        query = self._rewriter.rewrite(question, turns, route)
        if route.name is not RouteName.DOCUMENTS or asks_figures(query.text):
            record(imagined=False)
            return query
        try:
            page = self._llm.write(
                [Message("system", prompt("imagine")), Message("user", query.text)], max_tokens=_MOST_TOKENS
            )
        except (Transient, Permanent):
            degraded("imagine")
            return query
        record(imagined=True)
        return replace(query, imagined=page.strip())


def asks_figures(text: str) -> bool:
    """Whether a question asks for a figure, a date or a comparison."""
    return _FIGURES.search(text) is not None
