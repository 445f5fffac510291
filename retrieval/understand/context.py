"""Does a question need its thread to be understood, and which words of the thread does it need?

Rules measured on mtrag and cast (English) and on rewrite_zh: pronouns without an antecedent of their own,
ellipsis, bare fragments, and short replies to the bot's own question.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import rjieba

from retrieval.answer.words import words
from retrieval.types import Turn
from retrieval.understand.language import has_han
from retrieval.understand.route import offers

_PRONOUN = re.compile(
    r"\b(?:its|they|them|their|theirs|he|him|his|she|her|hers|these|those|former|latter)\b"
    r"|\b(?:such|the same)\b(?! (?:as|type|kind|way|time|day|age|name)\b)"
    r"|\bthis\b(?! (?:year|month|week|quarter|morning|afternoon|(?-i:[A-Z])))"
    r"|\bit\b(?!'?s? (?:possible|ok|okay|safe|legal|necessary|worth|true|important|better|normal|allowed)"
    r"(?!\W*$))"
    r"|\b(?:about|for|of|to|with|on|in|like|after|before|than|from) that\b"
    r"(?!\s+\w+\s+(?:is|are|was|were|do|does|did|has|have)\b)"
    r"|\bthat\b(?=\s*(?:$|[?.!,]|one\b|many\b|much\b))"
    r"|(?:^|[,.;!?] |\b(?:and|but|so|if|why|how|when|because) )that (?:is|was|does|do|did|has|means?)\b"
    r"|^(?:is|was|does|did|do|can|could|would|will|has) (?:that|there)\b"
    r"|\b(?:other|another) one\b|\bones?\b(?=\s*(?:$|[?.!]))|\bothers?\b(?=\s*[?.!]?$)"
    r"|(?<!are )(?<!is )(?<!were )(?<!was )\bthere\b(?=\s*[?.!]?$)",
    re.IGNORECASE,
)
_PERSON = re.compile(r"^(?:its|their|theirs|his|her|hers|he|she|him|they|them)$", re.IGNORECASE)
_OWNS = ("its", "their", "his", "her")
_INTERJECTION = r"(?:(?:ok(?:ay)?|oh|no|yes|hmm|great|thanks?|interesting|well)\b[,.! ]*)*"
_ELLIPSIS = re.compile(
    rf"^{_INTERJECTION}(?:(?:and|but|or|so|then|also|plus)\b|(?:what|anything|who) else\W*$"
    r"|any (?:other|more)\b|which ones?\b|(?:tell me )?more(?: info| details?)?\W*$|for example|i mean"
    r"|what about|how about"
    r"|what(?:'s|’s| is| was)? (?:different|new|better|worse|changed|special)\b"
    r"(?! (?:in|on|at|about|with|for|to|between|under|since)\b)"
    r"|(?:why|how|when|where|who)(?: not| so| come| much| many| long| often| far)?\W*$)",
    re.IGNORECASE,
)
_JOINS = re.compile(r"\W*(?:and|but|or|so|then|also|plus)\b", re.IGNORECASE)
_RELATIONAL = """
advantages? aftermath alternatives? benefits? causes? characteristics consequences? costs? criteria dangers?
deadlines? definitions? details differences? disadvantages? drawbacks? effects? examples? exceptions?
features? fees? findings? history impacts? implications? importance kinds? layers? limits? limitations?
location members? methods? models? origins? penalt(?:y|ies) phases? prices? pros cons properties purposes?
reasons? relationships? requirements? results? risks? roles? rules? signs? sources? stages? steps?
stud(?:y|ies) symptoms? treatments? types? uses? variet(?:y|ies) winners?
"""
_SUBJECTLESS = re.compile(
    r"\b(?:the|any|some|other|main|common|key|important|different|similar|best)\s+(?:(?-i:[a-z])\w*[ -]){0,2}"
    rf"(?:{'|'.join(_RELATIONAL.split())})\b"
    r"(?!\W+(?:\w+ ){0,2}(?:of|in|on|for|to|from|between|with|at|behind|against|by|about|when|if|that|who)\b)"
    r"\W*(?:$|[?.!]|\b(?:are|is|available|exist)\b)",
    re.IGNORECASE,
)
"""A word that is always the type, cause or cost of something, without that something behind it."""
_ASKS = re.compile(
    r"\b(?:what|who|where|when|why|how|which|is|are|was|were|do|does|did|can|could|should|would|will|has|have"
    r"|tell|explain|describe|list|show|give|find)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"^[\w.-]*\d[\w.-]*$|^[A-Z][A-Z.-]+$")
_CHINESE_REFERENCE = re.compile(
    r"(?:[它她]|(?<!其)他)们?|(?:^|[^其])其(?![他它实中余])|该(?=[公产项系部政规文服功方])"
    r"|这(?!样的话|么说)[个些种样里边儿]?|那(?:个|些|种|里|边|儿|样|时|天)|那(?=[，,]|是|要|可|能|还|会|我|你)|此(?!外|次更新)"
    r"|前者|后者|两者|上面|上述|刚才|同样"
)
_CHINESE_ELLIPSIS = re.compile(
    r"^(?:那么?|还有|另外|然后|所以|但是?|可是|如果|要是|比如|换成)|呢[？?。！!]?$|^(?:为什么|为啥|怎么办|怎么|多久|多少钱?|几天|谁|哪里|何时|什么时候)[呢啊]?[？?]?$"
)
_GENERIC_WORDS = """
tell show find look help know think mean want need use make take give work go come say call try ask like good
best better new old big small main different type kind sort way thing example reason difference important
possible available recommend provide explain describe clarify detail information question answer people person
someone really actually currently happen start end last next other more most common general popular year time
day number list part case
"""
_GENERIC = frozenset(words(_GENERIC_WORDS))
_GENERIC_NOUNS = "时候 问题 情况 东西 地方 事情 方法 方式 原因 意思 公司 大家 资料 时间 信息 怎么办"
_NAME = re.compile(
    r"(?<=[a-z,;:] )[A-Z][\w’'.-]*(?: [A-Z][\w’'.-]*)*|\b[A-Z]{2,}[\w-]*\b|\b\w*\d[\w.-]*\b"
    r"|[“\"《][^”\"》]+"
)
_LATIN = re.compile(r"[A-Za-z0-9®'’.-]+")
_cutter: Any = rjieba
_CHINESE_RELATIONAL_WORDS = """
作者 价格 价钱 费用 时间 地点 地址 原因 条件 流程 步骤 区别 天气 好处 坏处 功能 作用 类型 种类 名字 电话
期限 上限 标准 要求 例子 影响 结果 内容 意思 资源 附近 钱
"""
_CHINESE_RELATIONAL = frozenset(_CHINESE_RELATIONAL_WORDS.split())
_SHORT = 6
"""Characters of a Chinese question that may leave out what it is about."""
CARRIED, CARRIED_BY_ELLIPSIS = 4, 6
"""Words of the thread that are added; a question of few words left out more."""
_BRIEF = 6
"""Content words of a sentence that may lean on the one before it."""


def why_dependent(text: str, turns: Sequence[Turn]) -> str:
    """What makes a question lean on its thread.

    `reply`, `pronoun`, `ellipsis`, `fragment`, `subject` (types, causes, costs of nothing named), or nothing.
    """
    if not turns:
        return ""
    if offers(turns) and len(words(text)) <= 3:
        return "reply"
    return _chinese(text) if has_han(text) else _english(text)


def carried(text: str, turns: Sequence[Turn], most: int = CARRIED) -> list[str]:
    """The words of the thread that a question needs, most needed first, as they were written.

    Newer questions weigh more, the thread's first one at least half; names and codes twice as much.
    """
    known = set(words(text))
    points: dict[str, float] = {}
    written: dict[str, str] = {}
    for weight, told in _weighed(turns):
        names = {word for match in _NAME.finditer(told) for word in words(match[0])}
        for word, surface in _surfaces(told):
            if word not in known and word not in _GENERIC and not (has_han(word) and word in text):
                points[word] = points.get(word, 0) + weight * (2 if word in names else 1)
                written.setdefault(word, surface)
    best = sorted(points, key=lambda word: -points[word])[:most]
    return list(dict.fromkeys(written[word] for word in best))


def _english(text: str) -> str:
    if any(not _has_antecedent(text[: match.start()], match[0]) for match in _PRONOUN.finditer(text)):
        return "pronoun"
    # A long sentence that merely begins with "but" says all that it needs.
    if _ELLIPSIS.search(text) and not (_JOINS.match(text) and len(words(text)) > _BRIEF):
        return "ellipsis"
    code = _CODE.match(text.strip(" ?.!"))
    if len(words(text)) <= 3 and not _ASKS.search(text) and not code:
        return "fragment"
    return "subject" if _SUBJECTLESS.search(text) else ""


def _chinese(text: str) -> str:
    if _CHINESE_REFERENCE.search(text):
        return "pronoun"
    if _CHINESE_ELLIPSIS.search(text):
        return "ellipsis"
    bare = text.strip("？?。！! ")
    if len(bare) <= 3:
        return "fragment"
    return "subject" if len(bare) <= _SHORT and not _names_something(bare) else ""


def _names_something(text: str) -> bool:
    """Whether a Chinese text holds a code or a noun other than those that are always of something."""
    tagged = _cutter.tag(text)
    nouns = (word for word, tag in tagged if tag[0] == "n" or tag in ("vn", "j", "l", "i", "an"))
    return bool(_LATIN.search(text)) or any(noun not in _CHINESE_RELATIONAL for noun in nouns)


def _has_antecedent(before: str, pronoun: str) -> bool:
    """Whether the question itself says before the pronoun what it means: in a clause, or by a name."""
    edges = [match.start() for match in re.finditer(r"[.;!?,]| and ", before)]
    if edges and words(before[: edges[0]]) and not _ELLIPSIS.search(before):
        return True
    if not _PERSON.match(pronoun):
        return False
    named = re.search(r"(?<=[^.?!] )[A-Z][\w’'.-]+", before)
    owner = pronoun.lower() in _OWNS and len(words(before)) > 1 and not _PRONOUN.search(before)
    return bool(named) or owner


def _weighed(turns: Sequence[Turn]) -> Iterator[tuple[float, str]]:
    """Questions with their weight, the newest first; of answers the bot's last question.

    The words of a question that leant on its thread are mostly not what the thread is about.
    """
    asked = [turn for turn in turns if turn.role == "user"]
    if offers(turns):
        yield 1.0, re.split(r"[.!。！\n]", turns[-1].text.strip())[-1]
    for age, turn in enumerate(reversed(asked)):
        first = age == len(asked) - 1
        leant = why_dependent(turn.text, asked[: len(asked) - 1 - age])
        yield max(0.6**age, 0.5 if first else 0.0) * (0.5 if leant else 1.0), turn.text


def _surfaces(text: str) -> Iterator[tuple[str, str]]:
    """Each content word of a text with the way it is written; of Chinese, the runs of nouns."""
    for token in _LATIN.findall(text):
        found = words(token)
        if found and not token.isdigit():
            yield found[0], token.strip(".'’-")
    for noun in _nouns(text) if has_han(text) else ():
        yield noun, noun


def _nouns(text: str) -> Iterator[str]:
    run = ""
    for word, tag in [*_cutter.tag(text), ("", "end")]:
        # A single character before a noun (年 in 年假) is mostly a part of it.
        part = has_han(word) and (
            tag[0] == "n" or tag in ("vn", "j", "l", "nz") or (tag == "m" and word in "年月周日")
        )
        if part:
            run += word
            continue
        if len(run) > 1 and run not in _GENERIC_NOUNS.split():
            yield run
        run = ""
