"""The worker: `celery -A workers.app worker -Q answers`. Nothing else imports this."""

from contextlib import ExitStack

from retrieval.ports import Embedder
from workers.bench import Bench
from workers.process import open_bench
from workers.queue import make_celery
from workers.settings import load_settings
from workers.tasks import register
from workers.wiring import open_house

settings = load_settings()


def bench(stack: ExitStack) -> Bench:
    """The bench of this process."""
    house = stack.enter_context(open_house(settings))
    opened = open_bench(settings, house, stack)
    _warm_up(house.stores.embedder)
    return opened


def _warm_up(embedder: Embedder) -> None:
    """Load a local model now, rather than in the time of the first question."""
    if embedder.name.startswith("local:"):
        embedder.embed_queries(["ready"])


app = make_celery(settings.redis_url)
register(app, bench)
