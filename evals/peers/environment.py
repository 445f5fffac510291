"""The peers' own environment in build/peers, made when it is missing or its list has changed."""

import hashlib
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / "build" / "peers"
SECONDS = 1_800


def peers_python() -> Path:
    """The interpreter that has the peers; some hundred megabytes are installed the first time."""
    python, mark = FOLDER / "bin" / "python", FOLDER / "requirements.sha256"
    listed = HERE / "requirements.txt"
    digest = hashlib.sha256(listed.read_bytes()).hexdigest()
    if not (mark.exists() and mark.read_text("utf-8") == digest):
        print(f"installing the peers into {FOLDER}", file=sys.stderr)
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "--clear", "--python", sys.executable, str(FOLDER)], check=True)
        subprocess.run([*uv, "pip", "install", "--python", str(python), "-r", str(listed)], check=True)
        mark.write_text(digest, encoding="utf-8")
    return python


def run_peer(python: Path, folder: Path, peer: str) -> None:
    """Let one peer do one set. Raises CalledProcessError when it fails."""
    subprocess.run(
        [str(python), "-W", "ignore", str(HERE / "ask.py"), str(folder), peer], check=True, timeout=SECONDS
    )
