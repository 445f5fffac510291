"""Finds the communities of a team's knowledge, and makes the indexed summaries equal to them."""

from collections.abc import Callable, Iterable

from retrieval.graph.communities import Community, find_communities
from retrieval.graph.summaries import Summarise, as_document, summary_id
from retrieval.ports import Index
from retrieval.types import Document, Passage
from storage.communities import Communities
from storage.names import Names

Cut = Callable[[Document], tuple[Passage, ...]]
"""Cuts a document into passages, as the index's recipe does."""


def build_summaries(
    team: str,
    passages: Iterable[Passage],
    names: Names,
    communities: Communities,
    index: Index,
    cut: Cut,
    summarise: Summarise,
) -> int:
    """Summarise what is new, forget what is no community any more; returns how many there are.

    An unchanged community keeps its summary: a second run costs no model call. Raises Transient or Permanent.
    """
    found = {community.id: community for community in find_communities(passages, names.all(team))}
    known = communities.all(team)
    for gone in known - found.keys():
        index.forget(team, summary_id(gone))
        communities.drop(team, gone)
    for new in sorted(found.keys() - known):
        _write(team, found[new], communities, index, cut, summarise)
    return len(found)


def _write(
    team: str,
    community: Community,
    communities: Communities,
    index: Index,
    cut: Cut,
    summarise: Summarise,
) -> None:
    document = as_document(community, summarise(community))
    # Noted first: a run that dies in between leaves a note to retract by, not a summary that nobody retracts.
    communities.keep(team, community.id, (passage.document_id for passage in community.passages))
    index.replace(team, document.id, cut(document))
