"""Which kind of answer a question expects, and whether a text holds one that the question does not."""

import re
from typing import Literal

Kind = Literal["date", "figure", "name"]

_ASKS: dict[Kind, re.Pattern[str]] = {
    "date": re.compile(
        r"\bwhen\b|\b(?:what|which) (?:date|year|day|time|month)\b"
        r"|什么时候|何时|哪一?[年天日月]|几月|几号|几点|日期|时间",
        re.IGNORECASE,
    ),
    "figure": re.compile(
        r"\bhow (?:many|much|long|old|far|often|big|tall|high|fast|large)\b|\bcosts?\b"
        r"|\bwhat (?:is the )?(?:percentage|number|amount|price|rate|limit|population|salary)\b"
        r"|多少|几[个天年月次人元岁]|多[久大高长远]|第几|百分|增长率|金额|总额|人数|数量|上限|价格",
        re.IGNORECASE,
    ),
    "name": re.compile(
        r"\bwho(?:m|se)?\b|\bwhere\b|\bwhich (?:person|team|country|company|city|place|office|tool)\b"
        r"|谁|哪位|哪里|哪儿|在哪|地点|名字|哪[个家](?:人|国家|公司|城市|地方|部门|团队|办公室)?",
        re.IGNORECASE,
    ),
}
_HOLDS: dict[Kind, re.Pattern[str]] = {
    "date": re.compile(
        r"\b(?:19|20)\d\d\b|\d{4}年|\d{1,2}[月日号点]|\b\d{1,2}[:.]\d\d\b"
        r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day",
        re.IGNORECASE,
    ),
    "figure": re.compile(
        r"\d[\d.,]*\s*%?|[一二三四五六七八九十百千万亿两]+(?=[个天年月次人元岁亿万%倍])"
        r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million|billion|half|twice)\b",
        re.IGNORECASE,
    ),
    "name": re.compile(
        r"(?<=[a-z,;:] )[A-Z][\w'’-]+|[《“\"][^》”\"]{2,20}"
        r"|[\u4e00-\u9fff]{2,3}(?:·[\u4e00-\u9fff]+)?(?=[，,、（(说是])"
    ),
}


def asks(question: str) -> Kind | None:
    """The kind of answer that a question expects; None when it asks for no figure, date or name."""
    return next((kind for kind, pattern in _ASKS.items() if pattern.search(question)), None)


def holds(kind: Kind, text: str, question: str) -> bool:
    """Whether a text holds something of that kind which does not stand in the question already."""
    known = question.lower()
    return any(match.group().strip().lower() not in known for match in _HOLDS[kind].finditer(text))
