"""The Web API methods that the front door answers or completes itself, by name; all others are emulate's."""

from collections.abc import Awaitable, Callable

from bot.standin.methods import assistant, chat, connecting, installing, reading, streams, views
from bot.standin.slack import Slack
from bot.standin.state import Token
from bot.standin.values import Json

Method = Callable[[Slack, Json, Token], Awaitable[Json]]

METHODS: dict[str, Method] = {
    "agents.sessions.rename": assistant.rename_session,
    "agents.sessions.setStatus": assistant.set_session_status,
    "apps.connections.open": connecting.open_connection,
    "assistant.threads.setStatus": assistant.set_status,
    "assistant.threads.setSuggestedPrompts": assistant.set_suggested_prompts,
    "assistant.threads.setTitle": assistant.set_title,
    "auth.revoke": installing.revoke,
    "auth.test": installing.test,
    "chat.appendStream": streams.append,
    "chat.getPermalink": chat.get_permalink,
    "chat.postEphemeral": chat.post_ephemeral,
    "chat.postMessage": chat.post_message,
    "chat.startStream": streams.start,
    "chat.stopStream": streams.stop,
    "chat.update": chat.update,
    "conversations.history": reading.history,
    "conversations.info": reading.info,
    "conversations.list": reading.list_all,
    "conversations.members": reading.members,
    "conversations.replies": reading.replies,
    "oauth.v2.access": installing.access,
    "users.conversations": reading.of_user,
    "users.info": reading.user_info,
    "users.list": reading.user_list,
    "users.lookupByEmail": reading.user_by_email,
    "views.open": views.open_view,
    "views.publish": views.publish,
    "views.push": views.push,
    "views.update": views.update,
}
# Scopes of the methods that emulate does not check; each needs one of the set.
SCOPES: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            "agents.sessions.rename",
            "agents.sessions.setStatus",
            "assistant.threads.setStatus",
            "chat.appendStream",
            "chat.startStream",
            "chat.stopStream",
        ),
        frozenset({"chat:write"}),
    ),
    "assistant.threads.setSuggestedPrompts": frozenset({"assistant:write"}),
    "assistant.threads.setTitle": frozenset({"assistant:write"}),
}
