"""Each way of cutting does what its name says."""

import hashlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from retrieval.errors import Permanent
from retrieval.index.strategies import cutter
from retrieval.index.tokens import count_tokens
from retrieval.ports import Vectors
from retrieval.types import Block, Document, Kind


class Topics:
    """Sentences about the same first word are alike, others are not."""

    name = "fake:topics"
    dimensions = 64

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.embed_documents(texts)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[hashlib.sha256(text.split()[0].encode()).digest()[0] % self.dimensions] = 1
        return rows


def document(*blocks: Block) -> Document:
    return Document("d", "s", "D", "v", blocks)


def paragraph(text: str, *section: str) -> Block:
    return Block(Kind.PARAGRAPH, text, section)


PUMPS = "Pumps need oil every thousand hours and a check of the seal. " * 10
LEAVE = "Leave is asked for in the portal and granted by the lead within a week. " * 10


def test_meaning_cuts_where_the_topic_changes() -> None:
    passages = cutter("semantic", Topics())(document(paragraph(PUMPS + LEAVE)))
    assert len(passages) == 2
    assert "Leave" not in passages[0].text
    assert passages[1].text.startswith("Leave")


def test_fixed_windows_overlap_by_whole_sentences() -> None:
    text = " ".join(f"Sentence number {at} says that rule {at} holds for all." for at in range(200))
    passages = cutter("fixed")(document(paragraph(text)))
    assert all(count_tokens(passage.text) <= 560 for passage in passages)
    for one, other in pairwise(passages):
        assert other.text.split(". ")[0] in one.text


def test_children_are_small_and_parents_are_read_together() -> None:
    passages = cutter("parent-child")(document(paragraph(PUMPS + LEAVE, "A")))
    assert max(count_tokens(passage.text) for passage in passages) <= 120
    assert len({passage.parent for passage in passages}) == 1


def test_auto_looks_at_the_documents_shape() -> None:
    auto = cutter("auto", Topics())
    plain = document(paragraph((PUMPS + LEAVE) * 6))
    assert auto(plain) == cutter("semantic", Topics())(plain)
    headed = document(Block(Kind.HEADING, "A", level=1), paragraph(PUMPS, "A"))
    assert auto(headed) == cutter("structure")(headed)
    code = document(
        Block(Kind.CODE, "def a():\n    pass", ("a",)), Block(Kind.CODE, "def b():\n    pass", ("b",))
    )
    assert [passage.section for passage in auto(code)] == ["a", "b"]


def test_what_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(Permanent, match="'clever' is none of auto, structure"):
        cutter("clever")
    with pytest.raises(Permanent, match="needs an embedder"):
        cutter("semantic")
