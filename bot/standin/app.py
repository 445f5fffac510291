"""The installed app as the local Slack knows it: names, secrets, and what its manifest declares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from bot.standin.people import slack_id

BOT_SCOPES = frozenset(
    (
        "app_mentions:read",
        "assistant:write",
        "channels:history",
        "channels:join",
        "channels:read",
        "chat:write",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "im:write",
        "mpim:history",
        "mpim:read",
        "reactions:read",
        "reactions:write",
        "team:read",
        "users:read",
        "users:read.email",
    )
)
BOT_EVENTS = frozenset(
    (
        "agent_session_stopped",
        "agent_session_title_changed",
        "app_context_changed",
        "app_home_opened",
        "app_mention",
        "app_uninstalled",
        "channel_shared",
        "channel_unshared",
        "file_shared",
        "member_joined_channel",
        "member_left_channel",
        "message.channels",
        "message.groups",
        "message.im",
        "message.mpim",
        "reaction_added",
        "reaction_removed",
        "tokens_revoked",
        "user_change",
    )
)


@dataclass(frozen=True)
class App:
    """The installed app: its names and secrets, and what its manifest declares."""

    name: str = "teamlore"
    id: str = "A00TEAMLORE"
    bot_id: str = "B00TEAMLORE"
    client_id: str = "111.222"
    client_secret: str = "client-secret"
    signing_secret: str = "signing-secret"
    verification_token: str = "verification-token"
    bot_token: str = "xoxb-teamlore"
    app_token: str = "xapp-teamlore"
    scopes: frozenset[str] = BOT_SCOPES
    events: frozenset[str] = BOT_EVENTS
    commands: frozenset[str] | None = None
    shortcuts: frozenset[str] | None = None
    rotates: bool = False
    redirect_urls: tuple[str, ...] = ("http://127.0.0.1:3000/slack/oauth_redirect",)

    @property
    def user_id(self) -> str:
        """The bot's user id: what people mention."""
        return slack_id("U", self.name)

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any], **others: Any) -> Self:
        """The app that this manifest installs: no scope, event, command or shortcut beyond it."""
        features = manifest["features"]
        settings = manifest["settings"]
        return cls(
            scopes=frozenset(manifest["oauth_config"]["scopes"]["bot"]),
            events=frozenset(settings["event_subscriptions"]["bot_events"]),
            commands=frozenset(item["command"] for item in features.get("slash_commands", ())),
            shortcuts=frozenset(item["callback_id"] for item in features.get("shortcuts", ())),
            rotates=bool(settings.get("token_rotation_enabled")),
            **others,
        )
