"""Spreadsheets, slides and other files of offices keep what their readers see."""

from email.message import EmailMessage

import pytest

from retrieval.errors import Unreadable
from retrieval.index.parse import Limits, parse
from retrieval.types import Block, Kind
from tests.retrieval.index.parse import make


def tables(blocks: tuple[Block, ...]) -> list[Block]:
    return [block for block in blocks if block.kind is Kind.TABLE]


def texts(blocks: tuple[Block, ...]) -> list[str]:
    return [block.text for block in blocks]


def test_a_merged_cell_is_repeated_and_a_title_row_is_the_caption() -> None:
    rows = [["2025 报价表", "", ""], ["大区", "城市", "价格"], ["华东", "上海", "600"], ["", "杭州", "500"]]
    (table,) = tables(parse(make.xlsx({"报价": rows}, {"报价": "A3:A4"}), "a.xlsx").blocks)
    assert table.caption == "2025 报价表"
    assert table.rows == (("大区", "城市", "价格"), ("华东", "上海", "600"), ("华东", "杭州", "500"))
    assert table.section == ("报价",)


def test_several_tables_of_a_sheet_are_kept_apart() -> None:
    rows = [["a", "b"], ["1", "2"], [], ["c", "d", "", "e", "f"], ["3", "4", "", "5", "6"]]
    found = tables(parse(make.xlsx({"S": rows}), "a.xlsx").blocks)
    assert [table.rows[0] for table in found] == [("a", "b"), ("c", "d"), ("e", "f")]


def test_a_hidden_sheet_is_left_out_and_told() -> None:
    sheets = {"Open": [["a", "b"], ["1", "2"]], "Salaries": [["x", "y"], ["8", "9"]]}
    parsed = parse(make.xlsx(sheets, hidden="Salaries"), "a.xlsx")
    assert len(tables(parsed.blocks)) == 1
    assert parsed.notes == ("hidden sheet Salaries left out",)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_of_a_csv_is_found(delimiter: str) -> None:
    rows = [["Name", "Dept", "Since"], ["Li", '"R&D, A"', "2020"], ["Wu", "Ops", "2021"]]
    quoted = "\n".join(delimiter.join(row) for row in rows)
    (table,) = tables(parse(quoted.encode("utf-16"), "a.csv").blocks)
    assert table.rows[1] == ("Li", "R&D, A", "2020")


def test_a_chinese_csv_from_excel_is_read() -> None:
    (table,) = tables(parse("姓名,部门\r\n张三,市场部\r\n".encode("gbk"), "a.csv").blocks)
    assert table.rows == (("姓名", "部门"), ("张三", "市场部"))


def test_rows_beyond_the_limit_are_left_out_and_told() -> None:
    data = "a,b\n" + "1,2\n" * 100
    parsed = parse(data.encode(), "a.csv", limits=Limits(cells=20))
    assert len(tables(parsed.blocks)[0].rows) == 10
    assert parsed.notes == ("only the first 10 rows were read",)


def slide(*shapes: str) -> str:
    return f"<p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld>"


def shape(text: str, top: int, kind: str = "") -> str:
    holder = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else ""
    place = f'<a:off x="0" y="{top}"/>'
    return f"<p:sp>{holder}{place}<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"


def test_slides_are_read_from_the_top_under_their_titles() -> None:
    group = f'<p:grpSp><a:off x="0" y="5000000"/>{shape("Deep", 5_000_000)}</p:grpSp>'
    deck = make.office(
        ppt__slides__slide1=slide(
            shape("Below", 3_000_000), shape("Above", 1_000_000), shape("Plan", 0, "title"), group
        ),
        ppt__slides__slide2=slide(shape("Alone", 0)),
    )
    blocks = parse(deck, "a.pptx").blocks
    assert texts(blocks) == ["Plan", "Above", "Below", "Deep", "Slide 2", "Alone"]
    assert [block.page for block in blocks] == [1, 1, 1, 1, 2, 2]


def test_opendocument_text_is_read_with_its_tables() -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    rows = "".join(
        f"<table:table-row>{cell.format(a)}{cell.format(b)}</table:table-row>" for a, b in ("ab", "12")
    )
    body = (
        '<text:h text:outline-level="1">Leave</text:h><text:p>Twenty<text:s/>days</text:p>'
        f"<text:list><text:list-item><text:p>ask</text:p></text:list-item></text:list><table:table>{rows}</table:table>"
    )
    blocks = parse(make.office(content=f"<office:body>{body}</office:body>"), "a.odt").blocks
    assert texts(blocks)[:3] == ["Leave", "Twenty days", "- ask"]
    assert tables(blocks)[0].rows == (("a", "b"), ("1", "2"))


