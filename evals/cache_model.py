"""The cache by meaning with a language model as second opinion: `teamlore eval cache --verifier`."""

import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evals.cache import DEFAULT, measure, ours
from evals.cache_pairs import ABSENT, Judged
from retrieval.cache.second_opinion import same
from retrieval.errors import Permanent, Transient
from retrieval.ports import LLM

Pair = tuple[Judged, float]


def with_model(
    rows: Sequence[Judged], sure: Sequence[float], llm: LLM, most: int
) -> tuple[list[Judged], list[float]]:
    """About `most` questions a set (0: all) and how sure the model makes us of each of their pairs."""
    return _apart([_told(pairs, llm) for pairs in _questions(rows, sure, most)])


def measure_model(data: Path, llm: LLM, most: int) -> dict[str, list[dict[str, Any]]]:
    """The default setting on questions that the judge did not see: alone, and with the model in doubt."""
    from evals.cache_fit import fit, gather
    from retrieval.providers.local import LocalEmbedder
    from retrieval.providers.local_reader import LocalReader
    from workers.settings import load_settings

    rows, _ = gather(data, LocalReader(LocalEmbedder(load_settings().cache)))
    sure = fit(rows)[1].tolist()
    alone, helped = _apart(_questions(rows, sure, most)), with_model(rows, sure, llm, most)
    return {
        name: [asdict(one) for one in measure(*some) if one.setting == DEFAULT]
        for name, some in (("alone", alone), ("with the model", helped))
    }


def _apart(questions: Sequence[Sequence[Pair]]) -> tuple[list[Judged], list[float]]:
    pairs = [pair for some in questions for pair in some]
    return [row for row, _ in pairs], [worth for _, worth in pairs]


def configured_model() -> LLM:
    """The house's language model. Raises Permanent where there is none."""
    from workers.choices import choose_llm
    from workers.settings import load_settings

    if (llm := choose_llm(load_settings())) is None:
        raise Permanent("no language model is configured: OPENAI_API_KEY or OPENAI_BASE_URL")
    return llm


def _questions(rows: Sequence[Judged], sure: Sequence[float], most: int) -> list[list[Pair]]:
    asked: dict[str, dict[int, list[Pair]]] = defaultdict(lambda: defaultdict(list))
    for row, worth in zip(rows, sure, strict=True):
        if row.set != ABSENT:
            asked[row.set][row.ask].append((row, worth))
    chosen = (sorted(some.values(), key=_shuffled)[: most or None] for some in asked.values())
    return [pairs for some in chosen for pairs in some]


def _shuffled(pairs: Sequence[Pair]) -> int:
    return zlib.crc32(pairs[0][0].asked.encode())


def _told(pairs: list[Pair], llm: LLM) -> list[Pair]:
    """As the product asks: about the surest pair, where the judge is in doubt of it."""
    place = max(range(len(pairs)), key=lambda at: ours(*pairs[at]))
    row, worth = pairs[place]
    if not 0 < ours(row, worth) < DEFAULT:
        return pairs
    try:
        worth = float(same(llm, row.asked, row.earlier))
    except (Transient, Permanent):
        return pairs
    return [(row, worth) if at == place else pair for at, pair in enumerate(pairs)]
