"""Notes for each passage what it is about, by name: its document's title, its heading, what it defines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from retrieval.graph.names import is_telling, key_of
from retrieval.graph.shorts import is_short_form, shorts_in
from retrieval.types import Document, Passage
from retrieval.understand.language import has_han
from storage.names import Names, Naming

TITLE, HEADING, DEFINED = 3, 2, 1
FIRST_PASSAGES = 3
"""Passages of a document that stand for its title; later ones are reached through their headings."""

MAX_KEY = 120
"""Characters of a name; longer titles are sentences, which nobody mentions word for word."""

_DEFINITION = re.compile(
    r"^(?:[-*]\s+|\|\s*)?\*{0,2}(?P<name>[^*|:：\n]{2,60}?)\*{0,2}\s*(?:[:：]|\||——|—)\s*"
    r"(?!\S*\d\S*\s*$)(?!.*\n\|[-|: ]+$)\S",
    re.M,
)
"""Neither a label before a bare figure or code ("Firmware: v2.32.0") nor the header of a table."""
_ALIAS = re.compile(r"(?P<name>[^()（）]+?)\s*[(（](?P<alias>[^()（）]{2,40})[)）]\s*$")


@dataclass(frozen=True)
class NameKeeper:
    """The Keeper of names. A name is dropped with the document that gave it."""

    names: Names

    def keep(self, team: str, document: Document, passages: Sequence[Passage]) -> None:
        """Make the names in `document` all that is kept of it."""
        best: dict[tuple[str, str], Naming] = {}
        for naming in _namings(document, passages):
            place = (naming.key, naming.passage_id)
            if place not in best or best[place].strength < naming.strength:
                best[place] = naming
        self.names.replace(team, document.id, best.values())

    def drop(self, team: str, document_id: str) -> None:
        """Forget the names of a document."""
        self.names.drop(team, document_id)


def _namings(document: Document, passages: Sequence[Passage]) -> Iterator[Naming]:
    stem = PurePosixPath(document.id).stem.replace("-", " ").replace("_", " ")
    titles = {key for name in (document.title, stem) for key in _keys(name)}
    for passage in passages:
        told = [(key, HEADING) for key in _keys(passage.section.rpartition(" › ")[2])]
        told += [(key, DEFINED) for name in _defined(passage.text) for key in _keys(name)]
        if passage.position < FIRST_PASSAGES:
            told += [(key, TITLE) for key in titles]
        for key, strength in told:
            yield Naming(key, passage.id, document.id, strength)


def _defined(text: str) -> Iterator[str]:
    for found in _DEFINITION.finditer(text):
        yield found["name"]
    yield from shorts_in(text)


def _is_alias(name: str, aside: str) -> bool:
    return is_short_form(aside) or has_han(aside) != has_han(name)


def _keys(name: str) -> Iterator[str]:
    """The key of a name, and that of the alias that it carries in brackets.

    "RGA" and a name in the other script are aliases; "(1988 film)" and "（中国）" tell two of one name apart.
    """
    found = _ALIAS.match(name)
    alias = found["alias"] if found and _is_alias(found["name"], found["alias"]) else ""
    for spelling in (name, alias):
        if len(key := key_of(spelling)) <= MAX_KEY and is_telling(key):
            yield key
