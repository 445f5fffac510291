"""A model's words situate passages; what was written is not written again."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from retrieval.errors import Transient
from retrieval.index.chunk import chunk
from retrieval.index.situate import Contexts, Situate
from retrieval.ports import LLM, Message
from retrieval.types import Block, Document, Kind

TEXT = "The pump is serviced every thousand hours and its seal is looked at by two people. " * 12


class Pen:
    """Writes the number of the call; `fails` lists calls that fail."""

    name = "fake:pen"

    def __init__(self, fails: Sequence[int] = ()) -> None:
        self.calls: list[Sequence[Message]] = []
        self.fails = fails

    def write(self, messages: Sequence[Message], *, max_tokens: int = 1024) -> str:
        self.calls.append(messages)
        if len(self.calls) in self.fails:
            raise Transient("busy")
        return f"About pumps ({len(self.calls)})"


@pytest.fixture
def contexts(tmp_path: Path) -> Iterator[Contexts]:
    held = Contexts(tmp_path / "contexts.db")
    yield held
    held.close()


def document(text: str = TEXT) -> Document:
    sections = ("Service", "Seals")
    return Document(
        "d", "s", "Pump manual", "v", tuple(Block(Kind.PARAGRAPH, text, (name,)) for name in sections)
    )


def situate(pen: Pen, contexts: Contexts) -> Situate:
    llm: LLM = pen  # type: ignore[assignment]
    return Situate(llm, contexts)


def test_the_words_join_the_deterministic_line_and_the_text_stays(contexts: Contexts) -> None:
    passages = chunk(document())
    found = situate(Pen(), contexts)(document(), passages)
    assert found[0].context == "Pump manual › Service\nAbout pumps (1)"
    assert [passage.text for passage in found] == [passage.text for passage in passages]


def test_all_prompts_of_a_document_begin_alike(contexts: Contexts) -> None:
    pen = Pen()
    situate(pen, contexts)(document(), chunk(document()))
    openings = {call[1].content.partition("<passage>")[0] for call in pen.calls}
    assert len(openings) == 1
    assert {call[0].content for call in pen.calls} == {pen.calls[0][0].content}


def test_a_run_that_broke_off_goes_on_where_it_stopped(contexts: Contexts) -> None:
    passages = chunk(document())
    broken = situate(Pen(fails=[2]), contexts)(document(), passages)
    assert "\n" not in broken[1].context
    pen = Pen()
    whole = situate(pen, contexts)(document(), passages)
    assert len(pen.calls) == 1
    assert all("\n" in passage.context for passage in whole)


def test_the_cost_is_told_before_a_run_and_is_nothing_after_it(contexts: Contexts) -> None:
    work = [(document(), chunk(document()))]
    writer = situate(Pen(), contexts)
    before = writer.estimate(work)
    assert before.passages == len(work[0][1])
    assert before.cached > 0
    writer(*work[0])
    after = writer.estimate(work)
    assert (after.passages, after.fresh, after.cached, after.written) == (0, 0, 0, 0)
