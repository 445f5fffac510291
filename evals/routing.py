"""How well the classifier of roads tells many intents apart and notices what it never learned.

Data in clinc150's shape: train_20shot.json (intent → lines), and test.json or val.json with pairs of line and
intent under one key and lines without an intent under a key that begins with `oos`.
"""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from retrieval.ports import Embedder
from retrieval.understand.kernel import learn
from retrieval.understand.learned import SURE, Line

_FOLDS = 5


def measure(folder: Path, embedder: Embedder) -> dict[str, Any]:
    """Figures on the newest part that is there. A refused line counts as wrong in `in_scope_accuracy`."""
    lines = json.loads((folder / "train_20shot.json").read_text(encoding="utf-8"))
    pairs = [(text, intent) for intent, texts in lines.items() for text in texts]
    part = next(path for path in (folder / "test.json", folder / "val.json") if path.exists())
    known, strange = _split(json.loads(part.read_text(encoding="utf-8")))
    vectors = _embed(embedder, [text for text, _ in pairs])
    started = time.perf_counter()
    learned = learn(vectors, [text for text, _ in pairs], [intent for _, intent in pairs])
    seconds = time.perf_counter() - started
    judged = [_judge(learned, embedder, text) for text, _ in known]
    refused = [not _judge(learned, embedder, text)[2] for text in strange]
    right = [label == intent for (label, *_), (_, intent) in zip(judged, known, strict=True)]
    kept = [like for _, _, like, *_ in judged]
    return {
        "part": part.name,
        "intents": len(lines),
        "learned_from": len(pairs),
        "questions": len(known),
        "out_of_scope_questions": len(strange),
        "accuracy": float(np.mean(right)),
        "in_scope_accuracy": float(np.mean(np.logical_and(right, kept))),
        "out_of_scope_recall": float(np.mean(refused)),
        "sent_to_model": float(np.mean([like and sure < SURE for _, sure, like, *_ in judged])),
        "ms_p50": float(np.median([ms for *_, ms, _ in judged])),
        "cpu_ms_p50": float(np.median([cpu for *_, cpu in judged])),
        "seconds_to_learn": seconds,
    }


def told_apart(embedder: Embedder, lines: Sequence[Line]) -> dict[str, Any]:
    """How well the roads are told apart on lines left out in turn, one fifth at a time."""
    texts = [text for _, text in lines]
    labels = np.array([route.value for route, _ in lines])
    vectors = _embed(embedder, texts)
    right = np.zeros(len(lines), bool)
    for fold in range(_FOLDS):
        kept = [n for n in range(len(lines)) if n % _FOLDS != fold]
        learned = learn(vectors[kept], [texts[n] for n in kept], labels[kept].tolist())
        for n in range(fold, len(lines), _FOLDS):
            right[n] = learned.classify(vectors[n], texts[n])[0] == labels[n]
    by_route = {str(name): float(right[labels == name].mean()) for name in sorted(set(labels.tolist()))}
    return {"accuracy_left_out": float(right.mean()), **by_route}


def _judge(learned: Any, embedder: Embedder, text: str) -> tuple[str, float, bool, float, float]:
    """Label, probability, likeness, and the milliseconds that passed and that a processor worked.

    The second are the same beside other work.
    """
    started, worked = time.perf_counter(), time.process_time()
    label, sure, like = learned.classify(embedder.embed_queries([text])[0], text)
    passed = (time.perf_counter() - started, time.process_time() - worked)
    return label, sure, like, 1000 * passed[0], 1000 * passed[1]


def _embed(embedder: Embedder, texts: Sequence[str]) -> Any:
    parts = [embedder.embed_queries(texts[start : start + 128]) for start in range(0, len(texts), 128)]
    return np.vstack(parts)


def _split(part: dict[str, list[Any]]) -> tuple[list[tuple[str, str]], list[str]]:
    known: list[tuple[str, str]] = []
    strange: list[str] = []
    for key, rows in part.items():
        for row in rows:
            text, intent = (str(row[0]), str(row[1])) if isinstance(row, list) else (str(row), "oos")  # pyright: ignore[reportUnknownArgumentType]
            if key.startswith("oos") or intent == "oos":
                strange.append(text)
            else:
                known.append((text, intent))
    return known, strange
