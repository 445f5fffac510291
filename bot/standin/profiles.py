"""People and channels as Slack describes them: emulate's records, with what it keeps no column for."""

from bot.standin.people import Person
from bot.standin.slack import Slack
from bot.standin.values import Json

TIME_ZONES = {
    "zh-CN": {"tz": "Asia/Shanghai", "tz_label": "China Standard Time", "tz_offset": 28_800},
    "en-US": {"tz": "Europe/London", "tz_label": "Greenwich Mean Time", "tz_offset": 0},
}
OF_ALL = {
    "color": "9f69e7",
    "is_app_user": False,
    "is_email_confirmed": True,
    "is_owner": False,
    "is_primary_owner": False,
    "is_restricted": False,
    "is_ultra_restricted": False,
    "updated": 1_700_000_000,
    "who_can_share_contact_card": "EVERYONE",
}


def full_user(slack: Slack, user: Json) -> Json:
    """A user object: guests, strangers and locales come from the workspace's people."""
    person = next((p for p in slack.workspace.people if p.id == user["id"]), None)
    locale = person.locale if person else "en-US"
    zone = TIME_ZONES.get(locale, TIME_ZONES["en-US"])
    return {**OF_ALL, **user, "locale": locale, **zone, **(_flags(person) if person else {})}


def full_channel(slack: Slack, channel: Json) -> Json:
    """A channel object, with what Slack Connect adds."""
    shared = slack.is_shared(channel["id"])
    flags = {"is_shared": shared, "is_ext_shared": shared, "is_org_shared": False}
    return {**channel, **flags, "context_team_id": slack.workspace.team_id}


def _flags(person: Person) -> Json:
    flags = {"is_restricted": person.is_restricted, "is_ultra_restricted": person.is_ultra_restricted}
    return flags | ({"is_stranger": True} if person.is_stranger else {})
