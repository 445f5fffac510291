"""Turns the settings' `provider:model` names into models; a provider is imported when it is chosen."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.cache.verify import Verifier
from retrieval.errors import Permanent
from retrieval.ports import LLM, Embedder, PictureEmbedder, Reranker
from workers.settings import Settings

if TYPE_CHECKING:
    from retrieval.providers.cohere import CohereEmbedder
    from retrieval.providers.local import LocalEmbedder

LOCAL_EMBEDDER = "local:multilingual-e5-small"
LOCAL_PAIR = "local:e5-small+bge-small-en"
LOCAL_RERANKER = "local:late-interaction"
DEFAULT_WRITER = "openai:gpt-5.4-mini"
DEFAULT_RERANKER = "cohere:rerank-v4.0-fast"


def choose_embedder(settings: Settings, name: str = "") -> Embedder:
    """The embedder of the settings, or that called `name`, its passage vectors cached on disk.

    `auto` is the local pair. Keys do not change it, because another embedder means another index.
    """
    name = name or (LOCAL_PAIR if settings.embedder == "auto" else settings.embedder)
    return _cached(_embedder(name, settings), settings)


def _cached(embedder: Embedder, settings: Settings) -> Embedder:
    from retrieval.providers.vector_cache import CachedEmbedder

    return CachedEmbedder(embedder, settings.cache / "vectors")


def choose_picture_embedder(settings: Settings) -> PictureEmbedder | None:
    """The embedder of the settings where it reads pictures as well as texts: Cohere's of version 4."""
    provider, _, model = settings.embedder.partition(":")
    sees = provider == "cohere" and model.startswith("embed-v4")
    return _cohere_embedder(model, settings) if sees else None


def choose_reranker(settings: Settings, embedder: Embedder | None = None) -> Reranker | None:
    """Cohere with a key, else the local one, which shares the model of a local `embedder`."""
    key = settings.cohere_api_key.get_secret_value()
    name = settings.reranker
    if name == "none":
        return None
    if name == "auto":
        name = DEFAULT_RERANKER if key else LOCAL_RERANKER
    if name == LOCAL_RERANKER:
        return _local_reranker(settings, embedder)
    provider, model = _split(name)
    if provider == "fastembed":
        from retrieval.providers.fastembed import FastembedReranker

        return FastembedReranker(model, Path(settings.cache))
    from retrieval.providers.cohere import CohereReranker

    if provider != "cohere":
        known = f"cohere:…, fastembed:…, {LOCAL_RERANKER}, none, auto"
        raise Permanent(f"TEAMLORE_RERANKER: no provider {provider!r}; there are {known}")
    return CohereReranker(key, settings.cohere_base_url, model)


def choose_verifier(settings: Settings, embedder: Embedder) -> Verifier:
    """The judge of near questions: the local model, also where another embedder finds them."""
    from retrieval.providers.local_reader import LocalReader

    return Verifier(LocalReader(_local_model(settings, embedder)))


def _local_reranker(settings: Settings, embedder: Embedder | None) -> Reranker:
    from retrieval.providers.local_pair import first_view
    from retrieval.providers.local_reranker import PAIRED_TRUST, LocalReranker

    model = _local_model(settings, embedder)
    if embedder and first_view(embedder) is not embedder:
        return LocalReranker(model, PAIRED_TRUST)
    return LocalReranker(model)


def _local_model(settings: Settings, embedder: Embedder | None) -> "LocalEmbedder":
    """The local model of `embedder`, or one of its own."""
    from retrieval.providers.local import LocalEmbedder
    from retrieval.providers.local_pair import first_view
    from retrieval.providers.vector_cache import CachedEmbedder

    inner = first_view(embedder) if embedder else None
    inner = inner.inner if isinstance(inner, CachedEmbedder) else inner
    return inner if isinstance(inner, LocalEmbedder) else LocalEmbedder(Path(settings.cache))


def choose_llm(settings: Settings, known: Mapping[str, str] | None = None) -> LLM | None:
    """The language model, or None: then answers are quotations. `known` are replies of earlier calls."""
    key = settings.openai_api_key.get_secret_value()
    usable = bool(key or settings.openai_base_url)
    if settings.writer == "quote" or (settings.writer == "auto" and not usable):
        return None
    from retrieval.providers.openai import OpenAILLM
    from retrieval.providers.recorded import RecordedLLM

    provider, model = _split(DEFAULT_WRITER if settings.writer == "auto" else settings.writer)
    if provider != "openai":
        raise Permanent(f"TEAMLORE_WRITER: no provider {provider!r}; there are openai, quote, auto")
    return RecordedLLM(OpenAILLM(key or "none", settings.openai_base_url, model), known)


def _embedder(name: str, settings: Settings) -> Embedder:
    provider, model = _split(name)
    makers: dict[str, Callable[[str, Settings], Embedder]] = {
        "local": _local_embedder,
        "openai": _openai_embedder,
        "cohere": _cohere_embedder,
        "fastembed": _fastembed_embedder,
    }
    if provider not in makers:
        raise Permanent(f"TEAMLORE_EMBEDDER: no provider {provider!r}; there are {', '.join(makers)}")
    return makers[provider](model, settings)


def _local_embedder(model: str, settings: Settings) -> Embedder:
    from retrieval.providers.local import LocalEmbedder
    from retrieval.providers.local_pair import PairedEmbedder

    first = LocalEmbedder(Path(settings.cache))
    match f"local:{model}":
        case LocalEmbedder.name:
            return first
        case PairedEmbedder.name:
            return PairedEmbedder(_cached(first, settings))
        case _:
            raise Permanent(f"TEAMLORE_EMBEDDER: the local ones are {LOCAL_PAIR} and {LOCAL_EMBEDDER}")


def _openai_embedder(model: str, settings: Settings) -> Embedder:
    from retrieval.providers.openai import OpenAIEmbedder

    return OpenAIEmbedder(
        settings.openai_api_key.get_secret_value() or "none", settings.openai_base_url, model
    )


def _cohere_embedder(model: str, settings: Settings) -> "CohereEmbedder":
    from retrieval.providers.cohere import CohereEmbedder

    return CohereEmbedder(settings.cohere_api_key.get_secret_value(), settings.cohere_base_url, model)


def _fastembed_embedder(model: str, settings: Settings) -> Embedder:
    from retrieval.providers.fastembed import FastembedEmbedder

    return FastembedEmbedder(model, Path(settings.cache))


def _split(name: str) -> tuple[str, str]:
    provider, colon, model = name.partition(":")
    if not colon or not model:
        raise Permanent(f"a model is named provider:model, not {name!r}")
    return provider, model
