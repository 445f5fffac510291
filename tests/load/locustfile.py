"""What Locust runs: people who mention the bot, wait for the answer, and ask the next thing.

`answer` is measured from the mention until the answer's row is final, `ack` is what Slack waits for.
"""

import json
import os
import random
import sqlite3
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Any, ClassVar

from locust import HttpUser, between, events, task

from tests.letters import signed
from workers.ids import question_id

QUESTIONS = (
    "How many days of paid vacation do full-time employees have?",
    "Until when can unused days of vacation be carried over?",
    "From which day is a doctor's note needed?",
    "Before what time do I report sick leave to my lead?",
    "On which days do releases go out?",
    "How do I roll back a release?",
    "For how many days is the previous image kept?",
    "差旅费须在出差结束后多少天内提交报销单？",
    "金额超过五千元的报销由谁审批？",
)
FINAL = ("answered", "apologised", "stopped")
_PATIENCE_S = 90


@events.init.add_listener
def share_threads(**_: object) -> None:
    """Let nobody ask in a thread where somebody else asked before, while there are fresh ones."""
    Person.roots = cycle(json.loads(os.environ["LOAD_WORLD"])["roots"])


class Person(HttpUser):
    """Asks what the handbook answers, each question in a thread of its own while there are some.

    The house that is measured keeps no cache, so that every question is searched for and written anew.
    """

    wait_time = between(0.1, 0.5)
    roots: ClassVar[Iterator[str]]

    def on_start(self) -> None:
        self._world: dict[str, Any] = json.loads(os.environ["LOAD_WORLD"])
        self._sql = sqlite3.connect(f"file:{self._world['database']}?mode=ro", uri=True)

    @task
    def ask(self) -> None:
        ts = f"{time.time():.6f}"
        began = time.perf_counter()
        text = f"<@UTEAMLORE> {random.choice(QUESTIONS)}"
        event = {"type": "app_mention", "user": "U000ALICE", "text": text, "ts": ts, "event_ts": ts}
        self._send({**event, "thread_ts": next(self.roots)})
        outcome = self._wait(question_id(self._world["team"], self._world["channel"], ts))
        self.environment.events.request.fire(
            request_type="answer",
            name=outcome,
            response_time=(time.perf_counter() - began) * 1000,
            response_length=0,
            exception=None if outcome == "answered" else RuntimeError(outcome),
            context={},
        )

    def _send(self, event: dict[str, Any]) -> None:
        place = {"channel": self._world["channel"], "channel_type": "channel"}
        envelope = {"type": "event_callback", "team_id": self._world["team"], "api_app_id": "A00TEAMLORE"}
        body = json.dumps({**envelope, "event_id": f"Ev{event['ts']}", "event": {**event, **place}})
        headers = signed(body, self._world["secret"])
        self.client.post("/slack/events", data=body.encode(), headers=headers, name="ack")

    def _wait(self, id: str) -> str:
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until:
            row = self._sql.execute("select state from answers where question_id = ?", (id,)).fetchone()
            if row and row[0] in FINAL:
                return str(row[0])
            time.sleep(0.05)
        return "lost"
