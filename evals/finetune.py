"""`teamlore finetune`: fits the search to a house's own language, and adopts what wins."""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from evals.datasets import RetrievalSet, load
from evals.judging import AsJson, show
from evals.replay import significance
from retrieval.errors import Permanent
from retrieval.ports import Embedder, Vectors
from retrieval.providers.weaviate_rows import embedded_text
from retrieval.search.adapter import FILE, Adapter, unit, write_adapter

app = typer.Typer(name="finetune", help="Fit models to a house's own language.", no_args_is_help=True)
GAMMA, ALPHA, DEPTH = 2.0, 0.1, 5
WEIGHTS = (1.0, 2.0, 4.0)
FEW = 1000
_FOLDS = 3
LOW, HIGH = 0.2, 0.4
"""Centred cosines to the nearest training question: below the first nothing moves, from the second all."""
_LOSS = 0.01


@dataclass(frozen=True)
class Pairs:
    """Questions (n, d) with the passages (n, d) that answer them; `groups` numbers the passages."""

    questions: Vectors
    passages: Vectors
    groups: Sequence[str]


@app.command("generator")
def generator_command(
    folder: Annotated[Path, typer.Argument(help="What `teamlore dataset generator` wrote.")],
    base: Annotated[str, typer.Option(help="The hosted model to train.")] = "gpt-4.1-mini",
    job: Annotated[str, typer.Option(help="A job that was begun before, to be asked about again.")] = "",
    wait: Annotated[float, typer.Option(help="Seconds to wait for the job.")] = 3600,
    as_json: AsJson = False,
) -> None:
    """Train a hosted model on the house's answers; both then answer chats that were kept for testing."""
    from evals import finetune_generator as tuning
    from retrieval.providers.openai import OpenAILLM
    from retrieval.providers.openai_jobs import HostedJobs
    from workers.settings import load_settings

    settings, train, test = load_settings(), folder / "train.jsonl", folder / "test.jsonl"
    few, kept = len(tuning.chats(train)) < tuning.FEW, tuning.chats(test)
    if not (key := settings.openai_api_key.get_secret_value()):
        raise Permanent("a hosted job needs OPENAI_API_KEY")
    jobs = HostedJobs(key, settings.openai_base_url)
    found: dict[str, Any] = {"job": job or jobs.start(train, test, base)}
    found["warning"] = f"fewer than {tuning.FEW} chats: training will seldom help" if few else ""
    if made := jobs.outcome(found["job"], wait):
        before, after = (OpenAILLM(key, settings.openai_base_url, model) for model in (base, made))
        found |= {"model": made, **tuning.before_after(before, after, kept)}
        found["setting"] = f"TEAMLORE_WRITER=openai:{made}" if found["wins"] else ""
    show(found, as_json)


@app.command("embedding")
def embedding_command(
    folder: Annotated[Path, typer.Argument(help="BEIR's shape with qrels_train.tsv and qrels_test.tsv.")],
    guard: Annotated[str, typer.Option(help="A set that may lose a point at most; empty: none.")] = "scifact",
    adopt: Annotated[bool, typer.Option(help="Use it from now on, if it wins.")] = True,
    as_json: AsJson = False,
) -> None:
    """Move questions towards the passages that answered like ones; before and after on unseen questions."""
    from evals.cli import data_folder
    from workers.choices import choose_embedder
    from workers.settings import load_settings

    settings = load_settings()
    embedder = choose_embedder(settings)
    own = load(str(folder), folder.parent)
    pairs = pairs_of(folder, own, embedder)
    adapter = fit(pairs, embedder.name)
    found: dict[str, Any] = {"pairs": len(pairs.groups), "warning": warn(len(pairs.groups))}
    found[own.name] = before_after(own, embedder, adapter)
    if guard:
        found[guard] = before_after(load(guard, data_folder(None)), embedder, adapter)
    found["adopted"] = adopt and wins(found[own.name], found.get(guard))
    if found["adopted"]:
        write_adapter(adapter, settings.home / FILE)
    show(found, as_json)


def warn(pairs: int) -> str:
    """What to say of a training set that is small."""
    return f"{pairs} pairs are few; from {FEW} on the result is steady" if pairs < FEW else ""


def wins(own: dict[str, float], guard: dict[str, float] | None) -> bool:
    """Whether unseen questions of the house gain, and others lose no more than a point."""
    return own["gain"] > 0 and (guard is None or guard["gain"] >= -_LOSS)


