"""Puts a worker's bench together from settings and a house."""

from storage.answers import Answers
from workers.bench import Bench, House
from workers.inbox import Inbox
from workers.logs import start_logs
from workers.queue import CeleryQueue, make_celery
from workers.redact import redactor
from workers.settings import Settings
from workers.slack import open_slack
from workers.telemetry import secrets_of


def open_bench(settings: Settings, house: House) -> Bench:
    """The bench on a house. Call it after the fork, once a process; it starts the process's logs."""
    start_logs(settings.log_level, redactor(secrets_of(settings)))
    return Bench(
        house=house,
        inbox=Inbox(house.redis),
        answers=Answers(house.database),
        queue=CeleryQueue.on(make_celery(settings.redis_url)),
        slack=lambda team, _: open_slack(
            settings.slack_bot_token.get_secret_value(), settings.slack_api_url, team
        ),
    )
