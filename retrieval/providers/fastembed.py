"""Embedding and reranking models of fastembed: strong, private, on this machine, once their files are there.

A model is one of fastembed's names (`fastembed:intfloat/multilingual-e5-large`), fetched from the model hub
at first use, or a folder in the hub's layout (`fastembed:/models/mine`), for machines that reach no hub.
"""

import importlib
import json
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from retrieval.errors import Permanent, Transient
from retrieval.ports import Vectors

MORE_RERANKERS = {"BAAI/bge-reranker-v2-m3": "onnx-community/bge-reranker-v2-m3-ONNX"}
"""Good rerankers that fastembed does not list, and where their graph lies."""

_GRAPHS = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx", "onnx/model_quantized.onnx")
Model = TypeVar("Model")


class FastembedEmbedder:
    """Unit vectors. Models of the e5 family get the prefixes that they were trained with."""

    def __init__(self, model: str, cache: Path) -> None:
        described = _described(_text_embedding(), model)
        self.name = f"fastembed:{model}"
        self.dimensions = int(described["dim"])
        self._prefixes = ("query: ", "passage: ") if "e5" in Path(model).name.lower() else ("", "")
        self._loaded = _PerProcess(lambda: _text_embedding()(described["model"], **_place(model, cache)))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), dimensions)."""
        model: Any = self._loaded.get()
        return self._stack(model.query_embed([self._prefixes[0] + text for text in texts]))

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (len(texts), dimensions); what the model cannot hold is cut off."""
        model: Any = self._loaded.get()
        return self._stack(model.passage_embed([self._prefixes[1] + text for text in texts]))

    def _stack(self, vectors: Any) -> Vectors:
        made = np.array(list(vectors), np.float32).reshape(-1, self.dimensions)
        return made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12)


class FastembedReranker:
    """A cross-encoder: reads question and passage together. Scores are the logistic of its logits, 0 to 1."""

    def __init__(self, model: str, cache: Path) -> None:
        _offer_more()
        described = _described(_cross_encoder(), model)
        self.name = f"fastembed:{model}"
        self._loaded = _PerProcess(lambda: _cross_encoder()(described["model"], **_place(model, cache)))

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the query."""
        model: Any = self._loaded.get()
        return [float(1 / (1 + np.exp(-logit))) for logit in model.rerank(query, list(texts))]


class _PerProcess(Generic[Model]):
    """A model loaded at first use in each process: its threads do not survive a fork."""

    def __init__(self, load: Callable[[], Model]) -> None:
        self._load = load
        self._loaded: dict[int, Model] = {}
        self._lock = threading.Lock()

    def get(self) -> Model:
        with self._lock:
            if os.getpid() not in self._loaded:
                try:
                    self._loaded[os.getpid()] = self._load()
                except Exception as error:  # whatever hub, disk and runtime raise
                    raise Transient(f"the model could not be loaded: {type(error).__name__}") from error
            return self._loaded[os.getpid()]


def _described(models: Any, name: str) -> dict[str, Any]:
    """What fastembed knows of a model. Raises Permanent for a name or folder that holds none."""
    if Path(name).is_dir():
        return _from_folder(models, Path(name))
    listed: list[dict[str, Any]] = models.list_supported_models()
    found = next((one for one in listed if one["model"].lower() == name.lower()), None)
    if found is None:
        raise Permanent(f"fastembed has no model {name!r}; name one of its list, or a folder with model.onnx")
    return found


def _from_folder(models: Any, folder: Path) -> dict[str, Any]:
    graph = next((graph for graph in _GRAPHS if (folder / graph).exists()), None)
    if graph is None:
        raise Permanent(f"{folder} holds none of {', '.join(_GRAPHS)}")
    from fastembed.common.model_description import ModelSource, PoolingType

    name = str(folder.resolve())
    settings: dict[str, Any] = {"model": name, "model_file": graph, "sources": ModelSource(hf=name)}
    if models is _text_embedding():
        cls = _json(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token", False)
        settings |= {"dim": _json(folder / "config.json")["hidden_size"], "normalization": True}
        settings["pooling"] = PoolingType.CLS if cls else PoolingType.MEAN
    if not any(one["model"] == name for one in models.list_supported_models()):
        models.add_custom_model(**settings)
    return settings


def _offer_more() -> None:
    from fastembed.common.model_description import ModelSource

    encoders = _cross_encoder()
    known = {one["model"] for one in encoders.list_supported_models()}
    for name, hub in MORE_RERANKERS.items():
        if name not in known:
            encoders.add_custom_model(
                model=name, sources=ModelSource(hf=hub), additional_files=["onnx/model.onnx_data"]
            )


def _place(model: str, cache: Path) -> dict[str, Any]:
    folder = {"specific_model_path": model} if Path(model).is_dir() else {}
    return {"cache_dir": str(cache / "models" / "fastembed"), **folder}


def _json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _text_embedding() -> Any:
    return _part("fastembed", "TextEmbedding")


def _cross_encoder() -> Any:
    return _part("fastembed.rerank.cross_encoder", "TextCrossEncoder")


def _part(module: str, name: str) -> Any:
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise Permanent("fastembed is not installed: pip install 'teamlore[fastembed]'") from error
