"""When to speak in a thread without being mentioned: to whoever speaks to us, never between people. Pure."""

import re
from collections.abc import Sequence

from bot.parse import Said
from workers.threads import US, Line

_THANKS = re.compile(
    r"^(\W*(thanks?|thank you|thx|ty|ok(ay)?|great|got it|cool|perfect|nice|awesome|will do|makes sense|lol|"
    r"谢谢|多谢|谢了|好的?|收到|明白|了解|知道了|没问题|辛苦了|赞|你|您|了|👍|:[a-z0-9_+-]+:)"
    r"(\s+(a lot|so much|you|very much|all|everyone))?)+\W*$",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(and|or|but|so|what|when|where|who|whom|whose|why|how|which|is|are|was|were|do|does|did|can|could|should|"
    r"would|will|may|might|has|have|any|anything|tell|show|list|explain|give|please)\b|"
    r"[?？]|[吗呢么]\s*[。.!！]*$|什么|怎么|怎样|如何|多少|哪|几|是否|能否|可否|可不可以|能不能|有没有|为什么|为何|请问|那",
    re.IGNORECASE,
)
MOST_BOT_LINES = 3
"""How many messages of bots in a row are answered at most, where bots may ask."""


def sounds_like_question(text: str) -> bool:
    """Whether a text asks for something, in English or Chinese."""
    return bool(_ASKING.search(text.strip())) and not _THANKS.match(text)


def is_follow_up(said: Said, lines: Sequence[Line]) -> bool:
    """Whether a message in a thread of ours is meant for us. `lines` are the ones before it, oldest first."""
    if said.addressed or said.broadcast or not lines or _THANKS.match(said.text):
        return False
    if not said.text:
        return bool(said.files) and lines[-1].user == US
    last = lines[-1]
    if last.user == US:
        return sounds_like_question(said.text) or said.user == _asker(lines)
    return last.user == said.user and last.asked and sounds_like_question(said.text)


def is_bot_chain(lines: Sequence[Line]) -> bool:
    """Whether only bots have spoken lately."""
    tail = lines[-2 * MOST_BOT_LINES :]
    return len(tail) == 2 * MOST_BOT_LINES and all(line.user == US or line.bot for line in tail)


def _asker(lines: Sequence[Line]) -> str:
    """Whom we answered last."""
    return next((line.user for line in reversed(lines) if line.asked), "")
