"""The sources of each tenant: those of `sources.toml`, and those that were added while running."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

from multimodal.describe import ModelDescriber
from multimodal.ocr import choose_ocr
from multimodal.see import Eyes, no_description, see_nothing
from retrieval.errors import Permanent
from retrieval.index.contexts import Contexts
from retrieval.index.counts import Counts
from retrieval.index.estimate import estimate
from retrieval.index.recipe import Recipe, recipe_of
from retrieval.index.reindex import reindex
from retrieval.index.situate import Estimate, Situate
from retrieval.index.sync import Progress, forget_source, sync
from retrieval.ports import See, Source
from retrieval.sources.config import read_sources
from retrieval.sources.open import Surroundings, open_source
from retrieval.sources.spec import FolderSpec, SlackSpec, SourceSpec, read_spec, spec_of_address
from storage.documents import SyncState
from storage.sources import Sources
from workers import note_source
from workers.choices import choose_llm
from workers.settings import Settings, read_secret
from workers.stores import Stores

HOME_TENANT = "home"
"""The tenant of a single workspace, so that the command line and Slack share one knowledge."""

Work = tuple[str, Source, Recipe]
"""A tenant, one of its sources, and how that becomes passages."""


@dataclass(frozen=True)
class Catalog:
    """Names, opens and syncs sources. `sources.toml` belongs to the tenant of this machine."""

    settings: Settings
    stores: Stores
    slack: Callable[[str, SlackSpec], Source] | None = None

    def specs(self, tenant: str) -> dict[str, SourceSpec]:
        """Every source by name. Raises Permanent on a wrong `sources.toml`, with the line."""
        written = read_sources(self.settings.home / "sources.toml") if tenant == HOME_TENANT else ()
        added = self._added.all(tenant)
        found = {name: read_spec({**spec, "name": name}) for name, spec in added.items()}
        return found | {spec.name: spec for spec in written}

    def add(self, tenant: str, address: str, by: str) -> str:
        """Add what a person typed in Slack: a channel or an address. Returns its name; raises Permanent."""
        return self._register(tenant, spec_of_address(address), by)

    def add_folder(self, path: Path, readers: frozenset[str]) -> str:
        """Add a folder or file of this machine; the same path again keeps its name."""
        values = {"kind": "folder", "path": str(path), "readers": sorted(readers), "every": "never"}
        known = self.specs(HOME_TENANT)
        for name, spec in known.items():
            if isinstance(spec, FolderSpec) and spec.path == str(path):
                return self._register(HOME_TENANT, read_spec({**values, "name": name}), "command line")
        name = path.name or "root"
        if name in known:
            name = f"{name}-{sha256(str(path).encode()).hexdigest()[:6]}"
        return self._register(HOME_TENANT, read_spec({**values, "name": name}), "command line")

    def remove(self, tenant: str, name: str) -> None:
        """Remove a source and all that was taken from it. Raises Permanent when it cannot be removed here."""
        if name not in self.specs(tenant):
            raise Permanent(f"there is no source {name!r}")
        if not self._added.remove(tenant, name):
            raise Permanent(f"{name!r} stands in sources.toml; take it out there")
        forget_source(name, tenant, self.stores.shelves, self.stores.ledger)

    def sync(self, tenant: str, name: str, progress: Progress) -> Counts:
        """Make the index equal to a source. Raises Permanent for an unknown one, Transient when it runs."""
        stores, recipe = self.stores, self._recipe(tenant, name)
        source = self._open(tenant, name)
        return sync(source, tenant, stores.shelves, stores.ledger, recipe, progress=progress)

    def reindex(self, progress: Progress) -> Counts:
        """Index everything again and let the index that was filled answer. Raises as `sync` does.

        First it makes room: indexes that were left long ago are deleted.
        """
        stores = self.stores
        stores.attic.sweep(datetime.now(UTC))
        return reindex(
            self._everything(), stores.shelves, stores.ledger, stores.index.promote, progress=progress
        )

    def estimate(self, names: Sequence[str], progress: Progress) -> Estimate:
        """What the model would write for sources of this machine's tenant, without names for all."""
        work = self._everything() if not names else [self._work(HOME_TENANT, name) for name in names]
        return estimate([(source, recipe) for _, source, recipe in work], progress)

    def due(self, now: datetime) -> list[tuple[str, str]]:
        """Tenant and name of each source whose schedule wants a run. Raises Permanent on a wrong file."""
        found: list[tuple[str, str]] = []
        for tenant in sorted({HOME_TENANT, *self._added.teams()}):
            states = {state.source: state for state in self.stores.ledger.states(tenant)}
            for name, spec in self.specs(tenant).items():
                if _wants_run(spec, states.get(name), now):
                    found.append((tenant, name))
        return found

    def _everything(self) -> list[Work]:
        return [
            self._work(tenant, name)
            for tenant in sorted({HOME_TENANT, *self._added.teams()})
            for name in (*self.specs(tenant), note_source.NAME)
        ]

    def _work(self, tenant: str, name: str) -> Work:
        return tenant, self._open(tenant, name), self._recipe(tenant, name)

    def _recipe(self, tenant: str, name: str) -> Recipe:
        spec = self.specs(tenant).get(name)
        return recipe_of(self.stores.embedder, spec.chunking if spec else "auto", self._situate())

    def _situate(self) -> Situate | None:
        llm = choose_llm(self.settings) if self.settings.config.knowledge.situate else None
        return Situate(llm, Contexts(self.settings.home / "contexts.db")) if llm else None

    def _open(self, tenant: str, name: str) -> Source:
        if name == note_source.NAME:
            return note_source.NoteSource(self.stores.database, tenant)
        spec = self.specs(tenant).get(name)
        if spec is None:
            raise Permanent(f"there is no source {name!r}")
        return open_source(spec, self._surroundings(tenant))

    @property
    def _added(self) -> Sources:
        return Sources(self.stores.database)

    def _register(self, tenant: str, spec: SourceSpec, by: str) -> str:
        self._added.add(tenant, spec.name, spec.model_dump(exclude={"name"}, mode="json"), by)
        return spec.name

    def _surroundings(self, tenant: str) -> Surroundings:
        cache = self.settings.home / "sources"
        slack = partial(self.slack, tenant) if self.slack else None
        return Surroundings(cache=cache, secret=read_secret, see=self._see(), slack=slack)

    def _see(self) -> See:
        if not self.settings.config.knowledge.images:
            return see_nothing
        llm = choose_llm(self.settings) if self.settings.config.knowledge.describe else None
        describe = ModelDescriber(llm) if llm else no_description
        readings = Contexts(self.settings.home / "readings.db")
        return Eyes(choose_ocr(), self.stores.objects, readings, describe, llm.name if llm else "")


def _wants_run(spec: SourceSpec, state: SyncState | None, now: datetime) -> bool:
    """Whether the time since the last run began is over; a source that never ran wants its first one."""
    if spec.interval is None or (state is not None and state.running):
        return False
    if state is None or state.started_at is None:
        return True
    begun = state.started_at if state.started_at.tzinfo else state.started_at.replace(tzinfo=UTC)
    return now - begun >= spec.interval
