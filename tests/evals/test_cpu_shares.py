"""A stack's time is charged to whoever spends it: a library that is somebody's, else the module of ours."""

from pathlib import Path

import pytest

from evals.cpu_shares import ELSE, MODELS, REDIS, SQL, TRACING, WEAVIATE, owner, sampled

ROOT = Path(__file__).parent.parent.parent
LIBRARIES = "/venv/lib/python3.11/site-packages"
REGEX = "/usr/lib/python3.11/re/__init__.py"


def ours(module: str) -> str:
    return str(ROOT / module)


@pytest.mark.parametrize(
    ("innermost_first", "whose"),
    [
        ([REGEX, ours("retrieval/answer/guard.py"), ours("retrieval/tracing.py")], "retrieval/answer/guard"),
        ([f"{LIBRARIES}/numpy/core.py", ours("retrieval/providers/local_reranker.py")], MODELS),
        ([f"{LIBRARIES}/httpx/client.py", f"{LIBRARIES}/weaviate/connect/v4.py"], WEAVIATE),
        ([f"{LIBRARIES}/redis/client.py", ours("workers/inbox.py")], REDIS),
        ([f"{LIBRARIES}/sqlalchemy/orm/session.py", ours("storage/answers.py")], SQL),
        ([f"{LIBRARIES}/sqlalchemy/orm/session.py", ours("workers/trace_log.py")], TRACING),
        (["/usr/lib/python3.11/threading.py"], ELSE),
    ],
)
def test_a_stack_is_charged_to_its_owner(innermost_first: list[str], whose: str) -> None:
    assert owner(innermost_first) == whose


def test_what_computes_is_seen() -> None:
    with sampled() as samples:
        sum(n * n for n in range(5_000_000))
    assert samples["tests/evals/test_cpu_shares"] > 0.9 * samples.total() > 0
