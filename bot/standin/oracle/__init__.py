"""The independent judge of all traffic: shapes by Slack's own types, lengths by slackblocks and our table."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from bot.standin.oracle.lengths import message_problems, view_problems
from bot.standin.oracle.problem import Problem
from bot.standin.oracle.schema import Schema
from bot.standin.values import Json, as_list, as_object, objects

__all__ = ["Oracle", "Problem"]

# Checked piece by piece, since Slack's argument types let any {"type": ...} pass as a block.
PIECES = {"blocks", "attachments", "chunks", "view"}
# Bolt adds the workspace to every call; the types name it for some methods only.
ALWAYS_ALLOWED = {"team_id", "token"}
MARKDOWN_TEXT = 12_000
# What real events carry (samples in Slack's Java SDK) and the types leave out; files and previews they
# describe too narrowly.
UNTYPED = {
    "app_id",
    "attachments",
    "files",
    "metadata",
    "reply_count",
    "reply_users",
    "source_team",
    "team",
    "user_team",
}


class Oracle:
    """Answers what is wrong with a call's arguments or an event; nothing when they are right."""

    def __init__(self, schema: Path) -> None:
        """`schema` is the file generated at installation."""
        self._schema = Schema(schema)

    def of_call(self, method: str, args: Json) -> list[Problem]:
        """The problems of one Web API call."""
        return [*self._frame(method, args), *self._pieces(args)]

    def of_message(self, blocks: list[Json]) -> list[Problem]:
        """The problems of a message's blocks."""
        return [*self._shapes(blocks, "/blocks"), *message_problems(blocks)]

    def of_event(self, event: Json) -> list[Problem]:
        """The problems of an event that we would send; none for kinds that Slack's types do not name."""
        problem = self._schema.event(_framed(event))
        return [problem] if problem else []

    def _frame(self, method: str, args: Json) -> Iterator[Problem]:
        name = f"Method_{method.replace('.', '_')}"
        if name not in self._schema.definitions:
            return
        kept = {key: value for key, value in args.items() if key not in ALWAYS_ALLOWED}
        for piece in PIECES & kept.keys():
            view = as_object(kept[piece])
            kept[piece] = [] if view is None else {**view, "blocks": []}
        problem = self._schema.problem(name, kept, "invalid_arguments")
        if problem:
            yield problem

    def _pieces(self, args: Json) -> Iterator[Problem]:
        if "blocks" in args:
            yield from self._list_of(args["blocks"], "invalid_blocks_format", self.of_message)
        if "chunks" in args:
            yield from self._list_of(args["chunks"], "invalid_chunks", self._chunk_problems)
        if "view" in args:
            yield from self._view_problems(args["view"])
        if len(str(args.get("markdown_text", ""))) > MARKDOWN_TEXT:
            yield Problem("msg_too_long", "/markdown_text", f"more than {MARKDOWN_TEXT} characters")

    def _list_of(
        self, value: Any, rule: str, check: Callable[[list[Json]], Iterable[Problem]]
    ) -> Iterator[Problem]:
        if as_list(value) is not None:
            yield from check(objects(value))
        elif value is not None:
            yield Problem(rule, "", "must be a JSON array")

    def _chunk_problems(self, chunks: list[Json]) -> Iterator[Problem]:
        for index, chunk in enumerate(chunks):
            problem = self._schema.chunk(chunk, f"/chunks/{index}")
            if problem:
                yield problem
            if chunk.get("type") == "markdown_text" and len(str(chunk.get("text", ""))) > MARKDOWN_TEXT:
                yield Problem(
                    "msg_too_long", f"/chunks/{index}/text", f"more than {MARKDOWN_TEXT} characters"
                )
        inside = [block for chunk in chunks for block in objects(chunk.get("blocks"))]
        yield from self.of_message(inside)

    def _view_problems(self, value: Any) -> Iterator[Problem]:
        view = as_object(value)
        if view is None:
            yield Problem("invalid_arguments", "/view", "must be a JSON object")
            return
        yield from self._shapes(objects(view.get("blocks")), "/view/blocks", "invalid_arguments")
        yield from view_problems(view)

    def _shapes(self, blocks: list[Json], where: str, rule: str = "invalid_blocks") -> Iterator[Problem]:
        for index, block in enumerate(blocks):
            problem = self._schema.block(block, f"{where}/{index}", rule)
            if problem:
                yield problem


def _framed(event: Json) -> Json:
    """The event as the types describe it.

    They want the channel inside an edited message as well, where real events do not repeat it, and know only
    the fields of a view that an app sends.
    """
    if event["type"] == "app_home_opened":
        return {key: value for key, value in event.items() if key != "view"}
    outer = {key: event[key] for key in ("channel", "channel_type", "event_ts") if key in event}
    inner = {key: _typed(outer | event[key]) for key in ("message", "previous_message") if key in event}
    return _typed(event) | inner if event["type"] in ("message", "app_mention") else event


def _typed(message: Json) -> Json:
    return {key: value for key, value in message.items() if key not in UNTYPED}
