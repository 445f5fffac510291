"""Every row of docs/complaints.md has a test against a local Slack, and every such test names a real row."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
ROWS = set(
    re.findall(r"^\| ([AB]\d+) \|", (TESTS.parent / "docs" / "complaints.md").read_text(), re.MULTILINE)
)


def test_every_row_is_shown_over_http() -> None:
    assert ROWS - {row for rows, live in shown() if live for row in rows} == set()


def test_every_test_names_rows_that_exist() -> None:
    assert {row for rows, _ in shown() for row in rows} - ROWS == set()


def test_the_list_has_its_rows() -> None:
    assert len(ROWS) == 30


def shown() -> Iterator[tuple[set[str], bool]]:
    """The rows that each test names, and whether it runs against real servers."""
    for path in TESTS.rglob("test_*.py"):
        tree = ast.parse(path.read_text())
        whole_file = any(_sets_live(node) for node in tree.body)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                marks = [ast.unparse(mark) for mark in node.decorator_list]
                rows = {
                    row for mark in marks if "mark.complaint" in mark for row in re.findall(r"[AB]\d+", mark)
                }
                yield rows, whole_file or "pytest.mark.live" in marks


def _sets_live(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node) == "pytestmark = pytest.mark.live"