def test_rtf_knows_code_pages_escapes_and_what_is_no_text() -> None:
    chinese = "".join(f"\\'{byte:02x}" for byte in "报销流程".encode("gbk"))
    data = (
        r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset134 SimSun;}}{\*\generator W;}"
        rf"\f0 Policy \endash  caf\'e9\par{{\f1 {chinese}}} \u25253?\par}}"
    )
    assert texts(parse(data.encode(), "a.rtf").blocks) == ["Policy – café", "报销流程 报"]


def mail(attached: bytes = b"", name: str = "") -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "李雷 <li@example.com>", "wu@example.com", "报销"
    message["Date"] = "Mon, 03 Mar 2025 09:00:00 +0800"
    message.set_content("Please file it.\n\nThanks")
    if name:
        message.add_attachment(attached, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def test_mail_tells_who_when_and_what_and_reads_attachments() -> None:
    parsed = parse(mail(b"# Rules\n\nKeep the receipt.", "rules.md"), "a.eml")
    assert (parsed.title, parsed.author) == ("报销", "李雷 <li@example.com>")
    assert parsed.created_at is not None
    assert texts(parsed.blocks)[2:] == ["Please file it.", "Thanks", "rules.md", "Rules", "Keep the receipt."]
    assert parsed.blocks[-1].section == ("rules.md", "Rules")


def test_an_attachment_that_cannot_be_read_is_told_and_the_rest_is_read() -> None:
    parsed = parse(mail(b"MZ\x00", "tool.exe"), "a.eml")
    assert parsed.notes == ("tool.exe was not read: no parser reads .exe",)
    assert "Please file it." in texts(parsed.blocks)


def test_an_archives_members_are_files_of_their_own() -> None:
    parsed = parse(make.zipped(a__md=b"# A\n\nalpha", b__exe=b"MZ"), "x.zip")
    assert texts(parsed.blocks) == ["a.md", "A", "alpha", "b.exe"]
    assert "no parser reads .exe" in parsed.notes[0]


def test_archives_in_archives_end_somewhere() -> None:
    data = make.zipped(a__md=b"# A\n\nalpha")
    for _ in range(6):
        data = make.zipped(inner__zip=data)
    assert "nested deeper" in " ".join(parse(data, "x.zip").notes)


def test_code_is_cut_at_its_symbols_with_their_comments() -> None:
    source = (
        b"import os\n\n# Says hello.\n@cache\ndef greet(name):\n    return name\n\n\n"
        b"class Door:\n    def open(self):\n        pass\n"
    )
    blocks = parse(source, "a.py").blocks
    assert [block.text for block in blocks if block.kind is Kind.HEADING] == ["greet", "Door"]
    assert [block.section for block in blocks if block.kind is Kind.CODE] == [(), ("greet",), ("Door",)]
    assert "# Says hello." in blocks[2].text


def test_json_records_are_a_table_and_notebooks_are_cells() -> None:
    (table,) = tables(parse(b'[{"id": 1, "name": "Li"}, {"id": 2, "city": "Bonn"}]', "a.json").blocks)
    assert table.rows == (("id", "name", "city"), ("1", "Li", ""), ("2", "", "Bonn"))
    cells = b'{"cell_type": "markdown", "source": ["# A\\n"]}, {"cell_type": "code", "source": "x = 1"}'
    notebook = b'{"nbformat": 4, "cells": [' + cells + b"]}"
    assert [block.kind for block in parse(notebook, "a.ipynb").blocks] == [Kind.HEADING, Kind.CODE]


def test_a_feed_is_read_entry_by_entry() -> None:
    entry = "<item><title>新版本</title><description>&lt;p&gt;Faster.&lt;/p&gt;</description></item>"
    feed = f"<rss><channel><title>News</title>{entry}</channel></rss>"
    assert texts(parse(feed.encode(), "a.xml").blocks) == ["News", "新版本", "Faster."]


def test_a_picture_needs_somebody_who_sees() -> None:
    png = b"\x89PNG\r\n\x1a\n"
    with pytest.raises(Unreadable, match="reads pictures"):
        parse(png, "a.png")
    blocks = parse(
        png, "error.png", see=lambda data, caption: Block(Kind.IMAGE, f"{caption}: KB-3102")
    ).blocks
    assert texts(blocks) == ["error: KB-3102"]
