"""Names that everybody can compute alike, so that a repeated delivery names the same thing."""

import base64
import functools
import hashlib


@functools.lru_cache(1024)
def question_id(team: str, channel: str, ts: str) -> str:
    """The id of the question asked by one Slack message: `q` and twelve characters of a SHA-256, base 32."""
    digest = hashlib.sha256(f"{team}/{channel}/{ts}".encode()).digest()
    return "q" + base64.b32encode(digest).decode().lower()[:12]
