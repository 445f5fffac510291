"""Takes out of evidence what gives orders to whoever writes the answer, to the end of the paragraph.

A first line of defence only: no list of phrases is complete. The last one is the guard, which lets through no
link that does not stand in what is left, and no mention; and a writer has no tools.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from retrieval.tracing import record
from retrieval.types import Hit

_ORDER = re.compile(
    r"(?:ignore|forget|disregard|override|bypass)\s+(?:\w+\s+){0,3}?"
    r"(?:previous|prior|above|earlier|preceding|webpage|page|document|instructions?|rules)"
    r"|system (?:prompt|mode|message|override)|tell the (?:user|reader|asker)|as an ai\b|\bjailbreak"
    r"|you are (?:now )?(?:an? |the )?(?:\w+ )?(?:ai|assistant|language model|chatbot)\b"
    r"|(?:when|if|whenever|once) (?:\w+ ){0,4}ask(?:s|ed)?\b.{0,80}?"
    r"\b(?:answer|say|reply|respond|tell|print|write)\b"
    r"|\b(?:answer|respond|reply|begin|start|end)\b(?: \w+){0,8}"
    r" with (?:[<\[\"“‘'`]|@|the (?:word|phrase|link))"
    r"|(?:忽略|无视|忘记|忘掉)[^。！？\n]{0,8}(?:之前|以上|上述|先前|前面|所有)[^。！？\n]{0,6}"
    r"(?:指令|指示|说明|内容|要求|规则)"
    r"|(?:被问到|有人问|被问及)[^。！？\n]{0,30}(?:回答|回复|答复|说)|系统提示(?:词|语)"
    r"|你(?:现在)?是[^。！？\n]{0,6}(?:助手|模型|机器人)",
    re.IGNORECASE | re.DOTALL,
)
_ABOUT_THE_ANSWER = re.compile(
    r"\b(?:your|the|this|each|every) (?:\w+ )?(?:repl(?:y|ies)|responses?|answers?|output|summary)\b"
    r"|你的(?:回答|回复|答复)|(?:回答|回复)(?:中|里|的?开头|的?结尾)|回答时",
    re.IGNORECASE,
)
_CARRIES = re.compile(
    r"://|www\.|\b[\w-]+\.(?:com|net|org|io|cn|xyz|example)\b|<!|<@|@(?:here|channel|everyone)"
)
_SENTENCE = re.compile(r"[^\n.!?。！？]*(?:[.!?](?=\S)[^\n.!?。！？]*)*(?:[.!?。！？]+|\n|$)\s*")

_BREAK = re.compile(r"(\n\s*\n|\n(?=\s*(?:[-*+•#|>]|\d+[.)]\s)))")
"""Between paragraphs, or before an item, a heading, a row, a quotation."""


def without_orders(hits: Sequence[Hit]) -> list[Hit]:
    """The hits with such orders gone from their texts; how many went is in the trace."""
    kept = [_disarmed(hit) for hit in hits]
    changed = sum(new is not old for new, old in zip(kept, hits, strict=True))
    if changed:
        record(passages_with_orders=changed)
    return kept


def is_order(sentence: str) -> bool:
    """Whether a sentence tells the writer what to write; one about answers counts if it carries a link."""
    if _ORDER.search(sentence):
        return True
    return bool(_ABOUT_THE_ANSWER.search(sentence) and _CARRIES.search(sentence))


def _disarmed(hit: Hit) -> Hit:
    text = hit.passage.text
    if not is_order(text):
        return hit
    left = "".join(_before_orders(paragraph) for paragraph in _BREAK.split(text)).strip()
    return replace(hit, passage=replace(hit.passage, text=left))


def _before_orders(paragraph: str) -> str:
    """A paragraph up to its first order: whoever gives one goes on giving more."""
    return "".join(takewhile(lambda sentence: not is_order(sentence), _SENTENCE.findall(paragraph)))
