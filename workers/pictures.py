"""The pictures of cited passages, put below an answer."""

from collections.abc import Mapping, Sequence

import structlog

from retrieval.errors import Permanent, Transient
from retrieval.ports import ObjectStore
from retrieval.types import ImageRef
from storage.answers import AnswerRow
from workers.reply import Picture, Reply

MOST = 3
log = structlog.get_logger()


def pictures_of(row: AnswerRow) -> dict[str, str]:
    """The pictures below an answer: address in the object store to Slack's file id."""
    return dict(row.detail.get("pictures") or {})


def show_pictures(
    reply: Reply, objects: ObjectStore, images: Sequence[ImageRef], shown: Mapping[str, str]
) -> dict[str, str]:
    """Make the first few the pictures below an answer; returns them, as `shown`: address to Slack's file id.

    An answer without its pictures is an answer still, so failures are only logged.
    """
    # A picture that stands on the web alone is not ours to post; its passage links to it.
    ours = [image for image in images if image.sha256]
    wanted = {image.uri: image for image in ours[:MOST]}
    kept = {uri: file for uri, file in shown.items() if uri in wanted}
    fresh = [image for uri, image in wanted.items() if uri not in kept]
    try:
        reply.hide(file for uri, file in shown.items() if uri not in wanted)
        files = reply.show([Picture(objects.get(i), _file_name(i), i.caption or i.uri) for i in fresh])
        return kept | dict(zip((image.uri for image in fresh), files, strict=False))
    except (Transient, Permanent) as error:
        log.warning("pictures not shown", exc_info=error)
        return kept


def _file_name(image: ImageRef) -> str:
    return f"{image.uri.rsplit('/', 1)[-1].split('.')[0]}.{image.mime.rsplit('/', 1)[-1]}"
