"""The first decision, by rules alone: is there anything to look up?"""

import re
from collections.abc import Sequence

from retrieval.tracing import traced
from retrieval.types import Question, Route, RouteName, Turn

_POLITE = (
    r"hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening|night|day)|morning|greetings|thanks?|thank you"
    r"|thx|ty|cheers|much appreciated|great|perfect|awesome|nice|cool|ok(?:ay)?|got it|good bot|well done"
    r"|bye|goodbye|see you|later|how are you|how'?s it going|what'?s up|who are you|what can you do|help"
    r"|are you (?:there|a bot|human)|welcome|sorry|no worries|never ?mind|that helps|that helped|brilliant"
)
_PADDING = (
    r"there|all|team|everyone|bot|so much|a lot|very much|again|for (?:that|this|the|your|all|help|helping)"
    r"|you|the|your|help|answer|reply|it|that|this|was|is|really|helpful|very|please|today|much|me|with|now|then"
    r"|quick|and|to|meet|everybody|folks|teamlore|job|one|have|a|day|weekend"
)
_ENGLISH = re.compile(rf"(?:{_POLITE})(?:\W+(?:{_POLITE}|{_PADDING}))*\W*", re.IGNORECASE)
_CHINESE = re.compile(
    r"(?:(?:嗨|哈喽|哈啰|hello|hi|您?好|你好|大家好|早上好|早安?|上午好|中午好|下午好|晚上好|晚安|在吗|在不在|有人吗|谢谢?|多谢|感谢|谢啦"
    r"|辛苦(?:了|啦)?|麻烦(?:了|你了|您了)?|太(?:好|棒|感谢)(?:了|啦)?|真棒|不错|厉害|好的?|好滴|收到|明白(?:了)?|知道了|了解(?:了)?|没事(?:了)?"
    r"|不用了|再见|拜拜|回头见|你是谁|你是什么|你会什么|你能做什么|你能干什么|怎么用你|你叫什么(?:名字)?|吃了吗|最近怎么样|哈+|嗯+|哦+|赞|牛)"
    r"(?:[呀啊哦呢吧啦哈嘛了你您们大家机器人的帮助忙回答解很非常多]|[\s，,。.!！~～?？])*)+",
    re.IGNORECASE,
)
_NO_WORDS = re.compile(r"(?::[\w+'-]+:|[^\w]|_)*", re.UNICODE)


class RuleRouter:
    """Small talk by pattern, everything else to the documents."""

    @traced("route")
    def route(self, question: Question, turns: Sequence[Turn]) -> Route:
        """A question with an image is never small talk; nor is a bare "yes" to the bot's own offer."""
        if not question.images and is_smalltalk(question.text) and not offers(turns):
            return Route(RouteName.SMALLTALK, "rule")
        return Route(RouteName.DOCUMENTS, "default")


def is_smalltalk(text: str) -> bool:
    """Whether a text is nothing but greeting, thanks, praise, or emoji."""
    bare = re.sub(r"<@[^>]+>|:[a-z0-9_+'-]+:", " ", text).strip()
    if _NO_WORDS.fullmatch(bare):
        return True
    return bool(len(bare) <= 60 and (_ENGLISH.fullmatch(bare) or _CHINESE.fullmatch(bare)))


def offers(turns: Sequence[Turn]) -> bool:
    """Whether the bot spoke last and ended with a question, so that a short reply is an answer to it."""
    return (
        bool(turns)
        and turns[-1].role == "assistant"
        and turns[-1].text.rstrip(" _*)）").endswith(("?", "？"))
    )
