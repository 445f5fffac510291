"""What pressing and filling in sends."""

from typing import Any

import pytest

from bot.standin.elements import action, filled, find, picked, with_ids


def option(value: str) -> dict[str, Any]:
    return {"text": {"type": "plain_text", "text": value.upper()}, "value": value}


def test_blocks_get_an_id_only_where_they_have_none():
    assert [block["block_id"] for block in with_ids([{"type": "divider", "block_id": "mine"}, {}])] == [
        "mine",
        "b1",
    ]


def test_an_element_is_found_however_deep_it_stands():
    accessory = {"type": "button", "action_id": "more", "value": "7"}
    blocks: list[Any] = [{"type": "divider"}, {"type": "section", "accessory": accessory}]
    block, element = find(with_ids(blocks), "more")
    assert action(block, element, None) == {
        "type": "button",
        "action_id": "more",
        "block_id": "b1",
        "value": "7",
    }


@pytest.mark.parametrize(
    ("element", "value", "held"),
    [
        ({"type": "overflow", "options": [option("a")]}, "a", {"selected_option": option("a")}),
        (
            {
                "type": "static_select",
                "option_groups": [{"options": [option("a")]}, {"options": [option("b")]}],
            },
            "b",
            {"selected_option": option("b")},
        ),
        (
            {"type": "checkboxes", "options": [option("a"), option("b")]},
            ["b"],
            {"selected_options": [option("b")]},
        ),
        ({"type": "users_select"}, "U1", {"selected_user": "U1"}),
        ({"type": "multi_channels_select"}, ["C1"], {"selected_channels": ["C1"]}),
        ({"type": "datepicker"}, "2026-01-02", {"selected_date": "2026-01-02"}),
        ({"type": "plain_text_input"}, "text", {"value": "text"}),
    ],
)
def test_each_kind_of_element_holds_its_value_in_its_own_field(element: Any, value: Any, held: Any):
    assert picked(element, value) == held


def test_an_input_that_nobody_touched_holds_what_it_started_with():
    element = {"type": "radio_buttons", "action_id": "which", "initial_option": option("a")}
    view: Any = {"blocks": [{"type": "input", "block_id": "b", "optional": True, "element": element}]}
    assert filled(view, {}) == {"b": {"which": {"type": "radio_buttons", "selected_option": option("a")}}}
