"""`python -m bot.gallery [FOLDER]`: renders every scene into a page and takes pictures of it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from bot.gallery.scenes import scenes
from bot.standin.install import find_node

NODE = Path(__file__).parent / "node"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDTH, HEIGHT = 1300, 900
SECONDS = 180


def main() -> None:
    """Write page.html and a picture for each language."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/gallery").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    node = find_node()
    work = folder / "node"
    shutil.copytree(NODE, work, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules"))
    _run([str(node.node), str(node.npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund"], work)
    for language in ("en", "zh"):
        mine = [scene for scene in scenes() if scene["title"].startswith(language)]
        data, page = folder / f"{language}.json", folder / f"{language}.html"
        data.write_text(json.dumps(mine, ensure_ascii=False))
        _run([str(node.node), "render.mjs", str(work / "node_modules"), str(data), str(page)], work)
        _photograph(page, folder / f"{language}.png")
        print(folder / f"{language}.png")


def _photograph(page: Path, picture: Path) -> None:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise SystemExit("no Chromium: run `make browser`")
    options = [
        "--headless",
        "--no-sandbox",
        "--hide-scrollbars",
        "--disable-gpu",
        "--virtual-time-budget=3000",
    ]
    size = f"--window-size={WIDTH},{HEIGHT * 4}"
    _run([browser, *options, size, f"--screenshot={picture}", page.as_uri()], page.parent)


def _run(command: list[str], where: Path) -> None:
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{done.stderr[-2000:]}")


if __name__ == "__main__":
    main()
