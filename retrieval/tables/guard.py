"""Admits one SELECT over known tables and functions, and nothing else.

The statement is parsed (sqlglot) and what runs is rendered from the tree, so nothing that the parser did not
see can run. What is not on a list below is refused: a new function of the database is closed until opened.
"""

import logging
from collections.abc import Collection

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from retrieval.errors import Permanent

DIALECT = "duckdb"
logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it warns of each statement that we refuse anyway
MAX_LENGTH = 10_000
"""Characters; a longer statement is not an answer to a question."""

# Built-in functions by sqlglot's class. And, Or and the like count as functions there.
_FUNCTIONS: tuple[type[exp.Func], ...] = (
    *(exp.And, exp.Or, exp.Xor, exp.Case, exp.If, exp.Coalesce, exp.Nullif, exp.Cast, exp.TryCast),
    *(exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Median, exp.Quantile, exp.PercentileCont),
    *(exp.Stddev, exp.StddevSamp, exp.StddevPop, exp.Variance, exp.GroupConcat, exp.ArgMax, exp.ArgMin),
    *(exp.Abs, exp.Round, exp.Ceil, exp.Floor, exp.Sqrt, exp.Pow, exp.Ln, exp.Greatest, exp.Least),
    *(exp.Lower, exp.Upper, exp.Trim, exp.Length, exp.Substring, exp.Replace, exp.Concat, exp.StrPosition),
    *(exp.Left, exp.Right, exp.StartsWith, exp.Contains, exp.Initcap),
    *(exp.Year, exp.Quarter, exp.Month, exp.Week, exp.Day, exp.DayOfWeek, exp.Extract, exp.DateTrunc),
    *(exp.TimestampTrunc, exp.DateDiff, exp.DateAdd, exp.DateSub, exp.CurrentDate, exp.TsOrDsToDate),
    *(exp.RowNumber, exp.Rank, exp.DenseRank, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue),
    *(exp.CountIf, exp.Date, exp.Exists, exp.TimeToStr),
)
_REFUSED: tuple[type[exp.Expr], ...] = (
    *(exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.DDL, exp.Command, exp.Into, exp.Directory),
    *(exp.Placeholder, exp.Parameter, exp.SessionParameter, exp.Lock, exp.Hint),
    *(exp.Lateral, exp.Unnest, exp.TableSample, exp.Pivot, exp.UDTF, exp.Describe, exp.Summarize),
)


def admit(sql: str, tables: Collection[str], *, render: str = DIALECT) -> str:
    """The statement to run, rendered anew in the dialect of the database that will run it.

    Raises Permanent with the reason when it may not run.
    """
    tree = _parse(sql)
    allowed = {table.lower() for table in tables}
    named = allowed | {cte.alias_or_name.lower() for cte in tree.find_all(exp.CTE)}
    reasons = (_objection(node, named) for node in tree.walk())
    if reason := next(filter(None, reasons), ""):
        raise Permanent(reason)
    if hidden := _real_tables(tree) - allowed:
        raise Permanent(f"there is no table {min(hidden)[:60]!r}")
    return tree.sql(dialect=render, comments=False)


def _real_tables(tree: exp.Query) -> set[str]:
    """Tables that names truly stand for: `WITH x AS (SELECT * FROM x)` reads the table x, not itself."""
    try:
        sources = [source for scope in traverse_scope(tree) for source in scope.sources.values()]
    except SqlglotError as error:
        raise Permanent("the statement's tables cannot be made out") from error
    return {source.name.lower() for source in sources if isinstance(source, exp.Table)}


def _parse(sql: str) -> exp.Query:
    if len(sql) > MAX_LENGTH:
        raise Permanent("the statement is too long")
    try:
        statements = [s for s in sqlglot.parse(sql, read=DIALECT) if s is not None]
    except (SqlglotError, RecursionError) as error:
        raise Permanent("the statement cannot be parsed") from error
    if len(statements) != 1:
        raise Permanent("exactly one statement is allowed")
    if not isinstance(statements[0], exp.Query) or isinstance(statements[0], _REFUSED):
        raise Permanent("only a SELECT is allowed")
    return statements[0]


def _objection(node: exp.Expr, known: Collection[str]) -> str:
    match node:
        case exp.Table():
            return _table_objection(node, known)
        case exp.With() if node.args.get("recursive"):
            return "recursive queries are not allowed"
        case exp.Anonymous() | exp.AnonymousAggFunc() | exp.CombinedAggFunc():
            return f"the function {str(node.this)[:40]!r} is not allowed"
        case exp.Func() if not isinstance(node, _FUNCTIONS):
            return f"the function {node.sql_name()!r} is not allowed"
        case _ if isinstance(node, _REFUSED):
            return f"{type(node).__name__.upper()} is not allowed"
        case _:
            return ""


def _table_objection(table: exp.Table, known: Collection[str]) -> str:
    if not isinstance(table.this, exp.Identifier):
        return "functions that make tables are not allowed"
    if table.args.get("db") or table.args.get("catalog"):
        return "only the tables shown are allowed, without a schema's name"
    if table.name.lower() not in known:
        return f"there is no table {table.name[:60]!r}"
    return ""
