"""Checks that Slack takes the token, has granted what the manifest asks for, and can reach us."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bot.checks import check_clock
from bot.finding import Finding
from workers.settings import Settings

_PATIENCE_S = 5
_MANIFEST = Path(__file__).parent / "manifest.yaml"


def check_slack(settings: Settings) -> Iterable[Finding]:
    """The token, the clock, the scopes, the way in; a note where there is no token."""
    from slack_sdk import WebClient
    from slack_sdk.errors import SlackApiError

    token = settings.slack_bot_token.get_secret_value()
    if not token:
        yield Finding("Slack", "note", "no bot token", "set SLACK_BOT_TOKEN; `teamlore demo` needs none")
        return
    client: Any = WebClient(token, base_url=settings.slack_api_url, timeout=_PATIENCE_S)
    try:
        reply = client.auth_test()
    except SlackApiError as error:
        yield Finding(
            "Slack", "wrong", f"refuses the token ({error.response['error']})", "correct SLACK_BOT_TOKEN"
        )
        return
    except OSError as error:
        yield Finding("Slack", "wrong", f"no answer ({type(error).__name__})", "check the network")
        return
    yield Finding("Slack", "ok", f"{reply['user']} in {reply['team']}")
    yield from check_clock(reply.headers)
    yield from _scopes(reply.headers)
    yield from _door(settings)


def _scopes(headers: dict[str, str]) -> Iterable[Finding]:
    import yaml

    granted = {name.lower(): value for name, value in headers.items()}.get("x-oauth-scopes")
    if granted is None or not _MANIFEST.exists():
        return
    wanted: set[str] = set(yaml.safe_load(_MANIFEST.read_text())["oauth_config"]["scopes"]["bot"])
    missing = wanted - {scope.strip() for scope in granted.split(",")}
    if missing:
        remedy = "apply bot/manifest.yaml to the app again and reinstall it"
        yield Finding("Slack scopes", "wrong", f"not granted: {', '.join(sorted(missing))}", remedy)
    else:
        yield Finding("Slack scopes", "ok", f"all {len(wanted)} granted")


def _door(settings: Settings) -> Iterable[Finding]:
    if settings.slack_app_token.get_secret_value():
        yield Finding("Slack events", "ok", "by Socket Mode")
    elif settings.slack_signing_secret.get_secret_value():
        yield Finding("Slack events", "ok", f"by HTTP on port {settings.port}")
    else:
        yield Finding("Slack events", "wrong", "no way in", "set SLACK_APP_TOKEN or SLACK_SIGNING_SECRET")
