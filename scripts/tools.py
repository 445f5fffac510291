"""Programs of the system's own package manager: installed by apt as root, else named with their commands."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Callable, NamedTuple  # noqa: UP035 (read by old Pythons too)


class Refused(Exception):
    """Something cannot be had here; the message names the remedy."""


class Tool(NamedTuple):
    """A program of the system's package manager, by the names that it has there."""

    name: str
    is_there: Callable[[], bool]
    apt: str
    brew: str
    instead: str = ""


def say(line: str) -> None:
    """One line of progress, seen at once also where output goes to a file."""
    print(line, flush=True)


def install_tools(tools: list[Tool]) -> Callable[[], None]:
    """A step that installs those of `tools` that are missing, or refuses with the commands that would."""

    def step() -> None:
        missing = [tool for tool in tools if not tool.is_there()]
        if not missing:
            return
        apt_install([package for tool in missing for package in tool.apt.split()])
        still = [tool for tool in missing if not tool.is_there()]
        if still:
            raise Refused(how_to_install(still))

    return step


def how_to_install(tools: list[Tool]) -> str:
    """The commands by which a person installs them."""
    names = ", ".join(tool.name for tool in tools)
    lines = [
        f"missing on this machine: {names}. Install, then try again:",
        f"  Debian, Ubuntu:  sudo apt-get install {' '.join(tool.apt for tool in tools)}",
        f"  macOS:           brew install {' '.join(tool.brew for tool in tools)}",
        *(f"  or {tool.instead}" for tool in tools if tool.instead),
    ]
    return "\n".join(lines)


def apt_install(packages: list[str]) -> None:
    """Install by apt where that is possible: as root, on a system that has it. Does nothing elsewhere."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    say(f"      installing by apt: {' '.join(packages)}")
    apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in ([*apt, "update"], [*apt, "install", "--yes", "--no-install-recommends", *packages]):
        # Whether it worked is seen by what is there afterwards; apt's complaints go to the terminal.
        subprocess.call(command, env=environment, stdout=subprocess.DEVNULL)


def has_redis() -> bool:
    """A Redis (or Valkey) to start, or one that runs elsewhere."""
    return bool(os.environ.get("REDIS_URL") or shutil.which("redis-server") or shutil.which("valkey-server"))


def has_tesseract() -> bool:
    """Tesseract with both languages that the product reads."""
    if not shutil.which("tesseract"):
        return False
    listed = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, check=False)
    return {"eng", "chi_sim"} <= set((listed.stdout + listed.stderr).split())


def has_chromium() -> bool:
    """A browser that the gallery can drive."""
    return any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome")))


def has_chinese_font() -> bool:
    """A font that shows Chinese instead of boxes; macOS always has one."""
    if sys.platform == "darwin":
        return True
    return bool(shutil.which("fc-list")) and ":" in output(["fc-list", ":lang=zh-cn"])


def has_faketime() -> bool:
    """The library by which a process's clock is set, which Linux alone has."""
    return sys.platform != "linux" or any(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))


def succeeds(command: list[str]) -> bool:
    """Whether a command can be run and ends well."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def output(command: list[str]) -> str:
    """What a command prints."""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


REDIS = Tool("Redis", has_redis, "redis-server", "redis", "set REDIS_URL to a Redis that runs already")
TESSERACT = Tool(
    "Tesseract with English and Chinese",
    has_tesseract,
    "tesseract-ocr tesseract-ocr-eng tesseract-ocr-chi-sim",
    "tesseract tesseract-lang",
)
CHROMIUM = Tool("Chromium", has_chromium, "chromium", "--cask chromium")
CHINESE_FONT = Tool("a Chinese font", has_chinese_font, "fontconfig fonts-noto-cjk", "font-noto-sans-cjk")
FAKETIME = Tool("libfaketime", has_faketime, "libfaketime", "libfaketime")
