"""The modals, in English and Chinese. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from retrieval.types import Language
from workers.blocks import Block, context, section
from workers.markup import escape_all
from workers.trace_log import Trace
from workers.why import why_parts
from workers.words import say

_INITIAL_PLACE = "initial_conversation"
REASONS = ("wrong", "outdated", "incomplete", "unclear", "other")


def feedback_modal(question_id: str, language: Language) -> Block:
    """Why was it not helpful?"""
    options = [_option(say(f"reason_{reason}", language), reason) for reason in REASONS]
    blocks = [
        {
            "type": "input",
            "block_id": "reason",
            "label": _plain(say("feedback_reason", language)),
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


def settings_modal(place: str, chosen: Mapping[str, Any], language: Language) -> Block:
    """A channel's choices."""
    switches = ("follow_ups", "unmentioned", "feedback", "bots")
    options = {name: _option(say(f"setting_{name}", language), name) for name in switches}
    on = [options[name] for name in switches if chosen.get(name)]
    asked = str(chosen.get("handoff") or " ")
    boxes: Block = {"type": "checkboxes", "action_id": "switches", "options": list(options.values())}
    if on:
        boxes["initial_options"] = on
    blocks = [
        {
            "type": "input",
            "block_id": "switches",
            "optional": True,
            "label": _plain(say("setting_switches", language)),
            "element": boxes,
        },
        _choice("language", ("auto", "en", "zh"), str(chosen.get("language") or "auto"), language),
        _choice("tone", ("normal", "brief", "detailed"), str(chosen.get("tone") or "normal"), language),
        text_input(
            "sources",
            say("setting_sources", language),
            initial=", ".join(chosen.get("sources") or ()),
            optional=True,
        ),
        _pick("handoff_person", "users_select", "initial_user", asked if asked[:1] in "UW" else "", language),
        _pick(
            "handoff_channel",
            "conversations_select",
            _INITIAL_PLACE,
            asked if asked[:1] in "CG" else "",
            language,
        ),
        text_input(
            "handoff_group",
            say("setting_handoff_group", language),
            initial=asked if asked[:1] == "S" else "",
            optional=True,
        ),
        _pick("digest", "conversations_select", _INITIAL_PLACE, str(chosen.get("digest") or ""), language),
    ]
    return modal("settings", say("settings_title", language), blocks, language, place, say("save", language))


def modal(
    name: str, title: str, blocks: Sequence[Block], language: Language, note: str = "", submit: str = ""
) -> Block:
    """A modal; `note` comes back with its submission."""
    view: Block = {
        "type": "modal",
        "callback_id": name,
        "title": _plain(title[:24]),
        "close": _plain(say("close", language)),
        "private_metadata": note,
        "blocks": list(blocks)[:100],
    }
    return {**view, "submit": _plain(submit)} if submit else view


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
        "label": _plain(label),
        "element": element,
    }


def _choice(name: str, values: Sequence[str], chosen: str, language: Language) -> Block:
    options = {value: _option(say(f"{name}_{value}", language), value) for value in values}
    element = {
        "type": "static_select",
        "action_id": name,
        "options": list(options.values()),
        "initial_option": options[chosen],
    }
    return {
        "type": "input",
        "block_id": name,
        "label": _plain(say(f"setting_{name}", language)),
        "element": element,
    }


def _pick(name: str, kind: str, initial: str, value: str, language: Language) -> Block:
    """A person or channel, chosen by Slack's own list."""
    element: Block = {"type": kind, "action_id": name}
    if kind == "conversations_select":
        element["filter"] = {"include": ["public", "private"], "exclude_external_shared_channels": True}
    if value:
        element[initial] = value
    label = _plain(say(f"setting_{name}", language))
    return {"type": "input", "block_id": name, "optional": True, "label": label, "element": element}


def _option(label: str, value: str) -> Block:
    return {"text": _plain(label[:75]), "value": value}


def _plain(text: str) -> Block:
    return {"type": "plain_text", "text": text}
