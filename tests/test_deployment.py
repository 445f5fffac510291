"""The files by which the product is run elsewhere say the same as the code, and are well formed."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from workers.servers.product import PROCFILE, read_procfile
from workers.servers.weaviate_binary import VERSION
from workers.settings import variable_names

ROOT = Path(__file__).parents[1]
ON_A_MACHINE_OF_ITS_OWN = {"postgres", "redis", "weaviate"}

compose_spec = pytest.importorskip("compose_spec", reason="compose-spec has no wheel for this Python")


def interpolate(text: str) -> str:
    """Fill `${NAME}`, `${NAME:-default}` and `${NAME:?message}` in, as compose does before it parses."""
    return re.sub(r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}", lambda found: found[2] or found[1].lower(), text)


def read_compose() -> dict[str, dict[str, Any]]:
    spec = compose_spec.PyOptions(apply_merge=True).from_yaml(
        interpolate((ROOT / "compose.yaml").read_text())
    )
    spec.validate()
    spec.to_spec()
    return spec.to_dict()["services"]


def test_the_compose_file_is_valid_and_waits_for_servers_that_it_has() -> None:
    services = read_compose()
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
    assert set(services) >= ON_A_MACHINE_OF_ITS_OWN


def test_the_compose_file_runs_processes_of_the_procfile() -> None:
    services = read_compose()
    ours = {
        name: service["command"] for name, service in services.items() if name not in ON_A_MACHINE_OF_ITS_OWN
    }
    assert ours == {name: [name] for name in read_procfile(PROCFILE) if name != "socket"}


def test_the_compose_file_sets_only_variables_that_the_settings_read() -> None:
    services = read_compose()
    assert set(services["web"]["environment"]) <= set(variable_names().values())


def test_the_compose_file_runs_the_weaviate_that_the_tests_ran() -> None:
    assert read_compose()["weaviate"]["image"] == f"semitechnologies/weaviate:{VERSION}"


def test_a_process_of_the_procfile_is_run_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "Procfile").write_text("# web: no\nweb: printf '%s ' ${GREETING:-hello} 'two  words'\n")
    assert run_process("web", tmp_path).stdout == "hello two  words "


def test_a_process_that_the_procfile_lacks_is_named(tmp_path: Path) -> None:
    (tmp_path / "Procfile").write_text("web: true\n")
    done = run_process("wbe", tmp_path)
    assert (done.returncode, done.stderr) == (64, "the Procfile has no process named wbe\n")


def run_process(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "PROCFILE": str(folder / "Procfile")}
    command = [str(ROOT / "scripts" / "run-process"), name]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=20, check=False)
