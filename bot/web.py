"""The web process: `gunicorn bot.web:wsgi`. Importing this connects to Slack; nothing else imports it."""

from redis import RedisError

from bot.app import make_app, open_desk
from bot.http import make_web
from workers.logs import start_logs
from workers.redact import redactor
from workers.settings import load_settings
from workers.telemetry import secrets_of

settings = load_settings()
start_logs(settings.log_level, redactor(secrets_of(settings)))
desk = open_desk(settings)


def ready() -> str:
    """What is missing for taking questions."""
    try:
        desk.redis.ping()  # pyright: ignore[reportUnknownMemberType]
    except RedisError as error:
        return f"Redis: {type(error).__name__}"
    return ""


wsgi = make_web(make_app(settings, desk), ready)
