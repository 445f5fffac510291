"""Installing into any workspace: Slack's OAuth pages by Bolt, tokens in the vault, states in Redis."""

import uuid
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from redis import Redis
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.authorize import Authorize
from slack_bolt.oauth.oauth_settings import OAuthSettings
from slack_sdk import WebClient
from slack_sdk.oauth.state_store import OAuthStateStore

from retrieval.errors import Permanent
from workers.installations import ManyWorkspaces
from workers.settings import Settings

# The scopes of bot/manifest.yaml; a test holds the two equal.
SCOPES = (
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
    "im:write",
    "mpim:history",
    "mpim:read",
    "users:read",
)
STATE_SECONDS = 600


def oauth(settings: Settings, installations: ManyWorkspaces, redis: Redis) -> dict[str, Any]:
    """What Bolt's App needs for OAuth."""
    return {
        "client": WebClient(base_url=settings.slack_api_url, timeout=2),
        "authorize": ByInstallation(installations),
        "oauth_settings": OAuthSettings(
            client_id=installations.client_id,
            client_secret=installations.client_secret,
            scopes=SCOPES,
            redirect_uri=settings.slack_redirect_url or None,
            authorization_url=urljoin(settings.slack_api_url, "/oauth/v2/authorize"),
            installation_store=installations.vault,
            installation_store_bot_only=True,
            state_store=RedisStates(redis),
            state_expiration_seconds=STATE_SECONDS,
        ),
    }


class ByInstallation(Authorize):
    """Finds who we are in the workspace of a request, without asking Slack."""

    def __init__(self, installations: ManyWorkspaces) -> None:
        self._installations = installations

    def __call__(
        self, *, enterprise_id: str | None, team_id: str | None, user_id: str | None, **_: Any
    ) -> AuthorizeResult | None:
        try:
            who = self._installations.of(team_id or "", enterprise_id or "")
        except Permanent:
            return None
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=team_id,
            bot_token=who.token,
            bot_user_id=who.user_id,
            bot_id=who.bot_id,
            user_id=user_id,
        )


@dataclass(frozen=True)
class RedisStates(OAuthStateStore):
    """States of running installations; any web process may finish what another began."""

    redis: Redis

    def issue(self, *args: Any, **kwargs: Any) -> str:
        state = uuid.uuid4().hex
        self.redis.set(f"oauth:{state}", "1", ex=STATE_SECONDS)
        return state

    def consume(self, state: str) -> bool:
        return bool(self.redis.delete(f"oauth:{state}"))
