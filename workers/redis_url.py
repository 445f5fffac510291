"""Redis by its address: a server, one with TLS, or a set of servers whose master the sentinels tell.

`redis://host:6379/0`, `rediss://host:6379/0`, `unix:///path`, and `sentinel://one:26379,two:26379/NAME/0`, of
which NAME is what the sentinels call the set. `?ssl_ca_certs=/path` names the authority of a certificate; on
a set with sentinels any `ssl_…` turns TLS on, for the sentinels too.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from redis import Redis, Sentinel

_CHECKED = "ssl_cert_reqs"
_SENTINEL_PORT = 26379


@dataclass(frozen=True)
class _Set:
    """A set of servers with sentinels."""

    sentinels: tuple[tuple[str, int], ...]
    name: str
    database: int
    login: dict[str, str]
    tls: dict[str, str]


def check_address(url: str) -> str:
    """The address itself. Raises ValueError saying what is wrong with it."""
    if url and urlsplit(url).scheme not in ("redis", "rediss", "unix", "sentinel"):
        raise ValueError("must begin with redis://, rediss:// (TLS), unix:// or sentinel://")
    if url.startswith("sentinel:"):
        _parse(url)
    return url


def open_redis(url: str, seconds: float) -> Redis:
    """A client that waits `seconds` for a call and does not try again; it connects at its first command."""
    patience: Any = {"socket_timeout": seconds, "socket_connect_timeout": seconds}
    if not url.startswith("sentinel:"):
        client: Any = Redis
        return client.from_url(_with_tls(url), **patience)
    found = _parse(url)
    tls: Any = {"ssl": True, **found.tls} if found.tls else {}
    sentinel: Any = Sentinel(found.sentinels, sentinel_kwargs={**patience, **tls}, **patience)
    return sentinel.master_for(found.name, db=found.database, **found.login, **tls)


def broker_of(url: str) -> tuple[str, dict[str, Any]]:
    """The address as Celery wants it, and the transport options that go with it."""
    if not url.startswith("sentinel:"):
        return _with_tls(url), {}
    found = _parse(url)
    login = (
        f"{quote(found.login.get('username', ''))}:{quote(found.login['password'])}@" if found.login else ""
    )
    query = f"?{urlencode(found.tls)}" if found.tls else ""
    each = [f"sentinel://{login}{host}:{port}/{found.database}{query}" for host, port in found.sentinels]
    options: dict[str, Any] = {"master_name": found.name}
    if found.tls:
        options["sentinel_kwargs"] = {"ssl": True, **found.tls}
    return ";".join(each), options


def _with_tls(url: str) -> str:
    """Say that the certificate is checked: Celery speaks without TLS where the address does not."""
    if not url.startswith("rediss:") or _CHECKED in url:
        return url
    return f"{url}{'&' if urlsplit(url).query else '?'}{_CHECKED}=required"


def _parse(url: str) -> _Set:
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    name, _, database = parts.path.strip("/").partition("/")
    if not name or not hosts:
        raise ValueError(
            "sentinel:// wants hosts and the set's name: sentinel://one:26379,two:26379/mymaster/0"
        )
    query = {key: value for key, value in parse_qsl(parts.query) if key.startswith("ssl_")}
    return _Set(
        tuple(_host(host) for host in hosts.split(",")),
        name,
        int(database or 0),
        _login(login),
        {_CHECKED: "required", **query} if query else {},
    )


def _host(text: str) -> tuple[str, int]:
    host, _, port = text.partition(":")
    return host, int(port or _SENTINEL_PORT)


def _login(text: str) -> dict[str, str]:
    if not text:
        return {}
    user, _, password = text.partition(":")
    named = {"username": unquote(user)} if user else {}
    return {**named, "password": unquote(password)}
