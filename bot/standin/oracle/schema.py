"""Checks shapes against the JSON schema made from Slack's own TypeScript types."""

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError, best_match  # pyright: ignore[reportUnknownVariableType]
from referencing import Registry
from referencing.jsonschema import DRAFT7

from bot.standin.oracle.problem import Problem
from bot.standin.values import Json

ROOT = "urn:slack-types"


class Schema:
    """The definitions of one schema file, each compiled when first asked for."""

    def __init__(self, path: Path) -> None:
        """`path` is what `bot.standin.install` generated."""
        document: Json = json.loads(path.read_text())
        self.definitions: Json = document["definitions"]
        self._registry = Registry[Any]().with_resource(ROOT, DRAFT7.create_resource(document))
        self._compiled: dict[str, Draft7Validator] = {}

    def problem(self, name: str, value: Any, rule: str, where: str = "") -> Problem | None:
        """Why `value` is not a `name`, in the words of the most telling error; None if it is one."""
        errors = self._validator(name).iter_errors(value)  # pyright: ignore[reportUnknownMemberType]
        error = cast("ValidationError | None", best_match(errors))
        return Problem(rule, where + _pointer(error), f"{name}: {_brief(error)}") if error else None

    def block(self, block: Json, where: str, rule: str = "invalid_blocks") -> Problem | None:
        """Why this is no block that Slack knows; looks at its own type's definition, for a clear error."""
        kind = str(block.get("type"))
        if kind not in self._blocks:
            return Problem(rule, f"{where}/type", f"unsupported type: {kind}")
        return self.problem(self._blocks[kind], block, rule, where)

    def chunk(self, chunk: Json, where: str) -> Problem | None:
        """Why this is no chunk of a streamed message."""
        kind = str(chunk.get("type"))
        if kind not in self._chunks:
            return Problem("invalid_chunks", f"{where}/type", f"unsupported type: {kind}")
        kept: Json = {**chunk, "blocks": []} if kind == "blocks" else chunk
        return self.problem(self._chunks[kind], kept, "invalid_chunks", where)

    def event(self, event: Json) -> Problem | None:
        """Why this is no event that Slack sends; None also for kinds that the types do not name."""
        name = f"Event_{event['type']}"
        if name not in self.definitions:
            return None
        if event["type"] == "message":
            name = self._messages.get(event.get("subtype"), "")
            if not name:
                return Problem("invalid_event", "/subtype", f"unknown subtype {event.get('subtype')}")
        return self.problem(name, event, "invalid_event")

    @cached_property
    def _messages(self) -> Mapping[str | None, str]:
        """The kinds of message by their subtype; the ordinary one has none."""
        found: dict[str | None, str] = {}
        for name in self._members("Event_message"):
            found[self.definitions[name]["properties"]["subtype"].get("const")] = name
        return found

    @cached_property
    def _blocks(self) -> Mapping[str, str]:
        return self._by_type("OracleBlock")

    @cached_property
    def _chunks(self) -> Mapping[str, str]:
        return self._by_type("OracleChunk")

    def _by_type(self, union: str) -> Mapping[str, str]:
        """The members of a union of objects, by the constant of their `type`."""
        members = self._members(union)
        return {kind: name for name in members for kind in self._types_of(self.definitions[name])}

    def _members(self, union: str) -> list[str]:
        definition = self.definitions[union]
        if "$ref" in definition:
            return self._members(_name(definition))
        return [_name(option) for option in definition["anyOf"]]

    def _types_of(self, definition: Json) -> list[str]:
        """The values that `type` may have; a member may itself be a union of shapes."""
        if "$ref" in definition:
            return self._types_of(self.definitions[_name(definition)])
        if "anyOf" in definition:
            return [kind for option in definition["anyOf"] for kind in self._types_of(option)]
        kind: Json = definition["properties"]["type"]
        return kind.get("enum") or [kind["const"]]

    def _validator(self, name: str) -> Draft7Validator:
        if name not in self._compiled:
            reference = {"$ref": f"{ROOT}#/definitions/{name}"}
            self._compiled[name] = Draft7Validator(reference, registry=self._registry)
        return self._compiled[name]


def _name(reference: Json) -> str:
    return str(reference["$ref"]).rsplit("/", 1)[1]


def _pointer(error: ValidationError) -> str:
    return "".join(f"/{part}" for part in error.absolute_path)


def _brief(error: ValidationError) -> str:
    """The error without the instance that jsonschema quotes in full."""
    return error.message if len(error.message) < 200 else f"{error.message[:60]} ... {error.message[-120:]}"
