"""The words of the sample's pages, looked up by path and section, and who may read which."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import docx
import pypdfium2
from docx.table import Table

from evals.sample.words import PICTURE_WORDS

SAMPLE = Path(__file__).parents[1] / "sample"
READERS = {
    "handbook": "public",
    "private/people": "group:people-team",
    "private/leadership": "group:leadership",
}


def list_pages(root: Path = SAMPLE) -> list[str]:
    """The paths of all pages relative to the sample, in a fixed order."""
    files = (path for folder in READERS for path in (root / folder).rglob("*") if path.is_file())
    return sorted(path.relative_to(root).as_posix() for path in files)


def reader_of(page: str) -> str:
    """The reader that a page asks for. KeyError where it lies outside the folders of the sample."""
    for folder, reader in READERS.items():
        if page.startswith(folder + "/"):
            return reader
    raise KeyError(page)


@cache
def read_source(source: str, root: Path = SAMPLE) -> str:
    """The words of `path`, `path#Section` or `path.pdf#page=2`. LookupError where there is no such place."""
    path, _, section = source.partition("#")
    text = read_page(root / path)
    if not section:
        return text
    if section.startswith("page="):
        return text.split("\f")[int(section.removeprefix("page=")) - 1]
    return _cut_section(text, section)


def read_page(path: Path) -> str:
    """The words of a whole file; PDF pages are parted by form feeds. LookupError where it is missing."""
    if not path.is_file():
        raise LookupError(f"no such page: {path.name}")
    match path.suffix:
        case ".pdf":
            return _read_pdf(path)
        case ".docx":
            return "\n".join(_read_docx(path))
        case ".png" | ".jpg":
            return "\n".join(PICTURE_WORDS[path.name])
        case _:
            return path.read_text("utf-8")


def _read_pdf(path: Path) -> str:
    document = pypdfium2.PdfDocument(path)
    try:
        return "\f".join(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def _read_docx(path: Path) -> Iterator[str]:
    for item in docx.Document(str(path)).iter_inner_content():
        if isinstance(item, Table):
            yield from (" | ".join(cell.text for cell in row.cells) for row in item.rows)
        elif item.style and item.style.name and item.style.name.startswith("Heading"):
            yield f"{'#' * int(item.style.name[-1])} {item.text}"
        else:
            yield item.text


def _cut_section(text: str, title: str) -> str:
    heading = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
    if not heading:
        raise LookupError(f"no such section: {title}")
    following = re.compile(rf"^#{{1,{len(heading[1])}}} ", re.MULTILINE).search(text, heading.end())
    return text[heading.start() : following.start() if following else len(text)]
