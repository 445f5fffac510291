"""Questions that look alike and ask for different things are told apart; rewordings are not."""

import pytest

from retrieval.cache.guards import difference

APART = [
    ("Is port 6379 open by default?", "Is port 6379 closed by default?"),
    ("How do I enable SSO?", "How do I disable SSO?"),
    ("What changed in v1.2?", "What changed in v1.3?"),
    ("How do I deploy to staging?", "How do I deploy to production?"),
    ("What does KB-3102 weigh?", "What does KB-3120 weigh?"),
    ("What may I expense?", "What may I not expense?"),
    ("How many days of leave in 2025?", "How many days of leave in 2026?"),
    ("Does Ruth Oyelaran approve travel?", "Does Gu Min approve travel?"),
    ("Is plan A faster than plan B?", "Is plan B faster than plan A?"),
    ("How do I convert euros to pounds?", "How do I convert pounds to euros?"),
    ("Who reports to Ann?", "Who does Ann report to?"),
    ("What is the minimum length of a password?", "What is the maximum length of a password?"),
    ("What happens before a release?", "What happens after a release?"),
    ("Do employees get a laptop?", "Do contractors get a laptop?"),
    ("How long is probation in Leeds?", "How long is probation in Suzhou?"),
    ("How much leave do I get this year?", "How much leave do I get next year?"),
    ("6379 端口默认开放吗？", "6379 端口默认关闭吗？"),
    ("怎么启用单点登录？", "怎么禁用单点登录？"),
    ("怎么部署到测试环境？", "怎么部署到生产环境？"),
    ("v2.13 改了什么？", "v2.31 改了什么？"),
    ("出差可以报销打车费吗？", "出差不可以报销打车费吗？"),
    ("年假最多能结转几天？", "年假最少能结转几天？"),
    ("谁向李雷汇报？", "李雷向谁汇报？"),
    ("人民币怎么兑美元？", "美元怎么兑人民币？"),
    ("试用期内可以休年假吗？", "试用期后可以休年假吗？"),
    ("三天的假提前多久申请？", "五天的假提前多久申请？"),
    ("今年有几天年假？", "明年有几天年假？"),
    ("实习生有年假吗？", "员工有年假吗？"),
    ("How do I reset my password?", "怎么重置我的密码？"),
]
JUDGED = [
    ("Why is the build red?", "When is the build red?"),
    ("What is the limit for hotels?", "What is the limit for flights?"),
    ("英国同事有几天年假？", "中国同事有几天年假？"),
]
"""Apart, as the model says (test_verify.py)."""
ALIKE = [
    ("How do I reset my password?", "how can I reset my password"),
    ("What is the best way to reset a password?", "How do I reset a password?"),
    ("Please, how do I claim expenses?", "How can I claim expenses?"),
    ("Where can I find the VPN guide?", "Where do I find the VPN guide?"),
    ("How do I fix error 5023?", "How can I solve error 5023?"),
    ("What does KB-3102 weigh?", "what does kb-3102 weigh?"),
    ("怎么重置密码？", "如何重置密码"),
    ("请问怎么申请年假？", "年假怎么申请？"),
    ("用电脑怎么发短信", "怎样用电脑发短信"),
    ("笔记本坏了找谁修理？", "电脑坏了找谁维修？"),
]


@pytest.mark.parametrize(("a", "b"), APART)
def test_different_things_are_told_apart_both_ways(a: str, b: str) -> None:
    assert difference(a, b)
    assert difference(b, a)


@pytest.mark.parametrize(("a", "b"), ALIKE)
def test_rewordings_are_one_question(a: str, b: str) -> None:
    assert difference(a, b) == ""
    assert difference(b, a) == ""


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("How do I pair one probe?", "How do I pair ten probes?"),
        ("Is the 13-year-old server still there?", "Is the 14-year-old server still there?"),
        ("退货满十天怎么办？", "退货满十二天怎么办？"),
    ],
)
def test_numbers_in_words_count_where_the_other_has_one_too(a: str, b: str) -> None:
    assert difference(a, b) == "numbers"


def test_one_and_once_in_passing_prove_nothing() -> None:
    assert difference("How does one get a laptop?", "How do I get a laptop?") == ""
    assert difference("What happens once I leave?", "What happens when I leave?") == ""


def test_a_long_statement_may_say_not_in_passing_but_no_other_figure() -> None:
    long = "You can keep the data in memory even if you do not have the space on disk for all {} of them."
    same = "Even without enough space on disk it is possible for you to keep all {} of the data in memory."
    assert difference(long.format(20), same.format(20)) == ""
    assert difference(long.format(20), same.format(30)) == "numbers"


def test_a_statement_may_begin_with_the_answer_and_turn_its_sentence_round() -> None:
    assert difference("No, it doesn't exist in version 2.", "Version 2 does not contain it.") == ""
    assert difference("It exists in version 2.", "No, it doesn't exist in version 2.") == "polarity"
    assert difference("Tables can be made from CSV files.", "CSV files can be used to make tables.") == ""
    assert difference("Can Ann be paid by Bo?", "Can Bo be paid by Ann?") == "order"


def test_round_numbers_in_words_are_figures() -> None:
    assert difference("Are there over 100 languages?", "Are there more than one hundred languages?") == ""
    assert difference("Are there over 100 languages?", "Are there over a thousand languages?") == "numbers"


def test_making_something_is_no_environment() -> None:
    assert difference("Which model makes images?", "Which model is for the production of images?") == ""
