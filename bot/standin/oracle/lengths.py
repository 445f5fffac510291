"""Checks what no type says: lengths, counts, and what may stand together in one message or view.

The lengths of each element come from slackblocks' registry of limits, looked up by name (a header's text is
HEADER_TEXT_MAX_LENGTH). That module is private; the exact version pinned in pyproject makes it safe. The
limits of a whole message are ours, each with where it is known from.
"""

from collections.abc import Iterator
from typing import Any, Literal

from slackblocks import _limits as registry  # pyright: ignore[reportPrivateUsage]
from slackblocks._surfaces import (
    _BLOCK_TYPES_BY_SURFACE as ALLOWED_ON,  # pyright: ignore[reportPrivateUsage]
)

from bot.standin.oracle.problem import Problem
from bot.standin.values import Json, as_list, as_object, objects, text_of

Surface = Literal["message", "modal", "home"]

MARKDOWN_TOTAL = registry.MARKDOWN_TOTAL_TEXT_MAX_LENGTH
# bolt-js #2509: markdown alone is refused above 13,297 characters, and a divider more costs 125 of them.
BLOCKS_BUDGET = 13_400
BLOCK_COST = 125
# Reported by those who post tables: one a message (only_one_table_allowed), 10,000 characters in its cells.
TABLES = ("table", "data_table")
TABLE_CHARACTERS = 10_000
# Types whose limits stand under another name in the registry.
SAME_AS = {
    "static_select": "SELECT",
    "external_select": "SELECT",
    "users_select": "SELECT",
    "conversations_select": "SELECT",
    "channels_select": "SELECT",
    "multi_static_select": "SELECT",
    "multi_external_select": "SELECT",
    "multi_users_select": "SELECT",
    "multi_conversations_select": "SELECT",
    "multi_channels_select": "SELECT",
    "email_text_input": "EMAIL_INPUT",
    "url_text_input": "URL_INPUT",
    "datepicker": "DATE_PICKER",
    "timepicker": "TIME_PICKER",
    "home": "VIEW",
    "modal": "VIEW",
}
# Limits on each item of a list, which stand under a name of their own.
PER_ITEM = {"fields": "FIELDS_ITEM", "rows": "COLUMNS"}
# Objects without a type of their own, by the field they stand in.
BY_FIELD = {
    "confirm": "CONFIRMATION",
    "options": "OPTION",
    "initial_option": "OPTION",
    "initial_options": "OPTION",
    "option_groups": "OPTION_GROUP",
    "positive_button": "FEEDBACK_BUTTON",
    "negative_button": "FEEDBACK_BUTTON",
}


def message_problems(blocks: list[Json]) -> Iterator[Problem]:
    """What is too long or too many in the blocks of one message."""
    if len(blocks) > registry.MESSAGE_BLOCKS_MAX_ITEMS:
        yield Problem("invalid_blocks", "/blocks", f"no more than 50 items allowed, got {len(blocks)}")
    yield from _surface_problems(blocks, "message")
    markdown = sum(len(str(block.get("text", ""))) for block in blocks if block.get("type") == "markdown")
    if markdown > MARKDOWN_TOTAL:
        yield Problem("invalid_blocks", "/blocks", f"markdown blocks hold {markdown} characters in all")
    if (size := blocks_size(blocks)) > BLOCKS_BUDGET:
        yield Problem("msg_blocks_too_long", "/blocks", f"{size} characters in all, of {BLOCKS_BUDGET}")
    tables = [block for block in _all_blocks(blocks) if block.get("type") in TABLES]
    if len(tables) > 1:
        yield Problem("invalid_attachments", "/blocks", "only_one_table_allowed")
    if (cells := sum(map(_characters, tables))) > TABLE_CHARACTERS:
        yield Problem("invalid_blocks", "/blocks", f"table cells hold {cells} characters in all")


def view_problems(view: Json) -> Iterator[Problem]:
    """What is too long, too many or out of place in a modal or a Home tab."""
    blocks = objects(view.get("blocks"))
    surface: Surface = "home" if view.get("type") == "home" else "modal"
    if len(blocks) > registry.VIEW_BLOCKS_MAX_ITEMS:
        yield Problem(
            "invalid_arguments", "/view/blocks", f"no more than 100 items allowed, got {len(blocks)}"
        )
    yield from _surface_problems(blocks, surface, "/view/blocks", "invalid_arguments")
    frame = {key: value for key, value in view.items() if key != "blocks"}
    yield from _too_long(frame, "VIEW", "/view", "invalid_arguments")
    has_input = any(block.get("type") == "input" for block in blocks)
    if surface == "modal" and has_input and not view.get("submit"):
        yield Problem("invalid_arguments", "/view/submit", "a modal with inputs needs a submit button")


