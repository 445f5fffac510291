"""What a question asks for: how many, why, when, where, who or how. English and Chinese; pure."""

import re

from retrieval.search.analyze import fold

_ASKS = (
    (
        "how many",
        r"how (?:much|many|long|often|far|old|big|large|tall|fast)\b|多少|多久|多长|多大|多高|多远|几(?!乎)",
    ),
    ("why", r"\bwhy\b|how come|为什么|为何|为啥|什么原因|怎么会"),
    ("when", r"\bwhen\b|what time|什么时候|什么时间|何时|几点|啥时候|哪天"),
    ("where", r"\bwhere\b|哪里|哪儿|何处|什么地方|在哪"),
    ("who", r"\bwho(?:m|se)?\b|谁|哪位|哪个人"),
    ("how", r"\bhow\b|怎么|如何|怎样|咋|(?:best|easiest|good) ways? to|的?方法|办法"),
)


def other_kind(a: str, b: str) -> bool:
    """One asks when and the other why, for example."""
    return _kind_asked(a) != _kind_asked(b) and bool(_kind_asked(a)) and bool(_kind_asked(b))


def _kind_asked(text: str) -> str:
    lowered = fold(text).lower()
    return next((kind for kind, pattern in _ASKS if re.search(pattern, lowered)), "")
