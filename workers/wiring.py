"""The composition root: the one place that builds. Call it after the fork, once a process."""

from dataclasses import dataclass
from pathlib import Path

from redis import Redis
from weaviate import WeaviateClient

from multimodal.objects import FsspecObjects
from multimodal.ocr import choose_ocr
from retrieval.index.counts import Counts
from retrieval.index.recipe import Recipe, plain_recipe
from retrieval.index.sync import Progress, Shelves, silence, sync
from retrieval.pipeline import Parts
from retrieval.ports import Embedder, ObjectStore
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.sources.build import Traits
from retrieval.sources.folder import FolderSource
from retrieval.tables.shelf import Shelf
from retrieval.types import PUBLIC
from storage.base import Database, open_database
from storage.documents import Ledger
from storage.migrate import upgrade
from storage.sheets import Sheets
from workers.choices import choose_embedder
from workers.parts import make_parts
from workers.settings import Settings

HOME_TENANT = "home"
"""The tenant of a single workspace, so that the command line and Slack share one knowledge."""

_REDIS_S = 2.0
"""Deadline of one call to Redis, in seconds."""


@dataclass(frozen=True)
class House:
    """What wiring built: the pipeline's parts, the servers they use, and the knowledge."""

    settings: Settings
    redis: Redis
    weaviate: WeaviateClient
    database: Database
    embedder: Embedder
    index: WeaviateIndex
    shelf: Shelf
    objects: ObjectStore
    ledger: Ledger
    recipe: Recipe
    parts: Parts

    def tenant(self, team_id: str) -> str:
        """The knowledge of a Slack workspace: its own with OAuth installs, else the one that there is."""
        return team_id if self.settings.slack_client_id else HOME_TENANT

    def index_folder(
        self, path: Path, readers: frozenset[str] = frozenset({PUBLIC}), progress: Progress = silence
    ) -> Counts:
        """Make the knowledge of this machine's workspace equal to a folder or file."""
        source = FolderSource(
            path.name, path, traits=Traits(readers=readers), ocr=choose_ocr(), objects=self.objects
        )
        shelves = Shelves(self.index, (self.shelf,))
        return sync(source, HOME_TENANT, shelves, self.ledger, self.recipe, progress=progress)

    def __enter__(self) -> "House":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connections."""
        self.weaviate.close()
        self.redis.close()
        self.database.engine.dispose()


def open_house(settings: Settings) -> House:
    """Connect and build. Raises Transient when a server does not answer, Permanent on a wrong setting."""
    upgrade(settings.sql_url)
    database = open_database(settings.sql_url)
    redis = open_redis(settings.redis_url)
    client = connect(
        settings.weaviate_url, settings.weaviate_grpc_url, settings.weaviate_api_key.get_secret_value()
    )
    embedder = choose_embedder(settings)
    index = WeaviateIndex(client, embedder, settings.config.retrieval)
    shelf = Shelf(Sheets(database))
    return House(
        settings=settings,
        redis=redis,
        weaviate=client,
        database=database,
        embedder=embedder,
        index=index,
        shelf=shelf,
        objects=FsspecObjects(str(settings.home / "objects")),
        ledger=Ledger(database),
        recipe=plain_recipe(embedder.name),
        parts=make_parts(settings, redis, embedder, index, shelf),
    )


def open_redis(url: str) -> Redis:
    """A client with a deadline on every call and no retries of its own."""
    client: Redis = Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
        url, socket_timeout=_REDIS_S, socket_connect_timeout=_REDIS_S
    )
    return client
