"""Whether two documents or passages are the same in all that is indexed of them."""

from dataclasses import replace
from hashlib import blake2b

from retrieval.types import Document, Passage


def fingerprint(value: Document | Passage) -> str:
    """A hash of everything but the version: text, structure, permissions, address, dates."""
    # Sets have no order of their own, so readers are told apart from the rest.
    told = repr((sorted(value.readers), replace(value, version="", readers=frozenset())))
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
