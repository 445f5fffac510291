"""Pictures inside documents are seen, kept and tied to the words that speak of them."""

import base64
import io
import zipfile
from hashlib import sha256
from pathlib import Path

from PIL import Image, ImageDraw

from retrieval.index.chunk import chunk
from retrieval.index.parse import Limits, Parsed, parse
from retrieval.sources.build import Traits, build_document
from retrieval.sources.folder import FolderSource
from retrieval.types import Block, ImageRef, Kind

_W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
)
_RELATION = (
    '<Relationship Id="{id}" Target="media/{id}.png"'
    ' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"/>'
)


def png(mark: str, size: tuple[int, int] = (200, 150)) -> bytes:
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).text((20, 20), mark, fill="black")
    held = io.BytesIO()
    picture.save(held, "PNG")
    return held.getvalue()


class Eye:
    """Reads what it was told of a picture's bytes, else nothing; keeps what it saw."""

    def __init__(self, said: dict[bytes, str] | None = None) -> None:
        self.said, self.seen = said or {}, list[bytes]()

    def __call__(self, image: bytes, caption: str) -> Block | None:
        self.seen.append(image)
        digest = sha256(image).hexdigest()
        words = "\n".join(filter(None, (caption, self.said.get(image, ""))))
        return Block(Kind.IMAGE, words, caption=caption, image=ImageRef(digest[:8], sha256=digest))


def paragraph(text: str, style: str = "") -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{look}<w:r><w:t>{text}</w:t></w:r></w:p>"


def photo(id: str, says: str = "") -> str:
    return (
        f'<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture 1" descr="{says}"/>'
        f'<a:blip r:embed="{id}"/></wp:inline></w:drawing></w:r></w:p>'
    )


def docx(body: str, **media: bytes) -> bytes:
    styles = (
        f'<w:styles {_W}><w:style w:type="paragraph" w:styleId="Heading1">'
        '<w:name w:val="heading 1"/></w:style></w:styles>'
    )
    relations = "".join(_RELATION.format(id=id) for id in media)
    rels = f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relations}</Relationships>'
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {_W}><w:body>{body}</w:body></w:document>")
        archive.writestr("word/styles.xml", styles)
        archive.writestr("word/_rels/document.xml.rels", rels)
        for id, data in media.items():
            archive.writestr(f"word/media/{id}.png", data)
    return held.getvalue()


def uri_of(data: bytes) -> str:
    return sha256(data).hexdigest()[:8]


def shown_with(parsed: Parsed, words: str) -> str:
    """The picture of the passage that holds `words`, as an answer would show it."""
    document = build_document(parsed, id="s/m", source="s", version="1", url="", traits=Traits())
    (found,) = [passage for passage in chunk(document) if words in passage.text]
    return found.image.uri if found.image else ""


def test_a_photo_in_a_word_manual_is_shown_with_the_paragraph_that_speaks_of_it() -> None:
    shutter, door = png("shutter"), png("door")
    body = (
        paragraph("快门按钮", "Heading1")
        + paragraph("快门按钮位于机身右上方，半按对焦，全按拍摄。")
        + photo("r1")
        + paragraph("电池仓", "Heading1")
        + paragraph("电池仓盖位于机身底部，向外推开即可更换电池。")
        + photo("r2")
    )
    parsed = parse(docx(body, r1=shutter, r2=door), "manual.docx", see=Eye())
    assert shown_with(parsed, "半按对焦") == uri_of(shutter)
    assert shown_with(parsed, "更换电池") == uri_of(door)


def test_a_caption_below_a_photo_becomes_its_words() -> None:
    body = paragraph("Overview of all parts.") + photo("r1") + paragraph("Figure 3: The shutter button")
    parsed = parse(docx(body, r1=png("x")), "manual.docx", see=Eye())
    picture = next(block for block in parsed.blocks if block.image)
    assert (picture.kind, picture.text) == (Kind.IMAGE, "Figure 3: The shutter button")
    assert sum("Figure 3" in block.text for block in parsed.blocks) == 1


def test_what_is_read_on_a_figure_is_found_with_its_alternative_text() -> None:
    chart = png("chart")
    body = paragraph("Sales rose.") + photo("r1", "Sales by quarter")
    parsed = parse(docx(body, r1=chart), "report.docx", see=Eye({chart: "Q1 12 Q2 19"}))
    picture = next(block for block in parsed.blocks if block.kind is Kind.IMAGE)
    assert picture.text == "Sales by quarter\nQ1 12 Q2 19"
    assert picture.image is not None


def test_pictures_in_tables_lists_and_old_drawings_are_seen() -> None:
    pictures = [png(mark) for mark in "abc"]
    listed = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
        "<w:r><w:t>Press it</w:t></w:r>" + photo("r2")[5:]
    )
    old = '<w:p><w:r><w:pict><v:shape><v:imagedata r:id="r3" o:title="old"/></v:shape></w:pict></w:r></w:p>'
    cells = f"<w:tr><w:tc>{paragraph('Step')}</w:tc><w:tc>{photo('r1')}</w:tc></w:tr>"
    eye = Eye()
    parse(
        docx(f"<w:tbl>{cells}</w:tbl>{listed}{old}", r1=pictures[0], r2=pictures[1], r3=pictures[2]),
        "m.docx",
        see=eye,
    )
    assert sorted(eye.seen) == sorted(pictures)


