"""Slack's Web API, spoken through the SDK: one call, a deadline, and two kinds of failure."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackRequestError

from retrieval.errors import Permanent, Transient

TIMEOUT_SECONDS = 10
SHORT_WAIT_SECONDS = 5.0
"""A rate limit that ends sooner than this is waited for in place."""
_AGAIN = {"internal_error", "fatal_error", "service_unavailable", "request_timeout", "ratelimited"}


class Refused(Permanent):
    """Slack understood the call and said no; `code` is its error code."""

    def __init__(self, code: str, method: str) -> None:
        super().__init__(f"Slack refused {method}: {code}")
        self.code = code


class Slack(Protocol):
    """Calls a Web API method by its SDK name. Raises Transient, Refused or Permanent."""

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]: ...


@dataclass(frozen=True)
class WebSlack:
    client: WebClient
    sleep: Callable[[float], None] = time.sleep

    def __call__(self, method: str, **arguments: Any) -> dict[str, Any]:
        try:
            return self._once(method, arguments)
        except Transient as error:
            if error.retry_after is None or error.retry_after > SHORT_WAIT_SECONDS:
                raise
            self.sleep(error.retry_after)
        return self._once(method, arguments)

    def _once(self, method: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            response: Any = getattr(self.client, method)(**arguments)
        except SlackApiError as error:
            raise _failure(error, method) from error
        except (URLError, OSError) as error:
            raise Transient(f"Slack does not answer {method}: {type(error).__name__}") from error
        except (SlackRequestError, ValueError) as error:
            raise Permanent(f"Slack's answer to {method} is malformed: {type(error).__name__}") from error
        return dict(response.data)


def open_slack(token: str, api_url: str, team: str = "") -> WebSlack:
    """A client for one workspace."""
    client = WebClient(token, base_url=api_url, timeout=TIMEOUT_SECONDS, team_id=team or None)
    return WebSlack(client)


def _failure(error: SlackApiError, method: str) -> Exception:
    response: Any = error.response
    status = int(getattr(response, "status_code", 0) or 0)
    code = str(response.get("error") or "") if hasattr(response, "get") else ""
    if status == 429 or code == "ratelimited":
        wait = response.headers.get("Retry-After") or response.headers.get("retry-after") or "1"
        return Transient(f"Slack limits {method}", retry_after=float(wait))
    if status >= 500 or code in _AGAIN:
        return Transient(f"Slack failed at {method}: {code or status}")
    return Refused(code or str(status), method)
