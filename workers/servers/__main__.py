"""`python -m workers.servers`: what the Makefile needs of the servers, without the product's commands."""

import sys

from retrieval.errors import Permanent
from workers.servers.product import stop
from workers.servers.weaviate_binary import obtain_weaviate
from workers.settings import Settings, load_settings

USAGE = """python -m workers.servers obtain   have Weaviate's binary in the cache, unless WEAVIATE_URL is set
python -m workers.servers stop     end everything that was started for TEAMLORE_HOME"""


def main(arguments: list[str]) -> int:
    """Run one command; returns the exit code."""
    try:
        settings = load_settings()
        match arguments:
            case ["obtain"]:
                _obtain(settings)
            case ["stop"]:
                stop(settings.home)
            case _:
                print(USAGE, file=sys.stderr)
                return 2
    except Permanent as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _obtain(settings: Settings) -> None:
    if settings.weaviate_url:
        print("WEAVIATE_URL is set: no Weaviate of our own is needed", flush=True)
    else:
        obtain_weaviate(settings.cache, lambda line: print(line, flush=True))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
