"""Takes secrets and personal data out of text by rule, for logs, traces and data sets.

A rule is a pattern and a name; what it finds becomes `[name]`. Card and identity numbers count only with a
right check digit, so that order numbers and product codes stay readable. A rule is only tried on a text with
one of its signs, words in small letters that stand in all it finds: most texts have none.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

_SECRETS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        "private key",
        ("-----begin",),
    ),
    (r"\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}|\bxoxe\.[\w.-]{8,}", "slack token", ("xox", "xapp-")),
    (r"https://hooks\.slack\.com/[\w/%-]+", "slack hook", ("hooks.slack",)),
    (r"\bsk-[\w-]{16,}|\bco-[A-Za-z0-9]{30,}", "api key", ("sk-", "co-")),
    (
        r"\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}",
        "api key",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"),
    ),
    (r"\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{35}", "api key", ("akia", "aiza")),
    (r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}", "token", ("eyj",)),
    (r"(?i)(?<=bearer )[\w.~+/=-]{12,}", "token", ("bearer ",)),
    (r"(?<=://)[^\s/:@]{0,64}:[^\s/@]{1,200}(?=@)", "credentials", ("://",)),
    (
        r"(?i)(?P<keep>(?:password|passwd|secret|api[_-]?key|token|密码)[\"']?\s*(?:is\s|[=:：]|是)\s*)"
        r"[\"']?[^\s\"',;，。；]{6,}",
        "secret",
        ("password", "passwd", "secret", "api_key", "api-key", "apikey", "token", "密码"),
    ),
)
_PERSONAL: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+", "email", ("@",)),
    (r"(?<!\w)\+\d{1,3}[ -]?(?:\(\d{1,4}\)[ -]?)?\d{2,5}(?:[ -]?\d{2,4}){1,4}(?!\w)", "phone", ("+",)),
    (r"(?<![\w-])1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![\w-])", "phone", ()),
    (r"(?<![\w-])\(?\d{3}\)?[ .-]\d{3}[.-]\d{4}(?![\w-])", "phone", ()),
)
_NUMBER = re.compile(r"\d(?<![\w-].)(?:[ ().-]{0,2}\d){9}", re.ASCII)
"""The sign of the rules that have none: what they find has ten digits at least."""


@dataclass(frozen=True)
class Redactor:
    """Rewrites text; `known` are secrets to take out wherever they stand, whatever they look like."""

    known: tuple[str, ...] = ()
    rules: "tuple[_Rule, ...] | None" = None
    """Those that are tried; None is all of them."""

    def __call__(self, text: str) -> str:
        for secret in self.known:
            text = text.replace(secret, "[secret]")
        for rule in self._told_by(text):
            text = rule.pattern.sub(rule.put, text)
        return text.replace("\x00", "")

    def within(self, text: str) -> "Redactor":
        """The same for parts of a text, without the rules and secrets of which it has no sign."""
        return Redactor(tuple(secret for secret in self.known if secret in text), self._told_by(text))

    def _told_by(self, text: str) -> "tuple[_Rule, ...]":
        rules = _RULES if self.rules is None else self.rules
        if not rules:
            return ()
        small, has_number = text.lower(), _NUMBER.search(text) is not None
        return tuple(rule for rule in rules if (rule.may_find(small) if rule.signs else has_number))

    def all_in(self, value: Any) -> Any:
        """The same value with every string in it rewritten, in mappings and lists too."""
        match value:
            case str():
                return self(value)
            case Mapping():
                return {key: self.all_in(item) for key, item in cast("Mapping[str, Any]", value).items()}
            case list() | tuple():
                return [self.all_in(item) for item in cast("list[Any]", value)]
            case _:
                return value


def redactor(secrets: Iterable[str]) -> Redactor:
    """A redactor that also knows `secrets`; those shorter than eight characters would hit plain words."""
    return Redactor(tuple(sorted({secret for secret in secrets if len(secret) >= 8}, key=len, reverse=True)))


def _put(name: str) -> Callable[[re.Match[str]], str]:
    return lambda found: f"{found.groupdict().get('keep') or ''}[{name}]"


def _put_checked(name: str, is_valid: Callable[[str], bool]) -> Callable[[re.Match[str]], str]:
    return lambda found: f"[{name}]" if is_valid(re.sub(r"[ -]", "", found[0])) else found[0]


def _is_card(digits: str) -> bool:
    """Luhn's check (ISO/IEC 7812-1)."""
    doubled = [int(digit) * (2 if index % 2 else 1) for index, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def _is_citizen(number: str) -> bool:
    """The check character of a Chinese resident identity number (GB 11643-1999, ISO 7064 MOD 11-2)."""
    total = sum(int(digit) * (2 ** (17 - place) % 11) for place, digit in enumerate(number[:17]))
    return "10X98765432"[total % 11] == number[17].upper()


@dataclass(frozen=True)
class _Rule:
    pattern: re.Pattern[str]
    put: Callable[[re.Match[str]], str]
    signs: tuple[str, ...] = ()

    def may_find(self, small: str) -> bool:
        """Whether one of its signs stands in a text in small letters. (`any` would take twice as long.)"""
        for sign in self.signs:  # noqa: SIM110
            if sign in small:
                return True
        return False


# ASCII: a Chinese character right beside a number must not hide it.
_CHECKED = (
    _Rule(re.compile(r"(?<![\w-])\d{17}[\dXx](?!\w)", re.ASCII), _put_checked("id number", _is_citizen)),
    _Rule(
        re.compile(r"(?<![\w-])\d(?:[ -]?\d){12,18}(?![\w-])", re.ASCII),
        _put_checked("card number", _is_card),
    ),
)
_RULES = (
    *(_Rule(re.compile(found, re.DOTALL | re.ASCII), _put(name), signs) for found, name, signs in _SECRETS),
    *_CHECKED,
    *(_Rule(re.compile(found, re.ASCII), _put(name), signs) for found, name, signs in _PERSONAL),
)
