"""Hands events, commands and clicks to the app as Slack does: signed, within 3 s, again when refused."""

import asyncio
import json
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlencode

from aiohttp import ClientError, ClientSession, ClientTimeout
from slack_sdk.signature import SignatureVerifier

from bot.standin.state import Delivery, State
from bot.standin.values import Json

ACK_SECONDS = 3.0
# Slack tries again at once, after about a minute and after about five; here the waits are shorter.
RETRY_DELAYS = (0.05, 1.0, 5.0)


@dataclass(frozen=True)
class Outcome:
    """What became of one attempt. `status` 0 and a `reason` when no answer came."""

    status: int
    reason: str = ""
    body: str = ""
    no_retry: bool = False

    @property
    def accepted(self) -> bool:
        """Whether Slack takes it for acknowledged."""
        return self.status == 200


class Transport(Protocol):
    """A way to the app: HTTP request URL, or Socket Mode."""

    async def send(self, kind: str, payload: Json, attempt: int, reason: str, seconds: float) -> Outcome:
        """Send one `events_api`, `slash_commands` or `interactive` payload; wait `seconds` for its answer."""
        ...


class HttpTransport:
    """Signed POSTs to the app's request URL."""

    def __init__(self, session: ClientSession, url: str, signing_secret: str) -> None:
        """Requests go through `session` to `url`."""
        self._session = session
        self.url = url
        self._secret = signing_secret

    async def send(self, kind: str, payload: Json, attempt: int, reason: str, seconds: float) -> Outcome:
        """One POST; a later attempt carries the X-Slack-Retry headers."""
        body, content_type = _encode(kind, payload)
        headers = {"Content-Type": content_type, **sign(self._secret, body)}
        if attempt:
            headers |= {"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": reason}
        return await self.post(body, headers, seconds)

    async def verify(self, token: str) -> None:
        """Ask the URL to echo a challenge, as Slack does before it accepts a request URL."""
        challenge = uuid.uuid4().hex
        question = {"type": "url_verification", "token": token, "challenge": challenge}
        outcome = await self.send("events_api", question, 0, "", ACK_SECONDS)
        if not outcome.accepted or challenge not in outcome.body:
            raise ConnectionError(f"{self.url} did not answer the challenge: {outcome}")

    async def post(self, body: str, headers: Mapping[str, str], seconds: float) -> Outcome:
        """POST these very bytes and headers, forged or not."""
        try:
            async with self._session.post(
                self.url, data=body.encode(), headers=headers, timeout=ClientTimeout(total=seconds)
            ) as answer:
                no_retry = answer.headers.get("X-Slack-No-Retry") == "1"
                reason = "" if answer.status == 200 else "http_error"
                return Outcome(answer.status, reason, await answer.text(), no_retry)
        except TimeoutError:
            return Outcome(0, "http_timeout")
        except ClientError:
            return Outcome(0, "connection_failed")


class Outbox:
    """Sends to the app over whichever transport it chose, and records every attempt."""

    def __init__(self, state: State, ack_seconds: float, retry_delays: tuple[float, ...]) -> None:
        """Each attempt may take `ack_seconds`; after the n-th refusal waits `retry_delays[n]`."""
        self._state = state
        self._ack_seconds = ack_seconds
        self._retry_delays = retry_delays
        self.transport: Transport | None = None

    async def event(self, envelope: Json, first_attempt: int = 0) -> None:
        """Deliver one event until the app says 200, asks for no retry, or the retries are used up."""
        reason = "http_timeout" if first_attempt else ""
        for attempt in range(first_attempt, len(self._retry_delays) + 1):
            outcome = await self._attempt("events_api", envelope, attempt, reason)
            if outcome.accepted or outcome.no_retry or attempt == len(self._retry_delays):
                return
            reason = outcome.reason
            await asyncio.sleep(self._retry_delays[attempt])

    async def ask(self, kind: str, payload: Json) -> Outcome:
        """Deliver a command or a click, once; nothing of that kind is ever tried again."""
        return await self._attempt(kind, payload, 0, "")

    async def _attempt(self, kind: str, payload: Json, attempt: int, reason: str) -> Outcome:
        started = time.monotonic()
        if self.transport is None:
            return Outcome(0, "connection_failed", no_retry=True)
        outcome = await self.transport.send(kind, payload, attempt, reason, self._ack_seconds)
        name = str(payload.get("event_id") or payload.get("callback_id") or payload.get("command") or "")
        spent = time.monotonic() - started
        self._state.deliveries.append(
            Delivery(kind, name, attempt, outcome.status, spent, outcome.reason, payload, outcome.body)
        )
        self._state.tell()
        return outcome


def sign(secret: str, body: str, timestamp: int | None = None) -> dict[str, str]:
    """Slack's two signature headers for this body, as of `timestamp` (now)."""
    stamp = str(timestamp or int(time.time()))
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=body)
    return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": signature or ""}


def _encode(kind: str, payload: Json) -> tuple[str, str]:
    if kind == "events_api":
        return json.dumps(payload), "application/json"
    form = payload if kind == "slash_commands" else {"payload": json.dumps(payload)}
    return urlencode(form), "application/x-www-form-urlencoded"
