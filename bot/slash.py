"""Slash commands and the message shortcut: acknowledged at once, answered to the asker alone."""

import json
from typing import Any

from bot.desk import Desk
from bot.heard import Heard
from bot.parse import enterprise_of, form_values, html_once, part, plain
from bot.settings_view import settings_modal
from bot.tongue import language_for
from bot.views import ask_modal
from workers.inbox import Incoming
from workers.knowledge import help_text, is_known
from workers.words import Language, language_of, say

_CHANNEL_KINDS = {"D": "im", "G": "group"}


def ask(desk: Desk, heard: Heard) -> dict[str, Any]:
    """`/ask question`: an answer for the asker's eyes."""
    text = plain(str(heard.body.get("text") or ""))
    if not text:
        return {"text": say("ask_usage", language_for(desk, heard, ""))}
    desk.take(_private_question(heard, text, heard.channel, str(heard.body["trigger_id"])))
    return {"text": say("placeholder", language_of(text))}


def knowledge(desk: Desk, heard: Heard) -> dict[str, Any] | None:
    """`/knowledge …`: looks after the knowledge."""
    words = html_once(str(heard.body.get("text") or "")).strip()
    command, _, rest = words.partition(" ")
    language = language_for(desk, heard, words)
    if command == "settings":
        _open_settings(desk, heard, language)
        return None
    if not is_known(command):
        return {"text": help_text(language)}
    errand = heard.errand("knowledge", command=command, rest=rest.strip(), tongue=language)
    desk.send(f"knowledge:{heard.body.get('trigger_id')}", errand)
    return {"text": say("on_it", language)}


def submit_settings(desk: Desk, heard: Heard) -> None:
    """The settings modal was saved; whether the person may is looked at by the worker."""
    view = part(heard.body, "view")
    place = json.loads(str(view["private_metadata"]))
    chosen = form_values(heard.body)
    place["tongue"] = language_for(desk, heard)
    errand = heard.errand("settings", **place, **chosen)
    desk.send(f"settings:{view.get('id')}:{view.get('hash')}", errand)


def ask_about(desk: Desk, heard: Heard) -> None:
    """The message shortcut: opens a modal with the message quoted."""
    message = part(heard.body, "message")
    quoted = plain(str(message.get("text") or ""))
    thread = str(message.get("thread_ts") or message.get("ts") or "")
    place = json.dumps(
        {"channel": heard.channel, "thread": thread, "quoted": quoted[:2000]}, ensure_ascii=False
    )
    view = ask_modal(quoted, place, language_for(desk, heard, quoted))
    heard.slack("views_open", trigger_id=heard.body["trigger_id"], view=view)


def submit_question(desk: Desk, heard: Heard) -> None:
    """The question about a message: answered to the asker alone, in the message's thread."""
    view = part(heard.body, "view")
    place = json.loads(str(view["private_metadata"]))
    text = form_values(heard.body)["question"]
    whole = f"{text}\n\n> {place['quoted']}" if place["quoted"] else text
    desk.take(_private_question(heard, whole, place["channel"], str(view["id"]), place["thread"], "shortcut"))


def _private_question(
    heard: Heard, text: str, channel: str, ts: str, thread: str = "", surface: Any = "ask"
) -> Incoming:
    return Incoming(
        team=heard.team,
        enterprise=enterprise_of(heard.body),
        channel=channel,
        kind=_CHANNEL_KINDS.get(channel[:1], "channel"),
        ts=ts,
        thread=thread or ts,
        user=heard.user,
        text=text,
        surface=surface,
        response_url=str(heard.body.get("response_url") or ""),
    )


def _open_settings(desk: Desk, heard: Heard, language: Language) -> None:
    chosen = vars(desk.choices.of_channel(heard.team, heard.channel)) | {
        "digest": desk.choices.digest(heard.team)
    }
    place = json.dumps({"channel": heard.channel, "url": str(heard.body.get("response_url") or "")})
    heard.slack(
        "views_open", trigger_id=heard.body["trigger_id"], view=settings_modal(place, chosen, language)
    )
