"""The fastembed provider on small graphs that are made here: real loading, real ONNX Runtime, no download."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from retrieval.errors import Permanent, Transient

pytest.importorskip("fastembed")

from retrieval.providers.fastembed import FastembedEmbedder, FastembedReranker

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "query", "passage", ":", "pump", "leave", "年假", "weekly"]
SIZE = 8


def write_model(folder: Path, table: Any, output: str) -> Path:
    """A graph that looks words up in a table; a reranker's adds their numbers up."""
    folder.mkdir(parents=True)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["looked_up"])]
    if output == "logits":
        nodes.append(helper.make_node("ReduceSum", ["looked_up", "axes"], [output], keepdims=0))
        shape: list[Any] = ["batch", 1]
    else:
        nodes.append(helper.make_node("Identity", ["looked_up"], [output]))
        shape = ["batch", "tokens", SIZE]
    constants = [
        numpy_helper.from_array(table.astype(np.float32), "table"),
        numpy_helper.from_array(np.array([1], np.int64), "axes"),
    ]
    told = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    graph = helper.make_graph(nodes, "small", inputs, told, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.save(model, folder / "model.onnx")
    _write_tokenizer(folder)
    return folder


def _write_tokenizer(folder: Path) -> None:
    tokenizer: Any = Tokenizer(models.WordLevel({word: id for id, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B [SEP]",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    for name, content in {
        "config.json": {"hidden_size": SIZE, "pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": 16, "pad_token": "[PAD]"},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]"},
    }.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture(scope="module")
def directions() -> Any:
    return np.random.default_rng(1).standard_normal((len(WORDS), SIZE))


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory, directions: Any) -> FastembedEmbedder:
    folder = tmp_path_factory.mktemp("models")
    return FastembedEmbedder(str(write_model(folder / "small", directions, "last_hidden_state")), folder)


def test_texts_become_unit_vectors_of_the_model_s_size(embedder: FastembedEmbedder) -> None:
    made = embedder.embed_documents(["pump", "pump weekly", "年假"])
    assert made.shape == (3, embedder.dimensions) == (3, SIZE)
    assert made.dtype == np.float32
    assert np.linalg.norm(made, axis=1) == pytest.approx(1, abs=1e-5)
    assert made[0] @ made[1] > made[0] @ made[2]


def test_no_texts_are_no_vectors(embedder: FastembedEmbedder) -> None:
    assert embedder.embed_queries([]).shape == (0, SIZE)


def test_vectors_are_those_of_the_graph(embedder: FastembedEmbedder, directions: Any) -> None:
    words = [WORDS.index(word) for word in ("[CLS]", "pump", "[SEP]")]
    meant = directions[words].mean(axis=0)
    assert embedder.embed_queries(["pump"])[0] == pytest.approx(meant / np.linalg.norm(meant), abs=1e-4)


def test_an_e5_model_reads_its_prefixes(tmp_path: Path, directions: Any) -> None:
    e5 = FastembedEmbedder(str(write_model(tmp_path / "small-e5", directions, "last_hidden_state")), tmp_path)
    words = [WORDS.index(word) for word in ("[CLS]", "query", ":", "pump", "[SEP]")]
    meant = directions[words].mean(axis=0)
    assert e5.embed_queries(["pump"])[0] == pytest.approx(meant / np.linalg.norm(meant), abs=1e-4)
    assert not np.allclose(e5.embed_queries(["pump"]), e5.embed_documents(["pump"]))


def test_a_reranker_reads_question_and_passage_together(tmp_path: Path) -> None:
    table = np.zeros((len(WORDS), 1))
    table[WORDS.index("weekly")] = 2.0
    reranker = FastembedReranker(str(write_model(tmp_path / "cross", table, "logits")), tmp_path)
    scores = reranker.score("pump", ["leave", "pump weekly", "weekly weekly"])
    assert scores == pytest.approx([0.5, 1 / (1 + np.exp(-2)), 1 / (1 + np.exp(-4))], abs=1e-4)
    assert reranker.score("pump", []) == []


def test_a_name_that_fastembed_does_not_know_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="has no model 'nobody/nothing'"):
        FastembedEmbedder("nobody/nothing", tmp_path)
    with pytest.raises(Permanent, match="holds none of"):
        FastembedReranker(str(tmp_path), tmp_path)


def test_known_models_tell_their_size_before_they_are_fetched(tmp_path: Path) -> None:
    assert FastembedEmbedder("intfloat/multilingual-e5-large", tmp_path).dimensions == 1024
    assert FastembedReranker("BAAI/bge-reranker-v2-m3", tmp_path).name == "fastembed:BAAI/bge-reranker-v2-m3"


def test_a_damaged_model_is_a_failure_that_may_pass(tmp_path: Path, directions: Any) -> None:
    folder = write_model(tmp_path / "small", directions, "last_hidden_state")
    broken = FastembedEmbedder(str(folder), tmp_path)
    (folder / "model.onnx").write_bytes(b"half a download")
    with pytest.raises(Transient, match="could not be loaded"):
        broken.embed_queries(["pump"])
