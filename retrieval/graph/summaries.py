"""A summary of each community, indexed like a page, gone as soon as a document that it stands on changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from retrieval.answer.sentences import sentences
from retrieval.graph.communities import Community
from retrieval.ports import LLM, Index, Message
from retrieval.prompts import prompt
from retrieval.types import Block, Document, Kind, Passage
from storage.communities import Communities

SOURCE = "graph"
MAX_PASSAGES = 12
"""Passages that a summary is written from, the most linking first."""

MAX_QUOTES = 10
"""Sentences of a summary that is quoted, not written."""

Summarise = Callable[[Community], str]


def summary_id(community_id: str) -> str:
    """The id under which a community's summary is indexed."""
    return f"{SOURCE}/{community_id}"


def quote_summary(community: Community) -> str:
    """The first sentence of each linking passage: a summary without a model."""
    firsts = (next(iter(sentences(passage.text)), "") for passage in community.passages)
    return "\n".join(list(dict.fromkeys(filter(None, firsts)))[:MAX_QUOTES])


@dataclass(frozen=True)
class WrittenSummary:
    """A summary by a language model. Raises what the model raises."""

    llm: LLM

    def __call__(self, community: Community) -> str:
        told = "\n\n".join(_shown(passage) for passage in community.passages[:MAX_PASSAGES])
        names = ", ".join(community.names[:10])
        asked = Message("user", f"Things: {names}\n\n{told}")
        return self.llm.write([Message("system", prompt("community")), asked], max_tokens=400)


def as_document(community: Community, text: str) -> Document:
    """A community's summary as a page; its title names the three most linked things."""
    title = ", ".join(community.names[:3])
    url = next((passage.url for passage in community.passages if passage.url), "")
    return Document(
        id=summary_id(community.id),
        source=SOURCE,
        title=title,
        version=community.id,
        blocks=(Block(Kind.SUMMARY, text),),
        readers=community.readers,
        url=url,
    )


@dataclass(frozen=True)
class SummaryKeeper:
    """The Keeper that retracts summaries: what stood on a changed or removed document is forgotten."""

    communities: Communities
    index: Index

    def keep(self, team: str, document: Document, passages: Sequence[Passage]) -> None:
        """A changed document may no longer say what a summary says it does."""
        if document.source != SOURCE:
            self.drop(team, document.id)

    def drop(self, team: str, document_id: str) -> None:
        """Forget the summaries that stand on a document."""
        for community_id in self.communities.standing_on(team, document_id):
            self.index.forget(team, summary_id(community_id))
            self.communities.drop(team, community_id)


def _shown(passage: Passage) -> str:
    return f"<passage title={passage.title!r}>\n{passage.text}\n</passage>"
