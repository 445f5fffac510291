"""Fetches Slack's private files with our token, which goes to Slack alone."""

from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

import httpx

from retrieval.errors import Permanent, Transient

MOST_BYTES = 20 * 1024 * 1024
_SECONDS = 15.0
_MOST_REDIRECTS = 3
Fetch = Callable[[str], bytes]
"""The bytes behind a file's private address. Raises Transient, Permanent."""


def fetcher(token: str, client: httpx.Client, slack: str) -> Fetch:
    """Downloads from the host of `slack` (the Web API's address) and from slack.com.

    A file that somebody linked from elsewhere names a foreign host, which must not see our token.
    """
    home = urlsplit(slack).hostname or ""

    def fetch(url: str) -> bytes:
        if not _is_slack(url, home):
            raise Permanent("the file does not lie in Slack")
        for _ in range(_MOST_REDIRECTS + 1):
            answer = _get(client, url, {"Authorization": f"Bearer {token}"} if _is_slack(url, home) else {})
            if not answer.is_redirect:
                return _body(answer)
            url = urljoin(url, answer.headers.get("location", ""))
        raise Permanent("too many redirects")

    return fetch


def _get(client: httpx.Client, url: str, headers: dict[str, str]) -> httpx.Response:
    try:
        return client.get(url, headers=headers, follow_redirects=False, timeout=_SECONDS)
    except httpx.TransportError as error:
        raise Transient(f"a file could not be fetched: {type(error).__name__}") from error


def _body(answer: httpx.Response) -> bytes:
    if answer.status_code >= 500 or answer.status_code == 429:
        raise Transient(f"a file could not be fetched: {answer.status_code}")
    if answer.status_code != 200:
        raise Permanent("Slack did not hand the file out")
    if len(answer.content) > MOST_BYTES:
        raise Permanent("the file is too large")
    return answer.content


def _is_slack(url: str, home: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host == home or host == "slack.com" or host.endswith(".slack.com")
