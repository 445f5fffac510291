"""Slack's signed requests, written by hand, so that a test can forge, repeat and reorder them."""

import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
from slack_sdk.signature import SignatureVerifier


@dataclass(frozen=True)
class Slackside:
    url: str
    secret: str
    team: str

    def event(
        self, event: dict[str, Any], event_id: str = "Ev1", retry: int = 0, **envelope: Any
    ) -> httpx.Response:
        """Deliver one event; `retry` adds Slack's retry headers."""
        body = {
            "type": "event_callback",
            "team_id": self.team,
            "api_app_id": "A00TEAMLORE",
            "event_id": event_id,
            "event_time": int(time.time()),
            "event": event,
            **envelope,
        }
        headers = {"X-Slack-Retry-Num": str(retry), "X-Slack-Retry-Reason": "http_timeout"} if retry else {}
        return self.send(json.dumps(body, ensure_ascii=False), "application/json", headers)

    def form(self, **fields: str) -> httpx.Response:
        """A slash command or (with `payload`) an interaction."""
        return self.send(urlencode(fields), "application/x-www-form-urlencoded", {})

    def send(
        self,
        body: str,
        kind: str = "application/json",
        headers: dict[str, str] | None = None,
        at: float | None = None,
        secret: str = "",
    ) -> httpx.Response:
        """Any body, signed at a time and with a secret of one's choice."""
        return httpx.post(
            f"{self.url}/slack/events",
            content=body.encode(),
            headers={**signed(body, secret or self.secret, kind, at), **(headers or {})},
            timeout=10,
        )


def signed(body: str, secret: str, kind: str = "application/json", at: float | None = None) -> dict[str, str]:
    """The headers by which Slack signs a body."""
    stamp = str(int(at or time.time()))
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body)
    return {
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": str(signature),
        "Content-Type": kind,
    }


def mention(
    text: str, ts: str, channel: str = "C00000ENG", user: str = "U000ALICE", **others: Any
) -> dict[str, Any]:
    """An app_mention event."""
    return message(text, ts, channel, user, type="app_mention", **others)


def message(
    text: str, ts: str, channel: str = "C00000ENG", user: str = "U000ALICE", **others: Any
) -> dict[str, Any]:
    """A message event of a public channel."""
    return {
        "type": "message",
        "channel": channel,
        "channel_type": "channel",
        "user": user,
        "text": text,
        "ts": ts,
        "event_ts": ts,
        **others,
    }
