"""The figures for Prometheus are counted from spans, across processes; dashboard and alerts use them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_PROCESS = """
import sys
from pathlib import Path
from tests.tracing import listen, parts, question
from workers.metrics import Meter
from retrieval.pipeline import answer
listen(Meter(Path(sys.argv[1])))
answer(question(), parts())
"""
_PAGE = """
import sys
from pathlib import Path
from workers.metrics import page
class Redis:
    def llen(self, name): return 2
print(page(Path(sys.argv[1]), Redis()).decode())
"""


def run(program: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("metrics")
    for _ in range(2):
        run(_PROCESS, folder)
    return run(_PAGE, folder)


def test_questions_of_all_processes_are_added_up(page: str) -> None:
    assert 'teamlore_questions_total{cached="false",outcome="answered",route="documents"} 2.0' in page


def test_tokens_cost_time_and_queues_are_there(page: str) -> None:
    assert 'teamlore_tokens_total{direction="input",model="openai:gpt-5-mini"} 1800.0' in page
    assert 'teamlore_cost_usd_total{model="openai:gpt-5-mini"} 0.0006' in page
    assert 'teamlore_stage_seconds_count{stage="search"} 2.0' in page
    assert 'teamlore_queue_tasks{queue="answers"} 2' in page


def test_dashboard_and_alerts_use_only_figures_that_exist() -> None:
    source = (ROOT / "workers/metrics.py").read_text()
    known = set(re.findall(r'"(teamlore_\w+)"', source)) | {"teamlore_queue_tasks"}
    for file in ("grafana.json", "alerts.yaml"):
        used = set(re.findall(r"\bteamlore_\w+", (ROOT / "docs/monitoring" / file).read_text()))
        assert {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in used} <= known


def test_the_dashboard_is_json_with_a_query_on_each_panel() -> None:
    panels = json.loads((ROOT / "docs/monitoring/grafana.json").read_text())["panels"]
    assert len(panels) >= 10
    assert all(target["expr"] for panel in panels for target in panel["targets"])
