"""Makes the index equal to a source: what is new is added, what changed replaced, what went removed.

Before anything is written the ledger says so, and after it the ledger says what is there. A run that dies in
between is made good by the next one, which does again whatever it finds half done.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from operator import add
from time import monotonic

from retrieval.index.counts import Counts, Failure, Tally
from retrieval.index.lease import lease
from retrieval.index.recipe import Recipe
from retrieval.index.shelves import Shelves
from retrieval.index.take import Outcome, take
from retrieval.ports import Listing, Source
from retrieval.types import Document
from storage.documents import Entry, Ledger

Progress = Callable[[int, int, str], None]
"""Receives documents done, documents in all, and the name of the last one."""

_LEASE_SECONDS = 60.0
_BEAT_SECONDS = 5.0
_MOST_ATTEMPTS = 3


def silence(done: int, total: int, what: str) -> None:
    """Watch nothing."""


def sync(
    source: Source,
    team: str,
    shelves: Shelves,
    ledger: Ledger,
    recipe: Recipe,
    *,
    progress: Progress = silence,
    workers: int = 8,
) -> Counts:
    """One run. Documents that cannot be read are parked with their reason and the rest goes on.

    Raises Transient when the source is being synced already, and whatever the source's listing or the index
    raises; nothing is removed then, and the next run goes on where this one stopped.
    """
    with lease(source.name, team, ledger) as beat:
        run = _Run(source, team, shelves, ledger, recipe)
        ledger.report(
            team, source.name, started_at=datetime.now(UTC), finished_at=None, error="", done=0, total=0
        )
        try:
            counts = run.all(_watched(progress, run, beat), workers)
        except Exception as error:
            ledger.report(team, source.name, finished_at=datetime.now(UTC), error=str(error))
            raise
        ledger.report(team, source.name, finished_at=datetime.now(UTC), counts=counts.as_json())
        return counts


def forget_source(name: str, team: str, shelves: Shelves, ledger: Ledger) -> int:
    """Remove all documents of a source that no longer exists; returns how many."""
    with lease(name, team, ledger):
        entries = ledger.entries(team, name)
        for entry in entries.values():
            _forget(entry, team, shelves, ledger)
        return len(entries)


def _forget(entry: Entry, team: str, shelves: Shelves, ledger: Ledger) -> None:
    """Noted before it is done: what a dead run left half forgotten is read again, should it come back."""
    ledger.begin(team, entry)
    shelves.forget(team, entry.id)
    ledger.drop(team, entry.id)


@dataclass(frozen=True)
class _Run:
    source: Source
    team: str
    shelves: Shelves
    ledger: Ledger
    recipe: Recipe

    def all(self, progress: Progress, workers: int) -> Counts:
        known = self.ledger.entries(self.team, self.source.name)
        listed = {listing.id: listing for listing in self.source.listings()}
        # What went comes first: an answer from a removed document must not outlive it by a whole run.
        counts = [self._remove(entry) for id, entry in known.items() if id not in listed]
        todo: list[tuple[Listing, Entry | None]] = []
        for id, listing in listed.items():
            entry = known.get(id)
            settled = self._settled(listing, entry)
            if settled is None:
                todo.append((listing, entry))
            else:
                counts.append(settled)
        counts += self._work(todo, len(listed), progress, workers)
        return reduce(add, counts, Counts())

    def _settled(self, listing: Listing, entry: Entry | None) -> Counts | None:
        """The counts of a document with which nothing is to be done; `None` when there is."""
        if entry is None or entry.version != listing.version or entry.recipe != self.recipe.name:
            return None
        if entry.state == "indexed":
            return Counts(Tally(unchanged=1), Tally(unchanged=entry.passage_count))
        if entry.state == "failed":
            return Counts(failed=(Failure(entry.id, entry.title, entry.reason),))
        if entry.attempts >= _MOST_ATTEMPTS:
            self.shelves.forget(self.team, entry.id)
            return self._park(listing, entry, f"the worker ended {entry.attempts} times while reading it")
        return None

    def _work(
        self, todo: Sequence[tuple[Listing, Entry | None]], total: int, progress: Progress, workers: int
    ) -> Iterator[Counts]:
        """Read, cut and write several documents side by side; the ledger is written by this thread alone."""
        done, queue = total - len(todo), iter(todo)
        progress(done, total, "")
        with ThreadPoolExecutor(workers, thread_name_prefix="sync") as pool:
            running: dict[Future[Outcome], tuple[Listing, Entry]] = {}
            try:
                while self._fill(running, queue, pool, 2 * workers):
                    finished, _ = wait(running, _BEAT_SECONDS, FIRST_COMPLETED)
                    progress(done, total, "")
                    for future in finished:
                        listing, entry = running[future]
                        yield self._record(future.result(), listing, entry)
                        del running[future]
                        done += 1
                        progress(done, total, listing.title or listing.id)
            except Exception:
                pool.shutdown(cancel_futures=True)
                self.ledger.release(self.team, [listing.id for listing, _ in running.values()])
                raise

    def _fill(
        self,
        running: dict[Future[Outcome], tuple[Listing, Entry]],
        queue: Iterator[tuple[Listing, Entry | None]],
        pool: ThreadPoolExecutor,
        most: int,
    ) -> bool:
        """Start documents up to `most`; false when none is left running."""
        while len(running) < most and (following := next(queue, None)) is not None:
            listing, known = following
            again = known is not None and known.version == listing.version and known.state == "writing"
            begun = Entry(
                listing.id,
                self.source.name,
                "writing",
                listing.version,
                self.recipe.name,
                attempts=known.attempts + 1 if known is not None and again else 1,
            )
            self.ledger.begin(self.team, begun)
            entry = known or begun
            running[pool.submit(self._take, listing, known)] = (listing, entry)
        return bool(running)

    def _take(self, listing: Listing, known: Entry | None) -> Outcome:
        return take(self.source, listing, known, self.team, self.shelves, self.recipe)

    def _record(self, outcome: Outcome, listing: Listing, entry: Entry) -> Counts:
        if outcome.document is None and not outcome.transient:
            return self._park(listing, entry, outcome.reason)
        if outcome.document is None:
            return self._keep(listing, entry, outcome.reason)
        if outcome.unchanged:
            self.ledger.touch(self.team, entry, listing.version)
            return Counts(Tally(unchanged=1), Tally(unchanged=entry.passage_count))
        return self._settle(outcome.document, outcome.passages, listing, entry)

    def _settle(
        self, document: Document, passages: Mapping[str, str], listing: Listing, entry: Entry
    ) -> Counts:
        before = self.ledger.passages(self.team, listing.id)
        settled = Entry(
            listing.id,
            self.source.name,
            "indexed",
            listing.version,
            self.recipe.name,
            document.version,
            document.title,
            document.url,
            notes=document.notes,
            passage_count=len(passages),
        )
        self.ledger.settle(self.team, settled, passages)
        new = not entry.fingerprint
        return Counts(
            Tally(added=int(new), changed=int(not new)),
            Tally.between(before, passages),
            notes={listing.id: document.notes} if document.notes else {},
        )

    def _park(self, listing: Listing, entry: Entry, reason: str) -> Counts:
        """Nothing of the document is in the index, and it is not tried again until it changes."""
        before = self.ledger.passages(self.team, listing.id)
        title = entry.title or listing.title
        parked = Entry(
            listing.id,
            self.source.name,
            "failed",
            listing.version,
            self.recipe.name,
            title=title,
            reason=reason,
        )
        self.ledger.settle(self.team, parked, {})
        return Counts(passages=Tally(removed=len(before)), failed=(Failure(listing.id, title, reason),))

    def _keep(self, listing: Listing, entry: Entry, reason: str) -> Counts:
        """The source did not answer: what was indexed before stays, and the next run tries again."""
        if entry.state == "indexed":
            self.ledger.touch(self.team, entry, entry.version)
        else:
            self.ledger.release(self.team, [listing.id])
        failure = Failure(listing.id, entry.title or listing.title, reason, transient=True)
        return Counts(passages=Tally(unchanged=entry.passage_count), failed=(failure,))

    def _remove(self, entry: Entry) -> Counts:
        before = self.ledger.passages(self.team, entry.id)
        _forget(entry, self.team, self.shelves, self.ledger)
        removed = int(entry.state != "failed")
        return Counts(Tally(removed=removed), Tally(removed=len(before)))


def _watched(progress: Progress, run: _Run, beat: Callable[[], None]) -> Progress:
    """Passes progress on, and every few seconds prolongs the lock and tells the ledger how far the run is."""
    last = -_BEAT_SECONDS

    def watch(done: int, total: int, what: str) -> None:
        nonlocal last
        progress(done, total, what)
        if monotonic() - last >= _BEAT_SECONDS:
            last = monotonic()
            beat()
            run.ledger.report(run.team, run.source.name, done=done, total=total)

    return watch
