"""The worker: `celery -A workers.app worker -Q answers`. Nothing else imports this."""

from contextlib import ExitStack

from workers.bench import Bench
from workers.process import open_bench
from workers.queue import make_celery
from workers.settings import load_settings
from workers.tasks import register
from workers.wiring import open_house

settings = load_settings()


def bench(stack: ExitStack) -> Bench:
    """The bench of this process."""
    return open_bench(settings, stack.enter_context(open_house(settings)), stack)


app = make_celery(settings.redis_url)
register(app, bench)
