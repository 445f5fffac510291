"""Which token speaks for a workspace: the configured one, or each workspace's own from OAuth."""

# pyright: reportUnknownMemberType=false
import time
from dataclasses import dataclass
from typing import Any, Protocol

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
_ORGANISATIONS = "organisations"
"""A hash in Redis: workspace to Enterprise Grid organisation."""


class NotInstalled(Permanent):
    """The workspace never installed the app, or has removed it."""


@dataclass(frozen=True)
class Identity:
    """Who we are in a workspace."""

    token: str
    user_id: str = ""
    bot_id: str = ""


class Installations(Protocol):
    """`forget` returns the workspaces that we are no longer installed in."""

    def of(self, team: str, enterprise: str = "") -> Identity: ...
    def forget(self, team: str, enterprise: str = "") -> tuple[str, ...]: ...


@dataclass(frozen=True)
class OneWorkspace:
    """The token of the settings."""

    token: str

    def of(self, team: str, enterprise: str = "") -> Identity:
        return Identity(self.token)

    def forget(self, team: str, enterprise: str = "") -> tuple[str, ...]:
        """No token was stored."""
        return (team,)


@dataclass(frozen=True)
class ManyWorkspaces:
    """Tokens of OAuth installs, those of whole organisations among them, rotated under a lock.

    Which organisation a workspace belongs to is learnt from what Slack sends, for work that starts from here.
    """

    vault: Vault
    redis: Redis
    client_id: str
    client_secret: str
    api_url: str

    def of(self, team: str, enterprise: str = "") -> Identity:
        """Raises Permanent where we are not installed, Transient when a token cannot be renewed now."""
        organisation = self._learn(team, enterprise)
        bot = self._own(team, organisation) or self._of_organisation(organisation)
        if bot is None:
            raise NotInstalled(f"not installed in workspace {team}")
        bot = self._renewed(bot)
        return Identity(bot.bot_token, bot.bot_user_id, bot.bot_id)

    def forget(self, team: str, enterprise: str = "") -> tuple[str, ...]:
        """Delete the tokens of a workspace, or else those of its organisation."""
        organisation = self._learn(team, enterprise)
        own = self._own(team, organisation)
        bot = own or self._of_organisation(organisation)
        if bot is not None:
            where = {"enterprise_id": bot.enterprise_id, "team_id": bot.team_id}
            self.vault.delete_bot(**where)
            self.vault.delete_installation(**where)
        return (team,) if own or bot is None else self._teams_of(organisation)

    def _own(self, team: str, organisation: str) -> Bot | None:
        where = {"enterprise_id": organisation or None, "team_id": team, "is_enterprise_install": False}
        return self.vault.find_bot(**where) if team else None

    def _of_organisation(self, organisation: str) -> Bot | None:
        where = {"enterprise_id": organisation, "team_id": None, "is_enterprise_install": True}
        return self.vault.find_bot(**where) if organisation else None

    def _learn(self, team: str, enterprise: str) -> str:
        """The organisation of a workspace, from what is told now or was told before; empty for none."""
        if team and enterprise:
            self.redis.hset(_ORGANISATIONS, team, enterprise)
        known: Any = None if enterprise or not team else self.redis.hget(_ORGANISATIONS, team)
        return enterprise or (known.decode() if known else "")

    def _teams_of(self, organisation: str) -> tuple[str, ...]:
        known: Any = self.redis.hgetall(_ORGANISATIONS)
        return tuple(team.decode() for team, owner in known.items() if owner.decode() == organisation)

    def _renewed(self, bot: Bot) -> Bot:
        """The bot with a living token; a refresh token works once, so one process renews at a time."""
        if not self._rotator_wants(bot):
            return bot
        team, organisation = bot.team_id or "", bot.enterprise_id or ""
        lock = self.redis.lock(
            f"rotate:{team}:{organisation}", timeout=_LOCK_SECONDS, blocking_timeout=_LOCK_SECONDS
        )
        with lock:
            newest = self._own(team, organisation) or self._of_organisation(organisation)
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
