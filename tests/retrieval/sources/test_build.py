"""A document's title is what its title page says, whatever pictures stand on it."""

from retrieval.sources.build import title_of
from retrieval.types import Block, Kind

PAGE = (
    Block(Kind.IMAGE, "ACME", page=1),
    Block(Kind.HEADING, "Acme", level=1, page=1),
    Block(Kind.HEADING, "The plus plan", ("Acme",), level=2, page=1),
    Block(Kind.PARAGRAPH, "All you need to know.", page=2),
)


def test_the_headings_of_a_title_page_are_the_title_also_beside_a_logo() -> None:
    assert title_of(PAGE) == "Acme: The plus plan"


def test_a_first_page_with_text_is_no_title_page() -> None:
    assert title_of((*PAGE[:2], Block(Kind.PARAGRAPH, "Welcome.", page=1), *PAGE[2:])) == "Acme"
