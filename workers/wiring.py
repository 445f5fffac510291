"""The composition root: the one place that builds. Call it after the fork, once a process."""

from dataclasses import dataclass
from pathlib import Path

from redis import Redis

from multimodal.ocr import choose_ocr
from multimodal.see import Eyes
from retrieval.index.counts import Counts
from retrieval.index.recipe import plain_recipe
from retrieval.index.sync import Progress, silence, sync
from retrieval.pipeline import Parts
from retrieval.ports import ObjectStore
from retrieval.sources.build import Traits
from retrieval.sources.folder import FolderSource
from retrieval.types import PUBLIC
from storage.base import Database
from workers.parts import make_parts
from workers.settings import Settings
from workers.stores import Stores, open_stores

HOME_TENANT = "home"
"""The tenant of a single workspace, so that the command line and Slack share one knowledge."""


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

    def index_folder(
        self, path: Path, readers: frozenset[str] = frozenset({PUBLIC}), progress: Progress = silence
    ) -> Counts:
        """Make the knowledge of this machine's workspace equal to a folder or file."""
        stores = self.stores
        see = Eyes(choose_ocr(), stores.objects, {})
        source = FolderSource(path.name, path, traits=Traits(readers=readers), see=see)
        recipe = plain_recipe(stores.embedder.name)
        return sync(source, HOME_TENANT, stores.shelves, stores.ledger, recipe, progress=progress)

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
