"""Secrets and personal data leave a text; what people need to read stays."""

import pytest
from hypothesis import given
from hypothesis.strategies import DataObject, data, from_regex, sampled_from

from workers.redact import _NUMBER, _RULES, Redactor, redactor  # pyright: ignore[reportPrivateUsage]

redact = Redactor()


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("token xoxb-12345678-abcDEF0123", "token [slack token]"),
        ("xapp-1-A0123-456-abcdef", "[slack token]"),
        ("key sk-proj-abcdefghijklmnop1234", "key [api key]"),
        ("Authorization: Bearer abcdefghijkl.mnop", "Authorization: Bearer [token]"),
        ("postgresql://bot:s3cret@db/x", "postgresql://[credentials]@db/x"),
        ("the password is hunter22!", "the password is [secret]"),
        ("api_key=abcdef123456", "api_key=[secret]"),
        ("密码：wo4mima88", "密码：[secret]"),
        ("ask ann.lee+x@example.co.uk now", "ask [email] now"),
        ("问张伟zhangwei@example.cn吧", "问张伟[email]吧"),
        ("call +44 20 7946 0958", "call [phone]"),
        ("手机13812345678，微信同号", "手机[phone]，微信同号"),
        ("(212) 555-0142", "[phone]"),
        ("card 4111 1111 1111 1111.", "card [card number]."),
        ("身份证11010519491231002X", "身份证[id number]"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "[private key]"),
    ],
)
def test_a_secret_or_a_persons_data_is_replaced_by_its_name(text: str, clean: str) -> None:
    assert redact(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "How do I reset KB-3102 to firmware 2.14.3?",
        "order 4111111111111112, invoice 2026-000123",
        "版本 v1.2.3 在 2026-03-31 之前",
        "What is the password policy? Is a token needed?",
        "密码多久要改一次？",
        "open port 6379 on 10.0.0.12:8080",
        "https://example.com/a/b?c=d",
        "200,000 vectors in 1700000000 ns",
    ],
)
def test_codes_dates_versions_and_plain_questions_stay(text: str) -> None:
    assert redact(text) == text


def test_a_known_secret_is_taken_out_whatever_it_looks_like() -> None:
    assert redactor(["plainword99", "short"])("say plainword99 or short") == "say [secret] or short"


def test_values_inside_lists_and_mappings_are_cleaned_too() -> None:
    value = {"a": ["me@example.com", 3], "b": {"c": ("x\x00y", None)}}
    assert redact.all_in(value) == {"a": ["[email]", 3], "b": {"c": ["xy", None]}}


@given(data())
def test_a_rule_is_tried_on_whatever_it_would_find(drawn: DataObject) -> None:
    rule = drawn.draw(sampled_from(_RULES))
    text = drawn.draw(from_regex(rule.pattern))
    signs = any(sign in text.lower() for sign in rule.signs) if rule.signs else _NUMBER.search(text)
    assert signs or not rule.pattern.search(text), (rule, text)
