"""The modal of a channel's settings, in English and Chinese. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.views import modal, option, plain_text, text_input
from retrieval.types import Language
from workers.blocks import Block
from workers.words import say

_SWITCHES = ("follow_ups", "unmentioned", "feedback", "bots")
_INITIAL_PLACE = "initial_conversation"


def settings_modal(place: str, chosen: Mapping[str, Any], language: Language) -> Block:
    """A channel's choices; `place` goes along unseen."""
    sources = ", ".join(chosen.get("sources") or ())
    blocks = [
        _switches(chosen, language),
        _choice("language", ("auto", "en", "zh"), str(chosen.get("language") or "auto"), language),
        _choice("tone", ("normal", "brief", "detailed"), str(chosen.get("tone") or "normal"), language),
        text_input("sources", say("setting_sources", language), initial=sources, optional=True),
        *_whom_to_ask(str(chosen.get("handoff") or ""), language),
        _pick("digest", "conversations_select", _INITIAL_PLACE, str(chosen.get("digest") or ""), language),
    ]
    return modal("settings", say("settings_title", language), blocks, language, place, say("save", language))


def _switches(chosen: Mapping[str, Any], language: Language) -> Block:
    options = {name: option(say(f"setting_{name}", language), name) for name in _SWITCHES}
    boxes: Block = {"type": "checkboxes", "action_id": "switches", "options": list(options.values())}
    if on := [options[name] for name in _SWITCHES if chosen.get(name)]:
        boxes["initial_options"] = on
    label = plain_text(say("setting_switches", language))
    return {"type": "input", "block_id": "switches", "optional": True, "label": label, "element": boxes}


def _whom_to_ask(target: str, language: Language) -> list[Block]:
    """A person, a channel or a user group, for which Slack has no list to choose from."""
    kind = target[:1]
    person, place = target if kind in "UW" else "", target if kind in "CG" else ""
    group = say("setting_handoff_group", language)
    return [
        _pick("handoff_person", "users_select", "initial_user", person, language),
        _pick("handoff_channel", "conversations_select", _INITIAL_PLACE, place, language),
        text_input("handoff_group", group, initial=target if kind == "S" else "", optional=True),
    ]


def _choice(name: str, values: Sequence[str], chosen: str, language: Language) -> Block:
    options = {value: option(say(f"{name}_{value}", language), value) for value in values}
    element = {
        "type": "static_select",
        "action_id": name,
        "options": list(options.values()),
        "initial_option": options[chosen],
    }
    return {
        "type": "input",
        "block_id": name,
        "label": plain_text(say(f"setting_{name}", language)),
        "element": element,
    }


def _pick(name: str, kind: str, initial: str, value: str, language: Language) -> Block:
    """A person or channel, chosen by Slack's own list."""
    element: Block = {"type": kind, "action_id": name}
    if kind == "conversations_select":
        element["filter"] = {"include": ["public", "private"], "exclude_external_shared_channels": True}
    if value:
        element[initial] = value
    label = plain_text(say(f"setting_{name}", language))
    return {"type": "input", "block_id": name, "optional": True, "label": label, "element": element}
