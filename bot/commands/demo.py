"""`teamlore demo`: the whole product on one machine, with a local Slack and a sample handbook."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.commands.screen import Json, Refused, aside, console, print_json, read_settings, with_servers

if TYPE_CHECKING:
    from bot.standin.world import SlackWorld
    from storage.answers import AnswerRow, Answers
    from workers.settings import Settings

Once = Annotated[bool, typer.Option("--once", envvar="DEMO_ONCE", help="End after the two questions.")]

_FIRST = (
    ("alice", "eng", "How many days of annual leave do I have in the UK, and can I carry some over?"),
    ("chenwei", "人事", "福利年假没休完，可以结转到什么时候？"),
)
_PATIENCE_S = 90


def demo(once: Once = False, as_json: Json = False) -> None:
    """Start everything with a local Slack, index a sample handbook, ask two questions, then ask you."""
    from bot.commands.up import start
    from bot.standin.world import SlackWorld
    from storage.answers import Answers
    from storage.base import open_database
    from workers.servers import stop

    with SlackWorld() as world:
        variables = _variables(world)
        settings = with_servers(read_settings(variables), variables)
        try:
            _index_handbook(settings)
            with aside().status("Starting web and workers…"):
                start(settings, variables)
            world.connect(f"http://127.0.0.1:{settings.port}/slack/events")
            talk = _Talk(world, Answers(open_database(settings.sql_url)))
            said = [talk.ask(*first) for first in _FIRST]
            if as_json:
                print_json(said)
            for turn in () if as_json else said:
                _print(turn)
            if not once and not as_json:
                _converse(talk)
        finally:
            with aside().status("Ending what was started…"):
                stop(settings.home)


def _variables(world: SlackWorld) -> dict[str, str]:
    """What the product must know of the local Slack; the demo keeps its state apart from the real one's."""
    return {
        "TEAMLORE_HOME": str(read_settings().home / "demo"),
        "SLACK_API_URL": f"{world.url}/api/",
        "SLACK_BOT_TOKEN": world.workspace.app.bot_token,
        "SLACK_SIGNING_SECRET": world.workspace.app.signing_secret,
        "SLACK_APP_TOKEN": "",
        "SLACK_CLIENT_ID": "",
        "HOST": "127.0.0.1",
        "PORT": str(_free_port()),
        "WEB_WORKERS": "1",
        "ANSWER_WORKERS": "1",
    }


def _index_handbook(settings: Settings) -> None:
    from pathlib import Path

    from bot.commands.index import draw, index_all
    from evals import sample
    from workers.wiring import open_house

    handbook = Path(sample.__file__).parent / "handbook"
    with open_house(settings) as house:
        aside().print(draw(index_all(house, [handbook], frozenset({"public"}))))


class _Talk:
    """Posts questions into the local Slack and waits for the answers in their threads."""

    def __init__(self, world: SlackWorld, answers: Answers) -> None:
        self._world = world
        self._answers = answers

    def ask(self, user: str, channel: str, text: str) -> dict[str, Any]:
        """Mention the bot; returns who asked what where, and the messages of the thread that answer it."""
        workspace = self._world.workspace
        ts = self._world.post(user, channel, f"<@{workspace.app.user_id}> {text}")
        with aside().status("Waiting for the answer…"):
            row = self._wait(workspace.team_id, workspace.channel_id(channel), ts)
        replies = self._world.messages(channel, ts)[1:]
        return {
            "id": row.question_id,
            "user": user,
            "channel": channel,
            "question": text,
            "outcome": row.outcome,
            "reply": [plain(message) for message in replies],
        }

    def _wait(self, team: str, channel: str, ts: str) -> AnswerRow:
        from storage.answers import FINAL
        from workers.ids import question_id

        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until:
            row = self._answers.find(question_id(team, channel, ts))
            if row and row.state in FINAL:
                return row
            time.sleep(0.1)
        raise Refused(
            f"no answer came within {_PATIENCE_S} s; the logs lie in {read_settings().home / 'demo'}"
        )


def plain(message: dict[str, Any]) -> str:
    """The text of a Slack message's blocks, as people read them; its fallback text where there are none."""
    texts = [text for block in message.get("blocks", ()) for text in _texts(block)]
    return "\n".join(texts) or message.get("text", "")


def _texts(block: dict[str, Any]) -> list[str]:
    match block:
        case {"type": "markdown", "text": text} | {"type": "section", "text": {"text": text}}:
            return [text]
        case {"type": "context", "elements": elements}:
            return [element["text"] for element in elements if isinstance(element.get("text"), str)]
        case _:
            return []


def _print(turn: dict[str, Any]) -> None:
    from rich.markdown import Markdown
    from rich.markup import escape
    from rich.padding import Padding

    out = console()
    out.print(f"\n[bold]{turn['user']}[/bold] in #{escape(turn['channel'])}: {escape(turn['question'])}")
    for text in turn["reply"]:
        out.print(Padding(Markdown(text), (0, 0, 0, 2)))
    out.print(f"  [dim italic]{turn['id']}[/dim italic]")


def _converse(talk: _Talk) -> None:
    """Let the person at the terminal ask, until they have had enough."""
    aside().print("\nAsk the sample handbook anything, in English or Chinese; an empty line ends the demo.")
    while text := _read_line():
        _print(talk.ask("alice", "eng", text))


def _read_line() -> str:
    try:
        return input("> ").strip()
    except EOFError:
        return ""


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
