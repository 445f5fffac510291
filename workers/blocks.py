"""An answer as Slack messages: native Markdown, sources, buttons, within every limit. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlsplit

from retrieval.types import Answer, Language, Outcome, Passage, TableView
from workers.markup import cut, escape, escape_all, mend_bold
from workers.words import ago, moments_ago, say

Block = dict[str, Any]

# Slack refuses about 13,200 characters of blocks in a message, whatever each of them holds, a block itself
# costs 125, and 12,000 of Markdown; the sources and buttons of the last message need their share, and a table
# takes what is left.
_CHARACTERS, _BLOCK_COST = 13_000, 125
MARKDOWN_CHARACTERS = 7_500
FALLBACK_CHARACTERS = 3_900
_TABLE_ROWS, _TABLE_COLUMNS, _TABLE_CHARACTERS = 99, 20, 3_000
_CELL_CHARACTERS = 300
_TITLE_CHARACTERS = 120
_SOURCES = 10
_SHORT_CHARACTERS = 2_000


@dataclass(frozen=True)
class Message:
    """One Slack message: `text` for notifications and old clients, `blocks` for all others."""

    text: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Look:
    """What goes around an answer. `version` counts the tries; `buttons` of feedback can be switched off."""

    question_id: str
    now: datetime
    version: int = 1
    feedback: bool = True
    handoff: bool = True
    outdated: bool = False
    private: bool = False
    notes: tuple[str, ...] = ()


def render(answer: Answer, look: Look) -> list[Message]:
    """The messages of an answer, at least one. Later ones continue the first; the last has the buttons."""
    pieces = cut(to_markdown(answer.text), MARKDOWN_CHARACTERS)
    messages = [Message(fallback(piece), (markdown(piece),)) for piece in pieces[:-1]]
    last = pieces[-1] or say("empty", answer.language)
    text, ends = markdown(last), trailer(answer, look)
    return [*messages, Message(fallback(last), (text, *_shown_table(answer, [text, *ends]), *ends))]


def to_markdown(text: str) -> str:
    """The answer's Markdown as Slack's `markdown` block takes it."""
    return escape(mend_bold(text.strip()))


def trailer(answer: Answer, look: Look) -> list[Block]:
    """What follows the text and its table: sources, notes, buttons."""
    found = sources(answer, look.now)
    found += [context([note]) for note in _notes(answer, look)]
    found += buttons(answer.language, look, answer.more_in_private, "refresh" if answer.cached else "again")
    return found


def _shown_table(answer: Answer, others: Sequence[Block]) -> list[Block]:
    if not answer.table or not answer.table.columns:
        return []
    taken = sum(_BLOCK_COST + _size(block) for block in others)
    room = _CHARACTERS - taken - 3 * _BLOCK_COST  # for itself, what counts the rows left, and its words
    return table(answer.table, answer.language, min(_TABLE_CHARACTERS, room))


def _size(part: object) -> int:
    """The characters of every string in a block: no fewer than Slack counts."""
    match part:
        case str():
            return len(part)
        case dict():
            return sum(_size(inner) for inner in cast("dict[str, object]", part).values())
        case list():
            return sum(_size(inner) for inner in cast("list[object]", part))
        case _:
            return 0


def apology(text: str, language: Language, question_id: str) -> Message:
    """A failure, told with the question's id and a button to try again."""
    again = button("again", say("again", language), question_id)
    return Message(text, (section(escape_all(text)), {"type": "actions", "elements": [again]}))


def notice(text: str) -> Message:
    """A short text of the bot's own."""
    return Message(text, (section(escape_all(text)),))


def shortened(message: Message) -> Message:
    """The beginning of a message that Slack found too long, as plain text."""
    return notice(cut(message.text, _SHORT_CHARACTERS)[0])


def sources(answer: Answer, now: datetime) -> list[Block]:
    """The documents cited, numbered as in the text; for `not found` the nearest ones."""
    if answer.citations:
        numbered = {
            c.number: [d.passage for d in answer.citations if d.number == c.number] for c in answer.citations
        }
        lines = [
            f"[{n}] " + source_line(found, answer.language, now) for n, found in sorted(numbered.items())
        ]
        title = "sources"
    elif answer.outcome is Outcome.NOT_FOUND and answer.nearest:
        lines = ["• " + source_line([p], answer.language, now) for p in _distinct(answer.nearest)]
        title = "nearest"
    else:
        return []
    return [context([f"*{say(title, answer.language)}*\n" + "\n".join(lines[:_SOURCES])])]


