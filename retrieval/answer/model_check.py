"""The second line of defence: a language model judges what the cheap checks doubt, and nothing else."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from retrieval.answer import tokens
from retrieval.answer.claims import claims, unmarked
from retrieval.answer.write import source_element
from retrieval.errors import Permanent, Transient
from retrieval.ports import LLM, Checker, Message
from retrieval.prompts import prompt
from retrieval.tracing import degraded, traced
from retrieval.types import Check, Hit, Query

_SOURCE_TOKENS = 3000
_JUDGED = ("support", "pairs", "complete")
"""Doubts that a model can dispel; an altered figure or a missing mark it cannot."""


class Verdict(BaseModel):
    """What a model thinks of an answer."""

    faithful: bool = Field(description="every statement is in the sources")
    complete: bool = Field(description="every part of the question is answered, or said to be unknown")
    problem: str = Field(
        description="the statement without a source or the part without an answer, else empty"
    )


class ModelChecker:
    """Checks cheaply first. Without a doubt, or when the model fails, the cheap checks are the result."""

    def __init__(self, cheap: Checker, llm: LLM) -> None:
        self._cheap = cheap
        self._llm = llm

    @traced("check")
    def check(self, query: Query, text: str, evidence: Sequence[Hit]) -> list[Check]:
        """The cheap checks, the doubtful ones replaced by the model's verdict."""
        checks = self._cheap.check(query, text, evidence)
        if not claims(text) or all(check.passed for check in checks if check.name in _JUDGED):
            return checks
        try:
            verdict = self._llm.extract(_request(query, text, evidence), Verdict)
        except (Transient, Permanent):
            degraded("check")
            return [check for check in checks if check.name not in _JUDGED]
        kept = [check for check in checks if check.name not in _JUDGED]
        return [
            *kept,
            _check("faithful", verdict.faithful, verdict),
            _check("complete", verdict.complete, verdict),
        ]


def _check(name: str, passed: bool, verdict: Verdict) -> Check:
    return Check(name, passed, float(passed), "" if passed else verdict.problem[:200])


def _request(query: Query, text: str, evidence: Sequence[Hit]) -> list[Message]:
    sources = "\n".join(source_element(number, hit.passage) for number, hit in enumerate(evidence, 1))
    clipped = tokens.clip(sources, _SOURCE_TOKENS)
    asked = f"{clipped}\n<question>\n{query.text}\n</question>\n<answer>\n{unmarked(text)}\n</answer>"
    return [Message("system", prompt("check")), Message("user", asked)]
