"""Each format gives headings, paragraphs, tables and code in reading order."""

from retrieval.index.parse import parse
from retrieval.types import Block, ImageRef, Kind
from tests.retrieval.index.parse import make

MARKDOWN = """---
title: Travel policy
author: Mei
date: 2025-03-01
---
# Travel

Book **early**, see [rules](https://wiki.example.com/rules).

## 酒店 Hotels

| City | Limit |
|------|-------|
| 上海 | 600 |

```python
# not a heading
book()
```

1. Ask
   - your lead

![The form](form.png)
<!-- a note to editors -->
"""


def shape(blocks: tuple[Block, ...]) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in blocks]


def test_markdown_keeps_structure_and_reads_front_matter() -> None:
    parsed = parse(MARKDOWN.encode(), "travel.md")
    assert (parsed.title, parsed.author, parsed.created_at and parsed.created_at.year) == (
        "Travel policy",
        "Mei",
        2025,
    )
    kinds = [block.kind for block in parsed.blocks]
    assert kinds == [
        Kind.HEADING,
        Kind.PARAGRAPH,
        Kind.HEADING,
        Kind.TABLE,
        Kind.CODE,
        Kind.PARAGRAPH,
        Kind.PARAGRAPH,
        Kind.IMAGE,
    ]
    table, code, picture = parsed.blocks[3], parsed.blocks[4], parsed.blocks[7]
    assert table.rows == (("City", "Limit"), ("上海", "600"))
    assert table.section == ("Travel", "酒店 Hotels")
    assert table.anchor == "酒店-hotels"
    assert code.language == "python"
    assert code.text.startswith("# not a heading")
    assert picture.caption == "The form"
    assert picture.image is not None
    assert picture.image.uri == "form.png"
    assert "editors" not in " ".join(block.text for block in parsed.blocks)


def test_equal_headings_get_anchors_of_their_own() -> None:
    parsed = parse(b"# FAQ\n\na\n\n# FAQ\n\nb", "a.md")
    assert [block.anchor for block in parsed.blocks if block.kind is Kind.HEADING] == ["faq", "faq-1"]


def test_html_gives_the_article_without_menus_banners_and_widgets() -> None:
    page = b"""<html><head><title>Leave</title></head><body>
    <nav><a href=/>Home</a></nav><div class="cookie-banner">We use cookies</div>
    <ul id="sidebar"><li><a href=/a>One</a><li><a href=/b>Two</a></ul>
    <article><button>Copy page</button><h1>Leave</h1><p>Twenty days
    <b>a year</b>.<ul><li>ask<ul><li>early</ul><li>wait</ul>
    <table><tr><th>a<th>b<tr><td rowspan=2>x<td>1<tr><td>2</table>
    <pre><code class="language-sh">leave --days 3</code></pre></article>
    <footer>(c) Us</footer></body></html>"""
    parsed = parse(page, "leave.html")
    assert parsed.title == "Leave"
    assert shape(parsed.blocks)[:3] == [
        ("heading", "Leave"),
        ("paragraph", "Twenty days a year."),
        ("paragraph", "- ask\n  - early\n- wait"),
    ]
    assert parsed.blocks[3].rows == (("a", "b"), ("x", "1"), ("x", "2"))
    assert (parsed.blocks[4].text, parsed.blocks[4].language) == ("leave --days 3", "sh")
    assert len(parsed.blocks) == 5


def test_html_that_lies_about_its_charset_is_read_right() -> None:
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>公司的报销流程在这里。</p></body></html>'
    assert parse(page.encode("gbk"), "a.html").blocks[0].text == "公司的报销流程在这里。"


def test_pdf_headings_come_from_size_and_paragraphs_know_their_page() -> None:
    body = [
        ("Every employee has twenty days of leave and may take", 11.0, False),
        ("them at any time.", 11.0, False),
    ]
    data = make.pdf(
        [("Leave policy", 18, True), ("", 11, False), *body],
        [("Sick days", 18, True), ("", 11, False), *body],
    )
    blocks = parse(data, "a.pdf").blocks
    assert [(block.kind, block.page) for block in blocks] == [
        (Kind.HEADING, 1),
        (Kind.PARAGRAPH, 1),
        (Kind.HEADING, 2),
        (Kind.PARAGRAPH, 2),
    ]
    assert blocks[1].text == "Every employee has twenty days of leave and may take them at any time."
    assert blocks[3].section == ("Sick days",)


def test_pdf_running_heads_are_left_out() -> None:
    pages = [[(f"Page number {at} says something of its own.", 11.0, False)] for at in range(4)]
    text = " ".join(block.text for block in parse(make.pdf(*pages, head="Contoso handbook"), "a.pdf").blocks)
    assert "Contoso" not in text
    assert "Page number 3" in text


def test_pdf_words_cut_at_a_line_end_are_mended() -> None:
    lines = [
        ("The in-network provider agrees on cut-", 11.0, False),
        ("ting the price, because care that is in-", 11.0, False),
        ("network is cheaper.", 11.0, False),
    ]
    text = parse(make.pdf(lines), "a.pdf").blocks[0].text
    assert "is in-network is" in text
    assert "cutting the price" in text


def test_a_scanned_page_is_rendered_and_seen() -> None:
    def see(image: bytes, caption: str) -> Block:
        assert image.startswith(b"\x89PNG")
        return Block(Kind.IMAGE, "Invoice 4711\n\nTotal 12 EUR", image=ImageRef("store/1.png"))

    blocks = parse(make.scanned_pdf(2), "a.pdf", see=see).blocks
    assert [(block.text, block.page) for block in blocks][:2] == [("Invoice 4711", 1), ("Total 12 EUR", 1)]
    assert blocks[0].image == ImageRef("store/1.png")


def test_word_headings_lists_tables_boxes_and_comments_are_read() -> None:
    styles = '<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
    styles += '<w:style w:styleId="L"><w:name w:val="L"/>'
    styles += '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    merged = '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>'
    body = (
        make.p("Leave", "H1")
        + make.p("Twenty days.", extra="<w:del><w:r><w:t>Ten days.</w:t></w:r></w:del>")
        + make.p("ask", "L")
        + make.p("wait", "L")
        + f"<w:tbl><w:tr><w:tc>{make.p('Region')}</w:tc><w:tc>{make.p('City')}</w:tc></w:tr>"
        + f"<w:tr><w:tc>{merged}{make.p('华东')}</w:tc><w:tc>{make.p('上海')}</w:tc></w:tr>"
        + f"<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc>{make.p('杭州')}</w:tc></w:tr></w:tbl>"
        + make.p(
            "Below",
            extra=f"<w:r><w:pict><w:txbxContent>{make.p('In the box')}</w:txbxContent></w:pict></w:r>",
        )
    )
    comments = f'<w:comment w:author="Li">{make.p("Is it so?")}</w:comment>'
    blocks = parse(make.docx(body, styles, comments=comments), "a.docx").blocks
    assert [block.text for block in blocks if block.kind is not Kind.TABLE] == [
        "Leave",
        "Twenty days.",
        "- ask\n- wait",
        "Below",
        "In the box",
        "Comment by Li: Is it so?",
    ]
    table = next(block for block in blocks if block.kind is Kind.TABLE)
    assert table.rows == (("Region", "City"), ("华东", "上海"), ("华东", "杭州"))


def test_text_is_cut_at_blank_lines() -> None:
    assert [block.text for block in parse(b"one\ntwo\n\n\nthree", "a.txt").blocks] == ["one\ntwo", "three"]
