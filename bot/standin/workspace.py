"""One Slack team as frozen data, and the rows and settings that it becomes in emulate."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Self

from bot.standin.app import BOT_SCOPES, App
from bot.standin.people import CHANNELS, PEOPLE, Channel, Person

Record = dict[str, Any]
PERSON_SCOPES = BOT_SCOPES | {"channels:manage", "groups:write", "mpim:write", "users.profile:write"}


@dataclass(frozen=True)
class Workspace:
    """One Slack team with its app, people and channels; the whole seed of a world."""

    team_id: str = "T0TEAMLORE"
    name: str = "Acme"
    domain: str = "acme"
    enterprise_id: str = ""
    is_org_install: bool = False
    app: App = field(default_factory=App)
    people: tuple[Person, ...] = PEOPLE
    channels: tuple[Channel, ...] = CHANNELS

    def with_people(self, *people: Person) -> Self:
        """The same workspace with more people; they are in no channel yet."""
        return replace(self, people=(*self.people, *people))

    def with_channels(self, *channels: Channel) -> Self:
        """The same workspace with more channels."""
        return replace(self, channels=(*self.channels, *channels))

    def person(self, name_or_id: str) -> Person:
        """The person of this name or id; KeyError if there is none."""
        return _find(self.people, name_or_id)

    def channel_id(self, name_or_id: str) -> str:
        """The id for a channel's name; ids of conversations opened later pass through."""
        return next((c.id for c in self.channels if name_or_id in (c.name, c.id)), name_or_id)

    @property
    def enterprise(self) -> Record | None:
        """The Enterprise Grid that the team belongs to, as payloads name it."""
        return {"id": self.enterprise_id, "name": self.name} if self.enterprise_id else None

    @property
    def internal_token(self) -> str:
        """The bot's token for the stand-in's own doings: every scope, and refused at the front door."""
        return f"xoxb-internal-{self.team_id}"

    def records(self) -> dict[str, list[Record]]:
        """The rows that emulate's store starts with."""
        team = {"team_id": self.team_id, "name": self.name, "domain": self.domain}
        return {
            "teams": [team],
            "users": [self._user_row(person) for person in self.people],
            "bots": [_bot_row(person) for person in self.people if person.bot_id],
            "channels": [self._channel_row(channel) for channel in self.channels],
        }

    def seed(self) -> Record:
        """emulate's own seed settings: the app, the tokens, signatures, strict scopes."""
        app = self.app
        return {
            "signing_secret": app.signing_secret,
            "strict_scopes": True,
            "oauth_apps": [
                {
                    "client_id": app.client_id,
                    "client_secret": app.client_secret,
                    "app_id": app.id,
                    "name": app.name,
                    "bot_id": app.bot_id,
                    "bot_user_id": app.user_id,
                    "bot_name": app.name,
                    "redirect_uris": list(app.redirect_urls),
                    "scopes": sorted(app.scopes),
                }
            ],
            "tokens": [
                self._token_row(app.bot_token, app.scopes),
                self._token_row(self.internal_token, PERSON_SCOPES | app.scopes),
                *(_person_token_row(person) for person in self.people),
            ],
        }

    def _token_row(self, token: str, scopes: Iterable[str]) -> Record:
        ids = {"app_id": self.app.id, "bot_id": self.app.bot_id, "bot_user_id": self.app.user_id}
        return {"token": token, "type": "bot", "user": self.app.user_id, "scopes": sorted(scopes), **ids}

    def _user_row(self, person: Person) -> Record:
        names = {"real_name": person.real_name or person.name, "email": person.email}
        return {
            "user_id": person.id,
            "team_id": person.team or self.team_id,
            "name": person.name,
            "is_admin": person.is_admin,
            "is_bot": bool(person.bot_id),
            "deleted": person.deleted,
            "profile": {**_blank_profile(person, self.team_id), "display_name": person.name, **names},
            "presence": "active",
            **names,
        }

    def _channel_row(self, channel: Channel) -> Record:
        ids = {person.name: person.id for person in self.people} | {self.app.name: self.app.user_id}
        members = [ids[name] for name in channel.members]
        about = {"value": "", "creator": members[0], "last_set": int(time.time())}
        return {
            "channel_id": channel.id,
            "team_id": self.team_id,
            "name": channel.name,
            "is_channel": not channel.is_private,
            "is_private": channel.is_private,
            "is_archived": False,
            "topic": about,
            "purpose": about,
            "members": members,
            "creator": members[0],
            "num_members": len(members),
        }


def _blank_profile(person: Person, team_id: str) -> Record:
    """The fields of a profile that a person of the stand-in never fills in, and their names in parts."""
    first, _, last = (person.real_name or person.name).partition(" ")
    empty = ("title", "phone", "skype", "status_text", "status_text_canonical", "status_emoji", "avatar_hash")
    images = (f"image_{size}" for size in (24, 32, 48, 72, 192, 512))
    blank: Record = dict.fromkeys((*empty, *images), "")
    return {**blank, "first_name": first, "last_name": last, "team": team_id, "fields": {}}


def _bot_row(person: Person) -> Record:
    return {"bot_id": person.bot_id, "user_id": person.id, "name": person.name, "deleted": False, "icons": {}}


def _person_token_row(person: Person) -> Record:
    return {"token": person.token, "type": "user", "user": person.id, "scopes": sorted(PERSON_SCOPES)}


def _find(people: tuple[Person, ...], name_or_id: str) -> Person:
    for person in people:
        if name_or_id in (person.name, person.id):
            return person
    raise KeyError(f"nobody here is called {name_or_id!r}")
