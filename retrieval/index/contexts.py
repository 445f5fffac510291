"""Texts that were costly to make, by what they were made for: one small SQLite file, shared by processes."""

import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

_LOOKUP = 500


@dataclass(frozen=True)
class Contexts:
    """Opened for each call, so that it outlives forks and threads; a call costs less than a millisecond."""

    path: Path

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None

    def __getitem__(self, key: str) -> str:
        return self.get(key) or ""

    def __setitem__(self, key: str, text: str) -> None:
        self.put({key: text})

    def get(self, key: str) -> str | None:
        """The text kept under `key`."""
        with self._open() as held:
            row = held.execute("select text from contexts where key = ?", (key,)).fetchone()
        return row[0] if row else None

    def known(self, keys: Iterable[str]) -> set[str]:
        """Those of `keys` under which there is something."""
        wanted, found = list(keys), set[str]()
        with self._open() as held:
            for start in range(0, len(wanted), _LOOKUP):
                some = wanted[start : start + _LOOKUP]
                marks = ",".join("?" * len(some))
                found.update(
                    row[0] for row in held.execute(f"select key from contexts where key in ({marks})", some)
                )
        return found

    def put(self, texts: Mapping[str, str]) -> None:
        """Keep texts under their keys."""
        with self._open() as held, held:
            held.executemany("insert or replace into contexts values (?, ?)", texts.items())

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(self.path, timeout=30)) as held:
            held.execute("create table if not exists contexts (key text primary key, text text not null)")
            yield held
