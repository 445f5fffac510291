"""Everything the bot says of its own, in English and Chinese."""

import re
from collections.abc import Mapping
from datetime import datetime

from retrieval.types import Language
from workers.words_answering import ANSWERING
from workers.words_managing import MANAGING

_CHINESE = re.compile("[\u3400-\u9fff]")
WORDS: Mapping[str, tuple[str, str]] = {**ANSWERING, **MANAGING}


def say(key: str, language: Language | str, **values: object) -> str:
    """A text in `en` or `zh`; `values` fill its blanks."""
    english, chinese = WORDS[key]
    return (chinese if language == "zh" else english).format(**values)


def language_of(text: str, locale: str = "") -> Language:
    """Chinese when the text has a Chinese character; without text, by the person's locale."""
    if text.strip():
        return "zh" if _CHINESE.search(text) else "en"
    return "zh" if locale.startswith("zh") else "en"


def ago(then: datetime, now: datetime, language: Language) -> str:
    """How long ago, in days, months or years."""
    days = max((now.date() - then.date()).days, 0)
    match days:
        case 0:
            return say("today", language)
        case 1:
            return say("yesterday", language)
        case _ if days < 60:
            return say("days_ago", language, n=days)
        case _ if days < 730:
            return say("months_ago", language, n=days // 30)
        case _:
            return say("years_ago", language, n=days // 365)


def moments_ago(then: datetime, now: datetime, language: Language) -> str:
    """How long ago, in minutes and hours on the same day."""
    minutes = max(int((now - then).total_seconds() // 60), 0)
    if minutes < 1:
        return say("just_now", language)
    if minutes < 60:
        return say("minutes_ago", language, n=minutes)
    return say("hours_ago", language, n=minutes // 60) if minutes < 24 * 60 else ago(then, now, language)
