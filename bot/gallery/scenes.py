"""The scenes of the gallery, made by the same functions that the product uses. Pure."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.views import REASONS, ask_modal, feedback_modal, knowledge_modal, settings_modal
from retrieval.types import Answer, Citation, Language, Outcome, Passage, TableView
from workers.blocks import Look, apology, notice, render
from workers.home_view import Home, Week, home_view
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
        "private answer": render(answer, replace(LOOK, private=True))[0].blocks,
        "nothing found": render(missing, LOOK)[0].blocks,
        "failure": apology(say("apology", language, id=LOOK.question_id), language, "q:1").blocks,
        "refusal": notice(say("denied_guest", language)).blocks,
    }
    views = {
        "feedback": feedback_modal("q", language),
        "ask about a message": ask_modal(_quoted(language), "{}", language),
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
    week = Week((asked[1],), 41, 3, (say(f"reason_{REASONS[1]}", language),))
    questions = ((asked[0], "answered"), (asked[1], "not_found"))
    return Home(128, 2311, NOW - timedelta(days=1), questions, (fact,), ("handbook", "wiki"), week)
