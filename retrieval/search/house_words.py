"""The house's own Chinese words, which no dictionary has: a text file with one a line, `#` before remarks.

Names from titles, headings and definitions are proposed for it where the dictionary cuts them apart.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from retrieval.errors import Permanent
from retrieval.search.analyze import is_whole

FILE = "words.txt"
_WORD = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,8}")


def read_house_words(file: Path) -> list[str]:
    """The words of the file, if it is there. Raises Permanent with the line of one that is none."""
    if not file.exists():
        return []
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise Permanent(f"{file.name} is not UTF-8: {error}") from error
    bare = {number: line.partition("#")[0].strip() for number, line in enumerate(lines, 1)}
    for number, word in bare.items():
        if word and not _WORD.fullmatch(word):
            raise Permanent(f"{file.name}, line {number}: {word!r} is not one of 2 to 8 Chinese characters")
    return [word for word in bare.values() if word]


def propose(names: Iterable[str]) -> list[str]:
    """Those of some names that are Chinese words and are cut apart as yet, each once, sorted."""
    return sorted({name for name in names if _WORD.fullmatch(name) and not is_whole(name)})


def add_house_words(file: Path, words: Iterable[str]) -> None:
    """Write them below those that are there."""
    with file.open("a", encoding="utf-8") as kept:
        kept.writelines(f"{word}\n" for word in words)
