"""The one gate that an answer's text passes, streamed or whole: what comes out is fit to be posted.

Numbers are renumbered by document as the reader sees them and impossible ones dropped; a link stays only if
it stands word for word in a source that is cited in the same line or before; mentions that would notify
people are neutralised. Text leaves as soon as nothing that follows can change it, at the latest by line.
"""

import functools
import re
from collections.abc import Sequence

from retrieval.types import Language, Passage

_NUMBER = r"\s*\^?\d{1,3}\s*"
_MARKS = rf"(?P<marks>(?:[ \t]*[\[【［]{_NUMBER}(?:[,，、;；–-]{_NUMBER})*[\]】］](?!\())+)"
_LINK = r"!?\[(?P<label>[^\]\n]*)\]\(\s*<?(?P<target>(?:[^\s()<>]|\([^\s()]*\))*)>?[^)\n]*\)"
_SCHEME = r"(?:[a-z][a-z0-9+.-]*://|www\.|(?:mailto|tel|data|javascript):)"
_IN_URL = r"[^\s<>\"'`\[\]|\\^{}\u3000-\u303f\u3400-\u9fff\uff00-\uffef“”‘’…—]"
_URL = (
    rf"(?P<url>{_SCHEME}{_IN_URL}+"
    # A bare domain with a query can carry a secret away, too.
    rf"|(?<![a-z0-9_@.-])(?:[a-z0-9-]+\.)+[a-z]{{2,}}/{_IN_URL}*\?{_IN_URL}*)"
)
_ANGLED = rf"<(?P<angled>{_SCHEME}[^|>\n]*)(?:\|(?P<shown>[^>\n]*))?>"
_MENTION = (
    r"<!(?P<special>(?:here|channel|everyone|subteam\^|date\^)[^>\n]*)>|<@(?P<user>[UWB][A-Z0-9]+[^>\n]*)>"
    r"|@(?P<loud>channel|here|everyone)(?![a-z0-9_]|\.[a-z])"
)
_FLAGS = re.IGNORECASE | re.ASCII
_IN_PROSE = re.compile(rf"(?P<code>`[^`\n]+`)|{_LINK}|{_MARKS}|{_ANGLED}|{_MENTION}|{_URL}", _FLAGS)
LINKS = re.compile(rf"{_MENTION}|{_URL}", _FLAGS)
_MAY_BEGIN = re.compile(r"[\[【［<@`]|!(?=\[|$)")
_WORDS = re.compile(r".*[\s\u3000-\u303f\u3400-\u9fff\uff00-\uffef]", re.DOTALL)
_FENCE = re.compile(r"^\s*(```|~~~)")
_TRAILING = ".,;:!?)]}*_~"
_QUIET = "\u200b"
_REMOVED = {"en": "(link removed)", "zh": "（链接已移除）"}


