"""The scenes of the gallery, made by the same functions that the product uses. Pure."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.settings_view import settings_modal
from bot.views import (
    REASONS,
    ask_modal,
    feedback_modal,
    home_ask_modal,
    home_remember_modal,
    knowledge_modal,
    why_modal,
)
from retrieval.types import Answer, Citation, Language, Outcome, Passage, TableView
from storage.documents import SyncState
from storage.traces import TraceRow
from workers.blocks import Look, apology, notice, render, section
from workers.files import Note
from workers.home_view import Home, Week, home_view, week_text
from workers.source_view import source_line
from workers.trace_log import Step, Trace
from workers.words import say

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
LOOK = Look("q7hk2m5xw3ab", NOW)
Scene = dict[str, Any]


def scenes() -> list[Scene]:
    """Every scene, in English and then in Chinese."""
    return [scene for language in ("en", "zh") for scene in _in(language)]


def _in(language: Language) -> list[Scene]:
    answer, missing = _answer(language), _not_found(language)
    outdated = replace(LOOK, outdated=True)
    named = {
        "answer": render(answer, LOOK)[0].blocks,
        "answer, its source changed, more in private": render(
            replace(answer, more_in_private=True, cached_at=NOW - timedelta(days=1)), outdated
        )[0].blocks,
        "answer with a table": render(replace(answer, table=_table(language)), LOOK)[0].blocks,
        "answer with code": render(replace(answer, text=_code(language)), LOOK)[0].blocks,
        "answer given before": render(replace(answer, cached_at=NOW - timedelta(minutes=12)), LOOK)[0].blocks,
        "answer with a file that could not be read": render(
            answer, replace(LOOK, notes=(Note("file_unreadable", "macro.bin").say(language),))
        )[0].blocks,
        "private answer": render(answer, replace(LOOK, private=True))[0].blocks,
        "nothing found": render(missing, LOOK)[0].blocks,
        "failure": apology(say("apology", language, id=LOOK.question_id), language, "q:1").blocks,
        "digest": [section(week_text(_week(language), language))],
        "refusal": notice(say("denied_guest", language)).blocks,
    }
    views = {
        "feedback": feedback_modal("q", language),
        "ask about a message": ask_modal(_quoted(language), "{}", language),
        "why": why_modal("q7hk2m5xw3ab", _trace(), language),
        "ask from the Home tab": home_ask_modal(language),
        "remember from the Home tab": home_remember_modal(language),
        "save as knowledge": knowledge_modal("q", _quoted(language), _quoted(language), language),
        "settings": settings_modal("{}", {"follow_ups": True, "feedback": True, "handoff": "U2"}, language),
    }
    home = home_view(_home(language), NOW, language)
    return [
        *({"title": f"{language}: {name}", "kind": "message", "blocks": b} for name, b in named.items()),
        *(
            {"title": f"{language}: {name}", "kind": "modal", "view": view, "blocks": view["blocks"]}
            for name, view in views.items()
        ),
        {"title": f"{language}: Home", "kind": "home", "blocks": home["blocks"]},
    ]


def _answer(language: Language) -> Answer:
    text = {
        "en": "You have **25 days** of paid vacation a year [1]. Ask your lead two weeks ahead:\n\n"
        "1. Enter the dates in the calendar.\n2. Name a stand-in [2].\n\n> Unused days lapse in March.",
        "zh": "每年有**25 天**带薪年假 [1]。**提示：**请提前两周申请：\n\n"
        "1. 在日历中填写日期。\n2. 指定代理人 [2]。\n\n> 未用完的天数三月失效。",
    }[language]
    return Answer(text, Outcome.ANSWERED, _citations(language), language=language)


def _citations(language: Language) -> tuple[Citation, ...]:
    titles = {"en": ("Vacation policy", "Standing in"), "zh": ("休假制度", "代理安排")}[language]
    return (
        Citation(1, _passage(titles[0], page=3), "25"),
        Citation(2, _passage(titles[1], section="Leave › Before you go"), ""),
    )


def _passage(title: str, **others: Any) -> Passage:
    return Passage(
        id=title,
        document_id=title,
        version="1",
        text="",
        title=title,
        url="https://handbook.example.com/vacation",
        updated_at=NOW - timedelta(days=3),
        **others,
    )


def _not_found(language: Language) -> Answer:
    nearest = tuple(citation.passage for citation in _citations(language))
    return Answer(say("not_found", language), Outcome.NOT_FOUND, nearest=nearest, language=language)


def _table(language: Language) -> TableView:
    header = {"en": ("Region", "Sales", "Change"), "zh": ("地区", "销售额", "变化")}[language]
    return TableView(header, (("华东", "1,200", "+4 %"), ("华南", "980", "-1 %"), ("North", "310", "+9 %")))


def _code(language: Language) -> str:
    intro = {"en": "Restart the **indexer** like this [1]:", "zh": "这样**重启**索引服务 [1]："}[language]
    return f"{intro}\n\n```sh\nteamlore down && teamlore up\nif [ $a -lt 3 ]; then echo 'a < 3'; fi\n```"


def _quoted(language: Language) -> str:
    return {"en": "The guest wifi password is on the back of your badge.", "zh": "访客无线密码在工牌背面。"}[
        language
    ]


def _home(language: Language) -> Home:
    asked = {"en": ("How many vacation days?", "What is music?"), "zh": ("年假有几天？", "音乐是什么？")}[
        language
    ]
    fact = {"en": "I work in Berlin", "zh": "我在北京工作"}[language]
    week = _week(language)
    questions = ((asked[0], "answered"), (asked[1], "not_found"))
    return Home(128, 2311, NOW - timedelta(days=1), questions, (fact,), _sources(language), week)


def _week(language: Language) -> Week:
    asked = {"en": "What is music?", "zh": "音乐是什么？"}[language]
    return Week((asked,), 41, 3, (say(f"reason_{REASONS[1]}", language),))


def _trace() -> Trace:
    """An answer's trace as the database keeps it."""
    hits = [{"title": "Vacation policy", "score": 0.93}, {"title": "Standing in", "score": 0.71}]
    passed, failed = {"passed": True, "detail": ""}, {"passed": False, "detail": "0.4"}
    told: dict[str, dict[str, Any]] = {
        "rewrite": {"wordings": ["vacation days a year"]},
        "rerank": {"hits": hits},
        "check": {"checks": [{"name": "cited", **passed}, {"name": "faithful", **failed}]},
    }
    row = TraceRow(route="documents", outcome="answered", cost_usd=0.0021, ms=2310.0, models=["openai:gpt"])
    return Trace(row, tuple(Step(name, name, 0, 1.0, "", values, ()) for name, values in told.items()))


def _sources(language: Language) -> list[tuple[str, str]]:
    read: dict[str, Any] = {"documents": 90, "passages": 1800, "failed": 2, "counts": {}}
    running: dict[str, Any] = {"documents": 38, "passages": 511, "failed": 0, "counts": {}}
    states = [
        SyncState("handbook", False, 90, 90, None, NOW - timedelta(days=1), "", **read),
        SyncState("wiki", True, 38, 120, NOW, None, "", **running),
    ]
    return [(state.source, source_line(state, NOW, language)) for state in states]
