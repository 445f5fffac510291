"""`live.toml`: the APIs and MCP servers that may be asked; secrets only by reference (`$NAME`)."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from retrieval.errors import Permanent

Secret = Callable[[str], str | None]
"""The value of a reference's name, or None."""

_PLACE = re.compile(r"\{(\w+)\}")


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Parameter(Strict):
    """A part of the address that the question gives. `pattern` is what a value must look like, whole."""

    description: str = ""
    pattern: str = Field(r"[\w.-]{1,64}", max_length=500)

    @model_validator(mode="after")
    def _compiles(self) -> Self:
        re.compile(self.pattern)
        return self


class Api(Strict):
    """An HTTP API that is read by GET. The host is fixed; parameters fill only the path and the query."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,40}$")
    description: str = Field(min_length=8)
    url: str
    timeout: float = Field(5, gt=0, le=30)
    headers: dict[str, str] = {}
    parameters: dict[str, Parameter] = {}

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or _PLACE.search(parts.netloc):
            raise ValueError("url must be http(s) with a fixed host")
        if missing := set(_PLACE.findall(self.url)) ^ self.parameters.keys():
            raise ValueError(f"url and parameters disagree on {', '.join(sorted(missing))}")
        return self


class McpServer(Strict):
    """An MCP server over streamable HTTP; only the tools named here are called."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,40}$")
    url: str = Field(pattern=r"^https?://")
    tools: tuple[str, ...] = Field(min_length=1)
    timeout: float = Field(10, gt=0, le=60)
    headers: dict[str, str] = {}


class LiveConfig(Strict):
    """Everything that may be asked."""

    api: tuple[Api, ...] = ()
    mcp: tuple[McpServer, ...] = ()


def read_live(path: Path) -> LiveConfig:
    """The configuration at `path`; nothing may be asked without a file. Raises Permanent, naming why."""
    if not path.exists():
        return LiveConfig()
    try:
        return LiveConfig.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise Permanent(f"{path.name}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise Permanent(f"{path.name}: {place}: {first['msg']}") from error


def reveal(headers: dict[str, str], secret: Secret) -> dict[str, str]:
    """Headers with their references replaced, as in `Bearer $TOKEN`. Raises Permanent on a missing one."""
    return {
        name: re.sub(r"\$(\w+)", lambda found: _value(found[1], secret), value)
        for name, value in headers.items()
    }


def _value(name: str, secret: Secret) -> str:
    value = secret(name)
    if not value:
        raise Permanent(f"the secret {name} is not set")
    return value
