"""Every row of the table of failures is kept true by a test that there is."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FAULTS = (
    "test_servers",
    "test_models",
    "test_slack",
    "test_disk",
    "test_clocks",
    "test_cluster",
    "test_hosts",
)
OPERATIONS = TESTS.parent / "docs" / "operations.md"


def rows() -> list[list[str]]:
    text = OPERATIONS.read_text().split("## When something fails")[1].split("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return lines[1:]


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_the_row_names_a_test_that_there_is(row: list[str]) -> None:
    assert len(row) == 5
    file, _, name = row[-1].strip("`").partition("::")
    tree = ast.parse((TESTS / file).read_text())
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_fault_that_is_tried_stands_in_the_table() -> None:
    named = {row[-1].strip("`") for row in rows()}
    tried = {
        f"chaos/{file.name}::{name}"
        for file in Path(__file__).parent.glob("test_*.py")
        if file.stem in FAULTS
        for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)
    }
    longer = {name for name in tried if name.endswith("_in_time") and name.removesuffix("_in_time") in named}
    assert tried - longer <= named
