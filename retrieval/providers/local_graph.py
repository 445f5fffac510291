"""Lay the weights of multilingual-e5-small out as an ONNX graph with int8 matrix products.

The embedding table stays in its own four bits. Attention, bias + GELU and residual + normalisation are
ONNX Runtime's fused operators: a quarter less work on a CPU than the same network of plain ones.
"""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import quantization

from retrieval.providers.local_weights import BLOCK, Weights

FUSED = "com.microsoft"


def write_graph(weights: Weights, path: Path) -> None:
    """Write the int8 graph to `path`; it maps input_ids and attention_mask to token_vectors."""
    whole = path.with_suffix(".float.onnx")
    whole.write_bytes(_Graph(weights).model().SerializeToString())
    untyped: Any = quantization
    untyped.quantize_dynamic(
        whole,
        path,
        weight_type=quantization.QuantType.QInt8,
        op_types_to_quantize=["MatMul", "Attention"],
        per_channel=True,
        extra_options={"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT},
    )
    whole.unlink()


class _Graph:
    def __init__(self, weights: Weights) -> None:
        self.weights, self.shape = weights, weights.shape
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[TensorProto] = []

    def model(self) -> onnx.ModelProto:
        tokens = self._embed()
        mask = self._node("Cast", "attention_mask", to=TensorProto.INT32)
        for layer in range(self.shape.layers):
            tokens = self._layer(f"l{layer}.", tokens, mask)
        self.nodes.append(helper.make_node("Identity", [tokens], ["token_vectors"]))
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info(
            "token_vectors", TensorProto.FLOAT, ["batch", "tokens", self.shape.hidden]
        )
        graph = helper.make_graph(self.nodes, "e5", inputs, [output], self.constants)
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10)

    def _embed(self) -> str:
        hidden = self.shape.hidden
        values, scales = self.weights.nibbles("emb.word")
        words = self._node(
            "GatherBlockQuantized",
            self._four_bits(values.reshape(-1, hidden)),
            "input_ids",
            self._constant(scales.reshape(-1, hidden // BLOCK)),
            domain=FUSED,
            block_size=BLOCK,
            quantize_axis=1,
        )
        kind = self.weights.floats("emb.type").reshape(-1, hidden)[0]
        places = self._constant(self.weights.floats("emb.pos").reshape(-1, hidden) + kind)
        length = self._node("Squeeze", self._node("Shape", "input_ids", start=1, end=2))
        steps = self._node("Range", self._constant(np.int64(0)), length, self._constant(np.int64(1)))
        summed = self._node("Add", words, self._node("Gather", places, steps))
        gain, bias = self._floats("emb.ln.w"), self._floats("emb.ln.b")
        return self._node("LayerNormalization", summed, gain, bias, epsilon=self.shape.epsilon)

    def _layer(self, layer: str, tokens: str, mask: str) -> str:
        hidden = self.shape.hidden
        attended = self._node(
            "Attention",
            tokens,
            self._constant(np.hstack([self.weights.matrix(f"{layer}{part}.w", hidden).T for part in "qkv"])),
            self._constant(np.hstack([self.weights.floats(f"{layer}{part}.b") for part in "qkv"])),
            mask,
            domain=FUSED,
            num_heads=self.shape.heads,
        )
        tokens = self._add_and_normalise(layer, "ao", "aln", attended, tokens)
        inner = self._multiply(tokens, f"{layer}fi.w", self.shape.inner)
        inner = self._node("BiasGelu", inner, self._floats(f"{layer}fi.b"), domain=FUSED)
        return self._add_and_normalise(layer, "fo", "oln", inner, tokens)

    def _add_and_normalise(self, layer: str, dense: str, norm: str, update: str, residual: str) -> str:
        return self._node(
            "SkipLayerNormalization",
            self._multiply(update, f"{layer}{dense}.w", self.shape.hidden),
            residual,
            *(self._floats(f"{layer}{name}") for name in (f"{norm}.w", f"{norm}.b", f"{dense}.b")),
            domain=FUSED,
            epsilon=self.shape.epsilon,
        )

    def _multiply(self, tokens: str, name: str, outputs: int) -> str:
        return self._node("MatMul", tokens, self._constant(self.weights.matrix(name, outputs).T))

    def _node(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
        return output

    def _floats(self, name: str) -> str:
        return self._constant(self.weights.floats(name))

    def _constant(self, value: NDArray[Any] | np.generic) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def _four_bits(self, values: NDArray[np.int8]) -> str:
        """Two values a byte, the first in the low half, as ONNX packs INT4."""
        halves = values & 15
        packed = (halves[:, 0::2] | (halves[:, 1::2] << 4)).astype(np.uint8)
        tensor = TensorProto(name=f"c{len(self.constants)}", data_type=TensorProto.INT4, dims=values.shape)
        tensor.raw_data = packed.tobytes()
        self.constants.append(tensor)
        return tensor.name
