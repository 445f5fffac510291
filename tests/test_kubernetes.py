"""The manifests say the same as the code: processes, queues, health, grace, and no right too many."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from workers.promise import SAY_UNTIL
from workers.queue import ANSWER_LIMIT_SECONDS, ANSWERS
from workers.servers.product import PROCFILE, read_procfile
from workers.settings import variable_names

FOLDER = Path(__file__).parents[1] / "deploy" / "kubernetes"
THEIRS = {"WEB_WORKERS", "ANSWER_WORKERS"}


def manifests() -> list[dict[str, Any]]:
    listed = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())["resources"]
    assert set(listed) == {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    return [one for name in listed for one in yaml.safe_load_all((FOLDER / name).read_text())]


def of_kind(kind: str) -> dict[str, dict[str, Any]]:
    return {one["metadata"]["name"]: one for one in manifests() if one["kind"] == kind}


def pod(deployment: dict[str, Any]) -> dict[str, Any]:
    return deployment["spec"]["template"]["spec"]


def test_every_process_of_the_procfile_is_deployed() -> None:
    deployed = {name: pod(one)["containers"][0]["args"] for name, one in of_kind("Deployment").items()}
    assert deployed == {name: [name] for name in read_procfile(PROCFILE) if name != "socket"}


def test_selectors_fit_the_pods() -> None:
    for name, one in of_kind("Deployment").items():
        labels = one["spec"]["template"]["metadata"]["labels"]
        assert one["spec"]["selector"]["matchLabels"] == labels == {"app": "teamlore", "process": name}
    assert of_kind("Service")["web"]["spec"]["selector"] == {"app": "teamlore", "process": "web"}


def test_there_is_one_clock_also_during_an_update() -> None:
    clock = of_kind("Deployment")["beat"]["spec"]
    assert clock["replicas"] == 1
    assert clock["strategy"] == {"type": "Recreate"}


def test_a_worker_may_finish_what_it_began() -> None:
    grace = pod(of_kind("Deployment")["answers"])["terminationGracePeriodSeconds"]
    assert grace >= ANSWER_LIMIT_SECONDS > SAY_UNTIL


def test_answer_workers_scale_with_the_line() -> None:
    scale = of_kind("ScaledObject")["answers"]["spec"]
    assert scale["triggers"][0]["metadata"]["listName"] == ANSWERS
    assert scale["scaleTargetRef"]["name"] in of_kind("Deployment")


def test_web_is_asked_for_its_health_where_it_tells() -> None:
    web = pod(of_kind("Deployment")["web"])["containers"][0]
    assert web["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert web["readinessProbe"]["httpGet"]["path"] == "/readyz"


def test_only_known_variables_are_set() -> None:
    given = {*of_kind("ConfigMap")["teamlore"]["data"], *of_kind("Secret")["teamlore"]["stringData"]}
    assert given <= {*variable_names().values()} | THEIRS


@pytest.mark.parametrize("name", ["web", "answers", "indexing", "beat"])
def test_no_pod_has_a_right_too_many(name: str) -> None:
    spec = pod(of_kind("Deployment")[name])
    assert spec["securityContext"]["runAsNonRoot"]
    own = spec["containers"][0]["securityContext"]
    assert own == {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
