"""Models are chosen by name; a name that leads nowhere is refused with what there is."""

from pathlib import Path

import pytest

from retrieval.errors import Permanent
from workers.choices import choose_embedder, choose_llm, choose_reranker
from workers.settings import Settings, load_settings


def settings(tmp_path: Path, **variables: str) -> Settings:
    return load_settings({"TEAMLORE_CACHE": str(tmp_path), **variables})


def test_without_any_key_it_works_by_local_models_and_quotations(tmp_path: Path) -> None:
    chosen = settings(tmp_path)
    assert choose_embedder(chosen).name == "local:e5-small+bge-small-en"
    assert choose_llm(chosen) is None
    reranker = choose_reranker(chosen)
    assert reranker is not None
    assert reranker.name == "local:late-interaction"


def test_keys_upgrade_writing_and_reranking_but_leave_the_index_alone(tmp_path: Path) -> None:
    chosen = settings(tmp_path, OPENAI_API_KEY="sk-x", COHERE_API_KEY="co-x")
    llm, reranker = choose_llm(chosen), choose_reranker(chosen)
    assert llm is not None
    assert reranker is not None
    assert (llm.name, reranker.name) == ("openai:gpt-5.4-mini", "cohere:rerank-v4.0-fast")
    assert choose_embedder(chosen).name == "local:e5-small+bge-small-en"


def test_a_compatible_server_needs_no_key(tmp_path: Path) -> None:
    chosen = settings(tmp_path, OPENAI_BASE_URL="http://127.0.0.1:9/v1", TEAMLORE_WRITER="openai:qwen")
    llm = choose_llm(chosen)
    assert llm is not None
    assert llm.name == "openai:qwen"


@pytest.mark.parametrize(
    ("variable", "name"),
    [
        ("TEAMLORE_WRITER", "anthropic:x"),
        ("TEAMLORE_WRITER", "gpt"),
        ("TEAMLORE_EMBEDDER", "local:other"),
        ("TEAMLORE_EMBEDDER", "nobody:x"),
        ("TEAMLORE_RERANKER", "openai:x"),
    ],
)
def test_an_unknown_model_is_refused_by_name(tmp_path: Path, variable: str, name: str) -> None:
    chosen = settings(tmp_path, **{variable: name})
    with pytest.raises(Permanent):
        _ = [choose_embedder(chosen), choose_llm(chosen), choose_reranker(chosen)]
