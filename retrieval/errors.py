"""The two ways an outside service can fail, and the one way a person's input can."""


class Transient(Exception):
    """The same call may succeed later: a time-out, a 429, a 5xx, a refused connection.

    `retry_after` is in seconds, when the service said so.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Permanent(Exception):
    """The same call will fail again: a wrong key, a refused request, a malformed reply."""


class Unreadable(Exception):
    """A file or document cannot be taken in; the message is the reason shown to people."""


class Cancelled(Exception):
    """The person who asked pressed stop."""
