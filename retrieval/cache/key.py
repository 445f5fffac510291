"""What must be equal for an answer to be shown again, and which answers may be at all."""

import hashlib
import json
import re

from retrieval.cache.guards import plain
from retrieval.types import Answer, Outcome, Query, RouteName

_ROUTES = frozenset({RouteName.DOCUMENTS, RouteName.MULTIHOP})
_PASSING = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|now|currently|at the moment|latest|so far)\b"
    r"|今天|今日|昨天|明天|现在|目前|此刻|最新|刚才",
    re.IGNORECASE,
)


def may_ask(query: Query) -> bool:
    """Whether a question may be answered from the cache: not by pictures, personal facts or the hour."""
    return (
        query.route.name in _ROUTES
        and not query.images
        and not query.facts
        and not _PASSING.search(query.text)
    )


def may_keep(answer: Answer) -> bool:
    """Whether an answer may be shown again: whole, cited, and right by every check."""
    return (
        answer.outcome is Outcome.ANSWERED
        and bool(answer.citations)
        and not answer.degraded
        and all(check.passed for check in answer.checks)
    )


def scope_key(query: Query, setup: str) -> str:
    """Everything but the question: who may see the answer, the filters, and `setup`, what answers it."""
    scope = query.scope
    parts = (
        scope.team,
        sorted(scope.readers),
        sorted(scope.private),
        query.route.name,
        repr(query.filters),
        query.language,
        setup,
    )
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def exact_key(scope: str, text: str) -> str:
    """The same question in the same scope, however it is spaced, cased or ended."""
    return hashlib.sha256(f"{scope}\n{plain(text)}".encode()).hexdigest()[:32]
