"""oauth.v2.access and auth.revoke: tokens that come, rotate and go."""

import uuid

from bot.standin.slack import Slack
from bot.standin.state import SlackError, Token
from bot.standin.values import Json

ROTATES_AFTER = 43_200


async def access(slack: Slack, args: Json, caller: Token) -> Json:
    """oauth.v2.access: a code for a token by emulate; a refresh token, once each, by us."""
    if args.get("grant_type") == "refresh_token":
        return _refreshed(slack, args)
    answer = await slack.call("oauth.v2.access", args, caller)
    scopes = frozenset(answer["scope"].split(","))
    token = Token(answer["access_token"], answer["bot_user_id"], scopes)
    slack.state.tokens[token.value] = token
    return {**answer, **_whereabouts(slack), **(_rotating(slack, token) if slack.app.rotates else {})}


async def test(slack: Slack, args: Json, caller: Token) -> Json:
    """auth.test, with the Enterprise Grid that emulate knows nothing of."""
    answer = await slack.call("auth.test", args, caller)
    org = {"enterprise_id": slack.workspace.enterprise_id} if slack.workspace.enterprise_id else {}
    return {**answer, **org, "is_enterprise_install": slack.workspace.is_org_install}


async def revoke(slack: Slack, args: Json, caller: Token) -> Json:
    """auth.revoke: the token is worth nothing from now on."""
    slack.state.revoked[caller.value] = "token_revoked"
    return {"ok": True, "revoked": True}


def _refreshed(slack: Slack, args: Json) -> Json:
    old = slack.state.refresh_tokens.pop(args.get("refresh_token", ""), None)
    if not old:
        raise SlackError("invalid_refresh_token")
    token = Token(f"xoxe.xoxb-{uuid.uuid4().hex}", old.user_id, old.scopes, stands_for=old.backend_value)
    slack.state.tokens[token.value] = token
    ids = {"app_id": slack.app.id, "bot_user_id": old.user_id, **_whereabouts(slack)}
    named = {"token_type": "bot", "scope": ",".join(sorted(old.scopes)), "access_token": token.value}
    return {"ok": True, **ids, **named, **_rotating(slack, token)}


def _whereabouts(slack: Slack) -> Json:
    """Team and enterprise of an installation; one on a whole organisation has no team."""
    org = slack.workspace.is_org_install
    team = None if org else {"id": slack.workspace.team_id, "name": slack.workspace.name}
    return {"team": team, "enterprise": slack.workspace.enterprise, "is_enterprise_install": org}


def _rotating(slack: Slack, token: Token) -> Json:
    refresh = f"xoxe-1-{uuid.uuid4().hex}"
    slack.state.refresh_tokens[refresh] = token
    return {"refresh_token": refresh, "expires_in": ROTATES_AFTER}
