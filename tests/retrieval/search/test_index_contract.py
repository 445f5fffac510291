"""What every index promises, held by the one in memory and by the real Weaviate alike."""

import string
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.config import Config
from retrieval.providers.weaviate_store import WeaviateIndex, connect
from retrieval.search.filters import admits, may_read
from retrieval.search.find import Finder
from retrieval.types import PUBLIC, Filters, ImageRef, Kind, Lead, Passage, Query, Scope
from tests.standins.index import MemoryIndex, WordEmbedder

EMBEDDER = WordEmbedder()
SETTINGS = Config.preset("standard").retrieval


@pytest.fixture(scope="module", params=["memory", pytest.param("weaviate", marks=pytest.mark.live)])
def index(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "memory":
        yield MemoryIndex(EMBEDDER)
        return
    urls = request.getfixturevalue("server_urls")
    client = connect(urls.weaviate_http, urls.weaviate_grpc, urls.weaviate_api_key)
    made = WeaviateIndex(client, EMBEDDER, SETTINGS, prefix="Contract")
    yield made
    client.alias.delete(alias_name="Contract")
    client.collections.delete(made.name)
    client.close()


@pytest.fixture
def team() -> str:
    return uuid4().hex


def passage(id: str, text: str, document: str = "d1", **fields: Any) -> Passage:
    return replace(Passage(id=id, document_id=document, version="1", text=text), **fields)


def ask(team: str, text: str, *readers: str, filters: Filters = Filters()) -> Query:
    scope = Scope(team=team, user="U1", readers=frozenset(readers or {PUBLIC}))
    return Query(id="q", wordings=(text,), scope=scope, filters=filters)


def by_keywords(index: Any, query: Query) -> list[str]:
    return _read(index, query, index.keyword(query.text, query, 10))


def by_vector(index: Any, query: Query) -> list[str]:
    return _read(index, query, index.vector(EMBEDDER.embed_queries([query.text])[0], [query], 10)[0])


def _read(index: Any, query: Query, leads: list[Lead]) -> list[str]:
    passages = index.read([lead.id for lead in leads], query.scope)
    return [passages[lead.id].id for lead in leads]


def found(index: Any, query: Query, limit: int = 10) -> list[str]:
    return [hit.passage.id for hit in Finder(index, EMBEDDER, None, SETTINGS).search(query, limit)]


def test_an_exact_code_is_never_beaten_by_one_a_digit_off(index: Any, team: str) -> None:
    codes = [f"KB-{number}" for number in (3102, 3103, 3112, 3202, 4102, 310, 31020, 3120)]
    rows = [passage(code, f"Error {code}: stop the line and call the shift lead.") for code in codes]
    index.replace(team, "d1", rows)
    for code in codes:
        assert by_keywords(index, ask(team, f"What does {code} mean?"))[0] == code
        assert found(index, ask(team, f"What does {code} mean?"))[0] == code


def test_each_leg_gives_as_many_leads_as_asked_best_first(index: Any, team: str) -> None:
    rows = [passage(f"p{n}", "pump " * (n % 7 + 1) + f"number{n}") for n in range(40)]
    index.replace(team, "d1", rows)
    query, vector = ask(team, "pump number7"), EMBEDDER.embed_queries(["pump number7"])[0]
    legs = (partial(index.keyword, query.text, query), lambda limit: index.vector(vector, [query], limit)[0])
    for search in legs:
        scores = [lead.score for lead in search(30)]
        assert len(scores) == 30
        assert scores == sorted(scores, reverse=True)
        assert scores[0] > scores[-1]
        assert len(search(3)) == 3


def test_the_vector_leg_scores_by_cosine(index: Any, team: str) -> None:
    rows = [passage("near", "pump valve"), passage("far", "pump salary leave travel")]
    index.replace(team, "d1", rows)
    query, vector = ask(team, "pump valve"), EMBEDDER.embed_queries(["pump valve"])[0]
    first, second = (lead.score for lead in index.vector(vector, [query], 2)[0])
    near, far = EMBEDDER.embed_documents([row.text for row in rows]) @ vector
    assert first - second == pytest.approx(near - far, abs=1e-3)


def test_each_query_of_a_vector_has_a_list_of_its_own(index: Any, team: str) -> None:
    index.replace(team, "d1", [passage("one", "pump valve"), passage("two", "泵 pump 阀门", language="zh")])
    queries = [ask(team, "pump", filters=Filters(languages=(one,))) for one in ("zh", "en")]
    chinese, english = index.vector(EMBEDDER.embed_queries(["pump"])[0], queries, 5)
    assert _read(index, queries[0], chinese) == ["two"]
    assert _read(index, queries[1], english) == ["one"]


def test_a_chinese_question_finds_its_passage_by_keywords_alone(index: Any, team: str) -> None:
    rows = [
        passage("pay", "员工的报销流程：先填写报销单，再由主管审批。"),
        passage("trip", "出差须提前三天申请。"),
    ]
    index.replace(team, "d1", rows)
    assert by_keywords(index, ask(team, "公司的报销流程是什么")) == ["pay"]


def test_a_traditional_question_finds_a_simplified_passage(index: Any, team: str) -> None:
    index.replace(team, "d1", [passage("pay", "报销流程由财务部负责。"), passage("trip", "出差须提前申请。")])
    assert by_keywords(index, ask(team, "報銷流程"))[0] == "pay"


def test_only_permitted_passages_are_found_by_any_leg(index: Any, team: str) -> None:
    rows = [
        passage("open", "salary bands of the team"),
        passage("closed", "salary bands of the board", readers=frozenset({"group:board"})),
    ]
    index.replace(team, "d1", rows)
    for search in (by_keywords, by_vector, found):
        assert search(index, ask(team, "salary bands")) == ["open"]
        assert search(index, ask(team, "salary bands", "group:board")) == ["closed"]
        assert set(search(index, ask(team, "salary bands", PUBLIC, "group:board"))) == {"open", "closed"}


def test_what_a_lead_points_to_is_read_only_by_who_may(index: Any, team: str) -> None:
    index.replace(team, "d1", [passage("closed", "salary bands", readers=frozenset({"group:board"}))])
    leads = index.keyword("salary", ask(team, "salary", "group:board"), 10)
    assert index.read([lead.id for lead in leads], ask(team, "x").scope) == {}
    assert index.read([], ask(team, "x").scope) == {}


def test_no_readers_see_nothing(index: Any, team: str) -> None:
    index.replace(team, "d1", [passage("open", "salary bands")])
    nobody = Query("q", ("salary bands",), Scope(team, "U1", readers=frozenset()))
    assert found(index, nobody) == []
    assert index.fetch(["open"], nobody.scope) == []


def test_teams_do_not_see_each_other(index: Any, team: str) -> None:
    index.replace(team, "d1", [passage("ours", "salary bands")])
    assert found(index, ask(team + "x", "salary bands")) == []
    index.replace(team + "x", "d1", [passage("theirs", "salary bands")])
    assert found(index, ask(team + "x", "salary bands")) == ["theirs"]


def test_team_names_that_differ_in_case_or_signs_stay_apart(index: Any, team: str) -> None:
    for name in (team + "A", team + "a", team + "/a", "团队" + team, team * 4):
        index.replace(name, "d1", [passage(name, "salary bands")])
        assert found(index, ask(name, "salary bands")) == [name]


def test_readers_are_matched_whole(index: Any, team: str) -> None:
    rows = [
        passage("yes", "audit report", readers=frozenset({"Verified"})),
        passage("no", "audit report", readers=frozenset({"Not Verified"})),
    ]
    index.replace(team, "d1", rows)
    assert found(index, ask(team, "audit report", "Verified")) == ["yes"]


def test_forgetting_a_document_leaves_those_with_a_like_name(index: Any, team: str) -> None:
    for name in ("test", "test_domain", "test domain", "Test"):
        index.replace(team, name, [passage(name, "audit report", document=name)])
    index.forget(team, "test")
    left = index.fetch(["test", "test_domain", "test domain", "Test"], ask(team, "x").scope)
    assert {passage.id for passage in left} == {"test_domain", "test domain", "Test"}


def test_a_replaced_document_leaves_nothing_behind(index: Any, team: str) -> None:
    index.replace(team, "d1", [passage(str(n), f"old audit rule {n}") for n in range(7)])
    index.replace(team, "d1", [passage("0", "new audit rule")])
    assert index.count(team) == 1
    assert index.fetch(["0"], ask(team, "x").scope)[0].text == "new audit rule"
    assert by_keywords(index, ask(team, "old")) == []


def test_a_document_replaced_by_nothing_is_gone(index: Any, team: str) -> None:
    index.replace(team, "d1", [passage("0", "audit rule")])
    index.replace(team, "d1", [])
    assert index.count(team) == 0


def test_what_is_written_is_found_at_once(index: Any, team: str) -> None:
    for letter in string.ascii_lowercase:
        word = letter * 6
        index.replace(team, letter, [passage(letter, f"{word} comes here", document=letter)])
        assert by_keywords(index, ask(team, word)) == [letter]


def test_a_passage_comes_back_as_it_went_in(index: Any, team: str) -> None:
    whole = Passage(
        id="p1",
        document_id="d1",
        version="7",
        text="Wording with “quotes”, 中文 and 🙂",
        title="Title",
        section="Title › Part",
        kind=Kind.TABLE,
        context="Title › Part",
        parent="d1#2",
        position=3,
        language="zh",
        source="handbook",
        product_line="KB",
        author="Ann",
        url="https://example.org/a?b=c#d",
        page=4,
        created_at=datetime(2025, 1, 2, tzinfo=UTC),
        updated_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        readers=frozenset({PUBLIC, "user:U1"}),
        image=ImageRef("file:///a.png", sha256="ab", caption="c", text="t"),
    )
    index.replace(team, "d1", [whole])
    assert index.fetch(["p1"], ask(team, "x").scope) == [whole]


def test_siblings_share_document_and_parent_and_come_in_reading_order(index: Any, team: str) -> None:
    rows = [passage(f"p{n}", f"step {n}", parent="s1" if n < 3 else "s2", position=n) for n in (2, 0, 1, 3)]
    index.replace(team, "d1", rows)
    index.replace(team, "d2", [passage("other", "step", document="d2", parent="s1")])
    closed = passage("closed", "step", document="d3", parent="s1", readers=frozenset({"user:U9"}))
    index.replace(team, "d3", [closed])
    scope = ask(team, "x").scope
    assert [p.id for p in index.siblings([rows[0]], scope)] == ["p0", "p1", "p2"]
    assert index.siblings([closed], scope) == []
    assert index.siblings([], scope) == []


def test_fetch_keeps_the_order_asked_for(index: Any, team: str) -> None:
    index.replace(team, "d1", [passage(id, "text") for id in "abc"])
    assert [p.id for p in index.fetch(["c", "x", "a", "c"], ask(team, "x").scope)] == ["c", "a"]
    assert index.fetch([], ask(team, "x").scope) == []


def test_fields_with_odd_signs_do_no_harm(index: Any, team: str) -> None:
    odd = 'a"b\\c{d}(e)*?^2~:/\n\t\x00'
    index.replace(team, odd, [passage(odd, f"audit {odd}", document=odd, readers=frozenset({odd}))])
    assert found(index, ask(team, f"audit {odd}", odd)) == [odd]
    index.forget(team, odd)
    assert index.count(team) == 0


@pytest.mark.live
def test_a_large_collection_is_compressed_while_it_serves(
    server_urls: Any, team: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = connect(server_urls.weaviate_http, server_urls.weaviate_grpc, server_urls.weaviate_api_key)
    made = WeaviateIndex(client, EMBEDDER, SETTINGS, prefix="Large")
    try:
        made.replace(team, "d1", [passage(f"p{n}", f"audit rule {n}") for n in range(30)])
        before = by_vector(made, ask(team, "audit rule 7"))
        monkeypatch.setattr("retrieval.providers.weaviate_size.LARGE", 30)
        WeaviateIndex(client, EMBEDDER, SETTINGS, prefix="Large").ensure(team)
        settings: Any = client.collections.use(made.name).config.get().vector_config or {}
        assert settings["text"].vector_index_config.quantizer.bits == 8
        assert by_vector(made, ask(team, "audit rule 7"))[0] == before[0]
    finally:
        client.alias.delete(alias_name="Large")
        client.collections.delete(made.name)
        client.close()


KINDS = st.sampled_from(list(Kind))
NAMES = st.sampled_from(["a", "A", "a b", "b", "Verified", "Not Verified"])
MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2026, 1, 1)).map(
    lambda moment: moment.replace(tzinfo=UTC)
)
ROWS = st.lists(
    st.builds(
        dict,
        kind=KINDS,
        section=st.lists(NAMES, max_size=2).map(" › ".join),
        source=NAMES,
        product_line=NAMES,
        language=st.sampled_from(["en", "zh"]),
        author=NAMES,
        updated_at=st.none() | MOMENTS,
        readers=st.frozensets(NAMES, min_size=1, max_size=2),
    ),
    min_size=1,
    max_size=12,
)
CONDITIONS = st.builds(
    Filters,
    kinds=st.lists(KINDS, max_size=2).map(tuple),
    sections=st.lists(NAMES, max_size=2).map(tuple),
    sources=st.lists(NAMES, max_size=2).map(tuple),
    product_lines=st.lists(NAMES, max_size=2).map(tuple),
    languages=st.lists(st.sampled_from(["en", "zh"]), max_size=2).map(tuple),
    authors=st.lists(NAMES, max_size=2).map(tuple),
    since=st.none() | MOMENTS,
    until=st.none() | MOMENTS,
)


@given(rows=ROWS, filters=CONDITIONS, readers=st.frozensets(NAMES, min_size=1, max_size=3))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_exactly_what_meets_the_conditions_comes_back(
    index: Any, rows: list[dict[str, Any]], filters: Filters, readers: frozenset[str]
) -> None:
    team = uuid4().hex
    passages = [passage(string.ascii_letters[n], "common words", **row) for n, row in enumerate(rows)]
    index.replace(team, "d1", passages)
    query = ask(team, "common words", *readers, filters=filters)
    meant = {p.id for p in passages if may_read(p, query.scope) and admits(filters, p)}
    for leg in (
        index.keyword("common words", query, 50),
        index.vector(EMBEDDER.embed_queries(["common"])[0], [query], 50)[0],
    ):
        assert set(_read(index, query, leg)) == meant
