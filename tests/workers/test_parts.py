"""A house searches by what was measured, and compares texts by the model of all languages alone."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from retrieval.providers.local_reranker import LocalReranker
from tests.standins.index import MemoryIndex, WordEmbedder
from workers.choices import choose_embedder, choose_reranker
from workers.parts import make_finder
from workers.settings import load_settings


@pytest.mark.parametrize("name", ["auto", "local:multilingual-e5-small"])
def test_the_product_trusts_its_reranker_as_the_evaluation_does(tmp_path: Path, name: str) -> None:
    settings = load_settings(
        {"TEAMLORE_CACHE": str(tmp_path), "TEAMLORE_HOME": str(tmp_path), "TEAMLORE_EMBEDDER": name}
    )
    stores: Any = SimpleNamespace(index=MemoryIndex(WordEmbedder()), embedder=choose_embedder(settings))
    used = vars(make_finder(settings, stores))["_reranker"]
    measured = choose_reranker(settings, choose_embedder(settings))
    assert isinstance(used, LocalReranker)
    assert isinstance(measured, LocalReranker)
    assert (used.trust, used.english_trust) == (measured.trust, measured.english_trust)
    assert (used.english_trust < used.trust) == (name == "auto")
