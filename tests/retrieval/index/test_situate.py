"""A model's words situate passages; what was written is not written again. Over HTTP to a model server."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from retrieval.errors import Transient
from retrieval.index.chunk import chunk
from retrieval.index.contexts import Contexts
from retrieval.index.situate import Situate
from retrieval.providers.openai import OpenAILLM
from retrieval.types import Block, Document, Kind, Passage
from tests.standins.openai import Chat, OpenAIStandin
from tests.standins.server import Failure

SECTIONS = tuple(f"Part {number}" for number in range(8))
TEXT = "The pump is serviced every thousand hours and its seal is looked at by two people. " * 12
DOCUMENT = Document("d", "s", "Pump manual", "v", tuple(Block(Kind.PARAGRAPH, TEXT, (n,)) for n in SECTIONS))
_ASKED = re.compile(r'<passage n="(\d+)">\n(.*)')


def writes(chat: Chat) -> str:
    """A context for each passage that is asked for, which names its section."""
    asked = _ASKED.findall(chat.messages[-1].text)
    return "\n".join(f'<context n="{n}">About {section}\nof pumps</context>' for n, section in asked)


class Desk:
    """A model server, and what situates by it; contexts are kept in one file over several desks."""

    def __init__(self, folder: Path, script: Callable[[Chat], str] = writes) -> None:
        self.server = OpenAIStandin(script)
        self.contexts = Contexts(folder / "contexts.db")

    def __enter__(self) -> "Desk":
        self.server.__enter__()
        llm = OpenAILLM("test-key", self.server.url, "qwen", timeout=5)
        self.situate = Situate(llm, self.contexts)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.__exit__(None, None, None)
        assert self.server.wrong == []

    @property
    def prompts(self) -> list[str]:
        return [request.body["messages"][1]["content"] for request in self.server.requests]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk(tmp_path) as made:
        yield made


def passages() -> tuple[Passage, ...]:
    return chunk(DOCUMENT)


def test_each_passage_gets_its_own_words_and_keeps_line_and_text(desk: Desk) -> None:
    found = desk.situate(DOCUMENT, passages())
    assert [one.context.split("\n") for one in found] == [
        [f"Pump manual › {one.section}", f"About {one.section} of pumps"] for one in passages()
    ]
    assert [one.text for one in found] == [one.text for one in passages()]


def test_several_passages_share_a_call_and_all_prompts_begin_with_the_document(desk: Desk) -> None:
    desk.situate(DOCUMENT, passages())
    assert len(desk.prompts) == 2
    openings = {prompt.partition("<passage")[0] for prompt in desk.prompts}
    assert len(openings) == 1
    assert openings.pop().count("seal is looked at") == 8 * 12


def test_a_passage_that_the_model_skips_is_asked_for_alone(tmp_path: Path) -> None:
    def skips(chat: Chat) -> str:
        asked = _ASKED.findall(chat.messages[-1].text)
        return "A context without its tag" if len(asked) == 1 else writes(chat).split("\n<context", 1)[0]

    with Desk(tmp_path, skips) as desk:
        found = desk.situate(DOCUMENT, passages())
    assert found[0].context.endswith("About Part 0 of pumps")
    assert all(one.context.endswith("A context without its tag") for one in found[1:6])


def test_a_run_that_broke_off_goes_on_where_it_stopped(desk: Desk, tmp_path: Path) -> None:
    desk.situate(DOCUMENT, passages()[:6])
    desk.server.fail(Failure(503))
    with pytest.raises(Transient):
        desk.situate(DOCUMENT, passages())
    with Desk(tmp_path) as again:
        found = again.situate(DOCUMENT, passages())
        assert len(again.prompts) == 1
    assert all("\n" in one.context for one in found)


def test_a_model_that_refuses_leaves_the_deterministic_line(desk: Desk) -> None:
    desk.server.fail(*[Failure(400)] * 20)
    found = desk.situate(DOCUMENT, passages())
    assert [one.context for one in found] == [f"Pump manual › {one.section}" for one in passages()]


def test_the_cost_is_told_before_a_run_and_is_nothing_after_it(desk: Desk) -> None:
    before = desk.situate.estimate(DOCUMENT, passages())
    assert (before.documents, before.passages) == (1, 8)
    assert before.cached > 8 * 12 * 15
    assert desk.prompts == []
    desk.situate(DOCUMENT, passages())
    sent = sum(len(prompt) for prompt in desk.prompts) / 4
    assert 0.6 * sent < before.fresh + before.cached < 1.6 * sent
    assert desk.situate.estimate(DOCUMENT, passages()).passages == 0


def test_another_document_around_the_same_passage_is_written_for_anew(desk: Desk) -> None:
    desk.situate(DOCUMENT, passages())
    other = Document("d", "s", "Valve manual", "v", DOCUMENT.blocks)
    assert desk.situate.estimate(other, passages()).passages == 8
