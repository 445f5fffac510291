"""From a specification to the source that it describes."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from retrieval.errors import Permanent
from retrieval.index.parse import Limits
from retrieval.ports import See, Source
from retrieval.sources.bytes import FileReader
from retrieval.sources.folder import FolderSource
from retrieval.sources.git import GitSource
from retrieval.sources.llamahub import ReaderSource
from retrieval.sources.spec import FolderSpec, GitSpec, ReaderSpec, SlackSpec, SourceSpec, UrlSpec, WebSpec
from retrieval.sources.url import UrlSource
from retrieval.sources.web import WebSource


@dataclass(frozen=True)
class Surroundings:
    """What sources need of the house. `secret` gives the value of a variable, or None.

    `slack` opens the source of a channel, since only the workers know Slack.
    """

    cache: Path
    secret: Callable[[str], str | None]
    see: See | None = None
    limits: Limits = field(default_factory=Limits)
    slack: Callable[[SlackSpec], Source] | None = None


def open_source(spec: SourceSpec, around: Surroundings) -> Source:
    """Nothing is read yet. Raises Permanent when a secret is missing or the kind cannot be had here."""
    files = FileReader(spec.name, spec.traits, around.limits, around.see, spec.exclude)
    match spec:
        case FolderSpec():
            return FolderSource.of(files, Path(spec.path))
        case GitSpec():
            token = _secret(spec.token, around)
            return GitSource(files, spec.url, around.cache, branch=spec.branch, under=spec.under, token=token)
        case UrlSpec():
            return UrlSource(files, spec.url, options=_filled(spec.options, around))
        case WebSpec():
            private = spec.allow_private
            return WebSource(files, spec.url, depth=spec.depth, most=spec.pages, allow_private=private)
        case ReaderSpec():
            options, load = _filled(spec.options, around), _filled(spec.load, around)
            return ReaderSource(spec.name, spec.reader, options=options, load=load, traits=spec.traits)
        case SlackSpec():
            if around.slack is None:
                raise Permanent(f"{spec.name}: Slack's channels can be indexed only where Slack is connected")
            return around.slack(spec)


def _filled(options: Mapping[str, Any], around: Surroundings) -> dict[str, Any]:
    """Options with `$NAME` replaced by the variable's value, in tables within tables too."""
    return {
        key: _filled(value, around) if isinstance(value, Mapping) else _value(value, around)  # pyright: ignore[reportUnknownArgumentType]
        for key, value in options.items()
    }


def _value(value: Any, around: Surroundings) -> Any:
    return _secret(value, around) if isinstance(value, str) else value


def _secret(text: str, around: Surroundings) -> str:
    if not re.fullmatch(r"\$\w+", text):
        return text
    found = around.secret(text[1:])
    if not found:
        raise Permanent(f"the variable {text[1:]} is not set")
    return found
