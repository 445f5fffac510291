"""Sources are known by name, written or added, and go with all that was taken from them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from multimodal.album import Album
from multimodal.objects import FsspecObjects
from retrieval.errors import Permanent
from retrieval.index.sync import silence
from retrieval.tables.shelf import Shelf
from retrieval.types import Passage
from storage.base import Base, open_database
from storage.communities import Communities
from storage.documents import Ledger
from storage.names import Names
from storage.pictures import Pictures
from storage.sheets import Sheets
from storage.sources import Sources
from tests.standins.openai import OpenAIStandin
from workers.catalog import HOME_TENANT, Catalog
from workers.settings import load_settings
from workers.stores import Stores


class FakeIndex:
    """Holds passages by document."""

    def __init__(self) -> None:
        self.held: dict[str, Sequence[Passage]] = {}

    def replace(self, team: str, document_id: str, passages: Sequence[Passage]) -> None:
        self.held[document_id] = passages

    def forget(self, team: str, document_id: str) -> None:
        self.held.pop(document_id, None)


class FakeAttic:
    """Counts how often it was swept."""

    swept = 0

    def sweep(self, now: datetime) -> list[str]:
        self.swept += 1
        return []


class FakeEmbedder:
    name = "fake:model"
    dimensions = 2

    def embed_queries(self, texts: Sequence[str]) -> Any:
        return np.ones((len(texts), 2), np.float32)

    embed_documents = embed_queries


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    database = open_database(f"sqlite:///{tmp_path}/c.db")
    Base.metadata.create_all(database.engine)
    objects = FsspecObjects(str(tmp_path / "objects"))
    servers: dict[str, Any] = {"redis": None, "weaviate": None, "index": FakeIndex(), "attic": FakeAttic()}
    stores = Stores(
        database=database,
        embedder=FakeEmbedder(),
        shelf=Shelf(Sheets(database)),
        names=Names(database),
        communities=Communities(database),
        objects=objects,
        album=Album(Pictures(database), objects),
        ledger=Ledger(database),
        **servers,
    )
    settings = load_settings({"TEAMLORE_HOME": str(tmp_path), "TEAMLORE_KNOWLEDGE__IMAGES": "false"})
    return Catalog(settings, stores)


def held(catalog: Catalog) -> dict[str, Sequence[Passage]]:
    index: Any = catalog.stores.index
    return index.held


def folder(tmp_path: Path, name: str = "docs") -> Path:
    place = tmp_path / name / "handbook"
    place.mkdir(parents=True)
    (place / "leave.md").write_text("# Leave\n\nYou have 25 days of leave a year.\n")
    return place


def test_a_folder_that_was_indexed_is_known_by_name_and_can_be_synced_again(
    catalog: Catalog, tmp_path: Path
) -> None:
    name = catalog.add_folder(folder(tmp_path), frozenset({"public"}))
    assert catalog.sync(HOME_TENANT, name, silence).documents.added == 1
    assert catalog.sync(HOME_TENANT, name, silence).documents.unchanged == 1
    assert list(catalog.specs(HOME_TENANT)) == ["handbook"]


def test_the_same_path_keeps_its_name_and_another_of_that_name_gets_its_own(
    catalog: Catalog, tmp_path: Path
) -> None:
    first, second = folder(tmp_path, "a"), folder(tmp_path, "b")
    names = [catalog.add_folder(path, frozenset({"public"})) for path in (first, second, first)]
    assert names[0] == names[2] == "handbook"
    assert names[1].startswith("handbook-")


def test_new_readers_of_a_folder_reach_its_passages(catalog: Catalog, tmp_path: Path) -> None:
    path = folder(tmp_path)
    catalog.sync(HOME_TENANT, catalog.add_folder(path, frozenset({"public"})), silence)
    catalog.sync(HOME_TENANT, catalog.add_folder(path, frozenset({"group:hr"})), silence)
    readers = {p.readers for passages in held(catalog).values() for p in passages}
    assert readers == {frozenset({"group:hr"})}


def test_a_removed_source_takes_its_passages_along(catalog: Catalog, tmp_path: Path) -> None:
    name = catalog.add_folder(folder(tmp_path), frozenset({"public"}))
    catalog.sync(HOME_TENANT, name, silence)
    assert held(catalog)
    catalog.remove(HOME_TENANT, name)
    assert held(catalog) == {}
    assert catalog.specs(HOME_TENANT) == {}


def test_what_stands_in_the_file_is_a_source_of_this_machines_tenant_alone(
    catalog: Catalog, tmp_path: Path
) -> None:
    (tmp_path / "sources.toml").write_text(
        f'[[source]]\nname = "wiki"\nkind = "folder"\npath = "{tmp_path}"\n'
    )
    assert list(catalog.specs(HOME_TENANT)) == ["wiki"]
    assert catalog.specs("T2") == {}
    with pytest.raises(Permanent, match=r"sources\.toml"):
        catalog.remove(HOME_TENANT, "wiki")


@pytest.mark.parametrize("address", ["/etc", "file:///etc", "../x", "nonsense"])
def test_nobody_reads_this_machines_disk_from_slack(catalog: Catalog, address: str) -> None:
    with pytest.raises(Permanent, match="no channel, address or path"):
        catalog.add(HOME_TENANT, address, "U1")


def test_an_unknown_source_is_named(catalog: Catalog) -> None:
    with pytest.raises(Permanent, match="no source 'x'"):
        catalog.sync(HOME_TENANT, "x", silence)
    with pytest.raises(Permanent, match="no source 'x'"):
        catalog.remove(HOME_TENANT, "x")


def test_a_model_situates_passages_where_it_is_set_to_and_its_cost_is_told_before(
    catalog: Catalog, tmp_path: Path
) -> None:
    with OpenAIStandin(lambda _: '<context n="1">The leave rules of the team</context>') as server:
        settings = load_settings(
            {
                "TEAMLORE_HOME": str(tmp_path),
                "TEAMLORE_KNOWLEDGE__IMAGES": "false",
                "TEAMLORE_KNOWLEDGE__SITUATE": "true",
                "TEAMLORE_WRITER": "openai:qwen",
                "OPENAI_BASE_URL": server.url,
                "OPENAI_API_KEY": "test-key",
            }
        )
        situating = replace(catalog, settings=settings)
        name = situating.add_folder(folder(tmp_path), frozenset({"public"}))
        assert situating.estimate([name], silence).passages == 1
        assert server.requests == []
        situating.sync(HOME_TENANT, name, silence)
        ((passage,),) = held(situating).values()
        assert passage.context.endswith("The leave rules of the team")
        assert "leave" in passage.text
        assert situating.estimate([name], silence).passages == 0
        assert situating.sync(HOME_TENANT, name, silence).documents.unchanged == 1
        assert len(server.requests) == 1


def test_reindexing_reaches_the_sources_of_every_tenant_before_the_switch(
    catalog: Catalog, tmp_path: Path
) -> None:
    index: Any = catalog.stores.index
    promoted: list[int] = []
    index.promote = lambda: promoted.append(len(index.held))
    catalog.sync(HOME_TENANT, catalog.add_folder(folder(tmp_path), frozenset({"public"})), silence)
    spec = {"kind": "folder", "path": str(folder(tmp_path, "theirs"))}
    Sources(catalog.stores.database).add("T2", "theirs", spec, "U1")
    assert catalog.reindex(silence).documents.added == 1
    assert promoted == [2]
    attic: Any = catalog.stores.attic
    assert attic.swept == 1  # room was made first


def test_a_source_is_due_when_the_time_since_its_last_run_is_over(catalog: Catalog, tmp_path: Path) -> None:
    place = folder(tmp_path)
    (tmp_path / "sources.toml").write_text(
        f'[[source]]\nname = "hourly"\nkind = "folder"\npath = "{place}"\nevery = "1h"\n'
        f'[[source]]\nname = "never"\nkind = "folder"\npath = "{place}"\nevery = "never"\n'
    )
    now = datetime.now(UTC)
    assert catalog.due(now) == [(HOME_TENANT, "hourly")]
    catalog.sync(HOME_TENANT, "hourly", silence)
    assert catalog.due(now + timedelta(minutes=59)) == []
    assert catalog.due(now + timedelta(minutes=61)) == [(HOME_TENANT, "hourly")]
