"""The oracle knows Slack's shapes by Slack's own types, and its lengths by an independent list."""

from typing import Any

import pytest
from slack_sdk.models.blocks import (
    ContextActionsBlock,
    FeedbackButtonObject,
    FeedbackButtonsElement,
    IconButtonElement,
    MarkdownBlock,
    PlanBlock,
    TaskCardBlock,
)
from slackblocks import Block as IndependentBlock
from slackblocks.errors import InvalidUsageError

from bot.standin.install import install
from bot.standin.oracle import Oracle
from bot.standin.oracle.lengths import BLOCKS_BUDGET, blocks_size

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    return Oracle(install().schema)


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def mrkdwn(text: str) -> dict[str, Any]:
    return {"type": "mrkdwn", "text": text}


def rules(oracle: Oracle, *blocks: Any) -> set[str]:
    return {problem.rule for problem in oracle.of_message(list(blocks))}


def test_what_the_sdk_makes_is_accepted(oracle: Oracle):
    feedback = FeedbackButtonsElement(
        action_id="feedback",
        positive_button=FeedbackButtonObject(text="Good", value="up"),
        negative_button=FeedbackButtonObject(text="Bad", value="down"),
    )
    trash = IconButtonElement(icon="trash", text="Delete", action_id="delete")
    task = TaskCardBlock(task_id="1", title="Searching", status="complete")
    blocks = [
        MarkdownBlock(text="**粗体** | a |"),
        ContextActionsBlock(elements=[feedback, trash]),
        PlanBlock(title="Plan", tasks=[task]),
    ]
    assert oracle.of_message([block.to_dict() for block in blocks]) == []


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ({"type": "bogus"}, "unsupported type: bogus"),
        ({"type": "section", "text": {"type": "mrkdwn"}}, "'plain_text' was expected"),
        ({"type": "header"}, "'text' is a required property"),
        ({"type": "divider", "colour": "red"}, "'colour' was unexpected"),
        ({"type": "header", "text": {"type": "mrkdwn", "text": "x"}}, "'plain_text' was expected"),
    ],
)
def test_a_wrong_shape_is_named(oracle: Oracle, block: Any, said: str):
    problem = oracle.of_message([block])[0]
    assert problem.rule == "invalid_blocks"
    assert said in problem.detail
    assert problem.where.startswith("/blocks/0")


@pytest.mark.parametrize(
    "block",
    [
        {"type": "header", "text": plain("x" * 151)},
        {"type": "section", "text": mrkdwn("x" * 3001)},
        {"type": "section", "text": mrkdwn("")},
        {"type": "section", "fields": [mrkdwn("x")] * 11},
        {"type": "section", "fields": [mrkdwn("x" * 2001)]},
        {"type": "context", "elements": [mrkdwn("x")] * 11},
        {"type": "markdown", "text": "x" * 12_001},
        {"type": "actions", "elements": [{"type": "button", "action_id": "a", "text": plain("x" * 76)}]},
        {"type": "actions", "elements": [{"type": "button", "action_id": "a" * 256, "text": plain("x")}]},
        {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * 21]},
        {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]] * 101},
        {"type": "table", "rows": [[{"type": "raw_text", "text": ""}]]},
        {"type": "table", "rows": [[{"type": "raw_text", "text": "x" * 10_001}]]},
        {"type": "divider", "block_id": "b" * 256},
    ],
)
def test_what_is_too_long_too_many_or_empty_is_refused(oracle: Oracle, block: Any):
    assert "invalid_blocks" in rules(oracle, block)


@pytest.mark.parametrize(
    "block",
    [
        {"type": "header", "text": plain("x" * 150)},
        {"type": "section", "text": mrkdwn("x" * 3000)},
        {"type": "section", "fields": [mrkdwn("x" * 1000)] * 10},
        {"type": "markdown", "text": "x" * 12_000},
        {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * 20] * 100},
    ],
)
def test_what_is_just_short_enough_is_accepted(oracle: Oracle, block: Any):
    assert rules(oracle, block) == set()


def test_a_message_has_at_most_fifty_blocks(oracle: Oracle):
    assert rules(oracle, *[{"type": "divider"}] * 50) == set()
    assert rules(oracle, *[{"type": "divider"}] * 51) == {"invalid_blocks"}


def test_markdown_is_counted_over_all_blocks(oracle: Oracle):
    assert "invalid_blocks" in rules(oracle, *[{"type": "markdown", "text": "x" * 6_001}] * 2)


