"""Words that turn a question round although its vector hardly moves, and words that do not count.

The lists lie beside: `opposites.tsv` (two patterns a line), `synonyms.txt` (stems and words that count as the
first of their line), `light.txt` (words that carry no meaning of their own).
"""

import re
from importlib.resources import files


def _lines(name: str) -> list[str]:
    return files("retrieval.cache").joinpath("lists", name).read_text(encoding="utf-8").splitlines()


OPPOSITES: list[tuple[str, str]] = [
    (line.split("\t")[0], line.split("\t")[1]) for line in _lines("opposites.tsv")
]
SYNONYMS = [line.split() for line in _lines("synonyms.txt")]
LIGHT = frozenset(word for line in _lines("light.txt") for word in line.split())
ENVIRONMENTS: tuple[str, ...] = (
    r"prod(?:uction(?! of ))?|live|生产|正式|线上",
    r"stag(?:e|ing)|pre-?prod|预发|预生产|灰度",
    r"test(?:ing)?|qa|uat|测试",
    r"dev(?:elopment)?|local(?:host)?|开发|本地",
    r"sandbox|沙箱|沙盒",
)
TIMES: tuple[str, ...] = (
    r"上半年|first half|h1",
    r"下半年|second half|h2",
    r"today|今天|今日|当天",
    r"yesterday|昨天|昨日",
    r"tomorrow|明天|明日",
    r"(?:this|current) (?:week|month|quarter|year)|今年|本月|本周|本季度|这个月|这周",
    r"last (?:week|month|quarter|year)|去年|上个?月|上周|上季度",
    r"next (?:week|month|quarter|year)|明年|下个?月|下周|下季度",
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?|周[一二三四五六日天]|星期[一二三四五六日天]|周末|weekends?",
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?",
    r"morning|早上|上午",
    r"afternoon|evening|night|下午|晚上|夜间",
)
PERSONS: tuple[str, ...] = (
    r"\b(?:his|her|hers|their|theirs|someone else's)\b|他的|她的|他们的|别人的?",
    r"\b(?:managers?|boss|supervisors?)\b|经理|主管|上级|领导",
    r"\b(?:interns?|trainees?)\b|实习生",
    r"\b(?:contractors?|freelancers?)\b|外包|承包商",
    r"\b(?:guests?|visitors?)\b|访客|来宾",
    r"\b(?:new (?:hires?|employees?|starters?|joiners?))\b|新员工|新人",
)
LANGUAGES: tuple[str, ...] = (
    r"chinese|mandarin|中文|汉语|普通话",
    r"english|英文|英语",
    r"german|德文|德语",
    r"french|法文|法语",
    r"japanese|日文|日语",
)
NEGATION = re.compile(
    r"\b(?:not|no|never|without|cannot|can't|neither|nor|none|nothing|nobody|unless|except|un(?:able|available))\b"
    r"|n['’]t\b|(?<!要)不(?!同|错|过|断|久|少|管|仅)|没|未|无(?!线|锡)|别(?!人|的|名)|非(?!常)|勿|除了",
    re.IGNORECASE,
)
DIRECTION = re.compile(
    r"\b(?:from|to|into|than|over|versus|vs|before|after|convert|compare\w*|instead|between|report\w*|replac\w+|by)\b"
    r"|比|从|到|向|给|被|把|将|换成|转成|转为|改成|之前|之后|先|取代|汇报|超过|高于|低于|兑|换",
    re.IGNORECASE,
)
