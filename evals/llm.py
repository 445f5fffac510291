"""`make eval-llm`: what a small local model brings where the product may use one. Outside CI.

Follow-ups rewritten by the model (mtrag), statements that it writes for spider_dev's databases, whether it
sees that passages hold no answer or that one is invented (halueval), and what planted orders have it write.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from evals.local_llm import NAME, THREADS, assemble, serve_local

app = typer.Typer()


@app.command()
def main(
    data: Annotated[Path | None, typer.Option("--data", help="Folder of the public sets.")] = None,
    most: Annotated[int, typer.Option(help="Questions of a part; 0: all.")] = 40,
    only: Annotated[str, typer.Option(help="rewriting, sql, refusal, selfcheck, injection or cache.")] = "",
    patience: Annotated[float, typer.Option(help="Seconds for a reply; the product waits 15.")] = 15,
    threads: Annotated[int, typer.Option(help="Of the model; 1 beside other work.")] = THREADS,
) -> None:
    """Start the model, measure, print JSON, stop it."""
    from evals import cache_model, injection, selfcheck
    from evals.cli import data_folder
    from retrieval.providers.openai import OpenAILLM
    from workers.settings import load_settings

    folder, settings = data_folder(data), load_settings()
    found: dict[str, Any] = {"model": NAME}
    with serve_local(assemble(settings.cache), threads) as url:
        llm = OpenAILLM("none", url, NAME, timeout=max(patience, 60), short=patience)
        parts: dict[str, Callable[[], Any]] = {
            "rewriting": lambda: _rewriting(folder, llm),
            "sql": lambda: _sql(folder, llm, most),
            "refusal": lambda: _refusal(folder, llm, most),
            "selfcheck": lambda: selfcheck.measure_model(folder, llm, most),
            "injection": lambda: injection.measure_model(folder, llm, most),
            "cache": lambda: cache_model.measure_model(folder, llm, most),
        }
        for name in [only] if only else parts:
            found[name] = parts[name]()
    print(json.dumps(found, ensure_ascii=False))


def _rewriting(folder: Path, llm: Any) -> dict[str, Any]:
    from evals.rewriting import measure
    from retrieval.understand.rewrite import ModelRewriter

    return measure(folder, ModelRewriter(llm), ("mtrag",))


def _refusal(folder: Path, llm: Any, most: int) -> dict[str, Any]:
    """The gate by figures alone, and with the model where they leave a doubt, on the same sample."""
    from evals.judging import product_search
    from evals.refusal import measure, sample
    from evals.refusal_sets import cases
    from retrieval.answer.compress import ExtractiveCompressor
    from retrieval.config import AnswerConfig
    from retrieval.providers.local_pair import first_view
    from retrieval.understand.doubt import DoubtingGate
    from retrieval.understand.gate import CalibratedGate
    from workers.choices import choose_embedder
    from workers.settings import load_settings

    embedder = choose_embedder(load_settings())
    asked = sample(list(cases(folder, product_search())), most)
    figures = CalibratedGate(embedder.name)
    read = ExtractiveCompressor(AnswerConfig().evidence_tokens, first_view(embedder)).compress
    doubting = DoubtingGate(figures, llm, read)
    return {"figures": measure(asked, figures), "with the model": measure(asked, doubting)}


def _sql(folder: Path, llm: Any, most: int) -> dict[str, Any]:
    from evals.sql import measure
    from retrieval.providers.local_pair import first_view
    from workers.choices import choose_embedder
    from workers.settings import load_settings

    return measure(folder / "spider_dev", first_view(choose_embedder(load_settings())), llm, most)


if __name__ == "__main__":
    app()
