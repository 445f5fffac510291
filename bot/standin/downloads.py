"""Downloads of private files: the bytes with a good token, and Slack's sign-in page with any other."""

from aiohttp import web

from bot.standin.slack import Slack

SIGN_IN = "<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in</body></html>"


async def answer(slack: Slack, request: web.Request) -> web.Response:
    """The file for a token with files:read. Otherwise HTML with status 200: that is how Slack refuses."""
    value = request.headers.get("Authorization", "").removeprefix("Bearer ")
    token = slack.state.tokens.get(value)
    fault = slack.state.next_fault("download")
    if fault and fault.status == 302:
        return web.Response(status=302, headers={"Location": f"{request.path}?moved"})
    if not fault and token and "files:read" in token.scopes and value not in slack.state.revoked:
        return await slack.backend.pass_through(request)
    return web.Response(text=SIGN_IN, content_type="text/html")
