"""Asks a declared HTTP API. The host cannot change: no redirects, parameters are checked and encoded."""

import contextlib
import json
import re
from collections.abc import Mapping
from urllib.parse import quote

import httpx

from retrieval.deadline import KEPT_FOR_QUOTING, left
from retrieval.errors import Permanent, Transient
from retrieval.live.config import Api, Secret, reveal

MAX_BYTES = 1_000_000
"""Of a reply; what is longer is refused."""

MAX_CHARACTERS = 4_000
"""Of a reply that reaches a model or a reader."""


def ask_api(api: Api, arguments: Mapping[str, str], secret: Secret) -> str:
    """The reply as text. Raises Permanent on wrong arguments or a refusal, Transient on time-outs and 5xx."""
    url = _fill(api, arguments)
    try:
        with (
            httpx.Client(timeout=left(api.timeout, KEPT_FOR_QUOTING), follow_redirects=False) as client,
            client.stream("GET", url, headers=reveal(api.headers, secret)) as reply,
        ):
            _refuse(api, reply)
            return _readable(_read(api, reply))
    except httpx.HTTPError as error:
        raise Transient(f"{api.name} does not answer") from error


def _fill(api: Api, arguments: Mapping[str, str]) -> str:
    if wrong := arguments.keys() ^ api.parameters.keys():
        raise Permanent(f"{api.name} takes {', '.join(api.parameters) or 'nothing'}, not {', '.join(wrong)}")
    url = api.url
    for name, parameter in api.parameters.items():
        value = str(arguments[name])
        if not re.fullmatch(parameter.pattern, value):
            raise Permanent(f"{api.name}: {name} does not fit")
        url = url.replace("{" + name + "}", quote(value, safe=""))
    return url


def _refuse(api: Api, reply: httpx.Response) -> None:
    if reply.status_code == 429 or reply.status_code >= 500:
        raise Transient(f"{api.name} answered {reply.status_code}")
    if not reply.is_success:
        raise Permanent(f"{api.name} answered {reply.status_code}")


def _read(api: Api, reply: httpx.Response) -> str:
    body = b""
    for piece in reply.iter_bytes():
        body += piece
        if len(body) > MAX_BYTES:
            raise Permanent(f"{api.name} answered more than {MAX_BYTES} bytes")
    return body.decode(reply.encoding or "utf-8", "replace")


def _readable(body: str) -> str:
    with contextlib.suppress(json.JSONDecodeError):
        body = json.dumps(json.loads(body), ensure_ascii=False, indent=1)
    return body if len(body) <= MAX_CHARACTERS else body[:MAX_CHARACTERS] + " …"
