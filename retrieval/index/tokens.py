"""A cheap count of tokens, near enough to size passages: no tokenizer is loaded to index a file."""

import re

_PIECE = re.compile(
    r"(?P<han>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])"
    r"|(?P<word>[^\W\d_]+)|(?P<digits>\d+)|(?P<mark>[^\w\s]|_)"
)
_LETTERS_A_TOKEN = 5.5
_DIGITS_A_TOKEN = 2.5


def count_tokens(text: str) -> int:
    """About as many tokens as multilingual-e5 and OpenAI's tokenizers count, a fifth more or less.

    A Chinese character and a mark count one, a word one for 5.5 letters, a number one for 2.5 digits.
    """
    return sum(map(_weight, _PIECE.finditer(text)))


def _weight(found: re.Match[str]) -> int:
    length = found.end() - found.start()
    match found.lastgroup:
        case "word":
            return 1 + int((length - 1) / _LETTERS_A_TOKEN)
        case "digits":
            return 1 + int((length - 1) / _DIGITS_A_TOKEN)
        case _:
            return 1
