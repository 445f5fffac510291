"""The console in a real browser: its pages are laid out, in light and in dark, without scripts."""

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import uvicorn
from PIL import Image

from bot.console.app import make_console
from bot.gallery.__main__ import BROWSERS
from evals.history import note
from retrieval.pipeline import answer
from storage.base import open_database
from storage.tables import metadata
from tests.bot.test_console import TOKEN, NoRedis, NotFound
from tests.tracing import listen, parts, question
from workers.redact import Redactor
from workers.trace_log import TraceLog

BROWSER = next(filter(None, map(shutil.which, BROWSERS)), "")
pytestmark = [pytest.mark.live, pytest.mark.skipif(not BROWSER, reason="no Chromium here (make browser)")]
WIDTH, HEIGHT = 1200, 900


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A served console with two questions and a history; yields its address."""
    home = tmp_path_factory.mktemp("console")
    database = open_database(f"sqlite:///{home / 'x.db'}")
    metadata.create_all(database.engine)
    listen(TraceLog(database, Redactor()))
    answer(question("年假有几天？", id="q1"), parts())
    answer(question("Is parking free in Leeds?", id="q2"), parts(NotFound()))
    for right in (0.5, 0.6, 0.75):
        note(home, "gate", {"right": right, "facts": 1 - right})
    app = make_console(database, NoRedis(), home, TOKEN, "home")  # pyright: ignore[reportArgumentType]
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        serving.start()
        while not server.started:
            time.sleep(0.02)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        serving.join()
    database.engine.dispose()


def browse(address: str, profile: Path, *options: str) -> str:
    """What Chromium prints of a page, entered by the link with the token."""
    common = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--user-data-dir={profile}",
    ]
    command = [
        BROWSER,
        *common,
        "--hide-scrollbars",
        f"--window-size={WIDTH},{HEIGHT}",
        *options,
        f"{address}?token={TOKEN}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def pixels(address: str, folder: Path, *options: str) -> Any:
    """A picture of a page, of shape (height, width, 3)."""
    shot = folder / "shot.png"
    browse(address, folder / "profile", f"--screenshot={shot}", *options)
    with Image.open(shot) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def test_the_link_opens_a_trace_with_its_waterfall(console: str, tmp_path: Path) -> None:
    page = browse(f"{console}/trace/q1", tmp_path, "--dump-dom")
    assert "年假有几天？" in page
    assert page.count('class="lane"') >= 5


def test_charts_have_ink_on_them(console: str, tmp_path: Path) -> None:
    picture = pixels(f"{console}/evaluation", tmp_path)
    accent = np.abs(picture - [0x1A, 0x6B, 0x5C]).sum(axis=2) < 30
    assert accent.sum() > 500


def test_dark_is_dark_and_light_is_light(console: str, tmp_path: Path) -> None:
    light = pixels(console, tmp_path)
    dark = pixels(console, tmp_path, "--force-dark-mode", "--blink-settings=preferredColorScheme=0")
    assert light.mean() > 200
    assert dark.mean() < 60
