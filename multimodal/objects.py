"""Keeps original pictures by fsspec: a local folder by default, any bucket by URL."""

from typing import Any, cast

import fsspec

from multimodal.pictures import fingerprint
from retrieval.errors import Permanent, Transient
from retrieval.types import ImageRef


class FsspecObjects:
    """An ObjectStore addressed by content: the same bytes are kept once.

    Each place's client has errors of its own, those of S3 are no OSErrors; all mean that it does not answer.
    """

    def __init__(self, url: str) -> None:
        files, root = cast(tuple[Any, str], fsspec.url_to_fs(url))  # pyright: ignore[reportUnknownMemberType]
        self._files, self._root = files, root

    def put(self, data: bytes, mime: str) -> ImageRef:
        """Keep the bytes; returns their address. Raises Transient when the store does not answer."""
        digest = fingerprint(data)
        name = f"{digest[:2]}/{digest}.{mime.rpartition('/')[2]}"
        path = f"{self._root}/{name}"
        try:
            if not self._files.exists(path):
                self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
                self._files.pipe_file(path, data)
        except Exception as error:
            raise Transient("the object store does not take a picture") from error
        return ImageRef(uri=name, mime=mime, sha256=digest)

    def get(self, ref: ImageRef) -> bytes:
        """The bytes kept for `ref`. Raises Permanent when they are gone or are not what `sha256` says."""
        try:
            data: bytes = self._files.cat_file(f"{self._root}/{ref.uri}")
        except FileNotFoundError as error:
            raise Permanent("the picture is gone from the object store") from error
        except Exception as error:
            raise Transient("the object store does not answer") from error
        if fingerprint(data) != ref.sha256:
            raise Permanent("the picture in the object store was changed")
        return data

    def drop(self, uri: str) -> None:
        """Delete what is kept at an address. Raises Transient when the store does not answer."""
        try:
            self._files.rm_file(f"{self._root}/{uri}")
        except FileNotFoundError:
            return
        except Exception as error:
            raise Transient("the object store does not answer") from error
