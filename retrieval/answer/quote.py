"""Writes an answer without a language model: the best sentences of the sources, each with its number.

This is what a newcomer sees first, so quotations come whole: a list with the line that introduces it, a table
with its header, a sentence that starts with a pronoun with the one before it.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.answer.claims import ALSO
from retrieval.answer.parts import parts_of
from retrieval.answer.relevance import Relevance
from retrieval.answer.rows import with_telling_rows
from retrieval.answer.sentences import is_code, is_item, is_table, sentences, units
from retrieval.answer.words import overlap, words
from retrieval.ports import Embedder, OnText
from retrieval.search.codes import names_code
from retrieval.search.filters import SECTION_MARK
from retrieval.types import Hit, Language, Passage, Query, Turn
from retrieval.understand.language import detect

NO_MODEL: dict[Language, str] = {
    "en": "_Quoted word for word: no language model is configured._",
    "zh": "_以上为原文摘录：尚未配置语言模型。_",
}
MODEL_AWAY: dict[Language, str] = {
    "en": "_Quoted word for word: the language model does not answer at the moment._",
    "zh": "_以上为原文摘录：语言模型暂时没有响应。_",
}
_FOREIGN = {
    "en": "The source is in Chinese; in its own words:",
    "zh": "资料为英文，原文如下：",
}
_LEANS_BACK = re.compile(
    r"^(?:it|its|this|that|these|those|they|their|he|she|then|also|otherwise|however|if so|in that case)\b"
    r"|^(?:它|他|她|其|该|此|这|那|上述|否则|因此|但|另外|同时)",
    re.IGNORECASE,
)
_TELLS = re.compile(r"\d|[.!?:;。！？：；…]")
"""Figures and the ends of sentences, which headings rarely have."""
_CODE = re.compile(r"\b[A-Z]+[-_]?\d+\b")
_MOST_LABEL = 6
_MOST_SENTENCES = 4
_MOST_ITEMS = 8
_MOST_SOURCES = 5
_ECHO = 0.7
"""A line that shares so much of its words with a posted picture is on it."""
_NEAR = 0.62
"""A further sentence must score at least this share of the best one."""


@dataclass(frozen=True)
class _Line:
    """A sentence where it stands: of which source, in which unit, its place in reading order, its heading."""

    source: int
    unit: int
    place: int
    text: str
    heading: str = ""

    @property
    def read(self) -> str:
        """What it says where it stands: below "Carrying days over", "Up to 8" are days."""
        return f"{self.heading}: {self.text}" if self.heading else self.text


class QuotingWriter:
    """The writer that needs no key. With an embedder it also finds sentences of other words or languages."""

    name = "quoting"

    def __init__(
        self, embedder: Embedder | None = None, *, note: Mapping[Language, str] | None = NO_MODEL
    ) -> None:
        self._relevance = Relevance(embedder)
        self._note = note

    def write(self, query: Query, evidence: Sequence[Hit], turns: Sequence[Turn], on_text: OnText) -> str:
        """Paragraphs of quotations, each ending in the mark of its source."""
        lines = [line for n, hit in enumerate(evidence) for line in _lines(n, hit.passage)]
        chosen = self._choose(query, _without_echo(query, lines) if query.images else lines)
        text = "\n\n".join(
            [*_preface(query.language, chosen), *_paragraphs(query, evidence, lines, chosen)]
            + _see_also(query, evidence, chosen)
            + ([self._note[query.language]] if self._note else [])
        )
        on_text(text)
        return text

    def _choose(self, query: Query, lines: list[_Line]) -> list[_Line]:
        parts = parts_of(query.text)
        scores, *others = self._relevance.score_each(
            [query.text, *(parts if len(parts) > 1 else [])], [line.read for line in lines]
        )
        # Without a single shared word, the beginning of the first passage is all there is to show.
        most = _MOST_SENTENCES if max(scores, default=0) > 0 else 1
        chosen = _best(_weighed(query.language, lines, scores), most)
        for own in others:
            # A part alone has lost what it is about, which the whole question says.
            both = [(part + whole) / 2 for part, whole in zip(own, scores, strict=True)]
            chosen += _new(_best(_weighed(query.language, lines, both), 1), chosen)
        return chosen


def _without_echo(query: Query, lines: list[_Line]) -> list[_Line]:
    """The lines that are not on the posted picture, whose words are in the query; all if none is left."""
    said = words(query.text)
    return [line for line in lines if overlap(words(line.text), said, {}) < _ECHO] or lines


def _weighed(language: Language, lines: Sequence[_Line], scores: Sequence[float]) -> dict[_Line, float]:
    return {
        line: (score + 0.02) * (1 - 0.07 * line.source) * (1.15 if _speaks(line, language) else 1)
        for line, score in zip(lines, scores, strict=True)
        if not _is_label(line.text)
    }


def _best(weighed: Mapping[_Line, float], most: int) -> list[_Line]:
    """The lines that score near the best one, each said once."""
    chosen: list[_Line] = []
    for line in sorted(weighed, key=lambda line: (-weighed[line], line.place)):
        if chosen and (len(chosen) == most or weighed[line] < _NEAR * weighed[chosen[0]]):
            break
        chosen += _new([line], chosen)
    return chosen


def _new(lines: Sequence[_Line], chosen: Sequence[_Line]) -> list[_Line]:
    return [line for line in lines if not any(_alike(line.text, other.text) for other in chosen)]


def _lines(source: int, passage: Passage) -> list[_Line]:
    heading, lines = passage.section.rpartition(SECTION_MARK)[2], list[_Line]()
    for n, unit in enumerate(units(passage.text)):
        for part in sentences(unit):
            lines.append(_Line(source, n, len(lines), part, "" if _is_label(part) else heading))
        heading = unit.strip("#* ") if _is_label(unit) else heading
    return lines


def _speaks(line: _Line, language: Language) -> bool:
    return detect(line.text) == language


@functools.lru_cache(256)
def _is_label(text: str) -> bool:
    """Whether it is a heading, or as short as one: it answers nothing by itself."""
    if text.startswith("#"):
        return True
    if is_item(text) or is_table(text) or is_code(text) or _TELLS.search(_CODE.sub("", text)):
        return False
    return len(words(text)) <= _MOST_LABEL


def _alike(one: str, other: str) -> bool:
    a, b = set(words(one)), set(words(other))
    return bool(a and b) and len(a & b) >= 0.7 * min(len(a), len(b))


def _preface(language: Language, chosen: Sequence[_Line]) -> list[str]:
    return [_FOREIGN[language]] if chosen and not any(_speaks(line, language) for line in chosen) else []


def _paragraphs(query: Query, evidence: Sequence[Hit], lines: list[_Line], chosen: list[_Line]) -> list[str]:
    """One paragraph for each source, in the order of the evidence: newer editions before older ones."""
    paragraphs: list[str] = []
    for source in sorted({line.source for line in chosen}):
        own = [line for line in lines if line.source == source]
        body = _paragraph(query.text, own, [line for line in chosen if line.source == source])
        paragraphs.append(_marked(body, evidence[source].passage.title, source + 1, query.language))
    return paragraphs


def _see_also(query: Query, evidence: Sequence[Hit], chosen: Sequence[_Line]) -> list[str]:
    """A line that points at further sources; none for a question about a code, whose neighbours mislead."""
    quoted = {line.source for line in chosen}
    others = [n for n in range(min(len(evidence), _MOST_SOURCES)) if n not in quoted]
    if not chosen or not others or names_code(query.text):
        return []
    places = [f"{_place(evidence[n].passage, query.language)} [{n + 1}]" for n in others]
    return [f"{ALSO[query.language]} {' · '.join(places)}"]


def _place(passage: Passage, language: Language) -> str:
    """Where a passage stands: title and page, or title and heading."""
    title = passage.title or passage.document_id
    if passage.page:
        return f"{title}，第 {passage.page} 页" if language == "zh" else f"{title}, page {passage.page}"
    heading = passage.section.rpartition(" › ")[2]
    return title if heading in ("", title) else f"{title} › {heading}"


def _paragraph(question: str, lines: list[_Line], chosen: list[_Line]) -> str:
    kept = sorted({place for line in chosen for place in _with_company(lines, line)})
    out = ""
    for place in kept:
        before = lines[place - 1] if place - 1 in kept else None
        out += _joint(out, before, lines[place]) + with_telling_rows(question, lines[place].text)
    return out


def _marked(body: str, title: str, number: int, language: Language) -> str:
    """A table or code is announced by its source, since a mark behind it would break it."""
    if body.startswith(("|", "`", "~")) and title:
        return f"{title} [{number}]" + ("：" if language == "zh" else ":") + f"\n\n{body}"
    return f"{body}\n\n[{number}]" if body.endswith(("|", "```", "~~~")) else f"{body} [{number}]"


def _with_company(lines: list[_Line], line: _Line) -> set[int]:
    """The places that must be read with a line for it to make sense."""
    places = {line.place}
    if _LEANS_BACK.match(line.text) and line.place and lines[line.place - 1].unit == line.unit:
        places.add(line.place - 1)
    if is_item(line.text):
        places |= _introduction(lines, line.place)
    if line.text.endswith((":", "：")):
        places |= _announced(lines, line.place)
    return places


def _introduction(lines: list[_Line], place: int) -> set[int]:
    """The sentence that a list's item completes, when it ends in a colon."""
    while place and is_item(lines[place].text):
        place -= 1
    return {place} if lines[place].text.endswith((":", "：")) else set()


def _announced(lines: list[_Line], place: int) -> set[int]:
    """What a colon announces: a list's items, or the one unit that follows."""
    after = lines[place + 1 :]
    items = [line.place for line in after if is_item(line.text)]
    run = [at for n, at in enumerate(items) if at == place + 1 + n][:_MOST_ITEMS]
    return set(run) or {line.place for line in after[:1]}


def _joint(out: str, before: _Line | None, line: _Line) -> str:
    if not out:
        return ""
    if is_table(line.text) or is_code(line.text) or out.endswith(("|", "```", "~~~")):
        return "\n\n"
    if is_item(line.text):
        return "\n" if before else "\n…\n"
    chinese = detect(line.text) == "zh"
    if before is None:
        return "……" if chinese else " … "
    return ("" if chinese else " ") if before.unit == line.unit else "\n\n"
