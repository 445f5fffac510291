"""Which token speaks for a workspace: the configured one, or each workspace's own from OAuth."""

import time
from dataclasses import dataclass
from typing import Protocol

from redis import Redis
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.token_rotation import TokenRotator

from retrieval.errors import Permanent, Transient
from storage.base import Database
from workers.settings import Settings
from workers.vault import Vault, open_cipher

ROTATE_BEFORE_MINUTES = 120
_LOCK_SECONDS = 15


@dataclass(frozen=True)
class Identity:
    """Who we are in a workspace."""

    token: str
    user_id: str = ""
    bot_id: str = ""


class Installations(Protocol):
    def of(self, team: str, enterprise: str = "") -> Identity: ...
    def forget(self, team: str, enterprise: str = "") -> None: ...


@dataclass(frozen=True)
class OneWorkspace:
    """The token of the settings."""

    token: str

    def of(self, team: str, enterprise: str = "") -> Identity:
        return Identity(self.token)

    def forget(self, team: str, enterprise: str = "") -> None:
        """Nothing was stored."""


@dataclass(frozen=True)
class ManyWorkspaces:
    """Tokens of OAuth installs, those of whole organisations among them, rotated under a lock."""

    vault: Vault
    redis: Redis
    client_id: str
    client_secret: str
    api_url: str

    def of(self, team: str, enterprise: str = "") -> Identity:
        """Raises Permanent where we are not installed, Transient when a token cannot be renewed now."""
        bot = self._find(team, enterprise)
        if bot is None:
            raise Permanent(f"not installed in workspace {team}")
        bot = self._renewed(bot, team, enterprise)
        return Identity(bot.bot_token, bot.bot_user_id, bot.bot_id)

    def forget(self, team: str, enterprise: str = "") -> None:
        bot = self._find(team, enterprise)
        if bot is not None:
            self.vault.delete_bot(enterprise_id=bot.enterprise_id, team_id=bot.team_id)
            self.vault.delete_installation(enterprise_id=bot.enterprise_id, team_id=bot.team_id)

    def _find(self, team: str, enterprise: str) -> Bot | None:
        own = self.vault.find_bot(enterprise_id=enterprise or None, team_id=team, is_enterprise_install=False)
        if own is not None or not enterprise:
            return own
        return self.vault.find_bot(enterprise_id=enterprise, team_id=None, is_enterprise_install=True)

    def _renewed(self, bot: Bot, team: str, enterprise: str) -> Bot:
        """The bot with a living token; a refresh token works once, so one process renews at a time."""
        if not self._rotator_wants(bot):
            return bot
        lock = self.redis.lock(
            f"rotate:{team}:{enterprise}", timeout=_LOCK_SECONDS, blocking_timeout=_LOCK_SECONDS
        )
        with lock:
            newest = self._find(team, enterprise)
            if newest is None or not self._rotator_wants(newest):
                return newest or bot
            return self._rotate(newest)

    def _rotator_wants(self, bot: Bot) -> bool:
        if bot.bot_token_expires_at is None:
            return False
        return bot.bot_token_expires_at < _now() + ROTATE_BEFORE_MINUTES * 60

    def _rotate(self, bot: Bot) -> Bot:
        client = WebClient(base_url=self.api_url, timeout=10)
        rotator = TokenRotator(client_id=self.client_id, client_secret=self.client_secret, client=client)
        try:
            renewed = rotator.perform_bot_token_rotation(
                bot=bot, minutes_before_expiration=ROTATE_BEFORE_MINUTES
            )
        except (SlackTokenRotationError, SlackApiError, OSError) as error:
            raise Transient(f"Slack did not renew a token: {type(error).__name__}") from error
        if renewed is None:
            return bot
        self.vault.save_bot(renewed)
        return renewed


def open_installations(settings: Settings, database: Database, redis: Redis) -> Installations:
    """By the settings: with a client id every workspace has its own token, else there is one."""
    if not settings.slack_client_id:
        return OneWorkspace(settings.slack_bot_token.get_secret_value())
    cipher = open_cipher(settings.secret_key.get_secret_value(), settings.home)
    return ManyWorkspaces(
        vault=Vault(database.engine, settings.slack_client_id, cipher),
        redis=redis,
        client_id=settings.slack_client_id,
        client_secret=settings.slack_client_secret.get_secret_value(),
        api_url=settings.slack_api_url,
    )


def _now() -> int:
    return int(time.time())