class Guard:
    """Passes the text of one answer. `sources[i]` is what the writer calls `[i + 1]`."""

    def __init__(self, sources: Sequence[Passage], language: Language = "en") -> None:
        self._sources = sources
        self._removed = _REMOVED[language]
        self._numbers: dict[str, int] = {}
        self._used: list[int] = []
        self._line = ""
        self._sent = 0
        self._fenced = False

    @functools.cached_property
    def _links(self) -> list[set[str]]:
        """Looked for when the first link comes: most answers hold none."""
        return [links_of(source) for source in self._sources]

    @property
    def cited(self) -> list[tuple[int, int]]:
        """What was cited so far, in order: (number that the reader sees, position among the sources)."""
        return [(self._numbers[self._sources[i].document_id], i) for i in self._used]

    def feed(self, piece: str) -> str:
        """Take a piece in; give back what can be shown now."""
        out = ""
        *ended, rest = piece.split("\n")
        for part in ended:
            self._line += part
            out += self._finish() + "\n"
        self._line += rest
        return out + self._advance()

    def close(self) -> str:
        """The rest, at the end."""
        return self._finish()

    def _finish(self) -> str:
        line, start = self._line, self._sent
        self._line, self._sent = "", 0
        if _FENCE.match(line):
            self._fenced = not self._fenced
        return self._shown(line, start, len(line))

    def _advance(self) -> str:
        if self._fenced or _FENCE.match(self._line):
            return ""
        start, end = self._sent, self._sure()
        self._sent = end
        return self._shown(self._line, start, end)

    def _sure(self) -> int:
        """How much of the unfinished line no later character can change."""
        at, until = self._sent, len(self._line)
        for match in _IN_PROSE.finditer(self._line, at):
            if not self._settled(match) or _MAY_BEGIN.search(self._line, at, match.start()):
                until = match.start()
                break
            at = match.end()
        if begin := _MAY_BEGIN.search(self._line, at, until):
            until = begin.start()
        whole = _WORDS.match(self._line, at, until)
        # Blanks wait, because they go with a mark that is dropped.
        return at + len(whole[0].rstrip()) if whole else at

    def _settled(self, match: re.Match[str]) -> bool:
        if match["url"] or match["target"] is not None or match["angled"]:
            return False  # whether a link may stay is known at the end of its line
        if "@" in match[0] and not _WORDS.match(self._line, match.end()):
            return False  # a bare domain may have an @ in its path, and its end is not seen yet
        after = self._line[match.end() :].lstrip(" \t")
        return bool(after) and not (match["marks"] and after[0] in "[【［")

    def _shown(self, line: str, start: int, end: int) -> str:
        if self._fenced:
            return LINKS.sub(lambda match: self._plain(match, set()), line)
        out, at = "", start
        for match in _IN_PROSE.finditer(line, start, end):
            out += line[at : match.start()] + self._replaced(match, line)
            at = match.end()
        return out + line[at:end]

    def _replaced(self, match: re.Match[str], line: str) -> str:
        if match["marks"]:
            return self._renumbered(match["marks"])
        cited = {i for m in _IN_PROSE.finditer(line) if m["marks"] for i in self._positions(m["marks"])}
        if match["code"]:
            return self._clean(match["code"], cited)
        if match["target"] is not None:
            label = self._clean(match["label"], cited)
            return f"[{label}]({match['target']})" if self._allowed(match["target"], cited) else label
        if match["angled"]:
            shown = self._clean(match["shown"] or "", cited)
            return match[0] if self._allowed(match["angled"], cited) else shown or self._removed
        return self._plain(match, cited)

    def _clean(self, text: str, cited: set[int]) -> str:
        return LINKS.sub(lambda match: self._plain(match, cited), text)

    def _plain(self, match: re.Match[str], cited: set[int]) -> str:
        url = match["url"]
        if not url:
            return "@" + _QUIET + _name(match)
        bare = url.rstrip(_TRAILING)
        kept = self._allowed(bare, cited) or self._allowed(url, cited)
        return url if kept else self._removed + url[len(bare) :]

    def _allowed(self, url: str, cited: set[int]) -> bool:
        return any(url in self._links[i] for i in {*self._used, *cited})

    def _renumbered(self, marks: str) -> str:
        shown: list[int] = []
        for position in self._positions(marks):
            if position not in self._used:
                self._used.append(position)
            number = self._numbers.setdefault(self._sources[position].document_id, len(self._numbers) + 1)
            shown += [number] * (number not in shown)
        blank = marks[: len(marks) - len(marks.lstrip())] if shown else ""
        return blank + "".join(f"[{number}]" for number in shown)

    def _positions(self, marks: str) -> list[int]:
        numbers = [int(number) for number in re.findall(r"\d+", _spread(marks))]
        return [number - 1 for number in numbers if 1 <= number <= len(self._sources)]


def guarded(text: str, sources: Sequence[Passage], language: Language = "en") -> tuple[str, Guard]:
    """A whole text through the gate, and the gate, which knows what was cited."""
    guard = Guard(sources, language)
    return (guard.feed(text) + guard.close()).strip(), guard


def links_of(passage: Passage) -> set[str]:
    """The addresses that stand in a passage, and its own."""
    found = {passage.url} - {""}
    for match in _IN_PROSE.finditer(passage.text):
        if link := match["target"] or match["angled"] or match["url"]:
            found |= {link, link.rstrip(_TRAILING)}
        elif match["code"]:
            found |= {inner["url"] for inner in LINKS.finditer(match["code"]) if inner["url"]}
    return found


def _spread(marks: str) -> str:
    """`2-4` as `2,3,4`, as far as nine apart."""

    def every(match: re.Match[str]) -> str:
        low, high = int(match[1]), int(match[2])
        return ",".join(map(str, range(low, high + 1))) if low < high < low + 10 else match[0]

    return re.sub(r"(\d+)\s*[–-]\s*(\d+)", every, marks)


def _name(match: re.Match[str]) -> str:
    # <!subteam^S1|@ops>, <!date^0^…|fallback> and <@U1|name> carry a name for readers after the bar.
    raw = match["special"] or match["user"] or match["loud"] or ""
    head, _, label = raw.partition("|")
    return (label or head.split("^")[0]).lstrip("@")
