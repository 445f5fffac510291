"""The weekly digest: unanswered questions and feedback, to the channel that administrators chose."""

from datetime import timedelta

import structlog

from retrieval.errors import Permanent
from workers.bench import Bench
from workers.blocks import notice, section
from workers.home import gather_week
from workers.home_view import week_text
from workers.words import say

log = structlog.get_logger()


def send_digests(bench: Bench) -> None:
    """Post every workspace's digest. Raises Transient."""
    for team, channel in bench.choices.digests():
        language = bench.choices.of_channel(team, channel).language or "en"
        text = week_text(gather_week(bench, team, bench.now() - timedelta(days=7)), language)
        blocks = [section(f"*{say('digest_title', language)}*"), section(text)]
        words = notice(say("digest_title", language)).text
        try:
            bench.slack(team, "")("chat_postMessage", channel=channel, text=words, blocks=blocks)
        except Permanent as error:
            log.error("digest not sent", team=team, exc_info=error)
