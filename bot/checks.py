"""Checks of what is set up wrongly although everything runs: it would be found out on the worst day only."""

import shutil
import socket
import time
from collections.abc import Iterable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from bot.finding import Finding
from retrieval.errors import Permanent, Transient
from workers.settings import Settings

_DISK_BYTES = 1 << 30
_FULL = 0.9
_SKEW_S = 60
_PATIENCE_S = 5
_OLDEST_WEAVIATE = (1, 27)


def check_redis_keeps(client: Any) -> Iterable[Finding]:
    """Questions wait in Redis: it must neither drop nor forget them, and have room."""
    memory, kept = client.info("memory"), client.info("persistence")
    most = int(memory.get("maxmemory") or 0)
    if memory.get("maxmemory_policy") != "noeviction" and most:
        yield Finding(
            "Redis memory",
            "wrong",
            f"drops keys when it is full ({memory['maxmemory_policy']})",
            "set maxmemory-policy noeviction",
        )
    if most and int(memory["used_memory"]) > _FULL * most:
        yield Finding("Redis memory", "wrong", "nearly full", "raise maxmemory")
    if not kept.get("aof_enabled"):
        yield Finding(
            "Redis persistence", "note", "a crash forgets the questions that wait", "set appendonly yes"
        )


def check_grpc(settings: Settings) -> Iterable[Finding]:
    """Searches go to another port than the one that `WEAVIATE_URL` names."""
    if not settings.weaviate_url:
        return
    named = urlsplit(f"//{settings.weaviate_grpc_url.rpartition('//')[2]}")
    host = named.hostname or urlsplit(settings.weaviate_url).hostname or "localhost"
    port = named.port or 50051
    try:
        socket.create_connection((host, port), _PATIENCE_S).close()
    except OSError as error:
        told = f"no answer at {host}:{port} ({type(error).__name__})"
        yield Finding("Weaviate gRPC", "wrong", told, "open that port, or correct WEAVIATE_GRPC_URL")


def is_too_old(version: str) -> bool:
    """Whether a Weaviate is older than what the client speaks to."""
    return tuple(int(part) for part in version.split(".")[:2]) < _OLDEST_WEAVIATE


def check_names(settings: Settings) -> Iterable[Finding]:
    """Models are named `provider:model`, and the provider is one of ours."""
    known = {"WRITER": {"openai"}, "RERANKER": {"cohere", "local"}, "EMBEDDER": {"local", "openai", "cohere"}}
    plain = {"auto", "quote", "none"}
    for name, providers in known.items():
        chosen: str = getattr(settings, name.lower())
        provider, colon, model = chosen.partition(":")
        if chosen not in plain and (provider not in providers or not colon or not model):
            there = ", ".join(sorted(providers))
            yield Finding(
                f"TEAMLORE_{name}", "wrong", f"{chosen!r} names no model", f"provider:model of {there}"
            )
    needs = {"openai": settings.openai_api_key, "cohere": settings.cohere_api_key}
    for name in known:
        provider = str(getattr(settings, name.lower())).partition(":")[0]
        if provider in needs and not needs[provider].get_secret_value():
            if provider == "openai" and settings.openai_base_url:
                continue
            wanted = f"{provider.upper()}_API_KEY"
            yield Finding(f"TEAMLORE_{name}", "wrong", f"{provider} needs a key", f"set {wanted}")


def check_files(settings: Settings) -> Iterable[Finding]:
    """The files that people write in the home."""
    from retrieval.live.config import read_live
    from retrieval.sources.config import read_sources
    from workers.vault import open_cipher

    readers = {
        "sources.toml": lambda: read_sources(settings.home / "sources.toml"),
        "live.toml": lambda: read_live(settings.home / "live.toml"),
        "secret key": lambda: open_cipher(settings.secret_key.get_secret_value(), settings.home),
    }
    for name, read in readers.items():
        if name.endswith(".toml") and not (settings.home / name).exists():
            continue
        if name == "secret key" and not settings.secret_key.get_secret_value():
            continue
        try:
            read()
        except (Permanent, Transient, ValueError) as error:
            yield Finding(name, "wrong", str(error)[:200], f"correct {name}")


def check_disk(settings: Settings) -> Iterable[Finding]:
    """A full disk makes Weaviate refuse every write."""
    place = next(path for path in (settings.home, *settings.home.parents) if path.exists())
    if not place.is_dir():
        yield Finding("home", "wrong", f"{place} is no folder", "set TEAMLORE_HOME to a folder")
    elif (free := shutil.disk_usage(place).free) < _DISK_BYTES:
        yield Finding("disk", "wrong", f"{free >> 20} MB are free", "make room, or move TEAMLORE_HOME")


def check_tokens(settings: Settings) -> Iterable[Finding]:
    """Slack has several kinds of token, which are easily mistaken for each other."""
    for field, prefix in (("slack_bot_token", "xoxb-"), ("slack_app_token", "xapp-")):
        value = getattr(settings, field).get_secret_value()
        if value and not value.startswith(prefix):
            told = f"does not begin with {prefix}"
            yield Finding(field.upper(), "wrong", told, f"copy the token that begins with {prefix}")
    if settings.slack_client_id and not settings.slack_client_secret.get_secret_value():
        yield Finding("SLACK_CLIENT_SECRET", "wrong", "missing beside SLACK_CLIENT_ID", "copy it as well")
    if settings.slack_client_id and not settings.slack_signing_secret.get_secret_value():
        yield Finding("SLACK_SIGNING_SECRET", "wrong", "missing beside SLACK_CLIENT_ID", "copy it as well")


def check_clock(headers: Mapping[str, str]) -> Iterable[Finding]:
    """A clock that is off makes every request of Slack look forged."""
    told = {name.lower(): value for name, value in headers.items()}.get("date")
    off = abs(parsedate_to_datetime(told).timestamp() - time.time()) if told else 0.0
    if off > _SKEW_S:
        yield Finding("clock", "wrong", f"{off:.0f} s off Slack's", "set it by NTP: requests look forged")


def check_model(service: str, offered: Any, wanted: str) -> Iterable[Finding]:
    """A server offers the model that is named."""
    names = {str(model.get("id") or model.get("name")) for model in offered or ()}
    if names and wanted and wanted not in names:
        yield Finding(service, "wrong", f"does not offer {wanted}", "name one that it offers")
