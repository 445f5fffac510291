"""`teamlore dataset`: training data from what was asked, answered and rejected; redacted, split by document.

Whether a passage was right is what the answer's citations say, unless people voted it down. What was found
and not cited is a hard negative. Formats: sentence-transformers (triples) for embedding, Cohere's for rerank,
BEIR's for `teamlore finetune embedding|rerank`, OpenAI's for chats.
"""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy import select

from evals.judging import AsJson, show
from retrieval.cache.guards import plain
from retrieval.ports import Library
from retrieval.types import Passage, Scope
from storage.base import Database
from storage.feedback import FeedbackRow
from storage.traces import TraceRow
from workers.redact import Redactor
from workers.trace_log import Trace, read_trace

app = typer.Typer(name="dataset", help="Training data from traces and feedback.", no_args_is_help=True)
LEAST = {"embedding": 1000, "rerank": 1000, "generator": 300}
"""Pairs, labels and chats below which training seldom helps."""
_TEST = 5
Line = Mapping[str, Any]
Out = Annotated[Path, typer.Option("--out", help="A folder; train.jsonl and test.jsonl are written into it.")]


@dataclass(frozen=True)
class Lesson:
    """A question, the answer, the passages that it stood on, and those that were found and left aside."""

    question: str
    answer: str
    cited: tuple[Passage, ...]
    left: tuple[Passage, ...]

    @property
    def is_test(self) -> bool:
        """Whether it is kept for testing: all questions about one document are on the same side."""
        return zlib.crc32(self.cited[0].document_id.encode()) % _TEST == 0


def lessons(database: Database, library: Library, clean: Redactor) -> list[Lesson]:
    """What the trace log teaches, each question once, cleaned of secrets and personal data."""
    found: dict[str, Lesson] = {}
    for trace in _answered(database):
        cited = [str(passage) for _, passage in trace.said("question", "citations")]
        hits = trace.said("rerank", "hits") or trace.said("fuse", "hits")
        others = [hit["id"] for hit in hits if hit["id"] not in cited]
        scope = Scope(trace.row.team, trace.row.user, readers=frozenset(trace.row.readers))
        known = {passage.id: passage for passage in library.fetch([*cited, *others], scope)}
        right = tuple(known[id] for id in cited if id in known)
        if right:
            left = tuple(known[id] for id in others if id in known)
            found[plain(trace.row.question)] = Lesson(
                clean(trace.row.question), clean(trace.row.answer), right, left
            )
    return list(found.values())


def lines_of(kind: str, some: Iterable[Lesson], clean: Redactor) -> Iterator[Line]:
    """Lessons as lines of a training file: `embedding`, `rerank` or `generator`."""
    for one in some:
        right, wrong = ([clean(passage.text) for passage in side] for side in (one.cited, one.left))
        match kind:
            case "embedding":
                yield {"anchor": one.question, "positive": right[0], "negatives": wrong[:5]}
            case "rerank":
                yield {"query": one.question, "relevant_passages": right, "hard_negatives": wrong[:9]}
            case _:
                sources = "\n\n".join(f"[{n}] {text}" for n, text in enumerate(right, 1))
                told = f"Answer from these sources, citing them as [1], [2]:\n\n{sources}"
                roles = (("system", told), ("user", one.question), ("assistant", one.answer))
                yield {"messages": [{"role": role, "content": text} for role, text in roles]}


def write(kind: str, found: Sequence[Lesson], clean: Redactor, out: Path) -> dict[str, Any]:
    """Write both files, of passages also BEIR's; how many lines there are, and a warning where few."""
    out.mkdir(parents=True, exist_ok=True)
    counts: dict[str, Any] = {}
    for name, is_test in (("train", False), ("test", True)):
        lines = list(lines_of(kind, [one for one in found if one.is_test == is_test], clean))
        _write(out / f"{name}.jsonl", lines)
        counts[name] = len(lines)
    if kind != "generator":
        _write_beir(found, clean, out)
    few = counts["train"] < LEAST[kind]
    return {**counts, "warning": f"fewer than {LEAST[kind]}: training will seldom help" if few else ""}


def _write_beir(found: Sequence[Lesson], clean: Redactor, out: Path) -> None:
    passages = {passage.id: passage for one in found for passage in (*one.cited, *one.left)}
    rows = [{"_id": id, "title": one.title, "text": clean(one.text)} for id, one in passages.items()]
    _write(out / "corpus.jsonl", rows)
    _write(out / "queries.jsonl", [{"_id": f"q{n}", "text": one.question} for n, one in enumerate(found)])
    for name, is_test in (("train", False), ("test", True)):
        judged = [
            f"q{n}\t{p.id}\t1" for n, one in enumerate(found) if one.is_test == is_test for p in one.cited
        ]
        text = "\n".join(["query-id\tcorpus-id\tscore", *judged]) + "\n"
        (out / f"qrels_{name}.tsv").write_text(text, encoding="utf-8")


def _answered(database: Database) -> Iterator[Trace]:
    """Traces of questions that were answered, made anew, and not voted down; oldest first."""
    rejected = select(FeedbackRow.question_id).where(FeedbackRow.vote < 0)
    good = select(TraceRow).where(
        TraceRow.outcome == "answered", TraceRow.cached.is_(False), TraceRow.question_id.not_in(rejected)
    )
    with database.session() as session:
        ids = [row.id for row in session.scalars(good.order_by(TraceRow.started_at))]
    yield from (trace for id in ids if (trace := read_trace(database, id)))


def _write(file: Path, lines: Iterable[Line]) -> None:
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


def _make(kind: str, out: Path, as_json: bool) -> None:
    from workers.redact import redactor
    from workers.servers import ensure_servers
    from workers.settings import load_settings
    from workers.telemetry import secrets_of
    from workers.wiring import open_house

    settings = load_settings()
    if not settings.weaviate_url:
        settings = load_settings(extra=ensure_servers(settings.home, settings.cache).environment())
    clean = redactor(secrets_of(settings))
    with open_house(settings) as house:
        found = lessons(house.database, house.stores.index, clean)
    show({**write(kind, found, clean, out), "folder": str(out)}, as_json)


@app.command("embedding")
def embedding_command(out: Out = Path("dataset"), as_json: AsJson = False) -> None:
    """Question, right passage, hard negatives; and BEIR's files for `teamlore finetune embedding`."""
    _make("embedding", out, as_json)


@app.command("rerank")
def rerank_command(out: Out = Path("dataset"), as_json: AsJson = False) -> None:
    """As Cohere takes them: question, right passages, hard negatives; and BEIR's for `finetune rerank`."""
    _make("rerank", out, as_json)


@app.command("generator")
def generator_command(out: Out = Path("dataset"), as_json: AsJson = False) -> None:
    """Chats with sources and a cited answer, as OpenAI takes them."""
    _make("generator", out, as_json)
