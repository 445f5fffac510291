"""Whether two questions name different figures, codes, versions or dates. Pure; English and Chinese."""

import re

from retrieval.search.analyze import fold

_FIGURE = re.compile(r"(?i)[a-z]{0,8}[-_./]?\d[\w.,:/-]*\w|\d")
_SPELT = re.compile(
    r"(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million"
    r"|half|double|twice|once|second|third|fourth|fifth)\b"
    r"|[一二三四五六七八九十百千万两半]+(?=[天个月年日号次周岁元块人台版级层楼点小季倍])|第[一二三四五六七八九十]+"
)
_QUIET = re.compile(r"一(?=[个点下次样])|\bone(?= (?:can|should|who|of)\b)", re.IGNORECASE)
_ROUND = (re.compile(r"\b(?:a|one) hundred\b"), "100"), (re.compile(r"\b(?:a|one) thousand\b"), "1000")
_SPAN = re.compile(r"(?i)(?<=\d)(?:year|day|week|month|hour|minute)s?(?:old)?$")
_WORDS = "one two three four five six seven eight nine ten"
_DIGITS = {
    **{word: str(n) for n, word in enumerate(_WORDS.split(), 1)},
    **{sign: str(n) for n, sign in enumerate("一二三四五六七八九十", 1)},
    "twice": "2",
    "double": "2",
    "两": "2",
    "dozen": "12",
    "十一": "11",
    "十二": "12",
}


def other_numbers(a: str, b: str) -> bool:
    """One has a figure that the other has not, or both have numbers in words and these differ.

    A number in words on one side alone proves nothing: "one" and "once" are said in passing.
    """
    figures_a, figures_b = _figures(a), _figures(b)
    spelt_a, spelt_b = _spelt(a), _spelt(b)
    all_a, all_b = figures_a | spelt_a, figures_b | spelt_b
    return bool(
        figures_a - all_b or figures_b - all_a or (spelt_a - all_b and all_b) or (spelt_b - all_a and all_a)
    )


def _figures(text: str) -> frozenset[str]:
    """Numbers, codes, versions and dates in digits, in one form whatever the writing."""
    found = (re.sub(r"[\s_,-]", "", number[0]) for number in _FIGURE.finditer(_lowered(text)))
    return frozenset(_SPAN.sub("", number).lstrip("v").rstrip(".:/") for number in found)


def _spelt(text: str) -> frozenset[str]:
    """Numbers in words, in digits where that is plain."""
    lowered = _QUIET.sub("", _lowered(text))
    return frozenset(_DIGITS.get(word[0], word[0]) for word in _SPELT.finditer(lowered))


def _lowered(text: str) -> str:
    """In small letters, round numbers in digits."""
    lowered = fold(text).lower()
    for words, digits in _ROUND:
        lowered = words.sub(digits, lowered)
    return lowered
