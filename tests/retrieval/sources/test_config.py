"""sources.toml is refused with the line of what is wrong."""

from datetime import timedelta
from pathlib import Path

import pytest

from retrieval.errors import Permanent
from retrieval.sources.config import read_sources
from retrieval.sources.open import Surroundings, open_source
from retrieval.sources.spec import UrlSpec, read_spec, spec_of_address

GOOD = """
[[source]]
name = "handbook"
kind = "folder"
path = "/srv/handbook"
readers = ["public", "channel:C1"]
every = "30m"

[[source]]
name = "pump"
kind = "git"
url = "https://git.example.com/pump.git"
token = "$PUMP_TOKEN"
product_line = "Pump"
language = "zh"
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "sources.toml"
    path.write_text(text, "utf-8")
    return path


def test_what_is_written_is_read(tmp_path: Path) -> None:
    handbook, pump = read_sources(write(tmp_path, GOOD))
    assert handbook.traits.readers == {"public", "channel:C1"}
    assert handbook.interval == timedelta(minutes=30)
    assert (pump.product_line, pump.language, pump.interval) == ("Pump", "zh", timedelta(hours=6))


def test_no_file_means_no_sources(tmp_path: Path) -> None:
    assert read_sources(tmp_path / "sources.toml") == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('every = "30m"', 'every = "soon"', r"sources\.toml:7: every: "),
        (
            'readers = ["public", "channel:C1"]',
            'readers = ["everybody"]',
            r":6: readers: 'everybody'",
        ),
        ('kind = "git"', 'kind = "svn"', r":11: kind: must be one of folder, git"),
        ('path = "/srv/handbook"', "", r":2: path: Field required"),
        ('language = "zh"', 'langauge = "zh"', r":15: langauge: Extra inputs"),
        ('token = "$PUMP_TOKEN"', 'token = "ghp_secret"', r":13: token: "),
        ('name = "pump"', 'name = "handbook"', r":10: name: there are two sources 'handbook'"),
        ('name = "pump"', "name = pump", r":10: "),
        ("[[source]]", "[[sources]]", r":\d+: sources: only \[\[source\]\]"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(Permanent, match=message):
        read_sources(write(tmp_path, GOOD.replace(old, new)))


@pytest.mark.parametrize(
    ("address", "kind", "name"),
    [
        ("<#C0123ABC|eng>", "slack", "#eng"),
        ("https://wiki.example.com/docs/", "web", "wiki.example.com-docs"),
        ("<https://wiki.example.com|wiki>", "web", "wiki.example.com"),
        ("https://git.example.com/team/pump.git", "git", "team-pump"),
        ("s3://bucket/docs", "url", "bucket-docs"),
    ],
)
def test_an_address_as_people_type_it_becomes_a_source(address: str, kind: str, name: str) -> None:
    spec = spec_of_address(address)
    assert (spec.kind, spec.name) == (kind, name)


@pytest.mark.parametrize(
    "address", ["/etc", "file:///etc/passwd", "../up", "local://x", "memory://x", "hello"]
)
def test_people_in_slack_cannot_name_this_machines_files(address: str) -> None:
    with pytest.raises(Permanent):
        spec_of_address(address)


def test_the_command_line_may_name_a_path() -> None:
    assert spec_of_address("docs/handbook", local=True).kind == "folder"


def test_a_channel_is_read_by_its_members_only() -> None:
    assert spec_of_address("<#C0123ABC|eng>").readers == ("channel:C0123ABC",)


def test_secrets_are_named_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    spec = read_spec(
        {
            "kind": "url",
            "name": "s",
            "url": "memory://docs",
            "options": {"key": "$KEY", "deep": {"x": "$KEY"}},
        }
    )
    assert isinstance(spec, UrlSpec)
    with pytest.raises(Permanent, match="KEY is not set"):
        open_source(spec, Surroundings(tmp_path, {}.get))
    assert open_source(spec, Surroundings(tmp_path, {"KEY": "v"}.get)).name == "s"
