"""An OpenAI server whose model says what the test sets, for tests of one question to it."""

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from types import SimpleNamespace

from tests.standins.openai import Chat, OpenAIStandin


class Said(SimpleNamespace):
    """A model that answers each call with its attributes as a JSON object, after `wait` seconds."""

    wait = 0.0

    def __call__(self, _: Chat) -> str:
        time.sleep(self.wait)
        return json.dumps({name: value for name, value in vars(self).items() if name != "wait"})


@contextmanager
def serving(said: Said) -> Generator[OpenAIStandin]:
    """The server; at its end no request may have had a wrong shape."""
    with OpenAIStandin(said) as server:
        yield server
        assert server.wrong == []
