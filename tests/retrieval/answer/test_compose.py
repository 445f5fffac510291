"""From hits to an answer, on writers that say what the test wants."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from retrieval.answer.check import CheapChecker
from retrieval.answer.compose import Composer
from retrieval.answer.compress import WholePassages
from retrieval.answer.surroundings import NoLibrary
from retrieval.config import AnswerConfig, Config
from retrieval.ports import Library, OnText
from retrieval.types import Filters, Hit, ImageRef, Kind, Outcome, Passage, Query, Scope, Turn
from retrieval.understand.widen import widen
from tests.retrieval.answer.samples import hit, passage, query

STANDARD = Config.preset("standard").answer
CHECKED = Config.preset("advanced").answer
HITS = [hit("Annual leave is 26 days.", "leave"), hit("Hotels cost up to £120.", "travel")]

Asked = tuple[Sequence[Hit], Sequence[Turn]]


@dataclass
class Says:
    """A writer that says one text after the other, in pieces of three characters."""

    texts: list[str]
    name: str = "fake:says"
    asked: list[tuple[Sequence[Hit], Sequence[Turn]]] = field(
        default_factory=list[tuple[Sequence[Hit], Sequence[Turn]]]
    )

    def write(self, query: Query, evidence: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> str:
        self.asked.append((evidence, turns))
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        for start in range(0, len(text), 3):
            on_text(text[start : start + 3])
        return text


def composer(writer: Says, config: AnswerConfig = STANDARD, library: Library | None = None) -> Composer:
    return Composer(writer, WholePassages(3000), CheapChecker(), library or NoLibrary(), config)


def compose(*texts: str, config: AnswerConfig = STANDARD, on_text: Callable[[str], None] = lambda _: None):
    return composer(Says(list(texts)), config)(query("How much is a hotel?"), HITS, [], on_text)


def test_an_answer_has_renumbered_marks_and_quotes() -> None:
    answer = compose("Up to £120 [2]. Leave is 26 days [1].")
    assert answer.text == "Up to £120 [1]. Leave is 26 days [2]."
    assert [(c.number, c.passage.document_id, c.quote) for c in answer.citations] == [
        (1, "travel", "Hotels cost up to £120."),
        (2, "leave", "Annual leave is 26 days."),
    ]
    assert answer.outcome is Outcome.ANSWERED
    assert all(check.passed for check in answer.checks)


def test_pieces_pass_the_same_guard() -> None:
    seen: list[str] = []
    answer = compose("<!here> Up to £120 [2], see https://evil.example/x [7].", on_text=seen.append)
    assert "".join(seen) == answer.text
    assert "evil.example" not in answer.text


def test_a_writer_that_finds_nothing_shows_nothing() -> None:
    seen: list[str] = []
    answer = compose("NOT_FOUND", on_text=seen.append)
    assert answer.outcome is Outcome.NOT_FOUND
    assert seen == []


def test_a_false_figure_is_told_by_the_checks() -> None:
    answer = compose("Up to £130 [2].")
    assert "literals" in [check.name for check in answer.checks if not check.passed]
    assert answer.revisions == 0


def test_with_self_check_a_false_figure_is_revised() -> None:
    writer = Says(["Up to £130 [2].", "Hotels cost up to £120 [2]."])
    answer = composer(writer, CHECKED)(query("How much is a hotel?"), HITS, [], lambda _: None)
    assert answer.text == "Hotels cost up to £120 [1]."
    assert answer.revisions == 1
    said = writer.asked[1][1]
    assert said[-2].text == "Up to £130 [2]."
    assert "130" in said[-1].text


def test_what_cannot_be_supported_is_handed_off() -> None:
    answer = compose("Up to £130 [2].", config=CHECKED)
    assert answer.outcome is Outcome.HANDED_OFF
    assert "130" not in answer.text
    assert answer.revisions == 2
    assert [p.document_id for p in answer.nearest] == ["travel"]


def test_images_of_cited_passages_come_along() -> None:
    image = ImageRef("memory://1", caption="the button")
    hits = [
        hit("The shutter is on top.", "manual", image=image),
        hit("Other.", "other", image=ImageRef("memory://2")),
    ]
    answer = composer(Says(["The shutter is on top [1]."]))(query("shutter?"), hits, [], lambda _: None)
    assert answer.images == (image,)


class Family:
    """A library that knows the siblings of every passage."""

    def __init__(self, *passages: Passage) -> None:
        self._passages = list(passages)

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        return self._passages

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        return []


def test_siblings_are_read_together_once_and_in_order() -> None:
    shared = "This sentence stands in both passages."
    parts = [
        passage("First part.", parent="s1", position=0),
        passage(f"Second part. {shared}", parent="s1", position=1),
        passage(f"{shared} Third part.", parent="s1", position=2),
    ]
    writer = Says(["Second part [1]."])
    hits = [Hit(parts[1], 1.0), Hit(parts[2], 0.9)]
    composer(writer, library=Family(*parts))(query("second?"), hits, [], lambda _: None)
    (evidence, _) = writer.asked[0]
    assert [e.passage.text for e in evidence] == [f"First part.\n\nSecond part. {shared} Third part."]
    assert evidence[0].passage.id == parts[1].id


def test_what_an_answer_lacks_is_searched_for_once_before_it_is_written_again() -> None:
    asked: list[str] = []

    def more(query: Query) -> list[Hit]:
        asked.append(query.text)
        return [HITS[1], hit("Receipts are due within 30 days.", "receipts")]

    question = query("How much is a hotel, and when are receipts due?")
    writer = Says(
        ["Up to £120 [1].", "Up to £120 [1].", "Up to £120 [1]. Receipts are due within 30 days [2]."]
    )
    made = replace(composer(writer, CHECKED), more=more)
    answer = made(question, HITS[1:], [], lambda _: None)
    assert asked == ["when are receipts due"]
    assert [hit.passage.document_id for hit in writer.asked[-1][0]] == ["travel", "receipts"]
    assert answer.outcome is Outcome.ANSWERED
    assert answer.revisions == 2
    assert [c.passage.document_id for c in answer.citations] == ["travel", "receipts"]


def test_an_answer_says_which_conditions_found_nothing_and_were_dropped() -> None:
    asked = replace(query("How much is a hotel?"), filters=Filters(sources=("#ops",), kinds=(Kind.TABLE,)))
    answer = composer(Says(["Up to £120 [2]."]))(widen(asked), HITS, [], lambda _: None)
    assert answer.text.endswith(
        "\n\n_Nothing was found for table, #ops, so this is from everything that may be read here._"
    )
    chinese = replace(widen(asked), language="zh")
    assert (
        "“table、#ops”范围内没有找到"
        in composer(Says(["Up to £120 [2]."]))(chinese, HITS, [], lambda _: None).text
    )
    assert "Nothing was found" not in compose("Up to £120 [2].").text
