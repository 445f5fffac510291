"""What was measured is kept a line a run, and drawn for people."""

from pathlib import Path

from evals.history import charts, note, of_gate, of_search, read_history
from evals.html import gate_table, report


def test_runs_come_back_in_order_and_a_line_cut_short_costs_only_itself(tmp_path: Path) -> None:
    note(tmp_path / "new", "gate", {"right": 0.5})
    with (tmp_path / "new" / "evaluations.jsonl").open("a") as file:
        file.write('{"what": "ga\n{"other": 1}\n')
    note(tmp_path / "new", "scifact", {"nDCG@10": 0.7})
    assert [one.what for one in read_history(tmp_path / "new")] == ["gate", "scifact"]
    assert read_history(tmp_path) == []


def test_a_chart_is_made_of_each_thing_the_newest_first(tmp_path: Path) -> None:
    for what, right in (("gate", 0.5), ("xquad", 0.9), ("gate", 0.4)):
        note(tmp_path, what, {"right": right})
    gate, xquad = charts(read_history(tmp_path))
    assert (gate.what, gate.runs, xquad.what) == ("gate", 2, "xquad")
    (line,) = gate.lines
    assert (line.last, round(line.change, 3), line.low, line.high) == (0.4, -0.1, 0.4, 0.5)
    assert line.points == "8.0,8.0 552.0,112.0"


def test_the_kept_figures_are_those_of_the_whole() -> None:
    shares = {"cases": 2, "right": 0.5, "outcome": 1.0, "sources": None, "facts": 0.5, "forbidden": None}
    gate = {"kinds": {"all": shares}, "leaks": {"x": ["y"]}}
    assert of_gate(gate) == {"right": 0.5, "outcome": 1.0, "facts": 0.5, "leaks": 1.0}
    stages = {"keyword": {"R@5": {"mean": 0.1}}, "rerank": {"R@5": {"mean": 0.25}}}
    assert of_search({"stages": stages}) == {"R@5": 0.25}


def test_the_report_is_one_page_without_scripts(tmp_path: Path) -> None:
    note(tmp_path, "<gate>", {"right": 0.5})
    page = report(
        read_history(tmp_path), [gate_table({"fact-en-01": {"right": True}, "fact-en-02": {"right": False}})]
    )
    assert "&lt;gate&gt;" in page
    assert "<script" not in page
    assert "<td>fact<td>2" in page.replace("</td>", "")
