"""Set-up, again and again without harm: `python3 scripts/setup.py`.

With `browser`, what the gallery needs; with `clocks`, what sets a process's clock in `make chaos`.

The standard library only, and readable by an old Python, since nothing is installed yet when it runs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, Optional  # noqa: UP035 (read by old Pythons too)

from tools import (
    CHINESE_FONT,
    CHROMIUM,
    FAKETIME,
    REDIS,
    TESSERACT,
    Refused,
    apt_install,
    install_tools,
    say,
    succeeds,
)

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "teamlore"
OLDEST_PYTHON = (3, 11)
OLDEST_UV = (0, 9)


def main(arguments: list[str]) -> int:
    """Run the steps; returns the exit code."""
    started = time.monotonic()
    try:
        if sys.version_info < OLDEST_PYTHON:
            return run_with(newer_python(), arguments)
        steps = STEPS if not arguments else MORE.get(arguments[0], [])
        if not steps:
            raise Refused(f"{arguments[0]} is unknown; known: {', '.join(MORE)}")
        for number, (title, step) in enumerate(steps, 1):
            say(f"[{number}/{len(steps)}] {title}")
            show_time(step)
    except Refused as error:
        print(f"\nSet-up stopped: {error}", file=sys.stderr)
        return 1
    say(f"Ready after {time.monotonic() - started:.0f} s.")
    return 0


def show_time(step: Callable[[], None]) -> None:
    """Run a step; tell how long it took where a person would have wondered."""
    started = time.monotonic()
    step()
    if time.monotonic() - started > 2:
        say(f"      took {time.monotonic() - started:.0f} s")


def newer_python() -> str:
    """Another Python on this machine that is new enough."""
    for minor in range(15, OLDEST_PYTHON[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        # A version manager's shim may be there for a version that is not chosen: only running it tells.
        if found and succeeds([found, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]):
            return found
    raise Refused(
        f"Python 3.11 or newer is needed; {sys.executable} is {sys.version.split()[0]}. "
        "Install one (Debian 12, Ubuntu 24.04: apt-get install python3 python3-venv; macOS: brew install "
        "python), or name one: make setup PYTHON=/path/to/python3.12"
    )


def run_with(python: str, arguments: list[str]) -> int:
    """This program once more, by another Python."""
    say(f"Using {python}, since {sys.executable} is too old")
    return subprocess.call([python, __file__, *arguments])


def sync_packages() -> None:
    """Install what uv.lock says, with the Python that runs this program."""
    uv = find_uv() or install_uv()
    # Compiled once here: where Python may not write bytecode, every start would compile all imports anew.
    command = [uv, "sync", "--frozen", "--compile-bytecode"]
    if not succeeds([str(venv_python()), "--version"]):
        command += ["--python", sys.executable]
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("VIRTUAL_ENV", "UV_PROJECT_ENVIRONMENT")
    }
    environment["UV_PYTHON_DOWNLOADS"] = "never"
    if subprocess.call(command, cwd=str(ROOT), env=environment):
        raise Refused(
            "uv could not install the Python packages; its own words are above. Where a package cannot be "
            "fetched, this machine does not reach the package index (UV_DEFAULT_INDEX names a mirror)"
        )


def venv_python() -> Path:
    """The project's own Python, made by uv."""
    return ROOT / ".venv" / "bin" / "python"


def find_uv() -> Optional[str]:  # noqa: UP045 (read by old Pythons too)
    """A uv that is new enough for the lock file: the machine's, or the one installed here earlier."""
    for candidate in (shutil.which("uv"), str(CACHE / "uv" / "bin" / "uv")):
        if candidate and uv_version(candidate) >= OLDEST_UV:
            return candidate
    return None


def uv_version(uv: str) -> tuple[int, ...]:
    """Major and minor version, or nothing where it does not run."""
    try:
        words = subprocess.run([uv, "--version"], capture_output=True, text=True, check=True).stdout.split()
        return tuple(int(part) for part in words[1].split(".")[:2])
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError):
        return ()


def install_uv() -> str:
    """Install uv by pip into an environment of its own, outside the checkout."""
    say("      installing uv (once)")
    home = CACHE / "uv"
    if not make_venv(home):
        apt_install(["python3-venv"])
        if not make_venv(home):
            raise Refused(
                "this Python cannot make an environment (python3 -m venv). Debian, Ubuntu: apt-get install "
                "python3-venv; or install uv yourself (pipx install uv; macOS: brew install uv)"
            )
    pip = [str(home / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    if subprocess.call([*pip, "--upgrade", f"uv>={OLDEST_UV[0]}.{OLDEST_UV[1]}"]):
        raise Refused(
            "pip could not install uv; its own words are above. Install uv yourself, then try again"
        )
    return str(home / "bin" / "uv")


def make_venv(home: Path) -> bool:
    """A fresh environment with pip, or False where Debian has split ensurepip off."""
    return succeeds([sys.executable, "-m", "venv", "--clear", str(home)])


def provide() -> None:
    """Have what the project's own code fetches or makes."""
    if subprocess.call([str(venv_python()), str(ROOT / "scripts" / "provide.py")], cwd=str(ROOT)):
        raise Refused("the reason is above; mend it and run make setup again")


STEPS = [
    ("Python packages", sync_packages),
    ("Redis and Tesseract", install_tools([REDIS, TESSERACT])),
    ("Weaviate, the local embedder, the local Slack", provide),
]
MORE = {
    "browser": [("Chromium and a Chinese font", install_tools([CHROMIUM, CHINESE_FONT]))],
    "clocks": [("libfaketime", install_tools([FAKETIME]))],
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
