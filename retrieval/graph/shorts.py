"""Short forms and the long forms that a text gives them: "return goods authorisation (RGA)", "RGA: …"."""

import re
from collections.abc import Iterator

_BRACKETED = re.compile(r"(?P<before>[^()（）\n.。;；]{2,80})[(（](?P<short>[A-Z][A-Z0-9&-]{1,7})[)）]")
_SMALL = frozenset(("a", "an", "and", "for", "in", "of", "on", "or", "the", "to"))


def long_form(text: str, short: str) -> str:
    """What a text says that a short form stands for, or nothing."""
    for bracketed in _BRACKETED.finditer(text):
        if bracketed["short"].lower() == short.lower() and (long := _before(bracketed)):
            return long
    for told in _told(short).finditer(text):
        # "Leave: 27 days" explains nothing: a short form is written in capitals.
        if is_short_form(told["term"]):
            return (told["aside"] or told["said"]).strip(" *")
    return ""


def is_short_form(word: str) -> bool:
    """Whether a word is written as short forms are: in capitals, but for a plural's s."""
    return len(word) >= 2 and word.removesuffix("s").isupper()


def _told(short: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:^|[\s|*(（])(?P<term>{re.escape(short)})\**(?:\s*[(（](?P<aside>[^()（）\n]{{4,80}})[)）]"
        rf"|\s*(?:[:：|]|—+|–|\bmeans\b|\bstands for\b|\bis short for\b|是|指|即)"
        rf"\s*(?P<said>[^.;。；|\n]{{4,80}}))",
        re.IGNORECASE | re.MULTILINE,
    )


def shorts_in(text: str) -> Iterator[str]:
    """The short forms that a text explains in brackets behind their long form."""
    for bracketed in _BRACKETED.finditer(text):
        if _before(bracketed):
            yield bracketed["short"]


def _before(bracketed: re.Match[str]) -> str:
    """The words before a bracket whose initials the short form has; of Chinese, the run before it."""
    short, before = bracketed["short"], bracketed["before"].strip()
    if run := re.search(r"[\u3400-\u9fff]{3,16}$", before):
        return run[0]
    told = before.split()
    letters = [letter for letter in short.lower() if letter.isalpha()]
    for count in range(len(letters), len(letters) + 4):
        taken = [word.lower() for word in told[-count:]]
        every, telling = taken, [word for word in taken if word not in _SMALL]
        if len(told) >= count and letters in ([word[0] for word in every], [word[0] for word in telling]):
            return " ".join(told[-count:])
    return ""
