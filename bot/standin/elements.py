"""What a person can press or fill in: finds an element in blocks, and says what doing it sends."""

from collections.abc import Iterator
from typing import Any

from bot.standin.values import Json, as_list, as_object, objects

ONE_OF = ("static_select", "radio_buttons", "overflow", "external_select")
SOME_OF = ("multi_static_select", "checkboxes", "multi_external_select")
# Where the value of a chosen id or date goes, by the element's type.
BY_ID = {
    "users_select": "selected_user",
    "conversations_select": "selected_conversation",
    "channels_select": "selected_channel",
    "multi_users_select": "selected_users",
    "multi_conversations_select": "selected_conversations",
    "multi_channels_select": "selected_channels",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "datetimepicker": "selected_date_time",
}


def with_ids(blocks: list[Json]) -> list[Json]:
    """The blocks as Slack sends them back: each has a block_id."""
    return [{"block_id": f"b{index}", **block} for index, block in enumerate(blocks)]


def find(blocks: list[Json], action_id: str) -> tuple[Json, Json]:
    """The block and the element in it with this action_id; LookupError when nobody could press it."""
    for block in blocks:
        for element in _elements(block):
            if element.get("action_id") == action_id:
                return block, element
    raise LookupError(f"there is no {action_id!r} to press or to fill in")


def action(block: Json, element: Json, value: Any) -> Json:
    """One entry of block_actions for pressing `element`, or choosing `value` in it."""
    named = {key: element[key] for key in ("type", "action_id", "text", "icon") if key in element}
    return {**named, "block_id": block["block_id"], **picked(element, value)}


def picked(element: Json, value: Any) -> Json:
    """What `element` holds after a person chose or typed `value`."""
    kind = element["type"]
    if kind in ONE_OF:
        return {"selected_option": _option(element, value)}
    if kind in SOME_OF:
        return {"selected_options": [_option(element, one) for one in value]}
    if kind in BY_ID:
        return {BY_ID[kind]: value}
    if kind == "feedback_buttons":
        button = element.get(f"{value}_button")
        return {"value": button["value"] if button else value}
    return {"value": value if value is not None else element.get("value", "")}


def filled(view: Json, values: Json) -> Json:
    """view.state.values after filling in `values`, by action_id; ValueError where Slack would not submit."""
    state: Json = {}
    for block in objects(view.get("blocks")):
        if block.get("type") != "input":
            continue
        element: Json = block["element"]
        name = element["action_id"]
        if name not in values and not block.get("optional"):
            raise ValueError(f"{name!r} must be filled in")
        held = picked(element, values[name]) if name in values else _untouched(element)
        state[block["block_id"]] = {name: {"type": element["type"], **held}}
    return state


def _untouched(element: Json) -> Json:
    """What an input that nobody touched holds: what it started with."""
    if "initial_option" in element:
        return {"selected_option": element["initial_option"]}
    if "initial_options" in element:
        return {"selected_options": element["initial_options"]}
    return {"value": element.get("initial_value")}


def _elements(value: Any) -> Iterator[Json]:
    """Every object with an action_id, however deep."""
    for item in as_list(value) or []:
        yield from _elements(item)
    found = as_object(value)
    if found is None:
        return
    if "action_id" in found:
        yield found
    for inner in found.values():
        yield from _elements(inner)


def _option(element: Json, value: Any) -> Json:
    groups = objects(element.get("option_groups"))
    options = [*objects(element.get("options")), *(o for group in groups for o in objects(group["options"]))]
    for option in options:
        if option["value"] == value:
            return option
    raise LookupError(f"{value!r} is none of the options {[option['value'] for option in options]}")
