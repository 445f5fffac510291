"""`teamlore finetune`: fits the search and the writer to a house's own language, and adopts what wins."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from evals.judging import AsJson, show
from retrieval.errors import Permanent

if TYPE_CHECKING:
    from evals.finetune_rerank import Workshop
    from workers.settings import Settings

app = typer.Typer(name="finetune", help="Fit models to a house's own language.", no_args_is_help=True)
FEW = 1000

Judged = Annotated[Path, typer.Argument(help="BEIR's shape with qrels_train.tsv and qrels_test.tsv.")]
Guard = Annotated[str, typer.Option(help="A set that may lose a point at most; empty: none.")]
Adopt = Annotated[bool, typer.Option(help="Use it from now on, if it wins.")]


@app.command("embedding")
def embedding_command(
    folder: Judged, guard: Guard = "scifact", adopt: Adopt = True, as_json: AsJson = False
) -> None:
    """Move questions towards the passages that answered like ones; before and after on unseen questions."""
    from evals.cli import data_folder
    from evals.datasets import load, load_training
    from evals.finetune_embedding import before_after, fit, pairs_of, wins
    from retrieval.search.adapter import FILE, write_adapter
    from workers.choices import choose_embedder
    from workers.settings import load_settings

    settings = load_settings()
    embedder = choose_embedder(settings)
    own = load(str(folder), folder.parent)
    pairs = pairs_of(load_training(folder), embedder)
    adapter = fit(pairs, embedder.name)
    found: dict[str, Any] = {"pairs": len(pairs.groups), "warning": warn(len(pairs.groups), "pairs")}
    found[own.name] = before_after(own, embedder, adapter)
    if guard:
        found[guard] = before_after(load(guard, data_folder(None)), embedder, adapter)
    found["adopted"] = adopt and wins(found[own.name], found.get(guard))
    if found["adopted"]:
        write_adapter(adapter, settings.home / FILE)
    show(found, as_json)


@app.command("rerank")
def rerank_command(
    folder: Judged, guard: Guard = "scifact", adopt: Adopt = True, as_json: AsJson = False
) -> None:
    """Weigh the reranker's score beside words, titles and codes; before and after on unseen questions."""
    from evals import finetune_rerank as tuning
    from evals.cli import data_folder
    from evals.datasets import load, load_training
    from retrieval.providers.fitted_reranker import FILE, write_head
    from workers.settings import load_settings

    settings = load_settings()
    shop, training, own = _workshop(settings), load_training(folder), load(str(folder), folder.parent)
    labels = sum(len(training.qrels[case.id]) for case in training.cases)
    head = tuning.fit(tuning.lessons(training, shop), shop)
    found: dict[str, Any] = {"labels": labels, "warning": warn(labels, "labels"), "weights": head.weights}
    found[own.name] = tuning.before_after(own, shop, head)
    if guard:
        found[guard] = tuning.before_after(load(guard, data_folder(None)), shop, head)
    found["adopted"] = adopt and tuning.wins(found[own.name], found.get(guard))
    if found["adopted"]:
        write_head(head, settings.home / FILE)
    show(found, as_json)


@app.command("undo")
def undo_command(
    what: Annotated[Literal["embedding", "rerank"], typer.Argument(help="What was adopted.")],
    as_json: AsJson = False,
) -> None:
    """Take back what was adopted; workers follow at their next start."""
    from retrieval.providers import fitted_reranker
    from retrieval.search import adapter
    from workers.settings import load_settings

    file = load_settings().home / {"embedding": adapter.FILE, "rerank": fitted_reranker.FILE}[what]
    was_there = file.exists()
    file.unlink(missing_ok=True)
    show({"undone": was_there}, as_json)


@app.command("generator")
def generator_command(
    folder: Annotated[Path, typer.Argument(help="What `teamlore dataset generator` wrote.")],
    base: Annotated[str, typer.Option(help="The model to train; empty: a small one of its kind.")] = "",
    recipe: Annotated[
        Literal["hosted", "lora"], typer.Option(help="Train at the provider, or write a LoRA recipe.")
    ] = "hosted",
    out: Annotated[Path, typer.Option(help="Folder of the recipe.")] = Path("lora"),
    trained: Annotated[str, typer.Option(help="A trained model that is served, to be compared.")] = "",
    job: Annotated[str, typer.Option(help="A job that was begun before, to be asked about again.")] = "",
    wait: Annotated[float, typer.Option(help="Seconds to wait for the job.")] = 3600,
    as_json: AsJson = False,
) -> None:
    """Train a model on the house's answers; both then answer chats that were kept for testing."""
    from evals import finetune_generator as tuning
    from evals import lora

    few = len(tuning.chats(folder / "train.jsonl")) < tuning.FEW
    found: dict[str, Any] = {
        "warning": f"fewer than {tuning.FEW} chats: training will seldom help" if few else ""
    }
    if trained:
        found |= _compared(folder, base or (lora.BASE if recipe == "lora" else tuning.BASE), trained)
    elif recipe == "lora":
        found |= lora.write_recipe(folder, out, base or lora.BASE)
    else:
        found |= _hosted(folder, base or tuning.BASE, job, wait)
    show(found, as_json)


def warn(count: int, things: str) -> str:
    """What to say of a training set that is small."""
    return f"{count} {things} are few; from {FEW} on the result is steady" if count < FEW else ""


def _workshop(settings: "Settings") -> "Workshop":
    from evals.finetune_rerank import Workshop
    from retrieval.providers.fitted_reranker import searching_name
    from retrieval.search.adapter import adapted
    from retrieval.search.analyze import know
    from retrieval.search.house_words import FILE, read_house_words
    from workers.choices import choose_embedder, choose_reranker

    know(read_house_words(settings.home / FILE))
    embedder = choose_embedder(settings)
    if (reranker := choose_reranker(settings, embedder)) is None:
        raise Permanent("TEAMLORE_RERANKER is none: there is nothing to fit")
    searching, _ = adapted(embedder, settings.home)
    name = searching_name(embedder, settings.home)
    return Workshop(embedder, searching, name, reranker, settings.config.retrieval)


def _hosted(folder: Path, base: str, job: str, wait: float) -> dict[str, Any]:
    from retrieval.providers.openai_jobs import HostedJobs
    from workers.settings import load_settings

    settings = load_settings()
    if not (key := settings.openai_api_key.get_secret_value()):
        raise Permanent("a hosted job needs OPENAI_API_KEY")
    jobs = HostedJobs(key, settings.openai_base_url)
    found = {"job": job or jobs.start(folder / "train.jsonl", folder / "test.jsonl", base)}
    made = jobs.outcome(found["job"], wait)
    return found | _compared(folder, base, made) if made else found


def _compared(folder: Path, base: str, made: str) -> dict[str, Any]:
    from evals import finetune_generator as tuning
    from retrieval.providers.openai import OpenAILLM
    from workers.settings import load_settings

    settings = load_settings()
    key = settings.openai_api_key.get_secret_value() or "none"
    before, after = (OpenAILLM(key, settings.openai_base_url, model) for model in (base, made))
    told = tuning.before_after(before, after, tuning.chats(folder / "test.jsonl"))
    return {"model": made, **told, "setting": f"TEAMLORE_WRITER=openai:{made}" if told["wins"] else ""}
