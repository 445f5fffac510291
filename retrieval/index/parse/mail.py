"""E-mail (EML, MSG): who, when, about what, the text, and each attachment as a file of its own."""

import email
import email.policy
import io
import re
from collections.abc import Iterator
from datetime import datetime
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import Any

from oxmsg import Message
from selectolax.lexbor import LexborHTMLParser

from retrieval.errors import Unreadable
from retrieval.index.decode import decode
from retrieval.index.parse.html import read_html
from retrieval.index.parse.nested import read_nested
from retrieval.index.parse.parsed import Outline, Parsed, Reading

_SENDER_ADDRESS = 0x0C1F
_LOOKS = (
    "text/css",
    "text/javascript",
    "application/javascript",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
    "application/pgp-signature",
)
_SHOWN = ("From", "To", "Cc", "Date", "Subject")


def parse(data: bytes, reading: Reading) -> Parsed:
    """RFC 822, with the headers' encoded words and any transfer encoding."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    headers = {name: _header(message, name) for name in _SHOWN}
    outline = Outline()
    _add_headers(headers, outline)
    body = message.get_body(("plain", "html"))
    if isinstance(body, EmailMessage):
        _add_body(_content(body), body.get_content_type() == "text/html", outline)
    read_nested(_attached(message), outline, reading)
    return _parsed(headers, _date(headers["Date"]), outline)


def _attached(message: EmailMessage) -> Iterator[tuple[str, bytes]]:
    """Attachments and the pictures of a saved web page (MHTML), without what only makes it look nice."""
    for part in message.iter_attachments():
        kind = part.get_content_type()
        if kind not in _LOOKS and not kind.startswith("font/"):
            place = str(part.get("Content-Location", "")).rpartition("/")[2]
            yield part.get_filename() or place or "attachment", _payload(part)


def parse_msg(data: bytes, reading: Reading) -> Parsed:
    """Outlook's own format."""
    try:
        message = Message.load(io.BytesIO(data))
        recipients = ", ".join(f"{one.name} <{one.email_address}>" for one in message.recipients)
        told = {"From": _sender(message), "To": recipients, "Subject": message.subject or ""}
        sent = message.sent_date
        body, html = message.body or "", message.html_body or ""
    except (OSError, KeyError, ValueError, IndexError) as error:
        raise Unreadable("it is no readable Outlook message: damaged or cut off") from error
    headers = {**told, "Date": sent.isoformat(" ") if sent else ""}
    outline = Outline()
    _add_headers(headers, outline)
    _add_body(body or html, not body, outline)
    files = ((one.file_name or "attachment", one.file_bytes or b"") for one in message.attachments)
    read_nested(files, outline, reading)
    return _parsed(headers, sent, outline)


def _sender(message: Message) -> str:
    """Name and address; the address proper is a property of its own, which forwarded copies keep."""
    name = str(make_header(decode_header(message.sender or "")))
    address = next((str(found.value) for found in message.properties if found.pid == _SENDER_ADDRESS), "")
    return f"{name} <{address}>" if address and address not in name else name


def _parsed(headers: dict[str, str], sent: datetime | None, outline: Outline) -> Parsed:
    return Parsed(
        tuple(outline.blocks), headers["Subject"], headers["From"], sent, notes=tuple(outline.notes)
    )


def _add_headers(headers: dict[str, str], outline: Outline) -> None:
    outline.heading(headers.get("Subject") or "Message", 1)
    outline.paragraph("\n".join(f"{name}: {headers[name]}" for name in _SHOWN if headers.get(name)))


def _add_body(text: str, is_html: bool, outline: Outline) -> None:
    if is_html:
        read_html(LexborHTMLParser(text), outline)
        return
    for paragraph in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n")):
        outline.paragraph(paragraph)


def _header(message: EmailMessage, name: str) -> str:
    """A header's words. One whose charset is a lie is shown as far as it can be read."""
    try:
        return str(message.get(name, "")).replace("\ufffd", "")
    except (LookupError, ValueError):
        return ""


def _content(part: EmailMessage) -> str:
    return decode(_payload(part), part.get_content_charset() or "").text


def _payload(part: EmailMessage) -> bytes:
    """A part's bytes, transfer encoding undone; of a forwarded message the message itself."""
    if part.get_content_type() == "message/rfc822":
        inner: Any = part.get_payload()
        return inner[0].as_bytes() if inner else b""
    data: Any = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _date(told: str) -> datetime | None:
    try:
        return parsedate_to_datetime(told)
    except (ValueError, TypeError):
        return None