def blocks_size(blocks: list[Json]) -> int:
    """How much of a message's budget these blocks use."""
    return _characters(blocks) + BLOCK_COST * len(blocks)


def _surface_problems(
    blocks: list[Json], surface: Surface, where: str = "/blocks", rule: str = "invalid_blocks"
) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, block in enumerate(blocks):
        here = f"{where}/{index}"
        if block.get("type") not in ALLOWED_ON[surface] and not _newer(block, surface):
            yield Problem(rule, here, f"a {block.get('type')} block cannot stand in a {surface}")
        if block.get("block_id") and block["block_id"] in seen:
            yield Problem(rule, here, f"block_id {block['block_id']!r} is there twice")
        seen.add(str(block.get("block_id", "")))
        yield from _action_ids(block, here, rule)
        yield from _too_long(block, "", here, rule)


def _newer(block: Json, surface: Surface) -> bool:
    """Alerts came to messages after the registry's list was made (Slack's types name them for both)."""
    return surface == "message" and block.get("type") == "alert"


def _action_ids(block: Json, where: str, rule: str) -> Iterator[Problem]:
    named = [element["action_id"] for element in objects(block.get("elements")) if element.get("action_id")]
    if len(named) != len(set(named)):
        yield Problem(rule, where, "an action_id is there twice in one block")


def _too_long(value: Any, field: str, where: str, rule: str) -> Iterator[Problem]:
    """Walk down, and compare each field of each object with the registry."""
    for index, item in enumerate(as_list(value) or []):
        yield from _too_long(item, field, f"{where}/{index}", rule)
    found = as_object(value) or {}
    kind = _kind(found, field)
    for name, inner in found.items():
        yield from _against_registry(kind, name, inner, f"{where}/{name}", rule)
        yield from _too_long(inner, name, f"{where}/{name}", rule)


def _kind(value: Json, field: str) -> str:
    known = str(value.get("type", ""))
    if field in BY_FIELD:
        return BY_FIELD[field]
    return SAME_AS.get(known, known.upper()) if known else field


def _against_registry(kind: str, name: str, value: Any, where: str, rule: str) -> Iterator[Problem]:
    own_name = name.upper() if name in ("action_id", "block_id") else f"{kind}_{name.upper()}"
    yield from _outside(own_name, _size(value), where, rule)
    if name in PER_ITEM:
        for index, item in enumerate(as_list(value) or []):
            yield from _outside(f"{kind}_{PER_ITEM[name]}", _size(item), f"{where}/{index}", rule)
    if name == "text" and value == "" and kind in ("PLAIN_TEXT", "MRKDWN", "RAW_TEXT"):
        yield Problem(rule, where, "must be more than 0 characters")


def _outside(limits: str, size: int | None, where: str, rule: str) -> Iterator[Problem]:
    low, high = _limit(limits, "MIN"), _limit(limits, "MAX")
    if size is not None and high is not None and size > high:
        yield Problem(rule, where, f"must be less than {high + 1} characters or items, got {size}")
    if size is not None and low is not None and size < low:
        yield Problem(rule, where, f"must be more than {low - 1} characters or items, got {size}")


def _size(value: Any) -> int | None:
    """Characters of a string or of a text object, items of a list."""
    text = text_of(value)
    items = as_list(value)
    return len(text) if text is not None else None if items is None else len(items)


def _limit(prefix: str, edge: str) -> int | None:
    for unit in ("LENGTH", "ITEMS"):
        found = getattr(registry, f"{prefix}_{edge}_{unit}", None)
        if found is not None:
            return int(found)
    return None


def _all_blocks(blocks: list[Json]) -> Iterator[Json]:
    for block in blocks:
        yield block
        yield from _all_blocks(objects(block.get("child_blocks")))


def _characters(value: Any) -> int:
    """All the text that a reader sees in `value`."""
    total = sum(map(_characters, as_list(value) or []))
    for name, inner in (as_object(value) or {}).items():
        total += len(inner) if isinstance(inner, str) and name in ("text", "title") else _characters(inner)
    return total
