"""One request of Slack, as listeners get it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.desk import Desk
from bot.parse import Payload, enterprise_of, part, team_of
from workers.errands import Errand
from workers.slack import Slack


@dataclass(frozen=True)
class Heard:
    """`me` is our user id, `my_bot` our bot id. `slack` makes the few calls that cannot wait."""

    body: Payload
    me: str
    my_bot: str
    slack: Slack

    @property
    def event(self) -> Payload:
        return part(self.body, "event")

    @property
    def team(self) -> str:
        return team_of(self.body)

    @property
    def user(self) -> str:
        """Who clicked, typed or submitted."""
        return str(self.body.get("user_id") or part(self.body, "user").get("id") or "")

    @property
    def channel(self) -> str:
        """Where it was clicked or typed."""
        return str(self.body.get("channel_id") or part(self.body, "channel").get("id") or "")

    def errand(self, kind: str, **args: str) -> Errand:
        """Something for a worker to do, on behalf of who clicked or typed."""
        return Errand(
            kind=kind,
            team=self.team,
            enterprise=enterprise_of(self.body),
            user=self.user,
            channel=self.channel,
            response_url=str(self.body.get("response_url") or ""),
            args=args,
        )


Hear = Callable[[Desk, Heard], dict[str, Any] | None]
"""Returns what the acknowledgement says, if anything."""
