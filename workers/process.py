"""Puts a worker's bench together from settings and a house."""

from contextlib import ExitStack
from typing import Any

import httpx
from redis import Redis
from slack_sdk.webhook import WebhookClient

from retrieval.errors import Transient
from storage.base import open_database
from workers.bench import Bench, Counter, House, SlackFor
from workers.budget import Budget
from workers.downloads import Fetch, fetcher
from workers.installations import Installations, open_installations
from workers.limits import LimitedSlack, Limits
from workers.logs import start_logs
from workers.metrics import Meter
from workers.progress import Progress
from workers.queue import CeleryQueue, make_celery
from workers.redact import redactor
from workers.redis_url import open_redis
from workers.settings import Settings
from workers.slack import TIMEOUT_SECONDS, Slack, open_slack
from workers.stores import REDIS_S
from workers.telemetry import secrets_of, start_telemetry


def open_bench(settings: Settings, house: House, stack: ExitStack) -> Bench:
    """The bench on a house. Call it after the fork, once a process; it starts logs and traces."""
    start_logs(settings.log_level, redactor(secrets_of(settings)))
    listeners = [Progress(), Meter(settings.metrics_folder)]
    telemetry = start_telemetry(settings, house.database, "answers", listeners)
    stack.callback(telemetry.close)
    installations = open_installations(settings, house.database, house.redis)
    client = stack.enter_context(httpx.Client())

    def fetch(team: str, enterprise: str) -> Fetch:
        return fetcher(installations.of(team, enterprise).token, client, settings.slack_api_url)

    return Bench(
        house=house,
        queue=CeleryQueue.on(make_celery(settings.redis_url)),
        slack=_slack(settings, installations, house.redis),
        fetch=fetch,
        respond=respond,
        budget=Budget.of(settings),
        forget_installation=installations.forget,
    )


def open_counter(settings: Settings, stack: ExitStack) -> Counter:
    """What the clock works with. Call it after the fork; it starts logs."""
    start_logs(settings.log_level, redactor(secrets_of(settings)))
    # An apology that waits for a locked database comes too late.
    database = open_database(settings.sql_url, busy_s=1.0)
    stack.callback(database.engine.dispose)
    redis = stack.enter_context(open_redis(settings.redis_url, REDIS_S))
    installations = open_installations(settings, database, redis)
    return Counter(
        redis=redis,
        database=database,
        queue=CeleryQueue.on(make_celery(settings.redis_url)),
        slack=_slack(settings, installations, redis),
        respond=respond,
    )


def _slack(settings: Settings, installations: Installations, redis: Redis) -> SlackFor:
    def slack(team: str, enterprise: str) -> Slack:
        opened = open_slack(installations.of(team, enterprise).token, settings.slack_api_url, team)
        return LimitedSlack(opened, Limits(redis), team)

    return slack


def respond(url: str, body: dict[str, Any]) -> bool:
    """Post to a response_url; False when Slack takes it no longer. Raises Transient."""
    try:
        answer = WebhookClient(url, timeout=TIMEOUT_SECONDS).send_dict(body)
    except OSError as error:
        raise Transient(f"a response_url does not answer: {type(error).__name__}") from error
    if answer.status_code == 429 or answer.status_code >= 500:
        raise Transient(f"a response_url failed: {answer.status_code}")
    return answer.status_code == 200
