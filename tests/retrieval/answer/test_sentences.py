"""Where sentences end, in both languages."""

import pytest

from retrieval.answer.sentences import sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "We pay 3.5% e.g. for Dr. Smith. See v1.2.3! OK?",
            ["We pay 3.5% e.g. for Dr. Smith.", "See v1.2.3!", "OK?"],
        ),
        ("U.S. staff only. It's 5 p.m. now. Next.", ["U.S. staff only.", "It's 5 p.m. now.", "Next."]),
        ("第一天到岗。请联系人事！工资是3.5万元", ["第一天到岗。", "请联系人事！", "工资是3.5万元"]),
        ("他说“好。”然后走了。KB-3102重启。OK", ["他说“好。”", "然后走了。", "KB-3102重启。", "OK"]),
        ("Intro:\n- one. More.\n- two\n  goes on", ["Intro:", "- one.", "More.", "- two goes on"]),
        ("a line\nwraps here.\n\n文本换\n行了。", ["a line wraps here.", "文本换行了。"]),
        ("| a |\n|---|\n| 1. X |\nText.", ["| a |\n|---|\n| 1. X |", "Text."]),
        ("```\nls. A\n\nB\n```\nEnd.", ["```\nls. A\n\nB\n```", "End."]),
        ("", []),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts
