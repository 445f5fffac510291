"""What an ONNX graph computes is the same on every processor."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from retrieval.providers.local import open_graph

LENGTH = 64


def test_sums_of_large_int8_products_are_exact(tmp_path: Path) -> None:
    """They overflow by default on x64 without VNNI; elsewhere this passes anyway."""
    weights = np.full((LENGTH, 16), 127, np.int8)
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["x", "w"], ["y"])],
        "product",
        [helper.make_tensor_value_info("x", TensorProto.UINT8, [1, LENGTH])],
        [helper.make_tensor_value_info("y", TensorProto.INT32, [1, 16])],
        [numpy_helper.from_array(weights, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, tmp_path / "product.onnx")
    (product,) = open_graph(tmp_path / "product.onnx").run(None, {"x": np.full((1, LENGTH), 255, np.uint8)})
    assert (product == 255 * 127 * LENGTH).all()
