"""The modals, in English and Chinese. Pure."""

from collections.abc import Callable, Mapping, Sequence

from retrieval.types import Language
from workers.blocks import Block, context, section
from workers.markup import escape_all
from workers.trace_log import Trace
from workers.why import why_parts
from workers.words import say

REASONS = ("wrong", "outdated", "incomplete", "unclear", "other")


def feedback_modal(question_id: str, language: Language) -> Block:
    """Why was it not helpful?"""
    options = [option(say(f"reason_{reason}", language), reason) for reason in REASONS]
    blocks = [
        {
            "type": "input",
            "block_id": "reason",
            "label": plain_text(say("feedback_reason", language)),
            "element": {"type": "radio_buttons", "action_id": "reason", "options": options},
        },
        text_input("comment", say("feedback_comment", language), optional=True, multiline=True),
    ]
    return modal(
        "feedback", say("feedback_title", language), blocks, language, question_id, say("send", language)
    )


def why_modal(question_id: str, trace: Trace | None, language: Language) -> Block:
    """How an answer came about: road, wordings, passages, checks, time, cost."""
    if trace is None:
        return modal(
            "why", say("why_title", language), [section(say("no_trace", language))], language, question_id
        )
    blocks = [section(text) for text in why_parts(trace, language)] + [
        context([say("why_note", language, id=question_id)])
    ]
    return modal("why", say("why_title", language), blocks, language, question_id)


def knowledge_modal(question_id: str, title: str, text: str, language: Language) -> Block:
    """A person's answer, before it becomes knowledge."""
    blocks = [
        section(say("save_intro", language)),
        text_input("title", say("save_title_label", language), initial=title[:150]),
        text_input("text", say("save_text_label", language), initial=text[:3000], multiline=True),
    ]
    return modal(
        "knowledge", say("save_title", language), blocks, language, question_id, say("save", language)
    )


def ask_modal(quoted: str, place: str, language: Language) -> Block:
    """A question about a message; `place` goes along unseen."""
    short = quoted if len(quoted) <= 1000 else quoted[:999] + "…"
    blocks = [
        section(escape_all(short) or "…"),
        text_input("question", say("ask_label", language), initial=say("ask_initial", language)),
    ]
    return modal("ask", say("ask_title", language), blocks, language, place, say("ask", language))


def home_ask_modal(language: Language) -> Block:
    """A question from the Home tab."""
    question = text_input("question", say("ask_label", language), multiline=True)
    return modal("home_ask", say("home_ask", language), [question], language, submit=say("ask", language))


def home_remember_modal(language: Language) -> Block:
    """A fact about oneself from the Home tab."""
    fact = text_input("fact", say("remember_label", language))
    return modal("home_remember", say("facts", language), [fact], language, submit=say("save", language))


FORMS: Mapping[str, Callable[[Language], Block]] = {
    "home_ask": home_ask_modal,
    "home_remember": home_remember_modal,
}
"""The forms that buttons of the Home tab open, by action."""


def modal(
    name: str, title: str, blocks: Sequence[Block], language: Language, note: str = "", submit: str = ""
) -> Block:
    """A modal; `note` comes back with its submission."""
    view: Block = {
        "type": "modal",
        "callback_id": name,
        "title": plain_text(title[:24]),
        "close": plain_text(say("close", language)),
        "private_metadata": note,
        "blocks": list(blocks)[:100],
    }
    return {**view, "submit": plain_text(submit)} if submit else view


def text_input(
    name: str, label: str, initial: str = "", optional: bool = False, multiline: bool = False
) -> Block:
    element: Block = {"type": "plain_text_input", "action_id": name, "multiline": multiline}
    if initial:
        element["initial_value"] = initial
    return {
        "type": "input",
        "block_id": name,
        "optional": optional,
        "label": plain_text(label),
        "element": element,
    }


def option(label: str, value: str) -> Block:
    return {"text": plain_text(label[:75]), "value": value}


def plain_text(text: str) -> Block:
    return {"type": "plain_text", "text": text}
