"""The composition root: the one place that builds. Call it after the fork, once a process."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from redis import Redis

from retrieval.graph.build import build_summaries
from retrieval.graph.summaries import WrittenSummary, quote_summary
from retrieval.index.counts import Counts
from retrieval.index.recipe import plain_recipe
from retrieval.index.sync import Progress, silence
from retrieval.pipeline import Parts
from retrieval.ports import ObjectStore
from retrieval.providers.local_pair import first_view
from retrieval.providers.weaviate_schema import collection_name
from retrieval.providers.weaviate_unreached import unreached
from retrieval.search.attached import with_attached
from retrieval.types import PUBLIC, Passage
from storage.base import Database
from workers.catalog import HOME_TENANT, Catalog
from workers.channel_source import Channels
from workers.choices import choose_llm
from workers.forgetting import forget_knowledge
from workers.installations import open_installations
from workers.limits import LimitedSlack, Limits
from workers.overviews import note_change, summarise_changed
from workers.parts import make_parts
from workers.settings import Settings
from workers.slack import open_slack
from workers.stores import Stores, open_stores


@dataclass(frozen=True)
class House:
    """What wiring built: the stores, and the pipeline's parts on them."""

    settings: Settings
    stores: Stores
    parts: Parts

    @property
    def redis(self) -> Redis:
        return self.stores.redis

    @property
    def database(self) -> Database:
        return self.stores.database

    @property
    def objects(self) -> ObjectStore:
        return self.stores.objects

    def tenant(self, team_id: str) -> str:
        """The knowledge of a Slack workspace: its own with OAuth installs, else the one that there is."""
        return team_id if self.settings.slack_client_id else HOME_TENANT

    def reading(self, passages: Sequence[Passage]) -> Parts:
        """The parts for one question that comes with files, whose passages are read with it."""
        return with_attached(self.parts, passages, first_view(self.stores.embedder))

    @property
    def catalog(self) -> Catalog:
        installations = open_installations(self.settings, self.database, self.redis)

        def slack(tenant: str) -> LimitedSlack:
            team = "" if tenant == HOME_TENANT else tenant
            opened = open_slack(installations.of(tenant).token, self.settings.slack_api_url, team)
            return LimitedSlack(opened, Limits(self.redis), tenant)

        return Catalog(self.settings, self.stores, Channels(slack, self.database, self.redis).open)

    def sources(self, team: str) -> list[str]:
        """Names of a tenant's sources."""
        return list(self.catalog.specs(team))

    def topics(self, team: str) -> list[str]:
        """Titles of documents that every full member may read, those indexed last first."""
        specs = self.catalog.specs(team).items()
        # A channel's readers are its members, whatever its specification says.
        everybodys = [name for name, spec in specs if spec.kind != "slack" and PUBLIC in spec.readers]
        return self.stores.ledger.titles(team, everybodys)

    def add_source(self, team: str, address: str, by: str) -> str:
        """Add a channel or an address; its name. Raises Permanent with the reason."""
        return self.catalog.add(team, address, by)

    def remove_source(self, team: str, name: str) -> None:
        """Remove a source and what was taken from it. Raises Permanent with the reason."""
        self.catalog.remove(team, name)

    def forget(self, team: str) -> None:
        """Delete all knowledge of a tenant. Raises Transient."""
        forget_knowledge(self.stores, team)

    def due(self, now: datetime) -> list[tuple[str, str]]:
        """Tenant and name of each source whose schedule wants a run. Raises Permanent."""
        return self.catalog.due(now)

    def sync(self, team: str, source: str, progress: Progress = silence) -> Counts:
        """Make the index equal to a source. Raises Permanent for an unknown one, Transient when it runs."""
        counts = self.catalog.sync(team, source, progress)
        note_change(self.redis, team)
        return counts

    def summarise(self, team: str) -> int:
        """Make the summaries of a tenant's communities equal to its knowledge; how many there are."""
        stores, llm = self.stores, choose_llm(self.settings)
        return build_summaries(
            team,
            stores.index.everything(team),
            stores.names,
            stores.communities,
            stores.index,
            plain_recipe(stores.embedder.name).passages,
            WrittenSummary(llm) if llm else quote_summary,
        )

    def refresh_overviews(self) -> int:
        """Summarise anew the tenants whose knowledge changed, when overviews are on; how many there were."""
        on = self.settings.config.knowledge.overviews
        return summarise_changed(self.redis, self.summarise) if on else 0

    def reopen_unreached(self) -> list[tuple[str, str]]:
        """Tenant and source of documents no longer found by vector, which the next run writes anew."""
        stores = self.stores
        dimensions = stores.embedder.dimensions
        name = collection_name(stores.embedder.name, dimensions)
        lost = {team: unreached(stores.weaviate, name, team, dimensions) for team in stores.ledger.teams()}
        return [(team, one) for team, ids in lost.items() if ids for one in stores.ledger.reopen(team, ids)]

    def tidy(self, now: datetime) -> list[str]:
        """Delete indexes that were left and not used for a day; their names. Raises Transient."""
        return self.stores.attic.sweep(now)

    def index_folder(
        self, path: Path, readers: frozenset[str] = frozenset({PUBLIC}), progress: Progress = silence
    ) -> Counts:
        """Make the knowledge of this machine's workspace equal to a folder or file, and remember it."""
        return self.sync(HOME_TENANT, self.catalog.add_folder(path, readers), progress)

    def __enter__(self) -> "House":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connections."""
        self.stores.close()


def open_house(settings: Settings) -> House:
    """Connect and build. Raises Transient when a server does not answer, Permanent on a wrong setting."""
    stores = open_stores(settings)
    return House(settings, stores, make_parts(settings, stores))