def test_a_message_has_a_budget_over_all_its_blocks(oracle: Oracle):
    sections = [{"type": "section", "text": mrkdwn("x" * 3000)}] * 4
    assert rules(oracle, *sections) == set()
    assert rules(oracle, *sections, {"type": "section", "text": mrkdwn("x" * 1000)}) == {
        "msg_blocks_too_long"
    }
    divided = [{"type": "markdown", "text": "x" * 12_000}, *[{"type": "divider"}] * 11]
    assert blocks_size(divided) > BLOCKS_BUDGET
    assert rules(oracle, *divided) == {"msg_blocks_too_long"}


def test_a_message_has_one_table_wherever_it_stands(oracle: Oracle):
    table = {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]]}
    assert rules(oracle, table) == set()
    assert rules(oracle, table, table) == {"invalid_attachments"}


def test_block_and_action_ids_are_used_once(oracle: Oracle):
    assert rules(oracle, *[{"type": "divider", "block_id": "same"}] * 2) == {"invalid_blocks"}
    button = {"type": "button", "action_id": "same", "text": plain("x")}
    assert rules(oracle, {"type": "actions", "elements": [button, button]}) == {"invalid_blocks"}


@pytest.mark.parametrize(
    "view",
    [
        {"type": "modal", "title": plain("x" * 25), "blocks": [{"type": "divider"}]},
        {"type": "modal", "title": plain("x"), "blocks": [{"type": "markdown", "text": "x"}]},
        {"type": "modal", "title": plain("x"), "blocks": [{"type": "divider"}] * 101},
        {"type": "modal", "title": plain("x"), "blocks": [], "private_metadata": "x" * 3001},
        {"type": "modal", "blocks": []},
        {"type": "home", "blocks": [{"type": "context_actions", "elements": []}]},
        {"type": "home", "blocks": [{"type": "bogus"}]},
        {
            "type": "modal",
            "title": plain("no submit"),
            "blocks": [
                {
                    "type": "input",
                    "label": plain("x"),
                    "element": {"type": "plain_text_input", "action_id": "a"},
                }
            ],
        },
    ],
)
def test_a_view_that_slack_would_not_show_is_refused(oracle: Oracle, view: Any):
    problems = oracle.of_call("views.open", {"trigger_id": "1", "view": view})
    assert {problem.rule for problem in problems} == {"invalid_arguments"}


def test_arguments_are_checked_by_the_methods_own_types(oracle: Oracle):
    def wrong(method: str, **args: Any) -> list[str]:
        return [problem.rule for problem in oracle.of_call(method, args)]

    assert wrong("chat.postMessage", channel="C", text="x", team_id="T") == []
    assert wrong("chat.postMessage", channel="C", text="x", colour="red") == ["invalid_arguments"]
    assert wrong("chat.postMessage", text="x") == ["invalid_arguments"]
    assert wrong("chat.startStream", channel="C") == ["invalid_arguments"]
    assert wrong("chat.postMessage", channel="C", blocks="[") == ["invalid_blocks_format"]
    task = {"type": "task_update", "id": "1", "title": "x", "status": "busy"}
    assert wrong("chat.appendStream", channel="C", ts="1", chunks=[task]) == ["invalid_chunks"]


def test_our_own_events_are_judged_too(oracle: Oracle):
    stopped = {
        "type": "agent_session_stopped",
        "channel": "C",
        "user": "U",
        "thread_ts": "1.1",
        "streaming_message_ts": [],
        "event_ts": "1.2",
    }
    assert oracle.of_event(stopped) == []
    assert oracle.of_event({**stopped, "streaming_message_ts": "1.1"})
    assert oracle.of_event({"type": "message", "subtype": "bogus"})


@pytest.mark.parametrize("size", [1, 149, 150, 151, 2999, 3000, 3001, 11_999, 12_000, 12_001])
def test_an_independent_parser_agrees_on_lengths(oracle: Oracle, size: int):
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": plain("x" * size)},
        {"type": "section", "text": mrkdwn("x" * size)},
        {"type": "markdown", "text": "x" * size},
        {"type": "context", "elements": [mrkdwn("x" * min(size, 3000))]},
    ]
    for block in blocks:
        try:
            IndependentBlock.from_dict(block)
            accepted = True
        except InvalidUsageError:
            accepted = False
        assert (oracle.of_message([block]) == []) is accepted, block["type"]
