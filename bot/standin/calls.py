"""One Web API call of the app: read, authorised, checked, answered, recorded."""

import asyncio
import json
import time
from base64 import b64decode
from typing import Any

from aiohttp import web

from bot.standin.methods import METHODS, SCOPES
from bot.standin.slack import Slack
from bot.standin.state import Call, Fault, SlackError, Token
from bot.standin.values import Json

JSON_ARGUMENTS = (
    "attachments",
    "blocks",
    "chunks",
    "files",
    "metadata",
    "prompts",
    "view",
    "loading_messages",
)
# A form carries text only; these are what the text stands for.
NUMBERS = ("limit", "count", "page")
FLAGS = ("exclude_archived", "include_all_metadata", "include_locale", "include_num_members", "inclusive")
WITHOUT_TOKEN = ("api.test", "oauth.v2.access")


async def read(request: web.Request) -> tuple[Json, str]:
    """The arguments and the token of a call, whichever of Slack's ways they came in."""
    args: Json = dict(request.query)
    if request.content_type == "application/json":
        args |= json.loads(await request.text() or "{}")
    elif request.method == "POST":
        args |= {key: str(value) for key, value in (await request.post()).items()}
    for name in JSON_ARGUMENTS:
        if isinstance(args.get(name), str):
            args[name] = _decoded(args[name])
    args |= {name: int(args[name]) for name in NUMBERS if str(args.get(name)).isdigit()}
    args |= {name: args[name] in ("1", "true", True) for name in FLAGS if name in args}
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind == "Basic":
        args["client_id"], _, args["client_secret"] = b64decode(secret).decode().partition(":")
    return args, args.pop("token", "") or (secret.strip() if kind == "Bearer" else "")


async def answer(slack: Slack, method: str, args: Json, token: str) -> web.Response:
    """Answer one call and keep it in the log."""
    came = time.monotonic()
    fault = slack.state.next_fault(method)
    if fault and fault.delay:
        await asyncio.sleep(fault.delay)
    try:
        response = _faulty(fault) if fault and (fault.error or fault.status != 200) else None
        body = response or await _perform(slack, method, args, token)
    except SlackError as refusal:
        body = refusal.body
        if refusal.code == "missing_scope":
            slack.state.violate(method, "missing_scope", str(body.get("needed")))
    slack.state.calls.append(Call(method, args, token, body, time.monotonic() - came))
    slack.state.tell()
    headers = {"Retry-After": str(fault.retry_after)} if fault and fault.retry_after else {}
    return web.json_response(body, status=fault.status if fault else 200, headers=headers)


async def _perform(slack: Slack, method: str, args: Json, token: str) -> Json:
    caller = _authorise(slack, method, token)
    _judge(slack, method, args)
    own = METHODS.get(method)
    return await own(slack, args, caller) if own else await slack.call(method, args, caller)


def _judge(slack: Slack, method: str, args: Json) -> None:
    """Let the oracle look; its first problem is the answer, and each is kept as a violation."""
    problems = slack.oracle.of_call(method, args)
    for problem in problems:
        slack.state.violate(method, problem.rule, str(problem))
    if problems:
        messages = [str(problem) for problem in problems]
        raise SlackError(problems[0].rule, response_metadata={"messages": messages})


def _authorise(slack: Slack, method: str, token: str) -> Token:
    known = slack.state.tokens.get(token)
    if method in WITHOUT_TOKEN:
        return known or Token("", "", frozenset())
    if token in slack.state.revoked:
        raise SlackError(slack.state.revoked[token])
    if not known:
        code = "invalid_auth" if token else "not_authed"
        slack.state.violate(method, code, f"token {token[:9]}...")
        raise SlackError(code)
    if (known.kind == "app") != (method == "apps.connections.open"):
        slack.state.violate(method, "not_allowed_token_type", f"{known.kind} token")
        raise SlackError("not_allowed_token_type")
    needed = SCOPES.get(method, frozenset())
    if needed and not needed & known.scopes:
        raise SlackError("missing_scope", needed=",".join(needed), provided=",".join(sorted(known.scopes)))
    return known


def _faulty(fault: Fault) -> Json:
    return {"ok": False, "error": fault.error or ("ratelimited" if fault.status == 429 else "internal_error")}


def _decoded(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value
