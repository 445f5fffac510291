"""Tables of documents answer SQL with typed cells, inside their limits."""

import pytest

from retrieval.errors import Permanent
from retrieval.tables.run import Limits, select
from retrieval.tables.sheet import Sheet, sheets_of
from retrieval.types import Block, Document, Kind

ROWS = (
    ("Region", "Price", "Since", "Code", "地区", "Share"),
    ("North", "€1,200", "2024-01-02", "0042", "华东", "12.5%"),
    ("South", "€900", "2023/3/5", "0043", "华南", "7%"),
    ("East", "-", "", "0044", "华东", "80.5%"),
)


def price_sheet(*rows: tuple[str, ...]) -> Sheet:
    block = Block(Kind.TABLE, "", section=("2026",), rows=rows or ROWS)
    return next(sheets_of(Document("d1", "s", "Prices", "1", (block,))))


def test_columns_get_the_narrowest_type_that_loses_nothing() -> None:
    columns = {c.name: (c.type, c.unit) for c in price_sheet().columns}
    assert columns == {
        "Region": ("VARCHAR", ""),
        "Price": ("BIGINT", "€"),
        "Since": ("DATE", ""),
        "Code": ("VARCHAR", ""),
        "地区": ("VARCHAR", ""),
        "Share": ("DOUBLE", "%"),
    }


def test_a_column_of_mixed_units_stays_text() -> None:
    sheet = price_sheet(("Item", "Price"), ("pen", "€2"), ("ink", "$3"))
    assert [column.type for column in sheet.columns] == ["VARCHAR", "VARCHAR"]


def test_a_chinese_column_can_be_grouped_and_sums_skip_empty_cells() -> None:
    sheet = price_sheet()
    view = select(f'SELECT "地区", sum("Price") FROM {sheet.name} GROUP BY 1 ORDER BY 2 DESC', [sheet])
    assert view.rows == (("华东", "1200"), ("华南", "900"))


def test_headers_that_repeat_or_quote_make_distinct_columns() -> None:
    sheet = price_sheet(('a"b', "", "x", "X"), ("1", "2", "3", "4"))
    assert len({column.name.lower() for column in sheet.columns}) == 4
    assert select(f"SELECT * FROM {sheet.name}", [sheet]).rows == (("1", "2", "3", "4"),)


def test_a_statement_that_runs_too_long_is_stopped() -> None:
    sheet = price_sheet(("n",), *[(str(i),) for i in range(3000)])
    slow = "SELECT count(*) FROM {0} a, {0} b, {0} c WHERE a.n * b.n % 7 = c.n % 5".format(sheet.name)  # noqa: UP032
    with pytest.raises(Permanent, match="longer than"):
        select(slow, [sheet], Limits(seconds=0.3))


def test_no_more_rows_come_back_than_the_limit() -> None:
    sheet = price_sheet(("n",), *[(str(i),) for i in range(50)])
    assert len(select(f"SELECT * FROM {sheet.name}", [sheet], Limits(rows=7)).rows) == 7


def test_memory_is_bounded() -> None:
    sheet = price_sheet(("word",), *[(f"word{i}" * 20,) for i in range(3000)])
    sql = f"SELECT a.word || b.word, count(*) FROM {sheet.name} a, {sheet.name} b GROUP BY 1"
    with pytest.raises(Permanent, match=r"failed|longer"):
        select(sql, [sheet], Limits(megabytes=32, seconds=20))


def test_the_database_stays_shut_even_where_the_guard_would_not_look() -> None:
    """The second wall: what the connection itself refuses, the guard left aside."""
    import duckdb

    from retrieval.tables.run import _LOCKED  # pyright: ignore[reportPrivateUsage]

    with duckdb.connect(":memory:", config={**_LOCKED}) as database:
        database.execute("SET lock_configuration = true")
        for sql in (
            "SELECT * FROM read_text('/etc/passwd')",
            "INSTALL httpfs",
            "SET threads = 8",
            "ATTACH 'x.db'",
        ):
            with pytest.raises(duckdb.Error):
                database.execute(sql)
