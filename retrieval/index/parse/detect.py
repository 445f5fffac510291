"""Which format a file has: magic bytes where there are any, else the suffix of its name."""

from pathlib import PurePosixPath

from retrieval.errors import Unreadable

_SUFFIXES = {
    "markdown": "md markdown mdx mdown",
    "html": "html htm xhtml",
    "pdf": "pdf",
    "docx": "docx docm",
    "text": "txt text log rst adoc org tex",
}
_BY_SUFFIX = {f".{suffix}": kind for kind, names in _SUFFIXES.items() for suffix in names.split()}


def format_of(data: bytes, name: str) -> str:
    """The format's name. Raises Unreadable for one that no parser reads."""
    if b"%PDF-" in data[:1024]:
        return "pdf"
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in _BY_SUFFIX:
        raise Unreadable(f"no parser reads {suffix or 'files without a suffix'}")
    return _BY_SUFFIX[suffix]


def known_suffix(name: str) -> bool:
    """Whether a file of this name is worth fetching."""
    return PurePosixPath(name).suffix.lower() in _BY_SUFFIX
