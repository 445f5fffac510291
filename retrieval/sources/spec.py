"""What a source is, in words that a person writes in sources.toml or that the database keeps."""

import re
from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from retrieval.errors import Permanent
from retrieval.index.strategies import Strategy
from retrieval.sources.build import Traits
from retrieval.types import PUBLIC, Language

_REMOTE = {"s3", "gs", "gcs", "az", "abfs", "abfss", "sftp", "ftp", "hdfs", "dropbox", "gdrive"}
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_READER = re.compile(r"public|(channel|user|group):\S+")


class Spec(BaseModel):
    """What all kinds of sources have. Secrets are written as `$NAME`, the name of a variable."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[\w .#@-]{1,100}$", description="unique; documents are named after it")
    readers: tuple[str, ...] = Field((PUBLIC,), min_length=1, description="who may read it")
    every: str = Field("6h", pattern=r"^\d+[mhd]$|^never$", description="schedule: 30m, 6h, 1d, or never")
    product_line: str = ""
    language: Language | None = None
    base_url: str = Field("", description="goes before a document's path to make its address")
    exclude: tuple[str, ...] = Field((), description="patterns of paths that are left out")
    half_life: str = Field(
        "", pattern=r"^([1-9]\d*d)?$", description="passages fade with age: 90d; empty: never"
    )
    chunking: Strategy = Field("auto", description="auto, structure, fixed, semantic, parent-child, symbol")

    @field_validator("readers")
    @classmethod
    def _known_readers(cls, readers: tuple[str, ...]) -> tuple[str, ...]:
        for reader in readers:
            if not _READER.fullmatch(reader):
                raise ValueError(f"{reader!r} is no reader: public, channel:C…, user:U… or group:NAME")
        return readers

    @property
    def traits(self) -> Traits:
        return Traits(frozenset(self.readers), self.product_line, self.language, self.base_url)

    @property
    def fading(self) -> timedelta | None:
        """The age at which a passage has lost half of what it can lose; `None` for never."""
        return timedelta(days=int(self.half_life[:-1])) if self.half_life else None

    @property
    def interval(self) -> timedelta | None:
        """The time between two runs; `None` for never."""
        if self.every == "never":
            return None
        return timedelta(**{_UNITS[self.every[-1]]: int(self.every[:-1])})


class FolderSpec(Spec):
    kind: Literal["folder"] = "folder"
    path: str


class GitSpec(Spec):
    kind: Literal["git"] = "git"
    url: str = Field(description="anything that `git clone` takes")
    branch: str = ""
    under: str = Field("", description="only files below this folder")
    token: str = Field("", pattern=r"^(\$\w+)?$", description="$NAME of a variable with an access token")


class UrlSpec(Spec):
    kind: Literal["url"] = "url"
    url: str = Field(pattern=r"^\w+://", description="any fsspec address: s3://bucket/docs, sftp://…")
    options: dict[str, Any] = Field(
        default_factory=dict[str, Any], description="of fsspec; $NAME for secrets"
    )


class WebSpec(Spec):
    kind: Literal["web"] = "web"
    url: str = Field(pattern=r"^https?://", description="a page, or a sitemap.xml")
    depth: int = Field(2, ge=0, le=10, description="links followed below the page's own folder")
    pages: int = Field(500, ge=1, le=50_000, description="most pages")
    allow_private: bool = Field(False, description="let it reach addresses of the inner network")


class SlackSpec(Spec):
    kind: Literal["slack"] = "slack"
    channel: str = Field(pattern=r"^[CG]\w+$", description="a channel's id; its members are its readers")


class ReaderSpec(Spec):
    """Any LlamaHub reader, such as `llama_index.readers.confluence:ConfluenceReader`."""

    kind: Literal["llamahub"] = "llamahub"
    reader: str = Field(pattern=r"^[\w.]+:\w+$")
    options: dict[str, Any] = Field(
        default_factory=dict[str, Any], description="of the class; $NAME for secrets"
    )
    load: dict[str, Any] = Field(default_factory=dict[str, Any], description="of its load_data")


SourceSpec = Annotated[
    FolderSpec | GitSpec | UrlSpec | WebSpec | SlackSpec | ReaderSpec, Field(discriminator="kind")
]
_ADAPTER: TypeAdapter[SourceSpec] = TypeAdapter(SourceSpec)


def read_spec(values: dict[str, Any]) -> SourceSpec:
    """A specification from plain values. Raises Permanent naming the key that is wrong."""
    try:
        return _ADAPTER.validate_python(values)
    except ValidationError as error:
        raise Permanent(explain(error)) from error


def explain(error: ValidationError) -> str:
    """The first complaint: the key and what is wrong with it."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:] or first["loc"])
    if first["type"] == "union_tag_invalid" or first["type"] == "union_tag_not_found":
        return "kind: must be one of folder, git, url, web, slack, llamahub"
    return f"{place}: {first['msg'].removeprefix('Value error, ')}" if place else first["msg"]


def spec_of_address(address: str, name: str = "", *, local: bool = False) -> SourceSpec:
    """What a person typed, as a source: a web page, a repository, `s3://…`, Slack's `<#C123|eng>`, or a path.

    Paths and `file://` are taken only with `local`: who may type into Slack may not read this machine's disk.
    Raises Permanent when it is none of these.
    """
    address = (
        address.strip().strip("<>").partition("|")[0] if address.startswith("<http") else address.strip()
    )
    channel = re.fullmatch(r"<#([CG]\w+)(?:\|([^>]*))?>", address)
    if channel:
        readers = [f"channel:{channel[1]}"]
        called = name or f"#{channel[2] or channel[1]}"
        return read_spec({"kind": "slack", "name": called, "channel": channel[1], "readers": readers})
    if re.match(r"https?://", address) and not address.endswith(".git"):
        return read_spec({"kind": "web", "name": name or _named_after(address), "url": address})
    if address.endswith(".git") or address.startswith("git@"):
        return read_spec({"kind": "git", "name": name or _named_after(address), "url": address})
    scheme = re.match(r"(\w+)://", address)
    if scheme and (local or scheme[1] in _REMOTE):
        return read_spec({"kind": "url", "name": name or _named_after(address), "url": address})
    if local and not scheme:
        return read_spec({"kind": "folder", "name": name or _named_after(address), "path": address})
    raise Permanent(f"{address!r} is no channel, address or path")


def _named_after(address: str) -> str:
    """The last words of an address, made a name."""
    words = re.sub(r"^\w+://(www\.)?|\.git$", "", address).strip("/")
    return re.sub(r"[^\w .@-]+", "-", "-".join(words.split("/")[-2:]))[-80:].strip("-. ") or "source"
