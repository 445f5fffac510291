"""Words that say nothing about what a question is after. Dropped from questions only, never from passages."""

from importlib.resources import files


def _read(name: str) -> frozenset[str]:
    return frozenset(files("retrieval.search").joinpath("words", name).read_text(encoding="utf-8").split())


ENGLISH = _read("stop_en.txt")
CHINESE = _read("stop_zh.txt")
