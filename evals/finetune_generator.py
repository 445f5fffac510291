"""Trains a hosted chat model on a house's own answers, and tells whether it writes better than before.

The job runs at the provider (retrieval/providers/openai_jobs.py); `teamlore dataset generator` writes the
chats. Both models then answer chats that were kept for testing: an answer is worth the share of its
neighbouring words that stand so in its sources, and nothing without a mark.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.replay import significance
from retrieval.answer.check import faithfulness
from retrieval.answer.claims import cited
from retrieval.errors import Permanent
from retrieval.ports import LLM, Message

FEW = 300
BASE = "gpt-4.1-mini"
"""What is trained at the provider unless another is named."""


def before_after(before: LLM, after: LLM, kept: Sequence[Sequence[Message]]) -> dict[str, Any]:
    """What both models' answers to chats that neither saw are worth, and the paired gain's p."""
    pairs = [(worth(before, chat), worth(after, chat)) for chat in kept]
    won, lost = sum(b > a for a, b in pairs), sum(b < a for a, b in pairs)
    means = [round(sum(side) / max(1, len(pairs)), 4) for side in zip(*pairs, strict=True)] or [0.0, 0.0]
    p = significance(won, lost)
    better = means[1] > means[0] and p < 0.05
    return {"chats": len(pairs), "before": means[0], "after": means[1], "p": p, "wins": better}


def worth(llm: LLM, chat: Sequence[Message]) -> float:
    """What a model's answer to a chat's question is worth, 0 to 1."""
    told = [message for message in chat if message.role != "assistant"]
    text = llm.write(told)
    return max(0.0, faithfulness(text, told[0].content)) if cited(text) else 0.0


def chats(file: Path) -> list[list[Message]]:
    """The chats of a file of the dataset. Raises Permanent without one."""
    if not file.exists() or not (lines := file.read_text(encoding="utf-8").splitlines()):
        raise Permanent(f"no chats in {file}; `teamlore dataset generator` writes them")
    rows = (json.loads(line)["messages"] for line in lines)
    return [[Message(one["role"], one["content"]) for one in row] for row in rows]
