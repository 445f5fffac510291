"""The weekly digest: unanswered questions and feedback, to the channel that administrators chose."""

from datetime import timedelta

import structlog

from retrieval.errors import Permanent, Transient
from workers.bench import Bench
from workers.blocks import section
from workers.home import gather_week
from workers.home_view import week_text
from workers.permissions import Directory
from workers.words import say

_WEEK = timedelta(days=7)
log = structlog.get_logger()


def send_digests(bench: Bench) -> None:
    """Post every workspace's digest, once a week. Raises Transient when some could not be sent now."""
    failed: list[Transient] = []
    for team, channel in bench.choices.digests():
        claim = f"digest:{team}:{bench.now():%G-%V}"
        if not bench.redis.set(claim, "sent", nx=True, ex=_WEEK):
            continue
        try:
            _send(bench, team, channel)
        except Transient as error:
            bench.redis.delete(claim)
            failed.append(error)
        except Permanent as error:
            log.error("digest not sent", team=team, exc_info=error)
    if failed:
        raise failed[0]


def _send(bench: Bench, team: str, channel: str) -> None:
    language = bench.choices.of_channel(team, channel).language or "en"
    slack = bench.slack(team, "")
    directory = Directory(slack, bench.redis, team)
    text = week_text(gather_week(bench, directory, bench.now() - _WEEK), language)
    blocks = [section(f"*{say('digest_title', language)}*"), section(text)]
    title = say("digest_title", language)
    slack("chat_postMessage", channel=channel, text=title, blocks=blocks, unfurl_links=False)
