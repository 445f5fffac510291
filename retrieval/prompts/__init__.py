"""What language models are told: one Markdown file a job, parts divided by `---` lines."""

import functools
from importlib.resources import files


@functools.cache
def prompt(name: str) -> str:
    """The text of `name`.md, without the blank around it."""
    return files("retrieval.prompts").joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


@functools.cache
def parts(name: str) -> tuple[str, ...]:
    """The parts of `name`.md in order: the system's, then user and assistant in turn."""
    return tuple(part.strip() for part in prompt(name).split("\n---\n"))