def test_a_logo_on_every_page_is_kept_once() -> None:
    logo = png("ACME")
    body = "".join(paragraph(f"Page {number} text.") + photo("r1") for number in range(4))
    parsed = parse(docx(body, r1=logo), "letter.docx", see=Eye({logo: "ACME"}))
    assert sum(block.kind is Kind.IMAGE for block in parsed.blocks) == 1


def test_a_figure_that_is_shown_again_in_another_size_is_kept_once() -> None:
    large, small = png("chart"), png("chart", (100, 75))
    said = "Revenue by quarter 12 19 23 31"
    body = paragraph("Sales rose.") + photo("r1") + paragraph("As shown above.") + photo("r2")
    parsed = parse(docx(body, r1=large, r2=small), "report.docx", see=Eye({large: said, small: said}))
    assert sum(block.kind is Kind.IMAGE for block in parsed.blocks) == 1


def test_pictures_beyond_the_limit_are_left_out_and_told() -> None:
    pictures = {f"r{number}": png(str(number)) for number in range(4)}
    body = paragraph("Parts.") + "".join(photo(id) for id in pictures)
    eye = Eye()
    parsed = parse(docx(body, **pictures), "a.docx", see=eye, limits=Limits(figures=2))
    assert len(eye.seen) == 2
    assert "only the first 2 pictures were read" in parsed.notes


def test_two_photos_of_one_section_are_shown_with_their_own_paragraphs() -> None:
    one, other = png("one"), png("other")
    body = (
        paragraph("The upper lever opens the lid.")
        + photo("r1")
        + paragraph("The lower lever locks it.")
        + photo("r2")
    )
    parsed = parse(docx(body, r1=one, r2=other), "manual.docx", see=Eye())
    assert shown_with(parsed, "upper lever") == uri_of(one)
    assert shown_with(parsed, "lower lever") == uri_of(other)


def test_pictures_beside_a_page_are_read_and_those_outside_the_source_are_not(tmp_path: Path) -> None:
    inside, outside = png("inside"), png("outside")
    (tmp_path / "secret.png").write_bytes(outside)
    wiki = tmp_path / "wiki"
    (wiki / "img").mkdir(parents=True)
    (wiki / "img" / "a b.png").write_bytes(inside)
    (wiki / ".hidden.png").write_bytes(outside)
    page = "# Door\n\nIt opens.\n\n![The door](img/a%20b.png)\n\n![x](../secret.png) ![y](.hidden.png)\n"
    (wiki / "door.md").write_text(page)
    (wiki / "door.html").write_text("<h1>Door</h1><p>It opens.</p><img src='img/a b.png' alt='The door'>")
    eye = Eye()
    source = FolderSource("wiki", wiki, see=eye)
    documents = {one.title: source.fetch(one) for one in source.listings() if one.title[:5] == "door."}
    for name in ("door.md", "door.html"):
        picture = next(block for block in documents[name].blocks if block.image and block.image.sha256)
        assert (picture.text, picture.image and picture.image.uri) == ("The door", uri_of(inside))
    assert outside not in eye.seen


def test_a_picture_within_the_page_itself_is_read() -> None:
    data = png("inline")
    address = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    eye = Eye({data: "ERR_5032"})
    parsed = parse(f"<p>Look:</p><img src='{address}'>".encode(), "a.html", see=eye)
    assert any("ERR_5032" in block.text for block in parsed.blocks)
    broken = parse(b"<p>Look:</p><img src='data:image/png;base64,@@@' alt='x'>", "a.html", see=eye)
    assert broken.blocks[0].text == "Look:"


def test_pictures_of_a_book_and_of_opendocument_are_read_from_their_archive() -> None:
    data = png("cover")
    book = _zip(
        {
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="OEBPS/b.opf"/></rootfiles></container>',
            "OEBPS/b.opf": '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
            '<item id="c" href="text/c.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>',
            "OEBPS/text/c.xhtml": "<h1>One</h1><p>Words.</p><img src='../img/c.png' alt='Cover'/>",
            "OEBPS/img/c.png": data,
        }
    )
    text = _zip(
        {
            "content.xml": "<office:document-content"
            ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
            ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
            ' xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"'
            ' xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text><text:p>Words.<draw:frame>'
            '<draw:image xlink:href="Pictures/c.png"/></draw:frame></text:p></office:text></office:body>'
            "</office:document-content>",
            "Pictures/c.png": data,
        }
    )
    for file, name in ((book, "a.epub"), (text, "a.odt")):
        eye = Eye({data: "on the cover"})
        parsed = parse(file, name, see=eye)
        assert eye.seen == [data]
        assert any("on the cover" in block.text for block in parsed.blocks)


def _zip(members: dict[str, str | bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue()
