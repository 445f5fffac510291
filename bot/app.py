"""One Bolt application, from settings, for HTTP and Socket Mode alike."""

import logging
from typing import Any

import structlog
from redis import Redis, RedisError
from slack_bolt import App
from slack_sdk import WebClient

from bot.desk import Desk
from bot.listeners import register
from bot.oauth import oauth
from retrieval.errors import Permanent
from storage.base import open_database
from workers.installations import ManyWorkspaces, open_installations
from workers.queue import CeleryQueue, make_celery
from workers.redis_url import open_redis
from workers.settings import Settings

log = structlog.get_logger()
PATIENCE_SECONDS = 0.8
"""How long a listener waits for Redis or the queue before it fails and lets Slack retry."""
SLACK_SECONDS = 2
"""How long it waits for Slack: a person sees an error after three."""


def make_app(settings: Settings, desk: Desk) -> App:
    """The application with its listeners, for one workspace, or with OAuth for any that installs it.

    Raises slack_bolt.error.BoltError when Slack refuses the token, Permanent when there is none.
    """
    installations = open_installations(settings, desk.database, desk.redis)
    if isinstance(installations, ManyWorkspaces):
        access = oauth(settings, installations, desk.redis)
    else:
        access = {"client": _client(settings)}
    make: Any = App
    app: Any = make(
        **access,
        signing_secret=settings.slack_signing_secret.get_secret_value(),
        # Bolt acknowledges only after the listener ran: a question that could not be queued is a 500,
        # and Slack delivers it again.
        process_before_response=True,
        # Neither is used, and each costs a look at every event.
        attaching_function_token_enabled=False,
        attaching_conversation_kwargs_enabled=False,
        logger=_quiet_logger(),
    )
    app.error(_tell)
    register(app, desk)
    return app


def open_desk(settings: Settings) -> Desk:
    """The desk on the configured servers. Call it after a fork, once a process."""
    return Desk(
        redis=quick_redis(settings),
        queue=CeleryQueue.on(make_celery(settings.redis_url, patience=PATIENCE_SECONDS)),
        database=open_database(settings.sql_url),
        most_waiting=settings.most_waiting,
    )


def quick_redis(settings: Settings) -> Redis:
    """A client that gives up quickly; it connects at its first command."""
    if not settings.redis_url:
        raise Permanent("REDIS_URL is not set; `teamlore up` starts a Redis and sets it")
    return open_redis(settings.redis_url, PATIENCE_SECONDS)


def _client(settings: Settings) -> WebClient:
    token = settings.slack_bot_token.get_secret_value()
    if not token:
        raise Permanent(
            "SLACK_BOT_TOKEN is not set: create the app from bot/manifest.yaml, install it, copy its token"
        )
    return WebClient(token, base_url=settings.slack_api_url, timeout=SLACK_SECONDS)


def _tell(error: Exception) -> None:
    """Say in one line why Slack gets a 500."""
    what = "Redis is away" if isinstance(error, RedisError) else "a listener failed"
    log.error(what, exc_info=error)


def _quiet_logger() -> logging.Logger:
    # Bolt quotes forged bodies and every unhandled event; neither belongs into our logs.
    logger = logging.getLogger("teamlore.bolt")
    logger.setLevel(logging.ERROR)
    return logger
