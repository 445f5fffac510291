"""Counts tokens well enough to keep a budget, without any model's tokenizer."""

import re

_HAN = re.compile(r"[\u3000-\u9fff\uf900-\uffef]")


def count(text: str) -> int:
    """About one token for a Chinese character, one for four other characters."""
    han = 0 if text.isascii() else len(_HAN.findall(text))
    return han + (len(text) - han + 3) // 4


def clip(text: str, tokens: int) -> str:
    """The beginning of a text that keeps within a budget, cut at a line's end where one is near."""
    if count(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle]) <= tokens else (low, middle - 1)
    edge = text.rfind("\n", low // 2, low)
    return text[: edge if edge > 0 else low].rstrip()
