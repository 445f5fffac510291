"""In which language we speak to whoever clicked or typed."""

from bot.desk import Desk
from bot.heard import Heard
from retrieval.errors import Permanent, Transient
from workers.permissions import Directory
from workers.words import Language, language_of


def language_for(desk: Desk, heard: Heard, typed: str = "") -> Language:
    """Chinese where that was typed, else the person's own; commands themselves are English to everybody."""
    if language_of(typed) == "zh":
        return "zh"
    try:
        return language_of("", Directory(heard.slack, desk.redis, heard.team).locale(heard.user))
    except (Transient, Permanent):
        return "en"