def train_qrels(folder: Path) -> list[tuple[str, str]]:
    """Question and passage ids to learn from. Raises Permanent without the file."""
    file = folder / "qrels_train.tsv"
    if not file.exists():
        raise Permanent(f"no {file.name} in {folder}; `teamlore dataset embedding` writes one")
    rows = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:])
    return [(question, passage) for question, passage, score in rows if float(score) > 0]


def pairs_of(folder: Path, own: RetrievalSet, embedder: Embedder) -> Pairs:
    """The training pairs as vectors."""
    rows = (json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines())
    texts = {str(row["_id"]): str(row["text"]) for row in rows}
    passages = {passage.id: embedded_text(passage) for passage in own.passages}
    judged = [(q, p) for q, p in train_qrels(folder) if q in texts and p in passages]
    if not judged:
        raise Permanent(f"no training pair of {folder} names a question and a passage that are there")
    asked = embedder.embed_queries([texts[question] for question, _ in judged])
    answers = embedder.embed_documents([passages[passage] for _, passage in judged])
    return Pairs(asked, answers, tuple(passage for _, passage in judged))


def fit(pairs: Pairs, model: str) -> Adapter:
    """An adapter. Its weight is the one that most helps questions about passages left out of training."""
    folds = np.array([zlib.crc32(group.encode()) % _FOLDS for group in pairs.groups])
    scores = [
        sum(_held_out(pairs, folds == fold, model, weight) for fold in set(folds.tolist()))
        for weight in WEIGHTS
    ]
    return _fitted(pairs, model, WEIGHTS[int(np.argmax(scores))])


def before_after(found: RetrievalSet, embedder: Embedder, adapter: Adapter) -> dict[str, float]:
    """Recall@5 of the vector leg on a set's questions, as it was and moved, and the paired gain's p."""
    passages = embedder.embed_documents([embedded_text(passage) for passage in found.passages])
    ids = [passage.id for passage in found.passages]
    asked = embedder.embed_queries([case.text for case in found.cases])
    gold = [found.qrels[case.id] for case in found.cases]
    before, after = (_recalls(one @ passages.T, ids, gold) for one in (asked, adapter.adapt(asked)))
    won, lost = int((after > before).sum()), int((after < before).sum())
    return {
        "questions": len(gold),
        "before": round(float(before.mean()), 4),
        "after": round(float(after.mean()), 4),
        "gain": round(float(after.mean() - before.mean()), 4),
        "p": significance(won, lost),
    }


def _held_out(pairs: Pairs, held: NDArray[np.bool_], model: str, weight: float) -> float:
    """How many questions about held-out passages find theirs among the first five of all."""
    rest = Pairs(
        pairs.questions[~held],
        pairs.passages[~held],
        tuple(group for group, out in zip(pairs.groups, held, strict=True) if not out),
    )
    if not rest.groups:
        return 0.0
    asked = _fitted(rest, model, weight).adapt(pairs.questions[held])
    groups = list(pairs.groups)
    gold = [{group: 1} for group, out in zip(groups, held, strict=True) if out]
    unique = [groups.index(group) for group in dict.fromkeys(groups)]
    near = asked @ pairs.passages[unique].T
    return float(_recalls(near, [groups[at] for at in unique], gold).sum())


def _fitted(pairs: Pairs, model: str, weight: float) -> Adapter:
    mean: Vectors = pairs.questions.mean(axis=0)
    own = unit(pairs.questions - mean)
    kernel = np.exp(GAMMA * (own @ own.T - 1))
    wanted = pairs.passages - pairs.passages.mean(axis=0)
    pulls: Vectors = np.asarray(np.linalg.solve(kernel + ALPHA * np.eye(len(own)), wanted), np.float32)
    return Adapter(own, pulls, mean, GAMMA, LOW, HIGH, weight, model)


def _recalls(near: Vectors, ids: Sequence[str], gold: Sequence[Mapping[str, int]]) -> NDArray[np.float64]:
    """The share of each question's right passages among its first five."""
    found: list[float] = []
    for row, right in zip(near, gold, strict=True):
        first = {ids[place] for place in np.argsort(-row, kind="stable")[:DEPTH]}
        wanted = {passage for passage, grade in right.items() if grade > 0}
        found.append(len(first & wanted) / max(1, len(wanted)))
    return np.array(found)