def source_line(found: Sequence[Passage], language: Language, now: datetime) -> str:
    """`Title · p. 3, 5 · updated 3 days ago` of one document, linked where it has a web address."""
    first = found[0]
    title = escape_all(_short(first.title or first.document_id, _TITLE_CHARACTERS))
    parts = [f"<{_url(first.url)}|{title}>" if _is_web(first.url) else f"*{title}*"]
    pages = sorted({p.page for p in found if p.page is not None})
    if pages:
        parts.append(say("page", language, n=", ".join(map(str, pages))))
    elif first.section and first.section != first.title:
        parts.append(escape_all(_short(first.section, _TITLE_CHARACTERS)))
    if first.updated_at:
        parts.append(say("updated", language, ago=ago(first.updated_at, now, language)))
    return " · ".join(parts)


def table(view: TableView, language: Language, room: int = _TABLE_CHARACTERS) -> list[Block]:
    """A native table of at most `room` characters; what does not fit is counted below it."""
    names = view.columns[:_TABLE_COLUMNS]
    header = [_cell(name, max(2, room // 2 // len(names))) for name in names]
    rows: list[list[Block]] = []
    budget = room - sum(len(cell["text"]) for cell in header)
    for row in view.rows[:_TABLE_ROWS]:
        cells = [_cell(value) for value in row[:_TABLE_COLUMNS]]
        budget -= sum(len(cell["text"]) for cell in cells)
        if budget < 0:
            break
        rows.append(cells)
    left = len(view.rows) - len(rows)
    note = [context([say("rows_more", language, n=left)])] if left else []
    return [{"type": "table", "rows": [header, *rows]}, *note]


def buttons(
    language: Language, look: Look, more_in_private: bool = False, again: str = "again"
) -> list[Block]:
    """Feedback by Slack's own buttons, then what else can be done with an answer; `again` names its text."""
    value = f"{look.question_id}:{look.version}"
    found: list[Block] = [feedback_buttons(language, value)] if look.feedback else []
    actions = [
        button("why", say("why", language), value),
        button("again", say(again, language), value),
        *([button("handoff", say("handoff", language), value)] if look.handoff else []),
        *([button("private", say("private", language), value)] if more_in_private else []),
        *([button("share", say("share", language), value)] if look.private else []),
    ]
    return [*found, {"type": "actions", "elements": actions}]


def feedback_buttons(language: Language, value: str) -> Block:
    def vote(kind: str, label: str) -> Block:
        text = {"type": "plain_text", "text": label}
        return {"text": text, "value": f"{kind}:{value}", "accessibility_label": label}

    element = {
        "type": "feedback_buttons",
        "action_id": "feedback",
        "positive_button": vote("up", say("helpful", language)),
        "negative_button": vote("down", say("not_helpful", language)),
    }
    return {"type": "context_actions", "elements": [element]}


def markdown(text: str) -> Block:
    return {"type": "markdown", "text": text}


def section(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": _short(text, 3000)}}


def context(texts: Iterable[str]) -> Block:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": _short(text, 3000)} for text in texts]}


def button(action: str, label: str, value: str) -> Block:
    return {
        "type": "button",
        "action_id": action,
        "text": {"type": "plain_text", "text": _short(label, 75)},
        "value": value,
    }


def fallback(text: str) -> str:
    """A message's plain text, within what Slack shows without blocks."""
    return _short(text, FALLBACK_CHARACTERS) or "…"


def _notes(answer: Answer, look: Look) -> list[str]:
    notes = list(look.notes)
    if look.outdated:
        notes.append(f":warning: {say('outdated', answer.language)}")
    if answer.more_in_private:
        notes.append(say("more_private", answer.language))
    if answer.cached_at:
        given = moments_ago(answer.cached_at, look.now, answer.language)
        notes.append(say("cached", answer.language, ago=given))
    return notes


def _distinct(passages: Sequence[Passage]) -> list[Passage]:
    return list({passage.document_id: passage for passage in reversed(passages)}.values())[::-1][:3]


def _cell(value: str, limit: int = _CELL_CHARACTERS) -> Block:
    return {"type": "raw_text", "text": _short(value, min(limit, _CELL_CHARACTERS)) or " "}


def _is_web(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https")


def _url(url: str) -> str:
    # A bar or an angle bracket would end the link early.
    return escape_all(url).replace("|", "%7C").replace("&lt;", "%3C").replace("&gt;", "%3E")


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
