"""Which sources of a team fade with age, read from the catalog once a minute."""

import threading
import time
from collections.abc import Mapping
from datetime import timedelta

from retrieval.errors import Permanent
from workers.catalog import Catalog

_SECONDS = 60


class HalfLivesOfSources:
    """Asked at every question. A wrong `sources.toml` lets nothing fade; indexing tells of it."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, Mapping[str, timedelta]]] = {}

    def __call__(self, team: str) -> Mapping[str, timedelta]:
        """Half-life by source name, of the sources that have one."""
        with self._lock:
            read_at, kept = self._kept.get(team, (-_SECONDS, {}))
            if time.monotonic() - read_at < _SECONDS:
                return kept
            found = self._read(team)
            self._kept[team] = (time.monotonic(), found)
            return found

    def _read(self, team: str) -> Mapping[str, timedelta]:
        try:
            specs = self._catalog.specs(team)
        except Permanent:
            return {}
        return {name: spec.fading for name, spec in specs.items() if spec.fading}
