"""Training of a chat model at its provider, by OpenAI's protocol: files up, a job, a model's name back."""

import time
from collections.abc import Callable
from pathlib import Path

from openai import OpenAI, OpenAIError

from retrieval.errors import Permanent, Transient

_POLL_S = 30.0
_TIMEOUT_S = 60.0
_UNDER_WAY = ("validating_files", "queued", "running")


class HostedJobs:
    """Raises Transient when the provider does not answer or refuses."""

    def __init__(self, api_key: str, base_url: str = "", sleep: Callable[[float], None] = time.sleep) -> None:
        self._client = OpenAI(api_key=api_key, base_url=base_url or None, timeout=_TIMEOUT_S, max_retries=2)
        self._sleep = sleep

    def start(self, train: Path, test: Path, base: str) -> str:
        """Send both files of chats and begin to train `base` on them; the job's id."""
        try:
            training, testing = self._sent(train), self._sent(test)
            job = self._client.fine_tuning.jobs.create(
                model=base, training_file=training, validation_file=testing
            )
        except OpenAIError as error:
            raise Transient(f"the job could not be started: {type(error).__name__}") from error
        return job.id

    def outcome(self, job: str, seconds: float) -> str | None:
        """The trained model, or None while the job runs on after `seconds`; Permanent when it failed."""
        until = time.monotonic() + seconds
        while (made := self._made(job)) is None and time.monotonic() < until:
            self._sleep(min(_POLL_S, max(0.0, until - time.monotonic())))
        return made

    def _made(self, job: str) -> str | None:
        try:
            found = self._client.fine_tuning.jobs.retrieve(job)
        except OpenAIError as error:
            raise Transient(f"the job cannot be asked about: {type(error).__name__}") from error
        if found.status == "succeeded" and found.fine_tuned_model:
            return found.fine_tuned_model
        if found.status not in _UNDER_WAY:
            raise Permanent(f"the job {job} ended as {found.status}")
        return None

    def _sent(self, file: Path) -> str:
        return self._client.files.create(file=(file.name, file.read_bytes()), purpose="fine-tune").id
