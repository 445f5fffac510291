"""Chinese words of the house's own are kept whole, and an index made without them is another one."""

from pathlib import Path

import pytest

from retrieval.errors import Permanent
from retrieval.providers.weaviate_schema import collection_name
from retrieval.search import analyze
from retrieval.search.analyze import analyze_question, analyze_text, know
from retrieval.search.house_words import FILE, add_house_words, propose, read_house_words


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyze, "_house_words", set[str]())


def test_a_word_of_the_house_is_kept_whole_besides_its_parts() -> None:
    assert "鹿溪网关" not in analyze_text("鹿溪网关的报警").split()
    know(["鹿溪网关"])
    for made in (analyze_text("鹿溪网关的报警"), analyze_question("鹿溪網關在哪里？")):
        assert {"鹿溪网关", "网关"} <= set(made.split())


def test_an_index_made_with_other_words_has_another_name() -> None:
    plain = collection_name("local:x", 8)
    know(["鹿溪台账"])
    first = collection_name("local:x", 8)
    know(["鹿溪台账"])
    assert collection_name("local:x", 8) == first != plain
    know(["鹿溪星图"])
    assert collection_name("local:x", 8) not in {plain, first}


def test_names_that_are_cut_apart_are_proposed_once_and_no_others() -> None:
    names = ["鹿溪仓储", "报销", "kb-3102", "鹿溪仓储", "关于鹿溪仓储的一切规定和说明", "仓"]
    assert propose(names) == ["鹿溪仓储"]
    know(["鹿溪仓储"])
    assert propose(names) == []


def test_the_file_may_have_remarks_and_gains_what_is_added(tmp_path: Path) -> None:
    file = tmp_path / FILE
    assert read_house_words(file) == []
    file.write_text("# products\n鹿溪网关 # the old one\n\n", encoding="utf-8")
    add_house_words(file, ["鹿溪台账"])
    assert read_house_words(file) == ["鹿溪网关", "鹿溪台账"]


@pytest.mark.parametrize("line", ["鹿", "deploy", "鹿溪 网关", "一二三四五六七八九"])
def test_a_line_that_is_no_word_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / FILE
    file.write_text(f"鹿溪网关\n{line}\n", encoding="utf-8")
    with pytest.raises(Permanent, match="line 2"):
        read_house_words(file)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_bytes("鹿溪网关\n".encode("gbk"))
    with pytest.raises(Permanent, match="UTF-8"):
        read_house_words(file)
