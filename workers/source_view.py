"""How a source is doing, in a line: for `/knowledge status` and for the Home tab. Pure."""

from datetime import datetime

from retrieval.types import Language
from storage.documents import SyncState
from workers.markup import escape_all
from workers.words import ago, say


def source_line(state: SyncState, now: datetime, language: Language) -> str:
    """`*name*: 12 documents, read today`, or how far a run is, or what went wrong."""
    if state.running:
        when = say("running", language, done=state.done, total=state.total)
    elif state.error:
        when = say("broken", language, reason=escape_all(state.error[:200]))
    else:
        finished = state.finished_at
        when = say("synced", language, ago=ago(finished, now, language)) if finished else "-"
    failed = say("failed_documents", language, n=state.failed) if state.failed else ""
    name, count = escape_all(state.source), say("documents", language, n=state.documents)
    return f"*{name}*: {count}, {when}{failed}"
