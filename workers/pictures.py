"""The pictures of cited passages, put below an answer."""

from collections.abc import Sequence

import structlog

from retrieval.errors import Permanent, Transient
from retrieval.ports import ObjectStore
from retrieval.types import ImageRef
from workers.reply import Picture, Reply

MOST = 3
log = structlog.get_logger()


def show_pictures(reply: Reply, objects: ObjectStore, images: Sequence[ImageRef]) -> None:
    """Show the first few. An answer without its pictures is an answer still, so failures are only logged."""
    try:
        reply.show([Picture(objects.get(i), _file_name(i), i.caption or i.uri) for i in images[:MOST]])
    except (Transient, Permanent) as error:
        log.warning("pictures not shown", exc_info=error)


def _file_name(image: ImageRef) -> str:
    return f"{image.uri.rsplit('/', 1)[-1].split('.')[0]}.{image.mime.rsplit('/', 1)[-1]}"
