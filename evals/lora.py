"""Writes a recipe that trains a LoRA adapter of an open model by TRL, on a machine with a GPU.

The recipe is a folder: the chats as TRL takes them (prompt and completion, so that answers alone are
learned), a configuration for `trl sft`, pinned requirements, and what to do with them.
"""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from evals.finetune_generator import chats
from retrieval.ports import Message

BASE = "Qwen/Qwen3-4B-Instruct-2507"
"""What is trained unless another is named: small, open (Apache-2.0), at home in English and Chinese."""
FILES = ("lora.yaml", "requirements.txt", "README.md")


def write_recipe(folder: Path, out: Path, base: str) -> dict[str, Any]:
    """Write the recipe for a folder of `teamlore dataset generator`. Raises Permanent without its chats."""
    sides = {name: chats(folder / f"{name}.jsonl") for name in ("train", "test")}
    (out / "data").mkdir(parents=True, exist_ok=True)
    for name, some in sides.items():
        lines = "".join(json.dumps(_line(chat), ensure_ascii=False) + "\n" for chat in some)
        (out / "data" / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    counts = {name: len(some) for name, some in sides.items()}
    known = {"base": base, "folder": folder, **counts}
    for name in FILES:
        text = files("evals").joinpath("recipes", "lora", name).read_text(encoding="utf-8")
        (out / name).write_text(Template(text).substitute(known), encoding="utf-8")
    return {**counts, "base": base, "recipe": str(out), "next": f"see {out / 'README.md'}"}


def _line(chat: Sequence[Message]) -> dict[str, list[dict[str, str]]]:
    *before, answer = ({"role": message.role, "content": message.content} for message in chat)
    return {"prompt": before, "completion": [answer]}
