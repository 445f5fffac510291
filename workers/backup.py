"""A backup in one file: every table, the passages of every workspace, pictures, and the home's own settings.

Passages are kept as text: their vectors come back from the cache on disk, or are made anew by the embedder of
the house that is restored into, which may be another one.
"""

import json
import tarfile
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import TypeAdapter

from retrieval.errors import Permanent
from retrieval.types import Passage
from storage.dump import dump, is_empty, load, tables_of
from storage.migrate import schema_name
from workers.wiring import House

FILES = ("sources.toml", "live.toml", "routes.tsv", "secret.key")
"""Of the home, beside the pictures in `objects`."""
_PASSAGE = TypeAdapter(Passage)
_BATCH = 200


def back_up(house: House, target: Path) -> dict[str, int]:
    """Write `target` (.tar.gz); what it holds. Readers and writers may go on meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        counts = _write_all(house, Path(folder))
        with tarfile.open(target, "w:gz") as archive:
            archive.add(folder, ".")
            for name in (*FILES, "objects"):
                if (place := house.settings.home / name).exists():
                    archive.add(place, f"home/{name}")
    target.chmod(0o600)
    return counts


def restore(house: House, source: Path) -> dict[str, int]:
    """Put a backup into an empty house; what was put there. Raises Permanent where it cannot be."""
    if not is_empty(house.database):
        raise Permanent("there is something in this house already; restore into an empty TEAMLORE_HOME")
    with tempfile.TemporaryDirectory() as folder:
        _unpack(source, Path(folder))
        about = json.loads((Path(folder) / "about.json").read_text())
        if about["schema"] != schema_name():
            raise Permanent(f"the backup is of another version (schema {about['schema']}); use that version")
        return _read_all(house, Path(folder))


def _write_all(house: House, folder: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    for table in tables_of(house.database):
        counts[table.name] = _write(folder / "tables" / f"{table.name}.jsonl", dump(house.database, table))
    for team in house.stores.ledger.teams():
        lines = (json.dumps(asdict(p), default=_plain) for p in house.stores.index.everything(team))
        counts[f"passages of {team}"] = _write(folder / "passages" / f"{team}.jsonl", lines)
    (folder / "about.json").write_text(json.dumps({"schema": schema_name(), "counts": counts}))
    return {name: count for name, count in counts.items() if count}


def _read_all(house: House, folder: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    tables = {table.name: table for table in tables_of(house.database)}
    for file in sorted((folder / "tables").glob("*.jsonl")):
        with file.open() as lines:
            counts[file.stem] = load(house.database, tables[file.stem], lines)
    for file in sorted((folder / "passages").glob("*.jsonl")):
        with file.open() as lines:
            counts[f"passages of {file.stem}"] = _add(house, file.stem, lines)
    return {name: count for name, count in counts.items() if count}


def _add(house: House, team: str, lines: Iterable[str]) -> int:
    batch: list[Passage] = []
    count = 0
    for line in lines:
        batch.append(_PASSAGE.validate_json(line))
        count += 1
        if len(batch) == _BATCH:
            house.stores.index.add(team, batch)
            batch = []
    if batch:
        house.stores.index.add(team, batch)
    return count


def _unpack(source: Path, folder: Path) -> None:
    """Nothing of an archive lands outside of the folder, whatever its names say."""
    try:
        with tarfile.open(source) as archive:
            archive.extractall(folder, members=[one for one in archive if _harmless(one)])
    except (tarfile.TarError, OSError) as error:
        raise Permanent(f"{source} is no backup: {type(error).__name__}") from error


def _harmless(member: tarfile.TarInfo) -> bool:
    """Whether it is a plain file or folder below the archive's own (`filter="data"` is not in 3.11.2)."""
    path = PurePosixPath(member.name)
    return (member.isfile() or member.isdir()) and not path.is_absolute() and ".." not in path.parts


def restore_home(home: Path, source: Path) -> None:
    """Put the home's own files and pictures back, before anything else opens it. Raises Permanent."""
    with tempfile.TemporaryDirectory() as folder:
        _unpack(source, Path(folder))
        kept = Path(folder) / "home"
        for place in sorted(kept.rglob("*")) if kept.exists() else ():
            target = home / place.relative_to(kept)
            if place.is_dir():
                target.mkdir(parents=True, exist_ok=True)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(place.read_bytes())
                target.chmod(place.stat().st_mode & 0o777)


def _write(path: Path, lines: Iterable[str]) -> int:
    path.parent.mkdir(exist_ok=True)
    count = 0
    with path.open("w") as file:
        for line in lines:
            file.write(line + "\n")
            count += 1
    return count


def _plain(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, frozenset) else value.isoformat()  # pyright: ignore[reportUnknownArgumentType]
