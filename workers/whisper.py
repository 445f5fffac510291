"""A short text for one person's eyes."""

from workers.blocks import notice
from workers.slack import Refused, Slack


def whisper(slack: Slack, channel: str, user: str, text: str, thread: str = "") -> None:
    """An ephemeral message in a channel; a direct message where that is refused."""
    message = notice(text)
    content = {"text": message.text, "blocks": list(message.blocks)}
    in_thread = {"thread_ts": thread} if thread else {}
    try:
        slack("chat_postEphemeral", channel=channel, user=user, **in_thread, **content)
    except Refused:
        opened = slack("conversations_open", users=user)
        slack("chat_postMessage", channel=opened["channel"]["id"], **content)
