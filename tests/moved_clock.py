"""Runs a module under a clock that may be moved: `python -m tests.moved_clock FILE MODULE`.

FILE holds by how many seconds the process's clock is ahead of the machine's.
"""

import runpy
import sys
import time
from pathlib import Path

_real = time.time


def _moved() -> float:
    return _real() + float(Path(sys.argv[1]).read_text() or 0)


if __name__ == "__main__":
    time.time = _moved
    runpy.run_module(sys.argv[2], run_name="__main__")
