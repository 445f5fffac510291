"""The servers and stores of a house, connected once a process, after the fork."""

from dataclasses import dataclass

from redis import Redis
from weaviate import WeaviateClient

from multimodal.album import Album
from multimodal.describe import shrink
from multimodal.objects import FsspecObjects
from retrieval.graph.keeper import NameKeeper
from retrieval.graph.summaries import SummaryKeeper
from retrieval.index.shelves import Shelves
from retrieval.ports import Embedder
from retrieval.providers.weaviate_alias import AliasedIndex
from retrieval.providers.weaviate_attic import Attic
from retrieval.providers.weaviate_pictures import PictureVectors
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.search.analyze import know
from retrieval.search.house_words import FILE, read_house_words
from retrieval.tables.shelf import Shelf
from storage.base import Database, open_database
from storage.communities import Communities
from storage.documents import Ledger
from storage.migrate import upgrade
from storage.names import Names
from storage.pictures import Pictures
from storage.retired import Retired
from storage.sheets import Sheets
from workers.choices import choose_embedder, choose_picture_embedder
from workers.redis_url import open_redis
from workers.settings import Settings

REDIS_S = 2.0
"""Deadline of one call to Redis, in seconds."""


@dataclass(frozen=True)
class Stores:
    """Where everything is kept: passages, tables, names, pictures, and what is known of documents."""

    redis: Redis
    weaviate: WeaviateClient
    database: Database
    embedder: Embedder
    index: AliasedIndex
    attic: Attic
    shelf: Shelf
    names: Names
    communities: Communities
    objects: FsspecObjects
    album: Album
    ledger: Ledger

    @property
    def shelves(self) -> Shelves:
        """Where a document goes."""
        summaries = SummaryKeeper(self.communities, self.index)
        return Shelves(self.index, (self.shelf, NameKeeper(self.names), self.album, summaries))

    def close(self) -> None:
        """End the connections."""
        self.weaviate.close()
        self.redis.close()
        self.database.engine.dispose()


def open_stores(settings: Settings) -> Stores:
    """Connect. Raises Transient when a server does not answer, Permanent on a wrong setting."""
    know(read_house_words(settings.home / FILE))
    upgrade(settings.sql_url)
    database = open_database(settings.sql_url)
    embedder = choose_embedder(settings)
    client = connect(
        settings.weaviate_url, settings.weaviate_grpc_url, settings.weaviate_api_key.get_secret_value()
    )
    objects = FsspecObjects(str(settings.home / "objects"))
    attic = Attic(client, Retired(database))
    return Stores(
        redis=open_redis(settings.redis_url, REDIS_S),
        weaviate=client,
        database=database,
        embedder=embedder,
        index=_index(settings, client, embedder, objects, attic),
        attic=attic,
        shelf=Shelf(Sheets(database)),
        names=Names(database),
        communities=Communities(database),
        objects=objects,
        album=Album(Pictures(database), objects),
        ledger=Ledger(database),
    )


def _index(
    settings: Settings, client: WeaviateClient, embedder: Embedder, objects: FsspecObjects, attic: Attic
) -> AliasedIndex:
    config = settings.config.retrieval
    own = WeaviateIndex(client, embedder, config)
    sees = choose_picture_embedder(settings)

    def older(name: str, embedder: str) -> tuple[WeaviateIndex, Embedder]:
        chosen = choose_embedder(settings, embedder)
        return WeaviateIndex(client, chosen, config, name=name), chosen

    pictures = PictureVectors(client, own.name, sees, lambda ref: shrink(objects.get(ref))) if sees else None
    return AliasedIndex(client, own, older, pictures=pictures, attic=attic)
