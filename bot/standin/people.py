"""Who and what is in the local Slack: the people and the channels, as frozen data."""

import hashlib
from dataclasses import dataclass


def slack_id(prefix: str, name: str) -> str:
    """An id of Slack's form for `name`: readable for ASCII names, else a digest; always the same."""
    plain = name.upper().replace("-", "")
    if not (plain.isascii() and plain.isalnum()):
        plain = hashlib.sha256(name.encode()).hexdigest()[:8].upper()
    return prefix + plain.rjust(8, "0")


@dataclass(frozen=True)
class Person:
    """Someone who posts. `bot_id` makes another team's bot of them; `team` an outsider by Slack Connect."""

    name: str
    real_name: str = ""
    locale: str = "en-US"
    is_admin: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    is_stranger: bool = False
    deleted: bool = False
    team: str = ""
    bot_id: str = ""

    @property
    def id(self) -> str:
        """The user id, as events carry it."""
        return slack_id("U", self.name)

    @property
    def token(self) -> str:
        """The person's own token, by which the stand-in acts as them."""
        return f"xoxp-{self.name}"

    @property
    def email(self) -> str:
        """An address that `users.lookupByEmail` finds."""
        return f"{self.name}@example.com"

    @property
    def mention(self) -> str:
        """How a message names this person."""
        return f"<@{self.id}>"


@dataclass(frozen=True)
class Channel:
    """A channel and who is in it, by name; "teamlore" is the app's own bot."""

    name: str
    members: tuple[str, ...] = ()
    is_private: bool = False
    is_ext_shared: bool = False

    @property
    def id(self) -> str:
        """The channel id, as events carry it."""
        return slack_id("C", self.name)


PEOPLE = (
    Person("alice", "Alice Archer", is_admin=True),
    Person("bob", "Bob Baker"),
    Person("gina", "Gina Guest", is_restricted=True),
    Person("chenwei", "陈伟", locale="zh-CN"),
    Person("eve", "Eve of Partner Inc", is_stranger=True, team="T0PARTNER"),
    Person("deploybot", "Deploy Bot", bot_id="B0DEPLOYBOT"),
)
CHANNELS = (
    Channel("general", ("teamlore", "alice", "bob", "gina", "chenwei", "deploybot")),
    Channel("eng", ("teamlore", "alice", "bob", "chenwei")),
    Channel("人事", ("teamlore", "alice", "chenwei")),
    Channel("secret", ("teamlore", "alice"), is_private=True),
    Channel("partners", ("teamlore", "alice", "eve"), is_ext_shared=True),
    Channel("random", ("alice", "bob")),
)
