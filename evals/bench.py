"""What the retrieval bench measures: the product's own index and search, in a collection of their own."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evals.datasets import RetrievalSet
from evals.run import Progress, Run, fill, run
from evals.stages import Recorder, record_stages
from retrieval.config import Config, PresetName
from retrieval.ports import Embedder, Reranker, Searcher
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.search.find import Finder
from retrieval.understand.gate import CalibratedGate
from workers.choices import choose_embedder, choose_reranker
from workers.servers import Urls, ensure_servers
from workers.settings import Settings

PREFIX = "Evals"


@dataclass(frozen=True)
class Bench:
    """Everything that a run needs."""

    index: WeaviateIndex
    embedder: Embedder
    reranker: Reranker | None
    recorder: Recorder

    def finder(self, config: Config) -> Searcher:
        """The product's search with these settings."""
        return Finder(self.index, self.embedder, self.reranker, config.retrieval)

    def run(
        self, found: RetrievalSet, preset: PresetName, changes: Mapping[str, str], progress: Progress
    ) -> Run:
        """Fill the index with the set where it is not there yet, and ask all its questions."""
        config = Config.preset(preset, changes)
        team = fill(found, self.index, progress)
        settings = {"preset": preset, "embedder": self.embedder.name, **changes}
        settings["reranker"] = self.reranker.name if self.reranker and config.retrieval.rerank else "none"
        gate = CalibratedGate(self.embedder.name)
        return run(found, team, self.finder(config), gate, self.recorder, settings, progress)


def server_urls(settings: Settings) -> Urls:
    """The configured servers, or embedded ones in the state directory."""
    configured = Urls(
        redis_url=settings.redis_url,
        weaviate_http=settings.weaviate_url,
        weaviate_grpc=settings.weaviate_grpc_url,
        weaviate_api_key=settings.weaviate_api_key.get_secret_value(),
    )
    return configured if settings.weaviate_url else ensure_servers(Path(settings.home), settings.cache)


@contextmanager
def open_bench(settings: Settings) -> Generator[Bench]:
    """A bench on the configured or embedded servers."""
    urls = server_urls(settings)
    client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
    try:
        embedder = choose_embedder(settings)
        index = WeaviateIndex(client, embedder, settings.config.retrieval, prefix=PREFIX)
        yield Bench(index, embedder, choose_reranker(settings, embedder), record_stages())
    finally:
        client.close()
