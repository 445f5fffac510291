"""The words that two texts can share: English stems, figures, codes, and pairs of Chinese characters.

For comparing an answer's sentences with their sources; the index has an analysis of its own.
"""

import functools
import re
from collections.abc import Collection, Mapping, Sequence
from math import log
from typing import Any

import Stemmer

_TOKEN = re.compile(r"[a-z0-9]+(?:[._:/'’-][a-z0-9]+)*|[\u3400-\u9fff\uf900-\ufaff]+", re.I)
_snowball: Any = Stemmer
_stemmer = _snowball.Stemmer("english", 50_000)
_STOP_WORDS = """
a an the of to in on at for from by with and or but not no is are was were be been being am do does did done
have has had having i me my we our us you your he she it its they them their this that these those there here
what which who whom whose when where why how can could may might must shall should will would if then than as
so such about into over under up down out any some all each also just only very too please tell let get many
much
"""
_STOP = frozenset(_STOP_WORDS.split())
_QUESTION_WORDS = re.compile(
    r"什么时候|为什么|是不是|有没有|能不能|可不可以|什么|怎么样|怎么办|怎么|怎样|如何|哪些|哪个|哪里|谁|多少|多久|几|请问|是否"
    r"|[的了是在和与或吗呢吧请我你他她它们这那有]"
)


@functools.lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """Content words in order, with repetitions."""
    found: list[str] = []
    for token in _TOKEN.findall(text.lower()):
        found += _pairs(token) if token[0] > "\u3000" else _latin(token)
    return tuple(found)


def overlap(asked: Collection[str], told: Collection[str], weights: Mapping[str, float]) -> float:
    """The weighted share of `asked` that `told` holds, 0 to 1; words without a weight weigh 1."""
    wanted = set(asked)
    total = sum(weights.get(word, 1.0) for word in wanted)
    held = sum(weights.get(word, 1.0) for word in wanted & set(told))
    return held / total if total else 0.0


def rarity(texts: Sequence[Collection[str]]) -> dict[str, float]:
    """How telling each word is among these texts: the smoothed inverse document frequency."""
    counts: dict[str, int] = {}
    for text in texts:
        for word in set(text):
            counts[word] = counts.get(word, 0) + 1
    return {word: log(1 + len(texts) / count) for word, count in counts.items()}


def _latin(token: str) -> list[str]:
    token = token.removesuffix("'s").removesuffix("’s")
    if token in _STOP:
        return []
    parts = re.split(r"[._:/'’-]", token)
    telling = [part for part in parts if len(part) > 1 and part not in _STOP] if len(parts) > 1 else []
    return [str(_stemmer.stemWord(part)) for part in (token, *telling)]


def _pairs(run: str) -> list[str]:
    pairs: list[str] = []
    for part in _QUESTION_WORDS.split(run):
        pairs += [part[i : i + 2] for i in range(len(part) - 1)] or ([part] if part else [])
    return pairs
