"""What Locust runs: people who mention the bot, wait for the answer, and ask the next thing.

`answer` is measured from the mention until the answer's row is final, `ack` is what Slack waits for.
"""

import json
import os
import random
import sqlite3
import time
from typing import Any

from locust import HttpUser, between, task
from slack_sdk.signature import SignatureVerifier

from workers.ids import question_id

SUBJECTS = (
    "days of paid vacation",
    "the doctor's note for sick leave",
    "releases on Tuesdays",
    "rolling back a release",
    "unused days in March",
    "how long the previous image is kept",
    "差旅费报销期限",
    "五千元以上的报销审批",
)
FINAL = ("answered", "apologised", "stopped")
_PATIENCE_S = 90


class Person(HttpUser):
    """Asks in threads of one channel; every question is worded anew, so that no cache helps."""

    wait_time = between(0.1, 0.5)

    def on_start(self) -> None:
        self._world: dict[str, str] = json.loads(os.environ["LOAD_WORLD"])
        self._sql = sqlite3.connect(f"file:{self._world['database']}?mode=ro", uri=True)

    @task
    def ask(self) -> None:
        ts = f"{time.time():.6f}"
        began = time.perf_counter()
        text = f"<@UTEAMLORE> {random.choice(SUBJECTS)}, case {random.randrange(10**6)}?"
        self._send({"type": "app_mention", "user": "U000ALICE", "text": text, "ts": ts, "event_ts": ts})
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
        place = {
            "channel": self._world["channel"],
            "channel_type": "channel",
            "thread_ts": self._world["root"],
        }
        envelope = {"type": "event_callback", "team_id": self._world["team"], "api_app_id": "A00TEAMLORE"}
        body = json.dumps({**envelope, "event_id": f"Ev{event['ts']}", "event": {**event, **place}})
        stamp = str(int(time.time()))
        signature = SignatureVerifier(self._world["secret"]).generate_signature(timestamp=stamp, body=body)
        headers = {
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": str(signature),
            "Content-Type": "application/json",
        }
        self.client.post("/slack/events", data=body.encode(), headers=headers, name="ack")

    def _wait(self, id: str) -> str:
        until = time.monotonic() + _PATIENCE_S
        while time.monotonic() < until:
            row = self._sql.execute("select state from answers where question_id = ?", (id,)).fetchone()
            if row and row[0] in FINAL:
                return str(row[0])
            time.sleep(0.05)
        return "lost"
