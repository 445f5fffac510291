"""Questions of several steps are followed by names, within what the asker may read."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.graph.hops import Hops
from retrieval.graph.keeper import NameKeeper
from retrieval.graph.names import is_telling, key_of, mentioned
from retrieval.types import PUBLIC, Document, Hit, Passage, Query, Scope
from storage.base import Base, open_database
from storage.names import Names

FILM = Passage("film", "d1", "1", "Blood Street is a film directed by Leo Fong.", "Blood Street (1988 film)")
PERSON = Passage("person", "d2", "1", "He was born in Canton.", "Leo Fong")
OTHER = Passage("other", "d3", "1", "A street in Leeds.", "Street")
RULE = Passage("rule", "d4", "1", "审批人见《报销制度》。", "差旅流程")
TARGET = Passage("target", "d5", "1", "金额超过五千元须由财务总监审批。", "报销制度")
SECRET = Passage("secret", "d6", "1", "Paid 90,000.", "Leo Fong", readers=frozenset({"group:hr"}))
SHELF = [FILM, PERSON, OTHER, RULE, TARGET, SECRET]


class Shelf:
    """Finds nothing by itself but the first passage given; reads by id, within the scope."""

    def __init__(self, *found: Passage) -> None:
        self.found = found

    def search(self, query: Query, limit: int) -> list[Hit]:
        return [Hit(passage, 1.0 - place / 10) for place, passage in enumerate(self.found)][:limit]

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        return [p for p in SHELF if p.id in ids and p.readers & scope.readers]

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        return list(passages)


@pytest.fixture
def names(tmp_path: Path) -> Names:
    database = open_database(f"sqlite:///{tmp_path}/n.db")
    Base.metadata.create_all(database.engine)
    keeper = NameKeeper(Names(database))
    for passage in SHELF:
        keeper.keep("home", Document(passage.document_id, "s", passage.title, "1", ()), [passage])
    return Names(database)


def ask(names: Names, text: str, *found: Passage, readers: frozenset[str] = frozenset({PUBLIC})) -> list[str]:
    shelf = Shelf(*found)
    query = Query("q", (text,), Scope("home", "U1", readers=readers))
    return [hit.passage.id for hit in Hops(shelf, names, shelf).search(query, 8)]


def test_what_a_named_thing_mentions_is_reached_in_one_step(names: Names) -> None:
    assert ask(names, "Where was the director of Blood Street born?", OTHER)[:2] == ["film", "person"]


def test_a_chinese_rule_that_refers_to_another_leads_there(names: Names) -> None:
    assert "target" in ask(names, "差旅流程里超过五千元谁审批？")


def test_a_name_that_every_hit_mentions_leads_nowhere(names: Names) -> None:
    about = [Passage(f"p{n}", f"x{n}", "1", f"Leo Fong, part {n}.", "Life") for n in range(8)]
    assert "person" not in ask(names, "When did Leo Fong retire?", *about)[:8]
    assert ask(names, "When did Leo Fong retire?", *about[:3])[0] == "person"


def test_a_name_is_not_excused_by_texts_of_another_script(names: Names) -> None:
    chinese = [Passage(f"z{n}", f"z{n}", "1", f"第{n}条见《报销制度》。", "条款") for n in range(10)]
    english = [Passage(f"e{n}", f"e{n}", "1", f"Paragraph {n}.", "Terms") for n in range(40)]
    assert "target" not in ask(names, "报销制度是什么？", *english, *chinese)[:1]
    assert ask(names, "报销制度是什么？", *english, *chinese[:2])[:1] == ["target"]


def test_what_many_documents_call_a_part_of_theirs_is_no_name(names: Names) -> None:
    keeper = NameKeeper(names)
    parts = [Passage(f"p{n}", f"d{n + 20}", "1", "每月保存。", f"手册{n}", section="数据") for n in range(3)]
    for passage in parts[:2]:
        keeper.keep("home", Document(passage.document_id, "s", passage.title, "1", ()), [passage])
    assert [naming.document_id for naming in names.find("home", {"数据"})] == ["d20", "d21"]
    assert _led_to(names, parts) == ["p0", "p1"]
    keeper.keep("home", Document("d22", "s", "手册2", "1", ()), [parts[2]])
    assert _led_to(names, parts) == []


def _led_to(names: Names, parts: Sequence[Passage]) -> list[str]:
    SHELF.extend(parts)
    try:
        return sorted(ask(names, "谁负责数据？"))
    finally:
        del SHELF[-len(parts) :]


def test_what_the_search_found_is_followed_too(names: Names) -> None:
    assert "person" in ask(names, "who made that movie?", FILM)


def test_a_step_never_reaches_what_the_asker_may_not_read(names: Names) -> None:
    assert "secret" not in ask(names, "What is the director of Blood Street paid?")
    hr = frozenset({PUBLIC, "group:hr"})
    assert "secret" in ask(names, "What is the director of Blood Street paid?", readers=hr)


def test_the_questions_own_hits_stay(names: Names) -> None:
    assert ask(names, "nothing named here", OTHER, RULE) == ["other", "rule", "target"]


def test_the_order_of_the_search_stands_where_it_is_not_that_of_the_scores(names: Names) -> None:
    class Preferring(Shelf):
        def search(self, query: Query, limit: int) -> list[Hit]:
            return [Hit(OTHER, 0.2), Hit(TARGET, 0.9), Hit(RULE, 0.1)]

    hits = Hops(Preferring(), names, Shelf()).search(Query("q", ("What now?",), Scope("home", "U1")), 8)
    assert [hit.passage.id for hit in hits] == ["other", "target", "rule"]


def test_steps_lead_no_further_than_the_document_that_is_named(names: Names) -> None:
    story = replace(TARGET, id="story", title="The story of Canton and its streets")
    question = f"In “{story.title}”, who made Blood Street?"
    assert ask(names, question, OTHER, story)[0] == "story"


def test_names_go_with_the_document_that_gave_them(names: Names) -> None:
    NameKeeper(names).drop("home", "d2")
    NameKeeper(names).drop("home", "d6")
    assert "person" not in ask(names, "Where was the director of Blood Street born?")


def test_a_changed_title_replaces_the_old_name(names: Names) -> None:
    renamed = replace(PERSON, title="Lee Wong")
    NameKeeper(names).keep("home", Document("d2", "s", "Lee Wong", "2", ()), [renamed])
    assert {naming.document_id for naming in names.find("home", ["leo fong"])} == {"d6"}
    assert [naming.passage_id for naming in names.find("home", ["lee wong"])] == ["person"]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("The Blood Street (1988 film)", "blood street"),
        ("Leo Fong's", "leo fong"),
        ("《报销制度》", "报销制度"),
        ("ＫＢ-3102", "kb-3102"),
        ("Café  Noir.", "cafe noir"),
    ],
)
def test_one_name_has_one_key_however_it_is_written(name: str, key: str) -> None:
    assert key_of(name) == key


@pytest.mark.parametrize("key", ["", "a", "42", "2024", "是"])
def test_numbers_and_single_letters_are_no_names(key: str) -> None:
    assert not is_telling(key)


def test_the_longest_name_counts_and_none_inside_it() -> None:
    known = {"blood street", "street", "leo fong"}
    assert mentioned("In Blood Street, Leo Fong's best.", known) == ["blood street", "leo fong"]


def test_a_name_in_a_chinese_sentence_is_found_without_spaces() -> None:
    assert mentioned("请参阅报销制度第三条", {"报销制度"}) == ["报销制度"]


def test_a_label_before_a_figure_and_the_header_of_a_table_name_nothing(names: Names) -> None:
    told = "| Item | Value |\n| --- | --- |\n| Roof | Of tin |\nFirmware: v2.32.0\nOwner: Daniel Firth\n"
    page = Passage("page", "d30", "1", told, "Sheet")
    NameKeeper(names).keep("home", Document("d30", "s", "Sheet", "1", ()), [page])
    keys = {naming.key for naming in names.all("home") if naming.document_id == "d30"}
    assert {"roof", "owner"} <= keys
    assert keys.isdisjoint({"item", "firmware"})


@pytest.mark.parametrize(
    ("title", "keys"),
    [
        ("Return goods authorisation (RGA)", {"return goods authorisation", "rga"}),
        ("Tao Jing (陶静)", {"tao jing", "陶静"}),
        ("费用报销制度（中国）", {"费用报销制度"}),
        ("Blood Street (1988 film)", {"blood street"}),
    ],
)
def test_an_aside_is_an_alias_where_it_is_another_way_to_say_the_name(
    names: Names, title: str, keys: set[str]
) -> None:
    page = Passage("page", "d31", "1", "x", title)
    NameKeeper(names).keep("home", Document("d31", "s", title, "1", ()), [page])
    assert {naming.key for naming in names.all("home") if naming.document_id == "d31"} == keys | {"d31"}
