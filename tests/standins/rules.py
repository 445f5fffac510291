"""The stand-in model's mind: it cites the source that shares most words with the question."""

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.standins.openai import Chat

_SOURCE = re.compile(r"<source id=\"(\d+)\"[^>]*>\n(.*?)\n</source>", re.S)
_QUESTION = re.compile(r"<question>\n?(.*?)\n?</question>", re.S)


def by_rules(chat: "Chat") -> str:
    """The best sentence of the best source with its number, or a JSON object of empty strings."""
    if chat.response_format is not None:
        return json.dumps({})
    prompt = chat.messages[-1].text
    question = _QUESTION.findall(prompt)
    sources = _SOURCE.findall(prompt)
    if not sources:
        return "Hello from the stand-in model."
    asked = _words(question[-1] if question else prompt)
    number, text = max(sources, key=lambda source: len(asked & _words(source[1])))
    best = max(re.split(r"(?<=[.!?。！？])\s*|\n", text), key=lambda sentence: len(asked & _words(sentence)))
    return f"{best.strip()} [{number}]"


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]{3,}|[\u4e00-\u9fff]", text.lower()))
